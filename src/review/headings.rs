//! Questions about lines that look like titles: whether a chapter begins there.

use super::questions::around;
use super::{Choice, Question, QuestionKind};
use crate::books;
use crate::model::{Confirmation, Document, EvidenceKind, HeadingLine, Layer, Role};
use crate::source::Span;

/// How sure it is that a line is text which looks like a title and was not taken for one. Not
/// measured: it only puts these lines after what is doubtful.
const TEXT: f64 = 0.95;

/// Questions about the lines of a whole file.
pub(super) fn of(document: &Document, below: f64) -> Vec<Question> {
    if document.meta.role != Role::Witness || document.settled {
        return vec![];
    }
    let lines = books::title_lines(document).into_iter();
    lines.filter_map(|line| question(document, line, below)).collect()
}

fn question(document: &Document, line: Span, below: f64) -> Option<Question> {
    let segment = &document.segments[document.segment_at(line.start())?];
    let (what, certainty) = match segment.layer {
        Layer::Heading if begins_chapter(document, line) => {
            (HeadingLine::Chapter, segment.certainty.get())
        }
        Layer::Heading => (HeadingLine::Other, segment.certainty.get()),
        Layer::Furniture => return None,
        _ => (HeadingLine::Text, TEXT),
    };
    if certainty >= below {
        return None;
    }
    let others = [HeadingLine::Chapter, HeadingLine::Other, HeadingLine::Text];
    let others = others.into_iter().filter(|other| *other != what);
    let choice =
        |what, probability| Choice { what: Confirmation::Heading(what), span: line, probability };
    let rest = (1.0 - certainty) / 2.0;
    let choices = std::iter::once(choice(what, certainty));
    let (passage, here) = around(document, line);
    let evidence = segment.evidence.iter().filter(|e| e.kind == EvidenceKind::TitleLine);
    Some(Question {
        kind: QuestionKind::Heading,
        span: line,
        passage,
        runs: vec![(passage, here)],
        choices: choices.chain(others.map(|other| choice(other, rest))).collect(),
        evidence: evidence.map(|e| (e.kind.clone(), 0.0)).collect(),
        facts: vec![],
    })
}

/// True if a chapter is called by this line, which is at its beginning.
fn begins_chapter(document: &Document, line: Span) -> bool {
    let chapter = document.outline.iter().rfind(|c| c.span.start() <= line.start());
    chapter.is_some_and(|c| {
        let title = document.slice(line).find(&c.title);
        let own = document.slice(c.span).find(&c.title).map(|at| c.span.start() + at);
        title.is_some_and(|at| own == Some(line.start() + at))
    })
}
