//! Shared code of the tests. Every test binary has its own copy and uses part of it.
#![allow(dead_code)]

pub mod browser;
pub mod console;
pub mod corpus;
pub mod driven;
pub mod editions;
pub mod perturb;
pub mod program;
pub mod reading;
pub mod tables;
