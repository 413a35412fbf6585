//! Editions that set a label before each layer: `燕禮○小臣戒與者注小臣相君…音義(與音預)疏(釋曰…)○膳宰…`.
//!
//! 音義 and 疏 stand in brackets after their labels. The commentary has a label in front and ends with the brackets or
//! with the ○ of the next section, so the first 注 of a section is the label and a later one a word. In the 毛詩 the
//! commentary 傳 and the 箋 follow the verses by turns, and nothing says where verses go on after a 箋: such a stretch is
//! reported as mixed.

use super::styles::Change;
use super::tokens::{Cut, Kind};
use crate::model::Layer;

/// What stands outside the brackets, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A character and its byte.
    Char(char, usize),
    /// A run of brackets, which line ends do not part, and the byte of its first words.
    Note(usize),
    /// A paragraph begins: after an empty line, or a flush line after brackets.
    Section,
    /// The 考證 begins, which collates the text before it.
    Collation,
}

/// The plan of a labelled file.
pub fn plan(text: &str, cut: &Cut) -> Vec<Change> {
    let (items, notes) = flow(text, cut);
    let odes = items.windows(2).filter(|w| matches!(w, [Item::Char('箋', _), Item::Char('云', _)])).count() >= 3;
    let mut run = Run { text, items: &items, odes, layer: Layer::Jing, collation: false, plan: Vec::new() };
    let mut i = 0;
    while i < items.len() {
        i += run.item(i);
    }
    let mut plan = run.plan;
    // Every token of a run of brackets is of the run's layer; outside, the layer before goes on.
    let layer_at = |plan: &[Change], at: usize| plan.iter().rev().find(|c| c.at <= at).map(|c| c.layer);
    let more: Vec<Change> = notes
        .iter()
        .flat_map(|(first, rest)| {
            let k = plan.partition_point(|c| c.at <= *first);
            let layer = layer_at(&plan[..k], *first).unwrap_or(Layer::Other);
            rest.iter().map(move |at| Change { at: *at, layer, mixed: false }).collect::<Vec<_>>()
        })
        .collect();
    plan.extend(more);
    plan.sort_by_key(|c| c.at);
    plan
}

/// First byte of a run of brackets and the starts of its further tokens.
type Notes = Vec<(usize, Vec<usize>)>;

fn flow(text: &str, cut: &Cut) -> (Vec<Item>, Notes) {
    let (mut items, mut notes): (Vec<Item>, Notes) = (Vec::new(), Vec::new());
    let mut in_note = false;
    let mut before: Option<usize> = None;
    let mut collation = cut.lines.iter().position(|l| l.heading && text[l.span.range()].contains("考證"));
    for t in cut.tokens.iter().filter(|t| t.kind == Kind::Words && !cut.lines[t.line].heading) {
        let at = t.span.start();
        let line = &cut.lines[t.line];
        let gap = before.map_or("", |b| &text[b..at]);
        before = Some(t.span.end());
        let empty_line = gap.contains("\n¶") || gap.contains("\n\n");
        if collation.is_some_and(|line| t.line > line) {
            collation = None;
            items.push(Item::Collation);
        }
        if empty_line || (at == line.span.start() && !t.note && in_note && (line.indent == 0 || gap.contains('\u{3000}'))) {
            items.push(Item::Section);
        }
        match (t.note, in_note, notes.last_mut()) {
            (true, true, Some((_, rest))) if !empty_line => rest.push(at),
            (true, ..) => {
                items.push(Item::Note(at));
                notes.push((at, vec![]));
            }
            _ => items.extend(text[t.span.range()].char_indices().map(|(i, c)| Item::Char(c, at + i))),
        }
        in_note = t.note;
    }
    (items, notes)
}

struct Run<'a> {
    text: &'a str,
    items: &'a [Item],
    odes: bool,
    layer: Layer,
    /// In the 考證 at the end of a book.
    collation: bool,
    plan: Vec<Change>,
}

