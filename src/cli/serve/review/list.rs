//! The page with which a review begins: its texts, those with most questions first, and how far
//! each is.

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
    let mut texts: Vec<ListedText> =
        (0..desk.read.len()).filter_map(|number| listed(desk, number, end)).collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.left));
    let own = desk.corpus.settings.language;
    let page = with_list(&page, &texts, own).map_err(|e| Error::io(&file, "write", &e))?;
    Ok(page.into_bytes())
}

fn listed(desk: &mut Desk, number: usize, end: Instant) -> Option<ListedText> {
    let is_time = Instant::now() < end;
    let left = if is_time { desk.asked(number).ok().map(|asked| asked.len()) } else { None };
    let read = &desk.read[number];
    let parts = || desk.library.documents.iter().filter(|d| d.source.path() == read.source.path());
    let first = parts().next()?;
    let by = |c: &&Confirmed| c.by == desk.reviewer.by;
    let decided = parts().flat_map(|d| &d.confirmed).filter(by).count();
    let title = if parts().count() > 1 { &read.meta.title } else { &first.meta.title };
    let title = if title.is_empty() { &first.id } else { title };
    Some(ListedText { id: first.id.clone(), title: title.clone(), left, decided })
}
