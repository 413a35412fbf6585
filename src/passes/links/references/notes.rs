//! Reads notes: titles they cite, readings of the old recensions (今文X作Y), words of the classic
//! that they take up (言X者).
//!
//! Notes quote without marks. The text after a title up to the full stop is taken as the quotation;
//! without punctuation, the longest run that the cited chapter has.

use super::rules::Rule;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::citation::{CitedText, cited};
use super::cues::QUOTING_VERBS;
use super::link::draft;
use super::noted;
use super::place::PlaceFinder;
use super::pointed;
use super::scan::{CommentToken, TokenKind, is_flat, tokens};
use super::sought::{FoundPlace, SoughtWords};
use super::years;
use crate::corpus::view::Stream;
use crate::corpus::works::{Resolved, Works};
use crate::model::{EvidenceKind, Layer, LayerKind, Link, LinkKind, Segment, Status, Target};
use crate::source::Span;
use crate::text::Key;
use crate::text::both_scripts::pattern_in_both_scripts as pattern;
use crate::text::class::{ends_clause, is_content};

/// A reading of a recension: the word of the text, then the other reading.
static RECENSION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<who>今文|古文|故書|今書)(?P<said>(?:皆|或)?(?P<word>[^。,，;；:：、“”「」\s]{0,6}?)(?:皆|並|又|或|亦)*(?P<verb>無|作|為|爲|曰|云|雲)[:：]?(?P<other>[^。,，;；:：、“”「」\s今古]{0,10}))",
    )
});
/// Words of the classic that a note explains.
static SAYS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?P<all>[言雲云](?P<x>[^。,，;；:：、“”「」《》\s言雲云]{1,8}?)(?:者|[,，]))")
});
/// Words of the classic that a note takes up: 如鄉射之禮者,….
static TAKES_UP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|[。;；,，])(?P<x>[^。,，;；:：、“”「」《》\s言雲云]{3,10})者[,，]")
});

/// Reads one note.
pub fn read(places: &PlaceFinder<'_>, note: &Segment, links: &mut Vec<Link>) {
    let mut titled: Vec<Span> = Vec::new();
    if Rule::NoteTitles.on() {
        read_titles(places, note.span, note.layer, &mut titled, links);
    }
    if Rule::NoteBareTitles.on() {
        bare_titles(places, note.span, note.layer, (&titled, None), links);
    }
    if Rule::NoteYears.on() {
        years_of_annals(places, note, links);
    }
    if Rule::Recensions.on() {
        recensions(places, note, links);
    }
    match noted::explains(note.layer) {
        true if Rule::NoteQuotes.on() => noted::read(places, note, &titled, links),
        true => {}
        false => {
            if Rule::ReadingsPointed.on() {
                pointed::read(places, note, links);
            }
        }
    }
    if note.layer == Layer::Zhu && Rule::NoteSays.on() {
        says(places, note, &titled, links);
    }
}

/// Links the titles in 《》, inside quotations too.
fn read_titles(
    places: &PlaceFinder<'_>,
    span: Span,
    layer: Layer,
    titled: &mut Vec<Span>,
    links: &mut Vec<Link>,
) {
    let tokens = tokens(places.document.source.text(), span);
    for (n, t) in tokens.iter().enumerate() {
        let outside = !titled.iter().any(|s| s.overlap(t.outer) > 0);
        match t.kind {
            TokenKind::Title => {
                if let Some(link) = titled_citation(places, &tokens, n, *t, layer) {
                    titled.extend([Some(link.span), link.quoted].into_iter().flatten());
                    links.push(link);
                }
            }
            TokenKind::Quote if outside => read_titles(places, t.inner, layer, titled, links),
            _ => {}
        }
    }
}

