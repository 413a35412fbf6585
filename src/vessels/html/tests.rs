//! Pages, and what readers see of them.

use crate::model::Layer;
use crate::readers::Readers;
use crate::source::Source;
use crate::vessels::{LogicalText, VesselHints, html};

/// What readers see of the body of a page.
fn shown(body: &str) -> String {
    let page =
        format!("<!DOCTYPE html><html><head><title>a</title></head><body>{body}</body></html>");
    let source = Source::decode("a.html", page.into_bytes(), None).unwrap();
    let found = html::find(source.text(), VesselHints::default());
    LogicalText::of(source.text()).without(&found.edits).text().to_string()
}

/// The layers of a page as it is read, with their words.
fn layers(body: &str) -> Vec<(Layer, String)> {
    let page = format!(
        "<!DOCTYPE html>\n<html><head><title>學而 - 維基</title></head>\n<body>{body}</body></html>\n"
    );
    let source = Source::decode("a.html", page.clone().into_bytes(), None).unwrap();
    let document = Readers::default().read(source, None).unwrap();
    document.check().unwrap();
    assert_eq!(document.source.bytes(), page.as_bytes());
    assert!(document.meta.title.starts_with("學而"));
    let text = document.segments.iter().filter(|s| s.layer.is_text());
    text.map(|s| (s.layer, document.words(s.span).to_string())).collect()
}

#[test]
fn small_type_within_a_heading_is_of_the_heading() {
    let page = "<h2>學而第一<span style='font-size:8px'>上</span></h2><p style='font-size:20px'>\
        子曰學而時習之<span style='font-size:8px'>時，常也</span>不亦說乎</p>";
    let mut read: Vec<_> = layers(page).into_iter().map(|(layer, _)| layer).collect();
    read.dedup();
    assert_eq!(read, [Layer::Heading, Layer::Jing, Layer::Zhu, Layer::Jing]);
}

#[test]
fn lines_of_pre_are_lines_and_others_are_not() {
    let lines = "子曰學\n而<b>時</b>習\n之";
    assert_eq!(shown(&format!("<pre>{lines}</pre>")), "子曰學\n而時習\n之");
    assert_eq!(shown(&format!("<p>{lines}</p>")), "子曰學而時習之");
}

#[test]
fn the_sign_of_a_note_at_the_pointer_is_no_word() {
    for sign in ["[注]", "[1]", "注"] {
        let link = format!("<a class='note' title='馬曰：學者，誦習之。'>{sign}</a>");
        assert_eq!(shown(&format!("<p>子曰學{link}而</p>")), "子曰學{{*|馬曰：學者，誦習之。}}而");
    }
}

#[test]
fn small_type_in_a_commentary_with_signs_of_its_sub_commentary_is_notes() {
    let passage = |classic: &str, note: &str, shu: &str| {
        format!("<p>{classic}<small>{note}</small></p>\n<p>[疏]{shu}</p>\n")
    };
    let page = [
        passage("春日出郭，童子二人從。", "郭，城外。", "“春日”至“人從”。此言始遊也。"),
        passage("有老僧坐石上，問其年，不答。", "聾。", "“有老”至“不答”。此言遇僧也。"),
        passage("日暮下山。", "申時也。", "“日暮下山”。此言歸也。"),
    ];
    let read = layers(&page.concat());
    let of = |layer| read.iter().filter(move |(l, _)| *l == layer).map(|(_, words)| &**words);
    assert!(of(Layer::Zhu).eq(["郭，城外。", "聾。", "申時也。"]), "{read:?}");
    assert!(of(Layer::Jing).eq([
        "春日出郭，童子二人從。",
        "有老僧坐石上，問其年，不答。",
        "日暮下山。"
    ]));
    // One marked note does not make words of the brackets.
    let bracketed = page.concat().replace("<small>", "（").replace("</small>", "）");
    let read = layers(&bracketed.replace("郭，城外。）", "郭，城外。）<small>一</small>"));
    assert!(read.iter().any(|(l, words)| *l == Layer::Zhu && words == "聾。"), "{read:?}");
}

