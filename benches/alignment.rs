//! Time and memory of the aligner, compared with Gale and Church's aligner by length (“A program
//! for aligning sentences in bilingual corpora”, Computational Linguistics 19, 1993), on the
//! bundled pair repeated to 500, 5,000 and 50,000 sentences of the classic. No two repetitions are
//! the same: sentences are missing, joined, divided or reworded on either side, and names are put
//! in. Growth should be linear: ten times the sentences, ten times the time and memory.
//!
//! `cargo bench --bench alignment` prints time and peak memory (`max alloc`), after the strict F1
//! of both on the same text. One thread: figures are for one core.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use zhushu::model::Document;
use zhushu::passes::align::{Options, align};
use zhushu::readers;
use zhushu::score::{FoundBead, GoldBeads, found};
use zhushu::source::Source;
use zhushu::text::class::is_content;

#[path = "../tests/support/perturb.rs"]
mod perturb;

use perturb::{Bead, Dice, Made};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

/// Sentences of the classic.
const SIZES: [usize; 3] = [500, 5_000, 50_000];

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was made before");
    for sentences in SIZES {
        let pair = Pair::new(sentences);
        let ours = pair.f1(&found(
            &align(&pair.classic, &pair.page, &Options::default()).alignment,
            &pair.classic.source,
            &pair.page.source,
        ));
        let theirs = pair
            .f1(&pair.beads(&by_length(&pair.lengths(&pair.classic), &pair.lengths(&pair.page))));
        println!("{sentences} sentences, strict F1: {ours:.3}, by length {theirs:.3}");
    }
    divan::main();
}

/// A generated pair, read.
struct Pair {
    classic: Document,
    page: Document,
    gold: String,
}

impl Pair {
    fn new(sentences: usize) -> Self {
        let read = |name: &str, from: &str| {
            let path = format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).expect("the corpus is bundled");
            readers::read(Source::from_text(path, text), Some(from)).expect("it reads")
        };
        let classic = read("yili-05-zhushu.txt", "zhushu");
        let classic = (*zhushu::pipeline::run(vec![classic]).documents[0]).clone();
        let once =
            perturb::whole(perturb::sentences(&classic, &read("yili-05-jinyi.txt", "jinyi")));
        let Made { classic, translation, gold } = perturb::made(&repeated(&once, sentences));
        let read = |text: String, from: &str| {
            readers::read(Source::from_text("t.txt", text), Some(from)).expect("it reads")
        };
        // Not as a web page: its reader would treat repetitions as copies and use them once.
        Pair { classic: read(classic, "plain"), page: read(translation, "plain"), gold }
    }

    fn f1(&self, beads: &[FoundBead]) -> f64 {
        let gold =
            GoldBeads::read(&self.gold, &self.classic.source, &self.page.source).expect("figures");
        gold.score(beads).strict.f1()
    }

    /// Characters of each line.
    fn lengths(&self, document: &Document) -> Vec<usize> {
        document
            .source
            .text()
            .lines()
            .map(|l| l.chars().filter(|c| is_content(*c)).count())
            .collect()
    }

    fn beads(&self, steps: &[(usize, usize, usize, usize)]) -> Vec<FoundBead> {
        let (a, b) = (lines(&self.classic), lines(&self.page));
        let beads = steps.iter().filter(|s| s.1 > 0 && s.3 > 0);
        beads
            .map(|&(i, n, j, m)| FoundBead {
                source: a[i..i + n].to_vec(),
                translation: b[j..j + m].to_vec(),
                certainty: 1.0,
            })
            .collect()
    }
}

/// The code points of each line.
fn lines(document: &Document) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    let of = |l: &str| {
        let start = at;
        at += l.chars().count() + 1;
        start..at - 1
    };
    document.source.text().lines().map(of).collect()
}

/// The beads repeated, with different changes each time.
fn repeated(once: &[Bead], sentences: usize) -> Vec<Bead> {
    let mut dice = Dice::new(7);
    let mut beads: Vec<Bead> = Vec::new();
    let mut n = 0;
    while n < sentences {
        let (_, change) = perturb::CHANGES[[1, 3, 4, 6, 10][dice.below(5)]];
        for mut bead in change(once.to_vec(), &mut dice) {
            if dice.one_in(3) {
                let mut letter =
                    || char::from_u32(0x5000 + dice.below(600) as u32).expect("a character");
                let name: String = [letter(), letter(), '曰', '：'].iter().collect();
                bead.classic.iter_mut().take(1).for_each(|l| l.insert_str(0, &name));
                bead.translation
                    .iter_mut()
                    .take(1)
                    .for_each(|l| l.insert_str(0, &name.replace('曰', "說")));
            }
            n += bead.classic.len();
            beads.push(bead);
        }
    }
    beads
}

