//! Shapes in which words and positions, more than brackets, separate the layers: labels in running
//! text, 經 and 傳 alternating, circles, the 傳 of the 喪服. The texts are lines of the 儀禮, 毛詩, 公羊, 左傳
//! and 禮記, which are in the public domain.

use crate::support::reading::{HEAD, assert_layers, codes, convert, layers, read};
use Layer::{Heading, Jing, Shu, ShuHeader, Undivided, Yin, Zhu, Zhuan};
use zhushu::model::{Commentary, Layer};

const JIAN: Layer = Layer::Named(Commentary::JIAN);

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
fn a_file_that_names_its_labels_has_no_notes_without_them() {
    let text = "# -*- mode: mandoku-view; -*-\n#+TITLE: 列子\n#+PROPERTY: LABELS 注 別注\n說符第八¶\n\
                東方有人焉伯峻案世德堂本人下有注字釋文云焉音烟注(爰旌目也)別注(此解非也)曰狐父之盜曰丘¶\n";
    assert_layers(
        &convert(text),
        &[
            (Heading, "說符第八"),
            (Jing, "東方有人焉伯峻案世德堂本人下有注字釋文云焉音烟"),
            (Zhu, "爰旌目也"),
            ("別注".parse().unwrap(), "此解非也"),
            (Jing, "曰狐父之盜曰丘"),
        ],
    );
}

#[test]
fn verses_are_separated_from_the_jian_before_them() {
    let text = format!(
        "{HEAD}　序柏舟言仁而不遇也箋不遇者君不受己之志音義(柏木/名)疏(正義/曰)¶\n汎彼柏舟亦汎其流傳興也箋云舟載渡物者今不用而與衆物汎汎然耿耿不寐如有隠憂傳耿耿¶\n\
         猶儆儆也隠痛也音義(汎敷/劔反)疏(正義/曰)¶\n我心匪鑒不可以茹傳鑒所以察形也箋云鑒之察形但知方圓音義(鑒甲/暫反)疏(正義/曰)¶\n\u{3000}柏舟五章¶\n"
    );
    let d = convert(&text);
    assert_layers(
        &d,
        &[
            (Zhuan, "柏舟言仁而不遇也"),
            (JIAN, "不遇者君不受己之志"),
            (Yin, "柏木名"),
            (Shu, "正義曰"),
            (Jing, "汎彼柏舟亦汎其流"),
            (Zhu, "興也"),
            (JIAN, "舟載渡物者今不用而與衆物汎汎然"),
            (Jing, "耿耿不寐如有隠憂"),
            (Zhu, "耿耿猶儆儆也隠痛也"),
            (Yin, "汎敷劔反"),
            (Shu, "正義曰"),
            (Jing, "我心匪鑒不可以茹"),
            (Zhu, "鑒所以察形也"),
            (JIAN, "鑒之察形但知方圓"),
            (Yin, "鑒甲暫反"),
            (Shu, "正義曰"),
            (Jing, "柏舟五章"),
        ],
    );
    let verse = d.segments.iter().find(|s| d.slice(s.span).starts_with("耿耿不寐")).unwrap();
    assert!(verse.certainty.get() < 1.0 && !verse.evidence.is_empty());
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
    // Marks of the page are inside a segment that continues across them, never at its edge.
    for s in d.segments.iter().filter(|s| s.layer.is_text()) {
        assert!(
            !d.slice(s.span).ends_with('\n') && !d.slice(s.span).starts_with('¶'),
            "{:?}",
            d.slice(s.span)
        );
    }
}

