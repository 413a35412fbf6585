//! Lessons: texts with the cuts made by hand that weights are learned from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zhushu::Settings;
use zhushu::corpus::Library;
use zhushu::diag::Error;
use zhushu::model::{Document, Layer};
use zhushu::passes::{self, Context};
use zhushu::score::{self, GoldError, Labelled};
use zhushu::source::Position;

use super::lesson::Lesson;
use super::without_references;
use crate::texts;

/// One row of a table of lessons.
pub struct LessonRow {
    /// The book that the text is of.
    pub book: String,
    /// The text.
    pub text: PathBuf,
    /// The JSON with its true layers.
    pub cut: PathBuf,
    /// A plain copy of the classic.
    pub witness: Option<PathBuf>,
}

impl LessonRow {
    /// The row of an argument `TEXT=JSON`.
    ///
    /// # Errors
    /// If it has no “=”.
    pub fn of_argument(argument: &str) -> Result<Self, Error> {
        let (text, cut) = argument.rsplit_once('=').ok_or_else(|| {
            Error::request(format!("--lesson {argument}: no “=”")).hint("write TEXT=JSON")
        })?;
        let book = text.to_string();
        Ok(LessonRow { book, text: text.into(), cut: cut.into(), witness: None })
    }

    /// The rows of a table: book, text, cut, and a plain copy of the classic if there is one,
    /// separated by tabs. Paths are relative to the table.
    ///
    /// # Errors
    /// If it cannot be read, or a row has no three cells.
    pub fn of_table(path: &Path) -> Result<Vec<Self>, Error> {
        let table = texts::string(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let row = |(n, line): (usize, &str)| {
            let mut cells = line.split('\t').map(str::trim);
            let mut cell = || cells.next().filter(|c| !c.is_empty());
            match (cell(), cell(), cell()) {
                (Some(book), Some(text), Some(cut)) => Ok(LessonRow {
                    book: book.to_string(),
                    text: folder.join(text),
                    cut: folder.join(cut),
                    witness: cell().map(|w| folder.join(w)),
                }),
                _ => Err(Error::input(path, "a lesson needs a book, a text and its cut")
                    .at(Position { line: n + 1, column: 1 })
                    .hint("separate the cells with tabs")),
            }
        };
        let rows = table.lines().enumerate().filter(|(_, l)| !l.starts_with('#') && !l.is_empty());
        rows.map(row).collect()
    }

    /// Reads the text and its true layers.
    ///
    /// # Errors
    /// If either cannot be read.
    pub fn read(
        &self,
        encoding: Option<&str>,
        settings: &Settings,
        witnesses: &mut WitnessLibraries,
    ) -> Result<Lesson, Error> {
        let mut document = settings.entry(&texts::entry(&self.text, encoding))?;
        let library = Library::default();
        let context = Context::with(&library, &settings.works, settings.models.layers());
        passes::run_before_split(&mut document, &context);
        let wrong = |e: GoldError| {
            let hint = format!("its spans must be code points of {}", self.text.display());
            Error::input(&self.cut, e.to_string()).hint(hint)
        };
        let spans = score::spans(&texts::json(&self.cut)?, &document.source).map_err(wrong)?;
        let known = |s: &Labelled| match s.layer {
            Some(layer @ (Layer::Jing | Layer::Zhu | Layer::Yin)) => {
                Some((layer, s.span(&document.source)))
            }
            _ => None,
        };
        let truth = spans.iter().filter_map(known).collect();
        let witnesses = witnesses.of(self.witness.as_deref(), settings)?;
        Ok(Lesson { book: self.book.clone(), document, truth, witnesses })
    }
}

/// A plain copy of a classic, under an id that no lesson has: both files may have the same name.
///
/// # Errors
/// If it cannot be read.
pub fn witness_of(path: &Path, settings: &Settings) -> Result<Document, Error> {
    let mut document = settings.entry(&texts::entry(path, None))?;
    document.id.push_str("-plain");
    Ok(document)
}

/// The libraries of plain copies that are already read, by path: several lessons share one.
#[derive(Default)]
pub struct WitnessLibraries(HashMap<PathBuf, Arc<Library>>);

impl WitnessLibraries {
    fn of(&mut self, path: Option<&Path>, settings: &Settings) -> Result<Arc<Library>, Error> {
        let Some(path) = path else { return Ok(Arc::default()) };
        if let Some(library) = self.0.get(path) {
            return Ok(Arc::clone(library));
        }
        let document = witness_of(path, settings)?;
        let settings = without_references(settings);
        let library = Arc::new(settings.run(vec![document]));
        self.0.insert(path.to_path_buf(), Arc::clone(&library));
        Ok(library)
    }
}
