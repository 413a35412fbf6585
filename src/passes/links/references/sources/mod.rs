//! Sources: what a reference may mean. The discourse (what was cited before), the years of annals,
//! scholars and their notes, and the text's own work.

pub mod annals;
pub mod called;
pub mod home;
pub mod open;
pub mod scholars;
