//! Answers, kept in a person's file of corrections. Each is on disk before the next question.

use std::path::{Path, PathBuf};

use super::Choice;
use crate::corpus::root_around;
use crate::corrections::anchor::AnchorText;
use crate::corrections::{Correction, file, file_of};
use crate::diag::Error;
use crate::kept::KeptFile;
use crate::source::{Source, Span};

/// A decision that was written, so that it can be undone.
#[derive(Clone, Debug)]
pub struct Decided(Vec<WrittenEntry>);

/// A correction of a decision, and what it replaced.
#[derive(Clone, Debug)]
struct WrittenEntry {
    correction: Correction,
    replaced: Vec<Correction>,
}

impl Decided {
    /// What was decided, as the file has it.
    pub fn decision(&self) -> String {
        self.0.first().map_or(String::new(), |entry| entry.correction.what.decision())
    }
}

/// An answer in a table.
pub struct RowAnswer {
    /// The number of its row.
    pub row: usize,
    /// What it decides.
    pub correction: Correction,
    /// What it says [besides](Choice::not_at).
    pub besides: Option<Correction>,
}

/// An answer of a table that contradicts a decision in the file.
pub struct AnswerConflict {
    /// The number of its row.
    pub row: usize,
    /// What the table has.
    pub answer: String,
    /// What the file has.
    pub there: String,
    /// When that was decided.
    pub when: String,
}

/// What became of the answers of a table.
#[derive(Default)]
pub struct TakenUp {
    /// How many decisions are new.
    pub added: usize,
    /// How many were in the file already.
    pub known: usize,
    /// How many of these have a note, where the file has another.
    pub other_notes: usize,
    /// If there are any, nothing was changed.
    pub conflicts: Vec<AnswerConflict>,
}

/// The answers of one person about one text.
pub struct Answers<'a> {
    /// The file of corrections.
    pub path: PathBuf,
    by: String,
    anchors: AnchorText<'a>,
    /// What is in the file, in the order of the text.
    pub corrections: Vec<Correction>,
    /// The file belonged to another user, and belongs to this one now.
    pub was_of_another: bool,
}

impl<'a> Answers<'a> {
    /// Reads the file, if it exists. `who` names one of several people's files.
    ///
    /// # Errors
    /// When it is wrong.
    pub fn open(source: &'a Source, who: Option<&str>, by: &str) -> Result<Self, Error> {
        Self::at(source, file_of(source.path(), who), by)
    }

    /// The same with any file.
    ///
    /// # Errors
    /// When it is wrong.
    pub fn at(source: &'a Source, path: PathBuf, by: &str) -> Result<Self, Error> {
        let corrections = if path.exists() { file::read(&path)? } else { vec![] };
        let anchors = AnchorText::new(source.text());
        Ok(Answers { path, by: by.to_string(), anchors, corrections, was_of_another: false })
    }

