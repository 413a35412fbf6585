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

use super::lines::{Measure, Opener, PrintLine, measure_of};
use crate::model::{Commentary, Evidence, EvidenceKind, Layer};
use crate::text::class::is_content;
use crate::text::ngram::{CharModel, START};
use crate::text::pattern;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRole {
    /// 經.
    Jing,
    /// 鄭玄's note.
    Zhu,
    /// 李如圭's explanation.
    Shi,
    /// 鄭玄's table of contents, quoted under the title.
    Mulu,
    /// Title.
    Heading,
}

const ROLES: [LineRole; 5] =
    [LineRole::Jing, LineRole::Zhu, LineRole::Shi, LineRole::Mulu, LineRole::Heading];
/// Two states a role: going on, ending.
const STATES: usize = 10;

impl LineRole {
    /// The layer of its text.
    pub fn layer(self) -> Layer {
        match self {
            LineRole::Jing => Layer::Jing,
            LineRole::Zhu => Layer::Zhu,
            LineRole::Shi => Layer::Named(Commentary::JISHI),
            LineRole::Mulu => Layer::Other,
            LineRole::Heading => Layer::Heading,
        }
    }
    fn opener(self) -> Option<Opener> {
        match self {
            LineRole::Zhu => Some(Opener::Zheng),
            LineRole::Shi => Some(Opener::Shi),
            LineRole::Mulu => Some(Opener::Mulu),
            _ => None,
        }
    }
}

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

/// Habits of the book, as probabilities. They are broad on purpose: the widths decide, these only
/// break ties.
mod habit {
    /// That a line which goes on is exactly full.
    pub const FULL: f64 = 0.985;
    /// That it is one off, either way: a character lost or doubled in copying.
    pub const ONE_OFF: f64 = 0.005;
    /// That it is anything else.
    pub const OTHER: f64 = 0.000_02;
    /// That a line is the last of its run.
    pub const LAST: f64 = 0.5;
    /// That a line going on happens to begin like an opener.
    pub const CHANCE_OPENER: f64 = 0.001;
    /// Weight of the language models: consecutive characters are not independent.
    pub const WORDS: f64 = 0.5;
    /// Posterior above which a line of the first run teaches the models.
    pub const TEACHES: f64 = 0.95;
    /// Doubt so small that no words could turn it.
    pub const NO_DOUBT: f64 = 1e-7;
    /// Characters that are enough to learn from.
    pub const MAX_LEARNED_CHARS: usize = 200_000;
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

/// Forward and backward probabilities of a row of lines.
struct Lattice<'a> {
    lines: &'a [&'a PrintLine],
    measure: Measure,
    titles: &'a [bool],
    leaning: &'a [f64],
    /// Probability of each line in each state.
    emits: Vec<[f32; STATES]>,
    forward: Vec<[f64; STATES]>,
    backward: Vec<[f64; STATES]>,
}

