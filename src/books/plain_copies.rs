//! Texts without marks beside a plain copy of their classic: what the copy does not have is notes.
//!
//! Which text is a copy of which is found by their words alone, before titles are read: neither
//! names, nor script, nor punctuation, nor how lines are cut need agree, and a copy may have only a
//! part of the text, or the text a part of it. [`text_within`] finds the copy in the text.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::note_habits::read_like_notes;
use crate::cache::digest;
use crate::diag::Diagnostic;
use crate::guard::guarded;
use crate::memo::Memo;
use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, Layer, LayerKind, Role, Segment, SharedList,
};
use crate::source::Span;
use crate::text::class::opens;
use crate::text::sampled::SampledRuns;
use crate::text::within::{TextWithin, text_within};
use crate::text::{Key, is_punctuated};

/// Readers of texts without marks. Where they find punctuation and notes, how a text reads says
/// more than a copy of which some words may be missing.
const UNMARKED: [&str; 3] = [PLAIN, "jizhu", "flat"];
const PLAIN: &str = "plain";
/// Words of a sub-commentary: a text with several of them has three layers, which a copy does not
/// separate.
const SUBCOMMENTARY: [&str; 2] = ["正義曰", "正义曰"];
const FEW: usize = 2;
/// The share of such runs from which on a text may be a copy, and how many are tried.
const MIN_SHARED: f64 = 0.03;
const MAX_TRIED: usize = 3;
/// The share of the words of a copy that must be there: other editions have more than nine in ten.
const MIN_EQUAL: f64 = 0.85;
/// The least characters of a copy, and the most of them for each note: what a copy of which pages
/// are missing does not have are a few long stretches.
const MIN_CHARS: usize = 60;
const MAX_CHARS_PER_NOTE: usize = 1000;
const MIN_NOTES: usize = 2;
/// Notes of more characters than these, and than so many times the length that nineteen in twenty
/// have, are none.
const LONG_NOTE_CHARS: usize = 150;
const TIMES_USUAL: usize = 4;
const USUAL: (usize, usize) = (19, 20);
/// How often a border was right in 40 stretches of books that nobody had looked at, of their own
/// lines and within a line.
const AT_LINE: f64 = 0.99;
const IN_LINE: f64 = 0.96;

/// Texts that may be copies, by the runs of characters that they have.
struct TextsByRuns<'a> {
    texts: Vec<&'a Document>,
    runs: SampledRuns,
}

/// Where a text is of a copy, and where not.
#[derive(serde::Serialize, serde::Deserialize)]
struct Separated {
    segments: Vec<Segment>,
    remarks: Vec<Diagnostic>,
}

/// Separates texts without marks from their notes by copies of their classic among these texts and
/// those beside them. What the last build found is not looked for again.
pub(crate) fn separate(
    mut documents: Vec<Document>,
    beside: &[Arc<Document>],
    memo: Option<&Memo>,
) -> Vec<Document> {
    if !documents.iter().any(is_unmarked) {
        return documents;
    }
    let all = documents.iter().chain(beside.iter().map(|d| &**d));
    let all: Vec<&Document> =
        all.filter(|d| d.meta.role == Role::Witness && !has_layers(d)).collect();
    let texts = TextsByRuns::of(all);
    let one = |document: &Document| {
        let separated = || separated(document, &texts, memo);
        is_unmarked(document).then(|| guarded(separated).ok()).flatten().flatten()
    };
    let separated: Vec<Option<Separated>> = documents.par_iter().map(one).collect();
    for (document, separated) in documents.iter_mut().zip(separated) {
        if let Some(Separated { segments, remarks }) = separated {
            document.segments = segments.into();
            // Titles were looked for when every short line could be one.
            document.surveyed = false;
            document.outline.clear();
            let is_past = |code: &str| code == "notes-undivided" || code.starts_with("chapter-");
            document.diagnostics.retain(|d| !is_past(&d.code));
            document.diagnostics.extend(remarks);
        }
    }
    documents
}

