//! Readers by the byte, and whole books.
//!
//! `cargo bench --bench books` first prints how fast each reader reads a text in its shape, made
//! from the bundled 句讀 or taken from the corpus and repeated to 1 MB, and how many times as long as
//! the median of all and as the fastest it takes. The fastest only finds paragraphs, and leaves the
//! layers to a pass. No reader should take five times the median. Then a book of numbered
//! chapters (the bundled 注疏 under made-up titles, with a table of contents before them) is read,
//! cut into its chapters and split, at 1, 2 and 4 MB: the throughput should not fall from left to
//! right. One thread: figures are for one core. Allocations are not counted here: counting them
//! doubles the time of readers that make many small ones.

use std::time::{Duration, Instant};

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use zhushu::Settings;
use zhushu::corpus::Library;
use zhushu::model::{Document, Layer};
use zhushu::source::Source;
use zhushu::{pipeline, readers, writers};

/// Sizes of books in megabytes.
const SIZES: [usize; 3] = [1, 2, 4];
/// Bytes of the texts for the readers.
const TEXT_BYTES: usize = 1 << 20;
/// How often each reader reads its text.
const ROUNDS: usize = 3;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was made before");
    // Under `cargo test --benches` a figure is of no use.
    if std::env::args().any(|a| a == "--bench") {
        print_readers();
    }
    divan::main();
}

/// Prints the throughput of each reader on a text in its shape.
fn print_readers() {
    let runs = Runs::of_judou();
    let mut rows: Vec<(&str, f64)> = readers::Readers::default()
        .names()
        .into_iter()
        .filter_map(|name| {
            let source = Source::from_text("text.txt", runs.in_shape_of(name)?);
            let bytes = source.text().len() as f64;
            Some((name, bytes / shortest(&source, name).as_secs_f64() / 1e6))
        })
        .collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (fastest, median) = (rows[0].1, rows[rows.len() / 2].1);
    println!("readers, {} KB each        MB/s   times the median   the fastest", TEXT_BYTES >> 10);
    for (name, speed) in &rows {
        println!("  {name:20} {speed:8.1} {:18.1} {:13.1}", median / speed, fastest / speed);
    }
}

fn shortest(source: &Source, name: &str) -> Duration {
    let read = |_| {
        let source = Source::from_text("text.txt", source.text());
        let start = Instant::now();
        black_box(readers::read(source, Some(name)).expect("it reads"));
        start.elapsed()
    };
    (0..ROUNDS).map(read).min().expect("more than one round")
}

fn corpus(name: &str) -> String {
    let path = format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the corpus is bundled")
}

/// A bundled text again and again, without what opens the file (front matter, titles).
fn repeated(name: &str, bytes: usize) -> String {
    let once = corpus(name);
    let body = &once[once.find("\n\n").map_or(0, |i| i + 2)..];
    let mut text = once.clone();
    while text.len() < bytes {
        text.push('\n');
        text.push_str(body);
    }
    text
}

/// 經 and the 注 on it, by turns, from the bundled 句讀.
struct Runs {
    pairs: Vec<(String, String)>,
    judou: Document,
}

impl Runs {
    fn of_judou() -> Self {
        let judou = readers::read(Source::from_text("a.md", corpus("yili-07-judou.md")), None)
            .expect("it reads");
        let mut pairs: Vec<(String, String)> = vec![];
        for s in &judou.segments {
            let words = judou.slice(s.span).split_whitespace().collect::<String>();
            match s.layer {
                Layer::Jing if pairs.last().is_none_or(|p| !p.1.is_empty()) => {
                    pairs.push((words, String::new()));
                }
                Layer::Jing => pairs.last_mut().expect("just looked at").0.push_str(&words),
                Layer::Zhu => {
                    if let Some(last) = pairs.last_mut() {
                        last.1.push_str(&words);
                    }
                }
                _ => {}
            }
        }
        pairs.retain(|(_, zhu)| !zhu.is_empty());
        Runs { pairs, judou }
    }

