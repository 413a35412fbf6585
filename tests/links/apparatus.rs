//! Readings reported by notes in the bundled corpus: all entries are in
//! `tests/golden/apparatus.tsv`, checked by hand; `SNAPSHOTS=overwrite cargo test --test links`
//! rewrites them.

use std::fmt::Write as _;
use std::path::Path;

use zhushu::model::{Document, Layer};
use zhushu::source::Span;
use zhushu::writers;

use crate::support::corpus::library;

fn words(document: &Document, span: Option<Span>) -> String {
    let one_line = |s: Span| document.words(s).split_whitespace().collect::<String>();
    span.map_or_else(|| "–".into(), one_line)
}

#[test]
fn the_entries_of_the_bundled_corpus() {
    let mut table =
        String::from("text\tplace\twitness\tdifference\tlemma\treading\tsupport\tstatus\tcert\n");
    for d in &library().documents {
        for e in &d.apparatus {
            let place = d.source.place(e.span.start());
            let (lemma, reading, support) =
                (words(d, e.lemma), words(d, e.reading), e.support.join(" "));
            let (difference, status) = (e.difference.id(), e.status.id());
            let at = format!("{}:{}", place.line, place.column);
            let _ = writeln!(
                table,
                "{}\t{at}\t{}\t{difference}\t{lemma}\t{reading}\t{support}\t{status}\t{:.2}",
                d.id,
                e.witness,
                e.certainty.get()
            );
        }
    }
    snapbox::assert_data_eq!(
        table,
        snapbox::Data::read_from(Path::new("tests/golden/apparatus.tsv"), None).raw()
    );
}

#[test]
fn entries_are_on_their_notes_and_on_words_before_them() {
    let library = library();
    let mut entries = 0;
    for d in &library.documents {
        for e in &d.apparatus {
            let layer = d.segments[d.segment_at(e.span.start()).expect("a segment")].layer;
            assert!(matches!(layer, Layer::Zhu | Layer::An | Layer::Named(_)), "{e:?}");
            assert!(e.lemma.is_none_or(|l| l.end() <= e.span.start() && !l.is_empty()), "{e:?}");
            assert_eq!(e.lemma.is_none(), e.status.id() == "unresolved", "{e:?}");
            assert!(
                !e.evidence.is_empty()
                    && [e.named, e.reading].into_iter().flatten().all(|s| e.span.contains(s)),
                "{e:?}"
            );
            entries += 1;
        }
    }
    assert!(entries > 80, "{entries}");
}

#[test]
fn they_are_in_tei_and_on_the_page() {
    let library = library();
    let d = library.get("yili-05-zhushu").expect("it is there");
    let written = |format: &str| {
        let mut out = Vec::new();
        (writers::by_name(format).expect("it is in the table").write)(d, library, &mut out)
            .expect("memory takes it");
        String::from_utf8(out).expect("UTF-8")
    };
    let tei = written("tei");
    assert!(tei.contains("<lem wit=\"#wit-text\">縮</lem><rdg wit=\"#wit-2\" source=\"#"), "{tei}");
    assert!(
        tei.contains("<witness xml:id=\"wit-2\">古文</witness>")
            && tei.contains("<app type=\"other\" from=\"#x")
    );
    let page = written("html");
    assert!(page.contains("異文") && page.contains("古文 蹙"), "{page}");
}
