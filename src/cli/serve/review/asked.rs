//! Questions in the words of a page: templates, and the data that the script of the page needs.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::corrections::anchor::AnchorText;
use crate::language::{Language, escape};
use crate::model::phrases::phrase;
use crate::model::{Confirmation, HeadingLine, Layer};
use crate::review::{Choice, Question};
use crate::site::review::{AskedPlace, layer_name};
use crate::source::Span;

/// Characters of the passage on each side of the places that are asked about.
const MAX_SHOWN_CHARS: usize = 60;
/// Kinds of evidence, and facts, that are shown.
const EVIDENCE: usize = 6;
const FACTS: usize = 4;

/// The name of a question in a page and for the server.
pub fn id_of(q: &Question) -> String {
    format!("{}-{}", q.kind.name(), q.span.start())
}

/// A question as a place of a part of the file, which begins with byte `base`.
pub fn place(q: &Question, text: &AnchorText<'_>, base: usize) -> AskedPlace {
    let title = title(q);
    AskedPlace {
        span: Span::new(q.span.start() - base, q.span.end() - base),
        id: id_of(q),
        label: format!("{title} .{:02}", (q.certainty() * 100.0).round().min(99.0)),
        data: data(q, text, &title),
    }
}

fn title(q: &Question) -> String {
    format!("{{review-ask-{}}}", q.kind.name())
}

fn data(q: &Question, text: &AnchorText<'_>, title: &str) -> Value {
    let character = |span: Span| text.key().index_at(span.start());
    let choice = |c: &Choice| {
        json!({
            "says": answer(c, q, text.text()),
            "at": character(c.span),
            "chance": c.probability,
            "border": matches!(&c.what, Confirmation::Cut(a, b) if a != b),
        })
    };
    let evidence =
        q.evidence.iter().take(EVIDENCE).map(|(kind, weight)| json!([phrase(kind.code()), weight]));
    let movable = q.sides().map(|(before, after)| json!([before.id(), after.id()]));
    json!({
        "seen": seen(q, text),
        "kind": q.kind.name(),
        "title": title,
        "at": character(q.span),
        "end": text.key().index_at(q.span.end()),
        "passage": passage(q, text),
        "choices": q.choices.iter().map(choice).collect::<Vec<_>>(),
        "sides": movable,
        "evidence": evidence.collect::<Vec<_>>(),
        "facts": q.facts.iter().take(FACTS).map(fact).collect::<Vec<_>>(),
    })
}

/// What a person sees of a question, as a number: a page that was loaded before something else was
/// decided must not answer another question.
pub fn seen(q: &Question, text: &AnchorText<'_>) -> String {
    let mut hash = Sha256::new();
    hash.update(&text.text()[q.passage.range()]);
    for c in &q.choices {
        hash.update(format!("\n{} {} {}", c.span.start(), c.span.end(), answer(c, q, text.text())));
    }
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A fact in every language, and its weight.
fn fact((words, weight): &(String, f64)) -> Value {
    let said: serde_json::Map<String, Value> =
        Language::ALL.iter().map(|l| (l.id().into(), l.message_of(words).into())).collect();
    json!([said, weight])
}

/// An answer as a template.
fn answer(c: &Choice, q: &Question, text: &str) -> String {
    let decision = match &c.what {
        Confirmation::Cut(a, b) if a == b => format!("{}{{review-goes-on}}", layer_name(*a)),
        Confirmation::Cut(a, b) => {
            format!("{}{{review-ends}}{}{{review-begins}}", layer_name(*a), layer_name(*b))
        }
        Confirmation::Layer(layer) => format!("{{review-this-is}}{}", layer_name(*layer)),
        Confirmation::Reading(word) if word == &text[c.span.range()] => {
            format!("{}{{review-is-right}}", escape(word))
        }
        Confirmation::Reading(word) => format!("{}{{review-is-meant}}", escape(word)),
        Confirmation::Link(None) => "{review-no-reference}".to_string(),
        Confirmation::Link(Some(place)) => {
            let id = place.doc.as_deref().map_or(String::new(), |id| format!("{} ", escape(id)));
            format!("{{review-leads-to}}{id}{}", escape(&place.words()))
        }
        Confirmation::Heading(HeadingLine::Chapter) => "{review-chapter}".to_string(),
        Confirmation::Heading(HeadingLine::Other) => "{review-heading}".to_string(),
        Confirmation::Heading(HeadingLine::Text) => "{review-no-heading}".to_string(),
        Confirmation::Speaker(None) => "{review-nobody-says}".to_string(),
        Confirmation::Speaker(Some(name)) => format!("{}{{review-says}}", escape(name)),
        Confirmation::Bead(id, None) => format!("{}{{review-has-nothing}}", escape(id)),
        Confirmation::Bead(id, Some(place)) => {
            format!("{}{{colon}}{}", escape(id), escape(&place.words()))
        }
    };
    if c.span == q.span {
        return decision;
    }
    format!("{decision}{{colon}}{}", escape(&in_one_line(&text[c.span.range()])))
}

fn in_one_line(words: &str) -> String {
    words.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect()
}

/// The passage around the question, character by character with the marks after each, and where
/// the layers begin.
fn passage(q: &Question, text: &AnchorText<'_>) -> Value {
    let key = text.key();
    let index = |byte: usize| key.index_at(byte);
    let places = || q.choices.iter().map(|c| c.span).chain([q.span]);
    let first = places().map(|s| index(s.start())).min().unwrap_or_default();
    let last = places().map(|s| index(s.end())).max().unwrap_or_default();
    let from = index(q.passage.start()).max(first.saturating_sub(MAX_SHOWN_CHARS));
    let to = index(q.passage.end()).min(last + MAX_SHOWN_CHARS).max(from);
    // The last character has no marks of the next paragraph after it.
    let byte = |k: usize| {
        let at = key.at.get(k).map_or(text.text().len(), |at| *at as usize);
        if k == to { at.min(q.passage.end().max(key.span(to - 1, to).end())) } else { at }
    };
    let words: Vec<String> =
        (from..to).map(|k| in_one_line(&text.text()[byte(k)..byte(k + 1)])).collect();
    let runs: Vec<(usize, &str)> =
        q.runs.iter().map(|(span, layer)| (index(span.start()), layer.id())).collect();
    json!({ "from": from, "words": words, "runs": runs })
}

/// What a person answered: the number of a choice, or another place or layer.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Answered {
    /// The choice, from 0.
    pub choice: Option<usize>,
    /// The border is before this character of the text.
    pub at: Option<usize>,
    /// It is this layer.
    pub layer: Option<String>,
}

impl Answered {
    /// The answer; `None` if it is none to this question.
    pub fn to(&self, q: &Question, text: &AnchorText<'_>) -> Option<Choice> {
        let chosen = match (self.choice, self.at) {
            (_, Some(at)) => q.with_border(q.words_from(text, at)?)?,
            (Some(n), None) => q.choices.get(n)?.clone(),
            (None, None) => q.choices.first()?.clone(),
        };
        let Some(layer) = &self.layer else { return Some(chosen) };
        let layer = layer.parse::<Layer>().ok().filter(|l| l.is_text())?;
        let what = match chosen.what {
            Confirmation::Cut(before, _) => Confirmation::Cut(before, layer),
            Confirmation::Layer(_) => Confirmation::Layer(layer),
            Confirmation::Reading(_)
            | Confirmation::Link(_)
            | Confirmation::Bead(..)
            | Confirmation::Speaker(_)
            | Confirmation::Heading(_) => {
                return None;
            }
        };
        Some(Choice { what, ..chosen })
    }
}
