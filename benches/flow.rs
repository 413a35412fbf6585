//! Throughput and memory of reading, separating layers and writing TEI, on the bundled texts
//! repeated to 1, 3 and 10 MB. Growth should be linear: the throughput of a row should not fall
//! from left to right.
//!
//! `cargo bench --bench flow` prints time, throughput and peak memory (`max alloc`) of each. One
//! thread: figures are for one core.

use std::io;

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher, black_box};
use zhushu::corpus::Library;
use zhushu::model::Document;
use zhushu::passes::{Context, PASSES, Stage};
use zhushu::source::Source;
use zhushu::{pipeline, readers, writers};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

/// Sizes in megabytes.
const SIZES: [usize; 3] = [1, 3, 10];

/// Texts whose layers are marked, with their readers.
const MARKED: [&str; 2] = ["yili-07-judou.md", "yili-05-jishi.txt"];

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was made before");
    divan::main();
}

/// A bundled text repeated to `megabytes`.
fn source(name: &str, megabytes: usize) -> Source {
    let path = format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let once = std::fs::read_to_string(&path).expect("the corpus is bundled");
    // The opening of the file (front matter, titles) is not repeated.
    let body = &once[once.find("\n\n").map_or(0, |i| i + 2)..];
    let mut text = once.clone();
    while text.len() < megabytes << 20 {
        text.push('\n');
        text.push_str(body);
    }
    Source::from_text(path, text)
}

fn layers(mut document: Document) -> Document {
    let library = Library::default();
    let context = Context::new(&library);
    for pass in PASSES.iter().filter(|p| p.stage == Stage::Layers) {
        (pass.run)(&mut document, &context);
    }
    document
}

fn bytes(name: &str, megabytes: usize) -> BytesCount {
    BytesCount::new(source(name, megabytes).text().len())
}

#[divan::bench(args = SIZES, consts = [0, 1], sample_count = 3, sample_size = 1)]
fn read_marked<const TEXT: usize>(bencher: Bencher<'_, '_>, megabytes: usize) {
    let name = MARKED[TEXT];
    bencher
        .counter(bytes(name, megabytes))
        .with_inputs(|| source(name, megabytes))
        .bench_values(|s| black_box(readers::read(s, None)));
}

#[divan::bench(args = SIZES, consts = [0, 1], sample_count = 3, sample_size = 1)]
fn layers_of_marked<const TEXT: usize>(bencher: Bencher<'_, '_>, megabytes: usize) {
    let name = MARKED[TEXT];
    let read = || readers::read(source(name, megabytes), None).expect("it reads");
    bencher
        .counter(bytes(name, megabytes))
        .with_inputs(read)
        .bench_values(|d| black_box(layers(d)));
}

#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn read_and_split(bencher: Bencher<'_, '_>, megabytes: usize) {
    let name = "yili-05-zhushu.txt";
    bencher
        .counter(bytes(name, megabytes))
        .with_inputs(|| source(name, megabytes))
        .bench_values(|s| black_box(layers(readers::read(s, None).expect("it reads"))));
}

#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn write_tei(bencher: Bencher<'_, '_>, megabytes: usize) {
    let name = "yili-07-judou.md";
    let mut document = layers(readers::read(source(name, megabytes), None).expect("it reads"));
    document.number();
    let library = Library::default();
    let writer = writers::by_name("tei").expect("it is in the table");
    bencher.counter(bytes(name, megabytes)).bench_local(|| {
        (writer.write)(black_box(&document), &library, &mut io::sink()).expect("a sink takes all")
    });
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn everything(bencher: Bencher<'_, '_>, megabytes: usize) {
    let name = "yili-07-judou.md";
    bencher
        .counter(bytes(name, megabytes))
        .with_inputs(|| source(name, megabytes))
        .bench_values(|s| black_box(pipeline::convert(s, None).expect("it reads")));
}
