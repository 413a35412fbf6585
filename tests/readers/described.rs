//! Shapes that data describes: the built-in ones, and those of a manifest. The texts are lines of
//! the 論語, 孟子, 左傳 and 儀禮 with notes written for the tests.

use std::path::Path;

use proptest::prelude::*;
use snapbox::Data;

use crate::support::reading::{assert_layers, codes, layers, line_of, read};
use Layer::{Heading, Jing, Other, Translation, Yin, Zhu, Zhuan};
use zhushu::Settings;
use zhushu::corpus::TextEntry;
use zhushu::model::{Document, Layer};
use zhushu::readers::Readers;
use zhushu::source::Source;

/// Shapes of texts, each under its name.
const TEXTS: &[(&str, &str)] = &[
    (
        "marks",
        "學而第一\n\u{3000}\u{3000}子曰：學而時習之，〔注〕學，效也。〔疏〕言人當學。\r\n有朋自遠方來，【注】朋，同類也。〔音義〕朋，步登反。\n\n\
         人不知而不慍，〔注〕慍，怒意。\n君子務本，〔注〕務，專力也。本立而道生。〔解〕本，根也。\n",
    ),
    (
        "numbered",
        "梁惠王上\n孟子見梁惠王〔一〕。王曰：叟〔二〕不遠千里而來〔三〕。\n〔一〕惠王，魏侯也。\n〔二〕叟，長老之稱。\n\
         〔三〕遠，遼遠也。\n王何必曰利①，亦有仁義②而已矣③。①利，財也。②義，宜也。③矣，語助。\n（一）此行不是注。\n",
    ),
    (
        "sections",
        "學而第一\n子曰：巧言令色，鮮矣仁。\n【考異】一本無矣字。\n【集解】鮮，少也。\n【餘論】言之必可行也。\n又一段餘論。\n\
         曾子曰：吾日三省吾身。\n【考異】古本省作察。\n【集注】省，察也。\n【餘論】身，己也。\n",
    ),
    (
        "yizhu",
        "【原文】\n子曰：君子不器。\n【注釋】\n器：器具。\n【譯文】\n孔子說：君子不像器具。\n【原文】\n子貢問君子。\n【譯文】\n子貢問怎樣做君子。\n\
         【解讀】\n這一章論君子。\n",
    ),
    (
        "jing-zhuan",
        "隱公元年\n【經】元年春王正月。\n三月，公及邾儀父盟于蔑。\n【傳】元年春，王周正月。不書即位，攝也。\n\n（經）夏五月，鄭伯克段于鄢。\n（傳）書曰克，如二君也。\n",
    ),
    (
        "turns",
        "子曰巧言令色鮮矣仁\n巧言令色者鮮能仁\n\n子曰君子不重則不威\n不重之君子則不威於外\n\n慎終追遠民德歸厚矣\n慎終者喪盡其禮追遠者祭盡其誠民德歸厚\n\n\
         禮之用和為貴先王之道斯為美\n禮之用以和為貴先王之道美在和\n\n信近於義言可復也\n信近義則其言可復\n\n恭近於禮遠恥辱也\n恭近禮則遠於恥辱\n\n\
         貧而無諂富而無驕何如\n貧而無諂是不屈富而無驕是不矜\n\n不患人之不己知患不知人也\n不患人不己知者求在我患不知人者是非不辨\n\n為政以德譬如北辰\n為政以德則如北辰之居其所\n",
    ),
    (
        "tags",
        "學而時習之，不亦說乎？[注]學，覺也；時習之，則說。[/注]有朋自遠方來，不亦樂乎？[注]朋，同類也。遠方來，則近者可知。[/注]人不知而不慍，不亦君子乎？[注]不慍，不怒也。君子，成德之名。[/注]君子務本，本立而道生。[注]務，專力也。本，猶根也。本立則道自生。[/注]",
    ),
    (
        "bracketed-text",
        "【學而時習之，不亦說乎？】\n學，覺也；時習之，則說。\n【有朋自遠方來，不亦樂乎？】\n朋，同類也。遠方來，則近者可知。\n【人不知而不慍，不亦君子乎？】\n不慍，不怒也。君子，成德之名。\n【君子務本，本立而道生。】\n務，專力也。本，猶根也。本立則道自生。\n",
    ),
    (
        "quoted",
        "> 學而時習之，不亦說乎？\n\n學，覺也；時習之，則說。\n\n> 有朋自遠方來，不亦樂乎？\n\n朋，同類也。遠方來，則近者可知。\n\n> 人不知而不慍，不亦君子乎？\n\n不慍，不怒也。君子，成德之名。\n\n> 君子務本，本立而道生。\n\n務，專力也。本，猶根也。本立則道自生。\n\n",
    ),
    (
        "quoted-notes",
        "學而時習之，不亦說乎？\n\n> 學，覺也；時習之，則說。\n\n有朋自遠方來，不亦樂乎？\n\n> 朋，同類也。遠方來，則近者可知。\n\n人不知而不慍，不亦君子乎？\n\n> 不慍，不怒也。君子，成德之名。\n\n君子務本，本立而道生。\n\n> 務，專力也。本，猶根也。本立則道自生。\n\n",
    ),
    (
        "colons",
        "學而時習之，不亦說乎？\n:學，覺也；時習之，則說。\n有朋自遠方來，不亦樂乎？\n:朋，同類也。遠方來，則近者可知。\n人不知而不慍，不亦君子乎？\n:不慍，不怒也。君子，成德之名。\n君子務本，本立而道生。\n:務，專力也。本，猶根也。本立則道自生。\n",
    ),
    (
        "signs",
        "○關關雎鳩，在河之洲。\n△興也。關關，和聲也。雎鳩，王雎也。\n▲箋云：摯之言至也。\n○參差荇菜，左右流之。\n△荇，接余也。流，求也。\n○窈窕淑女，君子好逑。\n△窈窕，幽閒也。逑，匹也。\n▲箋云：怨耦曰仇。\n○求之不得，寤寐思服。\n△寤，覺。寐，寢也。服，思之也。\n",
    ),
    (
        "named-notes",
        "不尚賢，使民不爭。\n王弼曰：賢，猶能也。尚者，嘉之名也。\n虛其心，實其腹。\n王弼曰：心懷智而腹懷食，虛有智而實無知也。\n弱其志，強其骨。\n王弼曰：骨無知以幹，志生事以亂。\n",
    ),
    (
        "jing-zhuan-zhu",
        "【經】元年，春，王正月。\n【杜注】隱公之始年，周王之正月也。\n【傳】元年，春，王周正月。\n【杜注】言周以別夏殷。\n【孔疏】正義曰：言周以別夏殷者。\n【經】三月，公及邾儀父盟于蔑。\n【杜注】附庸之君。\n【傳】三月，邾子克也。\n【杜注】克，儀父名。\n【孔疏】正義曰：是也。\n",
    ),
    (
        "indented",
        "學而時習之，不亦說乎？\n\u{3000}\u{3000}學，覺也；時習之，則說。\n有朋自遠方來，不亦樂乎？\n\u{3000}\u{3000}朋，同類也。遠方來，則近者可知。\n人不知而不慍，不亦君子乎？\n\u{3000}\u{3000}不慍，不怒也。君子，成德之名。\n君子務本，本立而道生。\n\u{3000}\u{3000}務，專力也。本，猶根也。本立則道自生。\n",
    ),
];

