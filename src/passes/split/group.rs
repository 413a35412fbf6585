//! What is decided together: the text paragraphs up to a sub-commentary, with what the
//! sub-commentary says of them.
//!
//! The sub-commentary gives its evidence by words, not by places. Here the words are found in the
//! paragraphs, so that the features can ask of each place: does a note begin here by the header, is
//! this inside a quotation?

use std::sync::LazyLock;

use regex::Regex;

use super::translation::Rendered;
use super::witness::Votes;
use crate::model::{Document, Header, HeaderPart, Layer};
use crate::source::Span;
use crate::text::{Key, class, clauses};

/// A clause: the least that is cut off.
#[derive(Clone, Debug)]
pub struct Unit {
    /// First character in the paragraph's key.
    pub from: usize,
    /// One past the last.
    pub to: usize,
    /// Byte where it starts, opening marks included.
    pub start: usize,
    /// True if a sentence ends with it, not only a clause.
    pub ends_sentence: bool,
    /// Quotation marks open at its end.
    pub open_quotes: i32,
    /// It ends with a closing quotation mark.
    pub closes_quote: bool,
    /// No mark ends it: it was cut only because a header asks for it.
    pub unmarked: bool,
}

/// How surely a header's word was found at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Found {
    /// Not at all.
    #[default]
    No,
    /// All but one character.
    Nearly,
    /// Exactly, but another place fits better.
    Elsewhere,
    /// Exactly, and it is the place that fits best.
    Here,
}

/// What is known of the place before one character of a paragraph.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint {
    /// A note begins here, says the header.
    pub note_from: Found,
    /// A note ends here.
    pub note_to: Found,
    /// The classic begins here.
    pub classic_from: Found,
    /// The classic ends here.
    pub classic_to: Found,
    /// The character lies in the header's stretch of note.
    pub in_note: bool,
    /// The character lies in the header's stretch of classic.
    pub in_classic: bool,
    /// The character and the one before lie in one quotation of the sub-commentary.
    pub in_quote: bool,
    /// A quotation begins here.
    pub quote_from: bool,
    /// The character is quoted as 鄭's or as 注.
    pub quoted_note: bool,
    /// The character is quoted as 經.
    pub quoted_classic: bool,
    /// The character is quoted.
    pub quoted: bool,
}

/// A paragraph to be cut.
#[derive(Debug)]
pub struct Paragraph {
    /// Its segment in the document.
    pub segment: usize,
    /// Its words.
    pub span: Span,
    /// Its characters.
    pub key: Key,
    /// Its clauses.
    pub units: Vec<Unit>,
    /// One for each place between characters, `key.len() + 1`.
    pub hints: Vec<Hint>,
    /// What witnesses say of its characters.
    pub votes: Votes,
    /// What translations say of its clauses.
    pub rendered: Rendered,
    /// A sub-commentary follows at once.
    pub last_of_group: bool,
    /// The group's headers name a note.
    pub header_has_note: bool,
    /// The group's headers name classic.
    pub header_has_classic: bool,
    /// The note is named only by headers of their own, inside the sub-commentary. Some works name
    /// in them just the part of a note that they explain.
    pub inner_headers_only: bool,
}

/// All paragraphs of the document that await cutting, with their evidence.
pub fn paragraphs(document: &Document) -> Vec<Paragraph> {
    let mut out: Vec<Paragraph> = Vec::new();
    let mut group_start = 0;
    let mut sub = Vec::new();
    for (n, s) in document.segments.iter().enumerate() {
        match s.layer {
            Layer::Undivided => {
                if !sub.is_empty() {
                    close(document, &mut out[group_start..], &sub);
                    (group_start, sub) = (out.len(), Vec::new());
                }
                out.push(paragraph(document, n));
            }
            Layer::Shu | Layer::ShuHeader => sub.push(s.span),
            _ => {}
        }
    }
    close(document, &mut out[group_start..], &sub);
    out
}

fn paragraph(document: &Document, segment: usize) -> Paragraph {
    let span = document.segments[segment].span;
    let text = document.source.text();
    let key = Key::of(text, span);
    let units = units(text, span, &key);
    let hints = vec![Hint::default(); key.len() + 1];
    Paragraph {
        segment,
        span,
        key,
        units,
        hints,
        votes: Votes::default(),
        rendered: Rendered::default(),
        last_of_group: false,
        header_has_note: false,
        header_has_classic: false,
        inner_headers_only: false,
    }
}

