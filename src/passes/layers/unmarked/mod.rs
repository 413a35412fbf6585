//! Separates 經 from notes in a text in which nothing marks either, by a network that has read other
//! books ([`network`](crate::network)).
//!
//! It is used only where nothing else is known: for a text that was read as a plain classic because
//! no reader saw a sign of notes, or that nothing could divide. A classic that the program knows
//! stays as it is. `--from plain` says that a text has no notes. Most texts with punctuation have
//! none, so these are first looked at in a few places.

mod chain;
mod layout;

use std::collections::VecDeque;

use crate::diag::Diagnostic;
use crate::model::thresholds::{INFERRED_AT_MOST, NEEDS_REVIEW};
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Role, Segment, SharedList};
use crate::network::Gaps;
use crate::passes::context::Context;
use crate::passes::evidence::canon::{self, CanonFilter};
use crate::passes::evidence::run::{LAYERS, Run};
use crate::source::Span;
use crate::text::{self, Key, class};
use chain::{Chain, LayerPairs};
use layout::LineLayout;

/// The code of the warning that a text was left undivided.
const LEFT_UNDIVIDED: &str = "left-undivided";
/// A shorter text is not judged.
const MIN_CHARS: usize = 300;
/// A text with punctuation is first looked at in so many places, of so many characters each; so
/// many of them must have notes.
const LOOKS: usize = 6;
const LOOK_CHARS: usize = 1024;
const MIN_LOOKS_WITH_NOTES: usize = 3;
/// The first of these places: most texts have notes in neither, and are not looked at again.
const FIRST_LOOKS: [usize; 2] = [1, 4];
/// A text has notes if the network expects at least this share of its characters in notes: where a
/// layout demands them, and elsewhere. What is not a classic has a little of a commentary.
const MIN_NOTE_SHARES: [f64; 2] = [0.05, 0.18];
/// A text of which the known classics have this share is one of them.
const CANON_SHARE: f64 = 0.5;
/// What a border costs, that few are false: where a layout demands borders, and elsewhere.
const BORDER_COSTS: [f64; 2] = [0.02, 0.2];

/// How the log odds that a border is right depend on those of its probability: slope, offset.
const CALIBRATED_PAIRS: [f64; 2] = [0.646, -0.49];
const CALIBRATED_FREE: [f64; 2] = [0.564, -0.281];
const SURE_OF_APART: f64 = 0.99;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    if !is_unmarked(document) {
        return;
    }
    let text = layer_of_text(document);
    let spans = document.of_layer(text).map(|s| s.span);
    let key = Key::of_spans(document.source.text(), spans);
    if key.len() < MIN_CHARS || is_known(&key, context.models.canon()) {
        return;
    }
    let source = document.source.text();
    if text::is_punctuated(source) && !may_have_notes(source, &key) {
        return;
    }
    let found = SeparatedLayers::of(source, &key);
    if !found.has_notes() {
        return;
    }
    // What could not be divided before is now.
    document.diagnostics.retain(|d| d.code != LEFT_UNDIVIDED);
    document.diagnostics.push(found.remark());
    apply(document, text, &key, &found);
}

/// True if nothing in the text shows its layers, and no one has said what it is.
fn is_unmarked(document: &Document) -> bool {
    let by_form = matches!(&*document.reader, "plain" | "jizhu") && !document.reader_named;
    by_form
        && !document.settled
        && document.headers.is_empty()
        && document.meta.role == Role::Witness
        && document.of_layer(Layer::Zhu).next().is_none()
}

/// True if there are notes in some places of a text, or if it is short.
fn may_have_notes(text: &str, key: &Key) -> bool {
    let each = key.len() / LOOKS;
    let has_notes = |n: &usize| {
        let from = n * each + (each - LOOK_CHARS) / 2;
        SeparatedLayers::of(text, &key.part(from..from + LOOK_CHARS)).has_notes()
    };
    if each <= LOOK_CHARS {
        return true;
    }
    let first = FIRST_LOOKS.iter().filter(|n| has_notes(n)).count();
    let others = (0..LOOKS).filter(|n| !FIRST_LOOKS.contains(n) && has_notes(n));
    first > 0 && first + others.count() >= MIN_LOOKS_WITH_NOTES
}

/// The layer of what may be classic or notes: nothing divided it, or no notes were expected.
fn layer_of_text(document: &Document) -> Layer {
    if document.reader == "plain" { Layer::Jing } else { Layer::Undivided }
}

