//! What a title names: a work, a part or chapter of it, and which of its texts.

use std::sync::LazyLock;

use super::{Named, Resolved, Slot, Tail, Works, folded};
use crate::text::script::{Script, convert};

/// What may follow the name of a chapter in a title: which text of the chapter is meant.
const TAILS: &[(&str, Option<Tail>)] = &[
    ("鄭注", Some(Tail::Commentary)),
    ("序官", None),
    ("義疏", Some(Tail::Subcommentary)),
    ("記", Some(Tail::Record)),
    ("注", Some(Tail::Commentary)),
    ("註", Some(Tail::Commentary)),
    ("箋", Some(Tail::Commentary)),
    ("傳", Some(Tail::OldCommentary)),
    ("疏", Some(Tail::Subcommentary)),
    ("職文", None),
    ("職", None),
    ("文", None),
    ("經", None),
    ("篇", None),
    ("序", Some(Tail::Preface)),
    ("上", None),
    ("中", None),
    ("下", None),
    ("卦", None),
    ("之篇", None),
    ("章", None),
];

static FOLDED_TAILS: LazyLock<Vec<(String, Option<Tail>)>> =
    LazyLock::new(|| TAILS.iter().map(|(tail, what)| (folded(tail), *what)).collect());

/// True if words are only what may follow a name in a title: 經 in 儀禮・經.
pub(crate) fn ends_titles(words: &str) -> bool {
    let words = folded(words);
    FOLDED_TAILS.iter().any(|(tail, _)| *tail == words)
}

impl Works {
    /// Resolves a title as written in a text, without 《》. `home` is the work whose commentary
    /// cites: its chapters come first if a name is ambiguous. `None` if it is not a title (燕射 is a
    /// rite) or not in the file.
    pub fn resolve(&self, title: &str, home: Option<&str>) -> Option<Resolved> {
        // A copy may have another character beside or instead of one that it lacks.
        self.resolve_known(title, home).or_else(|| {
            let known: String = title.chars().filter(|c| !is_private(*c)).collect();
            (known.len() < title.len()).then(|| self.resolve_known(&known, home)).flatten()
        })
    }

    fn resolve_known(&self, title: &str, home: Option<&str>) -> Option<Resolved> {
        let parts: Vec<String> =
            title.split(is_joint).map(folded).filter(|p| !p.is_empty()).collect();
        let (first, rest) = parts.split_first()?;
        if rest.is_empty() && self.rites.contains(first) {
            return None;
        }
        if rest.is_empty()
            && let Some(sense) = self.sense(first, home)
        {
            return self
                .resolve_parts(&sense.means.split(is_joint).map(folded).collect::<Vec<_>>(), home);
        }
        let resolved =
            self.resolve_parts(&parts, home).or_else(|| self.of_a_sort(first, rest, home))?;
        Some(self.with_unlisted_chapter(resolved, title))
    }

    /// A chapter after what several works are called: 禮-喪服 is in the 儀禮, 禮-大傳 in the 禮記.
    fn of_a_sort(&self, sort: &str, rest: &[String], home: Option<&str>) -> Option<Resolved> {
        let resolved = self.resolve_parts(rest, home)?;
        let is_of_sort = folded(&resolved.named.work).contains(sort);
        (is_of_sort && resolved.named.chapter.is_some()).then_some(resolved)
    }

    /// A chapter that only the title names, of a work whose chapters are not listed: 後漢書-禮儀志.
    fn with_unlisted_chapter(&self, mut resolved: Resolved, title: &str) -> Resolved {
        let mut parts = title.split(is_joint).filter(|p| !p.is_empty());
        let Resolved { named, tail, .. } = &mut resolved;
        if let (Some(_), Some(chapter), None) = (parts.next(), parts.next(), parts.next())
            && tail.is_none()
            && named.chapter.is_none()
            && self.work(&named.work).is_some_and(|w| w.chapters.is_empty() && w.part.is_empty())
        {
            named.chapter = Some(convert(chapter.trim(), Script::Traditional).into_owned());
        }
        resolved
    }

