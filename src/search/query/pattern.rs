//! Regular expressions over keys: folded like the text they are compared with; and the strings that
//! every match must contain.

use std::collections::HashSet;

use regex::{Regex, RegexBuilder};
use regex_syntax::ast::{self, ClassSetBinaryOp, ClassSetItem};
use regex_syntax::hir::literal::{ExtractKind, Extractor, Seq};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::search::eval::Folding;
use crate::text::fold::{fold, fold_script};

/// Bytes that a compiled pattern may take.
const MAX_COMPILED_BYTES: usize = 1 << 20;
/// Groups and repetitions within each other. Regular expressions are compiled by recursion: `a***…`
/// of the length of a query takes more stack than a thread has.
const MAX_NESTED: u32 = 64;
/// Most strings in a set of which every match must contain one.
const MAX_LITERALS: usize = 64;
/// Most characters of a class that are listed one by one.
const MAX_CLASS_CHARS: usize = 16;

/// A regular expression as it was typed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::search) struct Pattern {
    typed: String,
}

impl Pattern {
    /// A pattern; an error if it does not compile.
    pub(super) fn new(typed: &str) -> Result<Self, regex::Error> {
        let pattern = Pattern { typed: typed.into() };
        pattern.compiled(Folding::Full)?;
        Ok(pattern)
    }

    /// The pattern with its characters folded like the text. ASCII stays, since some of it is
    /// syntax. So do the ends of ranges (`[一-龥]`), since a range of folded characters is another
    /// range. Case is ignored unless the search is exact.
    pub(super) fn folded(&self, folding: Folding) -> String {
        let folded = |c: char| match folding {
            _ if c.is_ascii() => c,
            Folding::Full => fold(c),
            Folding::Script => fold_script(c),
            Folding::Exact => c,
        };
        let ends = ends_of_ranges(&self.typed);
        self.typed
            .chars()
            .enumerate()
            .map(|(i, c)| if ends.contains(&i) { c } else { folded(c) })
            .collect()
    }

    pub(in crate::search) fn compiled(&self, folding: Folding) -> Result<Regex, regex::Error> {
        RegexBuilder::new(&self.folded(folding))
            .case_insensitive(folding != Folding::Exact)
            .size_limit(MAX_COMPILED_BYTES)
            .nest_limit(MAX_NESTED)
            .build()
    }

    /// Sets of strings, folded like the index. Every match contains at least one string of each
    /// set, so a unit without any of them need not be read. Empty if nothing is known.
    pub(in crate::search) fn needles(&self, folding: Folding) -> Vec<Vec<Vec<char>>> {
        let mut parser = regex_syntax::ParserBuilder::new();
        let parser = parser.case_insensitive(folding != Folding::Exact).nest_limit(MAX_NESTED);
        let Ok(hir) = parser.build().parse(&self.folded(folding)) else {
            return vec![];
        };
        let ends = [ExtractKind::Prefix, ExtractKind::Suffix].into_iter().filter_map(|kind| {
            let mut extractor = Extractor::new();
            extractor
                .kind(kind.clone())
                .limit_class(MAX_CLASS_CHARS)
                .limit_total(MAX_LITERALS)
                .limit_repeat(4);
            words(&extractor.extract(&hir), &kind)
        });
        let sets = ends.chain(required(&hir));
        sets.map(|set| set.iter().map(|w| w.chars().map(fold).collect()).collect()).collect()
    }
}

/// How many sets a regular expression has within sets: `[\W[^今]]` has two. Each takes some
/// milliseconds to compile. 0 if it does not parse.
pub(super) fn sets_within_sets(typed: &str) -> usize {
    let mut parser = ast::parse::ParserBuilder::new();
    let parsed = parser.nest_limit(MAX_NESTED).build().parse(typed);
    parsed.map_or(0, |parsed| ast::visit(&parsed, SetCounter(0)).unwrap_or_default())
}

struct SetCounter(usize);

impl ast::Visitor for SetCounter {
    type Output = usize;
    type Err = ();

    fn finish(self) -> Result<usize, ()> {
        Ok(self.0)
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), ()> {
        use ClassSetItem::{Bracketed, Perl, Unicode};
        self.0 += usize::from(matches!(item, Bracketed(_) | Perl(_) | Unicode(_)));
        Ok(())
    }

    fn visit_class_set_binary_op_pre(&mut self, _: &ClassSetBinaryOp) -> Result<(), ()> {
        self.0 += 1;
        Ok(())
    }
}

