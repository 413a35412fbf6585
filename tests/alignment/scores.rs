//! How well the aligner aligns, against beads made by hand: the bundled pair as it is, in clauses,
//! without punctuation and with the typical faults of real pages (`tests/scores/alignment.tsv`);
//! and, where the hand-aligned chapter is beside the project, the whole of it
//! (`tests/scores/alignment-beside.tsv`). The tables must match exactly: a lower score is a fault,
//! and a higher one must be recorded (`SNAPSHOTS=overwrite cargo test --test alignment`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use zhushu::corpus::TextEntry;
use zhushu::model::{Alignment, Document, Layer, LayerKind};
use zhushu::passes::align::{Grain, Options, align};
use zhushu::score::{BeadScore, Calibration, FoundBead, GoldBeads, carried_over, found};
use zhushu::source::Source;
use zhushu::{load, pipeline, readers};

use crate::support::{corpus, perturb, tables};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const CLAUSES: Options = Options { by: Grain::Clause, prior: true };
const HEAD: &str = "# what\tstrict F1\tright\tgold\tfound\tlink F1\texpected calibration error\n";

/// A separate text, with its layers separated.
fn text(path: &Path) -> Document {
    (*pipeline::run(vec![load::entry(&TextEntry::file(path)).expect("it reads")]).documents[0])
        .clone()
}

/// The part of the chapter that is bundled, and its translation.
fn bundled() -> (Document, Document) {
    let corpus = Path::new(ROOT).join("corpus");
    (text(&corpus.join("yili-05-zhushu.txt")), text(&corpus.join("yili-05-jinyi.txt")))
}

/// Beads of clauses by hand, in groups of sentences.
fn by_hand(file: &str, classic: &Document, translation: &Document) -> GoldBeads {
    let figures =
        std::fs::read_to_string(Path::new(ROOT).join("tests/gold").join(file)).expect("figures");
    GoldBeads::read(&figures, &classic.source, &translation.source)
        .expect("they are places of these texts")
}

fn judged(
    gold: &GoldBeads,
    classic: &Document,
    translation: &Document,
    options: &Options,
) -> BeadScore {
    let alignment = align(classic, translation, options).alignment;
    gold.score(&found(&alignment, &classic.source, &translation.source))
}

/// The classic alone, without its punctuation, in lines of seventeen characters.
fn unpunctuated(classic: &Document) -> Document {
    let base = classic.segments.iter().filter(|s| s.layer.kind() == LayerKind::Base);
    let words: Vec<char> = base
        .flat_map(|s| classic.words(s.span).chars().collect::<Vec<_>>())
        .filter(|c| c.is_alphabetic())
        .collect();
    let lines: String = words.chunks(17).flat_map(|l| l.iter().chain(['\n'].iter())).collect();
    readers::read(Source::from_text("bare.txt", lines), Some("plain")).expect("it reads")
}

/// Rows of a table and the certainties of all of them.
#[derive(Default)]
struct Table {
    rows: String,
    calibration: Calibration,
}

impl Table {
    fn push(&mut self, what: &str, score: &BeadScore) {
        let (s, l) = (score.strict, score.links);
        let ece = score.calibration.ece();
        let _ = writeln!(
            self.rows,
            "{what}\t{:.4}\t{}\t{}\t{}\t{:.4}\t{ece:.4}",
            s.f1(),
            s.right,
            s.gold,
            s.found,
            l.f1()
        );
        self.calibration += &score.calibration;
    }

    fn hold(&self, file: &str) {
        let mut now = format!(
            "{HEAD}{}# all beads above by the certainty given: from, beads, mean given, right\n",
            self.rows
        );
        for b in self.calibration.bins.iter().filter(|b| b.n > 0) {
            let _ = writeln!(now, "{:.2}\t{}\t{:.3}\t{}", b.from, b.n, b.given(), b.right);
        }
        let _ = writeln!(now, "ece\t{}\t{:.4}", self.calibration.n(), self.calibration.ece());
        tables::hold(Path::new(ROOT).join("tests/scores").join(file), &now);
    }
}

#[test]
fn the_bundled_pair_and_what_is_made_of_it() {
    let (classic, translation) = bundled();
    let clauses = by_hand("yili-05-clauses.tsv", &classic, &translation);
    let mut table = Table::default();
    table.push(
        "sentences",
        &judged(&clauses.grouped(), &classic, &translation, &Options::default()),
    );
    table.push("clauses", &judged(&clauses, &classic, &translation, &CLAUSES));
    let none = Options { prior: false, ..Options::default() };
    table.push(
        "sentences, without the list of modern words",
        &judged(&clauses.grouped(), &classic, &translation, &none),
    );
    let bare = unpunctuated(&classic);
    let beads = found(
        &align(&bare, &translation, &Options::default()).alignment,
        &bare.source,
        &translation.source,
    );
    table.push(
        "sentences, classic unpunctuated",
        &clauses.grouped().score(&carried_over(beads, &bare, &classic.source)),
    );
    let pair = perturb::whole(perturb::sentences(&classic, &translation));
    for (name, change) in perturb::CHANGES {
        table.push(name, &perturb::measure(&pair, *change, 1..3, &Options::default()));
    }
    table.push(
        "sections out of order",
        &perturb::judge(&perturb::made_out_of_order(&pair), &Options::default()).0,
    );
    table.hold("alignment.tsv");
}

