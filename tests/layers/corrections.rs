//! Corrections find their places again after edits of the text: each is applied at its place or
//! listed, none is lost, none is at a wrong place.

use zhushu::Script;
use zhushu::corrections::anchor::AnchorText;
use zhushu::corrections::{self, Correction, file, placed};
use zhushu::model::{Document, EvidenceKind, Layer};
use zhushu::source::{Source, Span};
use zhushu::text::class::{closes, ends_clause, ends_sentence, is_content, opens};
use zhushu::text::script;

use crate::support::corpus::library;
use crate::support::perturb::Dice;

/// A text as characters, each with its number in the text before the edits.
type Edited = Vec<(char, Option<usize>)>;

/// An edit of a text.
type Edit = fn(Edited, &mut Dice) -> Edited;

const EDITS: &[(&str, Edit)] = &[
    ("as it is", |t, _| t),
    ("lines wrapped again", wrapped),
    ("other punctuation", punctuated),
    ("no punctuation", |t, _| t.into_iter().filter(|c| !is_mark(c.0)).collect()),
    ("one character in a hundred changed", changed),
    ("two paragraphs exchanged", exchanged),
    ("simplified", simplified),
    ("a paragraph deleted", deleted),
    ("all of it", |t, d| {
        [wrapped, punctuated, changed, exchanged].into_iter().fold(simplified(t, d), |t, e| e(t, d))
    }),
];

fn is_mark(c: char) -> bool {
    closes(c) || opens(c) || ends_sentence(c) || ends_clause(c)
}

fn wrapped(text: Edited, dice: &mut Dice) -> Edited {
    let (mut out, mut column, width) = (vec![], 0, 20 + dice.below(30));
    let mut rest = text.into_iter().peekable();
    while let Some(c) = rest.next() {
        // An empty line stays: it separates paragraphs.
        let ends = c.0 == '\n' && rest.peek().is_some_and(|next| next.0 != '\n');
        let empty = out.last().is_some_and(|last: &(char, Option<usize>)| last.0 == '\n');
        if ends && !empty && column > 0 {
            continue;
        }
        out.push(c);
        column = if c.0 == '\n' { 0 } else { column + 1 };
        if column >= width {
            out.push(('\n', None));
            column = 0;
        }
    }
    out
}

fn punctuated(text: Edited, dice: &mut Dice) -> Edited {
    let mut out = vec![];
    for (c, n) in text {
        match c {
            _ if (ends_sentence(c) || ends_clause(c)) && dice.one_in(4) => {}
            ',' | '，' => out.push(('；', n)),
            '。' => out.push(('，', n)),
            _ => out.push((c, n)),
        }
        if is_content(c) && dice.one_in(9) {
            out.push(('、', None));
        }
    }
    out
}

fn changed(text: Edited, dice: &mut Dice) -> Edited {
    const OTHER: [char; 4] = ['龜', '麟', '鳳', '虯'];
    let mut out = vec![];
    for (c, n) in text {
        if !is_content(c) || !dice.one_in(100) {
            out.push((c, n));
            continue;
        }
        let other = OTHER[dice.below(4)];
        match dice.below(3) {
            0 => out.push((other, n)),
            1 => {}
            _ => out.extend([(other, None), (c, n)]),
        }
    }
    out
}

/// The paragraphs of a text, with what ends them.
fn paragraphs(text: &Edited) -> Vec<Edited> {
    text.split_inclusive(|c| c.0 == '\n').map(<[_]>::to_vec).collect()
}

fn exchanged(text: Edited, dice: &mut Dice) -> Edited {
    let mut all = paragraphs(&text);
    let long: Vec<usize> = (0..all.len()).filter(|n| all[*n].len() > 20).collect();
    if long.len() > 1 {
        let n = dice.below(long.len() - 1);
        all.swap(long[n], long[n + 1]);
    }
    all.concat()
}

fn deleted(text: Edited, dice: &mut Dice) -> Edited {
    let mut all = paragraphs(&text);
    all.remove(dice.below(all.len()));
    all.concat()
}

fn simplified(text: Edited, _: &mut Dice) -> Edited {
    let before: String = text.iter().map(|c| c.0).collect();
    let after = script::convert(&before, Script::Simplified);
    assert_eq!(before.chars().count(), after.chars().count());
    after.chars().zip(text).map(|(c, (_, n))| (c, n)).collect()
}

/// What became of the corrections of a text.
#[derive(Default, Debug)]
struct Fates {
    right: usize,
    listed: usize,
    wrong: Vec<String>,
}

/// Where words of the text before an edit begin: its first character that is left.
fn expected(edited: &Edited, bytes: &[usize], numbers: std::ops::Range<usize>) -> Option<usize> {
    let left = |c: &&(usize, (char, Option<usize>))| {
        c.1.1.is_some_and(|n| numbers.contains(&n)) && is_content(c.1.0)
    };
    let all: Vec<_> = edited.iter().copied().enumerate().collect();
    all.iter().filter(left).map(|(at, _)| bytes[*at]).min()
}