/// Half the width of the diagonal band of the baseline, which is quadratic without one.
const BAND: usize = 500;
/// Types of beads and their costs, −100 log p, as in the paper's program.
const TYPES: [(usize, usize, f32); 6] =
    [(1, 1, 0.0), (1, 0, 450.0), (0, 1, 450.0), (2, 1, 230.0), (1, 2, 230.0), (2, 2, 440.0)];
/// Variance of the translation's length for each character.
const VARIANCE: f32 = 6.8;

/// Gale and Church's aligner: steps `(i, n, j, m)`.
fn by_length(a: &[usize], b: &[usize]) -> Vec<(usize, usize, usize, usize)> {
    let sums = |of: &[usize]| {
        of.iter()
            .scan(0, |s, n| {
                *s += n;
                Some(*s as f32)
            })
            .collect::<Vec<_>>()
    };
    let (sa, sb) = (sums(a), sums(b));
    let upto = |of: &[f32], n: usize| if n == 0 { 0.0 } else { of[n - 1] };
    let mean = upto(&sb, b.len()) / upto(&sa, a.len()).max(1.0);
    let low = |i: usize| (i * b.len() / a.len().max(1)).saturating_sub(BAND);
    let width = 2 * BAND + 1;
    let mut costs = vec![vec![f32::INFINITY; width]; 3];
    let mut from = vec![u8::MAX; (a.len() + 1) * width];
    for i in 0..=a.len() {
        costs.rotate_right(1);
        costs[0].fill(f32::INFINITY);
        for j in low(i)..=(low(i) + width - 1).min(b.len()) {
            let at = j - low(i);
            if (i, j) == (0, 0) {
                costs[0][0] = 0.0;
            }
            for (k, &(n, m, cost)) in TYPES.iter().enumerate().filter(|(_, t)| t.0 <= i && t.1 <= j)
            {
                let Some(before) = (j - m).checked_sub(low(i - n)).filter(|c| *c < width) else {
                    continue;
                };
                let (x, y) = (upto(&sa, i) - upto(&sa, i - n), upto(&sb, j) - upto(&sb, j - m));
                let total = costs[n][before] + cost + match_cost(x, y, mean);
                if total < costs[0][at] {
                    costs[0][at] = total;
                    from[i * width + at] = k as u8;
                }
            }
        }
    }
    let (mut i, mut j) = (a.len(), b.len());
    let mut steps = Vec::new();
    while let Some(&(n, m, _)) =
        j.checked_sub(low(i)).and_then(|at| TYPES.get(usize::from(from[i * width + at])))
    {
        (i, j) = (i - n, j - m);
        steps.push((i, n, j, m));
    }
    steps.reverse();
    steps
}

/// −100 log of the chance that lengths differ this much.
fn match_cost(x: f32, y: f32, mean: f32) -> f32 {
    if x + y == 0.0 {
        return 0.0;
    }
    let z = ((x * mean - y) / (VARIANCE * (x + y / mean) / 2.0).sqrt()).abs();
    // The tail of the normal distribution (Abramowitz and Stegun 26.2.17).
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let poly = t
        * (0.319_381_54
            + t * (-0.356_563_78 + t * (1.781_477_9 + t * (-1.821_256 + t * 1.330_274_4))));
    let tail = (-z * z / 2.0).exp() * 0.398_942_3 * poly;
    -100.0 * (2.0 * tail).max(1e-30).ln()
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn ours(bencher: Bencher<'_, '_>, sentences: usize) {
    let pair = Pair::new(sentences);
    bencher
        .counter(ItemsCount::new(sentences))
        .bench_local(|| black_box(align(&pair.classic, &pair.page, &Options::default())));
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn gale_church(bencher: Bencher<'_, '_>, sentences: usize) {
    let pair = Pair::new(sentences);
    let (a, b) = (pair.lengths(&pair.classic), pair.lengths(&pair.page));
    bencher.counter(ItemsCount::new(sentences)).bench_local(|| black_box(by_length(&a, &b)));
}
