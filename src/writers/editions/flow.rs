//! The order of reading: a document as sections of blocks, for formats for reading.
//!
//! A block is a paragraph of the reading model as text: classic with the notes in it, a heading, a
//! label, a paragraph of commentary; or the translation of the paragraph before. All text is the
//! source's own, without marks and printed line ends.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::corpus::loci::NotesApart;
use crate::corpus::{Library, Loci, loci};
use crate::model::{
    Alignment, ApparatusEntry, Difference, Document, Layer, LayerKind, LocusPath, ReadingKind,
    SentenceNumber,
};
use crate::reading::{Chapter, Leaves, NameKind, Paragraph, Portion, marked_names, paragraphs};
use crate::source::Span;
use crate::text::one_line::OneLine;

/// A section (章), or what is before the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditionSection<'a> {
    /// Its locus: `yili.05.2`.
    pub locus: String,
    /// Its number; none for text in no section.
    pub number: Option<u32>,
    /// Its title.
    pub title: Option<&'a str>,
    /// Its blocks.
    pub blocks: Vec<EditionBlock<'a>>,
}

/// A paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum EditionBlock<'a> {
    /// A title in the source.
    Heading(Cow<'a, str>),
    /// A label that closes a section, 右….
    Label(Cow<'a, str>),
    /// Classic, translation or undivided text, with the notes in it.
    Text(Vec<EditionRun<'a>>),
    /// Sub-commentary, or a note that no text is before.
    Said {
        /// Its layer.
        layer: Layer,
        /// The lemmata that it explains.
        header: Option<Cow<'a, str>>,
        /// Its text; an editor's note may interrupt it.
        runs: Vec<EditionRun<'a>>,
    },
    /// The translation, in the library, of the text block before.
    Translation(String),
    /// Text of the book outside its layers.
    Other(Cow<'a, str>),
}

/// Text of one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct EditionRun<'a> {
    /// Its layer.
    pub layer: Layer,
    /// The text.
    pub words: Cow<'a, str>,
    /// The number of the sentence that begins here, in its section.
    pub number: Option<SentenceNumber>,
    /// Its place in the text, if it has a locus.
    pub path: Option<LocusPath>,
    /// The leaves of the print that begin in it: the byte of `words`, and the leaf's name.
    pub leaves: Vec<(usize, String)>,
    /// The names of persons and places in it that the source marks: bytes of `words`, in order,
    /// without those within others.
    pub names: Vec<Range<usize>>,
    /// True for a note whose layer is named where it stands in the text: that of 注 is not, nor
    /// that of the only notes of a text.
    pub named: bool,
}

impl EditionRun<'_> {
    /// Its locus, if it has one. `text` names the text.
    pub fn locus(&self, text: &str) -> Option<String> {
        self.path.map(|path| format!("{text}.{path}"))
    }

    /// Without the blanks around it.
    pub fn trimmed(self) -> Self {
        let before = self.words.len() - self.words.trim_start().len();
        let words = trimmed(self.words);
        let at = |at: usize| at.saturating_sub(before).min(words.len());
        let leaves = self.leaves.into_iter().map(|(byte, name)| (at(byte), name)).collect();
        let names = self.names.into_iter().map(|name| at(name.start)..at(name.end)).collect();
        EditionRun { leaves, names, words, ..self }
    }

    /// True for a note on the text before it.
    pub fn is_note(&self) -> bool {
        self.layer.kind() == LayerKind::Note
    }
}

/// One line of the apparatus.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Where.
    pub locus: Option<String>,
    /// The words in the text; if they were not found, those in the note.
    pub lemma: String,
    /// The witness with another reading, the reading, and the witnesses that agree with the text:
    /// 今文 作 緆; 宋本.
    pub says: String,
}

/// Text for reading: without marks, and with blanks for line ends between Latin words.
pub fn words(document: &Document, span: Span) -> Cow<'_, str> {
    let words = document.words(span);
    if memchr::memchr2(b'\n', b'\r', words.as_bytes()).is_none() {
        return words;
    }
    let mut line = OneLine::default();
    line.push(&words);
    line.into_words().into()
}

