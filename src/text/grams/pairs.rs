//! Pairs of characters in order, each with its number: five bytes a pair, where a hash table takes
//! twenty.

/// Pairs in rising order.
#[derive(Clone, Debug, Default)]
pub struct SortedPairs {
    /// The first characters, each with the number of the first pair after its own.
    firsts: Vec<(char, u32)>,
    /// The second character of each pair.
    seconds: Vec<char>,
}

impl SortedPairs {
    /// Those of a list, which is in order and has each once.
    pub fn of(sorted: impl ExactSizeIterator<Item = (char, char)>) -> Self {
        let mut firsts: Vec<(char, u32)> = vec![];
        let mut seconds = Vec::with_capacity(sorted.len());
        for (a, b) in sorted {
            seconds.push(b);
            let end = seconds.len() as u32;
            match firsts.last_mut().filter(|(first, _)| *first == a) {
                Some(last) => last.1 = end,
                None => firsts.push((a, end)),
            }
        }
        SortedPairs { firsts, seconds }
    }

    /// The number of a pair.
    pub fn number(&self, a: char, b: char) -> Option<usize> {
        let n = self.firsts.binary_search_by_key(&a, |first| first.0).ok()?;
        let from = n.checked_sub(1).map_or(0, |before| self.firsts[before].1 as usize);
        let seconds = &self.seconds[from..self.firsts[n].1 as usize];
        Some(from + seconds.binary_search(&b).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_its_number() {
        let all = [('一', '一'), ('一', '二'), ('二', '一'), ('四', '五'), ('四', '六')];
        let pairs = SortedPairs::of(all.into_iter());
        for (n, (a, b)) in all.into_iter().enumerate() {
            assert_eq!(pairs.number(a, b), Some(n));
        }
        for (a, b) in [('一', '三'), ('三', '一'), ('四', '四'), ('五', '一'), ('\0', '\0')]
        {
            assert_eq!(pairs.number(a, b), None);
        }
    }
}
