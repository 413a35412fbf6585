//! Each feature of a run with a text that has it and one, as like it as can be, that lacks it.

use super::*;
use crate::model::{Document, Layer};
use crate::passes::evidence::group::paragraphs;
use crate::text::ngram::CharModel;

/// The features of the run in brackets: 甲乙。[丙者，丁也。]. `set` adds what headers and the like
/// say; `before` are the characters of the paragraph before.
fn features_of(
    text: &str,
    label: usize,
    before: &str,
    set: impl Fn(&mut Paragraph, usize, usize),
) -> Features {
    let start = text.find('[').unwrap();
    let plain = text.replace(['[', ']'], "");
    let document = Document::of_pieces(&[(Layer::Undivided, &plain)]);
    let mut p = paragraphs(&document).remove(0);
    let from = p.key.index_at(start);
    let to = p.key.index_at(text.find(']').unwrap() - 1);
    for border in [from, to] {
        if border < p.key.len() {
            p.cut_inside(border);
        }
    }
    set(&mut p, from, to);
    let run = Run {
        from: p.units.iter().position(|u| u.from == from).unwrap(),
        to: p.units.iter().position(|u| u.to == to).unwrap() + 1,
        label,
    };
    let scored = || {
        let model = CharModel::new(100);
        (0..3).map(|_| Scored::new(&model, &p.key.chars)).collect::<Vec<_>>()
    };
    let common = CommonCharacters::default();
    let before: Vec<char> = before.chars().collect();
    let scores = ParagraphScores { models: scored(), shipped: Arc::new(scored()) };
    let scorer = RunScorer::new(&p, &plain, scores, &before, &common);
    let mut out = Features::new();
    scorer.features(run, &mut out);
    out
}

fn value(features: &Features, feature: Feature) -> Option<f64> {
    features.iter().find(|(f, _)| *f == feature).map(|(_, value)| *value)
}

/// Checks rows of a feature, a text with it and one without it.
fn check(label: usize, rows: &[(Feature, &str, &str)]) {
    for (feature, with, without) in rows {
        let has = |text: &str| value(&features_of(text, label, "", |_, _, _| ()), *feature);
        assert!(has(with).is_some(), "{feature:?} is not found: {with}");
        assert_eq!(has(without), None, "{feature:?}: {without}");
    }
}

