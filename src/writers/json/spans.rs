//! Segments, and what notes report of others.

use std::borrow::Cow;

use serde::Serialize;

use super::{InferenceJson, LibraryLoci, Offsets, inference, offsets};
use crate::model::{Segment, Speech};
use crate::source::Source;

#[derive(Serialize)]
pub(super) struct SpanJson<'a> {
    id: Cow<'a, str>,
    layer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'static str>,
    #[serde(flatten)]
    at: Offsets,
    #[serde(flatten)]
    inference: InferenceJson<'a>,
}

pub(super) fn span_json<'a>(
    loci: &LibraryLoci<'_>,
    source: &Source,
    s: &'a Segment,
) -> SpanJson<'a> {
    SpanJson {
        id: loci.id(loci.document, &s.id),
        layer: s.layer.id(),
        sub: s.sub.map(|l| l.id()),
        at: offsets(source, s.span),
        inference: inference(s.certainty, &s.evidence),
    }
}

#[derive(Serialize)]
pub(super) struct SpeechJson<'a> {
    who: &'a str,
    #[serde(flatten)]
    at: Offsets,
    #[serde(flatten)]
    inference: InferenceJson<'a>,
}

pub(super) fn speech_json<'a>(source: &Source, s: &'a Speech) -> SpeechJson<'a> {
    let inference = inference(s.certainty, &s.evidence);
    SpeechJson { who: &s.who, at: offsets(source, s.span), inference }
}
