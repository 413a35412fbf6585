//! A book of paragraphs, made from the order of reading (`flow.rs`): what DOCX, ODT and LaTeX have
//! in common. Each of them only writes the paragraphs down.
//!
//! A paragraph has a style, and pieces: runs of characters that look alike, and notes. Every
//! character of the text is in one piece; what the edition adds (names of layers, numbers, leaves)
//! has runs of its own. The titles of texts and sections are paragraphs with anchors, to which the
//! contents lead.

mod looks;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::flow::{EditionBlock, EditionRun, EditionSection, Variant};
use super::{Edition, NotesAt};
use crate::model::{Document, Layer};
use crate::text::script;
pub(super) use looks::{BookLook, LookKind, LookOf, fonts};

/// The script of a text, which decides its fonts and its language for a word processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookScript {
    /// Traditional.
    Hant,
    /// Simplified.
    Hans,
}

impl BookScript {
    /// That of a text by its characters, or by the language it is said to be in.
    fn of(document: &Document) -> Self {
        let is_simplified = match script::detect(document.source.text()) {
            Some(found) => found == script::Script::Simplified,
            None => document.meta.language.contains("Hans"),
        };
        if is_simplified { BookScript::Hans } else { BookScript::Hant }
    }

    /// As a language and a country: `zh-TW`.
    pub(super) fn locale(self) -> (&'static str, &'static str) {
        match self {
            BookScript::Hant => ("zh", "TW"),
            BookScript::Hans => ("zh", "CN"),
        }
    }
}

/// What a paragraph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParagraphStyle {
    /// The title of the whole.
    Title,
    /// Who made it, its licence, its date.
    About,
    /// The title of the contents, which follow it.
    Contents,
    /// The title of a text, or of what follows all texts.
    Text,
    /// The title of a section.
    Section,
    /// Text in which this layer comes first.
    Layer(Layer),
    /// An entry of the apparatus.
    Variant,
    /// What a text was read from.
    Source,
}

impl ParagraphStyle {
    /// The level of a heading.
    pub(super) fn level(self) -> Option<usize> {
        match self {
            ParagraphStyle::Text => Some(1),
            ParagraphStyle::Section => Some(2),
            ParagraphStyle::Layer(Layer::Heading) => Some(3),
            _ => None,
        }
    }
}

/// What a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunStyle {
    /// As its paragraph.
    Plain,
    /// Text of another layer than that of the paragraph.
    Layer(Layer),
    /// The name of a layer, before its text.
    Mark,
    /// The number of a sentence.
    Number,
    /// The name of a leaf of the print, where it begins.
    Leaf,
    /// What is between the sign of a note and a number or the sign of another note.
    Between,
}

/// Characters that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookRun<'a> {
    pub(super) style: RunStyle,
    pub(super) words: Cow<'a, str>,
}

impl BookRun<'_> {
    /// Its words as a word processor shows them, with what sets them off.
    pub(super) fn shown(&self) -> Cow<'_, str> {
        match self.style {
            RunStyle::Mark => format!("{}\u{3000}", self.words).into(),
            RunStyle::Leaf => format!("[{}]", self.words).into(),
            _ => (&*self.words).into(),
        }
    }
}

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BookPiece<'a> {
    /// Characters in the line.
    Run(BookRun<'a>),
    /// A note for the foot of the page. Its first run names its layer.
    Note(Layer, Vec<BookRun<'a>>),
}

/// A paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookParagraph<'a> {
    pub(super) style: ParagraphStyle,
    /// The number of a title that the contents have.
    pub(super) anchor: Option<usize>,
    /// Its script, where that is not the one of the book.
    pub(super) script: Option<BookScript>,
    pub(super) pieces: Vec<BookPiece<'a>>,
}

/// An entry of the contents. Its place among them is its anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookTitle {
    /// 1 for a text, 2 for a section.
    pub(super) level: usize,
    pub(super) words: String,
}

/// A text of a book.
struct BookText<'a> {
    document: &'a Document,
    script: BookScript,
    sections: Vec<EditionSection<'a>>,
    apparatus: Vec<Variant>,
}

/// What takes the paragraphs of a book, in order.
pub(super) trait TakeParagraphs {
    /// Takes the next.
    fn paragraph(&mut self, paragraph: &BookParagraph<'_>);
}

/// The whole edition.
pub(super) struct Book<'a> {
    edition: &'a Edition,
    texts: Vec<BookText<'a>>,
    /// The titles that the contents have, by their anchors.
    pub(super) contents: Vec<BookTitle>,
    /// The layers that occur in it.
    pub(super) layers: BTreeSet<Layer>,
    /// The script of its first text.
    pub(super) script: BookScript,
}

