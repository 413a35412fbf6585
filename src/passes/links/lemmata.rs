//! Resolves lemma headers: each part (“眾賓”至“上耦”) becomes a link to the exact words it treats.
//!
//! In the passage before the sub-commentary, every pair of a place for the first words and a place
//! for the last gets a score. It is higher in the right layer, at the start of a segment or
//! sentence, for the first occurrence of the first words and the last occurrence of the last, and
//! for commentary that begins where the classic of the same header ends. A misprint is accepted
//! only at a known border. Otherwise the part stays unresolved, with a diagnostic: a plausible
//! wrong place is worse than none.

use crate::corpus::view::{ExplainedText, Stream, View, stream_of};
use crate::diag::Diagnostic;
use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, Header, HeaderPart, Layer, LayerKind, Link,
    LinkKind, Status, Target,
};
use crate::passes::context::Context;
use crate::passes::evidence::scopes::{self, Scope};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence};
use crate::text::find::find_all;

/// The text of a passage, with its data for each character.
struct PassageText {
    key: Key,
    /// Segment of each character.
    segment: Vec<usize>,
    layer: Vec<Layer>,
    /// Paragraph of each character.
    paragraph: Vec<usize>,
    /// Mark before each character, and after the last: 0 none, 1 clause, 2 sentence.
    mark: Vec<u8>,
    /// Number of characters that an earlier scope already closed.
    closed: usize,
}

/// Most scopes before a passage that are checked for an end inside it.
const MAX_SCOPES: usize = 64;

/// A place for one end of a part.
#[derive(Clone, Copy, Debug)]
struct PartEnd {
    from: usize,
    to: usize,
    score: f64,
    emended: bool,
}

/// The place chosen for a part.
#[derive(Clone, Copy)]
struct PartPlace {
    from: usize,
    to: usize,
    score: f64,
    margin: f64,
    emended: bool,
}

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    context.with_view(document, link_headers);
}

fn link_headers(document: &mut Document, view: &View) {
    let scopes = scopes::scopes(document, view);
    let (mut links, mut diagnostics) = (Vec::new(), Vec::new());
    for header in &document.headers {
        let Some(passage) = view.passage_at(header.span.start()) else { continue };
        let text = PassageText::of(document, passage, &scopes);
        resolve(document, header, &text, &mut links, &mut diagnostics);
    }
    document.links.add(links);
    document.diagnostics.add(diagnostics);
}

fn resolve(
    document: &Document,
    header: &Header,
    text: &PassageText,
    links: &mut Vec<Link>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut before: Option<PartPlace> = None;
    // If the classic's last words are misprinted, the place of the commentary's part is needed to
    // find their end, so look ahead.
    let ahead: Vec<Option<PartPlace>> =
        header.parts.iter().map(|p| text.place(document, p, None, None)).collect();
    for (n, part) in header.parts.iter().enumerate() {
        let next = ahead.get(n + 1).copied().flatten();
        let choice = text.place(document, part, before, next);
        if !text.key.is_empty() && choice.is_none_or(|c| c.emended) {
            diagnostics.push(misprint(document, part, text, choice));
        }
        links.push(link(part, choice, text));
        before = choice.or(before);
    }
}

/// Reports words of a header that are not in the passage; `choice` is the most likely place.
fn misprint(
    document: &Document,
    part: &HeaderPart,
    text: &PassageText,
    choice: Option<PartPlace>,
) -> Diagnostic {
    let missing =
        |s: &Span| find_all(&text.key, &Key::of(document.source.text(), *s).chars, 0).is_empty();
    let words = [Some(part.from), part.to].into_iter().flatten().find(missing).unwrap_or(part.from);
    let message =
        format!("the header's “{}” is not in the passage before it", document.slice(words));
    let diagnostic = Diagnostic::warning("header-misprint", words, message);
    match choice {
        Some(c) => diagnostic.hint(format!(
            "it probably means “{}”",
            ends(document.slice(text.key.span(c.from, c.to)))
        )),
        None => diagnostic.hint("compare another copy: the header may be misprinted or misplaced"),
    }
}

