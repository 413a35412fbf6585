//! The part of a library that goes into an edition: which layers, in which script.
//!
//! A choice makes another library: documents with only the chosen text, converted if requested,
//! with all spans moved accordingly. So every writer follows the same choice without code for it,
//! and the original texts do not change. Loci do not change: a note keeps the number of its
//! sentence, even if the sentence is left out.

use std::collections::HashMap;
use std::sync::Arc;

use super::Library;
use crate::model::{
    Alignment, Bead, Document, HeaderPart, Layer, LayerKind, Link, Segment, Sentence, Target,
};
use crate::source::{Source, Span};
use crate::text::script::{Script, convert_from, detect};

/// What to include. Empty or `None` changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerChoice {
    /// Only these layers; headings stay, and the lemma headers of a 疏 go with it.
    pub layers: Vec<Layer>,
    /// In this script.
    pub script: Option<Script>,
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
            library.documents.iter().filter_map(|d| self.document(d)).collect();
        let maps: HashMap<String, &OffsetMap> =
            made.iter().map(|(d, m)| (d.id.clone(), m)).collect();
        let links: Vec<Vec<Link>> = made
            .iter()
            .map(|(d, m)| d.links.iter().filter_map(|l| link(l, m, &maps)).collect())
            .collect();
        let alignments = library.alignments.iter().filter_map(|a| alignment(a, &maps)).collect();
        let documents = made.into_iter().zip(links).map(|((mut d, _), links)| {
            d.links = links;
            Arc::new(d)
        });
        Library { documents: documents.collect(), alignments, beside: library.beside.clone() }
    }

    /// The chosen text of a document. Its links have not been moved yet.
    fn document(&self, old: &Document) -> Option<(Document, OffsetMap)> {
        let from = self.script.and_then(|_| detect(old.source.text()));
        let into = self.script.zip(from).map(|(to, from)| (from, to));
        let mut kept = KeptText {
            old,
            into,
            text: String::new(),
            map: OffsetMap::default(),
            segments: vec![],
        };
        for s in &old.segments {
            match s.layer.kind() {
                LayerKind::Outside if self.layers.is_empty() => kept.words(s),
                LayerKind::Outside => kept.paragraph(s),
                _ if self.keeps(s.layer) => kept.words(s),
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
        layers.into_iter().chain(script).collect::<Vec<_>>().join("; ")
    }
}

/// The text kept so far.
struct KeptText<'a> {
    old: &'a Document,
    into: Option<(Script, Script)>,
    text: String,
    map: OffsetMap,
    segments: Vec<Segment>,
}

