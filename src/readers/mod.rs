//! Readers: one file for each source format. To add one, write its file and add a row to
//! [`READERS`]; a program that uses the library adds its own with [`Readers::with`].

mod bitext;
mod brackets;
mod columns;
mod described;
mod flat;
mod foreign;
mod jinyi;
mod jishi;
mod jizhu;
mod json;
mod judou;
mod keys;
mod mandoku;
mod markdown;
mod odd;
mod plain;
mod records;
mod sample;
mod table;
mod tei;
mod unread;
mod waiwen;
mod within;
mod zhushu;

use crate::corpus::{Keys, Shape};
use crate::diag::{Diagnostic, Error, ErrorKind};
use crate::guard::guarded;
use crate::model::Document;
use crate::source::{Container, Lines, Source, Span};
use crate::vessels::{Unwrapped, VesselHints};
use columns::halves;
use described::{label_at_start, unknown_labels};
use jinyi::{MAX_TITLE_CHARS, is_modern_prose};
use keys::{KnownKeys, UnknownKeys, notes_before_text};
use sample::{HEAD, of as sample_of};
#[cfg(test)]
pub(crate) use table::QUESTIONS;
use unread::MIN_SIGNS;
use within::{commentary as commentary_within, small_type};

/// The code of the warning that a TEI is no longer that of the file that it was made from.
pub(crate) const SOURCE_DIFFERS: &str = "source-differs";

/// A format that can be read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reader {
    /// Name for `--from`.
    pub name: &'static str,
    /// What it reads, in one line.
    pub about: &'static str,
    /// How well a text looks like this format: 0 (not at all) to 100 (certainly). Of a long text it
    /// gets the beginning and pieces from further on.
    pub sniff: fn(&str) -> u8,
    /// Reads a source. Odd content becomes diagnostics; it is an error only if no document can be
    /// made.
    pub read: fn(Source) -> Result<Document, Error>,
}

impl Reader {
    /// A reader; see the fields for what the parts are.
    pub fn new(
        name: &'static str,
        about: &'static str,
        sniff: fn(&str) -> u8,
        read: fn(Source) -> Result<Document, Error>,
    ) -> Self {
        Reader { name, about, sniff, read }
    }

    fn claim(&self, sample: &str) -> Claim {
        match described::best(sample) {
            Some((score, shape)) if self.name == described::NAME => {
                Claim { reader: &shape.name, score }
            }
            _ => Claim { reader: self.name, score: (self.sniff)(sample) },
        }
    }
}

/// The readers of text without marks: as one layer, and as classic and notes that nothing
/// separates. If its title promises notes, a text without marks is read as the latter.
const PLAIN: &str = "plain";
const UNDIVIDED: &str = "jizhu";

/// The readers of formats that say themselves what a line is and what belongs to the page. Texts
/// that they recognise are in no vessel.
const OWN_VESSELS: &[&str] =
    &["tei", "xml", "json", "table", "records", "judou", "markdown", "jishi", "mandoku"];

/// How a text is to be read; what is not said is recognised.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadAs<'a> {
    /// Name of the reader or of the built-in shape.
    pub from: Option<&'a str>,
    /// The shape of a manifest, instead of a reader.
    pub shape: Option<&'a Shape>,
    /// What its lines are.
    pub lines: Option<Lines>,
    /// What its keys or columns hold, besides those that are known.
    pub keys: Option<&'a Keys>,
}

/// How the origin of a text begins that was taken out of a file with other things.
pub(crate) const TAKEN_FROM: &str = "taken from a file of";

/// Says of a document what its text was taken out of, and what was left there.
fn say_container(document: &mut Document, container: &Container) {
    let Container { kind, parts, sha256, left_out } = container;
    let from = format!("taken from a file of {kind} ({parts}) with SHA-256 {sha256}");
    document.meta.origin.get_or_insert(from);
    let message = format!("the text is taken from a file of {kind}");
    document.diagnostics.push(Diagnostic::info("taken-out", None, message));
    let not_taken = |what: &String| {
        let message = format!("not taken from the file: {what}");
        // Images have no words.
        match what.as_str() {
            "images" => Diagnostic::info("taken-out", None, message),
            _ => Diagnostic::warning("not-taken-out", None, message),
        }
    };
    document.diagnostics.extend(left_out.iter().map(not_taken));
}