/// True for a classic that the program knows, or a commentary on one.
fn is_known(key: &Key, filter: &CanonFilter) -> bool {
    let known = canon::known_characters(filter, &key.chars);
    known.iter().filter(|k| **k).count() as f64 >= CANON_SHARE * key.len() as f64
}

/// The runs of a text.
struct SeparatedLayers {
    runs: Vec<Run>,
    /// The probabilities of the pairs of layers before each character.
    probabilities: Vec<LayerPairs>,
    layout: LineLayout,
    /// The share of the characters that the network expects in notes.
    note_share: f64,
}

impl SeparatedLayers {
    fn of(text: &str, key: &Key) -> Self {
        let Gaps(gaps) = Gaps::of(text, key);
        let chain = Chain::of(&gaps);
        let layout = LineLayout::of(&chain, &gaps);
        let costs = layout.costs(&gaps);
        let probabilities = chain.with_costs(&costs).probabilities();
        let cost = BORDER_COSTS[usize::from(!layout.demands_borders())];
        let runs = chain::best(&probabilities, cost, &costs);
        let notes: f64 = gaps.iter().map(|g| f64::from(g.note())).sum();
        let note_share = notes / gaps.len().max(1) as f64;
        SeparatedLayers { runs, probabilities, layout, note_share }
    }

    /// True if there are both classic and notes.
    fn has_notes(&self) -> bool {
        let least = MIN_NOTE_SHARES[usize::from(!self.layout.demands_borders())];
        self.runs.len() > 1 && self.note_share >= least
    }

    /// How certain it is that this layer is at a character, and this or the other before it.
    fn certainty(&self, at: usize, label: usize, begins: bool) -> Certainty {
        let before = if begins && at > 0 { 1 - label } else { label };
        let p = self.probabilities[at][before * 2 + label];
        Certainty::new(calibrated(p, self.layout).min(INFERRED_AT_MOST))
    }

    fn remark(&self) -> Diagnostic {
        let certainty = |r: &Run| self.certainty(r.from, r.label, true).get();
        let unsure = self.runs.iter().filter(|r| certainty(r) < NEEDS_REVIEW).count();
        let message = format!(
            "nothing marks 經 and 注: a network that has read other books separated them; {unsure} \
             of {} layers begin at an uncertain place",
            self.runs.len(),
        );
        let hint = "if it is a classic without notes, read it with --from plain";
        Diagnostic::warning("by-network", None, message).hint(hint)
    }
}

/// How often borders of this probability were right in books that the network has not read, as
/// `lab/network/evaluate.py` finds it. Of those that a layout demands, all were: less is claimed.
fn calibrated(p: f64, layout: LineLayout) -> f64 {
    let [slope, offset] = match layout {
        LineLayout::Apart => return p.min(SURE_OF_APART),
        LineLayout::Pairs => CALIBRATED_PAIRS,
        LineLayout::Passages | LineLayout::Free => CALIBRATED_FREE,
    };
    let odds = (p.max(f64::EPSILON) / (1.0 - p).max(f64::EPSILON)).ln();
    1.0 / (1.0 + (-(slope * odds + offset)).exp())
}

/// Replaces the segments of the text by the runs.
fn apply(document: &mut Document, layer: Layer, key: &Key, found: &SeparatedLayers) {
    let source = document.source.clone();
    let more = found.runs.len();
    document.replace_segments(more, |_, segment, segments| match segment.layer == layer {
        true => cut(source.text(), &segment, (key, found), segments),
        false => segments.push_back(segment),
    });
    document.divide_marks();
}

/// Adds the parts of a segment that are in different runs.
fn cut(
    text: &str,
    segment: &Segment,
    (key, found): (&Key, &SeparatedLayers),
    segments: &mut VecDeque<Segment>,
) {
    let (first, end) = (key.index_at(segment.span.start()), key.index_at(segment.span.end()));
    if first >= end {
        return segments.push_back(segment.clone());
    }
    let runs = &found.runs[found.runs.partition_point(|r| r.to <= first)..];
    let mut start = segment.span.start();
    for run in runs.iter().take_while(|r| r.from < end) {
        let to = match run.to < end {
            true => opening(text, key.at[run.to] as usize, start),
            false => segment.span.end(),
        };
        let at = run.from.max(first);
        let certainty = found.certainty(at, run.label, at == run.from);
        let why = [Evidence::of(EvidenceKind::Network)];
        let evidence: SharedList<Evidence> = segment.evidence.iter().cloned().chain(why).collect();
        let layer = LAYERS[run.label];
        segments.push_back(Segment::inferred(layer, Span::new(start, to), certainty, evidence));
        start = to;
    }
}

