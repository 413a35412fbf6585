//! Finds 經 and 注 attached to the end of a 疏 paragraph, where a copy lost the line break.
//!
//! The last sentences of each sub-commentary are read twice: as its own text, and as classic
//! followed by commentary. The tail is cut off only if the second reading is likelier and the tail
//! has none of the words that are typical of sub-commentaries.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::passes::evidence::canon::{self, CanonFilter};
use crate::passes::evidence::models::{ALPHABET, FOLDS};
use crate::passes::evidence::run::{CLASSIC, LABELS, NOTE};
use crate::passes::evidence::scored::Scored;
use crate::passes::evidence::witness::ShuEnd;
use crate::passes::evidence::{coverage, group};
use crate::source::Span;
use crate::text::ngram::CharModel;
use crate::text::{Key, fold::fold, sentences};

/// The longest tail, in characters.
const MAX_TAIL_CHARS: usize = 90;
/// How much likelier the second reading must be, as a natural logarithm.
const MIN_TAIL_LOG_ODDS: f64 = 2.0;
/// In a text that the classics cover, so many of the first characters of a tail are theirs. Shorter
/// classic may be in words that the filter cannot find.
const OPENING_CHARS: usize = 12;
const MIN_KNOWN_CHARS: usize = 4;
/// The log odds of a tail that a witness shows.
const WITNESS_LOG_ODDS: f64 = 20.0;
/// Divides the log odds in the certainty: the models overrate them, since they take
/// characters as independent.
const LOG_ODDS_SCALE: f64 = 4.0;

/// Words of explanation in sub-commentaries, which the classic lacks.
static NEVER_IN_CLASSIC: LazyLock<Vec<char>> =
    LazyLock::new(|| "雲云此故案注經疏者明知也矣".chars().map(fold).collect());
/// The same for words that a commentary lacks.
static NEVER_IN_NOTE: LazyLock<Vec<char>> =
    LazyLock::new(|| "雲云案疏注經".chars().map(fold).collect());

/// A stretch at the end of a 疏 that reads as 經 and 注.
pub struct ShuTail {
    /// The segment that it ends.
    pub segment: usize,
    /// Its range in the source.
    pub span: Span,
    /// Characters of classic in it; 0 if a witness shows it.
    pub classic_chars: usize,
    /// How much likelier the second reading is, as a natural logarithm.
    pub log_odds: f64,
    /// The witness that shows it; none if the models do.
    pub witness: Option<String>,
}

/// Cuts the tails off their sub-commentaries, as undivided text: those that the witnesses show, and
/// those that the models find where no witness shows anything.
pub fn cut(
    document: &mut Document,
    models: &[CharModel; LABELS],
    ends: &FxHashMap<usize, ShuEnd>,
    filter: &CanonFilter,
) {
    let mut tails = find(document, models);
    tails.retain(|t| !ends.contains_key(&t.segment));
    if !tails.is_empty() && coverage::covers(filter, &group::paragraphs(document)) {
        tails.retain(|t| {
            t.classic_chars < OPENING_CHARS || opens_with_classic(document, t.span, filter)
        });
    }
    for (segment, end) in ends {
        if let ShuEnd::Sticks(byte, id) = end {
            let span = Span::new(*byte, document.segments[*segment].span.end());
            tails.push(ShuTail {
                segment: *segment,
                span,
                classic_chars: 0,
                log_odds: WITNESS_LOG_ODDS,
                witness: Some(id.clone()),
            });
        }
    }
    if !tails.is_empty() {
        tails.sort_by_key(|t| t.segment);
        cut_off(document, &tails);
    }
}

/// Cuts off tails, which are in order.
fn cut_off(document: &mut Document, tails: &[ShuTail]) {
    let more = tails.len();
    let mut tails = tails.iter().peekable();
    document.replace_segments(more, |n, segment, segments| {
        let Some(tail) = tails.next_if(|t| t.segment == n) else {
            return segments.push_back(segment);
        };
        let body = Span::new(segment.span.start(), tail.span.start());
        segments.push_back(Segment { span: body, ..segment });
        let certainty = Certainty::new(1.0 / (1.0 + (-tail.log_odds / LOG_ODDS_SCALE).exp()));
        let why = match &tail.witness {
            Some(id) => {
                Evidence::new(EvidenceKind::Witness, format!("{id} has these words as 經 and 注"))
            }
            None => Evidence::of(EvidenceKind::ReadsAsClassic),
        };
        segments.push_back(Segment::inferred(Layer::Undivided, tail.span, certainty, [why]));
    });
}

/// True if the classics have some of the first words. A 疏 that sums up what it has explained reads
/// like the classic too, but has its own words.
fn opens_with_classic(document: &Document, span: Span, filter: &CanonFilter) -> bool {
    let key = Key::of(document.source.text(), span);
    let known = canon::known_characters(filter, &key.chars);
    known.iter().take(OPENING_CHARS).filter(|k| **k).count() >= MIN_KNOWN_CHARS
}

fn find(document: &Document, models: &[CharModel; LABELS]) -> Vec<ShuTail> {
    let text = document.source.text();
    let shu = document.segments.iter().enumerate().filter(|(_, s)| s.layer == Layer::Shu);
    let subs: Vec<(usize, Key)> = shu.map(|(n, s)| (n, Key::of(text, s.span))).collect();
    let own: Vec<CharModel> = (0..FOLDS).map(|fold| learn(&subs, fold)).collect();
    let tail = |(n, (segment, key)): (usize, &(usize, Key))| {
        // Where a header follows inside the paragraph, the sub-commentary goes on.
        let ends = document.segments.get(segment + 1).is_none_or(|s| s.layer != Layer::ShuHeader);
        if ends { best_tail(document, *segment, key, &own[n % FOLDS], models) } else { None }
    };
    subs.iter().enumerate().filter_map(tail).filter(|t| t.log_odds > MIN_TAIL_LOG_ODDS).collect()
}

