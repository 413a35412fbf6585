//! The ways in which mandoku files mark layers, and the layers that follow from each.
//!
//! A style turns the tokens into a plan: which layer begins at which byte.

use super::tokens::{MandokuKind, MandokuToken, PrintedLine, Tokens};
use crate::model::{Commentary, EvidenceKind, Layer, LayerKind};
use crate::text::class::circles;

/// How a file marks its layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Notes are double rows in brackets; the rest is classic.
    DoubleRows,
    /// The words 注, 音義, 疏 (傳, 箋) precede the layer that they name.
    Labels,
    /// The classic is flush, notes are indented and open with 鄭注 or 釋曰.
    Layout,
    /// A sub-commentary without the text.
    SubCommentary,
    /// Nothing.
    Bare,
}

impl Style {
    /// The style in words, for the report.
    pub fn about(self) -> &'static str {
        match self {
            Style::DoubleRows => "double rows in brackets are notes, all else is classic",
            Style::Labels => "labels (注, 音義, 疏 …) name the layer that follows",
            Style::Layout => "flush lines are classic, indented ones notes",
            Style::SubCommentary => "a sub-commentary without the text it explains",
            Style::Bare => "no notes are marked; all text is read as classic",
        }
    }

    /// The style of a file, by its most frequent marks.
    pub fn of(text: &str, cut: &Tokens) -> Style {
        let count = |words: &str| text.matches(words).count();
        let opened: usize = super::names::of_file(text)
            .iter()
            .map(|(n, _)| count(&format!("{n}(")) + count(&format!("{n}¶\n(")))
            .sum();
        let said: usize = super::names::FORMULAS.map(count).iter().sum();
        let notes = cut.tokens.iter().filter(|t| t.note && t.kind == MandokuKind::Words).count();
        let indented = |l: &&PrintedLine| !l.heading && l.indent > 0;
        let zheng = cut
            .lines
            .iter()
            .filter(indented)
            .filter(|l| opener(&text[l.span.range()]).is_some())
            .count();
        if opened >= 2 || super::names::are_declared(text) {
            Style::Labels
        } else if zheng >= 2 && zheng * 20 >= cut.lines.len() {
            Style::Layout
        } else if notes < cut.lines.len() / 20 + 1 && said * 20 >= cut.lines.len() && said >= 2 {
            Style::SubCommentary
        } else if notes > 0 {
            Style::DoubleRows
        } else {
            Style::Bare
        }
    }
}

/// A change of layer at a byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The byte.
    pub at: usize,
    /// The layer; [`Layer::Mark`] for a label.
    pub layer: Layer,
    /// Certainty and reason, unless the file itself marks it.
    pub why: Option<(f64, &'static EvidenceKind)>,
}

impl Change {
    /// A change that the file itself marks.
    pub fn new(at: usize, layer: Layer) -> Self {
        Change { at, layer, why: None }
    }
}

/// The plan of a file: changes in order.
pub fn plan(text: &str, cut: &Tokens, style: Style) -> Vec<Change> {
    let words =
        || cut.tokens.iter().filter(|t| t.kind == MandokuKind::Words && !cut.lines[t.line].heading);
    match style {
        Style::Labels => super::labels::plan(text, cut),
        Style::Layout => layout(text, cut),
        Style::SubCommentary => sub_commentary(text, cut),
        Style::Bare => words().map(|t| Change::new(t.span.start(), Layer::Jing)).collect(),
        Style::DoubleRows => {
            let mut note = Layer::Zhu;
            words().flat_map(|t| rows(text, cut, t, &mut note)).collect()
        }
    }
}