/// The documents as a table: reader, then a line for each segment that is not blank.
fn table() -> String {
    let mut out = String::new();
    for (name, text) in TEXTS {
        let document = read(text, None);
        assert_eq!(document.reader, *name);
        out.push_str(&format!("== {name}\n"));
        for s in document.segments.iter().filter(|s| s.layer != Layer::Blank) {
            out.push_str(&format!("{}\t{}\n", s.layer.zh(), document.words(s.span)));
        }
    }
    out
}

#[test]
fn every_built_in_shape_is_recognised_and_read() {
    snapbox::assert_data_eq!(
        table(),
        Data::read_from(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/shapes.txt"),
            None
        )
        .raw()
    );
}

#[test]
fn claims_name_the_shape_and_are_in_order() {
    let source = Source::from_text("a.txt", TEXTS[0].1);
    let claims = Readers::default().claims(&source);
    assert_eq!(claims[0].reader, "marks");
    assert!(claims.is_sorted_by(|a, b| a.score >= b.score) && claims.len() > 1);
    assert!(claims.iter().any(|c| c.reader == "plain"));
}

#[test]
fn plain_texts_are_plain() {
    for text in [
        "一、子曰（一）學而。\n二、有子曰。\n（一）不知。\n（二）不慍。\n（三）君子。\n",
        "乾：元，亨，利，貞。\n初九：潛龍，勿用。\n\n坤：元亨。\n初六：履霜。\n",
    ] {
        assert_eq!(read(&text.repeat(12), None).reader, "plain", "{text}");
    }
    // A dictionary defines words, but not those of the text before.
    let words = "穹天 林君 純大 幠有 迄至 如往 賚賜 儀善 舒敘 怡樂 悅服 遹自 靖謀 典常 柯法 辜罪 耇壽 允信 展誠 謔戲 粤曰 爰于";
    let dictionary: String =
        words.split(' ').map(|w| w.split_at(3)).map(|(a, b)| format!("{a}，{b}也。\n")).collect();
    assert_eq!(read(&dictionary, None).reader, "plain");
}