    /// The text, in which quotations can be looked for.
    pub fn anchors(&self) -> &AnchorText<'a> {
        &self.anchors
    }

    /// The text.
    pub fn source_text(&self) -> &'a str {
        self.anchors.text()
    }

    /// The correction that an answer makes.
    ///
    /// # Errors
    /// When the text around the place is repeated elsewhere word for word.
    pub fn correction(
        &self,
        choice: &Choice,
        when: &str,
        note: Option<String>,
    ) -> Result<Correction, Error> {
        let quote = self.anchors.quote(choice.span).ok_or_else(|| {
            let message = "this place cannot be quoted: the text around it is repeated elsewhere";
            Error::input(Path::new(&self.path), message)
        })?;
        let (what, by) = (choice.what.clone(), self.by.clone());
        Ok(Correction { quote, what, by, when: when.to_string(), note })
    }

    /// Takes up the answers of a table. A table is older than what the file has about a place: an
    /// answer that was not asked any more when the table was written is not in it. So a decision
    /// in the file stays as it is, and an answer that contradicts it is a conflict.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn take_up(&mut self, answers: Vec<RowAnswer>) -> Result<TakenUp, Error> {
        let mut taken = TakenUp::default();
        self.change(|all, anchors| {
            let mut entries = PlacedEntries::of(all.clone(), anchors);
            answers.into_iter().for_each(|answer| entries.take_up(answer, &mut taken));
            if taken.conflicts.is_empty() {
                *all = entries.corrections();
            }
        })?;
        Ok(taken)
    }

    /// Writes the correction that an answer makes. An earlier one of the same person and kind about
    /// the same place is replaced, or stays if it is the same; its note stays.
    ///
    /// # Errors
    /// When its place cannot be quoted, or the file cannot be written.
    pub fn decide(
        &mut self,
        asked: Span,
        choice: &Choice,
        note: Option<String>,
    ) -> Result<Decided, Error> {
        let now = now();
        let besides = choice.not_at(asked).map(|besides| self.correction(&besides, &now, None));
        let mut made = vec![self.correction(choice, &now, note)?];
        made.extend(besides.transpose()?);
        let mut written = vec![];
        self.change(|all, anchors| {
            let mut entries = PlacedEntries::of(std::mem::take(all), anchors);
            for mut correction in made {
                let replaced = entries.decide(&mut correction);
                written.push(WrittenEntry { correction, replaced });
            }
            *all = entries.corrections();
        })?;
        Ok(Decided(written))
    }

    /// Takes a decision back; what it replaced is there again.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn undo(&mut self, decided: &Decided) -> Result<(), Error> {
        self.change(|all, anchors| {
            let changed = decided.0.iter().rev().filter(|e| !e.replaced.contains(&e.correction));
            for WrittenEntry { correction, replaced } in changed {
                all.retain(|c| c != correction);
                let mut entries = PlacedEntries::of(std::mem::take(all), anchors);
                replaced.iter().for_each(|c| entries.put(c.clone()));
                *all = entries.corrections();
            }
        })
    }

    /// All decisions of the file, as it was last read or written.
    pub fn all(&self) -> &[Correction] {
        &self.corrections
    }

    /// Takes a correction away again and writes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn remove(&mut self, correction: &Correction) -> Result<(), Error> {
        self.change(|all, _| all.retain(|c| c != correction))
    }

    /// Changes the file as it is now: others may have written it since it was read.
    fn change(
        &mut self,
        change: impl FnOnce(&mut Vec<Correction>, &AnchorText<'_>),
    ) -> Result<(), Error> {
        let kept = KeptFile::lock(&self.path, &root_around(&self.path))?;
        let (old, before) = match self.path.exists() {
            true => file::read_with_text(&self.path)?,
            false => Default::default(),
        };
        let old = if old == file::TAKEN_BACK { String::new() } else { old };
        let mut all = before.clone();
        change(&mut all, &self.anchors);
        if all == before {
            self.corrections = all;
            return Ok(());
        }
        let new = file::changed(&old, &before, &all).ok_or_else(|| {
            let message =
                "entries of this form cannot be changed without losing what is around them";
            Error::input(&self.path, message).hint("write each of them as [[correction]]")
        })?;
        // An empty file is one that was lost.
        let new = if new.trim().is_empty() { file::TAKEN_BACK } else { &new };
        self.was_of_another |= kept.replace(new.as_bytes())?;
        self.corrections = all;
        Ok(())
    }

    /// The place of a correction in the text.
    pub fn place(&self, correction: &Correction) -> Option<Span> {
        self.anchors.place(&correction.quote).span()
    }
}

