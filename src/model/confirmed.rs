//! What a person has decided about places of a text.

use super::quoted_place::{QuotedPlace, decoded_id, encoded_id};
use super::{Document, Evidence, EvidenceKind, Layer};
use crate::diag::{Diagnostic, Severity};
use crate::source::Span;
use crate::text::{Key, class};

/// A correction that has found its place in a document.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Confirmed {
    /// The words that it is about.
    pub span: Span,
    /// What was decided.
    pub what: Confirmation,
    /// Who decided.
    pub by: String,
    /// When, as in RFC 3339.
    pub when: String,
}

/// The code of what is reported of a decision that has no place in the text.
pub const CORRECTION_LOST: &str = "correction-lost";

/// What a person decided about some words.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Confirmation {
    /// The layers before the words and of their first character. If they are equal, there is no
    /// border.
    Cut(Layer, Layer),
    /// The layer of all the words.
    Layer(Layer),
    /// What is meant by the words; the words themselves, if they are right.
    Reading(String),
    /// Where the words lead, as a reference; `None` if they are no reference.
    Link(Option<QuotedPlace>),
    /// The id of a translation, and what the words correspond to there; `None` if to nothing.
    Bead(String, Option<QuotedPlace>),
    /// The scholar who says the words; `None` if it is nobody whom they name.
    Speaker(Option<String>),
    /// What the line of the words is.
    Heading(HeadingLine),
}

/// What a line is that looks like a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum HeadingLine {
    /// The title of a chapter, which begins with it.
    Chapter,
    /// Another heading.
    Other,
    /// Text.
    Text,
}

impl HeadingLine {
    /// All, with their names in a file of corrections, of which the first is written.
    const ALL: [(&'static [&'static str], HeadingLine); 3] = [
        (&["篇", "chapter"], HeadingLine::Chapter),
        (&["題", "heading"], HeadingLine::Other),
        (&[NOTHING], HeadingLine::Text),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, line)| *line == self).map_or(NOTHING, |(names, _)| names[0])
    }

    fn read(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(names, _)| names.contains(&name)).map(|(_, line)| *line)
    }
}

/// The decision that words are no reference, have no counterpart, or are said by nobody.
const NOTHING: &str = "none";

impl Confirmation {
    /// Its name in a file of corrections.
    pub fn kind(&self) -> &'static str {
        match self {
            Confirmation::Cut(..) => "cut",
            Confirmation::Layer(_) => "layer",
            Confirmation::Reading(_) => "reading",
            Confirmation::Link(_) => "link",
            Confirmation::Bead(..) => "bead",
            Confirmation::Speaker(_) => "speaker",
            Confirmation::Heading(_) => "heading",
        }
    }

    /// The decision, as a file of corrections has it.
    pub fn decision(&self) -> String {
        match self {
            Confirmation::Cut(before, after) => format!("{}|{}", before.zh(), after.zh()),
            Confirmation::Layer(layer) => layer.zh().to_string(),
            Confirmation::Reading(word) => word.clone(),
            Confirmation::Link(None) | Confirmation::Speaker(None) => NOTHING.into(),
            Confirmation::Speaker(Some(name)) => name.clone(),
            Confirmation::Heading(line) => line.name().into(),
            Confirmation::Link(Some(place)) | Confirmation::Bead(_, Some(place)) => place.text(),
            Confirmation::Bead(id, None) => {
                format!("{}:{NOTHING}", encoded_id(id))
            }
        }
    }

    /// A decision as a file has it, or why it is none. An unknown kind has `None`.
    pub fn read(kind: &str, decision: &str) -> Option<Result<Self, String>> {
        let layer = |name: &str| {
            let layer = name.trim().parse::<Layer>().map_err(|e| e.to_string())?;
            if layer.is_text() { Ok(layer) } else { Err(format!("{name} is not a layer of text")) }
        };
        Some(match kind {
            // Chinese keyboards have a wide one.
            "cut" => match decision.split_once(['|', '｜']) {
                Some((before, after)) => {
                    layer(before).and_then(|before| Ok(Confirmation::Cut(before, layer(after)?)))
                }
                None => Err("a cut needs the layers before and after it, such as 經|注".into()),
            },
            "layer" => layer(decision).map(Confirmation::Layer),
            "reading" => Ok(Confirmation::Reading(decision.to_string())),
            "link" if decision.trim() == NOTHING => Ok(Confirmation::Link(None)),
            "link" => {
                QuotedPlace::parse(decision).map(|p| Confirmation::Link(Some(p))).ok_or_else(|| {
                    "a link needs the words it leads to, as ID:before【words】after, or none".into()
                })
            }
            "bead" => bead(decision).ok_or_else(|| {
                "a bead needs the words of the translation, as ID:before【words】after, or ID:none".into()
            }),
            "speaker" => match decision.trim() {
                "" => Err("a speaker needs a name, or none".into()),
                NOTHING => Ok(Confirmation::Speaker(None)),
                name => Ok(Confirmation::Speaker(Some(name.into()))),
            },
            "heading" => HeadingLine::read(decision.trim())
                .map(Confirmation::Heading)
                .ok_or_else(|| "a line is 篇 (a chapter begins), 題 (another heading) or none".into()),
            _ => return None,
        })
    }
}

