//! Pairs the references that a person found with links of the program, by the characters that they
//! have in common. Offsets are code points, end exclusive.

/// First code point, and one past the last.
pub type Chars = (usize, usize);

/// Which reference has which link.
#[derive(Debug)]
pub struct Pairs {
    /// The link of each reference.
    pub took: Vec<Option<usize>>,
    /// The reference of each link.
    pub taken: Vec<Option<usize>>,
    /// For links without a reference: the reference that contains them.
    pub within: Vec<Option<usize>>,
}

impl Pairs {
    /// Pairs so many references with so many links, the best fit first. `fit` says how well a
    /// reference and a link fit, 0 to 1.
    pub fn of(references: usize, links: usize, fit: impl Fn(usize, usize) -> f64) -> Self {
        let all = (0..links).flat_map(|j| (0..references).map(move |i| (j, i)));
        let mut fits: Vec<(f64, usize, usize)> =
            all.map(|(j, i)| (fit(i, j), j, i)).filter(|(fit, ..)| *fit > 0.0).collect();
        fits.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (mut took, mut taken) = (vec![None; references], vec![None; links]);
        for &(_, j, i) in &fits {
            if took[i].is_none() && taken[j].is_none() {
                (took[i], taken[j]) = (Some(j), Some(i));
            }
        }
        let mut within = vec![None; links];
        for &(_, j, i) in fits.iter().filter(|(_, j, _)| taken[*j].is_none()) {
            within[j].get_or_insert(i);
        }
        Pairs { took, taken, within }
    }
}

/// How well two references agree, 0 to 1: the citing or the quoted characters of each.
pub fn fit(a: [Option<Chars>; 2], b: [Option<Chars>; 2]) -> f64 {
    let mut best = 0.0;
    for a in a.into_iter().flatten() {
        for b in b.into_iter().flatten() {
            let (short, long) = (len(a).min(len(b)), len(a).max(len(b)));
            let over = overlap(a, b);
            if over > 0 && over * 2 >= short && long <= 4 * short + 12 {
                best = f64::max(best, over as f64 / (short + long - over) as f64);
            }
        }
    }
    best
}

/// True if a place is the right one: it has half of either, and is not much longer, unless the
/// right one may be of any length (`wide`).
pub fn is_hit(found: Chars, right: Chars, wide: bool) -> bool {
    let is_long = len(found) > (4 * len(right)).max(len(right) + 40);
    (wide || !is_long) && overlap(found, right) * 2 >= len(found).min(len(right))
}

fn len(a: Chars) -> usize {
    a.1 - a.0
}

fn overlap(a: Chars, b: Chars) -> usize {
    a.1.min(b.1).saturating_sub(a.0.max(b.0))
}
