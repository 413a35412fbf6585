//! A text as it comes: lines that were cut, page numbers, front matter, another encoding. Whatever
//! is around it, its layers are the same, and the file comes back byte for byte.

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

/// A passage that ends exactly where lines are cut is like any other full line, and now and then
/// goes on in the next; so the mean over all widths counts.
#[test]
fn what_is_around_a_text_does_not_change_its_layers() {
    for (name, text) in texts() {
        let whole = readers::read(Source::from_text("a.txt", text.as_str()), None).unwrap();
        assert_eq!(whole.reader, *name);
        let mut shares = vec![];
        for (n, width) in (16..90).step_by(2).enumerate() {
            let front = if n % 2 == 0 { "---\ntitle: 儀禮\nauthor: 某\n---\n\n" } else { "" };
            let around = format!("{front}{}", printed(text, width, 20 + n % 21));
            let bytes = match n % 3 {
                0 => encoding_of(&around),
                _ => around.into_bytes(),
            };
            let source = Source::decode("a.txt", bytes.clone(), None).unwrap();
            let d = readers::read(source, None).unwrap();
            assert_eq!(d.source.bytes(), bytes);
            assert_eq!(d.reader, *name, "{width}");
            shares.push(differing(&layers(&whole), &layers(&d)));
        }
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        assert!(mean <= 0.01, "{name}: {mean:.4} {shares:.3?}");
    }
}

/// In GB18030.
fn encoding_of(text: &str) -> Vec<u8> {
    encoding_rs::GB18030.encode(text).0.into_owned()
}

/// A file of Word with notes in small type.
#[test]
fn a_file_of_word_is_read_as_it_is() {
    let run = |size: &str, words: &str| {
        format!("<w:r><w:rPr><w:sz w:val=\"{size}\"/></w:rPr><w:t>{words}</w:t></w:r>")
    };
    let body = [
        run("24", "學而時習之，不亦說乎？"),
        run("16", "馬曰：子者，男子之通稱。"),
        run("24", "有朋自遠方來，不亦樂乎？"),
        run("16", "包曰：同門曰朋。"),
    ];
    let document =
        format!("<w:document><w:body><w:p>{}</w:p></w:body></w:document>", body.concat());
    let mut packed = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
    packed.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut packed, document.as_bytes()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("論語.docx");
    std::fs::write(&path, packed.finish().unwrap().into_inner()).unwrap();
    let corpus = zhushu::load::open(folder.path()).unwrap();
    let read = &zhushu::load::read(&corpus).unwrap().documents[0];
    let text = read.segments.iter().filter(|s| s.layer.is_text());
    let layers: Vec<Layer> = text.map(|s| s.layer).collect();
    assert_eq!(layers, [Layer::Jing, Layer::Zhu, Layer::Jing, Layer::Zhu]);
    assert!(read.meta.origin.as_ref().is_some_and(|from| from.contains("Word (DOCX)")));
    assert!(read.diagnostics.iter().any(|d| d.code == "taken-out"));
}
