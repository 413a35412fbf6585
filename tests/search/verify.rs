//! Quotations checked against the bundled corpus: the verdicts, the places in the quoting file, the
//! differences, and the schema of the JSON.

use zhushu::corpus::Works;
use zhushu::verify::{Item, ItemKind, QuotingText, Verdict, Verifier, VerifyReport, WordForm};

use super::*;

fn checked(text: &QuotingText) -> VerifyReport {
    static INDEX: std::sync::LazyLock<(tempfile::TempDir, Index)> =
        std::sync::LazyLock::new(|| index_of(corpus::library()));
    Verifier::new(Works::builtin()).with("corpus", &INDEX.1).unwrap().check(text).unwrap()
}

fn of(text: &str) -> VerifyReport {
    checked(&QuotingText::of("essay.md", text))
}

fn only(text: &str) -> Item {
    let mut items = of(text).items;
    assert_eq!(items.len(), 1, "{text}");
    items.remove(0)
}

#[test]
fn the_verdict_is_about_the_words_and_about_their_place() {
    for (text, verdict, form) in [
        ("「二筭為純。一純以取」", Verdict::Verbatim, Some(WordForm::Exact)),
        ("「二筭為純，一純以取」", Verdict::Verbatim, Some(WordForm::Punctuation)),
        ("“二算为纯，一纯以取”", Verdict::Verbatim, Some(WordForm::Script)),
        ("《儀禮·鄉射禮》：「一純以取」", Verdict::Verbatim, Some(WordForm::Exact)),
        ("says \"一純以取\" (儀禮 5.2)", Verdict::Verbatim, Some(WordForm::Exact)),
        ("「二筭為純……十純則縮而委之」", Verdict::Verbatim, None),
        ("《儀禮·燕禮》：「一純以取，實於左手」", Verdict::Elsewhere, Some(WordForm::Exact)),
        ("「一純以取，實於右手，十純」", Verdict::Differs, None),
        ("「勝者之子弟」", Verdict::Differs, None),
        ("「道可道非常道」", Verdict::NotFound, None),
        ("《老子》：「道可道非常道」", Verdict::WorkAbsent, None),
        ("《老子》：「一純以取」", Verdict::WorkAbsent, Some(WordForm::Exact)),
    ] {
        let item = only(text);
        assert_eq!(item.verdict, verdict, "{text}");
        let form_counts = item.form.is_some() == form.is_some() || text.contains("……");
        assert!(form_counts && form.is_none_or(|f| item.form == Some(f)), "{text} {:?}", item.form);
    }
}

#[test]
fn numbers_are_compared_and_not_only_the_work() {
    for (text, verdict) in [
        ("(儀禮 5.2.10)「一純以取」", Verdict::Verbatim),
        ("《儀禮》5.2：「一純以取」", Verdict::Verbatim),
        ("《儀禮》5.2.1：「一純以取」", Verdict::Elsewhere),
        ("《儀禮》5.3：「一純以取」", Verdict::Elsewhere),
        ("《儀禮》6.2：「一純以取」", Verdict::Elsewhere),
        ("《儀禮》9.2：「一純以取」", Verdict::WorkAbsent),
    ] {
        assert_eq!(only(text).verdict, verdict, "{text}");
    }
}

#[test]
fn a_chapter_that_no_text_has_is_not_its_work() {
    for text in [
        "《儀禮·無此篇》「一純以取」",
        "《儀禮注·無此篇》「純猶全也」",
        "《無名氏集·鄉射禮》「一純以取」",
    ] {
        let item = only(text);
        let cited = item.cited.unwrap();
        assert_eq!((item.verdict, cited.is_here), (Verdict::WorkAbsent, false), "{text}");
        assert!(text.contains(&cited.words) && cited.name.is_none(), "{text} {cited:?}");
    }
}

#[test]
fn words_of_another_layer_than_the_cited_one_are_elsewhere() {
    for (text, verdict) in [
        ("《儀禮·鄉射禮》「純猶全也」", Verdict::Elsewhere),
        ("《儀禮·鄉射禮注》「純猶全也」", Verdict::Verbatim),
        ("《儀禮·鄉射禮疏》「純猶全也」", Verdict::Elsewhere),
        ("《儀禮注疏》「純猶全也」", Verdict::Verbatim),
        ("《儀禮注疏·鄉射禮》「一純以取」", Verdict::Verbatim),
        ("《儀禮·鄉射禮注》「一純以取」", Verdict::Elsewhere),
    ] {
        let item = only(text);
        assert_eq!(item.verdict, verdict, "{text}");
        let is_cited = item.places.first().is_some_and(|p| p.is_cited);
        assert_eq!(is_cited, verdict == Verdict::Verbatim, "{text}");
    }
}