/// Text in double rows or outside, where a ○ separates what is before it from what follows. `note`
/// is the commentary that speaks at the end of the rows so far.
fn rows(text: &str, cut: &Tokens, t: &MandokuToken, note: &mut Layer) -> Vec<Change> {
    let at = t.span.start();
    if t.note {
        if let Some(layer) =
            whole_bracket(text, t).and_then(|w| crate::readers::small_type(w, Layer::Jing))
        {
            return vec![Change::new(at, layer)];
        }
        let first = Change::new(at, if after_title(cut, t) { Layer::Other } else { *note });
        let other = crate::readers::commentary_within(&text[t.span.range()]);
        *note = other.map_or(*note, |(_, layer)| layer);
        let begins = other.map(|(i, layer)| Change::new(at + i, layer));
        return std::iter::once(first).chain(begins).collect();
    }
    *note = Layer::Zhu;
    let mut changes = vec![Change::new(at, Layer::Jing)];
    for circle in circles(&text[t.span.range()]) {
        let len = text[at + circle..].chars().next().map_or(0, char::len_utf8);
        changes.push(Change::new(at + circle, Layer::Mark));
        changes.push(Change::new(at + circle + len, Layer::Jing));
    }
    changes
}

/// The words of a token that is all of its bracket.
fn whole_bracket<'t>(text: &'t str, t: &MandokuToken) -> Option<&'t str> {
    let alone = text[..t.span.start()].ends_with('(') && text[t.span.end()..].starts_with(')');
    alone.then(|| &text[t.span.range()])
}

/// A line in double rows directly after a closing title counts its characters: 經三千二百二十三字.
fn after_title(cut: &Tokens, t: &MandokuToken) -> bool {
    let above = t.line.checked_sub(1).is_some_and(|l| cut.lines[l].heading);
    let rest = cut.lines[t.line + 1..].iter().all(|l| l.heading);
    above && rest
}

/// The opening of an indented line: bytes of the mark, and the layer.
fn opener(words: &str) -> Option<(usize, Layer)> {
    let zheng = ["鄭注", "郑注", "鄭氏注", "郑氏注", "注"]
        .iter()
        .find(|m| words.starts_with(*m))
        .map(|m| (m.len(), Layer::Zhu));
    let explains = || {
        let mut all = Commentary::all().filter(|(_, info)| info.kind == LayerKind::Commentary);
        all.find(|(_, info)| info.opens.iter().any(|o| words.starts_with(o)))
    };
    zheng.or_else(|| explains().map(|(c, _)| (0, Layer::Named(c))))
}

fn layout(text: &str, cut: &Tokens) -> Vec<Change> {
    let mut plan = Vec::new();
    let mut note = Layer::Other;
    let mut line = usize::MAX;
    for t in cut.tokens.iter().filter(|t| t.kind == MandokuKind::Words) {
        let PrintedLine { span, indent, heading, .. } = cut.lines[t.line];
        let at = t.span.start();
        let opens = line != t.line && span.start() == at;
        line = t.line;
        if heading {
            note = Layer::Other;
        } else if t.note {
            plan.push(Change::new(at, Layer::An));
        } else if indent == 0 {
            note = Layer::Other;
            plan.push(Change::new(at, Layer::Jing));
        } else {
            if let Some((mark, layer)) = opener(&text[t.span.range()]).filter(|_| opens) {
                plan.push(Change::new(at, Layer::Mark));
                plan.push(Change::new(at + mark, layer));
                note = layer;
            } else {
                plan.push(Change::new(at, note));
            }
        }
    }
    plan
}

/// Longest header of a sub-commentary without quotation marks, in characters.
const MAX_HEADER_CHARS: usize = 40;
/// The same without a blank before it: `膳宰至寢東注膳宰至路寢`, and the certainty of its start.
const MAX_BARE_HEADER_CHARS: usize = 16;
const BARE_HEADER_CERTAINTY: f64 = 0.7;
/// Number of characters by which a header names a place.
const NAMED_CHARS: usize = 2;

/// Characters of text and their bytes, with line ends.
type Flow = [(usize, char)];

