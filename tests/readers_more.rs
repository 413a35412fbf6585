//! The readers of further shapes: notes in brackets, mandoku files, undivided texts. The texts are made up, or are lines
//! of the 儀禮, 論語 and 大學 with their old commentaries, which belong to everybody.

use proptest::prelude::*;
use zhushu::model::{Document, Layer};
use zhushu::source::Source;
use zhushu::{pipeline, readers};

fn read(text: &str, from: Option<&str>) -> Document {
    let document = readers::read(Source::from_text("t.txt", text), from).unwrap();
    document.check().unwrap();
    document
}

/// Reads and runs every pass.
fn convert(text: &str) -> Document {
    let library = pipeline::convert(Source::from_text("t.txt", text), None).unwrap();
    (*library.documents[0]).clone()
}

/// Layers and words, marks and blanks left out, parts of one run joined.
fn layers(document: &Document) -> Vec<(Layer, String)> {
    let mut runs: Vec<(Layer, String)> = Vec::new();
    for s in document.segments.iter().filter(|s| s.layer.is_text()) {
        let words = document.words(s.span);
        match runs.last_mut() {
            Some((layer, run)) if *layer == s.layer && !matches!(s.layer, Layer::Heading | Layer::Undivided) => run.push_str(&words),
            _ => runs.push((s.layer, words.to_string())),
        }
    }
    runs
}

fn assert_layers(document: &Document, want: &[(Layer, &str)]) {
    let want: Vec<_> = want.iter().map(|(l, w)| (*l, w.to_string())).collect();
    assert_eq!(layers(document), want);
}

fn codes(document: &Document) -> Vec<&str> {
    document.diagnostics.iter().map(|d| d.code).collect()
}

/// The line of the first diagnostic with this code.
fn line_of(document: &Document, code: &str) -> usize {
    let d = document.diagnostics.iter().find(|d| d.code == code).unwrap_or_else(|| panic!("no {code}: {:?}", codes(document)));
    document.source.place(d.span.unwrap().start()).line
}

use Layer::{An, Heading, Jian, Jing, Jishi, Label, Other, Shu, ShuHeader, Undivided, Yin, Zhu, Zhuan};

#[test]
fn notes_in_brackets_hold_readings_after_a_circle() {
    let text = "　　●卷一\n\n　　惟王建國，（建，立也。\n　　○王如字。雒，音洛。）辨方正位，（辨，別也（正也）。）\n\n　　[疏]“惟王建國”\n　　\
                ○釋曰：自此以下。\n　　○注“建立”至“國焉”\n　　○釋曰：云“建，立也”者，是也。\n\n　　以為民極。（極，中也。）\n";
    let d = read(text, None);
    assert_eq!(d.reader, "zhushu");
    assert_layers(
        &d,
        &[
            (Heading, "●卷一"),
            (Jing, "惟王建國，"),
            (Zhu, "建，立也。"),
            (Yin, "王如字。雒，音洛。"),
            (Jing, "辨方正位，"),
            (Zhu, "辨，別也（正也）。"),
            (Shu, "“惟王建國”○釋曰：自此以下。○注“建立”至“國焉”○釋曰：云“建，立也”者，是也。"),
            (Jing, "以為民極。"),
            (Zhu, "極，中也。"),
        ],
    );
    assert_eq!(codes(&d), ["notes-in-brackets"]);
}

#[test]
fn a_second_commentator_after_a_circle_is_commentary_and_jian_is_told_from_zhuan() {
    let d = read("子曰：“道千乘之國，（馬曰：“道，謂為之政教。”○包曰：“道，治也。”）\n[疏]正義曰：此章。\n", None);
    assert_layers(&d, &[(Jing, "子曰：“道千乘之國，"), (Zhu, "馬曰：“道，謂為之政教。”包曰：“道，治也。”"), (Shu, "正義曰：此章。")]);
    let d = read("汎彼柏舟，亦汎其流。（興也。汎，流貌。箋云：舟，載渡物者。○汎，敷劒反。）\n[疏]“汎彼”至“其流”。正義曰：言。\n", None);
    assert_layers(
        &d,
        &[
            (Jing, "汎彼柏舟，亦汎其流。"),
            (Zhu, "興也。汎，流貌。"),
            (Jian, "箋云：舟，載渡物者。"),
            (Yin, "汎，敷劒反。"),
            (Shu, "“汎彼”至“其流”。正義曰：言。"),
        ],
    );
}

