//! Stops work on an index whose answer is no longer wanted.

use std::fmt;
use std::sync::Arc;

use super::index::Index;
use crate::diag::{Error, ErrorKind};

/// Says whether to stop. Asked before each read of the index and between the steps of a query.
#[derive(Clone, Default)]
pub(super) struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// An error if the work is to stop.
    pub(super) fn check(&self) -> Result<(), Error> {
        match &self.0 {
            Some(is_over) if is_over() => {
                Err(Error::request("the search was stopped").of_kind(ErrorKind::Stopped))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop(…)" } else { "Stop" })
    }
}

impl Index {
    /// The same index, which stops working when `is_over` says so: a query, its answers and
    /// suggestions then end with an error of kind [`ErrorKind::Stopped`]. It is asked often, so it
    /// should be quick.
    ///
    /// ```no_run
    /// use std::time::{Duration, Instant};
    /// use zhushu::search::Index;
    /// let end = Instant::now() + Duration::from_secs(2);
    /// let index = Index::open("out/index".as_ref())?.until(move || Instant::now() >= end);
    /// # Ok::<(), zhushu::diag::Error>(())
    /// ```
    #[must_use]
    pub fn until(mut self, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.stop = Stop(Some(Arc::new(is_over)));
        for file in &mut self.files {
            file.stop_with(self.stop.clone());
        }
        self
    }
}
