//! Parallels as passages: text that a chapter shares with another is one link from the first shared
//! words to the last. Judged by an aligner of our own (`aligner.rs`).

use std::ops::Range;
use std::path::PathBuf;
use std::sync::LazyLock;

use zhushu::corpus::{Index, Library, Works};
use zhushu::model::{Document, Link, LinkKind};
use zhushu::source::{Source, Span};
use zhushu::{pipeline, readers};

use super::aligner;
use crate::support::corpus::root;

/// The texts beside the project, or nothing (said) where they are not there.
fn beside() -> Option<PathBuf> {
    let shared = root().join("../shared");
    if shared.join("canon").is_dir() {
        return Some(shared);
    }
    println!("skipped: no ../shared");
    None
}

fn read(paths: &[PathBuf]) -> Library {
    let document = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a text");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        readers::read(Source::from_text(&*name, text), None).expect("it reads")
    };
    pipeline::run(paths.iter().map(document).collect())
}

/// A link as ranges of the characters of the classic.
fn ranges(index: &Index, document: &Document, span: Span) -> Option<Range<usize>> {
    let base = &index.get(&document.id)?.view.base;
    Some(base.index_at(span.start())..base.index_at(span.end()))
}

/// Of the pairs of passages of all chapters: how many there are, how many a parallel covers by
/// half on both sides.
fn covered(library: &Library) -> (usize, usize) {
    let index = Index::of(library, &Works::builtin());
    let (mut all, mut right) = (0, 0);
    for (n, a) in index.entries.iter().enumerate() {
        for b in &index.entries[n + 1..] {
            if a.chapter() == b.chapter() {
                continue;
            }
            let links = parallels(&index, &a.document, &b.document);
            for pair in aligner::pairs(a.view.base.chars(), b.view.base.chars(), 20) {
                all += 1;
                let hit = links
                    .iter()
                    .any(|(x, y)| aligner::covers(x, &pair.a) && aligner::covers(y, &pair.b));
                right += usize::from(hit);
            }
        }
    }
    (all, right)
}

/// The parallels between two documents, from either end.
fn parallels(index: &Index, a: &Document, b: &Document) -> Vec<(Range<usize>, Range<usize>)> {
    let from = |x: &Document, y: &Document| {
        let leads = |l: &&Link| {
            l.kind == LinkKind::Parallel
                && l.target.as_ref().is_some_and(|t| t.doc.as_deref() == Some(&y.id))
        };
        let spans =
            x.links.iter().filter(leads).filter_map(|l| Some((l.span, l.target.clone()?.span)));
        spans.collect::<Vec<_>>()
    };
    let there = from(a, b).into_iter();
    let back = from(b, a).into_iter().map(|(y, x)| (x, y));
    there
        .chain(back)
        .filter_map(|(x, y)| Some((ranges(index, a, x)?, ranges(index, b, y)?)))
        .collect()
}

/// The least share of the pairs of passages that parallels cover by half on both sides.
const COVERED: f64 = 0.8;

fn hold_covered(library: &Library) {
    let (all, half) = covered(library);
    println!("{half} of {all} pairs of passages are covered");
    assert!(all > 40 && half as f64 >= COVERED * all as f64, "{half} of {all}");
}

/// Three chapters with notes, one of them in two editions.
fn three_chapters() -> Option<&'static Library> {
    static LIBRARY: LazyLock<Option<Library>> = LazyLock::new(|| {
        let shared = beside()?;
        let marked = ["005", "006", "007"].map(|n| format!("kanripo/KR1d0026_{n}.txt"));
        let copies = marked.into_iter().chain(["judou/06_yanli.md".into()]);
        Some(read(&copies.map(|c| shared.join("samples").join(c)).collect::<Vec<_>>()))
    });
    LIBRARY.as_ref()
}

#[test]
fn passages_told_twice_in_three_chapters_with_notes_are_covered() {
    if let Some(library) = three_chapters() {
        hold_covered(library);
    }
}

#[test]
#[ignore = "some minutes in a debug build"]
fn passages_told_twice_in_the_whole_yili_are_covered() {
    if let Some(shared) = beside() {
        hold_covered(&read(&[shared.join("canon/仪礼.txt")]));
    }
}

#[test]
fn no_passage_is_a_parallel_of_itself() {
    let Some(library) = three_chapters() else { return };
    let index = Index::of(library, &Works::builtin());
    let mut all = 0;
    for entry in index.entries.iter() {
        let parallels = entry.document.links.iter().filter(|l| l.kind == LinkKind::Parallel);
        for other in parallels.filter_map(|l| l.target.as_ref()?.doc.as_deref()) {
            let other = index.get(other).expect("a text of the library");
            assert_ne!(other.chapter(), entry.chapter(), "{}", entry.document.id);
            all += 1;
        }
    }
    assert!(all > 20, "{all}");
}