#[test]
fn a_stray_bracket_does_not_turn_commentary_into_classic() {
    let text = "眾賓繼射,釋獲皆如初。司射所作,唯上耦。於是言唯上耦者,嫌賓、主人射(一作亦)亦作之。\n[疏]“眾賓”至“上耦”。釋曰:是。\n\
                二筭為純。純猶全也。耦陰陽。\n[疏]“二筭為純”。釋曰:陰陽。\n";
    let d = read(text, None);
    assert_eq!(layers(&d).iter().filter(|(l, _)| *l == Undivided).count(), 2);
    assert_eq!(codes(&d), ["notes-undivided", "brackets-not-notes"]);
    assert_eq!(line_of(&d, "brackets-not-notes"), 1);
}

#[test]
fn circles_before_the_sub_commentary_are_readings_and_after_it_go_on_with_it() {
    let text = "卷六十二 射義第四十六\n　　陸曰：“鄭云：‘以其記燕射。’”\n　　[疏]正義曰：案鄭《目錄》云。\n　　故射者，進退周還必中禮。內正外直。\n　　\
                ○中，丁仲反，下同。正音征。\n　　[疏]“故射”至“中禮”。\n　　○正義曰：此一經。\n　　○“中禮”者，謂。\n";
    let d = read(text, None);
    assert_eq!((d.meta.chapter.as_deref(), d.meta.number), (Some("射義"), Some(46)));
    assert_layers(
        &d,
        &[
            (Heading, "卷六十二 射義第四十六"),
            (Yin, "陸曰：“鄭云：‘以其記燕射。’”"),
            (Shu, "正義曰：案鄭《目錄》云。"),
            (Undivided, "故射者，進退周還必中禮。內正外直。"),
            (Yin, "中，丁仲反，下同。正音征。"),
            (Shu, "“故射”至“中禮”。○正義曰：此一經。○“中禮”者，謂。"),
        ],
    );
}

#[test]
fn text_that_runs_on_after_readings_is_cut_off_if_something_treats_it() {
    let line = "○中，丁仲反，下同。共音恭。是故古者天子以射選諸侯。流，猶放也。";
    let sure = format!("射者中禮。\n{line}\n○選，息戀反。\n[疏]“射者”至“中禮”。正義曰：此。\n");
    let d = read(&sure, None);
    assert!(layers(&d).contains(&(Undivided, "是故古者天子以射選諸侯。流，猶放也。".into())), "{:?}", layers(&d));
    let unsure = format!("射者中禮。\n{line}\n[疏]“射者”至“中禮”。正義曰：此。\n");
    assert!(!layers(&read(&unsure, None)).iter().any(|(l, w)| *l == Undivided && w.starts_with('是')));
}

#[test]
fn pinyin_is_left_aside() {
    let d = read("●卷四\n司儀掌九儀之賓客。(出接賓曰(yue)擯。\n○相(xiang),息亮反。)\n[疏]“司儀”至“賓客”\n○釋曰(yue):此經。\n", None);
    let words: String = layers(&d).into_iter().map(|(_, w)| w).collect();
    assert!(!words.contains("yue") && !words.contains("xiang"), "{words}");
    assert!(codes(&d).contains(&"pinyin"));
}