#[test]
fn a_mark_within_a_book_is_seen_behind_its_contents() {
    let contents: String = (1..3000).map(|n| format!("篇目之{n}\n")).collect();
    let text =
        "子曰：學而時習之，〔注〕學，效也。〔疏〕言人當學。\n有朋自遠方來，〔注〕朋，同類也。\n";
    let document = read(&format!("{contents}\n{}", text.repeat(6000)), None);
    assert_eq!(document.reader, "marks");
}

#[test]
fn what_a_book_lacks_is_reported_with_its_place() {
    let plain = read("論語集解\n\n子曰：學而時習之，不亦說乎。\n", None);
    assert_eq!(line_of(&plain, "no-commentary"), 1);
    let by = read("山中記\n\n卷一\n\n　　漢　某甲　注\n\n雲起於山，山人見之。\n", None);
    assert_eq!(line_of(&by, "no-commentary"), 5);
    let open = read("論語\n\n子曰：學而時習之。\n子曰：【不亦說乎。\n\n君子【務】本。\n", None);
    assert_eq!((codes(&open), line_of(&open, "bracket-open")), (vec!["bracket-open"], 4));
    let long = format!("子曰：學而〔注〕{}\n", "效之又效。".repeat(3000)) + TEXTS[0].1;
    assert_eq!(line_of(&read(&long, Some("marks")), "note-long"), 1);
    let missing =
        read("君子〔一〕務本〔二〕立而道〔三〕生〔四〕。〔一〕甲。〔二〕乙。〔三〕丙。\n", None);
    assert_eq!(codes(&missing), ["shape", "note-missing"]);
    let unasked =
        read("君子〔一〕務本〔二〕立而道生。\n\n〔一〕甲。\n〔二〕乙。\n〔三〕丙。\n", None);
    assert_eq!(codes(&unasked), ["shape", "note-without-place"]);
    assert_eq!(line_of(&unasked, "note-without-place"), 5);
}