/// True for a line that is of the text by its copy: no title, however short.
pub(super) fn is_of_copy(segment: &Segment) -> bool {
    segment.evidence.iter().any(|e| e.kind == EvidenceKind::PlainCopy)
}

/// True for a text that has notes as its source marks them.
fn has_layers(document: &Document) -> bool {
    let is_note = |s: &Segment| {
        matches!(s.layer.kind(), LayerKind::Note | LayerKind::Commentary) || s.layer == Layer::Label
    };
    document.segments.iter().any(is_note)
}

/// True for a text of which nothing says what is a note.
fn is_unmarked(document: &Document) -> bool {
    UNMARKED.contains(&&*document.reader)
        && match document.reader == PLAIN {
            true => !document.reader_named,
            false => !is_punctuated(document.source.text()),
        }
        && document.meta.role == Role::Witness
        && !document.settled
        && !has_layers(document)
        && SUBCOMMENTARY.iter().all(|words| document.source.text().matches(words).count() <= FEW)
}

/// True for what a copy may divide. A reader takes short lines without punctuation for titles, and
/// what is before them for a preface.
fn is_undivided(segment: &Segment) -> bool {
    match segment.layer.kind() {
        // The 傳 of the 春秋 has notes too.
        LayerKind::Base | LayerKind::Undivided => true,
        _ => {
            matches!(segment.layer, Layer::Heading | Layer::Other)
                && segment.certainty < Certainty::SURE
        }
    }
}

/// The characters of a text that a copy may have, or divide.
fn key_of(document: &Document) -> Key {
    let spans = document.segments.iter().filter(|s| is_undivided(s)).map(|s| s.span);
    Key::of_spans(document.source.text(), spans)
}

impl<'a> TextsByRuns<'a> {
    fn of(texts: Vec<&'a Document>) -> Self {
        let samples: Vec<Vec<u32>> =
            texts.par_iter().map(|d| SampledRuns::sample(&key_of(d).chars)).collect();
        TextsByRuns { texts, runs: SampledRuns::of(&samples) }
    }

    /// The other texts that share most with a text: of the runs of the one that has fewer.
    fn like(&self, document: &Document, key: &Key) -> Vec<&'a Document> {
        let own = SampledRuns::sample(&key.chars);
        let shared = self.runs.shared(&own);
        let share = |n: usize| shared[n] as f64 / own.len().min(self.runs.counts[n]).max(1) as f64;
        let is_other = |n: &usize| !std::ptr::eq(self.texts[*n], document);
        let mut tried: Vec<usize> = (0..self.texts.len()).filter(is_other).collect();
        tried.retain(|n| share(*n) >= MIN_SHARED);
        tried.sort_by(|a, b| share(*b).total_cmp(&share(*a)));
        tried.into_iter().take(MAX_TRIED).map(|n| self.texts[n]).collect()
    }
}

/// What the best copy makes of a text.
fn separated(
    document: &Document,
    texts: &TextsByRuns<'_>,
    memo: Option<&Memo>,
) -> Option<Separated> {
    let own = key_of(document);
    let copies = texts.like(document, &own);
    let copies: Vec<(&Document, Key)> =
        copies.into_iter().map(|copy| (copy, key_of(copy))).collect();
    let Some(memo) = memo.filter(|_| !copies.is_empty()) else {
        return by_best_copy(document, &own, &copies);
    };
    let of_copies: Vec<(&str, String)> =
        copies.iter().map(|(copy, key)| (&*copy.id, key.chars.iter().collect())).collect();
    let state = digest(&(document.source.text(), &document.segments, document.reader_named));
    let key = memo.key("copies", [state.as_bytes(), digest(&of_copies).as_bytes()]);
    memo.get(&key).unwrap_or_else(|| {
        let made = by_best_copy(document, &own, &copies);
        memo.put(&key, &made);
        made
    })
}

