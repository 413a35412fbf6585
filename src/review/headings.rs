//! Questions about lines that look like titles: whether a chapter begins there.

use super::part::AskedPart;
use super::{Question, QuestionKind};
use crate::books;
use crate::model::{Confirmation, Document, HeadingLine, Layer, Role};
use crate::source::Span;

/// How sure it is that a line is text which looks like a title and was not taken for one. Not
/// measured: it only puts these lines after what is doubtful.
const TEXT: f64 = 0.95;

/// Questions about the lines of a whole file.
pub(super) fn of(asked: AskedPart<'_>) -> Vec<Question> {
    let document = asked.document;
    if document.meta.role != Role::Witness || document.settled {
        return vec![];
    }
    books::title_lines(document).into_iter().filter_map(|line| question(asked, line)).collect()
}

fn question(asked: AskedPart<'_>, line: Span) -> Option<Question> {
    let document = asked.document;
    let segment = &document.segments[document.segment_at(line.start())?];
    let (what, certainty) = match segment.layer {
        Layer::Heading if begins_chapter(document, line) => {
            (HeadingLine::Chapter, segment.certainty.get())
        }
        Layer::Heading => (HeadingLine::Other, segment.certainty.get()),
        Layer::Furniture => return None,
        _ => (HeadingLine::Text, TEXT),
    };
    if certainty >= asked.below {
        return None;
    }
    let all = [HeadingLine::Chapter, HeadingLine::Other, HeadingLine::Text];
    let others = all.into_iter().filter(|other| *other != what);
    let rest = (1.0 - certainty) / 2.0;
    let decisions = std::iter::once((what, certainty)).chain(others.map(|other| (other, rest)));
    let decisions = decisions.map(|(what, p)| (Confirmation::Heading(what), p));
    let why = if segment.layer == Layer::Heading { &segment.evidence[..] } else { &[] };
    Some(asked.question(QuestionKind::Heading, line, decisions, why))
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
