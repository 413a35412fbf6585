//! Lemmata of a sub-commentary that was printed alone (單疏): what it treats is in another text.

use zhushu::Settings;
use zhushu::corpus::TextEntry;
use zhushu::model::{Document, LinkKind};
use zhushu::source::Source;

const CLASSIC: &str = "# -*- mode: mandoku-view; -*-
#+TITLE: 儀禮
#+PROPERTY: ID KR1d0026
#+PROPERTY: JUAN 6
<pb:A_1a>¶
燕禮第六¶
燕禮小臣戒與者(小臣相君燕飲之法/戒與者謂留羣臣)¶
膳宰具官饌于寢東(膳宰天子曰膳夫掌/君飲食寢路寢也)¶
樂人縣(縣鍾磬也國君無故不/徹縣言縣者爲燕新之)¶
設洗篚于阼階東南(設此不言其官賤也/當東霤者人君之禮)¶
司宮尊于東楹之西(司宮天子曰小宰聽/酒人之成要者也)¶
";

const ALONE: &str = "# -*- mode: mandoku-view; -*-
#+TITLE: 儀禮疏
#+PROPERTY: ID KR1d0027
#+PROPERTY: JUAN 14
<pb:B_1a>¶
儀禮疏卷第十四¶
燕禮小臣戒與者　釋曰自此巳下論告戒羣臣及陳饌之事¶
注小臣至羣臣　釋曰云小臣相君燕飲之法者案周禮大僕職¶
膳宰至寢東　釋曰以其燕在寢故膳宰具官饌擬燕時設之¶
注膳宰至寢也　釋曰天子有宰夫兼有膳夫掌君飲食諸侯亦¶
樂人縣　釋曰案大射樂人宿縣在射前一日此燕在路寢¶
設洗至東南　釋曰此設洗之官賤故不言其人之名也¶
司宮至之西　釋曰此論設尊之事司宮設之在東楹之西¶
注司宮至者也　釋曰案周禮小宰職無聽酒人之成要之文¶
";

#[test]
fn words_are_found_in_the_classic_and_its_notes_elsewhere() {
    let settings = Settings::default();
    let read = |name: &str, text: &str| -> Document {
        let source = Source::from_text(name, text);
        settings.document(&TextEntry::file(name.as_ref()), source).unwrap()
    };
    let library = settings.run(vec![read("jing.txt", CLASSIC), read("shu.txt", ALONE)]);
    let [classic, alone] = &library.documents[..] else { panic!("two texts") };
    let lemmata = alone.links.iter().filter(|l| l.kind == LinkKind::Lemma);
    let found: Vec<String> = lemmata
        .filter_map(|l| l.target.as_ref().filter(|t| t.doc.as_deref() == Some("jing")))
        .map(|target| classic.words(target.span).into_owned())
        .collect();
    let expected = [
        "小臣相君燕飲之法戒與者謂留羣臣",
        "膳宰具官饌于寢東",
        "膳宰天子曰膳夫掌君飲食寢路寢也",
        "設洗篚于阼階東南",
        "司宮尊于東楹之西",
        "司宮天子曰小宰聽酒人之成要者也",
    ];
    assert_eq!(found, expected);
}
