//! Equal values that many documents have in memory only once: the same few lists of evidence stand
//! at most segments and links, and the same works are cited everywhere.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use ecow::EcoString;
use rustc_hash::FxHashSet;

use crate::model::{Document, Evidence, Reading, SharedList};

/// What the documents of a stage may share.
#[derive(Debug, Default)]
pub struct Sharing(Mutex<SharedValues>);

#[derive(Debug, Default)]
struct SharedValues {
    evidence: FxHashSet<SharedList<Evidence>>,
    works: FxHashSet<EcoString>,
}

impl Sharing {
    /// Lets a document share what others have too. Its lists that it shares as a whole are left as
    /// they are.
    pub fn share(&self, document: &mut Document) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for segment in document.segments.unshared().into_iter().flatten() {
            shared.evidence(&mut segment.evidence);
        }
        for Reading { evidence, .. } in document.readings.unshared().into_iter().flatten() {
            shared.evidence(evidence);
        }
        for entry in document.apparatus.unshared().into_iter().flatten() {
            shared.evidence(&mut entry.evidence);
        }
        for link in document.links.unshared().into_iter().flatten() {
            shared.evidence(&mut link.evidence);
            link.alternatives.shrink_to_fit();
            link.work.iter_mut().for_each(|work| one_of(work, &mut shared.works));
        }
    }
}

impl SharedValues {
    fn evidence(&mut self, list: &mut SharedList<Evidence>) {
        if !list.is_empty() {
            list.shrink_to_fit();
            one_of(list, &mut self.evidence);
        }
    }
}

/// Replaces a value by the equal one among those that are known, or makes it known.
fn one_of<T: Clone + Eq + Hash>(value: &mut T, known: &mut FxHashSet<T>) {
    match known.get(value) {
        Some(same) => *value = same.clone(),
        None => {
            known.insert(value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EvidenceKind, Layer};

    #[test]
    fn equal_lists_of_several_documents_are_one() {
        let sharing = Sharing::default();
        let document = |kind: EvidenceKind| {
            let mut document = Document::of_pieces(&[(Layer::Jing, "學而時習之。")]);
            document.segments[0].evidence = [Evidence::of(kind)].into();
            sharing.share(&mut document);
            document
        };
        let [a, b, c] =
            [EvidenceKind::Layout, EvidenceKind::Layout, EvidenceKind::Order].map(document);
        let list = |d: &Document| d.segments[0].evidence.as_ptr();
        assert_eq!(list(&a), list(&b));
        assert_ne!(list(&a), list(&c));
        assert_eq!(c.segments[0].evidence, [Evidence::of(EvidenceKind::Order)]);
    }
}
