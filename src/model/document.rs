//! The document: a source and everything that is known about it.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;

use super::shared::SharedList;
use super::speech::Speeches;
use super::{
    ApparatusEntry, BookChapter, Certainty, Commentator, Confirmed, Evidence, Header, Layer,
    LayerKind, Link, Meta, Reading, Segment, Sentence, Speech, SuppliedMark,
};
use crate::diag::Diagnostic;
use crate::source::{Source, Span};
use crate::text::class::content_characters;
use crate::text::one_line::OneLine;
use crate::text::{ends_with_sentence, sentences};

/// A division of the text (章), found by labels or scopes.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Division {
    /// Running number, from 1.
    pub n: u32,
    /// Its title, in the words of the source: 戒百官.
    pub title: Option<String>,
    /// From the first character of its 經 to the start of the next division (or the end).
    pub span: Span,
    /// How certain it is.
    pub certainty: Certainty,
    /// Why.
    pub evidence: Vec<Evidence>,
}

/// A text with its layers and everything found out about it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Document {
    /// Id in its corpus: the file's name without its endings.
    pub id: String,
    /// The text, held once.
    pub source: Arc<Source>,
    /// Name of the reader that read it.
    pub reader: Cow<'static, str>,
    /// What is known from outside the text.
    pub meta: Meta,
    /// Key of its work in the list of works; before it is looked up there, the id of the work that
    /// the file has. Its loci begin with it, unless [`Meta::work_key`] is set.
    pub cited_as: Option<String>,
    /// The layers: cover the source without gap or overlap.
    pub segments: SharedList<Segment>,
    /// Parts of segments that are not text: the end of a printed line, page or double row, or
    /// pinyin that a web page inserted. In order, without overlap, each inside one segment.
    pub marks: SharedList<Span>,
    /// Sections, in order, without overlap.
    pub divisions: SharedList<Division>,
    /// The sentences of the classic with the numbers they are cited by, in order; see
    /// [`Locus`](super::Locus).
    pub sentences: SharedList<Sentence>,
    /// Lemma headers, parsed.
    pub headers: SharedList<Header>,
    /// References.
    pub links: SharedList<Link>,
    /// What notes and sub-commentaries report of others, in order; one may be in another. See
    /// [`speakers`](Self::speakers).
    pub speeches: SharedList<Speech>,
    /// Repairs and other readings, in order.
    pub readings: SharedList<Reading>,
    /// Punctuation that the source does not have, in order, if it was asked for
    /// ([`Settings::punctuation`](crate::Settings::punctuation)).
    pub supplied: SharedList<SuppliedMark>,
    /// Other readings that notes report, in the order of the notes.
    pub apparatus: SharedList<ApparatusEntry>,
    /// Diagnostics.
    pub diagnostics: SharedList<Diagnostic>,
    /// Layers, sections and readings come from our own TEI, perhaps corrected by a person. The
    /// pipeline then runs no pass that would change them.
    pub settled: bool,
    /// True once its work, headings and chapters have been looked for.
    pub(crate) surveyed: bool,
    /// A person or a manifest said how it is to be read.
    pub(crate) reader_named: bool,
    /// Where its chapters are, if it is a whole book that is not cut yet.
    pub(crate) outline: Vec<BookChapter>,
    /// Chapters that the reader itself found, each a document over its part of the source.
    pub(crate) chapters: Vec<Document>,
    /// What a person has decided, in order. Passes treat it as certain.
    pub(crate) confirmed: Vec<Confirmed>,
}

/// Gives ids to segments in order: letters of the layer and a running number.
#[derive(Default)]
struct SegmentIds(FxHashMap<Layer, u32>);

impl SegmentIds {
    fn next(&mut self, layer: Layer) -> EcoString {
        let n = self.0.entry(layer).or_default();
        *n += 1;
        eco_format!("{}{n}", layer.info().prefix)
    }
}

/// A rule of the model that a document breaks, found by [`Document::check`].
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant(pub String);

