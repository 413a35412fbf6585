//! A review driven by keys: what the screen shows, and what is on disk after each key.

use std::path::Path;

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::screen;
use super::session::{PressedKey, Session};
use super::sheet;
use crate::corrections::{Correction, file};
use crate::model::{Confirmation, EvidenceKind, Layer};
use crate::review::answers::Answers;
use crate::review::{Choice, Question, QuestionKind};
use crate::source::{Source, Span};

const TEXT: &str = "眾賓繼射,釋獲皆如初。司射所作,唯上耦。於是言唯上耦者,嫌賓、主人射亦作之。\n\
                    《大射》三耦卒射,司射請於公及賓。升自西階,盡階不升堂,雲以告于賓。\n";

fn span(words: &str) -> Span {
    let from = TEXT.find(words).unwrap();
    Span::new(from, from + words.len())
}

fn questions() -> Vec<Question> {
    let (jing, zhu) = (Layer::Jing, Layer::Zhu);
    let first = TEXT.find('\n').unwrap();
    let choice = |what, words, probability| Choice { what, span: span(words), probability };
    let cut = Question {
        kind: QuestionKind::Cut,
        span: span("於是言唯上耦者,嫌"),
        passage: Span::new(0, first),
        runs: vec![
            (Span::new(0, span("於是").start()), jing),
            (Span::new(span("於是").start(), first), zhu),
        ],
        choices: vec![
            choice(Confirmation::Cut(jing, zhu), "於是言唯上耦者,嫌", 0.61),
            choice(Confirmation::Cut(jing, zhu), "唯上耦。", 0.3),
            choice(Confirmation::Cut(jing, jing), "於是言唯上耦者,嫌", 0.09),
        ],
        evidence: vec![(EvidenceKind::LemmaHeader, 2.3), (EvidenceKind::LanguageModel, -0.4)],
        facts: vec![("a header names the words before it".into(), 2.3)],
    };
    let reading = Question {
        kind: QuestionKind::Reading,
        span: span("雲"),
        passage: Span::new(first + 1, TEXT.len() - 1),
        runs: vec![(Span::new(first + 1, TEXT.len() - 1), jing)],
        choices: vec![
            choice(Confirmation::Reading("云".into()), "雲", 0.8),
            choice(Confirmation::Reading("雲".into()), "雲", 0.2),
        ],
        evidence: vec![(EvidenceKind::ScriptTable, 0.0)],
        facts: vec![],
    };
    vec![cut, reading]
}

fn shown(session: &Session<'_>) -> String {
    let mut terminal = Terminal::new(TestBackend::new(72, 18)).unwrap();
    terminal.draw(|frame| screen::draw(frame, session)).unwrap();
    let (buffer, mut out) = (terminal.backend().buffer(), String::new());
    for y in 0..buffer.area.height {
        let (mut line, mut skip) = (String::new(), 0);
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                line.push_str(symbol);
                skip = unicode_width::UnicodeWidthStr::width(symbol).max(1);
            }
            skip -= 1;
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The decisions on disk.
fn on_disk(path: &Path) -> Vec<String> {
    let all = if path.exists() { file::read(path).unwrap() } else { vec![] };
    all.iter().map(|c| format!("{} {}", c.what.decision(), c.quote.at)).collect()
}

#[test]
fn a_review_is_driven_by_keys_and_every_decision_is_on_disk_at_once() {
    use PressedKey::{Char, Down, Enter, Left, Right};
    let folder = tempfile::tempdir().unwrap();
    let source = Source::from_text(folder.path().join("chapter.txt"), TEXT);
    let answers = Answers::open(&source, None, "王").unwrap();
    let path = answers.path.clone();
    let mut session = Session::new(&source, answers, questions());
    let mut screens = vec![("at first", shown(&session))];
    let mut press = |session: &mut Session<'_>, key, name| {
        assert!(session.press(key).unwrap());
        screens.push((name, shown(session)));
    };
    press(&mut session, Down, "↓: the second choice");
    press(&mut session, Left, "←: moved by one character");
    assert_eq!(on_disk(&path), Vec::<String>::new());
    press(&mut session, Char('n'), "n: a note");
    "看疏".chars().for_each(|c| _ = session.press(Char(c)).unwrap());
    press(&mut session, Enter, "the note is kept");
    press(&mut session, Enter, "Enter: the moved cut is written");
    let moved = ["經|注 作,唯上耦。於是言唯", "注|注 於是言唯上耦者,嫌"];
    assert_eq!(on_disk(&path), moved);
    assert!(session.stale && session.decided() == 1);
    press(&mut session, Char('2'), "2: the text is right");
    assert_eq!(on_disk(&path), [moved[0], moved[1], "雲 雲"]);
    press(&mut session, Char('u'), "u: undone");
    assert_eq!(on_disk(&path), moved);
    press(&mut session, Char('s'), "s: skipped");
    for _ in 0..2 {
        session.press(Char('u')).unwrap();
    }
    assert_eq!((on_disk(&path), session.queue.len()), (vec![], 2));
    session.press(Right).unwrap();
    session.press(Left).unwrap();
    session.press(Enter).unwrap();
    assert_eq!(on_disk(&path), ["經|注 於是言唯上耦者,嫌"]);
    assert!(!session.press(Char('q')).unwrap());
    let all: String = screens.into_iter().map(|(name, s)| format!("== {name}\n{s}\n")).collect();
    snapbox::assert_data_eq!(all, snapbox::file!["../../../tests/golden/review-screens.txt"].raw());
}

