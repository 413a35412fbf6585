//! Years of the 春秋 as sources: the duke is the chapter of the 左傳 (or of the other two traditions)
//! that is meant, and the year its section.

use crate::corpus::index::Indexed;
use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;
use crate::text::{char_ceil, numeral};
use ecow::eco_format;
use std::ops::Range;

/// Bytes before a place in which its label is looked for: a year of the 左傳 may be long.
const MAX_LABEL_BYTES: usize = 1 << 15;
/// The classic, and the traditions that are arranged by years; the first is meant where none is
/// named.
const CLASSIC: &str = "春秋";
const TRADITIONS: &[&str] = &["左傳", "公羊傳", "穀梁傳"];

/// A year of a duke, as the text names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DukeYear {
    /// The first character of what the duke is called.
    pub duke: char,
    /// The year.
    pub year: u32,
}

impl DukeYear {
    /// The chapter of this duke in the tradition that the text explains, else in the 左傳.
    pub fn chapter(self, places: &Places<'_>) -> Option<Named> {
        let work = places.work().filter(|w| is_annals(Some(*w)));
        self.chapter_of(work.unwrap_or(TRADITIONS[0]), places).filter(|n| n.chapter.is_some())
    }

    /// Adds the chapter of this duke to a work arranged by years.
    pub fn narrow(self, named: &mut Named, places: &Places<'_>) {
        let work = if named.work == CLASSIC { TRADITIONS[0] } else { &named.work };
        if is_annals(Some(work))
            && let Some(found) = self.chapter_of(work, places)
        {
            named.chapter = found.chapter;
        }
    }

    fn chapter_of(self, work: &str, places: &Places<'_>) -> Option<Named> {
        let title = format!("{work}-{}公", self.duke);
        places.works().resolve(&title, None).map(|r| r.named)
    }
}

/// True for a tradition that is arranged by years.
pub fn is_annals(work: Option<&str>) -> bool {
    work.is_some_and(|w| TRADITIONS.contains(&w))
}

/// The duke whose years are explained.
pub fn home_duke(home: Option<&Named>) -> Option<char> {
    let home = home.filter(|h| is_annals(Some(&h.work)))?;
    let mut duke = home.chapter.as_ref()?.strip_suffix('公')?.chars();
    duke.next().filter(|_| duke.next().is_none())
}

/// Where the section of a year is in a stream of a chapter; all of it, if there is none.
pub fn section(entry: &Indexed, stream: Stream, year: Option<u32>) -> Range<usize> {
    let is_year = |title: &str| title.rsplit('公').next().and_then(numeral::year) == year;
    let mut divisions = entry.document.divisions.iter();
    let section = divisions.find(|d| year.is_some() && d.title.as_deref().is_some_and(is_year));
    section.map_or(0..usize::MAX, |d| entry.view.range(stream, d.span.range()))
}

/// Names the classic as what is cited where no tradition is named and the words are in it:
/// 桓十七年“公會邾儀父”, 彼經亦書“儀父”. The links are in order.
pub fn name_classic(links: &mut [Link], places: &Places<'_>) {
    let document = places.document;
    // The segment and the duke of the link before, if that cites the classic.
    let mut last = None;
    for link in links.iter_mut().filter(|l| l.kind == LinkKind::Citation) {
        let before = last.take();
        let head = document.slice(link.span);
        let quote = head.find(['“', '「']).filter(|at| *at > 0);
        let head = quote.map_or(head, |at| &head[..at]);
        let called = link.work.clone().unwrap_or_default();
        let Some((_, duke)) = called.split_once('・').filter(|(work, duke)| {
            is_annals(Some(work)) && !duke.contains('・') && !NAMES_TRADITION.is_match(head)
        }) else {
            continue;
        };
        let here = (document.segment_at(link.span.start()), duke.to_string());
        let says_classic = head.contains(['經', '经']);
        if says_classic {
            prefer_classic(link, places);
        }
        let is_classic = match link.target.as_ref().and_then(|t| label_of(t, places)) {
            Some(label) => !is_of_tradition(label),
            // An edition may have no labels.
            None if link.target.is_some() => says_classic,
            // 例在莊二十二年 says nothing of what is there.
            None if BARE_YEAR.is_match(head) => link.quoted.is_some(),
            // 彼言 goes on with the classic.
            None => says_classic || before.as_ref() == Some(&here),
        };
        if is_classic {
            link.work = Some(eco_format!("{CLASSIC}・{duke}"));
            last = Some(here);
        }
    }
}

/// The first place in the classic becomes that of a link, if it has one and the text says that the
/// words are there.
fn prefer_classic(link: &mut Link, places: &Places<'_>) {
    let is_in_classic =
        |t: &Target| label_of(t, places).is_some_and(|label| !is_of_tradition(label));
    if link.status == Status::Exact
        && let Some(target) = link.target.as_mut().filter(|t| !is_in_classic(t))
        && let Some(other) = link.alternatives.iter().position(is_in_classic)
    {
        std::mem::swap(target, &mut link.alternatives[other]);
    }
}

/// The last label before a place in a text of annals: 【經】, （傳）.
fn label_of<'p>(target: &Target, places: &'p Places<'_>) -> Option<&'p str> {
    let text = places.text_of(target).document.source.text();
    let at = target.span.start();
    let from = char_ceil(text, at.saturating_sub(MAX_LABEL_BYTES));
    LABEL.find_iter(&text[from..at]).last().map(|label| label.as_str())
}

fn is_of_tradition(label: &str) -> bool {
    label.contains(['傳', '传'])
}

/// The labels of a text of annals: what citations of it are called depends on them.
pub fn labels(entry: &Indexed) -> Vec<bool> {
    let of_annals = entry.named.as_ref().is_some_and(|n| is_annals(Some(&n.work)));
    let text = if of_annals { entry.document.source.text() } else { "" };
    LABEL.find_iter(text).map(|label| is_of_tradition(label.as_str())).collect()
}
