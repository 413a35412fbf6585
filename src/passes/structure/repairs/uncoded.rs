//! Characters that Unicode lacked when a text was typed, and for which it has a sign of its own: a
//! private-use character, or an entity such as `&KR0925;`. Which character is meant follows from
//! other texts that have the same words. A sign means the same throughout a text, so that what it
//! is found to be in some places counts for the others too.
//!
//! Characters written as two parts that no table has are looked for in the same way, each place by
//! itself.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::parts::{self, SplitCharacter};
use super::witness::{self, Around, SIDE_CHARS};
use crate::cache::{CacheKey, digest};
use crate::diag::Diagnostic;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::Key;
use crate::text::fold::fold;
use crate::text::script::{Script, convert_from};

/// Certainty of a place where another text has the character.
const AT_PLACE_CERTAINTY: f64 = 0.9;
/// Fewest places at which a sign must be known to count elsewhere, and the share of them that must
/// agree.
const MIN_PLACES: usize = 2;
const MIN_SHARE: f64 = 0.8;

/// A sign in a text.
struct Sign {
    span: Span,
    /// Its characters in the key.
    at: Range<usize>,
    /// True if it is the same character wherever it occurs.
    constant: bool,
}

/// What the texts of a library have between the characters that are around signs.
#[derive(Default)]
pub struct Between {
    places: FxHashMap<Around, Vec<Written>>,
}

/// A character of a text of the library.
struct Written {
    /// The text, by its number in the library.
    text: u32,
    has: char,
}

impl Between {
    /// Of all texts of the library.
    pub fn all(context: &Context<'_>) -> Arc<Self> {
        context.of_all(|| Between::of(context))
    }

    fn of(context: &Context<'_>) -> Self {
        let asked = |d: &Arc<Document>| context.of_text(d, "signs", || asked(d));
        let sought: FxHashSet<Around> = context.library.all().flat_map(asked).collect();
        let mut between = Between::default();
        if sought.is_empty() {
            return between;
        }
        let mut all: Vec<&Around> = sought.iter().collect();
        all.sort_unstable();
        let kind = format!("signs-{}", digest(&all));
        for (text, document) in (0..).zip(context.library.all()) {
            for (around, has) in context.of_text(document, &kind, || written(document, &sought)) {
                between.places.entry(around).or_default().push(Written { text, has });
            }
        }
        between
    }

    /// What texts other than `own` have between some characters.
    pub fn answers(&self, asked: &[Around], own: usize, library: &[&Arc<Document>]) -> CacheKey {
        let others = |around: &Around| {
            let all = self.places.get(around).into_iter().flatten();
            let others = all.filter(|w| w.text as usize != own);
            others.map(|w| (&library[w.text as usize].id, w.has)).collect::<Vec<_>>()
        };
        digest(&asked.iter().map(others).collect::<Vec<_>>())
    }
}

/// What is around the signs of a document.
pub fn asked(document: &Document) -> Vec<Around> {
    if !may_have(document.source.text()) {
        return vec![];
    }
    let key = witness::key(document);
    let signs = signs(document, &key, &parts::find(document));
    signs.iter().filter_map(|s| witness::around(&key, s.at.clone())).collect()
}

/// The characters of a document that are between some of those that are sought.
fn written(document: &Document, sought: &FxHashSet<Around>) -> Vec<(Around, char)> {
    let (text, key) = (document.source.text(), witness::key(document));
    let at = |i: usize| {
        let around = witness::around(&key, i..i + 1).filter(|a| sought.contains(a))?;
        let has = text[key.at[i] as usize..].chars().next().filter(|c| is_coded(*c))?;
        Some((around, has))
    };
    (SIDE_CHARS..key.len().saturating_sub(SIDE_CHARS)).filter_map(at).collect()
}

/// True for a character of Unicode; an entity begins with `&`.
fn is_coded(c: char) -> bool {
    c != '&' && !is_private(c)
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
}

fn may_have(text: &str) -> bool {
    text.contains(is_private) || text.contains('&') || parts::may_have(text)
}

