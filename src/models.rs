//! What the program has learned from texts: built-in models, or a user's own.

use std::path::Path;
use std::sync::Arc;

use crate::books::Profile;
use crate::diag::Error;
use crate::passes::LayerModels;
use crate::source::Position;

/// The models that separate layers and recognise chapters. The default models ship with the
/// program; `lab train` makes others.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// use zhushu::{Models, Settings};
/// let mut settings = Settings::default();
/// settings.models = Models::open(folder.path())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Models {
    pub(crate) layers: Arc<LayerModels>,
    pub(crate) chapters: Arc<Profile>,
    /// Names and contents of the files that replaced built-in models.
    replaced: Vec<(&'static str, Vec<u8>)>,
}

impl std::fmt::Debug for Models {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Models").finish_non_exhaustive()
    }
}

impl Default for Models {
    fn default() -> Self {
        Models { layers: LayerModels::builtin(), chapters: Profile::builtin(), replaced: vec![] }
    }
}

/// Gives a table to the models of the layers; the line and the reason if it is wrong.
type SetTable = fn(&mut LayerModels, String) -> Result<(), (usize, String)>;
/// Why a file is wrong, and the line if it has lines.
type Wrong = (String, Option<usize>);
/// Replaces the model in a file.
type Replace = fn(&mut Models, Vec<u8>) -> Result<(), Wrong>;

/// The files that a folder of models may contain.
const FILES: [(&str, Replace); 5] = [
    ("runs.txt", |models, file| models.table(file, LayerModels::set_runs)),
    ("voices.tsv", |models, file| models.table(file, LayerModels::set_voices)),
    ("weights.tsv", |models, file| models.table(file, LayerModels::set_weights)),
    ("canon.bin", |models, file| {
        let taken = Arc::make_mut(&mut models.layers).set_canon(file);
        taken.then_some(()).ok_or(("it is not a filter of the classics".into(), None))
    }),
    ("profile.bin", |models, file| {
        let profile =
            Profile::parse(&file).ok_or(("it is not a table of chapters".into(), None))?;
        models.chapters = Arc::new(profile);
        Ok(())
    }),
];

impl Models {
    /// The models of a folder, in the files that `lab train` makes: `runs.txt`, `voices.tsv`,
    /// `weights.tsv`, `canon.bin`, `profile.bin`. Built-in models are used for missing files.
    ///
    /// # Errors
    /// If the folder does not exist, or a file in it cannot be read or has another content than its
    /// name says.
    pub fn open(folder: &Path) -> Result<Models, Error> {
        std::fs::read_dir(folder).map_err(|e| Error::io(folder, "read", &e))?;
        let mut models = Models::default();
        for (name, replace) in FILES {
            let path = folder.join(name);
            if let Some(content) = content(&path)? {
                replace(&mut models, content.clone()).map_err(|(why, line)| {
                    let error = Error::input(&path, why).hint(MADE_BY);
                    line.into_iter().fold(error, |e, line| e.at(Position { line, column: 1 }))
                })?;
                models.replaced.push((name, content));
            }
        }
        Ok(models)
    }

    /// Names and contents of the files that replaced built-in models.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.replaced.iter().map(|(name, content)| (*name, content.as_slice()))
    }

    /// Passes a table to the models of the layers.
    fn table(&mut self, file: Vec<u8>, set: SetTable) -> Result<(), Wrong> {
        let table = String::from_utf8(file).map_err(|_| ("it is not UTF-8".to_string(), None))?;
        set(Arc::make_mut(&mut self.layers), table).map_err(|(line, why)| (why, Some(line)))
    }
}

#[cfg(feature = "internals")]
impl Models {
    /// The models that separate layers, for the crate `lab` and for tests.
    #[doc(hidden)]
    pub fn layers(&self) -> &Arc<LayerModels> {
        &self.layers
    }

    /// The same, to change them.
    #[doc(hidden)]
    pub fn layers_mut(&mut self) -> &mut LayerModels {
        Arc::make_mut(&mut self.layers)
    }
}

const MADE_BY: &str = "`lab train` makes the files of this folder: see CONTRIBUTING.md";

/// The content of a file; `None` if it does not exist.
fn content(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match std::fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io(path, "read", &e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::Layer;
    use crate::settings::Settings;
    use crate::source::Source;

    fn with(name: &str, content: &[u8]) -> Result<Models, Error> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
        Models::open(folder.path())
    }

    const TEXT: &str = "天命之謂性，率性之謂道，脩道之謂教。言天之所命，是謂性也。道也者，\
                        不可須臾離也，可離非道也。言道不可離於身。";

    fn certainties(models: Models) -> Vec<f64> {
        let settings = Settings { models, ..Settings::default() };
        let library: Library =
            settings.convert(Source::from_text("a.txt", TEXT), Some("zhushu")).unwrap();
        library.documents[0].of_layer(Layer::Jing).map(|s| s.certainty.get()).collect()
    }

    #[test]
    fn two_sets_of_models_are_used_side_by_side() {
        let weights = include_str!("passes/layers/split/data/weights.tsv");
        let halved: String = weights
            .lines()
            .map(|line| {
                let cells = line.split('\t').map(|c| match c.parse::<f64>() {
                    Ok(figure) => format!("{:.3}", figure / 2.0),
                    Err(_) => c.to_string(),
                });
                cells.collect::<Vec<_>>().join("\t") + "\n"
            })
            .collect();
        let builtin = certainties(Models::default());
        assert_ne!(certainties(with("weights.tsv", halved.as_bytes()).unwrap()), builtin);
        assert_eq!(certainties(with("weights.tsv", weights.as_bytes()).unwrap()), builtin);
        assert_eq!(certainties(Models::default()), builtin);
    }

    #[test]
    fn a_wrong_file_is_reported_with_its_line() {
        let line = |name, content: &[u8]| match with(name, content) {
            Ok(_) => None,
            Err(e) => Some(e.to_string()),
        };
        for (name, content, expected) in [
            ("runs.txt", &b"# runs\nnothing\t\xe7\xb6\x93\n"[..], "runs.txt:2"),
            ("voices.tsv", b"no tab\n", "voices.tsv:1"),
            ("weights.tsv", b"# f\nunknown\t1\n", "weights.tsv:2"),
            ("weights.tsv", b"", "is missing"),
            ("weights.tsv", b"\xff", "not UTF-8"),
            ("canon.bin", b"short", "not a filter"),
            ("canon.bin", &[255; 100], "not a filter"),
            ("profile.bin", b"no tab\n\n", "not a table"),
        ] {
            let message = line(name, content).unwrap_or_else(|| panic!("{name} was accepted"));
            assert!(message.contains(expected), "{name}: {message}");
        }
        assert!(with("weights.txt", b"not looked at").is_ok());
        assert!(Models::open("/no/such/folder".as_ref()).is_err());
    }
}
