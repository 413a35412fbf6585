//! Whether the classics that the program knows cover a text, and what they have of its paragraphs.

use std::sync::Arc;

use super::canon::{Canon, CanonFilter, GRAM_CHARS, characters_in_passages};
use super::paragraph::Paragraph;

/// So many characters in a row that the classics have too are hardly a coincidence.
const SURE_CHARS: usize = 10;
/// The filter covers a text if this share of its characters lies in such passages. Commentaries
/// that merely quote the classics have less.
const MIN_COVERED_SHARE: f64 = 0.045;

/// True if the classics cover a text.
pub fn covers(filter: &CanonFilter, paragraphs: &[Paragraph]) -> bool {
    coverage(filter, paragraphs) >= MIN_COVERED_SHARE
}

/// The share of the characters of some paragraphs that lies in long known passages.
fn coverage(filter: &CanonFilter, paragraphs: &[Paragraph]) -> f64 {
    let sure = |p: &Paragraph| characters_in_passages(filter, &p.key.chars, SURE_CHARS);
    let all: usize = paragraphs.iter().map(|p| p.key.len()).sum();
    paragraphs.iter().map(sure).sum::<usize>() as f64 / all.max(1) as f64
}

/// Adds what the classics have; `doubtful` leaves out some of it ([`CHARS_PER_VARIANT`]).
pub fn add(filter: &Arc<CanonFilter>, paragraphs: &mut [Paragraph], doubtful: bool) {
    for n in 0..paragraphs.len() {
        let next = match paragraphs.get(n + 1) {
            Some(next) if !next.opens_with_circle => {
                next.key.chars.iter().copied().take(GRAM_CHARS - 1).collect()
            }
            _ => Vec::new(),
        };
        let p = &mut paragraphs[n];
        let canon = Canon::of(filter, &p.key.chars, next, doubtful.then_some(n));
        canon.ends(p.key.len()).into_iter().for_each(|k| p.cut_inside(k));
        p.canon = Some(canon);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Document, Layer};
    use crate::passes::evidence::group;

    fn covered(text: &str) -> f64 {
        let document = Document::of_pieces(&[(Layer::Undivided, text)]);
        coverage(&CanonFilter::builtin(), &group::paragraphs(&document))
    }

    #[test]
    fn the_classics_are_known_in_both_scripts_and_other_books_are_not() {
        for text in [
            "子曰:「學而時習之,不亦說乎?有朋自遠方來,不亦樂乎?」",
            "关关雎鸠，在河之洲。窈窕淑女，君子好逑。",
            "天命之謂性，率性之謂道，修道之謂教。道也者，不可須臾離也。",
        ] {
            assert!(covered(text) > 0.9, "{text}");
        }
        for text in [
            "昔者莊周夢為胡蝶，栩栩然胡蝶也，自喻適志與。不知周也。",
            "话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。",
        ] {
            assert_eq!(covered(text), 0.0, "{text}");
            let document = Document::of_pieces(&[(Layer::Undivided, text)]);
            assert!(!covers(&CanonFilter::builtin(), &group::paragraphs(&document)), "{text}");
        }
    }

    #[test]
    fn a_note_within_the_classic_joins_it() {
        let text = "關關雎鳩，興也。在河之洲。";
        let document = Document::of_pieces(&[(Layer::Undivided, text)]);
        let mut paragraphs = group::paragraphs(&document);
        add(&CanonFilter::builtin(), &mut paragraphs, false);
        let (chars, canon) = (&paragraphs[0].key.chars, paragraphs[0].canon.as_ref().unwrap());
        assert_eq!(canon.joins(chars, 4, 6), Some(1.0));
        assert_eq!(canon.joins(chars, 4, 7), Some(0.0));
        assert_eq!(canon.joins(chars, 4, 10), None);
        assert_eq!(canon.goes_on(4), 0.0);
    }
}
