//! Cuts of a text, made by hand or by the program: the layer of every character.

use std::borrow::Cow;

use serde_json::Value;

use super::GoldError;
use crate::model::{Certainty, Document, Layer};
use crate::source::{Source, Span};

/// A cut made by hand.
#[derive(Clone, Debug)]
pub struct Gold {
    /// The layer of each code point; none if it is not scored.
    pub(super) layers: Vec<Option<Layer>>,
    /// True where the gold is unsure.
    pub(super) unsure: Vec<bool>,
}

/// A cut to be scored.
#[derive(Clone, Debug)]
pub struct LayerCut {
    /// The layer of each code point.
    pub(super) layers: Vec<Layer>,
    /// Where its segments start, in order.
    pub(super) starts: Vec<JudgedStart>,
}

/// A segment of a cut to be scored.
#[derive(Clone, Copy, Debug)]
pub struct JudgedStart {
    /// Its code points, end exclusive.
    pub at: (usize, usize),
    /// Its layer.
    pub layer: Layer,
    /// Its certainty, if it was inferred; what the source itself marks makes no claim.
    pub certainty: Option<Certainty>,
}

/// A stretch of text with the name of its layer, from JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    /// First code point.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The layer; none for `unsure` and for `ed`, words that editors added.
    pub layer: Option<Layer>,
    /// True for `unsure`.
    pub unsure: bool,
    /// Its certainty, if given and inferred: it has evidence or, if no evidence is given, is below
    /// 1.
    pub certainty: Option<f64>,
}

impl Gold {
    /// Reads `{"spans": [...]}`; see [`spans`].
    ///
    /// # Errors
    /// As [`spans`].
    pub fn read(json: &Value, source: &Source) -> Result<Self, GoldError> {
        let n = source.chars();
        let mut gold = Gold { layers: vec![None; n], unsure: vec![false; n] };
        for s in spans(json, source)? {
            gold.layers[s.start..s.end].fill(s.layer.and_then(scored));
            gold.unsure[s.start..s.end].fill(s.unsure);
        }
        Ok(gold)
    }

    /// The layer of a code point; none where nothing is scored.
    pub fn layer_at(&self, char: usize) -> Option<Layer> {
        let unsure = self.unsure.get(char).copied().unwrap_or(true);
        self.layers.get(char).copied().flatten().filter(|_| !unsure)
    }

    /// Leaves a layer out of the score, as if the gold did not cover it.
    pub fn leave_out(&mut self, layer: Layer) {
        self.layers.iter_mut().filter(|l| **l == Some(layer)).for_each(|l| *l = None);
    }
}

impl LayerCut {
    /// The cut of a document.
    pub fn of(document: &Document) -> Self {
        LayerCut::of_chapters(&[document])
    }

    /// The cut of the chapters of a file.
    pub fn of_chapters(chapters: &[&Document]) -> Self {
        let mut cut = LayerCut::empty(chapters.iter().map(|d| d.source.chars()).sum());
        for document in chapters {
            let source = &document.source;
            for s in &document.segments {
                let at = (source.file_char_of(s.span.start()), source.file_char_of(s.span.end()));
                cut.push(at, s.layer, (!s.evidence.is_empty()).then_some(s.certainty));
            }
        }
        cut
    }

    /// Reads what `zhushu convert --to json` wrote, or other spans; see [`spans`]. Text outside all
    /// spans is [`Layer::Other`].
    ///
    /// # Errors
    /// As [`spans`].
    pub fn read(json: &Value, source: &Source) -> Result<Self, GoldError> {
        let mut cut = LayerCut::empty(source.chars());
        for s in spans(json, source)? {
            cut.push(
                (s.start, s.end),
                s.layer.unwrap_or(Layer::Other),
                s.certainty.map(Certainty::new),
            );
        }
        Ok(cut)
    }

    fn empty(chars: usize) -> Self {
        LayerCut { layers: vec![Layer::Other; chars], starts: Vec::new() }
    }

