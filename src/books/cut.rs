//! Makes a document of each chapter of a file.

use std::sync::Arc;

use super::headings::TitleLine;
use super::naming::chapter_of;
use super::outline::{LineRole, Outline};
use super::profile::Match;
use super::{Survey, identify::Identified};
use crate::corpus::Works;
use crate::diag::Diagnostic;
use crate::model::{
    BookChapter, Certainty, ChapterKind, Confirmed, Division, Document, Evidence, EvidenceKind,
    Header, HeaderPart, HeadingLine, Layer, LayerKind, Meta, Segment,
};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::fold::fold;
use crate::text::numeral;
use crate::text::script::{self, Script};

/// How certain it is that a line which was found to be a heading is one.
const HEADING: f64 = 0.97;

/// Takes up what a survey found: the work, the headings, and where the chapters are.
pub(super) fn take_up(document: &mut Document, survey: Survey, works: &Works) {
    let Survey { identified, mut outline } = survey;
    warn_of_contradiction(document, &identified);
    document.meta.byline = document.meta.byline.take().or_else(|| identified.line.clone());
    if outline.chapters.is_empty() {
        name_whole(document, &identified, works);
        name_volume(&mut document.meta);
        name_unlisted(document);
        // Of a text that is one chapter only the title that names it is surely a heading.
        outline.lines.retain(|(span, _)| {
            is_title_of_chapter(document, *span, works)
                || document.confirmed_heading(*span).is_some()
        });
        mark_lines(document, &outline);
        return;
    }
    name_book(document, &identified, &outline, works);
    name_work(&mut document.meta, &identified, works);
    name_unlisted(document);
    mark_lines(document, &outline);
    for chapter in outline.chapters.iter().filter(|c| c.kind != ChapterKind::Chapter) {
        set_apart(document, chapter.span);
    }
    document.diagnostics.extend(outline.remarks);
    document.outline = outline.chapters;
}

/// The chapters of a document, each a document; the document itself if it is one chapter.
pub(super) fn cut(document: &Document, works: &Works) -> Vec<Document> {
    if !document.chapters.is_empty() {
        return document.chapters.clone();
    }
    let crossing = super::crossing::remarks(document);
    let of = document.outline.len() as u32;
    let width = if of > 99 { 3 } else { 2 };
    let front = document.outline.first().map_or(0, |c| u32::from(c.kind == ChapterKind::Front));
    let script = script::detect(document.source.text());
    let parts = document.outline.iter().zip(1u32..).map(|(chapter, nth)| {
        let mut part = part(document, chapter.span, nth, of, &crossing);
        part.id = format!("{}-{:0width$}", document.id, nth - front);
        name_chapter(&mut part, &document.meta, chapter, (script, works));
        part
    });
    parts.collect()
}

/// Gives a book its own title where nobody has: its reader takes the name of the file, or the first
/// line that looks like a title, which may be that of a chapter.
fn name_book(document: &mut Document, identified: &Identified, outline: &Outline, works: &Works) {
    let title = document.meta.title.as_str();
    let mut lines = outline.lines.iter().map(|(line, _)| document.slice(*line).trim());
    // Its line may have a volume before it.
    let is_line = lines.any(|line| line.ends_with(title))
        || identified.line.as_deref().is_some_and(|line| line.trim() == title);
    if title != document.id && !is_line {
        return;
    }
    let file = document.source.path().file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let file = file.filter(|stem| stem.chars().any(is_content));
    let line = identified.title.clone();
    // 《儀禮疏》序 is at the head of 儀禮注疏 too.
    let work = |title: &str| super::identify::title_of_work(title, works).filter(|w| w.1);
    let says_more = |file: &&String| {
        line.as_ref().is_some_and(|line| file.len() > line.len() && work(file) == work(line))
            && work(file).is_some()
    };
    let better = file.as_ref().filter(says_more).cloned();
    if let Some(title) = better.or(line).or(file) {
        document.meta.title = title;
    }
}

