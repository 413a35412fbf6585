//! Wikitext: templates, links, tags, variants of scripts, comments. `data/templates.tsv` says what
//! a template contains. Notes of any template are shown to readers in one pair of brackets.

use std::sync::LazyLock;

use regex::Regex;

use super::edits::{Edits, MAX_DEPTH, NOTE, Pairs, has_han, role};
use super::{NamedRole, Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::model::Layer;
use crate::source::Span;
use crate::text::pattern;

const TEMPLATES: &str = include_str!("data/templates.tsv");

/// What only wikitext has: a template, a link, or a category.
static SIGNS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\{\{[^{}<%\s|][^{}<%|\n]{0,40}(?:\||\}\})|\[\[[^\[\]\n]+\]\]|</?(?:only|no)include>")
});
/// Notes of the editors of a wiki.
static NOTES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)<ref\b[^<>/]*>(?P<note>.{0,4000}?)</ref>"));
/// Marks that contain no other: comments, references, tags, bold, variants.
static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?s)<!--.*?-->|<ref[^<>]*/>|<noinclude>.*?</noinclude>|</?(?:onlyinclude|noinclude|includeonly|section|br|nowiki|poem|center|big|span|div|sub|sup|references)\b[^<>]*>|__[A-Z]+__|'{2,5}",
    )
});
static LINK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[\[(?:(?P<to>[^\[\]|\n]*)\|)?(?P<shown>[^\[\]\n]*)\]\]"));
/// Links that are not words of the text.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^:?(?:category|file|image|分類|分类|文件|檔案|圖像|template|[a-z]{2,3}):")
});
static VARIANTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"-\{([^{}]*)\}-"));

/// Finds the markup.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    if text.trim_start_matches('\u{FEFF}').trim_start().starts_with(['<', '[', '#'])
        || !SIGNS.is_match(text)
    {
        return Taken::default();
    }
    let pairs = Pairs::of(text, "{{", "}}");
    let mut wiki = Wikitext { text, pairs, edits: Edits::default(), unknown: vec![], depth: 0 };
    wiki.templates(0, text.len());
    for mark in MARKS.find_iter(text) {
        wiki.edits.mark(mark.start(), mark.end());
    }
    wiki.links();
    wiki.variants();
    let mut roles = vec![];
    for note in NOTES.captures_iter(text) {
        let whole = note.get_match();
        let inner = note.name("note").map_or(0..0, |inner| inner.range());
        if has_han(&text[inner.clone()]) {
            wiki.edits.shown(whole.start(), inner.start, NOTE.0);
            wiki.edits.shown(inner.end, whole.end(), NOTE.1);
            roles.push((Span::new(inner.start, inner.end), NamedRole::Of(Layer::An)));
        } else {
            wiki.edits.mark(whole.start(), whole.end());
        }
    }
    let remarks = wiki.unknown().into_iter().collect();
    Taken { edits: wiki.edits.finish(), remarks, roles, ..Taken::default() }
}

struct Wikitext<'t> {
    text: &'t str,
    pairs: Pairs,
    edits: Edits,
    /// How many templates are around the one that is read.
    depth: usize,
    /// Templates of no known name inside lines.
    unknown: Vec<Span>,
}

