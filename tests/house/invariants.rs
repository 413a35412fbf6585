//! The three promises of ARCHITECTURE.md, held after every pass on every bundled source: the text
//! is conserved, passes only add, inferences carry evidence; and whatever points somewhere points
//! at something.

use std::path::Path;
use std::sync::Arc;

use zhushu::corpus::Library;
use zhushu::model::{Certainty, Document};
use zhushu::passes::{Context, PASSES, Stage};
use zhushu::{load, pipeline};

fn read() -> Vec<Document> {
    let corpus = load::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"))
        .expect("the bundled corpus opens");
    load::read(&corpus).expect("it reads").documents
}

/// All words of the segments, run together.
fn words(document: &Document) -> String {
    document.segments.iter().map(|s| document.slice(s.span)).collect()
}

#[test]
fn every_pass_conserves_every_source_and_only_adds() {
    let mut library =
        Library { documents: read().into_iter().map(Arc::new).collect(), alignments: vec![] };
    assert_eq!(library.documents.len(), 5);
    for document in &library.documents {
        assert_eq!(document.check(), Ok(()));
        assert_eq!(words(document), document.source.text(), "{} as read", document.id);
    }
    for stage in
        [Stage::Marks, Stage::Layers, Stage::Structure, Stage::References, Stage::Parallels]
    {
        let context = Context::new(&library);
        let mut next = vec![];
        for before in &library.documents {
            let mut document = (**before).clone();
            for pass in PASSES.iter().filter(|p| p.stage == stage) {
                let (links, readings) = (document.links.clone(), document.readings.clone());
                (pass.run)(&mut document, &context);
                assert_eq!(document.check(), Ok(()), "{} after {}", document.id, pass.name);
                assert_eq!(
                    words(&document),
                    before.source.text(),
                    "{} after {}",
                    document.id,
                    pass.name
                );
                assert!(
                    Arc::ptr_eq(&document.source, &before.source),
                    "{} put another source under {}",
                    pass.name,
                    document.id
                );
                assert!(
                    links.iter().all(|l| document.links.contains(l)),
                    "{} took a link away",
                    pass.name
                );
                assert!(
                    readings.iter().all(|r| document.readings.contains(r)),
                    "{} took a reading away",
                    pass.name
                );
            }
            next.push(Arc::new(document));
        }
        library.documents = next;
    }
}

#[test]
fn what_points_somewhere_points_at_something_and_says_how_sure_it_is() {
    let mut library = pipeline::run(read());
    pipeline::align(&mut library);
    let mut ids = std::collections::HashSet::new();
    for document in &library.documents {
        for s in &document.segments {
            assert!(
                ids.insert((document.id.clone(), s.id.clone())),
                "{} {} is there twice",
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