/// The first and last characters of a long text.
fn ends(words: &str) -> String {
    let chars: Vec<char> = words.chars().collect();
    match chars.len() {
        0..=14 => words.to_string(),
        n => chars[..6].iter().chain(&['…']).chain(&chars[n - 6..]).collect(),
    }
}

fn link(part: &HeaderPart, choice: Option<PartPlace>, text: &PassageText) -> Link {
    let base = Link {
        kind: LinkKind::Lemma,
        span: part.span,
        quoted: None,
        layer: Layer::ShuHeader,
        work: None,
        target: None,
        alternatives: vec![].into(),
        status: Status::Unresolved,
        certainty: Certainty::new(0.5),
        evidence: [Evidence::of(EvidenceKind::NotInPassage)].into(),
    };
    let Some(c) = choice else { return base };
    let doubts = [(c.emended, 0.2), (c.margin < 1.0, 0.15), (c.score < 2.0, 0.2)];
    let certainty: f64 =
        0.97 - doubts.iter().filter(|(is, _)| *is).map(|(_, much)| much).sum::<f64>();
    let status = match (c.emended, part.to) {
        (true, _) => Status::Variant,
        (false, Some(_)) => Status::Range,
        (false, None) => Status::Exact,
    };
    let mut evidence = vec![Evidence::of(EvidenceKind::LemmaHeader)];
    if c.emended {
        evidence.push(Evidence::of(EvidenceKind::MisprintAtKnownBorder));
    }
    let target = Some(Target { doc: None, span: text.key.span(c.from, c.to) });
    Link { target, status, certainty: Certainty::new(certainty), evidence: evidence.into(), ..base }
}

impl PassageText {
    fn of(document: &Document, passage: &ExplainedText, scopes: &[Scope]) -> Self {
        let source = document.source.text();
        let mut t = PassageText {
            key: Key::default(),
            segment: vec![],
            layer: vec![],
            paragraph: vec![],
            mark: vec![],
            closed: 0,
        };
        let (mut paragraph, mut last_end) = (0, passage.text.start());
        let first = document.segments.partition_point(|s| s.span.start() < passage.text.start());
        let of_passage = document
            .segments
            .iter()
            .enumerate()
            .skip(first)
            .take_while(|(_, s)| s.span.start() < passage.text.end());
        for (n, s) in of_passage {
            if !passage.text.contains(s.span)
                || !matches!(stream_of(s.layer), Some(Stream::Base | Stream::Notes))
            {
                continue;
            }
            if source[last_end..s.span.start()].contains('\n') {
                paragraph += 1;
            }
            last_end = s.span.end();
            t.key.push(source, s.span);
            t.segment.resize(t.key.len(), n);
            t.layer.resize(t.key.len(), s.layer);
            t.paragraph.resize(t.key.len(), paragraph);
        }
        t.mark = (0..=t.key.len()).map(|i| mark_before(source, &t.key, i)).collect();
        let last = scopes.partition_point(|s| s.start < passage.text.start());
        let earlier = scopes[..last].iter().rev().take(MAX_SCOPES).filter_map(|s| s.end);
        let closing = earlier
            .map(Span::end)
            .filter(|e| passage.text.start() < *e && *e < passage.text.end())
            .max();
        t.closed = closing.map_or(0, |e| t.key.index_at(e));
        // The note on what the scope closed is closed too.
        while t.closed > 0 && t.closed < t.key.len() && t.layer[t.closed].kind() == LayerKind::Note
        {
            t.closed += 1;
        }
        if t.closed == t.key.len() {
            t.closed = 0;
        }
        t
    }

