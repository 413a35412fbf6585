//! Citation records of an edition for reference managers, as BibTeX, as CSL-JSON (Zotero, pandoc)
//! and as RIS (EndNote, NoteExpress). The whole edition is a book, each text a part of it.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::formats::Format;
use super::{Date, Edition, unique};
use crate::corpus::Library;
use crate::model::{Document, slug};

pub(super) const BIBTEX: Format = Format {
    name: "bibtex",
    extension: "bib",
    about: "how to cite it, for BibTeX and biblatex",
    write: |edition, _, out| Cited::edition(edition).bibtex(out),
    references: false,
    ..Format::PLAIN
};

pub(super) const CSL: Format = Format {
    name: "csl",
    extension: "csl.json",
    about: "how to cite it, as CSL-JSON (Zotero, pandoc)",
    write: |edition, _, out| Cited::edition(edition).csl(out),
    references: false,
    ..Format::PLAIN
};

pub(super) const RIS: Format = Format {
    name: "ris",
    extension: "ris",
    about: "how to cite it, as RIS (EndNote, NoteExpress, Zotero)",
    write: |edition, _, out| Cited::edition(edition).ris(out),
    references: false,
    ..Format::PLAIN
};

/// What is cited: the whole edition and its texts.
pub struct Cited<'a> {
    /// Title of the whole.
    pub title: &'a str,
    /// Who made it.
    pub editors: &'a [String],
    /// Licence in words or as SPDX expression.
    pub licence: Option<&'a str>,
    /// When it was made, if stated.
    pub date: Option<Date>,
    /// Its texts.
    pub documents: Vec<&'a Document>,
}

impl<'a> Cited<'a> {
    /// All texts of a library, with the date of their manifest.
    pub fn library(
        library: &'a Library,
        title: &'a str,
        editors: &'a [String],
        licence: Option<&'a str>,
    ) -> Self {
        Cited::of(library.documents.iter().map(|d| &**d).collect(), title, editors, licence)
    }

    /// A text by itself, as a part of a whole with this title.
    pub fn one(
        document: &'a Document,
        title: &'a str,
        editors: &'a [String],
        licence: Option<&'a str>,
    ) -> Self {
        Cited::of(vec![document], title, editors, licence)
    }

    fn of(
        documents: Vec<&'a Document>,
        title: &'a str,
        editors: &'a [String],
        licence: Option<&'a str>,
    ) -> Self {
        let date = documents.first().and_then(|d| Date::parse(d.meta.collection.date.as_deref()?));
        Cited { title, editors, licence, date, documents }
    }

    fn edition(edition: &'a Edition) -> Self {
        let about = &edition.about;
        let documents = edition.documents().map(|d| &**d).collect();
        Cited {
            title: &about.title,
            editors: &about.editors,
            licence: about.licence.as_deref(),
            date: Some(about.date),
            documents,
        }
    }

    /// Writes the records as BibTeX.
    ///
    /// # Errors
    /// When writing to `out` fails.
    pub fn bibtex(&self, out: &mut dyn Write) -> io::Result<()> {
        let made = concat!("Made with zhushu ", env!("CARGO_PKG_VERSION")).to_string();
        let note =
            self.licence.map_or(made.clone(), |l| format!("{}. {made}", l.trim_end_matches('.')));
        let whole = [("title", braced(self.title))];
        let whole = whole.into_iter().chain(self.made()).chain([("note", braced(&note))]);
        record(out, "book", &self.key(), whole)?;
        for (d, key) in self.documents.iter().zip(self.keys()) {
            record(out, "incollection", &key, self.part(d))?;
        }
        Ok(())
    }

    /// The record of a passage of the first text for BibTeX, with `⟨locus⟩` and `⟨url⟩` where those
    /// of the passage belong.
    ///
    /// # Errors
    /// Never, as it is written in memory.
    pub fn passage(&self) -> io::Result<String> {
        let mut out = Vec::new();
        for (d, key) in self.documents.iter().zip(self.keys()).take(1) {
            let place = [("pages", "⟨locus⟩".to_string()), ("url", "⟨url⟩".to_string())];
            record(&mut out, "incollection", &key, self.part(d).into_iter().chain(place))?;
        }
        String::from_utf8(out).map_err(io::Error::other).map(|words| words.trim_end().to_string())
    }

