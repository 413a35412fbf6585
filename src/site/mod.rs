//! The site of a corpus: what leads to its pages. The pages themselves are the `html` writer's, one a document.

mod index;

pub use index::{Title, index};