    /// The best place for a part, given the place of the part before it and a guess at the next
    /// one.
    fn place(
        &self,
        document: &Document,
        part: &HeaderPart,
        before: Option<PartPlace>,
        next: Option<PartPlace>,
    ) -> Option<PartPlace> {
        let words = |s: Span| Key::of(document.source.text(), s).chars;
        let first = words(part.from);
        if first.is_empty() {
            return None;
        }
        let Some(last) = part.to.map(words).filter(|w| !w.is_empty()) else {
            return self.whole(part.layer, &first, before);
        };
        let starts = self.starts(part.layer, &first);
        let ends = self.ends(part.layer, &last, next);
        let mut all: Vec<PartPlace> = Vec::new();
        for s in &starts {
            for e in ends.iter().filter(|e| e.to > s.to && e.from >= s.from) {
                let both = s.emended && e.emended;
                let score = s.score + e.score + self.span_score(part.layer, s.from, e.to, before);
                if !both {
                    all.push(PartPlace {
                        from: s.from,
                        to: e.to,
                        score,
                        margin: 0.0,
                        emended: s.emended || e.emended,
                    });
                }
            }
        }
        best(all)
    }

    /// A part that quotes its text in full.
    fn whole(&self, layer: Layer, words: &[char], before: Option<PartPlace>) -> Option<PartPlace> {
        let diff = words.len() / 5;
        let hits = find_all(&self.key, words, 0)
            .into_iter()
            .chain(find_all(&self.key, words, diff).into_iter().filter(|h| h.diff > 0));
        let weigh = |h: crate::text::find::Hit| {
            let score = self.fits(layer, h.from, h.to) + self.opens(h.from) + self.closes(h.to)
                - 3.0 * h.diff as f64;
            let score =
                score + self.span_score(layer, h.from, h.to, before) - self.too_early(h.from);
            PartPlace { from: h.from, to: h.to, score, margin: 0.0, emended: h.diff > 0 }
        };
        best(hits.map(weigh).collect())
    }

    fn starts(&self, layer: Layer, words: &[char]) -> Vec<PartEnd> {
        let hits = find_all(&self.key, words, 0);
        let mut out: Vec<PartEnd> = Vec::new();
        for (n, h) in hits.iter().enumerate() {
            let skipped = hits[..n]
                .iter()
                .filter(|o| {
                    self.paragraph[o.from] == self.paragraph[h.from] && self.same(layer, o.from)
                })
                .count();
            let score = self.fits(layer, h.from, h.to) + self.opens(h.from)
                - 0.5 * skipped as f64
                - self.too_early(h.from);
            out.push(PartEnd { from: h.from, to: h.to, score, emended: false });
        }
        for i in (0..self.key.len()).filter(|&i| self.border(i) && self.same(layer, i)) {
            if self.almost(i, words) {
                let score =
                    self.fits(layer, i, i + words.len()) + self.opens(i) - 3.0 - self.too_early(i);
                out.push(PartEnd { from: i, to: i + words.len(), score, emended: true });
            }
        }
        out
    }

    fn ends(&self, layer: Layer, words: &[char], next: Option<PartPlace>) -> Vec<PartEnd> {
        let hits = find_all(&self.key, words, 0);
        let mut out: Vec<PartEnd> = Vec::new();
        for (n, h) in hits.iter().enumerate() {
            let skipped = hits[n + 1..]
                .iter()
                .filter(|o| {
                    self.paragraph[o.from] == self.paragraph[h.from] && self.same(layer, o.from)
                })
                .count();
            let score = self.fits(layer, h.from, h.to) + self.closes(h.to) - 0.5 * skipped as f64;
            out.push(PartEnd { from: h.from, to: h.to, score, emended: false });
        }
        let borders = (words.len()..=self.key.len()).filter(|&i| self.same(layer, i - 1));
        for i in borders.filter(|&i| self.border(i) || next.is_some_and(|n| n.from == i)) {
            let from = i - words.len();
            if self.almost(from, words) {
                out.push(PartEnd {
                    from,
                    to: i,
                    score: self.fits(layer, from, i) + self.closes(i) - 3.0,
                    emended: true,
                });
            }
        }
        out
    }

