//! Which of the characters that one simplified character stands for is usual in classical texts:
//! `usual.tsv`, counted in undamaged copies.
//!
//! Where one of them is hardly ever written (傢 for 家), a converted text that has it is damaged.
//! Where several are written (於 and 于), only a witness can say which was meant.

/// A character is hardly ever written if it was never counted or has at most this share of its
/// group. Some books always write what is rare elsewhere (註 for 注).
const RARE: f64 = 0.01;
/// No character is rarer than this because it was never counted.
const SELDOM: f64 = 0.5;
/// Most certain repair by the table alone.
const MOST_CERTAIN: f64 = 0.97;

/// How classical texts write a character.
pub enum Habit {
    /// Hardly ever; this one instead, with the certainty of that.
    Rare(char, f64),
    /// It, or one of these.
    Varied(Vec<char>),
}

/// All characters of the table for which there is something to repair.
pub fn habits() -> impl Iterator<Item = (char, Habit)> {
    rows().flat_map(|row| {
        let all: f64 = row.iter().map(|(_, n)| n).sum();
        let share = move |n: f64| (n + SELDOM) / (all + 2.0 * SELDOM);
        let is_rare = |n: f64| n == 0.0 || share(n) <= RARE;
        let most = row.iter().max_by(|x, y| x.1.total_cmp(&y.1)).map_or('\0', |(c, _)| *c);
        let written: Vec<char> = row.iter().filter(|r| !is_rare(r.1)).map(|r| r.0).collect();
        let habit = |(c, n): &(char, f64)| {
            if *c != most && is_rare(*n) {
                return (*c, Habit::Rare(most, (1.0 - share(*n)).min(MOST_CERTAIN)));
            }
            (*c, Habit::Varied(written.iter().copied().filter(|o| o != c).collect()))
        };
        row.iter().map(habit).collect::<Vec<_>>()
    })
}

/// The characters of each row with their counts.
fn rows() -> impl Iterator<Item = Vec<(char, f64)>> {
    include_str!("usual.tsv").lines().filter(|l| !l.starts_with('#')).map(|line| {
        let cells = line.split('\t').nth(1).unwrap_or_default().split(' ');
        let counted = |cell: &str| {
            let c = cell.chars().next()?;
            Some((c, cell[c.len_utf8()..].parse().ok()?))
        };
        cells.filter_map(counted).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_counts() {
        assert!(rows().count() > 50 && rows().all(|row| row.len() > 1));
    }
}
