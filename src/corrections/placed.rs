//! Gives the corrections of a text their places in it. Those that have none, and those that
//! contradict each other, are reported with both texts and are not applied.

use std::path::Path;

use super::anchor::{AnchorText, Anchored};
use super::file::folded;
use super::{Correction, Quote, file, files_of};
use crate::diag::{Diagnostic, Error, Severity};
use crate::model::{CORRECTION_LOST, Confirmation, Confirmed, Document, HeadingLine, Layer};
use crate::source::{Source, Span};

/// The codes of what is reported of a correction that is not applied.
pub const LOST: &str = CORRECTION_LOST;
/// The same: its place is not clear.
pub const AMBIGUOUS: &str = "correction-ambiguous";
/// The same: another one says otherwise.
pub const CONTRADICTS: &str = "correction-contradicts";
/// The code of what is reported of one whose words are not quite as they are quoted.
const ALIKE: &str = "correction-alike";

/// True if a diagnostic is about a correction that is not applied.
pub fn is_about(diagnostic: &Diagnostic) -> bool {
    [LOST, AMBIGUOUS, CONTRADICTS].contains(&&*diagnostic.code)
}

/// Reads the corrections of a text, if there are any.
///
/// # Errors
/// When a file of corrections is wrong.
pub fn of_file(text: &Path) -> Result<Vec<Correction>, Error> {
    let files = files_of(text).into_iter().map(|path| file::read(&path));
    Ok(files.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Gives corrections their places in a document and in the chapters that its reader found.
pub fn add(document: &mut Document, corrections: &[Correction]) {
    if corrections.is_empty() {
        return;
    }
    let (confirmed, diagnostics) = place(&document.source, corrections);
    let settled = document.settled;
    for chapter in &mut document.chapters {
        let first = document.source.byte_of(chapter.source.file_char_of(0));
        let own = Span::new(first, first + chapter.source.text().len());
        let inside = confirmed.iter().filter(|c| own.contains(c.span));
        chapter.confirmed = inside
            .map(|c| Confirmed {
                span: Span::new(c.span.start() - first, c.span.end() - first),
                ..c.clone()
            })
            .collect();
    }
    document.confirmed = confirmed;
    document.diagnostics.extend(diagnostics);
    if settled {
        document.diagnostics.push(of_settled(document.confirmed.len()));
        document.confirmed.clear();
    }
}

fn of_settled(n: usize) -> Diagnostic {
    let message = format!("{n} corrections are not applied: this file is already an edition");
    Diagnostic::new(Severity::Error, LOST, None, message)
        .hint("correct the file itself, or build from the text it was made from")
}

/// The places of corrections, in order, and what is to be reported of the others.
pub fn place(source: &Source, corrections: &[Correction]) -> (Vec<Confirmed>, Vec<Diagnostic>) {
    let anchors = AnchorText::new(source.text());
    let (mut placed, mut diagnostics) = (vec![], vec![]);
    for c in corrections {
        let anchored = anchors.place(&c.quote);
        match anchored {
            Anchored::At(span) | Anchored::Alike(span) => {
                if let Anchored::Alike(_) = anchored {
                    diagnostics.push(alike(source, c, span));
                }
                let (what, by, when) = (c.what.clone(), c.by.clone(), c.when.clone());
                placed.push((Confirmed { span, what, by, when }, c));
            }
            Anchored::Ambiguous(places) => diagnostics.push(ambiguous(source, c, &places)),
            Anchored::Lost(closest) => diagnostics.push(lost(source, c, closest)),
        }
    }
    placed.sort_by(|a, b| {
        let key = |c: &(Confirmed, &Correction)| (c.0.span.start(), c.0.span.end());
        key(a).cmp(&key(b)).then_with(|| a.0.when.cmp(&b.0.when))
    });
    let against = contradictions(&anchors, &placed);
    for (n, other) in &against {
        diagnostics.push(contradicts(&placed[*n], &placed[*other]));
    }
    let wrong: Vec<usize> = against.into_iter().map(|(n, _)| n).collect();
    let kept = placed.into_iter().enumerate().filter(|(n, _)| !wrong.contains(n));
    (kept.map(|(_, (confirmed, _))| confirmed).collect(), diagnostics)
}

/// What a correction states about some text.
#[derive(Clone, PartialEq)]
enum Stated {
    Layer(Layer),
    Word(String),
    Target(String),
    Speaker(String),
    Line(HeadingLine),
    /// The translation, and what is in it.
    Bead(String, String),
}

impl Stated {
    /// True if both cannot be right of the same words.
    fn contradicts(&self, other: &Stated) -> bool {
        match (self, other) {
            (Stated::Bead(a, _), Stated::Bead(b, _)) if a != b => false,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && self != other,
        }
    }
}

/// Each correction that contradicts another, with the first that it contradicts.
fn contradictions(
    anchors: &AnchorText<'_>,
    placed: &[(Confirmed, &Correction)],
) -> Vec<(usize, usize)> {
    let mut stated: Vec<(Span, Stated, usize)> = vec![];
    for (n, (c, _)) in placed.iter().enumerate() {
        let of_n = |(span, layer): (Span, Layer)| (span, Stated::Layer(layer), n);
        stated.extend(anchors.layers(c).into_iter().map(of_n));
        if let Confirmation::Reading(word) = &c.what {
            stated.push((c.span, Stated::Word(word.clone()), n));
        }
        if let Confirmation::Link(_) = &c.what {
            stated.push((c.span, Stated::Target(c.what.decision()), n));
        }
        if let Confirmation::Heading(line) = &c.what {
            stated.push((c.span, Stated::Line(*line), n));
        }
        if let Confirmation::Speaker(_) = &c.what {
            stated.push((c.span, Stated::Speaker(c.what.decision()), n));
        }
        if let Confirmation::Bead(translation, _) = &c.what {
            stated.push((c.span, Stated::Bead(translation.clone(), c.what.decision()), n));
        }
    }
    stated.sort_by_key(|s| (s.0.start(), s.0.end()));
    let mut against = vec![None; placed.len()];
    let mut open: Vec<usize> = vec![];
    for (i, (span, what, n)) in stated.iter().enumerate() {
        open.retain(|o| stated[*o].0.end() > span.start());
        for o in &open {
            let (_, other, m) = &stated[*o];
            // One reference, or what one scholar says, may be inside another.
            let may_nest = matches!(what, Stated::Target(_) | Stated::Speaker(_));
            let nested = may_nest && stated[*o].0 != *span;
            if !nested && what.contradicts(other) {
                against[*n].get_or_insert(*m);
                against[*m].get_or_insert(*n);
            }
        }
        open.push(i);
    }
    against.iter().enumerate().filter_map(|(n, o)| Some((n, (*o)?))).collect()
}

impl AnchorText<'_> {
    /// The layers that a correction states, each of some text.
    fn layers(&self, c: &Confirmed) -> Vec<(Span, Layer)> {
        let k = self.key.index_at(c.span.start());
        let before = k.checked_sub(1).map(|b| self.key.span(b, b + 1));
        if k >= self.key.len() {
            return vec![];
        }
        c.layers(before, self.key.span(k, k + 1))
    }
}

fn error(code: &'static str, span: Option<Span>, message: String) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, span, message)
}

/// A correction in words: its decision, and what it quotes.
fn shown(c: &Correction) -> String {
    let Quote { before, at, until, after } = &c.quote;
    let last: String = {
        let chars: Vec<char> = before.chars().collect();
        chars[chars.len().saturating_sub(12)..].iter().collect()
    };
    let until = until.as_ref().map_or(String::new(), |u| format!("…{u}"));
    let next: String = after.chars().take(12).collect();
    format!("{} {} at “{last}【{at}{until}】{next}” ({})", c.what.kind(), c.what.decision(), c.by)
}

fn lost(source: &Source, c: &Correction, closest: Option<Span>) -> Diagnostic {
    let message = match closest {
        Some(span) => format!(
            "the correction {} has no place in the text; most like it is “{}”",
            shown(c),
            in_one_line(source.slice(span))
        ),
        None => format!("the correction {} has no place in the text", shown(c)),
    };
    error(LOST, closest, message).hint("decide again, or delete it from the file of corrections")
}

/// Other words at its place deserve a look; other words around it, hardly.
fn alike(source: &Source, c: &Correction, span: Span) -> Diagnostic {
    let here = source.slice(span);
    let is_same = c.quote.until.is_none() && folded(here) == folded(&c.quote.at);
    let severity = if is_same { Severity::Info } else { Severity::Warning };
    let message = format!(
        "the words of the correction {} are not quite as they were; it is applied to “{}”",
        shown(c),
        in_one_line(here)
    );
    Diagnostic::new(severity, ALIKE, Some(span), message)
        .hint("if this is another passage, delete it from the file of corrections")
}

fn ambiguous(source: &Source, c: &Correction, places: &[Span]) -> Diagnostic {
    let place = |span: &Span| {
        let (place, words) = (source.place(span.start()), in_one_line(source.slice(*span)));
        format!("{}:{} “{words}”", place.line, place.column)
    };
    let some: Vec<String> = places.iter().take(3).map(place).collect();
    let (of, some) = (shown(c), some.join("; "));
    let message = match places {
        [_] => {
            format!("the words of the correction {of} are there, those around them differ: {some}")
        }
        _ => format!("the correction {of} may belong to more than one place: {some}"),
    };
    error(AMBIGUOUS, places.first().copied(), message).hint("decide again at the right place")
}

fn contradicts(one: &(Confirmed, &Correction), other: &(Confirmed, &Correction)) -> Diagnostic {
    let (a, b) = (shown(one.1), shown(other.1));
    let message = format!("the correction {a} contradicts {b}; neither is applied");
    error(CONTRADICTS, Some(one.0.span), message).hint("delete the wrong one")
}

fn in_one_line(words: &str) -> String {
    let chars: Vec<char> = words.chars().filter(|c| !c.is_whitespace()).collect();
    match chars.len() {
        0..=60 => chars.iter().collect(),
        n => chars[..28].iter().chain(['…'].iter()).chain(&chars[n - 28..]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "二筭為純。純猶全也。耦陰陽。一純以取,實於左手。";

    fn correction(at: &str, what: Confirmation) -> Correction {
        let from = TEXT.find(at).unwrap();
        let quote = AnchorText::new(TEXT).quote(Span::new(from, from + at.len())).unwrap();
        let when = "2026-11-22T21:30:00Z".to_string();
        Correction { quote, what, by: "王".into(), when, note: None }
    }

    fn placed(corrections: &[Correction]) -> (Vec<String>, Vec<String>) {
        let source = Source::from_text("a.txt", TEXT);
        let (confirmed, diagnostics) = place(&source, corrections);
        let words = confirmed.iter().map(|c| source.slice(c.span).to_string()).collect();
        (words, diagnostics.iter().map(|d| d.code.to_string()).collect())
    }

    #[test]
    fn decisions_that_contradict_each_other_are_reported_and_not_applied() {
        let cut = |at, before, after| correction(at, Confirmation::Cut(before, after));
        let (jing, zhu) = (Layer::Jing, Layer::Zhu);
        let border = cut("純猶全也", jing, zhu);
        let same = cut("純猶全也", jing, zhu);
        let (words, codes) = placed(&[border.clone(), same]);
        assert_eq!((words.len(), codes.len()), (2, 0), "who says the same agrees");
        let (words, codes) = placed(&[border.clone(), cut("純猶全也", jing, jing)]);
        assert_eq!((words.len(), codes), (0, vec![CONTRADICTS.to_string(); 2]));
        let all = correction("純猶全也。耦陰", Confirmation::Layer(jing));
        let elsewhere = cut("一純以取", zhu, jing);
        let (words, codes) = placed(&[border, all, elsewhere]);
        assert_eq!((words, codes), (vec!["一純以取".into()], vec![CONTRADICTS.to_string(); 2]));
        let word = |w: &str| correction("耦", Confirmation::Reading(w.into()));
        assert_eq!(placed(&[word("耦"), word("偶")]).1.len(), 2);
    }

    #[test]
    fn a_correction_without_a_place_is_reported() {
        let mut gone = correction("耦陰陽", Confirmation::Layer(Layer::Zhu));
        gone.quote = Quote { at: "天地玄黃宇宙洪荒".into(), ..Quote::default() };
        assert_eq!(placed(&[gone]), (vec![], vec![LOST.to_string()]));
        let mut often = correction("耦陰陽", Confirmation::Layer(Layer::Zhu));
        often.quote = Quote { at: "純".into(), ..Quote::default() };
        assert_eq!(placed(&[often]), (vec![], vec![AMBIGUOUS.to_string()]));
    }
}
