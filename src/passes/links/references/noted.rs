//! Quotations in marks that a note has: words of the classic before it, of another place of the
//! chapter or the work, or of another chapter.
//!
//! Without marks a note's quotations are recognised by their words ([`notes`](super::notes)).

use super::rules::Rule;

use super::comment::Reader;
use super::cues::{OWN_WORK, RANGE};
use super::link::draft;
use super::place::PlaceFinder;
use super::scan::{CommentToken, TokenKind, tokens};
use super::sought::{FoundPlace, SoughtWords};
use super::speakers::BEFORE_SURNAME;
use crate::corpus::view::Stream;
use crate::model::{EvidenceKind, Layer, Link, LinkKind, Segment, Status, Target};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::find::Hit;

/// Certainty of words of the classic just before the note.
const JUST_BEFORE_CERTAINTY: f64 = 0.95;

/// Bytes before a passage in which two characters that a note quotes may be meant, and how sure that is.
const MAX_BEFORE_BYTES: usize = 600;
const TWO_BEFORE_CERTAINTY: f64 = 0.6;
/// Whose words are cited, and who wrote no commentary.
const MASTER: &[&str] = &["孔子", "夫子"];
/// Most characters of what opens the words of a commentator: 馬曰, 鄭司農云.
const MAX_SPEAKER_CHARS: usize = 5;

/// Links the quotations of a note, but for those that a title has.
pub fn read(places: &PlaceFinder<'_>, note: &Segment, titled: &[Span], links: &mut Vec<Link>) {
    read_span(places, note, note.span, titled, links);
}

fn read_span(
    places: &PlaceFinder<'_>,
    note: &Segment,
    span: Span,
    titled: &[Span],
    links: &mut Vec<Link>,
) {
    let text = places.document.source.text();
    let tokens = tokens(text, span);
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        at += 1;
        if token.kind != TokenKind::Quote {
            continue;
        }
        if taken_by(titled, token) {
            // A scholar may cite something: 鄭司農云：“…《國語》曰…”.
            if !cited_whole(titled, token)
                && let Some(said) = said_by_another(places, note, &tokens, at - 1)
            {
                links.push(said);
                read_span(places, note, token.inner, titled, links);
            }
            continue;
        }
        let lead = before(&tokens, at - 1).map_or("", |s| &text[s.range()]);
        if RANGE.is_match(lead) && at > 2 && taken_by(titled, tokens[at - 3]) {
            continue;
        }
        if let Some(said) = said_by_another(places, note, &tokens, at - 1) {
            links.push(said);
            read_span(places, note, token.inner, titled, links);
            continue;
        }
        if Rule::NoteOfNamed.on() && is_note_of(places, &tokens, at - 1) {
            let words = SoughtWords::of(places.document, token.inner);
            match repeated(places, note, token.inner, token.outer, &words) {
                Some(link) => links.push(link),
                None => read_span(places, note, token.inner, titled, links),
            }
            continue;
        }
        let cue =
            OWN_WORK.captures(lead).and_then(|c| c.name("cue")).map(|c| lead.len() - c.start());
        let start = token.outer.start() - cue.unwrap_or(0);
        // “X”至“Y”: the place is that of X.
        let range = range_end(text, &tokens, at);
        let end = range.map_or(token.outer.end(), |i| tokens[i].outer.end());
        at = range.map_or(at, |i| i + 1);
        links.extend(link(places, note, token.inner, Span::new(start, end)));
    }
}

/// The link of a quotation in which a scholar speaks who did not write the note: 鄭司農云“…” in the notes of
/// 鄭玄.
fn said_by_another(
    places: &PlaceFinder<'_>,
    note: &Segment,
    tokens: &[CommentToken],
    at: usize,
) -> Option<Link> {
    let lead = before(tokens, at)?;
    let passage = places.view.passage_at(note.span.start())?;
    let mut reader = Reader::new(places, passage, note.layer, vec![]);
    let speaker = reader
        .speaker_before(lead)
        .filter(|s| Rule::NoteSpeaker.on() && !reader.explains(s.scholar))?;
    let span = Span::new(speaker.span.start(), tokens[at].outer.end());
    reader.spoken(speaker, span, Some(tokens[at].inner));
    reader.links.pop()
}

/// True if a quotation is a note by a commentator who is named before it (馬曰：“…”): such a note
/// has words of the classic because it explains them.
fn is_note_of(places: &PlaceFinder<'_>, tokens: &[CommentToken], at: usize) -> bool {
    let Some(lead) = before(tokens, at) else { return false };
    let opens = at < 2 || tokens[at - 2].kind == TokenKind::Quote;
    let text = &places.document.source.text()[lead.range()];
    let said: String = text.chars().filter(|c| is_content(*c)).collect();
    let name = said.strip_suffix(['曰', '云', '雲']).unwrap_or_default();
    opens
        && !name.is_empty()
        && !name.ends_with(BEFORE_SURNAME)
        && !MASTER.iter().any(|m| name.ends_with(m))
        && said.chars().count() <= MAX_SPEAKER_CHARS
        && !OWN_WORK.is_match(text)
        && places.index.works.resolve(name, places.work()).is_none()
}

