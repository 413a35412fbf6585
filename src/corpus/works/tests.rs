//! Titles and what they name.

use super::*;

fn locus(title: &str) -> Option<String> {
    Works::builtin().resolve(title, Some("儀禮")).map(|r| r.named.locus())
}

#[test]
fn titles_in_every_dress() {
    for (title, want) in [
        ("大射", "儀禮・大射儀"),
        ("周書 時訓", "逸周書・時訓解"),
        ("周書-無逸", "尚書・周書・無逸"),
        ("通卦驗", "易緯・通卦驗"),
        ("鄉飲酒", "儀禮・鄉飲酒禮"),
        ("鄉飲酒義", "禮記・鄉飲酒義"),
        ("周禮-諸子職", "周禮・夏官・諸子"),
        ("諸子職", "周禮・夏官・諸子"),
        ("天官-小臣", "周禮・天官・內小臣"),
        ("冬官·梓人", "周禮・考工記・梓人"),
        ("禮記 檀弓", "禮記・檀弓"),
        ("禮記檀弓", "禮記・檀弓"),
        ("周禮天官", "周禮・天官"),
        ("特牲", "儀禮・特牲饋食禮"),
        ("郊特牲", "禮記・郊特牲"),
        ("魯語", "國語・魯語"),
        ("小雅・鹿鳴", "詩經・小雅・鹿鳴"),
        ("鄉射記", "儀禮・鄉射禮"),
        ("服不", "周禮・夏官・服不氏"),
        ("周禮地官鄉大夫職", "周禮・地官・鄉大夫"),
        ("周禮膳宰", "周禮"),
        ("易觀", "周易・觀"),
        ("\u{E24A}梁", "穀梁傳"),
        ("夏小正", "大戴禮記・夏小正"),
        ("秦詩", "詩經・秦風"),
        ("家語 本命", "孔子家語・本命解"),
        ("後漢書·禮儀志", "後漢書・禮儀志"),
        ("后汉书 礼仪志", "後漢書・禮儀志"),
        ("王居明堂禮", "王居明堂禮"),
    ] {
        assert_eq!(locus(title).as_deref(), Some(want), "{title}");
    }
    assert_eq!(locus("燕射"), None);
    assert_eq!(locus("無此書"), None);
}

#[test]
fn tails_say_whose_words_are_meant() {
    let tail = |t: &str| Works::builtin().resolve(t, None).and_then(|r| r.tail);
    assert_eq!(tail("鄉射記"), Some(Tail::Record));
    assert_eq!(tail("燕禮注"), Some(Tail::Commentary));
    assert_eq!(tail("燕禮"), None);
    assert_eq!(tail("詩序"), Some(Tail::Preface));
    assert_eq!(tail("喪服傳"), Some(Tail::Tradition));
    assert_eq!(tail("天官-小臣-序官"), Some(Tail::Opening));
}

#[test]
fn names_mean_what_the_work_explained_says() {
    let works = Works::builtin();
    for (title, home, want) in [
        ("象", "周易", "周易・象傳"),
        ("象", "禮記", ""),
        ("傳", "左傳", "左傳"),
        ("傳", "詩經", "毛詩故訓傳"),
        ("傳", "儀禮", "儀禮・喪服"),
        ("經", "周易", "周易"),
        ("注", "論語", "論語"),
        ("記", "周禮", "周禮・考工記"),
        ("記", "儀禮", "禮記"),
        ("志", "禮記", "鄭志"),
        ("譜", "左傳", "春秋釋例・世族譜"),
        ("譜", "詩經", "毛詩譜"),
        ("尚書傳", "周禮", "尚書大傳"),
        ("尚書傳", "左傳", "尚書孔傳"),
        ("語", "孟子", "論語"),
        ("韓詩", "周禮", "韓詩"),
    ] {
        let found = works.resolve(title, Some(home)).map(|r| r.named.locus());
        assert_eq!(found.as_deref().unwrap_or(""), want, "{title} in {home}");
        assert_eq!(works.is_rite(title, Some(home)), want.is_empty(), "{title} in {home}");
    }
}