/// Text without the blanks around it.
fn trimmed(words: Cow<'_, str>) -> Cow<'_, str> {
    match words {
        Cow::Borrowed(words) => words.trim().into(),
        Cow::Owned(words) => words.trim().to_string().into(),
    }
}

/// Text on one line, for formats that give it one line: line separators become blanks.
pub fn one_line(words: &str) -> Cow<'_, str> {
    let parts = |c: char| {
        matches!(c, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
    };
    if words.contains(parts) { words.replace(parts, " ").into() } else { words.into() }
}

/// The sections of a document.
pub fn sections<'a>(document: &'a Document, library: &Library) -> Vec<EditionSection<'a>> {
    let chapter = &Chapter::of(document);
    let beads =
        library.alignments.iter().filter(|a| a.source == document.id && a.translation != a.source);
    let beads = beads.filter_map(|a| Some((a, library.get(&a.translation)?)));
    let translations = beads.map(|(a, d)| Translated::new(a, d)).collect();
    let text = loci::text_of(document).to_string();
    let done = vec![EditionSection { locus: text.clone(), ..EditionSection::default() }];
    let leaves = Leaves::of(document).at_text(document);
    let apart = NotesApart::of(document);
    let elements = chapter.elements.iter().enumerate().rev();
    let notes = elements.filter(|(_, e)| apart.has(e.segment()));
    let note_of = notes.map(|(n, e)| (e.segment(), n)).collect();
    let mut writer = Flow {
        document,
        chapter,
        leaves,
        names: proper_names(document),
        text,
        translations,
        done,
        division: None,
        reach: 0,
        named: has_several_notes(document),
        note_of,
        apart,
        settled: 0,
    };
    for p in &paragraphs(chapter) {
        writer.paragraph(p);
    }
    let mut rest = vec![];
    writer.settle(usize::MAX, &mut rest);
    if !rest.is_empty() {
        writer.blocks().push(EditionBlock::Text(rest));
    }
    writer.translate();
    writer.done.retain(|s| !s.blocks.is_empty());
    writer.done
}

/// The names of persons and places that a document marks, in order, without those within others.
fn proper_names(document: &Document) -> Vec<Span> {
    let is_proper = |kind| matches!(kind, NameKind::Person | NameKind::Place);
    let marked = marked_names(document).into_iter().filter(|name| is_proper(name.kind));
    let mut names: Vec<Span> = vec![];
    for name in marked.map(|name| name.span) {
        if names.last().is_none_or(|last| last.end() <= name.start()) {
            names.push(name);
        }
    }
    names
}

/// True if a document has notes of more than one layer.
fn has_several_notes(document: &Document) -> bool {
    let mut notes =
        document.segments.iter().map(|s| s.layer).filter(|l| l.kind() == LayerKind::Note);
    notes.next().is_some_and(|first| notes.any(|layer| layer != first))
}

/// The apparatus of a document: what its notes say about readings, and the corrections beside the
/// text.
pub fn apparatus(document: &Document) -> Vec<Variant> {
    let loci = Loci::of(document);
    let locus = |span: Span| loci.name(span).map(|l| l.to_string());
    let of_note = |e: &ApparatusEntry| Variant {
        locus: locus(e.lemma.unwrap_or(e.span)),
        lemma: e.lemma.or(e.named).map(|s| words(document, s).into_owned()).unwrap_or_default(),
        says: reading(document, e),
    };
    // Marks that the source does not have are too many to list.
    let listed = document
        .readings
        .iter()
        .filter(|r| r.kind == ReadingKind::Witness || !r.reading.is_empty());
    let repaired = listed.map(|r| Variant {
        locus: locus(r.span),
        lemma: words(document, r.span).into_owned(),
        says: match r.kind {
            ReadingKind::Source => format!("底本 {} ({})", r.reading, r.certainty),
            ReadingKind::Witness => {
                let witness = r.evidence.first().and_then(|e| e.detail.as_deref());
                let read = if r.reading.is_empty() { "無" } else { &r.reading };
                format!("{} {read}", witness.unwrap_or("別本"))
            }
            _ => format!("讀 {} ({})", r.reading, r.certainty),
        },
    });
    document.apparatus.iter().map(of_note).chain(repaired).collect()
}

fn reading(document: &Document, e: &ApparatusEntry) -> String {
    let read = e.reading.map(|s| words(document, s)).unwrap_or_default();
    let how = match e.difference {
        Difference::Other => "作",
        Difference::Lacks => "無",
        Difference::Adds => "有",
        Difference::ReadAs => "讀爲",
        Difference::Emends => "當爲",
    };
    let support =
        if e.support.is_empty() { String::new() } else { format!("; {}", e.support.join("、")) };
    format!("{} {how} {read}", e.witness).trim_end().to_string() + &support
}

/// A translation, bead by bead.
struct Translated<'a> {
    document: &'a Document,
    /// Start of each bead in the classic, and its spans in the translation.
    beads: Vec<(usize, &'a [Span])>,
    next: usize,
}

