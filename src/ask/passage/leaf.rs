//! A leaf of the print as what to show: `WYG 3-12a`, `006-1b`.

use crate::corpus::Loci;
use crate::diag::Error;
use crate::model::{Document, Locus, slug};
use crate::reading::{Leaf, Leaves};
use crate::source::Span;

/// True if words may name a leaf: the last of them has a digit.
pub(crate) fn is_name(words: &str) -> bool {
    words.split_whitespace().next_back().is_some_and(|n| n.contains(|c: char| c.is_ascii_digit()))
}

/// The sentences on each leaf of a text with this name, and the title of the text.
pub(crate) fn in_text(words: &str, document: &Document, loci: &Loci<'_>) -> Vec<(Locus, String)> {
    let leaves = Leaves::of(document).at_text(document);
    let called = leaves.all().iter().enumerate().filter(|(_, leaf)| leaf.is_called(words));
    let sentences = |(n, leaf): (usize, &Leaf)| {
        let end = leaves.all().get(n + 1).map_or(document.source.text().len(), |next| next.at);
        let locus = loci.name(Span::new(leaf.at, end.max(leaf.at)))?;
        let version = Some(slug(&document.id));
        Some((Locus { version, ..locus }, document.meta.title.clone()))
    };
    called.filter_map(sentences).collect()
}

/// The leaf that was found; `None` if no text has one.
///
/// # Errors
/// When several texts have it.
pub(crate) fn the_one(
    words: &str,
    mut found: Vec<(Locus, String)>,
) -> Result<Option<Locus>, Error> {
    if found.len() < 2 {
        return Ok(found.pop().map(|(locus, _)| locus));
    }
    let names = found.iter().map(|(locus, title)| format!("{title} ({})", locus.text));
    Err(Error::request(format!("several texts have a leaf {words}")).hint(format!(
        "name the edition, or the file after the leaf: {}",
        names.collect::<Vec<_>>().join(", ")
    )))
}

/// The error for a leaf that no text has; none for words that name no leaf.
pub(crate) fn missing(words: &str) -> Option<Error> {
    let number = words.split_whitespace().next_back()?;
    let is_leaf = number.contains('-') && number.ends_with(|c: char| c.is_ascii_lowercase());
    is_leaf.then(|| {
        Error::request(format!("no text here has a leaf {words}"))
            .hint("pages show the leaves that a text names, such as 〔006-1b〕")
    })
}