#[test]
fn a_note_has_the_features_of_its_place_and_its_words() {
    use Feature::*;
    check(
        NOTE,
        &[
            (NoteFirst, "[甲乙。]丙丁。", "甲乙。[丙丁。]"),
            (NoteInner, "甲乙。[丙丁。]", "[甲乙。]丙丁。"),
            (NoteLast, "甲乙。[丙丁。]", "甲乙。[丙丁。]戊己。"),
            (WholeNote, "[甲乙。]", "[甲乙。]丙丁。"),
            (WholeNote, "[甲乙。]", "丙丁。[甲乙。]"),
            (NoteShort, "甲乙。[丙丁。]", "甲乙。[丙丁戊。]"),
            (NoteAtClause, "甲乙，[丙丁。]", "甲乙。[丙丁。]"),
            (NoteAfterColon, "甲乙：[丙丁。]", "甲乙，[丙丁。]"),
            (NoteInSpeech, "甲曰：“乙丙。[丁戊。]”", "甲曰：“乙丙。”[丁戊。]"),
            (NoteAfterSpeech, "甲曰：“乙丙。”[丁戊。]", "甲曰：“乙丙。[丁戊。]”"),
            (NoteAtNoMark, "甲乙[丙丁。]", "甲乙，[丙丁。]"),
            (NoteEndsYe, "甲乙。[丙丁也。]", "甲乙。[丙也丁。]"),
            (NoteRecensionInside, "甲乙。[丙丁。今文戊。]", "今文甲。[丙丁。]今文戊。"),
            (NoteTitles, "甲乙。[《丙》丁。]", "《甲》乙。[丙丁。]《戊》。"),
            (NoteOfWords, "甲乙。[丙上文丁。]", "上文乙。[丙丁。]上文戊。"),
            (NoteByCommentator, "甲乙。[鄭司農云，丙丁。]", "甲乙。[丙丁，鄭司農云，戊己。]"),
            (NoteByCommentator, "甲乙。[鄭司農云，丙丁。]", "甲乙。[鄭司農丙云，丁戊。]"),
            (Repeats1, "甲乙丙。[丙者，丁戊也。]", "甲乙丙。[己者，丁戊也。]"),
            (Repeats1, "甲乙丙。[言丙者，丁戊也。]", "甲乙丙。[乙丙者，丁戊也。]"),
            (Repeats2, "甲乙丙。[乙丙猶丁戊也。]", "甲乙丙。[丙猶丁戊也。]"),
            (Repeats3, "甲乙丙。[甲乙丙，丁戊己庚辛。]", "甲乙丙。[乙丙，丁戊己庚辛。]"),
            (RepeatsEnd, "甲乙丙。[丙者，丁戊也。]", "甲乙丙。[乙者，丁戊也。]"),
            (Gloss, "甲乙丙。[乙，丁戊也。]", "甲乙丙。[乙，丁戊己。]"),
            (Gloss, "甲乙丙。[乙，丁戊也。]", "甲乙丙。[乙。丁戊也。]"),
            (Gloss, "甲乙丙。[乙，丁戊也。]", "甲乙丙。[乙，丁戊也，己庚。]"),
            (Gloss, "甲乙丙。[丁戊己庚，辛也。]", "甲乙丙。[丁戊己庚壬，辛也。]"),
            (GlossRepeats, "甲乙丙。[乙，丁戊也。]", "甲乙丙。[己，丁戊也。]"),
            (GlossRepeats, "甲乙丙。[乙，丁戊己庚辛。]", "甲乙丙。[乙，丁戊己庚辛壬。]"),
            (GlossShort, "甲乙丙。[乙，丁戊。]", "甲乙丙。[乙，丁戊也。]"),
            (GlossShort, "甲乙丙。[乙，丁戊。]", "甲乙丙。[己，丁戊。]"),
            (TermAlone1, "甲乙丙。[乙，丁戊己庚辛壬。]", "甲乙丙。[乙。丁戊己庚辛壬。]"),
            (TermAlone1, "甲乙丙。[乙，丁戊己庚辛壬。]", "甲乙丙。[己，丁戊庚辛壬癸。]"),
            (TermAlone1, "甲乙丙。[乙，丁戊己庚辛壬。]", "甲乙丙。[乙丙，丁戊己庚辛壬。]"),
            (TermAlone2, "甲乙丙。[乙丙，丁戊己庚辛壬。]", "甲乙丙。[乙，丁戊己庚辛壬。]"),
            (TermAlone2, "甲乙丙子。[乙丙子，丁戊己。]", "甲乙丙子。[甲乙丙子，丁戊己。]"),
            (Sound, "甲乙。[丙，丁丈反。]", "甲乙。[丙，丁丈也。]"),
            (Sound, "甲乙。[丙，丁丈反。]", "甲乙。[丙，戊己，丁丈反。]"),
            (NoteSoundLate, "甲乙。[丙，丁丈反。]", "甲乙。[丁丈反，丙。]戊，丁丈反。"),
            (NoteSoundLate, "甲乙。[丙，丁丈反。]", "甲乙。[丁丈反，戊己反。]"),
            (Means, "甲乙。[丙丁戊己猶庚。]", "甲乙。[丙丁戊己庚猶辛。]"),
            (Means, "甲乙。[丙謂丁。]", "甲乙。[謂丙丁。]"),
            (Recension, "甲乙。[今文丙。]", "甲乙。[丙，今文丁。]"),
            (HexagramLine, "甲乙。[坤下離上。]", "甲乙。[坤下離上，丙丁。]"),
            (HexagramLine, "甲乙。[坤下離上。]", "甲乙。[坤下甲上。]"),
            (NoteTermsBefore, "甲乙丙。[丁。丙者，戊也。]", "甲乙丙。[丁。己者，戊也。]"),
            (NoteTermsInside, "甲乙丙。[丁戊。丁者，己也。]", "甲乙丙。[丁戊。丙者，己也。]"),
        ],
    );
}

