//! XML from elsewhere, element by element.

use super::*;

fn layers(text: &str) -> Vec<(Layer, String)> {
    let d = read(Source::from_text("t.xml", text)).unwrap();
    d.check().unwrap();
    let text = d.segments.iter().filter(|s| s.layer.is_text());
    text.map(|s| (s.layer, d.words(s.span).to_string())).collect()
}

#[test]
fn notes_and_lines_of_tei_are_read() {
    let text = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt>\
        <title>燕禮</title></titleStmt></fileDesc></teiHeader><text><body><head>燕禮第六</head>\n\
        <lb n=\"1\"/><p>燕禮小臣<anchor/>戒\n<lb n=\"2\"/>與者<note place=\"inline\">小臣相君\
        </note>膳宰<app><lem>具</lem><rdg>俱</rdg></app>官饌</p><note type=\"orig\">x</note>\
        <p><choice><sic>雲</sic><corr>云</corr></choice></p></body></text></TEI>";
    assert_eq!(sniff(text), 60);
    let want = [
        (Layer::Heading, "燕禮第六"),
        (Layer::Jing, "燕禮小臣戒與者"),
        (Layer::Zhu, "小臣相君"),
        (Layer::Jing, "膳宰具官饌"),
        (Layer::Jing, "雲"),
    ];
    assert_eq!(layers(text), want.map(|(l, w)| (l, w.to_string())));
    let d = read(Source::from_text("t.xml", text)).unwrap();
    assert_eq!(d.meta.title, "燕禮");
}

#[test]
fn blanks_beside_elements_are_kept_where_the_script_has_them() {
    let text = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><div type=\"translation\">\
        <p>The <hi>Master</hi> said, <emph>Is it</emph> <hi>not</hi> a\n  joy &amp; <lb/>rest?\
        </p></div><p>子曰 <hi>學</hi>\n而<lb/> 時習</p></body></text></TEI>";
    let want = [
        (Layer::Translation, "The Master said, Is it not a\njoy & rest?"),
        (Layer::Jing, "子曰學而時習"),
    ];
    assert_eq!(layers(text), want.map(|(l, w)| (l, w.to_string())));
}

#[test]
fn an_apparatus_apart_from_the_text_leads_to_its_words() {
    let text = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><p>願明哲<anchor \
        xml:id=\"beg1\"/>唯<anchor xml:id=\"end1\"/>留思<supplied reason=\"omitted\">三\n人\
        </supplied>察<note type=\"mod\">一作審</note></p></body><back><app from=\"#beg1\" \
        to=\"#end1\"><lem>唯</lem><rdg wit=\"#wit2\">惟</rdg></app><app from=\"#x\" to=\"#y\">\
        <lem>察</lem><rdg>審</rdg></app></back></text></TEI>";
    let d = read(Source::from_text("t.xml", text)).unwrap();
    let readings: Vec<_> =
        d.readings.iter().map(|r| (d.words(r.span).to_string(), &*r.reading)).collect();
    let expected = [("唯", "惟"), ("三", ""), ("人", "")];
    assert_eq!(readings, expected.map(|(a, b)| (a.to_string(), b)));
    for code in ["notes-left-out", "apparatus-left-out"] {
        assert!(d.diagnostics.iter().any(|d| d.code == code), "{code}");
    }
}

#[test]
fn layers_of_docuxml_are_read() {
    let text = "<?xml version=\"1.0\"?>\n<ThdlPrototypeExport><corpus name=\"a\"><x>不是</x></corpus>\n\
        <documents><document filename=\"a\"><title>燕禮</title><corpus>儀禮</corpus><doc_content>\n\
        <Paragraph><Udef_layer Term=\"經\">樂人縣。</Udef_layer></Paragraph>\n\
        <Paragraph><Udef_zhu>縣,鍾磬也。</Udef_zhu><Udef_shu>[疏]釋曰</Udef_shu></Paragraph>\n\
        </doc_content></document></documents></ThdlPrototypeExport>";
    let want = [
        (Layer::Heading, "燕禮"),
        (Layer::Jing, "樂人縣。"),
        (Layer::Zhu, "縣,鍾磬也。"),
        (Layer::Shu, "釋曰"),
    ];
    assert_eq!(layers(text), want.map(|(l, w)| (l, w.to_string())));
}

