//! Editions that set a label before each layer:
//! `燕禮○小臣戒與者注小臣相君…音義(與音預)疏(釋曰…)○膳宰具…`.
//!
//! 音義 and 疏 are in brackets after their labels, in our own files also 注 and the others. Text
//! outside begins as classic and contains the commentary after its label. Nothing marks where the
//! classic continues after that, so such a stretch is left undivided for the pass `inline`.

use super::names::{FORMULAS, Labels, are_declared, of_file};
use super::styles::Change;
use super::tokens::{MandokuKind, Tokens};
use crate::model::{EvidenceKind, Layer};

/// The text outside brackets, the brackets and the breaks, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlowItem {
    /// A character and its byte.
    Char(char, usize),
    /// A run of brackets, which may continue over line ends, and the byte of its first words.
    Note(usize),
    /// A paragraph begins: after an empty line, a flush line after brackets, or where the
    /// indentation changes.
    Section,
    /// The 考證 begins, which collates the text before it.
    Collation,
}

/// The plan of a labelled file.
pub fn plan(text: &str, cut: &Tokens) -> Vec<Change> {
    let (items, notes) = flow(text, cut);
    let odes = items
        .windows(2)
        .filter(|w| matches!(w, [FlowItem::Char('箋', _), FlowItem::Char('云', _)]))
        .count()
        >= 2;
    let mut planner = LabelPlanner {
        text,
        labels: of_file(text),
        declared: are_declared(text),
        items: &items,
        odes,
        collation: false,
        plan: Vec::new(),
    };
    let mut i = 0;
    while i < items.len() {
        i += planner.item(i);
    }
    let mut plan = planner.plan;
    // Every token of a run of brackets has the run's layer; outside, the previous layer continues.
    let layer_at =
        |plan: &[Change], at: usize| plan.iter().rev().find(|c| c.at <= at).map(|c| c.layer);
    let more: Vec<Change> = notes
        .iter()
        .flat_map(|(first, rest)| {
            let k = plan.partition_point(|c| c.at <= *first);
            let layer = layer_at(&plan[..k], *first).unwrap_or(Layer::Other);
            rest.iter().map(move |at| Change::new(*at, layer)).collect::<Vec<_>>()
        })
        .collect();
    plan.extend(more);
    plan.sort_by_key(|c| c.at);
    plan
}

/// First byte of a run of brackets and the starts of its further tokens.
type NoteStarts = Vec<(usize, Vec<usize>)>;

fn flow(text: &str, cut: &Tokens) -> (Vec<FlowItem>, NoteStarts) {
    let (mut items, mut notes): (Vec<FlowItem>, NoteStarts) = (Vec::new(), Vec::new());
    let mut in_note = false;
    let mut before: Option<usize> = None;
    let mut collation =
        cut.lines.iter().position(|l| l.heading && text[l.span.range()].contains("考證"));
    for t in
        cut.tokens.iter().filter(|t| t.kind == MandokuKind::Words && !cut.lines[t.line].heading)
    {
        let at = t.span.start();
        let line = &cut.lines[t.line];
        let gap = before.map_or("", |b| &text[b..at]);
        before = Some(t.span.end());
        let empty_line = gap.contains("\n¶") || gap.contains("\n\n");
        if collation.is_some_and(|line| t.line > line) {
            collation = None;
            items.push(FlowItem::Collation);
        }
        let opens_line = at == line.span.start() && !t.note;
        // Only the first line of a paragraph may be indented.
        let deeper = line.indent > 0
            && t.line.checked_sub(1).is_some_and(|above| cut.lines[above].indent != line.indent);
        if empty_line
            || opens_line && (in_note && (line.indent == 0 || gap.contains('\u{3000}')) || deeper)
        {
            items.push(FlowItem::Section);
        }
        match (t.note, in_note, notes.last_mut()) {
            (true, true, Some((_, rest))) if !empty_line => rest.push(at),
            (true, ..) => {
                items.push(FlowItem::Note(at));
                notes.push((at, vec![]));
            }
            _ => items.extend(
                text[t.span.range()].char_indices().map(|(i, c)| FlowItem::Char(c, at + i)),
            ),
        }
        in_note = t.note;
    }
    (items, notes)
}