#[test]
fn a_page_that_is_a_translation_is_read_as_one() {
    let lines = [
        "孟子说：“鱼是我想要的，熊掌也是我想要的；如果不能同时得到，我就舍弃鱼而要熊掌了。”",
        "生命也是我想要的，道义也是我想要的；如果不能同时得到，我就舍弃生命而选择道义了。",
        "所以他们不会做苟且偷生的事情，因为他们所想要的东西比生命更重要的。",
    ];
    let page: String = lines.map(|line| format!("<p class='译文'>{line}</p>\n")).concat();
    let read = layers(&format!("<h1>學而</h1>{page}"));
    let of = |layer| read.iter().filter(move |(l, _)| *l == layer).map(|(_, words)| &**words);
    assert!(of(Layer::Translation).eq(lines), "{read:?}");
    assert_eq!(of(Layer::Jing).count(), 0);
}

#[test]
fn small_lines_of_hocr_are_notes() {
    let line = |size: u32, words: &str| {
        format!("<span class='ocr_line' title='bbox 1 2 3 4; x_size {size}'>{words}</span>\n")
    };
    let page =
        [line(40, "孟子見梁惠王。王曰：叟，"), line(20, "叟長老之稱"), line(40, "不遠千里而來")];
    let read: Vec<_> = layers(&page.concat()).into_iter().map(|(layer, _)| layer).collect();
    assert_eq!(read, [Layer::Jing, Layer::Zhu, Layer::Jing]);
}

#[test]
fn columns_tips_and_names_of_what_unfolds() {
    let table = "<table><tr><th>原文</th><th>朱注</th><th>今譯</th></tr><tr><td>學而時習之，不亦說乎。</td>\
        <td>說，喜意也</td><td>學了又時常溫習</td></tr></table>";
    let tip = "<p>七月<a class='note' title='既望：農曆十六日。'>既望</a>，蘇子</p>";
    let details = "<details><summary>孔疏</summary><p>正義曰：是。</p></details>";
    let read = layers(&format!("{table}{tip}{details}"));
    let of = |layer| {
        let own = read.iter().filter(|(l, _)| *l == layer).map(|(_, words)| words.as_str());
        own.collect::<Vec<_>>()
    };
    assert_eq!(of(Layer::Zhu), ["說，喜意也", "既望：農曆十六日。"]);
    assert_eq!(of(Layer::Translation), ["學了又時常溫習"]);
    assert_eq!(of(Layer::Shu), ["正義曰：是。"]);
    assert_eq!(of(Layer::Jing).concat(), "學而時習之，不亦說乎。七月既望，蘇子");
}

#[test]
fn a_cell_of_the_classic_is_no_heading() {
    let row = |a: &str, b: &str| format!("<tr><td>{a}</td><td>{b}</td></tr>\n");
    let rows = [
        row("子曰學而時習之不亦說乎", ""),
        row("有朋自遠方來<small>包曰同門</small>不亦樂乎", "包曰同門曰朋"),
        row("人不知而不慍", "慍怒也"),
    ];
    let table = "<table><tr><th>原文</th><th>注</th></tr>\n";
    let page = format!("<html><body>{table}{}</table></body></html>", rows.concat());
    let d = crate::readers::read(Source::from_text("t.html", page), None).unwrap();
    let of = |layer| d.of_layer(layer).map(|s| d.words(s.span)).collect::<Vec<_>>().concat();
    assert_eq!(of(Layer::Heading), "");
    assert_eq!(of(Layer::Jing), "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍");
    assert_eq!(of(Layer::Zhu), "包曰同門包曰同門曰朋慍怒也");
}

