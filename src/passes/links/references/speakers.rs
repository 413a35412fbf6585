//! Scholars whose words a sub-commentary reports: 熊氏云“…”, 皇氏、熊氏以爲….

use super::comment::{OpenCitation, Reader};
use super::continued::MAX_GAP_BYTES;
use super::link::draft;
use super::rules::Rule;
use super::sought::SoughtWords;
use super::titles::NOTES_ON;
use crate::corpus::view::Stream;
use crate::corpus::works::Scholar;
use crate::model::{EvidenceKind, LinkKind};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::is_content;
use crate::text::fold::fold;

/// What may be between the name and the verb.
const BETWEEN: &[char] = &[
    '等', '又', '注', '箋', '解', '並', '皆', '亦', '之', '答', '傳', '書', '論', '難', '問', '駁',
    '義', '說', '引', '音', '本', '以', '直', '但', '及',
];
/// Verbs that introduce what someone says.
const SAYS: &[char] = &['云', '雲', '曰', '言', '謂', '稱'];
/// Verbs of what someone explains by something: 褚氏以…, 皇氏用先儒之義. 沈氏亦然 is one too.
const TAKES: &[char] = &['以', '用'];
/// Most names in a row after the first.
const MAX_NAMES: usize = 6;
/// Most characters from the name to the verb.
const MAX_BETWEEN: usize = 4;
/// Citations before, on whose work a scholar may have written.
const MAX_CITED_BEFORE: usize = 2;
/// Before the name of who wrote on what was cited.
const THERE: char = '彼';
/// Most characters of a name.
pub const MAX_NAME_CHARS: usize = 4;
/// Characters before a quotation in which a speaker is looked for.
const REACH_CHARS: usize = 9;

/// Characters that may be before a surname alone.
pub const BEFORE_SURNAME: &[char] = &['故', '又', '而', '及', '案', '按', '今', '唯', '但', '是'];

/// A scholar who is named as the speaker of something.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    /// Who.
    pub scholar: &'a Scholar,
    /// The name, as the authority file writes it.
    pub called: &'a str,
    /// The name and the verb.
    pub span: Span,
}

impl<'a> Reader<'a> {
    fn scholar_at(&self, chars: &[char]) -> Option<(usize, &'a str, &'a Scholar)> {
        let home = self.places.work();
        let notes = home.map_or("", |w| self.works().notes(w, None));
        let scholars = self.works().scholars();
        let cited = || {
            let works = self.open.iter().rev().take(MAX_CITED_BEFORE);
            let mut works = works.filter_map(|o| Some(o.named.as_ref()?.work.as_str()));
            works.find_map(|w| scholars.at(chars, Some(w), self.works().notes(w, None)))
        };
        let known = scholars.has(chars);
        scholars
            .at(chars, home, notes)
            .or_else(|| (known && Rule::ScholarOnCited.on()).then(cited).flatten())
    }