    /// True if exactly one character of `words` (two or more) differs at `from`.
    fn almost(&self, from: usize, words: &[char]) -> bool {
        let Some(here) = self.key.chars.get(from..from + words.len()) else { return false };
        words.len() > 1 && here.iter().zip(words).filter(|(a, b)| a != b).count() == 1
    }

    fn same(&self, layer: Layer, i: usize) -> bool {
        let kind = self.layer[i].kind();
        kind == LayerKind::Undivided || kind == wanted(layer)
    }

    /// How well the layer of characters `from..to` matches the layer of the part.
    fn fits(&self, layer: Layer, from: usize, to: usize) -> f64 {
        let (mut right, mut unknown) = (0, 0);
        for l in &self.layer[from..to] {
            match l.kind() {
                LayerKind::Undivided => unknown += 1,
                k if k == wanted(layer) => right += 1,
                _ => {}
            }
        }
        let n = (to - from).max(1) as f64;
        3.0 * (2.0 * (f64::from(right) + 0.5 * f64::from(unknown)) / n - 1.0)
    }

    /// A border between layers or paragraphs before character `i`.
    fn border(&self, i: usize) -> bool {
        i == 0
            || i == self.key.len()
            || self.segment[i] != self.segment[i - 1]
            || self.paragraph[i] != self.paragraph[i - 1]
    }

    fn opens(&self, i: usize) -> f64 {
        if self.border(i) { 3.0 } else { [0.0, 1.0, 1.5][usize::from(self.mark[i])] }
    }

    fn closes(&self, i: usize) -> f64 {
        if self.border(i) { 3.0 } else { [0.0, 1.0, 1.5][usize::from(self.mark[i])] }
    }

    /// Penalty for a place that a scope has closed: it is not explained again.
    fn too_early(&self, i: usize) -> f64 {
        if i < self.closed { 9.0 } else { 0.0 }
    }

    fn span_score(&self, layer: Layer, from: usize, to: usize, before: Option<PartPlace>) -> f64 {
        let adjacent = before.is_some_and(|b| b.to == from && wanted(layer) == LayerKind::Note);
        let back = before.is_some_and(|b| from < b.from && wanted(layer) == LayerKind::Note);
        let foreign = wanted(layer) == LayerKind::Note
            && self.layer[from..to].iter().any(|l| l.kind() == LayerKind::Base);
        let notes = wanted(layer) == LayerKind::Base
            && self.layer[from..to].iter().any(|l| l.kind() == LayerKind::Note);
        f64::from(u8::from(adjacent)) * 2.0
            - f64::from(u8::from(back)) * 2.0
            - f64::from(u8::from(foreign)) * 1.5
            - f64::from(u8::from(notes)) * 0.5
    }
}

fn wanted(layer: Layer) -> LayerKind {
    stream_of(layer).map_or(LayerKind::Base, |s| {
        if s == Stream::Notes { LayerKind::Note } else { LayerKind::Base }
    })
}

fn best(mut all: Vec<PartPlace>) -> Option<PartPlace> {
    all.retain(|c| c.score > -1.0);
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.from.cmp(&b.from)).then(b.to.cmp(&a.to)));
    let mut first = *all.first()?;
    first.margin = all.get(1).map_or(9.0, |second| first.score - second.score);
    Some(first)
}

fn mark_before(source: &str, key: &Key, i: usize) -> u8 {
    let start = if i == 0 { 0 } else { key.end(i - 1) };
    let end = key.at.get(i).map_or(source.len().min(start + 8), |a| *a as usize);
    let Some(between) = source.get(start..end) else { return 2 };
    if i == 0 || i == key.len() || between.chars().any(|c| ends_sentence(c) || c == '\n') {
        2
    } else {
        u8::from(between.chars().any(ends_clause))
    }
}