#[test]
fn running_text_without_brackets_is_separated_by_its_labels() {
    let text = "儀禮注疏 (四庫全書本)/卷06\n維基文庫,自由的圖書館\n欽定四庫全書\n  儀禮注疏卷六\n  燕禮第六\n  燕禮○小臣戒與者注小臣相君燕飲之法\
                戒與者謂留羣臣也音義與音預相息亮反勞力報反疏釋曰自此已下盡射人告具論告戒羣臣及陳饌之事云小臣相君燕飲之法者案周禮大僕職云王燕飲則相其法\
                是諸侯小臣當大僕之事也○膳宰具官饌于寢東注膳宰天子曰膳夫掌君飲食膳羞者也疏釋曰云膳宰天子曰膳夫者以其天子有宰夫諸侯亦有宰夫故言之也\
                ○樂人縣注縣鍾磬也國君無故不徹縣音義縣音懸疏釋曰云縣鍾磬也者案小胥天子宮縣諸侯軒縣故云鍾磬也\n";
    let d = convert(text);
    assert_eq!((&*d.reader, d.meta.number), ("flat", Some(6)));
    assert!(codes(&d).contains(&"brackets-lost") && codes(&d).contains(&"labels-in-line"));
    let found: Vec<(Layer, String)> =
        layers(&d).into_iter().filter(|(l, _)| matches!(l, Jing | Zhu | Yin)).collect();
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
    assert!(
        d.of_layer(Shu).all(|s| d.slice(s.span).starts_with("釋曰") && s.certainty.get() < 1.0)
    );
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
fn gongyang_has_readings_within_its_lines_and_jieyun_for_its_sub_commentary() {
    let text = "《春秋公羊傳注疏》隱公卷一(起元年，盡元年)\n◎隱公第一,起元年,盡三年\n元年者何?諸據疑,問所不知,故曰者何。\n[疏]“元年者何”。\n○解云:凡諸侯不得稱元年。\n\
                ○注“諸據”至“者何”。\n○解云:謂諸據有疑理。\n○問曰:左氏以爲何?\n夏,公追戎於濟西。以兵逐之曰追。○濟,子禮反。此未有言伐者,其言追何?據公追齊師至酅,舉齊侵也。\
                ○酅,戶圭反。\n[疏]注“據公”至“侵也”。\n○解云:即僖二十六年。\n";
    let d = read(text, None);
    assert_layers(
        &d,
        &[
            (Heading, "《春秋公羊傳注疏》隱公卷一(起元年，盡元年)"),
            (Heading, "◎隱公第一,起元年,盡三年"),
            (Undivided, "元年者何?諸據疑,問所不知,故曰者何。"),
            (
                Shu,
                "“元年者何”。○解云:凡諸侯不得稱元年。○注“諸據”至“者何”。○解云:謂諸據有疑理。○問曰:左氏以爲何?",
            ),
            (Undivided, "夏,公追戎於濟西。以兵逐之曰追。"),
            (Undivided, "濟,子禮反。此未有言伐者,其言追何?據公追齊師至酅,舉齊侵也。"),
            (Undivided, "酅,戶圭反。"),
            (Shu, "注“據公”至“侵也”。○解云:即僖二十六年。"),
        ],
    );
    let d = convert(text);
    assert!(layers(&d).contains(&(Jing, "此未有言伐者,其言追何?".into())), "{:?}", layers(&d));
    assert_eq!(d.headers.len(), 3);
}

#[test]
fn classic_and_tradition_take_turns_under_their_marks() {
    let brackets = "【經】元年，春，王正月。（隱公之始年，周王之正月也。）\n【疏】“元年春王正月”。正義曰：此經亦諸侯之常法。\n【經】三月，公及邾儀父盟于蔑。（附庸之君。○邾音誅。）\n\
                    【傳】元年，春，王周正月。（言周以別夏殷。○別，彼列反。）不書即位，攝也。（假攝君政。）\n【疏】注“假攝”至“君政”。正義曰：攝訓持也。\n【經】二年，春。（春也。）\n";
    let want = [
        (Jing, "元年，春，王正月。"),
        (Zhu, "隱公之始年，周王之正月也。"),
        (Jing, "三月，公及邾儀父盟于蔑。"),
        (Zhu, "附庸之君。"),
        (Yin, "邾音誅。"),
        (Zhuan, "元年，春，王周正月。"),
        (Zhu, "言周以別夏殷。"),
        (Yin, "別，彼列反。"),
        (Zhuan, "不書即位，攝也。"),
        (Zhu, "假攝君政。"),
        (Jing, "二年，春。"),
        (Zhu, "春也。"),
    ];
    let found: Vec<_> = layers(&convert(brackets))
        .into_iter()
        .filter(|(l, _)| !matches!(l, Shu | ShuHeader))
        .collect();
    assert_eq!(found, want.map(|(l, w)| (l, w.to_string())));
    let marks = "［經］元年，春，王正月。［注］隱公之始年。［疏］“元年春王正月”。正義曰：此經。\n［經］三月，公及邾儀父盟于蔑。［注］附庸之君。［音義］邾音誅。\n［傳］元年，春，王周正月。［注］言周。\n";
    assert_layers(
        &read(marks, None),
        &[
            (Jing, "元年，春，王正月。"),
            (Zhu, "隱公之始年。"),
            (Shu, "“元年春王正月”。正義曰：此經。"),
            (Jing, "三月，公及邾儀父盟于蔑。"),
            (Zhu, "附庸之君。"),
            (Yin, "邾音誅。"),
            (Zhuan, "元年，春，王周正月。"),
            (Zhu, "言周。"),
        ],
    );
    // If nothing marks the notes, a line of 經 or 傳 contains them too.
    let bare = "【經】元年,春,王正月。隱公之始年,周王之正月也。\n[疏]“元年春王正月”。\n○正義曰:此經。\n○注“隱公”至“月也”。\n○正義曰:云。\n\
                【傳】元年,春,王周正月。言周以別夏殷。\n[疏]注“言周”至“夏殷”。\n○正義曰:周正月。\n";
    let found: Vec<_> =
        layers(&convert(bare)).into_iter().filter(|(l, _)| !matches!(l, Shu | ShuHeader)).collect();
    let want = [
        (Jing, "元年,春,王正月。"),
        (Zhu, "隱公之始年,周王之正月也。"),
        (Zhuan, "元年,春,王周正月。"),
        (Zhu, "言周以別夏殷。"),
    ];
    assert_eq!(found, want.map(|(l, w)| (l, w.to_string())));
}

#[test]
fn words_at_the_start_of_lines_mark_layers_as_brackets_do() {
    let text = "曲禮上第一\n敖不可長，欲不可從，志不可滿，樂不可極。四者慢遊之道，桀紂所以自禍。\n疏“敖不”至“可極”。正義曰：此一節。\n○注“四者”至“自禍”。\n正義曰：四者。\n疏衰裳齊。疏猶麤也。\n正義曰：疏衰者。\n";
    let d = read(text, None);
    assert_layers(
        &d,
        &[
            (Heading, "曲禮上第一"),
            (Undivided, "敖不可長，欲不可從，志不可滿，樂不可極。四者慢遊之道，桀紂所以自禍。"),
            (Shu, "“敖不”至“可極”。正義曰：此一節。○注“四者”至“自禍”。正義曰：四者。"),
            (Undivided, "疏衰裳齊。疏猶麤也。"),
            (Shu, "正義曰：疏衰者。"),
        ],
    );
    let colons = "經：元年，春，王正月。\n注：隱公之始年，周王之正月也。\n疏：正義曰：此經。\n經：三月，公及邾儀父盟于蔑。\n音義：邾音誅。\n";
    assert_layers(
        &read(colons, None),
        &[
            (Jing, "元年，春，王正月。"),
            (Zhu, "隱公之始年，周王之正月也。"),
            (Shu, "正義曰：此經。"),
            (Jing, "三月，公及邾儀父盟于蔑。"),
            (Yin, "邾音誅。"),
        ],
    );
}

#[test]
fn the_tradition_of_the_mourning_dress_is_separated_from_its_classic() {
    let text = format!(
        "{HEAD}儀禮卷第十一¶\n䘮服第十一　子夏傳　鄭氏注¶\n䘮服斬衰裳苴絰杖絞帶冠繩纓菅屨者(者/者)傳曰斬者何不緝也苴¶\n絰者麻之有蕡者也(盈手/曰搹)父傳曰爲父何以斬衰也父至尊也諸侯爲天子傳¶\n\
         曰天子至尊也君傳曰君至尊也(天子諸侯/及卿大夫)父爲長子(春秋傳/曰不言)傳曰何以三年也正體於上(此/言)\
         慈母如母傳曰慈母者何也傳曰妾之無子者父命妾曰女以爲子(此/主)女子子在室爲父(女子/子)¶\n"
    );
    let d = convert(&text);
    let found: Vec<(String, bool)> = d
        .of_layer(Jing)
        .map(|s| (d.words(s.span).trim().to_string(), s.sub == Some(Zhuan)))
        .collect();
    let want = [
        ("䘮服斬衰裳苴絰杖絞帶冠繩纓菅屨者", false),
        ("傳曰斬者何不緝也苴絰者麻之有蕡者也", true),
        ("父", false),
        ("傳曰爲父何以斬衰也父至尊也", true),
        ("諸侯爲天子", false),
        ("傳曰天子至尊也", true),
        ("君", false),
        ("傳曰君至尊也", true),
        ("父爲長子", false),
        ("傳曰何以三年也正體於上", true),
        ("慈母如母", false),
        ("傳曰慈母者何也傳曰妾之無子者父命妾曰女以爲子", true),
        ("女子子在室爲父", false),
    ];
    assert_eq!(found, want.map(|(w, z)| (w.to_string(), z)));
    assert_eq!(d.of_layer(Zhuan).count(), 0, "it counts as 經");
}

#[test]
fn a_text_without_punctuation_is_cut_where_its_headers_say() {
    let text = "眾賓繼射釋獲皆如初司射所作唯上耦於是言唯上耦者嫌賓主人射亦作之大射三耦卒射司射請於公及賓\n[疏]眾賓至上耦注於是至及賓釋曰云於是言唯上耦者嫌賓主人射亦作之\n\
                二筭為純純猶全也耦陰陽\n[疏]二筭為純注純猶至陰陽釋曰陰陽對合\n司馬乘矢如初\n[疏]司馬乘矢如初釋曰無事\n";
    let d = convert(text);
    assert!(codes(&d).contains(&"no-punctuation"));
    assert_layers(
        &d,
        &[
            (Jing, "眾賓繼射釋獲皆如初司射所作唯上耦"),
            (Zhu, "於是言唯上耦者嫌賓主人射亦作之大射三耦卒射司射請於公及賓"),
            (ShuHeader, "眾賓至上耦注於是至及賓"),
            (Shu, "釋曰云於是言唯上耦者嫌賓主人射亦作之"),
            (Jing, "二筭為純"),
            (Zhu, "純猶全也耦陰陽"),
            (ShuHeader, "二筭為純注純猶至陰陽"),
            (Shu, "釋曰陰陽對合"),
            (Jing, "司馬乘矢如初"),
            (Shu, "司馬乘矢如初釋曰無事"),
        ],
    );
    assert!(
        d.segments
            .iter()
            .filter(|s| matches!(s.layer, Jing | Zhu))
            .all(|s| s.certainty.get() < 1.0 && !s.evidence.is_empty())
    );
}
