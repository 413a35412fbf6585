//! The part of a library that goes into an edition: which layers, in which script, with damaged
//! characters repaired or not, with which punctuation.
//!
//! A choice makes another library: documents with only the chosen text, changed as requested,
//! with all spans moved accordingly. So every writer follows the same choice without code for it,
//! and the original texts do not change. Loci do not change: a note keeps the number of its
//! sentence, even if the sentence is left out.

mod offsets;
mod punctuation;
mod repaired;
mod supplied;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use self::offsets::OffsetMap;
pub use self::punctuation::Punctuation;
use self::punctuation::Punctuator;
use self::repaired::Repairs;
use self::supplied::Supplied;
pub(super) use self::supplied::mark_source;
pub(crate) use self::supplied::marks_for;
use super::Library;
use crate::model::{
    Alignment, Bead, Document, HeaderPart, Layer, LayerKind, Link, Segment, Sentence, SharedList,
    Target,
};
use crate::source::Span;
use crate::text::script::{Script, convert_from, detect};

/// Stretches of texts, by the ids of these; in order, and none overlaps another.
pub type Passages = BTreeMap<String, Vec<Span>>;

/// What to include. Empty or `None` changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerChoice {
    /// Only these layers; headings stay, and the lemma headers of a 疏 go with it.
    pub layers: Vec<Layer>,
    /// In this script.
    pub script: Option<Script>,
    /// With damaged characters repaired. What the source has remains as a reading
    /// ([`ReadingKind::Source`](crate::model::ReadingKind::Source)).
    pub repaired: bool,
    /// With this punctuation.
    pub punctuation: Punctuation,
    /// Only these stretches; texts that have none are left out.
    pub passages: Passages,
}

impl LayerChoice {
    /// True if text of `layer` is kept.
    pub fn keeps(&self, layer: Layer) -> bool {
        self.layers.is_empty()
            || layer == Layer::Heading
            || self.layers.contains(&layer)
            || layer == Layer::ShuHeader && self.layers.contains(&Layer::Shu)
    }

    /// The chosen part of `library`. Documents with only headings left are not in it.
    pub fn of(&self, library: &Library) -> Library {
        if *self == Self::default() {
            return library.clone();
        }
        let made: Vec<(Document, OffsetMap)> =
            library.documents.iter().filter_map(|d| self.document(d, library)).collect();
        let maps: HashMap<String, &OffsetMap> =
            made.iter().map(|(d, m)| (d.id.clone(), m)).collect();
        let links: Vec<Vec<Link>> = made
            .iter()
            .map(|(d, m)| d.links.iter().filter_map(|l| link(l, m, &maps)).collect())
            .collect();
        let alignments = library.alignments.iter().filter_map(|a| alignment(a, &maps)).collect();
        let documents = made.into_iter().zip(links).map(|((mut d, _), links)| {
            d.links = links.into();
            Arc::new(d)
        });
        Library {
            documents: documents.collect(),
            alignments,
            beside: library.beside.clone(),
            language: library.language,
        }
    }

    /// The chosen text of a document. Its links have not been moved yet.
    fn document(&self, old: &Document, library: &Library) -> Option<(Document, OffsetMap)> {
        let whole = [Span::new(0, old.source.text().len())];
        let within = match self.passages.is_empty() {
            true => &whole[..],
            false => self.passages.get(&old.id)?,
        };
        let from = self.script.and_then(|_| detect(old.source.text()));
        let into = self.script.zip(from).map(|(to, from)| (from, to));
        let mut kept = KeptText {
            old,
            into,
            repairs: Repairs::of(old, self.repaired),
            punctuator: Punctuator::new(self.punctuation),
            supplied: Supplied::new(marks_for(old, library, self.punctuation.supplied_from())),
            text: String::new(),
            map: OffsetMap::default(),
            segments: vec![],
        };
        let mut passage = None;
        let is_whole = self.layers.is_empty() && self.passages.is_empty();
        for s in &old.segments {
            match s.layer.kind() {
                LayerKind::Outside if is_whole => kept.words(s),
                LayerKind::Outside => kept.paragraph(s),
                _ if self.keeps(s.layer) => {
                    for (n, part) in parts_of(s, within) {
                        if passage.replace(n).is_some_and(|before| before != n) {
                            kept.end_paragraph();
                        }
                        kept.words(&part);
                    }
                }
                _ => {}
            }
        }
        kept.segments
            .iter()
            .any(|s| s.layer.kind() != LayerKind::Outside && s.layer != Layer::Heading)
            .then(|| kept.finish(self))
    }

    /// The description of the choice, for the description of the edition.
    fn note(&self) -> String {
        let names: Vec<_> = self.layers.iter().map(|l| l.zh()).collect();
        let layers = (!names.is_empty()).then(|| format!("only {}", names.join(" ")));
        let script = self.script.map(|s| format!("converted by table into {}", s.name()));
        let repaired = self.repaired.then(|| "damaged characters repaired".to_string());
        let punctuation = self.punctuation.note().map(String::from);
        let passages = (!self.passages.is_empty()).then(|| "only some passages".to_string());
        let all =
            layers.into_iter().chain(passages).chain(script).chain(repaired).chain(punctuation);
        all.collect::<Vec<_>>().join("; ")
    }
}

