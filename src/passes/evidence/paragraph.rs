//! A paragraph to be cut, and the evidence on each place in it.

use thin_vec::ThinVec;

use super::canon::Canon;
use super::hints::Hints;
use super::rendered::Rendered;
use super::votes::Votes;
use crate::model::{Document, Layer};
use crate::source::Span;
use crate::text::class::circles;
use crate::text::{Key, class, clauses};

/// A clause: the smallest unit that is cut off.
#[derive(Clone, Debug)]
pub struct Clause {
    /// First character in the paragraph's key.
    pub from: usize,
    /// One past the last.
    pub to: usize,
    /// Byte where it starts, opening marks included.
    pub start: usize,
    /// A sentence ends with it, not only a clause.
    pub ends_sentence: bool,
    /// Number of quotation marks that are open at its end.
    pub open_quotes: i32,
    /// It ends with a closing quotation mark.
    pub closes_quote: bool,
    /// No mark ends it: it was cut only because a header or a witness has a border there.
    pub unmarked: bool,
}

/// A paragraph to be cut.
#[derive(Debug)]
pub struct Paragraph {
    /// Index of its segment in the document.
    pub segment: usize,
    /// Its range in the source.
    pub span: Span,
    /// Its characters.
    pub key: Key,
    /// Its clauses.
    pub units: Vec<Clause>,
    /// One for each place before a character and for the end: `key.len() + 1`.
    pub hints: Hints,
    /// What witnesses show of its characters.
    pub votes: Votes,
    /// Labels of characters that a person has stated: first, one past the last, label.
    pub stated: ThinVec<(usize, usize, usize)>,
    /// What translations show of its clauses.
    pub rendered: Rendered,
    /// What the classics have of it; none if they do not cover the text.
    pub canon: Option<Canon>,
    /// Only how it reads shows its layers, and its words are new to the models.
    pub guessed: bool,
    /// Characters with which a further paragraph of the source begins, if several are decided
    /// together; in order.
    pub joints: ThinVec<usize>,
    /// Mean number of clauses of a paragraph of the source, as a natural logarithm, if paragraphs
    /// are decided together.
    pub usual_size: f64,
    /// A ○ opens it, so it may begin with 音義.
    pub opens_with_circle: bool,
    /// A paragraph that a ○ opens follows directly.
    pub before_circle: bool,
    /// A sub-commentary follows directly.
    pub last_of_group: bool,
    /// The group's headers name a note.
    pub header_has_note: bool,
    /// The group's headers name classic.
    pub header_has_classic: bool,
    /// Only headers inside the sub-commentary name the note. In some works they name only the part
    /// of a note that they explain.
    pub inner_headers_only: bool,
}

impl Paragraph {
    /// The paragraph of a segment, without evidence yet.
    pub fn of(document: &Document, segment: usize) -> Self {
        let span = document.segments[segment].span;
        let text = document.source.text();
        let key = Key::of(text, span);
        let units = units(text, span, &key);
        let hints = Hints::none(key.len() + 1);
        Paragraph {
            segment,
            span,
            key,
            units,
            hints,
            votes: Votes::default(),
            stated: ThinVec::new(),
            rendered: Rendered::default(),
            canon: None,
            guessed: false,
            joints: ThinVec::new(),
            usual_size: 0.0,
            opens_with_circle: is_circle(document, segment.checked_sub(1)),
            before_circle: circle_follows(document, segment),
            last_of_group: false,
            header_has_note: false,
            header_has_classic: false,
            inner_headers_only: false,
        }
    }

    /// Notes that a person has stated the label of the characters in a span, and makes a border
    /// possible on both sides of them.
    pub fn state(&mut self, span: Span, label: usize) {
        let from = self.key.index_at(span.start());
        let to = self.key.at.partition_point(|at| (*at as usize) < span.end());
        if from >= to {
            return;
        }
        self.stated.push((from, to, label));
        for border in [from, to] {
            if border < self.key.len() {
                self.cut_inside(border);
            }
        }
    }

    /// Notes that a further paragraph of the source begins at each of the bytes `starts`, and makes
    /// a border possible there.
    pub fn join_at(&mut self, starts: &[usize]) {
        let joints = starts.iter().map(|at| self.key.index_at(*at));
        self.joints = joints.filter(|k| (1..self.key.len()).contains(k)).collect();
        self.joints.dedup();
        for k in self.joints.clone() {
            self.cut_inside(k);
        }
    }

    /// Number of joints after character `from` and before character `to`.
    pub fn joints_within(&self, from: usize, to: usize) -> usize {
        let before = |k: usize| self.joints.partition_point(|joint| *joint < k);
        before(to).saturating_sub(before(from + 1))
    }

    /// How many statements of a person a label contradicts on characters `from..to`.
    pub fn against_person(&self, label: usize, from: usize, to: usize) -> usize {
        let against = |s: &&(usize, usize, usize)| s.2 != label && s.0 < to && from < s.1;
        self.stated.iter().filter(against).count()
    }

    /// Cuts the clause of character `k` before `k`, unless it begins there.
    pub fn cut_inside(&mut self, k: usize) {
        let n = self.units.partition_point(|u| u.from <= k) - 1;
        if self.units[n].from == k {
            return;
        }
        let tail = Clause { from: k, start: self.key.at[k] as usize, ..self.units[n].clone() };
        self.units[n] = Clause {
            to: k,
            ends_sentence: false,
            closes_quote: false,
            unmarked: true,
            ..self.units[n].clone()
        };
        self.units.insert(n + 1, tail);
    }
}

/// True if a segment is the mark ○.
fn is_circle(document: &Document, segment: Option<usize>) -> bool {
    segment
        .and_then(|n| document.segments.get(n))
        .is_some_and(|s| s.layer == Layer::Mark && circles(document.slice(s.span)).next().is_some())
}

/// True if the next segment that is not blank is the mark ○.
fn circle_follows(document: &Document, segment: usize) -> bool {
    let blank = |n: &usize| document.segments[*n].layer == Layer::Blank;
    is_circle(document, (segment + 1..document.segments.len()).find(|n| !blank(n)))
}

fn units(text: &str, span: Span, key: &Key) -> Vec<Clause> {
    let mut units: Vec<Clause> = Vec::new();
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
        // A line may end there.
        let last = words.chars().rev().find(|c| !class::closes(*c) && !c.is_whitespace());
        let ends_sentence = last.is_some_and(class::ends_sentence);
        match units.last_mut() {
            // A piece without characters belongs to the one before it.
            Some(last) if from == to => {
                last.ends_sentence |= ends_sentence;
                last.closes_quote |= closes_quote;
                last.open_quotes = open_quotes;
            }
            _ if from == to => {}
            _ => units.push(Clause {
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
