//! Readings of the old recensions: 今文X作Y, 古文皆作Y, 今文曰Y, 古文無X; also several in a row.

use std::ops::Range;

use super::statement::Statement;
use super::words::{NoteRow, WordRole};
use crate::model::Difference;

/// Most characters of a word that is named.
const MAX_NAMED_CHARS: usize = 6;
/// Most characters of a recension's reading.
const MAX_READING_CHARS: usize = 14;

/// All statements of a note.
pub fn statements(row: &NoteRow) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < row.len() {
        match row.at(i, &[WordRole::Witness]) {
            Some(w) => {
                let mut s = Speaker {
                    row,
                    from: i,
                    witness: w.name,
                    out: &mut out,
                    named: None,
                    beside: None,
                };
                i = s.read(i + w.chars.len());
            }
            None => i += 1,
        }
    }
    out
}

/// The recension whose statement is being read.
struct Speaker<'a> {
    row: &'a NoteRow,
    /// Where the statement begins.
    from: usize,
    witness: &'static str,
    out: &'a mut Vec<Statement>,
    /// The word last named, to which a further reading may belong.
    named: Option<Range<usize>>,
    /// Words named next to the missing ones.
    beside: Option<Range<usize>>,
}

impl Speaker<'_> {
    /// Reads the recension's statements from `at`; returns where they end.
    fn read(&mut self, mut at: usize) -> usize {
        loop {
            at = self.skip_all(at);
            // 今文無則,下無燕: the next clause may continue, if it has such a verb and no other
            // speaker.
            let end = self.statement_end(at);
            at = self.clause(at, end);
            let goes_on = at < self.row.len() && self.goes_on(at);
            if !goes_on {
                return at.max(self.from + 1);
            }
        }
    }

    fn skip_all(&self, mut at: usize) -> usize {
        while let Some(w) = self.row.at(at, &[WordRole::All]) {
            at += w.chars.len();
        }
        at
    }

    /// End of the clause, or where another recension begins.
    fn statement_end(&self, at: usize) -> usize {
        let mut end = self.row.clause_end(at);
        // 曰:“…” and 從此以下,觚皆爲爵.
        if self.row.at(at, &[WordRole::Says]).is_some() && end == at + 1 && end < self.row.len() {
            end = self.row.clause_end(end);
        }
        let other = self.row.first(at..end, &[WordRole::Witness]).map(|(k, _)| k);
        let lacks = self.row.at(at, &[WordRole::Lacks]).is_some();
        let again = (at + 1..other.unwrap_or(end))
            .find(|k| self.row.is(*k, &['又', '曰']) || lacks && self.row.is(*k, &['下', '無']));
        other.into_iter().chain(again).min().unwrap_or(end)
    }

    /// True if the clause at `at` gives a further reading: 或爲Y, 下無Y, 又曰Y.
    fn goes_on(&self, at: usize) -> bool {
        let end = self.statement_end(at).min(at + 3);
        let is = |i: usize| self.row.at(i, &[WordRole::Is]).is_some() && i + 1 < self.row.len();
        let or = self.row.is(at, &['或']) && is(at + 1) && self.named.is_some();
        let again = self.row.is(at, &['又']) && self.row.at(at + 1, &[WordRole::Says]).is_some();
        let below = self.row.is(at, &['下']) && self.row.at(at + 1, &[WordRole::Lacks]).is_some();
        end > at && (or || again || below)
    }

    /// Reads one clause; returns where it ends.
    fn clause(&mut self, at: usize, end: usize) -> usize {
        let at = if self.row.is(at, &['下']) { at + 1 } else { at };
        if at >= end {
            return end.max(at);
        }
        if let Some(w) = self.row.at(at, &[WordRole::Lacks]) {
            self.lacks(at + w.chars.len()..end);
            return end;
        }
        if let Some(w) =
            self.row.at(at, &[WordRole::Says]).filter(|_| self.named.is_none() || at + 1 < end)
        {
            return self.says(at + w.chars.len(), end);
        }
        if let Some(w) = self.row.at(at, &[WordRole::Is]) {
            let named = self.named.clone().or_else(|| self.just_explained());
            self.push(Difference::Other, named, self.reading(at + w.chars.len(), end));
            return end;
        }
        self.pairs(at, end)
    }

    /// 引手曰厭,今文皆作揖: the last word of the clause before; 古文膱爲胾,今文或作植: the word of
    /// the statement before.
    fn just_explained(&self) -> Option<Range<usize>> {
        let key = &self.row.key;
        let index = |at: usize| key.index_at(at);
        let before =
            self.out.last().filter(|s| index(s.span.end()) == self.from).and_then(|s| s.named);
        if let Some(named) = before {
            return Some(index(named.start())..index(named.end()));
        }
        let word = self.from.checked_sub(1)?;
        (word > 0 && self.row.is(word - 1, &['曰'])).then_some(word..self.from)
    }

    /// Reads X作Y, and any further Z作W after it.
    fn pairs(&mut self, mut at: usize, end: usize) -> usize {
        while let Some((k, w)) = self
            .row
            .first(at + 1..end, &[WordRole::Is])
            .filter(|(k, _)| k - at <= MAX_NAMED_CHARS + 2)
        {
            let named = self.row.without_tail(at..k, &[WordRole::All]);
            let after = k + w.chars.len();
            let next = after + named.len();
            let more = self
                .row
                .first(next + 1..end, &[WordRole::Is])
                .is_some_and(|(m, _)| m - next <= MAX_NAMED_CHARS);
            // Without punctuation the reading is as long as the word it replaces.
            let long = end > next + 2;
            let stop = if !self.row.punctuated || more || long { next.min(end) } else { end };
            self.named = Some(named.clone());
            self.push(Difference::Other, Some(named), self.reading(after, stop));
            if stop == end {
                return end;
            }
            at = stop;
        }
        if at < end
            && let Some((k, w)) =
                self.row.first(at..end, &[WordRole::Lacks]).filter(|(k, _)| k - at <= 4)
        {
            self.beside = (k > at).then_some(at..k);
            self.lacks(k + w.chars.len()..end);
        }
        end
    }

    /// 曰Y; in 曰Y無X the words Y are next to the missing X.
    fn says(&mut self, from: usize, end: usize) -> usize {
        let lacks = self
            .row
            .first(from + 1..end, &[WordRole::Lacks])
            .filter(|(k, _)| !self.row.punctuated || k + 3 >= end);
        match lacks {
            Some((k, w)) => {
                self.beside = Some(from..k);
                self.lacks(k + w.chars.len()..end);
            }
            None => self.push(Difference::Other, None, self.reading(from, end)),
        }
        end
    }

    fn lacks(&mut self, what: Range<usize>) {
        let what = self.row.without_tail(what, &[WordRole::Judgement]);
        if (1..=MAX_READING_CHARS).contains(&what.len()) {
            self.push(Difference::Lacks, Some(what), None);
        }
    }

    /// The reading itself, without judgements on it.
    fn reading(&self, from: usize, end: usize) -> Option<Range<usize>> {
        let range =
            self.row.without_tail(from..end.min(from + MAX_READING_CHARS), &[WordRole::Judgement]);
        (!range.is_empty()).then_some(range)
    }

    fn push(
        &mut self,
        difference: Difference,
        named: Option<Range<usize>>,
        reading: Option<Range<usize>>,
    ) {
        let end = [&named, &reading].into_iter().flatten().map(|r| r.end).max();
        let Some(end) = end.filter(|_| reading.is_some() || difference == Difference::Lacks) else {
            return;
        };
        let Some(span) = self.row.span(self.from..end.max(self.from + 1)) else { return };
        let span_of = |r: Option<Range<usize>>| r.and_then(|r| self.row.span(r));
        self.out.push(Statement {
            span,
            witness: self.witness.into(),
            difference,
            named: span_of(named),
            beside: span_of(self.beside.take()),
            reading: span_of(reading),
            support: vec![],
            close: false,
        });
    }
}