#[test]
fn an_unclosed_note_ends_with_its_line_and_says_where() {
    let text =
        "一甲。（注也。\n[疏]“一甲”。釋曰:是。\n二乙。（注也。）\n[疏]“二乙”。釋曰:是。\n三丙。（注也。）戊。）\n[疏]“三丙”。釋曰:是。\n";
    let d = read(text, None);
    assert_eq!((line_of(&d, "bracket-unclosed"), line_of(&d, "bracket-stray")), (1, 5));
    assert_layers(
        &d,
        &[
            (Jing, "一甲。"),
            (Zhu, "注也。"),
            (Shu, "“一甲”。釋曰:是。"),
            (Jing, "二乙。"),
            (Zhu, "注也。"),
            (Shu, "“二乙”。釋曰:是。"),
            (Jing, "三丙。"),
            (Zhu, "注也。"),
            (Jing, "戊。）"),
            (Shu, "“三丙”。釋曰:是。"),
        ],
    );
    assert!(d.segments.iter().find(|s| s.layer == Zhu).unwrap().cert.get() < 0.9);
}

#[test]
fn a_note_left_open_does_not_swallow_the_paragraphs_after_it() {
    let text = "一甲。（注也。\n二乙。（注也。）\n三丙。（注也。）\n[疏]“一甲”。釋曰:是。\n";
    let d = read(text, None);
    assert_eq!(line_of(&d, "bracket-unclosed"), 1);
    assert_eq!(layers(&d).iter().filter(|(l, _)| *l == Jing).count(), 3);
}

#[test]
fn a_mark_in_the_midst_of_a_line_opens_the_sub_commentary() {
    let d = read("二筭為純。純猶全也。[疏]“二筭為純”。釋曰:陰陽對合。\n", None);
    assert_layers(&d, &[(Undivided, "二筭為純。純猶全也。"), (Shu, "“二筭為純”。釋曰:陰陽對合。")]);
}

const HEAD: &str = "# -*- mode: mandoku-view; -*-\n#+TITLE: 儀禮\n#+PROPERTY: ID KR1d0026\n";

#[test]
fn double_rows_over_line_ends_are_one_note() {
    let text = format!(
        "{HEAD}<pb:KR1d0026_SBCK_006-1a>¶\n儀禮卷第六¶\n燕禮第六　儀禮　鄭氏注¶\n燕禮小臣戒與者(小臣相君燕飲之法與者/謂留羣臣也君以燕禮勞)¶\n\
         <pb:KR1d0026_SBCK_006-1b>¶\n(使臣若臣/有功)膳宰具¶\n官饌于寢東(膳宰天子/曰&KR0764;)¶\n儀禮卷第六¶\n(經三千字/注四千字)¶\n"
    );
    let d = read(&text, None);
    assert_eq!((d.reader, d.meta.title.as_str(), d.meta.number), ("mandoku", "儀禮・燕禮", Some(6)));
    // One note is one segment, with the turns of page, line and row as marks inside.
    assert_eq!((d.of_layer(Zhu).count(), d.of_layer(Jing).count()), (2, 2));
    assert!(d.marks.iter().all(|m| d.slice(*m).contains(['/', '¶'])), "{:?}", d.marks);
    assert_layers(
        &d,
        &[
            (Heading, "儀禮卷第六"),
            (Heading, "燕禮第六　儀禮　鄭氏注"),
            (Jing, "燕禮小臣戒與者"),
            (Zhu, "小臣相君燕飲之法與者謂留羣臣也君以燕禮勞使臣若臣有功"),
            (Jing, "膳宰具官饌于寢東"),
            (Zhu, "膳宰天子曰&KR0764;"),
            (Heading, "儀禮卷第六"),
            (Other, "經三千字注四千字"),
        ],
    );
}