fn by_best_copy(document: &Document, own: &Key, copies: &[(&Document, Key)]) -> Option<Separated> {
    let starts = line_starts(document.source.text(), own);
    let found = copies.iter().filter_map(|(copy, key)| {
        let within = text_within(&own.chars, &starts, &key.chars, MIN_EQUAL)?;
        let is_copy = has_notes(&within) && (document.reader_named || read_like(own, &within));
        is_copy.then_some((within, copy))
    });
    let (within, copy) = found.max_by_key(|(within, _)| within.equal)?;
    let divided = Divided::of(own, &within);
    let segments = divided.segments(document, &copy.id);
    Some(Separated { segments, remarks: divided.remarks(&copy.id, &within) })
}

/// True if a text is that of a copy, with notes.
fn has_notes(within: &TextWithin) -> bool {
    let notes = within.notes().len();
    within.equal >= MIN_CHARS
        && within.equal as f64 >= MIN_EQUAL * within.part().len() as f64
        && notes >= MIN_NOTES.max(within.equal / MAX_CHARS_PER_NOTE)
}

/// True if what a copy does not have reads like notes. A copy may also lack pages, or be a
/// selection.
fn read_like(key: &Key, within: &TextWithin) -> bool {
    let is_text = |n: &usize| within.places[*n].is_some();
    let text: Vec<char> = within.range().filter(is_text).map(|n| key.chars[n]).collect();
    let notes: Vec<&[char]> = within.notes().into_iter().map(|n| &key.chars[n]).collect();
    read_like_notes(&text, &notes)
}

/// For each character of a key whether it begins a line.
fn line_starts(text: &str, key: &Key) -> Vec<bool> {
    let before = |n: usize| if n == 0 { 0 } else { key.span(n - 1, n).end() };
    (0..key.len()).map(|n| text[before(n)..key.at[n] as usize].contains('\n')).collect()
}

/// A text divided by a copy.
struct Divided<'a> {
    key: &'a Key,
    /// For each of its characters whether it is in a note; `None` where the copy says nothing.
    notes: Vec<Option<bool>>,
}

impl<'a> Divided<'a> {
    /// A note may also precede the first words of the copy, or follow the last. What is much longer
    /// than the others is none: pages of the copy may be missing.
    fn of(key: &'a Key, within: &TextWithin) -> Self {
        let mut lengths: Vec<usize> = within.notes().iter().map(Range::len).collect();
        lengths.sort_unstable();
        let usual = lengths.get(lengths.len() * USUAL.0 / USUAL.1).copied().unwrap_or_default();
        let longest = LONG_NOTE_CHARS.max(usual * TIMES_USUAL);
        let longest_between = lengths.last().copied().unwrap_or_default();
        let mut notes = Vec::with_capacity(key.len());
        for part in within.places.chunk_by(|a, b| a.is_some() == b.is_some()) {
            let is_note = part[0].is_none();
            let is_at_end = notes.is_empty() || notes.len() + part.len() == key.len();
            let longest = if is_at_end { longest.min(longest_between) } else { longest };
            let known = !is_note || part.len() <= longest;
            notes.extend(std::iter::repeat_n(known.then_some(is_note), part.len()));
        }
        Divided { key, notes }
    }

    /// What a person should know of it.
    fn remarks(&self, copy: &str, within: &TextWithin) -> Vec<Diagnostic> {
        let percent = |part: usize, of: usize| format!("{:.1}", 100.0 * part as f64 / of as f64);
        let share = percent(within.equal, within.part().len());
        let message = format!(
            "{share} % of the words of {copy} stand here; what is between them is read as notes"
        );
        let mut remarks = vec![
            Diagnostic::info("plain-copy", None, message)
                .hint("if they are not notes: --from plain, or reader = \"plain\" in a manifest"),
        ];
        let without = self.notes.iter().filter(|n| n.is_none()).count();
        if without > 0 {
            let share = percent(without, self.notes.len());
            let message = format!("{share} % of this text is not in {copy}, and stays as it was");
            let hint = "a copy that has all of it, given with --with, separates that too";
            remarks.push(Diagnostic::warning("plain-copy-lacks", None, message).hint(hint));
        }
        remarks
    }

