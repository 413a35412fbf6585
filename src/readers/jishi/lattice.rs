//! The probabilities of the roles of a row of lines: forward, backward, and the best path.

use std::sync::LazyLock;

use super::lines::{Measure, Opener, PrintLine};
use crate::model::{Commentary, Layer};
use crate::text::ngram::CharModel;

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

/// All roles; a state is twice the number of its role, or one more if the line ends its run.
pub const ROLES: [LineRole; 5] =
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
    /// The word that opens it, if it has one.
    pub fn opener(self) -> Option<Opener> {
        match self {
            LineRole::Zhu => Some(Opener::Zheng),
            LineRole::Shi => Some(Opener::Shi),
            LineRole::Mulu => Some(Opener::Mulu),
            _ => None,
        }
    }
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

/// Forward and backward probabilities of a row of lines.
pub struct Lattice<'a> {
    lines: &'a [&'a PrintLine],
    measure: Measure,
    titles: &'a [bool],
    leaning: &'a [f64],
    /// Probability of each line in each state.
    emits: Vec<[f32; STATES]>,
    forward: Vec<StateRow>,
    backward: Vec<StateRow>,
}

impl<'a> Lattice<'a> {
    pub fn new(
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
            let entry = match i {
                0 => std::array::from_fn(|role| self.first(role)),
                _ => self.step(i).entry(&self.forward[i - 1]),
            };
            let mut row: StateRow =
                std::array::from_fn(|s| entry[s / 2] * f64::from(self.emits[i][s]));
            scale(&mut row);
            self.forward[i] = row;
        }
        for i in (1..n).rev() {
            let mut row = self.step(i).exit(&self.ahead(i));
            scale(&mut row);
            self.backward[i - 1] = row;
        }
    }

    /// Probability of line `i` and all after it, for each role of line `i`.
    fn ahead(&self, i: usize) -> RoleRow {
        let of = |s: usize| f64::from(self.emits[i][s]) * self.backward[i][s];
        std::array::from_fn(|role| of(2 * role) + of(2 * role + 1))
    }

    /// Probability that the text begins with this role.
    fn first(&self, role: usize) -> f64 {
        // A text may begin in the middle of a note.
        [0.4, 0.05, 0.02, 0.03, 0.5][role]
    }

    /// Probabilities of the roles of line `i` after those of the line before.
    fn step(&self, i: usize) -> &'static Step {
        &STEPS[opener_number(self.lines[i].opener)].0
    }

    /// Their natural logarithms.
    fn log_step(&self, i: usize) -> &'static Step {
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
    pub fn best(&self) -> Vec<usize> {
        let n = self.lines.len();
        if n == 0 {
            return Vec::new();
        }
        let log_emit = |i: usize, s: usize| f64::from(self.emits[i][s]).ln();
        let mut score: StateRow = std::array::from_fn(|s| self.first(s / 2).ln() + log_emit(0, s));
        // For each line and role, the state of the line before.
        let mut from = vec![[0u8; ROLES.len()]; n];
        for i in 1..n {
            let best = self.log_step(i).best_entry(&score);
            from[i] = best.map(|(state, _)| state);
            score = std::array::from_fn(|s| best[s / 2].1 + log_emit(i, s));
        }
        let mut path = vec![0; n];
        path[n - 1] = (0..STATES).max_by(|a, b| score[*a].total_cmp(&score[*b])).unwrap_or(0);
        for i in (1..n).rev() {
            path[i - 1] = usize::from(from[i][path[i] / 2]);
        }
        path
    }

    /// Posterior probability that line `i` has its role on the path, and that the line before ends
    /// or continues its run as on the path.
    pub fn joint(&self, i: usize, path: &[usize]) -> f64 {
        let role = path[i] / 2;
        if i == 0 {
            return share(|s| self.forward[0][s] * self.backward[0][s], |s| s / 2 == role);
        }
        let (step, ahead, before) = (self.step(i), self.ahead(i), &self.forward[i - 1]);
        let all: f64 = step.entry(before).iter().zip(&ahead).map(|(p, ahead)| p * ahead).sum();
        let last = path[i - 1];
        let chosen = before[last] * step.between(last, role) * ahead[role];
        if all > 0.0 { chosen / all } else { 0.5 }
    }

    /// True unless the widths around line `i` leave nothing for its words to decide.
    pub fn leaves_doubt(&self, i: usize) -> bool {
        let of = |s: usize| self.forward[i][s] * self.backward[i][s];
        ROLES.iter().enumerate().all(|(n, _)| share(of, |s| s / 2 == n) < 1.0 - habit::NO_DOUBT)
    }

    /// Models of 經 and 注 from the lines that the widths alone decide.
    pub fn learn(&self, words: impl Fn(usize) -> Vec<char>) -> (CharModel, CharModel) {
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

/// A number for each state, and for each role.
type StateRow = [f64; STATES];
type RoleRow = [f64; ROLES.len()];

/// Probabilities of the roles of a line after the states of the line before, or their logarithms.
struct Step {
    /// That a run goes on which does not end in the line before.
    goes_on: f64,
    /// That a run of the second role begins after the end of one of the first.
    begins: [RoleRow; ROLES.len()],
}

/// The steps for each opener that a line may have, and their logarithms; see [`opener_number`].
static STEPS: LazyLock<[(Step, Step); 4]> = LazyLock::new(|| {
    let openers = [None, Some(Opener::Zheng), Some(Opener::Shi), Some(Opener::Mulu)];
    openers.map(|opener| {
        let goes_on: f64 = if opener.is_some() { habit::CHANCE_OPENER } else { 1.0 };
        let begins = ROLES.map(|from| {
            ROLES.map(|to| match to.opener() {
                Some(own) if opener != Some(own) => 0.0,
                _ => follows(from, to),
            })
        });
        let logs = Step { goes_on: goes_on.ln(), begins: begins.map(|row| row.map(f64::ln)) };
        (Step { goes_on, begins }, logs)
    })
});

impl Step {
    /// The probability of each role, from those of the states of the line before.
    fn entry(&self, before: &StateRow) -> RoleRow {
        let mut entry: RoleRow = std::array::from_fn(|role| before[2 * role] * self.goes_on);
        for (from, row) in self.begins.iter().enumerate() {
            for (to, p) in row.iter().enumerate() {
                entry[to] += before[2 * from + 1] * p;
            }
        }
        entry
    }

    /// For each state of the line before, the probability of what follows, from that of each role.
    fn exit(&self, ahead: &RoleRow) -> StateRow {
        std::array::from_fn(|r| match ends(r) {
            false => self.goes_on * ahead[r / 2],
            true => self.begins[r / 2].iter().zip(ahead).map(|(p, ahead)| p * ahead).sum(),
        })
    }

    /// The best state of the line before for each role, with its score; all in logarithms.
    fn best_entry(&self, before: &StateRow) -> [(u8, f64); ROLES.len()] {
        std::array::from_fn(|role| {
            let mut best = (2 * role, before[2 * role] + self.goes_on);
            for (from, row) in self.begins.iter().enumerate() {
                let score = before[2 * from + 1] + row[role];
                if score > best.1 {
                    best = (2 * from + 1, score);
                }
            }
            (best.0 as u8, best.1)
        })
    }

    /// The probability of a role after a state.
    fn between(&self, state: usize, role: usize) -> f64 {
        match ends(state) {
            true => self.begins[state / 2][role],
            false if state / 2 == role => self.goes_on,
            false => 0.0,
        }
    }
}

fn opener_number(opener: Option<Opener>) -> usize {
    match opener {
        None => 0,
        Some(Opener::Zheng) => 1,
        Some(Opener::Shi) => 2,
        Some(Opener::Mulu) => 3,
    }
}

/// True for the states of a line that is the last of its run.
pub fn ends(state: usize) -> bool {
    state & 1 == 1
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

fn scale(row: &mut StateRow) {
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|p| *p /= sum);
    }
}