#[test]
fn classic_has_the_features_of_its_place_and_its_words() {
    use Feature::*;
    check(
        CLASSIC,
        &[
            (ClassicFirst, "[甲乙。]丙丁。", "甲乙。[丙丁。]"),
            (ClassicInner, "甲乙。[丙丁。]", "[甲乙。]丙丁。"),
            (ClassicLast, "甲乙。[丙丁。]", "甲乙。[丙丁。]戊己。"),
            (WholeClassic, "[甲乙。]", "[甲乙。]丙丁。"),
            (WholeClassic, "[甲乙。]", "丙丁。[甲乙。]"),
            (ClassicShort, "甲乙。[丙丁戊。]", "甲乙。[丙丁戊己。]"),
            (ClassicAtClause, "甲乙，[丙丁。]", "甲乙。[丙丁。]"),
            (ClassicInSpeech, "甲曰：“乙丙。[丁戊。]”", "甲曰：“乙丙。”[丁戊。]"),
            (ClassicAfterSpeech, "甲曰：“乙丙。”[丁戊。]", "甲曰：“乙丙。[丁戊。]”"),
            (ClassicAtNoMark, "甲乙[丙丁。]", "甲乙，[丙丁。]"),
            (ClassicAfterYe, "甲乙也。[丙丁。]", "甲也乙。[丙丁也。]"),
            (ClassicEndsYe, "甲乙也。[丙丁也。]", "甲乙也。[丙也丁。]"),
            (ClassicRecension, "甲乙。[丙丁。今文戊。]", "今文甲。[丙丁。]今文戊。"),
            (ClassicTitles, "甲乙。[《丙》丁。]", "《甲》乙。[丙丁。]《戊》。"),
            (ClassicOfWords, "甲乙。[丙上文丁。]", "上文乙。[丙丁。]上文戊。"),
            (ClassicByCommentator, "甲乙。[丙，鄭司農云，丁。]", "甲。[丙，鄭司農己，丁。]"),
            (ClassicGlosses, "甲乙丙。[丁，乙，戊己也。]", "甲乙丙。[丁，庚，戊己也。]"),
            (ClassicSounds, "甲乙。[丙，丁丈反。]", "丁丈反。[丙丁。]戊己反。"),
            (ClassicTakenUp, "甲。[乙丙。]丙者，丁也。", "甲。[乙丙。]甲者，丁也。"),
            (ClassicNotTakenUp, "甲。[乙丙。]甲者，丁也。", "甲。[乙丙。]丙者，丁也。"),
            (ClassicTakesUp, "甲乙丙。[丁。丙者，戊也。]", "甲乙丙。[丁。]丙者，戊也。"),
        ],
    );
}