    /// A text in the shape that a reader reads, if this program can make one.
    fn in_shape_of(&self, reader: &str) -> Option<String> {
        Some(match reader {
            "judou" => repeated("yili-07-judou.md", TEXT_BYTES),
            "jishi" => repeated("yili-05-jishi.txt", TEXT_BYTES),
            "zhushu" => repeated("yili-05-zhushu.txt", TEXT_BYTES),
            "jinyi" => repeated("yili-05-jinyi.txt", TEXT_BYTES),
            "tei" => self.tei(),
            "xml" => {
                let head = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body>";
                self.joined(head, "<p>", "<note>", "</note>", "</p>\n") + "</body></text></TEI>"
            }
            "json" => {
                let head = "[{\"title\":\"大射儀\",\"paragraphs\":[\"";
                self.joined(head, "", "\"],\"notes\":[\"", "\"]},{\"paragraphs\":[\"", "\n")
                    .replace('\n', "")
                    + "\"]}]"
            }
            "mandoku" => {
                let head = "# -*- mode: mandoku-view; -*-\n#+TITLE: 儀禮\n#+PROPERTY: JUAN 7\n";
                self.joined(head, "", "(", ")", "¶\n")
            }
            "marks" => self.joined("", "", "〔注〕", "", "\n"),
            "turns" => self.joined("", "", "\n", "", "\n\n"),
            "numbered" => self.joined("", "", "〔一〕\n\n〔一〕", "", "\n\n"),
            "sections" => self.joined("", "", "\n\n【集解】", "", "\n\n"),
            "yizhu" => self.joined("", "【原文】", "\n【注釋】", "", "\n"),
            "jing-zhuan" => self.joined("", "【經】", "\n【傳】", "", "\n"),
            "flat" => self.joined("", "", "注", "", "疏釋曰云云○\n"),
            "brackets" => self.joined("", "", "（", "）", "\n"),
            "jizhu" => self.joined("", "", "", "", "\n\n"),
            "plain" => self.joined("", "", "", "", "\n"),
            _ => return None,
        })
    }

    /// All pairs again and again between these.
    fn joined(&self, head: &str, opens: &str, note: &str, closes: &str, ends: &str) -> String {
        let mut text = head.to_string();
        for (jing, zhu) in self.pairs.iter().cycle() {
            if text.len() >= TEXT_BYTES {
                break;
            }
            text.extend([opens, jing, note, zhu, closes, ends]);
        }
        text
    }

    /// Our TEI of the 句讀, which is large enough.
    fn tei(&self) -> String {
        let library = pipeline::convert(Source::from_text("a.md", self.judou.source.text()), None)
            .expect("it reads");
        let mut out = vec![];
        let writer = writers::by_name("tei").expect("it is in the table");
        (writer.write)(&library.documents[0], &library, &mut out).expect("memory takes all");
        String::from_utf8(out).expect("TEI is UTF-8")
    }
}

/// A book of so many megabytes: title, table of contents, chapters of 11 KB with
/// numbered titles.
fn book(megabytes: usize) -> String {
    let once = corpus("yili-05-zhushu.txt");
    let paragraphs: Vec<&str> = once.split("\n\n").collect();
    let count = (megabytes << 20) / once.len().max(1);
    let title = |n: usize| {
        let letter = |k: usize| char::from_u32(0x4E10 + k as u32).expect("a character");
        format!("●卷{}　{}{}第{}", numeral(n), letter(n * 7), letter(n * 13 + 400), numeral(n))
    };
    let mut text = String::from("《山中注疏》　某氏撰\n\n目錄\n\n");
    (1..=count).for_each(|n| text.extend([&*title(n), "\n"]));
    for n in 1..=count {
        text.extend(["\n", &*title(n), "\n\n"]);
        // Every chapter begins elsewhere, so that no two are the same.
        let from = n * 3 % paragraphs.len();
        let turned = paragraphs[from..].iter().chain(&paragraphs[..from]);
        turned.for_each(|p| text.extend([p.trim(), "\n\n"]));
    }
    text
}

fn numeral(n: usize) -> String {
    let digit = |d: usize| "〇一二三四五六七八九".chars().nth(d).expect("a digit").to_string();
    let hundreds = if n >= 100 { digit(n / 100) + "百" } else { String::new() };
    let tens = match n / 10 % 10 {
        0 => String::new(),
        1 if n < 100 => "十".to_string(),
        t => digit(t) + "十",
    };
    let ones = if n.is_multiple_of(10) { String::new() } else { digit(n % 10) };
    format!("{hundreds}{tens}{ones}")
}

/// Reads a book, cuts it into its chapters and splits their layers, without references.
fn processed(text: String) -> Library {
    let mut settings = Settings::default();
    settings.references = false;
    settings.convert(Source::from_text("book.txt", text), None).expect("it reads")
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn whole_book(bencher: Bencher<'_, '_>, megabytes: usize) {
    bencher
        .counter(BytesCount::new(book(megabytes).len()))
        .with_inputs(|| book(megabytes))
        .bench_values(|text| {
            let library = processed(text);
            assert!(library.documents.len() > megabytes * 30, "it was cut into its chapters");
            library.documents.len()
        });
}