/// The signs of a document, in order.
fn signs(document: &Document, key: &Key, split: &[SplitCharacter]) -> Vec<Sign> {
    let text = document.source.text();
    let single = (0..key.len()).filter_map(|i| {
        let span = key.span(i, i + 1);
        let constant = text[span.range()].starts_with(|c| !is_coded(c));
        constant.then_some(Sign { span, at: i..i + 1, constant })
    });
    let unknown = split.iter().filter(|s| s.whole.is_none()).filter_map(|s| {
        let from = key.index_at(s.span.start());
        let to = key.index_at(s.span.end());
        // A radical may not count as a character.
        (from < to).then_some(Sign { span: s.span, at: from..to, constant: false })
    });
    let unknown: Vec<Sign> = unknown.collect();
    let is_part = |s: &Sign| {
        let at = split.partition_point(|pair| pair.span.end() <= s.span.start());
        split.get(at).is_some_and(|pair| pair.span.overlap(s.span) > 0)
    };
    let mut all: Vec<Sign> = single.filter(|s| !is_part(s)).collect();
    all.extend(unknown);
    all.sort_by_key(|s| s.span.start());
    all
}

/// What a sign is found to be.
#[derive(Default)]
struct Votes(FxHashMap<char, usize>);

impl Votes {
    /// The character with the most votes, their number, and the number of all.
    fn best(&self) -> Option<(char, usize, usize)> {
        let order = |(c, n): &(&char, &usize)| (**n, std::cmp::Reverse(**c));
        let (c, n) = self.0.iter().max_by_key(order)?;
        Some((*c, *n, self.0.values().sum()))
    }
}

/// The readings of the signs of a document.
pub fn readings(
    document: &Document,
    split: &[SplitCharacter],
    simplified: bool,
    context: &Context<'_>,
) -> Vec<Reading> {
    if !may_have(document.source.text()) {
        return vec![];
    }
    let key = witness::key(document);
    let signs = signs(document, &key, split);
    if signs.is_empty() {
        return vec![];
    }
    let library: Vec<&Document> = context.library.all().map(|d| &**d).collect();
    let all = Between::all(context);
    let here = |sign: &Sign| {
        let places = witness::around(&key, sign.at.clone()).and_then(|a| all.places.get(&a));
        let others = places.into_iter().flatten();
        let others = others.filter(|w| library[w.text as usize].id != document.id);
        let mut found: Option<(char, &str)> = None;
        for written in others {
            let c = in_script(written.has, simplified);
            match found {
                None => found = Some((c, &library[written.text as usize].id)),
                // Texts that disagree say nothing.
                Some((other, _)) if fold(other) != fold(c) => return None,
                Some(_) => {}
            }
        }
        found
    };
    let found: Vec<Option<(char, &str)>> = signs.iter().map(here).collect();
    let mut votes: FxHashMap<&str, Votes> = FxHashMap::default();
    for (sign, found) in signs.iter().zip(&found) {
        if let (true, Some((c, _))) = (sign.constant, found) {
            let of = votes.entry(document.slice(sign.span)).or_default();
            *of.0.entry(*c).or_default() += 1;
        }
    }
    let known = |sign: &Sign| votes.get(document.slice(sign.span)).and_then(Votes::best);
    let reading = |(sign, found): (&Sign, &Option<(char, &str)>)| match found {
        Some((c, id)) => {
            // Of several forms of one character the commonest is read everywhere.
            let usual = known(sign).filter(|best| fold(best.0) == fold(*c));
            let (read, agree) = usual.map_or((*c, 0), |(usual, agree, _)| (usual, agree));
            let evidence = vec![Evidence::new(EvidenceKind::Witness, format!("{id} has {c}"))];
            // Each further place at which it is the same halves the doubt.
            let doubt = (1.0 - AT_PLACE_CERTAINTY) / f64::from(1 << agree.saturating_sub(1).min(4));
            Some(read_as(sign, read, 1.0 - doubt, evidence))
        }
        None => {
            let (c, agree, all) = known(sign)?;
            let enough = agree >= MIN_PLACES && agree as f64 >= MIN_SHARE * all as f64;
            let detail = format!("{c} in {agree} of {all} other places");
            let evidence = vec![Evidence::new(EvidenceKind::SameSign, detail)];
            // Laplace's rule of succession.
            let certainty = (agree + 1) as f64 / (all + 2) as f64;
            enough.then(|| read_as(sign, c, certainty, evidence))
        }
    };
    signs.iter().zip(&found).filter_map(reading).collect()
}

