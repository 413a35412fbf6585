//! What the classic cites itself.

use zhushu::model::{Document, Layer, LinkKind};

use crate::references::{of_kind, run_named, words};

const MENGZI: &str = concat!(
    "經〔孟子曰：“《詩》云：‘殷鑒不遠，在夏后之世。’此之謂也。《書》曰：‘洚水警余。’洚水者，洪水也。",
    "《傳》曰：‘孔子三月無君，則皇皇如也。’”書曰：“魯侯。”詩云經始靈臺，經之營之。〕\n",
    "注〔殷之所監視，近在夏后之世耳。〕"
);
const ODES: &str = "經〔殷鑒不遠，在夏后之世。經始靈臺，經之營之。〕";

/// The works that the classic of a text cites, with the words there.
fn cited(text: (&str, &str, &str)) -> Vec<(String, Option<String>)> {
    let all = run_named(&[text, ("詩經", "蕩", ODES), ("尚書", "堯典", "經〔曰若稽古。〕")]);
    let own: &Document = &all[0];
    let citations = of_kind(own, LinkKind::Citation);
    let of_classic = citations.iter().filter(|l| l.layer == Layer::Jing);
    let said = of_classic.map(|l| {
        let work = l.work.as_deref().unwrap_or_default().to_string();
        (work, words(&all, own, l).map(String::from))
    });
    said.collect()
}

#[test]
fn the_classic_cites_odes_and_documents() {
    let said = cited(("孟子", "離婁上", MENGZI));
    let placed = |words: &str| ("詩經・大雅・蕩".to_string(), Some(words.to_string()));
    let want =
        [placed("殷鑒不遠，在夏后之世"), ("尚書".to_string(), None), placed("經始靈臺，經之營之")];
    assert_eq!(said, want, "書曰 alone may be what someone writes, and 《傳》 is any tradition");
}

#[test]
fn titles_of_its_own_work_are_headings() {
    let text = "經〔乾：元亨利貞。《象》曰：天行健。《詩》云：‘經始靈臺。’〕";
    let works: Vec<String> =
        cited(("周易", "乾", text)).into_iter().map(|(work, _)| work).collect();
    assert_eq!(works, ["詩經・大雅・蕩"]);
}