impl<'a> Lattice<'a> {
    fn new(
        lines: &'a [&'a PrintLine],
        measure: Measure,
        titles: &'a [bool],
        leaning: &'a [f64],
    ) -> Self {
        let mut lattice = Lattice {
            lines,
            measure,
            titles,
            leaning,
            emits: vec![],
            forward: vec![],
            backward: vec![],
        };
        lattice.emits =
            (0..lines.len()).map(|i| std::array::from_fn(|s| lattice.emit(i, s) as f32)).collect();
        lattice.sweep();
        lattice
    }

    fn sweep(&mut self) {
        let n = self.lines.len();
        self.forward = vec![[0.0; STATES]; n];
        self.backward = vec![[1.0; STATES]; n];
        for i in 0..n {
            let mut row = [0.0; STATES];
            for (s, cell) in row.iter_mut().enumerate() {
                *cell = match i {
                    0 => self.first(s),
                    _ => {
                        before(s).map(|r| self.forward[i - 1][r] * self.step(i)[r][s]).iter().sum()
                    }
                } * f64::from(self.emits[i][s]);
            }
            scale(&mut row);
            self.forward[i] = row;
        }
        for i in (1..n).rev() {
            let mut row = [0.0; STATES];
            for s in 0..STATES {
                let ahead = f64::from(self.emits[i][s]) * self.backward[i][s];
                before(s).into_iter().for_each(|r| row[r] += self.step(i)[r][s] * ahead);
            }
            scale(&mut row);
            self.backward[i - 1] = row;
        }
    }

    /// Probability that the text begins with state `s`.
    fn first(&self, s: usize) -> f64 {
        // A text may begin in the middle of a note.
        [0.4, 0.05, 0.02, 0.03, 0.5][s / 2]
    }

    /// Probability of each state at line `i` after each state.
    fn step(&self, i: usize) -> &'static StateTable {
        &STEPS[opener_number(self.lines[i].opener)].0
    }

    /// Its natural logarithm.
    fn log_step(&self, i: usize) -> &'static StateTable {
        &STEPS[opener_number(self.lines[i].opener)].1
    }

    /// Probability of line `i` in state `s`: its width, and its words.
    fn emit(&self, i: usize, s: usize) -> f64 {
        let (line, role) = (self.lines[i], ROLES[s / 2]);
        let full = if role == LineRole::Jing { self.measure.classic } else { self.measure.note };
        if role == LineRole::Heading {
            return if !ends(s) {
                0.0
            } else if self.titles[i] {
                1.0
            } else {
                1e-9
            };
        }
        let title = if self.titles[i] { 1e-3 } else { 1.0 };
        let width = if line.unclosed || line.stray {
            // Which words are half-size is not known, so neither is the width.
            habit::LAST / full as f64
        } else if !ends(s) {
            (1.0 - habit::LAST)
                * match line.width.abs_diff(full) {
                    0 => habit::FULL,
                    1 => habit::ONE_OFF,
                    _ => habit::OTHER,
                }
        } else if line.width <= full {
            habit::LAST / full as f64
        } else {
            habit::LAST * habit::OTHER
        };
        let words = match role {
            LineRole::Jing => (self.leaning[i] * habit::WORDS).clamp(-12.0, 12.0).exp(),
            _ => 1.0,
        };
        // 經 does not begin with the word that opens a note.
        let opener = if role == LineRole::Jing && line.opener.is_some() { 1e-6 } else { 1.0 };
        width * words * title * opener
    }

    /// The most probable path.
    fn best(&self) -> Vec<usize> {
        let n = self.lines.len();
        if n == 0 {
            return Vec::new();
        }
        let mut score: [f64; STATES] =
            std::array::from_fn(|s| self.first(s).ln() + f64::from(self.emits[0][s]).ln());
        let mut from = vec![[0u8; STATES]; n];
        for i in 1..n {
            let last = score;
            for s in 0..STATES {
                let (r, best) = before(s)
                    .into_iter()
                    .map(|r| (r, last[r] + self.log_step(i)[r][s]))
                    .max_by(|a, b| a.1.total_cmp(&b.1))
                    .unwrap_or((0, f64::NEG_INFINITY));
                (from[i][s], score[s]) = (r as u8, best + f64::from(self.emits[i][s]).ln());
            }
        }
        let mut path = vec![0; n];
        path[n - 1] = (0..STATES).max_by(|a, b| score[*a].total_cmp(&score[*b])).unwrap_or(0);
        for i in (1..n).rev() {
            path[i - 1] = usize::from(from[i][path[i]]);
        }
        path
    }

    /// Posterior probability that line `i` has its role on the path, and that the line before ends
    /// or continues its run as on the path.
    fn joint(&self, i: usize, path: &[usize]) -> f64 {
        let role = path[i] / 2;
        if i == 0 {
            return share(|s| self.forward[0][s] * self.backward[0][s], |s| s / 2 == role);
        }
        let (mut chosen, mut all) = (0.0, 0.0);
        for s in 0..STATES {
            let ahead = f64::from(self.emits[i][s]) * self.backward[i][s];
            for r in before(s) {
                let p = self.forward[i - 1][r] * self.step(i)[r][s] * ahead;
                all += p;
                if r == path[i - 1] && s / 2 == role {
                    chosen += p;
                }
            }
        }
        if all > 0.0 { chosen / all } else { 0.5 }
    }

    /// True unless the widths around line `i` leave nothing for its words to decide.
    fn leaves_doubt(&self, i: usize) -> bool {
        let of = |s: usize| self.forward[i][s] * self.backward[i][s];
        ROLES.iter().enumerate().all(|(n, _)| share(of, |s| s / 2 == n) < 1.0 - habit::NO_DOUBT)
    }

    /// Models of 經 and 注 from the lines that the widths alone decide.
    fn learn(&self, words: impl Fn(usize) -> Vec<char>) -> (CharModel, CharModel) {
        let (mut classic, mut note) = (CharModel::new(6000), CharModel::new(6000));
        for i in 0..self.lines.len() {
            if classic.len() + note.len() > habit::MAX_LEARNED_CHARS {
                break;
            }
            let probability = |role: LineRole| {
                share(|s| self.forward[i][s] * self.backward[i][s], |s| ROLES[s / 2] == role)
            };
            if probability(LineRole::Jing) > habit::TEACHES {
                classic.learn(words(i).into_iter());
            } else if probability(LineRole::Zhu) + probability(LineRole::Shi) > habit::TEACHES {
                note.learn(words(i).into_iter());
            }
        }
        (classic, note)
    }
}