impl<'a> Translated<'a> {
    fn new(alignment: &'a Alignment, document: &'a Document) -> Self {
        let sound = alignment.beads.iter().filter(|b| !b.translation.is_empty());
        let mut beads: Vec<_> =
            sound.filter_map(|b| Some((b.source.first()?.start(), &b.translation[..]))).collect();
        beads.sort_by_key(|(start, _)| *start);
        Translated { document, beads, next: 0 }
    }

    /// The translation of the text up to `end`, without what was returned before.
    fn until(&mut self, end: usize) -> String {
        let from = self.next;
        while self.beads.get(self.next).is_some_and(|(start, _)| *start < end) {
            self.next += 1;
        }
        let beads = self.beads[from..self.next].iter();
        let spans: Vec<Span> = beads.flat_map(|(_, spans)| spans.iter().copied()).collect();
        self.document.line_of(&spans)
    }
}

struct Flow<'a, 'l> {
    document: &'a Document,
    chapter: &'l Chapter,
    leaves: Leaves,
    names: Vec<Span>,
    text: String,
    translations: Vec<Translated<'l>>,
    done: Vec<EditionSection<'a>>,
    division: Option<usize>,
    /// Where the last text of the classic ended.
    reach: usize,
    /// The notes are of several layers.
    named: bool,
    /// Notes that stand elsewhere than their numbers, and the element of each by its segment.
    apart: NotesApart,
    note_of: FxHashMap<usize, usize>,
    /// How many of them have been added.
    settled: usize,
}

