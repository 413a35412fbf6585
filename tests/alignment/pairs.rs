//! Alignment: invariants that hold for any pair, and a pair small enough to check by hand.

use std::sync::Arc;

use zhushu::Settings;
use zhushu::model::{Alignment, Document, Layer, Segment};
use zhushu::passes::align::{Aligned, Grain, Options, align};
use zhushu::readers;
use zhushu::source::{Source, Span};
use zhushu::writers::alignment;

const CLASSIC: &str = "司射復位。
釋獲者遂進取賢獲，執以升，自西階，盡階不升堂，告于賓。
若右勝，則曰：“右賢於左。”
若左勝，則曰：“左賢於右。”
降復位，坐，兼斂筭，實八筭于中，委其餘于中西；興，共而俟。
司射受爵，奠于篚。
釋獲者少西辟薦，反位。
無司正。
";
const PAGE: &str = "鄉射禮第五
關燈
小
司射返歸其位。
釋獲者于是近前取勝者一方所赢的算籌,持之從西階登上台階,上到最上一級,不升堂,向賓報告。
如右勝,則說:“右賢于左。
”如左勝,則說:“左賢于右。
”然後下堂返回其位,坐下,兼取八枝算籌盛置于“中”,把其餘的算籌放在“中”西邊。
起立,拱手等候。
司射接爵放在篚中,釋獲人稍靠西邊避正位設其笾豆和俎,然後返歸其位。
不用司正監酒。
";

fn read(name: &str, text: &str, from: &str) -> Document {
    let source = Source::from_text(name, text);
    // A reader refuses an empty text; the aligner must accept one.
    if text.is_empty() {
        Document::new(Arc::new(source), "plain")
    } else {
        readers::read(source, Some(from)).unwrap()
    }
}

fn pair(classic: &str, translation: &str, by: Grain) -> (Document, Document, Aligned) {
    let (a, b) = (read("a.txt", classic, "plain"), read("b.txt", translation, "jinyi"));
    let aligned = align(&a, &b, &Options { by, ..Options::default() });
    holds(&a, &b, &aligned);
    (a, b, aligned)
}

/// Invariants of any alignment: order on both sides, except where another is reported; no text in
/// two beads, all text of the layers in one.
fn holds(a: &Document, b: &Document, aligned: &Aligned) {
    let alignment = &aligned.alignment;
    for bead in &alignment.beads {
        assert!(!bead.source.is_empty() || !bead.translation.is_empty(), "a bead of nothing");
        assert!(!bead.evidence.is_empty(), "a bead without evidence");
        assert!((0.0..=1.0).contains(&bead.certainty.get()));
    }
    let source = alignment.beads.iter().flat_map(|b| b.source.clone()).collect();
    let mut translation: Vec<Span> =
        alignment.beads.iter().flat_map(|b| b.translation.clone()).collect();
    if codes(aligned).contains(&"transposed") {
        translation.sort_by_key(|s| s.start());
    }
    holds_side(a, Layer::Jing, source);
    holds_side(b, Layer::Translation, translation);
}

