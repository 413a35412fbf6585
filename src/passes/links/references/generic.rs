//! Titles that say only what sort of text is meant: 《志》 after the 漢書, 《記》 after a chapter of the 儀禮, 孔安國
//! 《傳》. They go on with the work cited just before, or are by the scholar who is named.

use super::comment::{OpenCitation, Reader};
use super::speakers::MAX_NAME_CHARS;
use crate::corpus::works::{Named, Resolved, Scholar, Tail};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::fold::fold;

/// Sorts of text, folded: treatises, records, prefaces.
const TREATISE: &str = "志";
const RECORD: &str = "記";
const PREFACE: &str = "序";
/// Works that have records and prefaces.
const WITH_RECORDS: &str = "儀禮";
const WITH_PREFACES: [&str; 2] = ["詩經", "尚書"];
/// Commentaries.
const COMMENTARIES: [&str; 4] = ["傳", "注", JIAN, "註"];
const JIAN: &str = "箋";
/// Most bytes between a citation and the title that goes on with it.
const MAX_GAP_BYTES: usize = 240;
/// Most citations before that a commentary may be on.
const MAX_OPEN: usize = 4;

/// What a title means, with the name of the text if that is another than its work and tail give.
pub struct Followed {
    /// The text.
    pub resolved: Resolved,
    /// Its name.
    pub called: Option<String>,
}

impl Reader<'_> {
    /// What a title that says only a sort of text goes on with.
    pub fn followed(&self, name: &str, title: Span) -> Option<Followed> {
        let name = folded(name);
        if COMMENTARIES.contains(&name.as_str()) {
            return self.commentary(&name, title);
        }
        let near = |o: &&OpenCitation| title.start().saturating_sub(o.end) < MAX_GAP_BYTES;
        let open = self.open.last().filter(near)?;
        let named = open.found_in.as_ref().or(open.named.as_ref())?;
        let tail = match name.as_str() {
            TREATISE if self.has_treatises(&named.work) => None,
            RECORD if named.work == WITH_RECORDS && named.chapter.is_some() => Some(Tail::Record),
            PREFACE if WITH_PREFACES.contains(&named.work.as_str()) => Some(Tail::Preface),
            _ => return None,
        };
        let is_treatise = |c: &String| c.ends_with(TREATISE);
        let chapter = named.chapter.clone().filter(|c| tail.is_some() || is_treatise(c));
        let named = Named { chapter, ..named.clone() };
        Some(Followed { resolved: Resolved { named, tail, alternatives: vec![] }, called: None })
    }

    fn has_treatises(&self, work: &str) -> bool {
        let names = self.works().work(work).map(|w| w.chapters.iter().flatten());
        names.is_some_and(|mut names| names.any(|n| n.ends_with(TREATISE)))
    }

    /// 毛《傳》, 鄭《箋》: the commentary of the scholar who is named before the title on what was cited last of
    /// the works on which that scholar wrote, else their work of that sort.
    fn commentary(&self, name: &str, title: Span) -> Option<Followed> {
        let before = &self.text()[self.span.start()..title.start()];
        // 王《注》 on the 周易 is on the passage.
        let home = self.places.work().map(|w| self.works().notes(w, None));
        if home.and_then(|n| n.chars().next()).map(fold) == before.chars().next_back().map(fold) {
            return None;
        }
        let near = |o: &&OpenCitation| title.start().saturating_sub(o.end) < MAX_GAP_BYTES;
        let mut open = self.open.iter().rev().take(MAX_OPEN).filter(near);
        let on_cited = open.find_map(|open| {
            let named = open.named.as_ref()?;
            let jian = || self.jian_on(&named.work, before, name);
            let called = self.commentary_on(&named.work, before, name).or_else(jian)?;
            let base = open.found_in.as_ref().unwrap_or(named).clone();
            let called = Some(format!("{}・{called}", base.locus()));
            let tail = Some(Tail::Commentary);
            Some(Followed {
                resolved: Resolved { named: base, tail, alternatives: vec![] },
                called,
            })
        });
        on_cited.or_else(|| {
            let work = self.scholar_before(before, None)?.work_called(name)?;
            let resolved = self.works().resolve(work, self.places.work())?;
            Some(Followed { resolved, called: None })
        })
    }

    /// The 箋 on a work where nobody is named before it: 《詩》云“…”，《箋》云. That on the work explained is on the passage.
    fn jian_on(&self, work: &str, before: &str, name: &str) -> Option<String> {
        let is_elsewhere = name == JIAN && self.places.work() != Some(work);
        let is_named = before.ends_with(is_content);
        self.notes_of_sort(work, name).filter(|_| is_elsewhere && !is_named).cloned()
    }

    /// The notes on a work whose name ends with that of a sort of commentary.
    fn notes_of_sort(&self, work: &str, name: &str) -> Option<&String> {
        self.works().work(work)?.notes.iter().find(|n| folded(n).ends_with(name))
    }

    /// What the commentary on a work is called whose author is named at the end of some text: by
    /// surname, if it is the usual one.
    fn commentary_on(&self, work: &str, before: &str, name: &str) -> Option<String> {
        let of_sort = self.notes_of_sort(work, name);
        let by = |surname: Option<char>| {
            of_sort.filter(|n| n.chars().next().map(fold) == surname.map(fold)).cloned()
        };
        by(before.chars().next_back()).or_else(|| {
            let scholar = self.scholar_before(before, Some(work))?;
            let other = scholar.wrote_on(work).then(|| scholar.notes());
            by(scholar.name.chars().next()).or(other)
        })
    }

    /// The scholar whose name ends some text, of those who wrote on a work.
    fn scholar_before(&self, before: &str, work: Option<&str>) -> Option<&Scholar> {
        let mut chars: Vec<char> = before.chars().rev().take(MAX_NAME_CHARS).map(fold).collect();
        chars.reverse();
        let usual = work.map_or("", |w| self.works().notes(w, None));
        let scholars = self.works().scholars();
        (0..chars.len()).find_map(|i| {
            let (n, _, scholar) = scholars.at(&chars[i..], work, usual)?;
            (i + n == chars.len()).then_some(scholar)
        })
    }
}

fn folded(name: &str) -> String {
    name.chars().map(fold).collect()
}