/// True if a title cites it, or something in it.
fn taken_by(titled: &[Span], token: CommentToken) -> bool {
    titled.iter().any(|t| t.overlap(token.outer) > 0)
}

/// True if a title cites all of it, and not only something in it.
fn cited_whole(titled: &[Span], token: CommentToken) -> bool {
    let within = |t: &Span| token.inner.contains(*t) && *t != token.inner;
    titled.iter().any(|t| t.overlap(token.outer) > 0 && !within(t))
}

fn before(tokens: &[CommentToken], at: usize) -> Option<Span> {
    at.checked_sub(1).map(|i| tokens[i]).filter(|t| t.kind == TokenKind::Plain).map(|t| t.inner)
}

/// The quotation that ends a range, if one goes on at token `at`.
fn range_end(text: &str, tokens: &[CommentToken], at: usize) -> Option<usize> {
    let gap = tokens.get(at).filter(|t| t.kind == TokenKind::Plain)?;
    tokens.get(at + 1).filter(|t| t.kind == TokenKind::Quote)?;
    RANGE.is_match(&text[gap.inner.range()]).then_some(at + 1)
}

fn link(places: &PlaceFinder<'_>, note: &Segment, quoted: Span, span: Span) -> Option<Link> {
    let words = SoughtWords::of(places.document, quoted);
    if words.len() == 0 {
        return None;
    }
    if let Some(link) =
        repeated(places, note, quoted, span, &words).filter(|_| Rule::NoteRepeated.on())
    {
        return Some(link);
    }
    if let Some((place, _)) =
        places.aligned_in_own_work(&words).filter(|_| Rule::NoteAlignedOwnWork.on())
    {
        return Some(place.draft(places, span, quoted, note.layer).link());
    }
    let (found, named) = places.in_other_chapter(&words).filter(|_| Rule::NoteOtherChapter.on())?;
    let link = draft(LinkKind::Citation, span, note.layer)
        .quoted(quoted)
        .work(named.map(|n| n.locus()))
        .found(Some(found));
    Some(link.link())
}

/// A link to exactly these words: just before the note, else in the chapter.
fn repeated(
    places: &PlaceFinder<'_>,
    note: &Segment,
    quoted: Span,
    span: Span,
    words: &SoughtWords,
) -> Option<Link> {
    if let Some(found) = just_before(places, note, words) {
        let link = draft(LinkKind::Quotation, span, note.layer).quoted(quoted).found(Some(found));
        return Some(link.link());
    }
    let passage = places.view.passage_at(note.span.start()).map_or(note.span, |p| p.text);
    if words.len() == 2 {
        let near = |f: &FoundPlace| passage.start() - f.target.span.start() < MAX_BEFORE_BYTES;
        let found = places.next_in(Stream::Base, passage.start(), words, true).filter(near)?;
        let found = FoundPlace { certainty: TWO_BEFORE_CERTAINTY, ..found };
        let link = draft(LinkKind::Quotation, span, note.layer).quoted(quoted).found(Some(found));
        return Some(link.link());
    }
    let place = places.in_own_chapter(passage, words)?;
    Some(place.draft(places, span, quoted, note.layer).link())
}

/// The last place of words in the classic between the start of the passage and the note, else the
/// first in the rest of the passage.
fn just_before(
    places: &PlaceFinder<'_>,
    note: &Segment,
    words: &SoughtWords,
) -> Option<FoundPlace> {
    let passage = places.view.passage_at(note.span.start())?.text;
    let find = |bytes| places.view.find(Stream::Base, bytes, &words.key.chars, 0);
    let behind = find(passage.start()..note.span.start()).last().copied();
    let ahead = || find(note.span.end()..passage.end()).first().copied();
    let hit: Hit = behind.or_else(ahead)?;
    let target =
        Target { doc: None, span: places.view.stretch(places.document, Stream::Base, &hit) };
    Some(FoundPlace {
        target,
        status: Status::Exact,
        certainty: JUST_BEFORE_CERTAINTY,
        how: EvidenceKind::WordOfTheClassicBefore,
        alternatives: vec![],
        diff: 0,
        differs: None,
    })
}

/// True for a layer whose notes explain the sense: readings of characters and collation notes quote
/// what they are on in another way.
pub fn explains(layer: Layer) -> bool {
    !matches!(layer, Layer::Yin | Layer::An)
}
