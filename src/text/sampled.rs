//! Some runs of characters of many texts: which of them share words is known without comparing each
//! with each.

use super::collate::seed_hashes;

/// Of the runs of characters that a text has, one in so many is looked at.
const ONE_RUN_IN: u32 = 4;

/// Some runs of texts, as pairs of numbers, so that a folder of large books needs little memory.
#[derive(Debug, Default)]
pub(crate) struct SampledRuns {
    /// How many runs each text has.
    pub(crate) counts: Vec<usize>,
    /// Each run with the number of a text, in order.
    runs: Vec<(u32, u32)>,
}

impl SampledRuns {
    /// Some of the runs of a text, each once, in order; the same ones in every text.
    pub(crate) fn sample(chars: &[char]) -> Vec<u32> {
        let mut runs: Vec<u32> =
            seed_hashes(chars).filter(|run| run.is_multiple_of(ONE_RUN_IN)).collect();
        runs.sort_unstable();
        runs.dedup();
        runs
    }

    /// Those of texts, which are numbered in this order.
    pub(crate) fn of(samples: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let mut all = SampledRuns::default();
        for (sample, n) in samples.into_iter().zip(0u32..) {
            all.counts.push(sample.len());
            all.runs.extend(sample.into_iter().map(|run| (run, n)));
        }
        all.runs.sort_unstable();
        all
    }

    /// How many runs of a sample each text has.
    pub(crate) fn shared(&self, sample: &[u32]) -> Vec<usize> {
        let mut shared = vec![0usize; self.counts.len()];
        for run in sample {
            let first = self.runs.partition_point(|known| known.0 < *run);
            let same = self.runs[first..].iter().take_while(|known| known.0 == *run);
            same.for_each(|known| shared[known.1 as usize] += 1);
        }
        shared
    }
}