#[test]
fn labels_say_which_layer_follows() {
    let text = format!(
        "{HEAD}欽定四庫全書¶\n　儀禮注疏卷六¶\n　　漢鄭氏注　唐陸德明音義　賈公彦疏¶\n燕禮○小臣戒與者注小臣相君燕飲之法周禮注云音¶\n\
         義(與音/預)疏(釋曰自此/已下)¶\n(盡告/具)○膳宰具官饌注膳宰天子曰疏¶\n(釋曰/以其)樂人縣注縣鍾磬也○射人告具注告事也音義(告古/毒反)¶\n"
    );
    assert_layers(
        &convert(&text),
        &[
            (Heading, "欽定四庫全書"),
            (Heading, "儀禮注疏卷六"),
            (Heading, "漢鄭氏注　唐陸德明音義　賈公彦疏"),
            (Jing, "燕禮小臣戒與者"),
            (Zhu, "小臣相君燕飲之法周禮注云"),
            (Yin, "與音預"),
            (Shu, "釋曰自此已下盡告具"),
            (Jing, "膳宰具官饌"),
            (Zhu, "膳宰天子曰"),
            (Shu, "釋曰以其"),
            (Jing, "樂人縣"),
            (Zhu, "縣鍾磬也"),
            (Jing, "射人告具"),
            (Zhu, "告事也"),
            (Yin, "告古毒反"),
        ],
    );
}

#[test]
fn verses_are_told_from_the_jian_before_them() {
    let text = format!(
        "{HEAD}　序柏舟言仁而不遇也箋不遇者君不受己之志音義(柏木/名)疏(正義/曰)¶\n汎彼柏舟亦汎其流傳興也箋云舟載渡物者今不用而與衆物汎汎然耿耿不寐如有隠憂傳耿耿¶\n\
         猶儆儆也隠痛也音義(汎敷/劔反)疏(正義/曰)¶\n我心匪鑒不可以茹傳鑒所以察形也箋云鑒之察形但知方圓音義(鑒甲/暫反)疏(正義/曰)¶\n\u{3000}柏舟五章¶\n"
    );
    let d = convert(&text);
    assert_layers(
        &d,
        &[
            (Zhuan, "柏舟言仁而不遇也"),
            (Jian, "不遇者君不受己之志"),
            (Yin, "柏木名"),
            (Shu, "正義曰"),
            (Jing, "汎彼柏舟亦汎其流"),
            (Zhu, "興也"),
            (Jian, "舟載渡物者今不用而與衆物汎汎然"),
            (Jing, "耿耿不寐如有隠憂"),
            (Zhu, "耿耿猶儆儆也隠痛也"),
            (Yin, "汎敷劔反"),
            (Shu, "正義曰"),
            (Jing, "我心匪鑒不可以茹"),
            (Zhu, "鑒所以察形也"),
            (Jian, "鑒之察形但知方圓"),
            (Yin, "鑒甲暫反"),
            (Shu, "正義曰"),
            (Jing, "柏舟五章"),
        ],
    );
    let verse = d.segments.iter().find(|s| d.slice(s.span).starts_with("耿耿不寐")).unwrap();
    assert!(verse.cert.get() < 1.0 && !verse.evidence.is_empty());
}

#[test]
fn classic_that_goes_on_after_a_note_is_found_by_how_it_reads() {
    let text = format!(
        "{HEAD}　儀禮注疏卷六¶\n○賓坐取觚奠于篚下盥洗注篚下篚南主人辭洗注謙也賓坐奠觚于篚興對卒洗及階揖升主人北面拜受爵注賓旣¶\n\
         南面授爵乃之左疏(注釋曰鄭云/賓旣南面)¶\n○主人酌膳賓西階上拜注拜者拜其酌已受爵于筵前反位主人拜送爵賓升席坐祭酒遂奠于薦東注遂者因坐¶\n\
         而奠也疏(釋曰自此/至薦東)卒爵不拜注賤不備禮主人受爵注將復獻衆工也疏(釋曰/云)¶\n"
    );
    let d = convert(&text);
    assert!(codes(&d).starts_with(&["mandoku-style", "labels-in-line"]));
    assert_layers(
        &d,
        &[
            (Heading, "儀禮注疏卷六"),
            (Jing, "賓坐取觚奠于篚下盥洗"),
            (Zhu, "篚下篚南"),
            (Jing, "主人辭洗"),
            (Zhu, "謙也"),
            (Jing, "賓坐奠觚于篚興對卒洗及階揖升主人北面拜受爵"),
            (Zhu, "賓旣南面授爵乃之左"),
            (Shu, "注釋曰鄭云賓旣南面"),
            (Jing, "主人酌膳賓西階上拜"),
            (Zhu, "拜者拜其酌已"),
            (Jing, "受爵于筵前反位主人拜送爵賓升席坐祭酒遂奠于薦東"),
            (Zhu, "遂者因坐而奠也"),
            (Shu, "釋曰自此至薦東"),
            (Jing, "卒爵不拜"),
            (Zhu, "賤不備禮"),
            (Jing, "主人受爵"),
            (Zhu, "將復獻衆工也"),
            (Shu, "釋曰云"),
        ],
    );
    // Marks of the page stand inside what goes on over them, never at its edge.
    for s in d.segments.iter().filter(|s| s.layer.is_text()) {
        assert!(!d.slice(s.span).ends_with('\n') && !d.slice(s.span).starts_with('¶'), "{:?}", d.slice(s.span));
    }
}

