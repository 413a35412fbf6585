//! Mandoku files, as the Kanseki Repository gives its texts: `#+TITLE:` properties, `<pb:…>` where a page begins, `¶` where
//! a printed line ends, double rows as `(right/left)` that are closed and opened again at each line's end, and `&KR0764;`
//! for characters that Unicode lacked.
//!
//! The format says how the page looks, not what the layers are; books tell them apart in different ways ([`styles`]), and
//! the reader says which way it found. A run of brackets over line ends is one note: only marks stand between its parts.

mod labels;
mod styles;
mod tokens;

use std::sync::Arc;

use crate::diag::{Diagnostic, Error};
use crate::model::{Cover, Document, Evidence, Layer, Meta};
use crate::source::{Source, Span};
use crate::text::numeral;
use styles::{Change, Style};
use tokens::{Cut, Kind, Token};

/// How sure it is that words of a stretch that holds two layers are of the first.
const MIXED: f64 = 0.5;

/// Looks for the mode line, page marks and line ends.
pub fn sniff(head: &str) -> u8 {
    let start = head.trim_start_matches('\u{FEFF}').trim_start();
    if start.starts_with("# -*- mode: mandoku") {
        return 100;
    }
    let ends = head.matches("¶\n").count() + head.matches("¶\r\n").count();
    match (head.contains("<pb:"), ends * 2 >= head.lines().count() && ends > 1) {
        (true, true) => 95,
        (true, false) | (false, true) => 70,
        _ => 0,
    }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own: odd brackets become diagnostics.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), "mandoku");
    let text = source.text();
    let cut = tokens::cut(text);
    let style = Style::of(text, &cut);
    let plan = styles::plan(text, &cut, style);
    document.segments = write(text, &cut, &plan);
    meta(text, &cut, &mut document.meta);
    document.diagnostics.push(Diagnostic::info("mandoku-style", None, style.about()));
    let mixed = plan.iter().filter(|c| c.mixed).collect::<Vec<_>>();
    if let Some(first) = mixed.first() {
        let end = first.at + text[first.at..].find('¶').unwrap_or(0);
        let message = "after a 箋 or 傳 verses go on and nothing says where; the stretch is given to the commentary";
        document.diagnostics.push(Diagnostic::warning("not-told-apart", Span::new(first.at, end), message));
    }
    document.diagnostics.extend(cut.diagnostics);
    Ok(document)
}

fn write(text: &str, cut: &Cut, plan: &[Change]) -> Vec<crate::model::Segment> {
    let mut cover = Cover::new(text);
    let mut next = 0;
    let mut now = Change { at: 0, layer: Layer::Other, mixed: false };
    for Token { kind, span, line, .. } in &cut.tokens {
        cover.to(span.start(), Layer::Blank);
        match kind {
            Kind::Property => cover.to(span.end(), Layer::Furniture),
            Kind::Mark => cover.to(span.end(), Layer::Mark),
            Kind::Blank => cover.to(span.end(), Layer::Blank),
            Kind::Words if cut.lines[*line].heading => cover.to(span.end(), Layer::Heading),
            Kind::Words => {
                while let Some(change) = plan.get(next).filter(|c| c.at < span.end()) {
                    if (change.layer, change.mixed) != (now.layer, now.mixed) {
                        put(&mut cover, change.at, now);
                    }
                    now = *change;
                    next += 1;
                }
                put(&mut cover, span.end(), now);
            }
        }
    }
    cover.finish()
}

fn put(cover: &mut Cover<'_>, end: usize, change: Change) {
    if change.mixed {
        cover.inferred(end, change.layer, MIXED, Evidence::code("not-told-apart"));
    } else {
        cover.to(end, change.layer);
    }
}

/// Title, edition and chapter, from the properties and the headings.
fn meta(text: &str, cut: &Cut, meta: &mut Meta) {
    let mut title = None;
    for property in cut.tokens.iter().filter(|t| t.kind == Kind::Property) {
        let words = text[property.span.range()].trim();
        if let Some(t) = words.strip_prefix("#+TITLE:") {
            title = Some(t.trim().to_string()).filter(|t| !t.is_empty());
        } else if let Some(id) = words.strip_prefix("#+PROPERTY: ID") {
            meta.origin = Some(format!("Kanseki Repository {}", id.trim()));
        } else if let Some(edition) = words.strip_prefix("#+PROPERTY: BASEEDITION") {
            meta.edition = Some(edition.trim().to_string());
        }
    }
    let heads = cut.lines.iter().filter(|l| l.heading).map(|l| &text[l.span.range()]);
    let chapter = heads.filter(|h| !h.contains(['卷', '巻'])).find_map(|h| {
        let (name, n) = h.split_once('第')?;
        let n: String = n.chars().take_while(|c| "一二三四五六七八九十百".contains(*c)).collect();
        Some((name.trim().to_string(), numeral::parse(&n)?))
    });
    if let Some((name, n)) = chapter {
        (meta.chapter, meta.number) = (Some(name), Some(n));
    }
    if let Some(title) = title {
        meta.title = meta.chapter.as_ref().map_or(title.clone(), |c| format!("{title}・{c}"));
    }
}
