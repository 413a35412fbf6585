//! Collation of two texts, and the layers that one gives to the other.

use std::sync::Arc;

use proptest::prelude::*;
use zhushu::corpus::Library;
use zhushu::model::{Document, EvidenceKind, Layer, Segment};
use zhushu::readers;
use zhushu::source::{Source, Span};
use zhushu::text::collate::{Base, Chain};
use zhushu::{pipeline, text::Key};

fn chars(s: &str) -> Vec<char> {
    Key::of(s, Span::new(0, s.len())).chars
}

/// Invariants of a collation: matches are equal characters and ascend within a chain, and no
/// character is matched twice.
fn collate(a: &[char], b: &[char]) -> Vec<Chain> {
    let chains = Base::new(a).against(b);
    let (mut seen_a, mut seen_b) = (vec![false; a.len()], vec![false; b.len()]);
    for chain in &chains {
        assert!(
            chain.runs.windows(2).all(|w| w[0].a_end() <= w[1].a && w[0].b_end() <= w[1].b),
            "{chain:?}"
        );
        for run in &chain.runs {
            assert_eq!(a[run.a..run.a_end()], b[run.b..run.b_end()]);
            for n in 0..run.len {
                assert!(
                    !std::mem::replace(&mut seen_a[run.a + n], true)
                        && !std::mem::replace(&mut seen_b[run.b + n], true)
                );
            }
        }
    }
    chains
}

fn matched(chains: &[Chain]) -> usize {
    chains.iter().map(Chain::matched).sum()
}

/// Pseudo-random numbers, the same every time.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut x = seed;
    move |n| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) as usize % n
    }
}

