//! Features that support a run being 經 or 注: each a number with a learned weight.
//!
//! [`feature`](super::feature) lists their names and the evidence they belong to.

mod counts;
mod echoes;
mod formula;
mod sums;
mod terms;
mod yin;

use std::sync::Arc;

use super::common::{CommonCharacters, Habit};
use super::feature::Feature;
use super::usual::Usual;
use crate::passes::evidence::canon::GRAM_CHARS;
use crate::passes::evidence::hints::HeaderMatch;
use crate::passes::evidence::paragraph::{Clause, Paragraph};
use crate::passes::evidence::run::{CLASSIC, NOTE, Run, YIN};
use crate::passes::evidence::scored::Scored;
use counts::Counts;
use echoes::RepeatedCharacters;
use formula::{
    EXPLAINING_VERBS, commentator, contains, ends_ye, gloss, hexagram, is_sound, recension, term,
};
use sums::prefix;
use terms::Terms;
use yin::SoundGlosses;

/// Features that only mislead where headers name the notes.
pub const ONLY_WITHOUT_HEADERS: [Feature; 7] = {
    use Feature::*;
    [
        NoteEchoes,
        ClassicEchoes,
        NoteTermsBefore,
        NoteTermsInside,
        ClassicTakenUp,
        ClassicNotTakenUp,
        ClassicTakesUp,
    ]
};

/// The features of one run, as pairs of feature and value.
pub type Features = Vec<(Feature, f64)>;

/// All that is needed to score the runs of one paragraph.
pub struct RunScorer<'a> {
    /// The paragraph.
    pub paragraph: &'a Paragraph,
    /// Text of its source.
    pub text: &'a str,
    /// Scores of the runs as each layer; 音義 only where the paragraph may begin with it.
    pub models: Vec<Scored>,
    /// The same, by models that have not learned from the document.
    pub shipped: Arc<Vec<Scored>>,
    /// Characters of the paragraph before it in the same group.
    pub before: &'a [char],
    counts: Counts,
    terms: Terms,
    /// Only of a text that has to be guessed.
    echoes: Option<RepeatedCharacters>,
    readings: SoundGlosses,
    /// How a note would open with each clause.
    openings: Vec<Features>,
    common: &'a CommonCharacters,
    /// What is usual in the document, if an earlier reading found it.
    usual: Option<Usual>,
}

/// How the runs of a paragraph score as each layer.
pub struct ParagraphScores {
    /// By models that have learned from the document too.
    pub models: Vec<Scored>,
    /// By those that have not.
    pub shipped: Arc<Vec<Scored>>,
}

/// A run of a paragraph, with its characters.
#[derive(Clone, Copy)]
struct PlacedRun {
    run: Run,
    /// Its first character, and the one after its last.
    from: usize,
    to: usize,
    /// True if the paragraph begins or ends with it.
    first: bool,
    last: bool,
}

impl<'a> RunScorer<'a> {
    /// Prepares a paragraph.
    pub fn new(
        paragraph: &'a Paragraph,
        text: &'a str,
        ParagraphScores { models, shipped }: ParagraphScores,
        before: &'a [char],
        common: &'a CommonCharacters,
    ) -> Self {
        let n = paragraph.key.len();
        let counts = Counts::of(paragraph, text, common, &shipped[NOTE].rarity);
        let of_all = || RepeatedCharacters::of(&paragraph.key.chars, &shipped[NOTE].rarity);
        let echoes = paragraph.guessed.then(of_all);
        let mut scorer = RunScorer {
            paragraph,
            text,
            models,
            shipped,
            before,
            counts,
            terms: Terms::of(paragraph),
            echoes,
            readings: SoundGlosses::of(paragraph, text, before),
            openings: Vec::new(),
            common,
            usual: None,
        };
        let glosses: Vec<usize> = (0..paragraph.units.len())
            .filter(|u| scorer.glosses_before(*u))
            .map(|u| paragraph.units[u].from)
            .collect();
        let sounds: Vec<usize> = paragraph
            .units
            .iter()
            .filter(|u| is_sound(&paragraph.key.chars[u.from..u.to]))
            .map(|u| u.from)
            .collect();
        let speaks: Vec<usize> = paragraph
            .units
            .iter()
            .filter(|u| commentator(&paragraph.key.chars[u.from..u.to]))
            .map(|u| u.from)
            .collect();
        scorer.counts.commentators = prefix(n, |k| speaks.binary_search(&k).is_ok());
        let late = |w: &&[Clause]| {
            sounds.binary_search(&w[0].from).is_err() && sounds.binary_search(&w[1].from).is_ok()
        };
        let late: Vec<usize> = paragraph.units.windows(2).filter(late).map(|w| w[1].from).collect();
        scorer.counts.late_sounds = prefix(n, |k| late.binary_search(&k).is_ok());
        scorer.counts.sounds = prefix(n, |k| sounds.binary_search(&k).is_ok());
        scorer.counts.glosses = prefix(n, |k| glosses.binary_search(&k).is_ok());
        scorer.openings = (0..paragraph.units.len()).map(|unit| scorer.opening(unit)).collect();
        scorer
    }