/// A decision about a bead.
fn bead(decision: &str) -> Option<Confirmation> {
    let id = decoded_id(decision.split_once(':')?.0).filter(|id| !id.is_empty())?;
    let nothing = decision.split_once(':').is_some_and(|(_, words)| words.trim() == NOTHING);
    let place = QuotedPlace::parse(decision);
    (nothing || place.is_some()).then_some(Confirmation::Bead(id, place))
}

impl Document {
    /// What a person decided that a line is.
    pub(crate) fn confirmed_heading(&self, line: Span) -> Option<(HeadingLine, &Confirmed)> {
        self.confirmed.iter().rev().find_map(|c| match c.what {
            Confirmation::Heading(what) if c.span.overlap(line) > 0 => Some((what, c)),
            _ => None,
        })
    }

    /// The layers that decisions state, each of some text, with the decision.
    pub(crate) fn confirmed_layers(&self) -> Vec<(Span, Layer, &Confirmed)> {
        if self.confirmed.is_empty() {
            return vec![];
        }
        let key = Key::of(self.source.text(), self.source.span());
        let of = |c: &Confirmed| {
            let k = key.index_at(c.span.start());
            let before = k.checked_sub(1).map(|b| key.span(b, b + 1));
            if k < key.len() { c.layers(before, key.span(k, k + 1)) } else { vec![] }
        };
        let stated = |c| of(c).into_iter().map(move |(span, layer)| (span, layer, c));
        self.confirmed.iter().flat_map(stated).collect()
    }

    /// The words from one character to another with the marks that belong to them: what opens
    /// before the first, and what closes or ends a sentence after the last.
    pub(crate) fn with_marks_around(&self, span: Span) -> Span {
        let text = self.source.text();
        let opening = text[..span.start()].chars().rev().take_while(|c| class::opens(*c));
        let start = span.start() - opening.map(char::len_utf8).sum::<usize>();
        let ends =
            |c: &char| class::closes(*c) || class::ends_sentence(*c) || class::ends_clause(*c);
        let closing = text[span.end()..].chars().take_while(ends);
        Span::new(start, span.end() + closing.map(char::len_utf8).sum::<usize>())
    }
}

impl Confirmed {
    /// The report that it has no effect, and why.
    pub(crate) fn not_applied(&self, why: &str) -> Diagnostic {
        let (kind, decision) = (self.what.kind(), self.what.decision());
        let message =
            format!("the correction {kind} {decision} ({}) is not applied: {why}", self.by);
        Diagnostic::new(Severity::Error, CORRECTION_LOST, Some(self.span), message)
            .hint("decide again, or delete it from the file of corrections")
    }

    /// Who decided, and when, as evidence.
    pub(crate) fn person(&self) -> Evidence {
        let date = self.when.get(..10).unwrap_or(&self.when);
        Evidence::new(EvidenceKind::Person, format!("{}, {date}", self.by))
    }

    /// The layers that it states: for a cut, of the character before and of the first one.
    /// `before` is the character before its words.
    pub fn layers(&self, before: Option<Span>, first: Span) -> Vec<(Span, Layer)> {
        match &self.what {
            Confirmation::Cut(a, b) => {
                before.map(|s| (s, *a)).into_iter().chain([(first, *b)]).collect()
            }
            Confirmation::Layer(layer) => vec![(self.span, *layer)],
            _ => vec![],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_reference_is_written_and_read() {
        for text in ["a%3Ab:前【中】後", ":【中…末】", "yili-07:【大射之儀】", "none"]
        {
            let read = Confirmation::read("link", text).unwrap().unwrap();
            assert_eq!(read.decision(), text);
        }
        for text in ["a%3Ab:前【中】後", "yili-05-jinyi:none"] {
            assert_eq!(Confirmation::read("bead", text).unwrap().unwrap().decision(), text);
        }
        for wrong in ["none", ":none", ":【中】", "a:", "a:中", "a"] {
            assert!(Confirmation::read("bead", wrong).unwrap().is_err(), "{wrong}");
        }
        for wrong in ["", "yili-07", "yili-07:大射", ":【】", ":【。】", ":【大", ":【大…】"]
        {
            assert!(Confirmation::read("link", wrong).unwrap().is_err(), "{wrong}");
        }
    }
}
