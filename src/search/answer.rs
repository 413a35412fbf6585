//! Hits as answers: the text in its context, its place, its speaker, its certainty.

use std::collections::HashSet;
use std::sync::Arc;

use serde::ser::{SerializeMap, Serializer};

use super::eval::{self, Folding, HitRange, Options, with_units};
use super::found::SearchResults;
use super::index::Index;
use super::locus::{HitLocus, HitPart, locus_of, passage};
use super::store::file::IndexFile;
use super::units::{DocMeta, INTERRUPTED, Laid, Placed};
use crate::diag::Error;
use crate::model::{Certainty, Layer, LayerKind};
use crate::source::Span;

/// Which answers to give, and with how much context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// Characters of context on either side, punctuation not counted.
    pub context: usize,
    /// Order of the answers.
    pub sort: Sort,
    /// How many to skip.
    pub skip: usize,
    /// How many to give at most.
    pub limit: usize,
}

impl Default for Show {
    fn default() -> Self {
        Show { context: 12, sort: Sort::Reading, skip: 0, limit: 20 }
    }
}

/// Order of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The classics first, then all that was written about them, both in the order of the corpus.
    /// In each text, what has the characters of the query comes before what has variants of them.
    #[default]
    Reading,
    /// In the order of the corpus.
    Place,
    /// By the characters before, the nearest first.
    Left,
    /// By the characters after.
    Right,
}

/// One hit with everything shown about it. In JSON it is one object; spans count code points.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Answer {
    /// Id of the document.
    pub document: String,
    /// Name of its file.
    pub file: String,
    /// Its locus and its text. In JSON `yili.05.23.2`, or null in a text without numbers.
    #[serde(flatten, serialize_with = "locus_words")]
    pub locus: HitLocus,
    /// Line and column in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Work and chapter.
    pub work: Option<String>,
    /// Chapter.
    pub chapter: Option<String>,
    /// Title of the section, as in the text.
    pub section: Option<String>,
    /// The leaf or page of the print on which it begins, if the text says so: `KR1d0026_SBCK
    /// 006-1b`.
    pub leaf: Option<String>,
    /// Layer.
    #[serde(serialize_with = "layer_id")]
    pub layer: Layer,
    /// Who says it, if that is known.
    pub by: Option<String>,
    /// How certain it is that the hit belongs to this layer, 0 to 1.
    #[serde(serialize_with = "rounded")]
    pub certainty: Certainty,
    /// The text before it in the same layer, with punctuation. ‖ marks where something of another
    /// layer interrupts.
    pub left: String,
    /// The hit.
    pub hit: String,
    /// The text after it.
    pub right: String,
    /// Where the hit is: code points of the source's text, from and to (exclusive); several spans
    /// where something of another layer interrupts.
    pub spans: Vec<(usize, usize)>,
    /// The same, in bytes.
    #[serde(skip)]
    pub bytes: Vec<Span>,
    /// Where the hit begins on the pages, for `page.html#…`: the locus of its sentence or note,
    /// which leads from the first page of a long text to the right one; in a text without numbers
    /// the id of its element (`x1.2`).
    pub anchor: Option<String>,
    /// The address of the hit on pages, for `page.html?w=…#anchor`: elements as in TEI, and
    /// characters in them: `x1.2:0-x1.2:4`.
    pub words: Option<String>,
}

fn layer_id<S: Serializer>(layer: &Layer, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(layer.id())
}

fn rounded<S: Serializer>(certainty: &Certainty, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_f64(certainty.rounded())
}

fn locus_words<S: Serializer>(locus: &HitLocus, s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(3))?;
    map.serialize_entry("locus", &locus.passage.as_ref().map(ToString::to_string))?;
    map.serialize_entry("text", &locus.text)?;
    map.serialize_entry("witness", &locus.witness)?;
    map.end()
}

/// Characters of the context that decide the order.
const SORT_CONTEXT_CHARS: usize = 8;