struct LabelPlanner<'a> {
    labels: Labels<'a>,
    /// The file itself names them.
    declared: bool,
    text: &'a str,
    items: &'a [FlowItem],
    odes: bool,
    /// True in the 考證 at the end of a book.
    collation: bool,
    plan: Vec<Change>,
}

impl LabelPlanner<'_> {
    /// Sets the layer from byte `at` on.
    fn push(&mut self, at: usize, layer: Layer) {
        if self.plan.last().is_none_or(|c| c.layer != layer) {
            self.plan.push(Change::new(at, layer));
        }
    }

    fn char(&self, i: usize) -> Option<(char, usize)> {
        match self.items.get(i) {
            Some(FlowItem::Char(c, at)) => Some((*c, *at)),
            _ => None,
        }
    }

    /// Reads item `i`; returns how many items it used.
    fn item(&mut self, i: usize) -> usize {
        match self.items[i] {
            FlowItem::Section => {}
            FlowItem::Note(at) => self.note(at, i),
            FlowItem::Collation => self.collation = true,
            FlowItem::Char(_, at) if self.collation => self.push(at, Layer::An),
            FlowItem::Char('○' | '〇', at) => self.push(at, Layer::Mark),
            FlowItem::Char(_, at) => {
                if let Some(n) = self.bracket_label(i) {
                    self.push(at, Layer::Mark);
                    return n;
                }
                return self.stretch(i, at);
            }
        }
        1
    }

    /// Text outside brackets up to a ○, a new paragraph, or the label of a bracket.
    fn stretch(&mut self, i: usize, at: usize) -> usize {
        let goes_on = |k: &usize| {
            self.char(*k).is_some_and(|c| !matches!(c.0, '○' | '〇'))
                && self.bracket_label(*k).is_none()
        };
        let end = (i + 1..self.items.len()).find(|k| !goes_on(k)).unwrap_or(self.items.len());
        let labels: &[char] = if self.odes { &['傳', '箋'] } else { &['注', '註'] };
        // A file that names its labels has all its notes in brackets after them.
        let labelled =
            !self.declared && (i..end).any(|k| self.char(k).is_some_and(|c| labels.contains(&c.0)));
        if labelled {
            self.plan.push(Change {
                at,
                layer: Layer::Undivided,
                why: Some((1.0, &EvidenceKind::LabelsInLine)),
            });
        } else {
            self.push(at, Layer::Jing);
        }
        end - i
    }

    /// The name of a layer before a bracket: how many characters.
    fn bracket_label(&self, i: usize) -> Option<usize> {
        self.labels.iter().find_map(|(label, _)| {
            let n = label.chars().count();
            let same =
                label.chars().enumerate().all(|(k, c)| self.char(i + k).is_some_and(|x| x.0 == c));
            (same && matches!(self.items.get(i + n), Some(FlowItem::Note(_)))).then_some(n)
        })
    }

    fn note(&mut self, at: usize, i: usize) {
        let ends = |name: &str| {
            let back = name.chars().rev().enumerate();
            back.into_iter().all(|(n, c)| {
                i.checked_sub(n + 1).and_then(|k| self.char(k)).is_some_and(|x| x.0 == c)
            })
        };
        let named = self.labels.iter().find(|(name, _)| ends(name));
        let opens = &self.text[at..];
        let layer = match named {
            _ if self.collation => Layer::An,
            Some((_, layer)) => *layer,
            _ if FORMULAS.iter().any(|f| opens.starts_with(f)) => Layer::Shu,
            _ => Layer::Other,
        };
        self.push(at, layer);
    }
}
