//! Which line is what, decided for the whole text at once.
//!
//! A hidden Markov model over lines: the states are the roles, each split into "goes on in the next
//! line" and "ends here". A line that goes on is full (a lost or doubled character makes it one
//! off); a last line has any width; what may follow what is the book's habit (經, then 鄭注, then
//! perhaps 釋曰, then 經). Forward–backward gives each boundary its posterior probability, and the
//! most probable role of every line is taken along the best path (Viterbi). It runs twice: without
//! words first; then with trigram models of 經 and 注 learned from the lines of which the first run
//! was certain of.

use std::sync::LazyLock;

use regex::Regex;

use super::lattice::{Lattice, LineRole, ROLES, ends};
use super::lines::{Measure, Opener, PrintLine, measure_of};
use crate::model::{Evidence, EvidenceKind};
use crate::text::class::is_content;
use crate::text::ngram::{CharModel, START};
use crate::text::pattern;

/// The outcome.
pub struct Decision {
    /// Role of each line; an empty line has that of the line before.
    pub roles: Vec<LineRole>,
    /// True where a new run begins although the role stays (a note after a note).
    pub opens: Vec<bool>,
    /// Posterior probability that the line has this role and that a run begins, or goes on, as the
    /// decision says.
    pub certainties: Vec<f64>,
    measure: Measure,
    /// How much more likely each line's words are as 經 than as 注 (natural logarithm).
    leaning: Vec<f64>,
}

static TITLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(欽定四庫全書|.{0,12}卷[一二三四五六七八九十百]+.{0,12}|[^\s第]{1,8}第[一二三四五六七八九十百]+.{0,6})$",
    )
});

/// Decides.
pub fn decide(text: &str, lines: &[PrintLine]) -> Decision {
    let measure = measure_of(lines);
    let full: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].width > 0).collect();
    let used: Vec<&PrintLine> = full.iter().map(|i| &lines[*i]).collect();
    let words = |i: usize| content(text, used[i]);
    let titles = titles(text, &used, measure);
    let silent = vec![0.0; used.len()];
    let widths = Lattice::new(&used, measure, &titles, &silent);
    let (classic, note) = widths.learn(words);
    let speaks = !classic.is_empty() && !note.is_empty();
    let leans = |i: usize| match speaks && widths.leaves_doubt(i) {
        true => lean(&classic, &note, &words(i)),
        false => 0.0,
    };
    let leaning: Vec<f64> = (0..used.len()).map(leans).collect();
    // The lattice of a long text is large: the first is dropped before the second is built.
    let lattice = if speaks {
        drop(widths);
        Lattice::new(&used, measure, &titles, &leaning)
    } else {
        widths
    };
    let path = lattice.best();
    let mut decision = Decision {
        roles: vec![LineRole::Heading; lines.len()],
        opens: vec![false; lines.len()],
        certainties: vec![1.0; lines.len()],
        measure,
        leaning: vec![0.0; lines.len()],
    };
    let mut at = 0;
    for i in 0..lines.len() {
        if at < full.len() && full[at] == i {
            decision.roles[i] = ROLES[path[at] / 2];
            decision.opens[i] = at == 0 || ends(path[at - 1]);
            decision.certainties[i] = lattice.joint(at, &path);
            decision.leaning[i] = leaning[at];
            at += 1;
        } else if i > 0 {
            decision.roles[i] = decision.roles[i - 1];
        }
    }
    decision
}

fn content(text: &str, line: &PrintLine) -> Vec<char> {
    let opener = line.opener.filter(|o| *o == Opener::Zheng).map_or(0, |_| line.opener_len);
    let mut spans = line.full_size();
    if let Some(first) = spans.first_mut().filter(|s| s.len() >= opener && !line.starts_with_note())
    {
        *first = crate::source::Span::new(first.start() + opener, first.end());
    }
    spans.iter().flat_map(|s| text[s.range()].chars()).filter(|c| is_content(*c)).collect()
}

/// Lines that look like titles: a form of words, or a short line under one that no note follows.
/// What a full line runs into is none: 鄭玄's table of contents ends with such words (别錄第十一).
fn titles(text: &str, lines: &[&PrintLine], measure: Measure) -> Vec<bool> {
    let mut out = vec![false; lines.len()];
    for i in 0..lines.len() {
        let bare = || text[lines[i].span.range()].split_whitespace().collect::<String>();
        let under = i > 0
            && out[i - 1]
            && lines[i].width <= 8
            && lines.get(i + 1).is_some_and(|n| n.opener.is_none_or(|o| o == Opener::Mulu));
        let run_into = i > 0 && lines[i - 1].width >= measure.note;
        let plain = lines[i].opener.is_none() && lines[i].notes.is_empty() && !run_into;
        out[i] = plain && (TITLE.is_match(&bare()) || i < 8 && under);
    }
    out
}

fn lean(classic: &CharModel, note: &CharModel, words: &[char]) -> f64 {
    // The place of the line in its run is not known, so the models treat it as the middle of a run.
    let before = words.first().map_or((START, START), |c| ('\0', *c));
    let rest = || words.iter().skip(1).copied();
    classic.log_prob_after(before, rest()) - note.log_prob_after(before, rest())
}

impl Decision {
    /// Certainty and evidence of the run that begins at line `i`, whose nearest filled line before
    /// is `previous`.
    pub fn evidence(
        &self,
        lines: &[PrintLine],
        i: usize,
        previous: Option<usize>,
    ) -> (f64, Vec<Evidence>) {
        let line = &lines[i];
        let Some(before) = previous.filter(|_| self.roles[i] != LineRole::Heading) else {
            return (self.certainties[i], vec![Evidence::of(EvidenceKind::TitleLines)]);
        };
        if self.roles[i].opener().is_some() && self.roles[i].opener() == line.opener {
            // The source marks it.
            return (1.0, vec![]);
        }
        let full = if self.roles[before] == LineRole::Jing {
            self.measure.classic
        } else {
            self.measure.note
        };
        let width = lines[before].width;
        let mut why = vec![];
        if width < full {
            why.push(Evidence::new(
                EvidenceKind::ShortLine,
                format!("the line before fills {width} of {full} places"),
            ));
        } else {
            why.push(Evidence::new(
                EvidenceKind::FullLine,
                format!("the line before is full ({width} places), so the lines after it decide"),
            ));
        }
        if line.width > self.measure.note {
            why.push(Evidence::new(
                EvidenceKind::WideLine,
                format!(
                    "this line has {} places, more than a note's {}",
                    line.width, self.measure.note
                ),
            ));
        }
        if self.leaning[i].abs() >= 1.0 {
            let whose = if self.leaning[i] > 0.0 { "經" } else { "注" };
            let times = self.leaning[i].abs().min(20.0).exp();
            why.push(Evidence::new(
                EvidenceKind::LanguageModel,
                format!("its words are {times:.0} times likelier as {whose}"),
            ));
        }
        (self.certainties[i], why)
    }
}