#[test]
fn what_is_by_whom_follows_from_the_work() {
    let works = Works::builtin();
    for (work, want) in [
        ("儀禮", "鄭注"),
        ("左傳", "杜注"),
        ("論語", "何晏集解"),
        ("周易", "王注"),
        ("公羊傳", "何注"),
        ("孟子", "趙注"),
        ("尚書", "孔傳"),
        ("晏子春秋", "注"),
    ] {
        assert_eq!(works.notes(work, None), want);
    }
    assert_eq!(works.notes("詩經", Some('傳')), "毛傳");
    let who = |name: &str, home: &str| {
        let chars: Vec<char> = folded(name).chars().collect();
        let notes = works.notes(home, None);
        works.scholars().at(&chars, Some(home), notes).map(|(_, _, s)| s.name.clone())
    };
    assert_eq!(who("何氏云", "公羊傳").as_deref(), Some("何休"));
    assert_eq!(who("何氏云", "周易").as_deref(), Some("何氏"));
    assert_eq!(who("沈氏云", "左傳").as_deref(), Some("沈文阿"));
    assert_eq!(who("莊氏云", "左傳"), None);
    let surname = |c: char, home: &str| {
        works.scholars().of_surname(fold(c), home, works.notes(home, None)).map(|s| &*s.name)
    };
    assert_eq!(surname('庾', "禮記"), Some("庾蔚之"));
    assert_eq!(surname('王', "禮記"), Some("王肅"));
    assert_eq!(surname('王', "儀禮"), None);
    let (_, _, kong) = works.scholars().at(&['孔', '安', '國'], None, "").expect("he is there");
    assert_eq!(kong.work_on(Some("左傳"), ["孝經"].into_iter()), Some("古文孝經傳"));
    assert_eq!(kong.work_on(Some("論語"), ["孝經"].into_iter()), Some("論語注"));
    assert_eq!(kong.work_on(Some("左傳"), [].into_iter()), Some("尚書孔傳"));
}

#[test]
fn no_name_means_two_things_unless_marked() {
    let works = Works::builtin();
    let mut several: Vec<(&String, Vec<Named>)> = Vec::new();
    for (name, slots) in &works.names {
        let bare: Vec<Named> = slots.iter().filter(|s| s.bare).map(|s| works.name(s)).collect();
        if bare.len() > 1 && !works.ambiguous.contains(name) {
            several.push((name, bare));
        }
    }
    assert!(several.is_empty(), "mark as ambiguous or make distinct: {several:#?}");
}

#[test]
fn works_are_shown_in_the_order_of_the_thirteen_classics() {
    let works = Works::builtin();
    assert!(works.order.iter().all(|title| works.work(title).is_some()));
    let places = ["周易", "論語", "孟子", "國語", "淮南子", "山居志"].map(|w| works.place(w));
    assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
}

#[test]
fn chapters_are_numbered_as_editions_number_them() {
    let works = Works::builtin();
    for (name, number) in
        [("曲禮", 1), ("曲禮上", 1), ("檀弓下", 4), ("學記", 18), ("雜記下", 21), ("喪服四制", 49)]
    {
        let named = works.resolve(&format!("禮記・{name}"), None).unwrap().named;
        assert_eq!(works.number(&named), Some(number), "{name}");
    }
    let last = works.resolve("周易・繫辭下", None).unwrap().named;
    assert_eq!(works.number(&last), Some(66));
}

#[test]
fn what_is_marked_ambiguous_is() {
    let works = Works::builtin();
    for name in &works.ambiguous {
        assert!(
            works.names.get(name).is_some_and(|s| s.iter().filter(|s| s.bare).count() > 1),
            "{name} is not ambiguous"
        );
    }
}

#[test]
fn keys_are_unique_and_bare_titles_are_known() {
    let works = Works::builtin();
    let mut keys: Vec<_> = works.all().iter().map(|w| &w.key).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), works.all().len());
    for title in works.all().iter().flat_map(|w| &w.bare_title) {
        assert!(works.resolve(title, None).is_some(), "{title}");
    }
}

#[test]
fn no_name_is_longer_than_a_quick_look_reads() {
    let works = Works::builtin();
    assert!(works.names.keys().all(|n| n.chars().count() <= glance::MAX_NAME_CHARS));
}

#[test]
fn a_quick_look_misses_no_work() {
    let works = Works::builtin();
    for (n, work) in works.all().iter().enumerate() {
        let parts = work.part.iter().flat_map(|p| &p.chapters);
        for name in work.chapters.iter().chain(parts).flatten() {
            for title in [name.clone(), format!("{}{name}章句", work.title), format!("卷 {name}")]
            {
                assert!(works.perhaps_named_in(&title).contains(&n), "{title}");
            }
        }
    }
}
