//! Reads the classic: what it cites itself (《詩》云, 詩曰). All else that it says is not about other texts, and titles of
//! its own work (《象》曰 in the 周易) are its headings.

use super::cues::QUOTING_VERBS;
use super::notes::{bare_titles, titled_citation};
use super::place::PlaceFinder;
use super::scan::{TokenKind, tokens};
use crate::model::{Link, Segment, Status};
use crate::source::Span;

/// Titles that may mean any tradition, not only the 左傳.
const TRADITIONS: &[&str] = &["傳", "传"];

/// Reads a segment.
pub fn read(places: &PlaceFinder<'_>, segment: &Segment, links: &mut Vec<Link>) {
    let mut titled = vec![];
    read_titles(places, segment, segment.span, &mut titled, links);
    let mut bare = vec![];
    bare_titles(places, segment.span, segment.layer, (&titled, None), &mut bare);
    // 書曰 may be what someone writes.
    links.extend(bare.into_iter().filter(is_there));
}

/// Links the titles in 《》 that a verb of quotation follows, inside quotations too.
fn read_titles(
    places: &PlaceFinder<'_>,
    segment: &Segment,
    span: Span,
    titled: &mut Vec<Span>,
    links: &mut Vec<Link>,
) {
    let text = places.document.source.text();
    let tokens = tokens(text, span);
    for (n, t) in tokens.iter().enumerate() {
        match t.kind {
            TokenKind::Title if text[t.outer.end()..span.end()].starts_with(QUOTING_VERBS) => {
                if let Some(link) = titled_citation(places, &tokens, n, *t, segment.layer)
                    && (is_there(&link) || !TRADITIONS.contains(&&text[t.inner.range()]))
                {
                    titled.extend([Some(link.span), link.quoted].into_iter().flatten());
                    links.push(link);
                }
            }
            TokenKind::Quote => read_titles(places, segment, t.inner, titled, links),
            _ => {}
        }
    }
}

/// True if the words of a citation were found, and not only words like them.
fn is_there(link: &Link) -> bool {
    link.target.is_some() && link.status != Status::Paraphrase
}
