//! What was last read of a long passage: the hits in it need it one after the other, and reading
//! it again for each would take the square of their number.

use std::sync::{Arc, Mutex, PoisonError};

use crate::search::units::Laid;
use crate::source::Span;

/// The last of each kind.
#[derive(Debug, Default)]
pub(super) struct Recent {
    pub(super) laid: Mutex<Option<(u32, Arc<Laid>)>>,
    pub(super) counted: Mutex<Option<Counted>>,
    pub(super) sentences: Mutex<Option<SentencesOf>>,
}

/// A stretch of a document, and its sentences.
pub(super) type SentencesOf = (u32, Span, Arc<Vec<Span>>);

/// How many characters other than blanks a stretch of a document has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) doc: u32,
    pub(super) span: Span,
    pub(super) count: usize,
}

pub(super) fn locked<T>(last: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    last.lock().unwrap_or_else(PoisonError::into_inner)
}
