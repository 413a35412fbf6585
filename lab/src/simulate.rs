//! `lab simulate`: how much the cut of a text improves with each decision of a review, in the order
//! offered, in random order, and from top to bottom: a cut made by hand answers the questions. A
//! fourth order, which nobody can know, asks first about what is wrong: it shows how much an order
//! can help at all.

use std::path::PathBuf;

use zhushu::Settings;
use zhushu::diag::Error;
use zhushu::model::{Confirmation, Confirmed, Document, Layer, NEEDS_REVIEW};
use zhushu::review::order::{self, Order};
use zhushu::review::questions::{first_words, questions};
use zhushu::review::{Choice, Question};
use zhushu::score::{Gold, LayerCut, Lines, score};
use zhushu::source::Span;
use zhushu::text::Key;

use crate::texts;

/// The options of `lab simulate`.
#[derive(clap::Args)]
pub struct Args {
    /// The text
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The cut made by hand that answers, as `zhushu convert --to json` writes one
    #[arg(value_name = "GOLD")]
    gold: PathBuf,
    /// Ask about decisions that are less certain than this
    #[arg(long, value_name = "P", default_value_t = NEEDS_REVIEW)]
    below: f64,
    /// Further texts, or a corpus folder, as witnesses
    #[arg(long, value_name = "OTHER", num_args = 1..)]
    with: Vec<PathBuf>,
    /// Format of FILE [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Encoding of FILE, such as gb18030 or big5 [default: recognised by its bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
}

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

/// What is asked, about which texts.
struct Asking {
    /// A cut by hand knows nothing of references, so none are searched.
    settings: Settings,
    /// What is less certain is asked about.
    below: f64,
    /// The text and those beside it, as their readers left them.
    read: Vec<Document>,
}

/// Runs the command.
///
/// # Errors
/// When a text or the cut cannot be read.
pub fn run(args: &Args, settings: &Settings) -> Result<(), Error> {
    let mut entry = texts::entry(&args.file, args.encoding.as_deref());
    entry.reader.clone_from(&args.from);
    let mut settings = settings.clone();
    settings.references = false;
    let read = texts::beside(entry, &args.with, &settings)?;
    let gold = Gold::read(&texts::json(&args.gold)?, &read[0].source)
        .map_err(|e| Error::input(&args.gold, e.to_string()))?;
    let table = table(&mut Asking { settings, below: args.below, read }, &gold);
    texts::write(None, table.as_bytes())
}

/// The F1 of the borders after some numbers of decisions, in each order.
fn table(asking: &mut Asking, gold: &Gold) -> String {
    let mut text = String::from("decisions\toffered\trandom\tby place\twrong first\n");
    let offered = simulated(asking, gold, Next::Offered);
    let random: Vec<_> =
        (0..RANDOM_ORDERS).map(|seed| simulated(asking, gold, Next::Random(seed))).collect();
    let by_place = simulated(asking, gold, Next::ByPlace);
    let known = simulated(asking, gold, Next::Known);
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
    text
}

/// The F1 of the borders after so many decisions.
fn simulated(asking: &mut Asking, gold: &Gold, next: Next) -> Vec<(usize, f64)> {
    let before = asking.read[0].confirmed_mut().clone();
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
        let mut left = questions(&asking.read, &asking.settings, asking.below);
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
                asking.read[0].confirmed_mut().push(confirmed);
            }
        }
        asking.read[0].confirmed_mut().sort_by_key(|c| c.span.start());
    }
    *asking.read[0].confirmed_mut() = before;
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

fn f1(asking: &Asking, gold: &Gold) -> f64 {
    let library = asking.settings.run(asking.read.clone());
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
