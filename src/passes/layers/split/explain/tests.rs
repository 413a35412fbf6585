//! Explanations of small texts: which passages are explained, that certainties are those of the
//! pass, and that grounds add up to the margin.

use std::sync::Arc;

use super::*;
use crate::corpus::Library;
use crate::model::Segment;
use crate::pipeline;
use crate::source::Source;

const TEXT: &str = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:雲“純猶全也”者,陰陽對合。\n\n\
一純以取,實於左手。於是言左手者,明右手取之。\n\n[疏]釋曰:此言取筭之法。\n";

/// Low enough for the small texts to have alternatives.
const MIN_PROBABILITY: f64 = 1e-6;

fn explained(text: &str, within: Option<Span>) -> (Document, Vec<ExplainedPassage>) {
    let source = Source::from_text("demo.txt", text);
    let library = pipeline::convert(source, Some("zhushu")).unwrap();
    let read = crate::readers::read(Source::from_text("demo.txt", text), Some("zhushu")).unwrap();
    let beside = Library { documents: vec![Arc::new(read.clone())], ..Library::default() };
    (
        Document::clone(&library.documents[0]),
        crate::passes::explain_cuts(
            &read,
            &Context::new(&beside),
            within.as_ref().map(std::slice::from_ref),
            MIN_PROBABILITY,
        ),
    )
}

#[test]
fn explanations_agree_with_the_decisions_of_the_pass() {
    let (document, passages) = explained(TEXT, None);
    assert_eq!(passages.len(), 2);
    for cut in passages.iter().flat_map(|p| &p.cuts) {
        let segment = &document.segments[document.segment_at(cut.span.start()).unwrap()];
        assert_eq!((segment.span.start(), segment.layer), (cut.span.start(), cut.layer));
        assert_eq!(segment.certainty, cut.certainty);
    }
    let inferred =
        document.segments.iter().filter(|s| matches!(s.layer, Layer::Jing | Layer::Zhu)).count();
    assert_eq!(passages.iter().map(|p| p.cuts.len()).sum::<usize>(), inferred);
}

#[test]
fn facts_add_up_to_grounds_and_grounds_to_the_margin() {
    let (_, passages) = explained(TEXT, None);
    let mut alternatives = 0;
    for passage in &passages {
        alternatives += passage.alternatives.len();
        for c in passage.cuts.iter().chain(&passage.alternatives) {
            let sum: f64 = c.grounds.iter().map(|g| g.weight).sum();
            assert!((sum - c.margin).abs() < 0.1, "{c:?}");
            c.grounds.iter().for_each(|g| {
                assert!((g.facts.iter().map(|f| f.weight).sum::<f64>() - g.weight).abs() < 1e-9)
            });
        }
        assert!(
            passage.cuts.iter().all(|c| c.margin >= 0.0)
                && passage.alternatives.iter().all(|c| c.margin <= 0.0)
        );
        assert!(passage.alternatives.iter().all(|r| {
            r.certainty.get() >= MIN_PROBABILITY
                && r.instead
                    .iter()
                    .all(|i| passage.cuts.iter().any(|c| (c.span.start(), c.layer) == *i))
        }));
    }
    assert!(alternatives > 0, "nothing was weighed");
}

#[test]
fn words_that_the_sub_commentary_names_or_quotes_are_found_in_the_passage() {
    let (document, passages) = explained(TEXT, None);
    let p = &passages[0];
    let words = |s: Span| document.slice(s);
    let named: Vec<_> = p
        .named
        .iter()
        .map(|n| (n.layer, words(n.span), n.from.at.map(|a| (words(a.0), a.1))))
        .collect();
    let zhu = (Layer::Zhu, "“純猶”至“陰陽”", Some(("純猶", HeaderMatch::Here)));
    assert_eq!(named, [(Layer::Jing, "“二筭為純”", Some(("二筭為純", HeaderMatch::Here))), zhu]);
    assert_eq!(p.named[1].to.as_ref().and_then(|t| t.at).map(|a| a.0.start()), TEXT.find("陰陽。"));
    assert_eq!(p.quoted.iter().map(|q| words(q.at)).collect::<Vec<_>>(), ["純猶全也"]);
    assert_eq!(p.commentary.map(|c| words(c).starts_with("“二筭為純”。注")), Some(true));
    assert!(passages[1].named.is_empty());
}

#[test]
fn a_place_selects_its_passage_or_the_one_its_sub_commentary_explains() {
    let at = |words: &str| {
        let start = TEXT.find(words).unwrap();
        explained(TEXT, Some(Span::new(start, start + words.len())))
            .1
            .iter()
            .map(|p| p.span.start())
            .collect::<Vec<_>>()
    };
    let second = TEXT.find("一純").unwrap();
    assert_eq!(at("純猶全也。耦"), [0]);
    assert_eq!(at("左手者"), [second]);
    assert_eq!(at("陰陽對合"), [0]);
    assert_eq!(at("此言取筭"), [second]);
    assert_eq!(at("。\n\n[疏]釋").len(), 1);
}

#[test]
fn a_note_has_the_testimony_of_the_witness() {
    let words = "主人坐取爵于篚降洗賓降主人辭降賓對主人坐取爵興適洗南面坐奠爵于篚下盥洗賓進東北面辭洗主人坐奠爵于篚興對賓復位當西序東面主人坐取爵實之賓席之前西北面獻賓賓西階上拜主人少退賓進受爵以復位主人阼階上拜送爵賓少退薦脯醢";
    let text = format!("{words}。純猶全也。耦陰陽。\n\n[疏]釋曰:此。\n");
    let source = Source::from_text("b.txt", format!("{words}。純猶全也。耦陰陽。"));
    let (border, end) = (words.len() + "。".len(), source.text().len());
    let mut witness = Document::new(Arc::new(source), "test");
    witness.segments = vec![
        Segment::marked(Layer::Jing, Span::new(0, border)),
        Segment::marked(Layer::Zhu, Span::new(border, end)),
    ]
    .into();
    let read = crate::readers::read(Source::from_text("a.txt", text), Some("zhushu")).unwrap();
    let documents = vec![Arc::new(read), Arc::new(witness)];
    let library = Library { documents: documents.clone(), ..Library::default() };
    let passages = crate::passes::explain_cuts(&documents[0], &Context::new(&library), None, 0.01);
    assert_eq!(passages[0].witness.as_deref(), Some("b"));
    let note = passages[0].cuts.iter().find(|c| c.layer == Layer::Zhu).unwrap();
    let testimony = note.testimony.as_ref().unwrap();
    assert_eq!((testimony.agrees, testimony.words.as_str()), (true, "ends the 經 here too"));
}