/// For each state, one number for each state after it.
type StateTable = [[f64; STATES]; STATES];

/// Probabilities of states after each other, and their logarithms, for each opener that a line may
/// have; see [`opener_number`].
static STEPS: LazyLock<[(StateTable, StateTable); 4]> = LazyLock::new(|| {
    let openers = [None, Some(Opener::Zheng), Some(Opener::Shi), Some(Opener::Mulu)];
    openers.map(|opener| {
        let row = |r: usize| std::array::from_fn(|s| step(opener, r, s));
        let table: StateTable = std::array::from_fn(row);
        (table, table.map(|row| row.map(f64::ln)))
    })
});

fn opener_number(opener: Option<Opener>) -> usize {
    match opener {
        None => 0,
        Some(Opener::Zheng) => 1,
        Some(Opener::Shi) => 2,
        Some(Opener::Mulu) => 3,
    }
}

/// Probability of state `s` after state `r` in a line with this opener.
fn step(opener: Option<Opener>, r: usize, s: usize) -> f64 {
    let (from, to) = (ROLES[r / 2], ROLES[s / 2]);
    if !ends(r) {
        let surprise = if opener.is_some() { habit::CHANCE_OPENER } else { 1.0 };
        return if from == to { surprise } else { 0.0 };
    }
    if to.opener().is_some() && to.opener() != opener {
        return 0.0;
    }
    follows(from, to)
}

/// True for the states of a line that is the last of its run.
fn ends(state: usize) -> bool {
    state & 1 == 1
}

/// States that state `s` may follow: its own role going on, and every role ending.
fn before(s: usize) -> [usize; STATES / 2 + 1] {
    [s & !1, 1, 3, 5, 7, 9]
}

fn share(weight: impl Fn(usize) -> f64, chosen: impl Fn(usize) -> bool) -> f64 {
    let all: f64 = (0..STATES).map(&weight).sum();
    let some: f64 = (0..STATES).filter(|s| chosen(*s)).map(&weight).sum();
    if all > 0.0 { some / all } else { 0.0 }
}

/// Probability that a run of `to` follows a run of `from`.
fn follows(from: LineRole, to: LineRole) -> f64 {
    use LineRole::*;
    match (from, to) {
        (Jing, Zhu) => 0.93,
        (Jing, Jing) => 0.02,
        (Jing, Shi) => 0.03,
        (Jing, _) => 0.01,
        (Zhu, Jing) => 0.93,
        (Zhu, Shi) => 0.04,
        (Zhu, Zhu) => 0.005,
        (Zhu, _) => 0.01,
        (Shi, Jing) => 0.97,
        (Shi, _) => 0.005,
        (Mulu, Jing) => 0.8,
        (Mulu, Shi) => 0.1,
        (Mulu, _) => 0.02,
        (Heading, Jing) => 0.3,
        (Heading, Mulu) => 0.3,
        (Heading, Heading) => 0.3,
        (Heading, _) => 0.02,
    }
}

fn scale(row: &mut [f64; STATES]) {
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|p| *p /= sum);
    }
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