/// All readers.
pub(crate) static READERS: &[Reader] = &[
    Reader {
        name: "tei",
        about: "the TEI that zhushu writes, with its source and layers",
        sniff: tei::sniff,
        read: tei::read,
    },
    Reader {
        name: "xml",
        about: "XML from elsewhere: TEI of CBETA and others, DocuXML",
        sniff: foreign::sniff,
        read: foreign::read,
    },
    Reader {
        name: "json",
        about: "JSON with titles, paragraphs and notes under keys",
        sniff: json::sniff,
        read: json::read,
    },
    Reader {
        name: "table",
        about: "CSV or TSV with columns 原文, 注, 今譯",
        sniff: table::sniff,
        read: table::read,
    },
    Reader {
        name: "records",
        about: "records with keys, as YAML has them: text, note, translation",
        sniff: records::sniff,
        read: records::read,
    },
    Reader {
        name: "judou",
        about: "句讀 as Hugo Markdown, notes in <small>",
        sniff: judou::sniff,
        read: judou::read,
    },
    Reader {
        name: "markdown",
        about: "the Markdown that zhushu exports, notes as footnotes",
        sniff: markdown::sniff,
        read: markdown::read,
    },
    Reader {
        name: "jishi",
        about: "集釋 in the lines of its print, notes opened by 鄭注",
        sniff: jishi::sniff,
        read: jishi::read,
    },
    Reader {
        name: "mandoku",
        about: "mandoku files of the Kanseki Repository",
        sniff: mandoku::sniff,
        read: mandoku::read,
    },
    Reader {
        name: "zhushu",
        about: "注疏 paragraphs: [疏] marks sub-commentary; notes in brackets or undivided",
        sniff: zhushu::sniff,
        read: zhushu::read,
    },
    Reader {
        name: described::NAME,
        about: "marks given by a description: 〔注〕 inside a line, 〔一〕 with notes, 【集解】",
        sniff: described::sniff,
        read: described::read,
    },
    Reader {
        name: "flat",
        about: "注疏 whose brackets are lost: the words 注, 音義, 疏 in running text",
        sniff: flat::sniff,
        read: flat::read,
    },
    Reader {
        name: "bitext",
        about: "lines of a classic that alternate with those of its translation",
        sniff: bitext::sniff,
        read: bitext::read,
    },
    Reader {
        name: "jinyi",
        about: "a modern translation, clean or scraped from a web page",
        sniff: jinyi::sniff,
        read: jinyi::read,
    },
    Reader {
        name: "waiwen",
        about: "a translation into another language: English, Japanese, Korean …",
        sniff: waiwen::sniff,
        read: waiwen::read,
    },
    Reader {
        name: "brackets",
        about: "notes in brackets of any kind (【…】, （…）, 〔…〕, {{*|…}}), wikitext too",
        sniff: brackets::sniff,
        read: brackets::read,
    },
    Reader {
        name: UNDIVIDED,
        about: "classic and commentary run together in paragraphs, without sub-commentary",
        sniff: jizhu::sniff,
        read: jizhu::read,
    },
    Reader {
        name: PLAIN,
        about: "plain Chinese text, a classic without notes",
        sniff: plain::sniff,
        read: plain::read,
    },
];

/// Readers to choose from.
#[derive(Clone, Debug)]
pub struct Readers(Vec<Reader>);

impl Default for Readers {
    fn default() -> Self {
        Readers(READERS.to_vec())
    }
}

impl Readers {
    /// These readers and another. It replaces a reader with the same name, and is preferred to one
    /// with an equal claim on a text.
    #[must_use]
    pub fn with(mut self, reader: Reader) -> Self {
        self.0.retain(|r| r.name != reader.name);
        self.0.push(reader);
        self
    }

