//! What a work, its chapters and its notes are called where something is cited from them.

use crate::corpus::works::{Tail, Works};
use crate::passes::links::references::candidates::cited;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::{Discourse, OpenCitation};
use crate::text::both_scripts::has_any;
use crate::text::fold::fold;

/// Who wrote notes on several classics, and is named by his surname.
const ZHENG: &str = "鄭玄";
/// In a cue, and what the notes are called that it means.
const CALLED: [(char, char); 4] = [('箋', '箋'), ('笺', '箋'), ('傳', '傳'), ('传', '傳')];

/// True for the tail of a title that means the notes on what it names.
pub fn is_notes(tail: Tail) -> bool {
    matches!(tail, Tail::Commentary | Tail::OldCommentary)
}

/// The work, chapter and layer that a title names.
pub fn locus(works: &Works, resolved: &Resolved) -> String {
    let named = &resolved.named;
    let notes = |called| format!("・{}", works.notes(&named.work, called));
    let tail = match resolved.tail {
        Some(Tail::Opening) => {
            let part = Named { chapter: None, ..named.clone() };
            let chapter = named.chapter.as_ref().map(|c| format!("({c})")).unwrap_or_default();
            return format!("{}・序官{chapter}", part.locus());
        }
        Some(Tail::Record) if named.chapter.is_some() => "・記".to_string(),
        Some(Tail::OldCommentary) => notes(Some('傳')),
        Some(Tail::Commentary) => notes(None),
        Some(Tail::Subcommentary) => "・疏".to_string(),
        Some(Tail::Tradition) => "・傳".to_string(),
        Some(Tail::Preface) => "・序".to_string(),
        _ => String::new(),
    };
    named.locus() + &tail
}

/// The open citation of what a title names, which ends at a byte.
pub fn titled(places: &Places<'_>, resolved: Resolved, end: usize) -> OpenCitation {
    let work = Some(locus(places.works(), &resolved));
    OpenCitation { work, ..OpenCitation::of(resolved.named, end) }
}

/// True for a cue that has more than 雲: 其職雲, 又雲, 注雲 continue a citation.
pub fn continues(cue: &str) -> bool {
    let cue = cue.trim_end_matches([':', '：', ',', '，']);
    cue.trim_end_matches(['雲', '云', '曰', '引']).contains(|c| !matches!(c, '鄭' | '郑'))
}

/// True if a cue means notes on what was cited, and not its classic.
pub fn means_notes(d: &Discourse<'_>, cue: &str, open: &OpenCitation) -> bool {
    has_any(cue, &['注', '註', '箋', '鄭'])
        || cue.contains(['傳', '传']) && has_tradition(d.places, open)
}

/// True if a commentary on the work is called 傳: 毛傳 on the 詩.
pub fn has_tradition(places: &Places<'_>, open: &OpenCitation) -> bool {
    let work = open.of_work().and_then(|work| places.works().work(work));
    work.is_some_and(|w| w.notes.iter().any(|n| n.ends_with('傳')))
}

/// What a quotation cites that goes on with a citation, by its cue and where it was found: 其職云 is
/// from the office, not from the list of offices, and 經云 from the classic, not from its preface.
pub fn work_of(
    places: &Places<'_>,
    open: &OpenCitation,
    (cue, stream): (&str, Stream),
    found: Option<&FoundPlace>,
) -> Option<String> {
    if stream == Stream::Notes {
        return notes_of(places, open, cue);
    }
    let whole = open.named.as_ref().map(Named::locus);
    let itself = cue.contains(['職', '职', '經', '经']);
    let said = whole.clone().filter(|_| itself).or_else(|| open.work.clone());
    let found_in = found_in(places, open, found).filter(|_| found.is_some() && said == whole);
    found_in.map(|n| n.locus()).or(said)
}

/// The chapter that has the words of a citation, or of what goes on with it.
pub fn found_in(
    places: &Places<'_>,
    open: &OpenCitation,
    found: Option<&FoundPlace>,
) -> Option<Named> {
    let named = open.named.as_ref()?;
    let narrowed = found.map(|f| cited::narrowed(places, named, &f.target, f.status));
    narrowed.or_else(|| open.found_in.clone())
}

/// What the notes on an open citation are called: 鄭注 where the text says so, else the usual
/// commentary on the work.
fn notes_of(places: &Places<'_>, open: &OpenCitation, cue: &str) -> Option<String> {
    let base = open.found_in.as_ref().or(open.named.as_ref()).map(Named::locus);
    let base = base.or_else(|| open.work.clone())?;
    let Some(work) = open.of_work().or(places.work()) else { return Some(format!("{base}・注")) };
    let called = CALLED.iter().find(|(c, _)| cue.contains(*c)).map(|(_, name)| *name);
    let is_zheng = has_any(cue, &['鄭']) && called.is_none();
    let zheng = is_zheng.then(|| zheng_notes(places.works(), work)).flatten();
    let notes = zheng.unwrap_or_else(|| places.works().notes(work, called));
    Some(format!("{base}・{notes}"))
}

/// What the notes of 鄭玄 on a work are called, if he wrote any: 鄭箋 on the 詩經.
fn zheng_notes<'a>(works: &'a Works, work: &str) -> Option<&'a str> {
    let notes = works.work(work).map_or(&[][..], |w| &w.notes);
    let usual = notes.iter().find(|n| n.starts_with('鄭')).map(String::as_str);
    let name: Vec<char> = ZHENG.chars().map(fold).collect();
    let wrote = || works.scholars().whole_name(&name).is_some_and(|(.., s)| s.has_notes_on(work));
    usual.or_else(|| wrote().then_some("鄭注"))
}

/// What 其職云 at byte `at` goes on with: the office cited just before, else that of the passage.
pub fn open_office(d: &Discourse<'_>, at: usize) -> Option<OpenCitation> {
    let is_office = |o: &&OpenCitation| {
        let named = o.named.as_ref().filter(|n| n.chapter.is_some());
        named.and_then(|n| d.places.works().work(&n.work)).is_some_and(|w| w.offices)
    };
    let cited = d.open_near(at, SENTENCE_BYTES).find(is_office).cloned();
    cited.or_else(|| Some(OpenCitation::of(office(d)?, at)))
}

/// The office that the passage is about, or else the chapter.
fn office(d: &Discourse<'_>) -> Option<Named> {
    let (places, works) = (d.places, d.places.works());
    let home = places.home.as_ref()?;
    works.work(&home.work).filter(|w| w.offices)?;
    let base = &places.view.base;
    let first = places.view.range(Stream::Base, d.passage.text.range());
    let named = works.bare_names().at(&base.chars()[first.clone()]).find_map(|name| {
        let title = base.span(first.start, first.start + name.len);
        let named = places.resolve(places.slice(title))?.named;
        (name.office && named.work == home.work).then_some(named)
    });
    named.or_else(|| Some(home.clone()).filter(|h| h.chapter.is_some()))
}
