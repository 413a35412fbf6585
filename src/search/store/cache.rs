//! Keeps what was read from a file, so that it is read and decoded once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::diag::Error;

/// Blocks kept by each cache.
const CACHED_BLOCKS: usize = 16;

/// The most recently read blocks, by number.
#[derive(Debug)]
pub(super) struct BlockCache<T>(Mutex<VecDeque<(u32, Arc<T>)>>);

impl<T> Default for BlockCache<T> {
    fn default() -> Self {
        BlockCache(Mutex::new(VecDeque::new()))
    }
}

impl<T> BlockCache<T> {
    /// Block `n`, read by `make` unless it is in the cache.
    pub(super) fn get(
        &self,
        n: u32,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        if let Some((_, found)) =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().find(|(k, _)| *k == n)
        {
            return Ok(found.clone());
        }
        let made = Arc::new(make()?);
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.len() == CACHED_BLOCKS {
            cached.pop_back();
        }
        cached.push_front((n, made.clone()));
        Ok(made)
    }
}

/// The value of a cell, made on first use.
pub(super) fn once<T>(
    cell: &OnceLock<T>,
    make: impl FnOnce() -> Result<T, Error>,
) -> Result<&T, Error> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}