impl Run<'_> {
    /// From byte `at` on, `layer`.
    fn push(&mut self, at: usize, layer: Layer) {
        if self.plan.last().is_none_or(|c| c.layer != layer) {
            self.plan.push(Change { at, layer, mixed: false });
        }
    }

    fn char(&self, i: usize) -> Option<(char, usize)> {
        match self.items.get(i) {
            Some(Item::Char(c, at)) => Some((*c, *at)),
            _ => None,
        }
    }

    /// Deals with item `i`; returns how many it took.
    fn item(&mut self, i: usize) -> usize {
        match self.items[i] {
            Item::Section => self.layer = Layer::Jing,
            Item::Note(at) => self.note(at, i),
            Item::Collation => self.collation = true,
            Item::Char(_, at) if self.collation => self.push(at, Layer::An),
            Item::Char('○', at) => {
                self.push(at, Layer::Mark);
                self.layer = Layer::Jing;
            }
            Item::Char(c, at) => return self.char_at(i, c, at),
        }
        1
    }

    /// A character outside brackets: a label, or a word of the layer that stands.
    fn char_at(&mut self, i: usize, c: char, at: usize) -> usize {
        if let Some(n) = self.bracket_label(i) {
            self.push(at, Layer::Mark);
            return n;
        }
        if let Some((n, layer)) = self.label(i, c) {
            if layer == Layer::Zhu && self.odes {
                self.mix();
            }
            self.push(at, Layer::Mark);
            self.layer = layer;
            return n;
        }
        self.push(at, self.layer);
        1
    }

    /// 音義 or 疏 before a bracket: how many characters.
    fn bracket_label(&self, i: usize) -> Option<usize> {
        ["音義", "釋文", "疏", "䟽"].iter().find_map(|label| {
            let n = label.chars().count();
            let same = label.chars().enumerate().all(|(k, c)| self.char(i + k).is_some_and(|x| x.0 == c));
            (same && matches!(self.items.get(i + n), Some(Item::Note(_)))).then_some(n)
        })
    }

    /// A label that says which commentary follows.
    fn label(&self, i: usize, c: char) -> Option<(usize, Layer)> {
        let next = self.char(i + 1).map(|x| x.0);
        let before = i.checked_sub(1).and_then(|b| self.char(b)).map(|x| x.0);
        let words =
            !next.is_some_and(|n| "曰云言稱者也".contains(n)) && !before.is_some_and(|b| "左公羊穀榖梁氏書韓毛内外其以相".contains(b));
        match c {
            '注' | '註' if !self.odes => (self.layer == Layer::Jing && before.is_some()).then_some((1, Layer::Zhu)),
            '箋' if self.odes && next == Some('云') => Some((2, Layer::Jian)),
            '箋' if self.odes && self.layer == Layer::Zhuan => Some((1, Layer::Jian)),
            '傳' if self.odes && self.layer != Layer::Zhuan && words && before.is_some() => Some((1, Layer::Zhu)),
            '序' if self.odes && (before.is_none() && self.layer == Layer::Jing) => Some((1, Layer::Zhuan)),
            _ => None,
        }
    }

    /// A 傳 opens though no bracket has closed the commentary before it: verses stand somewhere in between.
    fn mix(&mut self) {
        if !matches!(self.layer, Layer::Jian | Layer::Zhu) {
            return;
        }
        let layer = self.layer;
        for c in self.plan.iter_mut().rev().take_while(|c| c.layer == layer) {
            c.mixed = true;
        }
    }

    fn note(&mut self, at: usize, i: usize) {
        let label: String = (i.saturating_sub(2)..i).filter_map(|k| self.char(k)).map(|x| x.0).collect();
        let opens = &self.text[at..];
        let layer = match label.as_str() {
            _ if self.collation => Layer::An,
            l if l.ends_with("音義") || l.ends_with("釋文") => Layer::Yin,
            l if l.ends_with(['疏', '䟽']) => Layer::Shu,
            _ if opens.starts_with("釋曰") || opens.starts_with("正義曰") => Layer::Shu,
            _ => Layer::Other,
        };
        self.push(at, layer);
        if layer != Layer::Other {
            self.layer = Layer::Jing;
        }
    }
}
