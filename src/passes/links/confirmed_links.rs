//! What a person has decided about references: where they lead, or that words are no reference; and
//! who says what a commentary reports.

use std::sync::Arc;

use ecow::EcoString;

use crate::model::{
    Certainty, Confirmation, Confirmed, Document, Evidence, EvidenceKind, Layer, Link, LinkKind,
    QuotedPlace, Status, Target,
};
use crate::passes::context::Context;
use crate::source::Span;

/// The documents to which decided references lead.
pub fn targets<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let ids: Vec<&str> =
        document.confirmed.iter().filter_map(|c| place_of(c)?.doc.as_deref()).collect();
    context.library.all().filter(|d| ids.contains(&d.id.as_str())).collect()
}

fn place_of(c: &Confirmed) -> Option<&QuotedPlace> {
    match &c.what {
        Confirmation::Link(place) => place.as_ref(),
        _ => None,
    }
}

/// Runs the pass: a decision replaces the reference that was inferred of its words. One whose
/// target is not found any more is reported, and the words keep what was inferred.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let decided = |c: &&Confirmed| matches!(c.what, Confirmation::Link(_));
    for c in document.confirmed.iter().filter(decided).cloned().collect::<Vec<_>>() {
        let Some(quoted) = place_of(&c) else {
            document.links.retain(|l| !is_about(l, c.span));
            continue;
        };
        match target(document, quoted, context) {
            Ok((target, status)) => lead(document, &c, target, status),
            Err(why) => {
                document.diagnostics.push(c.not_applied(&why));
                document.confirmed.retain(|other| *other != c);
            }
        }
    }
    let speakers = document.confirmed.iter().filter_map(|c| match &c.what {
        Confirmation::Speaker(name) => Some((c.clone(), name.clone())),
        _ => None,
    });
    for (c, name) in speakers.collect::<Vec<_>>() {
        said_by(document, &c, name.as_deref(), context);
    }
}

/// Gives words the scholar who says them, or takes them from the one they were given.
fn said_by(document: &mut Document, c: &Confirmed, name: Option<&str>, context: &Context<'_>) {
    let is_said = |l: &Link| {
        is_about(l, c.span) && l.evidence.iter().any(|e| e.kind == EvidenceKind::Commentator)
    };
    let inferred = document.links.iter().find(|l| is_said(l)).cloned();
    document.links.retain(|l| !is_said(l));
    let Some(name) = name else { return };
    let home = document.meta.work.as_deref();
    // Who confirms a name confirms the work that was inferred with it.
    let called = |work: &EcoString| work.split('(').next() == Some(name);
    let same = inferred.as_ref().and_then(|l| l.work.clone()).filter(called);
    let link =
        inferred.unwrap_or_else(|| made(document, c.span, LinkKind::Citation, Status::TitleOnly));
    document.links.push(Link {
        work: same.or_else(|| Some(context.works.said_by(name, home).into())),
        target: None,
        status: Status::TitleOnly,
        certainty: Certainty::SURE,
        evidence: [c.person(), Evidence::of(EvidenceKind::Commentator)].into(),
        ..link
    });
}

/// A reference made by some words.
fn made(document: &Document, span: Span, kind: LinkKind, status: Status) -> Link {
    let layer = document.segment_at(span.start()).map(|n| document.segments[n].layer);
    Link {
        kind,
        span,
        quoted: None,
        layer: layer.unwrap_or(Layer::Other),
        work: None,
        target: None,
        alternatives: vec![].into(),
        status,
        certainty: Certainty::SURE,
        evidence: vec![].into(),
    }
}

/// True if a reference is made by some words, and by little else.
fn is_about(link: &Link, span: Span) -> bool {
    link.kind != LinkKind::Parallel && link.span.overlap(span) * 2 > link.span.len().max(span.len())
}

/// The place that a person quoted, and how like the words that refer to it its words are; or why it
/// is not found.
fn target(
    document: &Document,
    quoted: &QuotedPlace,
    context: &Context<'_>,
) -> Result<(Target, Status), String> {
    let doc = quoted.doc.clone().filter(|id| *id != document.id);
    let other = match &doc {
        Some(id) => context
            .library
            .all()
            .find(|d| d.id == *id)
            .map(|d| &**d)
            .ok_or_else(|| format!("there is no text “{id}”"))?,
        None => document,
    };
    let span = quoted.place_in(other).ok_or_else(|| {
        format!("“{}” is not clearly one place of “{}”", quoted.at, other.meta.title)
    })?;
    Ok((Target { doc: doc.map(EcoString::from), span }, Status::Exact))
}