/// The parts of a segment that are in some stretches, each with the number of its stretch.
fn parts_of<'a>(
    s: &'a Segment,
    within: &'a [Span],
) -> impl Iterator<Item = (usize, Segment)> + use<'a> {
    let first = within.partition_point(|w| w.end() <= s.span.start());
    let meet = (first..).zip(&within[first..]).take_while(|(_, w)| w.start() < s.span.end());
    meet.map(|(n, w)| {
        let span = Span::new(w.start().max(s.span.start()), w.end().min(s.span.end()));
        (n, Segment { span, ..s.clone() })
    })
}

/// The text kept so far.
struct KeptText<'a> {
    old: &'a Document,
    into: Option<(Script, Script)>,
    repairs: Repairs<'a>,
    punctuator: Punctuator,
    supplied: Supplied,
    text: String,
    map: OffsetMap,
    segments: Vec<Segment>,
}

impl KeptText<'_> {
    fn words(&mut self, s: &Segment) {
        let start = self.text.len();
        let mut at = s.span.start();
        // Words of the source up to a repair, then the repair.
        while let Some((span, reading)) = self.repairs.next_in(Span::new(at, s.span.end())) {
            self.stretch(Span::new(at, span.start()), s.layer);
            let reading = match self.into {
                Some((from, to)) => convert_from(reading, from, to),
                None => reading.into(),
            };
            self.push(span.start(), span.len(), &reading);
            at = span.end();
        }
        self.stretch(Span::new(at, s.span.end()), s.layer);
        // Nothing is left of a segment that was all punctuation.
        if self.text.len() > start || s.span.is_empty() {
            let span = Span::new(start, self.text.len());
            self.segments.push(Segment { span, ..s.clone() });
        }
    }

    /// Words without a repair. Signs in a mark, such as that of a leaf, are no punctuation of the
    /// text.
    fn stretch(&mut self, span: Span, layer: Layer) {
        if !self.punctuator.changes(layer) {
            return self.unmarked(span, layer);
        }
        let old = self.old;
        let mut at = span.start();
        for mark in old.marks_in(span) {
            let mark = Span::new(mark.start().max(at), mark.end().min(span.end()));
            self.unmarked(Span::new(at, mark.start()), layer);
            self.push(mark.start(), mark.len(), old.slice(mark));
            at = mark.end();
        }
        self.unmarked(Span::new(at, span.end()), layer);
    }

    /// Words without a repair and without a mark.
    fn unmarked(&mut self, span: Span, layer: Layer) {
        let words = self.old.slice(span);
        let in_script = self.into.map(|(from, to)| convert_from(words, from, to));
        let changed = in_script.as_deref().unwrap_or(words);
        if changed.chars().count() == words.chars().count() {
            self.one_by_one(span.start(), words, changed, layer);
        } else {
            // A table changes the number of characters: each is converted alone.
            let mut at = span.start();
            for c in words.chars() {
                let alone = String::from(c);
                let new = match self.into {
                    Some((from, to)) => convert_from(&alone, from, to),
                    None => alone.as_str().into(),
                };
                self.push(at, c.len_utf8(), &new);
                at += c.len_utf8();
            }
        }
    }

    /// Characters that correspond one by one.
    fn one_by_one(&mut self, mut at: usize, words: &str, changed: &str, layer: Layer) {
        let whole = !self.punctuator.changes(layer) && self.supplied.is_empty();
        if whole && words.len() == changed.len() {
            return self.push(at, words.len(), changed);
        }
        for (old, new) in words.chars().zip(changed.chars()) {
            let new =
                if self.punctuator.changes(layer) { self.punctuator.next(new) } else { Some(new) };
            match new {
                Some(new) => self.push(at, old.len_utf8(), new.encode_utf8(&mut [0; 4])),
                None => self.push(at, old.len_utf8(), ""),
            }
            at += old.len_utf8();
        }
    }

    fn push(&mut self, at: usize, old: usize, new: &str) {
        let with_marks = self.supplied.with_marks(Span::new(at, at + old), new, self.text.len());
        let new = with_marks.as_deref().unwrap_or(new);
        self.map.push(at, old, self.text.len(), new.len());
        self.text.push_str(new);
    }

    /// If layers are chosen, marks and furniture are left out, but the ends of paragraphs stay.
    /// Ends a paragraph: what comes next did not follow in the source.
    fn end_paragraph(&mut self) {
        if self.segments.last().is_some_and(|l| l.layer != Layer::Blank) {
            let start = self.text.len();
            self.text.push('\n');
            self.segments.push(Segment::marked(Layer::Blank, Span::new(start, self.text.len())));
        }
    }

    fn paragraph(&mut self, s: &Segment) {
        let ends = s.layer == Layer::Blank && self.old.slice(s.span).contains('\n');
        if ends && self.segments.last().is_some_and(|l| l.layer != Layer::Blank) {
            self.words(s);
        }
    }

    fn finish(self, choice: &LayerChoice) -> (Document, OffsetMap) {
        let (old, map) = (self.old, self.map);
        let mut new = Document {
            source: match self.text == old.source.text() {
                true => Arc::clone(&old.source),
                false => Arc::new(old.source.changed_to(self.text)),
            },
            ..old.clone()
        };
        new.segments = self.segments.into();
        let span = |s: Span| map.span(s);
        new.marks.retain_mut(|m| retain(m, span));
        new.divisions.retain_mut(|d| retain(&mut d.span, span));
        new.sentences =
            old.sentences.iter().map(|j| Sentence { span: map.whole(j.span), ..*j }).collect();
        self.repairs.turn_round(&mut new.readings);
        new.readings.retain_mut(|r| retain(&mut r.span, span));
        new.readings.extend(self.supplied.readings);
        // They are in the text now, or were not wanted.
        new.supplied = SharedList::default();
        new.readings.sort_by_key(|r| (r.span.start(), r.span.end()));
        new.diagnostics.retain_mut(|d| d.span.as_mut().is_none_or(|s| retain(s, span)));
        new.headers.retain_mut(|h| {
            h.parts.retain_mut(|p| part(p, &map));
            retain(&mut h.span, span)
        });
        new.speeches.retain_mut(|s| retain(&mut s.span, span));
        new.apparatus.retain_mut(|e| {
            (e.named, e.reading, e.lemma) =
                (e.named.and_then(span), e.reading.and_then(span), e.lemma.and_then(span));
            retain(&mut e.span, span)
        });
        if let Some((from, to)) = self.into {
            let said = |words: &str| convert_from(words, from, to).into_owned();
            let say = |words: &mut String| *words = said(words);
            new.divisions.iter_mut().filter_map(|d| d.title.as_mut()).for_each(say);
            new.readings.iter_mut().for_each(|r| r.reading = said(&r.reading).into());
            // Two forms of one script may be the same in the other.
            let text = new.source.text();
            new.readings.retain(|r| r.reading != text[r.span.range()]);
            let meta = &mut new.meta;
            [&mut meta.work, &mut meta.chapter, &mut meta.collection.title]
                .into_iter()
                .flatten()
                .chain([&mut meta.title])
                .for_each(say);
            meta.layers.iter_mut().map(|(_, who)| &mut who.name).for_each(say);
            new.speeches.iter_mut().for_each(|s| s.who = said(&s.who).into());
            meta.language = language(&meta.language, to);
        }
        let edition = new.meta.edition.take().into_iter().chain([choice.note()]);
        let edition = edition.filter(|words| !words.is_empty());
        new.meta.edition = Some(edition.collect::<Vec<_>>().join("; "));
        (new, map)
    }
}