#[test]
fn elements_begin_lines_and_blanks_of_the_markup_are_none() {
    assert_eq!(
        shown("<div>\n <p>子曰：\n  學而</p>\n<p>時<b>習</b>之<br>不亦</div>"),
        "子曰：學而\n時習之\n不亦"
    );
    assert_eq!(shown("<p>see the\n  Analects 論語 2"), "see the Analects 論語 2");
    assert_eq!(shown("<ul><li>一<li>二</ul><table><tr><td>三<td>四</table>"), "一\n二\n三\n四");
    assert_eq!(shown("<nav><p>首頁</p></nav><script>if(a<b)'</p>'</script>子<!-- x -->曰"), "子曰");
    assert_eq!(
        shown("<ruby>學<rp>(</rp><rt>xué</rt><rp>)</rp></ruby>而<img src=a alt=時>習"),
        "學而時習"
    );
    assert_eq!(shown("子</p></div>曰<span>學<p>而"), "子曰學\n而");
}

#[test]
fn notes_of_lines_of_their_own_are_closed_in_their_line() {
    assert_eq!(
        shown("<p>子曰</p><aside><p>馬曰</p></aside><p>學</p><div class=note>王曰</div>"),
        "子曰\n{{*|馬曰}}\n學\n{{*|王曰}}"
    );
}

#[test]
fn notes_are_shown_in_brackets() {
    let noted = "子曰{{*|馬曰}}學";
    for note in [
        "<small>馬曰</small>",
        "<small><b>馬</b><small>曰</small></small>",
        "<span class='a Jiazhu'>馬曰</span>",
        "<span class=夾注>馬曰</span>",
        "<span style='color:red; font-size: 80%'>馬曰</span>",
        "<span style='font-size: 10px'>馬曰</span>",
        "<font size=-1>馬曰</font>",
        "<img class='epub-footnote' alt='馬曰' title='馬曰'>",
    ] {
        assert_eq!(shown(&format!("<p>子曰{note}學</p>")), noted, "{note}");
    }
    assert_eq!(shown("<p>子曰<span style='font-size:100%'>馬曰</span>學"), "子曰馬曰學");
}

#[test]
fn layers_that_the_markup_names_are_those_of_the_text() {
    let got = layers(
        "<h1>學而第一</h1>\r\n<p>子曰：「學而時習之，<span class=\"zhu\">學，覺也。</span>不亦說乎？<small>馬曰</small>有朋自遠方來，不亦樂乎？\
         <span class=\"shu\">朋黨也。</span>」</p>\r\n<div class=\"translation\"><p>孔子說：「學了<b>又</b>時常\r\n溫習，\
         <p><b><i>不也很高興嗎？</i>」</b></div>",
    );
    let want = [
        (Layer::Heading, "學而第一"),
        (Layer::Jing, "子曰：「學而時習之，"),
        (Layer::Zhu, "學，覺也。"),
        (Layer::Jing, "不亦說乎？"),
        (Layer::Zhu, "馬曰"),
        (Layer::Jing, "有朋自遠方來，不亦樂乎？"),
        (Layer::Shu, "朋黨也。"),
        (Layer::Jing, "」"),
        (Layer::Translation, "孔子說：「學了又時常\r\n溫習，"),
        (Layer::Translation, "不也很高興嗎？」"),
    ];
    assert_eq!(got, want.map(|(layer, words)| (layer, words.to_string())));
}

#[test]
fn type_of_style_sheets_is_small_beside_that_of_the_text() {
    let text = "子曰學而時習之不亦說乎";
    let page = |css: &str, body: &str| {
        let page = format!("<html><head><style>{css}</style></head><body>{body}</body></html>");
        let found = html::find(&page, VesselHints::default());
        LogicalText::of(&page).without(&found.edits).text().to_string()
    };
    let noted = format!("{text}{{{{*|馬曰}}}}有朋");
    let body = format!("<p><span class=a>{text}</span><span class='x b'>馬曰</span>有朋</p>");
    assert_eq!(page(".b, .c { font-size: 8.0000pt; }", &body), noted);
    assert_eq!(page(".a{color:red}.b{font-size:.8em}", &body), noted);
    // All text is 14 pixels, so that is its size; the notes are the most.
    let body = format!(
        "<div class=m>{text}<span class=b>{}</span></div><p class=b>有朋</p>",
        text.repeat(6)
    );
    let want = format!("{text}{{{{*|{}}}}}\n{{{{*|有朋}}}}", text.repeat(6));
    assert_eq!(page(".m{font-size:14px} .b{font-size:12px}", &body), want);
    // Menus and headings in small type are no notes.
    let body = format!("<h2 class=b>學而</h2><div class=b>首頁</div><p>{text}</p>");
    assert_eq!(page(".b{font-size:10px}", &body), format!("學而\n首頁\n{text}"));
}

