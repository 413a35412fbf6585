//! The three rules of ARCHITECTURE.md, checked after every pass on every bundled source: the text
//! is kept, passes only add, and inferences have evidence. Also: every pointer has a target.

use std::collections::HashSet;
use std::sync::Arc;

use zhushu::corpus::Library;
use zhushu::model::{Certainty, Document};
use zhushu::passes::{Context, PASSES, Pass, Stage};

use crate::support::corpus::{library, texts};

/// The stages, in the order in which the pipeline runs them.
const STAGES: &[Stage] =
    &[Stage::Marks, Stage::Layers, Stage::Structure, Stage::References, Stage::Parallels];

/// The text of all segments, concatenated.
fn text(document: &Document) -> String {
    document.segments.iter().map(|s| document.slice(s.span)).collect()
}

#[test]
fn every_pass_keeps_every_source_and_only_adds() {
    let documents: Vec<_> = texts().into_iter().map(Arc::new).collect();
    let mut staged = Library { documents, ..Library::default() };
    assert_eq!(staged.documents.len(), 5);
    for document in &staged.documents {
        assert_eq!(document.check(), Ok(()));
        assert_eq!(text(document), document.source.text(), "{} as read", document.id);
    }
    let mut seen = 0;
    for stage in STAGES {
        let context = Context::new(&staged);
        let mut next = vec![];
        for before in &staged.documents {
            let mut document = (**before).clone();
            for pass in PASSES.iter().filter(|p| p.stage == *stage) {
                let given = document.clone();
                (pass.run)(&mut document, &context);
                only_adds(pass, &given, &document);
                seen += 1;
            }
            next.push(Arc::new(document));
        }
        staged.documents = next;
    }
    for (staged, whole) in staged.documents.iter().zip(&library().documents) {
        let same = staged.segments == whole.segments && staged.links == whole.links;
        assert!(same, "STAGES are not those of the pipeline: {}", staged.id);
    }
    assert_eq!(seen, PASSES.len() * staged.documents.len(), "a pass is of a stage not in STAGES");
}

/// What a pass may not do to a document.
fn only_adds(pass: &Pass, before: &Document, after: &Document) {
    let at = format!("{} after {}", before.id, pass.name);
    assert_eq!(after.check(), Ok(()), "{at}");
    assert_eq!(text(after), before.source.text(), "{at}");
    assert!(Arc::ptr_eq(&after.source, &before.source), "another source: {at}");
    fn kept<T: PartialEq>(what: &str, before: &[T], after: &[T], at: &str) {
        let all = after.starts_with(before) || before.iter().all(|b| after.contains(b));
        assert!(all, "one of the {what} is gone: {at}");
    }
    if matches!(pass.stage, Stage::References | Stage::Parallels) {
        assert_eq!(after.segments, before.segments, "segments are settled before this: {at}");
    }
    kept("links", &before.links, &after.links, &at);
    kept("readings", &before.readings, &after.readings, &at);
    kept("headers", &before.headers, &after.headers, &at);
    kept("divisions", &before.divisions, &after.divisions, &at);
    kept("apparatus entries", &before.apparatus, &after.apparatus, &at);
}

#[test]
fn every_link_has_evidence_and_a_target_that_exists() {
    let library = library();
    let mut ids = HashSet::new();
    for document in &library.documents {
        for s in &document.segments {
            assert!(
                ids.insert((document.id.clone(), s.id.clone())),
                "two segments of {} have the id {}",
                document.id,
                s.id
            );
        }
        for link in &document.links {
            assert!(!link.evidence.is_empty(), "{}: {link:?} has no evidence", document.id);
            for target in link.target.iter().chain(&link.alternatives) {
                let there = target
                    .doc
                    .as_deref()
                    .map_or(Some(document), |id| library.get(id))
                    .expect("the target's document is in the library");
                assert!(
                    target.span.end() <= there.source.text().len() && !target.span.is_empty(),
                    "{}: {link:?}",
                    document.id
                );
                there.slice(target.span);
            }
        }
        for reading in &document.readings {
            assert!(
                !reading.evidence.is_empty() && reading.certainty < Certainty::SURE,
                "{}: {reading:?}",
                document.id
            );
        }
    }
    assert!(library.documents.iter().map(|d| d.links.len()).sum::<usize>() > 300);
    let alignment = &library.alignments[0];
    let (classic, translation) = (
        library.get(&alignment.source).expect("is there"),
        library.get(&alignment.translation).expect("is there"),
    );
    for bead in &alignment.beads {
        assert!(!bead.source.is_empty() || !bead.translation.is_empty());
        bead.source.iter().for_each(|s| assert!(!classic.slice(*s).trim().is_empty()));
        bead.translation.iter().for_each(|s| assert!(!translation.slice(*s).trim().is_empty()));
    }
}