/// The text of a document and its notes.
fn text_and_notes(text: &str) -> (String, Vec<String>) {
    let document = read(text, Some("numbered"));
    let of = |layer| document.of_layer(layer).map(|s| document.words(s.span).to_string());
    (of(Jing).collect(), of(Zhu).collect())
}

#[test]
fn a_note_that_refers_to_another_does_not_become_that() {
    let text = "孟子見梁惠王[1]。王曰：叟[2]不遠千里而來[3]，亦將有以利吾國乎？\n";
    let note = ["惠王，魏侯也，參見[3]。", "叟，長老之稱。", "遠，遼遠也。"];
    let lines = format!("{text}[1]{}\n[2]{}\n[3]{}\n", note[0], note[1], note[2]);
    for marks in [["[1]", "[2]", "[3]"], ["①", "②", "③"], ["〔一〕", "〔二〕", "〔三〕"]]
    {
        let as_marked = |words: &str| {
            let numbers = ["[1]", "[2]", "[3]"].iter().zip(marks);
            numbers.fold(words.to_string(), |words, (number, mark)| words.replace(number, mark))
        };
        let jing = "孟子見梁惠王。王曰：叟不遠千里而來，亦將有以利吾國乎？";
        let expected = (jing.to_string(), note.map(as_marked).to_vec());
        assert_eq!(text_and_notes(&as_marked(&lines)), expected, "{marks:?}");
        // All in one line.
        let line = as_marked(&lines).replace('\n', "");
        assert_eq!(text_and_notes(&line), expected, "{line}");
    }
}

#[test]
fn a_number_that_the_text_has_twice_does_not_open_a_note() {
    let text = "學[1]而時習[1]之，不亦說乎[2]？\n[1]學，效也。\n[2]說，喜意也。\n";
    let notes = ["學，效也。", "說，喜意也。"].map(String::from).to_vec();
    assert_eq!(text_and_notes(text), ("學而時習之，不亦說乎？".to_string(), notes));
}

#[test]
fn numbers_that_begin_again_with_each_section_have_their_notes_after_all() {
    let text = "學而[1]時習[2]之。\n\n有朋[1]自遠方[2]來。\n\n\
                [1]甲也。\n[2]乙也。\n[1]丙也。\n[2]丁也。\n";
    let notes = ["甲也。", "乙也。", "丙也。", "丁也。"].map(String::from).to_vec();
    assert_eq!(text_and_notes(text), ("學而時習之。有朋自遠方來。".to_string(), notes));
}

#[test]
fn a_second_note_with_a_number_is_a_note_too_or_reported() {
    let text = "學而〔一〕時習〔二〕之。\n〔一〕甲也。\n〔二〕乙也。\n〔二〕又一說。\n";
    let notes = ["甲也。", "乙也。", "又一說。"].map(String::from).to_vec();
    assert_eq!(text_and_notes(text), ("學而時習之。".to_string(), notes));
    let apart = text.replace("〔二〕又", "此句非注。\n〔二〕又");
    let document = read(&apart, Some("numbered"));
    assert_eq!(line_of(&document, "note-repeated"), 5);
}

/// Reads by a manifest that describes a shape.
fn described(shape: &str, text: &str) -> Result<Document, zhushu::diag::Error> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), text).unwrap();
    let manifest = format!("{shape}\n[[text]]\nfile = \"a.txt\"\nreader = \"mine\"\n");
    std::fs::write(folder.path().join("zhushu.toml"), manifest).unwrap();
    let settings = Settings::default();
    let corpus = settings.open(folder.path())?;
    let entry: &TextEntry = &corpus.about.texts[0];
    settings.entry(entry)
}