impl SearchResults<'_> {
    /// The answers that `show` asks for.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn answers(&self, show: &Show) -> Result<Vec<Answer>, Error> {
        let wanted = show.skip.saturating_add(show.limit);
        let is_classic = |unit: &Placed| unit.unit.layer.kind() == LayerKind::Base;
        let hits = match show.sort {
            Sort::Reading => {
                let as_asked = self.without_variants()?;
                let mut hits = self.by_place(wanted, is_classic, as_asked.as_ref())?;
                let rest = wanted - hits.len().min(wanted);
                hits.extend(self.by_place(rest, |unit| !is_classic(unit), as_asked.as_ref())?);
                hits
            }
            Sort::Place => self.by_place(wanted, |_| true, None)?,
            Sort::Left | Sort::Right => self.by_context(show.sort)?,
        };
        hits.iter()
            .skip(show.skip)
            .take(show.limit)
            .map(|h| answer(self.index, h, show.context))
            .collect()
    }

    /// The hits that have the characters of the query, in either script; none if all have.
    fn without_variants(&self) -> Result<Option<HashSet<HitRange>>, Error> {
        if self.options.folding != Folding::Full || self.hits.len() < 2 {
            return Ok(None);
        }
        let options = Options { folding: Folding::Script, ..self.options };
        let hits = eval::hits_of(self.index, &self.node, options)?;
        Ok((hits.len() < self.hits.len()).then(|| hits.into_iter().collect()))
    }

    /// The first hits in some units, in the order of the corpus, in each document those `first`
    /// that are named; read document by document, and only as many documents as needed.
    fn by_place(
        &self,
        wanted: usize,
        is_in: impl Fn(&Placed) -> bool,
        first: Option<&HashSet<HitRange>>,
    ) -> Result<Vec<HitRange>, Error> {
        let is_late = |hit: &HitRange| first.is_some_and(|first| !first.contains(hit));
        let mut placed = Vec::new();
        let mut hits = &self.hits[..];
        while let Some(next) = hits.first().filter(|_| placed.len() < wanted) {
            let documents = self.index.files[next.file as usize].documents()?;
            let after = documents.get(documents.partition_point(|d| d.first <= next.start));
            let n = hits
                .partition_point(|h| h.file == next.file && after.is_none_or(|d| h.start < d.first))
                .max(1);
            let mut of_document = Vec::with_capacity(n);
            for pair in with_units(self.index, &hits[..n]) {
                let (hit, unit) = pair?;
                if is_in(&unit) {
                    of_document.push((is_late(&hit), unit.unit.start(), hit));
                }
            }
            of_document.sort_unstable();
            placed.extend(of_document.into_iter().map(|(_, _, hit)| hit));
            hits = &hits[n..];
        }
        Ok(placed)
    }

    fn by_context(&self, sort: Sort) -> Result<Vec<HitRange>, Error> {
        let mut keyed = Vec::with_capacity(self.hits.len());
        for hit in &self.hits {
            let window = Window::of(self.index, hit, SORT_CONTEXT_CHARS)?;
            let key: Vec<char> = match sort {
                Sort::Left => window.chars_before(SORT_CONTEXT_CHARS),
                _ => window.chars_after(SORT_CONTEXT_CHARS),
            };
            keyed.push((key, *hit));
        }
        keyed.sort();
        Ok(keyed.into_iter().map(|(_, hit)| hit).collect())
    }
}

/// A hit and the units around it in the same run.
pub(super) struct Window {
    /// Units with their text; the hit begins in `first` and ends in `last`.
    units: Vec<(Placed, Arc<Laid>)>,
    first: usize,
    last: usize,
    /// Characters of the first unit before the hit, and of the last up to its end.
    from: usize,
    to: usize,
}

impl Window {
    /// Reads a hit with at least `context` characters on either side, if its run is that long.
    pub(super) fn of(index: &Index, hit: &HitRange, context: usize) -> Result<Self, Error> {
        let file = &index.files[hit.file as usize];
        let mut units = vec![load(file, file.unit_at(hit.start)?)?];
        let from =
            hit.start.checked_sub(units[0].0.first).ok_or_else(|| file.inconsistent())? as usize;
        while let Some((unit, _)) = units.last().filter(|(u, _)| u.end() < hit.end()) {
            let next = if unit.ends_run { return Err(file.inconsistent()) } else { unit.n + 1 };
            units.push(load(file, file.unit(next)?)?);
        }
        let mut last = units.len() - 1;
        let to = (hit.end() - units[last].0.first) as usize;
        let mut first = 0;
        let mut before = from;
        while before < context && units[0].0.n > 0 {
            let unit = file.unit(units[0].0.n - 1)?;
            if unit.ends_run || unit.doc != units[0].0.doc {
                break;
            }
            before += unit.unit.len as usize;
            units.insert(0, load(file, unit)?);
            (first, last) = (first + 1, last + 1);
        }
        let mut after = units[last].1.chars.len() - to;
        while let Some((unit, _)) = units.last().filter(|(u, _)| after < context && !u.ends_run) {
            let unit = file.unit(unit.n + 1)?;
            after += unit.unit.len as usize;
            units.push(load(file, unit)?);
        }
        Ok(Window { units, first, last, from, to })
    }