#[test]
fn running_text_without_brackets_is_told_apart_by_its_labels() {
    let text = "儀禮注疏 (四庫全書本)/卷06\n維基文庫,自由的圖書館\n欽定四庫全書\n  儀禮注疏卷六\n  燕禮第六\n  燕禮○小臣戒與者注小臣相君燕飲之法\
                戒與者謂留羣臣也音義與音預相息亮反勞力報反疏釋曰自此已下盡射人告具論告戒羣臣及陳饌之事云小臣相君燕飲之法者案周禮大僕職云王燕飲則相其法\
                是諸侯小臣當大僕之事也○膳宰具官饌于寢東注膳宰天子曰膳夫掌君飲食膳羞者也疏釋曰云膳宰天子曰膳夫者以其天子有宰夫諸侯亦有宰夫故言之也\
                ○樂人縣注縣鍾磬也國君無故不徹縣音義縣音懸疏釋曰云縣鍾磬也者案小胥天子宮縣諸侯軒縣故云鍾磬也\n";
    let d = convert(text);
    assert_eq!((d.reader, d.meta.number), ("flat", Some(6)));
    assert!(codes(&d).contains(&"brackets-lost") && codes(&d).contains(&"labels-in-line"));
    let found: Vec<(Layer, String)> = layers(&d).into_iter().filter(|(l, _)| matches!(l, Jing | Zhu | Yin)).collect();
    let want = [
        (Jing, "燕禮小臣戒與者"),
        (Zhu, "小臣相君燕飲之法戒與者謂留羣臣也"),
        (Yin, "與音預相息亮反勞力報反"),
        (Jing, "膳宰具官饌于寢東"),
        (Zhu, "膳宰天子曰膳夫掌君飲食膳羞者也"),
        (Jing, "樂人縣"),
        (Zhu, "縣鍾磬也國君無故不徹縣"),
        (Yin, "縣音懸"),
    ];
    assert_eq!(found, want.map(|(l, w)| (l, w.to_string())));
    assert!(d.of_layer(Shu).all(|s| d.slice(s.span).starts_with("釋曰") && s.cert.get() < 1.0));
}

