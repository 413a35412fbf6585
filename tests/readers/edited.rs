//! TEI that a person has edited by hand: whatever elements were moved, nested, doubled or taken
//! away, it is read with its text or refused with a place, and what is read can be worked on.

use std::path::Path;

use zhushu::Settings;
use zhushu::diag::Error;
use zhushu::model::Document;
use zhushu::source::Source;
use zhushu::{align, readers, writers};

const GOLDEN: &str = include_str!("../golden/tei.xml");

/// Tags that an editor may put around or between others.
const AROUND: &[&str] = &[
    "fw type=\"mark\"",
    "fw type=\"furniture\"",
    "seg type=\"ju\" n=\"1\"",
    "seg type=\"jing\"",
    "note type=\"zhu\"",
    "div type=\"zhang\" n=\"1\"",
    "choice",
    "sic",
    "corr",
    "ab type=\"blank\"",
    "label type=\"lemma\"",
    "unknown",
];

/// Where the body's tags are: start and end of each, and whether it opens.
fn tags(text: &str) -> Vec<(usize, usize, bool)> {
    let (from, to) = (text.find("<body>").unwrap(), text.find("</body>").unwrap());
    let mut all = vec![];
    let mut at = from + "<body>".len();
    while let Some(i) = text[at..to].find('<') {
        let start = at + i;
        let end = start + text[start..].find('>').unwrap() + 1;
        let opens = !text[start..].starts_with("</") && !text[..end].ends_with("/>");
        all.push((start, end, opens));
        at = end;
    }
    all
}

/// The end of the element whose tag is number `n`.
fn end_of(tags: &[(usize, usize, bool)], text: &str, n: usize) -> usize {
    let mut depth = 0;
    for (start, end, opens) in &tags[n..] {
        depth += i32::from(*opens) - i32::from(text[*start..].starts_with("</"));
        if depth == 0 {
            return *end;
        }
    }
    text.len()
}

/// Every edit of one element: put into another, doubled, taken away, its tags taken away, moved
/// before the one before it.
fn edited(text: &str) -> Vec<String> {
    let tags = tags(text);
    let mut all = vec![];
    for (n, (start, inner, opens)) in tags.iter().enumerate() {
        if text[*start..].starts_with("</") {
            continue;
        }
        let end = if *opens { end_of(&tags, text, n) } else { *inner };
        let (before, element, after) = (&text[..*start], &text[*start..end], &text[end..]);
        for tag in AROUND {
            let name = tag.split(' ').next().unwrap();
            all.push(format!("{before}<{tag}>{element}</{name}>{after}"));
            all.push(format!("{before}<{tag}><{tag}>{element}</{name}></{name}>{after}"));
            let own = &text[*start..*inner];
            if *opens {
                let closing = &element[element.rfind("</").unwrap()..];
                let content = &element[own.len()..element.len() - closing.len()];
                all.push(format!("{before}{own}<{tag}>{content}</{name}>{closing}{after}"));
                all.push(format!("{before}<{tag}>{content}</{name}>{after}"));
                all.push(format!("{before}{content}{after}"));
            }
        }
        all.push(format!("{before}{element}{element}{after}"));
        all.push(format!("{before}{after}"));
        if let Some((previous, ..)) = n.checked_sub(1).map(|p| tags[p]) {
            all.push(format!("{}{element}{}{after}", &text[..previous], &text[previous..*start]));
        }
    }
    all
}

fn read(text: &str) -> Result<Document, Error> {
    readers::read(Source::from_text("edited.xml", text), Some("tei"))
}

#[test]
fn tei_edited_in_any_place_is_read_or_refused_and_never_fails_later() {
    let (mut taken, mut refused) = (0, 0);
    for text in edited(GOLDEN) {
        let document = match read(&text) {
            Ok(document) => document,
            Err(e) => {
                assert!(
                    e.place.is_some() && !e.message.contains("the reader failed"),
                    "{e}: {text}"
                );
                refused += 1;
                continue;
            }
        };
        taken += 1;
        let library = Settings::default().run(vec![document]);
        let document = &library.documents[0];
        for writer in writers::WRITERS {
            (writer.write)(document, &library, &mut Vec::new()).unwrap();
        }
        align::align(document, document, &align::Options::default());
    }
    assert!(taken > 1000 && refused > 10, "{taken} taken, {refused} refused");
}

#[test]
fn marks_within_marks_and_around_segments_are_cut_to_the_segments() {
    let body = GOLDEN.replacen(
        "<seg type=\"ju\"",
        "<fw type=\"mark\">【<fw type=\"mark\">一</fw>】</fw><seg type=\"ju\"",
        1,
    );
    assert_ne!(body, GOLDEN);
    let document = read(&body).unwrap();
    let marks: Vec<&str> = document.marks.iter().map(|m| document.slice(*m)).collect();
    assert_eq!(marks, ["【一】"]);
}

#[test]
fn a_few_bytes_cannot_ask_for_any_amount_of_memory_or_time() {
    let many = |element: &str, n: usize| {
        GOLDEN.replacen("</body>", &format!("{}</body>", element.repeat(n)), 1)
    };
    let e = read(&many("<space quantity=\"1000000\"/>", 81)).unwrap_err();
    assert!(e.message.contains("more blanks") && e.place.is_some(), "{e}");
    let deep = ["<seg>".repeat(200_000), "</seg>".repeat(200_000)].concat();
    let e = read(&GOLDEN.replacen("</body>", &format!("{deep}</body>"), 1)).unwrap_err();
    assert!(e.message.contains("too deep"), "{e}");
    let names: String = (0..40_000).map(|n| format!("<e{n}/>")).collect();
    let document = read(&GOLDEN.replacen("</body>", &format!("{names}</body>"), 1)).unwrap();
    let strange = document.diagnostics.iter().filter(|d| d.code == "tei-element");
    assert_eq!(strange.count(), 21, "twenty names and how many more");
    assert!(Path::new(document.source.path()).ends_with("demo.txt"));
}
