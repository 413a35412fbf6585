//! Speed and recall of finding quotations: quotations of 6 to 24 characters with up to two
//! different characters (one if shorter than seven) are looked up in a corpus of some tens of
//! megabytes.
//!
//! The corpus is the bundled one repeated, with its clauses shuffled and a quarter of its
//! characters replaced by others of it, so that the copies do not nearly match each other. `cargo
//! bench --bench lookup [MEGABYTES]` prints throughput on one core (CPU time) and recall: the share
//! of quotations whose own place is among the results, and the share for which other places match
//! as well or better and come first.

#[path = "support/dice.rs"]
mod dice;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use dice::Dice;
use zhushu::corpus::{Index, Works};
use zhushu::load;
use zhushu::model::{Document, Layer, Segment};
use zhushu::source::Source;

/// Megabytes, unless given on the command line.
const SIZE: usize = 30;
/// Quotations looked up.
const QUOTATIONS: usize = 100_000;
/// Percentage of characters that are replaced.
const REPLACED: usize = 25;
/// Most places that a look-up returns.
const LIMIT: usize = 32;

fn main() {
    let megabytes = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(SIZE);
    let mut dice = Dice(5);
    let mut document = Document::new(
        Arc::new(Source::from_text("corpus.txt", corpus(megabytes, &mut dice))),
        "bench",
    );
    document.segments = vec![Segment::marked(Layer::Jing, document.source.span())].into();
    let start = Instant::now();
    let index = Index::of_documents(&[Arc::new(document)], &Works::builtin());
    let text = &index.words().text;
    println!(
        "{} characters ({megabytes} MB), indexed in {:.1} s",
        text.len(),
        start.elapsed().as_secs_f64()
    );

    let quotations: Vec<(usize, Vec<char>, usize)> =
        (0..QUOTATIONS).map(|_| quotation(text, &mut dice)).collect();
    for most in 0..3 {
        let start = cpu();
        let (mut found, mut other) = (0, 0);
        for (at, words, differ) in &quotations {
            let hits = index.anywhere(words, most.min(*differ), LIMIT);
            let own = hits.iter().any(|(part, h)| (part.range.start + h.from).abs_diff(*at) <= 2);
            found += usize::from(own);
            other += usize::from(!own && !hits.is_empty());
        }
        let rate = QUOTATIONS as f64 / (cpu() - start);
        let share = |n: usize| n as f64 / QUOTATIONS as f64;
        println!(
            "at most {most} differences: {rate:>9.0} quotations/s, {:.4} found at their place, {:.4} closer to others",
            share(found),
            share(other)
        );
    }
}

/// Seconds of processor time so far; wall-clock time on systems that do not report it.
fn cpu() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let elapsed = START.get_or_init(Instant::now).elapsed().as_secs_f64();
    let ticks = |s: &str| {
        s.rsplit(')')
            .next()?
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(|n| n.parse::<f64>().ok())
            .sum::<Option<f64>>()
    };
    std::fs::read_to_string("/proc/self/stat")
        .ok()
        .and_then(|s| ticks(&s))
        .map_or(elapsed, |t| t / 100.0)
}

/// The bundled corpus, repeated and perturbed.
fn corpus(megabytes: usize, dice: &mut Dice) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let corpus = load::open(&folder).expect("the corpus is bundled");
    let texts = corpus
        .about
        .texts
        .iter()
        .map(|e| load::entry(e).expect("it reads").source.text().to_string());
    // Without markup and page numbers, which are not text.
    let once: String = texts
        .collect::<String>()
        .chars()
        .filter(|c| *c > '\u{2000}' || matches!(c, ',' | '\n'))
        .collect();
    let chars: Vec<char> = once.chars().filter(|c| *c as u32 > 0x3000).collect();
    let mut clauses: Vec<&str> = once.split_inclusive(['。', ',', '，', '\n']).collect();
    let mut text = String::with_capacity((megabytes << 20) + once.len());
    while text.len() < megabytes << 20 {
        for n in (1..clauses.len()).rev() {
            clauses.swap(n, dice.below(n + 1));
        }
        text.extend(
            clauses.iter().flat_map(|c| c.chars()).map(|c| {
                if dice.below(100) < REPLACED { chars[dice.below(chars.len())] } else { c }
            }),
        );
    }
    text
}

/// The place of a stretch of the text, its words with some characters changed, added or left out,
/// and how many may differ.
fn quotation(text: &[char], dice: &mut Dice) -> (usize, Vec<char>, usize) {
    let n = 6 + dice.below(19);
    let at = dice.below(text.len() - n - 1);
    let mut words = text[at..at + n].to_vec();
    let most = if n < 7 { 1 } else { 2 };
    for _ in 0..dice.below(most + 1) {
        let place = dice.below(words.len());
        let other = text[dice.below(text.len() - 1)];
        match dice.below(4) {
            0 => words.insert(place, other),
            // Shorter words are looked up with only one difference, as in references.
            1 if words.len() > 7 || most == 1 => _ = words.remove(place),
            _ => words[place] = other,
        }
    }
    (at, words, most)
}