#[test]
fn circles_in_double_rows_open_readings_where_that_is_their_habit() {
    let text = format!(
        "{HEAD}春秋公羊經傳解詁隱公第一(〇陸曰解詁佳買/反下音古訓也)¶\n　　　　　　何休學(〇學者言爲此經/之學即注述之意)¶\n\
         元年春王正月(〇正月音征又/音政後放此)元年者何(諸据疑問所不/知故曰者何)¶\n歲之始也(歲者揔號〇辟婢亦反本亦作/闢稱尺證反下之稱卑稱同)成公意也(知其成公意/〇而去起吕)¶\n\
         (反下去/同)母以子貴(夫人/是也)〇三月公及邾婁儀父盟(〇邾音誅婁力俱反/邾人語聲後曰婁)¶\n"
    );
    let d = convert(&text);
    assert_layers(
        &d,
        &[
            (Heading, "春秋公羊經傳解詁隱公第一"),
            (Yin, "〇陸曰解詁佳買反下音古訓也"),
            (Heading, "何休學"),
            (Yin, "〇學者言爲此經之學即注述之意"),
            (Jing, "元年春王正月"),
            (Yin, "〇正月音征又音政後放此"),
            (Jing, "元年者何"),
            (Zhu, "諸据疑問所不知故曰者何"),
            (Jing, "歲之始也"),
            (Zhu, "歲者揔號"),
            (Yin, "〇辟婢亦反本亦作闢稱尺證反下之稱卑稱同"),
            (Jing, "成公意也"),
            (Zhu, "知其成公意"),
            (Yin, "〇而去起吕反下去同"),
            (Jing, "母以子貴"),
            (Zhu, "夫人是也"),
            (Jing, "三月公及邾婁儀父盟"),
            (Yin, "〇邾音誅婁力俱反邾人語聲後曰婁"),
        ],
    );
}

#[test]
fn headers_of_a_sub_commentary_by_itself_are_found_without_blanks() {
    let text = format!(
        "{HEAD}儀禮疏卷第十四¶\n燕禮第六鄭目録云　燕禮小臣戒與者　釋曰自此已下論之故不言君有命膳宰至寢東注膳宰至路寢　釋曰以其燕在寢故具之¶\n\
         注君物至賔也　釋曰言君物曰膳膳之言善也之節注酬而至酬也　釋曰此酬非謂常也¶\n"
    );
    let d = read(&text, None);
    let headers: Vec<(String, bool)> =
        d.of_layer(ShuHeader).map(|s| (d.words(s.span).into_owned(), s.cert.get() < 1.0 && !s.evidence.is_empty())).collect();
    let want = [("燕禮小臣戒與者", false), ("膳宰至寢東注膳宰至路寢", true), ("注君物至賔也", true), ("注酬而至酬也", true)];
    assert_eq!(headers, want.map(|(w, guessed)| (w.to_string(), guessed)));
}

#[test]
fn indentation_tells_notes_from_classic() {
    let text = format!(
        "{HEAD}　儀禮集釋卷五　　宋　李如圭　撰¶\n鄉射禮第五¶\n　鄭目錄云州長春秋以禮㑹民¶\n鄉射之禮主人戒賓賓出迎¶\n再拜¶\n\
         \u{3000}鄭注主人州長也不言拜辱者(案今注疏本脱/者字)此為¶\n\u{3000}習民也¶\n　釋曰言習民者¶\n賓禮辭許¶\n　鄭注辭不敢當¶\n"
    );
    assert_layers(
        &read(&text, None),
        &[
            (Heading, "儀禮集釋卷五　　宋　李如圭　撰"),
            (Heading, "鄉射禮第五"),
            (Other, "鄭目錄云州長春秋以禮㑹民"),
            (Jing, "鄉射之禮主人戒賓賓出迎再拜"),
            (Zhu, "主人州長也不言拜辱者"),
            (An, "案今注疏本脱者字"),
            (Zhu, "此為習民也"),
            (Jishi, "釋曰言習民者"),
            (Jing, "賓禮辭許"),
            (Zhu, "辭不敢當"),
        ],
    );
}

#[test]
fn a_sub_commentary_by_itself_has_headers_between_blanks() {
    let text = format!(
        "{HEAD}儀禮疏卷第十四¶\n燕禮第六鄭目録云諸侯無事　釋曰案上下經注燕有四等¶\n一也　燕禮小臣戒與者　釋曰自此巳下盡告具¶\n故今戒可與之人　設洗至西面　注設此¶\n至其文　釋曰云設此者¶\n"
    );
    let d = read(&text, None);
    let headers: Vec<String> = layers(&d).into_iter().filter(|(l, _)| *l == ShuHeader).map(|(_, w)| w).collect();
    assert_eq!(headers, ["燕禮小臣戒與者", "設洗至西面　注設此至其文"]);
    assert!(!layers(&d).iter().any(|(l, _)| *l == Jing));
}