#[test]
fn a_manifest_describes_a_shape() {
    let shape = "[[shape]]\nname = \"mine\"\ntext = \"經\"\nbrackets = [\"<>\"]\nheadings = [\"^第.章$\"]\nfurniture = [\"^p\\\\d+$\"]\nmark = [\n\
        { names = [\"注\"], layer = \"注\", ends = \"paragraph\" },\n\
        { opens = [\"{\"], closes = \"}\", layer = \"音義\" },\n\
        { opens = [\"譯:\"], layer = \"譯\", place = \"line\" },\n\
        { opens = [\"※\"], layer = \"mark\" },\n]\n";
    let text = "第一章\n子曰{音越}學而※時習之<注>學，效也。\n又言效。\n\n不亦說乎。\np12\n譯:不也高興嗎？\n譯者譯:非\n君子{未閉\n";
    let document = described(shape, text).unwrap();
    assert_eq!(document.reader, "described");
    assert_layers(
        &document,
        &[
            (Heading, "第一章"),
            (Jing, "子曰"),
            (Yin, "音越"),
            (Jing, "學而時習之"),
            (Zhu, "學，效也。又言效。"),
            (Jing, "不亦說乎。"),
            (Translation, "不也高興嗎？"),
            (Jing, "譯者譯:非君子"),
            (Yin, "未閉"),
        ],
    );
    assert_eq!(line_of(&document, "bracket-unclosed"), 9);
}

/// What a manifest with `keys` makes of a file.
fn keyed(keys: &str, file: &str, text: &str) -> Result<Document, zhushu::diag::Error> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), text).unwrap();
    let manifest = format!("{keys}\n[[text]]\nfile = \"{file}\"\n");
    std::fs::write(folder.path().join("zhushu.toml"), manifest).unwrap();
    let settings = Settings::default();
    let corpus = settings.open(folder.path())?;
    settings.entry(&corpus.about.texts[0])
}

#[test]
fn a_manifest_says_what_keys_and_columns_hold() {
    let keys = "[keys]\n\"典籍\" = \"經\"\n\"白話本\" = \"譯\"\n\"校者\" = \"雜\"\n";
    let json = "{\"典籍\": \"子曰學而時習之\", \"白話本\": \"孔子說\", \"校者\": \"某人\"}\n";
    let table = "典籍,白話本,校者\n子曰,孔子說,甲\n學而,學了,乙\n時習,溫習,丙\n";
    for (file, text, jing) in [("a.json", json, "子曰學而時習之"), ("a.csv", table, "子曰")]
    {
        let d = keyed(keys, file, text).unwrap();
        let of = |layer| d.of_layer(layer).next().map(|s| d.slice(s.span));
        assert_eq!((of(Jing), of(Translation)), (Some(jing), Some("孔子說")), "{file}");
        assert!(!d.diagnostics.iter().any(|d| d.code == "keys-unknown"), "{file}");
    }
    let e = keyed("[keys]\n\"典籍\" = \"經書\"\n", "a.json", json).unwrap_err();
    assert_eq!(
        (e.message.as_str(), e.place.map(|p| p.line)),
        ("no layer is called “經書”", Some(2))
    );
}

#[test]
fn mistakes_in_a_description_are_shown_at_their_place() {
    for (shape, line, words) in [
        ("[[shape]]\nname = \"mine\"\n", 2, "has no marks"),
        ("[[shape]]\nname = \"mine\"\nmark = [{ opens = [\"x\"], layer = \"zzz\" }]\n", 3, "zzz"),
        ("[[shape]]\nname = \"mine\"\nmark = [{ layer = \"zhu\" }]\n", 3, "nothing opens"),
        ("[[shape]]\nname = \"mine\"\nturns = [\"zhu\"]\nheadings = [\"(\"]\n", 4, "regular"),
        ("[[shape]]\nname = \"mine\"\nturns = [\"zhu\"]\nbracket = [\"()\"]\n", 4, "no key"),
        (
            "[[shape]]\nname = \"mine\"\nmark = [{ opens = [\"x\"], layer = \"zhu\", ends = \"so\" }]\n",
            3,
            "not one of",
        ),
        ("[[shape]]\nname = \"other\"\nturns = [\"zhu\"]\n", 7, "no reader is called “mine”"),
    ] {
        let e = described(shape, "子曰").unwrap_err();
        assert!(e.message.contains(words), "{}", e.message);
        assert_eq!(e.place.map(|p| p.line), Some(line), "{}", e.message);
    }
}

