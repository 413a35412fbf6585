//! References to another place of the chapter without quotation marks: 上文卒射,執弓不挾….

use crate::passes::links::references::candidates::exact;
use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::Discourse;
use regex::Captures;

/// Links the pointers of a text. One just before a quotation (`before_quote`) introduces it.
pub fn read(d: &mut Discourse<'_>, span: Span, before_quote: bool) {
    let text = d.places.slice(span);
    for c in POINTER.captures_iter(text) {
        let whole = c.get_match();
        let words = c.name("x").map_or(0, |x| x.as_str().chars().count());
        let is_lead = before_quote && whole.end() == text.len() && words < SENTENCE;
        if is_lead || is_adverb(&text[..whole.start()], whole.as_str()) {
            continue;
        }
        if let Some(link) = pointer(d, &c, span.start()) {
            d.taken.push(link.span);
            d.links.push(link);
        }
    }
}

/// True where 上 and 下 are part of another word: 已上, 以上, 天上, 上帝.
fn is_adverb(before: &str, pointer: &str) -> bool {
    let names_text = pointer.chars().nth(1) == Some('文');
    before.ends_with(['已', '天', '地'])
        || before.ends_with('以') && !names_text
        || pointer.starts_with("上帝")
}

/// The link of one, that roughly quotes the other place.
fn pointer(d: &Discourse<'_>, c: &Captures<'_>, base: usize) -> Option<Link> {
    let dir = ["dir", "dir2"].iter().find_map(|n| c.name(n))?;
    let back = matches!(dir.as_str(), "上" | "前");
    let (cue, x) = (c.name("cue")?, c.name("x")?);
    let words = x.as_str().trim_start_matches([',', '，', ':', '：']);
    let start = base + x.end() - words.len();
    let span = Span::new(base + cue.start(), base + cue.end());
    let link = |kind| draft(Rule::Pointer, kind, span, d.layer).why(EvidenceKind::NoWords);
    // 彼下文 is in what was cited; where, the text does not say.
    let is_there = d.places.text()[..span.start()].ends_with('彼');
    if let Some(open) = d.open_just_before(span.start()).filter(|_| is_there) {
        return Some(link(LinkKind::Citation).work(open.work.clone()).link());
    }
    let link = link(LinkKind::Internal).work(d.places.locus());
    if words.is_empty() || MENTION.is_match(words) && words.chars().count() < CLAUSE {
        return Some(link.link());
    }
    let (quoted, found) = place(d, words, start, back);
    Some(link.quoted(quoted).found(found).why(EvidenceKind::NoSuchWords).link())
}

/// The place of as many clauses as are found together, or of the first that is retold.
fn place(d: &Discourse<'_>, words: &str, start: usize, back: bool) -> (Span, Option<FoundPlace>) {
    let at = if back { d.passage.text.start() } else { d.passage.text.end() };
    let quoted = |end: usize| Span::new(start, start + end);
    let mut best: Option<(i64, Span, FoundPlace)> = None;
    for end in clause_ends(words) {
        let sought = d.places.words(quoted(end));
        let n = sought.len();
        if n < PHRASE {
            continue;
        }
        let Some(found) = exact::beyond(d.places, at, &sought, back) else { continue };
        // A quotation that is found wins over a paraphrase of more words.
        let is_retold = found.status == Status::Paraphrase;
        let worth = if is_retold { 0 } else { n as i64 - 4 * found.diff as i64 };
        if best.as_ref().is_none_or(|(b, ..)| worth > *b) {
            best = Some((worth, quoted(end), found));
        }
    }
    let is_clause = |end: &usize| words[..*end].chars().count() >= CLAUSE;
    let first = || quoted(clause_ends(words).find(is_clause).unwrap_or(words.len()));
    best.map_or_else(|| (first(), None), |(_, quoted, found)| (quoted, Some(found)))
}

/// Ends of the clauses of `words`, in bytes.
fn clause_ends(words: &str) -> impl Iterator<Item = usize> + '_ {
    let marks = words.match_indices([',', '，', ':', '：']).map(|(i, _)| i);
    marks.filter(|i| *i > 0).chain([words.len()])
}
