//! What other text shows of a passage: headers and quotations of the sub-commentary, and witnesses.

use crate::model::{Document, Header, HeaderPart, Layer};
use crate::passes::evidence::hints::{HeaderMatch, Hint};
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::quotations::quotations;
use crate::passes::evidence::run::{CLASSIC, NOTE};
use crate::source::Span;
use crate::text::Key;

/// One part of a header: text of one layer, named by its first and last words.
#[derive(Clone, Debug)]
pub struct NamedPart {
    /// The part in the header, quotation marks included.
    pub span: Span,
    /// The layer it names.
    pub layer: Layer,
    /// The first words it names.
    pub from: HeaderWord,
    /// The last words it names; none if the first are all of it.
    pub to: Option<HeaderWord>,
}

/// Words of a header and their place in the passage.
#[derive(Clone, Debug)]
pub struct HeaderWord {
    /// The words in the header.
    pub span: Span,
    /// Their place in the passage, and how well it fits; none if they are not in the passage.
    pub at: Option<(Span, HeaderMatch)>,
}

/// Text of the passage that the sub-commentary quotes.
#[derive(Clone, Debug)]
pub struct QuotedWords {
    /// The quoted text in the sub-commentary, without quotation marks.
    pub span: Span,
    /// Its first place in the passage.
    pub at: Span,
    /// Its layer: as the sub-commentary calls it, or as its header names what is explained there.
    pub layer: Option<Layer>,
}

/// What a witness shows of a border.
#[derive(Clone, Debug)]
pub struct Testimony {
    /// Id of the witness.
    pub witness: String,
    /// It has a border there too.
    pub agrees: bool,
    /// What it has, as a sentence.
    pub words: String,
}

/// The sub-commentary that follows a paragraph or the paragraphs after it.
pub fn commentary(document: &Document, p: &Paragraph) -> Option<Span> {
    let is_sub = |l: Layer| matches!(l, Layer::Shu | Layer::ShuHeader);
    let mut after = document.segments[p.segment..].iter().skip_while(|s| !is_sub(s.layer));
    let first = after.next()?.span;
    let last = after
        .take_while(|s| s.layer != Layer::Undivided)
        .filter(|s| is_sub(s.layer))
        .last()
        .map_or(first, |s| s.span);
    Some(Span::new(first.start(), last.end()))
}

/// The parts of the headers in a sub-commentary.
pub fn named(document: &Document, p: &Paragraph, commentary: Span) -> Vec<NamedPart> {
    headers(document, commentary)
        .flat_map(|h| &h.parts)
        .map(|part| named_part(document, p, part))
        .collect()
}

fn headers(document: &Document, commentary: Span) -> impl Iterator<Item = &Header> {
    document.headers.iter().filter(move |h| commentary.contains(h.span))
}

fn named_part(document: &Document, p: &Paragraph, part: &HeaderPart) -> NamedPart {
    let is_note = part.layer != Layer::Jing;
    let begins = |h: &Hint| if is_note { h.note_from } else { h.classic_from };
    let ends = |h: &Hint| if is_note { h.note_to } else { h.classic_to };
    let word = |span: Span, last: bool| {
        let words = Key::of(document.source.text(), span).chars;
        let grade =
            |k: usize| if last { ends(&p.hints[k + words.len()]) } else { begins(&p.hints[k]) };
        HeaderWord { span, at: find(p, &words, grade, last) }
    };
    let to = part.to.map(|to| word(to, true));
    NamedPart { span: part.span, layer: part.layer, from: word(part.from, false), to }
}

/// The place of some words that fits best by the hints of the paragraph; of equal ones the first,
/// or the last if `last`.
fn find(
    p: &Paragraph,
    words: &[char],
    grade: impl Fn(usize) -> HeaderMatch,
    last: bool,
) -> Option<(Span, HeaderMatch)> {
    if words.is_empty() || words.len() > p.key.len() {
        return None;
    }
    let differ = |k: usize| p.key.chars[k..].iter().zip(words).filter(|(a, b)| a != b).count();
    let fits = (0..=p.key.len() - words.len()).filter(|k| match grade(*k) {
        HeaderMatch::No => false,
        HeaderMatch::Nearly => differ(*k) <= 1,
        HeaderMatch::Elsewhere | HeaderMatch::Here => differ(*k) == 0,
    });
    let best =
        if last { fits.max_by_key(|k| grade(*k)) } else { fits.rev().max_by_key(|k| grade(*k)) }?;
    Some((p.key.span(best, best + words.len()), grade(best)))
}

