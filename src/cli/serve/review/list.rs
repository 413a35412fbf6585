//! The page with which a review begins: its texts, those with most questions first, and how far
//! each is.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::desk::Desk;
use crate::diag::Error;
use crate::model::Confirmed;
use crate::site::review::{ListedText, first_page as with_list};

/// So long the questions of texts are counted before the page is shown; it has the others when it
/// is loaded again.
const PATIENCE: Duration = Duration::from_secs(2);

/// The first page of the site, with the list.
pub(super) fn first_page(desk: &mut Desk) -> Result<Vec<u8>, Error> {
    let file = desk.site.join("index.html");
    let page = std::fs::read_to_string(&file).map_err(|e| Error::io(&file, "read", &e))?;
    let end = Instant::now() + PATIENCE;
    let mut parts: HashMap<PathBuf, Vec<usize>> = HashMap::new();
    for (n, document) in desk.library.documents.iter().enumerate() {
        parts.entry(document.source.path().to_path_buf()).or_default().push(n);
    }
    let texts = (0..desk.read.len()).filter_map(|number| {
        let own = parts.get(desk.read[number].source.path())?;
        listed(desk, number, own, end)
    });
    let mut texts: Vec<ListedText> = texts.collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.left));
    let own = desk.corpus.settings.language;
    let page = with_list(&page, &texts, own).map_err(|e| Error::io(&file, "write", &e))?;
    Ok(page.into_bytes())
}

/// A text whose documents have these numbers.
fn listed(desk: &mut Desk, number: usize, own: &[usize], end: Instant) -> Option<ListedText> {
    let is_time = Instant::now() < end;
    let left = if is_time { desk.asked(number).ok().map(|asked| asked.len()) } else { None };
    let all = || own.iter().map(|n| &desk.library.documents[*n]);
    let first = all().next()?;
    let by = |c: &&Confirmed| c.by == desk.reviewer.by;
    let decided = all().flat_map(|d| &d.confirmed).filter(by).count();
    let title = if own.len() > 1 { &desk.read[number].meta.title } else { &first.meta.title };
    let title = if title.is_empty() { &first.id } else { title };
    Some(ListedText { id: first.id.clone(), title: title.clone(), left, decided })
}
