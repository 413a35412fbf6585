//! Evidence for a group: the text paragraphs up to a sub-commentary, which are decided together.
//!
//! The sub-commentary names and quotes words, not places. This module finds those words in the
//! paragraphs, so that the features can ask about each place: does a header name it as the start of
//! a note? Is it inside a quotation?

use super::hints::{HeaderMatch, Hint, Hints};
use super::paragraph::Paragraph;
use super::quotations::quotations;
use super::run::LAYERS;
use crate::model::{Document, Header, HeaderPart, Layer};
use crate::source::Span;
use crate::text::Key;

/// All undivided paragraphs of the document, with their evidence.
pub fn paragraphs(document: &Document) -> Vec<Paragraph> {
    let mut out: Vec<Paragraph> = Vec::new();
    let mut headers: Vec<&Header> = document.headers.iter().collect();
    headers.sort_by_key(|h| h.span.start());
    let mut group_start = 0;
    let mut sub = Vec::new();
    for (n, s) in document.segments.iter().enumerate() {
        match s.layer {
            Layer::Undivided => {
                if !sub.is_empty() {
                    close(document, &headers, &mut out[group_start..], &sub);
                    (group_start, sub) = (out.len(), Vec::new());
                }
                out.push(Paragraph::of(document, n));
            }
            Layer::Shu | Layer::ShuHeader => sub.push(s.span),
            _ => {}
        }
    }
    close(document, &headers, &mut out[group_start..], &sub);
    out.shrink_to_fit();
    state(document, &mut out);
    out
}

/// Adds what a person has decided about the layers.
fn state(document: &Document, paragraphs: &mut [Paragraph]) {
    for (span, layer, _) in document.confirmed_layers() {
        let Some(label) = LAYERS.iter().position(|l| *l == layer) else { continue };
        let own = paragraphs.iter_mut().filter(|p| p.span.overlap(span) > 0);
        own.for_each(|p| p.state(span, label));
    }
}