    /// The names of the readers, and of the built-in shapes that [`Readers::read`] takes as well.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|r| r.name).chain(described::names()).collect()
    }

    /// The reader called `name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn by_name(&self, name: &str) -> Result<&Reader, Error> {
        self.0.iter().find(|r| r.name == name).ok_or_else(|| {
            Error::request(format!("no reader is called “{name}”"))
                .hint(format!("there are: {}", self.names().join(", ")))
        })
    }

    /// Reads `source` with the named reader or built-in shape, or with the reader that recognises
    /// it best.
    ///
    /// # Errors
    /// When the text is empty, no reader recognises it, or the reader cannot make a document from
    /// it.
    pub fn read(&self, source: Source, from: Option<&str>) -> Result<Document, Error> {
        self.read_as(source, ReadAs { from, ..ReadAs::default() })
    }

    /// The same, with all that can be said of a text.
    ///
    /// # Errors
    /// As [`Readers::read`].
    pub fn read_as(&self, source: Source, how: ReadAs<'_>) -> Result<Document, Error> {
        not_empty(&source)?;
        if how.from.is_none() && table::is_of_questions(source.text()) {
            let message = "this is a table of questions and answers about a text";
            let hint = "`zhushu review TEXT --import` takes the answers";
            return Err(Error::input(source.path(), message).hint(hint));
        }
        let recognised = match (how.from, how.shape) {
            (None, None) => {
                let keyed = how.keys.filter(|k| !k.is_empty()).and_then(|k| keyed(&source, k));
                keyed.or_else(|| self.recognise(&source).ok().map(|r| r.name))
            }
            (from, _) => from,
        };
        let own = recognised.is_some_and(|name| OWN_VESSELS.contains(&name));
        let unwrapped = if own {
            None
        } else {
            let named = |word: &str| how.keys?.layer(word);
            Unwrapped::of(&source, VesselHints { lines: how.lines, named: Some(&named) })
        };
        let read = checked(source, |source| match unwrapped {
            Some(unwrapped) => {
                let document = self.read_text(unwrapped.source(&source), how)?;
                if !document.source.exchanges().is_empty() {
                    // What is in another order cannot be put back; its reader knows lines itself.
                    let from = document.reader.to_string();
                    return self.read_text(source, ReadAs { from: Some(&from), ..how });
                }
                Ok(unwrapped.put_back(document, source))
            }
            // It is not recognised twice.
            None => self.read_text(source, ReadAs { from: recognised, ..how }),
        });
        let reader_named = how.from.is_some();
        let mut document = Document { reader_named, ..read? };
        if let Some(container) = document.source.container().cloned() {
            say_container(&mut document, &container);
        }
        Ok(document)
    }

    /// Reads what is in no vessel.
    fn read_text(&self, source: Source, how: ReadAs<'_>) -> Result<Document, Error> {
        if let Some(shape) = how.shape {
            return Ok(described::read_as(source, shape, described::NAME));
        }
        let keys = how.keys.filter(|k| !k.is_empty());
        match (how.from, how.from.and_then(described::shape)) {
            (Some("json"), _) if keys.is_some() => json::read_with(source, KnownKeys(keys)),
            (Some("table"), _) if keys.is_some() => table::read_with(source, KnownKeys(keys)),
            (_, Some(shape)) => Ok(described::read_as(source, shape, &shape.name)),
            (Some(name), None) => (self.by_name(name)?.read)(source),
            (None, None) => (self.recognise(&source)?.read)(source),
        }
    }

    /// True if a text is recognised best by a reader that knows its lines and pages itself.
    fn has_own_vessel(&self, source: &Source) -> bool {
        self.recognise(source).is_ok_and(|r| OWN_VESSELS.contains(&r.name))
    }

    /// The claim of each reader on a text, the highest first, without readers that do not recognise
    /// it. The first one would read it. Described shapes are named by the shape that fits best.
    pub fn claims(&self, source: &Source) -> Vec<Claim> {
        if !self.has_own_vessel(source)
            && let Some(unwrapped) = Unwrapped::of(source, VesselHints::default())
        {
            return self.claims_on(&unwrapped.source(source));
        }
        self.claims_on(source)
    }

    fn claims_on(&self, source: &Source) -> Vec<Claim> {
        let sample = sample_of(source.text());
        let mut claims: Vec<Claim> =
            self.0.iter().rev().map(|r| r.claim(&sample)).filter(|c| c.score > 0).collect();
        claims.sort_by_key(|c| std::cmp::Reverse(c.score));
        if claims.first().is_some_and(|c| c.reader == PLAIN) && odd::promises_notes(source) {
            claims.insert(0, Claim { reader: UNDIVIDED, score: claims[0].score });
        }
        claims
    }

    fn recognise(&self, source: &Source) -> Result<&Reader, Error> {
        let sample = sample_of(source.text());
        let claims = self.0.iter().map(|r| ((r.sniff)(&sample), r));
        let best = claims.filter(|(score, _)| *score > 0).max_by_key(|(score, _)| *score);
        let best = best.map(|(_, reader)| reader);
        if best.is_some_and(|r| r.name == PLAIN) && odd::promises_notes(source) {
            return self.by_name(UNDIVIDED);
        }
        best.ok_or_else(|| {
            Error::input(source.path(), "no reader recognises this text")
                .of_kind(ErrorKind::Format)
                .hint("name its format")
        })
    }
}