fn units(text: &str, span: Span, key: &Key) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut open_quotes = 0;
    for piece in clauses(text, span) {
        let words = &text[piece.range()];
        open_quotes += words
            .chars()
            .map(|c| {
                i32::from(matches!(c, '“' | '「' | '『'))
                    - i32::from(matches!(c, '”' | '」' | '』'))
            })
            .sum::<i32>();
        let (from, to) = (key.index_at(piece.start()), key.index_at(piece.end()));
        let closes_quote = words.trim_end().ends_with(['”', '」', '』']);
        let ends_sentence =
            words.chars().rev().find(|c| !class::closes(*c)).is_some_and(class::ends_sentence);
        match units.last_mut() {
            // A piece without characters belongs to the one before it.
            Some(last) if from == to => {
                last.ends_sentence |= ends_sentence;
                last.closes_quote |= closes_quote;
                last.open_quotes = open_quotes;
            }
            _ if from == to => {}
            _ => units.push(Unit {
                from,
                to,
                start: piece.start(),
                ends_sentence,
                open_quotes,
                closes_quote,
                unmarked: false,
            }),
        }
    }
    if let Some(first) = units.first_mut() {
        first.start = span.start();
    }
    units
}

/// Brings the evidence of the sub-commentary that follows a group of paragraphs to their places.
fn close(document: &Document, group: &mut [Paragraph], sub: &[Span]) {
    let (Some(first), Some(last)) = (sub.first(), sub.last()) else { return };
    let Some(end) = group.last_mut() else { return };
    end.last_of_group = true;
    let around = Span::new(first.start(), last.end());
    let headers: Vec<&Header> =
        document.headers.iter().filter(|h| around.contains(h.span)).collect();
    let names_note = |h: &Header| h.parts.iter().any(|p| p.layer != Layer::Jing);
    let inner =
        headers.first().is_some_and(|h| !names_note(h)) && headers.iter().any(|h| names_note(h));
    let parts: Vec<&HeaderPart> = headers.iter().flat_map(|h| &h.parts).collect();
    for p in group.iter_mut() {
        p.header_has_note = parts.iter().any(|p| p.layer != Layer::Jing);
        p.inner_headers_only = inner;
        p.header_has_classic = parts.iter().any(|p| p.layer == Layer::Jing);
    }
    let mut joined = Joined::new(group);
    joined.headers(document, &parts);
    joined.quotations(document, &headers, sub);
    joined.hand_back(group);
    group.iter_mut().for_each(cut_by_header);
}

/// Cuts a clause where the classic's last words and the note's first words meet inside it, so that
/// the border can be chosen although the copy has no mark there.
fn cut_by_header(p: &mut Paragraph) {
    let borders = |h: &Hint| h.note_from == Found::Here && h.classic_to >= Found::Elsewhere;
    let inside: Vec<usize> = (1..p.key.len())
        .filter(|k| borders(&p.hints[*k]) && p.units.iter().all(|u| u.from != *k))
        .collect();
    inside.into_iter().for_each(|k| p.cut_inside(k));
}

impl Paragraph {
    /// Cuts the clause that character `k` stands in before it, unless it begins there.
    pub fn cut_inside(&mut self, k: usize) {
        let n = self.units.partition_point(|u| u.from <= k) - 1;
        if self.units[n].from == k {
            return;
        }
        let tail = Unit { from: k, start: self.key.at[k] as usize, ..self.units[n].clone() };
        self.units[n] = Unit {
            to: k,
            ends_sentence: false,
            closes_quote: false,
            unmarked: true,
            ..self.units[n].clone()
        };
        self.units.insert(n + 1, tail);
    }
}

/// The characters of a group run together.
struct Joined {
    chars: Vec<char>,
    hints: Vec<Hint>,
    /// True where a clause begins (and at the end).
    clause: Vec<bool>,
}

/// Where words stand: first character, one past the last, exact or not.
#[derive(Clone, Copy, Debug)]
struct Hit {
    from: usize,
    to: usize,
    exact: bool,
}

impl Joined {
    fn new(group: &[Paragraph]) -> Self {
        let chars: Vec<char> = group.iter().flat_map(|p| p.key.chars.iter().copied()).collect();
        let mut clause = vec![false; chars.len() + 1];
        let mut base = 0;
        for p in group {
            p.units.iter().for_each(|u| clause[base + u.from] = true);
            base += p.key.len();
        }
        clause[base] = true;
        Joined { hints: vec![Hint::default(); chars.len() + 1], chars, clause }
    }

