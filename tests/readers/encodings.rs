//! Encodings: detection, and that any bytes are restored.

use std::sync::LazyLock;

use encoding_rs::{BIG5, Encoding, GB18030};
use proptest::prelude::*;
use proptest::sample::Index;
use zhushu::source::Source;

/// The encodings that are recognised.
const ENCODINGS: [&str; 5] = ["UTF-8", "gb18030", "Big5", "UTF-16LE", "UTF-16BE"];

/// A text in an encoding, without the characters that it lacks.
fn encoded(text: &str, name: &str) -> Vec<u8> {
    let by = |e: &'static Encoding| {
        let mut buffer = [0; 4];
        let has = |c: &char| !e.encode(c.encode_utf8(&mut buffer)).2;
        e.encode(&text.chars().filter(has).collect::<String>()).0.into_owned()
    };
    match name {
        "UTF-8" => text.as_bytes().to_vec(),
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "Big5" => by(BIG5),
        _ => by(GB18030),
    }
}

/// The bundled texts, with the line ends of another system.
static CORPUS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let files = std::fs::read_dir(root).expect("corpus").map(|f| f.expect("file").path());
    let texts = files.filter(|f| f.extension().is_some_and(|e| e != "toml"));
    texts.map(|f| std::fs::read_to_string(f).expect("text").replace('\n', "\r\n")).collect()
});

/// Stretches of `n` characters from all over a text.
fn excerpts(text: &str, n: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(n).filter(|c| c.len() == n).step_by(7).map(|c| c.iter().collect()).collect()
}

fn is_recognised(bytes: Vec<u8>, name: &str) -> bool {
    let source = Source::decode("a.txt", bytes.clone(), None).expect("a text");
    source.bytes() == bytes && source.encoding() == name
}

#[test]
fn bundled_texts_are_recognised_in_each_encoding() {
    for text in &*CORPUS {
        for name in ENCODINGS {
            let source = Source::decode("a.txt", encoded(text, name), None).expect("a text");
            let found = source.detected();
            assert_eq!(found.encoding, name, "{}", found.why);
            assert!(found.certainty > 0.999, "{name}: {} {}", found.certainty, found.why);
        }
    }
}

#[test]
fn excerpts_are_recognised_in_each_encoding() {
    // How many of a thousand excerpts of this many characters may be misrecognised.
    for (n, may_fail) in [(10, 20), (20, 2), (50, 0), (200, 0)] {
        for name in ENCODINGS {
            let all: Vec<_> = CORPUS.iter().flat_map(|t| excerpts(t, n)).collect();
            let of = all.iter().filter(|e| e.chars().filter(|c| !c.is_ascii()).count() > n / 2);
            let results: Vec<bool> = of.map(|e| is_recognised(encoded(e, name), name)).collect();
            let failed = results.iter().filter(|ok| !**ok).count();
            println!("{n} characters, {name}: {failed} of {} failed", results.len());
            assert!(1000 * failed <= may_fail * results.len(), "{n} {name}: {failed}");
        }
    }
}

