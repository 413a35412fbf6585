//! Finds names that the source marks.

use super::HitRange;
use super::words::regions;
use crate::diag::Error;
use crate::reading::NameKind;
use crate::search::store::file::IndexFile;
use crate::search::units::IndexedName;
use crate::source::Span;
use crate::text::Key;

/// All places where a name of a kind is marked.
pub(super) fn find(
    (kind, name): (NameKind, &str),
    n: u32,
    file: &IndexFile,
    allowed: Option<&[bool]>,
) -> Result<Vec<HitRange>, Error> {
    let mut hits = vec![];
    let mut of: Option<(u32, Vec<bool>)> = None;
    for region in regions(file, allowed)? {
        let meta = file.meta(region.doc)?;
        // The names of a document are compared once.
        let called = match of.take_if(|(doc, _)| *doc == region.doc) {
            Some((_, called)) => called,
            None => meta.marked.names.iter().map(|known| is_called(known, kind, name)).collect(),
        };
        let units = file.units_in_document(region)?;
        let is_meant = |who: u32| called.get(who as usize).is_some_and(|is| *is);
        let marked = meta.marked.of(units.clone());
        for name in marked.iter().filter(|name| is_meant(name.who)) {
            let unit = file.unit(region.unit + (name.unit - units.start))?;
            let to = name.to.min(unit.unit.len);
            let start = unit.first + name.from.min(to);
            hits.push(HitRange { file: n, start, len: to - name.from.min(to) });
        }
        of = Some((region.doc, called));
    }
    hits.sort_unstable();
    hits.dedup();
    Ok(hits)
}

/// True if a query means a name: by its words, or a part of them; by an id with its authority, or
/// by the id alone.
fn is_called(IndexedName(known, words, ids): &IndexedName, kind: NameKind, value: &str) -> bool {
    // Numbers are written with and without zeros before them.
    let parts = |id: &str| {
        let (authority, id) = id.rsplit_once(':').unwrap_or(("", id));
        let bare = id.trim_start_matches('0');
        (authority.to_lowercase(), if bare.is_empty() { id } else { bare }.to_lowercase())
    };
    let asked = parts(value);
    let is_id = |id: &String| {
        let own = parts(id);
        !asked.1.is_empty() && own.1 == asked.1 && (asked.0.is_empty() || own.0 == asked.0)
    };
    let key = |words: &str| Key::of(words, Span::new(0, words.len())).chars;
    let wanted = key(value);
    let has_words = || {
        !value.contains(':')
            && !wanted.is_empty()
            && key(words).windows(wanted.len()).any(|part| *part == wanted[..])
    };
    *known == kind && (ids.iter().any(is_id) || has_words())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_called_by_words_and_by_ids() {
        let ids = vec!["cbdb:3767".to_string()];
        let name = IndexedName(NameKind::Person, "鄭玄".into(), ids);
        for value in ["鄭玄", "郑玄", "玄", "cbdb:3767", "CBDB:3767", "3767", "cbdb:0003767"] {
            assert!(is_called(&name, NameKind::Person, value), "{value}");
        }
        for value in ["鄭眾", "cbdb:376", "", "cbdb:", "鄭玄:1"] {
            assert!(!is_called(&name, NameKind::Person, value), "{value}");
        }
        assert!(!is_called(&name, NameKind::Place, "鄭玄"));
    }
}