/// Where what opens before byte `at` begins: a quote goes with what is in it.
fn opening(text: &str, at: usize, least: usize) -> usize {
    let before = &text[least..at];
    least + before.trim_end_matches(class::opens).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_or_punctuated_text_stays_as_it_is() {
        let library = crate::corpus::Library::default();
        let context = Context::new(&library);
        for text in ["道可道非常道".to_string(), "道可道，非常道。名可名，非常名。".repeat(60)]
        {
            let mut document = Document::of_pieces(&[(Layer::Jing, &text)]);
            document.reader = "plain".into();
            run(&mut document, &context);
            assert_eq!(document.segments.len(), 1);
            assert!(document.segments[0].evidence.is_empty());
        }
    }

    /// A made-up text: passages, each with its note.
    const MADE_UP: [[&str; 2]; 12] = [
        ["春水方生東風始至", "水謂澤中之水也方猶將也言冬盡而水將生也"],
        ["農夫荷鋤適彼南畝", "荷負也鋤田器也適往也南畝謂田之向陽者"],
        ["其妻饁之童子隨焉", "饁饋也野饋曰饁童子未冠者之稱饁于輒反"],
        ["日中而息飲于溪側", "息止也溪山間之水也側旁也言農夫至日中乃止而飲"],
        ["有客自遠方來問津", "津渡水處也客不知津故問之"],
        ["農夫輟耕而對曰津在山陰", "輟止也山北曰陰言津在山之北也輟丁劣反"],
        ["客謝而去不知所終", "謝辭也終猶竟也言其後不可知也"],
        ["明日復雨溪漲沒橋", "復又也漲水大貌沒謂水過其上也漲知亮反"],
        ["行者皆止旅人咨嗟", "行者謂行路之人也旅客也咨嗟歎聲也"],
        ["父老相謂曰雨其豐年之徵乎", "父老鄉里之老人也徵驗也言雨多則穀熟也"],
        ["乃斲木為舟以濟行者", "斲斫也濟渡也言以舟代橋也斲陟角反"],
        ["鄉人德之名其渡曰老農", "德猶恩也言鄉人感其恩故以名其渡也"],
    ];

    /// The layers of its parts, if this is between a passage and its note.
    fn separated(end_of_passage: &str, reader_named: bool) -> Vec<(Layer, String)> {
        let line = |[passage, note]: &[&str; 2]| format!("{passage}{end_of_passage}{note}\n");
        let text: String = MADE_UP.iter().map(line).collect();
        let lines = text
            .split_inclusive('\n')
            .flat_map(|l| [(Layer::Jing, l.trim_end()), (Layer::Blank, "\n")]);
        let mut document = Document::of_pieces(&lines.collect::<Vec<_>>());
        document.reader = "plain".into();
        document.reader_named = reader_named;
        let library = crate::corpus::Library::default();
        run(&mut document, &Context::new(&library));
        assert_eq!(document.check(), Ok(()));
        let all = document.segments.iter().filter(|s| s.layer != Layer::Blank);
        all.map(|s| (s.layer, document.slice(s.span).to_string())).collect()
    }

    #[test]
    fn passages_and_notes_are_separated_where_nothing_shows_them() {
        let made = MADE_UP.iter().flat_map(|[passage, note]| {
            [(Layer::Jing, passage.to_string()), (Layer::Zhu, note.to_string())]
        });
        let made: Vec<_> = made.collect();
        assert_eq!(separated("\n", false), made);
        let found = separated("", false);
        let right = made.iter().filter(|m| found.contains(m)).count();
        assert!(right * 2 > made.len(), "{right} of {}: {found:?}", made.len());
    }

    #[test]
    fn a_text_that_is_said_to_be_plain_is_left_alone() {
        assert!(separated("\n", true).iter().all(|(layer, _)| *layer == Layer::Jing));
    }

    #[test]
    fn an_opening_quote_goes_with_the_words_in_it() {
        let text = "曰「子";
        assert_eq!((opening(text, 6, 0), opening(text, 3, 0)), (3, 3));
    }
}