fn judge(document: &Document, edit: Edit, dice: &mut Dice) -> Fates {
    let text = document.source.text();
    let anchors = AnchorText::new(text);
    let before: Edited = text.chars().enumerate().map(|(n, c)| (c, Some(n))).collect();
    let edited = edit(before, dice);
    let after: String = edited.iter().map(|c| c.0).collect();
    let bytes: Vec<usize> = after.char_indices().map(|(at, _)| at).collect();
    let found = AnchorText::new(&after);
    let mut fates = Fates::default();
    let starts = document.segments.iter().filter(|s| s.layer.is_text());
    let starts: Vec<Span> = starts.map(|s| s.span).filter(|_| dice.one_in(10)).collect();
    for span in starts {
        let words: usize = text[span.range()].chars().take(6).map(char::len_utf8).sum();
        let span = Span::new(span.start(), span.start() + words);
        let Some(quote) = anchors.quote(span) else { continue };
        let from = document.source.char_of(span.start());
        let numbers = from..from + text[span.range()].chars().count();
        match found.place(&quote).span() {
            Some(at) => match expected(&edited, &bytes, numbers) {
                Some(right) if right == at.start() => fates.right += 1,
                other => fates.wrong.push(format!("{quote:?} at {at:?}, not {other:?}")),
            },
            None => fates.listed += 1,
        }
    }
    fates
}

#[test]
fn corrections_are_applied_at_their_place_or_listed() {
    let folder = std::env::var("ZHUSHU_TEXTS").ok();
    let documents = match &folder {
        Some(folder) => {
            let settings = zhushu::Settings::default();
            settings.read(&settings.open(folder.as_ref()).unwrap()).unwrap().documents
        }
        None => library().documents.iter().map(|d| (**d).clone()).collect(),
    };
    for (name, edit) in EDITS {
        let mut all = Fates::default();
        for (n, document) in documents.iter().enumerate() {
            for seed in 0..1 {
                let fates = judge(document, *edit, &mut Dice::new(seed * 100 + n as u64));
                all.right += fates.right;
                all.listed += fates.listed;
                all.wrong.extend(fates.wrong);
            }
        }
        println!("{name}: {} applied, {} listed, {} wrong", all.right, all.listed, all.wrong.len());
        assert_eq!(all.wrong, Vec::<String>::new(), "{name}");
        let most = if ["a paragraph deleted", "all of it"].contains(name) { 4 } else { 12 };
        assert!(all.right > most * all.listed, "{name}: {} listed", all.listed);
    }
}

/// A text of which two cuts are decided otherwise, read with its file of corrections.
fn decided(entries: &[Correction]) -> Document {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("a.txt");
    std::fs::copy("corpus/yili-05-zhushu.txt", &text).unwrap();
    let words = file::text(entries);
    std::fs::write(corrections::file_of(&text, None), words).unwrap();
    let settings = zhushu::Settings::default();
    let corpus = settings.open(folder.path()).unwrap();
    assert_eq!(corpus.about.texts.len(), 1, "a file of corrections is not a text");
    let library = settings.run(settings.read(&corpus).unwrap().documents);
    (*library.documents[0]).clone()
}

fn correction(text: &str, words: &str, kind: &str, decision: &str) -> Correction {
    let from = text.find(words).unwrap();
    let quote = AnchorText::new(text).quote(Span::new(from, from + words.len())).unwrap();
    let what = zhushu::corrections::decision(kind, decision).unwrap();
    let when = "2026-11-22T21:30:00Z".into();
    Correction { quote, what, by: "王".into(), when, note: None }
}

#[test]
fn a_decision_holds_in_the_document_and_changes_its_neighbours() {
    let plain = decided(&[]);
    let text = plain.source.text();
    let border = "於是言唯上耦者";
    let at = text.find(border).unwrap();
    let n = plain.segment_at(at).unwrap();
    assert_eq!((plain.segments[n].layer, plain.segments[n].span.start()), (Layer::Zhu, at));
    // A person says that the note begins a clause earlier.
    let earlier = correction(text, "唯上耦。於是", "cut", "經|注");
    let after = decided(&[earlier]);
    let start = text.find("唯上耦。於是").unwrap();
    let n = after.segment_at(start).unwrap();
    let decided_one = &after.segments[n];
    assert_eq!((decided_one.layer, decided_one.span.start()), (Layer::Zhu, start));
    assert_eq!(decided_one.certainty.get(), 1.0);
    assert!(decided_one.evidence.iter().any(|e| e.kind == EvidenceKind::Person));
    assert_eq!(after.segment_at(at).unwrap(), n, "the old border is gone");
    assert!(after.diagnostics.iter().all(|d| !placed::is_about(d)));
    // No border at all: the classic goes on.
    let none = decided(&[correction(text, border, "cut", "經|經")]);
    assert_eq!(none.segments[none.segment_at(at).unwrap()].layer, Layer::Jing);
}

#[test]
fn a_correction_without_a_place_is_reported_by_its_document() {
    let source = Source::from_text("x.txt", "天地玄黃宇宙洪荒日月盈昃辰宿列張");
    let gone = correction(source.text(), "日月盈昃", "layer", "注");
    let document = decided(&[gone]);
    let reported: Vec<_> = document.diagnostics.iter().filter(|d| placed::is_about(d)).collect();
    assert_eq!(reported.len(), 1);
    assert!(reported[0].message.contains("日月盈昃"), "{}", reported[0].message);
}
