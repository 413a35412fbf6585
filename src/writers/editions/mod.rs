//! Editions: a chosen part of a library as the files people ask for. To add a format, write its
//! file and add its line to [`FORMATS`].
//!
//! All formats get the same [`Edition`]: the texts as a [`Choice`](crate::corpus::Choice) left
//! them, what the manifest says of the whole, and how the reader wants to see it. Formats for
//! reading (text, Markdown, EPUB, Typst) write the order of reading that [`flow`] lays out; formats
//! for programs write segments, links and beads.

pub mod citation;
mod docuxml;
mod epub;
pub mod flow;
mod jsonl;
mod mandoku;
mod markdown;
#[cfg(feature = "parquet")]
mod parquet;
mod stam;
mod tables;
mod text;
mod typst;

use std::io;
use std::sync::Arc;

use crate::corpus::Library;
use crate::corpus::refs::{Catalogue, Wanted};
use crate::diag::Error;
pub use crate::model::Date;
use crate::model::{Alignment, Document};

/// What is known of an edition as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Its title.
    pub title: String,
    /// Who made it.
    pub editors: Vec<String>,
    /// Licence in words or as SPDX expression.
    pub licence: Option<String>,
    /// When it was made: the manifest's date, or that of the newest source.
    pub date: Date,
}

impl About {
    /// All of it by names that formats without words of their own for it use.
    fn properties(&self) -> [(&'static str, String); 4] {
        let licence = self.licence.clone().unwrap_or_default();
        [
            ("title", self.title.clone()),
            ("editors", self.editors.join("; ")),
            ("licence", licence),
            ("date", self.date.to_string()),
        ]
    }
}

/// Where the translation of a passage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Facing {
    /// Below the passage.
    #[default]
    Below,
    /// On the other side, as on facing pages.
    Facing,
    /// Nowhere; the translation's own text stays.
    None,
}

/// How a reader wants to see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// From top to bottom, columns from right to left.
    pub vertical: bool,
    /// With the numbers of sentences.
    pub numbers: bool,
    /// With the apparatus after each text.
    pub apparatus: bool,
    /// The apparatus at the foot of the page and not after the text, where pages are laid.
    pub foot: bool,
    /// Where the translation stands.
    pub translation: Facing,
}

impl Default for Look {
    /// In lines, with everything.
    fn default() -> Self {
        Look {
            vertical: false,
            numbers: true,
            apparatus: true,
            foot: false,
            translation: Facing::Below,
        }
    }
}

/// What a format is written from.
#[derive(Clone, Debug)]
pub struct Edition {
    /// The whole.
    pub about: About,
    /// The documents, and those that they refer to.
    pub library: Library,
    /// Ids of the documents to write, in order.
    pub ids: Vec<String>,
    /// How it looks.
    pub look: Look,
}

impl Edition {
    /// The documents to write.
    pub fn documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.ids.iter().filter_map(|id| self.library.get(id))
    }

    /// The alignments between documents of the library that one of them begins or ends at.
    pub fn alignments(&self) -> impl Iterator<Item = &Alignment> {
        self.library
            .alignments
            .iter()
            .filter(|a| self.ids.contains(&a.source) || self.ids.contains(&a.translation))
    }

    /// A document in the order of reading, with the translation unless it is to stand nowhere.
    fn sections(&self, document: &Document) -> Vec<flow::Section> {
        let mut sections = flow::sections(document, &self.library);
        if self.look.translation == Facing::None {
            sections
                .iter_mut()
                .for_each(|s| s.blocks.retain(|b| !matches!(b, flow::Block::Translation(_))));
        }
        sections
    }

    /// Language of the whole: that of the first text.
    fn language(&self) -> &str {
        self.documents()
            .map(|d| d.meta.language.as_str())
            .find(|l| !l.is_empty())
            .unwrap_or("lzh-Hant")
    }

    /// An identifier that only another content changes: a UUID made of what identifies the texts.
    fn uuid(&self) -> String {
        use sha2::{Digest, Sha256};
        let mut hash = Sha256::new();
        hash.update(self.about.title.as_bytes());
        self.documents().for_each(|d| hash.update(d.source.sha256().as_bytes()));
        let hex: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
        // Version 8 (of one's own making), variant 10, as RFC 9562 has it.
        format!(
            "urn:uuid:{}-{}-8{}-9{}-{}",
            &hex[..8],
            &hex[8..12],
            &hex[13..16],
            &hex[17..20],
            &hex[20..32]
        )
    }

    /// Commentators and translators of the texts, each once, with the layers that are theirs.
    fn people(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = vec![];
        for (layer, who) in
            self.documents().flat_map(|d| &d.meta.layers).filter(|(_, who)| !who.name.is_empty())
        {
            match all.iter_mut().find(|(name, _)| *name == who.name) {
                Some((_, layers)) if !layers.contains(layer.zh()) => layers.push_str(layer.zh()),
                Some(_) => {}
                None => all.push((who.name.clone(), layer.zh().to_string())),
            }
        }
        all
    }
}

