//! Sections with numbers that everybody uses (論語 2.4): they begin where the classic has the
//! opening words that a list gives for each, in its order. How a copy divides its paragraphs does
//! not matter.

use crate::corpus::works::openings::{self, Opening};
use crate::model::{Document, Evidence, EvidenceKind};
use crate::source::Span;
use crate::text::find::find_within;
use crate::text::{PackedKey, ends_with_sentence};

use super::starts::{SectionStart, classic_from};

/// Characters of an opening in which one may differ.
const MIN_LENIENT_CHARS: usize = 5;
/// Places that are tried for one form of an opening.
const MAX_PLACES: usize = 40;
/// Share of the sections, from the first found to the last, that must be found.
const MIN_SHARE: f64 = 0.6;
/// Sections that must be found, unless the text begins with one.
const MIN_SECTIONS: usize = 3;
/// What a difference takes from the value of a place, and what the beginning of a sentence adds.
const DIFFERENCE: f64 = 0.8;
const FRESH_SENTENCE: f64 = 0.5;
/// How certain an opening is that was found as listed, and one that differs.
const EXACT: f64 = 0.98;
const SIMILAR: f64 = 0.93;
/// How certain it is that text before the first opening found belongs to the section before.
const BEFORE: f64 = 0.6;

/// A place where a section may begin.
struct OpeningPlace {
    section: usize,
    /// Index of its first character in the key.
    at: usize,
    exact: bool,
    value: f64,
}

/// Where the listed sections of the document's chapter begin; none if there is no list, or the text
/// has too few of its openings.
pub(super) fn starts(document: &Document, classic: &PackedKey) -> Vec<SectionStart> {
    let meta = &document.meta;
    let (Some(work), Some(chapter)) = (&meta.work, &meta.chapter) else { return vec![] };
    let listed = openings::of(work, chapter);
    if listed.is_empty() || classic.is_empty() {
        return vec![];
    }
    let chain = in_order(places(document, classic, listed));
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return vec![] };
    let between = (last.section - first.section + 1) as f64;
    let enough = chain.len() >= MIN_SECTIONS || first.at == 0;
    if !enough || (chain.len() as f64) < MIN_SHARE * between {
        return vec![];
    }
    let opening = (first.section > 0 && first.at > 0).then(|| {
        let at = classic_from(document, 0)?;
        Some(section(at, first.section, BEFORE))
    });
    let found = chain.iter().map(|p| {
        let certainty = if p.exact { EXACT } else { SIMILAR };
        section(with_quotes(document, classic.at(p.at)), p.section + 1, certainty)
    });
    opening.flatten().into_iter().chain(found).collect()
}

fn section(at: usize, n: usize, certainty: f64) -> SectionStart {
    let evidence = vec![Evidence::of(EvidenceKind::ListedOpening)];
    SectionStart { at, n: u32::try_from(n).ok(), title: None, certainty, evidence }
}

/// All places of all openings. In a punctuated text, a section begins with a sentence.
fn places(document: &Document, classic: &PackedKey, listed: &[Opening]) -> Vec<OpeningPlace> {
    let punctuated = document.is_punctuated();
    let mut places = vec![];
    for (section, forms) in listed.iter().enumerate() {
        for form in forms {
            let most = usize::from(form.len() >= MIN_LENIENT_CHARS);
            let hits = find_within(classic.chars(), 0..classic.len(), form, most);
            for hit in hits.into_iter().take(MAX_PLACES) {
                let fresh = is_fresh(document, classic, hit.from);
                if punctuated && !fresh {
                    continue;
                }
                let bonus = if fresh { FRESH_SENTENCE } else { 0.0 };
                let value = form.len() as f64 / (form.len() + 2) as f64 + bonus
                    - DIFFERENCE * hit.diff as f64;
                places.push(OpeningPlace { section, at: hit.from, exact: hit.diff == 0, value });
            }
        }
    }
    places
}

/// True if a sentence, a line or a segment begins with character `i` of the key.
fn is_fresh(document: &Document, classic: &PackedKey, i: usize) -> bool {
    let Some(before) = i.checked_sub(1) else { return true };
    let (from, to) = (classic.end(before), classic.at(i));
    let between = document.slice(Span::new(from, to));
    document.segment_at(from.saturating_sub(1)) != document.segment_at(to)
        || between.contains('\n')
        || ends_with_sentence(between.trim_end_matches(opens_quote))
}

