//! Names of works and chapters that are recognised without 《》.

use rustc_hash::FxHashMap;

use super::{Work, folded};

/// How a name is used without 《》.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BareName {
    /// Its characters.
    pub len: usize,
    /// The name of an office: 職 or 云 must follow; what an official says (曰) is not a citation.
    pub office: bool,
}

/// The names by their first characters, longest first.
#[derive(Debug, Default)]
pub(crate) struct BareNames {
    names: FxHashMap<char, Vec<(Vec<char>, bool)>>,
}

impl BareNames {
    pub(super) fn of(works: &[Work]) -> Self {
        let mut all = BareNames::default();
        for work in works {
            for title in &work.bare_title {
                all.add(title, false);
            }
            let titles = std::iter::once(&work.title).chain(&work.abbr);
            // 曾子曰 is more often a speech than a title.
            let titles = titles.filter(|t| t.chars().count() > 1 && !t.ends_with('子'));
            titles.for_each(|t| all.add(t, false));
            if work.said || work.offices {
                let parts = work.part.iter().flat_map(|p| &p.chapters);
                let names = work.chapters.iter().chain(parts).flatten();
                for name in names.filter(|n| n.chars().count() > 1) {
                    all.add(name, work.offices);
                    let short = work.drop.iter().filter_map(|d| name.strip_suffix(d.as_str()));
                    short
                        .filter(|s| !work.offices && s.chars().count() > 1)
                        .for_each(|s| all.add(s, false));
                }
            }
        }
        for names in all.names.values_mut() {
            names.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
            names.dedup_by(|a, b| a.0 == b.0);
        }
        all
    }

    fn add(&mut self, name: &str, office: bool) {
        let name: Vec<char> = folded(name).chars().collect();
        if let Some(first) = name.first() {
            self.names.entry(*first).or_default().push((name, office));
        }
    }

    /// The names with which `chars` (folded) begin, longest first.
    pub(crate) fn at(&self, chars: &[char]) -> impl Iterator<Item = BareName> {
        let known = chars.first().and_then(|c| self.names.get(c)).into_iter().flatten();
        known
            .filter(|(name, _)| chars.starts_with(name))
            .map(|(name, office)| BareName { len: name.len(), office: *office })
    }
}