    /// Folded characters before the hit, the nearest first.
    pub(super) fn chars_before(&self, n: usize) -> Vec<char> {
        let own = self.units[self.first].1.chars[..self.from].iter().rev();
        let before = self.units[..self.first].iter().rev().flat_map(|(_, l)| l.chars.iter().rev());
        own.chain(before).take(n).copied().collect()
    }

    /// Folded characters after the hit.
    pub(super) fn chars_after(&self, n: usize) -> Vec<char> {
        let own = self.units[self.last].1.chars[self.to..].iter();
        own.chain(self.units[self.last + 1..].iter().flat_map(|(_, l)| &l.chars))
            .take(n)
            .copied()
            .collect()
    }

    /// Folded characters of the hit.
    pub(super) fn chars(&self) -> Vec<char> {
        let pieces = self.pieces();
        pieces.flat_map(|(_, laid, from, to)| laid.chars[from..to].iter().copied()).collect()
    }

    /// The units of the hit, each with its range of characters.
    fn pieces(&self) -> impl Iterator<Item = (&Placed, &Laid, usize, usize)> {
        self.units[self.first..=self.last].iter().zip(self.first..).map(|((unit, laid), i)| {
            let from = if i == self.first { self.from } else { 0 };
            let to = if i == self.last { self.to } else { laid.chars.len() };
            (unit, &**laid, from, to)
        })
    }

    /// The hit as written in the source, without what interrupts it.
    pub(super) fn form(&self) -> String {
        self.pieces().flat_map(|(_, laid, from, to)| (from..to).map(|n| laid.original(n))).collect()
    }

    fn hit(&self) -> String {
        let mut words = String::new();
        for (i, (_, laid, from, to)) in self.pieces().enumerate() {
            if i > 0 {
                words.push(INTERRUPTED);
                words.push_str(laid.before(0, 0));
            }
            words.push_str(laid.words(from, to));
            if self.first + i < self.last {
                words.push_str(laid.after(to, to));
            }
        }
        words
    }

    fn left(&self, n: usize) -> String {
        let mut words =
            self.units[self.first].1.before(self.from.saturating_sub(n), self.from).to_string();
        let mut missing = n.saturating_sub(self.from);
        for (_, laid) in self.units[..self.first].iter().rev() {
            if missing == 0 {
                break;
            }
            let len = laid.chars.len();
            words =
                format!("{}{INTERRUPTED}{words}", laid.before(len.saturating_sub(missing), len));
            missing = missing.saturating_sub(len);
        }
        words
    }

    fn right(&self, n: usize) -> String {
        let laid = &self.units[self.last].1;
        let mut words = laid.after(self.to, self.to + n).to_string();
        let mut missing = n.saturating_sub(laid.chars.len() - self.to);
        for (_, laid) in &self.units[self.last + 1..] {
            if missing == 0 {
                break;
            }
            words.push(INTERRUPTED);
            words.push_str(laid.before(0, missing));
            missing = missing.saturating_sub(laid.chars.len());
        }
        words
    }