/// One file of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in the folder, where there are several.
    pub name: String,
    /// What of the edition is in it: a number that the format gave it.
    pub which: usize,
}

/// A format that an edition can be written in.
pub struct Format {
    /// Name for `--to`.
    pub name: &'static str,
    /// Ending of the files it makes.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// Can stand upright.
    pub vertical: bool,
    /// Lays pages, which have a foot and may face each other.
    pub pages: bool,
    /// Wants references, parallels and alignments too; else layers and loci are enough.
    pub references: bool,
    /// Its files.
    pub parts: fn(&Edition) -> Vec<Part>,
    /// Writes one of them.
    pub write: fn(&Edition, usize, &mut dyn io::Write) -> io::Result<()>,
}

const PLAIN: Format = Format {
    name: "",
    extension: "",
    about: "",
    vertical: false,
    pages: false,
    references: true,
    parts: whole,
    write: |_, _, _| Ok(()),
};

/// All formats, in the order in which they are shown.
pub static FORMATS: &[Format] = &[
    Format {
        name: "text",
        extension: "txt",
        about: "plain text: 注 in brackets, 疏 in paragraphs",
        write: text::write,
        references: false,
        ..PLAIN
    },
    Format {
        name: "markdown",
        extension: "md",
        about: "Markdown, notes as footnotes (pandoc, GitHub, Obsidian)",
        write: markdown::write,
        references: false,
        ..PLAIN
    },
    Format {
        name: "epub",
        extension: "epub",
        about: "EPUB 3, notes as pop-up footnotes",
        vertical: true,
        write: epub::write,
        references: false,
        ..PLAIN
    },
    Format {
        name: "typst",
        extension: "typ",
        about: "Typst source, 注 in double rows (雙行夾注)",
        vertical: true,
        pages: true,
        write: typst::write,
        references: false,
        ..PLAIN
    },
    Format {
        name: "pdf",
        extension: "pdf",
        about: "the same, typeset by the typst of this machine",
        vertical: true,
        pages: true,
        write: typst::write,
        references: false,
        ..PLAIN
    },
    Format {
        name: "tei",
        extension: "xml",
        about: "TEI P5, a file a text",
        parts: by_document,
        write: tei,
        ..PLAIN
    },
    Format {
        name: "json",
        extension: "json",
        about: "spans, links, diagnostics, a file a text (schema/zhushu.schema.json)",
        parts: by_document,
        write: json,
        ..PLAIN
    },
    Format {
        name: "jsonl",
        extension: "jsonl",
        about: "JSON Lines: texts, segments, links, beads, one a line",
        write: jsonl::write,
        ..PLAIN
    },
    Format {
        name: "tsv",
        extension: "tsv",
        about: "tables: texts.tsv, segments.tsv, links.tsv, beads.tsv",
        parts: tables::parts,
        write: tables::write,
        ..PLAIN
    },
    #[cfg(feature = "parquet")]
    Format {
        name: "parquet",
        extension: "parquet",
        about: "the same tables for pandas, polars, DuckDB",
        parts: parquet::parts,
        write: parquet::write,
        ..PLAIN
    },
    Format {
        name: "webanno",
        extension: "jsonld",
        about: "references as W3C Web Annotations",
        write: annotations,
        ..PLAIN
    },
    Format {
        name: "tmx",
        extension: "tmx",
        about: "TMX 1.4b, a file a pair of classic and translation",
        parts: by_alignment,
        write: tmx,
        ..PLAIN
    },
    Format {
        name: "stam",
        extension: "stam.json",
        about: "STAM JSON: texts with stand-off annotations",
        write: stam::write,
        ..PLAIN
    },
    Format {
        name: "bibtex",
        extension: "bib",
        about: "how to cite it, for BibTeX and biblatex",
        write: citation::bibtex,
        references: false,
        ..PLAIN
    },
    Format {
        name: "csl",
        extension: "csl.json",
        about: "how to cite it, as CSL-JSON (Zotero, pandoc)",
        write: citation::csl,
        references: false,
        ..PLAIN
    },
    Format {
        name: "docuxml",
        extension: "xml",
        about: "DocuXML for DocuSky, a document a text",
        write: docuxml::write,
        references: false,
        ..PLAIN
    },
    Format {
        name: "mandoku",
        extension: "txt",
        about: "mandoku as the Kanseki Repository has it, a file a text; lines where the source has them",
        parts: by_document,
        write: mandoku::write,
        references: false,
        ..PLAIN
    },
];

