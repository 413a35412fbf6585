//! The order in which PAGE says that the regions of an image are read, beside that of the file.

use std::sync::LazyLock;

use regex::Regex;

use crate::diag::Diagnostic;
use crate::source::Span;
use crate::text::pattern;

static REFERENCE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"<(?:\w+:)?RegionRefIndexed\b[^<>]*>"));
static REGION: LazyLock<Regex> = LazyLock::new(|| pattern(r"<(?:\w+:)?TextRegion\b[^<>]*>"));
static INDEX: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bindex\s*=\s*["'](\d+)"#));
static TO: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bregionRef\s*=\s*["']([^"']+)"#));
static ID: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\sid\s*=\s*["']([^"']+)"#));

/// Says so if regions of text stand in another order than they are to be read in: the text is read
/// as it stands.
pub(super) fn remark(text: &str) -> Option<Diagnostic> {
    let mut said: Vec<(usize, &str)> = REFERENCE
        .find_iter(text)
        .filter_map(|tag| {
            let index = INDEX.captures(tag.as_str())?[1].parse().ok()?;
            Some((index, TO.captures(tag.as_str())?.get(1)?.as_str()))
        })
        .collect();
    // Groups within groups count from the beginning again.
    let mut numbers: Vec<usize> = said.iter().map(|s| s.0).collect();
    numbers.sort_unstable();
    if numbers.windows(2).all(|two| two[0] < two[1]) {
        said.sort_unstable();
    }
    let regions: Vec<(&str, Span)> = REGION
        .find_iter(text)
        .filter_map(|tag| {
            let id = ID.captures(tag.as_str())?.get(1)?.as_str();
            Some((id, Span::new(tag.start(), tag.end())))
        })
        .collect();
    let known: rustc_hash::FxHashSet<&str> = regions.iter().map(|r| r.0).collect();
    let named: rustc_hash::FxHashSet<&str> = said.iter().map(|s| s.1).collect();
    let said = said.iter().map(|s| s.1).filter(|id| known.contains(id));
    let mut stand = regions.iter().filter(|r| named.contains(r.0));
    let (_, place) = said.zip(&mut stand).find(|(id, region)| *id != region.0)?;
    let message = "the file says that its regions are read in another order; \
                   they are read as they stand in the file";
    let hint = "put the regions into that order (ReadingOrder)";
    Some(Diagnostic::warning("reading-order", place.1, message).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_of_reading_is_said() {
        let page = |order: [&str; 2]| {
            let order: String = order
                .iter()
                .enumerate()
                .map(|(n, id)| format!("<RegionRefIndexed index=\"{n}\" regionRef=\"{id}\"/>"))
                .collect();
            format!(
                "<Page><ReadingOrder><OrderedGroup>{order}</OrderedGroup></ReadingOrder>\
                 <TextRegion id=\"a\"/><ImageRegion id=\"x\"/><TextRegion id=\"b\"/></Page>"
            )
        };
        assert_eq!(remark(&page(["a", "b"])), None);
        assert!(remark(&page(["b", "a"])).is_some());
        assert_eq!(remark(&page(["x", "b"])), None);
    }
}
