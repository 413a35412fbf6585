//! Finds the doubtful decisions of a document.

use std::sync::Arc;

use super::part::AskedPart;
use super::quoted::QuotedTexts;
use super::{Choice, Question, QuestionKind, beads, headings, references};
use crate::corpus::{Library, Works};
use crate::model::{Confirmation, Document, Layer, Reading, is_decided};
use crate::passes::split::explain::{Candidate, ExplainedPassage};
use crate::passes::{self, Context};
use crate::pipeline;
use crate::settings::Settings;
use crate::source::Span;
use crate::text::Key;

/// Words of a question: as many characters, if the run is not shorter.
const WORDS: usize = 8;
/// Alternatives that are less probable are not offered.
const MIN_CHOICE: f64 = 0.02;

/// The doubtful decisions about the first of some documents as their readers left them, with
/// certainties below `below`, in the order of the text. What a person has decided is not asked, nor
/// what leads to other texts if references are switched off.
pub fn questions(read: &[Document], settings: &Settings, below: f64) -> Vec<Question> {
    let mut library = settings.run(read.to_vec());
    if settings.references {
        pipeline::align(&mut library);
    }
    questions_in(0, read, &library, settings, below)
}

/// The same about the document with this number; `library` is what the passes made of them all.
pub fn questions_in(
    number: usize,
    read: &[Document],
    library: &Library,
    settings: &Settings,
    below: f64,
) -> Vec<Question> {
    let Some(first) = read.get(number) else { return vec![] };
    let mut found = explained(number, read, settings, below);
    found.extend(headings::of(AskedPart { library, document: first, base: 0, below }));
    found.extend(of_result(first, library, (below, &settings.works), &found));
    found.sort_by_key(|q| (q.span.start(), q.kind));
    let decided = |q: &Question| {
        first.confirmed.iter().any(|c| {
            c.what.kind() == q.kind.name() && c.span.overlap(q.span) > 0 && q.may_answer(&c.what)
        })
    };
    found.retain(|q| !decided(q));
    found
}

/// Questions about what the splitter cut.
fn explained(number: usize, read: &[Document], settings: &Settings, below: f64) -> Vec<Question> {
    let (all, shelved) = settings.with_shelf(read.to_vec());
    let documents = all.into_iter().map(Arc::new).collect();
    let beside = Library { documents, beside: shelved.read, ..Library::default() };
    let context = Context::with(&beside, &settings.works, &settings.models.layers);
    let document = &beside.documents[number];
    let passages = passes::explain_cuts(document, &context, None, MIN_CHOICE);
    passages.iter().flat_map(|p| of_passage(document, p, below)).collect()
}

/// The other layer that the splitter might mean.
fn other(layer: Layer) -> Layer {
    if layer == Layer::Jing { Layer::Zhu } else { Layer::Jing }
}

fn of_passage(document: &Document, p: &ExplainedPassage, below: f64) -> Vec<Question> {
    let runs: Vec<(Span, Layer)> = p.cuts.iter().map(|c| (c.span, c.layer)).collect();
    let mut out = vec![];
    let mut offered: Vec<usize> = vec![];
    let words = |at: usize| first_words(document.source.text(), at, p.span.end());
    let question = |kind, span, choices, c: &Candidate| Question {
        kind,
        span,
        passage: p.span,
        runs: runs.clone(),
        choices,
        evidence: c.grounds.iter().map(|g| (g.kind.clone(), g.weight)).collect(),
        facts: facts(c),
    };
    for (n, c) in p.cuts.iter().enumerate() {
        let certainty = c.certainty.get();
        let Some(span) = words(c.span.start()).filter(|_| certainty < below) else { continue };
        if n == 0 {
            // Beyond the next border another layer begins.
            let Some(span) = first_words(document.source.text(), span.start(), c.span.end()) else {
                continue;
            };
            let choice =
                |layer, probability| Choice { what: Confirmation::Layer(layer), span, probability };
            let choices = vec![choice(c.layer, certainty), choice(other(c.layer), 1.0 - certainty)];
            out.push(question(QuestionKind::Layer, span, choices, c));
            continue;
        }
        let before = p.cuts[n - 1].layer;
        let mut choices =
            vec![Choice { what: Confirmation::Cut(before, c.layer), span, probability: certainty }];
        for (at, layer) in &c.instead {
            let Some(place) = words(*at).filter(|_| *layer == c.layer) else { continue };
            let alternative =
                p.alternatives.iter().find(|a| a.span.start() == *at && a.layer == *layer);
            let probability = alternative.map_or(MIN_CHOICE, |a| a.certainty.get());
            let what = Confirmation::Cut(other(*layer), *layer);
            choices.push(Choice { what, span: place, probability });
            offered.push(*at);
        }
        let rest = 1.0 - choices.iter().map(|c| c.probability).sum::<f64>();
        let what = Confirmation::Cut(before, before);
        choices.push(Choice { what, span, probability: rest.max(0.0) });
        out.push(question(QuestionKind::Cut, span, choices, c));
    }
    for a in &p.alternatives {
        let (certainty, at) = (1.0 - a.certainty.get(), a.span.start());
        let Some(span) = words(at).filter(|_| certainty < below && !offered.contains(&at)) else {
            continue;
        };
        let Some((_, layer)) = runs.iter().find(|r| r.0.start() < at && at < r.0.end()) else {
            continue;
        };
        let choice = |after, probability| Choice {
            what: Confirmation::Cut(*layer, after),
            span,
            probability,
        };
        let mut choices = vec![choice(*layer, certainty)];
        if a.layer != *layer {
            choices.push(choice(a.layer, 1.0 - certainty));
            out.push(question(QuestionKind::Cut, span, choices, a));
        }
    }
    out
}

