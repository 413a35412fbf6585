//! Errors and diagnostics in words, with the place they are about.

use std::io::{self, Write};

use annotate_snippets::{Level, Renderer};
use zhushu::diag::Error;

/// Prints what ended the work on standard error.
pub fn error(e: &Error) -> io::Result<()> {
    let mut group = Level::ERROR.primary_title(e.to_string()).elements(Vec::<annotate_snippets::Message<'_>>::new());
    if let Some(hint) = &e.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    writeln!(anstream::stderr(), "{}", Renderer::styled().render(&[group]))
}
