//! Candidates: places that have the words of a reference. One look-up (`exact::hits`) finds them
//! exactly, or with a few differences; the aligned finder finds them in other words.

pub mod aligned;
pub mod cited;
pub mod exact;
pub mod sentence;
mod windows;