#[test]
fn lines_that_were_cut_before_a_note_are_joined() {
    let line = "學而時習之不亦說乎有朋自遠方來不亦樂乎人";
    let body: String = (0..60)
        .map(|n| match n % 3 {
            0 => format!("<p>{line}"),
            1 => "<p><small>馬曰子者男子之通稱謂孔子也</small>人不知而".to_string(),
            _ => format!("<p>{line}。"),
        })
        .collect();
    layers(&format!("<h1>學而第一</h1>{body}"));
}

#[test]
fn notes_of_the_markup_are_notes_under_any_reader() {
    let got = layers(
        "<h1>學而第一</h1>\n<p>子曰：學而時習之，<small>馬曰：子者。</small>不亦說乎？<sup>[1]</sup></p>\n\
         <p>有朋自遠方來，不亦樂乎？<sup>[2]</sup></p>\n<p>人不知而不慍，不亦君子乎？<sup>[3]</sup></p>\n\
         <p>[1] 說：音悅。</p>\n<p>[2] 朋：同門。</p>\n<p>[3] 慍：怒也。</p>\n",
    );
    assert!(got.contains(&(Layer::Zhu, "馬曰：子者。".to_string())), "{got:?}");
    assert!(got.iter().all(|(_, words)| !words.contains(['<', '>', '{'])), "{got:?}");
}

#[test]
fn a_translation_between_lines_that_were_cut_stays() {
    let line = "學而時習之不亦說乎有朋自遠方來不亦樂乎人";
    let body: String = (0..60)
        .map(|n| match n {
            20 | 40 => format!("<p class=translation>孔子說學了又時常溫習{n}</p>"),
            _ => format!("<p>{line}</p>\n"),
        })
        .collect();
    let got = layers(&format!("<h1>學而第一</h1>{body}"));
    let rendered: Vec<&str> =
        got.iter().filter(|(l, _)| *l == Layer::Translation).map(|(_, w)| &**w).collect();
    assert_eq!(rendered, ["孔子說學了又時常溫習20", "孔子說學了又時常溫習40"]);
    let all: String = got.iter().map(|(_, words)| words.replace('\n', "")).collect();
    assert_eq!(all.matches(line).count(), 58);
}

#[test]
fn images_are_their_characters_or_are_named() {
    assert_eq!(shown("<p>學而<img src=\"a.gif\" alt=\"時\">習<img alt='之' src=b>"), "學而時習之");
    let page = "<html><body><p>學而<img src=\"a.gif\">習之</p></body></html>";
    let found = html::find(page, VesselHints::default());
    assert!(found.remarks.iter().any(|r| r.code == "images-left-out"));
}

#[test]
fn a_page_that_was_cut_off_says_so_and_a_careless_one_does_not() {
    let is_cut = |page: &str| {
        let found = html::find(page, VesselHints::default());
        found.remarks.iter().any(|r| r.code == "cut-off")
    };
    assert!(is_cut("<html><body><div class=text><p>學而時習之"));
    assert!(is_cut("<html><body><table><tr><td>學而時習之"));
    assert!(!is_cut("<html><body><p>學而時習之<p>不亦說乎"));
    assert!(!is_cut("<html><body><div><p>學而時習之</body></html>"));
    assert!(!is_cut("<div><p>學而時習之"));
}