/// A message about the signs of a document that no other text explains, with the first of them.
pub fn report(document: &Document, readings: &[Reading]) -> Option<Diagnostic> {
    if !document.source.text().contains(|c| !is_coded(c)) {
        return None;
    }
    let key = witness::key(document);
    let known: FxHashSet<usize> = readings.iter().map(|r| r.span.start()).collect();
    let signs = signs(document, &key, &[]);
    let open: Vec<&Sign> = signs.iter().filter(|s| !known.contains(&s.span.start())).collect();
    let first = open.first()?;
    let names: FxHashSet<&str> = open.iter().map(|s| document.slice(s.span)).collect();
    let message = match open.len() {
        1 => "a sign for a character that Unicode lacked is not known".to_string(),
        n => format!(
            "{n} signs ({} different) for characters that Unicode lacked are not known",
            names.len()
        ),
    };
    Some(
        Diagnostic::info("uncoded", Some(first.span), message)
            .hint("another text with the same words (--with, or a library) can show what they are"),
    )
}

fn read_as(sign: &Sign, c: char, certainty: f64, evidence: Vec<Evidence>) -> Reading {
    Reading {
        span: sign.span,
        reading: c.into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(certainty),
        evidence: evidence.into(),
    }
}

/// A character as a simplified text would write it. What a simplified text has is taken as it is:
/// one simplified character may be several traditional ones.
fn in_script(c: char, simplified: bool) -> char {
    if !simplified {
        return c;
    }
    let written = c.to_string();
    convert_from(&written, Script::Traditional, Script::Simplified).chars().next().unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::Library;
    use crate::model::Layer;

    /// The readings of the first text beside the others.
    fn found(texts: &[&str]) -> Vec<(String, String)> {
        let document = |(n, text): (usize, &&str)| {
            let mut document = Document::of_pieces(&[(Layer::Jing, *text)]);
            document.id = format!("text{n}");
            Arc::new(document)
        };
        let documents = texts.iter().enumerate().map(document).collect();
        let library = Library { documents, ..Library::default() };
        let context = Context::new(&library);
        let document = &library.documents[0];
        let all = readings(document, &parts::find(document), false, &context);
        all.iter().map(|r| (document.slice(r.span).into(), r.reading.to_string())).collect()
    }

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.into(), b.into())
    }

    #[test]
    fn a_sign_is_what_another_text_has() {
        let own = "主人坐取爵實\u{E438}之南面";
        assert_eq!(found(&[own, "主人坐取爵實觶之南面"]), [pair("\u{E438}", "觶")]);
        assert_eq!(found(&[own, "主人坐取爵實\u{E438}之南面"]), []);
        assert_eq!(found(&[own, "主人坐取爵實觶之南面", "主人坐取爵實爵之南面"]), []);
        let entity = "主人坐取爵實&KR0925;之南面";
        assert_eq!(found(&[entity, "主人坐取爵實觶之南面"]), [pair("&KR0925;", "觶")]);
    }

    #[test]
    fn what_a_sign_is_in_two_places_it_is_elsewhere() {
        let own = "甲乙丙\u{E438}丁戊己。庚辛壬\u{E438}子丑寅。卯辰巳\u{E438}午未申";
        let one = "甲乙丙觶丁戊己";
        let both = "甲乙丙觶丁戊己。庚辛壬觶子丑寅";
        assert_eq!(found(&[own, one]).len(), 1);
        assert_eq!(found(&[own, both]), vec![pair("\u{E438}", "觶"); 3]);
        let unlike = "甲乙丙觶丁戊己。庚辛壬爵子丑寅";
        assert_eq!(found(&[own, unlike]).len(), 2, "the third is not known");
    }

    #[test]
    fn parts_that_no_table_has_are_looked_for_at_their_place() {
        let own = "甲乙丙扌龘丁戊己";
        assert_eq!(found(&[own, "甲乙丙挩丁戊己"]), [pair("扌龘", "挩")]);
    }
}