    /// The same, with what is usual in the document.
    pub fn with_usual(self, usual: Option<Usual>) -> Self {
        RunScorer { usual, ..self }
    }

    /// The features of a run.
    pub fn features(&self, run: Run, out: &mut Features) {
        out.clear();
        let p = self.paragraph;
        let (from, to) = (p.units[run.from].from, p.units[run.to - 1].to);
        let model = &self.models[run.label];
        let shipped = self.shipped[run.label].body(from, to);
        out.extend([(Feature::Model, model.body(from, to)), (Feature::Shipped, shipped)]);
        let against = p.against_person(run.label, from, to);
        out.extend((against > 0).then_some((Feature::AgainstPerson, against as f64)));
        let (first, last) = (run.from == 0, run.to == p.units.len());
        let placed = PlacedRun { run, from, to, first, last };
        match run.label {
            NOTE => {
                out.push((Feature::NoteBegins, model.begin(from, to)));
                out.push((Feature::NoteEnds, model.end(to)));
                self.note(placed, out);
            }
            YIN => {
                self.readings.yin(p, run, out);
                let features = [Feature::YinAgainstWitness, Feature::YinAgainstPlain];
                out.extend(self.against(NOTE, features, from, to));
                let known = p.canon.as_ref().map_or(0.0, |c| c.known(from, to));
                more(known as usize, Feature::YinInCanon, out);
            }
            _ => {
                out.push((Feature::ClassicBegins, model.begin(from, to)));
                out.push((Feature::ClassicEnds, model.end(to)));
                self.classic(placed, out);
            }
        }
        if run.label != YIN && p.opens_with_circle {
            more(self.readings.inside(run) as usize, Feature::OutsideYinGlosses, out);
        }
    }

    /// True if a colon is before byte `at`; a line may end between.
    fn follows_colon(&self, at: usize) -> bool {
        self.text[..at].trim_end().ends_with([':', '：'])
    }

