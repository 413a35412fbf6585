//! Sets apart what precedes the first words of a classic: a preface, a notice on its author. It is
//! neither classic nor a note on it.

use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::passes::evidence::canon::{self, CanonFilter};
use crate::passes::evidence::paragraph::Paragraph;

/// The least length of a paragraph of a preface, in characters. Shorter ones may be titles or short
/// classic.
const MIN_CHARS: usize = 60;
/// The largest share of a preface that the classics have: it quotes them.
const MAX_KNOWN_SHARE: f64 = 0.2;
/// A paragraph of the classic and its note has so many characters of the classic at its start.
const OPENING_CHARS: usize = 12;
const CERTAINTY: f64 = 0.9;

/// Sets apart the first paragraphs of a classic that do not read like it. The text must be one of
/// the classics that the program knows.
pub fn set_apart(document: &mut Document, paragraphs: &mut Vec<Paragraph>, filter: &CanonFilter) {
    let mut before = paragraphs.iter().take_while(|p| is_before(p, filter)).count();
    if before > 0 {
        // The date and name of its author may follow.
        before += paragraphs[before..].iter().take_while(|p| is_signature(p, filter)).count();
    }
    for p in paragraphs.drain(..before) {
        let why = Evidence::new(EvidenceKind::Canon, "it precedes the first words of the classic");
        document.segments[p.segment] =
            Segment::inferred(Layer::Other, p.span, Certainty::new(CERTAINTY), vec![why]);
    }
}

fn is_signature(p: &Paragraph, filter: &CanonFilter) -> bool {
    p.key.len() < MIN_CHARS && !canon::known_characters(filter, &p.key.chars).contains(&true)
}

fn is_before(p: &Paragraph, filter: &CanonFilter) -> bool {
    let known = canon::known_characters(filter, &p.key.chars);
    let share = known.iter().filter(|k| **k).count() as f64 / known.len().max(1) as f64;
    p.key.len() >= MIN_CHARS
        && share < MAX_KNOWN_SHARE
        && !known.iter().take(OPENING_CHARS).any(|k| *k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::evidence::group;

    const CLASSIC: &str = "子曰：學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？有子曰：其為人也孝弟，而好犯上者，鮮矣；不好犯上，而好作亂者，未之有也。";

    fn left(first: &str) -> usize {
        let pieces = [(Layer::Undivided, first), (Layer::Undivided, CLASSIC)];
        let mut document = Document::of_pieces(&pieces);
        let mut paragraphs = group::paragraphs(&document);
        set_apart(&mut document, &mut paragraphs, &CanonFilter::builtin());
        paragraphs.len()
    }

    #[test]
    fn a_preface_is_set_apart_and_a_strange_opening_is_not() {
        let preface = "此書余得之於坊肆，紙墨黯敝，蠹蝕過半，因命工補綴，閱三月而畢。世之藏書家罕見此刻，故為之記其始末，以告後之得之者，使知前人護持之不易云爾。";
        assert_eq!(left(preface), 1);
        // Most of it is classic, though it does not begin so.
        assert_eq!(left(&format!("舊刻漫漶，今據坊本補其卷首數葉。{CLASSIC}")), 2);
        assert_eq!(left("舊刻漫漶，今據坊本補其卷首。"), 2, "too short for a preface");
    }

    #[test]
    fn the_signature_of_a_preface_goes_with_it_and_short_classic_does_not() {
        let preface = "此書余得之於坊肆，紙墨黯敝，蠹蝕過半，因命工補綴，閱三月而畢。世之藏書家罕見此刻，故為之記其始末，以告後之得之者，使知前人護持之不易云爾。";
        let left = |pieces: &[&str]| {
            let pieces: Vec<(Layer, &str)> =
                pieces.iter().map(|words| (Layer::Undivided, *words)).collect();
            let mut document = Document::of_pieces(&pieces);
            let mut paragraphs = group::paragraphs(&document);
            set_apart(&mut document, &mut paragraphs, &CanonFilter::builtin());
            paragraphs.len()
        };
        let signature = "乾隆癸卯秋杪鐙下手識。";
        assert_eq!(left(&[preface, signature, CLASSIC]), 1);
        assert_eq!(left(&[signature, CLASSIC]), 2, "without a preface");
        assert_eq!(left(&[preface, "子曰：學而時習之。", CLASSIC]), 2);
        // What is long is no signature, and no preface if the classics have a part of it.
        let long = format!(
            "{signature}{signature}{signature}子曰：學而時習之，不亦說乎？{signature}有朋自遠方來，不亦樂乎？"
        );
        assert_eq!(left(&[preface, &long, CLASSIC]), 2);
    }
}