/// Reports two kinds of evidence that name different works.
fn warn_of_contradiction(document: &mut Document, identified: &Identified) {
    if let Some((best, other)) = identified.contradiction() {
        let message = format!(
            "{} names the work {} ({}), but {} {} ({})",
            best.by.name(),
            best.work,
            best.shown(),
            other.by.name(),
            other.work,
            other.shown()
        );
        document.diagnostics.push(
            Diagnostic::warning("work-contradicted", None, message)
                .hint("name the work in a manifest"),
        );
    }
}

/// Names the work of a file, if nothing names it yet.
fn name_work(meta: &mut Meta, identified: &Identified, works: &Works) {
    if meta.work.is_none()
        && let Some(best) = identified.best()
    {
        meta.work = Some(best.work.clone());
        let key = works.work(&best.work).map_or(&best.work, |w| &w.key);
        meta.work_key = meta.work_key.take().or_else(|| Some(key.clone()));
    }
}

/// Names the work and the chapter of a file that is one chapter.
fn name_whole(document: &mut Document, identified: &Identified, works: &Works) {
    if let (Some(work), Some(chapter)) = (&document.meta.work, &document.meta.chapter) {
        let found = works.resolve(&format!("{work}・{chapter}"), Some(work)).map(|r| r.named);
        let number = found.as_ref().and_then(|named| works.number(named));
        // The list has it in other variants of its characters: 鄕射禮 is 鄉射禮.
        let same = |name: &String| name.chars().map(fold).eq(chapter.chars().map(fold));
        let listed = found.and_then(|n| n.chapter.or(n.part)).filter(same);
        document.meta.number = document.meta.number.or(number);
        document.meta.chapter = listed.or_else(|| document.meta.chapter.take());
        return;
    }
    let titled = super::identify::titled(document, works, identified);
    let fits = |work: &str| document.meta.work.as_deref().is_none_or(|w| w == work);
    let (named, number) = match titled {
        Some(titled) => titled,
        None => {
            // A text that has most of several chapters is not one of them.
            let several = identified.chapters.iter().filter(|m| m.hits >= 4 && m.share() >= 0.5);
            let best = identified.chapters.first().filter(|m| m.is_certain() && fits(&m.work));
            let best = best.filter(|_| several.count() < 2);
            let Some((best, named)) = best.and_then(|m| Some((m, named(m, works)?))) else {
                if identified.best().is_some_and(|b| b.listed) {
                    name_work(&mut document.meta, identified, works);
                }
                return;
            };
            let message = format!(
                "inferred chapter {}: the text has {} of {} of its word patterns",
                named.locus(),
                best.hits,
                best.of
            );
            document.diagnostics.push(
                Diagnostic::info("chapter-inferred", None, message)
                    .hint("name the work and chapter in a manifest"),
            );
            let number = works.number(&named).unwrap_or(0);
            (named, number)
        }
    };
    if document.meta.work.is_none() {
        document.meta.work_key = works.work(&named.work).map(|w| w.key.clone());
        document.meta.work = Some(named.work);
    }
    let listed = named.chapter.or(named.part);
    // Its reader may have named it in the other script: 为政 is 為政.
    let same =
        |(own, listed): (&String, &String)| own.chars().map(fold).eq(listed.chars().map(fold));
    if document.meta.chapter.as_ref().zip(listed.as_ref()).is_some_and(same) {
        document.meta.chapter = listed;
    } else if document.meta.chapter.is_none() {
        document.meta.chapter = listed;
        document.meta.number = Some(number).filter(|n| *n > 0).or(document.meta.number);
        // A manifest that names the work only leaves several texts with one title.
        if document.meta.work.as_ref() == Some(&document.meta.title) {
            document.meta.title = document.meta.locus().unwrap_or_default();
        }
    }
}

/// Names a volume that the file says it is, where no chapter is known.
fn name_volume(meta: &mut Meta) {
    if let (None, Some(number)) = (&meta.chapter, meta.number) {
        let volume = format!("卷{}", numeral::write(number));
        meta.title = format!("{}・{volume}", meta.title);
        meta.chapter = Some(volume);
    }
}

