//! Queries, and a slow implementation that answers them.

use super::books::*;
use super::*;

#[derive(Clone, Debug)]
pub enum Ask {
    Words(Vec<Option<char>>),
    Regex(char, char),
    Any,
    In(Layer, Box<Ask>),
    All(Vec<Ask>, Option<Box<Ask>>),
    Either(Box<Ask>, Box<Ask>),
    Near(Vec<char>, usize, Vec<char>),
    On(Box<Ask>, bool, Box<Ask>),
}

impl Ask {
    pub fn text(&self) -> String {
        match self {
            Ask::Words(chars) => chars.iter().map(|c| c.unwrap_or('?')).collect(),
            Ask::Regex(a, b) => format!("re:{a}.{{0,2}}{b}"),
            Ask::Any => "*".into(),
            Ask::In(layer, x) => format!("{}:({})", layer.zh(), x.text()),
            Ask::All(parts, not) => {
                let parts: Vec<String> = parts.iter().map(|p| format!("({})", p.text())).collect();
                format!(
                    "{}{}",
                    parts.join(" AND "),
                    not.as_ref().map_or(String::new(), |n| format!(" NOT ({})", n.text()))
                )
            }
            Ask::Either(a, b) => format!("({}) OR ({})", a.text(), b.text()),
            Ask::Near(a, n, b) => format!(
                "{} NEAR/{n} {}",
                a.iter().collect::<String>(),
                b.iter().collect::<String>()
            ),
            Ask::On(a, not, b) => {
                format!("({}) @ {}({})", a.text(), if *not { "NOT " } else { "" }, b.text())
            }
        }
    }
}

pub fn ask() -> impl Strategy<Value = Ask> {
    let character = || prop::sample::select(&ALPHABET[..]);
    let pattern =
        prop::collection::vec(prop_oneof![5 => character().prop_map(Some), 1 => Just(None)], 1..4);
    let leaf = prop_oneof![
        6 => pattern.prop_filter("a character", |p| p.iter().any(Option::is_some)).prop_map(Ask::Words),
        1 => (character(), character()).prop_map(|(a, b)| Ask::Regex(a, b)),
        1 => Just(Ask::Any),
        1 => (prop::collection::vec(character(), 1..3), 0..4usize, prop::collection::vec(character(), 1..3)).prop_map(|(a, n, b)| Ask::Near(a, n, b)),
    ];
    let layer = prop::sample::select(vec![
        Layer::Jing,
        Layer::Zhu,
        Layer::Yin,
        Layer::Shu,
        Layer::Translation,
    ]);
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            3 => (layer.clone(), boxed.clone()).prop_map(|(l, x)| Ask::In(l, x)),
            2 => (prop::collection::vec(inner, 1..3), prop::option::of(boxed.clone())).prop_map(|(p, n)| Ask::All(p, n)),
            1 => (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Ask::Either(a, b)),
            3 => (boxed.clone(), any::<bool>(), boxed).prop_map(|(a, n, b)| Ask::On(a, n, b)),
        ]
    })
}

/// Regular expressions of all forms, with and without strings that every match must contain.
pub fn pattern() -> impl Strategy<Value = String> {
    let character = || prop::sample::select(&ALPHABET[..]);
    let leaf = prop_oneof![
        6 => character().prop_map(String::from),
        2 => prop::collection::vec(character(), 2..4).prop_map(String::from_iter),
        1 => (character(), character()).prop_map(|(a, b)| format!("[{a}{b}]")),
        1 => character().prop_map(|c| format!("[^{c}]")),
        1 => Just(".".to_string()),
    ];
    leaf.prop_recursive(3, 10, 4, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 2..4).prop_map(|p| p.concat()),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(|p| format!("({})", p.join("|"))),
            2 => (inner.clone(), prop::sample::select(vec!["?", "*", "+", "{2}", "{1,3}", "{0,2}", "*?"])).prop_map(|(p, n)| format!("({p}){n}")),
            1 => inner.clone().prop_map(|p| format!("^{p}")),
            1 => inner.prop_map(|p| format!("{p}$")),
        ]
    })
}

/// Index of the first unit, of the first character in it, and characters.
pub type Slow = (usize, usize, usize);

impl Books {
    /// Units whose characters continue from one to the next: of one document and layer, or one
    /// unit.
    pub fn runs(&self, layers: Option<&HashSet<Layer>>) -> Vec<Vec<usize>> {
        let mut runs: Vec<Vec<usize>> = vec![];
        for (i, unit) in self
            .units
            .iter()
            .enumerate()
            .filter(|(_, u)| layers.is_none_or(|l| l.contains(&u.layer)))
        {
            let on = matches!(unit.layer.kind(), LayerKind::Base | LayerKind::Translation);
            let run = runs.iter_mut().find(|r| {
                on && (self.units[r[0]].doc, self.units[r[0]].layer) == (unit.doc, unit.layer)
            });
            match run {
                Some(run) => run.push(i),
                None => runs.push(vec![i]),
            }
        }
        runs
    }

    pub fn stretches(
        &self,
        layers: Option<&HashSet<Layer>>,
        fits: impl Fn(&[char]) -> Vec<(usize, usize)>,
    ) -> BTreeSet<Slow> {
        let mut found = BTreeSet::new();
        for run in self.runs(layers) {
            let places: Vec<(usize, usize)> = run
                .iter()
                .flat_map(|u| (0..self.units[*u].chars.len()).map(move |c| (*u, c)))
                .collect();
            let chars: Vec<char> = places.iter().map(|(u, c)| self.units[*u].chars[*c].0).collect();
            found.extend(
                fits(&chars).into_iter().map(|(from, len)| (places[from].0, places[from].1, len)),
            );
        }
        found
    }

