//! LaTeX for XeLaTeX and LuaLaTeX, with `ctex` for Chinese and `reledmac` for critical editions:
//! the lines of the classic are numbered, and each layer of notes is a series of footnotes
//! (`\footnoteA`, `\footnoteB` …), or notes are in the line (`\jiazhu`).
//!
//! Everything that LaTeX gives a meaning is escaped, so nothing in the text is executed. Commands
//! that the text needs are defined in `data/latex.tex`.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::book::{
    Book, BookParagraph, BookPiece, BookRun, ParagraphStyle, RunStyle, TakeParagraphs, fonts,
};
use super::formats::Format;
use super::{Edition, tex};
use crate::model::{Layer, LayerKind};

const PREAMBLE: &str = include_str!("data/latex.tex");
/// Where the preamble has the names of the series.
const SERIES: &str = "@SERIES@";

pub(super) const FORMAT: Format = Format {
    name: "latex",
    extension: "tex",
    about: "LaTeX (ctex, reledmac): notes as series of footnotes by layer",
    notes: true,
    write,
    references: false,
    ..Format::PLAIN
};

/// Writes the book.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let book = Book::of(edition);
    let notes: Vec<Layer> =
        book.layers.iter().copied().filter(|l| l.kind() == LayerKind::Note).collect();
    let letters: Vec<String> = (0..notes.len().max(1)).map(|n| letter(n).to_string()).collect();
    let mut text = PREAMBLE.replace(SERIES, &letters.join(","));
    for (n, layer) in notes.iter().enumerate() {
        let _ = writeln!(text, "% \\footnote{}: {}", letter(n), layer.zh());
    }
    let (mut open, mut close) = (String::new(), String::new());
    for font in fonts(book.script).1 {
        let _ = write!(open, "\\firstfont{{{font}}}{{");
        close.push('}');
    }
    let _ = writeln!(text, "{open}{close}\n\\begin{{document}}");
    let mut out = io::BufWriter::new(out);
    let mut writer = LatexWriter { notes, text, out: &mut out, failed: None, is_numbering: false };
    book.write(&mut writer);
    writer.end_numbering();
    writer.text.push_str("\\end{document}\n");
    writer.pass_on();
    writer.failed.map_or(Ok(()), Err)?;
    out.flush()
}

/// The name of the nth series of footnotes.
fn letter(n: usize) -> char {
    ('A'..='Z').nth(n).unwrap_or('Z')
}

struct LatexWriter<'w> {
    /// The layers of notes, in the order of their series.
    notes: Vec<Layer>,
    text: String,
    out: &'w mut dyn Write,
    failed: Option<io::Error>,
    /// The lines are being numbered.
    is_numbering: bool,
}

impl TakeParagraphs for LatexWriter<'_> {
    fn paragraph(&mut self, paragraph: &BookParagraph<'_>) {
        match paragraph.style {
            ParagraphStyle::Title => self.inside("{\\LARGE\\bfseries ", paragraph, "\\par}\n"),
            ParagraphStyle::About => self.inside("", paragraph, "\\par\n"),
            ParagraphStyle::Contents => {
                self.inside("\\renewcommand\\contentsname{", paragraph, "}\n\\tableofcontents\n");
            }
            ParagraphStyle::Text => {
                self.end_numbering();
                self.inside("\n\\clearpage\n\\section{", paragraph, "}\n");
            }
            ParagraphStyle::Section => self.inside("\n\\subsection{", paragraph, "}\n"),
            ParagraphStyle::Layer(Layer::Heading) => {
                self.inside("\n\\subsubsection{", paragraph, "}\n");
            }
            ParagraphStyle::Variant | ParagraphStyle::Source => {
                self.inside("\\begin{entry}", paragraph, "\\end{entry}\n");
            }
            ParagraphStyle::Layer(layer) => match layer.kind() {
                LayerKind::Base | LayerKind::Undivided => {
                    self.begin_numbering();
                    self.inside("\n\\pstart{}", paragraph, "\\pend\n");
                }
                _ => self.inside("\n\\begin{said}", paragraph, "\\end{said}\n"),
            },
        }
        self.pass_on();
    }
}

impl LatexWriter<'_> {
    /// Writes what there is. The first error is kept.
    fn pass_on(&mut self) {
        if self.failed.is_none()
            && let Err(e) = self.out.write_all(self.text.as_bytes())
        {
            self.failed = Some(e);
        }
        self.text.clear();
    }

    /// The lines of a text are numbered from its first paragraph of the classic.
    fn begin_numbering(&mut self) {
        if !std::mem::replace(&mut self.is_numbering, true) {
            self.text.push_str("\n\\beginnumbering");
        }
    }

    fn end_numbering(&mut self) {
        if std::mem::take(&mut self.is_numbering) {
            self.text.push_str("\n\\endnumbering\n");
        }
    }

    /// The pieces of a paragraph between commands.
    fn inside(&mut self, before: &str, paragraph: &BookParagraph<'_>, after: &str) {
        self.text.push_str(before);
        for piece in &paragraph.pieces {
            match piece {
                BookPiece::Run(of) => self.run(of),
                BookPiece::Note(layer, runs) => {
                    let n = self.notes.iter().position(|l| l == layer).unwrap_or_default();
                    let _ = write!(self.text, "\\footnote{}{{", letter(n));
                    runs.iter().for_each(|of| self.run(of));
                    self.text.push('}');
                }
            }
        }
        self.text.push_str(after);
    }

    fn run(&mut self, run: &BookRun<'_>) {
        let command = match run.style {
            RunStyle::Plain => None,
            RunStyle::Layer(Layer::ShuHeader) => Some("lemmata"),
            RunStyle::Layer(layer) if layer.kind() == LayerKind::Note => Some("jiazhu"),
            RunStyle::Layer(_) => Some("otherlayer"),
            RunStyle::Mark => Some("layername"),
            RunStyle::Number => Some("sentence"),
            RunStyle::Leaf => Some("leaf"),
            RunStyle::Between => Some("between"),
        };
        match command {
            None => tex::escape(&run.words, &mut self.text),
            Some(command) => {
                let _ = write!(self.text, "\\{command}{{");
                // Few fonts of LaTeX have the blanks of other widths.
                let is_blank = run.style == RunStyle::Between && run.words.trim().is_empty();
                tex::escape(if is_blank { " " } else { &run.words }, &mut self.text);
                self.text.push('}');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::NotesAt;
    use super::super::book::tests::edition;
    use super::*;

    fn written(edition: &Edition) -> String {
        let mut bytes = vec![];
        write(edition, 0, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn each_layer_of_notes_is_a_series_and_signs_are_escaped() {
        let mut edition = edition(&[
            (Layer::Jing, "[二筭]為純%{}"),
            (Layer::Zhu, "純猶\\\\全也。"),
            (Layer::Yin, "如字。"),
        ]);
        let text = written(&edition);
        assert!(text.contains("\\usepackage[series={A,B},noend,noledgroup]{reledmac}"), "{text}");
        let line = "\\pstart{}[二筭]為純\\%\\textbraceleft{}\\textbraceright{}\
            \\footnoteA{\\layername{注}純猶\\textbackslash{}\\textbackslash{}全也。}\
            \\between{,}\\footnoteB{\\layername{音義}如字。}\\pend\n";
        assert!(text.contains(line), "{text}");
        edition.layout.notes = NotesAt::Inline;
        let text = written(&edition);
        assert!(text.contains("}\\layername{音義}\\jiazhu{如字。}\\pend\n"), "{text}");
    }
}
