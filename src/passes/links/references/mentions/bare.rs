//! Titles without 《》: those that a verb of quotation follows (周禮曰, 鄉射記云), and names of chapters in
//! a text about something there (大射納射器之後…).

use super::speakers::is_joined;
use super::tokens::{is_flat, sentence_after};
use crate::passes::links::references::candidates::aligned::{CitedSource, STRIKING, located};
use crate::passes::links::references::candidates::exact;
use crate::passes::links::references::cues::QUOTING_VERBS;
use crate::passes::links::references::decide::citation::{CitedText, cited};
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::{Discourse, OpenCitation};
use crate::text::class::ends_clause;

/// A title that a verb of quotation follows.
pub struct BareTitle {
    /// The title, of so many characters.
    pub span: Span,
    len: usize,
    /// What it names.
    pub resolved: Resolved,
    /// Where the words begin that it introduces, as a character of a key.
    pub from: usize,
}

/// A link, what the text may go on with if a work is named, and the words of it.
pub type BareCitation = (Link, Option<(Resolved, Span)>);

/// The citations by titles without 《》 in a span. `quote` is the quotation just after it, which the
/// last may introduce.
pub fn citations(
    places: &Places<'_>,
    rule: Rule,
    (span, layer): (Span, Layer),
    is_free: impl Fn(Span) -> bool,
    quote: Option<Span>,
) -> Vec<BareCitation> {
    let key = Key::of(places.text(), span);
    let is_flat = is_flat(places.slice(span));
    let mut found = Vec::new();
    let mut i = 0;
    while i < key.len() {
        let Some(bare) = title_at(places, &key, i) else {
            i += 1;
            continue;
        };
        i = bare.from;
        if is_free(bare.span) && !is_own(places, layer, &bare.resolved) {
            found.push(citation(places, rule, (&key, span, layer, is_flat), bare, quote));
        }
    }
    found
}

/// True if a classic names its own offices and chapters: that is no citation.
pub fn is_own(places: &Places<'_>, layer: Layer, resolved: &Resolved) -> bool {
    layer.kind() == LayerKind::Base && Some(&*resolved.named.work) == places.work()
}

fn citation(
    places: &Places<'_>,
    rule: Rule,
    (key, span, layer, is_flat): (&Key, Span, Layer, bool),
    bare: BareTitle,
    quote: Option<Span>,
) -> BareCitation {
    let said = match bare.from < key.len() {
        true => sentence_in(places, key, bare.from, span).map(|s| (s, false)),
        false => quote.map(|q| (q, true)),
    };
    let text = CitedText { is_flat, ..CitedText::said(said) };
    let cite = |text| cited(rule, places, (&bare.resolved, bare.span), text, layer);
    let mut link = cite(text);
    // 書曰“…” may be what someone writes.
    let is_there = link.target.is_some() && link.status != Status::Paraphrase;
    if text.quoted.is_some() && bare.len == 1 && !is_there {
        return (cite(CitedText::default()), None);
    }
    link.quoted = link.quoted.or(said.map(|s| s.0));
    let words = link.quoted.unwrap_or(bare.span);
    (link, Some((bare.resolved, words)))
}

/// The title at character `i`, if a verb of quotation follows it.
pub fn title_at(places: &Places<'_>, key: &Key, i: usize) -> Option<BareTitle> {
    places.works().bare_names().at(&key.chars[i..]).find_map(|name| {
        let n = name.len;
        let next = |k: usize| key.chars.get(i + n + k).copied();
        // 閨門之內，則以孝 does not name the 內則.
        let gap = |k: usize| &places.text()[key.end(i + k - 1)..key.at[i + k] as usize];
        if (1..n).any(|k| gap(k).contains(ends_clause)) {
            return None;
        }
        let title = |from| {
            // A line may end within a title.
            let resolved = places.resolve(&String::from_iter(&key.chars[i..i + n]))?;
            Some(BareTitle { span: key.span(i, i + n), len: n, resolved, from })
        };
        // 內司服掌王后之六服: what an office has to do begins that way.
        if name.office && n > 2 && next(0) == Some('掌') && is_joined(key, i + n) {
            return title(i + n);
        }
        let is_said = |&k: &usize| {
            next(k).is_some_and(|c| QUOTING_VERBS.has(c))
                && (1..=k).all(|k| is_joined(key, i + n + k))
        };
        let said = (0..PHRASE).find(is_said)?;
        let between: Vec<char> = (0..said).filter_map(next).collect();
        let is_office = n > 2 || between.contains(&'職');
        let is_named = matches!(between[..], ['記' | '注' | '職' | '傳' | '說' | '又'] | [_, '職']);
        let fits = between.is_empty() && (!name.office || n > 2 && next(said) != Some('曰'))
            || n > 1 && (!name.office || is_office) && is_named;
        fits.then(|| title(i + n + said + 1)).flatten()
    })
}

