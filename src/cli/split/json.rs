//! Runs and explanations for programs. Offsets are code points of the file's own text, end
//! exclusive.

use std::io::{self, Write};

use crate::model::phrases::english;
use crate::model::{Document, Layer, Segment};
use crate::passes::split::explain::{
    Candidate, ExplainedPassage, HeaderMatch, HeaderWord, NamedPart,
};
use crate::source::{Span, sha256_of};
use serde_json::{Value, json};

/// Writes the runs of the chapters of a file as one object.
///
/// # Errors
/// When writing to `out` fails.
pub fn runs(chapters: &[(&Document, Vec<&Segment>)], out: &mut dyn Write) -> io::Result<()> {
    let list = chapters.iter().flat_map(|(d, runs)| runs.iter().map(|s| run(d, s)));
    let documents: Vec<&Document> = chapters.iter().map(|(d, _)| *d).collect();
    write(&documents, "zhushu-split/1", "runs", list.collect(), out)
}

fn run(document: &Document, s: &Segment) -> Value {
    let evidence: Vec<Value> = s
        .evidence
        .iter()
        .map(
            |e| json!({"code": e.code(), "says": e.detail.as_deref().unwrap_or(english(e.code()))}),
        )
        .collect();
    with(
        words(document, s.span),
        json!({"id": s.id, "layer": s.layer.id(), "cert": s.certainty.rounded(), "evidence": evidence}),
    )
}

/// Writes the explanations as one object.
///
/// # Errors
/// When writing to `out` fails.
pub fn passages(
    document: &Document,
    passages: &[ExplainedPassage],
    out: &mut dyn Write,
) -> io::Result<()> {
    let passages: Vec<Value> = passages.iter().map(|p| passage(document, p)).collect();
    write(&[document], "zhushu-explain/1", "passages", passages, out)
}

fn write(
    chapters: &[&Document],
    format: &str,
    key: &str,
    list: Vec<Value>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(first) = chapters.first() else { return Ok(()) };
    let source = &first.source;
    let sha256 = match chapters {
        [_] => source.sha256().to_string(),
        _ => sha256_of(chapters.iter().map(|d| d.source.bytes())),
    };
    let chars: usize = chapters.iter().map(|d| d.source.chars()).sum();
    let about =
        json!({"path": source.name(), "sha256": sha256, "chars": chars, "reader": first.reader});
    let object = json!({"format": format, "source": about, key: list});
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)
}

fn passage(document: &Document, p: &ExplainedPassage) -> Value {
    let named: Vec<Value> = p.named.iter().map(|n| named(document, n)).collect();
    let quoted: Vec<Value> = p
        .quoted
        .iter()
        .map(|q| {
            with(
                words(document, q.at),
                json!({"quotation": span(document, q.span), "layer": q.layer.map(|l| l.id())}),
            )
        })
        .collect();
    let candidates =
        |list: &[Candidate]| list.iter().map(|c| candidate(document, c)).collect::<Vec<_>>();
    let rest = json!({
        "commentary": p.commentary.map(|c| span(document, c)), "named": named, "quoted": quoted, "witness": p.witness,
        "cuts": candidates(&p.cuts), "rivals": candidates(&p.alternatives),
    });
    with(words(document, p.span), rest)
}

fn named(document: &Document, n: &NamedPart) -> Value {
    let word = |w: &HeaderWord| {
        let (at, fits) = w.at.map(|(at, found)| (span(document, at), fits(found))).unzip();
        with(words(document, w.span), json!({"at": at, "fits": fits}))
    };
    json!({"layer": n.layer.id(), "from": word(&n.from), "to": n.to.as_ref().map(word)})
}

/// How well a lemma of the header fits a place.
fn fits(found: HeaderMatch) -> &'static str {
    match found {
        HeaderMatch::Here => "best",
        HeaderMatch::Elsewhere => "less",
        HeaderMatch::Nearly => "one-character-off",
        HeaderMatch::No => "not",
    }
}

fn candidate(document: &Document, c: &Candidate) -> Value {
    let round = |w: f64| (w * 1000.0).round() / 1000.0;
    let fact = |f: &crate::passes::split::explain::Fact| json!({"says": f.words, "weight": round(f.weight), "with": f.with});
    let grounds: Vec<Value> = c
        .grounds
        .iter()
        .map(|g| {
            let facts: Vec<Value> = g.facts.iter().map(fact).collect();
            json!({"evidence": g.code(), "says": english(g.code()), "weight": round(g.weight), "facts": facts})
        })
        .collect();
    let testimony = c
        .testimony
        .as_ref()
        .map(|t| json!({"witness": t.witness, "agrees": t.agrees, "says": t.words}));
    let begins = |(at, layer): &(usize, Layer)| json!({"at": document.source.file_char_of(*at), "layer": layer.id()});
    let instead: Vec<Value> = c.instead.iter().map(begins).collect();
    let rest = json!({
        "layer": c.layer.id(), "cert": c.certainty.rounded(), "margin": round(c.margin), "grounds": grounds, "testimony": testimony,
        "instead": instead,
    });
    with(words(document, c.span), rest)
}

fn span(document: &Document, span: Span) -> Value {
    json!([document.source.file_char_of(span.start()), document.source.file_char_of(span.end())])
}

/// A span and its text.
fn words(document: &Document, s: Span) -> Value {
    crate::ask::passage::placed(document, s, document.slice(s))
}

/// Both objects in one.
fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(o), Value::Object(m)) = (&mut object, more) {
        o.extend(m);
    }
    object
}