/// Lets the words of a decision lead to a place.
fn lead(document: &mut Document, c: &Confirmed, target: Target, status: Status) {
    let own = document.links.iter().filter(|l| is_about(l, c.span));
    let inferred = own.max_by_key(|l| l.span.overlap(c.span)).cloned();
    let same = inferred.as_ref().filter(|l| l.target.as_ref() == Some(&target)).map(|l| l.status);
    let kind = if target.doc.is_some() { LinkKind::Citation } else { LinkKind::Internal };
    let link = inferred.unwrap_or_else(|| made(document, c.span, kind, status));
    document.links.retain(|l| !is_about(l, c.span));
    document.links.push(Link {
        target: Some(target),
        alternatives: vec![].into(),
        status: same.unwrap_or(status),
        certainty: Certainty::SURE,
        evidence: [c.person()].into(),
        ..link
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::CORRECTION_LOST;

    fn decided(document: &Document, words: &str, decision: &str) -> Confirmed {
        let from = document.source.text().find(words).unwrap();
        Confirmed {
            span: Span::new(from, from + words.len()),
            what: Confirmation::read("link", decision).unwrap().unwrap(),
            by: "王".into(),
            when: "2026-11-22T21:30:00Z".into(),
        }
    }

    fn linked(decisions: &[(&str, &str)]) -> (Document, Document) {
        let text = "司射適堂西,命弟子設豐。上篇云設豐如此。又云設豐者,謂豐。";
        let mut document = Document::of_pieces(&[(Layer::Shu, text)]);
        let mut other = Document::of_pieces(&[(Layer::Jing, "弟子奉豐升,設于西楹之西。弟子升。")]);
        other.id = "b".into();
        let words = Span::new(text.find("設豐如此").unwrap(), text.find("。又云").unwrap());
        document.links = vec![Link {
            kind: LinkKind::Internal,
            span: words,
            quoted: None,
            layer: Layer::Shu,
            work: None,
            target: Some(Target { doc: None, span: Span::new(0, 6) }),
            alternatives: vec![].into(),
            status: Status::Paraphrase,
            certainty: Certainty::new(0.4),
            evidence: vec![].into(),
        }]
        .into();
        document.confirmed = decisions.iter().map(|(w, d)| decided(&document, w, d)).collect();
        let documents = vec![Arc::new(document.clone()), Arc::new(other.clone())];
        let library = Library { documents, ..Library::default() };
        let context = Context::new(&library);
        assert!(targets(&document, &context).iter().all(|d| d.id == "b"));
        run(&mut document, &context);
        assert_eq!(document.check(), Ok(()));
        (document, other)
    }

    #[test]
    fn a_decision_replaces_or_removes_the_reference_of_its_words() {
        let (d, other) = linked(&[("設豐如此", "b:【奉豐升】設于"), ("設豐者", ":命弟子【設豐】")]);
        let target = |n: usize| d.links[n].target.as_ref().unwrap();
        assert_eq!((target(0).doc.as_deref(), other.slice(target(0).span)), (Some("b"), "奉豐升"));
        assert_eq!((&target(1).doc, d.slice(target(1).span)), (&None, "設豐"));
        assert!(d.links.iter().all(|l| l.certainty == Certainty::SURE && l.evidence.len() == 1));
        assert_eq!(d.links.len(), 2);
        assert_eq!(linked(&[("設豐如此", "none")]).0.links, []);
        // A character of the target was changed since.
        let (d, other) = linked(&[("設豐如此", "b:弟子捧豐升【設于西楹之西】弟子")]);
        assert_eq!(other.slice(d.links[0].target.as_ref().unwrap().span), "設于西楹之西");
    }

    #[test]
    fn who_confirms_a_speaker_confirms_the_work_that_was_inferred() {
        let mut document = Document::of_pieces(&[(Layer::Shu, "熊氏云大夫不與。")]);
        let span = document.segments[0].span;
        let mut link = made(&document, span, LinkKind::Citation, Status::TitleOnly);
        link.work = Some("熊氏(禮記義疏)".into());
        link.evidence = vec![Evidence::of(EvidenceKind::Commentator)].into();
        document.links = vec![link].into();
        let library = Library::default();
        let context = Context::new(&library);
        let work = |name: Option<&str>| {
            let mut document = document.clone();
            let what = Confirmation::Speaker(name.map(String::from));
            let (by, when) = ("王".to_string(), "2026-11-23T18:00:00Z".to_string());
            let c = Confirmed { span, what, by, when };
            said_by(&mut document, &c, name, &context);
            document.links.pop().and_then(|l| l.work)
        };
        assert_eq!(work(Some("熊氏")).as_deref(), Some("熊氏(禮記義疏)"));
        assert!(work(Some("皇侃")).is_some_and(|w| w.starts_with("皇侃")));
        assert_eq!(work(None), None);
    }

    #[test]
    fn a_target_that_is_not_clear_is_reported_and_changes_nothing() {
        for decision in ["c:【奉豐升】", "b:【弟子】", "b:【天地玄黃】"] {
            let (d, _) = linked(&[("設豐如此", decision)]);
            assert_eq!(d.links[0].certainty, Certainty::new(0.4), "{decision}");
            assert_eq!(d.diagnostics[0].code, CORRECTION_LOST, "{decision}");
            assert!(d.confirmed.is_empty());
        }
    }
}