/// The link of a title in 《》, with the text cited from it.
pub fn titled_citation(
    places: &PlaceFinder<'_>,
    tokens: &[CommentToken],
    at: usize,
    t: CommentToken,
    layer: Layer,
) -> Option<Link> {
    let text = places.document.source.text();
    let mut resolved = places.index.works.resolve(&text[t.inner.range()], places.work())?;
    if is_own(places, layer, &resolved) {
        return None;
    }
    let plain = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Plain);
    // 《春秋》定十四年: the title is that of the chapter, and the words begin after the year.
    let year = plain
        .and_then(|p| years::after(text, p.inner, t.outer.end()))
        .filter(|_| Rule::YearAfterNoteTitle.on());
    let year = year.filter(|_| resolved.named.chapter.is_none());
    if let Some(year) = year {
        year.duke.narrow(&mut resolved.named, places);
    }
    let year = year.filter(|_| resolved.named.chapter.is_some());
    let after = plain.map_or("", |p| &text[p.inner.range()]);
    let quote =
        tokens.get(at + 1 + usize::from(plain.is_some())).filter(|q| q.kind == TokenKind::Quote);
    let quote = quote.filter(|_| after.chars().count() <= 10 && !after.contains('。'));
    let said = quote.map(|q| (q.inner, true)).or_else(|| {
        let plain = plain?.inner;
        let from = year.map_or(plain.start(), |y| y.span.end());
        Some((sentence_after(text, Span::new(from, plain.end()))?, false))
    });
    let year = year.map(|y| y.duke.year());
    let text = CitedText { year, ..cited_text(said) };
    let mut link = cited(places, &resolved, t.outer, text, layer);
    if link.quoted.is_none() {
        link.quoted = said.map(|s| s.0);
    }
    Some(link)
}

/// True if a classic names its own offices and chapters: that is no citation.
fn is_own(places: &PlaceFinder<'_>, layer: Layer, resolved: &Resolved) -> bool {
    layer.kind() == LayerKind::Base && Some(&*resolved.named.work) == places.work()
}

fn cited_text(said: Option<(Span, bool)>) -> CitedText {
    match said {
        Some((span, true)) => CitedText { quoted: Some(span), ..CitedText::default() },
        said => CitedText { after: said.map(|s| s.0), is_said: true, ..CitedText::default() },
    }
}

/// Links the years of the annals that a note says it cites: 在僖五年, 隱元年傳曰….
fn years_of_annals(places: &PlaceFinder<'_>, note: &Segment, links: &mut Vec<Link>) {
    for year in years::all(places.document.source.text(), note.span) {
        let taken = links.iter().rev().take(8).any(|l| l.span.overlap(year.span) > 0);
        let Some(named) = year.duke.chapter(places).filter(|_| year.cites && !taken) else {
            continue;
        };
        let rest = Span::new(year.span.end(), note.span.end());
        let said = sentence_after(places.document.source.text(), rest).map(|s| (s, false));
        let resolved = Resolved { named, tail: None, alternatives: vec![] };
        let said = CitedText { year: Some(year.duke.year()), ..cited_text(said) };
        links.push(cited(places, &resolved, year.span, said, note.layer));
    }
}

/// The text up to the full stop, without 曰 and the like at its start.
fn sentence_after(text: &str, plain: Span) -> Option<Span> {
    let rest = &text[plain.range()];
    let head = rest.trim_start_matches(['記', '注', '雲', '云', '曰', ':', '：', ',', '，']);
    let end = head.find(['。', '\n', '○']).unwrap_or(head.len());
    let start = plain.start() + rest.len() - head.len();
    head[..end].contains(is_content).then(|| Span::new(start, start + end))
}

/// Finds titles without 《》: 周禮曰, 鄉射記云; returns what they name that the text may go on with, and where the citation
/// ends. `quote` is the quotation just after the span, which the last may introduce.
pub fn bare_titles(
    places: &PlaceFinder<'_>,
    span: Span,
    layer: Layer,
    (titled, quote): (&[Span], Option<Span>),
    links: &mut Vec<Link>,
) -> Vec<(Resolved, Span)> {
    let key = Key::of(places.document.source.text(), span);
    let is_flat = is_flat(&places.document.source.text()[span.range()]);
    let mut named = Vec::new();
    let mut i = 0;
    while i < key.len() {
        let Some((n, from)) =
            bare_title_at(&places.index.works, places.document.source.text(), &key, i)
        else {
            i += 1;
            continue;
        };
        let bare = BareTitle { title: i..i + n, from };
        i = from;
        if titled.iter().all(|t| t.overlap(key.span(bare.title.start, bare.title.end)) == 0) {
            let Some((link, opened)) = bare.cited(places, &key, (span, layer, is_flat), quote)
            else {
                continue;
            };
            named.extend(opened);
            links.push(link);
        }
    }
    named
}