impl KeptText<'_> {
    fn words(&mut self, s: &Segment) {
        let (start, words) = (self.text.len(), self.old.slice(s.span));
        match self.into {
            None => self.push(s.span.start(), words.len(), words),
            Some((from, to)) => self.converted(s.span.start(), words, from, to),
        }
        self.segments.push(Segment { span: Span::new(start, self.text.len()), ..s.clone() });
    }

    /// Characters correspond one by one. If a table changes their number, each is converted alone.
    fn converted(&mut self, mut at: usize, words: &str, from: Script, to: Script) {
        let all = convert_from(words, from, to);
        let alike = all.chars().count() == words.chars().count();
        let mut new = all.chars();
        for c in words.chars() {
            let mut old = [0; 4];
            let mut one = [0; 4];
            match new.next().filter(|_| alike) {
                Some(n) => self.push(at, c.len_utf8(), n.encode_utf8(&mut one)),
                None => {
                    let n = convert_from(c.encode_utf8(&mut old), from, to);
                    self.push(at, c.len_utf8(), &n);
                }
            }
            at += c.len_utf8();
        }
    }

    fn push(&mut self, at: usize, old: usize, new: &str) {
        self.map.push(at, old, self.text.len(), new.len());
        self.text.push_str(new);
    }

    /// If layers are chosen, marks and furniture are left out, but the ends of paragraphs stay.
    fn paragraph(&mut self, s: &Segment) {
        let ends = s.layer == Layer::Blank && self.old.slice(s.span).contains('\n');
        if ends && self.segments.last().is_some_and(|l| l.layer != Layer::Blank) {
            self.words(s);
        }
    }

    fn finish(self, choice: &LayerChoice) -> (Document, OffsetMap) {
        let (old, map) = (self.old, self.map);
        let mut new = Document {
            source: Arc::new(Source::from_text(old.source.path(), self.text)),
            ..old.clone()
        };
        new.segments = self.segments;
        let span = |s: Span| map.span(s);
        new.marks.retain_mut(|m| retain(m, span));
        new.divisions.retain_mut(|d| retain(&mut d.span, span));
        new.sentences =
            old.sentences.iter().map(|j| Sentence { span: map.whole(j.span), ..*j }).collect();
        new.readings.retain_mut(|r| retain(&mut r.span, span));
        new.diagnostics.retain_mut(|d| d.span.as_mut().is_none_or(|s| retain(s, span)));
        new.headers.retain_mut(|h| {
            h.parts.retain_mut(|p| part(p, &map));
            retain(&mut h.span, span)
        });
        new.apparatus.retain_mut(|e| {
            (e.named, e.reading, e.lemma) =
                (e.named.and_then(span), e.reading.and_then(span), e.lemma.and_then(span));
            retain(&mut e.span, span)
        });
        if let Some((from, to)) = self.into {
            let say = |words: &mut String| *words = convert_from(words, from, to).into_owned();
            new.divisions.iter_mut().filter_map(|d| d.title.as_mut()).for_each(say);
            new.readings.iter_mut().map(|r| &mut r.reading).for_each(say);
            let meta = &mut new.meta;
            [&mut meta.work, &mut meta.chapter, &mut meta.collection.title]
                .into_iter()
                .flatten()
                .chain([&mut meta.title])
                .for_each(say);
            meta.layers.iter_mut().map(|(_, who)| &mut who.name).for_each(say);
            meta.language = language(&meta.language, to);
        }
        let edition = new.meta.edition.take().into_iter().chain([choice.note()]);
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
        let map = t.doc.as_ref().map_or(Some(own), |id| maps.get(id).copied())?;
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

/// Where bytes of the old text are in the new one.
#[derive(Debug, Default)]
struct OffsetMap(Vec<OffsetStretch>);

/// Old bytes that correspond to new ones: one by one if there are equally many, else as a whole.
#[derive(Debug)]
struct OffsetStretch {
    old: usize,
    old_len: usize,
    new: usize,
    new_len: usize,
}

impl OffsetMap {
    fn push(&mut self, old: usize, old_len: usize, new: usize, new_len: usize) {
        let stretch = OffsetStretch { old, old_len, new, new_len };
        match self.0.last_mut() {
            Some(last) if last.goes_on_in(&stretch) => {
                last.old_len += old_len;
                last.new_len += new_len;
            }
            _ => self.0.push(stretch),
        }
    }

    /// The new place of an old byte; for omitted text, the place where it was.
    fn at(&self, old: usize) -> usize {
        let Some(i) = self.0.partition_point(|s| s.old <= old).checked_sub(1) else { return 0 };
        let s = &self.0[i];
        let inside = old - s.old;
        match inside {
            0 => s.new,
            _ if inside < s.old_len && s.old_len == s.new_len => s.new + inside,
            _ => s.new + s.new_len,
        }
    }

    /// What is left of a span, empty if nothing.
    fn whole(&self, span: Span) -> Span {
        let start = self.at(span.start());
        Span::new(start, self.at(span.end()).max(start))
    }

    /// What is left of a span, if anything; an empty one keeps its place.
    fn span(&self, span: Span) -> Option<Span> {
        let new = self.whole(span);
        (span.is_empty() || !new.is_empty()).then_some(new)
    }
}

impl OffsetStretch {
    fn goes_on_in(&self, next: &OffsetStretch) -> bool {
        let plain = |s: &OffsetStretch| s.old_len == s.new_len;
        plain(self)
            && plain(next)
            && self.old + self.old_len == next.old
            && self.new + self.new_len == next.new
    }
}
