//! What the program knows of the classics, as figures: `canon.bin` and `profile.bin`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use zhushu::books;
use zhushu::corpus::Works;
use zhushu::diag::Error;
use zhushu::model::{Document, Layer, LayerKind};
use zhushu::passes::evidence::canon::{self, GRAM_CHARS};
use zhushu::passes::known;

/// The file of the filter of some classics.
///
/// # Errors
/// If the documents have too few words to make a filter.
pub fn filter<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Result<Vec<u8>, Error> {
    let mut grams: Vec<u64> = Vec::new();
    for d in documents {
        let classic = d.segments.iter().filter(|s| matches!(s.layer, Layer::Jing | Layer::Zhuan));
        let chars: Vec<char> = classic.flat_map(|s| known::classic_key(d, s.span).chars).collect();
        grams.extend(chars.windows(GRAM_CHARS).map(canon::hash));
    }
    grams.sort_unstable();
    grams.dedup();
    canon::file_of(&grams)
        .map_err(|why| Error::request(format!("no filter can be made of these texts: {why}")))
}

/// The file of the words of chapters, learned from plain texts whose chapters are known.
pub fn profile(documents: Vec<Document>) -> Vec<u8> {
    let works = Works::builtin();
    let chapters = books::cut_all(documents.into_iter().map(Arc::new).collect(), &works);
    let named = chapters.iter().filter_map(|d| {
        let work = d.meta.work.clone()?;
        let texts = d.segments.iter().filter(|s| s.layer.kind() == LayerKind::Base);
        Some((work, d.meta.chapter.clone()?, texts.map(|s| d.slice(s.span)).collect()))
    });
    profile_of(named)
}

/// The same of chapters: work, title, text. A pattern that several chapters share names none of
/// them. `Profile::parse` says what is in the file.
fn profile_of<'a>(chapters: impl Iterator<Item = (String, String, Vec<&'a str>)>) -> Vec<u8> {
    let (mut head, mut of_pattern, mut shared) = (String::new(), HashMap::new(), HashSet::new());
    for ((work, title, texts), number) in chapters.zip(0..=u16::MAX) {
        head.push_str(&format!("{work}\t{title}\n"));
        for pattern in books::patterns(texts.iter().flat_map(|t| t.chars())) {
            if of_pattern.insert(pattern, number).is_some_and(|was| was != number) {
                shared.insert(pattern);
            }
        }
    }
    let own = of_pattern.into_iter().filter(|(pattern, _)| !shared.contains(pattern));
    let mut rows: Vec<(u16, u32)> = own.map(|(pattern, number)| (number, pattern)).collect();
    rows.sort_unstable();
    head.push('\n');
    let mut file = head.into_bytes();
    for (number, pattern) in rows {
        file.extend(pattern.to_le_bytes());
        file.extend(number.to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use zhushu::books::Profile;

    #[test]
    fn a_profile_is_read_again_and_a_shared_pattern_is_of_no_chapter() {
        // So many different characters that some of their patterns are kept.
        let text: String = ('一'..'龥').step_by(5).collect();
        let chapter = |title: &str| ("書".to_string(), title.to_string(), vec![text.as_str()]);
        let head = "書\t章\n\n".len();
        let one = profile_of([chapter("章")].into_iter());
        assert!(one.len() > head && (one.len() - head).is_multiple_of(6));
        assert!(Profile::parse(&one).is_some());
        let both = profile_of([chapter("章"), chapter("又")].into_iter());
        assert_eq!(both, "書\t章\n書\t又\n\n".as_bytes());
        assert!(Profile::parse(&both).is_some());
    }
}
