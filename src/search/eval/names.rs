//! Finds names that the source marks.

use super::HitRange;
use super::words::regions;
use crate::diag::Error;
use crate::reading::NameKind;
use crate::search::store::file::IndexFile;

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
            None => meta.marked.names.iter().map(|known| known.is_called(kind, name)).collect(),
        };
        let units = file.units_in_document(region)?;
        let is_called = |who: u32| called.get(who as usize).is_some_and(|is| *is);
        let marked = meta.marked.of(units.clone());
        for name in marked.iter().filter(|name| is_called(name.who)) {
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