    fn note(&self, placed: PlacedRun, out: &mut Features) {
        use Feature::*;
        let PlacedRun { run, from, to, first, last } = placed;
        let p = self.paragraph;
        let (hint, end) = (p.hints[from], p.hints[to]);
        let mut on = |f: Feature, yes: bool| out.extend(yes.then_some((f, 1.0)));
        on(NoteFirst, first);
        on(NoteInner, !first);
        on(NoteLast, last);
        on(WholeNote, first && last);
        on(NoteShort, to - from <= 2);
        on(NoteDespiteHeader, p.header_has_classic && !p.header_has_note && p.last_of_group);
        on(NoteFromHere, hint.note_from == HeaderMatch::Here && p.header_has_classic);
        on(NoteFromHereOnly, hint.note_from == HeaderMatch::Here && !p.header_has_classic);
        on(NoteFromElsewhere, hint.note_from == HeaderMatch::Elsewhere);
        on(NoteFromNearly, hint.note_from == HeaderMatch::Nearly);
        on(NoteToHere, end.note_to == HeaderMatch::Here);
        if !first {
            let before = &p.units[run.from - 1];
            on(NoteAtClause, !before.ends_sentence);
            on(NoteAfterColon, self.follows_colon(p.units[run.from].start));
            on(NoteInSpeech, before.open_quotes > 0);
            on(NoteAfterSpeech, before.closes_quote);
            on(NoteAtNoMark, before.unmarked);
            on(ClassicToHere, hint.classic_to == HeaderMatch::Here);
            on(ClassicToElsewhere, hint.classic_to == HeaderMatch::Elsewhere);
            on(ClassicToNearly, hint.classic_to == HeaderMatch::Nearly);
            on(
                HeaderBothSides,
                hint.classic_to >= HeaderMatch::Nearly && hint.note_from >= HeaderMatch::Nearly,
            );
            let missed = p.header_has_note && p.last_of_group && hint.note_from == HeaderMatch::No;
            on(NoteNotByHeader, missed && !p.inner_headers_only);
            on(NoteNotByInnerHeader, missed && p.inner_headers_only);
        }
        self.common_of_note(run, from, to, out);
        let mut on = |f: Feature, yes: bool| out.extend(yes.then_some((f, 1.0)));
        on(NoteInQuote, hint.in_quote);
        on(NoteAtQuote, hint.quote_from);
        on(NoteEndsYe, ends_ye(&p.key.chars[from..to]));
        on(NoteRecensionInside, self.counts.recensions[to] - self.counts.recensions[from] > 0.0);
        out.extend_from_slice(&self.openings[run.from]);
        out.push((NoteLength, ((to - from) as f64).ln()));
        self.count(&self.counts.in_classic, NoteInHeaderClassic, from, to, out);
        self.count(&self.counts.quoted_classic, NoteQuotedAsClassic, from, to, out);
        self.count(&self.counts.quoted, NoteQuoted, from, to, out);
        self.count(&self.counts.titles, NoteTitles, from, to, out);
        self.count(&self.counts.of_words, NoteOfWords, from, to, out);
        out.push((NoteEchoes, self.counts.echoes[run.from]));
        if p.guessed {
            self.joints_of(run, from, to, out);
            self.usual_of(run, from, to, out);
        }
        self.echoes.iter().for_each(|e| e.of_note(from, to, out));
        out.extend(
            (self.counts.commentators[from + 1] > self.counts.commentators[from])
                .then_some((NoteByCommentator, 1.0)),
        );
        let late = self.counts.late_sounds[to] - self.counts.late_sounds[p.units[run.from].to];
        out.extend((late > 0.0).then_some((NoteSoundLate, late)));
        let (before, inside) = self.terms.of_note(run.from, run.to);
        more(before, NoteTermsBefore, out);
        more(inside, NoteTermsInside, out);
        self.count(&self.counts.quoted_lemma, NoteQuotedAsLemma, from, to, out);
        if let Some(canon) = &p.canon {
            let known = canon.known(from, to);
            more(known as usize, NoteInCanon, out);
            out.push((NoteShareInCanon, known / (to - from) as f64));
            if let Some(joins) = canon.joins(&p.key.chars, from, to) {
                let (joined, not) = match last {
                    false => (CanonJoins, CanonJoinsNot),
                    true => (CanonJoinsNext, CanonJoinsNextNot),
                };
                out.push((joined, joins));
                out.extend((joins == 0.0).then_some((not, 1.0)));
            }
        }
        out.extend(self.against(NOTE, [NoteAgainstWitness, NoteAgainstPlain], from, to));
        out.extend(self.paragraph.rendered.in_note(run).map(|x| (NoteRendered, x)));
    }

