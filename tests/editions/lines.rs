//! Lines of pages: typst sets a text full of marks, and no line, column or row of a note begins with
//! a mark that closes, ends with one that opens, or consists of marks only (避頭尾). Without typst or
//! pdftotext the test says so and passes; with `ZHUSHU_FORBID_SKIP=1` that is a failure.

use std::fs;
use std::path::Path;
use std::process::Command;

const CLOSING: &str = "。，、；：？！」』）》〉”’";
const OPENING: &str = "「『（《〈“‘";

/// Size of notes on A5, in points.
const NOTE: f64 = 8.0;

fn skip(why: &str) {
    assert!(
        std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(),
        "skipped, which is forbidden here: {why}"
    );
    eprintln!("skipped: {why}");
}

/// A text of which the lines end everywhere: sentences and notes of many lengths, with many marks.
fn text() -> String {
    let sentences = [
        "學而時習之，不亦說乎？",
        "「有朋自遠方來」，",
        "不亦樂乎！",
        "人不知而不慍。",
        "《詩》云：『如切如磋』，",
        "子貢曰：「未若貧而樂。」",
        "其斯之謂與？",
    ];
    let notes = [
        "（學者，覺也。）",
        "（《說文》云：「朋，同門也。」、「友，同志也。」）",
        "（慍，怒也；君子不怒。）",
        "（言其德也）",
        "（磋，七何反。《爾雅》：『骨謂之切，象謂之磋，玉謂之琢，石謂之磨。』皆治器之名，以喻學者之功，切之又切，磋之又磋，而後成也。）",
    ];
    let mut out = String::new();
    for i in 0..180 {
        out.push_str(sentences[i * 3 % 7]);
        if i % 2 == 1 {
            out.push_str(notes[i * 3 % 5]);
        }
        if i % 30 == 29 {
            out.push_str("\n\n");
        }
    }
    out
}

/// A character on a page: along the line, across it, and its size.
struct Glyph {
    c: char,
    along: f64,
    across: f64,
    size: f64,
}

/// The characters of each page; those of a word have equal shares of its box.
fn pages(pdf: &Path, vertical: bool) -> Option<Vec<Vec<Glyph>>> {
    let run = Command::new("pdftotext").arg("-bbox").arg(pdf).arg("-").output().ok()?;
    let mut pages: Vec<Vec<Glyph>> = vec![];
    for line in String::from_utf8(run.stdout).unwrap().lines() {
        if line.contains("<page ") {
            pages.push(vec![]);
        }
        let Some((_, rest)) = line.split_once("<word ") else { continue };
        let (sides, word) = rest.split_once('>').unwrap();
        let side = |name: &str| -> f64 {
            let (_, rest) = sides.split_once(&format!("{name}=\"")).unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        let word = word.trim_end_matches("</word>");
        let (x, y) = (side("xMin"), side("yMin"));
        let (size, n) = (side("yMax") - y, word.chars().count() as f64);
        let width = (side("xMax") - x) / n;
        for (i, c) in word.chars().enumerate() {
            let (x, y) = (x + i as f64 * width + width / 2.0, y + size / 2.0);
            let (along, across) = if vertical { (y, x) } else { (x, y) };
            pages.last_mut()?.push(Glyph { c, along, across, size });
        }
    }
    Some(pages)
}

/// Rows of notes and lines of the classic. Notes interrupt a line; only its outer ends count.
fn rows(page: &mut [Glyph]) -> Vec<String> {
    // The running head and numbers of sentences are smaller.
    page.sort_by(|a, b| {
        let key = |g: &Glyph| (g.size.round() as i64, g.across.round() as i64);
        key(a).cmp(&key(b)).then(a.along.total_cmp(&b.along))
    });
    let edges = page.iter().filter(|g| g.size > 10.0).map(|g| g.along);
    let (first, last) = edges.fold((f64::MAX, f64::MIN), |(lo, hi), at| (lo.min(at), hi.max(at)));
    let goes_on = |a: &Glyph, b: &Glyph| {
        (a.size - b.size).abs() < 0.5
            && (a.across - b.across).abs() < 1.5
            && b.along - a.along < 1.9 * a.size
    };
    let mut rows = vec![];
    for row in page.chunk_by(goes_on) {
        let (a, b) = (&row[0], &row[row.len() - 1]);
        let is_note = (a.size - NOTE).abs() < 0.1;
        if a.size < NOTE - 0.1 {
            continue;
        }
        let mut words: String = row.iter().map(|g| g.c).collect();
        if !is_note {
            // A character in place of what is not an end of a line.
            let inner = [(a.along - first) > 1.2 * a.size, (last - b.along) > 1.6 * a.size];
            words = format!(
                "{}{words}{}",
                if inner[0] { "…" } else { "" },
                if inner[1] { "…" } else { "" }
            );
        }
        rows.push(words);
    }
    rows
}

#[test]
fn no_line_begins_or_ends_with_the_wrong_mark() {
    let program = std::env::var_os("TYPST").unwrap_or_else(|| "typst".into());
    if !Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success()) {
        return skip("there is no typst");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), text()).unwrap();
    let pdf = folder.path().join("a.pdf");
    for options in [
        "",
        "--marks half",
        "--marks hanging",
        "--paper b5",
        "--vertical",
        "--vertical --marks hanging",
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_zhushu"))
            .env("ZHUSHU_LIBRARY", "")
            .args(["export", "a.txt", "--no-numbers", "-o", "a.pdf"])
            .args(options.split_whitespace())
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(run.status.success(), "{options}: {}", String::from_utf8_lossy(&run.stderr));
        if options.contains("b5") {
            continue;
        }
        let Some(mut pages) = pages(&pdf, options.contains("vertical")) else {
            return skip("there is no pdftotext");
        };
        // After the title page and the colophon.
        let rows: Vec<String> = pages.iter_mut().skip(2).flat_map(|page| rows(page)).collect();
        assert!(rows.len() > 100, "{options}: {rows:?}");
        for row in &rows {
            let mark = |marks: &str, c: Option<char>| c.is_some_and(|c| marks.contains(c));
            assert!(!mark(CLOSING, row.chars().next()), "{options}: it begins with a mark: {row}");
            assert!(!mark(OPENING, row.chars().next_back()), "{options}: it ends with: {row}");
            let only = row.chars().all(|c| CLOSING.contains(c) || OPENING.contains(c));
            assert!(!only, "{options}: marks only: {row}");
        }
    }
}