/// Translation lines with text in a bead with text of the classic.
fn lines_aligned(alignment: &Alignment, translation: &Document) -> Vec<usize> {
    let spans =
        alignment.beads.iter().filter(|b| !b.source.is_empty()).flat_map(|b| &b.translation);
    spans.map(|s| translation.source.place(s.start()).line).collect()
}

/// Every line with text is aligned, without a source, or marked as not part of the translation;
/// none is lost.
fn every_line_is_accounted_for(alignment: &Alignment, translation: &Document) {
    let source = &translation.source;
    let spans: Vec<_> = alignment.beads.iter().flat_map(|b| b.translation.clone()).collect();
    for s in translation.segments.iter().filter(|s| s.layer != Layer::Blank) {
        let in_beads = spans.iter().filter(|span| span.overlap(s.span) > 0).count() > 0;
        match s.layer {
            Layer::Translation => assert!(in_beads, "{} is in no bead", source.slice(s.span)),
            Layer::Furniture => {
                assert!(!in_beads && !s.evidence.is_empty(), "{} is aligned", source.slice(s.span))
            }
            _ => {}
        }
    }
}

#[test]
fn in_a_build_every_bead_is_right_and_the_rest_of_the_page_has_no_source() {
    let library = corpus::library();
    let [alignment] = &library.alignments[..] else { panic!("one pair") };
    let classic = library.get(&alignment.source).expect("the classic");
    let translation = library.get(&alignment.translation).expect("the translation");
    let gold = by_hand("yili-05-clauses.tsv", classic, translation).grouped();
    let score = gold.score(&found(alignment, &classic.source, &translation.source));
    assert_eq!((score.strict.right, score.strict.gold, score.strict.found), (30, 30, 30));
    every_line_is_accounted_for(alignment, translation);
    let last = lines_aligned(alignment, translation).into_iter().max();
    assert_eq!(last, Some(43), "the classic ends with 獻獲者于侯");
    let alone =
        translation.diagnostics.iter().find(|d| d.code == "no-counterpart").expect("it is said");
    let span = alone.span.expect("with its place");
    assert_eq!(
        (source_line(translation, span.start()), source_line(translation, span.end())),
        (44, 300)
    );
}

fn source_line(document: &Document, at: usize) -> usize {
    document.source.place(at).line
}

/// The hand-aligned chapter, if it is beside the project.
fn beside() -> Option<PathBuf> {
    let shared = Path::new(ROOT).join("../shared");
    if !shared.join("gold/align_xiangshe.json").is_file() {
        eprintln!("skipped: no hand-aligned chapter beside the project");
        return None;
    }
    Some(shared)
}

/// The chapter's beads of sentences by hand: as lines of the classic and lines of the page, and as
/// text.
fn chapter_gold(
    shared: &Path,
    classic: &Document,
    translation: &Document,
) -> (GoldBeads, Vec<perturb::Bead>) {
    const FIRST_LINE: usize = 6;
    let json = std::fs::read_to_string(shared.join("gold/align_xiangshe.json")).expect("gold");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let ids = |bead: &serde_json::Value, name: &str| -> Vec<usize> {
        bead[name]
            .as_array()
            .expect("ids")
            .iter()
            .map(|i| i.as_u64().expect("a number") as usize)
            .collect()
    };
    let words = |name: &str, ids: &[usize]| -> Vec<String> {
        ids.iter()
            .map(|i| json[name][i - 1]["text"].as_str().expect("its words").to_string())
            .collect()
    };
    let (mut figures, mut beads) = (String::new(), Vec::new());
    for bead in json["beads"].as_array().expect("beads") {
        let (left, right) = (ids(bead, "jing"), ids(bead, "trans"));
        let lines = |ids: &[usize], first: usize| {
            ids.iter().map(|i| (i + first - 1).to_string()).collect::<Vec<_>>().join(" ")
        };
        let _ = writeln!(figures, "{}\t{}", lines(&left, 1), lines(&right, FIRST_LINE));
        beads.push(perturb::Bead {
            classic: words("jing", &left),
            translation: words("trans", &right),
        });
    }
    (GoldBeads::read(&figures, &classic.source, &translation.source).expect("figures"), beads)
}