/// Where the header before `end` starts: after an ideographic blank, or after the one before that
/// if the text between names first and last words as well (`設洗至西面　注設此至其文`).
fn header_start(flow: &Flow, end: usize) -> Option<usize> {
    let blanks: Vec<usize> = (end.saturating_sub(MAX_HEADER_CHARS)..end)
        .rev()
        .filter(|k| flow[*k].1 == '\u{3000}')
        .take(2)
        .collect();
    let first =
        blanks.first().map(|k| k + 1).filter(|f| *f < end && !has_formula(&flow[*f..end]))?;
    let further = blanks.get(1).map(|k| k + 1).filter(|f| {
        flow[*f..first].iter().any(|c| c.1 == '至') && first - f <= MAX_HEADER_CHARS / 2
    });
    Some(further.filter(|f| !has_formula(&flow[*f..first])).unwrap_or(first))
}

/// True if a text contains 釋曰 and so is not a header.
fn has_formula(words: &Flow) -> bool {
    words.windows(2).any(|w| matches!(w[0].1, '釋' | '释') && w[1].1 == '曰')
}

/// Where an unmarked header starts, by its form: 注A至B, and before it A至B; or A至B alone.
fn header_by_form(flow: &Flow, end: usize) -> Option<usize> {
    let words: Vec<usize> = (0..end)
        .rev()
        .filter(|k| !matches!(flow[*k].1, '\n' | '\u{3000}'))
        .take(MAX_BARE_HEADER_CHARS)
        .collect();
    // From here on places count backwards from the end of the header.
    let find = |c: char, within: std::ops::Range<usize>| {
        within.into_iter().find(|n| words.get(*n).is_some_and(|k| flow[*k].1 == c))
    };
    let note = find('注', 1..MAX_BARE_HEADER_CHARS).filter(|n| find('至', 1..*n).is_some());
    let classic = find('至', note.map_or(1..5, |n| n + 2..n + 5)).map(|n| n + NAMED_CHARS);
    words.get(classic.or(note)?).copied()
}

/// Sub-commentary whose headers precede 釋曰, usually between ideographic blanks.
fn sub_commentary(text: &str, cut: &Tokens) -> Vec<Change> {
    let mut plan = Vec::new();
    // The text without line ends, so that a header may continue in the next line.
    let flow: Vec<(usize, char)> = cut
        .tokens
        .iter()
        .filter(|t| t.kind == MandokuKind::Words && !cut.lines[t.line].heading)
        .flat_map(|t| {
            text[t.span.range()]
                .char_indices()
                .map(|(i, c)| (t.span.start() + i, c))
                .chain([(t.span.end(), '\n')])
        })
        .collect();
    plan.extend(flow.first().map(|f| Change::new(f.0, Layer::Shu)));
    for i in 1..flow.len() {
        let blank = |k: usize| matches!(flow[k].1, '\u{3000}' | '\n');
        if !has_formula(&flow[i..(i + 2).min(flow.len())]) || !blank(i - 1) {
            continue;
        }
        let end = (0..i).rev().find(|k| !blank(*k)).map_or(0, |k| k + 1);
        if let Some(from) = header_start(&flow, end) {
            plan.push(Change::new(flow[from].0, Layer::ShuHeader));
        } else if let Some(from) = header_by_form(&flow, end) {
            plan.push(Change {
                at: flow[from].0,
                layer: Layer::ShuHeader,
                why: Some((BARE_HEADER_CERTAINTY, &EvidenceKind::HeaderForm)),
            });
        } else {
            continue;
        }
        plan.push(Change::new(flow[i].0, Layer::Shu));
    }
    plan.sort_by_key(|c| c.at);
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_that_opens_as_a_row_says_is_that_commentary() {
        let zhengyi: Layer = "胡疏".parse().unwrap();
        assert_eq!(opener("胡氏曰此節言射"), Some((0, zhengyi)));
        assert_eq!(opener("釋曰此節言射"), Some((0, Layer::Named(Commentary::JISHI))));
        assert_eq!(opener("此節言射"), None);
    }
}