    fn classic(&self, placed: PlacedRun, out: &mut Features) {
        use Feature::*;
        let PlacedRun { run, from, to, first, last } = placed;
        let p = self.paragraph;
        let hint = p.hints[from];
        let mut on = |f: Feature, yes: bool| out.extend(yes.then_some((f, 1.0)));
        on(ClassicFirst, first);
        on(ClassicInner, !first);
        on(ClassicLast, last);
        on(WholeClassic, first && last);
        on(ClassicLastOfGroup, last && p.last_of_group);
        on(ClassicLastDespiteHeader, last && p.last_of_group && p.header_has_note);
        on(ClassicShort, to - from <= 3);
        on(ClassicFromHere, hint.classic_from == HeaderMatch::Here);
        if !first {
            let before = &p.units[run.from - 1];
            on(ClassicAtClause, !before.ends_sentence);
            on(ClassicInSpeech, before.open_quotes > 0);
            on(ClassicAfterSpeech, before.closes_quote);
            on(ClassicAtNoMark, before.unmarked);
            on(ClassicAfterYe, ends_ye(&p.key.chars[..from]));
        }
        self.common_of_classic(run, from, out);
        let mut on = |f: Feature, yes: bool| out.extend(yes.then_some((f, 1.0)));
        on(ClassicInQuote, hint.in_quote);
        on(ClassicAtQuote, hint.quote_from);
        on(ClassicEndsYe, ends_ye(&p.key.chars[from..to]));
        on(ClassicRecension, self.counts.recensions[to] - self.counts.recensions[from] > 0.0);
        out.push((ClassicLength, ((to - from) as f64).ln()));
        self.count(&self.counts.glosses, ClassicGlosses, from, to, out);
        self.count(&self.counts.sounds, ClassicSounds, from, to, out);
        self.count(&self.counts.in_note, ClassicInHeaderNote, from, to, out);
        self.count(&self.counts.quoted_note, ClassicQuotedAsNote, from, to, out);
        self.count(&self.counts.titles, ClassicTitles, from, to, out);
        self.count(&self.counts.of_words, ClassicOfWords, from, to, out);
        out.push((ClassicEchoes, self.counts.echoes[run.from]));
        if p.guessed {
            self.joints_of(run, from, to, out);
            self.usual_of(run, from, to, out);
        }
        self.echoes.iter().for_each(|e| e.of_classic(from, to, out));
        self.count(&self.counts.commentators, ClassicByCommentator, from, to, out);
        let taken_up = self.terms.after_classic(from, run.to);
        more(taken_up, ClassicTakenUp, out);
        out.extend((taken_up == 0).then_some((ClassicNotTakenUp, 1.0)));
        let takes_up = self.terms.inside(run.from, run.to);
        out.extend((takes_up > 0.0).then(|| (ClassicTakesUp, takes_up.ln_1p())));
        on_canon(p, placed, out);
        out.extend((last && p.before_circle).then_some((ClassicLastBeforeCircle, 1.0)));
        let features = [ClassicAgainstWitness, ClassicAgainstPlain];
        out.extend(self.against(CLASSIC, features, from, to));
        out.extend(self.paragraph.rendered.not_in_classic(run).map(|x| (ClassicNotRendered, x)));
    }

    /// Whether a run is as others of the document are.
    fn usual_of(&self, run: Run, from: usize, to: usize, out: &mut Features) {
        use Feature::*;
        let Some(usual) = &self.usual else { return };
        let against = usual.layout.map_or(0.0, |l| l.violations(self.paragraph, run));
        out.extend((against > 0.0).then_some((AgainstLayout, against)));
        let features = match run.label {
            NOTE => [NoteUnusualLength, NoteAtClauseAsUsual, NoteAtParagraphAsUsual],
            _ => [ClassicUnusualLength, ClassicAtClauseAsUsual, ClassicAtParagraphAsUsual],
        };
        let [length, at_clause, at_paragraph] = features;
        let longer = ((to - from) as f64).ln() - usual.length[run.label];
        out.push((length, longer * longer));
        if run.from > 0 {
            let p = self.paragraph;
            let within = !p.units[run.from - 1].ends_sentence;
            out.extend(within.then_some((at_clause, usual.within_sentence[run.label])));
            let begins = p.joints.binary_search(&from).is_ok();
            out.extend(begins.then_some((at_paragraph, usual.with_paragraph[run.label])));
        }
    }

    /// Where a run lies in paragraphs that are decided together.
    fn joints_of(&self, run: Run, from: usize, to: usize, out: &mut Features) {
        use Feature::*;
        let p = self.paragraph;
        let ([at, over], [inside_size, at_size, over_size]) = match run.label {
            NOTE => (
                [NoteAtParagraph, NoteOverParagraph],
                [NoteInsideBySize, NoteAtParagraphBySize, NoteOverBySize],
            ),
            _ => (
                [ClassicAtParagraph, ClassicOverParagraph],
                [ClassicInsideBySize, ClassicAtParagraphBySize, ClassicOverBySize],
            ),
        };
        if run.from > 0 {
            match p.joints.binary_search(&from) {
                Ok(_) => out.extend([(at, 1.0), (at_size, p.usual_size)]),
                Err(_) => out.push((inside_size, p.usual_size)),
            }
        }
        let within = p.joints_within(from, to);
        if within > 0 {
            let within = (within as f64).ln_1p();
            out.extend([(over, within), (over_size, within * p.usual_size)]);
        }
    }

    /// What is common in notes of any book.
    fn common_of_note(&self, run: Run, from: usize, to: usize, out: &mut Features) {
        let chars = &self.paragraph.key.chars;
        out.push((Feature::CommonInNote, self.counts.common[to] - self.counts.common[from]));
        if run.from > 0 {
            out.push((Feature::CommonNoteFirst, self.common.of(chars[from], Habit::NoteFirst)));
        }
    }

