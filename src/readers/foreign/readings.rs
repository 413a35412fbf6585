//! What a TEI file says of its words: readings of other witnesses (`app`), corrections and regular
//! forms (`choice`), words that are supplied.

use quick_xml::events::BytesStart;
use rustc_hash::FxHashMap;

use super::elements::local;
use crate::model::{Certainty, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::source::Span;

/// An element that says something of words: it, or the one of its parts that is open.
#[derive(Debug)]
struct OpenPart {
    name: String,
    /// Where its content begins.
    from: usize,
    /// The witnesses of a reading, or why words are supplied.
    about: String,
}

/// An `app` or `choice`.
#[derive(Debug, Default)]
struct OpenChoice {
    /// The words of the text.
    here: Option<(ReadingKind, Span)>,
    /// The other readings, with their witnesses.
    others: Vec<(Span, String)>,
    /// Between these anchors, if the apparatus is apart from the text; none if it names anchors
    /// that are not there.
    apart: Option<Option<Span>>,
}

/// Collects readings while a file is read.
#[derive(Debug, Default)]
pub(super) struct TeiReadings {
    parts: Vec<OpenPart>,
    choices: Vec<OpenChoice>,
    /// Where the tags of anchors begin and end, by their ids.
    anchors: FxHashMap<String, Span>,
    pub(super) all: Vec<Reading>,
    /// Entries of an apparatus apart from the text whose words were not found in it.
    pub(super) lost: usize,
}

impl TeiReadings {
    /// True within an `app` or `choice`.
    pub(super) fn is_open(&self) -> bool {
        !self.choices.is_empty()
    }

    /// An anchor, whose tag is this span.
    pub(super) fn anchor(&mut self, e: &BytesStart<'_>, tag: Span) {
        if let Some(id) = e.try_get_attribute("xml:id").ok().flatten() {
            self.anchors.insert(id.value.to_string(), tag);
        }
    }

    /// The words between the anchors that an `app` names, if it does.
    fn apart(&self, e: &BytesStart<'_>) -> Option<Option<Span>> {
        let named = |name: &str| e.try_get_attribute(name).ok().flatten();
        let (from, to) = (named("from")?, named("to")?);
        let anchor = |id: &str| self.anchors.get(id.trim_start_matches('#')).copied();
        let ends = anchor(&from.value).zip(anchor(&to.value));
        let between = ends.map(|(from, to)| (from.end(), to.start())).filter(|(a, b)| a < b);
        Some(between.map(|(from, to)| Span::new(from, to)))
    }

    /// An element begins; `to` is the end of its tag.
    pub(super) fn start(&mut self, e: &BytesStart<'_>, to: usize) {
        let name = local(e);
        match name {
            "app" | "choice" => {
                let apart = self.apart(e);
                self.choices.push(OpenChoice { apart, ..OpenChoice::default() });
            }
            "lem" | "rdg" | "sic" | "corr" | "orig" | "reg" | "supplied" => {
                let about = if name == "supplied" { "reason" } else { "wit" };
                let about = e.try_get_attribute(about).ok().flatten();
                let about = about.map(|a| a.value.replace('#', "")).unwrap_or_default();
                self.parts.push(OpenPart { name: name.to_string(), from: to, about });
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
            "supplied" => return self.supplied(span, text, &part.about),
            "lem" => ReadingKind::Witness,
            "sic" => ReadingKind::Repair,
            "orig" => ReadingKind::Variant,
            _ => {
                let others = self.choices.last_mut().map(|choice| &mut choice.others);
                return others.into_iter().for_each(|all| all.push((span, part.about.clone())));
            }
        };
        if let Some(choice) = self.choices.last_mut() {
            choice.here = Some((kind, span));
        }
    }

    fn close(&mut self, choice: OpenChoice, text: &str) {
        let here = match choice.apart {
            Some(span) => span.map(|span| (ReadingKind::Witness, span)),
            None => choice.here,
        };
        let before = self.all.len();
        let Some((kind, span)) = here else {
            self.lost += usize::from(choice.apart.is_some());
            return;
        };
        for (other, witnesses) in &choice.others {
            self.add(kind, span, text.get(other.range()).unwrap_or_default(), text, witnesses);
        }
        if choice.apart.is_some() && self.all.len() == before {
            self.lost += 1;
        }
    }

    /// Supplied words, each stretch between tags and line ends by itself.
    fn supplied(&mut self, span: Span, text: &str, reason: &str) {
        let mut at = span.start();
        for part in text.get(span.range()).unwrap_or_default().split_inclusive(['<', '>', '\n']) {
            let words = part.strip_suffix(['<', '\n']).unwrap_or(part);
            // What ends with a bracket of this kind is a tag.
            if !words.ends_with('>') {
                let span = Span::new(at, at + words.len());
                self.add(ReadingKind::Supplied, span, "", text, reason);
            }
            at += part.len();
        }
    }

    /// Adds a reading of words that no tag interrupts. `about` names its witnesses, or why words
    /// are supplied.
    fn add(&mut self, kind: ReadingKind, span: Span, reading: &str, text: &str, about: &str) {
        let plain = |words: &str| !words.contains(['<', '&', '\n']);
        let here = text.get(span.range()).filter(|words| plain(words) && !words.trim().is_empty());
        if here.is_none() || !plain(reading) {
            return;
        }
        let evidence = match kind {
            ReadingKind::Witness if !about.is_empty() => {
                Evidence::new(EvidenceKind::Witness, about.to_string())
            }
            ReadingKind::Supplied if !about.is_empty() => {
                Evidence::new(EvidenceKind::Tei, about.to_string())
            }
            _ => Evidence::of(EvidenceKind::Tei),
        };
        let (reading, certainty) = (reading.into(), Certainty::SURE);
        let evidence = [evidence].into();
        self.all.push(Reading { span, reading, kind, certainty, evidence });
    }
}