/// Positions of the characters on both sides of hyphens in classes, counted in characters.
fn ends_of_ranges(pattern: &str) -> HashSet<usize> {
    let (mut ends, mut in_class) = (HashSet::new(), false);
    let mut chars = pattern.chars().enumerate();
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '-' if in_class => ends.extend([i.saturating_sub(1), i + 1]),
            _ => {}
        }
    }
    ends
}

/// The strings that matches begin or end with; `None` if there may be others.
fn words(seq: &Seq, kind: &ExtractKind) -> Option<Vec<String>> {
    let one = |literal: &regex_syntax::hir::literal::Literal| {
        // A literal that was cut short may end within a character.
        let bytes = literal.as_bytes();
        let from = if matches!(kind, ExtractKind::Suffix) {
            bytes.iter().take_while(|b| **b & 0xC0 == 0x80).count()
        } else {
            0
        };
        let whole = String::from_utf8_lossy(&bytes[from..]);
        let word = whole.split(char::REPLACEMENT_CHARACTER).next().unwrap_or_default();
        (!word.is_empty()).then(|| word.to_string())
    };
    seq.literals()?.iter().map(one).collect()
}

/// Strings of which every match contains one, anywhere in the pattern.
fn required(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(vec![String::from_utf8(literal.0.to_vec()).ok()?]),
        HirKind::Class(Class::Unicode(class)) => {
            let count: usize = class.iter().map(regex_syntax::hir::ClassUnicodeRange::len).sum();
            (count <= MAX_CLASS_CHARS)
                .then(|| class.iter().flat_map(|r| r.start()..=r.end()).map(String::from).collect())
        }
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        // The longest strings are roughly the rarest.
        HirKind::Concat(parts) => parts.iter().filter_map(required).max_by_key(|set| {
            let shortest = set.iter().map(|w| w.chars().count()).min().unwrap_or(0);
            (shortest, std::cmp::Reverse(set.len()))
        }),
        HirKind::Alternation(parts) => {
            let all: Vec<String> = parts.iter().map(required).collect::<Option<Vec<_>>>()?.concat();
            (all.len() <= MAX_LITERALS).then_some(all)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_within_sets_are_counted() {
        for (typed, sets) in [
            ("今[文古].[^爲]", 0),
            (r"[\W[^今]]\w", 2),
            ("[今&&[^古]]", 2),
            (r"[\p{Han}[[a]]]", 3),
            ("[", 0),
        ] {
            assert_eq!(sets_within_sets(typed), sets, "{typed}");
        }
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused_and_not_a_crash() {
        assert!(Pattern::new(&format!("今{}文", "*".repeat(40))).is_ok());
        assert!(Pattern::new(&format!("今{}文", "*".repeat(900))).is_err());
        assert!(Pattern::new(&format!("{}今{}", "(".repeat(400), ")".repeat(400))).is_err());
    }

    fn needles(pattern: &str) -> Vec<String> {
        let sets = Pattern::new(pattern).unwrap().needles(Folding::Full);
        sets.iter()
            .map(|set| set.iter().map(|w| w.iter().collect()).collect::<Vec<String>>().join(" "))
            .collect()
    }

    #[test]
    fn the_ends_of_ranges_are_not_folded() {
        let all = Pattern::new("[一-龥]者").unwrap();
        assert_eq!(all.folded(Folding::Full), format!("[一-龥]{}", fold('者')));
        let pattern = Pattern::new("[㐀-䶿賔]").unwrap().compiled(Folding::Full).unwrap();
        assert!(
            pattern.is_match(&fold('賓').to_string())
                && pattern.is_match("㐁")
                && !pattern.is_match("今")
        );
    }

    #[test]
    fn every_match_contains_one_string_of_each_set() {
        let of = |words: &str| {
            words.chars().map(|c| if c == ' ' { c } else { fold(c) }).collect::<String>()
        };
        assert_eq!(needles("今文.{1,4}爲"), ["今文", "爲", "今文"].map(of));
        assert_eq!(needles("今文|古文"), [of("今文 古文"), of("今文 古文"), of("今文 古文")]);
        assert!(
            needles("[賓主]人").contains(&of("主人 賓人"))
                || needles("[賓主]人").contains(&of("賓人 主人"))
        );
        assert_eq!(needles(".(坐取)+.?"), [of("坐取")]);
        for open in [".*", "今*", "今?文?", ".|今文", "\\p{Han}{2}", "[^今]文*"] {
            assert_eq!(needles(open), Vec::<String>::new(), "{open}");
        }
        // The index is folded, so the string is folded too.
        assert_eq!(Pattern::new("賔").unwrap().needles(Folding::Exact)[0], [vec![fold('賔')]]);
    }
}