    fn segments(&self, document: &Document, copy: &str) -> Vec<Segment> {
        let text = document.source.text();
        let evidence: SharedList<Evidence> =
            vec![Evidence::new(EvidenceKind::PlainCopy, copy.to_string())].into();
        let mut segments = vec![];
        for segment in &document.segments {
            let from = self.key.at.partition_point(|at| (*at as usize) < segment.span.start());
            let to = self.key.at.partition_point(|at| (*at as usize) < segment.span.end());
            if !is_undivided(segment) || self.stays(text, segment, from..to) {
                segments.push(segment.clone());
                continue;
            }
            let (mut at, mut n) = (segment.span.start(), from);
            for run in self.notes[from..to].chunk_by(|a, b| a == b) {
                let end = match n + run.len() {
                    next if next == to => segment.span.end(),
                    next => self.border(text, next),
                };
                let sure = Certainty::new(if n == from { AT_LINE } else { IN_LINE });
                let span = Span::new(at, end);
                segments.push(match run[0] {
                    None => Segment { span, ..segment.clone() },
                    Some(true) => Segment::inferred(Layer::Zhu, span, sure, evidence.clone()),
                    Some(false) => Segment::inferred(Layer::Jing, span, sure, evidence.clone()),
                });
                (at, n) = (end, n + run.len());
            }
        }
        segments
    }

    /// True if a segment is not divided: the copy says nothing of it, or it is a numbered title of
    /// which the copy has nothing.
    fn stays(&self, text: &str, segment: &Segment, chars: Range<usize>) -> bool {
        let notes = &self.notes[chars];
        let is_title = || super::headings::is_numbered(&text[segment.span.range()]);
        notes.iter().all(Option::is_none) || notes.iter().all(|n| *n == Some(true)) && is_title()
    }

