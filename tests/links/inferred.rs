//! Everything that is inferred about the bundled corpus, with its certainty and evidence: borders of
//! layers, references and parallels, beads. A change anywhere in the passes shows here, also where
//! the figures of the scoreboard are too coarse for it. `SNAPSHOTS=overwrite` writes the files.

use std::fmt::Write as _;

use zhushu::corpus::Library;
use zhushu::model::{Certainty, Document, Evidence, Link, Target};
use zhushu::pipeline;
use zhushu::source::Span;

use crate::support::corpus::{library, root, texts};
use crate::support::tables::hold;

fn hold_golden(name: &str, now: &str) {
    hold(root().join("tests/golden").join(name), now);
}

fn codes(evidence: &[Evidence]) -> String {
    let codes: Vec<&str> = evidence.iter().map(Evidence::code).collect();
    if codes.is_empty() { "-".into() } else { codes.join(" ") }
}

fn percent(certainty: Certainty) -> String {
    // Not more, since the last digits may differ from machine to machine.
    format!("{:.2}", certainty.get())
}

/// Bytes of a span.
fn bytes(span: Span) -> String {
    format!("{}-{}", span.start(), span.end())
}

fn spans(spans: &[Span]) -> String {
    let all: Vec<String> = spans.iter().map(|s| bytes(*s)).collect();
    if all.is_empty() { "-".into() } else { all.join(" ") }
}

fn target(target: &Target) -> String {
    format!("{} {}", target.doc.as_deref().unwrap_or("."), bytes(target.span))
}

fn borders(document: &Document, out: &mut String) {
    let inferred = document.segments.iter().filter(|s| !s.evidence.is_empty());
    for s in inferred {
        let (at, layer) = (document.source.place(s.span.start()), s.layer.zh());
        let (certainty, why) = (percent(s.certainty), codes(&s.evidence));
        let _ = writeln!(
            out,
            "{}\t{}:{}\t{layer}\t{certainty}\t{why}",
            document.id, at.line, at.column
        );
    }
}

fn link(document: &Document, link: &Link, out: &mut String) {
    let others: Vec<String> = link.alternatives.iter().map(target).collect();
    let cells = [
        document.id.clone(),
        bytes(link.span),
        link.kind.id().to_string(),
        link.status.id().to_string(),
        percent(link.certainty),
        link.work.as_deref().unwrap_or("-").to_string(),
        link.quoted.map_or("-".into(), bytes),
        link.target.as_ref().map_or("-".into(), target),
        if others.is_empty() { "-".into() } else { others.join(", ") },
        codes(&link.evidence),
    ];
    let _ = writeln!(out, "{}", cells.join("\t"));
}

fn table(head: &str, library: &Library, row: impl Fn(&Document, &mut String)) -> String {
    let mut out = format!("# {head}\n");
    library.documents.iter().for_each(|d| row(d, &mut out));
    out
}

const BORDERS: &str = "text\tline:column\tlayer\tcertainty\tevidence";

#[test]
fn borders_are_those_of_the_file() {
    hold_golden("borders.tsv", &table(BORDERS, library(), borders));
}

/// Without witnesses, more is in doubt.
#[test]
fn borders_of_each_text_alone_are_those_of_the_file() {
    let mut out = format!("# {BORDERS}\n");
    for text in texts().into_iter().filter(|d| d.id.ends_with("-zhushu")) {
        pipeline::run(vec![text]).documents.iter().for_each(|d| borders(d, &mut out));
    }
    hold_golden("borders-alone.tsv", &out);
}

#[test]
fn links_are_those_of_the_file() {
    let head = "text\tbytes\tkind\tstatus\tcertainty\twork\tquoted\ttarget\talternatives\tevidence";
    let links = |d: &Document, out: &mut String| d.links.iter().for_each(|l| link(d, l, out));
    hold_golden("links.tsv", &table(head, library(), links));
}

#[test]
fn beads_are_those_of_the_file() {
    let mut out = String::from("# source\ttranslation\tcertainty\tevidence\n");
    for bead in library().alignments.iter().flat_map(|a| &a.beads) {
        let (source, translation) = (spans(&bead.source), spans(&bead.translation));
        let (certainty, why) = (percent(bead.certainty), codes(&bead.evidence));
        let _ = writeln!(out, "{source}\t{translation}\t{certainty}\t{why}");
    }
    hold_golden("beads.tsv", &out);
}