/// Adds the evidence of the sub-commentary after a group to the places in its paragraphs. `headers`
/// are those of the document, in order.
fn close(document: &Document, headers: &[&Header], group: &mut [Paragraph], sub: &[Span]) {
    let (Some(first), Some(last)) = (sub.first(), sub.last()) else { return };
    let Some(end) = group.last_mut() else { return };
    end.last_of_group = true;
    let around = Span::new(first.start(), last.end());
    let after = &headers[headers.partition_point(|h| h.span.start() < around.start())..];
    let headers = after.iter().take_while(|h| h.span.start() < around.end());
    let headers: Vec<&Header> = headers.filter(|h| around.contains(h.span)).copied().collect();
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

/// Cuts a clause where the classic's last words and the note's first words meet inside it. The
/// border can then be chosen although the copy has no mark there.
fn cut_by_header(p: &mut Paragraph) {
    let borders =
        |h: &Hint| h.note_from == HeaderMatch::Here && h.classic_to >= HeaderMatch::Elsewhere;
    let inside: Vec<usize> = (1..p.key.len())
        .filter(|k| borders(&p.hints[*k]) && p.units.iter().all(|u| u.from != *k))
        .collect();
    inside.into_iter().for_each(|k| p.cut_inside(k));
}

/// The characters of a group, joined.
struct Joined {
    chars: Vec<char>,
    hints: Vec<Hint>,
    /// True where a clause begins (and at the end).
    clause: Vec<bool>,
}

/// Where words of a header or quotation occur: first character, one past the last, exact or not.
#[derive(Clone, Copy, Debug)]
struct HeaderHit {
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
            p.hints = Hints::of(&self.hints[base..=base + n]);
            // The place between two paragraphs ends the one and begins the other: both get its
            // hint.
            base += n;
        }
    }

    /// All places of some words. If there is none, the places that differ in one character.
    fn find(&self, words: &[char]) -> Vec<HeaderHit> {
        if words.is_empty() || words.len() > self.chars.len() {
            return Vec::new();
        }
        let at = |n: usize| {
            let differ = |w: &[char]| w.iter().zip(words).filter(|(a, b)| a != b).count() <= n;
            let hits = self.chars.windows(words.len()).enumerate().filter(move |(_, w)| differ(w));
            hits.map(|(from, _)| HeaderHit { from, to: from + words.len(), exact: n == 0 })
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

    /// The likeliest range of a part. Its ends score for lying at clause borders, for exact
    /// matches, and for meeting the parts before and after; an early start and, for notes, a late
    /// end score too.
    fn choose(
        &self,
        from: &[HeaderHit],
        to: Option<&[HeaderHit]>,
        next: &[HeaderHit],
        after: usize,
        is_note: bool,
    ) -> Option<(usize, usize)> {
        let goodness = |f: &HeaderHit, t: &HeaderHit| {
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

    /// True if the words occur before and are a whole clause here. Notes often open this way
    /// (何以,言其難也).
    fn glossed(&self, f: &HeaderHit, all: &[HeaderHit]) -> bool {
        self.clause[f.from] && self.clause[f.to] && all.iter().any(|earlier| earlier.to <= f.from)
    }

    fn note_down(
        &mut self,
        is_note: bool,
        from: &[HeaderHit],
        to: Option<&[HeaderHit]>,
        chosen: Option<(usize, usize)>,
    ) {
        let grade = |h: &HeaderHit, here: bool| match (h.exact, here) {
            (true, true) => HeaderMatch::Here,
            (true, false) => HeaderMatch::Elsewhere,
            (false, _) => HeaderMatch::Nearly,
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
            self.quotation(&Key::of(text, q.words).chars, note, classic, q.lemma && !note);
        }
    }

    /// Words quoted as one layer's may occur in the other too. If some of the places lie in a
    /// header's range of that layer, only those count.
    fn quotation(&mut self, words: &[char], note: bool, classic: bool, lemma: bool) {
        let hits: Vec<HeaderHit> = self.find(words).into_iter().filter(|h| h.exact).collect();
        let within =
            |hit: &HeaderHit, of: fn(&Hint) -> bool| self.hints[hit.from..hit.to].iter().all(of);
        let in_note: Vec<bool> = hits.iter().map(|h| within(h, |h| h.in_note)).collect();
        let in_classic: Vec<bool> = hits.iter().map(|h| within(h, |h| h.in_classic)).collect();
        let meant = |inside: &[bool], n: usize| inside[n] || !inside.contains(&true);
        for (n, hit) in hits.iter().enumerate() {
            self.hints[hit.from].quote_from |= self.clause[hit.from];
            for k in hit.from..hit.to {
                let hint = &mut self.hints[k];
                hint.in_quote |= k > hit.from;
                hint.quoted = true;
                hint.quoted_lemma |= lemma;
                hint.quoted_note |= note && meant(&in_note, n);
                hint.quoted_classic |= classic && meant(&in_classic, n);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::passes::context::Context;
    use crate::passes::layers::headers;
    use crate::source::Source;

    /// The clauses of the first paragraph, as a header of its sub-commentary cuts them.
    fn clauses(header: &str) -> Vec<String> {
        let text = format!("賓升坐取爵坐祭坐而祭也,爵酒器也。\n\n[疏]{header}釋曰:賓者,客也。\n");
        let source = Source::from_text("a.txt", text);
        let mut document = crate::readers::read(source, Some("zhushu")).expect("it reads");
        headers::run(&mut document, &Context::new(&Library::default()));
        let all = paragraphs(&document);
        let first = &all[0];
        first.units.iter().map(|u| first.key.chars[u.from..u.to].iter().collect()).collect()
    }

    #[test]
    fn a_clause_is_cut_where_a_header_names_both_sides() {
        let both = clauses("“賓升”至“取爵”。注“坐祭”至“器也”。");
        assert_eq!(both, ["賓升坐取爵", "坐祭坐而祭也", "爵酒器也"]);
        // The first words of a note may be those of the classic that it explains.
        assert_eq!(clauses("注“坐祭”至“器也”。"), ["賓升坐取爵坐祭坐而祭也", "爵酒器也"]);
    }
}
