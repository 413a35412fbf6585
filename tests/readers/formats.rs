//! The readers of 句讀 Markdown and of 集釋 printed lines, with the passes for labels and 音義: on small
//! texts, broken texts and arbitrary input.

use proptest::prelude::*;
use zhushu::diag::Severity;
use zhushu::model::{Commentary, Document, Layer};
use zhushu::pipeline;
use zhushu::readers;
use zhushu::source::Source;

const JU: Layer = Layer::Named(Commentary::JU);
const JISHI: Layer = Layer::Named(Commentary::JISHI);

fn read(reader: &str, text: &str) -> Document {
    let document = readers::read(Source::from_text("t.txt", text), Some(reader))
        .expect("these readers refuse only empty text");
    document.check().expect("segments cover the text");
    document
}

/// Layers and words, without marks and blanks.
fn layers(document: &Document) -> Vec<(Layer, &str)> {
    let outside = |l: Layer| matches!(l, Layer::Mark | Layer::Blank);
    document
        .segments
        .iter()
        .filter(|s| !outside(s.layer))
        .map(|s| (s.layer, document.slice(s.span)))
        .collect()
}

fn converted(text: &str) -> Document {
    let library = pipeline::convert(Source::from_text("t.md", text), Some("judou"))
        .expect("nothing to refuse");
    (*library.documents[0]).clone()
}

fn codes(document: &Document) -> Vec<(&str, usize)> {
    let at =
        |s: Option<zhushu::source::Span>| s.map_or(0, |s| document.source.place(s.start()).line);
    document
        .diagnostics
        .iter()
        .filter(|d| d.severity > Severity::Info)
        .map(|d| (&*d.code, at(d.span)))
        .collect()
}

const FRONT: &str = "---\ntitle: 燕禮第六\ndate: 2021-03-20\n---\n\n\n{{<subtitle>}}濟陽張爾岐句讀{{</subtitle>}}\n\n";

#[test]
fn a_judou_page_falls_into_its_layers() {
    let text = format!(
        "{FRONT}燕禮第六<small>鄭目錄云</small>燕禮小臣戒與者<small>小臣相君燕飲之法○自此至公升就席皆燕初之事○與音預</small>膳宰具官饌\n"
    );
    let d = converted(&text);
    assert_eq!(d.meta.title, "燕禮第六");
    assert_eq!((d.meta.chapter.as_deref(), d.meta.number), (Some("燕禮"), Some(6)));
    assert_eq!(d.meta.edition.as_deref(), Some("濟陽張爾岐句讀"));
    let got: Vec<_> = layers(&d).into_iter().filter(|(l, _)| *l != Layer::Furniture).collect();
    assert_eq!(
        got,
        [
            (Layer::Heading, "燕禮第六"),
            (Layer::Zhu, "鄭目錄云"),
            (Layer::Jing, "燕禮小臣戒與者"),
            (Layer::Zhu, "小臣相君燕飲之法"),
            (JU, "○自此至公升就席皆燕初之事"),
            (Layer::Yin, "○與音預"),
            (Layer::Jing, "膳宰具官饌"),
        ]
    );
    assert_eq!(codes(&d), []);
}

#[test]
fn a_note_that_begins_with_a_circle_has_no_zheng() {
    let d = read("judou", "卒爵<small>○亦如大夫之不拜而飲</small>");
    assert_eq!(layers(&d), [(Layer::Jing, "卒爵"), (JU, "○亦如大夫之不拜而飲")]);
}

