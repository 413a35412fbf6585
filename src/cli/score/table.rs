//! Scores as tables.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::model::Layer;
use crate::score::{Calibration, OfLayer, Score};

use super::{Judged, errors};
use crate::cli::columns::{self, Side};

/// For a person: borders and characters of each text, layers, certainties, errors.
pub fn text(judged: &[Judged<'_>], all: &Score, layers: bool) -> String {
    let mut rows = vec![cells([
        "",
        "right",
        "gold",
        "found",
        "precision",
        "recall",
        "F1",
        "characters in their layer",
    ])];
    rows.extend(judged.iter().map(|j| row(j.file.display().to_string(), &j.score)));
    if judged.len() > 1 {
        rows.push(row("all".into(), all));
    }
    let mut out = format!("borders\n{}", columns::lines(&rows, &sides(8)));
    if layers {
        let mut rows = vec![cells([
            "",
            "F1 of characters",
            "of",
            "right",
            "gold",
            "found",
            "precision",
            "recall",
            "F1",
        ])];
        rows.extend(all.layers.iter().map(|(l, of)| of_layer(*l, of)));
        let _ = write!(
            out,
            "\ncharacters of each layer, and borders into it or out of it\n{}",
            columns::lines(&rows, &sides(9))
        );
    }
    out.push_str(&calibration(&all.calibration));
    for j in judged.iter().filter(|j| !j.mistakes.is_empty()) {
        out.push_str(&mistakes(j));
    }
    out
}

fn row(name: String, s: &Score) -> Vec<String> {
    let (b, c) = (&s.borders, &s.characters);
    let figure = |f: f64| format!("{f:.4}");
    let counts = [b.right, b.gold, b.found].map(|n| n.to_string());
    let shares = [b.precision(), b.recall(), b.f1()].map(figure);
    let characters = format!("{} of {}", figure(c.accuracy()), c.all);
    std::iter::once(name).chain(counts).chain(shares).chain([characters]).collect()
}

fn of_layer(layer: Layer, of: &OfLayer) -> Vec<String> {
    let b = &of.borders;
    let figure = |f: f64| format!("{f:.4}");
    let counts = [b.right, b.gold, b.found].map(|n| n.to_string());
    let head = [layer.zh().to_string(), figure(of.characters.f1()), of.characters.gold.to_string()];
    head.into_iter().chain(counts).chain([b.precision(), b.recall(), b.f1()].map(figure)).collect()
}

fn calibration(c: &Calibration) -> String {
    if c.n() == 0 {
        return "\nno starts were inferred: the texts mark their layers\n".into();
    }
    let mut rows = vec![cells(["certainty", "claims", "mean given", "right", "share right"])];
    for b in c.bins.iter().filter(|b| b.n > 0) {
        rows.push(vec![
            format!("≥ {:.2}", b.from),
            b.n.to_string(),
            format!("{:.3}", b.given()),
            b.right.to_string(),
            format!("{:.3}", b.right_share()),
        ]);
    }
    format!(
        "\nstarts by the certainty given: ece {:.4} of {}\n{}",
        c.ece(),
        c.n(),
        columns::lines(&rows, &sides(5))
    )
}

fn mistakes(j: &Judged<'_>) -> String {
    let rows: Vec<Vec<String>> = j
        .mistakes
        .iter()
        .map(|m| {
            let place = format!("{}:{}:{}", j.file.display(), m.place.line, m.place.column);
            let kind = if m.missed { "missed" } else { "wrong" };
            let certainty = m.certainty.map_or("–".into(), |c| format!("{c:.3}"));
            let (before, after) = &m.words;
            vec![
                place,
                kind.into(),
                errors::layers(&m.border),
                certainty,
                format!("…{before}‖{after}…"),
                m.why.join("; "),
            ]
        })
        .collect();
    let (missed, wrong) = (j.score.missed.len(), j.score.wrong.len());
    let lines = columns::lines(&rows, &[Side::Left; 6]);
    format!("\n{missed} missed, {wrong} wrong in {}\n{lines}", j.file.display())
}

/// For spreadsheets: a row a text, after it with `layers` a row a layer; `all` last.
///
/// # Errors
/// Those of `out`.
pub fn tsv(
    judged: &[Judged<'_>],
    all: &Score,
    layers: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "text\tlayer\tright\tgold\tfound\tprecision\trecall\tf1\tcharacters_right\tcharacters"
    )?;
    for (name, score) in judged
        .iter()
        .map(|j| (j.file.display().to_string(), &j.score))
        .chain([("all".to_string(), all)])
    {
        let line = |layer: &str, b: &crate::score::Tally, right: usize, characters: usize| {
            let shares = format!("{:.4}\t{:.4}\t{:.4}", b.precision(), b.recall(), b.f1());
            format!(
                "{name}\t{layer}\t{}\t{}\t{}\t{shares}\t{right}\t{characters}",
                b.right, b.gold, b.found
            )
        };
        writeln!(
            out,
            "{}",
            line("all", &score.borders, score.characters.right, score.characters.all)
        )?;
        for (layer, of) in score.layers.iter().filter(|_| layers) {
            writeln!(
                out,
                "{}",
                line(layer.id(), &of.borders, of.characters.right, of.characters.gold)
            )?;
        }
    }
    Ok(())
}

fn cells<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(String::from).to_vec()
}

fn sides(columns: usize) -> Vec<Side> {
    std::iter::once(Side::Left).chain(std::iter::repeat_n(Side::Right, columns - 1)).collect()
}
