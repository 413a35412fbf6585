//! Passes that link text to text: what headers treat, what comments quote and cite, which readings
//! notes report, and which other chapters have the same words.

pub mod apparatus;
pub mod confirmed_links;
mod differs;
pub mod lemmata;
pub mod lemmata_beside;
pub mod parallels;
pub mod references;