fn holds_side(document: &Document, layer: Layer, side: Vec<Span>) {
    assert!(side.windows(2).all(|w| w[0].end() <= w[1].start()), "out of order: {side:?}");
    let words = |spans: &[Span]| {
        spans
            .iter()
            .flat_map(|s| document.slice(*s).chars())
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    let all: Vec<Span> = document.of_layer(layer).map(|s| s.span).collect();
    let within: Vec<Span> =
        side.into_iter().filter(|s| all.iter().any(|l| l.overlap(*s) > 0)).collect();
    assert_eq!(words(&within), words(&all), "words lost");
}

fn shown(a: &Document, b: &Document, alignment: &Alignment) -> Vec<String> {
    let side = |d: &Document, spans: &[Span]| {
        spans.iter().map(|s| d.slice(*s).replace('\n', "")).collect::<Vec<_>>().join("|")
    };
    alignment
        .beads
        .iter()
        .map(|x| format!("{} = {}", side(a, &x.source), side(b, &x.translation)))
        .collect()
}

fn codes(aligned: &Aligned) -> Vec<&str> {
    aligned.source.iter().chain(&aligned.translation).map(|d| &*d.code).collect()
}

#[test]
fn a_small_page_is_aligned_as_a_reader_would() {
    let (a, b, aligned) = pair(CLASSIC, PAGE, Grain::Sentence);
    let expected = [
        "司射復位。 = 司射返歸其位。",
        "釋獲者遂進取賢獲，執以升，自西階，盡階不升堂，告于賓。 = 釋獲者于是近前取勝者一方所赢的算籌,持之從西階登上台階,上到最上一級,不升堂,向賓報告。",
        "若右勝，則曰：“右賢於左。” = 如右勝,則說:“右賢于左。”",
        "若左勝，則曰：“左賢於右。” = 如左勝,則說:“左賢于右。”",
        "降復位，坐，兼斂筭，實八筭于中，委其餘于中西；興，共而俟。 = 然後下堂返回其位,坐下,兼取八枝算籌盛置于“中”,把其餘的算籌放在“中”西邊。|起立,拱手等候。",
        "司射受爵，奠于篚。|釋獲者少西辟薦，反位。 = 司射接爵放在篚中,釋獲人稍靠西邊避正位設其笾豆和俎,然後返歸其位。",
        "無司正。 = 不用司正監酒。",
    ];
    assert_eq!(shown(&a, &b, &aligned.alignment), expected);
    assert!(
        aligned.alignment.beads.iter().all(|b| b.certainty.get() > 0.5),
        "{:?}",
        aligned.alignment.beads
    );
    assert!(codes(&aligned).is_empty(), "{:?}", codes(&aligned));
}

#[test]
fn clauses_stay_inside_their_sentences() {
    let (a, b, aligned) = pair(CLASSIC, PAGE, Grain::Clause);
    let shown = shown(&a, &b, &aligned.alignment);
    for expected in [
        "“右賢於左。” = “右賢于左。”",
        "自西階， = 從西階登上台階,",
        "不升堂， = 不升堂,",
        "共而俟。 = 拱手等候。",
    ] {
        let (left, right) = expected.split_once(" = ").unwrap();
        assert!(
            shown.iter().any(|s| s.contains(left) && s.contains(right)),
            "{expected}: {shown:#?}"
        );
    }
    assert!(shown.len() > 12, "{shown:#?}");
}

#[test]
fn what_only_one_side_holds_is_left_alone_and_said() {
    let lines: Vec<&str> = CLASSIC.lines().collect();
    let (_, _, aligned) = pair(&lines[..4].join("\n"), PAGE, Grain::Sentence);
    assert_eq!(
        aligned.alignment.beads.iter().filter(|b| b.source.is_empty()).count(),
        4,
        "{:?}",
        aligned.alignment.beads
    );
    assert_eq!(codes(&aligned), ["no-counterpart"]);
    let page: Vec<&str> = PAGE.lines().collect();
    let (_, _, aligned) = pair(CLASSIC, &page[page.len() - 2..].join("\n"), Grain::Sentence);
    assert_eq!(
        aligned.alignment.beads.iter().filter(|b| b.translation.is_empty()).count(),
        5,
        "{:?}",
        aligned.alignment.beads
    );
    assert_eq!(aligned.source.len(), 1);
}

#[test]
fn a_note_inside_a_sentence_does_not_end_it() {
    let text = "三耦卒射,司射請於公。司射所作,唯上耦。\n";
    let mut a = read("a.txt", text, "plain");
    let (from, to) = (text.find("司射請").unwrap(), text.find("司射所").unwrap());
    let whole = a.segments[0].span;
    let cut = [
        Segment::marked(Layer::Jing, Span::new(whole.start(), from)),
        Segment::marked(Layer::Zhu, Span::new(from, to)),
        Segment::marked(Layer::Jing, Span::new(to, whole.end())),
    ];
    a.segments.splice(..1, cut);
    let b = read("b.txt", "三耦射完了箭,司射命令的,只有上耦。\n", "jinyi");
    let beads = align(&a, &b, &Options::default()).alignment.beads;
    assert_eq!((beads.len(), beads[0].source.len()), (1, 2), "{beads:?}");
}

#[test]
fn the_same_pair_gives_the_same_answer_every_time() {
    let (_, _, first) = pair(CLASSIC, PAGE, Grain::Clause);
    for _ in 0..3 {
        let (_, _, again) = pair(CLASSIC, PAGE, Grain::Clause);
        assert_eq!(first.alignment, again.alignment);
    }
}

#[test]
fn degenerate_pairs_end_with_a_warning() {
    let reversed: String = CLASSIC.lines().rev().map(|l| format!("{l}\n")).collect();
    let thousand: String = (0..1000)
        .map(|i| format!("第{i}個人走上堂來說了一句沒有意義的話{}。\n", i * 7919 % 1000))
        .collect();
    let cases = [
        (CLASSIC, "", "nothing-to-align"),
        ("", PAGE, "nothing-to-align"),
        ("", "", "nothing-to-align"),
        ("——\n……\n", PAGE, "nothing-to-align"),
        (CLASSIC, CLASSIC, "same-text"),
        ("無司正。", thousand.as_str(), "no-counterpart"),
        (CLASSIC, reversed.as_str(), "no-counterpart"),
    ];
    for (classic, translation, code) in cases {
        let (_, _, aligned) = pair(classic, translation, Grain::Sentence);
        assert!(codes(&aligned).contains(&code), "{:?} instead of {code}", codes(&aligned));
    }
}

#[test]
fn unrelated_texts_are_not_forced_together() {
    let classic = "天地玄黃，宇宙洪荒。\n日月盈昃，辰宿列張。\n寒來暑往，秋收冬藏。\n閏餘成歲，律呂調陽。\n雲騰致雨，露結為霜。\n";
    let (_, _, aligned) = pair(classic, PAGE, Grain::Sentence);
    assert!(codes(&aligned).contains(&"hardly-related"), "{:?}", aligned.alignment.beads);
}

#[test]
fn random_pairs_keep_the_promises() {
    let (classic, page): (Vec<&str>, Vec<&str>) =
        (CLASSIC.lines().collect(), PAGE.lines().skip(3).collect());
    let mut x = 12345u32;
    let mut next = |n: usize| {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (x >> 16) as usize % n
    };
    for _ in 0..40 {
        let a: String =
            (0..=next(12)).map(|_| format!("{}\n", classic[next(classic.len())])).collect();
        let b: String = (0..=next(12)).map(|_| format!("{}\n", page[next(page.len())])).collect();
        let by = if next(2) == 0 { Grain::Sentence } else { Grain::Clause };
        pair(&a, &b, by);
    }
}

fn written(format: &str) -> String {
    let (a, b, aligned) = pair(CLASSIC, PAGE, Grain::Sentence);
    let mut out = Vec::new();
    (alignment::by_name(format).unwrap().write)(&aligned.alignment, &a, &b, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn json_gives_the_words_at_their_code_points() {
    let json: serde_json::Value = serde_json::from_str(&written("json")).unwrap();
    assert_eq!(json["format"], "zhushu-align/1");
    for (side, text) in [("source", CLASSIC), ("translation", PAGE)] {
        let chars: Vec<char> = text.chars().collect();
        for span in
            json["beads"].as_array().unwrap().iter().flat_map(|b| b[side].as_array().unwrap())
        {
            let range =
                span["start"].as_u64().unwrap() as usize..span["end"].as_u64().unwrap() as usize;
            assert_eq!(chars[range].iter().collect::<String>(), span["text"].as_str().unwrap());
        }
    }
    assert_eq!(json["beads"].as_array().unwrap().len(), 7);
}

#[test]
fn tsv_and_tmx_hold_every_pair() {
    let tsv = written("tsv");
    assert_eq!(tsv.lines().count(), 8);
    assert!(tsv.lines().all(|l| l.split('\t').count() == 4));
    let tmx = written("tmx");
    assert_eq!(tmx.matches("<tu ").count(), 7);
    assert!(tmx.contains("<tuv xml:lang=\"lzh-Hant\">") && tmx.contains("<seg>無司正。</seg>"));
}

/// The beads of a text with its translation beside it: the words of both sides.
fn rows_of(name: &str, text: &str) -> Vec<[String; 2]> {
    let read = Settings::default().convert(Source::from_text(name, text), None);
    let mut library = read.expect("it is read");
    zhushu::pipeline::align(&mut library);
    let document = &library.documents[0];
    let words = |spans: &[Span]| spans.iter().map(|s| document.slice(*s)).collect::<String>();
    let beads = library.alignments.iter().flat_map(|a| &a.beads);
    beads.map(|b| [words(&b.source), words(&b.translation)]).collect()
}

#[test]
fn an_empty_cell_is_of_no_other_row() {
    let rows = [
        ["學而時習之不亦說乎。", "學了能時常溫習，不也很高興嗎。"],
        ["有朋自遠方來不亦樂乎。", ""],
        ["人不知而不慍不亦君子乎。", "別人不了解我，我卻不惱怒，不也是君子嗎。"],
        ["", "有子說的話在這裡沒有原文。"],
        ["君子務本本立而道生。", "君子專心於根本，根本建立了，道就產生了。"],
    ];
    let joined = |row: &dyn Fn(&[&str; 2]) -> String| rows.iter().map(row).collect::<String>();
    let csv = joined(&|[c, t]| format!("\"{c}\",{t}\n"));
    let tsv = joined(&|[c, t]| format!("{c}\t{t}\n"));
    let html = joined(&|[c, t]| format!("<tr><td>{c}</td><td>{t}</td></tr>\n"));
    let head = "<tr><th>原文</th><th>譯文</th></tr>";
    let page = format!("<html><body><table>{head}\n{html}</table></body></html>");
    for (name, text) in [
        ("a.csv", format!("原文,譯文\n{csv}")),
        ("a.tsv", format!("原文\t譯文\n{tsv}")),
        ("a.html", page),
    ] {
        assert_eq!(rows_of(name, &text), rows, "{name}");
    }
}

#[test]
fn translations_in_the_text_itself_have_their_own_languages() {
    let rows = [
        (
            "學而時習之不亦說乎。",
            "學了能時常溫習，不也很高興嗎。",
            "Is it not pleasant to learn and to practise?",
        ),
        (
            "有朋自遠方來不亦樂乎。",
            "有朋友從遠方來，不也很快樂嗎。",
            "Is it not delightful when friends come from afar?",
        ),
    ];
    let body: String = rows.iter().map(|(c, t, e)| format!("{c}\t{t}\t{e}\n")).collect();
    let text = format!("原文\t譯文\t英譯\n{body}");
    let read = Settings::default().convert(Source::from_text("a.tsv", &text), None);
    let mut library = read.expect("it is read");
    zhushu::pipeline::align(&mut library);
    let document = &library.documents[0];
    let mut out = Vec::new();
    let tmx = alignment::by_name("tmx").unwrap();
    (tmx.write)(&library.alignments[0], document, document, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    for language in ["lzh-Hant", "zh-Hant", "en"] {
        let variants = out.matches(&format!("<tuv xml:lang=\"{language}\">")).count();
        assert_eq!(variants, 2, "{language}: {out}");
    }
    let unknown = text.replace("英譯", "Sonstiges");
    let read = Settings::default().convert(Source::from_text("a.tsv", &unknown), None).unwrap();
    assert!(read.documents[0].diagnostics.iter().any(|d| d.code == "keys-unknown"));
}

#[test]
fn what_recognition_or_a_tool_adds_is_no_text() {
    let alto = "<alto xmlns=\"http://www.loc.gov/standards/alto/ns-v4#\"><Layout><Page ID=\"p\"><PrintSpace>\
        <TextBlock ID=\"b\"><TextLine HPOS=\"5\" VPOS=\"0\" HEIGHT=\"900\" WIDTH=\"40\"><String CONTENT=\"學而時習\"/>\
        <String CONTENT=\"之\"><ALTERNATIVE>芝</ALTERNATIVE></String></TextLine></TextBlock></PrintSpace></Page></Layout></alto>";
    let tmx = "<tmx version=\"1.4\"><header srclang=\"lzh\"/><body><tu><tuv xml:lang=\"lzh\"><seg>\
        <bpt i=\"1\">粗</bpt>學而時習之<ept i=\"1\">體</ept></seg></tuv><tuv xml:lang=\"en\"><seg>Is it not pleasant?</seg>\
        </tuv></tu></body></tmx>";
    for (name, text) in [("a.xml", alto), ("a.tmx", tmx)] {
        let library = Settings::default().convert(Source::from_text(name, text), None).unwrap();
        let document = &library.documents[0];
        let words = |s: &Segment| document.words(s.span);
        let all: String =
            document.segments.iter().filter(|s| s.layer.is_text()).map(words).collect();
        let han: String = all.chars().filter(|c| !c.is_ascii()).collect();
        assert_eq!(han, "學而時習之", "{name}: {all}");
    }
}
