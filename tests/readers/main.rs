//! The readers: every format, and texts that are truncated, mixed or irregular.

mod books;
mod described;
mod edited;
mod encodings;
mod formats;
mod irregular;
mod rows;
mod shapes;
#[path = "../support/mod.rs"]
mod support;
mod vessels;