/// A title without 《》, and where the words begin that it introduces, as characters of a key.
struct BareTitle {
    title: Range<usize>,
    from: usize,
}

impl BareTitle {
    /// The link, and what the text may go on with.
    fn cited(
        self,
        places: &PlaceFinder<'_>,
        key: &Key,
        (span, layer, is_flat): (Span, Layer, bool),
        quote: Option<Span>,
    ) -> Option<(Link, Option<(Resolved, Span)>)> {
        let (text, works) = (places.document.source.text(), &*places.index.works);
        let title = key.span(self.title.start, self.title.end);
        // A line may end within a title.
        let name = String::from_iter(&key.chars[self.title.clone()]);
        let resolved = works.resolve(&name, places.work())?;
        if is_own(places, layer, &resolved) {
            return None;
        }
        let said = match self.from < key.len() {
            true => sentence_in(works, text, key, self.from, span).map(|s| (s, false)),
            false => quote.map(|q| (q, true)),
        };
        let said_text = CitedText { is_flat, ..cited_text(said) };
        let mut link = cited(places, &resolved, title, said_text, layer);
        // 書曰“…” may be what someone writes.
        let is_there = link.target.is_some() && link.status != Status::Paraphrase;
        let is_quote = said.is_some_and(|(_, is_quote)| is_quote);
        if Rule::OneCharacterTitle.on() && is_quote && self.title.len() == 1 && !is_there {
            return Some((cited(places, &resolved, title, CitedText::default(), layer), None));
        }
        link.quoted = link.quoted.or(said.map(|s| s.0));
        let quoted = link.quoted.unwrap_or(title);
        Some((link, Some((resolved, quoted))))
    }
}

/// Length of the bare title at character `i`, and the start of the quotation that it introduces.
pub fn bare_title_at(works: &Works, text: &str, key: &Key, i: usize) -> Option<(usize, usize)> {
    works.bare_names().at(&key.chars[i..]).find_map(|name| {
        let n = name.len;
        // 閨門之內，則以孝 does not name the 內則.
        let is_broken =
            (1..n).any(|k| text[key.end(i + k - 1)..key.at[i + k] as usize].contains(ends_clause));
        if is_broken {
            return None;
        }
        let next = |k: usize| key.chars.get(i + n + k).copied();
        let adjacent = |k: usize| {
            key.at.get(i + n + k).is_some_and(|at| *at as usize - key.end(i + n + k - 1) < 4)
        };
        // 內司服掌王后之六服: what an office has to do begins that way.
        if Rule::OfficeHasCharge.on()
            && name.office
            && n > 2
            && next(0) == Some('掌')
            && adjacent(0)
        {
            return Some((n, i + n));
        }
        let said = (0..3).find(|&k| {
            next(k).is_some_and(|c| QUOTING_VERBS.contains(&c)) && (1..=k).all(&adjacent)
        })?;
        let between: Vec<char> = (0..said).filter_map(next).collect();
        let office = n > 2 || between.contains(&'職');
        let fits = between.is_empty() && (!name.office || n > 2 && next(said) != Some('曰'))
            || n > 1
                && (!name.office || office)
                && matches!(between[..], ['記' | '注' | '職' | '傳' | '說' | '又'] | [_, '職']);
        fits.then_some((n, i + n + said + 1))
    })
}

/// From character `from` to the full stop, but at most forty characters.
fn sentence_in(works: &Works, text: &str, key: &Key, from: usize, note: Span) -> Option<Span> {
    let start = *key.at.get(from)? as usize;
    let rest = &text[start..note.end()];
    let marks = rest.find(['。', '\n', '○', '”', '」']);
    // Another recension or title ends the quotation.
    let recension = rest.find("今文").into_iter().chain(rest.find("古文")).min();
    let stop = marks.into_iter().chain(recension).min().map_or(note.end(), |i| start + i);
    let to = key.index_at(stop).min(from + 40);
    let to = (from + 1..to).find(|&i| bare_title_at(works, text, key, i).is_some()).unwrap_or(to);
    (to > from).then(|| key.span(from, to))
}

