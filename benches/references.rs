//! How fast mentions of other chapters are read and placed: a sub-commentary that cites one chapter
//! after another, quoted or in other words, against a corpus of 1 and 3 MB. Growth should be linear:
//! the rate should hardly fall with the size of the corpus, nor with the number of mentions.
//!
//! `cargo bench --bench references` prints mentions a second of processor time, on one core; `… --
//! 3` for a corpus of 3 MB only. The corpus has the seventeen chapters of the 儀禮 by name, and the
//! words of the bundled 句讀 shuffled by clauses, with a quarter of the characters replaced.

#[path = "support/dice.rs"]
mod dice;

use std::sync::Arc;
use std::time::Instant;

use dice::Dice;
use zhushu::corpus::Library;
use zhushu::model::{Document, Layer, LinkKind, Segment};
use zhushu::passes::{Context, PASSES};
use zhushu::source::Source;

const CHAPTERS: [&str; 17] = [
    "士冠禮",
    "士昏禮",
    "士相見禮",
    "鄉飲酒禮",
    "鄉射禮",
    "燕禮",
    "大射儀",
    "聘禮",
    "公食大夫禮",
    "覲禮",
    "喪服",
    "士喪禮",
    "既夕禮",
    "士虞禮",
    "特牲饋食禮",
    "少牢饋食禮",
    "有司徹",
];

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was made before");
    let mut dice = Dice(7);
    let words = clauses();
    let asked: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    for megabytes in if asked.is_empty() { vec![1, 3] } else { asked } {
        let chapters: Vec<Document> = CHAPTERS
            .iter()
            .map(|c| chapter(c, (megabytes << 20) / CHAPTERS.len(), &words, &mut dice))
            .collect();
        for mentions in [5_000, 20_000] {
            let citing = subcommentary(mentions, &chapters, &mut dice);
            measure(megabytes, mentions, &chapters, citing);
        }
    }
}

fn measure(megabytes: usize, mentions: usize, chapters: &[Document], citing: Document) {
    let all = chapters.iter().chain([&citing]).cloned().map(Arc::new);
    let library = Library { documents: all.collect(), ..Library::default() };
    let context = Context::new(&library);
    context.index().words();
    let pass = PASSES.iter().find(|p| p.name == "references").expect("it is in the table");
    // The tables that the first look-up makes are those of the corpus, however many mentions there are.
    (pass.run)(&mut citing.clone(), &context);
    let mut document = citing;
    let start = Instant::now();
    (pass.run)(&mut document, &context);
    let seconds = start.elapsed().as_secs_f64();
    let cited = document.links.iter().filter(|l| l.kind == LinkKind::Citation);
    let placed = cited.clone().filter(|l| l.target.is_some()).count();
    println!(
        "{megabytes} MB, {mentions:>6} mentions: {:>8.0} a second; {} links, {placed} placed",
        mentions as f64 / seconds,
        cited.count(),
    );
}

/// The clauses of a bundled text.
fn clauses() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/yili-07-judou.md");
    let text = std::fs::read_to_string(path).expect("the corpus is bundled");
    let plain: String = text.chars().filter(|c| *c > '\u{2fff}' || *c == '\n').collect();
    let clauses = plain.split(['。', '，', '、', '；', '：', '\n']);
    clauses.filter(|c| (3..24).contains(&c.chars().count())).map(String::from).collect()
}

fn text_of(bytes: usize, clauses: &[String], dice: &mut Dice) -> String {
    let chars: Vec<char> = clauses.iter().flat_map(|c| c.chars()).collect();
    let mut text = String::with_capacity(bytes + 100);
    while text.len() < bytes {
        for c in clauses[dice.below(clauses.len())].chars() {
            text.push(if dice.below(4) == 0 { chars[dice.below(chars.len())] } else { c });
        }
        text.push('，');
    }
    text
}

fn document(id: &str, chapter: &str, layer: Layer, text: String) -> Document {
    let mut document = Document::new(Arc::new(Source::from_text(id, text)), "bench");
    document.id = id.into();
    document.meta.work = Some("儀禮".into());
    document.meta.chapter = Some(chapter.into());
    document.segments = vec![Segment::marked(layer, document.source.span())].into();
    document
}

fn chapter(title: &str, bytes: usize, clauses: &[String], dice: &mut Dice) -> Document {
    document(title, title, Layer::Jing, text_of(bytes, clauses, dice))
}

/// A sub-commentary that cites: every other mention in quotation marks.
fn subcommentary(mentions: usize, chapters: &[Document], dice: &mut Dice) -> Document {
    let texts: Vec<Vec<char>> =
        chapters.iter().map(|d| d.source.text().chars().collect()).collect();
    let mut text = String::new();
    for n in 0..mentions {
        let at = dice.below(chapters.len());
        let length = 6 + dice.below(12);
        let from = dice.below(texts[at].len() - length);
        let words: String = texts[at][from..from + length].iter().collect();
        let words = words.trim_matches('，');
        match n % 2 {
            0 => text.push_str(&format!("案《{}》云：“{words}。”是也。", CHAPTERS[at])),
            _ => text.push_str(&format!("《{}》{words}，故知之。", CHAPTERS[at])),
        }
    }
    document("shu", "鄉射禮", Layer::Shu, text)
}
