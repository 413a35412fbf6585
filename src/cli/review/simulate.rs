//! How much the cut of a text improves with each decision, in the order offered, in random order,
//! and from top to bottom: a cut made by hand answers the questions. A fourth order, which nobody can know, asks first about
//! what is wrong: it shows how much an order can help at all.

use std::path::Path;

use crate::model::{Confirmation, Confirmed, Document, Layer};
use crate::review::order::{self, Order};
use crate::review::questions::{first_words, questions};
use crate::review::{Choice, Question};
use crate::score::{Gold, LayerCut, Lines, score};
use crate::source::Span;
use crate::text::Key;

use super::Asking;
use crate::cli::{Outcome, output, texts};

/// After so many decisions the cut is scored.
const SCORED_AFTER: [usize; 7] = [0, 10, 25, 50, 75, 100, 150];
/// The questions are found again after so many decisions.
const ASKED_AT_ONCE: usize = 5;
/// Random orders, of which the mean is shown.
const RANDOM_ORDERS: u64 = 3;

/// How the next questions are chosen.
#[derive(Clone, Copy)]
enum Next {
    Offered,
    ByPlace,
    Random(u64),
    /// What is wrong first.
    Known,
}

/// Runs it.
pub fn run(asking: &mut Asking<'_>, gold: &Path) -> Outcome {
    let json = texts::json(gold)?;
    let source = std::sync::Arc::clone(&asking.read[0].source);
    let gold =
        Gold::read(&json, &source).map_err(|e| crate::diag::Error::input(gold, e.to_string()))?;
    let mut text = String::from("decisions\toffered\trandom\tby place\twrong first\n");
    let offered = simulated(asking, &gold, Next::Offered);
    let random: Vec<_> =
        (0..RANDOM_ORDERS).map(|seed| simulated(asking, &gold, Next::Random(seed))).collect();
    let by_place = simulated(asking, &gold, Next::ByPlace);
    let known = simulated(asking, &gold, Next::Known);
    let cell = |scores: &[(usize, f64)], n: usize| {
        let last = scores.iter().rev().find(|s| s.0 <= n);
        last.map_or(String::new(), |s| format!("{:.4}", s.1))
    };
    for n in SCORED_AFTER {
        let of_random: f64 = random
            .iter()
            .filter_map(|scores| scores.iter().rev().find(|s| s.0 <= n).map(|s| s.1))
            .sum();
        let mean = of_random / RANDOM_ORDERS as f64;
        let [a, b, c] = [&offered, &by_place, &known].map(|scores| cell(scores, n));
        text.push_str(&format!("{n}\t{a}\t{mean:.4}\t{b}\t{c}\n"));
    }
    output::styled(None, &text)?;
    Ok(0)
}

/// The F1 of the borders after so many decisions.
fn simulated(asking: &mut Asking<'_>, gold: &Gold, next: Next) -> Vec<(usize, f64)> {
    let before = asking.read[0].confirmed.clone();
    let (mut scores, mut asked, mut done) = (vec![], vec![], 0);
    let most = SCORED_AFTER[SCORED_AFTER.len() - 1];
    let mut dice = match next {
        Next::Random(seed) => seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
        _ => 1,
    };
    loop {
        scores.push((done, f1(asking, gold)));
        if done >= most {
            break;
        }
        // A cut by hand knows nothing of references.
        let settings = crate::Settings { references: false, ..asking.settings.clone() };
        let mut left = questions(&asking.read, &settings, asking.args.below);
        left.retain(|q: &Question| !asked.contains(&(q.span, q.kind)));
        match next {
            Next::Offered => left = order::put(left, Order::Instructive),
            Next::ByPlace => {}
            Next::Known => left.sort_by_key(|q| !is_wrong(&asking.read[0], gold, q)),
            Next::Random(_) => shuffle(&mut left, &mut dice),
        }
        if left.is_empty() {
            break;
        }
        for q in left.into_iter().take(ASKED_AT_ONCE) {
            asked.push((q.span, q.kind));
            if let Some(answer) = answer(&asking.read[0], gold, &q) {
                done += 1;
                let by = "gold".to_string();
                let confirmed =
                    Confirmed { span: answer.span, what: answer.what, by, when: String::new() };
                asking.read[0].confirmed.push(confirmed);
            }
        }
        asking.read[0].confirmed.sort_by_key(|c| c.span.start());
    }
    asking.read[0].confirmed = before;
    scores
}

fn shuffle<T>(items: &mut [T], dice: &mut u64) {
    for n in (1..items.len()).rev() {
        *dice ^= *dice << 13;
        *dice ^= *dice >> 7;
        *dice ^= *dice << 17;
        items.swap(n, (*dice % (n as u64 + 1)) as usize);
    }
}

fn f1(asking: &Asking<'_>, gold: &Gold) -> f64 {
    let settings = crate::Settings { references: false, ..asking.settings.clone() };
    let library = settings.run(asking.read.clone());
    let chapters = texts::of_first_file(&library);
    let documents: Vec<&Document> = library.documents[..chapters].iter().map(|d| &**d).collect();
    let cut = LayerCut::of_chapters(&documents);
    score(&asking.read[0].source, gold, &cut, Lines::Across).borders.f1()
}

/// True if the cut made by hand answers otherwise than the program.
fn is_wrong(document: &Document, gold: &Gold, q: &Question) -> bool {
    let own = q.choices.first();
    answer(document, gold, q)
        .is_some_and(|a| own.is_none_or(|own| (a.what, a.span) != (own.what.clone(), own.span)))
}

/// What the cut made by hand answers; nothing where it is unsure. Like a person, it confirms the
/// cut, chooses another place, or says that there is none.
fn answer(document: &Document, gold: &Gold, q: &Question) -> Option<Choice> {
    let key = Key::of(document.source.text(), document.source.span());
    let layer = |k: usize| -> Option<Layer> {
        gold.layer_at(document.source.char_of(*key.at.get(k)? as usize))
    };
    let at = |span: Span| {
        let k = key.index_at(span.start());
        Some((layer(k.checked_sub(1)?)?, layer(k)?))
    };
    let right = |c: &Choice| match &c.what {
        Confirmation::Cut(before, after) => at(c.span) == Some((*before, *after)),
        Confirmation::Layer(decided) => at(c.span).is_some_and(|(_, after)| after == *decided),
        Confirmation::Reading(_)
        | Confirmation::Link(_)
        | Confirmation::Bead(..)
        | Confirmation::Speaker(_)
        | Confirmation::Heading(_) => false,
    };
    // A border of the right kind comes before “there is none”.
    let is_border = |c: &&Choice| !matches!(&c.what, Confirmation::Cut(a, b) if a == b);
    let border = q.choices.iter().filter(is_border).find(|c| right(c));
    if let Some(choice) = border {
        return Some(choice.clone());
    }
    let (before, after) = at(q.span)?;
    let span = first_words(document.source.text(), q.span.start(), q.span.end())?;
    let what = match q.choices[0].what {
        Confirmation::Layer(_) => Confirmation::Layer(after),
        _ => Confirmation::Cut(before, after),
    };
    let span = if let Confirmation::Layer(_) = what {
        key.span(key.index_at(span.start()), key.index_at(span.start()) + 1)
    } else {
        span
    };
    Some(Choice { what, span, probability: 1.0 })
}