/// What is between the signs of two notes, which would be read as one number.
const BETWEEN_NOTES: &str = ",";
/// The same between the sign of a note and the number of a sentence.
const BEFORE_NUMBER: &str = "\u{2002}";

/// What stands for the locus of a reading that has none.
const NOWHERE: &str = "–";

impl<'a> Book<'a> {
    /// Lays out an edition.
    pub(super) fn of(edition: &'a Edition) -> Self {
        let documents: Vec<&'a Arc<Document>> = edition.documents().collect();
        let text = |document: &&'a Arc<Document>| BookText {
            document,
            script: BookScript::of(document),
            sections: edition.sections(document),
            apparatus: edition.apparatus(document),
        };
        let texts: Vec<BookText<'a>> = documents.par_iter().map(text).collect();
        let script = texts.first().map_or(BookScript::Hant, |t| t.script);
        let mut book = Book { edition, texts, contents: vec![], layers: BTreeSet::new(), script };
        let mut has = BookHas::default();
        book.write(&mut has);
        (book.contents, book.layers) = (has.titles, has.layers);
        book
    }

    /// The edition that it is made from.
    pub(super) fn edition(&self) -> &'a Edition {
        self.edition
    }

    /// Writes all paragraphs.
    pub(super) fn write(&self, to: &mut dyn TakeParagraphs) {
        let mut writer = BookWriter { edition: self.edition, script: None, titles: 0, to };
        writer.front();
        for text in &self.texts {
            writer.script = Some(text.script).filter(|own| *own != self.script);
            writer.text(text);
        }
        writer.script = None;
        writer.sources(&self.texts);
    }
}

/// What there is in a book.
#[derive(Default)]
struct BookHas {
    titles: Vec<BookTitle>,
    layers: BTreeSet<Layer>,
}

impl TakeParagraphs for BookHas {
    fn paragraph(&mut self, paragraph: &BookParagraph<'_>) {
        if let (Some(_), Some(level)) = (paragraph.anchor, paragraph.style.level()) {
            let words = paragraph.pieces.iter().map(|piece| match piece {
                BookPiece::Run(run) => &*run.words,
                BookPiece::Note(..) => "",
            });
            self.titles.push(BookTitle { level, words: words.collect() });
        }
        if let ParagraphStyle::Layer(layer) = paragraph.style {
            self.layers.insert(layer);
        }
        for piece in &paragraph.pieces {
            match piece {
                BookPiece::Note(layer, _)
                | BookPiece::Run(BookRun { style: RunStyle::Layer(layer), .. }) => {
                    self.layers.insert(*layer);
                }
                BookPiece::Run(_) => {}
            }
        }
    }
}

struct BookWriter<'b> {
    edition: &'b Edition,
    script: Option<BookScript>,
    /// How many titles there were.
    titles: usize,
    to: &'b mut dyn TakeParagraphs,
}