/// Names a work that the list of works lacks, if the file says which of several it belongs to.
fn name_unlisted(document: &mut Document) {
    if let (None, Some(id)) = (&document.meta.work, &document.cited_as) {
        let title = document.meta.title.split('・').next().unwrap_or_default();
        document.meta.work = Some(title.to_string());
        document.meta.work_key = Some(id.clone());
    }
}

fn named(found: &Match, works: &Works) -> Option<crate::corpus::works::Named> {
    let named = works.resolve(&format!("{}・{}", found.work, found.chapter), None)?.named;
    (named.work == found.work).then_some(named)
}

/// Gives a chapter its title, in the script of its text, and its name and number.
fn name_chapter(
    part: &mut Document,
    book: &Meta,
    chapter: &BookChapter,
    (script, works): (Option<Script>, &Works),
) {
    let meta = &mut part.meta;
    let name = chapter.name().to_string();
    let title = match script {
        Some(Script::Simplified) => script::convert(&name, Script::Simplified),
        _ => name.as_str().into(),
    };
    // The title of the whole may have the name of its first chapter.
    let first = book.chapter.as_ref().map(|c| format!("・{c}"));
    let whole = first.and_then(|first| book.title.strip_suffix(&first)).unwrap_or(&book.title);
    let whole = chapter.work.as_deref().unwrap_or(whole);
    if let Some(work) = &chapter.work {
        meta.work = Some(work.clone());
        meta.work_key = works.work(work).map(|w| w.key.clone());
    }
    meta.title = format!("{whole}・{title}");
    meta.chapter = Some(name);
    meta.number = chapter.number;
    meta.first_section = None;
}

/// Text of a preface or a postface is no classic, unless the reader found layers in it.
fn set_apart(document: &mut Document, within: Span) {
    let first = document.segments.partition_point(|s| s.span.start() < within.start());
    let last = document.segments.partition_point(|s| s.span.start() < within.end());
    let part = &mut document.segments[first..last];
    let is_note = |s: &&Segment| matches!(s.layer.kind(), LayerKind::Note | LayerKind::Commentary);
    // Notes on titles are none on the text.
    let mut texts = part.iter().filter(|s| s.layer.is_text());
    let mut of_title = false;
    let layered = texts.any(|s| {
        of_title = s.layer == Layer::Heading || of_title && is_note(&s);
        is_note(&s) && !of_title
    });
    if layered {
        return;
    }
    for s in part {
        if matches!(s.layer.kind(), LayerKind::Base | LayerKind::Undivided) {
            s.layer = Layer::Other;
            s.certainty = Certainty::new(HEADING);
            s.evidence = [Evidence::of(EvidenceKind::OutsideTheChapters)].into();
        }
    }
}

/// True for a line of the classic that is the numbered title of the document's chapter (學而第一).
fn is_title_of_chapter(document: &Document, line: Span, works: &Works) -> bool {
    let meta = &document.meta;
    let is_classic = document.segment_at(line.start()).is_some_and(|n| {
        matches!(document.segments[n].layer.kind(), LayerKind::Base | LayerKind::Undivided)
    });
    let Some((named, _)) = super::identify::titled_in(document.slice(line), works) else {
        return false;
    };
    let chapter = named.chapter.or(named.part);
    is_classic && meta.work.as_ref() == Some(&named.work) && meta.chapter == chapter
}