impl<'a> Flow<'a, '_> {
    fn paragraph(&mut self, paragraph: &Paragraph) {
        self.section(paragraph.division);
        let kind = paragraph.layer.kind();
        if paragraph.layer != Layer::Label && kind != LayerKind::Note {
            self.translate();
        }
        let one = |flow: &Self| {
            let span = paragraph.portions.first().map(|p| flow.chapter.span(p));
            span.map(|s| trimmed(words(flow.document, s))).unwrap_or_default()
        };
        if kind == LayerKind::Note {
            let own = paragraph.portions.iter().filter(|p| !self.apart.has(p.segment()));
            let notes: Vec<_> = own.map(|p| self.alone(p)).collect();
            return self.blocks().extend(notes);
        }
        let block = match paragraph.layer {
            Layer::Heading => EditionBlock::Heading(one(self)),
            Layer::Label => EditionBlock::Label(one(self)),
            layer if kind == LayerKind::Commentary => EditionBlock::Said {
                layer,
                header: paragraph
                    .header
                    .as_ref()
                    .map(|h| trimmed(words(self.document, self.chapter.span(h)))),
                runs: self.runs(paragraph),
            },
            _ if kind == LayerKind::Structure => EditionBlock::Other(one(self)),
            _ => EditionBlock::Text(self.runs(paragraph)),
        };
        self.blocks().push(block);
    }

    /// A note that no text is before.
    fn alone(&self, portion: &Portion) -> EditionBlock<'a> {
        let note = self.run(portion.elements().start).trimmed();
        EditionBlock::Said { layer: note.layer, header: None, runs: vec![note] }
    }

    fn blocks(&mut self) -> &mut Vec<EditionBlock<'a>> {
        // There is always at least the first section.
        &mut self.done.last_mut().expect("a section is open").blocks
    }

    /// Opens the section of a division, if it is a new one.
    fn section(&mut self, division: Option<usize>) {
        if division == self.division {
            return;
        }
        self.translate();
        self.division = division;
        let section = match division.map(|n| &self.document.divisions[n]) {
            Some(d) => EditionSection {
                locus: format!("{}.{}", self.text, d.n),
                number: Some(d.n),
                title: d.title.as_deref(),
                blocks: vec![],
            },
            None => {
                EditionSection { locus: format!("{}.0", self.text), ..EditionSection::default() }
            }
        };
        self.done.push(section);
    }

    fn runs(&mut self, paragraph: &Paragraph) -> Vec<EditionRun<'a>> {
        let mut runs = Vec::with_capacity(paragraph.portions.len());
        for portion in &paragraph.portions {
            let first = self.chapter.first(portion);
            match first.layer.kind() {
                _ if self.apart.has(portion.segment()) => {}
                LayerKind::Base | LayerKind::Translation => {
                    portion.elements().for_each(|i| self.with_notes(i, &mut runs));
                    self.reach = self.chapter.span(portion).end();
                }
                LayerKind::Undivided => {
                    runs.extend(self.undivided(portion));
                    self.reach = self.chapter.span(portion).end();
                }
                LayerKind::Commentary => {
                    runs.push(self.run(portion.elements().start).trimmed());
                }
                _ => runs.push(self.run(portion.elements().start)),
            }
        }
        runs
    }

    /// An element of the classic, with the notes whose numbers are before it or in it.
    fn with_notes(&mut self, element: usize, runs: &mut Vec<EditionRun<'a>>) {
        let span = self.chapter.elements[element].span;
        self.settle(span.start() + 1, runs);
        let mut from = span.start();
        while let Some((at, _)) = self.next_apart().filter(|(at, _)| *at < span.end()) {
            runs.push(self.part(element, Span::new(from, at)));
            self.settle(at + 1, runs);
            from = at;
        }
        // Its end may be a number alone.
        let rest = self.part(element, Span::new(from, span.end()));
        runs.extend((from == span.start() || !rest.words.is_empty()).then_some(rest));
    }

    /// The next note that stands elsewhere than its number.
    fn next_apart(&self) -> Option<(usize, usize)> {
        self.apart.all().get(self.settled).copied()
    }

    /// Adds the notes whose numbers are before a byte: to the runs of a block that has begun, else
    /// to the last one.
    fn settle(&mut self, until: usize, runs: &mut Vec<EditionRun<'a>>) {
        while let Some((_, segment)) = self.next_apart().filter(|(at, _)| *at < until) {
            self.settled += 1;
            let Some(note) = self.note_of.get(&segment) else { continue };
            let note = self.run(*note).trimmed();
            let blocks = self.done.iter_mut().rev().flat_map(|s| s.blocks.iter_mut().rev());
            let last = blocks.filter_map(|block| match block {
                EditionBlock::Text(runs) => Some(runs),
                _ => None,
            });
            match last.into_iter().next().filter(|_| runs.is_empty()) {
                Some(last) => last.push(note),
                None => runs.push(note),
            }
        }
    }

    fn run(&self, element: usize) -> EditionRun<'a> {
        self.part(element, self.chapter.elements[element].span)
    }

    /// A part of an element. The number of its sentence stands before the first.
    fn part(&self, element: usize, span: Span) -> EditionRun<'a> {
        let e = &self.chapter.elements[element];
        let number = e.sentence().filter(|_| span.start() == e.span.start());
        EditionRun {
            layer: e.layer,
            words: words(self.document, span),
            number: number.map(|i| self.document.sentences[i].name()),
            path: self.chapter.locus(element).map(|l| l.path),
            leaves: self.leaves(span),
            names: self.names(span),
            named: self.named && e.layer.kind() == LayerKind::Note && e.layer != Layer::Zhu,
        }
    }

    /// The leaves that begin in a span, each with the byte of its words.
    fn leaves(&self, span: Span) -> Vec<(usize, String)> {
        let upto = |at: usize| words(self.document, Span::new(span.start(), at)).len();
        self.leaves.within(span).iter().map(|leaf| (upto(leaf.at), leaf.name())).collect()
    }

    /// The names in a span, by the bytes of its words.
    fn names(&self, span: Span) -> Vec<Range<usize>> {
        let first = self.names.partition_point(|name| name.start() < span.start());
        let here = self.names[first..].iter().take_while(|name| name.end() <= span.end());
        // Words between names are read once: a paragraph may have thousands of names.
        let (mut at, mut read) = (span.start(), OneLine::default());
        let ranges = here.map(|name| {
            read.push(&self.document.words(Span::new(at, name.start())));
            at = name.end();
            let own = self.document.words(*name);
            let start = read.start_of(&own);
            read.push(&own);
            start..read.len()
        });
        ranges.collect()
    }

    /// Undivided text is one element, but may have numbered sentences.
    fn undivided(&self, portion: &Portion) -> Vec<EditionRun<'a>> {
        let segment = &self.document.segments[portion.segment()];
        let cited = self.chapter.locus(portion.elements().start).is_some();
        let run = |(span, sentence): (Span, Option<usize>)| {
            let sentence = sentence.map(|i| self.document.sentences[i]);
            let path = sentence.map(|s| LocusPath::sentence(s.section, s.n, s.part));
            EditionRun {
                layer: segment.layer,
                words: words(self.document, span),
                number: sentence.map(|s| s.name()),
                path: path.filter(|_| cited),
                leaves: self.leaves(span),
                names: self.names(span),
                named: false,
            }
        };
        self.document.sentences_of(segment).into_iter().map(run).collect()
    }

    /// The translation of what has been written since the last one.
    fn translate(&mut self) {
        let reach = self.reach;
        let words: Vec<_> = self
            .translations
            .iter_mut()
            .map(|t| t.until(reach))
            .filter(|w| !w.is_empty())
            .collect();
        let blocks = self.blocks();
        blocks.extend(words.into_iter().map(EditionBlock::Translation));
    }
}