impl Document {
    /// Who speaks in it.
    pub fn speakers(&self) -> Speeches<'_> {
        Speeches { document: self }
    }

    /// Who wrote a segment, if that is known of its layer.
    pub fn author(&self, segment: &Segment) -> Option<&Commentator> {
        let of = |layer: Layer| self.meta.by(layer);
        segment.sub.and_then(of).or_else(|| of(segment.layer))
    }

    /// A document with only its source.
    pub fn new(source: Arc<Source>, reader: impl Into<Cow<'static, str>>) -> Self {
        let name = source.name().into_owned();
        let id = name.split('.').next().filter(|s| !s.is_empty()).unwrap_or("text").to_string();
        let meta = Meta { title: id.clone(), language: "lzh-Hant".into(), ..Meta::default() };
        Document {
            id,
            source,
            reader: reader.into(),
            meta,
            cited_as: None,
            segments: SharedList::default(),
            marks: SharedList::default(),
            divisions: SharedList::default(),
            sentences: SharedList::default(),
            headers: SharedList::default(),
            links: SharedList::default(),
            speeches: SharedList::default(),
            readings: SharedList::default(),
            supplied: SharedList::default(),
            apparatus: SharedList::default(),
            diagnostics: SharedList::default(),
            settled: false,
            surveyed: false,
            reader_named: false,
            outline: vec![],
            chapters: vec![],
            confirmed: vec![],
        }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.source.slice(span)
    }

    /// The same without the [marks](Self::marks) inside.
    pub fn words(&self, span: Span) -> Cow<'_, str> {
        if self.marks_in(span).is_empty() {
            return Cow::Borrowed(self.slice(span));
        }
        Cow::Owned(self.without_marks(span).map(|s| self.slice(s)).collect())
    }

    /// The words of several spans, sentences of a bead, as one line.
    pub(crate) fn line_of(&self, spans: &[Span]) -> String {
        let mut line = OneLine::default();
        spans.iter().for_each(|span| line.push_sentence(&self.words(*span)));
        line.into_words()
    }

    /// The words of a passage of one layer, without the text of other layers that interrupts it.
    pub(crate) fn words_of_layer(&self, span: Span) -> String {
        let Some(first) = self.segment_at(span.start()) else { return String::new() };
        let layer = self.segments[first].layer;
        let within = self.segments[first..].iter().take_while(|s| s.span.start() < span.end());
        let own = within.filter(|s| s.layer == layer);
        own.map(|s| {
            let part = s.span.start().max(span.start())..s.span.end().min(span.end());
            self.words(Span::new(part.start, part.end)).into_owned()
        })
        .collect()
    }

    /// The parts of a span before, between and after the [marks](Self::marks) inside it. Some may
    /// be empty.
    pub fn without_marks(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let marks = self.marks_in(span);
        let starts =
            std::iter::once(span.start()).chain(marks.iter().map(move |m| m.end().min(span.end())));
        let ends = marks.iter().map(move |m| m.start().max(span.start())).chain([span.end()]);
        starts.zip(ends).map(|(a, b)| Span::new(a, b))
    }

    /// The marks that lie fully or partly in a span.
    pub fn marks_in(&self, span: Span) -> &[Span] {
        let first = self.marks.partition_point(|m| m.end() <= span.start());
        let last = self.marks.partition_point(|m| m.start() < span.end());
        &self.marks[first..last.max(first)]
    }

    /// Index of the segment that contains byte `at`.
    pub fn segment_at(&self, at: usize) -> Option<usize> {
        let i = self.segments.partition_point(|s| s.span.end() <= at);
        (i < self.segments.len()).then_some(i)
    }

    /// Segments of a layer, in order.
    pub fn of_layer(&self, layer: Layer) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(move |s| s.layer == layer)
    }

    /// How many characters a layer has, without punctuation: the figure of every report and page.
    pub(crate) fn characters_of(&self, layer: Layer) -> usize {
        self.of_layer(layer).map(|s| self.characters_in(s)).sum()
    }

    /// The same of all layers of text that it has.
    pub(crate) fn characters_by_layer(&self) -> BTreeMap<Layer, usize> {
        let mut all = BTreeMap::new();
        for segment in self.segments.iter().filter(|s| s.layer.is_text()) {
            *all.entry(segment.layer).or_default() += self.characters_in(segment);
        }
        all
    }

    fn characters_in(&self, segment: &Segment) -> usize {
        let words = self.without_marks(segment.span);
        words.map(|span| content_characters(self.slice(span))).sum()
    }

    /// The sentences of a segment of classic or translation: the numbered ones, or by punctuation
    /// if there are none. They cover the segment. A numbered one comes with its index in
    /// [`sentences`](Self::sentences).
    pub fn sentences_of(&self, segment: &Segment) -> Vec<(Span, Option<usize>)> {
        let mut all = vec![];
        self.each_sentence(segment, |span, number| all.push((span, number)));
        all
    }

    /// The same, one after the other.
    pub(crate) fn each_sentence(
        &self,
        segment: &Segment,
        mut take: impl FnMut(Span, Option<usize>),
    ) {
        let (start, end) = (segment.span.start(), segment.span.end());
        let first = self.sentences.partition_point(|j| j.span.start() < start);
        let last = self.sentences.partition_point(|j| j.span.start() < end);
        if first >= last {
            let all = sentences(self.source.text(), segment.span);
            return all.into_iter().for_each(|s| take(s, None));
        }
        let mut from = start;
        for i in first..last {
            let next = if i + 1 < last { self.sentences[i + 1].span.start() } else { end };
            // Of a part of a text, sentences that were left out are empty.
            if from < next {
                take(Span::new(from, next), Some(i));
            }
            from = next;
        }
    }

    /// Index of the division that a sentence or segment is in; a division that begins inside it
    /// begins with it.
    pub fn division_at(&self, span: Span) -> Option<usize> {
        let i = self.divisions.partition_point(|d| d.span.start() < span.end()).checked_sub(1)?;
        (self.divisions[i].span.end() > span.start()).then_some(i)
    }

    /// True if most runs of the classic end with a sentence, so that a run that does not is
    /// interrupted.
    pub fn is_punctuated(&self) -> bool {
        let (mut runs, mut ended) = (0, 0);
        for (i, s) in self.segments.iter().enumerate() {
            if s.layer.kind() == LayerKind::Base && !self.goes_on_after_mark(i) {
                runs += 1;
                ended += usize::from(ends_with_sentence(self.slice(s.span)));
            }
        }
        ended * 2 > runs
    }

    /// True if only a mark, as the number of a note, is between a segment and the next of its
    /// layer.
    fn goes_on_after_mark(&self, i: usize) -> bool {
        let next = |n: usize| self.segments.get(i + n).map(|s| s.layer);
        next(1) == Some(Layer::Mark) && next(2) == Some(self.segments[i].layer)
    }

    /// Divides marks at the borders of segments: none may cross one.
    pub(crate) fn divide_marks(&mut self) {
        let is_within = |document: &Document, mark: Span| {
            let segment = document.segment_at(mark.start()).map(|n| document.segments[n].span);
            segment.is_none_or(|segment| mark.end() <= segment.end())
        };
        if self.marks.iter().all(|mark| is_within(self, *mark)) {
            return;
        }
        let old = std::mem::take(&mut self.marks);
        for mut mark in old {
            while let Some(i) = self.segment_at(mark.start())
                && self.segments[i].span.end() < mark.end()
            {
                let border = self.segments[i].span.end();
                self.marks.push(Span::new(mark.start(), border));
                mark = Span::new(border, mark.end());
            }
            self.marks.push(mark);
        }
    }

    /// Gives every segment its id: letters of the layer and a running number. Ids do not
    /// contain offsets, so a correction does not change the ids before it.
    pub fn number(&mut self) {
        // A list that is numbered stays shared.
        let mut ids = SegmentIds::default();
        if !self.segments.iter().all(|s| s.id == ids.next(s.layer)) {
            let mut ids = SegmentIds::default();
            self.segments.iter_mut().for_each(|s| s.id = ids.next(s.layer));
        }
    }

    /// Replaces each segment, with its index, by those that `replace` adds to the end of the list.
    /// A long text has many, so no second list is made unless the list is shared. `more` segments
    /// are expected.
    pub(crate) fn replace_segments(
        &mut self,
        more: usize,
        mut replace: impl FnMut(usize, Segment, &mut VecDeque<Segment>),
    ) {
        let mut segments: VecDeque<Segment> =
            std::mem::take(&mut self.segments).into_iter().collect();
        segments.reserve_exact(more);
        for n in 0..segments.len() {
            if let Some(segment) = segments.pop_front() {
                replace(n, segment, &mut segments);
            }
        }
        self.segments = Vec::from(segments).into();
    }

    /// Adds a segment after the others, unless it is empty. Consecutive blanks become one.
    pub fn push(&mut self, segment: Segment) {
        match self.segments.last_mut() {
            _ if segment.span.is_empty() => {}
            Some(last) if last.layer == Layer::Blank && segment.layer == Layer::Blank => {
                last.span = Span::new(last.span.start(), segment.span.end());
            }
            _ => self.segments.push(segment),
        }
    }

    /// The rules that every reader and pass must keep: segments cover the source in order; every
    /// span lies in the text on character boundaries; marks lie inside segments; sections and
    /// sentences are in order and do not overlap; inferred segments have evidence.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Result<(), Invariant> {
        let text = self.source.text();
        let fits = |s: Span| {
            s.start() <= s.end()
                && s.end() <= text.len()
                && text.is_char_boundary(s.start())
                && text.is_char_boundary(s.end())
        };
        let broken = |what: String| Err(Invariant(format!("{}: {what}", self.id)));
        let mut at = 0;
        for s in &self.segments {
            if s.span.start() != at || s.span.is_empty() {
                return broken(format!("segment {s:?} does not follow byte {at}"));
            }
            if !fits(s.span) {
                return broken(format!("segment {s:?} cuts a character"));
            }
            if s.certainty != Certainty::SURE && s.evidence.is_empty() {
                return broken(format!("segment {s:?} is inferred without evidence"));
            }
            at = s.span.end();
        }
        if at != text.len() {
            return broken(format!("segments end at byte {at} of {}", text.len()));
        }
        if let Some(m) = self.marks.windows(2).find(|m| m[0].end() > m[1].start()) {
            return broken(format!("mark {:?} does not follow the one before", m[1]));
        }
        let inside = |m: &&Span| {
            self.segment_at(m.start()).is_some_and(|i| self.segments[i].span.contains(**m))
        };
        if let Some(m) = self.marks.iter().find(|m| !inside(m)) {
            return broken(format!("mark {m:?} is not inside one segment"));
        }
        let in_order = |spans: &[Span]| spans.windows(2).all(|w| w[0].end() <= w[1].start());
        let sections: Vec<Span> = self.divisions.iter().map(|d| d.span).collect();
        if !in_order(&sections) {
            return broken("sections overlap or are not in order".into());
        }
        let sentences: Vec<Span> = self.sentences.iter().map(|s| s.span).collect();
        if !in_order(&sentences) {
            return broken("sentences overlap or are not in order".into());
        }
        match self.spans().find(|s| !fits(*s)) {
            Some(s) => broken(format!("span {s:?} is not inside the text")),
            None => Ok(()),
        }
    }

    /// Every span of the document but those of segments.
    fn spans(&self) -> impl Iterator<Item = Span> + '_ {
        let own = |l: &Link| l.target.as_ref().filter(|t| t.doc.is_none()).map(|t| t.span);
        let links = self.links.iter().flat_map(move |l| [Some(l.span), l.quoted, own(l)]);
        let entries =
            self.apparatus.iter().flat_map(|e| [Some(e.span), e.named, e.reading, e.lemma]);
        let diagnostics = self.diagnostics.iter().map(|d| d.span);
        let optional = links.chain(entries).chain(diagnostics).flatten();
        optional
            .chain(self.divisions.iter().map(|d| d.span))
            .chain(self.headers.iter().map(|h| h.span))
            .chain(self.sentences.iter().map(|s| s.span))
            .chain(self.speeches.iter().map(|s| s.span))
            .chain(self.readings.iter().map(|r| r.span))
            .chain(self.supplied.iter().map(|m| Span::new(m.at, m.at)))
            .chain(self.marks.iter().copied())
            .chain(self.confirmed.iter().map(|c| c.span))
    }

    /// True if some text is not split into layers yet.
    pub fn has_undivided(&self) -> bool {
        self.segments.iter().any(|s| s.layer.kind() == LayerKind::Undivided)
    }
}

#[cfg(feature = "internals")]
impl Document {
    /// What a person has decided, for the crate `lab`.
    #[doc(hidden)]
    pub fn confirmed_mut(&mut self) -> &mut Vec<Confirmed> {
        &mut self.confirmed
    }
}

#[cfg(test)]
impl Document {
    /// A document of marked segments, one after the other.
    pub(crate) fn of_pieces(pieces: &[(Layer, &str)]) -> Self {
        let text: String = pieces.iter().map(|(_, words)| *words).collect();
        let mut document = Document::new(Arc::new(Source::from_text("a.txt", text)), "test");
        let mut at = 0;
        for (layer, words) in pieces {
            document.segments.push(Segment::marked(*layer, Span::new(at, at + words.len())));
            at += words.len();
        }
        document.number();
        document
    }
}
