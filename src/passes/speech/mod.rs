//! Who speaks in notes and sub-commentary: who wrote each layer, and whose words it reports.

mod authors;
mod reported;

use crate::model::{
    Certainty, Confirmation, Confirmed, Document, Evidence, EvidenceKind, LayerKind, Speech,
};
use crate::passes::context::Context;
use crate::passes::evidence::speakers::SpeakerNames;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let works = &*context.works;
    let edition = authors::edition(document, works);
    authors::name(document, works, edition.as_ref());
    let all = |kind| document.segments.iter().any(|s| s.layer.kind() == kind);
    if !all(LayerKind::Note) && !all(LayerKind::Commentary) {
        return;
    }
    let notes = edition.as_ref().and_then(|e| authors::first_notes(document, works, e));
    let work = edition.as_ref().map(|e| e.work.as_str());
    let names = SpeakerNames::of(works, work, notes);
    let mut speeches = reported::speeches(document, &names);
    for decided in &document.confirmed {
        confirm(&mut speeches, decided);
    }
    speeches.sort_by_key(|s| (s.span.start(), std::cmp::Reverse(s.span.end())));
    document.speeches = speeches.into();
}

/// Makes what a person has decided about who says some words hold.
fn confirm(speeches: &mut Vec<Speech>, decided: &Confirmed) {
    let Confirmation::Speaker(who) = &decided.what else { return };
    let is_about = |s: &Speech| s.span.overlap(decided.span) * 2 > s.span.len();
    let old = speeches.iter().find(|s| is_about(s));
    let span = old.map_or(decided.span, |s| s.span);
    // The words that name someone are the same; references know a speaker by them.
    let is_cue = |e: &&Evidence| e.kind == EvidenceKind::Commentator;
    let cue = old.and_then(|s| s.evidence.iter().find(is_cue)?.detail.clone());
    speeches.retain(|s| !is_about(s));
    if let Some(who) = who {
        let named = Evidence { kind: EvidenceKind::Commentator, detail: cue };
        let evidence = [decided.person(), named].into();
        speeches.push(Speech { span, who: who.into(), certainty: Certainty::SURE, evidence });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::Layer;
    use crate::source::Span;

    fn passed(work: &str, byline: &str, pieces: &[(Layer, &str)]) -> Document {
        let mut document = Document::of_pieces(pieces);
        document.meta.work = Some(work.into());
        document.meta.byline = Some(byline.into()).filter(|b: &String| !b.is_empty());
        run(&mut document, &Context::new(&Library::default()));
        document.check().unwrap();
        document
    }

    fn said(document: &Document) -> Vec<String> {
        let said = document.speeches.iter();
        said.map(|s| format!("{}: {}", s.who, document.slice(s.span))).collect()
    }

    fn author(work: &str, byline: &str) -> Option<String> {
        let document = passed(work, byline, &[(Layer::Jing, "甲"), (Layer::Zhu, "乙")]);
        document.meta.by(Layer::Zhu).map(|who| who.name.clone())
    }

    #[test]
    fn words_end_with_the_quotation_mark_or_the_sentence() {
        let note = "司徒，官也。鄭司農云：“掌‘邦’“教”也。”玄謂教，所以教也。杜子春云不。是也。";
        let document = passed("周禮", "", &[(Layer::Jing, "司徒"), (Layer::Zhu, note)]);
        assert_eq!(said(&document), ["鄭眾: 掌‘邦’“教”也。", "杜子春: 不"]);
        assert_eq!(document.speakers().at("司徒司".len()), Some("鄭玄"));
    }

    #[test]
    fn words_without_punctuation_end_with_the_next_name() {
        let note = "鄭司農云掌邦教玄謂教所以教也○音教";
        let document = passed("周禮", "", &[(Layer::Jing, "司徒"), (Layer::Zhu, note)]);
        assert_eq!(said(&document), ["鄭眾: 掌邦教", "鄭玄: 教所以教也"]);
    }

    #[test]
    fn the_line_of_the_title_and_the_list_of_works_name_the_author_of_notes() {
        assert_eq!(author("禮記", ""), Some("鄭玄".into()));
        assert_eq!(author("禮記", "禮記集說 元 陳澔 撰"), Some("陳澔".into()));
        assert_eq!(author("禮記", "禮記訓纂"), None);
        assert_eq!(author("論語", ""), None);
        assert_eq!(author("論語", "論語集注"), Some("朱熹".into()));
        assert_eq!(author("論語", "论语注疏　魏 何晏集解　宋 邢昺疏"), Some("何晏".into()));
        assert_eq!(author("論語", "论语全解（宋）陈祥道撰"), Some("陳祥道".into()));
        assert_eq!(author("周易", "《周易正義》注魏·王弼等疏唐·孔穎達"), Some("王弼".into()));
        assert_eq!(author("公孫龍子", "《公孙龙子注》（清）陈澧注"), Some("陳澧".into()));
    }

    #[test]
    fn who_wrote_the_notes_tells_whom_they_cite_where_no_title_does() {
        let note = [(Layer::Jing, "有朋自遠方來"), (Layer::Zhu, "包曰同門曰朋")];
        let mut document = Document::of_pieces(&note);
        document.meta.work = Some("論語".into());
        let who = crate::model::Commentator { name: "何晏".into(), ..Default::default() };
        document.meta.layers.push((Layer::Zhu, who));
        run(&mut document, &Context::new(&Library::default()));
        assert_eq!(said(&document), ["包咸: 同門曰朋"]);
    }

    #[test]
    fn what_a_manifest_says_stays() {
        let mut document = Document::of_pieces(&[(Layer::Jing, "甲"), (Layer::Zhu, "乙")]);
        document.meta.work = Some("禮記".into());
        let who = crate::model::Commentator { name: "盧植".into(), ..Default::default() };
        document.meta.layers.push((Layer::Zhu, who));
        run(&mut document, &Context::new(&Library::default()));
        assert_eq!(document.meta.layers.len(), 1);
    }

    #[test]
    fn a_decision_about_a_speaker_holds() {
        let pieces = [(Layer::Jing, "司徒"), (Layer::Zhu, "鄭司農云：“掌教。”是也。")];
        let mut document = passed("周禮", "", &pieces);
        let span: Span = document.speeches[0].span;
        let decided = |who: Option<&str>| Confirmed {
            span,
            what: Confirmation::Speaker(who.map(Into::into)),
            by: "王".into(),
            when: "2026-11-22".into(),
        };
        document.confirmed = vec![decided(Some("馬融"))];
        run(&mut document, &Context::new(&Library::default()));
        assert_eq!(said(&document), ["馬融: 掌教。"]);
        let mut cues = document.speeches[0].evidence.iter().filter_map(|e| e.detail.as_deref());
        assert_eq!(cues.next_back(), Some("鄭司農云"));
        document.confirmed = vec![decided(None)];
        run(&mut document, &Context::new(&Library::default()));
        assert!(said(&document).is_empty());
    }
}