    fn push(&mut self, at: (usize, usize), layer: Layer, certainty: Option<Certainty>) {
        let layer = one_of_shu(layer);
        self.layers[at.0..at.1].fill(layer);
        self.starts.push(JudgedStart { at, layer, certainty });
    }

    /// The same in the layers of the gold: where it has no 傳, 傳 counts as 經.
    pub(super) fn in_layers_of(&self, gold: &Gold) -> Cow<'_, LayerCut> {
        let has = |layer: Layer| gold.layers.contains(&Some(layer));
        if has(Layer::Zhuan) || !self.layers.contains(&Layer::Zhuan) {
            return Cow::Borrowed(self);
        }
        let mut cut = self.clone();
        let layers = cut.layers.iter_mut().chain(cut.starts.iter_mut().map(|s| &mut s.layer));
        layers.filter(|l| **l == Layer::Zhuan).for_each(|l| *l = Layer::Jing);
        Cow::Owned(cut)
    }

    /// The segment that contains a code point.
    pub fn at(&self, char: usize) -> Option<&JudgedStart> {
        self.starts.get(self.starts.partition_point(|s| s.at.1 <= char)).filter(|s| s.at.0 <= char)
    }
}

/// The header of a 疏 counts as 疏.
fn one_of_shu(layer: Layer) -> Layer {
    if layer == Layer::ShuHeader { Layer::Shu } else { layer }
}

/// The layer that counts for scoring; none for ignored text.
fn scored(layer: Layer) -> Option<Layer> {
    let passed_over = matches!(
        layer,
        Layer::Mark | Layer::Furniture | Layer::Heading | Layer::Other | Layer::Blank
    );
    (!passed_over).then_some(one_of_shu(layer))
}

/// The stretches under `spans` of a JSON object, in the order of the text: objects with `start`,
/// `end`, `layer` and perhaps `certainty`, or triples. Offsets are code points, end exclusive;
/// layers go by any of their names, or `unsure`.
///
/// # Errors
/// If there are no such spans, one is outside the text or overlaps another, or a layer is unknown.
pub fn spans(json: &Value, source: &Source) -> Result<Vec<Labelled>, GoldError> {
    let list = json.get("spans").and_then(Value::as_array).ok_or(GoldError::NoSpans)?;
    let mut spans = list.iter().map(labelled).collect::<Result<Vec<_>, _>>()?;
    spans.sort_by_key(|s| (s.start, s.end));
    let (mut last, chars) = (0, source.chars());
    for s in &spans {
        if s.start < last || s.end < s.start || s.end > chars {
            let Labelled { start, end, .. } = *s;
            return Err(GoldError::Misplaced { start, end, characters: chars });
        }
        last = s.end;
    }
    Ok(spans)
}

fn labelled(s: &Value) -> Result<Labelled, GoldError> {
    let part = |name: &str, n: usize| s.get(name).or_else(|| s.get(n));
    let number = |name: &str, n: usize| {
        part(name, n).and_then(Value::as_u64).and_then(|v| usize::try_from(v).ok())
    };
    let (Some(start), Some(end), Some(name)) =
        (number("start", 0), number("end", 1), part("layer", 2).and_then(Value::as_str))
    else {
        return Err(GoldError::NotASpan(s.to_string()));
    };
    let unsure = name == "unsure";
    let known = || name.parse().map_err(GoldError::UnknownLayer);
    let layer = if unsure || name == "ed" { None } else { Some(known()?) };
    let inferred = |certainty: &f64| {
        s.get("evidence").and_then(Value::as_array).map_or(*certainty < 1.0, |e| !e.is_empty())
    };
    Ok(Labelled {
        start,
        end,
        layer,
        unsure,
        certainty: s.get("cert").and_then(Value::as_f64).filter(inferred),
    })
}

impl Labelled {
    /// As bytes of the text.
    pub fn span(&self, source: &Source) -> Span {
        Span::new(source.byte_of(self.start), source.byte_of(self.end))
    }
}