/// Makes headings, tables of contents and running heads segments of their own.
fn mark_lines(document: &mut Document, outline: &Outline) {
    let old = std::mem::take(&mut document.segments);
    let mut lines = outline.lines.iter().peekable();
    for segment in old {
        let mut rest = segment.span;
        while let Some((span, role)) = lines.peek().copied() {
            if span.start() >= rest.end() {
                break;
            }
            let (from, to) = (span.start().max(rest.start()), span.end().min(rest.end()));
            let pieces = [Span::new(rest.start(), from), Span::new(from, to)];
            document.push(Segment { span: pieces[0], ..segment.clone() });
            if stays(document, &segment, (*span, *role)) {
                document.push(Segment { span: pieces[1], ..segment.clone() });
            } else {
                let person = document.confirmed_heading(*span).map(|(_, c)| c.person());
                let sign = from + sign_of_heading(document.slice(pieces[1]));
                document.push(Segment::marked(Layer::Mark, Span::new(from, sign)));
                document.push(heading(*role, Span::new(sign, to), person));
            }
            rest = Span::new(to, rest.end());
            if span.end() <= segment.span.end() {
                lines.next();
            } else {
                break;
            }
        }
        document.push(Segment { span: rest, ..segment });
    }
    split_blanks(document);
    document.divide_marks();
    // It grew by doubling, and stays until the layers are known.
    document.segments.shrink_to_fit();
}

/// Makes headings of the lines of a translation that are titles of chapters in the list of works.
pub(super) fn mark_titles(document: &mut Document, works: &Works) {
    let found = super::headings::find(document);
    let work = super::identify::by_chapters(&found, works).map(|claim| claim.work);
    let is_text = |line: &Span| {
        let own = document.segment_at(line.start()).map(|n| document.segments[n].layer);
        own != Some(Layer::Heading)
    };
    let is_listed = |t: &TitleLine| {
        let of_work = || chapter_of(t, work.as_deref()?, works);
        let numbered = || Some(super::identify::titled_in(document.slice(t.span), works)?.0);
        numbered().or_else(of_work).is_some_and(|named| named.chapter.is_some())
    };
    let lines = found.titles.iter().filter(|t| is_text(&t.span) && is_listed(t));
    let lines: Vec<_> = lines.map(|t| (t.span, LineRole::Heading)).collect();
    if !lines.is_empty() {
        mark_lines(document, &Outline { lines, ..Outline::default() });
    }
}

/// True for what is no title on the `line` of one: furniture, and a note on the title with its
/// brackets.
fn stays(document: &Document, segment: &Segment, (line, role): (Span, LineRole)) -> bool {
    let is_after_title = || {
        let start = segment.span.start().max(line.start());
        document.slice(Span::new(line.start(), start)).chars().any(is_content)
    };
    match segment.layer {
        Layer::Furniture | Layer::Blank => true,
        layer if layer == Layer::Mark || layer.kind() == LayerKind::Note => {
            role == LineRole::Heading && is_after_title()
        }
        _ => false,
    }
}

/// Bytes of the sign with which Markdown begins a heading: `## `.
fn sign_of_heading(line: &str) -> usize {
    let words = line.trim_start_matches('#').trim_start_matches(' ');
    let sign = &line[..line.len() - words.len()];
    if sign.starts_with('#') && sign.ends_with(' ') { sign.len() } else { 0 }
}

/// Frees the lines that the reader took for headings, and of which a person decided that they are
/// text.
pub(super) fn free_lines(document: &mut Document) {
    let decided: Vec<Span> = (document.segments.iter())
        .filter(|s| s.layer == Layer::Heading)
        .map(|s| s.span)
        .filter(|s| document.confirmed_heading(*s).is_some_and(|d| d.0 == HeadingLine::Text))
        .collect();
    for segment in document.segments.iter_mut().filter(|s| decided.contains(&s.span)) {
        segment.layer = Layer::Undivided;
    }
}

fn heading(role: LineRole, span: Span, person: Option<Evidence>) -> Segment {
    if let Some(person) = person {
        return Segment::inferred(Layer::Heading, span, Certainty::SURE, vec![person]);
    }
    let (layer, kind) = match role {
        LineRole::Heading => (Layer::Heading, EvidenceKind::TitleLine),
        LineRole::Contents => (Layer::Furniture, EvidenceKind::TableOfContents),
        LineRole::Running => (Layer::Furniture, EvidenceKind::RunningHead),
    };
    Segment::inferred(layer, span, Certainty::new(HEADING), vec![Evidence::of(kind)])
}

