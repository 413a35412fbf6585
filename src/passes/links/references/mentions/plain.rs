//! Text of a sub-commentary without quotation marks: titles, pointers, speakers and years in it,
//! and words of the passage that it takes up (言X者, 故雲X, X者).

use super::tokens::{CommentToken, Read, TokenKind, is_flat, sentence_after};
use super::{bare, flat, pointers, speakers, years};
use crate::passes::links::references::candidates::aligned::{CitedSource, OF_ANY};
use crate::passes::links::references::candidates::{cited, exact};
use crate::passes::links::references::certainty::{ECHO, REPEATED, THIS};
use crate::passes::links::references::cues::*;
use crate::passes::links::references::decide::citation::CitedText;
use crate::passes::links::references::decide::going_on::spoken;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::{Discourse, OpenCitation};
use crate::passes::links::references::sources::{annals, called, scholars};
use crate::text::both_scripts::has_any;
use crate::text::find::find_within;
use regex::Captures;

/// Most bytes of the sub-commentary before words in which they are looked for; what is said in the
/// last of these is being said.
const ECHO_BYTES: [usize; 2] = [3000, 24];

/// Reads text without quotation marks.
pub fn read(d: &mut Discourse<'_>, tokens: &[CommentToken], at: usize) -> Read {
    let span = tokens[at].inner;
    if is_flat(d.places.slice(span)) {
        flat::read(d, span);
        return Read::to(at + 1);
    }
    let of_title = quoted_after_title(d, tokens, at);
    let quote = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Quote).map(|q| q.inner);
    let (all, first) = (d.taken.len(), d.links.len());
    let titles = bare_titles(d, span, quote);
    let took_quote = titles.last().is_some_and(|(_, said)| Some(*said) == quote);
    if Rule::Pointer.on() {
        pointers::read(d, span, quote.is_some());
    }
    if Rule::Speaker.on() {
        speakers(d, span, quote.is_some());
    }
    if Rule::ThisPassage.on() {
        this_passage(d, span);
    }
    if Rule::TakenUp.on() {
        takes_up(d, span, quote.is_some());
    }
    if Rule::BareChapter.on() {
        bare::chapters(d, span, first);
    }
    if Rule::Year.on() {
        named_years(d, tokens, at, quote.is_some());
    }
    unquoted(d, span, &of_title);
    d.taken.truncate(all);
    let places = d.places;
    let opened = titles.into_iter().map(|(r, said)| called::titled(places, r, said.end()));
    d.open.extend(opened);
    match quote.filter(|_| took_quote) {
        Some(quote) => Read { next: at + 2, inner: Some((quote, true)) },
        None => Read::to(at + 1),
    }
}

/// The words that the title just before a token has.
fn quoted_after_title(d: &Discourse<'_>, tokens: &[CommentToken], at: usize) -> Vec<Span> {
    let after_title = at.checked_sub(1).is_some_and(|i| tokens[i].kind == TokenKind::Title);
    let links = d.links.iter().rev().take(if after_title { CLAUSE } else { 0 });
    links.filter_map(|l| l.quoted).collect()
}

/// Links titles without 《》. What they name is open after the text.
fn bare_titles(d: &mut Discourse<'_>, span: Span, quote: Option<Span>) -> Vec<(Resolved, Span)> {
    if !Rule::BareTitle.on() {
        return vec![];
    }
    let of = (span, d.layer);
    let found = bare::citations(d.places, Rule::BareTitle, of, |s| d.is_free(s), quote);
    let (links, opened): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    d.links.extend(links);
    opened.into_iter().flatten().collect()
}

/// Links what scholars say without quotation marks: words of the passage, or a citation.
fn speakers(d: &mut Discourse<'_>, span: Span, before_quote: bool) {
    for speaker in speakers::all(d.places, span) {
        let rest = &d.places.text()[speaker.span.end()..span.end()];
        let is_lead = before_quote && !rest.contains(is_content);
        if is_lead || !d.is_free(speaker.span) {
            continue;
        }
        let after = Span::new(speaker.span.end(), span.end());
        let said = sentence_after(d.places.text(), after).unwrap_or(after);
        let words = d.places.words(said);
        let stream = Some(Stream::Notes);
        let found = exact::in_passage(d.places, d.passage, &words, stream, d.quoted_before());
        let found = found.filter(|f| f.is_exact() && words.len() > 1);
        let whole = Span::new(speaker.span.start(), said.end());
        if found.is_some() {
            d.taken.push(whole);
            let link = draft(Rule::Speaker, LinkKind::Quotation, whole, d.layer).quoted(said);
            d.push(link.found(found));
        } else if !scholars::explains(d.places, speaker.scholar) {
            d.taken.push(speaker.span);
            let link = spoken(d, Rule::Speaker, speaker, speaker.span, None);
            d.push(link);
        }
    }
}