    /// Where the character begins, with the marks that open before it.
    fn border(&self, text: &str, n: usize) -> usize {
        let (from, to) = (self.key.span(n - 1, n).end(), self.key.at[n] as usize);
        from + text[from..to].find(opens).unwrap_or(to - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::by_name;
    use crate::source::Source;

    const CLASSIC: &str = "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎\n\
        有子曰其為人也孝弟而好犯上者鮮矣不好犯上而好作亂者未之有也\n\
        君子務本本立而道生孝弟也者其為仁之本與子曰巧言令色鮮矣仁\n";

    fn document(name: &str, text: &str) -> Document {
        let read = by_name("plain").expect("the reader").read;
        Document { id: name.into(), ..read(Source::from_text(name, text)).expect("a text") }
    }

    fn pieces(d: &Document) -> Vec<(Layer, &str)> {
        let texts = d.segments.iter().filter(|s| s.layer.is_text());
        texts.map(|s| (s.layer, d.slice(s.span))).collect()
    }

    #[test]
    fn a_copy_in_another_script_and_with_other_marks_separates_the_notes() {
        let with_notes = "子曰、学而时习之，不亦说乎。时者学者以时诵习之。有朋自远方来，不亦乐乎。\
            同门曰朋。「人不知而不愠，不亦君子乎？」愠怒也凡人有所不知君子不怒\n\
            有子曰其为人也孝弟而好犯上者鲜矣鲜少也上谓凡在己上者不好犯上而好作乱者未之有也\n\
            君子务本本立而道生本基也孝弟也者其为仁之本与子曰巧言令色鲜矣仁\n";
        let texts = vec![document("a", with_notes), document("b", CLASSIC)];
        let separated = separate(texts, &[], None);
        assert_eq!(
            pieces(&separated[0]),
            [
                (Layer::Jing, "子曰、学而时习之，不亦说乎。"),
                (Layer::Zhu, "时者学者以时诵习之。"),
                (Layer::Jing, "有朋自远方来，不亦乐乎。"),
                (Layer::Zhu, "同门曰朋。"),
                (Layer::Jing, "「人不知而不愠，不亦君子乎？」"),
                (Layer::Zhu, "愠怒也凡人有所不知君子不怒"),
                (Layer::Jing, "有子曰其为人也孝弟而好犯上者鲜矣"),
                (Layer::Zhu, "鲜少也上谓凡在己上者"),
                (Layer::Jing, "不好犯上而好作乱者未之有也"),
                (Layer::Jing, "君子务本本立而道生"),
                (Layer::Zhu, "本基也"),
                (Layer::Jing, "孝弟也者其为仁之本与子曰巧言令色鲜矣仁"),
            ]
        );
        separated[0].check().expect("a document");
        assert_eq!(separated[0].diagnostics[0].code, "plain-copy");
        assert!(separated[1].segments.iter().all(|s| !is_of_copy(s)));
    }

    #[test]
    fn a_text_that_a_person_calls_plain_stays_whole() {
        let with_notes = CLASSIC.replace('說', "說習音襲也").replace('樂', "樂樂音洛也");
        let with_notes = with_notes.replace("鮮矣", "鮮矣鮮少也").replace('愠', "愠愠怒也");
        let has_notes = |d: &Document| d.of_layer(Layer::Zhu).next().is_some();
        for reader_named in [false, true] {
            let text = Document { reader_named, ..document("a", &with_notes) };
            let separated = separate(vec![text, document("b", CLASSIC)], &[], None);
            assert_ne!(has_notes(&separated[0]), reader_named);
        }
    }

    #[test]
    fn another_edition_of_the_same_text_has_no_notes() {
        let other = CLASSIC.replace('說', "悅").replace("鮮矣仁", "鮮有仁");
        let separated = separate(vec![document("a", &other), document("b", CLASSIC)], &[], None);
        assert!(separated.iter().all(|d| d.of_layer(Layer::Zhu).next().is_none()));
    }

    #[test]
    fn a_copy_that_lacks_pages_or_is_a_selection_makes_no_notes() {
        let whole = CLASSIC.to_string()
            + "曾子曰吾日三省吾身為人謀而不忠乎與朋友交而不信乎傳不習乎\n\
            子曰道千乘之國敬事而信節用而愛人使民以時子曰弟子入則孝出則弟謹而信汎愛眾而親仁\n\
            行有餘力則以學文子夏曰賢賢易色事父母能竭其力事君能致其身與朋友交言而有信\n";
        let chars: Vec<char> = whole.chars().filter(|c| *c != '\n').collect();
        for (kept, lost) in [(20, 8), (12, 12), (30, 5)] {
            let part: String =
                chars.chunks(kept + lost).flat_map(|c| c.iter().take(kept)).collect();
            let separated = separate(vec![document("a", &whole), document("b", &part)], &[], None);
            assert!(separated[0].of_layer(Layer::Zhu).next().is_none(), "{kept} {lost}");
        }
    }

    #[test]
    fn what_a_copy_does_not_have_stays_as_it_was() {
        let [first, second, last] = [0, 1, 2].map(|n| CLASSIC.lines().nth(n).expect("a line"));
        let long = "公問曰何為則民服孔子對曰舉直錯諸枉則民服舉枉錯諸直則民不服".repeat(4);
        let second = second.replace("鮮矣", "鮮矣鮮少也謂凡在己上者也");
        let last = last.replace("道生", "道生本基也先能事父兄也");
        let text = format!(
            "{first}慍怒也凡人有所不知君子不怒也\n{second}此章言人之行也\n{last}好其言語也\n{long}\n"
        );
        let separated = separate(vec![document("a", &text), document("b", CLASSIC)], &[], None);
        let pieces = pieces(&separated[0]);
        assert_eq!(pieces.last(), Some(&(Layer::Jing, &*long)));
        assert!(pieces.contains(&(Layer::Zhu, "慍怒也凡人有所不知君子不怒也")), "{pieces:?}");
    }
}