    fn hand_back(self, group: &mut [Paragraph]) {
        let mut base = 0;
        for p in group {
            let n = p.key.len();
            p.hints.copy_from_slice(&self.hints[base..=base + n]);
            // What ends at the last place of a paragraph must not be read as beginning at the next
            // one's first.
            base += n;
        }
    }

    /// All places of some words; where there is none, those that differ in one character.
    fn find(&self, words: &[char]) -> Vec<Hit> {
        if words.is_empty() || words.len() > self.chars.len() {
            return Vec::new();
        }
        let at = |n: usize| {
            let differ = |w: &[char]| w.iter().zip(words).filter(|(a, b)| a != b).count() <= n;
            let hits = self.chars.windows(words.len()).enumerate().filter(move |(_, w)| differ(w));
            hits.map(|(from, _)| Hit { from, to: from + words.len(), exact: n == 0 })
                .collect::<Vec<_>>()
        };
        let exact = at(0);
        if exact.is_empty() && words.len() > 1 { at(1) } else { exact }
    }

    fn headers(&mut self, document: &Document, parts: &[&HeaderPart]) {
        let words = |s: Span| Key::of(document.source.text(), s).chars;
        let mut after = 0;
        for (n, part) in parts.iter().enumerate() {
            let from = self.find(&words(part.from));
            let to = part.to.map(|t| self.find(&words(t)));
            let next = parts
                .get(n + 1)
                .filter(|p| p.layer != part.layer)
                .map(|p| self.find(&words(p.from)))
                .unwrap_or_default();
            let is_note = part.layer != Layer::Jing;
            let chosen = self.choose(&from, to.as_deref(), &next, after, is_note);
            self.note_down(is_note, &from, to.as_deref(), chosen);
            if let Some((_, end)) = chosen {
                after = end;
            }
        }
    }

    /// The likeliest stretch of a part: begins with a clause, ends with a clause, reaches the next
    /// part, and otherwise from the first of its first words to the last of its last.
    fn choose(
        &self,
        from: &[Hit],
        to: Option<&[Hit]>,
        next: &[Hit],
        after: usize,
        is_note: bool,
    ) -> Option<(usize, usize)> {
        let goodness = |f: &Hit, t: &Hit| {
            let mut g = 0.0;
            g += f64::from(u8::from(self.clause[f.from])) * 3.0
                + f64::from(u8::from(self.clause[t.to])) * 2.0;
            g += f64::from(u8::from(f.exact)) * 2.0 + f64::from(u8::from(t.exact)) * 2.0;
            g += f64::from(u8::from(f.from == after)) * 1.0
                + f64::from(u8::from(f.from >= after)) * 2.0;
            g += f64::from(u8::from(next.iter().any(|n| n.from == t.to))) * 3.0;
            g += if is_note { t.to as f64 / self.chars.len() as f64 } else { 0.0 };
            g += f64::from(u8::from(is_note && self.glossed(f, from))) * 3.0;
            g - f.from as f64 / self.chars.len() as f64
        };
        let pairs = from.iter().flat_map(|f| match to {
            None => vec![(*f, *f)],
            Some(to) => {
                to.iter().filter(|t| t.from >= f.from && t.to >= f.to).map(|t| (*f, *t)).collect()
            }
        });
        pairs
            .max_by(|a, b| goodness(&a.0, &a.1).total_cmp(&goodness(&b.0, &b.1)))
            .map(|(f, t)| (f.from, t.to))
    }

    /// True if words that stood before are taken up here, alone before a mark: so notes open
    /// (何以,言其難也).
    fn glossed(&self, f: &Hit, all: &[Hit]) -> bool {
        self.clause[f.from] && self.clause[f.to] && all.iter().any(|earlier| earlier.to <= f.from)
    }

    fn note_down(
        &mut self,
        is_note: bool,
        from: &[Hit],
        to: Option<&[Hit]>,
        chosen: Option<(usize, usize)>,
    ) {
        let grade = |h: &Hit, here: bool| match (h.exact, here) {
            (true, true) => Found::Here,
            (true, false) => Found::Elsewhere,
            (false, _) => Found::Nearly,
        };
        for h in from {
            let g = grade(h, chosen.is_some_and(|c| c.0 == h.from));
            let hint = &mut self.hints[h.from];
            let slot = if is_note { &mut hint.note_from } else { &mut hint.classic_from };
            *slot = (*slot).max(g);
        }
        for h in to.unwrap_or(from) {
            let g = grade(h, chosen.is_some_and(|c| c.1 == h.to));
            let hint = &mut self.hints[h.to];
            let slot = if is_note { &mut hint.note_to } else { &mut hint.classic_to };
            *slot = (*slot).max(g);
        }
        if let Some((a, b)) = chosen {
            for hint in &mut self.hints[a..b] {
                hint.in_note |= is_note;
                hint.in_classic |= !is_note;
            }
        }
    }

