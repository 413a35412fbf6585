//! zhushu from Python: the module `_zhushu`, which the package `zhushu` gives its names.
//!
//! Every class is frozen and shares its document with the library it came from, so nothing is
//! copied until Python asks for it. Long work runs without the interpreter's lock. Offsets that
//! Python sees are code points of the text, as Python counts strings; the library counts bytes.

mod align;
mod document;
mod error;
mod export;
mod gloss;
mod items;
mod library;
mod link;
mod part;
mod passage;
mod read;
mod search;
mod table;

use pyo3::prelude::*;

/// The compiled part of `zhushu`.
#[pymodule]
mod _zhushu {
    #[pymodule_export]
    use crate::align::{Alignment, Bead, align};
    #[pymodule_export]
    use crate::document::{Diagnostic, Document, Segment, Speech};
    #[pymodule_export]
    use crate::export::{export, formats};
    #[pymodule_export]
    use crate::gloss::Gloss;
    #[pymodule_export]
    use crate::library::{Library, split};
    #[pymodule_export]
    use crate::link::{Link, Place, references};
    #[pymodule_export]
    use crate::part::{Figures, cited_in, named_as, parallels_of_pairs, run_part, with_parallels};
    #[pymodule_export]
    use crate::passage::Passage;
    #[pymodule_export]
    use crate::read::{facts, read, read_bytes, read_text, texts_of};
    #[pymodule_export]
    use crate::search::{Hit, Index, SearchResults, build_index, open_index};
    #[pymodule_export]
    use crate::table::Table;
}
