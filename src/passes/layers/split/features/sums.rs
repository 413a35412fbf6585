//! Prefix sums: any range is counted in constant time.

/// For each place, how many of the things before it have a property.
pub fn prefix(n: usize, f: impl Fn(usize) -> bool) -> Vec<f64> {
    let mut sum = vec![0.0];
    (0..n).for_each(|k| sum.push(sum[k] + f64::from(u8::from(f(k)))));
    sum
}