/// The text of the passage that the sub-commentary quotes, in the order of its quotations. For its
/// headers see [`named`].
pub fn quoted(document: &Document, p: &Paragraph, commentary: Span) -> Vec<QuotedWords> {
    let text = document.source.text();
    let headers: Vec<_> = headers(document, commentary).collect();
    let sub = document.of_layer(Layer::Shu).filter(|s| commentary.contains(s.span));
    let quotations = sub.flat_map(|s| quotations(text, s.span));
    let found = quotations.filter_map(|q| {
        let words = Key::of(text, q.words).chars;
        let from = p.key.chars.windows(words.len()).position(|w| w == words)?;
        let layer = match q.layers(&headers) {
            (true, false) => Some(Layer::Zhu),
            (false, true) => Some(Layer::Jing),
            _ => None,
        };
        Some(QuotedWords { span: q.words, at: p.key.span(from, from + words.len()), layer })
    });
    found.collect()
}

/// What the witnesses show of a layer that begins with character `k`.
pub fn testimony(p: &Paragraph, k: usize, label: usize) -> Option<Testimony> {
    let name = ["經", "注", "音義"];
    if let Some(b) = p.votes.borders.iter().find(|b| b.at == k && k > 0) {
        let agrees = p.votes.of[k] == 0.0 || (p.votes.of[k] < 0.0) == (label != CLASSIC);
        let words = match b.exact {
            true => format!("ends the {} here too", name[usize::from(label == CLASSIC)]),
            false => "has no note where this one is".to_string(),
        };
        return agrees.then(|| Testimony { witness: b.witness.to_string(), agrees, words });
    }
    let layer = |k: usize| {
        p.votes.of.get(k).filter(|v| **v != 0.0).map(|v| if *v > 0.0 { CLASSIC } else { NOTE })
    };
    let (before, here) = (k.checked_sub(1).and_then(layer), layer(k)?);
    let words = match before {
        Some(b) if b == here => format!("has the words on both sides as {}", name[here]),
        Some(b) => format!("has the words before as {}, these as {}", name[b], name[here]),
        None => format!("has these words as {}", name[here]),
    };
    let agrees = here == label && before.is_none_or(|b| b != label);
    Some(Testimony {
        witness: p.votes.witness.as_deref().unwrap_or_default().to_string(),
        agrees,
        words,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::evidence::group;
    use crate::passes::evidence::votes::Border;

    #[test]
    fn a_witness_is_reported_by_its_border_or_by_its_votes_on_both_sides() {
        let document = Document::of_pieces(&[(Layer::Undivided, "甲乙丙丁。")]);
        let mut p = group::paragraphs(&document).remove(0);
        let said = |p: &Paragraph, k: usize, label: usize| {
            testimony(p, k, label).map(|t| (t.agrees, t.words))
        };
        assert_eq!(said(&p, 0, CLASSIC), None, "without a witness");
        p.votes.of = vec![1.0, 1.0, -1.0, 0.0].into();
        let words = |agrees: bool, words: &str| Some((agrees, words.to_string()));
        assert_eq!(said(&p, 0, CLASSIC), words(true, "has these words as 經"));
        assert_eq!(said(&p, 0, NOTE), words(false, "has these words as 經"));
        assert_eq!(said(&p, 1, CLASSIC), words(false, "has the words on both sides as 經"));
        let differ = "has the words before as 經, these as 注";
        assert_eq!(said(&p, 2, NOTE), words(true, differ));
        assert_eq!(said(&p, 2, CLASSIC), words(false, differ));
        assert_eq!(said(&p, 3, NOTE), None, "no vote");
        let border = |at: usize, exact: bool| Border { at, exact, witness: "b".into() };
        p.votes.borders = vec![border(0, true), border(1, false), border(2, true)].into();
        assert_eq!(said(&p, 0, CLASSIC), words(true, "has these words as 經"));
        assert_eq!(said(&p, 1, CLASSIC), words(true, "has no note where this one is"));
        assert_eq!(said(&p, 2, NOTE), words(true, "ends the 經 here too"));
        assert_eq!(said(&p, 2, CLASSIC), None, "it has a note from here on");
        p.votes.of[2] = 1.0;
        assert_eq!(said(&p, 2, CLASSIC), words(true, "ends the 注 here too"));
    }
}