impl Wikitext<'_> {
    /// The templates between two bytes.
    fn templates(&mut self, mut at: usize, end: usize) {
        if self.depth > MAX_DEPTH {
            return;
        }
        self.depth += 1;
        while let Some(open) = self.text[at..end].find("{{").map(|i| at + i) {
            match self.pairs.close(open).filter(|close| close + 2 <= end) {
                Some(close) => {
                    self.template(open, close);
                    at = close + 2;
                }
                None => at = open + 2,
            }
        }
        self.depth -= 1;
    }

    /// One template, from its opening braces to before its closing ones.
    fn template(&mut self, open: usize, close: usize) {
        let inner = &self.text[open + 2..close];
        let args = arguments(inner, open + 2);
        let name = inner[..args.first().map_or(inner.len(), |a| a.0 - 1 - (open + 2))].trim();
        let alone = self.is_alone(open, close + 2);
        let own = |(from, to): &&(usize, usize)| {
            let words = &self.text[*from..*to];
            !words.split_once('=').is_some_and(|(key, _)| key.trim().is_ascii())
        };
        let positional: Vec<(usize, usize)> = args.iter().filter(own).copied().collect();
        let first = positional.first().copied();
        let known = role(TEMPLATES, &name.to_lowercase());
        match (known, first) {
            (Some("note"), Some((from, _))) => {
                let to = positional.last().map_or(close, |a| a.1);
                self.edits.shown(open, from, NOTE.0);
                self.templates(from, to);
                self.edits.shown(to, close + 2, NOTE.1);
            }
            (Some("first"), Some(kept)) => self.keep(open, close, kept),
            (Some("last"), Some(_)) => self.keep(open, close, positional[positional.len() - 1]),
            (None, Some(kept)) if !alone && has_han(&self.text[kept.0..kept.1]) => {
                self.unknown.push(Span::new(open, close + 2));
                self.keep(open, close, kept);
            }
            _ if alone => self.edits.furniture(open, close + 2),
            _ => self.edits.mark(open, close + 2),
        }
    }

    /// Keeps an argument as text.
    fn keep(&mut self, open: usize, close: usize, (from, to): (usize, usize)) {
        self.edits.mark(open, from);
        self.templates(from, to);
        self.edits.mark(to, close + 2);
    }

    /// True if only blanks are beside it in its lines.
    fn is_alone(&self, start: usize, end: usize) -> bool {
        let blanks = [' ', '\t', '\r', '\u{3000}', '\u{FEFF}'];
        let before = self.text[..start].trim_end_matches(blanks);
        let after = self.text[end..].trim_start_matches(blanks);
        (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'))
    }

    fn links(&mut self) {
        for link in LINK.captures_iter(self.text) {
            let (whole, shown) = (link.get(0).expect("the whole"), &link["shown"]);
            let target = link.name("to").map_or(shown, |m| m.as_str());
            if ASIDE.is_match(target) {
                self.edits.furniture(whole.start(), whole.end());
                continue;
            }
            let from = whole.end() - 2 - shown.len();
            self.edits.mark(whole.start(), from);
            self.edits.mark(whole.end() - 2, whole.end());
        }
    }

    /// `-{zh-hans:于;zh-hant:於}-`: the traditional form.
    fn variants(&mut self) {
        for found in VARIANTS.captures_iter(self.text) {
            let (whole, inner) = (found.get(0).expect("the whole"), found.get(1).expect("it is"));
            let mut at = inner.start();
            let forms: Vec<(&str, usize, usize)> = inner
                .as_str()
                .split(';')
                .filter_map(|form| {
                    let start = at;
                    at += form.len() + 1;
                    let (key, words) = form.split_once(':')?;
                    Some((key.trim(), start + form.len() - words.len(), start + form.len()))
                })
                .collect();
            let hant = forms.iter().find(|f| matches!(f.0, "zh-hant" | "zh-tw" | "zh-hk"));
            let (from, to) = match hant.or(forms.first()) {
                Some((_, from, to)) => (*from, *to),
                None => (inner.start(), inner.end()),
            };
            self.edits.mark(whole.start(), from);
            self.edits.mark(to, whole.end());
        }
    }

    fn unknown(&self) -> Option<Diagnostic> {
        let first = *self.unknown.first()?;
        let message = format!(
            "{} templates of unknown names: their first argument is read as text",
            self.unknown.len()
        );
        let hint = "if they hold notes, put these in brackets in a copy, and tell us the names";
        Some(Diagnostic::warning("template-unknown", first, message).hint(hint))
    }
}

/// The arguments of a template, whose inside begins at byte `base`.
fn arguments(inner: &str, base: usize) -> Vec<(usize, usize)> {
    let (mut depth, mut from) = (0i32, None);
    let mut all = vec![];
    for (i, c) in inner.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            '|' if depth == 0 => {
                all.extend(from.map(|from| (from, base + i)));
                from = Some(base + i + 1);
            }
            _ => {}
        }
    }
    all.extend(from.map(|from| (from, base + inner.len())));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    fn read(text: &str) -> String {
        LogicalText::of(text).without(&find(text, VesselHints::default()).edits).text().to_string()
    }

    #[test]
    fn notes_links_variants_and_characters_are_read() {
        let text = "{{header|title=論語\n|section=[[學而]]}}\n==學而==\n子曰{{SK notes|馬{{YL|融}}曰}}人{{SKchar|慍|4|kr=KR1}}-{zh-hans:于;zh-hant:於}-<ref>皇本</ref>是[[乎|也]]\n[[Category:論語]]\n";
        assert_eq!(read(text), "\n==學而==\n子曰{{*|馬融曰}}人慍於{{*|皇本}}是也\n\n");
    }

    #[test]
    fn what_is_not_closed_stays() {
        assert_eq!(read("子曰{{*|馬曰\n學而[[時習]]"), "子曰{{*|馬曰\n學而時習");
        assert_eq!(read("{\"a\": \"子曰\"}"), "{\"a\": \"子曰\"}");
    }

    #[test]
    fn what_is_deep_or_never_closed_ends() {
        let deep = format!("子{}曰{}", "{{某|".repeat(50_000), "}}".repeat(50_000));
        assert!(read(&deep).contains('曰'));
        let open = "子曰{{某|".repeat(50_000);
        assert_eq!(read(&open), open);
    }

    #[test]
    fn unknown_templates_are_reported() {
        let found = find("子曰{{某|學}}而{{*|注}}", VesselHints::default());
        assert_eq!(found.remarks[0].code, "template-unknown");
    }
}
