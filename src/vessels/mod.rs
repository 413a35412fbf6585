//! What is between a file and the readers: the *logical text*, without what surrounds a text in the
//! world and belongs to no layer of it.
//!
//! A vessel is a way in which texts are wrapped: lines that a program cut, the numbers of pages,
//! front matter. Each finds what is not text, in one file, and is one row of [`VESSELS`]. It is
//! taken out, the reader sees the rest, and the document that it makes is put back over the file:
//! spans are those of the file again, and what was taken out is a mark inside a segment, or a
//! segment of its own between two. So no reader knows of vessels, and nothing is lost.

mod aids;
mod bbcode;
mod callouts;
mod dump;
mod edits;
mod html;
mod labelled;
mod latex;
mod lines;
mod logical;
mod markdown;
pub(crate) mod packed;
mod pages;
mod roles;
mod scraps;
mod transcription;
mod wiki;

use crate::diag::Diagnostic;
use crate::model::{Document, Layer, Reading};
use crate::source::{Lines, Source, Span};

pub(crate) use html::small_elements;
pub(crate) use logical::{Aside, Edit, LogicalText};
use roles::NamedRole;

/// Gives the layer of a name.
pub(crate) type NamedLayers<'a> = dyn Fn(&str) -> Option<Layer> + 'a;

/// What the user says of a text.
#[derive(Clone, Copy, Default)]
pub(crate) struct VesselHints<'a> {
    /// What its lines are.
    pub(crate) lines: Option<Lines>,
    /// The layers of elements and classes of its markup, besides those that are known.
    pub(crate) named: Option<&'a NamedLayers<'a>>,
}

/// A way in which texts are wrapped: finds what of a text is not text.
type Vessel = fn(&str, VesselHints<'_>) -> Taken;

/// What a vessel has found in a text.
#[derive(Default)]
struct Taken {
    edits: Vec<Edit>,
    /// Spans of the text that the vessel saw.
    remarks: Vec<Diagnostic>,
    /// The title that the wrapping gives the text.
    title: Option<String>,
    /// What the marks say of the words beside them; spans of the text that the vessel saw.
    readings: Vec<Reading>,
    /// Spans of that text, in order, whose layer the markup names, whatever a reader makes of them.
    roles: Vec<(Span, NamedRole)>,
    /// Marks within what was taken out as text of a layer.
    marks: Vec<Span>,
}

/// Names the columns of tables whose layer is not known.
fn columns_left_out(unnamed: &[(String, Span)]) -> Option<Diagnostic> {
    let first = unnamed.first()?.1;
    let names: Vec<&str> = unnamed.iter().map(|(name, _)| name.as_str()).take(MAX_NAMED).collect();
    let message = format!("columns without a known layer are left out: {}", names.join(", "));
    let hint =
        "if one holds text, name it as a layer (注, 疏, 今譯), or say so in a manifest: [keys]";
    Some(Diagnostic::warning("columns-unknown", first, message).hint(hint))
}

/// How many columns are named.
const MAX_NAMED: usize = 12;

/// All vessels, from the outside to the inside: each sees what the ones before have left.
static VESSELS: &[Vessel] = &[
    // Web pages: elements and their classes.
    html::find,
    // Pages as MediaWiki exports them.
    dump::find,
    // Tags of forums.
    bbcode::find,
    // TeX: commands and their arguments.
    latex::find,
    // Wikitext: templates, links, tags.
    wiki::find,
    // Front matter, footnotes and tags of Markdown.
    markdown::find,
    // Numbers and titles before the passages of a page.
    labelled::find,
    // Lines of web pages.
    scraps::find,
    // Kunten, 懸吐, pinyin and 注音.
    aids::find,
    // Marks of those who transcribe manuscripts.
    transcription::find,
    // Page numbers and running heads.
    pages::find,
    // Lines that were cut at a width.
    lines::find,
];

/// A text without what wraps it, and what was noticed.
pub(crate) struct Unwrapped {
    logical: LogicalText,
    remarks: Vec<Diagnostic>,
    title: Option<String>,
    /// Spans of the file.
    readings: Vec<Reading>,
    roles: Vec<(Span, NamedRole)>,
    marks: Vec<Span>,
}

impl Unwrapped {
    /// Takes the text out of its vessels; `None` if it is in none.
    pub(crate) fn of(source: &Source, hints: VesselHints<'_>) -> Option<Self> {
        let mut logical = LogicalText::of(source.text());
        let mut remarks: Vec<Diagnostic> = vec![];
        let (mut title, mut readings) = (None, vec![]);
        let (mut roles, mut marks) = (vec![], vec![]);
        for vessel in VESSELS {
            let found = vessel(logical.text(), hints);
            title = title.or(found.title);
            remarks.extend(found.remarks.into_iter().map(|d| logical.remark(d)));
            let in_file = |r: Reading| Reading { span: logical.span(r.span), ..r };
            readings.extend(found.readings.into_iter().map(in_file));
            roles.extend(found.roles.into_iter().map(|(span, role)| (logical.span(span), role)));
            marks.extend(found.marks.into_iter().map(|span| logical.span(span)));
            if !found.edits.is_empty() {
                logical = logical.without(&found.edits);
            }
        }
        let wrapped = !logical.is_whole() || !remarks.is_empty();
        wrapped.then_some(Unwrapped { logical, remarks, title, readings, roles, marks })
    }

    /// The text that a reader sees.
    pub(crate) fn source(&self, file: &Source) -> Source {
        Source::from_text(file.path(), self.logical.text())
    }

    /// Where a span of the text that a reader sees is in the file.
    pub(crate) fn span(&self, span: Span) -> Span {
        self.logical.span(span)
    }

    /// A document of the logical text as one of the file.
    pub(crate) fn put_back(self, mut document: Document, file: Source) -> Document {
        self.logical.put_back(&mut document, file, self.marks);
        roles::put(&mut document, self.roles);
        if let Some(title) = self.title.filter(|_| document.meta.title == document.id) {
            document.meta.title = title;
        }
        document.diagnostics.splice(0..0, self.remarks);
        document.readings.extend(self.readings);
        document
    }
}