/// Links 此一節論…: the passage explained.
fn this_passage(d: &mut Discourse<'_>, span: Span) {
    let base = &d.places.view.base;
    let range = d.places.view.range(Stream::Base, d.passage.text.range());
    for m in THIS_PASSAGE.find_iter(d.places.slice(span)) {
        let here = Span::new(span.start() + m.start(), span.start() + m.end());
        if range.is_empty() || !d.is_free(here) {
            continue;
        }
        let (place, how) = (base.span(range.start, range.end), EvidenceKind::InPassage);
        let found = FoundPlace::here(place, Status::Range, *THIS, how);
        d.taken.push(here);
        let link = draft(Rule::ThisPassage, LinkKind::Internal, here, d.layer);
        d.push(link.work(d.places.locus()).found(found));
    }
}

/// Links what sentences take up where they begin: X者. A sentence may begin so for other reasons, so
/// all of X must be words of the passage.
fn takes_up(d: &mut Discourse<'_>, span: Span, before_quote: bool) {
    let text = d.places.slice(span);
    for c in TAKEN_UP.captures_iter(text) {
        let (Some(all), Some(x)) = (c.name("all"), c.name("x")) else { continue };
        let all = Span::new(span.start() + all.start(), span.start() + all.end());
        // X者,“…” names what is quoted next.
        let is_lead = before_quote && c.get_match().end() == text.len();
        let is_part = all.start() == span.start() && !begins_sentence(d, all.start());
        if is_lead || is_part || !d.is_free(all) {
            continue;
        }
        let x = Span::new(all.start(), span.start() + x.end());
        let Some((quoted, found)) = whole_or_rest(d, x) else { continue };
        d.taken.push(all);
        let whole = Span::new(quoted.start(), all.end());
        let link = draft(Rule::TakenUp, LinkKind::Quotation, whole, d.layer).quoted(quoted);
        d.push(link.found(found));
    }
}

fn begins_sentence(d: &Discourse<'_>, at: usize) -> bool {
    let before = d.places.text()[..at].chars().next_back();
    before.is_none_or(|c| !is_content(c) && !matches!(c, '”' | '」' | '’' | '』' | '》'))
}

/// Words that the passage has exactly, or what follows the function words that they begin with.
fn whole_or_rest(d: &Discourse<'_>, words: Span) -> Option<(Span, FoundPlace)> {
    let rest = d.places.slice(words).trim_start_matches(|c| BEFORE_WORDS.has(c));
    let rest = Span::new(words.end() - rest.len(), words.end());
    [words, rest].into_iter().find_map(|part| {
        let sought = d.places.words(part);
        let n = sought.len();
        let is_close = |f: &FoundPlace| f.is_exact() || n >= SENTENCE && f.diff * SENTENCE <= n;
        let found = exact::in_passage(d.places, d.passage, &sought, None, d.quoted_before());
        let found = found.filter(|f| n > 1 && is_close(f))?;
        let certainty = found.certainty.min(*REPEATED);
        Some((part, found.sure(certainty)))
    })
}