#[test]
fn a_beginning_that_could_be_anything_does_not_decide() {
    let dull = "0123456789 \r\n".repeat(4096);
    for text in CORPUS.iter() {
        for name in ["UTF-8", "gb18030", "Big5"] {
            let bytes = [dull.as_bytes(), &encoded(text, name)].concat();
            assert!(is_recognised(bytes, name), "{name}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_enough() {
    for (bytes, name) in [
        (&b"\xFF\xFEa\0"[..], "UTF-16LE"),
        (b"\xFE\xFF\0a", "UTF-16BE"),
        (b"\xEF\xBB\xBFa", "UTF-8"),
    ] {
        assert!(is_recognised(bytes.to_vec(), name), "{name}");
    }
}

#[test]
fn gbk_is_read_as_gb18030() {
    let bytes = encoded("觶㓦𧰼", "gb18030");
    let source = Source::decode("a.txt", bytes.clone(), Some("gbk")).expect("a text");
    assert_eq!((source.encoding(), source.text()), ("gb18030", "觶㓦𧰼"));
    assert_eq!(source.bytes(), bytes);
}

#[test]
fn bytes_of_several_forms_come_back() {
    // The euro sign in its two forms, two characters for one sequence of Big5, compatibility
    // ideographs that Big5 has twice.
    for (bytes, label) in [
        (&b"\x80\xA2\xE3"[..], "gb18030"),
        (b"\x88\x62\x88\x64\xA4\xA4", "big5"),
        (b"\xF9\xE9\xF9\xEA\xA2\xCC\xA2\xCE", "big5"),
    ] {
        let source = Source::decode("a.txt", bytes.to_vec(), Some(label)).expect("a text");
        assert_eq!(source.undecodable().count(), 0, "{label}");
        assert_eq!(source.bytes(), bytes);
    }
}

#[test]
fn lines_that_end_in_returns_alone_are_lines() {
    for name in ENCODINGS {
        let bytes = encoded("學而第一\r\r子曰：學而時習之，不亦說乎？\r", name);
        let source = Source::decode("a.txt", bytes.clone(), None).expect("a text");
        assert_eq!(source.text(), "學而第一\n\n子曰：學而時習之，不亦說乎？\n");
        assert_eq!(source.bytes(), bytes, "{name}");
    }
    let both = Source::decode("a.txt", b"a\rb\n".to_vec(), None).expect("a text");
    assert_eq!(both.text(), "a\rb\n");
}

#[test]
fn binary_files_are_refused_and_texts_with_controls_are_not() {
    let mut noise: u32 = 1;
    let mut next = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8
    };
    let random: Vec<u8> = std::iter::repeat_with(&mut next).take(5000).collect();
    let picture = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10", &random[..]].concat();
    for bytes in [random, picture, vec![0; 1000], b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01".to_vec()] {
        let error = Source::decode("a.jpg", bytes, None).expect_err("binary");
        assert!(error.message.contains("binary"), "{error}");
    }
    for name in ENCODINGS {
        let text = "眾賓繼射\0釋獲\u{1}皆如初。\r司射所作\r\n唯上耦".repeat(3);
        assert!(is_recognised(encoded(&text, name), name), "{name}");
        // The end of a broken download.
        let mut bytes = encoded(&text, name);
        bytes.extend([0; 4096]);
        assert!(is_recognised(bytes, name), "{name} and zeros");
    }
}

/// Two line ends are one character in UTF-16.
#[test]
fn empty_lines_are_text() {
    for name in ENCODINGS {
        for end in ["\n", "\r\n", "\u{3000}\n"] {
            let text = format!("學而時習之{}不亦說乎", end.repeat(5000));
            assert!(is_recognised(encoded(&text, name), name), "{name} {end:?}");
        }
    }
}

#[test]
fn undecodable_bytes_are_shown_with_their_place() {
    let mut bytes = encoded("眾賓繼射\r\n釋獲皆如初\r\n", "gb18030");
    bytes[14] = 0xFF;
    bytes.push(0xB5);
    let source = Source::decode("a.txt", bytes.clone(), None).expect("a text");
    assert_eq!(source.bytes(), bytes);
    let document = zhushu::readers::read(source, Some("plain")).expect("a document");
    let found: Vec<_> =
        document.diagnostics.iter().filter(|d| d.code == "undecodable-bytes").collect();
    let lines = found.iter().map(|d| document.source.place(d.span.expect("a place").start()).line);
    assert_eq!(lines.collect::<Vec<_>>(), [2, 3]);
    assert!(found[1].message.starts_with("1 byte in this line does not decode as gb18030 (B5)"));
}

/// The books of `shared` and their encodings.
#[test]
fn books_as_they_are_downloaded_are_recognised() {
    let books = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples/books");
    let Ok(files) = std::fs::read_dir(&books) else {
        return println!("skipped: there is no {}", books.display());
    };
    for file in files.map(|f| f.expect("file").path()) {
        let bytes = std::fs::read(&file).expect("bytes");
        let utf8 = std::str::from_utf8(&bytes).is_ok();
        let source = Source::decode(&file, bytes.clone(), None).expect("a text");
        let found = source.detected();
        println!("{}: {} {:.3} ({})", file.display(), found.encoding, found.certainty, found.why);
        assert_eq!(found.encoding, if utf8 { "UTF-8" } else { "gb18030" });
        assert!(found.certainty > 0.999 && source.bytes() == bytes);
    }
}

/// One damage: kind, place and byte.
fn damage() -> impl Strategy<Value = (u8, Index, u8)> {
    (0..3u8, any::<Index>(), prop_oneof![any::<u8>(), Just(0), Just(1), Just(0xFF), Just(0x80)])
}

fn damaged(mut bytes: Vec<u8>, all: &[(u8, Index, u8)]) -> Vec<u8> {
    for (what, at, byte) in all {
        let at = at.index(bytes.len());
        match what {
            0 => bytes[at] = *byte,
            1 => bytes.insert(at, *byte),
            _ => _ = bytes.remove(at),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_come_back(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        label in prop_oneof![
            Just("utf-8"), Just("gbk"), Just("gb18030"), Just("big5"), Just("utf-16le"),
            Just("utf-16be"), Just("shift_jis"), Just("euc-kr"), Just("windows-1252"),
        ],
    ) {
        let source = Source::decode("a.txt", bytes.clone(), Some(label)).expect("a text");
        prop_assert_eq!(source.bytes(), bytes);
        let shown = source.undecodable().all(|s| source.slice(s) == "\u{FFFD}");
        prop_assert!(shown);
    }

    #[test]
    fn damaged_texts_are_recognised_and_come_back(
        at in any::<Index>(),
        name in proptest::sample::select(&ENCODINGS[..]),
        changes in proptest::collection::vec(damage(), 1..12),
    ) {
        let text = &CORPUS[at.index(CORPUS.len())];
        let all = excerpts(text, 400);
        // A missing byte shifts the rest of a UTF-16 file.
        let mut changes = changes;
        changes.retain(|(what, ..)| *what == 0 || !name.starts_with("UTF-16"));
        let bytes = damaged(encoded(&all[at.index(all.len())], name), &changes);
        let source = Source::decode("a.txt", bytes.clone(), None).expect("a text");
        prop_assert_eq!(source.bytes(), bytes);
        prop_assert_eq!(source.encoding(), name, "{}", source.detected().why);
    }
}
