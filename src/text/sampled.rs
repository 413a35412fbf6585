//! Some runs of characters of many texts: which of them share words is known without comparing each
//! with each.

use super::collate::seed_hashes;

/// Of the runs of characters that a text has, one in so many is looked at.
const ONE_RUN_IN: u32 = 4;

/// The runs are looked through in so many stretches, so that few are at hand at a time.
const STRETCHES: u32 = 16;

/// Runs that several texts have, as pairs of numbers, so that a folder of large books needs little
/// memory.
#[derive(Debug, Default)]
pub(crate) struct SampledRuns {
    /// How many runs each text has.
    pub(crate) counts: Vec<usize>,
    /// Each run with the number of a text that has it, in order.
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
    pub(crate) fn of(samples: &[Vec<u32>]) -> Self {
        let counts = samples.iter().map(Vec::len).collect();
        let mut runs = vec![];
        for stretch in 0..STRETCHES {
            let is_before = |of: u32| move |run: &u32| run / (u32::MAX / STRETCHES + 1) < of;
            let own = |sample: &'_ Vec<u32>| {
                sample.partition_point(is_before(stretch))
                    ..sample.partition_point(is_before(stretch + 1))
            };
            let numbered = samples.iter().zip(0u32..);
            let mut some: Vec<(u32, u32)> = numbered
                .flat_map(|(sample, n)| sample[own(sample)].iter().map(move |run| (*run, n)))
                .collect();
            some.sort_unstable();
            let of_several = some.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1);
            runs.extend(of_several.flatten().copied());
        }
        runs.shrink_to_fit();
        SampledRuns { counts, runs }
    }

    /// How many runs of the sample of one of the texts each of them has. Those that it alone has do
    /// not count.
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