#[test]
fn notes_show_by_links_that_lead_to_them_and_back() {
    let [a, b, x, y] = [
        "子曰：學而時習之，不亦說乎？",
        "有朋自遠方來，不亦樂乎？",
        "馬曰：時者，學者以時誦習之。",
        "包曰：同門曰朋。",
    ];
    let pages = [
        // By hand, or by a converter.
        format!(
            "<h1>學而第一</h1><p>{a}<sup><a href='#n1' id='r1'>1</a></sup>{b}<sup><a href='#n2' \
             id='r2'>2</a></sup></p><hr/><ol><li id='n1'>{x}<a href='#r1'>↩</a></li><li id='n2'>\
             <p>{y}<a href='#r2'>↩</a></p></li></ol>"
        ),
        // Word.
        format!(
            "<h1>學而第一</h1><p>{a}<a href='#_ftn1' name='_ftnref1'>[1]</a>{b}<a href='#_ftn2' \
             name='_ftnref2'>[2]</a></p><hr/><p><a href='#_ftnref1' name='_ftn1'>[1]</a> {x}</p>\
             <p><a href='#_ftnref2' name='_ftn2'>[2]</a> {y}</p>"
        ),
        // LibreOffice, with a note of two paragraphs.
        format!(
            "<h1>學而第一</h1><p>{a}<a class='sdfootnoteanc' name='s1anc' href='#s1sym'><sup>1\
             </sup></a>{b}<a class='sdfootnoteanc' name='s2anc' href='#s2sym'><sup>2</sup></a></p>\
             <div id='s1'><p class='s'><a class='sdfootnotesym' name='s1sym' href='#s1anc'>1</a>\
             馬曰：時者，</p><p>學者以時誦習之。</p></div><div id='s2'><p class='s'><a name='s2sym' \
             href='#s2anc'>2</a>{y}</p></div>"
        ),
    ];
    for page in pages {
        let read = layers(&page);
        let of = |wanted: Layer| -> String {
            let own = read.iter().filter(|(layer, _)| *layer == wanted);
            own.map(|(_, words)| words.replace(['\n', ' '], "")).collect()
        };
        assert_eq!(of(Layer::Jing), format!("{a}{b}"), "{page}");
        assert_eq!(of(Layer::Zhu), format!("{x}{y}"), "{page}");
    }
    // A list of contents is none.
    let contents = format!(
        "<ul><li><a href='#c1' id='t1'>1</a></li></ul><p id='c1'><a href='#t1'>1</a>{a}</p>"
    );
    assert!(layers(&contents).iter().all(|(layer, _)| *layer != Layer::Zhu));
}

#[test]
fn paragraphs_that_are_named_as_classic_are_paragraphs() {
    let read =
        layers("<p class='經'>子曰：學而時習之。</p><p class='經'>有子曰：其為人也孝弟。</p>");
    assert_eq!(read.len(), 2, "{read:?}");
}

#[test]
fn notes_of_a_book_may_be_in_another_page_with_the_same_ids() {
    let text = |n: usize, words: &str| {
        format!(
            "<!-- OEBPS/Text/c{n}.xhtml -->\n<html><body><p>{words}<a id='r1' \
             href='../Text/n{n}.xhtml#n1'>[1]</a>不亦說乎</p></body></html>\n"
        )
    };
    let notes = |n: usize, words: &str| {
        format!(
            "<!-- OEBPS/Text/n{n}.xhtml -->\n<html><body><p id='n1'><a \
             href='c{n}.xhtml#r1'>[1]</a>{words}</p></body></html>\n"
        )
    };
    let (a, b) = ("子曰：學而時習之", "有朋自遠方來");
    let (x, y) = ("馬曰：時者學者以時誦習之。", "包曰：同門曰朋。");
    let book = [text(1, a), text(2, b), notes(1, x), notes(2, y)].concat();
    let source = Source::from_text("a.html", format!("<!DOCTYPE html>\n{book}"));
    let document = Readers::default().read(source, None).unwrap();
    let of = |layer| document.of_layer(layer).map(|s| document.words(s.span)).collect::<Vec<_>>();
    assert_eq!(of(Layer::Zhu), [x, y]);
    assert_eq!(of(Layer::Jing).concat(), format!("{a}不亦說乎{b}不亦說乎"));
}
