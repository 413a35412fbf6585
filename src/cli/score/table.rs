//! Scores as tables.

use std::io::{self, Write};

use crate::model::Layer;
use crate::score::{Calibration, OfLayer, Score, Tally};

use super::{Judged, errors};
use crate::cli::columns;
use crate::cli::language::say;

const HEAD: &str = "|right|gold|found|precision|recall|F1|characters in their layer";
const LAYERS_HEAD: &str = "|F1 of characters|of|right|gold|found|precision|recall|F1";
const TSV_HEAD: &str =
    "text\tlayer\tright\tgold\tfound\tprecision\trecall\tf1\tcharacters_right\tcharacters";

/// For a person: borders and characters of each text, layers, certainties, errors.
pub fn text(judged: &[Judged<'_>], all: &Score, layers: bool) -> String {
    let mut rows = vec![cells(HEAD)];
    rows.extend(judged.iter().map(|j| row(&j.file.display().to_string(), &j.score)));
    if judged.len() > 1 {
        rows.push(row(&say("all texts"), all));
    }
    let mut out = format!("{}\n{}", say("borders"), columns::figures(&rows));
    if layers {
        let mut rows = vec![cells(LAYERS_HEAD)];
        rows.extend(all.layers.iter().map(|(l, of)| of_layer(*l, of)));
        out.push_str(&say("\ncharacters of each layer, and borders into it or out of it\n"));
        out.push_str(&columns::figures(&rows));
    }
    out.push_str(&calibration(&all.calibration));
    for j in judged.iter().filter(|j| !j.mistakes.is_empty()) {
        out.push_str(&mistakes(j));
    }
    out
}

fn row(name: &str, s: &Score) -> Vec<String> {
    let c = &s.characters;
    let characters = say(&format!("{:.4} of {}", c.accuracy(), c.all));
    columns::row(name, borders(&s.borders).into_iter().chain([characters]))
}

fn of_layer(layer: Layer, of: &OfLayer) -> Vec<String> {
    let characters = [format!("{:.4}", of.characters.f1()), of.characters.gold.to_string()];
    columns::row(layer.zh(), characters.into_iter().chain(borders(&of.borders)))
}

/// Right, gold, found, precision, recall, F1.
fn borders(b: &Tally) -> Vec<String> {
    let shares = [b.precision(), b.recall(), b.f1()].map(|share| format!("{share:.4}"));
    [b.right, b.gold, b.found].map(|n| n.to_string()).into_iter().chain(shares).collect()
}

fn calibration(c: &Calibration) -> String {
    if c.n() == 0 {
        return say("\nno starts were inferred: the texts mark their layers\n");
    }
    let mut rows = vec![cells("certainty|claims|mean given|right|share right")];
    for b in c.bins.iter().filter(|b| b.n > 0) {
        rows.push(vec![
            format!("≥ {:.2}", b.from),
            b.n.to_string(),
            format!("{:.3}", b.given()),
            b.right.to_string(),
            format!("{:.3}", b.right_share()),
        ]);
    }
    let (ece, n) = (c.ece(), c.n());
    let title = say(&format!("\nstarts by the certainty given: ece {ece:.4} of {n}\n"));
    title + &columns::figures(&rows)
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
                say(kind),
                errors::layers(&m.border),
                certainty,
                format!("…{before}‖{after}…"),
                m.why.iter().map(|(_, why)| &**why).collect::<Vec<_>>().join("; "),
            ]
        })
        .collect();
    let (missed, wrong) = (j.score.missed.len(), j.score.wrong.len());
    let title = format!("\n{missed} missed, {wrong} wrong in {}\n", j.file.display());
    say(&title) + &columns::lines(&rows)
}

/// For spreadsheets: one row for each text, then `all`. With `layers`, a row for each layer follows
/// each of them.
///
/// # Errors
/// When writing to `out` fails.
pub fn tsv(
    judged: &[Judged<'_>],
    all: &Score,
    layers: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{TSV_HEAD}")?;
    let of_texts = judged.iter().map(|j| (j.file.display().to_string(), &j.score));
    for (name, score) in of_texts.chain([("all".to_string(), all)]) {
        let line = |layer: &str, b: &Tally, right: usize, characters: usize| {
            format!("{name}\t{layer}\t{}\t{right}\t{characters}", borders(b).join("\t"))
        };
        let (borders, c) = (&score.borders, &score.characters);
        writeln!(out, "{}", line("all", borders, c.right, c.all))?;
        for (layer, of) in score.layers.iter().filter(|_| layers) {
            let c = &of.characters;
            writeln!(out, "{}", line(layer.id(), &of.borders, c.right, c.gold))?;
        }
    }
    Ok(())
}

/// The cells of a head.
fn cells(head: &str) -> Vec<String> {
    head.split('|').map(say).collect()
}
