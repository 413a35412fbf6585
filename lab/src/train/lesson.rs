//! What the splitter learns from: texts with their correct layers.

use std::sync::Arc;

use zhushu::corpus::Library;
use zhushu::model::{Document, Layer};
use zhushu::passes::evidence::paragraph::Paragraph;
use zhushu::passes::evidence::run::{LAYERS, Run, YIN};
use zhushu::passes::split::joints;
use zhushu::source::Span;

/// Longer paragraphs are not learned from: time and memory grow with the square of their length.
pub const MAX_LESSON_CLAUSES: usize = 80;
/// Clauses of the paragraphs into which those of a text that has to be guessed are joined; the
/// second also where it is read.
pub const JOINED_CLAUSES: [usize; 2] = [24, joints::JOINED_CLAUSES];

/// A document as its reader leaves it (after the pass `headers`), with its true layers.
pub struct Lesson {
    /// The book that it is of.
    pub book: String,
    /// The document, its 經 and 注 undivided.
    pub document: Document,
    /// True stretches of 經, 注 and 音義.
    pub truth: Vec<(Layer, Span)>,
    /// Plain copies of the classic.
    pub witnesses: Arc<Library>,
}

/// Takes the sub-commentary for other text, so that nothing is learned from it.
pub fn hide_sub_commentary(document: &mut Document) {
    document.headers.clear();
    let sub =
        document.segments.iter_mut().filter(|s| matches!(s.layer, Layer::Shu | Layer::ShuHeader));
    sub.for_each(|s| s.layer = Layer::Other);
}

/// The runs of a paragraph by its true layers; empty if any of them is unknown.
pub fn true_runs(p: &Paragraph, truth: &[(Layer, Span)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (n, u) in p.units.iter().enumerate() {
        let (start, end) = (p.key.at[u.from] as usize, p.key.end(u.to - 1));
        let unit = Span::new(start, end);
        let Some((layer, _)) =
            truth.iter().max_by_key(|(_, s)| s.overlap(unit)).filter(|(_, s)| s.overlap(unit) > 0)
        else {
            return Vec::new();
        };
        let Some(label) = LAYERS.iter().position(|l| l == layer) else { return Vec::new() };
        if label == YIN && !(p.opens_with_circle && runs.iter().all(|r| r.label == YIN)) {
            return Vec::new();
        }
        match runs.last_mut() {
            Some(last) if last.label == label => last.to = n + 1,
            _ => runs.push(Run { from: n, to: n + 1, label }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::joined::of_pieces;
    use zhushu::passes::evidence::group::paragraphs;
    use zhushu::passes::evidence::run::{CLASSIC, NOTE};

    #[test]
    fn true_runs_join_clauses_of_one_layer_and_need_a_layer_for_each() {
        let text = "甲乙，丙丁。戊己。庚辛，壬癸。";
        let document = of_pieces(&[(Layer::Undivided, text)]);
        let mut p = paragraphs(&document).remove(0);
        let runs = |p: &Paragraph, truth: &[(Layer, &str)]| -> Vec<(usize, usize, usize)> {
            let mut at = 0;
            let spans = truth.iter().map(|(layer, words)| {
                at += words.len();
                (*layer, Span::new(at - words.len(), at))
            });
            let truth: Vec<(Layer, Span)> = spans.collect();
            true_runs(p, &truth).iter().map(|r| (r.from, r.to, r.label)).collect()
        };
        let (jing, zhu, yin) = (Layer::Jing, Layer::Zhu, Layer::Yin);
        let both = [(jing, "甲乙，丙丁。"), (zhu, "戊己。庚辛，壬癸。")];
        assert_eq!(runs(&p, &both), [(0, 2, CLASSIC), (2, 5, NOTE)]);
        let three = [(jing, "甲乙，丙丁。"), (zhu, "戊己。"), (jing, "庚辛，壬癸。")];
        assert_eq!(runs(&p, &three), [(0, 2, CLASSIC), (2, 3, NOTE), (3, 5, CLASSIC)]);
        // The larger part of a clause decides.
        assert_eq!(runs(&p, &[(jing, "甲"), (zhu, &text["甲".len()..])]), [(0, 5, NOTE)]);
        assert_eq!(runs(&p, &both[..1]), [], "the rest is unknown");
        assert_eq!(runs(&p, &[(Layer::Shu, text)]), []);
        // 音義 can only open a paragraph that a ○ opens.
        let readings = [(yin, "甲乙，丙丁。"), (jing, "戊己。庚辛，壬癸。")];
        assert_eq!(runs(&p, &readings), []);
        p.opens_with_circle = true;
        assert_eq!(runs(&p, &readings), [(0, 2, YIN), (2, 5, CLASSIC)]);
        assert_eq!(runs(&p, &[(jing, "甲乙，丙丁。"), (yin, "戊己。庚辛，壬癸。")]), []);
    }
}