/// Links years of the annals: what the text after them reports is in the chapter of the duke. One
/// beside a title of annals, before the text or after it, belongs to the title.
fn named_years(d: &mut Discourse<'_>, tokens: &[CommentToken], at: usize, before_quote: bool) {
    let (places, span) = (d.places, tokens[at].inner);
    let is_of_annals = |i: usize| {
        let title = tokens.get(i).filter(|t| t.kind == TokenKind::Title);
        let named = title.and_then(|t| places.resolve(places.slice(t.inner)));
        named.is_some_and(|r| annals::is_annals(Some(&r.named.work)))
    };
    let after_title = at.checked_sub(1).is_some_and(is_of_annals);
    let before_title = is_of_annals(at + 1);
    let home = annals::home_duke(places.home.as_ref());
    for year in years::with_bare(places.text(), span, d.duke, home) {
        if !year.is_bare {
            d.duke = Some(year.of.duke);
        }
        let next = &places.text()[year.span.end()..span.end()];
        let begins = after_title && year.span.start() == span.start();
        let is_of_next = before_title && next.chars().count() < years::MAX_TO_TITLE;
        let Some(named) = year.of.chapter(places).filter(|_| !begins && !is_of_next) else {
            continue;
        };
        let between = next.chars().filter(|c| is_content(*c)).count();
        let is_lead =
            before_quote && between <= SENTENCE && !next.contains(['。', '；', '○', '\n']);
        let open = OpenCitation {
            year: Some(year.of.year),
            start: is_lead.then_some(year.span.start()),
            ..OpenCitation::of(named.clone(), year.span.end())
        };
        // A year in words that are quoted is what the text goes on about.
        if !year.is_bare && !d.is_free(year.span) {
            d.open.push(OpenCitation { start: None, ..open });
        } else if is_lead {
            d.open.push(open);
        } else if !year.is_bare {
            // Without a quotation it may be a year of anything.
            let words = sentence_after(places.text(), Span::new(year.span.end(), span.end()));
            let is_told = words.is_some_and(|w| is_told(d, &open, w));
            if is_told || year.cites || REFERRED_TO.begin(next) {
                let text = CitedText {
                    year: open.year,
                    after: words,
                    is_said: true,
                    ..CitedText::default()
                };
                let resolved = Resolved { named, tail: None, alternatives: vec![] };
                bare::link_name(d, Rule::Year, &resolved, year.span, text);
            } else {
                d.open.push(open);
            }
        }
    }
}

/// True if a year has some words.
fn is_told(d: &Discourse<'_>, year: &OpenCitation, words: Span) -> bool {
    let sought = d.places.words(words);
    let Some(source): Option<CitedSource<'_>> = year.source(Stream::Base, words.start()) else {
        return false;
    };
    cited::aligned(d.places, source, &sought, OF_ANY).is_some()
        || cited::aligned_source(d.places, source, &sought).is_some()
}

/// Links words after 云, 言 and the like without marks. `of_title` are the words of the title before.
fn unquoted(d: &mut Discourse<'_>, span: Span, of_title: &[Span]) {
    let text = d.places.slice(span);
    let mut from = 0;
    while let Some(c) = UNQUOTED.captures_at(text, from).filter(|_| Rule::Unquoted.on()) {
        let x = c.name("x").map_or(0..0, |m| m.range());
        from = c.name("cue").map_or(text.len(), |m| m.end()).max(from + 1);
        let here = Span::new(span.start() + x.start, span.start() + x.end);
        // 《明堂位》云七百里 is what the title says.
        let is_of_title =
            c.get_match().start() == 0 && of_title.iter().any(|q| q.overlap(here) > 0);
        if d.is_free(here) && (is_of_title || takes_up_words(d, &c, span.start())) {
            from = x.end;
        }
    }
}

/// 言X者 or 故雲X, and what the words around X say of it.
struct Unquoted<'t> {
    /// What is before the verb: 故, 鄭又.
    pre: &'t str,
    /// What is before all of it.
    before: &'t str,
    /// The words, with the cue and without it.
    span: Span,
    quoted: Span,
    words: SoughtWords,
    /// Whether 言X may give the sense of the text, and not its words.
    is_sense: bool,
    /// Whether it reports which word the text has: 使者言X, 而言X.
    reports: bool,
    /// Whether it sums up what the passage says: 故曰X, 所謂X.
    sums_up: bool,
}

impl<'t> Unquoted<'t> {
    /// None where it is no quotation.
    fn of(d: &Discourse<'t>, c: &Captures<'t>, base: usize) -> Option<Self> {
        let (x, start) = (c.name("x")?, base + c.get_match().start());
        let text = |name| c.name(name).map_or("", |m| m.as_str());
        let (pre, cue, before) = (text("pre"), text("cue"), &d.places.text()[..start]);
        let takes_up = x.as_str().ends_with('者');
        let words = x.as_str().trim_end_matches(|c| AFTER_WORDS.has(c));
        // 故云均也 is a gloss of one character (旬，均也).
        let is_gloss = words.chars().count() == 1 && !pre.is_empty() && x.as_str().ends_with('也');
        let words = if is_gloss { x.as_str() } else { words };
        let quoted = Span::new(base + x.start(), base + x.start() + words.len());
        // 言X gives the sense; 言X者 takes up a word, 故言X too, and so do many words of the passage.
        let is_sense = cue == "言" && !takes_up && !pre.ends_with('故');
        let explains = before.trim_end_matches([',', '，']).ends_with('者');
        let is_subject = explains && before.ends_with('者');
        let reports = is_sense && (pre.ends_with(|c| REPORTING.has(c)) || is_subject);
        // 曰 alone is what someone in the passage says.
        let sums_up = cue.starts_with(['曰', '謂', '谓']);
        let is_said = pre.ends_with(if cue.starts_with('曰') { '故' } else { '所' });
        let sought = d.places.words(quoted);
        let n = sought.len();
        let is_little = n < if takes_up || reports { 1 } else { 2 }
            || is_sense && !reports && (explains || n + 1 < SENTENCE)
            || sums_up && (!is_said || n < PHRASE)
            || matches!(words, "之" | "此" | "是" | "然");
        let span = Span::new(start, base + x.end());
        let words = sought;
        let u = Unquoted { pre, before, span, quoted, words, is_sense, reports, sums_up };
        (!is_little).then_some(u)
    }