/// The format called `name`.
///
/// # Errors
/// When there is none.
pub fn by_name(name: &str) -> Result<&'static Format, Error> {
    FORMATS.iter().find(|f| f.name == name).ok_or_else(|| {
        let names: Vec<_> = FORMATS.iter().map(|f| f.name).collect();
        let error = Error::usage(format!("no edition is called “{name}”"));
        match name {
            "parquet" => error
                .hint("this zhushu was built without it: cargo install zhushu --features parquet"),
            _ => error.hint(format!("there are: {}", names.join(", "))),
        }
    })
}

fn whole(_: &Edition) -> Vec<Part> {
    vec![Part { name: "edition".into(), which: 0 }]
}

fn by_document(edition: &Edition) -> Vec<Part> {
    parts_called(edition.ids.iter().map(|id| crate::model::slug(id)))
}

fn by_alignment(edition: &Edition) -> Vec<Part> {
    let name = |a: &Alignment| {
        format!("{}--{}", crate::model::slug(&a.source), crate::model::slug(&a.translation))
    };
    parts_called(edition.alignments().map(name))
}

/// Parts with these names, made unique.
fn parts_called(names: impl Iterator<Item = String>) -> Vec<Part> {
    unique(names).into_iter().enumerate().map(|(which, name)| Part { name, which }).collect()
}

/// Names of files: what would be a name twice, also where a file system takes `A` for `a`, is
/// called `name-2`.
pub fn unique(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let unique = |stem: String| {
        let names = std::iter::once(stem.clone()).chain((2..).map(|n| format!("{stem}-{n}")));
        names.into_iter().find(|name| seen.insert(name.to_lowercase())).unwrap_or(stem)
    };
    names.into_iter().map(unique).collect()
}

/// The document of a part.
fn document(edition: &Edition, which: usize) -> io::Result<&Document> {
    edition
        .ids
        .get(which)
        .and_then(|id| edition.library.get(id))
        .map(|d| &**d)
        .ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn tei(edition: &Edition, which: usize, out: &mut dyn io::Write) -> io::Result<()> {
    by_writer("tei", edition, which, out)
}

fn json(edition: &Edition, which: usize, out: &mut dyn io::Write) -> io::Result<()> {
    by_writer("json", edition, which, out)
}

/// A document as the writer of that name writes it.
fn by_writer(
    name: &str,
    edition: &Edition,
    which: usize,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let writer = super::by_name(name).map_err(|e| io::Error::other(e.message))?;
    (writer.write)(document(edition, which)?, &edition.library, out)
}

fn annotations(edition: &Edition, _: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let catalogue = Catalogue::of(&edition.library);
    let sources: Vec<String> = edition
        .documents()
        .map(|d| {
            std::iter::once(d.meta.title.clone())
                .chain(d.meta.facts().into_iter().map(|f| f.words.into_owned()))
                .collect::<Vec<_>>()
        })
        .map(|words| words.join("; "))
        .collect();
    let about = &edition.about;
    let editors: Vec<_> = about
        .editors
        .iter()
        .map(|name| serde_json::json!({"type": "Person", "name": name}))
        .collect();
    // The context of the model has words for label and creator; rights there are an address, so
    // they go by Dublin Core.
    let whole = serde_json::json!({
        "id": edition.uuid(), "type": "AnnotationCollection", "label": about.title, "creator": editors,
        "dc:rights": about.licence, "dc:date": about.date.to_string(), "dc:source": sources,
    });
    super::annotations::write_of(
        &catalogue.references(&edition.ids, &Wanted::default()),
        Some(&whole),
        out,
    )
}

fn tmx(edition: &Edition, which: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(a) = edition.alignments().nth(which) else { return Ok(()) };
    match (edition.library.get(&a.source), edition.library.get(&a.translation)) {
        (Some(source), Some(translation)) => {
            super::tmx::write_with(a, source, translation, &edition.about.properties(), out)
        }
        _ => Ok(()),
    }
}