#[test]
fn what_headers_and_quotations_say_of_a_place_is_a_feature_of_the_run_there() {
    use Feature::*;
    use HeaderMatch::{Elsewhere, Here, Nearly};
    type Set = fn(&mut Paragraph, usize, usize);
    let text = "甲乙。[丙丁，戊己。]庚辛。";
    let rows: &[(usize, Feature, Set, Set)] = &[
        (
            NOTE,
            NoteFromHere,
            |p, from, _| (p.hints[from].note_from, p.header_has_classic) = (Here, true),
            |p, from, _| p.hints[from].note_from = Here,
        ),
        (
            NOTE,
            NoteFromHereOnly,
            |p, from, _| p.hints[from].note_from = Here,
            |p, from, _| (p.hints[from].note_from, p.header_has_classic) = (Here, true),
        ),
        (
            NOTE,
            NoteFromElsewhere,
            |p, from, _| p.hints[from].note_from = Elsewhere,
            |p, from, _| p.hints[from].note_from = Here,
        ),
        (
            NOTE,
            NoteFromNearly,
            |p, from, _| p.hints[from].note_from = Nearly,
            |p, _, to| p.hints[to].note_from = Nearly,
        ),
        (
            NOTE,
            NoteToHere,
            |p, _, to| p.hints[to].note_to = Here,
            |p, from, _| p.hints[from].note_to = Here,
        ),
        (
            NOTE,
            ClassicToHere,
            |p, from, _| p.hints[from].classic_to = Here,
            |p, _, to| p.hints[to].classic_to = Here,
        ),
        (
            NOTE,
            ClassicToElsewhere,
            |p, from, _| p.hints[from].classic_to = Elsewhere,
            |p, from, _| p.hints[from].classic_to = Nearly,
        ),
        (
            NOTE,
            ClassicToNearly,
            |p, from, _| p.hints[from].classic_to = Nearly,
            |p, from, _| p.hints[from].classic_to = Here,
        ),
        (
            NOTE,
            HeaderBothSides,
            |p, from, _| {
                (p.hints[from].classic_to, p.hints[from].note_from) = (Nearly, Nearly);
            },
            |p, from, _| p.hints[from].classic_to = Here,
        ),
        (
            NOTE,
            HeaderBothSides,
            |p, from, _| (p.hints[from].classic_to, p.hints[from].note_from) = (Here, Here),
            |p, from, _| p.hints[from].note_from = Here,
        ),
        (
            NOTE,
            NoteNotByHeader,
            |p, _, _| (p.header_has_note, p.last_of_group) = (true, true),
            |p, _, _| p.header_has_note = true,
        ),
        (
            NOTE,
            NoteNotByHeader,
            |p, _, _| (p.header_has_note, p.last_of_group) = (true, true),
            |p, from, _| {
                (p.header_has_note, p.last_of_group) = (true, true);
                p.hints[from].note_from = Here;
            },
        ),
        (
            NOTE,
            NoteNotByHeader,
            |p, _, _| (p.header_has_note, p.last_of_group) = (true, true),
            |p, _, _| p.last_of_group = true,
        ),
        (
            NOTE,
            NoteNotByInnerHeader,
            |p, _, _| {
                (p.header_has_note, p.last_of_group, p.inner_headers_only) = (true, true, true);
            },
            |p, _, _| (p.header_has_note, p.last_of_group) = (true, true),
        ),
        (
            NOTE,
            NoteDespiteHeader,
            |p, _, _| (p.header_has_classic, p.last_of_group) = (true, true),
            |p, _, _| {
                (p.header_has_classic, p.header_has_note, p.last_of_group) = (true, true, true);
            },
        ),
        (
            NOTE,
            NoteDespiteHeader,
            |p, _, _| (p.header_has_classic, p.last_of_group) = (true, true),
            |p, _, _| p.header_has_classic = true,
        ),
        (
            NOTE,
            NoteInQuote,
            |p, from, _| p.hints[from].in_quote = true,
            |p, from, _| p.hints[from + 1].in_quote = true,
        ),
        (
            NOTE,
            NoteAtQuote,
            |p, from, _| p.hints[from].quote_from = true,
            |p, from, _| p.hints[from + 1].quote_from = true,
        ),
        (
            NOTE,
            NoteInHeaderClassic,
            |p, _, to| p.hints[to - 1].in_classic = true,
            |p, _, to| p.hints[to].in_classic = true,
        ),
        (
            NOTE,
            NoteInHeaderClassic,
            |p, from, _| p.hints[from].in_classic = true,
            |p, from, _| (p.hints[from].in_classic, p.hints[from].in_note) = (true, true),
        ),
        (
            NOTE,
            NoteQuotedAsClassic,
            |p, from, _| p.hints[from].quoted_classic = true,
            |p, from, _| {
                (p.hints[from].quoted_classic, p.hints[from].quoted_note) = (true, true);
            },
        ),
        (
            NOTE,
            NoteQuoted,
            |p, from, _| p.hints[from].quoted = true,
            |p, from, _| p.hints[from - 1].quoted = true,
        ),
        (
            NOTE,
            NoteQuotedAsLemma,
            |p, from, _| p.hints[from].quoted_lemma = true,
            |p, from, _| p.hints[from - 1].quoted_lemma = true,
        ),
        (
            CLASSIC,
            ClassicFromHere,
            |p, from, _| p.hints[from].classic_from = Here,
            |p, from, _| p.hints[from].classic_from = Elsewhere,
        ),
        (
            CLASSIC,
            ClassicInHeaderNote,
            |p, from, _| p.hints[from].in_note = true,
            |p, from, _| (p.hints[from].in_classic, p.hints[from].in_note) = (true, true),
        ),
        (
            CLASSIC,
            ClassicQuotedAsNote,
            |p, from, _| p.hints[from].quoted_note = true,
            |p, from, _| {
                (p.hints[from].quoted_classic, p.hints[from].quoted_note) = (true, true);
            },
        ),
        (
            CLASSIC,
            ClassicInQuote,
            |p, from, _| p.hints[from].in_quote = true,
            |p, from, _| p.hints[from + 1].in_quote = true,
        ),
        (
            CLASSIC,
            ClassicAtQuote,
            |p, from, _| p.hints[from].quote_from = true,
            |p, from, _| p.hints[from + 1].quote_from = true,
        ),
    ];
    for (n, (label, feature, with, without)) in rows.iter().enumerate() {
        let has = |set: &Set| value(&features_of(text, *label, "", set), *feature).is_some();
        assert!(has(with) && !has(without), "row {n}: {feature:?}");
    }
}