#[test]
fn the_whole_chapter() {
    let Some(shared) = beside() else { return };
    let (classic, translation) = (text(&shared.join("samples/xiangshe_jing.txt")), bundled().1);
    let (gold, pair) = chapter_gold(&shared, &classic, &translation);
    let mut table = Table::default();
    table.push("sentences", &judged(&gold, &classic, &translation, &Options::default()));
    let clauses = by_hand("yili-05-chapter-clauses.tsv", &classic, &translation);
    assert!(clauses.len() > 500);
    table.push("clauses of 147 sentences", &judged(&clauses, &classic, &translation, &CLAUSES));
    let none = Options { prior: false, ..Options::default() };
    table.push(
        "sentences, without the list of modern words",
        &judged(&gold, &classic, &translation, &none),
    );
    let page = text(&shared.join("samples/kanripo/KR1d0026_005.txt"));
    let alignment = align(&page, &translation, &Options::default()).alignment;
    every_line_is_accounted_for(&alignment, &translation);
    assert!(
        lines_aligned(&alignment, &translation).iter().all(|l| (6..=300).contains(l)),
        "the second copy is aligned"
    );
    let beads = found(&alignment, &page.source, &translation.source);
    table.push(
        "sentences, classic of a printed edition, unpunctuated, 13 of them lost",
        &gold.score(&carried_over(beads, &page, &classic.source)),
    );
    for (k, quarter) in pair.chunks(64).enumerate() {
        let score = perturb::measure(quarter, |b, _| b, 1..2, &Options::default());
        table.push(&format!("quarter {} alone", k + 1), &score);
    }
    table.push(
        "sections out of order",
        &perturb::judge(&perturb::made_out_of_order(&pair), &Options::default()).0,
    );
    for name in ["sentences missing", "sentences divided"] {
        let change = perturb::CHANGES.iter().find(|c| c.0 == name).expect("a change").1;
        table.push(name, &perturb::measure(&pair, change, 1..2, &Options::default()));
    }
    table.hold("alignment-beside.tsv");
}

#[test]
fn a_page_in_reverse_is_not_forced() {
    let (classic, translation) = bundled();
    let mut pair = perturb::whole(perturb::sentences(&classic, &translation));
    let upright = perturb::made(&pair);
    pair.reverse();
    let reversed = perturb::made(&pair);
    let read = |text: &str, from: &str| {
        readers::read(Source::from_text("t.txt", text), Some(from)).expect("it reads")
    };
    let aligned = align(
        &read(&upright.classic, "plain"),
        &read(&reversed.translation, "jinyi"),
        &Options::default(),
    );
    let beads = aligned
        .alignment
        .beads
        .iter()
        .filter(|b| !b.source.is_empty() && !b.translation.is_empty())
        .count();
    assert!(beads * 4 <= pair.len(), "{beads} beads of texts that run against each other");
    let codes: Vec<&str> =
        aligned.source.iter().chain(&aligned.translation).map(|d| &*d.code).collect();
    assert!(codes.contains(&"hardly-related"), "{codes:?}");
}

#[test]
fn beads_are_scored_as_they_should_be() {
    let source = |text: &str| Source::from_text("t.txt", text);
    let (a, b) = (source("甲乙。\n丙丁。\n戊己。\n"), source("一二。\n三四。\n五六。\n"));
    let gold = GoldBeads::read("1\t1\n2 3\t2\n-\t3\n", &a, &b).expect("figures");
    let points = |of: &[(usize, usize)]| of.iter().map(|&(from, to)| from..to).collect();
    let bead = |a: &[(usize, usize)], b: &[(usize, usize)]| FoundBead {
        source: points(a),
        translation: points(b),
        certainty: 0.9,
    };
    let exact = [bead(&[(0, 3)], &[(0, 3)]), bead(&[(4, 7), (8, 11)], &[(4, 7)])];
    let finer =
        [bead(&[(0, 1)], &[(0, 1)]), bead(&[(1, 3)], &[(1, 3)]), bead(&[(4, 11)], &[(4, 7)])];
    let too_much = [bead(&[(0, 3)], &[(0, 3)]), bead(&[(4, 11)], &[(4, 11)])];
    let of = |beads: &[FoundBead]| {
        let s = gold.score(beads);
        (
            (s.strict.right, s.strict.gold, s.strict.found),
            (s.links.right, s.links.gold, s.links.found),
        )
    };
    assert_eq!(of(&exact), ((2, 2, 2), (3, 3, 3)));
    assert_eq!(of(&finer), ((2, 2, 2), (3, 3, 3)));
    assert_eq!(of(&too_much), ((1, 2, 2), (3, 3, 5)));
    for wrong in ["1\t9", "1:3-9\t1", "1 1\t1", "1 2"] {
        assert!(GoldBeads::read(wrong, &a, &b).is_err(), "{wrong}");
    }
}
