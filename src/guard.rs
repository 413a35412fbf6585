//! Keeps a panic from ending more than the work in which it happened: one bad text is one message,
//! and the other texts are still read, linked and written.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does some work; if it panics, says why. The caller must not use what the work may have left half
/// done.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        let place = PLACE.take().map_or(String::new(), |p| format!(" ({p})"));
        format!("{}{place}", message(&*payload))
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Notes where a panic happened, for a program's panic hook. False if nothing guards the work, so
/// that the program should report the panic itself.
#[cfg_attr(not(feature = "cli"), expect(dead_code))]
pub(crate) fn note_place(info: &PanicHookInfo<'_>) -> bool {
    if DEPTH.get() == 0 {
        return false;
    }
    PLACE.set(info.location().map(|l| format!("{}:{}", l.file(), l.line())));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(guarded(|| 1), Ok(1));
        assert!(
            guarded(|| panic!("broken {}", 5)).is_err_and(|why: String| why.contains("broken 5"))
        );
        let inner = guarded(|| guarded(|| panic!("inner")).is_err());
        assert_eq!((inner, DEPTH.get()), (Ok(true), 0));
    }
}