    fn prefer(&self) -> Option<Stream> {
        match self.pre {
            p if has_any(p, &['鄭', '注']) => Some(Stream::Notes),
            p if has_any(p, &['經']) => Some(Stream::Base),
            _ => None,
        }
    }
}

/// Links 言X者 or 故雲X to X in the passage explained. True if it was read.
fn takes_up_words(d: &mut Discourse<'_>, c: &Captures<'_>, base: usize) -> bool {
    let Some(u) = Unquoted::of(d, c, base) else { return false };
    let link = draft(Rule::Unquoted, LinkKind::Quotation, u.span, d.layer).quoted(u.quoted);
    let n = u.words.len();
    if u.pre.ends_with(['不', '無', '无']) {
        if n <= SENTENCE {
            d.push(link.why(EvidenceKind::SaidNotToStandThere));
        }
        return true;
    }
    let found = exact::in_passage(d.places, d.passage, &u.words, u.prefer(), d.quoted_before());
    let is_whole = |f: &FoundPlace| f.is_exact() || !u.is_sense && !u.sums_up && n + 1 >= SENTENCE;
    if let Some(found) = found.filter(is_whole) {
        // A character without marks that the passage has more than once may be any of them.
        let is_clear = found.alternatives.is_empty() || n > 1;
        d.push(if is_clear { link.found(found) } else { link.among(found) });
        return true;
    }
    let said = if u.sums_up { None } else { echo(d, &u).or_else(|| first_words(d, &u)) };
    let Some((quoted, found)) = said else { return false };
    let span = Span::new(u.span.start(), quoted.end());
    let link = draft(Rule::Unquoted, LinkKind::Quotation, span, d.layer).quoted(quoted);
    d.push(link.found(found));
    true
}

/// Words that a sub-commentary repeats from itself: it has cited a text at length, and explains it
/// clause by clause, as it explains the passage.
fn echo(d: &Discourse<'_>, u: &Unquoted<'_>) -> Option<(Span, FoundPlace)> {
    // 必云X and 此云X are about the passage.
    let begins = !u.before.ends_with(is_content) && !u.pre.contains('此');
    let at = u.span.start();
    let [far, near] = ECHO_BYTES.map(|bytes| d.places.back(at, bytes));
    let from = far.max(d.passage.comment.start());
    if !begins || u.is_sense || u.words.len() < CLAUSE || from >= near {
        return None;
    }
    let key = Key::of(d.places.text(), Span::new(from, near));
    let find = |most| find_within(&key.chars, 0..key.len(), u.words.chars(), most);
    let last = |most: usize| find(most).into_iter().rev().min_by_key(|h| h.diff);
    let hit = last(0).or_else(|| (u.words.len() > CLAUSE).then(|| last(1)).flatten())?;
    let status = if hit.diff == 0 { Status::Exact } else { Status::Variant };
    let (span, how) = (key.span(hit.from, hit.to), EvidenceKind::GoesOnWithCitation);
    Some((u.quoted, FoundPlace::here(span, status, *ECHO, how)))
}

/// 經云大喪是王喪: the longest beginning of the words that the passage has exactly, where the comment goes
/// on without a mark.
fn first_words(d: &Discourse<'_>, u: &Unquoted<'_>) -> Option<(Span, FoundPlace)> {
    let names_text = has_any(u.pre, &['經', '注', '傳', '鄭']);
    let least = if names_text { 2 } else { CLAUSE };
    let is_said = !u.is_sense && !u.reports;
    (least..u.words.len()).rev().filter(|_| is_said).find_map(|n| {
        let quoted = u.words.key.span(0, n);
        let first = d.places.words(quoted);
        let found = exact::in_passage(d.places, d.passage, &first, u.prefer(), d.quoted_before())?;
        found.is_exact().then_some((quoted, found))
    })
}
