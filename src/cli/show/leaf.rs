//! A leaf of the print as what to show: `WYG 3-12a`, `006-1b`.

use crate::corpus::Library;
use crate::corpus::refs::Catalogue;
use crate::diag::Error;
use crate::model::{Locus, slug};
use crate::reading::Leaves;
use crate::source::Span;

/// True if words may name a leaf: the last of them has a digit.
pub fn is_name(words: &str) -> bool {
    words.split_whitespace().next_back().is_some_and(|n| n.contains(|c: char| c.is_ascii_digit()))
}

/// The sentences on the leaf with this name; `None` if no text has one.
///
/// # Errors
/// When several texts have it.
pub fn locus(
    words: &str,
    library: &Library,
    catalogue: &Catalogue<'_>,
) -> Result<Option<Locus>, Error> {
    let mut found: Vec<(Locus, String)> = vec![];
    for document in &library.documents {
        let leaves = Leaves::of(document).at_text(document);
        for (n, leaf) in leaves.all().iter().enumerate().filter(|(_, leaf)| leaf.is_called(words)) {
            let end = leaves.all().get(n + 1).map_or(document.source.text().len(), |next| next.at);
            let span = Span::new(leaf.at, end.max(leaf.at));
            let loci = catalogue.get(&document.id);
            if let Some(locus) = loci.and_then(|loci| loci.name(span)) {
                let version = Some(slug(&document.id));
                found.push((Locus { version, ..locus }, document.meta.title.clone()));
            }
        }
    }
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
pub fn missing(words: &str) -> Option<Error> {
    let number = words.split_whitespace().next_back()?;
    let is_leaf = number.contains('-') && number.ends_with(|c: char| c.is_ascii_lowercase());
    is_leaf.then(|| {
        Error::request(format!("no text here has a leaf {words}"))
            .hint("pages show the leaves that a text names, such as 〔006-1b〕")
    })
}
