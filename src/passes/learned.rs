//! What the passes have learned from other texts: built-in models, or a user's own.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

use super::evidence::canon::CanonFilter;
use super::evidence::known;
use super::evidence::models;
use super::evidence::run::LABELS;
use super::layers::split::model::Weights;
use crate::model::Layer;
use crate::text::ngram::CharModel;

static BUILTIN: LazyLock<Arc<LayerModels>> = LazyLock::new(|| Arc::new(LayerModels::default()));

/// The models that separate layers. Costly ones are prepared on first use.
#[derive(Clone)]
pub struct LayerModels {
    runs: Cow<'static, str>,
    voices: Cow<'static, str>,
    canon: Arc<CanonFilter>,
    /// Replaced ones; the built-in ones are read on first use.
    weights: Option<Arc<Weights>>,
    characters: OnceLock<[CharModel; LABELS]>,
}

impl Default for LayerModels {
    fn default() -> Self {
        LayerModels {
            runs: known::RUNS.into(),
            voices: known::VOICES.into(),
            canon: CanonFilter::builtin(),
            weights: None,
            characters: OnceLock::new(),
        }
    }
}

impl LayerModels {
    /// Those that ship with the program.
    pub fn builtin() -> Arc<Self> {
        Arc::clone(&BUILTIN)
    }

    /// Replaces the runs of 經 and 注 (`lab train`).
    ///
    /// # Errors
    /// The number of the first wrong line, and what is wrong with it.
    pub fn set_runs(&mut self, table: String) -> Result<(), (usize, String)> {
        known::check(&table)?;
        self.runs = table.into();
        self.characters = OnceLock::new();
        Ok(())
    }

    /// Replaces the runs of 音義 and 疏 (`lab train --voices`).
    ///
    /// # Errors
    /// As [`LayerModels::set_runs`].
    pub fn set_voices(&mut self, table: String) -> Result<(), (usize, String)> {
        known::check(&table)?;
        self.voices = table.into();
        self.characters = OnceLock::new();
        Ok(())
    }

    /// Replaces the weights of the splitter's features (`lab train --lesson`).
    ///
    /// # Errors
    /// As [`LayerModels::set_runs`].
    pub fn set_weights(&mut self, table: String) -> Result<(), (usize, String)> {
        self.weights = Some(Arc::new(Weights::parse(&table)?));
        Ok(())
    }

    /// Replaces the filter of the classics (`lab train --canon`). False if it is not a filter.
    #[must_use]
    pub fn set_canon(&mut self, file: Vec<u8>) -> bool {
        let filter = CanonFilter::of(file.into());
        filter.map(|f| self.canon = Arc::new(f)).is_some()
    }

    /// Knows no classic.
    pub fn forget_canon(&mut self) {
        self.canon = Arc::new(CanonFilter::of_nothing());
    }

    /// Replaces the weights of the splitter's features by learned ones.
    pub fn give_weights(&mut self, weights: Weights) {
        self.weights = Some(Arc::new(weights));
    }

    /// The filter of the classics' words.
    pub fn canon(&self) -> &Arc<CanonFilter> {
        &self.canon
    }

    /// The weights of the splitter's features.
    pub fn weights(&self) -> &Weights {
        self.weights.as_deref().unwrap_or_else(|| Weights::builtin())
    }

    /// Character models of 經, 注 and 音義.
    pub fn characters(&self) -> &[CharModel; LABELS] {
        self.characters.get_or_init(|| {
            let mut all = models::empty();
            models::learn(&mut all, self.runs().chain(self.voices()));
            all
        })
    }

    /// Runs of 經 and 注, folded.
    pub fn runs(&self) -> impl Iterator<Item = (Layer, Vec<char>)> + '_ {
        known::parse(&self.runs)
    }

    /// Runs of 音義 and 疏, folded.
    pub fn voices(&self) -> impl Iterator<Item = (Layer, Vec<char>)> + '_ {
        known::parse(&self.voices)
    }
}
