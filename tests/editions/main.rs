//! Output: TEI, pages and editions.

mod again;
mod checked;
mod formats;
mod hostile;
mod html;
mod leaves;
mod lines;
mod names;
mod order;
mod schemas;
mod supplied;
#[path = "../support/mod.rs"]
mod support;
mod tei;
