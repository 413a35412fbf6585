//! The cost of searching a large library: the bundled texts repeated, with one character in twelve
//! changed each time, to about 100 MB (or as many as the environment variable `MEGABYTES` says).
//!
//! `cargo bench --bench search` prints the speed of building on one thread, the size of the index,
//! and, for phrases of 8 and 2 characters, the processor time of whole processes: `zhushu search`
//! beside `ripgrep` on the same texts, each in its file and all in one, if it is installed. With
//! `KEEP=FOLDER` index and texts stay in that folder. Processor time of children is read from /proc, so the comparison needs Linux.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use zhushu::corpus::Library;
use zhushu::model::{Document, Layer};
use zhushu::search::{self, Index};
use zhushu::source::Source;
use zhushu::text::class::is_content;
use zhushu::{load, pipeline};

/// How often each process is run.
const RUNS: usize = 50;
/// Phrases of each length.
const PHRASES: usize = 5;
/// One character in this many is changed.
const CHANGED: u64 = 12;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was made before");
    let megabytes: usize =
        std::env::var("MEGABYTES").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let library = library(megabytes << 20);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kept = std::env::var_os("KEEP").map(std::path::PathBuf::from);
    let out = kept.as_deref().unwrap_or(folder.path());
    let (index, text, texts) = (out.join("index"), out.join("all.txt"), out.join("texts"));
    fs::create_dir_all(&texts).expect("there is room");
    let mut all = String::new();
    for document in &library.documents {
        let own = document.source.text();
        fs::write(texts.join(format!("{}.txt", document.id)), own).expect("there is room");
        all.push_str(own);
    }
    fs::write(&text, &all).expect("there is room");
    built(&library, &index);
    for length in [8, 2] {
        for phrase in phrases(&library, length) {
            compare(&phrase, out, [&texts, &text]);
        }
    }
}

fn built(library: &Library, index: &Path) {
    let (built, first) = seconds(|| search::build(library, index).expect("it is built"));
    let megabytes = built.input as f64 / 1e6;
    println!(
        "{megabytes:.1} MB of text, {} texts, {} files of index",
        library.documents.len(),
        built.written
    );
    println!("building  {:.1} MB/s on one thread", megabytes / first);
    println!(
        "size      {:.2} bytes of index a byte of text",
        built.bytes as f64 / built.input as f64
    );
    let (again, second) = seconds(|| search::build(library, index).expect("it is built"));
    println!("again     {:.1} MB/s, {} files rebuilt", megabytes / second, again.written);
    let start = Instant::now();
    Index::open(index).expect("it opens");
    println!("opening   {:.0} µs", start.elapsed().as_secs_f64() * 1e6);
}

/// Prints the processor time of counting and of showing 20 hits, and of ripgrep's counting in each of two
/// places.
fn compare(phrase: &str, out: &Path, texts: [&Path; 2]) {
    let ours = |more: &[&str]| {
        cpu(Command::new(env!("CARGO_BIN_EXE_zhushu"))
            .arg("search")
            .arg(phrase)
            .arg("--index")
            .arg(out)
            .args(more))
    };
    let (Some(count), Some(show)) = (ours(&["--count"]), ours(&[])) else {
        return println!("{phrase}  (no /proc: skipped)");
    };
    print!("{phrase:　<8}  zhushu --count {count:6.2} ms, 20 hits {show:6.2} ms");
    for (name, text) in ["files", "one file"].iter().zip(texts) {
        let search = ["--fixed-strings", "--count-matches", phrase];
        match cpu(Command::new("rg").args(search).arg(text)) {
            Some(theirs) => {
                print!(
                    "   ripgrep, {name}, {theirs:6.2} ms: {:.2}, {:.2}",
                    count / theirs,
                    show / theirs
                )
            }
            None => print!("   (ripgrep is not installed: skipped)"),
        }
    }
    println!();
}

/// Milliseconds of processor time of a process, user and system; `None` if it cannot be run or
/// measured.
fn cpu(command: &mut Command) -> Option<f64> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok()?;
    let before = children()?;
    for _ in 0..RUNS {
        command.status().ok()?;
    }
    Some((children()? - before) / RUNS as f64)
}

/// Milliseconds of processor time of all children that have ended.
fn children() -> Option<f64> {
    times(13)
}

/// Milliseconds of user and system time: of this process (11) or of its children (13). Clock ticks
/// are hundredths of a second on Linux.
fn times(first: usize) -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(
        10.0 * (fields.get(first)?.parse::<f64>().ok()?
            + fields.get(first + 1)?.parse::<f64>().ok()?),
    )
}

/// Seconds of processor time that `work` takes (wall-clock time if processor time is not
/// available).
fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (clock, before) = (Instant::now(), times(11));
    let done = work();
    let clock = clock.elapsed().as_secs_f64();
    (done, times(11).zip(before).map_or(clock, |(after, before)| (after - before) / 1e3))
}

/// The bundled texts repeated, with small changes each time. Lengths in bytes stay the same, so
/// layers do too.
fn library(bytes: usize) -> Library {
    let corpus = load::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"))
        .expect("the corpus is bundled");
    let once = pipeline::run(load::read(&corpus).expect("it reads").documents);
    let mut draw = Draw(5);
    let pool: Vec<char> = once
        .documents
        .iter()
        .flat_map(|d| d.source.text().chars())
        .filter(|c| is_content(*c) && c.len_utf8() == 3)
        .collect();
    let mut library = Library::default();
    let mut size = 0;
    for turn in 0.. {
        for document in &once.documents {
            if size >= bytes {
                return library;
            }
            let text: String =
                document.source.text().chars().map(|c| changed(c, &pool, &mut draw)).collect();
            size += text.len();
            let mut copy: Document = (**document).clone();
            copy.id = format!("{}-{turn}", document.id);
            copy.source = Arc::new(Source::from_text(format!("{}.txt", copy.id), text));
            library.documents.push(Arc::new(copy));
        }
    }
    library
}

fn changed(c: char, pool: &[char], draw: &mut Draw) -> char {
    if c.len_utf8() == 3 && is_content(c) && draw.below(CHANGED) == 0 {
        pool[draw.below(pool.len() as u64) as usize]
    } else {
        c
    }
}

/// Phrases of the classic, without a mark inside, from the first texts.
fn phrases(library: &Library, length: usize) -> Vec<String> {
    let mut draw = Draw(length as u64);
    let mut phrases = vec![];
    let passages: Vec<&str> = library.documents[..5]
        .iter()
        .flat_map(|d| d.of_layer(Layer::Jing).map(|s| d.slice(s.span)))
        .collect();
    while phrases.len() < PHRASES {
        let passage: Vec<char> =
            passages[draw.below(passages.len() as u64) as usize].chars().collect();
        let from = draw.below(passage.len() as u64) as usize;
        let phrase: String =
            passage[from..].iter().take(length).take_while(|c| is_content(**c)).collect();
        if phrase.chars().count() == length {
            phrases.push(phrase);
        }
    }
    phrases
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}