impl BookWriter<'_> {
    fn put(&mut self, style: ParagraphStyle, pieces: Vec<BookPiece<'_>>) {
        let is_listed = matches!(style, ParagraphStyle::Text | ParagraphStyle::Section);
        let anchor = is_listed.then_some(self.titles);
        self.titles += usize::from(is_listed);
        self.to.paragraph(&BookParagraph { style, anchor, script: self.script, pieces });
    }

    /// A paragraph of words that look alike.
    fn line<'w>(&mut self, style: ParagraphStyle, words: impl Into<Cow<'w, str>>) {
        self.put(style, vec![BookPiece::Run(plain(words))]);
    }

    fn front(&mut self) {
        let about = &self.edition.about;
        self.line(ParagraphStyle::Title, &about.title);
        for (name, layers) in self.edition.people() {
            self.line(ParagraphStyle::About, format!("{name} {layers}"));
        }
        for line in about.editors.iter().chain(&about.licence) {
            self.line(ParagraphStyle::About, line);
        }
        self.line(ParagraphStyle::About, about.date.to_string());
        self.line(ParagraphStyle::Contents, "目錄");
    }

    fn text(&mut self, text: &BookText<'_>) {
        self.line(ParagraphStyle::Text, &text.document.meta.title);
        for section in &text.sections {
            if let Some(n) = section.number {
                let title = section.title.map(|title| format!("{n} {title}"));
                self.line(ParagraphStyle::Section, title.unwrap_or_else(|| n.to_string()));
            }
            section.blocks.iter().for_each(|block| self.block(block));
        }
        if !text.apparatus.is_empty() {
            self.line(ParagraphStyle::Section, "校勘");
        }
        for e in &text.apparatus {
            let locus = e.locus.as_deref().unwrap_or(NOWHERE);
            let words = [format!("{} ", e.lemma), format!("] {}", e.says)].concat();
            let number = BookRun { style: RunStyle::Number, words: locus.into() };
            let says = plain(format!(" {}", words.trim_start()));
            self.put(ParagraphStyle::Variant, [number, says].map(BookPiece::Run).into());
        }
    }

    fn block(&mut self, block: &EditionBlock<'_>) {
        match block {
            EditionBlock::Heading(words) => {
                self.line(ParagraphStyle::Layer(Layer::Heading), &**words)
            }
            EditionBlock::Label(words) => self.line(ParagraphStyle::Layer(Layer::Label), &**words),
            EditionBlock::Other(words) => self.line(ParagraphStyle::Layer(Layer::Other), &**words),
            EditionBlock::Translation(words) => {
                let runs = [mark(Layer::Translation), plain(words)];
                let style = ParagraphStyle::Layer(Layer::Translation);
                self.put(style, runs.map(BookPiece::Run).into());
            }
            EditionBlock::Said { layer, header, runs } => {
                let mut pieces = vec![BookPiece::Run(mark(*layer))];
                let header = header.as_deref().map(|words| BookRun {
                    style: RunStyle::Layer(Layer::ShuHeader),
                    words: words.into(),
                });
                pieces.extend(header.map(BookPiece::Run));
                self.pieces(*layer, runs, &mut pieces);
                self.put(ParagraphStyle::Layer(*layer), pieces);
            }
            EditionBlock::Text(runs) => {
                let layer = runs.iter().find(|r| !r.is_note()).map_or(Layer::Jing, |r| r.layer);
                let mut pieces = Vec::with_capacity(runs.len());
                self.pieces(layer, runs, &mut pieces);
                self.put(ParagraphStyle::Layer(layer), pieces);
            }
        }
    }

    /// The pieces of a paragraph of a layer.
    fn pieces<'r>(&self, layer: Layer, runs: &'r [EditionRun<'_>], to: &mut Vec<BookPiece<'r>>) {
        let layout = &self.edition.layout;
        for run in runs {
            let style = match run.layer == layer {
                true => RunStyle::Plain,
                false => RunStyle::Layer(run.layer),
            };
            if !run.is_note() || run.layer == layer {
                if let Some(n) = run.number.filter(|_| layout.numbers) {
                    set_off(to, BEFORE_NUMBER);
                    let words = n.to_string().into();
                    to.push(BookPiece::Run(BookRun { style: RunStyle::Number, words }));
                }
                to.extend(leafed(run, style).into_iter().map(BookPiece::Run));
                continue;
            }
            match layout.notes {
                NotesAt::Foot => {
                    set_off(to, BETWEEN_NOTES);
                    let words = leafed(run, RunStyle::Plain);
                    let runs = std::iter::once(mark(run.layer)).chain(words).collect();
                    to.push(BookPiece::Note(run.layer, runs));
                }
                NotesAt::Inline => {
                    to.extend(run.named.then(|| BookPiece::Run(mark(run.layer))));
                    to.extend(leafed(run, style).into_iter().map(BookPiece::Run));
                }
            }
        }
    }

    /// What the edition and its texts were made from.
    fn sources(&mut self, texts: &[BookText<'_>]) {
        self.line(ParagraphStyle::Text, "書目");
        let about = &self.edition.about;
        let mut parts = vec![about.editors.join("、")];
        parts.extend(about.licence.clone());
        parts.push(about.date.to_string());
        self.source(&about.title, parts);
        for text in texts {
            let meta = &text.document.meta;
            let who = meta.layers.iter().filter(|(_, who)| !who.name.is_empty());
            let people = who.map(|(layer, who)| match &who.period {
                Some(period) => format!("{} {}，{period}", layer.zh(), who.name),
                None => format!("{} {}", layer.zh(), who.name),
            });
            let facts = meta.facts().into_iter().map(|f| format!("{} {}", f.zh, f.words));
            self.source(&meta.title, people.chain(facts).collect());
        }
    }

    fn source(&mut self, title: &str, parts: Vec<String>) {
        let mut words = String::new();
        for part in std::iter::once(title).chain(parts.iter().map(String::as_str)) {
            let part = part.trim().trim_end_matches(['.', '。']);
            if !part.is_empty() {
                words.extend([part, "。"]);
            }
        }
        self.line(ParagraphStyle::Source, words);
    }
}

/// Sets what comes next off from the sign of a note.
fn set_off(to: &mut Vec<BookPiece<'_>>, by: &'static str) {
    if let Some(BookPiece::Note(..)) = to.last() {
        to.push(BookPiece::Run(BookRun { style: RunStyle::Between, words: by.into() }));
    }
}

fn plain<'w>(words: impl Into<Cow<'w, str>>) -> BookRun<'w> {
    BookRun { style: RunStyle::Plain, words: words.into() }
}

