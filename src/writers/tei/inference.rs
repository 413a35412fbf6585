//! What is inferred: `@cert`, `@resp`, and `@ana`, which points at the taxonomies of the header.

use super::header::name;
use crate::markup::Markup;
use crate::model::{Certainty, Evidence, Status};

/// Id of a code of evidence in the header.
pub(super) fn evidence_id(code: &str) -> String {
    format!("ev-{}", name(code))
}

impl Markup<'_> {
    /// `@cert`, `@resp` and `@ana` of something inferred.
    pub(super) fn inferred(
        &mut self,
        certainty: Certainty,
        status: Option<Status>,
        evidence: &[Evidence],
    ) -> &mut Self {
        let codes = evidence.iter().map(|e| evidence_id(e.code()));
        let ids = status.iter().map(|s| s.id().to_string()).chain(codes);
        let ana: Vec<String> = ids.map(|id| format!("#{id}")).collect();
        self.attr("cert", certainty.rounded()).attr("resp", "#zhushu");
        self.maybe("ana", (!ana.is_empty()).then(|| ana.join(" ")))
    }

    /// The same for a segment or a division; nothing for what the source itself marks.
    pub(super) fn inferred_unless_stated(&mut self, certainty: Certainty, evidence: &[Evidence]) {
        if certainty != Certainty::SURE || !evidence.is_empty() {
            self.inferred(certainty, None, evidence);
        }
    }
}
