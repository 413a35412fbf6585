//! The most likely sequence of layers in a running text, and the probability of each beginning: a
//! hidden Markov chain over its characters. A layer begins with its label or, at a cost, without
//! one.

use rustc_hash::FxHashMap;

use super::labels::LabelPlace;
use crate::passes::evidence::scored::Scored;

/// The chain's input for a stretch.
pub struct ChainInput<'a> {
    /// Number of characters.
    pub len: usize,
    /// Exponent of the models' probabilities: they take characters as independent, which they are
    /// not.
    pub trust: f64,
    /// Scores of the characters in each layer; the first is the classic.
    pub scored: Vec<Scored>,
    /// The labels in the stretch.
    pub places: Vec<LabelStep<'a>>,
    /// For each character (and the end), the log weight of each layer beginning there without a
    /// label; and for each layer, of it ending in this way. Minus infinity if impossible.
    pub unmarked: Vec<Vec<f64>>,
    pub leaves: Vec<f64>,
    /// For each character, the log probability of each layer by other evidence: witnesses, and that
    /// a label is only a word.
    pub support: Vec<Vec<f64>>,
    /// Log probability that the stretch begins with each layer, and that it ends with each.
    pub first: Vec<f64>,
    pub last: Vec<f64>,
}

/// A label as the chain sees it.
pub struct LabelStep<'a> {
    /// Its place in the stretch.
    pub place: LabelPlace<'a>,
    /// The layer that begins.
    pub to: usize,
    /// The layers it may end.
    pub from: Vec<usize>,
}

/// A run of one layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// First character, its label left out.
    pub from: usize,
    /// One past the last.
    pub to: usize,
    /// The layer.
    pub state: usize,
    /// Characters of its label that are only a mark, before `from`.
    pub mark: usize,
    /// Its label, if it has one.
    pub label: Option<usize>,
    /// The probability that the layer begins here.
    pub certainty: f64,
}

/// A number for each layer at each character (and at the end).
struct Grid {
    states: usize,
    cells: Vec<f64>,
}

impl Grid {
    fn new(len: usize, states: usize) -> Self {
        Grid { states, cells: vec![f64::NEG_INFINITY; (len + 1) * states] }
    }
    fn get(&self, k: usize, s: usize) -> f64 {
        self.cells[k * self.states + s]
    }
    fn set(&mut self, k: usize, s: usize, x: f64) {
        self.cells[k * self.states + s] = x;
    }
    fn add(&mut self, k: usize, s: usize, x: f64) {
        self.set(k, s, log_add(self.get(k, s), x));
    }
}

/// A transition into a layer.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
    /// The character before which the old layer ends, and the first of the new.
    leaves: usize,
    enters: usize,
    score: f64,
    label: Option<usize>,
}