/// Links 今文X作Y to the word of the classic that the recension writes differently.
fn recensions(places: &PlaceFinder<'_>, note: &Segment, links: &mut Vec<Link>) {
    let text = places.document.source.text();
    let at =
        |m: regex::Match<'_>| Span::new(note.span.start() + m.start(), note.span.start() + m.end());
    for c in RECENSION.captures_iter(&text[note.span.range()]) {
        let (Some(who), Some(said)) = (c.name("who").map(at), c.name("said").map(at)) else {
            continue;
        };
        // 今文皆作Y does not name the word; 今文曰Y and 今文無Y do.
        let names = c.name("verb").is_some_and(|v| !matches!(v.as_str(), "作" | "為" | "爲"));
        let other = c.name("other").map(at).filter(|w| !w.is_empty() && names);
        let word = c.name("word").map(at).filter(|w| !w.is_empty()).or(other);
        let found = word.and_then(|w| {
            places.word_before(w, note.span.start(), c.name("word").is_some_and(|m| !m.is_empty()))
        });
        let work = places.locus().map(|l| format!("{l}({})", &text[who.range()]));
        links.push(
            draft(LinkKind::Citation, who, note.layer)
                .quoted(said)
                .work(work)
                .found(found)
                .because(EvidenceKind::Recension)
                .why(EvidenceKind::WordNotInTextBefore)
                .link(),
        );
    }
}

/// First byte of the run of the classic just before `at`.
fn paragraph_start(places: &PlaceFinder<'_>, at: usize) -> usize {
    let base = &places.view.base;
    let mut i = base.index_at(at);
    // Go back over the classic just before the note to where another note interrupts it.
    while i > 1
        && places.document.segment_at(base.at(i - 1)) == places.document.segment_at(base.at(i - 2))
    {
        i -= 1;
    }
    base.get(i.saturating_sub(1)).unwrap_or(at)
}

/// Links 言賢者 and 如鄉射之禮者 to the words of the classic just before the note.
fn says(places: &PlaceFinder<'_>, note: &Segment, titled: &[Span], links: &mut Vec<Link>) {
    let text = &places.document.source.text()[note.span.range()];
    let at =
        |m: regex::Match<'_>| Span::new(note.span.start() + m.start(), note.span.start() + m.end());
    let mut words: Vec<(Span, Span)> = Vec::new();
    for c in SAYS.captures_iter(text) {
        words.extend(c.name("all").map(at).zip(c.name("x").map(at)));
    }
    for c in TAKES_UP.captures_iter(text).filter(|_| Rule::NoteTakesUp.on()) {
        words.extend(c.name("x").map(at).map(|x| (x, x)));
    }
    for (all, x) in words {
        let taken =
            |l: &Link| l.kind == LinkKind::Quotation && l.quoted.is_some_and(|q| q.overlap(x) > 0);
        if titled.iter().any(|t| t.overlap(all) > 0)
            || links.iter().rev().take(8).any(taken)
            || &places.document.source.text()[x.range()] == "之"
        {
            continue;
        }
        let key = SoughtWords::of(places.document, x).key.chars;
        let from = paragraph_start(places, note.span.start());
        let hits = places.view.find(Stream::Base, from..note.span.start(), &key, 0);
        let Some(hit) = hits.first() else { continue };
        let target =
            Target { doc: None, span: places.view.stretch(places.document, Stream::Base, hit) };
        let found = FoundPlace {
            target,
            status: Status::Exact,
            certainty: 0.85,
            how: EvidenceKind::WordOfTheClassicBefore,
            alternatives: vec![],
            diff: 0,
            differs: None,
        };
        links.push(draft(LinkKind::Quotation, all, note.layer).quoted(x).found(Some(found)).link());
    }
}
