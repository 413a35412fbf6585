//! How well the references and lemmata of the bundled texts are found and resolved, against lists
//! made by hand (`tests/gold/*.links.json`). The test fails if a figure changes, for better or
//! worse; `SNAPSHOTS=overwrite cargo test --test links` writes it.

use std::fmt::Write as _;

use zhushu::score::{GoldLinks, Ratio};

use crate::support::corpus::{library, root};
use crate::support::tables::hold;

#[test]
fn references_and_lemmata_have_the_scores_of_the_table() {
    let mut table = String::from("# text\twhat\tright\tof\n");
    for id in ["yili-05-zhushu", "yili-06-zhushu"] {
        let gold = std::fs::read_to_string(root().join(format!("tests/gold/{id}.links.json")));
        let gold = GoldLinks::read(&gold.expect("gold")).expect("links and lemmata");
        let document = library().get(id).expect("a bundled text");
        let links = gold.score(document, &library().documents);
        let lemmata = gold.score_lemmata(document);
        let rows = [
            ("references of the hand that are found", links.found),
            ("links that are references of the hand", links.real),
            ("references of the hand in the right place", links.placed),
            ("links with a target that is right", links.resolved),
            ("lemmata of the hand that are right", of(lemmata.right, lemmata.gold)),
            ("links of lemmata that are right", of(lemmata.right, lemmata.found)),
        ];
        for (what, Ratio { right, all }) in rows {
            let _ = writeln!(table, "{id}\t{what}\t{right}\t{all}");
        }
    }
    hold(root().join("tests/scores/links.tsv"), &table);
}

fn of(right: usize, all: usize) -> Ratio {
    Ratio { right, all }
}