#[test]
fn broken_markup_loses_nothing_and_is_reported_at_its_line() {
    let d = read("judou", "主人坐<small>坐跪也\n\n賓降<small>降下也</small>");
    assert_eq!(codes(&d), [("unclosed-small", 1)]);
    assert_eq!(layers(&d)[2], (Layer::Jing, "賓降"), "what was not closed ends with its paragraph");
    assert!(d.of_layer(Layer::Zhu).next().unwrap().certainty.get() < 0.9, "and is not trusted");

    let d = read("judou", "主人坐</small>賓降");
    assert_eq!(codes(&d), [("stray-small", 1)]);
    assert_eq!(layers(&d), [(Layer::Jing, "主人坐"), (Layer::Jing, "賓降")]);

    let d = read("judou", "主人坐<small>坐<small>跪也</small>言敬</small>賓降");
    assert_eq!(codes(&d), [("nested-small", 1)]);
    assert_eq!(layers(&d).last(), Some(&(Layer::Jing, "賓降")));

    let d = read("judou", "主人坐<small>跪也賓降<small>降下也</small>升");
    assert_eq!(codes(&d), [("unclosed-small", 1)]);
    assert_eq!(layers(&d).last(), Some(&(Layer::Jing, "升")));

    let d = read("judou", "---\ntitle: 燕禮\n\n主人坐<small>跪也</small>");
    assert_eq!(codes(&d), [("front-matter-unclosed", 1)]);
    assert!(layers(&d).contains(&(Layer::Zhu, "跪也")));
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_change_nothing() {
    let unix = "---\ntitle: 燕禮第六\n---\n\n燕禮第六<small>鄭目錄云</small>主人坐<small>跪也○坐如字</small>\n\n右戒賓\n";
    let windows = format!("\u{FEFF}{}", unix.replace('\n', "\r\n"));
    let (a, b) = (read("judou", unix), read("judou", &windows));
    let text = |d: &Document| {
        layers(d)
            .into_iter()
            .filter(|(l, _)| *l != Layer::Furniture)
            .map(|(l, t)| (l, t.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(text(&a), text(&b));
    assert_eq!(a.meta.chapter, b.meta.chapter);
}

/// A page of sections in which 右 is a label, an ordinary word, and both.
const LABELS: &str = "主人戒賓賓禮辭許<small>戒警也</small>主人再拜賓答拜<small>拜其許</small>右戒賓\n\n\n\
乃宿賓賓如主人服出門左西面再拜<small>宿進也</small>賓右祭脯醢<small>右者右手</small>主人答拜右宿賓\n\n\n\
夙興設洗直于東榮<small>夙早也</small>主人立于東方<small>待賓也</small>\n\n\n\
右陳設主人立于阼階下直東序西面<small>阼猶酢也</small>賓升自西階主人答拜<small>答賓也</small>\n\n\n\
右迎賓\n\n\n\
右還即席坐西面卦者在左<small>右還北行</small>主人受眡反之<small>反還也</small>\n";

#[test]
fn labels_are_separated_from_the_classic_before_and_after() {
    let d = converted(LABELS);
    let labels: Vec<_> = d.of_layer(Layer::Label).map(|s| d.slice(s.span)).collect();
    assert_eq!(labels, ["右戒賓", "右宿賓", "右陳設", "右迎賓"]);
    let classic: Vec<_> = d.of_layer(Layer::Jing).map(|s| d.slice(s.span)).collect();
    assert!(classic.contains(&"主人答拜") && classic.contains(&"主人立于阼階下直東序西面"));
    assert!(classic.contains(&"賓右祭脯醢") && classic.contains(&"右還即席坐西面卦者在左"));
    for s in d.of_layer(Layer::Label) {
        assert!(!s.evidence.is_empty() && s.certainty.get() < 1.0 + f64::EPSILON);
    }
}

#[test]
fn a_text_without_labels_keeps_its_right_hands() {
    let d = converted("右執爵左執脯醢<small>便也</small>\n\n\n主人坐祭右祭脯醢\n");
    assert_eq!(d.of_layer(Layer::Label).count(), 0);
}

#[test]
fn another_document_settles_where_a_label_ends() {
    let text = LABELS.replace("右陳設主人立于阼階下", "右陳設之事庸禮從之阼階下");
    let witness = "夙興設洗直于東榮主人立于東方庸禮從之阼階下直東序西面賓升自西階主人答拜";
    let end = |documents: Vec<Document>| {
        let library = pipeline::run(documents);
        let d = &library.documents[0];
        let s = d.of_layer(Layer::Label).nth(2).expect("there are four").clone();
        (d.slice(s.span).to_string(), s)
    };
    let main = || read("judou", &text);
    let mut other = readers::read(Source::from_text("w.txt", witness), Some("plain")).unwrap();
    other.id = "w".into();
    assert!(other.of_layer(Layer::Jing).count() > 0, "a plain text is a classic without notes");
    let (label, s) = end(vec![main(), other]);
    assert_eq!(label, "右陳設之事");
    assert!(s.evidence.iter().any(|e| e.code() == "witness") && s.certainty.get() > 0.95);
    assert!(end(vec![main()]).1.evidence.iter().all(|e| e.code() != "witness"));
}

#[test]
fn a_note_on_a_label_is_the_labellers_own() {
    let text = format!(
        "{LABELS}<small>○以上正經</small>\n\n\n右總論\n\n\n<small>以上頗疑數事</small>若不醴則醮用酒<small>若不醴謂國有舊俗</small>\n"
    );
    let d = converted(&text);
    let own = d.of_layer(JU).map(|s| d.slice(s.span)).collect::<Vec<_>>();
    assert!(own.contains(&"以上頗疑數事"), "{own:?}");
    assert!(d.of_layer(Layer::Zhu).any(|s| d.slice(s.span) == "若不醴謂國有舊俗"));
}

/// 喪服 as the 集釋 prints it, its indentation lost: 經 without notes, 釋曰 with and without 鄭注,
/// notes reopened.
const SANGFU: &str = "儀禮集釋卷十七宋李如圭撰
喪服第十一子夏傳
鄭目録云天子以下死而相喪衣服年月親疏隆殺
之禮不忍言死而言喪喪者棄亡之辭若全存居于
彼焉己亡之耳大戴第十七小戴第九劉向别録第
十一
釋曰凡十有一章大傳曰服術有六一曰親親二曰
尊尊三曰名四曰出入五曰長幼六曰從服喪服小
記曰親親尊尊長長男女之有别人道之大者也此
服之義也
喪服斬衰裳苴絰杖絞帶冠繩纓菅屨者
鄭注者者明爲下出也凡服上曰衰下曰裳麻在首
在要皆曰絰絰之言實也明孝子有忠實之心故爲
制此服焉(案今注疏本脫此六字)首絰象緇布冠之缺項要絰
象大帶又有絞帶象革帶齊衰以下用布
不杖麻屨者
鄭注此亦齊衰言其異于上
釋曰自此已下哀殺病輕故不杖也斬衰菅屨齊衰
藨蒯之屨不杖者麻屨輕重之節也春秋傳曰雖有
絲麻無棄菅蒯此章之衰裳五升六升冠八升九升
五升者正服也六升者義服也凡名從服君服爲義
服既虞卒哭各以其冠爲受受冠降衰一等服終而
除凡婦人之笄與要絰齊衰之上皆有除無變小記
曰齊衰帶惡笄以終喪又曰箭笄終喪三年
祖父母傳曰何以期也至尊也
世父母叔父母傳曰世父叔父何以期也與尊者一體
也然則昆弟之子何以亦期也旁尊也不足以加尊焉
故報之也父子一體也夫妻一體也昆弟一體也故父
子首足也夫妻牉合也昆弟四體也故昆弟之義無分
也
鄭注宗者世父爲小宗典宗事者(案此下今注疏本有也字)資取
也爲姑在室亦如之(案爲姑下原本衍姊妹二字今注疏本無之據後昆弟下注云)
(爲姊妹在室亦如之則此不兼姊妹言明矣)
釋曰伯父有繼世爲小宗故謂之世父五屬之服同
父者期同祖者大功同曽祖者小功同高祖者緦世
昆弟
鄭注昆兄也爲姊妹在室亦如之
";

#[test]
fn printed_lines_fall_into_their_layers() {
    let d = read("jishi", SANGFU);
    assert_eq!((d.meta.chapter.as_deref(), d.meta.number), (Some("喪服"), Some(11)));
    assert_eq!(
        (d.meta.title.as_str(), d.meta.edition.as_deref()),
        ("儀禮集釋・喪服", Some("宋李如圭撰"))
    );
    assert_eq!(codes(&d), []);
    let starts = |l: Layer| {
        d.of_layer(l)
            .map(|s| d.slice(s.span).chars().take(4).collect::<String>())
            .collect::<Vec<_>>()
    };
    assert_eq!(starts(Layer::Heading), ["儀禮集釋", "喪服第十"]);
    assert_eq!(starts(Layer::Other), ["鄭目録云"]);
    assert_eq!(starts(JISHI), ["釋曰凡十", "釋曰自此", "釋曰伯父"]);
    assert_eq!(
        starts(Layer::Zhu),
        ["者者明爲", "首絰象緇", "此亦齊衰", "宗者世父", "資取\n也", "昆兄也爲"]
    );
    assert_eq!(starts(Layer::Jing), ["喪服斬衰", "不杖麻屨", "祖父母傳", "世父母叔", "昆弟"]);
    assert_eq!(starts(Layer::An).len(), 3, "a note closed and reopened at the line end is one");
    assert!(d.of_layer(Layer::An).any(|s| d.slice(s.span).contains(")\n(")));
    let last = d.of_layer(Layer::Jing).last().unwrap();
    assert!(
        last.evidence.iter().any(|e| e.code() == "full-line") && last.certainty.get() < 1.0,
        "a full last line leaves doubt: {last:?}"
    );
}

#[test]
fn a_lost_character_does_not_end_a_note() {
    let whole = read("jishi", SANGFU);
    let damaged = SANGFU.replace(
        "絲麻無棄菅蒯此章之衰裳五升六升冠八升九升",
        "絲麻無棄菅蒯此章之衰裳五升六升冠八升升",
    );
    let d = read("jishi", &damaged);
    let count = |d: &Document, l: Layer| d.of_layer(l).count();
    for layer in [Layer::Jing, Layer::Zhu, JISHI] {
        assert_eq!(count(&d, layer), count(&whole, layer), "{layer}");
    }
}

#[test]
fn a_broken_note_is_reported_and_ends_with_its_line() {
    let unclosed = read("jishi", &SANGFU.replace("脫此六字)首", "脫此六字首"));
    assert_eq!(codes(&unclosed), [("note-unclosed", 14)]);
    assert!(unclosed.of_layer(Layer::Zhu).any(|s| unclosed.slice(s.span).starts_with("象大帶")));
    let stray = read("jishi", &SANGFU.replace("象大帶又", "象大帶)又"));
    assert_eq!(codes(&stray), [("note-unopened", 15)]);
}

#[test]
fn the_sniffers_claim_their_own_and_nothing_else() {
    let claims = |name: &str, text: &str| (readers::by_name(name).unwrap().sniff)(text);
    assert!(claims("judou", LABELS) > 0 && claims("judou", &format!("{FRONT}{LABELS}")) >= 90);
    assert!(claims("jishi", SANGFU) >= 90);
    for text in [
        "主人坐奠爵,興辭降。重以主人事煩賓也。\n\n[疏]“主人”至“辭降”。釋曰:云云。\n",
        "<!DOCTYPE html><html><body><p>主人<small>跪也</small></p></body></html>",
        "<?xml version=\"1.0\"?><TEI><text><small>跪</small></text></TEI>",
        "# -*- mode: mandoku-view; -*-\n#+TITLE: 儀禮集釋\n　鄭注主人州長也¶\n　鄭注戒猶警也¶\n",
        "鄉射之禮。主人戒賓,賓出迎,再拜。",
    ] {
        assert_eq!((claims("judou", text), claims("jishi", text)), (0, 0), "{text}");
    }
}

/// Pieces for generating odd texts.
fn odd_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "---\n",
        "title: 燕禮第六\n",
        "{{<subtitle>}}",
        "{{</subtitle>}}",
        "{{< x",
        "<small>",
        "</small>",
        "<SMALL class='a'>",
        "<b>",
        "<!--",
        "-->",
        "○",
        "●",
        "右戒賓",
        "右還",
        "主人",
        "鄭注",
        "釋曰",
        "鄭目錄云",
        "(案",
        ")",
        "(",
        "）",
        "（",
        "&KR0925;",
        "&",
        "𧰼",
        "鑮音博",
        "素何反",
        "卷五",
        "第七",
        "\n",
        "\n\n",
        "\r\n",
        "\u{FEFF}",
        "\u{3000}",
        " ",
        "公又舉奠觶唯公所賜若賓若長以旅于西階上如",
        "<",
        ">",
        "\u{0}",
    ]);
    prop::collection::vec(
        prop_oneof![9 => piece.prop_map(str::to_string), 1 => any::<String>()],
        1..40,
    )
    .prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_covered_and_given_back(text in odd_text()) {
        prop_assume!(!text.trim().is_empty());
        for reader in ["judou", "jishi"] {
            let source = Source::from_text("t.txt", text.as_str());
            let Ok(document) = readers::read(source, Some(reader)) else { continue };
            document.check().map_err(|e| TestCaseError::fail(e.0))?;
            let back: String = document.segments.iter().map(|s| document.slice(s.span)).collect();
            prop_assert_eq!(&back, &text);
            // The pipeline checks the document after every pass.
            let library = pipeline::run(vec![document]);
            library.documents[0].check().map_err(|e| TestCaseError::fail(e.0))?;
        }
    }
}

#[test]
fn the_corpus_keeps_its_labels_and_readings() {
    let root = env!("CARGO_MANIFEST_DIR");
    let text = std::fs::read_to_string(format!("{root}/corpus/yili-07-judou.md"))
        .expect("the corpus ships with the project");
    let d = converted(&text);
    // Checked by hand: 46 labels, twelve of which run into the next 經, and 15 pieces of 音義.
    let list = std::fs::read_to_string(format!("{root}/src/passes/layers/labels/data/labels.txt"))
        .unwrap();
    let list: Vec<&str> = list.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(list.len(), 46);
    assert_eq!(d.of_layer(Layer::Label).map(|s| d.slice(s.span)).collect::<Vec<_>>(), list);
    assert_eq!(d.of_layer(Layer::Yin).count(), 15);
    assert_eq!(d.of_layer(Layer::Zhu).count(), 316, "317 notes, one of which begins with ○");

    let text = std::fs::read_to_string(format!("{root}/corpus/yili-05-jishi.txt")).unwrap();
    let d = read("jishi", &text);
    let marked = d.of_layer(Layer::Mark).count();
    assert_eq!(marked, text.matches("\n鄭注").count(), "every 鄭注 at a line's start opens a note");
    // A note may be cut by an editors' note, but each is followed by 經 once.
    let mut blocks = 0;
    let mut last = Layer::Blank;
    for s in d.segments.iter().filter(|s| matches!(s.layer, Layer::Jing | Layer::Mark)) {
        blocks += usize::from(s.layer == Layer::Jing && last != Layer::Jing);
        last = s.layer;
    }
    assert_eq!(
        blocks,
        marked + 1,
        "經 and notes alternate in this text, which breaks off after 經"
    );
}
