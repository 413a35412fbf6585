//! Whatever is read, nothing panics, and every document is sound and has all bytes of its source.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use zhushu::corpus::Corpus;
use zhushu::model::Document;
use zhushu::search::Query;
use zhushu::source::Source;
use zhushu::{corrections, pipeline, readers, writers};

use super::dice::Dice;
use super::edited::edited;
use crate::support::corpus;

/// Cases of a short run.
const FEW: usize = 60;

/// Runs a target on edits of its seeds. `test` gives a reason if something is wrong.
fn fuzz(target: &str, seeds: &[Vec<u8>], test: impl Fn(&[u8]) -> Result<(), String>) {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let (seconds, seed) = (number("ZHUSHU_FUZZ"), number("ZHUSHU_SEED").unwrap_or(21));
    let end = seconds.map(|s| Instant::now() + Duration::from_secs(s));
    let mut dice = Dice(seed);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/fuzz");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut cases, mut wrong) = (0, Vec::new());
    while end.map_or(cases < FEW, |end| Instant::now() < end) {
        let case = edited(&seeds[dice.below(seeds.len())], seeds, &mut dice);
        // What ends the process, such as an overflow of the stack, leaves it there.
        let last = folder.join(format!("{target}-last"));
        std::fs::write(&last, &case).expect("the case is kept");
        let result = catch_unwind(AssertUnwindSafe(|| test(&case)));
        if let Some(why) = match result {
            Ok(result) => result.err(),
            Err(panic) => Some(
                panic
                    .downcast_ref::<String>()
                    .map_or_else(|| "a panic".to_string(), |why| format!("a panic: {why}")),
            ),
        } {
            let file = folder.join(format!("{target}-{seed}-{cases}"));
            std::fs::write(&file, &case).expect("the case is kept");
            wrong.push(format!("{}: {why}", file.display()));
        }
        cases += 1;
    }
    _ = std::fs::remove_file(folder.join(format!("{target}-last")));
    println!("{target}: {cases} cases");
    assert!(wrong.is_empty(), "{} of {cases} cases:\n{}", wrong.len(), wrong.join("\n"));
}

/// The first lines of the bundled texts, and small texts of other formats.
fn texts() -> Vec<Vec<u8>> {
    const BYTES: usize = 6000;
    let names =
        ["yili-05-zhushu.txt", "yili-05-jishi.txt", "yili-05-jinyi.txt", "yili-07-judou.md"];
    let bundled = names.map(|n| {
        let mut bytes = std::fs::read(corpus::file(n)).expect("the corpus is bundled");
        bytes.truncate(BYTES);
        bytes
    });
    let others = [
        "#+TITLE: 儀禮\n#+PROPERTY: ID KR1d0026\n<pb:KR1d0026_SBCK_006-1a>¶\n燕禮第六(鄭氏注)¶\n燕禮小臣戒與者(小臣相君)¶\n/(燕飲之法與者謂留羣臣也)¶\n",
        "{\"title\": \"大學\", \"chapters\": [{\"name\": \"經\", \"paragraphs\": [\"大學之道，在明明德。\", \"知止而后有定。\"]}]}",
        "<document><corpus>儀禮</corpus><doc_content><paragraph>燕禮。小臣戒與者。</paragraph></doc_content></document>",
        "{{header|title=燕禮}}\n== 燕禮 ==\n小臣戒與者。{{*|小臣相君燕飲之法。}}\n",
        "卷一\n\n學而第一\n\n子曰：「學而時習之，不亦說乎？」〔注〕馬曰：子者，男子之通稱。〔疏〕正義曰：此章勸人學為君子也。\n",
        "【經】司射適堂西。【注】於是言之。【疏】釋曰：云“於是”者，明也。○司，音四，本亦作伺。\n",
    ];
    let tei = pipeline::convert(Source::from_text("a.txt", others[4]), None).map(|library| {
        let mut bytes = Vec::new();
        let writer = writers::by_name("tei").expect("there is TEI");
        (writer.write)(&library.documents[0], &library, &mut bytes).expect("memory takes it");
        bytes
    });
    let others = others.into_iter().map(|t| t.as_bytes().to_vec());
    bundled.into_iter().chain(others).chain(tei).collect()
}

