//! How a passage is cited, in each style.

use crate::ask::passage::Shown;
use crate::model::Locus;
use crate::reading::Leaves;
use crate::source::Span;
use crate::writers::editions::citation::Cited;
use crate::writers::editions::styles::{CitedPassage, STYLES};

/// The citations of the passage in each text, a style in each line.
pub fn text(locus: &Locus, shown: &[Shown<'_>]) -> String {
    let mut out = String::new();
    for s in shown {
        let (document, about) = (s.document, &s.document.meta.collection);
        let first = s.stretches.first().map_or(Span::new(0, 0), |s| s.span);
        let leaves = Leaves::of(document);
        let leaf = leaves.at(first.start()).map(|leaf| leaf.number.clone()).unwrap_or_default();
        let (passage, urn) = (locus.passage(), locus.urn(Some(&document.id)));
        let place = CitedPassage { locus: &passage, leaf: &leaf, urn: &urn, url: "" };
        let title = about.title.as_deref().unwrap_or(&document.meta.title);
        let cited = Cited::one(document, title, &about.editors, about.licence.as_deref());
        if !out.is_empty() {
            out.push('\n');
        }
        for style in STYLES.iter() {
            out.push_str(&format!("{}\t{}\n", style.name, cited.in_style(style, document, place)));
        }
    }
    out
}