    pub fn answer(
        &self,
        ask: &Ask,
        layers: Option<&HashSet<Layer>>,
        by_unit: bool,
    ) -> BTreeSet<Slow> {
        match ask {
            Ask::Words(pattern) => self.stretches(layers, |chars| {
                places(chars, pattern).map(|i| (i, pattern.len())).collect()
            }),
            Ask::Regex(a, b) => {
                let layers_of = |u: &Unit| layers.is_none_or(|l| l.contains(&u.layer));
                let mut found = BTreeSet::new();
                for (n, unit) in self.units.iter().enumerate().filter(|(_, u)| layers_of(u)) {
                    let mut at = 0;
                    // Like regular expressions: from the left, as long as possible, without
                    // overlap.
                    while at < unit.chars.len() {
                        let to = (at + 1..unit.chars.len().min(at + 4))
                            .rev()
                            .find(|to| unit.chars[*to].0 == fold(*b));
                        match to.filter(|_| unit.chars[at].0 == fold(*a)) {
                            Some(to) => {
                                found.insert((n, at, to + 1 - at));
                                at = to + 1;
                            }
                            None => at += 1,
                        }
                    }
                }
                found
            }
            Ask::Any => self
                .units
                .iter()
                .enumerate()
                .filter(|(_, u)| layers.is_none_or(|l| l.contains(&u.layer)))
                .map(|(i, u)| (i, 0, u.chars.len()))
                .collect(),
            Ask::In(layer, inner) => {
                let only: HashSet<Layer> =
                    [*layer].into_iter().filter(|l| layers.is_none_or(|o| o.contains(l))).collect();
                self.answer(inner, Some(&only), true)
            }
            Ask::All(parts, not) => {
                let key = |u: usize| {
                    if by_unit { (u, usize::MAX) } else { (self.units[u].doc, self.units[u].group) }
                };
                let found: Vec<_> = parts.iter().map(|p| self.answer(p, layers, by_unit)).collect();
                let keys: Vec<HashSet<_>> =
                    found.iter().map(|f| f.iter().map(|h| key(h.0)).collect()).collect();
                let not: HashSet<_> = not
                    .iter()
                    .flat_map(|n| self.answer(n, layers, by_unit))
                    .map(|h| key(h.0))
                    .collect();
                found
                    .into_iter()
                    .flatten()
                    .filter(|h| {
                        keys.iter().all(|k| k.contains(&key(h.0))) && !not.contains(&key(h.0))
                    })
                    .collect()
            }
            Ask::Either(a, b) => {
                &self.answer(a, layers, by_unit) | &self.answer(b, layers, by_unit)
            }
            Ask::Near(a, n, b) => {
                let folded = |w: &[char]| w.iter().map(|c| Some(fold(*c))).collect::<Vec<_>>();
                let (a, b) = (folded(a), folded(b));
                self.stretches(layers, |chars| {
                    let pairs = places(chars, &a)
                        .flat_map(|x| places(chars, &b).map(move |y| (x, y)))
                        .collect::<Vec<_>>();
                    let apart = |x: usize, xl: usize, y: usize| y >= x + xl && y - x - xl <= *n;
                    pairs
                        .into_iter()
                        .filter_map(|(x, y)| match () {
                            () if apart(x, a.len(), y) => Some((x, y + b.len() - x)),
                            () if apart(y, b.len(), x) => Some((y, x + a.len() - y)),
                            () => None,
                        })
                        .collect()
                })
            }
            Ask::On(a, not, b) => {
                let right: HashSet<usize> =
                    self.answer(b, layers, by_unit).iter().map(|h| h.0).collect();
                self.answer(a, layers, by_unit)
                    .into_iter()
                    .filter(|h| right.iter().any(|r| self.related(h.0, *r)) != *not)
                    .collect()
            }
        }
    }

    pub fn related(&self, a: usize, b: usize) -> bool {
        self.comments(a, b) || self.comments(b, a)
    }

    /// True if the first is related to the second.
    pub fn comments(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.units[a], &self.units[b]);
        let (k, l) = (x.layer.kind(), y.layer.kind());
        match (k, l) {
            (LayerKind::Note, LayerKind::Base) => x.anchor == Some(b),
            (LayerKind::Note, LayerKind::Note) => x.layer != y.layer && x.anchor == y.anchor,
            (LayerKind::Commentary, LayerKind::Base | LayerKind::Note) => {
                (x.doc, x.group) == (y.doc, y.group)
            }
            (LayerKind::Translation, LayerKind::Base) => x.target == Some(b),
            (LayerKind::Translation, LayerKind::Note) => x.target == y.anchor,
            _ => false,
        }
    }

    /// First and last byte of a hit.
    pub fn place(&self, (unit, from, len): Slow) -> Place {
        let run = self.runs(None).into_iter().find(|r| r.contains(&unit)).unwrap();
        let after = run
            .iter()
            .skip_while(|u| **u != unit)
            .flat_map(|u| self.units[*u].chars.clone())
            .skip(from);
        let end = after.take(len).last().unwrap().3;
        let u = &self.units[unit];
        (self.library.documents[u.doc].id.clone(), u.layer, u.chars[from].2, end)
    }
}

pub fn places<'a>(
    chars: &'a [char],
    pattern: &'a [Option<char>],
) -> impl Iterator<Item = usize> + 'a {
    let fits = |(c, p): (&char, &Option<char>)| p.is_none_or(|p| fold(p) == *c);
    (0..(chars.len() + 1).saturating_sub(pattern.len()))
        .filter(move |i| chars[*i..*i + pattern.len()].iter().zip(pattern).all(fits))
}