/// What is left of a segment between two headings may be only blanks.
fn split_blanks(document: &mut Document) {
    let old = std::mem::take(&mut document.segments);
    for segment in old {
        let only_blanks = document.slice(segment.span).chars().all(char::is_whitespace);
        if only_blanks && segment.layer.is_text() {
            document.push(Segment::marked(Layer::Blank, segment.span));
        } else {
            document.push(segment);
        }
    }
}

/// The part of a document that is in `span`, with a source of its own.
pub(super) fn part(
    document: &Document,
    span: Span,
    nth: u32,
    of: u32,
    crossing: &[Diagnostic],
) -> Document {
    let source = document.source.part(span, nth, of);
    let mut part = Document::new(Arc::new(source), document.reader.clone());
    let base = span.start();
    let inside = |s: Span| {
        let (from, to) = (s.start().max(span.start()), s.end().min(span.end()));
        (from < to).then(|| Span::new(from - base, to - base))
    };
    part.meta = document.meta.clone();
    part.cited_as = document.cited_as.clone();
    part.settled = document.settled;
    part.surveyed = true;
    for s in &document.segments {
        if let Some(span) = inside(s.span) {
            part.segments.push(Segment { span, ..s.clone() });
        }
    }
    part.marks = document.marks.iter().filter_map(|m| inside(*m)).collect();
    // What crosses the border is reported: see `crossing`.
    let whole = |s: Span| inside(s).filter(|_| span.contains(s));
    let begins = |s: Span| span.start() <= s.start() && s.start() < span.end();
    let headers = document.headers.iter().filter(|h| begins(h.span));
    part.headers = headers.filter_map(|h| header(h, inside(h.span)?, &whole)).collect();
    part.divisions = document
        .divisions
        .iter()
        .filter_map(|d| Some(Division { span: inside(d.span)?, ..d.clone() }))
        .collect();
    part.readings = document
        .readings
        .iter()
        .filter_map(|r| {
            let mut r = r.clone();
            r.span = whole(r.span)?;
            Some(r)
        })
        .collect();
    let confirmed = document.confirmed.iter();
    part.confirmed =
        confirmed.filter_map(|c| Some(Confirmed { span: inside(c.span)?, ..c.clone() })).collect();
    part.diagnostics = document
        .diagnostics
        .iter()
        .chain(crossing)
        .filter_map(|d| {
            let mut d = d.clone();
            match d.span {
                Some(s) => d.span = Some(inside(s)?),
                None if nth > 1 => return None,
                None => {}
            }
            Some(d)
        })
        .collect();
    part.segments.shrink_to_fit();
    if !part.settled {
        part.number();
    }
    part
}

/// A lemma header in a chapter, at `span`, with those of its parts that are in the chapter.
fn header(h: &Header, span: Span, moved: &dyn Fn(Span) -> Option<Span>) -> Option<Header> {
    let part = |p: &HeaderPart| {
        let to = match p.to {
            Some(to) => Some(moved(to)?),
            None => None,
        };
        Some(HeaderPart { span: moved(p.span)?, from: moved(p.from)?, to, ..p.clone() })
    };
    let parts: Vec<HeaderPart> = h.parts.iter().filter_map(part).collect();
    (!parts.is_empty() || h.parts.is_empty()).then_some(Header { span, parts })
}

#[cfg(test)]
mod tests {
    use crate::pipeline;
    use crate::source::Source;

    #[test]
    fn a_chapter_that_its_reader_names_has_the_name_of_the_list() {
        let text = "●卷二 为政第二\n\n子曰：“为政以德，譬如北辰，居其所而众星共之。”\n\n\
                    [疏]“子曰”至“共之”。○正义曰：此章言为政之要。\n\n\
                    子曰：“《诗》三百，一言以蔽之，曰‘思无邪’。”\n\n\
                    [疏]“子曰”至“无邪”。○正义曰：此章言为政之道。\n";
        let library = pipeline::convert(Source::from_text("02.txt", text), None).unwrap();
        let meta = &library.documents[0].meta;
        let names = (meta.work.as_deref(), meta.chapter.as_deref(), meta.number);
        assert_eq!(names, (Some("論語"), Some("為政"), Some(2)));
    }
}