#[test]
fn tmx_is_a_classic_and_its_translation() {
    let text = "<tmx version=\"1.4\"><header srclang=\"lzh\"><note>x</note></header><body><tu>\n\
        <tuv xml:lang=\"lzh\"><seg>巧言令色，鮮矣仁。</seg></tuv><tuv xml:lang=\"zh\"><seg>花言\
        巧語。</seg></tuv></tu></body></tmx>";
    let want = [(Layer::Jing, "巧言令色，鮮矣仁。"), (Layer::Translation, "花言巧語。")];
    let want = want.map(|(l, w)| (l, w.to_string()));
    assert_eq!(layers(text), want);
    // The language of the classic by another name, or none that is its own.
    for (one, other) in [("LZH", "ZH"), ("zh-TW", "en"), ("zh-TW", "zh-CN"), ("zh", "zh")] {
        let text = text.replace("lang=\"zh\"", &format!("lang=\"{other}\""));
        let text = text.replace("lang=\"lzh\"", &format!("lang=\"{one}\""));
        assert_eq!(layers(&text), want, "{one} {other}");
    }
}

#[test]
fn half_columns_of_alto_and_lines_named_notes_are_notes() {
    let line = |x, wide, words| {
        format!(
            "<TextLine HPOS=\"{x}\" VPOS=\"1\" WIDTH=\"{wide}\" HEIGHT=\"450\">\
             <String CONTENT=\"{words}\"/></TextLine>\n"
        )
    };
    let lines = [
        line(800, 40, "學而時習之"),
        line(820, 20, "馬曰子"),
        line(800, 20, "者男子"),
        line(740, 40, "不亦說乎"),
        line(700, 38, "有朋自遠方來"),
    ];
    let alto = format!(
        "<alto><Description><fileName>一</fileName></Description><Layout><Page><TextBlock>\n{}\
         </TextBlock></Page></Layout></alto>",
        lines.concat()
    );
    let line = |kind, words| {
        format!(
            "<TextLine custom=\"structure {{type:{kind};}}\"><Word><TextEquiv><Unicode>x</Unicode>\
             </TextEquiv></Word><TextEquiv><Unicode>{words}</Unicode></TextEquiv></TextLine>\n"
        )
    };
    let lines = [
        line("main", "學而時習之"),
        line("note", "馬曰子"),
        line("note", "者男子"),
        line("main", "不亦說乎"),
        line("main", "有朋自遠方來"),
    ];
    let page = format!(
        "<PcGts><Metadata><Creator>某</Creator></Metadata><Page><TextRegion>\n{}<TextEquiv>\
         <Unicode>學而時習之</Unicode></TextEquiv></TextRegion></Page></PcGts>",
        lines.concat()
    );
    let want = [
        (Layer::Jing, "學而時習之"),
        (Layer::Zhu, "馬曰子者男子"),
        (Layer::Jing, "不亦說乎有朋自遠方來"),
    ];
    for text in [alto, page] {
        assert_eq!(layers(&text), want.map(|(l, w)| (l, w.to_string())), "{text}");
    }
}

#[test]
fn a_file_that_is_cut_off_says_so() {
    let said = |text: &str| {
        let document = read(Source::from_text("t.xml", text)).expect("it is read");
        document.diagnostics.iter().filter(|d| d.code == "cut-off").count()
    };
    assert_eq!(said("<TEI><text><body><p>樂人縣。</p></body></text></TEI>"), 0);
    assert_eq!(said("<TEI><text><body><p>樂人縣。</p><p>膳宰"), 1);
}

#[test]
fn broken_xml_is_refused_at_its_place() {
    let e = read(Source::from_text("t.xml", "<TEI><text>\n<p>燕禮</text></TEI>")).unwrap_err();
    assert_eq!(e.place.map(|p| p.line), Some(2));
}