#[test]
fn classic_at_the_end_of_a_paragraph_shows_what_follows() {
    use Feature::*;
    type Set = fn(&mut Paragraph, usize, usize);
    let rows: &[(Feature, Set, Set)] = &[
        (ClassicLastOfGroup, |p, _, _| p.last_of_group = true, |_, _, _| ()),
        (ClassicLastBeforeCircle, |p, _, _| p.before_circle = true, |_, _, _| ()),
        (
            ClassicLastDespiteHeader,
            |p, _, _| (p.last_of_group, p.header_has_note) = (true, true),
            |p, _, _| p.last_of_group = true,
        ),
        (
            ClassicLastDespiteHeader,
            |p, _, _| (p.last_of_group, p.header_has_note) = (true, true),
            |p, _, _| p.header_has_note = true,
        ),
    ];
    for (feature, with, without) in rows {
        let has =
            |text: &str, set: &Set| value(&features_of(text, CLASSIC, "", set), *feature).is_some();
        assert!(has("甲乙。[丙丁。]", with) && !has("甲乙。[丙丁。]", without), "{feature:?}");
        assert!(!has("甲乙。[丙丁。]戊己。", with), "{feature:?} of a run that is not last");
    }
}

#[test]
fn words_of_the_paragraph_before_count_only_near_the_start() {
    let repeats = |text: &str, before: &str| {
        value(&features_of(text, NOTE, before, |_, _, _| ()), Feature::Repeats1).is_some()
    };
    assert!(repeats("甲乙。[丙者，丁也。]", "戊丙己"));
    assert!(!repeats("甲乙。[丙者，丁也。]", "戊己"));
    let far = "甲乙".repeat(10);
    assert!(!repeats(&format!("{far}。[丙者，丁也。]"), "戊丙己"));
    // In the paragraph itself, the last eighty characters count.
    let long = "甲乙".repeat(39);
    assert!(repeats(&format!("丙子{long}。[丙者，丁也。]"), ""));
    assert!(!repeats(&format!("丙子丑{long}。[丙者，丁也。]"), ""));
}

#[test]
fn many_characters_count_little_more_than_some() {
    let of = |text: &str, feature| value(&features_of(text, CLASSIC, "", |_, _, _| ()), feature);
    let near = |value: Option<f64>, wanted: f64| {
        assert!(value.is_some_and(|v| (v - wanted).abs() < 1e-9), "{value:?}, not {wanted}");
    };
    let sounds = "甲乙。[丙丁反，戊，己庚反，辛壬反。]";
    near(of(sounds, Feature::ClassicSounds), 4f64.ln());
    near(of(sounds, Feature::ClassicLength), 10f64.ln());
    near(of("甲乙。[丙者，丁也。甲者，戊也。]", Feature::ClassicTakesUp), 2f64.ln());
    let late = "甲乙。[丙，丁丈反，戊，己庚反。]";
    let of_note = features_of(late, NOTE, "", |_, _, _| ());
    near(value(&of_note, Feature::NoteSoundLate), 2.0);
}

