//! What is inferred: `@cert`, `@resp`, and `@ana`, which points at the taxonomies of the header.

use super::header::name;
use crate::markup::Markup;
use crate::model::{Certainty, Evidence, Status, decided_by, shown};

/// Id of a code of evidence in the header.
pub(super) fn evidence_id(code: &str) -> String {
    format!("ev-{}", name(code))
}

/// Id of a person who decided something.
pub(super) fn person_id(who: &str) -> String {
    format!("by-{}", name(who))
}

impl Markup<'_> {
    /// `@cert`, `@resp` and `@ana` of something inferred.
    pub(super) fn inferred(
        &mut self,
        certainty: Certainty,
        status: Option<Status>,
        evidence: &[Evidence],
    ) -> &mut Self {
        let codes = shown(evidence).map(|e| evidence_id(e.code()));
        let ids = status.iter().map(|s| s.id().to_string()).chain(codes);
        let ana: Vec<String> = ids.map(|id| format!("#{id}")).collect();
        self.inferred_by(certainty, decided_by(evidence));
        self.maybe("ana", (!ana.is_empty()).then(|| ana.join(" ")))
    }

    /// `@cert` and `@resp` of something that a person decided, or else the program.
    pub(super) fn inferred_by(&mut self, certainty: Certainty, who: Option<&str>) -> &mut Self {
        let person = who.filter(|who| !who.is_empty());
        let resp = person.map_or("zhushu".into(), person_id);
        self.attr("cert", certainty.rounded()).attr("resp", format_args!("#{resp}"))
    }

    /// The same for a segment or a division; nothing for what the source itself marks.
    pub(super) fn inferred_unless_stated(&mut self, certainty: Certainty, evidence: &[Evidence]) {
        if certainty != Certainty::SURE || !evidence.is_empty() {
            self.inferred(certainty, None, evidence);
        }
    }
}