/// The name of a layer, before its text.
fn mark(layer: Layer) -> BookRun<'static> {
    BookRun { style: RunStyle::Mark, words: layer.zh().into() }
}

/// The words of a run, with the leaves that begin in it. Those of a note have no blanks around.
fn leafed<'r>(run: &'r EditionRun<'_>, style: RunStyle) -> Vec<BookRun<'r>> {
    let words: &'r str = &run.words;
    let range = match run.is_note() {
        true => words.len() - words.trim_start().len()..words.trim_end().len(),
        false => 0..words.len(),
    };
    let (mut from, end) = (range.start, range.end.max(range.start));
    let mut runs = Vec::with_capacity(1 + 2 * run.leaves.len());
    let mut add = |style, words: Cow<'r, str>| {
        if !words.is_empty() {
            runs.push(BookRun { style, words });
        }
    };
    for (at, name) in &run.leaves {
        let at = (*at).clamp(from, end);
        add(style, words[from..at].into());
        add(RunStyle::Leaf, name.into());
        from = at;
    }
    add(style, words[from..end].into());
    runs
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::source::Source;
    use crate::writers::editions::Layout;

    /// An edition of a text of these pieces.
    pub(in crate::writers::editions) fn edition(pieces: &[(Layer, &str)]) -> Edition {
        let document = Document::of_pieces(pieces);
        let ids = vec![document.id.clone()];
        let library = Library { documents: vec![Arc::new(document)], ..Library::default() };
        Edition { about: Default::default(), library, ids, layout: Layout::default() }
    }

    /// The paragraphs of layers, each piece in words: `注 純猶全也` for a note.
    fn shown(edition: &Edition) -> Vec<String> {
        struct Shown(Vec<String>);
        impl TakeParagraphs for Shown {
            fn paragraph(&mut self, paragraph: &BookParagraph<'_>) {
                let ParagraphStyle::Layer(layer) = paragraph.style else { return };
                let run = |r: &BookRun<'_>| match r.style {
                    RunStyle::Plain => r.words.to_string(),
                    style => format!("<{:?} {}>", style, r.words),
                };
                let pieces = paragraph.pieces.iter().map(|piece| match piece {
                    BookPiece::Run(r) => run(r),
                    BookPiece::Note(_, runs) => {
                        format!("({})", runs.iter().map(run).collect::<String>())
                    }
                });
                self.0.push(format!("{}: {}", layer.zh(), pieces.collect::<String>()));
            }
        }
        let mut all = Shown(vec![]);
        Book::of(edition).write(&mut all);
        all.0
    }

    #[test]
    fn notes_are_at_the_foot_or_in_the_line_and_what_other_layers_say_is_named() {
        let mut edition = edition(&[
            (Layer::Jing, "二筭為純，"),
            (Layer::Zhu, " 純猶全也。 "),
            (Layer::Yin, "純，如字。"),
            (Layer::Jing, "一筭為奇。"),
            (Layer::Blank, "\n"),
            (Layer::Shu, "釋曰。"),
            (Layer::An, "案。"),
        ]);
        let foot = [
            "經: 二筭為純，(<Mark 注>純猶全也。)<Between ,>(<Mark 音義>純，如字。)一筭為奇。",
            "疏: <Mark 疏>釋曰。(<Mark 案>案。)",
        ];
        assert_eq!(shown(&edition), foot);
        edition.layout.notes = NotesAt::Inline;
        let inline = [
            "經: 二筭為純，<Layer(Zhu) 純猶全也。><Mark 音義><Layer(Yin) 純，如字。>一筭為奇。",
            "疏: <Mark 疏>釋曰。<Mark 案><Layer(An) 案。>",
        ];
        assert_eq!(shown(&edition), inline);
    }

    #[test]
    fn a_leaf_is_named_where_it_begins() {
        let run = EditionRun {
            layer: Layer::Zhu,
            words: " 小臣相君 ".into(),
            number: None,
            path: None,
            leaves: vec![(7, "1b".into()), (99, "2a".into())],
            names: vec![],
            named: false,
        };
        let words: Vec<_> =
            leafed(&run, RunStyle::Plain).iter().map(|r| r.shown().into_owned()).collect();
        assert_eq!(words, ["小臣", "[1b]", "相君", "[2a]"]);
    }

    #[test]
    fn the_script_of_a_text_is_that_of_its_characters() {
        let of = |text: &str| {
            BookScript::of(&Document::new(Arc::new(Source::from_text("a.txt", text)), "test"))
        };
        assert_eq!(of("获者执旌"), BookScript::Hans);
        assert_eq!((of("獲者執旌"), of("子曰")), (BookScript::Hant, BookScript::Hant));
    }
}