/// The reader of a text that has the keys of a manifest.
fn keyed(source: &Source, keys: &Keys) -> Option<&'static str> {
    let sample = sample_of(source.text());
    if json::sniff(&sample) > 0 {
        return Some("json");
    }
    (table::sniff_with(&sample, KnownKeys(Some(keys))) > 0).then_some("table")
}

/// The claim of a reader on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claim {
    /// Its name for `--from`.
    pub reader: &'static str,
    /// 1 (perhaps) to 100 (certainly).
    pub score: u8,
}

/// Reads a source. Whatever the reader does, its document obeys the rules of the model, or there is
/// an error.
fn checked(
    source: Source,
    read: impl FnOnce(Source) -> Result<Document, Error>,
) -> Result<Document, Error> {
    let path = source.path().to_path_buf();
    let wrong = |why: String| {
        Error::input(&path, format!("the reader failed on this text: {why}"))
            .hint("this is a fault of the reader; please report it, with the text if you can")
    };
    let mut document = guarded(|| read(source)).map_err(wrong)??;
    finish(&mut document);
    let mut all = std::iter::once(&document).chain(&document.chapters);
    all.try_for_each(Document::check).map_err(|broken| wrong(broken.0))?;
    Ok(document)
}

/// Adds diagnostics about the bytes (before the others) and about the text as a whole.
fn finish(document: &mut Document) {
    let of_bytes = document.source.diagnostics();
    document.diagnostics.splice(0..0, of_bytes);
    let reader = READERS.iter().find(|r| r.name == document.reader);
    odd::report(document, |sample| reader.is_some_and(|r| (r.sniff)(sample) > 0));
    unread::report(document);
}

fn not_empty(source: &Source) -> Result<(), Error> {
    if source.text().chars().all(char::is_whitespace) {
        return Err(Error::input(source.path(), "the file is empty"));
    }
    Ok(())
}

/// The built-in reader called `name`.
///
/// # Errors
/// When there is none.
pub fn by_name(name: &str) -> Result<Reader, Error> {
    Readers::default().by_name(name).copied()
}

/// Reads `source` with the named built-in reader, or with the one that recognises it best.
///
/// # Errors
/// As [`Readers::read`].
pub fn read(source: Source, from: Option<&str>) -> Result<Document, Error> {
    Readers::default().read(source, from)
}

/// The last character boundary that is not after byte `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

/// The text without a byte order mark and blanks before it.
fn start(head: &str) -> &str {
    head.trim_start_matches('\u{FEFF}').trim_start()
}

/// A bracket opens a note and is not closed; the note is read up to `end`.
fn unclosed_bracket(span: Span, end: &str) -> Diagnostic {
    let message =
        format!("this bracket opens a note and is not closed; the note is read up to {end}");
    Diagnostic::warning("bracket-unclosed", span, message).hint("close it in the source")
}

/// A bracket closes no note.
fn stray_bracket(span: Span) -> Diagnostic {
    Diagnostic::warning("bracket-stray", span, "this bracket closes nothing")
        .hint("open the note in the source")
}