#[test]
fn questions_that_a_decision_settled_are_not_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::from_text(folder.path().join("chapter.txt"), TEXT);
    let answers = Answers::open(&source, None, "王").unwrap();
    let mut session = Session::new(&source, answers, questions());
    session.press(PressedKey::Enter).unwrap();
    // The first was answered and may still be in what was found; the second is shown and stays.
    session.renew(questions());
    let left: Vec<_> = session.queue.iter().map(|q| q.kind).collect();
    assert_eq!(left, [QuestionKind::Reading]);
    session.renew(vec![]);
    assert_eq!(session.queue.len(), 1);
}

#[test]
fn a_title_that_was_decided_begins_a_chapter_before_the_review_ends() {
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: super::Args,
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let body = "司射適堂西,命弟子設豐。弟子奉豐升,設于西楹之西,乃降。\n".repeat(3);
    std::fs::write(&path, format!("山居\n{body}水行\n{body}又言其志\n{body}")).unwrap();
    let line = <Line as clap::Parser>::parse_from(["review", path.to_str().unwrap()]);
    let settings = crate::Settings::default();
    let entry = crate::corpus::TextEntry::file(&path);
    let read = vec![settings.entry(&entry).unwrap()];
    let source = std::sync::Arc::clone(&read[0].source);
    let asking = super::Asking { args: &line.args, settings: &settings, entry, read };
    let chapters = || {
        let read = super::terminal::decided(&asking).unwrap();
        crate::cli::texts::of_first_file(&settings.run(read))
    };
    assert_eq!(chapters(), 1);
    let mut answers = Answers::open(&source, None, "王").unwrap();
    for title in ["山居", "水行"] {
        let at = source.text().find(title).unwrap();
        let choice = Choice {
            what: Confirmation::Heading(crate::model::HeadingLine::Chapter),
            span: Span::new(at, at + title.len()),
            probability: 1.0,
        };
        answers.decide(choice.span, &choice, None).unwrap();
    }
    assert_eq!(chapters(), 2);
}

#[test]
fn a_table_is_written_and_its_answers_are_read_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::from_text(folder.path().join("chapter.txt"), TEXT);
    let answers = Answers::open(&source, None, "王").unwrap();
    let file = |name: &str| sheet::file(name.as_ref(), &source, &questions()).unwrap().0;
    let table = String::from_utf8(file("a.tsv")).unwrap();
    let answered = |row: usize, answer: &str| {
        let mut rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
        rows[row][6] = answer;
        rows.iter().map(|r| r.join("\t")).collect::<Vec<_>>().join("\n")
    };
    let read = |table: &str| sheet::read(table.as_bytes(), &answers).unwrap();
    let decisions = |table: &str| -> Vec<String> {
        let right = read(table).right;
        let shown = |c: &Correction| format!("{} {}", c.what.decision(), c.quote.at);
        right.iter().map(|answer| shown(&answer.correction)).collect()
    };
    assert_eq!((read(&table).right.len(), read(&table).open), (0, 2));
    assert_eq!(decisions(&answered(1, "1")), ["經|注 於是言唯上耦者,嫌"]);
    assert_eq!(decisions(&answered(1, "2")), ["經|注 唯上耦。"]);
    assert_eq!(decisions(&answered(1, "經|經")), ["經|經 於是言唯上耦者,嫌"]);
    assert_eq!(decisions(&answered(2, "2")), ["雲 雲"]);
    for wrong in ["7", "天|地", "經|注 天地玄黃"] {
        assert_eq!(read(&answered(1, wrong)).wrong[0].0, 2, "{wrong}");
    }
    let twice = |answer: &str| {
        let again = answered(1, answer).lines().nth(1).unwrap().to_string();
        read(&format!("{}\n{again}\n", answered(1, "1")))
    };
    assert_eq!((twice("1").right.len(), twice("1").wrong.len()), (2, 0));
    assert_eq!(twice("2").wrong[0].0, 4, "two answers to one question");
    let own = |name: &str, cell: &str| {
        let end = |n| if n == 0 { name } else { cell };
        let rows = table.lines().enumerate().map(|(n, row)| format!("{row}\t{}\n", end(n)));
        read(&rows.collect::<String>()).own
    };
    assert_eq!((read(&table).own, own("mine", ""), own("mine", "乙")), (0, 0, 2));
    assert!(sheet::read(b"a\tb\n1\t2\n", &answers).is_err());
    // Words in the program's own columns, and numbers in the form of a spreadsheet.
    let written = |column: usize, words: &str| {
        let mut rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
        rows[2][column] = words;
        read(&rows.iter().map(|r| r.join("\t") + "\n").collect::<String>()).changed
    };
    assert_eq!([0, 2, 14].map(|column| written(column, "1")), [0; 3]);
    assert_eq!([3, 9, 13].map(|column| written(column, "乙")), [1; 3]);
    let workbook = sheet::read(&file("a.XLSX"), &answers).unwrap();
    assert_eq!((workbook.right.len(), workbook.open), (0, 2));
}

#[test]
fn a_table_of_questions_is_known_when_it_lies_among_texts() {
    let source = Source::from_text("a.txt", "山居水行");
    let table = sheet::file("a.tsv".as_ref(), &source, &[]).unwrap().0;
    assert!(String::from_utf8(table).unwrap().starts_with(&crate::readers::QUESTIONS.join("\t")));
}
