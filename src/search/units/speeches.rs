//! Whose words units report: in the 注 of 鄭玄 those of 馬融.

use super::{Numbers, put};
use crate::model::Document;
use crate::text::Key;

/// Characters of a unit that it reports of someone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnitSpeech {
    /// Number of the unit in its document.
    pub(crate) unit: u32,
    /// Its first character in the unit, and one past the last.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Who says them, of the names.
    pub(crate) who: u32,
}

/// All of a document, in the order of the units; of those of a unit the outer first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct UnitSpeeches {
    /// The names of the speakers.
    pub(crate) names: Vec<String>,
    pub(crate) all: Vec<UnitSpeech>,
}

impl UnitSpeeches {
    /// Adds what a unit reports. `key` has its characters.
    pub(super) fn add(&mut self, unit: u32, key: &Key, document: &Document) {
        let (Some(first), Some(last)) = (key.at.first(), key.at.last()) else { return };
        let whole = crate::source::Span::new(*first as usize, *last as usize + 1);
        let at = |byte: usize| key.at.partition_point(|a| (*a as usize) < byte) as u32;
        for speech in document.speakers().within(whole) {
            let known = self.names.iter().position(|n| *n == speech.who.as_str());
            let who = known.unwrap_or_else(|| {
                self.names.push(speech.who.to_string());
                self.names.len() - 1
            });
            let (from, to) = (at(speech.span.start()), at(speech.span.end()));
            self.all.extend((from < to).then_some(UnitSpeech { unit, from, to, who: who as u32 }));
        }
    }

    /// Those of some units.
    pub(crate) fn of(&self, units: std::ops::Range<u32>) -> &[UnitSpeech] {
        let first = self.all.partition_point(|s| s.unit < units.start);
        let last = self.all.partition_point(|s| s.unit < units.end);
        &self.all[first..last]
    }

    /// Who says all of some characters of a unit: the innermost speaker.
    pub(crate) fn who(&self, unit: u32, from: u32, to: u32) -> Option<&str> {
        let mut inner = self.of(unit..unit + 1).iter().rev();
        let speech = inner.find(|s| s.from <= from && to <= s.to)?;
        self.name(speech)
    }

    /// The name of who says something.
    pub(crate) fn name(&self, speech: &UnitSpeech) -> Option<&str> {
        self.names.get(speech.who as usize).map(String::as_str)
    }

    /// The speeches as numbers: the distance from the unit before, and the characters.
    pub(super) fn pack(&self, bytes: &mut Vec<u8>) {
        let mut last = 0;
        for s in &self.all {
            [s.unit - last, s.from, s.to - s.from, s.who]
                .iter()
                .for_each(|n| put(bytes, (*n).into()));
            last = s.unit;
        }
    }

    /// What was packed.
    pub(super) fn unpack(names: Vec<String>, bytes: &[u8]) -> Option<Self> {
        let (mut n, mut all, mut unit) = (Numbers::new(bytes), vec![], 0u32);
        while n.at() < bytes.len() {
            unit = unit.checked_add(n.next_u32()?)?;
            let from = n.next_u32()?;
            let to = from.checked_add(n.next_u32()?)?;
            all.push(UnitSpeech { unit, from, to, who: n.next_u32()? });
        }
        Some(UnitSpeeches { names, all })
    }
}
