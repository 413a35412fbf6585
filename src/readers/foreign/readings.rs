//! What a TEI file says of its words: readings of other witnesses (`app`), corrections and regular
//! forms (`choice`), words that are supplied.

use quick_xml::events::BytesStart;

use super::elements::local;
use crate::model::{Certainty, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::source::Span;

/// An element that says something of words: it, or the one of its parts that is open.
#[derive(Debug)]
struct OpenPart {
    name: String,
    /// Where its content begins.
    from: usize,
    /// The witnesses of a reading.
    witnesses: String,
}

/// An `app` or `choice`.
#[derive(Debug, Default)]
struct OpenChoice {
    /// The words of the text.
    here: Option<(ReadingKind, Span)>,
    /// The other readings, with their witnesses.
    others: Vec<(Span, String)>,
}

/// Collects readings while a file is read.
#[derive(Debug, Default)]
pub(super) struct TeiReadings {
    parts: Vec<OpenPart>,
    choices: Vec<OpenChoice>,
    pub(super) all: Vec<Reading>,
}

impl TeiReadings {
    /// True within an `app` or `choice`.
    pub(super) fn is_open(&self) -> bool {
        !self.choices.is_empty()
    }

    /// An element begins; `to` is the end of its tag.
    pub(super) fn start(&mut self, e: &BytesStart<'_>, to: usize) {
        let name = local(e);
        match name {
            "app" | "choice" => self.choices.push(OpenChoice::default()),
            "lem" | "rdg" | "sic" | "corr" | "orig" | "reg" | "supplied" => {
                let witnesses = e.try_get_attribute("wit").ok().flatten();
                let witnesses = witnesses.map(|a| a.value.replace('#', "")).unwrap_or_default();
                self.parts.push(OpenPart { name: name.to_string(), from: to, witnesses });
            }
            _ => {}
        }
    }

    /// An element ends; `at` is where its end tag begins.
    pub(super) fn end(&mut self, name: &str, at: usize, text: &str) {
        if matches!(name, "app" | "choice") {
            if let Some(choice) = self.choices.pop() {
                self.close(choice, text);
            }
            return;
        }
        let Some(part) = self.parts.pop_if(|part| part.name == name) else { return };
        let span = Span::new(part.from, at.max(part.from));
        let kind = match name {
            "supplied" => return self.add(ReadingKind::Supplied, span, "", text, ""),
            "lem" => ReadingKind::Witness,
            "sic" => ReadingKind::Repair,
            "orig" => ReadingKind::Variant,
            _ => {
                let others = self.choices.last_mut().map(|choice| &mut choice.others);
                return others.into_iter().for_each(|all| all.push((span, part.witnesses.clone())));
            }
        };
        if let Some(choice) = self.choices.last_mut() {
            choice.here = Some((kind, span));
        }
    }

    fn close(&mut self, choice: OpenChoice, text: &str) {
        let Some((kind, span)) = choice.here else { return };
        for (other, witnesses) in &choice.others {
            self.add(kind, span, text.get(other.range()).unwrap_or_default(), text, witnesses);
        }
    }

    /// Adds a reading of words that no tag interrupts.
    fn add(&mut self, kind: ReadingKind, span: Span, reading: &str, text: &str, witnesses: &str) {
        let plain = |words: &str| !words.contains(['<', '&', '\n']);
        let here = text.get(span.range()).filter(|words| plain(words) && !words.trim().is_empty());
        if here.is_none() || !plain(reading) {
            return;
        }
        let evidence = match kind {
            ReadingKind::Witness if !witnesses.is_empty() => {
                Evidence::new(EvidenceKind::Witness, witnesses.to_string())
            }
            _ => Evidence::of(EvidenceKind::Tei),
        };
        let (reading, certainty) = (reading.into(), Certainty::SURE);
        let evidence = [evidence].into();
        self.all.push(Reading { span, reading, kind, certainty, evidence });
    }
}
