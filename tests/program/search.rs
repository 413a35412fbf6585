//! `zhushu search` as users see it: its output, and its messages if nothing is found or the index
//! cannot be used.

use std::fs;
use std::path::Path;

use snapbox::cmd::{Command, OutputAssert, cargo_bin};
use snapbox::str;

use crate::support::corpus::built;

fn zhushu(folder: &Path, args: &[&str]) -> OutputAssert {
    let program = Command::new(cargo_bin!("zhushu"))
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C");
    program.current_dir(folder).args(args).assert()
}

fn search(args: &[&str]) -> OutputAssert {
    zhushu(built(), &[&["search"], args].concat())
}

fn words(output: &OutputAssert) -> String {
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_newcomer_finds_in_the_help_where_zheng_xuan_speaks_of_jinwen() {
    let help = words(&search(&["--help", "--lang", "en"]).success());
    let example = help.lines().find(|l| l.contains("where 鄭玄 speaks of 今文")).unwrap();
    let args: Vec<&str> = example.split_whitespace().skip(2).take(3).collect();
    search(&args)
        .success()
        .stdout_eq(str![[r#"
yili.05.2.5.zhu.7 注疏  注  題識也。肅慎氏貢椐矢,銘其括。 今文 上作尚。
yili.05.0.18.zhu 集釋   注           引手曰厭少進差在前也 今文 皆曰揖衆賓
yili.05.0.23.zhu 集釋   注               重以主人事煩賓也 今文 無阼階
yili.05.0.72.zhu 集釋   注       士非鄉人禮亦然主于鄉人耳 今文 遵為僎
yili.05.0.101.zhu 集釋  注                       為己安也 今文 揖為升
yili.05.0.103.zhu 集釋  注                                今文 坐取觶無進又曰坐奠之拜
yili.05.0.115.zhu 集釋  注                         事至也 今文 說皆作税
yili.05.0.118.zhu 集釋  注                       笴矢榦也 今文 無南
yili.05.0.125.zhu 集釋  注       州立榭者下鄉也左物下物也 今文 豫為序序乃夏后氏之學亦非
yili.05.0.131.zhu 集釋  注       改更也不射而挾之示有事也 今文 曰適序西
yili.05.0.134.zhu 集釋  注                         俟待也 今文 俟為立

"#]])
        .stderr_eq(str![[r#"
Showing 11 of 11 hits

"#]]);
}

#[test]
fn hits_are_aligned_below_each_other() {
    search(&["釋獲", "--sort", "place", "--limit", "6", "--context", "8"])
        .success()
        .stdout_eq(str![[r#"
yili.05.1.1 注疏        經              眾賓繼射, 釋獲 皆如初。司射所作,唯
yili.05.1.3 注疏        經  射所作,唯上耦。‖卒射, 釋獲 者遂以所執餘獲,升
yili.05.1.4.zhu.1 注疏  注        司射不告卒射者, 釋獲 者於是有事,宜終之
yili.05.2.7.shu.3 注疏  疏     已,而言已者,前番不 釋獲 ,今據第二釋獲之,功
yili.05.2.7.shu.3 注疏  疏      番不釋獲,今據第二 釋獲 之,功成則為已,是以
yili.05.2.7.shu.3 注疏  疏     射釋弓矢,視筭,與獻 釋獲 者釋弓矢。”注雲:“唯此

"#]])
        .stderr_eq(str![[r#"
Showing 6 of 74 hits

"#]]);
    search(&["經:释獲者", "--sort", "right", "--limit", "4"]).success().stdout_eq(str![[r#"
yili.07.35.1 句讀   經    之皆如初司射釋弓視算如初 釋獲者 以賢獲與鈞告如初復位‖司射
yili.07.25.6 句讀   經  則不與‖唯公所中中三侯皆獲‖ 釋獲者 命小史小史命獲者‖司射遂進
yili.05.0.185 集釋  經   不貫不釋‖上射揖司射退反位 釋獲者 坐取中之八算改實八算于中
yili.07.25.8 句讀   經   不貫不釋上射揖司射退反位‖ 釋獲者 坐取中之八算改實八算興執

"#]]);
    search(&["經:耦 NEAR/3 上", "--limit", "3"]).success().stdout_eq(str![[r#"
yili.05.1.2 注疏    經  繼射,釋獲皆如初。司射所作,唯 上耦 。‖卒射,釋獲者遂以所執餘獲,升
yili.05.0.135 集釋  經     適侯執旌負侯而俟‖司射還當 上耦 西面作上耦射‖司射反位上耦
yili.05.0.135 集釋  經     侯執旌負侯而俟‖司射還當上 耦西面作上 耦射‖司射反位上耦揖進上射

"#]]);
}

#[test]
fn relations_wildcards_and_patterns() {
    search(&["注:今文 @ 經:射"]).success().stdout_eq(str![[r#"
yili.05.0.131.zhu 集釋  注  改更也不射而挾之示有事也 今文 曰適序西
yili.07.19.5.zhu 句讀   注  公與賓弓矢者挾之楅承矢器 今文 俟作待
yili.07.26.5.zhu 句讀   注                  告當射也 今文 曰阼階下無適
yili.07.26.12.zhu 句讀  注  隈弓淵也揉宛之觀其安危也 今文 順為循古文揉為紐
yili.07.38.1.zhu 句讀   注                  解猶釋也 今文 司馬師無司馬

"#]]);
    search(&["譯:算筹 @ 經:獲"]).success().stdout_eq(str![[r#"
yili.05.2.17 今譯  譯  于是近前取勝者一方所赢的 算籌 ,持之從西階登上台階,上到最

"#]]);
    search(&["今文?爲"]).success().stdout_eq(str![[r#"
yili.05.0.72.zhu 集釋   注  士非鄉人禮亦然主于鄉人耳 今文遵為 僎
yili.05.0.101.zhu 集釋  注                  為己安也 今文揖為 升
yili.05.0.125.zhu 集釋  注  州立榭者下鄉也左物下物也 今文豫為 序序乃夏后氏之學亦非也
yili.05.0.134.zhu 集釋  注                    俟待也 今文俟為 立
yili.07.19.3.zhu 句讀   注  不足則士侍於大夫與為耦也 今文於為 于
yili.07.19.11.zhu 句讀  注                  未知其耦 今文俟為 立
yili.07.26.12.zhu 句讀  注  隈弓淵也揉宛之觀其安危也 今文順為 循古文揉為紐
yili.07.30.16.zhu 句讀  注                擯者司正也 今文席為 筵
yili.07.42.1.zhu 句讀   注  多矣禮將終宜勸公序厚意也 今文觶為 觚公答拜無再拜

"#]]);
    search(&["re:今文.{1,2}[作為]", "--limit", "3"]).success().stdout_eq(str![[r#"
yili.05.2.5.zhu.7 注疏  注  題識也。肅慎氏貢椐矢,銘其括。 今文上作 尚。
yili.05.0.72.zhu 集釋   注       士非鄉人禮亦然主于鄉人耳 今文遵為 僎
yili.05.0.101.zhu 集釋  注                       為己安也 今文揖為 升

"#]]);
}

#[test]
fn figures() {
    search(&["獲者", "--by", "layer"])
        .success()
        .stdout_eq(str![[r#"
  layer  hits
  經       42
  譯       29
  注       25
  句讀      9
  疏        7
  右        2

"#]])
        .stderr_eq(str![[r#"
Showing 6 of 6 groups of 114 hits

"#]]);
    search(&["今文", "--count"])
        .success()
        .stdout_eq(str![[r#"
  今文  24

"#]])
        .stderr_eq("");
    search(&["獲者", "--collocates", "5", "--limit", "3"]).success().stdout_eq(str![[r#"
  character  near  in total  log-likelihood
  釋           46       171           130.7
  旌           20        44            80.9
  中           26       200            38.2

"#]]);
    // Figures are compared with what the query searches.
    search(&["注:獲者 chapter:鄉射禮", "--collocates", "5", "--limit", "2"])
        .success()
        .stdout_eq(str![[r#"
  character  near  in total  log-likelihood
  弟            3        10            12.6
  名            1         1             8.2

"#]])
        .stderr_eq(str![[r#"
Showing 2 of 42 collocates of 6 hits, compared with 注 of 儀禮・鄉射禮 (3357 characters)

"#]]);
    search(&["說?", "--frequencies", "--limit", "4", "--to", "tsv"]).success().stdout_eq(str![[
        r#"
form	hits
說決	9
說决	8
說矢	3
說屨	2

"#
    ]]);
    search(&["今文", "--ngrams", "3", "--limit", "3", "--to", "csv"]).success().stdout_eq(str![[
        r#"
ngram,hits
也今文,19
今文曰,4
今文俟,3

"#
    ]]);
}

#[test]
fn formats_for_programs() {
    let json = words(&search(&["注:賢獲 OR 經:賢獲", "--to", "json"]).success());
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["hit"], "賢獲");
    // The offsets are code points of the file itself.
    let text =
        fs::read_to_string(built().join("corpus").join(first["file"].as_str().unwrap())).unwrap();
    let at = |n: usize| first["spans"][0][n].as_u64().unwrap() as usize;
    assert_eq!(text.chars().skip(at(0)).take(at(1) - at(0)).collect::<String>(), "賢獲");
    let line = text.lines().nth(first["line"].as_u64().unwrap() as usize - 1).unwrap();
    assert!(
        line.chars()
            .skip(first["column"].as_u64().unwrap() as usize - 1)
            .collect::<String>()
            .starts_with("賢獲")
    );
    // The anchor is the id of an element of the page, and the words are in the form that its script
    // reads.
    let page = fs::read_to_string(
        built().join(format!("out/site/{}.html", first["document"].as_str().unwrap())),
    )
    .unwrap();
    let anchor = first["anchor"].as_str().unwrap();
    assert!(page.contains(&format!("id=\"{anchor}\"")), "{anchor}");
    assert_eq!(first["locus"], "yili.05.2.17");
    assert_eq!((&first["text"], &first["witness"]), (&"儀禮・鄉射禮".into(), &"注疏".into()));
    let element = first["words"].as_str().unwrap().split(':').next().unwrap();
    assert!(page.contains(&format!("id=\"{element}\"")), "{element}");
    search(&["賢獲", "--to", "tsv", "--limit", "1"]).success().stdout_eq(str![[r#"
locus	text	witness	document	line	column	section	leaf	layer	by	certainty	left	hit	right	anchor	words
yili.05.2.17	儀禮・鄉射禮	注疏	yili-05-zhushu	51	12	取矢		經		0.999	右獲。‖司射複位,釋獲者遂進取	賢獲	,執以升,自西階,盡階,不升堂,告	yili.05.2.17	x15.1:11-x15.1:13

"#]]);
    let html = words(&search(&["賢獲", "--to", "html"]).success());
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<td class=\"hit\">賢獲</td>"));
}

/// The sheets of a text.
fn sheets(id: &str) -> Vec<String> {
    let name = |n: usize| {
        if n == 1 { format!("out/site/{id}.html") } else { format!("out/site/{id}.{n}.html") }
    };
    (1..).map_while(|n| fs::read_to_string(built().join(name(n))).ok()).collect()
}

/// Every hit has an anchor on one of the sheets, with its words; if that is a locus, all witnesses
/// of the sentence have it.
#[test]
fn every_anchor_is_on_its_page() {
    let json = words(&search(&["之", "--to", "json"]).success());
    let mut pages = std::collections::HashMap::new();
    let (mut seen, mut later) = (0, 0);
    for line in json.lines() {
        let hit: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = hit["document"].as_str().unwrap().to_string();
        let sheets = pages.entry(id.clone()).or_insert_with(|| sheets(&id));
        let anchor = hit["anchor"].as_str().unwrap_or_else(|| panic!("{line}"));
        let sheet = sheets
            .iter()
            .position(|s| s.contains(&format!("id=\"{anchor}\"")))
            .unwrap_or_else(|| panic!("{line}"));
        for element in
            hit["words"].as_str().unwrap().split('-').map(|w| w.split(':').next().unwrap())
        {
            let there = sheets.iter().position(|s| s.contains(&format!("id=\"{element}\"")));
            assert!(there == Some(sheet) || there == Some(sheet + 1), "{line}");
        }
        match hit["locus"].as_str() {
            Some(locus) if hit["layer"] != "translation" => {
                assert!(locus.starts_with(anchor) || locus.contains(".shu."), "{line}")
            }
            _ => assert!(anchor.starts_with('e'), "{line}"),
        }
        seen += 1;
        later += usize::from(sheet > 0);
    }
    assert!(seen > 500 && later > 100, "{seen} {later}");
}

#[test]
fn exactness_can_be_chosen() {
    let count = |args: &[&str]| {
        words(&search(&[args, &["--count", "--to", "tsv"]].concat()))
            .lines()
            .last()
            .map(|l| l.rsplit('\t').next().unwrap().parse().unwrap())
    };
    let all: Option<usize> = count(&["衆賓"]);
    assert_eq!(all, count(&["众宾"]));
    assert!(count(&["衆賓", "--exact"]) < all && count(&["衆賓", "--exact"]).is_some());
    assert!(count(&["衆賓", "--no-crossing"]) <= all);
    assert_eq!(count(&["众宾", "--exact"]), None);
}

#[test]
fn nothing_found_suggests_what_is_near() {
    search(&["疏:今文俟"]).code(1).stdout_eq("").stderr_eq(str![[r#"
nothing found: 疏:今文俟
  similar: 注:今文俟  3
  similar: 今文  24
  similar: 今?俟  3
  similar: 文俟  3

"#]]);
    search(&["釋獲賓"]).code(1).stdout_eq("").stderr_eq(str![[r#"
nothing found: 釋獲賓
  similar: 釋獲  74

"#]]);
    search(&["by:鄭眾 今文"]).code(1).stdout_eq("").stderr_eq(str![[r#"
nothing found: by:鄭眾 今文
  there is no “鄭眾”; there are: 四庫館臣, 張爾岐, 賈公彥, 鄭玄, 陸德明
  similar: 注:今文  24

"#]]);
    // Queries by someone who does not know the prefixes yet.
    for query in ["郑玄 今文", "今文、敢", "by:賈 經:獲", "yili.05.2.5"] {
        assert_eq!(search(&[query]).code(1).get_output().stdout, b"", "{query}");
    }
    search(&["郑玄 今文"]).stderr_eq(str![[r#"
nothing found: 郑玄 今文
  similar: by:郑玄 今文  24

"#]]);
    search(&["今文、敢"]).stderr_eq(str![[r#"
nothing found: 今文、敢
  similar: 今文 敢  2
  similar: 今文  24

"#]]);
    search(&["by:賈 經:獲"]).stderr_eq(str![[r#"
nothing found: by:賈 經:獲
  similar: by:賈 * @ 經:獲  6
  similar: 經:獲  75
  similar: 注:獲  53
  similar: 譯:獲  42
  similar: 句讀:獲  26
  similar: 疏:獲  20

"#]]);
    search(&["yili.05.2.5"]).stderr_eq(str![[r#"
nothing found: yili.05.2.5
  this is a locus: zhushu show yili.05.2.5

"#]]);
    let count = |query: &str| words(&search(&[query, "--count", "--to", "tsv"]).success());
    let figure =
        |query: &str| count(query).lines().last().unwrap().rsplit('\t').next().unwrap().to_string();
    assert_eq!(figure("chapter:yili.05 今文"), figure("chapter:鄉射禮 今文"));
    assert_eq!(figure("今文 or 古文"), figure("今文|古文"));
    search(&["众賓", "--exact"]).code(1).stdout_eq("").stderr_eq(str![[r#"
nothing found: 众賓
  similar: 众賓  63  with variants and across notes

"#]]);
}

#[test]
fn a_mistake_in_a_query_is_shown_at_its_column() {
    search(&["注:(今文"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: this parenthesis is not closed
 --> query:1:3
  |
1 | 注:(今文
  |    ^
  |
  = help: close it with )

"#]]);
    search(&["鄭:今文"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: “鄭” is neither a layer nor a filter
 --> query:1:1
  |
1 | 鄭:今文
  | ^^^
  |
  = help: before a colon: a layer (經: 注: 疏: 譯: …, `zhushu formats` lists them), by: or 人:, work: or 書:, chapter: or 篇:, witness: or 本:, person: or 人名:, place: or 地名:, re:. For a commentator write by:鄭, for a chapter chapter:鄭, for the words “鄭” put a blank between

"#]]);
    search(&["今*"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: * cannot be part of a word; alone it means everything
 --> query:1:1
  |
1 | 今*
  | ^^^
  |
  = help: ? is any one character, re:今.* is a pattern

"#]]);
    search(&["re:今("]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: this is not a regular expression: unclosed group
 --> query:1:1
  |
1 | re:今(
  | ^^^^^^
  |
  = help: as in the Rust crate regex: 今文.{1,4}爲, 今文|古文, [賓主]人; the text has no punctuation

"#]]);
}

#[test]
fn colour_only_where_asked_for() {
    assert!(!words(&search(&["今文"]).success()).contains('\u{1b}'));
    assert!(words(&search(&["今文", "--color", "always"]).success()).contains('\u{1b}'));
}

#[test]
fn an_index_that_cannot_be_used_is_refused_and_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let run = |line: &str| zhushu(here, &line.split_whitespace().collect::<Vec<_>>());
    run("search 賢獲").code(5).stdout_eq("").stderr_eq(str![[r#"
error: cannot search: there is no such file or folder
--> out/index
 = help: `zhushu build` writes an edition with its index; --index names the folder of the index

"#]]);
    fs::create_dir(here.join("corpus")).unwrap();
    let text = "眾賓繼射,釋獲皆如初。於是言唯上耦者,嫌賓、主人射亦作之。\n\n[疏]“眾賓”至“如初”。注“於是”至“作之”。釋曰:明也。\n";
    fs::write(here.join("corpus/a.txt"), text).unwrap();
    run("build").success();
    run("search 釋獲 --count").success().stdout_eq(str![[r#"
  釋獲  1

"#]]);
    let manifest = fs::read_to_string(here.join("out/index/index.json")).unwrap();
    fs::write(
        here.join("out/index/index.json"),
        manifest.replace("\"version\": 6", "\"version\": 0"),
    )
    .unwrap();
    run("search 釋獲").code(3).stdout_eq("").stderr_eq(str![[r#"
error: this index has format 0; this program reads 6
--> out/index/index.json
 = help: `zhushu build` rebuilds the index

"#]]);
    assert!(words(&run("build").success()).contains("format 0"), "build says why");
    run("search 釋獲 --count").success();
    let file = fs::read_dir(here.join("out/index"))
        .unwrap()
        .map(|f| f.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "seg"))
        .unwrap();
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert!(
        String::from_utf8_lossy(&run("search 釋獲").code(3).get_output().stderr)
            .contains("the search index is damaged")
    );
    assert!(words(&run("build").success()).contains("damaged"), "build says why");
    assert_eq!(fs::read(&file).unwrap(), whole);
    run("build").success().stdout_eq(
        "nothing to do: the 1 files of corpus are unchanged since the last build of out\n",
    );
}