/// The facts of a candidate, strongest first.
fn facts(c: &Candidate) -> Vec<(String, f64)> {
    let of = |f: &crate::passes::split::explain::Fact| {
        let words = f.words.to_string();
        (if f.with { words } else { format!("otherwise: {words}") }, f.weight)
    };
    let mut facts: Vec<_> = c.grounds.iter().flat_map(|g| g.facts.iter().map(of)).collect();
    facts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    facts
}

/// The first characters from a place on, up to `end`.
pub fn first_words(text: &str, at: usize, end: usize) -> Option<Span> {
    let key = Key::of(text, Span::new(at, end.max(at)));
    (!key.is_empty()).then(|| key.span(0, key.len().min(WORDS)))
}

/// Questions about what other passes decided: layers outside the passages that the splitter cut,
/// readings, references and alignments.
fn of_result(
    first: &Document,
    library: &Library,
    (below, works): (f64, &Works),
    known: &[Question],
) -> Vec<Question> {
    let mut out = vec![];
    let mut texts = QuotedTexts::default();
    for part in parts(library, first) {
        let base = first.source.byte_of(part.source.file_char_of(0));
        let asked = AskedPart { library, document: part, base, below };
        out.extend(segments(first, asked));
        out.extend(readings(asked));
        out.extend(references::of(asked, &mut texts));
        out.extend(references::spoken(asked, works));
        out.extend(beads::of(asked, &mut texts));
    }
    let asked = |q: &Question| {
        [QuestionKind::Cut, QuestionKind::Layer].contains(&q.kind)
            && known.iter().any(|k| k.passage.overlap(q.span) > 0)
    };
    out.retain(|q| !asked(q));
    out
}

/// What the passes made of a document: its chapters, or itself.
pub fn parts<'a>(
    library: &'a Library,
    read: &'a Document,
) -> impl Iterator<Item = &'a Arc<Document>> {
    library.documents.iter().filter(|d| d.source.path() == read.source.path())
}

fn segments(first: &Document, asked: AskedPart<'_>) -> Vec<Question> {
    let mut out = vec![];
    let mut before: Option<(Span, Layer)> = None;
    for s in asked.document.segments.iter().filter(|s| s.layer.is_text()) {
        let own = (asked.in_file(s.span), s.layer);
        let last = before.replace(own);
        let certainty = s.certainty.get();
        let person = is_decided(&s.evidence);
        let Some(span) = first_words(first.source.text(), own.0.start(), own.0.end())
            .filter(|_| certainty < asked.below && !person && s.layer != Layer::Undivided)
        else {
            continue;
        };
        let Some(last) = last else { continue };
        let choice = |what, probability| Choice { what, span, probability };
        let choices = vec![
            choice(Confirmation::Cut(last.1, s.layer), certainty),
            choice(Confirmation::Cut(last.1, last.1), 1.0 - certainty),
        ];
        out.push(Question {
            kind: QuestionKind::Cut,
            span,
            passage: Span::new(last.0.start(), own.0.end()),
            runs: vec![last, own],
            choices,
            evidence: s.evidence.iter().map(|e| (e.kind.clone(), 0.0)).collect(),
            facts: s
                .evidence
                .iter()
                .filter_map(|e| Some((e.detail.as_ref()?.to_string(), 0.0)))
                .collect(),
        });
    }
    out
}

fn readings(asked: AskedPart<'_>) -> Vec<Question> {
    let doubtful = asked.document.readings.iter().filter(|r| r.certainty.get() < asked.below);
    let question = |r: &Reading| {
        let certainty = r.certainty.get();
        let words = [(&*r.reading, certainty), (asked.document.slice(r.span), 1.0 - certainty)];
        let decisions = words.map(|(word, p)| (Confirmation::Reading(word.to_string()), p));
        asked.question(QuestionKind::Reading, r.span, decisions, &r.evidence)
    };
    doubtful.map(question).collect()
}
