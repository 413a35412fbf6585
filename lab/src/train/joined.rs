//! Lessons with longer paragraphs. Copies of books that nobody knows often have many passages with
//! their notes in one paragraph, while those of the lessons end at each sub-commentary.

use std::sync::Arc;

use zhushu::corpus::Library;
use zhushu::model::{Document, Layer, Segment};
use zhushu::passes::evidence::group;
use zhushu::passes::evidence::paragraph::Paragraph;
use zhushu::passes::evidence::run::{CLASSIC, LAYERS, Run, YIN};
use zhushu::source::{Source, Span};

use super::lesson::{Lesson, MAX_LESSON_CLAUSES, hide_sub_commentary, true_runs};

/// A lesson with paragraphs of about `clauses` clauses: neighbours are joined until they have them.
/// Only 經 and 注 are kept.
pub fn joined(lesson: &Lesson, clauses: usize) -> Lesson {
    let mut document = lesson.document.clone();
    hide_sub_commentary(&mut document);
    let mut joined = Joined::default();
    for p in group::paragraphs(&document) {
        let runs = true_runs(&p, &lesson.truth);
        if p.units.len() > MAX_LESSON_CLAUSES || !runs.iter().any(|r| r.label == CLASSIC) {
            continue;
        }
        if joined.clauses > 0 && joined.clauses + p.units.len() > clauses {
            joined.end_paragraph();
        }
        joined.add(&document, &p, &runs, runs.len());
    }
    joined.end_paragraph();
    joined.into_lesson(lesson)
}

/// A lesson with a paragraph for each run of 經 and 注.
pub fn apart(lesson: &Lesson) -> Lesson {
    let mut document = lesson.document.clone();
    hide_sub_commentary(&mut document);
    let mut joined = Joined::default();
    for p in group::paragraphs(&document) {
        let runs = true_runs(&p, &lesson.truth);
        if p.units.len() > MAX_LESSON_CLAUSES {
            continue;
        }
        for n in 0..runs.len() {
            joined.add(&document, &p, &runs[n..], 1);
            joined.end_paragraph();
        }
    }
    joined.into_lesson(lesson)
}

/// The paragraphs so far, the last of them without an end.
#[derive(Default)]
struct Joined {
    paragraphs: Vec<String>,
    truth: Vec<(Layer, Span)>,
    /// Where the last paragraph begins in the text of all.
    from: usize,
    last: String,
    clauses: usize,
}

impl Joined {
    /// Adds the first `count` of the runs, the last of which ends with the paragraph.
    fn add(&mut self, document: &Document, p: &Paragraph, runs: &[Run], count: usize) {
        self.clauses += p.units.len();
        let start = |r: &Run| p.key.at[p.units[r.from].from] as usize;
        let ends = runs.iter().skip(1).map(start).chain([p.span.end()]);
        let runs = runs.iter().zip(ends).take(count);
        for (run, end) in runs.filter(|(run, _)| run.label != YIN) {
            let words = document.slice(Span::new(start(run), end)).trim();
            let at = self.from + self.last.len();
            self.last.push_str(words);
            self.truth.push((LAYERS[run.label], Span::new(at, at + words.len())));
        }
    }

    fn end_paragraph(&mut self) {
        self.clauses = 0;
        if self.last.is_empty() {
            return;
        }
        self.from += self.last.len();
        self.paragraphs.push(std::mem::take(&mut self.last));
    }

    fn into_lesson(self, of: &Lesson) -> Lesson {
        let pieces: Vec<(Layer, &str)> =
            self.paragraphs.iter().map(|p| (Layer::Undivided, &**p)).collect();
        Lesson {
            book: of.book.clone(),
            document: of_pieces(&pieces),
            truth: self.truth,
            witnesses: Arc::new(Library::default()),
        }
    }
}

/// A document of marked segments, one after the other.
pub fn of_pieces(pieces: &[(Layer, &str)]) -> Document {
    let text: String = pieces.iter().map(|(_, words)| *words).collect();
    let mut document = Document::new(Arc::new(Source::from_text("a.txt", text)), "test");
    let mut at = 0;
    for (layer, words) in pieces {
        document.segments.push(Segment::marked(*layer, Span::new(at, at + words.len())));
        at += words.len();
    }
    document.number();
    document
}