    fn resolve_parts(&self, parts: &[String], home: Option<&str>) -> Option<Resolved> {
        let (first, rest) = parts.split_first().filter(|(first, _)| !first.is_empty())?;
        let (slots, tail, left) = self.lookup(first, home)?;
        let mut rest: Vec<String> = rest.to_vec();
        if !left.is_empty() {
            rest.insert(0, left);
        }
        let slots = self.elsewhere(first, &slots, &rest).map_or(slots, |slot| vec![slot]);
        self.descend(slots, &rest, tail)
    }

    /// Slots of a name that begins a title, with the rest of the title (周禮天官 leaves 天官).
    fn lookup(&self, name: &str, home: Option<&str>) -> Option<(Vec<Slot>, Option<Tail>, String)> {
        if let Some((slots, tail)) = self.named(name, home) {
            return Some((slots, tail, String::new()));
        }
        let cuts: Vec<usize> = name.char_indices().map(|(i, _)| i).skip(1).collect();
        cuts.into_iter().rev().find_map(|cut| {
            let works = |s: &Slot| s.chapter.is_none();
            let slots: Vec<Slot> =
                self.bare(&name[..cut], home).into_iter().filter(works).collect();
            let inner = slots.first().is_some_and(|s| self.run_on(s, &name[cut..]).is_some());
            let known = slots.first().is_some_and(|_| {
                name[..cut].chars().count() > 1 && name[cut..].chars().count() <= 6
            });
            (inner || known).then(|| (slots, None, name[cut..].to_string()))
        })
    }

    /// Parts and chapters written together: 地官鄉大夫職.
    pub(super) fn run_on(&self, slot: &Slot, names: &str) -> Option<Slot> {
        self.within(slot, names).or_else(|| {
            let cuts = names.char_indices().map(|(i, _)| i).skip(1);
            cuts.filter_map(|cut| {
                self.within(slot, &names[..cut])
                    .filter(|s| s.chapter.is_none())
                    .and_then(|s| self.within(&s, &names[cut..]))
            })
            .next()
        })
    }

    /// Slots of a whole name, if necessary without endings such as 記 or 注.
    fn named(&self, name: &str, home: Option<&str>) -> Option<(Vec<Slot>, Option<Tail>)> {
        let slots = self.bare(name, home);
        if !slots.is_empty() {
            return Some((slots, None));
        }
        let tails = TAILS.iter().zip(FOLDED_TAILS.iter());
        tails.into_iter().find_map(|((tail, what), (folded, _))| {
            let slots = self.bare(name.strip_suffix(folded.as_str())?, home);
            let tail = self.tail_in(*slots.first()?, tail, *what);
            Some((slots, tail))
        })
    }

    /// What may have this name without its work; works first, then chapters of `home`.
    fn bare(&self, name: &str, home: Option<&str>) -> Vec<Slot> {
        let mut slots: Vec<Slot> =
            self.names.get(name).into_iter().flatten().filter(|s| s.bare).copied().collect();
        slots.sort_by_key(|s| {
            (
                s.part.is_some() || s.chapter.is_some(),
                home != Some(self.works[s.work].title.as_str()),
            )
        });
        slots
    }

    fn descend(&self, slots: Vec<Slot>, rest: &[String], tail: Option<Tail>) -> Option<Resolved> {
        let mut tail = tail;
        let mut best = slots.clone();
        let mut opening = false;
        for name in rest {
            opening |= name == "序官";
            let finer: Vec<Slot> = best.iter().filter_map(|s| self.run_on(s, name)).collect();
            if finer.is_empty() {
                tail = tail
                    .or_else(|| FOLDED_TAILS.iter().find(|(t, _)| t == name).and_then(|(_, w)| *w));
            } else {
                tail = tail.or_else(|| self.tail_of(finer[0], name));
                best = finer;
            }
        }
        let named: Vec<Named> = best.iter().map(|s| self.name(s)).collect();
        if opening && named.first().is_some_and(|n| n.part.is_some()) {
            tail = Some(Tail::Opening);
        }
        let mut named = named.into_iter();
        Some(Resolved { named: named.next()?, tail, alternatives: named.collect() })
    }

