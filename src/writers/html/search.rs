//! What the search of a site looks through: for each document a script that hands its words over, sentence by sentence and
//! note by note, and for the whole the table that folds variants. Scripts, since a page opened from the file system may load
//! these and nothing else.

use std::collections::BTreeSet;

use serde_json::json;

use super::places::sheet_href;
use super::{Page, layers};
use crate::corpus::{Library, Loci};
use crate::text::fold::fold;

/// Characters of the planes that fold: CJK and its extensions, compatibility ideographs, radicals.
const FOLDED: [(u32, u32); 4] = [(0x2E80, 0x2FDF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF)];

/// The script of a whole site: its name.
pub(crate) const SEARCH: &str = "index.search.js";

/// Name of a document's script.
pub(super) fn file(id: &str) -> String {
    format!("{id}.search.js")
}

impl Page<'_> {
    /// The words of all sheets: `[sheet, element, layer, locus, words]` for each element of the pages.
    pub(super) fn words_to_search(&self) -> String {
        let document = &*self.places.document;
        let loci = Loci::of(document);
        let units: Vec<_> = self
            .places
            .all
            .iter()
            .map(|p| {
                let locus = loci.name(p.span).map(|l| l.passage()).unwrap_or_default();
                let layer = document.segments[p.segment].layer.zh();
                let sheet = self.here.sheets.at(p.span.start());
                json!([sheet, self.places.id(p).to_string(), layer, locus, document.words(p.span)])
            })
            .collect();
        let files: Vec<_> = (0..self.here.sheets.len()).map(|n| sheet_href(&document.id, n)).collect();
        format!("zhushu.text({});\n", json!({ "title": document.meta.title, "files": files, "units": units }))
    }
}

/// The script of the whole: the documents' scripts, the layers, and which characters count as which.
pub(crate) fn site_script(library: &Library) -> String {
    let mut keys = BTreeSet::new();
    let mut all = BTreeSet::new();
    for document in &library.documents {
        keys.extend(document.source.text().chars().map(fold));
        all.extend(layers(document));
    }
    let ideographs = FOLDED.iter().flat_map(|(a, b)| *a..=*b).filter_map(char::from_u32);
    let pairs: String = ideographs.map(|c| (c, fold(c))).filter(|(c, k)| c != k && keys.contains(k)).flat_map(|(c, k)| [c, k]).collect();
    let files: Vec<_> = library.documents.iter().map(|d| super::places::encoded(&file(&d.id))).collect();
    let layers: Vec<_> = all.into_iter().map(|l| l.zh()).collect();
    format!("zhushu.begin({});\n", json!({ "files": files, "layers": layers, "fold": pairs }))
}
