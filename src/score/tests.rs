//! Scores of hand-made cuts.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Segment};
use crate::source::Span;

/// `經:甲乙 注:丙` as text and spans, joined by nothing; `↵` is a line end.
fn made(cut: &str) -> (Source, Value) {
    let (mut text, mut spans) = (String::new(), vec![]);
    for piece in cut.split(' ') {
        let (layer, words) = piece.split_once(':').unwrap();
        let start = text.chars().count();
        text.push_str(&words.replace('↵', "\n"));
        spans.push(json!([start, text.chars().count(), layer]));
    }
    (Source::from_text("a.txt", text), json!({ "spans": spans }))
}

fn scored(gold: &str, cut: &str, lines: Lines) -> Score {
    let ((source, gold), (other, cut)) = (made(gold), made(cut));
    assert_eq!(source.text(), other.text(), "the two cuts are of one text");
    score(
        &source,
        &Gold::read(&gold, &source).unwrap(),
        &LayerCut::read(&cut, &source).unwrap(),
        lines,
    )
}

fn tally(score: &Score) -> (usize, usize, usize) {
    (score.borders.right, score.borders.gold, score.borders.found)
}

#[test]
fn the_side_of_a_full_stop_does_not_matter() {
    let s = scored("經:甲乙 注:。丙丁", "經:甲乙。 注:丙丁", Lines::Across);
    assert_eq!(tally(&s), (1, 1, 1));
    assert_eq!((s.characters.right, s.characters.all), (4, 4));
}

#[test]
fn a_border_needs_both_layers() {
    let s = scored("經:甲乙 注:丙丁", "經:甲乙 音義:丙丁", Lines::Across);
    assert_eq!(tally(&s), (0, 1, 1));
    assert_eq!(s.missed, [Border { at: 2, before: Layer::Jing, after: Layer::Zhu }]);
    assert_eq!(s.wrong, [Border { at: 2, before: Layer::Jing, after: Layer::Yin }]);
}

#[test]
fn line_ends_count_on_request_and_those_of_shu_never() {
    let (gold, cut) = ("經:甲↵ 注:乙↵ 疏:丙↵ 經:丁 注:戊", "經:甲↵乙↵ 疏:丙↵ 經:丁 注:戊");
    assert_eq!(tally(&scored(gold, cut, Lines::Across)), (1, 2, 1));
    assert_eq!(tally(&scored(gold, cut, Lines::Within)), (1, 1, 1));
    let within = scored("經:甲 疏:乙", "經:甲 疏:乙", Lines::Within);
    assert_eq!(tally(&within), (1, 1, 1), "on one line the text does not mark it");
}

#[test]
fn marks_and_headings_are_ignored_and_headers_of_shu_are_shu() {
    let s = scored("經:甲 mark:鄭注 注:乙 題:丙 注:丁", "經:甲 注:鄭注乙丙丁", Lines::Across);
    assert_eq!(tally(&s), (1, 1, 1));
    assert_eq!(s.characters.all, 3);
    let s = scored("注:甲 疏:[疏]乙丙", "注:甲[疏] 疏首:乙 疏:丙", Lines::Across);
    assert_eq!((tally(&s), s.characters.right, s.characters.all), ((1, 1, 1), 3, 3));
}

#[test]
fn nothing_is_scored_where_the_gold_is_unsure() {
    let s = scored("經:甲 unsure:乙 注:丙", "經:甲 注:乙丙", Lines::Across);
    assert_eq!((tally(&s), s.characters.all), ((0, 0, 0), 2));
    let s = scored("經:甲 ed:乙 注:丙", "經:甲 注:乙丙", Lines::Across);
    assert_eq!(tally(&s), (1, 1, 1), "words that editors added part nothing");
}

#[test]
fn figures_of_layers_add_up() {
    let a = scored("經:甲乙 注:丙丁 右:戊", "經:甲乙 注:丙 經:丁 右:戊", Lines::Across);
    let label = a.layers[&Layer::Label];
    assert_eq!(label.characters, Tally { right: 1, gold: 1, found: 1 });
    assert_eq!(label.borders, Tally { right: 0, gold: 1, found: 1 });
    let note = a.layers[&Layer::Zhu];
    assert_eq!((note.characters.f1(), note.borders.recall()), (2.0 / 3.0, 0.5));
    let mut sum = Score::default();
    sum += &a;
    sum += &a;
    assert_eq!(tally(&sum), (2, 4, 6));
    assert_eq!((sum.layers[&Layer::Zhu].characters.gold, sum.characters.accuracy()), (4, 0.8));
    assert_eq!(
        (sum.borders.precision(), sum.borders.recall(), sum.borders.f1()),
        (1.0 / 3.0, 0.5, 0.4)
    );
    assert_eq!(Tally::default().f1(), 0.0);
}

/// A document with this cut, each segment with a certainty; 1 means marked by the source.
fn document(cut: &str, certainties: &[f64]) -> Document {
    let (source, json) = made(cut);
    let labelled = spans(&json, &source).unwrap();
    let source = Arc::new(source);
    let mut d = Document::new(Arc::clone(&source), "test");
    d.segments = labelled
        .iter()
        .zip(certainties)
        .map(|(l, certainty)| {
            let evidence =
                if *certainty < 1.0 { vec![Evidence::of(EvidenceKind::Formula)] } else { vec![] };
            let span: Span = l.span(&source);
            Segment::inferred(l.layer.unwrap(), span, Certainty::new(*certainty), evidence)
        })
        .collect();
    d.check().unwrap();
    d
}

