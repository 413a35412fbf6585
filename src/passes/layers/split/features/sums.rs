//! Prefix sums: any range is counted in constant time.

/// For each place, how many of the things before it have a property.
pub fn prefix(n: usize, f: impl Fn(usize) -> bool) -> Vec<f64> {
    sums((0..n).map(f))
}

/// The same of a list.
pub fn sums(list: impl Iterator<Item = bool>) -> Vec<f64> {
    let mut sums = Vec::with_capacity(list.size_hint().0 + 1);
    sums.push(0.0);
    list.for_each(|x| sums.push(sums[sums.len() - 1] + f64::from(u8::from(x))));
    sums
}