    /// Who made the whole, and when.
    fn made(&self) -> [(&'static str, String); 3] {
        let year = self.date.map(|d| d.year.to_string()).unwrap_or_default();
        let month = self.date.map(|d| d.month.to_string()).unwrap_or_default();
        let editors = names(self.editors.iter().map(String::as_str));
        [("editor", editors), ("year", year), ("month", month)]
    }

    /// The fields of a text.
    fn part(&self, d: &Document) -> Vec<(&'static str, String)> {
        let facts: Vec<_> = d.meta.facts().into_iter().map(|f| f.words.into_owned()).collect();
        let own = [
            ("title", braced(&d.meta.title)),
            ("author", names(authors(d))),
            ("booktitle", braced(self.title)),
        ];
        let about = [("note", braced(&facts.join(". "))), ("langid", braced(&d.meta.language))];
        own.into_iter().chain(self.made()).chain(about).collect()
    }

    /// Writes the records as CSL-JSON.
    ///
    /// # Errors
    /// When writing to `out` fails.
    pub fn csl(&self, out: &mut dyn Write) -> io::Result<()> {
        let people = |names: &mut dyn Iterator<Item = &str>| -> Vec<Value> {
            names.map(|name| json!({"literal": name})).collect()
        };
        let editors = people(&mut self.editors.iter().map(String::as_str));
        let issued = self.date.map(|d| json!({"date-parts": [[d.year, d.month, d.day]]}));
        let mut whole = json!({"id": self.key(), "type": "book", "title": self.title, "editor": editors, "license": self.licence});
        put(&mut whole, "issued", issued.clone());
        let mut records = vec![whole];
        for (d, key) in self.documents.iter().zip(self.keys()) {
            let meta = &d.meta;
            let mut part = json!({
                "id": key, "type": "chapter", "title": meta.title, "container-title": self.title,
                "editor": editors, "language": meta.language,
            });
            let authors = people(&mut authors(d));
            put(&mut part, "author", (!authors.is_empty()).then(|| authors.into()));
            put(&mut part, "issued", issued.clone());
            put(
                &mut part,
                "original-date",
                meta.date.as_deref().map(|date| json!({"literal": date})),
            );
            put(&mut part, "source", meta.origin.as_deref().map(Value::from));
            put(&mut part, "license", meta.rights.as_deref().map(Value::from));
            let about = meta
                .facts()
                .into_iter()
                .filter(|f| ["edition", "editors"].contains(&f.id))
                .map(|f| f.words.into_owned());
            let about: Vec<String> = about.collect();
            put(&mut part, "note", (!about.is_empty()).then(|| about.join(". ").into()));
            records.push(part);
        }
        serde_json::to_writer_pretty(&mut *out, &records)?;
        out.write_all(b"\n")
    }

    /// Writes the records as RIS, lines of a tag and a value.
    ///
    /// # Errors
    /// When writing to `out` fails.
    pub fn ris(&self, out: &mut dyn Write) -> io::Result<()> {
        let licence = self.licence.unwrap_or_default();
        let mut whole = vec![("TY", "BOOK"), ("TI", self.title), ("N1", licence)];
        self.ris_made(out, &mut whole, "A1")?;
        for d in &self.documents {
            let meta = &d.meta;
            let mut part = vec![("TY", "CHAP"), ("TI", &meta.title)];
            part.extend(authors(d).map(|name| ("AU", name)));
            part.extend([("T2", self.title), ("LA", &meta.language)]);
            let facts = meta.facts();
            part.extend(facts.iter().map(|f| ("N1", &*f.words)));
            self.ris_made(out, &mut part, "A2")?;
        }
        Ok(())
    }

    /// Writes a record with who made the whole, under a tag, and when.
    fn ris_made(
        &self,
        out: &mut dyn Write,
        record: &mut Vec<(&'static str, &str)>,
        editor: &'static str,
    ) -> io::Result<()> {
        let date = self.date.map(|d| format!("{}/{:02}/{:02}/", d.year, d.month, d.day));
        let rest = self.editors.iter().map(|name| (editor, name.as_str()));
        let rest = rest.chain(date.as_deref().map(|date| ("DA", date)));
        for (tag, value) in record.iter().copied().chain(rest).filter(|(_, v)| !v.is_empty()) {
            write!(out, "{tag}  - {}\r\n", super::flow::one_line(value))?;
        }
        out.write_all(b"ER  - \r\n")
    }

    /// Keys of the texts.
    fn keys(&self) -> Vec<String> {
        let (whole, names) = (self.key(), unique(self.documents.iter().map(|d| slug(&d.id))));
        names.into_iter().map(|name| format!("{whole}:{name}")).collect()
    }

    /// A key for the whole: the works of the texts, and the year, in letters and digits that every
    /// program accepts.
    fn key(&self) -> String {
        let mut works: Vec<String> = self
            .documents
            .iter()
            .map(|d| slug(d.meta.work_key.as_deref().unwrap_or(&d.id)))
            .collect();
        works.dedup();
        works.truncate(3);
        works.extend(self.date.map(|d| d.year.to_string()));
        let key = works.join("-");
        if key.is_empty() { "zhushu".into() } else { key }
    }
}

/// The authors of the layers, each once.
pub(super) fn authors(document: &Document) -> impl Iterator<Item = &str> {
    let mut seen = vec![];
    let names = document
        .meta
        .layers
        .iter()
        .map(|(_, who)| who.name.as_str())
        .filter(|name| !name.is_empty());
    names.filter(move |name| {
        let new = !seen.contains(name);
        seen.push(*name);
        new
    })
}

fn put(record: &mut Value, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        record[name] = value;
    }
}

/// A record with the fields that have a value.
fn record(
    out: &mut dyn Write,
    kind: &str,
    key: &str,
    fields: impl IntoIterator<Item = (&'static str, String)>,
) -> io::Result<()> {
    write!(out, "@{kind}{{{key}")?;
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty() && value != "{}")
    {
        let value = if value.starts_with('{') { value } else { format!("{{{value}}}") };
        write!(out, ",\n  {name} = {value}")?;
    }
    writeln!(out, "\n}}\n")
}

/// Names for BibTeX; each in braces, so that it is not split into given name and surname.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<String> = all.map(braced).collect();
    if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(" and ")) }
}

/// Text in braces, with commands for the special characters of TeX.
fn braced(text: &str) -> String {
    let mut out = String::from("{");
    super::tex::escape(text, &mut out);
    out.push('}');
    out
}