/// Where a correction stands in the file: in the order of the text, those without a place last.
type EntryPlace = ((usize, usize), &'static str, String);

/// Corrections with their places, in the order of the text.
struct PlacedEntries<'a, 't> {
    anchors: &'a AnchorText<'t>,
    rows: Vec<(EntryPlace, Correction)>,
}

impl<'a, 't> PlacedEntries<'a, 't> {
    fn of(all: Vec<Correction>, anchors: &'a AnchorText<'t>) -> Self {
        let rows = all.into_iter().map(|c| (place_of(anchors, &c), c)).collect();
        PlacedEntries { anchors, rows }
    }

    fn corrections(self) -> Vec<Correction> {
        self.rows.into_iter().map(|(_, c)| c).collect()
    }

    /// The numbers of those of the same person and kind about the same place.
    fn about(&self, c: &Correction) -> Vec<usize> {
        let place = place_of(self.anchors, c);
        // An entry that a person wrote may quote its place in other words.
        let is_there = |there: &EntryPlace| there.0 == place.0 && place.0.1 > 0;
        let is_same = |(there, other): &(EntryPlace, Correction)| {
            other.by == c.by
                && other.what.kind() == c.what.kind()
                && (other.quote == c.quote || is_there(there))
        };
        (0..self.rows.len()).filter(|n| is_same(&self.rows[*n])).collect()
    }

    /// Puts one in its place.
    fn put(&mut self, c: Correction) {
        let place = place_of(self.anchors, &c);
        let at = self.rows.iter().position(|(other, _)| *other > place);
        self.rows.insert(at.unwrap_or(self.rows.len()), (place, c));
    }

    /// Puts one in the place of those about the same; what these were. Afterwards it is as it is
    /// kept: one that says the same stays, and notes stay.
    fn decide(&mut self, c: &mut Correction) -> Vec<Correction> {
        let about = self.about(c);
        let there: Vec<Correction> = about.iter().map(|n| self.rows[*n].1.clone()).collect();
        let is_noted = |other: &Correction| c.note.is_none() || c.note == other.note;
        if there.iter().all(|other| other.what == c.what)
            && let Some(same) = there.iter().find(|other| is_noted(other))
        {
            *c = same.clone();
            return there;
        }
        let mut notes: Vec<String> = c.note.take().into_iter().collect();
        for note in there.iter().filter_map(|other| other.note.as_ref()) {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        c.note = (!notes.is_empty()).then(|| notes.join("\n"));
        if let [only] = &*there {
            // Comments of an entry stay with one that quotes the place in the same words.
            c.quote = only.quote.clone();
        }
        about.iter().rev().for_each(|n| _ = self.rows.remove(*n));
        self.put(c.clone());
        there
    }

    /// Takes up an answer of a table, if nothing contradicts it.
    fn take_up(&mut self, answer: RowAnswer, taken: &mut TakenUp) {
        let RowAnswer { row, correction, besides } = answer;
        let there = |n: &usize| &self.rows[*n].1;
        let otherwise = |c: &Correction| {
            let about = self.about(c);
            let other = about.iter().map(there).find(|other| other.what != c.what);
            other.map(|other| (c.what.decision(), other.clone()))
        };
        if let Some((answer, other)) =
            std::iter::once(&correction).chain(&besides).find_map(otherwise)
        {
            taken.conflicts.push(AnswerConflict {
                row,
                answer,
                there: other.what.decision(),
                when: other.when,
            });
            return;
        }
        if let Some(besides) = besides.filter(|besides| self.about(besides).is_empty()) {
            self.put(besides);
        }
        // Putting one in may have moved them.
        let about = self.about(&correction);
        let there = |n: &usize| &self.rows[*n].1;
        let Some(first) = about.first() else {
            taken.added += 1;
            return self.put(correction);
        };
        taken.known += 1;
        let is_noted = about.iter().map(there).any(|c| c.note.is_some());
        match correction.note {
            None => {}
            Some(note) if is_noted => {
                let is_there = about.iter().map(there).any(|c| c.note.as_ref() == Some(&note));
                taken.other_notes += usize::from(!is_there);
            }
            note => self.rows[*first].1.note = note,
        }
    }
}

fn place_of(anchors: &AnchorText<'_>, c: &Correction) -> EntryPlace {
    let place = anchors.place(&c.quote).span();
    let place = place.map_or((usize::MAX, 0), |span| (span.start(), span.end()));
    (place, c.what.kind(), c.when.clone())
}

/// The present moment as in RFC 3339, in UTC and to the second.
pub fn now() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    moment(since.map_or(0, |d| d.as_secs()))
}

/// A moment, in seconds since 1970, as in RFC 3339.
fn moment(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // From the 1st of March of the year 0, so that leap days end years (H. Hinnant, “chrono-
    // compatible low-level date algorithms”).
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let (hour, minute) = (second / 3600, second / 60 % 60);
    let year = era * 400 + year + carry;
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Confirmation, Layer};

    fn decided(answers: &mut Answers<'_>, choice: &Choice, note: Option<String>) -> Decided {
        answers.decide(choice.span, choice, note).unwrap()
    }

    #[test]
    fn moments_are_those_of_the_calendar() {
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(moment(1_795_390_199), "2026-11-22T23:29:59Z");
        assert_eq!(moment(4_102_444_800), "2100-01-01T00:00:00Z");
    }

    #[test]
    fn answers_are_kept_in_the_order_of_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let source = Source::from_text(&path, "二筭為純。純猶全也。耦陰陽。一純以取,實於左手。");
        let mut answers = Answers::open(&source, Some("wang"), "王").unwrap();
        let choice = |words: &str, after| {
            let from = source.text().find(words).unwrap();
            let span = Span::new(from, from + words.len());
            Choice { what: Confirmation::Cut(Layer::Jing, after), span, probability: 0.5 }
        };
        for (words, after) in [("一純", Layer::Jing), ("純猶", Layer::Zhu), ("一純", Layer::Zhu)]
        {
            decided(&mut answers, &choice(words, after), None);
        }
        let kept = file::read(&folder.path().join("a.txt.wang.review.toml")).unwrap();
        assert_eq!(kept, answers.corrections);
        let decisions: Vec<_> = kept.iter().map(|c| c.what.decision()).collect();
        assert_eq!(decisions, ["經|注", "經|注"], "the last answer about a place counts");
        answers.remove(&kept[0]).unwrap();
        assert_eq!(Answers::open(&source, Some("wang"), "王").unwrap().corrections, kept[1..]);
    }

    #[test]
    fn a_decision_is_made_again_and_its_note_and_comment_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let source = Source::from_text(&path, "二筭為純。純猶全也。耦陰陽。一純以取,實於左手。");
        let from = source.text().find("純猶").unwrap();
        let choice = |after| Choice {
            what: Confirmation::Cut(Layer::Jing, after),
            span: Span::new(from, from + "純猶".len()),
            probability: 0.5,
        };
        let mut answers = Answers::open(&source, None, "王").unwrap();
        decided(&mut answers, &choice(Layer::Zhu), None);
        let kept = || std::fs::read_to_string(&answers.path).unwrap();
        let by_hand =
            kept().replace("|注\"", "|注\" # 待考") + "note = \"\"\"看疏。\n再看。\"\"\"\n";
        std::fs::write(&answers.path, &by_hand).unwrap();
        let path = answers.path.clone();
        let kept = || std::fs::read_to_string(&path).unwrap();
        let same = decided(&mut answers, &choice(Layer::Zhu), None);
        assert_eq!(kept(), by_hand);
        answers.undo(&same).unwrap();
        assert_eq!(kept(), by_hand);
        let other = decided(&mut answers, &choice(Layer::Jing), Some("新".into()));
        let note = "新\n看疏。\n再看。";
        assert_eq!(answers.corrections[0].note.as_deref(), Some(note), "{}", kept());
        assert!(kept().starts_with("# 待考\n[[correction]]"), "{}", kept());
        answers.undo(&other).unwrap();
        assert_eq!(answers.corrections[0].note.as_deref(), Some("看疏。\n再看。"), "{}", kept());
        assert!(kept().starts_with("# 待考\n[[correction]]"), "{}", kept());
        // Two entries about one place come back as two.
        let two = format!("{by_hand}\n{}", by_hand.replace("|注", "|疏"));
        std::fs::write(&path, two).unwrap();
        let one = decided(&mut answers, &choice(Layer::Jing), None);
        assert_eq!(answers.corrections.len(), 1);
        answers.undo(&one).unwrap();
        assert_eq!(answers.corrections.len(), 2, "{}", kept());
    }

    #[test]
    fn what_others_write_meanwhile_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let words: String = ('一'..).take(400).collect();
        let source = Source::from_text(folder.path().join("a.txt"), words);
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let source = &source;
                scope.spawn(move || {
                    let by = format!("writer {writer}");
                    let mut answers = Answers::open(source, None, &by).unwrap();
                    for n in 0..5 {
                        let at = '一'.len_utf8() * (20 + 40 * n + 5 * writer);
                        let span = Span::new(at, at + 3);
                        let what = Confirmation::Cut(Layer::Jing, Layer::Zhu);
                        decided(&mut answers, &Choice { what, span, probability: 0.5 }, None);
                    }
                });
            }
        });
        assert_eq!(Answers::open(&source, None, "").unwrap().corrections.len(), 40);
    }
}
