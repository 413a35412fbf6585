//! Paragraphs of a text that has to be guessed are decided together. In many copies of such texts
//! each passage and each note is a paragraph of its own, so a paragraph alone says nothing of what
//! it is; beside its neighbours it does.

use crate::model::{Document, Layer, Segment};
use crate::passes::evidence::group;
use crate::passes::evidence::paragraph::Paragraph;
use crate::source::Span;

/// Clauses of the paragraphs into which those of a text that has to be guessed are joined.
pub const JOINED_CLAUSES: usize = 70;

/// The segments that were joined, in the order of the paragraphs.
#[derive(Default)]
pub struct Joints(Vec<Vec<Segment>>);

impl Joints {
    /// The segments of the `n`th paragraph as they were; none if it was one.
    pub fn of(&self, n: usize) -> Option<&[Segment]> {
        self.0.get(n).map(Vec::as_slice).filter(|parts| parts.len() > 1)
    }
}

/// Joins neighbouring paragraphs that are undivided, up to [`JOINED_CLAUSES`] together. Returns the
/// new paragraphs.
pub fn join(document: &mut Document, paragraphs: &[Paragraph]) -> (Vec<Paragraph>, Joints) {
    let mut clauses = paragraphs.iter().map(|p| p.units.len());
    let mut joints = Joints::default();
    let mut segments: Vec<Segment> = Vec::with_capacity(document.segments.len());
    let mut open = Open::default();
    for s in std::mem::take(&mut document.segments) {
        match s.layer {
            Layer::Undivided => {
                let own = clauses.next().unwrap_or(0);
                if open.clauses > 0 && open.clauses + own > JOINED_CLAUSES {
                    open.close(&mut segments, &mut joints);
                }
                open.add(s, own);
            }
            Layer::Blank if open.clauses > 0 => open.parts.push(s),
            _ => {
                open.close(&mut segments, &mut joints);
                segments.push(s);
            }
        }
    }
    open.close(&mut segments, &mut joints);
    document.segments = segments.into();
    let all: usize = paragraphs.iter().map(|p| p.units.len()).sum();
    let usual_size = (all.max(1) as f64 / paragraphs.len().max(1) as f64).ln().max(0.0);
    let mut joined = group::paragraphs(document);
    for (n, p) in joined.iter_mut().enumerate() {
        let parts = joints.of(n).unwrap_or_default().iter().skip(1);
        let starts = parts.filter(|s| s.layer == Layer::Undivided).map(|s| s.span.start());
        p.join_at(&starts.collect::<Vec<_>>());
        p.usual_size = usual_size;
    }
    (joined, joints)
}

/// The paragraphs that are being joined, with the blank segments between them.
#[derive(Default)]
struct Open {
    parts: Vec<Segment>,
    clauses: usize,
}

impl Open {
    fn add(&mut self, s: Segment, clauses: usize) {
        self.parts.push(s);
        // A paragraph without characters is one nevertheless.
        self.clauses += clauses.max(1);
    }

    /// Ends the paragraph. Blank segments after it stay what they are.
    fn close(&mut self, segments: &mut Vec<Segment>, joints: &mut Joints) {
        let Some(last) = self.parts.iter().rposition(|s| s.layer == Layer::Undivided) else {
            segments.append(&mut self.parts);
            return;
        };
        let blank = self.parts.split_off(last + 1);
        let mut parts = std::mem::take(self).parts;
        let span = Span::new(parts[0].span.start(), parts[parts.len() - 1].span.end());
        segments.push(Segment { span, ..parts[0].clone() });
        segments.extend(blank);
        parts.shrink_to_fit();
        joints.0.push(parts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_paragraphs_cover_the_same_text_and_know_their_joints() {
        let pieces = [
            (Layer::Undivided, "甲乙。"),
            (Layer::Blank, "\n"),
            (Layer::Undivided, "丙丁，戊己"),
            (Layer::Blank, "\n"),
            (Layer::Heading, "庚"),
            (Layer::Undivided, "辛壬。"),
            (Layer::Blank, "\n"),
        ];
        let mut document = Document::of_pieces(&pieces);
        let before = document.segments.clone();
        let paragraphs = group::paragraphs(&document);
        let (joined, joints) = join(&mut document, &paragraphs);
        assert_eq!(document.check(), Ok(()));
        let sizes: Vec<(usize, Vec<usize>)> =
            joined.iter().map(|p| (p.units.len(), p.joints.to_vec())).collect();
        assert_eq!(sizes, [(3, vec![2]), (1, vec![])]);
        let mean = (4.0_f64 / 3.0).ln();
        assert!(joined.iter().all(|p| (p.usual_size - mean).abs() < 1e-9), "four clauses in three");
        assert_eq!(joints.of(0), Some(&before[..3]));
        assert_eq!(joints.of(1), None);
        let layers: Vec<Layer> = document.segments.iter().map(|s| s.layer).collect();
        assert_eq!(
            layers,
            [Layer::Undivided, Layer::Blank, Layer::Heading, Layer::Undivided, Layer::Blank]
        );
    }

    #[test]
    fn not_too_many_clauses_are_joined() {
        let long = "甲，".repeat(JOINED_CLAUSES - 1);
        let pieces =
            [(Layer::Undivided, "乙。"), (Layer::Undivided, &long), (Layer::Undivided, "丙。")];
        let mut document = Document::of_pieces(&pieces);
        let paragraphs = group::paragraphs(&document);
        let (joined, _) = join(&mut document, &paragraphs);
        assert_eq!(joined.iter().map(|p| p.joints.len()).collect::<Vec<_>>(), [1, 0]);
    }
}
