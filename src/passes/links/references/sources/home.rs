//! Which work and chapter a text without a title explains: the one of the corpus that has its
//! words.

use crate::corpus::Index;
use crate::corpus::index::Indexed;
use crate::passes::links::references::prelude::*;
use std::collections::HashMap;

/// Runs of the classic that are looked up.
const SAMPLES: usize = 60;
/// Characters of each.
const SAMPLE_CHARS: usize = 7;
/// The share of them that one chapter must have.
const MIN_SHARE: f64 = 0.2;

/// What a text is: as its title has it, else as its words have it.
pub fn of(own: &Indexed, index: &Index) -> Option<Named> {
    own.named.clone().or_else(|| by_words(own, index))
}

fn by_words(own: &Indexed, index: &Index) -> Option<Named> {
    let words = own.view.base.chars();
    let step = (words.len() / SAMPLES).max(SAMPLE_CHARS);
    let mut votes: HashMap<usize, usize> = HashMap::new();
    let mut samples: u32 = 0;
    for sample in words.windows(SAMPLE_CHARS).step_by(step) {
        samples += 1;
        let hits = index.anywhere(sample, 0, 4);
        let mut entries: Vec<usize> = hits.iter().map(|(part, _)| part.entry).collect();
        entries.dedup();
        let named = |e: &usize| *e != own.number && index.entries[*e].named.is_some();
        entries.into_iter().filter(named).for_each(|e| *votes.entry(e).or_default() += 1);
    }
    let enough = |n: usize| n > 2 && n as f64 >= f64::from(samples) * MIN_SHARE;
    let order = |(e, n): &(usize, usize)| (*n, std::cmp::Reverse(*e));
    if let Some((entry, n)) = votes.iter().map(|(e, n)| (*e, *n)).max_by_key(order)
        && enough(n)
    {
        return index.entries[entry].named.clone();
    }
    // Several chapters of one work.
    let mut works: HashMap<&str, usize> = HashMap::new();
    for (entry, n) in &votes {
        let named = index.entries[*entry].named.as_ref()?;
        *works.entry(&named.work).or_default() += n;
    }
    let (work, n) = works.into_iter().max_by_key(|(work, n)| (*n, std::cmp::Reverse(*work)))?;
    enough(n).then(|| Named { work: work.to_string(), part: None, chapter: None })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{Library, Works};
    use crate::model::{Document, Layer};

    #[test]
    fn a_text_with_words_of_several_chapters_is_of_their_work() {
        let words =
            |from: u32, n: u32| (from..from + n).filter_map(char::from_u32).collect::<String>();
        let chapters = ["隱公", "桓公", "莊公", "閔公", "僖公", "文公"];
        let document = |id: &str, text: String, named: Option<&str>| {
            let mut d = Document::of_pieces(&[(Layer::Jing, &text)]);
            d.id = id.to_string();
            d.meta.work = named.map(|_| "左傳".to_string());
            d.meta.chapter = named.map(str::to_string);
            Arc::new(d)
        };
        let start = |n: usize| 0x4e00 + 200 * n as u32;
        let mut documents: Vec<_> = (0..6)
            .map(|n| document(chapters[n], words(start(n), 200), Some(chapters[n])))
            .collect();
        // So many characters of each that none of the chapters has enough of them.
        let of = |own: &str, documents: &[Arc<Document>]| {
            let library = Library { documents: documents.to_vec(), ..Library::default() };
            let index = Index::of(&library, &Works::builtin());
            super::of(index.get(own).expect("a text"), &index)
        };
        let mixed: String = (0..6).map(|n| words(start(n) + 40, 70)).collect();
        documents.push(document("mixed", mixed, None));
        let whole = Named { work: "左傳".to_string(), part: None, chapter: None };
        assert_eq!(of("mixed", &documents), Some(whole));
        documents.push(document("one", words(start(2) + 10, 150), None));
        assert_eq!(of("one", &documents).and_then(|n| n.chapter).as_deref(), Some("莊公"));
        documents.push(document("none", words(start(20), 300), None));
        assert_eq!(of("none", &documents), None);
    }
}
