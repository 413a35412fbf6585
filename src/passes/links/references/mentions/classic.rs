//! Reads the classic: what it cites itself (《詩》云, 詩曰). All else that it says is not about other
//! texts, and titles of its own work (《象》曰 in the 周易) are its headings.

use super::bare;
use super::notes::NoteLinks;
use super::tokens::CommentToken;
use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;

/// The links of a segment.
pub fn read(places: &Places<'_>, segment: &Segment) -> Vec<Link> {
    let (rule, of) = (Rule::ClassicCites, (segment.span, segment.layer));
    let is_there = |l: &Link| l.target.is_some() && l.status != Status::Paraphrase;
    let is_said = |token: CommentToken| {
        let after = &places.text()[token.outer.end()..segment.span.end()];
        after.starts_with(|c| QUOTING_VERBS.has(c))
    };
    // 《傳》 may be any tradition, and 書曰 may be what someone writes.
    let is_work = |token: CommentToken| !ANY_TRADITION.has(places.slice(token.inner));
    let mut found = NoteLinks::default();
    found.titled(places, rule, of, &|token, link| {
        is_said(token) && (is_there(link) || is_work(token))
    });
    let bare = bare::citations(places, rule, of, |s| found.is_free(s), None);
    found.links.extend(bare.into_iter().map(|(link, _)| link).filter(is_there));
    found.links
}
