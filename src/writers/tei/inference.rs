//! What is inferred: `@cert`, `@resp`, and `@ana`, which points at the taxonomies of the header.
//! Where several things have the same three, a category has them, and only `@ana` points at it.

use std::collections::HashMap;

use super::Context;
use super::header::name;
use crate::markup::Markup;
use crate::model::{Certainty, Document, Evidence, Status, decided_by, shown};

/// Id of a code of evidence in the header.
pub(super) fn evidence_id(code: &str) -> String {
    format!("ev-{}", name(code))
}

/// Id of a person who decided something.
pub(super) fn person_id(who: &str) -> String {
    format!("by-{}", name(who))
}

/// How sure something is, who says so, and why: three attributes.
#[derive(PartialEq, Eq, Hash)]
struct Ground {
    cert: String,
    resp: String,
    ana: String,
}

impl Ground {
    fn of(certainty: Certainty, status: Option<Status>, evidence: &[Evidence]) -> Self {
        let codes = shown(evidence).map(|e| evidence_id(e.code()));
        let ids = status.iter().map(|s| s.id().to_string()).chain(codes);
        let ana: Vec<String> = ids.map(|id| format!("#{id}")).collect();
        let (cert, resp) = (certainty.rounded().to_string(), resp(decided_by(evidence)));
        Ground { cert, resp, ana: ana.join(" ") }
    }

    fn write(&self, xml: &mut Markup<'_>) {
        xml.attr("cert", &self.cert).attr("resp", &self.resp);
        xml.maybe("ana", (!self.ana.is_empty()).then_some(&self.ana));
    }
}

fn resp(who: Option<&str>) -> String {
    let person = who.filter(|who| !who.is_empty());
    format!("#{}", person.map_or("zhushu".into(), person_id))
}

/// The grounds of a document that several things have, with the numbers of their ids.
pub(super) struct Grounds(HashMap<Ground, usize>);

impl Grounds {
    pub(super) fn of(document: &Document) -> Self {
        let d = document;
        let segments = d.segments.iter().map(|x| (x.certainty, None, &x.evidence[..]));
        let divisions = d.divisions.iter().map(|x| (x.certainty, None, &x.evidence[..]));
        let stated = |x: &(Certainty, Option<Status>, &[Evidence])| {
            x.0 != Certainty::SURE || !x.2.is_empty()
        };
        let readings = d.readings.iter().map(|x| (x.certainty, None, &x.evidence[..]));
        let marks = d.supplied.iter().map(|x| {
            let evidence = std::slice::from_ref(&x.evidence);
            (x.certainty, None, evidence)
        });
        let all = segments.chain(divisions).chain(readings).chain(marks).filter(stated);
        let speeches = d.speeches.iter().map(|x| (x.certainty, None, &x.evidence[..]));
        let links = d.links.iter().map(|x| (x.certainty, Some(x.status), &x.evidence[..]));
        let entries = d.apparatus.iter().map(|x| (x.certainty, Some(x.status), &x.evidence[..]));
        let mut counts: HashMap<Ground, (usize, usize)> = HashMap::new();
        for (n, (certainty, status, evidence)) in
            all.chain(speeches).chain(links).chain(entries).enumerate()
        {
            let ground = Ground::of(certainty, status, evidence);
            counts.entry(ground).or_insert((n, 0)).1 += 1;
        }
        let mut several: Vec<_> = counts.into_iter().filter(|(_, (_, count))| *count > 1).collect();
        several.sort_unstable_by_key(|(_, (first, _))| *first);
        Grounds(several.into_iter().map(|(ground, _)| ground).zip(1..).collect())
    }

    /// The categories of the header.
    pub(super) fn write(&self, xml: &mut Markup<'_>) {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_unstable_by_key(|(_, n)| **n);
        if all.is_empty() {
            return;
        }
        xml.open("taxonomy").attr("xml:id", "grounds").line();
        for (ground, n) in all {
            xml.void("category").attr("xml:id", format_args!("q{n}"));
            ground.write(xml);
            xml.line();
        }
        xml.close().line();
    }
}

impl Context<'_> {
    /// `@cert`, `@resp` and `@ana` of something inferred, or a pointer at these.
    pub(super) fn inferred(
        &self,
        xml: &mut Markup<'_>,
        certainty: Certainty,
        status: Option<Status>,
        evidence: &[Evidence],
    ) {
        let ground = Ground::of(certainty, status, evidence);
        match self.grounds.0.get(&ground) {
            Some(n) => _ = xml.attr("ana", format_args!("#q{n}")),
            None => ground.write(xml),
        }
    }

    /// The same for a segment or a division; nothing for what the source itself marks.
    pub(super) fn inferred_unless_stated(
        &self,
        xml: &mut Markup<'_>,
        certainty: Certainty,
        evidence: &[Evidence],
    ) {
        if certainty != Certainty::SURE || !evidence.is_empty() {
            self.inferred(xml, certainty, None, evidence);
        }
    }
}

impl Markup<'_> {
    /// `@cert` and `@resp` of something that a person decided, or else the program.
    pub(super) fn inferred_by(&mut self, certainty: Certainty, who: Option<&str>) -> &mut Self {
        self.attr("cert", certainty.rounded()).attr("resp", resp(who))
    }
}