#[test]
fn borders_of_paragraphs_that_are_decided_together_are_features() {
    use Feature::*;
    let joined = |joints: &'static [usize]| {
        move |p: &mut Paragraph, _, _| {
            let starts: Vec<usize> = joints.iter().map(|k| p.key.at[*k] as usize).collect();
            p.join_at(&starts);
            (p.guessed, p.usual_size) = (true, 3.0);
        }
    };
    let text = "甲乙。[丙丁，戊己，庚辛。]";
    for (label, [at, at_size, inside, over, over_size]) in [
        (
            NOTE,
            [
                NoteAtParagraph,
                NoteAtParagraphBySize,
                NoteInsideBySize,
                NoteOverParagraph,
                NoteOverBySize,
            ],
        ),
        (
            CLASSIC,
            [
                ClassicAtParagraph,
                ClassicAtParagraphBySize,
                ClassicInsideBySize,
                ClassicOverParagraph,
                ClassicOverBySize,
            ],
        ),
    ] {
        let of = |joints, names: [Feature; 5]| {
            let features = features_of(text, label, "", joined(joints));
            names.map(|f| value(&features, f))
        };
        let all = [at, at_size, inside, over, over_size];
        assert_eq!(of(&[2], all), [Some(1.0), Some(3.0), None, None, None]);
        let two = 2f64.ln_1p();
        assert_eq!(of(&[4, 6], all), [None, None, Some(3.0), Some(two), Some(two * 3.0)]);
        let first = features_of("[甲乙，丙丁。]", label, "", joined(&[]));
        assert_eq!(all.map(|f| value(&first, f)), [None; 5]);
    }
}

#[test]
fn readings_after_a_circle_have_features_of_their_own() {
    use Feature::*;
    let of = |text: &str, feature| {
        value(&features_of(text, YIN, "甲乙丙", |p, _, _| p.opens_with_circle = true), feature)
    };
    let text = "[乙，丁丈反。戊，音己。庚辛壬癸。]子丑。";
    assert_eq!(of(text, YinGlosses), Some(4.0));
    assert_eq!(of(text, YinOthers), Some(1.0));
    assert_eq!(of(text, YinKnownHeads), Some(2f64.ln()));
    assert_eq!(of(text, YinUnknownHeads), Some(1.0));
    for (feature, with, without) in [
        (YinEndsOtherwise, text, "[乙，丁丈反。]子丑。"),
        (YinEndsOtherwise, "[乙，丁丈反。庚辛壬癸。]丙，音子。", "[乙，丁丈反。]丙，音子。"),
        (YinBeforeGloss, "[乙，丁丈反。]丙，音子。", "[乙，丁丈反。]子丑。"),
        (YinWhole, "[乙，丁丈反。]", "[乙，丁丈反。]子丑。"),
        (YinAtClause, "[乙，丁丈反，]子丑。", "[乙，丁丈反。]子丑。"),
        (YinAtClause, "[乙，丁丈反，]子丑。", "[乙，丁丈反，]"),
    ] {
        let has = |text| of(text, feature).is_some();
        assert!(has(with) && !has(without), "{feature:?}");
    }
    // A head is short, ends no sentence, and has a sound after it.
    for (text, glosses) in [
        ("[乙丙戊，丁丈反。]子。", 2.0),
        ("[乙丙戊己，丁丈反。]子。", 1.0),
        ("[乙。丁丈反。]子。", 1.0),
        ("[乙，戊己。丁丈反。]子。", 1.0),
    ] {
        assert_eq!(of(text, YinGlosses), Some(glosses), "{text}");
    }
    let outside = |label, circle: bool| {
        let set = |p: &mut Paragraph, _, _| p.opens_with_circle = circle;
        value(&features_of("[乙，丁丈反。]子丑。", label, "甲乙丙", set), OutsideYinGlosses)
    };
    assert_eq!([NOTE, CLASSIC].map(|l| outside(l, true)), [Some(2f64.ln_1p()); 2]);
    assert_eq!(outside(NOTE, false), None);
}
