//! Encodings: detection, and that any bytes are restored.

use std::sync::LazyLock;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, WINDOWS_1252,
};
use proptest::prelude::*;
use proptest::sample::Index;
use zhushu::source::Source;

/// The encodings that are recognised.
const ENCODINGS: [&str; 14] = [
    "UTF-8",
    "gb18030",
    "Big5",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32LE",
    "UTF-32BE",
    "HZ-GB-2312",
    "Shift_JIS",
    "EUC-JP",
    "ISO-2022-JP",
    "EUC-KR",
    "UTF-8-twice",
    "UTF-8-twice-latin1",
];

/// An encoding that has a table, and so lacks characters.
fn table(name: &str) -> Option<&'static Encoding> {
    match name {
        "gb18030" => Some(GB18030),
        "Big5" => Some(BIG5),
        "HZ-GB-2312" => Some(GBK),
        "Shift_JIS" => Some(SHIFT_JIS),
        "EUC-JP" => Some(EUC_JP),
        "ISO-2022-JP" => Some(ISO_2022_JP),
        "EUC-KR" => Some(EUC_KR),
        _ => None,
    }
}

/// A text without the characters that an encoding lacks.
fn reduced(text: &str, name: &str) -> String {
    let Some(encoding) = table(name) else { return text.to_string() };
    let has = |c: &char| {
        let mut buffer = [0; 4];
        let (bytes, _, lacks) = encoding.encode(c.encode_utf8(&mut buffer));
        // HZ has only the old rows of GBK, without the high bit.
        !lacks && (name != "HZ-GB-2312" || c.is_ascii() || bytes.iter().all(|b| *b > 0xA0))
    };
    text.chars().filter(has).collect()
}

fn hz(text: &str) -> Vec<u8> {
    let mut bytes = vec![];
    for run in text.split_inclusive(|c: char| c.is_ascii()) {
        let ascii = run.find(|c: char| c.is_ascii()).unwrap_or(run.len());
        if ascii > 0 {
            let han = GBK.encode(&run[..ascii]).0;
            bytes.extend(
                [b"~{", &*han.iter().map(|b| b & 0x7F).collect::<Vec<_>>(), b"~}"].concat(),
            );
        }
        bytes.extend(run[ascii..].replace('~', "~~").bytes());
    }
    bytes
}