impl ChainInput<'_> {
    fn states(&self) -> usize {
        self.scored.len()
    }

    /// Score of a character within a run of a layer.
    fn read_score(&self, k: usize, s: usize) -> f64 {
        self.trust * self.scored[s].body(k, k + 1) + self.support[k][s]
    }

    fn begin(&self, k: usize, s: usize) -> f64 {
        if k < self.len {
            self.trust * self.scored[s].begin(k, (k + 2).min(self.len))
        } else {
            f64::NEG_INFINITY
        }
    }

    fn end(&self, k: usize, s: usize) -> f64 {
        self.trust * self.scored[s].end(k) + if k == self.len { self.last[s] } else { 0.0 }
    }

    /// All transitions, by the character before which the old layer ends.
    fn edges(&self) -> Vec<Vec<Edge>> {
        let mut edges: Vec<Vec<Edge>> = (0..=self.len).map(|_| Vec::new()).collect();
        for (n, step) in self.places.iter().enumerate() {
            let (at, enters) = (step.place.at, step.place.at + step.place.label.mark);
            if enters >= self.len {
                continue;
            }
            for &from in step.from.iter().filter(|f| **f != step.to) {
                let score =
                    self.end(at, from) + step.place.likely.ln() + self.begin(enters, step.to);
                edges[at].push(Edge {
                    from,
                    to: step.to,
                    leaves: at,
                    enters,
                    score,
                    label: Some(n),
                });
            }
        }
        for (k, out) in edges.iter_mut().enumerate().take(self.len).skip(1) {
            for (to, cost) in
                self.unmarked[k].iter().enumerate().filter(|(_, cost)| **cost > f64::NEG_INFINITY)
            {
                for from in (0..self.states())
                    .filter(|from| *from != to && self.leaves[*from] > f64::NEG_INFINITY)
                {
                    let score = self.end(k, from) + self.leaves[from] + cost + self.begin(k, to);
                    out.push(Edge { from, to, leaves: k, enters: k, score, label: None });
                }
            }
        }
        edges
    }

    /// The labels that open the stretch.
    fn openings(&self) -> Vec<Edge> {
        let opens =
            |s: &(usize, &LabelStep<'_>)| s.1.place.at == 0 && s.1.place.label.mark < self.len;
        let edge = |(n, s): (usize, &LabelStep<'_>)| {
            let enters = s.place.label.mark;
            Edge {
                from: 0,
                to: s.to,
                leaves: 0,
                enters,
                score: s.place.likely.ln() + self.begin(enters, s.to),
                label: Some(n),
            }
        };
        self.places.iter().enumerate().filter(opens).map(edge).collect()
    }

    /// The most likely runs, each with the probability that its layer begins there.
    pub fn runs(&self) -> Vec<Run> {
        if self.len == 0 {
            return Vec::new();
        }
        let edges = self.edges();
        let openings = self.openings();
        let best = self.best(&edges, &openings);
        let (forward, arrived, total) = self.forward(&edges, &openings);
        let backward = self.backward(&edges);
        let mut runs: Vec<Run> = Vec::with_capacity(best.len());
        for (n, &(enters, state, edge)) in best.iter().enumerate() {
            let to =
                best.get(n + 1).map_or(self.len, |next| next.2.map_or(next.0, |e: Edge| e.leaves));
            let into = edges.iter().take(enters + 1).skip(enters.saturating_sub(3)).flatten();
            let ways = into
                .filter(|e| e.enters == enters && e.to == state)
                .map(|e| arrived.get(e.leaves, e.from) + e.score);
            let opened =
                openings.iter().filter(|e| e.enters == enters && e.to == state).map(|e| e.score);
            let whole = if enters == 0 { forward.get(0, state) } else { f64::NEG_INFINITY };
            let certainty = (ways.chain(opened).fold(whole, log_add) + backward.get(enters, state)
                - total)
                .exp()
                .min(1.0);
            let mark = edge.map_or(0, |e| e.enters - e.leaves);
            runs.push(Run {
                from: enters,
                to,
                state,
                mark,
                label: edge.and_then(|e| e.label),
                certainty,
            });
        }
        runs
    }

    /// Sums over all paths that reach a character in a layer; over those that were already in it;
    /// and over all paths.
    fn forward(&self, edges: &[Vec<Edge>], openings: &[Edge]) -> (Grid, Grid, f64) {
        let (mut all, mut before) =
            (Grid::new(self.len, self.states()), Grid::new(self.len, self.states()));
        for s in 0..self.states() {
            all.set(0, s, self.first[s] + self.begin(0, s));
        }
        openings.iter().for_each(|e| all.add(e.enters, e.to, e.score));
        for k in 0..=self.len {
            for s in (0..self.states()).filter(|_| k > 0) {
                let stays = all.get(k - 1, s) + self.read_score(k - 1, s);
                before.set(k, s, stays);
                all.add(k, s, stays);
            }
            edges[k].iter().for_each(|e| all.add(e.enters, e.to, before.get(k, e.from) + e.score));
        }
        let total = (0..self.states())
            .map(|s| before.get(self.len, s) + self.end(self.len, s))
            .fold(f64::NEG_INFINITY, log_add);
        (all, before, total)
    }

    /// Sums over all paths that continue from a character in a layer.
    fn backward(&self, edges: &[Vec<Edge>]) -> Grid {
        let mut all = Grid::new(self.len, self.states());
        for s in 0..self.states() {
            all.set(self.len, s, self.end(self.len, s));
        }
        // Character `k` is in the layer; before the next character the layer continues or ends.
        for k in (0..self.len).rev() {
            for s in 0..self.states() {
                let leaves = edges[k + 1]
                    .iter()
                    .filter(|e| e.from == s)
                    .map(|e| e.score + all.get(e.enters, e.to));
                let rest = leaves.fold(all.get(k + 1, s), log_add);
                all.set(k, s, self.read_score(k, s) + rest);
            }
        }
        all
    }

    /// The most likely path (Viterbi): first character, layer and transition of each run.
    fn best(&self, edges: &[Vec<Edge>], openings: &[Edge]) -> Vec<(usize, usize, Option<Edge>)> {
        let (mut all, mut before) =
            (Grid::new(self.len, self.states()), Grid::new(self.len, self.states()));
        let mut into: FxHashMap<(usize, usize), Edge> = FxHashMap::default();
        for s in 0..self.states() {
            all.set(0, s, self.first[s] + self.begin(0, s));
        }
        let mut enter = |all: &mut Grid, e: &Edge, score: f64| {
            if score > all.get(e.enters, e.to) {
                all.set(e.enters, e.to, score);
                into.insert((e.enters, e.to), *e);
            }
        };
        openings.iter().for_each(|e| enter(&mut all, e, e.score));
        for k in 0..=self.len {
            for s in (0..self.states()).filter(|_| k > 0) {
                let stays = all.get(k - 1, s) + self.read_score(k - 1, s);
                before.set(k, s, stays);
                if stays > all.get(k, s) {
                    all.set(k, s, stays);
                }
            }
            edges[k].iter().for_each(|e| enter(&mut all, e, before.get(k, e.from) + e.score));
        }
        self.path(&before, &into, &all)
    }

    /// Reads the most likely path backwards.
    fn path(
        &self,
        before: &Grid,
        into: &FxHashMap<(usize, usize), Edge>,
        all: &Grid,
    ) -> Vec<(usize, usize, Option<Edge>)> {
        let ends = |s: &usize| before.get(self.len, *s) + self.end(self.len, *s);
        let mut state = (0..self.states()).max_by(|a, b| ends(a).total_cmp(&ends(b))).unwrap_or(0);
        let mut path = Vec::new();
        let mut k = self.len - 1;
        loop {
            // A transition counts only if staying in the layer is not better.
            let entered = into
                .get(&(k, state))
                .filter(|_| k == 0 || all.get(k, state) > before.get(k, state));
            match entered {
                Some(e) => {
                    path.push((k, state, Some(*e)));
                    if e.leaves == 0 {
                        break;
                    }
                    (k, state) = (e.leaves - 1, e.from);
                }
                None if k == 0 => {
                    path.push((0, state, None));
                    break;
                }
                None => k -= 1,
            }
        }
        path.reverse();
        path
    }
}

fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::super::labels;
    use super::*;
    use crate::model::Layer;
    use crate::text::ngram::CharModel;

    fn input(words: &str) -> ChainInput<'static> {
        let chars: Vec<char> = words.chars().collect();
        let mut models = [CharModel::new(100), CharModel::new(100)];
        ["甲乙丙", "乙丙甲"].iter().for_each(|w| models[0].learn(w.chars()));
        ["丁也戊也", "戊也"].iter().for_each(|w| models[1].learn(w.chars()));
        let states = [Layer::Jing, Layer::Zhu];
        let places: Vec<LabelStep<'static>> = labels::places(&chars, &states)
            .into_iter()
            .map(|place| LabelStep { place, to: 1, from: vec![0] })
            .collect();
        let support =
            (0..chars.len()).map(|k| [0.1 * k as f64, -0.2]).map(|s| s.to_vec()).collect();
        ChainInput {
            len: chars.len(),
            trust: 0.5,
            scored: models.iter().map(|m| Scored::new(m, &chars)).collect(),
            places,
            unmarked: vec![vec![-1.0, f64::NEG_INFINITY]; chars.len() + 1],
            leaves: vec![f64::NEG_INFINITY, -0.5],
            support,
            first: vec![-0.1, -2.4],
            last: vec![-0.3, 0.0],
        }
    }

    /// Every path, by enumeration: first characters and layers of its runs, and its score.
    fn paths(s: &ChainInput<'_>) -> Vec<(Vec<(usize, usize)>, f64)> {
        fn go(
            s: &ChainInput<'_>,
            edges: &[Vec<Edge>],
            k: usize,
            state: usize,
            score: f64,
            path: &[(usize, usize)],
            out: &mut Vec<(Vec<(usize, usize)>, f64)>,
        ) {
            let score = score + s.read_score(k, state);
            if k + 1 == s.len {
                return out.push((path.to_vec(), score + s.end(s.len, state)));
            }
            go(s, edges, k + 1, state, score, path, out);
            for e in edges[k + 1].iter().filter(|e| e.from == state) {
                let path = [path, &[(e.enters, e.to)]].concat();
                go(s, edges, e.enters, e.to, score + e.score, &path, out);
            }
        }
        let (edges, mut out) = (s.edges(), Vec::new());
        for state in 0..2 {
            go(s, &edges, 0, state, s.first[state] + s.begin(0, state), &[(0, state)], &mut out);
        }
        for e in s.openings() {
            go(s, &edges, e.enters, e.to, e.score, &[(e.enters, e.to)], &mut out);
        }
        out
    }

    #[test]
    fn agrees_with_brute_force() {
        for words in ["甲乙注丁也甲丙注戊", "注丁也乙丙", "甲", "丁也戊也甲乙丙注"]
        {
            let s = input(words);
            let all = paths(&s);
            let best = all.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            let runs = s.runs();
            assert_eq!(
                runs.iter().map(|r| (r.from, r.state)).collect::<Vec<_>>(),
                best.0,
                "{words}"
            );
            let total: f64 = all.iter().map(|c| c.1.exp()).sum();
            for r in &runs {
                let certainty: f64 = all
                    .iter()
                    .filter(|c| c.0.contains(&(r.from, r.state)))
                    .map(|c| c.1.exp())
                    .sum::<f64>()
                    / total;
                assert!((certainty - r.certainty).abs() < 1e-9, "{words}: {r:?} is {certainty}");
            }
            assert!(runs.windows(2).all(|w| w[0].to + w[1].mark == w[1].from), "{words}: {runs:?}");
        }
    }
}