/// From character `from` to the full stop, but at most forty characters.
fn sentence_in(places: &Places<'_>, key: &Key, from: usize, span: Span) -> Option<Span> {
    let start = *key.at.get(from)? as usize;
    // What is further on is not cited.
    let end = key.at.get(from + MAX_CITED + 2).map_or(span.end(), |at| *at as usize);
    let rest = &places.text()[start..end.max(start)];
    // Another recension or title ends the quotation.
    let marks = rest.find(['。', '\n', '○', '”', '」']);
    let stop = [marks, rest.find("今文"), rest.find("古文")].into_iter().flatten().min();
    let to = key.index_at(stop.map_or(end, |i| start + i)).min(from + MAX_CITED);
    let to = (from + 1..to).find(|&i| title_at(places, key, i).is_some()).unwrap_or(to);
    (to > from).then(|| key.span(from, to))
}

/// The names of chapters in a span that the text after them is about: the name, the chapter and
/// that text.
pub fn names(
    places: &Places<'_>,
    span: Span,
    is_free: impl Fn(Span) -> bool,
) -> Vec<(Resolved, Span, Span)> {
    let key = Key::of(places.text(), span);
    let resolve = |from: usize, to: usize| places.resolve(&String::from_iter(&key.chars[from..to]));
    let mut found = Vec::new();
    let mut i = 0;
    while i < key.len() {
        let mut names = places.works().bare_names().at(&key.chars[i..]);
        let Some(name) = names.find(|n| !n.office && n.len > 1) else {
            i += 1;
            continue;
        };
        let (start, from) = (i, i + name.len);
        i = from;
        let title = key.span(start, from);
        let Some(resolved) = resolve(start, from).filter(|_| is_free(title)) else { continue };
        // 禮記雜記: the chapter is cited.
        let next = key.chars.get(from..).and_then(|c| places.works().bare_names().at(c).next());
        let is_adjacent = || key.end(from - 1) == key.at[from] as usize;
        let next = next.filter(|n| n.len > 1 && is_adjacent());
        let next = next.and_then(|n| resolve(from, from + n.len));
        let is_work_of_next =
            next.is_some_and(|n| n.named.chapter.is_some() && n.named.work == resolved.named.work);
        let words = sentence_after(places.text(), Span::new(title.end(), span.end()));
        let is_own = places.home.as_ref() == Some(&resolved.named);
        let Some(words) = words.filter(|_| !is_work_of_next && !is_own) else { continue };
        let (named, near) = (&resolved.named, title.start());
        let source = CitedSource { named, stream: Stream::Base, near, year: None };
        let is_about = located(places, source, places.words(words).chars(), STRIKING).is_some();
        // 大射正 is an office in 大射, not the chapter.
        let word = &key.chars[start..(from + 1).min(key.len())];
        if is_about && !holds(places, named, word) {
            found.push((resolved, title, words));
        }
    }
    found
}

/// Links names of chapters that the text is about, apart from what the links from the `first` on
/// have. What they name stays open.
pub fn chapters(d: &mut Discourse<'_>, span: Span, first: usize) {
    let both = |l: &Link| [Some(l.span), l.quoted];
    let links: Vec<Span> = d.links[first..].iter().flat_map(both).flatten().collect();
    let is_free = |s: Span| d.is_free(s) && links.iter().all(|l| l.overlap(s) == 0);
    for (resolved, title, words) in names(d.places, span, is_free) {
        link_name(d, Rule::BareChapter, &resolved, title, CitedText::said(Some((words, false))));
    }
}

/// Links a name of a chapter or a year, which stays open.
pub fn link_name(
    d: &mut Discourse<'_>,
    rule: Rule,
    resolved: &Resolved,
    title: Span,
    text: CitedText,
) {
    d.links.push(cited(rule, d.places, (resolved, title), text, d.layer));
    let open = OpenCitation::of(resolved.named.clone(), title.end());
    d.open.push(OpenCitation { year: text.year, ..open });
}

/// True if a chapter has a word.
fn holds(places: &Places<'_>, named: &Named, word: &[char]) -> bool {
    places.index.of_chapter(named, &places.document.id).any(|e| {
        let (entry, stream) = (e.number, Stream::Base);
        let part = StreamPart { entry, stream, range: 0..usize::MAX, back: false };
        exact::nearest_hit(places, &part, word).is_some()
    })
}