/// A text in an encoding, without the characters that it lacks.
fn encoded(text: &str, name: &str) -> Vec<u8> {
    let text = reduced(text, name);
    let twice = |e: &'static Encoding| e.decode_without_bom_handling(text.as_bytes()).0.into();
    match name {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        "UTF-32BE" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        "HZ-GB-2312" => hz(&text),
        "UTF-8-twice" => String::into_bytes(twice(WINDOWS_1252)),
        "UTF-8-twice-latin1" => text.bytes().map(char::from).collect::<String>().into_bytes(),
        _ => table(name).map_or(text.as_bytes().to_vec(), |e| e.encode(&text).0.into_owned()),
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
            let enough =
                |e: &&String| reduced(e, name).chars().filter(|c| !c.is_ascii()).count() > n / 2;
            let of = all.iter().filter(enough);
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
        for name in
            ENCODINGS.into_iter().filter(|n| !n.starts_with("UTF-16") && !n.starts_with("UTF-32"))
        {
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
        (b"\xFF\xFE\0\0a\0\0\0", "UTF-32LE"),
        (b"\0\0\xFE\xFF\0\0\0a", "UTF-32BE"),
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
        let text = reduced("學而第一\r\r子曰：學而時習之，不亦說乎？\r", name);
        let bytes = encoded(&text, name);
        let source = Source::decode("a.txt", bytes.clone(), None).expect("a text");
        assert_eq!(source.text(), text.replace('\r', "\n"));
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

/// A part of the file was spoilt, and one letter was meant.
#[test]
fn what_was_encoded_twice_in_part_is_read() {
    let text = "子曰：「學而時習之，不亦說乎？」\n";
    let bytes = [&encoded(text, "UTF-8-twice")[..], "有朋自遠方來·é\n".as_bytes()].concat();
    let source = Source::decode("a.txt", bytes.clone(), None).expect("a text");
    assert_eq!(source.text(), format!("{text}有朋自遠方來·é\n"));
    assert_eq!((source.encoding(), source.bytes()), ("UTF-8-twice", bytes));
    // As GBK, a run of an odd number of bytes loses one.
    let gbk = GBK.decode_without_bom_handling(text.repeat(5).as_bytes()).0.into_owned();
    let source = Source::decode("a.txt", gbk.clone().into_bytes(), None).expect("a text");
    assert_eq!(source.encoding(), "UTF-8-twice-GBK");
    assert!(
        source.text().contains("子曰") && source.undecodable().count() > 0,
        "{}",
        source.text()
    );
    assert_eq!(source.bytes(), gbk.as_bytes());
}

/// Their letters are no common characters of Chinese texts, and as GBK they would be others.
#[test]
fn greek_and_russian_are_not_taken_for_what_was_encoded_twice() {
    for text in [
        "Учитель сказал: учиться и часто применять — разве это не радость?\n",
        "Ο δάσκαλος είπε: να μαθαίνεις και να ασκείσαι, δεν είναι χαρά;\n",
    ] {
        for times in [1, 20, 2000] {
            let source = Source::decode("a.txt", text.repeat(times).into_bytes(), None);
            let source = source.expect("a text");
            assert_eq!(source.encoding(), "UTF-8", "{text}");
            assert_eq!(source.text(), text.repeat(times));
        }
    }
}

/// As Big5 these would be common characters.
#[test]
fn xml_that_says_it_is_utf8_is() {
    let text =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TEI>{}</TEI>\n", "¶".repeat(300));
    let source = Source::decode("a.xml", text.clone().into_bytes(), None).expect("a text");
    assert_eq!((source.encoding(), source.text()), ("UTF-8", &*text));
    // Unless it is not.
    let chinese = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TEI>學而時習之不亦說乎</TEI>\n";
    let source = Source::decode("a.xml", encoded(chinese, "Big5"), None).expect("a text");
    assert_eq!(source.text(), chinese);
}

/// Kana decide in a text of Japan; without them only the frequencies of characters do.
#[test]
fn texts_from_japan_and_korea_are_recognised() {
    let texts = [
        (
            "子曰く、学びて時に之を習う、亦た説ばしからずや。",
            &["Shift_JIS", "EUC-JP", "ISO-2022-JP"][..],
        ),
        ("子曰学而時習之不亦説乎有朋自遠方来不亦楽乎", &["Shift_JIS", "EUC-JP", "ISO-2022-JP"]),
        ("배우고 때때로 익히면 또한 기쁘지 아니한가.", &["EUC-KR"]),
        ("子曰 學而時習之면 不亦說乎아. 有朋이 自遠方來면", &["EUC-KR"]),
    ];
    for (text, names) in texts {
        for name in names {
            assert!(is_recognised(encoded(text, name), name), "{name} {text}");
        }
    }
}

#[test]
fn an_encoding_that_is_wrongly_named_is_an_error_or_a_warning() {
    let text = "眾賓繼射，釋獲皆如初。於是言唯上耦者，嫌賓、主人射亦作之。".repeat(4);
    for name in ENCODINGS {
        for wrong in ["big5", "gb18030", "shift_jis", "utf-8", "utf-16be", "hz", "windows-1252"] {
            let right = Source::decode("a.txt", encoded(&text, name), None).expect("a text");
            match Source::decode("a.txt", encoded(&text, name), Some(wrong)) {
                // What is all ASCII is a text in each.
                Ok(read) => assert!(
                    read.text() == right.text() || read.detected().certainty < 0.01,
                    "{name} as {wrong}"
                ),
                Err(e) => assert!(e.message.contains("no text in"), "{name} as {wrong}: {e}"),
            }
        }
    }
    let short = Source::decode("a.txt", encoded("眾賓繼射，皆如初。", "gb18030"), Some("big5"));
    let short = short.expect("a text");
    assert!(short.detected().certainty < 0.1);
    assert_eq!((short.encoding(), short.detected().alternative), ("Big5", Some("gb18030")));
}

/// What `escapes_and_spoilt_characters_in_any_order_come_back` takes.
const PIECES: [&[u8]; 18] = [
    b"~{",
    b"~}",
    b"~",
    b"\n",
    b"\r",
    b" a",
    b"VP",
    b"\x1B$B",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$(D",
    b"0!",
    b"\x1B",
    "å\u{AD}\u{90}".as_bytes(),
    "\u{20AC}\u{FFFD}".as_bytes(),
    "瀛\u{E11B}".as_bytes(),
    "\u{C3}\u{FF}\u{9F}".as_bytes(),
];

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
            Just("utf-32le"), Just("utf-32be"), Just("euc-jp"), Just("iso-2022-jp"), Just("hz"),
            Just("utf-8-twice"), Just("utf-8-twice-latin1"), Just("utf-8-twice-gbk"),
        ],
    ) {
        let source = Source::decode("a.txt", bytes.clone(), Some(label)).expect("a text");
        prop_assert_eq!(source.bytes(), bytes);
        let shown = source.undecodable().all(|s| source.slice(s) == "\u{FFFD}");
        prop_assert!(shown);
    }

    #[test]
    fn escapes_and_spoilt_characters_in_any_order_come_back(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..40),
        label in prop_oneof![
            Just("hz"), Just("iso-2022-jp"), Just("utf-8-twice"), Just("utf-8-twice-latin1"),
            Just("utf-8-twice-gbk"), Just("utf-32le"),
        ],
    ) {
        let bytes = pieces.concat();
        // A piece of another encoding can be most of the text.
        if let Ok(source) = Source::decode("a.txt", bytes.clone(), Some(label)) {
            prop_assert_eq!(source.bytes(), bytes);
            let shown = source.undecodable().all(|s| source.slice(s) == "\u{FFFD}");
            prop_assert!(shown);
        }
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
        let is_wide = name.starts_with("UTF-16") || name.starts_with("UTF-32");
        changes.retain(|(what, ..)| *what == 0 || !is_wide);
        let bytes = damaged(encoded(&all[at.index(all.len())], name), &changes);
        let source = Source::decode("a.txt", bytes.clone(), None).expect("a text");
        prop_assert_eq!(source.bytes(), bytes);
        prop_assert_eq!(source.encoding(), name, "{}", source.detected().why);
    }
}