#[test]
fn an_unclosed_double_row_ends_with_its_line() {
    let text = format!("{HEAD}燕禮小臣戒與者(小臣相君/燕飲¶\n膳宰具(膳宰天/子曰)¶\n官饌)于寢東(寢/也)¶\n").repeat(1);
    let more: String = (0..20).map(|_| "射人告具(告/事)¶\n").collect();
    let d = read(&(text + &more), None);
    assert_eq!((line_of(&d, "bracket-unclosed"), line_of(&d, "bracket-stray")), (4, 6));
    assert!(layers(&d).contains(&(Jing, "膳宰具".into())));
}

#[test]
fn black_brackets_and_wikitext_notes() {
    let d = read(
        "儀禮章句卷七\n\n大射儀第七【諸侯將祭與羣臣射以觀其德】\n\n大射之儀【凡禮皆君命】宰戒百官【宰冢宰○冢知隴反】\n射人戒【殊戒公卿大夫\n辨貴賤也】前射三日\n",
        None,
    );
    assert_eq!((d.reader, d.meta.number), ("brackets", Some(7)));
    assert_layers(
        &d,
        &[
            (Heading, "儀禮章句卷七"),
            (Heading, "大射儀第七"),
            (Zhu, "諸侯將祭與羣臣射以觀其德"),
            (Jing, "大射之儀"),
            (Zhu, "凡禮皆君命"),
            (Jing, "宰戒百官"),
            (Zhu, "宰冢宰"),
            (Yin, "冢知隴反"),
            (Jing, "射人戒"),
            (Zhu, "殊戒公卿大夫\n辨貴賤也"),
            (Jing, "前射三日"),
        ],
    );
    let wiki = "{{header2\n| title = 儀禮註疏\n}}\n\n==燕禮第六==\n'''燕禮。'''{{*|小臣相君{{僻字|與}}之法。}}\n\n:{{紅|【疏】}}“燕禮”。釋曰:自此。\n\n'''樂人縣。'''{{*|縣,鍾磬也。}}\n'''告。'''{{*|事。}}\n";
    let d = read(wiki, None);
    assert_layers(
        &d,
        &[
            (Heading, "==燕禮第六=="),
            (Jing, "燕禮。"),
            (Zhu, "小臣相君{{僻字|與}}之法。"),
            (Shu, "“燕禮”。釋曰:自此。"),
            (Jing, "樂人縣。"),
            (Zhu, "縣,鍾磬也。"),
            (Jing, "告。"),
            (Zhu, "事。"),
        ],
    );
}

#[test]
fn an_unclosed_black_bracket_ends_before_the_next() {
    let d = read("甲乙丙【注一\n\n丁戊己【注二】庚【注三\n辛壬【注四】癸【注五】\n", Some("brackets"));
    assert_eq!(line_of(&d, "bracket-unclosed"), 1);
    let classic: Vec<String> = layers(&d).into_iter().filter(|(l, _)| *l == Jing).map(|(_, w)| w).collect();
    assert_eq!(classic, ["甲乙丙", "丁戊己", "庚", "辛壬", "癸"]);
}

#[test]
fn an_undivided_text_shows_its_labels_and_preface() {
    let glosses = "康誥，周書。克，能也。大，讀作泰，他蓋反。諟，古是字，音是。顧，謂常目在之也。峻，大也。";
    let text = format!(
        "大學章句\n\n大學之書，古之大學所以教人之法也。\n大學章句     大，舊音泰，今讀如字。\n大學之道，在明明德。{glosses}\n康誥曰：“克明德。”{glosses}{glosses}\n\
         右傳之首章。釋明明德。此通下三章，誤在後。\n湯之盤銘曰：“苟日新。”{glosses}盤，沐浴之盤也。\n"
    );
    let d = read(&text, None);
    assert_eq!(d.reader, "jizhu");
    let found = layers(&d);
    assert_eq!(found[1], (Other, "大學之書，古之大學所以教人之法也。".into()));
    assert_eq!(found[3], (Zhu, "大，舊音泰，今讀如字。".into()));
    assert!(found.contains(&(Label, "右傳之首章。釋明明德。".into())) && found.contains(&(Zhu, "此通下三章，誤在後。".into())));
    assert_eq!(found.iter().filter(|(l, _)| *l == Undivided).count(), 3);
}

