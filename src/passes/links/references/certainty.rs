//! How often references are right to which a rule gives some certainty.
//!
//! Every rule gives its links a certainty of its own: by the margin over the next place, by how
//! many characters differ, or a constant where it has nothing to go by. A logistic function makes
//! a probability of it, with an offset for each kind of reference and way of being found. Its
//! figures are in `data/certainty.tsv`; `lab/fit_certainties.py` fits them to the lists made
//! by hand, and shows how well they fit a list that was left out.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::{Certainty, Link, LinkKind, Status};

static DATA: &str = include_str!("data/certainty.tsv");

/// The closest to 0 and 1 that a rule's certainty counts.
const MIN_DOUBT: f64 = 0.001;

struct Fit {
    base: f64,
    slope: f64,
    offsets: HashMap<(&'static str, &'static str), f64>,
}

static FIT: LazyLock<Fit> = LazyLock::new(|| {
    let mut fit = Fit { base: 0.0, slope: 1.0, offsets: HashMap::new() };
    let rows = DATA.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    for row in rows {
        let mut cells = row.split('\t');
        let (kind, status) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let value = cells.next().and_then(|v| v.parse().ok()).unwrap_or_default();
        match (kind, status) {
            ("all", "base") => fit.base = value,
            ("all", "slope") => fit.slope = value,
            of => _ = fit.offsets.insert(of, value),
        }
    }
    fit
});

/// What a rule would have to say so that a link has this probability: learned weights give one.
pub fn said(kind: LinkKind, status: Status, probability: f64) -> f64 {
    let fit = &*FIT;
    let offset = fit.offsets.get(&(kind.id(), status.id())).copied().unwrap_or(0.0);
    let p = probability.clamp(MIN_DOUBT, 1.0 - MIN_DOUBT);
    let x = ((p / (1.0 - p)).ln() - fit.base - offset) / fit.slope;
    1.0 / (1.0 + (-x).exp())
}

/// The probability that a link is right, from what its rule says.
pub fn fitted(link: &Link) -> Certainty {
    let fit = &*FIT;
    let offset = fit.offsets.get(&(link.kind.id(), link.status.id())).copied().unwrap_or(0.0);
    let said = link.certainty.get().clamp(MIN_DOUBT, 1.0 - MIN_DOUBT);
    let x = fit.base + offset + fit.slope * (said / (1.0 - said)).ln();
    Certainty::new(1.0 / (1.0 + (-x).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rule_would_have_to_say_gives_the_probability() {
        let link = |p| {
            let span = crate::source::Span::new(0, 1);
            let mut link = crate::passes::links::references::link::draft(
                LinkKind::Citation,
                span,
                crate::model::Layer::Shu,
            )
            .link();
            link.status = Status::Paraphrase;
            link.certainty = Certainty::new(said(LinkKind::Citation, Status::Paraphrase, p));
            link
        };
        for p in [0.55, 0.7, 0.95] {
            assert!((fitted(&link(p)).get() - p).abs() < 0.001);
        }
    }

    #[test]
    fn every_row_is_of_a_kind_and_a_status_and_has_a_figure() {
        let kinds: Vec<_> = LinkKind::ALL.iter().map(|k| k.id()).collect();
        let statuses: Vec<_> = Status::ALL.iter().map(|s| s.id()).collect();
        for row in DATA.lines().filter(|l| !l.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [kind, status, value] = cells[..] else { panic!("{row}") };
            assert!(kind == "all" || kinds.contains(&kind) && statuses.contains(&status), "{row}");
            assert!(value.parse::<f64>().is_ok(), "{row}");
        }
        assert!(FIT.slope > 0.0, "what a rule is surer of stays surer");
    }
}
