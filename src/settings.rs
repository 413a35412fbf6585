//! What a user of the library may replace: the readers, the list of works, and which passes run.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::corpus::Works;
use crate::language::Language;
use crate::memo::Memo;
use crate::model::MarkSource;
use crate::models::Models;
use crate::passes::Stage;
use crate::readers::Readers;
use crate::shelf::Shelf;
use crate::source::Lines;

/// How texts are read and linked. The default is that of the program.
///
/// ```
/// use std::sync::Arc;
/// use zhushu::{Settings, corpus::Works};
/// let mut settings = Settings::default();
/// settings.works = Arc::new(Works::with("[[work]]\ntitle = \"水經注\"\nkey = \"shuijingzhu\"\n")?);
/// let library = settings.run(vec![]);
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The readers that recognise and read texts.
    pub readers: Readers,
    /// The works and chapters in which titles are looked up.
    pub works: Arc<Works>,
    /// What was learned from other texts.
    pub models: Models,
    /// What the lines of texts are, unless their entry says it; decided for each text if it is
    /// `None`.
    pub lines: Option<Lines>,
    /// Whether links in a folder of texts may lead out of it. What a manifest names is read in any
    /// case.
    pub follow_links: bool,
    /// Whether references and parallels are searched. Formats that do not show them do not need
    /// them: layers, sections, loci and apparatus are always computed.
    pub references: bool,
    /// Which punctuation is found for texts without any ([`Document::supplied`]); `None` leaves it
    /// to the manifest. Sentences are numbered by it.
    ///
    /// [`Document::supplied`]: crate::model::Document::supplied
    pub punctuation: MarkSource,
    /// The language in which pages are written.
    pub language: Language,
    /// The user's own library, from which the program reads what shares words with a text.
    pub(crate) shelf: Option<Arc<Shelf>>,
    /// Where that is, if it is wanted.
    pub(crate) library: Option<PathBuf>,
    /// What the last build of the same texts left, if this is a build.
    pub(crate) memo: Option<Arc<Memo>>,
    /// Who is told how far the passes are.
    pub(crate) progress: Option<Progress>,
}

/// A function that is called whenever a stage is done with a document, with how many of the stage's
/// documents are done, and of how many. Threads call it at the same time.
#[derive(Clone)]
pub(crate) struct Progress(Arc<dyn Fn(Stage, usize, usize) + Send + Sync>);

impl Progress {
    /// One that calls this function.
    pub(crate) fn new(call: impl Fn(Stage, usize, usize) + Send + Sync + 'static) -> Self {
        Progress(Arc::new(call))
    }

    /// Says that so many documents of a stage are done.
    pub(crate) fn of(&self, stage: Stage, done: usize, of: usize) {
        (self.0)(stage, done, of);
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            readers: Readers::default(),
            works: Works::builtin(),
            models: Models::default(),
            lines: None,
            follow_links: false,
            references: true,
            punctuation: MarkSource::None,
            language: Language::default(),
            shelf: None,
            library: None,
            memo: None,
            progress: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Loci;
    use crate::source::Source;

    #[test]
    fn two_lists_of_works_are_used_side_by_side() {
        let text = "[疏]釋曰:《山居志》云“河水又東”。\n";
        let locus = |settings: &Settings| {
            let mut document =
                settings.readers.read(Source::from_text("a.txt", text), None).unwrap();
            document.meta.work = Some("山居志".into());
            let library = settings.run(vec![document]);
            let document = &library.documents[0];
            (Loci::of(document).text.to_string(), document.links[0].work.clone())
        };
        let works =
            Works::with("[[work]]\ntitle = \"山居志\"\nabbr = [\"山居\"]\nkey = \"shanju\"\n");
        let own = Settings {
            readers: Readers::default(),
            works: Arc::new(works.unwrap()),
            ..Settings::default()
        };
        assert_eq!(locus(&own).0, "shanju.00");
        assert_eq!(locus(&Settings::default()).0, "a.00");
        assert_eq!(locus(&own).1.as_deref(), Some("山居志"));
    }
}
