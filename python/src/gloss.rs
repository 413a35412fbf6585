//! What notes say of words.

use pyo3::prelude::*;
use zhushu::corpus::refs::Catalogue;
use zhushu::glosses::{self, GlossWanted, PlacedGloss};

use crate::error::{Result, detached};
use crate::library::Library;
use crate::link::{Place, place};

/// What a note says of a word.
#[pyclass(frozen, get_all, module = "zhushu")]
#[derive(Clone)]
pub struct Gloss {
    /// The word, as the note writes it.
    headword: String,
    /// How: `means`, `refers-to`, `is-like`, `sound-gloss`, `called`, `read-as`, `read-like`,
    /// `sounds`, `fanqie`, `tone`, `other-reading`, `emended`.
    kind: &'static str,
    /// What is said of it.
    sense: String,
    /// Who says it, as far as that is known; of a reading the witness.
    who: Option<String>,
    /// The layer of the note.
    layer: &'static str,
    /// The probability that this is a gloss of the headword.
    certainty: f64,
    /// The statement.
    source: Place,
    /// The word in the text that it explains.
    target: Option<Place>,
}

#[pymethods]
impl Gloss {
    fn __repr__(&self) -> String {
        format!("<zhushu.Gloss {} {} {}>", self.headword, self.kind, self.sense)
    }
}

/// The glosses of a library, or those of one word.
pub fn glosses_of(
    py: Python<'_>,
    library: &Library,
    headword: Option<String>,
    certainty: f64,
) -> Result<Vec<Gloss>> {
    let wanted = GlossWanted { headword, certainty, ..GlossWanted::default() };
    detached(py, || {
        let catalogue = Catalogue::of(&library.inner);
        let documents = library.inner.documents.iter().map(|d| &**d);
        glosses::placed(documents, &catalogue, &wanted).iter().map(gloss).collect()
    })
}

fn gloss(placed: &PlacedGloss<'_>) -> Gloss {
    let gloss = &placed.gloss;
    Gloss {
        headword: gloss.headword.to_string(),
        kind: gloss.kind.id(),
        sense: gloss.sense.to_string(),
        who: gloss.who.as_ref().map(ToString::to_string),
        layer: gloss.layer.id(),
        certainty: gloss.certainty.rounded(),
        source: place(&placed.from),
        target: placed.lemma.as_ref().map(place),
    }
}