fn calibration(gold: &str, cut: &str, certainties: &[f64]) -> Vec<(f64, usize, usize)> {
    let d = document(cut, certainties);
    let (source, gold) = made(gold);
    let score =
        score(&source, &Gold::read(&gold, &source).unwrap(), &LayerCut::of(&d), Lines::Within);
    score.calibration.bins.iter().filter(|b| b.n > 0).map(|b| (b.from, b.n, b.right)).collect()
}

#[test]
fn a_claim_is_right_if_both_sides_are() {
    let cut = "經:甲 注:乙 經:丙丁";
    assert_eq!(
        calibration("經:甲 注:乙 經:丙丁", cut, &[0.99, 0.95, 0.6]),
        [(0.99, 1, 1), (0.9, 1, 1), (0.5, 1, 1)]
    );
    // The note continues: its end is a wrong claim.
    assert_eq!(
        calibration("經:甲 注:乙丙 經:丁", cut, &[0.99, 0.95, 0.6]),
        [(0.99, 1, 1), (0.9, 1, 1), (0.5, 1, 0)]
    );
    // All is classic: the first run is right, both others are not.
    assert_eq!(
        calibration("經:甲乙丙丁", cut, &[0.99, 0.95, 0.6]),
        [(0.99, 1, 1), (0.9, 1, 0), (0.5, 1, 0)]
    );
}

#[test]
fn first_runs_claim_their_layer_and_marked_layers_claim_nothing() {
    // A paragraph after 疏, wholly in the wrong layer: no scored border shows it, but the claim is
    // wrong.
    let (gold, cut) = ("經:甲↵ 疏:乙↵ 注:丙↵ 注:丁", "經:甲↵ 疏:乙↵ 經:丙↵ 注:丁");
    assert_eq!(calibration(gold, cut, &[1.0, 0.99, 0.8, 1.0]), [(0.7, 1, 0)]);
    // A second paragraph of one layer is a start without a border.
    assert_eq!(calibration("注:甲↵ 注:乙", "注:甲↵ 注:乙", &[0.8, 0.8]), [(0.7, 2, 2)]);
    assert_eq!(
        calibration("經:甲 unsure:乙 注:丙丁", "經:甲乙 注:丙丁", &[0.8, 0.4]),
        [(0.7, 1, 1)]
    );
    assert_eq!(
        calibration("經:甲 題:乙 注:丙", "經:甲 注:乙 注:丙", &[0.8, 0.4, 0.6]),
        [(0.7, 1, 1), (0.5, 1, 1)]
    );
}

#[test]
fn a_cut_read_from_json_makes_the_same_claims_as_the_document() {
    let d = document("經:甲 注:乙 經:丙丁", &[1.0, 0.95, 0.6]);
    let mut json = Vec::new();
    let library = crate::corpus::Library::default();
    (crate::writers::by_name("json").unwrap().write)(&d, &library, &mut json).unwrap();
    let read = LayerCut::read(&serde_json::from_slice(&json).unwrap(), &d.source).unwrap();
    let own = LayerCut::of(&d);
    assert_eq!(read.layers, own.layers);
    let claims = |c: &LayerCut| {
        c.starts
            .iter()
            .map(|s| (s.at, s.layer, s.certainty.map(|c| c.rounded())))
            .collect::<Vec<_>>()
    };
    assert_eq!(claims(&read), claims(&own));
    assert_eq!(claims(&read)[0].2, None, "what the source marks claims nothing");
    assert_eq!(own.at(1).map(|s| s.layer), Some(Layer::Zhu));
}

#[test]
fn the_expected_error_is_weighted_by_claims() {
    let mut c = Calibration::default();
    (0..3).for_each(|_| c.claim(0.95, true));
    c.claim(0.6, false);
    assert!((c.ece() - (3.0 * 0.05 + 0.6) / 4.0).abs() < 1e-9, "{}", c.ece());
    assert_eq!(Calibration::default().ece(), 0.0);
    c.claim(f64::from(0.99f32), true);
    assert_eq!(c.bins[0].n, 1);
    let mut twice = c.clone();
    twice += &c;
    assert_eq!((twice.n(), twice.ece()), (10, c.ece()));
}

#[test]
fn wrong_spans_are_reported() {
    let source = Source::from_text("a.txt", "甲乙丙");
    let wrong = |json: Value| spans(&json, &source).unwrap_err().to_string();
    assert_eq!(wrong(json!({})), "it has no list “spans”");
    assert_eq!(wrong(json!({"spans": [[0, 1]]})), "not a span with start, end and layer: [0,1]");
    assert_eq!(
        wrong(json!({"spans": [[0, -1, "經"]]})),
        "not a span with start, end and layer: [0,-1,\"經\"]"
    );
    assert_eq!(
        wrong(json!({"spans": [[0, 4, "經"]]})),
        "span 0–4 overlaps another or leaves the text, which has 3 characters"
    );
    assert!(
        wrong(json!({"spans": [[0, 2, "經"], {"start": 1, "end": 3, "layer": "注"}]}))
            .starts_with("span 1–3 overlaps")
    );
    assert!(
        wrong(json!({"spans": [[0, 1, "klingon"]]})).starts_with("no layer is called “klingon”")
    );
}
