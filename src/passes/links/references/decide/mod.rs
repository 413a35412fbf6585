//! Decides what a mention refers to, and makes its link.

pub mod citation;
pub mod going_on;
pub mod quotation;
