//! Whose words units report: in the 注 of 鄭玄 those of 馬融.

use super::laid::around;
use super::{Numbers, put};
use crate::model::Document;
use crate::source::Span;
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
    /// Adds what a unit reports, which consists of some segments.
    pub(super) fn add(&mut self, unit: u32, segments: &[Span], document: &Document) {
        let reported = segments.iter().flat_map(|s| document.speakers().within(*s));
        let reported: Vec<_> = reported.collect();
        if reported.is_empty() {
            return;
        }
        let text = segments.iter().flat_map(|s| around(*s, document.marks_in(*s)));
        let key = Key::of_spans(document.source.text(), text);
        let at = |byte: usize| key.at.partition_point(|a| (*a as usize) < byte) as u32;
        for speech in reported {
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
        of_units(&self.all, units)
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
}

/// Stretches of units as numbers: the distance from the unit before, and the characters.
pub(super) fn pack(all: &[UnitSpeech], bytes: &mut Vec<u8>) {
    let mut last = 0;
    for s in all {
        [s.unit - last, s.from, s.to - s.from, s.who].iter().for_each(|n| put(bytes, (*n).into()));
        last = s.unit;
    }
}

/// What was packed.
pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<UnitSpeech>> {
    let (mut n, mut all, mut unit) = (Numbers::new(bytes), vec![], 0u32);
    while n.at() < bytes.len() {
        unit = unit.checked_add(n.next_u32()?)?;
        let from = n.next_u32()?;
        let to = from.checked_add(n.next_u32()?)?;
        all.push(UnitSpeech { unit, from, to, who: n.next_u32()? });
    }
    Some(all)
}

/// Those of some units, of a list in the order of the units.
pub(super) fn of_units(all: &[UnitSpeech], units: std::ops::Range<u32>) -> &[UnitSpeech] {
    let first = all.partition_point(|s| s.unit < units.start);
    let last = all.partition_point(|s| s.unit < units.end);
    &all[first..last]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::{Certainty, Layer, SharedList, Speech};
    use crate::search::units::extract;

    #[test]
    fn speeches_are_found_by_the_characters_of_their_units() {
        let pieces = [(Layer::Jing, "司徒。"), (Layer::Zhu, "官也。馬曰：“教，也。”")];
        let mut document = Document::of_pieces(&pieces);
        let start = document.source.text().find('教').unwrap();
        let (span, who) = (Span::new(start, start + "教，也。".len()), "馬融".into());
        let evidence = SharedList::default();
        document.speeches = vec![Speech { span, who, certainty: Certainty::SURE, evidence }].into();
        let found = extract(&document, &Library::default()).meta.speeches;
        assert_eq!(found.all, [UnitSpeech { unit: 1, from: 4, to: 6, who: 0 }]);
        let who = |from, to| found.who(1, from, to);
        assert_eq!((who(4, 6), who(3, 5), found.who(0, 0, 1)), (Some("馬融"), None, None));
    }
}