fn learn(subs: &[(usize, Key)], fold: usize) -> CharModel {
    let mut own = CharModel::new(ALPHABET);
    subs.iter()
        .enumerate()
        .filter(|(n, _)| n % FOLDS != fold)
        .for_each(|(_, (_, key))| own.learn(key.chars.iter().copied()));
    own
}

fn best_tail(
    document: &Document,
    segment: usize,
    key: &Key,
    own: &CharModel,
    models: &[CharModel; LABELS],
) -> Option<ShuTail> {
    let (text, span) = (document.source.text(), document.segments[segment].span);
    let cuts: Vec<(usize, usize)> = sentences(text, span)
        .into_iter()
        .skip(1)
        .map(|p| (key.index_at(p.start()), p.start()))
        .filter(|(k, byte)| {
            *k < key.len() && key.len() - k <= MAX_TAIL_CHARS && !quotes(&text[*byte..span.end()])
        })
        .collect();
    // Two characters more, so that the first of the tail are scored in their context.
    let from = cuts.first()?.0.saturating_sub(2);
    let chars = &key.chars[from..];
    let n = chars.len();
    let (own, jing, zhu) = (
        Scored::new(own, chars),
        Scored::new(&models[CLASSIC], chars),
        Scored::new(&models[NOTE], chars),
    );
    let run = |s: &Scored, a: usize, b: usize| s.body(a, b) + s.begin(a, b) + s.end(b);
    let log_odds = |a: usize, border: usize| {
        own.end(a) + run(&jing, a, border) + run(&zhu, border, n) - own.body(a, n) - own.end(n)
    };
    let has_any =
        |words: &[char], a: usize, b: usize| chars[a..b].iter().any(|c| words.contains(c));
    let pairs = cuts.iter().enumerate().flat_map(|(i, start)| {
        cuts[i + 1..].iter().map(move |border| (start.1, start.0 - from, border.0 - from))
    });
    pairs
        .filter(|&(_, a, border)| {
            !has_any(&NEVER_IN_CLASSIC, a, border) && !has_any(&NEVER_IN_NOTE, border, n)
        })
        .map(|(byte, a, border)| ShuTail {
            segment,
            span: Span::new(byte, span.end()),
            classic_chars: border - a,
            log_odds: log_odds(a, border),
            witness: None,
        })
        .max_by(|x, y| x.log_odds.total_cmp(&y.log_odds))
}

fn quotes(words: &str) -> bool {
    words.contains(['“', '”', '「', '」'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layers of a sub-commentary whose last two sentences read as classic and note, by what a
    /// witness shows of its end.
    fn layers(end: Option<fn(usize) -> ShuEnd>) -> Vec<Layer> {
        let shu = ["此甲乙之事也。", "此丙丁之事也。", "此甲丙之事也。", "此乙丁之事也。"];
        let tail = "子丑寅卯。辰巳午未。";
        let last = format!("{}{tail}", shu[3]);
        let pieces = [shu[0], shu[1], shu[2], &last].map(|words| (Layer::Shu, words));
        let mut document = Document::of_pieces(&pieces);
        let mut models = crate::passes::evidence::models::empty();
        models[CLASSIC].learn("子丑寅卯".chars());
        models[NOTE].learn("辰巳午未".chars());
        let border = document.source.text().len() - tail.len();
        let ends = end.map(|end| (3, end(border))).into_iter().collect();
        cut(&mut document, &models, &ends, &CanonFilter::of_nothing());
        document.segments.iter().map(|s| s.layer).collect()
    }

    #[test]
    fn a_tail_is_cut_where_it_reads_as_classic_unless_a_witness_shows_that_it_is_none() {
        let (kept, cut) = (vec![Layer::Shu; 4], [vec![Layer::Shu; 4], vec![Layer::Undivided]]);
        assert_eq!(layers(None), cut.concat());
        assert_eq!(layers(Some(|_| ShuEnd::Own)), kept);
        assert_eq!(layers(Some(|at| ShuEnd::Sticks(at, "b".into()))), cut.concat());
    }

    #[test]
    fn a_tail_has_no_words_of_a_sub_commentary() {
        let tail = |classic: &str, note: &str| {
            let last = format!("此乙丁之事也。{classic}{note}");
            let pieces = ["此甲乙之事也。", "此丙丁之事也。", "此甲丙之事也。", &last];
            let mut document = Document::of_pieces(&pieces.map(|words| (Layer::Shu, words)));
            let mut models = crate::passes::evidence::models::empty();
            models[CLASSIC].learn("子丑寅卯".chars());
            models[NOTE].learn("辰巳午未".chars());
            cut(&mut document, &models, &FxHashMap::default(), &CanonFilter::of_nothing());
            document.segments.iter().any(|s| s.layer == Layer::Undivided)
        };
        assert!(tail("子丑寅卯。", "辰巳午未。"));
        assert!(!tail("子丑寅卯此。", "辰巳午未。"), "此 is not in classic");
        assert!(!tail("子丑寅卯。", "辰巳疏午未。"), "疏 is not in a commentary");
        assert!(tail("子丑寅卯。", "辰巳午未此。"), "此 may be in a commentary");
        assert!(!tail("子丑寅卯。", "“辰巳午未。”"), "a quotation");
    }
}