/// Moves a span; false if nothing is left of it.
fn retain(span: &mut Span, to: impl Fn(Span) -> Option<Span>) -> bool {
    to(*span).map(|s| *span = s).is_some()
}

fn part(part: &mut HeaderPart, map: &OffsetMap) -> bool {
    part.to = part.to.and_then(|s| map.span(s));
    retain(&mut part.from, |s| map.span(s)) && retain(&mut part.span, |s| map.span(s))
}

/// A link whose text and target are kept, or that has no target.
fn link(old: &Link, own: &OffsetMap, maps: &HashMap<String, &OffsetMap>) -> Option<Link> {
    let target = |t: &Target| {
        let map = t.doc.as_deref().map_or(Some(own), |id| maps.get(id).copied())?;
        Some(Target { doc: t.doc.clone(), span: map.span(t.span)? })
    };
    let goal = old.target.as_ref().map(target);
    let target_of = match goal {
        Some(None) => return None,
        Some(goal) => goal,
        None => None,
    };
    Some(Link {
        span: own.span(old.span)?,
        quoted: old.quoted.and_then(|q| own.span(q)),
        target: target_of,
        alternatives: old.alternatives.iter().filter_map(target).collect(),
        ..old.clone()
    })
}

fn alignment(old: &Alignment, maps: &HashMap<String, &OffsetMap>) -> Option<Alignment> {
    let (source, translation) = (maps.get(&old.source)?, maps.get(&old.translation)?);
    let moved = |b: &Bead| Bead {
        source: b.source.iter().filter_map(|s| source.span(*s)).collect(),
        translation: b.translation.iter().filter_map(|s| translation.span(*s)).collect(),
        ..b.clone()
    };
    let beads =
        old.beads.iter().map(moved).filter(|b| !(b.source.is_empty() && b.translation.is_empty()));
    Some(Alignment { beads: beads.collect(), ..old.clone() })
}

/// The BCP 47 tag of the same language in another script.
fn language(tag: &str, to: Script) -> String {
    let script = if to == Script::Simplified { "Hans" } else { "Hant" };
    let parts = tag.split('-').map(|p| if matches!(p, "Hans" | "Hant") { script } else { p });
    parts.collect::<Vec<_>>().join("-")
}
