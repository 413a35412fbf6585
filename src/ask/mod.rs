//! What one may ask of texts, as functions whose answers can be written as JSON: `zhushu mcp`,
//! `zhushu serve` and programs in Rust ask the same.
//!
//! [`OPERATIONS`] is the table of what may be asked, with the parameters of each; [`Arguments`]
//! reads and checks these, from JSON or from the query of an address. An [`Answerer`] answers, for
//! editions that `zhushu build` wrote, for folders of texts, and for the user's own library. It
//! opens nothing before it is asked.
//!
//! Each answer says which editions were searched and what was not (`searched`, `not_searched`), and
//! is bounded: what does not fit is counted in `more`, with the parameters that show it.
//! `schema/answers.schema.json` describes all answers.

mod answerer;
mod arguments;
mod bounds;
mod contents;
mod edition;
mod glossed;
mod made;
mod mcp;
mod openapi;
mod operations;
pub(crate) mod passage;
mod passages;
mod places;
mod quotations;
mod quoted;
mod search;
mod store;
mod verified;

pub use answerer::Answerer;
pub(crate) use answerer::complaint;
pub use arguments::{Arguments, Parameter, ParameterKind};
pub use mcp::Conversation;
pub use openapi::openapi;
pub use operations::{OPERATIONS, Operation, operation};
pub use passage::{PassagePart, passage_of};
pub(crate) use verified::{ShelfIndex, index_of_shelf, temporary_index};