    /// The first part of the hit and the last.
    fn ends<'a>(
        &'a self,
        file: &'a IndexFile,
        meta: &'a DocMeta,
    ) -> Option<(HitPart<'a>, HitPart<'a>)> {
        let of = |(unit, laid, from, to): (&'a Placed, &'a Laid, usize, usize), part: u32| {
            let inside = (from..to).filter(|n| laid.parts[*n] == part);
            let spans = inside.fold(None, |all: Option<Span>, n| {
                Some(Span::new(
                    all.map_or(laid.spans[n].start(), |s| s.start()),
                    laid.spans[n].end(),
                ))
            });
            Some(HitPart { file, meta, unit, part: part as usize, span: spans? })
        };
        let (first, last) = (self.pieces().next()?, self.pieces().last()?);
        Some((
            of(first, *first.1.parts.get(first.2)?)?,
            of(last, *last.1.parts.get(last.3.checked_sub(1)?)?)?,
        ))
    }

    /// Where the hit is: a span for each part that contains some of it.
    fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = vec![];
        for (_, laid, from, to) in self.pieces() {
            let mut n = from;
            while n < to {
                let same = (n..to).take_while(|i| laid.parts[*i] == laid.parts[n]).count();
                spans.push(Span::new(laid.spans[n].start(), laid.spans[n + same - 1].end()));
                n += same;
            }
        }
        spans
    }
}

fn load(file: &IndexFile, unit: Placed) -> Result<(Placed, Arc<Laid>), Error> {
    let laid = file.laid(&unit)?;
    Ok((unit, laid))
}

fn answer(index: &Index, hit: &HitRange, context: usize) -> Result<Answer, Error> {
    let file = &index.files[hit.file as usize];
    let window = Window::of(index, hit, context)?;
    let (unit, meta) =
        (&window.units[window.first].0, file.meta(window.units[window.first].0.doc)?);
    let bytes = window.spans();
    let start = bytes.first().map_or(0, |s| s.start());
    let (place, mut character) = file.place(unit.doc, start)?;
    let ends = window.ends(file, &meta);
    let passage = ends.as_ref().map_or(Ok(None), |(first, last)| passage(first, last))?;
    let locus = locus_of(&meta, passage, start, place);
    let mut spans = Vec::with_capacity(bytes.len());
    let mut at = start;
    for span in &bytes {
        let mut upto = |byte: usize| {
            // The sides of beads may be in any order.
            character = match byte < at {
                true => file.place(unit.doc, byte)?.1,
                false => character + file.text(unit.doc, Span::new(at, byte))?.chars().count(),
            };
            at = byte;
            Ok::<_, Error>(character)
        };
        spans.push((upto(span.start())?, upto(span.end())?));
    }
    let layer = unit.unit.sub.unwrap_or(unit.unit.layer);
    let certainties = window.pieces().map(|(u, ..)| u.unit.certainty);
    let anchor = ends.as_ref().and_then(|(first, _)| first.anchor());
    let words = ends.as_ref().map_or(Ok(None), |(first, last)| page_words(first, last))?;
    Ok(Answer {
        document: meta.id.clone(),
        file: meta.file.clone(),
        line: place.line,
        column: place.column,
        work: meta.work.clone(),
        chapter: meta.chapter.clone(),
        section: locus.section.clone(),
        leaf: meta.leaves.name(start).map(String::from),
        locus,
        layer,
        by: said_by(file, hit, unit, &meta)?,
        certainty: certainties.fold(Certainty::SURE, |a, b| if b < a { b } else { a }),
        left: window.left(context),
        hit: window.hit(),
        right: window.right(context),
        spans,
        bytes,
        anchor,
        words,
    })
}

/// Who says all of a hit: the speaker whose words are reported there, else who wrote the layer.
pub(super) fn said_by(
    file: &IndexFile,
    hit: &HitRange,
    unit: &Placed,
    meta: &DocMeta,
) -> Result<Option<String>, Error> {
    let from = hit.start - unit.first.min(hit.start);
    let to = (from + hit.len).min(unit.unit.len);
    let said = meta.speeches.who(file.number_in_document(unit)?, from, to);
    let layer = unit.unit.sub.unwrap_or(unit.unit.layer);
    let author = meta.by(layer).or_else(|| meta.by(unit.unit.layer)).map(|a| a.name.as_str());
    Ok(said.or(author).map(str::to_string))
}

/// The address of a hit on pages, `x1.2:0-x1.4:7`: the first and the last element, and how many
/// characters other than blanks come before it in each. `None` if segments have no ids.
fn page_words(first: &HitPart<'_>, last: &HitPart<'_>) -> Result<Option<String>, Error> {
    let from = first.element(first.span.start(), first.span.start())?;
    let to = last.element(last.span.end() - 1, last.span.end())?;
    Ok(from.zip(to).map(|((from, before), (to, upto))| format!("{from}:{before}-{to}:{upto}")))
}