    /// The scholar of a surname who is meant where `work` is explained or cited.
    fn of_surname(&self, surname: char, work: &str) -> Option<&'a Scholar> {
        let works = self.works();
        works.scholars().of_surname(surname, work, works.notes(work, None))
    }

    /// The speaker that the text at character `i` of a key names.
    pub fn speaker_at(&self, key: &Key, i: usize) -> Option<Speaker<'a>> {
        self.speaker_among(key, i, MAX_NAMES)
    }

    /// The same, with at most so many names in a row: 皇氏、熊氏以爲.
    fn speaker_among(&self, key: &Key, i: usize, names: usize) -> Option<Speaker<'a>> {
        let (n, called, scholar) = self.scholar_at(&key.chars[i..])?;
        let name = key.span(i, i + n);
        let next = |k: usize| key.chars.get(i + n + k).copied();
        let adjacent = |k: usize| {
            key.at.get(i + n + k).is_some_and(|at| *at as usize - key.end(i + n + k - 1) < 4)
        };
        let mut k = 0;
        while k <= MAX_BETWEEN && adjacent(k) {
            let c = next(k)?;
            let as_for = c == '以' && matches!(next(k + 1), Some('為'));
            let agrees = c == '然' && k > 0 && next(k - 1) == Some('亦');
            let takes =
                Rule::ScholarTakes.on() && (agrees || k == 0 && n > 1 && TAKES.contains(&c));
            if SAYS.contains(&c) || as_for || takes {
                let end = i + n + k + 1 + usize::from(as_for);
                return Some(Speaker { scholar, called, span: key.span(i, end) });
            }
            // 皇氏、熊氏以爲
            if self.scholar_at(&key.chars[i + n + k..]).is_some() {
                let more = self.speaker_among(key, i + n + k, names.checked_sub(1)?)?;
                let span = Span::new(name.start(), more.span.end());
                return Some(Speaker { scholar, called, span });
            }
            if !BETWEEN.contains(&c) {
                return None;
            }
            k += 1;
        }
        None
    }

    /// The scholar who speaks in a quotation, from the text before it.
    pub fn speaker_before(&self, lead: Span) -> Option<Speaker<'a>> {
        let text = self.slice(lead);
        let skip = text.chars().count().saturating_sub(REACH_CHARS + 4);
        let start: usize = text.chars().take(skip).map(char::len_utf8).sum();
        let key = Key::of(self.text(), Span::new(lead.start() + start, lead.end()));
        let named = (0..key.len()).find_map(|i| {
            self.speaker_at(&key, i)
                .filter(|s| !key.is_empty() && key.end(key.len() - 1) == s.span.end())
        });
        named.or_else(|| self.surname_before(&key))
    }

    /// True if the author of the usual notes on the text that is explained speaks: 杜云 in the 左傳.
    pub fn its_commentator_says(&self, lead: &str) -> bool {
        let mut last = lead.trim_end_matches([':', '：']).chars().rev().map(fold);
        let (Some('云' | '雲' | '曰'), Some(surname)) = (last.next(), last.next()) else {
            return false;
        };
        let begins = last.next().is_none_or(|c| !is_content(c) || BEFORE_SURNAME.contains(&c));
        let home = self.places.work();
        let scholar = home.and_then(|h| self.of_surname(surname, h));
        begins && scholar.is_some_and(|s| self.explains(s))
    }

    /// 庾云 for 庾蔚之: a surname alone, where one scholar of that name wrote on the work.
    fn surname_before(&self, key: &Key) -> Option<Speaker<'a>> {
        let [.., surname, verb] = key.chars[..] else { return None };
        if !Rule::SurnameAlone.on() {
            return None;
        }
        let at = key.len() - 2;
        let begins = match at.checked_sub(1) {
            Some(n) => BEFORE_SURNAME.contains(&key.chars[n]) || key.end(n) < key.at[at] as usize,
            None => true,
        };
        let home = self.places.work()?;
        let cited = self.open.iter().rev().take(MAX_CITED_BEFORE);
        let mut cited = cited.filter_map(|o| Some(o.named.as_ref()?.work.as_str()));
        let here = self.of_surname(surname, home).filter(|_| verb != '曰');
        let scholar = here.or_else(|| cited.find_map(|w| self.of_surname(surname, w)))?;
        let says = matches!(verb, '云' | '雲' | '曰') && key.end(at) == key.at[at + 1] as usize;
        let span = key.span(at, at + 2);
        (says && begins && !self.explains(scholar)).then(|| Speaker {
            scholar,
            called: &scholar.name,
            span,
        })
    }

    /// The speakers that a text without quotation marks names.
    pub fn speakers(&self, span: Span) -> Vec<Speaker<'a>> {
        let key = Key::of(self.text(), span);
        let mut found: Vec<Speaker<'a>> = Vec::new();
        for i in 0..key.len() {
            if found.last().is_some_and(|f| {
                key.at[i] as usize <= f.span.start() || (key.at[i] as usize) < f.span.end()
            }) {
                continue;
            }
            found.extend(self.speaker_at(&key, i));
        }
        found
    }

    /// True if a scholar wrote the notes of the text that is explained.
    pub fn explains(&self, scholar: &Scholar) -> bool {
        self.places.work().is_some_and(|w| scholar.wrote(self.works().notes(w, None)))
    }

    /// What notes are called that another scholar wrote than the usual commentary, from the text
    /// before a title (盧注《檀弓》).
    pub fn notes_by(&self, before: &str, work: &str) -> Option<String> {
        let mut chars: Vec<char> = before
            .trim_end_matches(NOTES_ON)
            .chars()
            .rev()
            .take(MAX_NAME_CHARS)
            .map(fold)
            .collect();
        chars.reverse();
        let scholars = self.works().scholars();
        let usual = self.works().notes(work, None);
        let named = (0..chars.len()).find_map(|i| {
            let (n, _, scholar) = scholars.at(&chars[i..], Some(work), usual)?;
            (i + n == chars.len()).then_some(scholar)
        });
        let surname = || self.of_surname(*chars.last()?, work);
        let scholar = named.or_else(surname)?;
        (!scholar.wrote(usual)).then(|| scholar.notes())
    }

    /// Links what a scholar says: on a text that was cited just before, if they wrote on it and not on the one that is
    /// explained.
    pub fn spoken(&mut self, speaker: Speaker<'_>, span: Span, quoted: Option<Span>) {
        let noted = self
            .noted_by(speaker.scholar, speaker.span.start())
            .filter(|_| Rule::ScholarNotesCited.on());
        let place = noted.as_ref().zip(quoted).and_then(|(noted, quoted)| {
            let source = noted.open.source(Stream::Notes, span.start())?;
            let words = SoughtWords::of(self.places.document, quoted);
            let found = self.places.cited(source, &words);
            found.filter(|_| noted.is_usual)
        });
        let work = noted.map_or_else(|| self.work_of(speaker), |noted| noted.work);
        let mut link = draft(LinkKind::Citation, span, self.layer)
            .work(Some(work))
            .found(place)
            .because(EvidenceKind::Commentator)
            .why(EvidenceKind::NotInCorpus)
            .title_only();
        if let Some(quoted) = quoted {
            link = link.quoted(quoted);
        }
        self.links.push(link.link());
    }

    /// A scholar as the source of what they say, with their work on what is explained or cited.
    fn work_of(&self, speaker: Speaker<'_>) -> String {
        let name = speaker.called;
        let cited = self.open.iter().rev().take(MAX_CITED_BEFORE);
        let cited = cited.filter_map(|o| o.named.as_ref()).map(|n| n.work.as_str());
        match speaker.scholar.work_on(self.places.work(), cited) {
            Some(work) => format!("{name}({work})"),
            None => name.to_string(),
        }
    }

    /// The notes of a scholar on what was cited just before byte `at`: 鄭玄以爲 after 《玉府》 in the 左傳. If they wrote on the
    /// text that is explained too, only after 彼, or on the last citation where nothing is between.
    fn noted_by(&self, scholar: &Scholar, at: usize) -> Option<ScholarNotes> {
        let is_between = |c: char| is_content(c) || matches!(c, '○' | '\n');
        let joined = |o: &OpenCitation| !self.text()[o.end..at].contains(is_between);
        let is_joined = self.open_just_before(at).is_some_and(|o| joined(&o));
        let there = self.text()[..at].ends_with(THERE);
        let most = if there || !is_joined { MAX_CITED_BEFORE } else { 1 };
        let there = there || is_joined;
        if !there && self.places.work().is_some_and(|work| self.notes_on(scholar, work).is_some()) {
            return None;
        }
        let near = |o: &&OpenCitation| o.end <= at && at - o.end < MAX_GAP_BYTES;
        self.open.iter().rev().take(most).filter(near).find_map(|open| {
            let named = open.named.as_ref()?;
            let (notes, is_usual) = self.notes_on(scholar, &named.work)?;
            let base = open.found_in.as_ref().unwrap_or(named).locus();
            let work = format!("{base}・{notes}");
            Some(ScholarNotes { open: open.clone(), work, is_usual })
        })
    }

    /// What the notes of a scholar on a work are called, if they wrote any, and whether they are usual ones.
    fn notes_on(&self, scholar: &Scholar, work: &str) -> Option<(String, bool)> {
        let usual = self.works().notes(work, None);
        let all = self.works().work(work).map_or(&[][..], |w| &w.notes);
        let mut all = all.iter().map(String::as_str).chain([usual]);
        match all.find(|notes| scholar.wrote(notes)) {
            Some(notes) => Some((notes.to_string(), true)),
            None => scholar.has_notes_on(work).then(|| (scholar.notes(), false)),
        }
    }
}

/// Notes that a scholar wrote on what was cited.
struct ScholarNotes {
    open: OpenCitation,
    /// What they are called.
    work: String,
    /// Whether they are the ones that texts have.
    is_usual: bool,
}