    fn quotations(&mut self, document: &Document, headers: &[&Header], sub: &[Span]) {
        let text = document.source.text();
        for q in sub.iter().flat_map(|span| quotations(text, *span)) {
            let (note, classic) = q.layers(headers);
            self.quotation(&Key::of(text, q.words).chars, note, classic);
        }
    }

    /// Words that are quoted as one layer's may stand in the other too: where a header's stretch of
    /// that layer has them, they are meant there.
    fn quotation(&mut self, words: &[char], note: bool, classic: bool) {
        let hits: Vec<Hit> = self.find(words).into_iter().filter(|h| h.exact).collect();
        let within = |hit: &Hit, of: fn(&Hint) -> bool| self.hints[hit.from..hit.to].iter().all(of);
        let in_note: Vec<bool> = hits.iter().map(|h| within(h, |h| h.in_note)).collect();
        let in_classic: Vec<bool> = hits.iter().map(|h| within(h, |h| h.in_classic)).collect();
        let meant = |inside: &[bool], n: usize| inside[n] || !inside.contains(&true);
        for (n, hit) in hits.iter().enumerate() {
            self.hints[hit.from].quote_from |= self.clause[hit.from];
            for k in hit.from..hit.to {
                let hint = &mut self.hints[k];
                hint.in_quote |= k > hit.from;
                hint.quoted = true;
                hint.quoted_note |= note && meant(&in_note, n);
                hint.quoted_classic |= classic && meant(&in_classic, n);
            }
        }
    }
}

/// Which layer a sub-commentary explains at a place: that of the last header before it, if it names
/// only one. Where the explanation of the note has a header of its own, what comes before is about
/// the classic.
fn section(headers: &[&Header], at: usize) -> Option<Layer> {
    let last = headers.iter().rev().find(|h| h.span.end() <= at)?;
    let note = last.parts.iter().filter(|p| p.layer != Layer::Jing).count();
    if note == 0 { Some(Layer::Jing) } else { (note == last.parts.len()).then_some(Layer::Zhu) }
}

/// Words that a sub-commentary quotes.
pub struct Quotation {
    /// The words, without quotation marks.
    pub words: Span,
    /// It calls them 鄭's, or 注.
    pub note: bool,
    /// It calls them 經.
    pub classic: bool,
    /// They open a paragraph of it, as what it is about: ○“X”者.
    pub lemma: bool,
}

impl Quotation {
    /// Whether its words are those of a note, and whether of the classic: by what it is called,
    /// else by what the headers say the sub-commentary explains here.
    pub fn layers(&self, headers: &[&Header]) -> (bool, bool) {
        let section = section(headers, self.words.start());
        let classic = self.classic || self.lemma && section == Some(Layer::Jing);
        let note = self.note || !self.classic && section == Some(Layer::Zhu);
        (note, classic)
    }
}

/// What a stretch of sub-commentary quotes.
pub fn quotations(text: &str, sub: Span) -> impl Iterator<Item = Quotation> {
    static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?P<who>[^“”「」。,，;；]{0,3})[“「](?P<words>[^“”「」]{2,120})[”」]")
            .expect("a valid pattern")
    });
    QUOTED.captures_iter(&text[sub.range()]).filter_map(move |c| {
        let (who, words) = (&c["who"], c.name("words")?);
        let words = Span::new(sub.start() + words.start(), sub.start() + words.end());
        let note = who.contains('鄭') || who.contains('注') || who.contains('郑');
        let classic = who.contains('經') || who.contains('经');
        let before = text[sub.start()..words.start()].trim_end_matches(['“', '「']);
        let lemma = before.trim_end_matches(|c: char| c.is_whitespace()).is_empty()
            || before.ends_with('○');
        let lemma = lemma && text[words.end()..].chars().nth(1) == Some('者');
        (Key::of(text, words).len() >= 2).then_some(Quotation { words, note, classic, lemma })
    })
}