fn babble(seed: u64, len: usize, kinds: usize) -> Vec<char> {
    let mut next = numbers(seed);
    (0..len).map(|_| char::from_u32(0x4E00 + next(kinds) as u32).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_text_matches_itself_wholly(text in proptest::collection::vec(proptest::sample::select(chars("再拜稽首賓主人升降")), 8..400)) {
        let chains = collate(&text, &text);
        prop_assert_eq!(matched(&chains), text.len());
    }

    #[test]
    fn any_two_texts_keep_the_promises(
        a in proptest::collection::vec(proptest::sample::select(chars("再拜稽首賓")), 0..300),
        b in proptest::collection::vec(proptest::sample::select(chars("再拜稽首賓")), 0..300),
    ) {
        collate(&a, &b);
    }

    #[test]
    fn changed_dropped_and_added_characters_are_gone_round(seed in 0u64..10_000) {
        let a = babble(seed, 600, 900);
        let mut next = numbers(seed + 1);
        let mut b = Vec::new();
        let mut kept = 0;
        for c in &a {
            match next(40) {
                0 => b.push('異'),
                1 => {}
                2 => b.extend([*c, '增']),
                _ => b.push(*c),
            }
            kept += usize::from(b.last() == Some(c));
        }
        prop_assert!(matched(&collate(&a, &b)) * 100 >= kept * 93);
    }
}

#[test]
fn transposed_blocks_are_found_each_in_its_place() {
    let (x, y, z) = (babble(1, 80, 900), babble(2, 60, 900), babble(3, 70, 900));
    let chains = collate(&[&x[..], &y, &z].concat(), &[&z[..], &x, &y].concat());
    assert_eq!(matched(&chains), 210);
    let place = |a: usize| {
        chains
            .iter()
            .flat_map(|c| &c.runs)
            .find(|r| (r.a..r.a_end()).contains(&a))
            .map(|r| r.b + a - r.a)
    };
    assert_eq!([place(10), place(90), place(150)], [Some(80), Some(160), Some(10)]);
}

#[test]
fn unrelated_texts_hardly_match() {
    assert_eq!(matched(&collate(&babble(1, 5000, 900), &babble(2, 5000, 900))), 0);
    // Texts with many formulas in common are still different texts.
    let with = |seed: u64| {
        babble(seed, 3000, 900)
            .chunks(30)
            .flat_map(|c| [c, &chars("再拜稽首")].concat())
            .collect::<Vec<char>>()
    };
    let (a, b) = (with(3), with(4));
    assert!(matched(&collate(&a, &b)) * 10 < a.len());
}

#[test]
fn repetition_costs_no_more_than_length() {
    let mut next = numbers(7);
    let wrong =
        |text: Vec<char>, next: &mut dyn FnMut(usize) -> usize| -> Vec<char> {
            text.into_iter()
                .map(|c| {
                    if next(40) == 0 {
                        char::from_u32(0x5E00 + next(900) as u32).unwrap()
                    } else {
                        c
                    }
                })
                .collect()
        };
    let text: Vec<char> = chars("再拜稽首").into_iter().cycle().take(40_000).collect();
    let (a, b) = (wrong(text.clone(), &mut next), wrong(text, &mut next));
    let started = std::time::Instant::now();
    assert!(matched(&collate(&a, &b)) > 20_000);
    // A quadratic table for these would have 1.6 billion cells.
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

const CLASSIC: [&str; 6] = [
    "司射適堂西命弟子設豐弟子奉豐升設于西楹之西乃降",
    "勝者之弟子洗觶升酌南面坐奠于豐上降袒執弓反位",
    "司射遂袒執弓挾一个搢扑北面于三耦之南命三耦及眾賓",
    "勝者皆袒決遂執張弓不勝者皆襲說決拾卻左手右加弛弓于其上遂以執弣",
    "司射先反位三耦及眾射者皆與其耦進立于射位北上",
    "司射作升飲者如作射一耦進揖如升射及階勝者先升升堂少右",
];
const NOTES: [&str; 6] = [
    "將飲不勝者設豐所以承其爵也豐形蓋似豆而卑",
    "勝者之弟子其少者也不授爵略之也",
    "今文無遂",
    "執張弓言能用之也右手執弦如卒射兩手執弣又不得執弦",
    "不俟其耦進者命即就位尊之",
    "先升尊賢也少右辟飲者亦相飲之禮然",
];

/// A paragraph of classic and note for each pair, with only `mark` between them.
fn undivided(order: &[usize], mark: &str) -> Document {
    let words = |s: &str| {
        s.chars()
            .collect::<Vec<_>>()
            .chunks(7)
            .map(|c| c.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join(mark)
    };
    let mut text = String::new();
    for &n in order {
        text += &format!(
            "{}{mark}{}。\n[疏]釋曰:自此以下言其事之節也。\n",
            words(CLASSIC[n]),
            words(NOTES[n])
        );
    }
    readers::read(Source::from_text("text.txt", text), Some("zhushu")).unwrap()
}

/// The same with marks, changed by `change`.
fn marked(order: &[usize], with_notes: bool, change: impl Fn(&str) -> String) -> Document {
    let (mut text, mut layers) = (String::new(), Vec::new());
    for &n in order {
        for (layer, words) in [(Layer::Jing, CLASSIC[n]), (Layer::Zhu, NOTES[n])] {
            if layer == Layer::Jing || with_notes {
                let from = text.len();
                text += &change(words);
                layers.push(Segment::marked(layer, Span::new(from, text.len())));
            }
        }
    }
    let mut document = Document::new(Arc::new(Source::from_text("witness.txt", text)), "plain");
    document.segments = layers.into();
    document
}

fn with(text: Document, witness: Document) -> Library {
    pipeline::run(vec![text, witness])
}

/// Characters of 經 and of 注 as decided.
fn decided(library: &Library) -> [String; 2] {
    let d = &library.documents[0];
    [Layer::Jing, Layer::Zhu].map(|l| d.of_layer(l).flat_map(|s| chars(d.slice(s.span))).collect())
}

fn truth(order: &[usize]) -> [String; 2] {
    [CLASSIC, NOTES].map(|t| order.iter().flat_map(|n| chars(t[*n])).collect())
}

const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

#[test]
fn a_witness_cuts_where_no_mark_is_and_through_other_marks() {
    let library =
        with(undivided(&ALL, ""), marked(&ALL, true, |w| format!("{}。", w.replace("者", "者、"))));
    assert_eq!(decided(&library), truth(&ALL));
    let d = &library.documents[0];
    let notes: Vec<&Segment> = d.of_layer(Layer::Zhu).collect();
    assert_eq!(notes.len(), 6);
    for s in notes {
        assert!(s.certainty.get() > 0.99, "{s:?}");
        let why = s.evidence.iter().find(|e| e.code() == "witness").unwrap();
        assert_eq!(why.detail.as_deref(), Some("witness ends the 經 here"));
    }
}

#[test]
fn variants_gaps_and_transposition_do_not_hide_a_border() {
    let variants = |w: &str| {
        w.replace('觶', "觚").replace('于', "於").replace("之西", "西").replace('弣', "把")
    };
    for order in [[0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2]] {
        let library = with(undivided(&ALL, ""), marked(&order, true, variants));
        assert_eq!(decided(&library), truth(&ALL), "{order:?}");
    }
    // If the witness lacks a paragraph, the others are still cut.
    let library = with(undivided(&ALL, ","), marked(&[0, 1, 3, 4, 5], true, variants));
    let [jing, zhu] = decided(&library);
    for n in [0, 1, 3, 4, 5] {
        let (classic, note) = (
            chars(CLASSIC[n]).iter().collect::<String>(),
            chars(NOTES[n]).iter().collect::<String>(),
        );
        assert!(jing.contains(&classic) && zhu.contains(&note), "{n}: {jing} | {zhu}");
    }
}

#[test]
fn a_bare_classic_is_a_witness_too() {
    let library = with(undivided(&ALL, ","), marked(&ALL, false, |w| w.to_string()));
    let d = &library.documents[0];
    assert!(d.of_layer(Layer::Zhu).all(|s| s.evidence.iter().any(|e| e.code() == "witness")));
    let (got, want) = (decided(&library), truth(&ALL));
    // The plain classic does not mark where notes would be: clauses across the border may be
    // decided either way.
    let differ = |a: &str, b: &str| a.chars().count().abs_diff(b.chars().count());
    assert!(differ(&got[0], &want[0]) <= 12, "{got:?}");
}

#[test]
fn a_text_of_something_else_is_no_witness() {
    let mut other =
        marked(&[0], true, |_| "主人坐取爵興降洗賓降主人辭降賓對再拜稽首司射適堂西".to_string());
    other.id = "other".into();
    let d = with(undivided(&ALL, ","), other);
    let document = &d.documents[0];
    assert!(document.segments.iter().flat_map(|s| &s.evidence).all(|e| e.code() != "witness"));
    assert!(document.diagnostics.iter().all(|d| d.code != "witness-disagrees"));
}

#[test]
fn what_sticks_to_a_sub_commentary_is_cut_off_by_a_witness() {
    let mut text = String::new();
    for n in ALL {
        let end = if n == 2 {
            "\n[疏]釋曰:自此以下言其事之節也。此經言其序。"
        } else {
            "\n[疏]釋曰:自此以下言其事之節也。\n"
        };
        text += &format!("{}。{}。{end}", CLASSIC[n], NOTES[n]);
    }
    let text = readers::read(Source::from_text("text.txt", text), Some("zhushu")).unwrap();
    let library = with(text, marked(&ALL, true, |w| w.to_string()));
    assert_eq!(decided(&library), truth(&ALL));
}

#[test]
fn a_disagreement_is_shown() {
    // The headers are clear; the witness has classic and commentary exchanged.
    let mut text = String::new();
    for n in ALL {
        let ends = |w: &str| {
            let c: Vec<char> = w.chars().collect();
            format!(
                "“{}”至“{}”",
                c[..2].iter().collect::<String>(),
                c[c.len() - 2..].iter().collect::<String>()
            )
        };
        text += &format!(
            "{}。{}。\n[疏]{}。注{}。釋曰:言其事也。\n",
            CLASSIC[n],
            NOTES[n],
            ends(CLASSIC[n]),
            ends(NOTES[n])
        );
    }
    let text = readers::read(Source::from_text("text.txt", text), Some("zhushu")).unwrap();
    let mut witness = marked(&ALL, true, |w| w.to_string());
    for s in &mut witness.segments {
        s.layer = if s.layer == Layer::Jing { Layer::Zhu } else { Layer::Jing };
    }
    let library = with(text, witness);
    let said: Vec<&str> = library.documents[0]
        .diagnostics
        .iter()
        .filter(|d| d.code == "witness-disagrees")
        .map(|d| d.message.as_str())
        .collect();
    assert!(said.len() >= 6 && said.iter().all(|m| m.contains("witness has “")), "{said:?}");
}

/// 大學章句: 經 and 朱熹's notes alternating, in simplified script as it circulates.
const DAXUE: [(&str, &str); 5] = [
    (
        "大学之道，在明明德，在亲民，在止于至善。",
        "程子曰：“亲，当作新。”大学者，大人之学也。明，明之也。明德者，人之所得乎天，而虚灵不昧，以具众理而应万事者也。",
    ),
    (
        "知止而后有定，定而后能静，静而后能安，安而后能虑，虑而后能得。",
        "后，与后同，后放此。止者，所当止之地，即至善之所在也。知之，则志有定向。静，谓心不妄动。",
    ),
    (
        "物有本末，事有终始，知所先后，则近道矣。",
        "明德为本，新民为末。知止为始，能得为终。本始所先，末终所后。此结上文两节之意。",
    ),
    (
        "古之欲明明德于天下者，先治其国；欲治其国者，先齐其家；欲齐其家者，先修其身；欲修其身者，先正其心。",
        "治，平声，后放此。明明德于天下者，使天下之人皆有以明其明德也。心者，身之所主也。",
    ),
    (
        "自天子以至于庶人，壹是皆以修身为本。",
        "壹是，一切也。正心以上，皆所以修身也。齐家以下，则举此而措之耳。",
    ),
];

/// A copy that marks its notes settles one that does not: in the other script, with words missing
/// from both layers.
#[test]
fn a_marked_copy_with_gaps_in_the_other_script_cuts_a_text_without_headers() {
    use zhushu::text::script::{Script, convert_from};
    let bare: String = DAXUE.iter().map(|(jing, zhu)| format!("{jing}{zhu}\n")).collect();
    let marked: String = DAXUE.iter().map(|(jing, zhu)| format!("{jing}（{zhu}）\n")).collect();
    let lost = ["", "先治其国；", "在亲民，", "而后能安，安", "明之也。", "此结上文两节之意。"]
        .map(|gap| (gap, ""));
    let damaged = ["定而后能静", "在止于至", "而后能静，静", "知所先后"].map(|gap| (gap, "欲"));
    for (gap, other) in lost.into_iter().chain(damaged) {
        let witness =
            convert_from(&marked.replace(gap, other), Script::Simplified, Script::Traditional)
                .replace('爲', "為");
        let text =
            readers::read(Source::from_text("text.txt", bare.as_str()), Some("jizhu")).unwrap();
        let witness = readers::read(Source::from_text("witness.txt", witness), None).unwrap();
        assert_eq!(witness.reader, "brackets");
        let library = with(text, witness);
        let want = [DAXUE.map(|(jing, _)| jing), DAXUE.map(|(_, zhu)| zhu)]
            .map(|t| t.iter().flat_map(|w| chars(w)).collect::<String>());
        assert_eq!(decided(&library), want, "without {gap}");
    }
}

/// Inferred layers of a witness count less, and are not evidence where they may end.
#[test]
fn an_inferred_witness_is_silent_where_it_is_not_sure() {
    let mut witness = marked(&ALL, true, str::to_string);
    // It has the first two characters of the third note as the end of its 經, with a low certainty.
    let border = witness.segments[5].span.start() + "今文".len();
    let (classic, note) = (witness.segments[4].span, witness.segments[5].span);
    let why = || vec![zhushu::model::Evidence::of(EvidenceKind::ReadsAsLayer)];
    let inferred =
        |layer, span, p| Segment::inferred(layer, span, zhushu::model::Certainty::new(p), why());
    witness.segments[4] = inferred(Layer::Jing, Span::new(classic.start(), border), 0.6);
    witness.segments[5] = inferred(Layer::Zhu, Span::new(border, note.end()), 0.6);
    let library = with(undivided(&ALL, "，"), witness);
    let d = &library.documents[0];
    assert!(
        d.of_layer(Layer::Zhu).all(|s| !d.slice(s.span).starts_with("無遂")),
        "{:?}",
        decided(&library)
    );
    assert_eq!(d.of_layer(Layer::Zhu).count(), 6);
}

/// The bundled 注疏 without its 疏, so that only the text itself distinguishes 經 from 注.
fn without_sub_commentary() -> Document {
    let whole = corpus("yili-05-zhushu.txt");
    let kept = whole.lines().filter(|l| !l.starts_with("[疏]") && !l.starts_with('○'));
    readers::read(Source::from_text("bare.txt", kept.collect::<Vec<_>>().join("\n")), None).unwrap()
}

fn corpus(name: &str) -> String {
    std::fs::read_to_string(crate::support::corpus::file(name)).unwrap()
}

fn cut_with_translation(document: Document) -> Document {
    let translation =
        readers::read(Source::from_text("jinyi.txt", corpus("yili-05-jinyi.txt")), None).unwrap();
    (*pipeline::run(vec![document, translation]).documents[0]).clone()
}

fn borders(document: &Document) -> Vec<&Segment> {
    document.segments.iter().filter(|s| matches!(s.layer, Layer::Jing | Layer::Zhu)).collect()
}

fn named_as_evidence(document: &Document) -> usize {
    borders(document)
        .iter()
        .filter(|s| s.evidence.iter().any(|e| e.code() == "translation"))
        .count()
}

#[test]
fn a_translation_shows_what_is_classic() {
    let alone = (*pipeline::run(vec![without_sub_commentary()]).documents[0]).clone();
    let with = cut_with_translation(without_sub_commentary());
    let note = |d: &Document| {
        borders(d)
            .iter()
            .any(|s| s.layer == Layer::Zhu && d.words(s.span).starts_with("以賓主人飲"))
    };
    assert!(note(&with));
    assert_eq!(named_as_evidence(&alone), 0);
    assert!(named_as_evidence(&with) > 20);
}

#[test]
fn the_translation_of_another_chapter_is_no_evidence() {
    let document =
        readers::read(Source::from_text("yili-06.txt", corpus("yili-06-zhushu.txt")), None)
            .unwrap();
    assert_eq!(named_as_evidence(&cut_with_translation(document)), 0);
}

#[test]
fn readings_after_a_circle_end_where_the_classic_goes_on() {
    let text = "關關雎鳩，在河之洲。關關，和聲也。水中可居者曰洲。\n\
                ○雎，七胥反。鳩，九尤反。洲音州。窈窕淑女，君子好逑。窈窕，幽閒也。逑，匹也。\n\
                ○窈，烏了反。窕，徒了反。逑音求。\n\
                [疏]“關關”至“好逑”。○正義曰：此章言后妃之德。\n";
    let document = readers::read(Source::from_text("t.txt", text), Some("zhushu")).unwrap();
    let document = (*pipeline::run(vec![document]).documents[0]).clone();
    let words = |layer| -> Vec<String> {
        document.of_layer(layer).map(|s| document.words(s.span).trim().to_string()).collect()
    };
    assert_eq!(
        words(Layer::Yin),
        ["雎，七胥反。鳩，九尤反。洲音州。", "窈，烏了反。窕，徒了反。逑音求。"]
    );
    assert_eq!(words(Layer::Jing), ["關關雎鳩，在河之洲。", "窈窕淑女，君子好逑。"]);
}