    /// What is common where the classic of any book goes on.
    fn common_of_classic(&self, run: Run, from: usize, out: &mut Features) {
        if run.from > 0 {
            let first = self.paragraph.key.chars[from];
            out.push((Feature::CommonClassicFirst, self.common.of(first, Habit::ClassicFirst)));
        }
    }

    /// The votes of witnesses for the other layer on the characters of a run: the feature for
    /// witnesses that mark their notes, or the one for plain classics. What a plain classic lacks
    /// may be missing in that copy, so many votes mean little more than some.
    fn against(
        &self,
        label: usize,
        [marked, plain]: [Feature; 2],
        from: usize,
        to: usize,
    ) -> Option<(Feature, f64)> {
        let sums = &self.counts.witness[1 - label];
        let n = sums.get(to)? - sums.get(from)?;
        let vote = if self.paragraph.votes.plain { (plain, n.ln_1p()) } else { (marked, n) };
        (n > 0.0).then_some(vote)
    }

    /// A count of characters in a run, as a logarithm: many mean little more than some.
    fn count(&self, sums: &[f64], feature: Feature, from: usize, to: usize, out: &mut Features) {
        let n = sums[to] - sums[from];
        if n > 0.0 {
            out.push((feature, (1.0 + n).ln()));
        }
    }

    /// How a note opens: with words of the classic before it, as a gloss, with 今文.
    fn opening(&self, unit: usize) -> Features {
        use Feature::*;
        let mut out = Features::new();
        let mut on = |f: Feature, yes: bool| out.extend(yes.then_some((f, 1.0)));
        let (p, number) = (self.paragraph, unit);
        let unit = &p.units[number];
        let from = unit.from;
        let words = &p.key.chars[from..unit.to];
        let term = term(words);
        if self.stands_before(from, term) {
            on([Repeats1, Repeats2, Repeats3][term.len().min(3) - 1], true);
            on(RepeatsEnd, p.key.chars[..from].ends_with(term));
        }
        let alone = words.len() <= 3 && !unit.ends_sentence && self.stands_before(from, words);
        on(TermAlone1, alone && words.len() == 1);
        on(TermAlone2, alone && words.len() > 1);
        on(Sound, p.units[number..].iter().take(2).any(|u| is_sound(&p.key.chars[u.from..u.to])));
        let gloss = gloss(p, number);
        on(Gloss, gloss == Some(true));
        on(GlossRepeats, gloss.is_some() && self.stands_before(from, words));
        on(GlossShort, gloss == Some(false) && self.stands_before(from, words));
        on(Means, words.iter().skip(1).take(4).any(|c| EXPLAINING_VERBS.contains(c)));
        on(Recension, recension(words));
        on(HexagramLine, unit.ends_sentence && hexagram(words));
        out
    }
}

impl RunScorer<'_> {
    /// True if words occur in the text shortly before a place.
    fn stands_before(&self, from: usize, words: &[char]) -> bool {
        let near = &self.paragraph.key.chars[from.saturating_sub(80)..from];
        !words.is_empty()
            && (contains(near, words) || near.len() < 20 && contains(self.before, words))
    }

    fn glosses_before(&self, unit: usize) -> bool {
        let u = &self.paragraph.units[unit];
        gloss(self.paragraph, unit).is_some()
            && self.stands_before(u.from, &self.paragraph.key.chars[u.from..u.to])
    }
}

/// What the classics have of a run of classic: all of it, and nothing of it and what is around it
/// together.
fn on_canon(p: &Paragraph, placed: PlacedRun, out: &mut Features) {
    use Feature::*;
    let PlacedRun { from, to, first, last, .. } = placed;
    let Some(canon) = &p.canon else { return };
    if to - from >= GRAM_CHARS {
        let unknown = (to - from) as f64 - canon.known(from, to);
        more(unknown as usize, ClassicNotInCanon, out);
        out.push((ClassicShareNotInCanon, unknown / (to - from) as f64));
    }
    if !last {
        out.push((ClassicGoesOnInCanon, canon.goes_on(to)));
    }
    if !first {
        out.push((ClassicBeganInCanon, canon.goes_on(from)));
    }
}

/// A count, as a logarithm: many mean little more than some.
fn more(n: usize, feature: Feature, out: &mut Features) {
    out.extend((n > 0).then(|| (feature, (n as f64).ln_1p())));
}

#[cfg(test)]
mod tests;
