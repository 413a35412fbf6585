//! Links, and their evidence, each list once for all links of a file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde::Serialize;
use serde_json::Number;

use super::{LibraryLoci, Offsets, TargetJson, chars, number, offsets, target_json};
use crate::model::{Document, Evidence, Link};

/// Evidence and its details.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Reason<'a> {
    evidence: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    because: Vec<&'a str>,
}

impl<'a> Reason<'a> {
    pub(super) fn of(evidence: &'a [Evidence]) -> Self {
        Reason {
            evidence: evidence.iter().map(|e| e.code()).collect(),
            because: evidence.iter().filter_map(|e| e.detail.as_deref()).collect(),
        }
    }
}

/// The reasons of all links of a file, each once.
#[derive(Default)]
pub(super) struct Reasons<'a> {
    pub(super) all: Vec<Reason<'a>>,
    numbers: HashMap<Reason<'a>, usize>,
}

impl<'a> Reasons<'a> {
    pub(super) fn of(chapters: &[&'a Document]) -> Self {
        let mut reasons = Reasons::default();
        for link in chapters.iter().flat_map(|d| &d.links) {
            let (reason, next) = (Reason::of(&link.evidence), reasons.all.len());
            if let Entry::Vacant(entry) = reasons.numbers.entry(reason) {
                reasons.all.push(entry.key().clone());
                entry.insert(next);
            }
        }
        reasons
    }
}

#[derive(Serialize)]
pub(super) struct LinkJson<'a> {
    kind: &'static str,
    #[serde(flatten)]
    at: Offsets,
    quoted: Option<(usize, usize)>,
    layer: &'static str,
    work: Option<&'a str>,
    target: Option<TargetJson<'a>>,
    status: &'static str,
    cert: Number,
    /// The number of its reason, from 0.
    why: Option<usize>,
    #[serde(rename = "rivals", skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<TargetJson<'a>>,
}

pub(super) fn link_json<'a>(loci: &LibraryLoci<'a>, l: &'a Link) -> LinkJson<'a> {
    let source = &loci.document.source;
    LinkJson {
        kind: l.kind.id(),
        at: offsets(source, l.span),
        quoted: l.quoted.map(|q| chars(source, q)),
        layer: l.layer.id(),
        work: l.work.as_deref(),
        target: l.target.as_ref().and_then(|t| target_json(loci, t)),
        status: l.status.id(),
        cert: number(l.certainty),
        why: loci.reasons.numbers.get(&Reason::of(&l.evidence)).copied(),
        alternatives: l.alternatives.iter().filter_map(|t| target_json(loci, t)).collect(),
    }
}