    /// Which text of a chapter a name with an ending means: 鄉飲酒注 in 儀禮-鄉飲酒注.
    fn tail_of(&self, slot: Slot, name: &str) -> Option<Tail> {
        if self.names.contains_key(name) {
            return None;
        }
        let known = |t: &str| name.strip_suffix(t).is_some_and(|n| self.names.contains_key(n));
        let mut tails = TAILS.iter().zip(FOLDED_TAILS.iter());
        let ((tail, what), _) = tails.find(|(_, (folded, _))| known(folded))?;
        self.tail_in(slot, tail, *what)
    }

    /// Which text a tail means in a work: the 傳 of the 左傳 is the work itself.
    fn tail_in(&self, slot: Slot, tail: &str, what: Option<Tail>) -> Option<Tail> {
        match (tail, self.works[slot.work].title.as_str()) {
            ("傳", "儀禮") => Some(Tail::Tradition),
            ("傳", title) if title.ends_with('傳') => None,
            _ => what,
        }
    }

    /// The part or chapter called `name` inside `slot`.
    pub(super) fn within(&self, slot: &Slot, name: &str) -> Option<Slot> {
        // 國風 has no chapters of its own: those of its parts are meant.
        let is_whole = slot.part.is_none_or(|p| self.works[slot.work].part[p].chapters.is_empty());
        let inside = |name: &str| {
            let found = self.names.get(name)?;
            let fits = |s: &&Slot| {
                s.work == slot.work
                    && (s.part.is_some() || s.chapter.is_some())
                    && (is_whole || slot.part == s.part || s.chapter.is_none())
            };
            found
                .iter()
                .find(|s| fits(s) && s.part == slot.part)
                .or_else(|| found.iter().find(fits))
                .copied()
        };
        inside(name)
            .or_else(|| {
                FOLDED_TAILS.iter().find_map(|(t, _)| inside(name.strip_suffix(t.as_str())?))
            })
            .or_else(|| self.ending(slot, name))
            .or_else(|| self.beginning(slot, name))
    }

    /// The only chapter of a work whose title begins with `name`: 家語-本命 is 本命解.
    fn beginning(&self, slot: &Slot, name: &str) -> Option<Slot> {
        let work = &self.works[slot.work];
        let begins = |names: &Vec<String>| names.iter().any(|n| folded(n).starts_with(name));
        let numbered = work.chapters.iter().enumerate().filter(|_| slot.part.is_none());
        let mut found = numbered.filter(|(_, names)| begins(names)).map(|(c, _)| (None, c));
        let chapter =
            found.next().filter(|_| found.next().is_none() && name.chars().count() > 1)?;
        Some(Slot { chapter: Some(chapter), ..*slot })
    }

    /// The chapter of a part whose title ends with `name`: 天官-小臣 is 內小臣.
    fn ending(&self, slot: &Slot, name: &str) -> Option<Slot> {
        let part = slot.part?;
        let chapters = &self.works[slot.work].part[part].chapters;
        let ends = |names: &Vec<String>| names.iter().any(|n| folded(n).ends_with(name));
        let found = chapters.iter().position(ends)?;
        (name.chars().count() > 1).then_some(Slot { chapter: Some((Some(part), found)), ..*slot })
    }

    pub(super) fn name(&self, slot: &Slot) -> Named {
        let work = &self.works[slot.work];
        let chapters =
            |part: Option<usize>| part.map_or(&work.chapters, |p| &work.part[p].chapters);
        Named {
            work: work.title.clone(),
            part: slot.part.map(|p| work.part[p].title.clone()),
            chapter: slot.chapter.and_then(|(p, c)| chapters(p)[c].first().cloned()),
        }
    }
}

/// A placeholder for a character that is in no standard.
pub(super) fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}')
}

/// Separators of the parts of a title.
pub(super) fn is_joint(c: char) -> bool {
    matches!(c, '-' | '‐' | '–' | '—' | '－' | '·' | '・' | '．' | '.' | '‧' | '•' | '、')
        || c.is_whitespace()
}
