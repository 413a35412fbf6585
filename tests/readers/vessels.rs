//! A text as it comes: lines that were cut, page numbers, front matter, another encoding. Whatever
//! is around it, its layers are the same, and the file comes back byte for byte.

use proptest::prelude::*;
use zhushu::model::{Document, Layer};
use zhushu::readers;
use zhushu::source::Source;

/// A chapter of the bundled corpus, and its sentences in forms that other readers read.
fn texts() -> &'static [(&'static str, String)] {
    static TEXTS: std::sync::OnceLock<Vec<(&str, String)>> = std::sync::OnceLock::new();
    TEXTS.get_or_init(|| {
        let zhushu = include_str!("../../corpus/yili-05-zhushu.txt").replace('\r', "");
        let is_plain = |s: &&str| {
            s.chars().count() > 8 && !s.contains(['[', '○', '●', '疏', '注', '至', '曰'])
        };
        let sentences: Vec<&str> =
            zhushu.split(['。', '\n']).map(str::trim).filter(is_plain).take(400).collect();
        let of = |form: &dyn Fn(&str, &str) -> String, n: usize| {
            let pairs = sentences.chunks_exact(2).map(|p| form(p[0], p[1]));
            let pairs: Vec<String> = pairs.collect();
            pairs.chunks(n).map(|p| format!("　　{}\n", p.concat())).collect::<String>()
        };
        let brackets = of(&|a, b| format!("{a}。【{b}。】"), 3);
        let plain = of(&|a, b| format!("{a}。{b}。"), 4);
        vec![("zhushu", zhushu), ("brackets", brackets), ("plain", plain)]
    })
}

/// The layer of each Chinese character.
fn layers(d: &Document) -> Vec<(char, Layer)> {
    let han = |c: &char| ('\u{3400}'..='\u{9fff}').contains(c);
    let text = d.segments.iter().filter(|s| s.layer.is_text());
    text.flat_map(|s| d.words(s.span).chars().map(|c| (c, s.layer)).collect::<Vec<_>>())
        .filter(|(c, _)| han(c))
        .collect()
}

/// The text with its lines cut, and the number of a page after every so many.
fn printed(text: &str, width: usize, page: usize) -> String {
    let mut lines: Vec<String> = vec![];
    for line in text.lines() {
        let chars: Vec<char> = line.chars().collect();
        lines.extend(chars.chunks(width).map(String::from_iter));
        lines.extend(chars.is_empty().then(String::new));
    }
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        out.push_str(line);
        out.push('\n');
        if (n + 1) % page == 0 {
            out.push_str(&format!("            {}\n", (n + 1) / page));
        }
    }
    out
}

/// Share of the characters that are in another layer than in the whole text.
fn differing(whole: &[(char, Layer)], wrapped: &[(char, Layer)]) -> f64 {
    assert_eq!(whole.len(), wrapped.len(), "no character of the text is lost, none is added");
    let other = whole.iter().zip(wrapped).filter(|(a, b)| a != b).count();
    other as f64 / whole.len() as f64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_around_a_text_does_not_change_its_layers(
        n in 0usize..3, width in 16usize..90, page in 20usize..40, gbk: bool, front: bool,
    ) {
        let (name, text) = &texts()[n];
        let whole = readers::read(Source::from_text("a.txt", text.as_str()), None).unwrap();
        prop_assert_eq!(&*whole.reader, *name);
        let front = if front { "---\ntitle: 儀禮\nauthor: 某\n---\n\n" } else { "" };
        let around = format!("{front}{}", printed(text, width, page));
        let bytes = match gbk {
            true => encoding_of(&around),
            false => around.into_bytes(),
        };
        let source = Source::decode("a.txt", bytes.clone(), None).unwrap();
        let d = readers::read(source, None).unwrap();
        prop_assert_eq!(d.source.bytes(), bytes);
        prop_assert_eq!(&*d.reader, *name);
        prop_assert!(differing(&layers(&whole), &layers(&d)) <= 0.01);
    }
}

/// In GB18030.
fn encoding_of(text: &str) -> Vec<u8> {
    encoding_rs::GB18030.encode(text).0.into_owned()
}
