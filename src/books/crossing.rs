//! What runs over the border of two chapters, and is cut or left out there.

use crate::corpus::loci::NotesApart;
use crate::diag::Diagnostic;
use crate::model::Document;
use crate::source::Span;

/// A remark for each mark, lemma header and reading that begins in one chapter and ends in another,
/// in the chapter where it begins.
pub(super) fn remarks(document: &Document) -> Vec<Diagnostic> {
    let borders: Vec<usize> = document.outline.iter().skip(1).map(|c| c.span.start()).collect();
    let crossed = |span: Span| {
        let first = borders.partition_point(|b| *b <= span.start());
        borders.get(first).copied().filter(|b| *b < span.end())
    };
    let marks = document.marks.iter().map(|m| (*m, "mark", "it is cut in two"));
    let headers = document.headers.iter();
    let headers = headers.map(|h| (h.span, "lemma header", "only what is before it is used"));
    let readings = document.readings.iter().map(|r| (r.span, "reading", "it is left out"));
    let crossing = marks.chain(headers).chain(readings).filter_map(|(span, what, then)| {
        let border = crossed(span)?;
        let message = format!("this {what} runs over the beginning of a chapter; {then}");
        let here = Span::new(span.start(), border);
        let hint = "if no chapter begins there, say so with `chapter` in a manifest";
        Some(Diagnostic::warning("crosses-chapters", here, message).hint(hint))
    });
    crossing.chain(notes_elsewhere(document, &borders)).collect()
}

/// A remark if notes stand in another chapter than their numbers.
fn notes_elsewhere(document: &Document, borders: &[usize]) -> Option<Diagnostic> {
    let chapter = |at: usize| borders.partition_point(|b| *b <= at);
    let apart = NotesApart::of(document);
    let all = apart.all().iter();
    let notes = all.map(|(at, note)| (*at, document.segments[*note].span));
    let elsewhere = notes.filter(|(at, note)| chapter(*at) != chapter(note.start()));
    let places: Vec<Span> = elsewhere.map(|(_, note)| note).collect();
    let first = *places.iter().min_by_key(|note| note.start())?;
    let message = format!(
        "{} notes stand in another chapter than their numbers; they are read where they stand",
        places.len()
    );
    let hint = "put the notes of each chapter at its end";
    Some(Diagnostic::warning("notes-elsewhere", first, message).hint(hint))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::model::{BookChapter, ChapterKind, Header, HeaderPart, Layer, Segment};
    use crate::source::Source;

    use super::*;

    fn chapter(span: Span, title: &str) -> BookChapter {
        let (kind, title) = (ChapterKind::Chapter, title.to_string());
        BookChapter { span, kind, work: None, title, part: None, chapter: None, number: None }
    }

    /// Two chapters of two lines; a mark and a lemma header run over the border, others do not.
    #[test]
    fn what_runs_over_a_border_is_reported_and_stays_on_one_side() {
        let text = "雲起第一\n雲起於山\n泉出第二\n泉出於石\n";
        let border = text.find('泉').unwrap();
        let mut d = Document::new(Arc::new(Source::from_text("a.txt", text)), "test");
        d.segments = vec![Segment::marked(Layer::Shu, d.source.span())].into();
        d.outline = vec![
            chapter(Span::new(0, border), "雲起"),
            chapter(Span::new(border, text.len()), "泉出"),
        ];
        let part = |span| HeaderPart { layer: Layer::Jing, span, from: span, to: None };
        let (before, after) = (Span::new(13, 19), Span::new(border, border + 6));
        let over = Span::new(13, border + 6);
        d.headers = vec![Header { span: over, parts: vec![part(before), part(after)] }].into();
        d.marks = vec![Span::new(0, 3), Span::new(border - 1, border + 3), after].into();

        let chapters = super::super::cut::cut(&d, &crate::corpus::Works::builtin());
        let remarks = |d: &Document| {
            let crossing = d.diagnostics.iter().filter(|d| d.code == "crosses-chapters");
            crossing.map(|x| (x.span.unwrap(), x.message.clone())).collect::<Vec<_>>()
        };
        let said = |what: &str| format!("this {what} runs over the beginning of a chapter; ");
        assert_eq!(
            remarks(&chapters[0]),
            [
                (Span::new(border - 1, border), said("mark") + "it is cut in two"),
                (Span::new(13, border), said("lemma header") + "only what is before it is used"),
            ]
        );
        assert!(remarks(&chapters[1]).is_empty());
        assert_eq!(
            chapters[0].headers,
            [Header { span: Span::new(13, border), parts: vec![part(before)] }]
        );
        assert!(chapters[1].headers.is_empty());
        assert_eq!(chapters[0].marks, [Span::new(0, 3), Span::new(border - 1, border)]);
        assert_eq!(chapters[1].marks, [Span::new(0, 3), Span::new(0, 6)]);
    }
}