#[test]
fn layers_of_sections_go_on_until_the_next_item() {
    let document = read(TEXTS[2].1, None);
    let found = layers(&document);
    assert!(found.contains(&(Jing, "曾子曰：吾日三省吾身。".into())), "{found:?}");
    assert!(!found.iter().any(|(l, _)| matches!(l, Other | Zhuan)));
}

#[test]
fn lines_set_commentary_apart_only_where_it_explains_sentences() {
    let by_lines = ["bracketed-text", "quoted", "quoted-notes", "colons", "indented"];
    for (shape, text) in TEXTS.iter().filter(|(shape, _)| by_lines.contains(shape)) {
        let found = layers(&read(text, None));
        assert_eq!(found.len(), 8, "{shape}: {found:?}");
        let is_so = |(n, (layer, _)): (usize, &(Layer, String))| *layer == [Jing, Zhu][n % 2];
        assert!(found.iter().enumerate().all(is_so), "{shape}: {found:?}");
    }
    // Headings and paragraphs, a dialogue, verses with a refrain.
    for text in [
        "論學\n\u{3000}\u{3000}學也者，人之所以成也。\n論朋友\n\u{3000}\u{3000}朋友者，所以輔仁也。\n論君子\n\u{3000}\u{3000}君子者，成德之名也。\n",
        "子曰：來。\n\u{3000}對曰：諾。\n子曰：坐。\n\u{3000}對曰：敬受命。\n子曰：爾知之乎？\n\u{3000}對曰：未之聞也。\n",
        "關關雎鳩，在河之洲。\n\u{3000}窈窕淑女，君子好逑。\n參差荇菜，左右流之。\n\u{3000}窈窕淑女，寤寐求之。\n求之不得，寤寐思服。\n\u{3000}悠哉悠哉，輾轉反側。\n",
    ] {
        let found = layers(&read(text, None));
        assert!(!found.iter().any(|(layer, _)| *layer == Zhu), "{found:?}");
    }
}

#[test]
fn a_section_ends_where_the_text_of_the_next_passage_begins() {
    let text = "子曰①：君子不器。\n【注释】\n①子：孔子。\n【译文】\n孔子说：君子不像器具。\n【评析】\n这一章论君子。\n\n子贡问君子。\n\
                【注释】\n子贡：孔子的学生。\n【译文】\n子贡问怎样做君子。\n";
    let found = layers(&read(text, None));
    assert!(found.contains(&(Jing, "子贡问君子。".into())), "{found:?}");
    assert_eq!(found.iter().filter(|(layer, _)| *layer == Other).count(), 1, "{found:?}");
}

proptest! {
    /// With any marks, segments cover the source.
    #[test]
    fn segments_cover_texts_of_any_marks(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("〔注〕"), Just("【疏】"), Just("〔一〕"), Just("①"), Just("【"), Just("】"),
                Just("（經）"), Just("【傳】"), Just("\n"), Just("\r\n"), Just("\n\n"), Just("\u{3000}"),
                Just("子曰。"), Just("學而時習之，"), Just("卷一"), Just("【譯文】"), Just("𧰼"),
            ],
            1..60,
        ),
        shape in proptest::sample::select(vec!["marks", "numbered", "sections", "yizhu", "jing-zhuan", "turns", "tags", "bracketed-text", "quoted", "colons", "indented"]),
    ) {
        let text = pieces.concat();
        prop_assume!(!text.trim().is_empty());
        let document = read(&text, Some(shape));
        let back: String = document.segments.iter().map(|s| document.slice(s.span)).collect();
        prop_assert_eq!(back, text);
    }
}