/// The chain of places with the highest value whose sections and places go up.
fn in_order(mut places: Vec<OpeningPlace>) -> Vec<OpeningPlace> {
    places.sort_by_key(|p| (p.at, p.section));
    let mut best: Vec<(f64, Option<usize>)> = Vec::with_capacity(places.len());
    for (i, p) in places.iter().enumerate() {
        let fits = |k: &usize| places[*k].at < p.at && places[*k].section < p.section;
        let before = (0..i).filter(fits).max_by(|a, b| best[*a].0.total_cmp(&best[*b].0));
        let before = before.filter(|k| best[*k].0 > 0.0);
        best.push((before.map_or(0.0, |k| best[k].0) + p.value, before));
    }
    let mut at = (0..places.len()).max_by(|a, b| best[*a].0.total_cmp(&best[*b].0));
    let mut chosen = vec![false; places.len()];
    while let Some(i) = at {
        chosen[i] = true;
        at = best[i].1;
    }
    places.into_iter().zip(chosen).filter_map(|(place, chosen)| chosen.then_some(place)).collect()
}

fn opens_quote(c: char) -> bool {
    matches!(c, '“' | '‘' | '「' | '『' | '《' | '〈' | '（' | '(')
}

/// The place with the opening quotation marks right before it, within its segment.
fn with_quotes(document: &Document, at: usize) -> usize {
    let Some(segment) = document.segment_at(at) else { return at };
    let from = document.segments[segment].span.start();
    let before = &document.source.text()[from..at];
    from + before.trim_end_matches(opens_quote).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::View;
    use crate::model::Layer;

    /// Numbers and first characters of the sections of a 為政 with this text.
    fn sections(pieces: &[(Layer, &'static str)]) -> Vec<(u32, String)> {
        let mut d = Document::of_pieces(pieces);
        d.meta.work = Some("論語".into());
        d.meta.chapter = Some("為政".into());
        let found = starts(&d, &View::of(&d).base);
        let words = |at: usize| d.source.text()[at..].chars().take(6).collect();
        found.iter().map(|s| (s.n.unwrap(), words(s.at))).collect()
    }

    fn is(found: &[(u32, String)], wanted: &[(u32, &str)]) {
        let found: Vec<(u32, &str)> = found.iter().map(|(n, w)| (*n, w.as_str())).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn sections_begin_where_the_list_says_however_the_copy_divides_them() {
        let joined =
            "子曰：“为政以德，云云。”子曰：“诗三百，云云。”\n子曰：“道之以政，云云。\n云云，";
        let rest = "云云。”\n子曰：“吾十有五而志于学，云云。”\n";
        let found = sections(&[(Layer::Jing, joined), (Layer::Jing, rest)]);
        is(
            &found,
            &[(1, "子曰：“为政"), (2, "子曰：“诗三"), (3, "子曰：“道之"), (4, "子曰：“吾十")],
        );
    }

    #[test]
    fn notes_may_interrupt_an_opening_and_a_character_may_differ() {
        let found = sections(&[
            (Layer::Jing, "孟懿子問孝。"),
            (Layer::Zhu, "魯大夫。"),
            (Layer::Jing, "子曰云云。孟武伯"),
            (Layer::Zhu, "懿子之子。"),
            (Layer::Jing, "問孝。子曰云云。子遊問孝。云云。子夏問老。云云。"),
            (Layer::Jing, "子曰：吾與囘言終日。"),
        ]);
        let numbers: Vec<u32> = found.iter().map(|(n, _)| *n).collect();
        assert_eq!(numbers, [5, 6, 7, 9]);
    }

    #[test]
    fn without_punctuation_a_section_begins_inside_a_run() {
        let found =
            sections(&[(Layer::Jing, "子曰君子不器子貢問君子子曰云云子曰君子周而不比云云")]);
        is(&found, &[(12, "子曰君子不器"), (13, "子貢問君子子"), (14, "子曰君子周而")]);
    }

    #[test]
    fn a_text_with_other_words_has_no_listed_sections() {
        assert!(
            sections(&[(Layer::Jing, "山中有雲。雲起於石。子曰：“詩三百，云云。”")]).is_empty()
        );
    }

    #[test]
    fn text_before_the_first_opening_belongs_to_the_section_before() {
        let found = sections(&[(
            Layer::Jing,
            "云云如之何。子曰：“君子不器。”子貢問君子。云云。子曰：“君子周而不比，云云。”",
        )]);
        is(&found[..2], &[(11, "云云如之何。"), (12, "子曰：“君子")]);
    }
}
