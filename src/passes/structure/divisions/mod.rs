//! Divides a text into sections: by the labels that close them (右戒百官), else by the scopes in
//! the sub-commentary (自此盡“X”，論取矢之事).
//!
//! Labels are in the text itself and take precedence. The start of a scope is more certain than its
//! end, so a section extends to the start of the next. Any text of the classic before the first
//! scope is a section without a title.

mod custom;
mod listed;
mod starts;

use crate::corpus::View;
use crate::model::{Certainty, Division, Document, Evidence, EvidenceKind, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::scopes;
use crate::source::Span;
use starts::{SectionStart, classic_from};

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let work = document.meta.work.as_deref().and_then(|w| context.works.work(w));
    let Some(custom) = work.and_then(|w| w.sections) else {
        return context.with_view(document, divide);
    };
    context.with_view(document, |document, view| {
        let counted = document.meta.first_section.is_some();
        let listed = if counted { vec![] } else { listed::starts(document, &view.base) };
        let starts = if listed.is_empty() { custom::starts(document, custom) } else { listed };
        match starts.is_empty() {
            true => divide(document, view),
            false => document.divisions = divisions(document, starts).into(),
        }
    });
}

fn divide(document: &mut Document, view: &View) {
    let starts = if document.of_layer(Layer::Label).next().is_some() {
        by_labels(document)
    } else {
        by_scopes(document, view)
    };
    document.divisions = divisions(document, starts).into();
}

fn divisions(document: &Document, starts: Vec<SectionStart>) -> Vec<Division> {
    let end =
        document.segments.iter().rev().find(|s| s.layer.is_text()).map_or(0, |s| s.span.end());
    let ends: Vec<usize> = starts.iter().skip(1).map(|s| s.at).chain([end]).collect();
    let made = starts.into_iter().zip(ends).filter(|(s, end)| s.at < *end);
    let mut last = 0;
    made.map(|(s, end)| {
        last = s.n.filter(|n| *n > last).unwrap_or(last + 1);
        Division {
            n: last,
            title: s.title,
            span: Span::new(s.at, end),
            certainty: Certainty::new(s.certainty),
            evidence: s.evidence,
        }
    })
    .collect()
}

fn by_labels(document: &Document) -> Vec<SectionStart> {
    let mut starts = Vec::new();
    let mut from = 0;
    for label in document.of_layer(Layer::Label) {
        if let Some(at) = classic_from(document, from).filter(|at| *at < label.span.start()) {
            let title =
                document.slice(label.span).trim().trim_start_matches('右').trim().to_string();
            let title = (!title.is_empty()).then_some(title);
            starts.push(SectionStart {
                at,
                n: None,
                title,
                certainty: 0.97 * label.certainty.get(),
                evidence: vec![Evidence::of(EvidenceKind::ClosingLabel)],
            });
        }
        from = label.span.end();
    }
    if let Some(at) = classic_from(document, from) {
        starts.push(SectionStart {
            at,
            n: None,
            title: None,
            certainty: 0.8,
            evidence: vec![Evidence::of(EvidenceKind::AfterLastLabel)],
        });
    }
    starts
}

fn by_scopes(document: &Document, view: &View) -> Vec<SectionStart> {
    let scopes = scopes::scopes(document, view);
    let mut starts: Vec<SectionStart> = Vec::new();
    let mut closed = 0;
    for scope in &scopes {
        let Some(at) = section_start(document, scope.start, closed) else { continue };
        closed = scope.end.map_or(closed, |e| e.end());
        if starts.last().is_some_and(|s| s.at >= at) {
            continue;
        }
        let title = scope.title.map(|t| document.slice(t).to_string());
        let certainty = if scope.end.is_some() { 0.9 } else { 0.75 };
        starts.push(SectionStart {
            at,
            n: None,
            title,
            certainty,
            evidence: vec![Evidence::new(
                EvidenceKind::Scope,
                document.slice(scope.span).to_string(),
            )],
        });
    }
    let before = classic_from(document, 0).filter(|at| starts.first().is_some_and(|s| *at < s.at));
    if let Some(at) = before {
        starts.insert(
            0,
            SectionStart {
                at,
                n: None,
                title: None,
                certainty: 0.6,
                evidence: vec![Evidence::of(EvidenceKind::BeforeFirstScope)],
            },
        );
    }
    starts
}

/// Where the classic of a scope begins: in the passage its sub-commentary explains, after the end
/// of the previous scope.
fn section_start(document: &Document, passage: usize, closed: usize) -> Option<usize> {
    if closed <= passage {
        return classic_from(document, passage);
    }
    // The previous scope ended inside this passage, so the next segment of the classic is meant.
    let last = document.segment_at(closed.saturating_sub(1))?;
    let rest = document.segments[last].span.end();
    classic_from(document, if rest > closed + 6 { closed } else { rest })
}
