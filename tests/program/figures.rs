//! One figure is the same wherever it is shown: by `build`, in its report, on the pages, by `check`.

use std::fs;

use crate::support::program::Folder;

/// The rows of a table of the report: what is between its heading and the next blank line.
fn rows<'r>(report: &'r str, heading: &str) -> Vec<Vec<&'r str>> {
    let table = report.split(heading).nth(1).expect("a table").trim_start_matches('\n');
    let lines = table.lines().take_while(|l| !l.is_empty());
    lines.map(|l| l.split_whitespace().collect()).collect()
}

/// A page without its markup.
fn words_of(page: &str) -> String {
    let mut words = String::new();
    for part in page.split('<').skip(1) {
        words.push_str(part.split_once('>').map_or("", |(_, words)| words));
        words.push(' ');
    }
    words
}

#[test]
fn build_report_pages_and_check_agree_in_every_figure() {
    let p = Folder::new();
    p.write_corpus();
    let build = p.run("build corpus -o out --lang en").success();
    let printed = String::from_utf8_lossy(&build.get_output().stdout).into_owned();
    let read = |name: &str| fs::read_to_string(p.path().join("out").join(name)).expect("a file");
    let (report, figures, about) = (
        read("report.txt"),
        words_of(&read("site/index.figures.html")),
        words_of(&read("site/index.about.html")),
    );
    let characters = rows(&report, "characters by layer, without punctuation");
    assert_eq!(characters, rows(&printed, "characters by layer, without punctuation"));
    for row in &characters[1..] {
        let page = words_of(&read(&format!("site/{}.html", row[0])));
        for count in row[1..].iter().filter(|c| **c != "–") {
            let said = format!("{count} character");
            assert!(
                figures.contains(&said) && page.contains(&said),
                "{} {said}\n{figures}\n{page}",
                row[0]
            );
            assert!(about.split_whitespace().any(|w| w == *count), "{} {count}: {about}", row[0]);
        }
    }
    let links: Vec<(usize, usize)> = rows(&report, "references placed, of all found")[1..]
        .iter()
        .map(|row| {
            let pairs = row[1..].iter().filter_map(|cell| cell.split_once('/'));
            pairs.fold((0, 0), |(a, b), (x, y)| (a + number(x), b + number(y)))
        })
        .collect();
    for (placed, all) in &links {
        assert!(figures.contains(&format!("{placed} of {all}")), "{placed} of {all}: {figures}");
    }
    let counted = |heading: &str| -> usize {
        number(report.split(heading).nth(1).and_then(|r| r.lines().next()).unwrap_or("0"))
    };
    let lost = counted("could not be placed: ");
    let named = counted("cited, but not in the corpus or not found there: ");
    assert_eq!(lost + named, links.iter().map(|(placed, all)| all - placed).sum::<usize>());
    let unplaced = words_of(&read("site/index.unplaced.html"));
    assert!(unplaced.split_whitespace().any(|w| w == lost.to_string()), "{lost}: {unplaced}");
    let noticed = rows(&report, "texts with diagnostics (zhushu check on the corpus shows them)");
    let of = |word: &str| -> usize {
        let cells = noticed.iter().flat_map(|row| row.windows(2));
        cells.filter(|w| w[1].trim_end_matches([',', 's']) == word).map(|w| number(w[0])).sum()
    };
    let check = p.run("check corpus");
    let said = String::from_utf8_lossy(&check.get_output().stdout).into_owned()
        + &String::from_utf8_lossy(&check.get_output().stderr);
    for word in ["error", "warning", "remark"] {
        let count = of(word);
        assert!(said.contains(&format!("{count} {word}")), "{count} {word}: {said}");
    }
}

fn number(words: &str) -> usize {
    words.parse().unwrap_or_default()
}