fn sound(document: &Document, bytes: &[u8]) -> Result<(), String> {
    document.check().map_err(|e| format!("{e:?}"))?;
    if document.reader != "tei" && *document.source.bytes() != *bytes {
        return Err("the source is not what was read".into());
    }
    if document.segments.last().map_or(0, |s| s.span.end()) != document.source.text().len() {
        return Err("the segments do not cover the text".into());
    }
    match document.diagnostics.iter().find(|d| d.code == "pass-failed") {
        Some(failed) => Err(failed.message.clone()),
        None => Ok(()),
    }
}

#[test]
fn any_text_is_read_or_refused() {
    fuzz("read", &texts(), |bytes| {
        let Ok(source) = Source::decode("a.txt", bytes.to_vec(), None) else { return Ok(()) };
        match readers::read(source, None) {
            Ok(document) => sound(&document, bytes),
            Err(_) => Ok(()),
        }
    });
}

#[test]
fn every_reader_takes_or_refuses_any_text() {
    let names = readers::Readers::default().names();
    fuzz("readers", &texts(), |bytes| {
        let name = names[bytes.len() % names.len()];
        let Ok(source) = Source::decode("a.txt", bytes.to_vec(), None) else { return Ok(()) };
        match readers::read(source, Some(name)) {
            Ok(document) => sound(&document, bytes).map_err(|e| format!("{name}: {e}")),
            Err(_) => Ok(()),
        }
    });
}

#[test]
fn any_text_passes_the_whole_pipeline_and_comes_back_from_its_tei() {
    fuzz("pipeline", &texts(), |bytes| {
        let Ok(source) = Source::decode("a.txt", bytes.to_vec(), None) else { return Ok(()) };
        let Ok(library) = pipeline::convert(source, None) else { return Ok(()) };
        let document = &library.documents[0];
        // A book is cut into its chapters, which have parts of its source.
        match &library.documents[..] {
            [one] if one.source.file_part().is_none() => sound(one, bytes)?,
            all => all.iter().try_for_each(|d| sound(d, &d.source.bytes()))?,
        }
        for writer in writers::WRITERS {
            let mut out = Vec::new();
            (writer.write)(document, &library, &mut out).map_err(|e| e.to_string())?;
            if writer.name == "tei" {
                let source = Source::decode("a.xml", out, None).map_err(|e| e.to_string())?;
                let back = readers::read(source, None).map_err(|e| e.to_string())?;
                if back.source.text() != document.source.text() {
                    return Err("TEI does not restore the text".into());
                }
            }
        }
        Ok(())
    });
}

#[test]
fn any_query_is_parsed_or_refused() {
    let seeds = [
        "注:(今文 AND 古文) NOT 疏",
        "坐 NEAR/5 獲 @ 經:射",
        "re:今文.{1,4}爲",
        "by:鄭玄 work:儀禮 \"取 爵\" 今文?爲*",
    ];
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|q| q.as_bytes().to_vec()).collect();
    fuzz("query", &seeds, |bytes| {
        let words = String::from_utf8_lossy(bytes);
        _ = words.parse::<Query>();
        Ok(())
    });
}

#[test]
fn any_manifest_and_any_corrections_are_read_or_refused() {
    let manifest = std::fs::read(corpus::file("zhushu.toml")).expect("the corpus is bundled");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("yili-05-zhushu.txt"), "甲。\n").expect("a file");
    fuzz("manifest", &[manifest], |bytes| {
        std::fs::write(folder.path().join("zhushu.toml"), bytes).expect("a file");
        _ = Corpus::open(folder.path(), &readers::Readers::default().names());
        Ok(())
    });
    let entry = "[[correction]]\nkind = \"cut\"\ndecision = \"yes\"\nbefore = \"司射適堂西\"\nat = \"命弟子\"\nafter = \"設豐\"\nby = \"王\"\nwhen = \"2026-01-01\"\n";
    fuzz("corrections", &[entry.as_bytes().to_vec()], |bytes| {
        let source = Source::from_text("a.review.toml", &*String::from_utf8_lossy(bytes));
        _ = corrections::file::parse(&source);
        Ok(())
    });
}