#[test]
fn what_is_left_out_between_parts_is_not_made_sure_of() {
    let item = only("「二筭為……左手十」");
    assert_eq!((item.verdict, item.form), (Verdict::Verbatim, Some(WordForm::Exact)));
    let item = only("「左手十……道可道」");
    assert_eq!((item.verdict, item.form), (Verdict::NotFound, None));
    let item = only("「實於左手……二筭為純」");
    assert_eq!((item.verdict, item.form), (Verdict::Near, Some(WordForm::Exact)));
    let item = only("「實於左手……二筭為純……道可道非常道」");
    assert_eq!((item.verdict, item.form), (Verdict::NotFound, None));
}

#[test]
fn characters_that_are_not_identical_are_shown() {
    let item = only("「二算为純」");
    assert_eq!((item.verdict, item.form), (Verdict::Verbatim, Some(WordForm::Script)));
    let differ = item.places[0].differences.iter().filter(|p| !p.same);
    assert!(differ.count() > 0, "{:?}", item.places[0].differences);
    assert!(only("「一純以取」").places[0].differences.is_empty());
}

#[test]
fn differences_are_shown_character_by_character() {
    let item = only("《儀禮·鄉射禮》「一純以取，實於右手，十純則而委之」");
    let place = &item.places[0];
    assert!(place.is_cited && place.urn.as_ref().unwrap().starts_with("urn:cts:zhushu:yili.05"));
    let shown = place.differences.iter().filter(|p| !p.same);
    let shown: Vec<_> = shown.map(|p| (p.quoted.as_str(), p.found.as_str())).collect();
    assert_eq!(shown, [("右", "左"), ("", "縮")]);
    assert_eq!(place.edits, 2);
}

#[test]
fn the_place_of_a_quotation_is_that_in_its_file() {
    let text =
        "# 題\n\n讀 **儀禮**「一純以取」，\n又「仁」字，\"not Chinese\"，《儀禮》，《紅樓夢》。\n";
    let report = of(text);
    let found: Vec<_> =
        report.items.iter().map(|i| (i.kind, i.line, i.column, i.verdict)).collect();
    let title = ItemKind::Title;
    assert_eq!(
        found,
        [
            (ItemKind::Quotation, 3, 9, Verdict::Verbatim),
            (title, 4, 21, Verdict::Verbatim),
            (title, 4, 26, Verdict::WorkAbsent),
        ]
    );
    assert_eq!((report.counts.verbatim, report.counts.too_short), (1, 1));
    assert!(report.is_all_verbatim());
    let remarked =
        QuotingText::of("essay.md", text).with_remarks([(report.items[0].span, "〔是〕")]);
    assert_eq!(remarked, text.replace("取」", "取」〔是〕"));
}

#[test]
fn a_quotation_in_a_quotation_is_checked_if_the_outer_one_is_not_found() {
    let verdicts = |text: &str| of(text).items.iter().map(|i| i.verdict).collect::<Vec<_>>();
    assert_eq!(verdicts("「二筭為純。『一純以取』，實於左手」"), [Verdict::Verbatim]);
    let outer = "他說：「古人講『一純以取』，是很有道理的一句話」";
    assert_eq!(verdicts(outer), [Verdict::NotFound, Verdict::Verbatim]);
}

#[test]
fn the_json_obeys_its_schema() {
    let text = "《儀禮》：「一純以取，實於右手」「二筭為純」「道可道非常道」。《易》";
    let schema = include_str!("../../schema/verify.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let json = serde_json::from_str(&of(text).to_json()).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(&json).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(json["items"].as_array().unwrap().len(), 4);
}

#[test]
fn words_of_a_text_are_found_and_so_are_they_with_one_changed() {
    let library = corpus::library();
    let (mut n, mut missed) = (0, vec![]);
    for document in &library.documents {
        let of_layer: Vec<&Segment> = document.of_layer(Layer::Zhu).collect();
        for segment in of_layer.iter().step_by(of_layer.len() / 12 + 1) {
            let span = segment.span;
            if !document.marks_in(span).is_empty() {
                continue;
            }
            let key = Key::of(document.source.text(), span);
            if key.len() < 10 {
                continue;
            }
            let words: String = document.slice(key.span(0, 10)).into();
            n += 1;
            let sound = checked(&QuotingText::quotation(&words)).items[0].verdict;
            let changed = words.replacen(words.chars().nth(4).unwrap(), "龘", 1);
            let other = checked(&QuotingText::quotation(&changed)).items[0].verdict;
            if (sound, other) != (Verdict::Verbatim, Verdict::Differs) {
                missed.push((words, sound, other));
            }
        }
    }
    assert!(n > 20 && missed.is_empty(), "{n}: {missed:?}");
}