#[test]
fn a_classic_without_notes_stays_plain() {
    let text = "學而\n\n子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？」\n有子曰：「其為人也孝弟，而好犯上者，鮮矣；君子務本，本立而道生。孝弟也者，其為仁之本與！」\n".repeat(6);
    assert_eq!(read(&text, None).reader, "plain");
    assert_eq!(read("主人戒賓（一作賔），賓出迎，再拜。主人荅再拜，乃請。賓禮辭，許。主人再拜，賓荅再拜。\n", None).reader, "plain");
}

/// What the formats are made of.
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    "　　",
    "○",
    "[疏]",
    "【疏】",
    "（",
    "）",
    "(",
    ")",
    "/",
    "¶\n",
    "<pb:A_1a>¶\n",
    "【",
    "】",
    "{{*|",
    "}}",
    "{{",
    "'''",
    "==燕禮第六==\n",
    "燕禮。",
    "小臣戒與者",
    "注",
    "音義",
    "疏",
    "“眾賓”至“上耦”。",
    "釋曰:",
    "正義曰：",
    "丁丈反，",
    "音洛。",
    "曰(yue)",
    "&KR0764;",
    "●卷一\n",
    "射義第四十六\n",
    "陸曰：",
    "箋云",
    "傳",
    "鄭注",
    "(案",
    "右傳之首章。",
    "\u{FEFF}",
    "\r\n",
    "𧰼",
    "#+TITLE: 禮\n",
    "〔",
    "〕",
    "<small>",
    "</small>",
    "純，全也。",
    "　釋曰",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn no_mixture_of_marks_is_lost_or_panics(picks in prop::collection::vec(0..PIECES.len(), 0..120)) {
        let text: String = picks.iter().map(|i| PIECES[*i]).collect();
        for reader in ["zhushu", "mandoku", "flat", "brackets", "jizhu"] {
            let Ok(document) = readers::read(Source::from_text("t.txt", text.clone()), Some(reader)) else { continue };
            prop_assert!(document.check().is_ok(), "{}: {:?}\n{}", reader, document.check(), text);
        }
        let Ok(document) = readers::read(Source::from_text("t.txt", text.clone()), None) else { return Ok(()) };
        prop_assert!(document.check().is_ok());
    }
}

/// Prints how fast the readers read; run with `--ignored --nocapture` and `--release`.
#[test]
#[ignore = "a measurement"]
fn speed_of_the_readers() {
    let shu = "　　惟王建國，（建，立也。\n　　○王如字。雒，音洛。）辨方正位，（辨，別也。）\n　　[疏]“惟王建國”\n　　○釋曰：自此以下，云“建，立也”者，是也。\n";
    let kanripo = "燕禮小臣戒與者(小臣相君燕飲之法與者/謂留羣臣也君以燕禮勞)¶\n(使臣若臣/有功)膳宰具¶\n";
    let black = "大射之儀【凡禮皆君命】宰戒百官【宰冢宰】\n";
    for (reader, unit) in [("zhushu", shu), ("mandoku", kanripo), ("brackets", black)] {
        let text = unit.repeat(20_000_000 / unit.len());
        let start = std::time::Instant::now();
        let d = readers::read(Source::from_text("t.txt", text), Some(reader)).unwrap();
        let megabytes = d.source.text().len() as f64 / 1e6;
        println!("{reader}: {:.0} MB/s, {} segments", megabytes / start.elapsed().as_secs_f64(), d.segments.len());
    }
}
