//! Commentators and scholars that texts name as speakers, from `persons.toml`.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::folded;
use crate::text::fold::fold;

static DATA: &str = include_str!("../persons.toml");

/// The ends of titles of notes.
const NOTES: &[&str] = &["注", "箋", "傳", "解詁", "解誼", "章句", "集解", "訓詁"];

/// One commentator or scholar.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scholar {
    /// Full name.
    pub name: String,
    /// Other names in texts.
    #[serde(default)]
    names: Vec<String>,
    /// Period or dates.
    pub period: String,
    works: Vec<ScholarWork>,
    /// What their notes are called in loci, if that is not the full name with 注.
    #[serde(default)]
    notes: Option<String>,
}

/// Which work of a scholar is meant in the commentary on a certain work.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScholarWork {
    /// The work that is explained; empty for all others.
    of: String,
    title: String,
}

impl Scholar {
    /// What their notes on any work are called in loci: 杜注, 鄭注.
    pub(crate) fn notes(&self) -> String {
        self.notes.clone().unwrap_or_else(|| format!("{}注", self.name))
    }

    /// The work of this scholar that is meant in the commentary on `home`.
    pub(crate) fn work(&self, home: Option<&str>) -> Option<&str> {
        let exact = self.works.iter().find(|w| Some(w.of.as_str()) == home);
        exact.or_else(|| self.works.iter().find(|w| w.of.is_empty())).map(|w| w.title.as_str())
    }

    /// The same; where they wrote nothing on `home`, what they wrote on one of the works that are
    /// `cited` there, before what is meant anywhere.
    pub(crate) fn work_on<'a>(
        &self,
        home: Option<&str>,
        cited: impl Iterator<Item = &'a str>,
    ) -> Option<&str> {
        let on = |work: &str| self.works.iter().find(|w| w.of == work).map(|w| w.title.as_str());
        home.and_then(on).or_else(|| cited.into_iter().find_map(on)).or_else(|| self.work(home))
    }

    /// True if none of their works is in the list.
    pub(crate) fn has_no_works(&self) -> bool {
        self.works.is_empty()
    }

    /// True if this scholar is known to have written notes on a work, and not an essay or a
    /// sub-commentary.
    pub(crate) fn has_notes_on(&self, work: &str) -> bool {
        let is_notes = |title: &str| NOTES.iter().any(|n| title.ends_with(n));
        self.works.iter().any(|w| w.of == work && is_notes(&w.title))
    }

    /// True if this scholar wrote the commentary with this name in loci (杜注).
    pub(crate) fn wrote(&self, notes: &str) -> bool {
        self.notes.as_deref() == Some(notes)
            || notes.starts_with(&self.name)
            || self.name == "鄭玄" && notes.starts_with('鄭')
    }
}

#[derive(Deserialize)]
struct ScholarFile {
    scholar: Vec<Scholar>,
}

/// All of them, by the first character of each name, longest first.
#[derive(Debug, Default)]
pub(crate) struct Scholars {
    all: Vec<Scholar>,
    names: FxHashMap<char, Vec<(Vec<char>, String, usize)>>,
}

impl Scholars {
    pub(super) fn builtin() -> Self {
        let file: ScholarFile = toml::from_str(DATA).expect("persons.toml is read by a test");
        let mut scholars = Scholars { all: file.scholar, names: FxHashMap::default() };
        for (i, s) in scholars.all.iter().enumerate() {
            for name in std::iter::once(&s.name).chain(&s.names) {
                let chars: Vec<char> = folded(name).chars().collect();
                scholars.names.entry(chars[0]).or_default().push((chars, name.clone(), i));
            }
        }
        scholars.names.values_mut().for_each(|n| n.sort_by_key(|n| std::cmp::Reverse(n.0.len())));
        scholars
    }

    /// The scholar of a surname (folded) who wrote the usual `notes` on `home`, else the only one
    /// who wrote on it.
    pub(crate) fn of_surname(&self, surname: char, home: &str, notes: &str) -> Option<&Scholar> {
        let named = |s: &&Scholar| s.name.chars().next().map(fold) == Some(surname);
        let wrote = |s: &&Scholar| s.works.iter().any(|w| w.of == home);
        let usual = self.all.iter().filter(named).find(|s| s.wrote(notes));
        let mut found = self.all.iter().filter(named).filter(wrote);
        usual.or_else(|| found.next().filter(|_| found.next().is_none()))
    }

    /// The same for a whole name (鄭玄, not 鄭氏), whatever they wrote on.
    pub(crate) fn whole_name(&self, chars: &[char]) -> Option<(usize, &str, &Scholar)> {
        let named = self.names.get(chars.first()?)?.iter();
        let mut whole = named.filter(|(name, called, i)| {
            let scholar = &self.all[*i];
            name.len() > 1
                && chars.starts_with(name)
                && *called == scholar.name
                && !scholar.works.is_empty()
        });
        whole.next().map(|(name, called, i)| (name.len(), called.as_str(), &self.all[*i]))
    }

    /// The scholar with this full name.
    pub(crate) fn named(&self, name: &str) -> Option<&Scholar> {
        self.all.iter().find(|s| s.name == name)
    }

    /// The scholars who have one of the longest names with which `chars` (folded) begin, and its
    /// length.
    pub(crate) fn called(&self, chars: &[char]) -> (usize, Vec<&Scholar>) {
        let known = chars.first().and_then(|c| self.names.get(c));
        let named = known.into_iter().flatten().filter(|(name, ..)| chars.starts_with(name));
        let n = named.clone().map(|(name, ..)| name.len()).max().unwrap_or(0);
        let longest = named.filter(|(name, ..)| name.len() == n);
        (n, longest.map(|(.., i)| &self.all[*i]).collect())
    }

    /// True if the name of a scholar begins with the first of some characters (folded).
    pub(crate) fn has(&self, chars: &[char]) -> bool {
        chars.first().is_some_and(|c| self.names.contains_key(c))
    }

    /// Names of the scholars who have the surname of this one, folded as they may be.
    pub(crate) fn namesakes(&self, name: &str) -> impl Iterator<Item = &str> {
        let surname = name.chars().next().map(fold);
        let named = move |s: &&Scholar| s.name.chars().next().map(fold) == surname;
        self.all.iter().filter(named).filter(|s| !s.has_no_works()).map(|s| s.name.as_str())
    }

    /// The scholar with whose name `chars` (folded) begin, the length of the name in characters,
    /// and the name in the file. If several share the name, the one who wrote on `home` is meant;
    /// `notes` are its usual commentaries.
    pub(crate) fn at(
        &self,
        chars: &[char],
        home: Option<&str>,
        notes: &str,
    ) -> Option<(usize, &str, &Scholar)> {
        let known = self.names.get(chars.first()?)?.iter();
        let named = known.filter(|(name, ..)| chars.starts_with(name));
        let rank = |s: &Scholar| match s.work(home) {
            _ if s.wrote(notes) => 3,
            None => 0,
            Some(_) if s.works.iter().any(|w| Some(w.of.as_str()) == home) => 2,
            Some(_) => 1,
        };
        let best = named.max_by_key(|(name, _, i)| (name.len(), rank(&self.all[*i])))?;
        let (name, called, i) = best;
        (rank(&self.all[*i]) > 0).then(|| (name.len(), called.as_str(), &self.all[*i]))
    }
}
