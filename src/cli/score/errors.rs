//! Borders that were missed or are wrong, in their context, with the program's certainty and
//! evidence.

use crate::Settings;
use crate::model::phrases::english;
use crate::model::{Document, Evidence, Segment};
use crate::passes::split::explain;
use crate::score::{Border, LayerCut, Score};
use crate::source::{Position, Source, Span};
use crate::text::class::is_content;

use crate::cli::language::{detail_of, name_of, say};
use crate::cli::{columns, split};

/// Characters shown on each side of a border.
const SIDE: usize = 10;

/// A missed or wrong border.
pub struct Mistake {
    /// True if it was missed.
    pub missed: bool,
    pub border: Border,
    pub place: Position,
    /// Text before and after it.
    pub words: (String, String),
    /// The program's certainty that a layer begins there, if it has one.
    pub certainty: Option<f64>,
    /// The evidence for it, in words; for a missed border the evidence against it. In English, and
    /// in the language of messages.
    pub why: Vec<(String, String)>,
}

/// The errors of a cut that was read from a file.
pub fn of_cut(source: &Source, score: &Score, cut: &LayerCut, most: usize) -> Vec<Mistake> {
    let mut mistakes = found(source, score, most);
    for m in mistakes.iter_mut().filter(|m| !m.missed) {
        m.certainty = cut.at(m.border.at).and_then(|s| s.certainty).map(|c| c.rounded());
    }
    mistakes
}

/// The errors in the chapters of a file; `read` has the file and the other texts as their readers
/// left them.
pub fn of_document(
    chapters: &[&Document],
    read: Vec<Document>,
    settings: &Settings,
    score: &Score,
    most: usize,
) -> Vec<Mistake> {
    let source = &std::sync::Arc::clone(&read[0].source);
    let mut mistakes = found(source, score, most);
    for m in mistakes.iter_mut().filter(|m| !m.missed) {
        let segment = segment_at(chapters, m.border.at);
        let Some(s) = segment.filter(|s| !s.evidence.is_empty()) else { continue };
        m.certainty = Some(s.certainty.rounded());
        m.why = s.evidence.iter().map(words).collect();
    }
    if mistakes.iter().any(|m| m.missed) {
        probabilities(&mut mistakes, source, read, settings);
    }
    mistakes
}

/// The segment that holds a code point of the file.
fn segment_at<'a>(chapters: &[&'a Document], at: usize) -> Option<&'a Segment> {
    let chapter = chapters.iter().rev().find(|d| d.source.file_char_of(0) <= at)?;
    let byte = chapter.source.byte_of(at - chapter.source.file_char_of(0));
    chapter.segment_at(byte).map(|i| &chapter.segments[i])
}

/// The probability that the program gave to the missed borders.
fn probabilities(
    mistakes: &mut [Mistake],
    source: &Source,
    read: Vec<Document>,
    settings: &Settings,
) {
    let at = |m: &Mistake| source.byte_of(m.border.at);
    let places: Vec<Span> =
        mistakes.iter().filter(|m| m.missed).map(|m| Span::new(at(m), at(m) + 1)).collect();
    let passages = split::explain(read, settings, Some(&places), 0.0005);
    for m in mistakes.iter_mut().filter(|m| m.missed) {
        let byte = at(m);
        let Some(passage) = passages.iter().find(|p| p.span.start() <= byte && byte < p.span.end())
        else {
            continue;
        };
        // Marks before the character belong to what begins with it.
        let begins = |c: &&explain::Candidate| {
            c.layer == m.border.after
                && c.span.start() <= byte
                && !words_between(source, c.span.start(), byte)
        };
        let (cut, alternative) =
            (passage.cuts.iter().find(begins), passage.alternatives.iter().find(begins));
        m.certainty = Some(cut.or(alternative).map_or(0.0, |c| c.certainty.rounded()));
        m.why = match (cut, alternative) {
            (Some(_), _) => {
                let (after, before) = (m.border.after.zh(), m.border.before.zh());
                let why = format!("{after} begins here, but does not follow {before}");
                vec![(why.clone(), say(&why))]
            }
            (None, Some(c)) => {
                let against = c.grounds.iter().filter(|g| g.weight < 0.0);
                against.map(|g| name(g.code())).collect()
            }
            (None, None) => vec![],
        };
    }
}

/// True if there is content between two bytes.
fn words_between(source: &Source, from: usize, to: usize) -> bool {
    source.slice(Span::new(from, to)).chars().any(is_content)
}

fn words(e: &Evidence) -> (String, String) {
    match &e.detail {
        Some(detail) => (detail.to_string(), detail_of(e).unwrap_or_default()),
        None => name(e.code()),
    }
}

fn name(code: &str) -> (String, String) {
    (english(code).to_string(), name_of(code).to_string())
}

fn found(source: &Source, score: &Score, most: usize) -> Vec<Mistake> {
    let mistake = |missed: bool, b: &Border| {
        let at = source.byte_of(b.at);
        let (before, after) = source.text().split_at(at);
        let head: String =
            before.chars().rev().take(SIDE).collect::<Vec<_>>().into_iter().rev().collect();
        let tail: String = after.chars().take(SIDE).collect();
        let words = (columns::one_line(&head), columns::one_line(&tail));
        Mistake { missed, border: *b, place: source.place(at), words, certainty: None, why: vec![] }
    };
    let missed = score.missed.iter().take(most).map(|b| mistake(true, b));
    let mut all: Vec<Mistake> =
        missed.chain(score.wrong.iter().take(most).map(|b| mistake(false, b))).collect();
    all.sort_by_key(|m| (m.border.at, !m.missed));
    all
}

/// `經→注`.
pub fn layers(b: &Border) -> String {
    format!("{}→{}", b.before.zh(), b.after.zh())
}
