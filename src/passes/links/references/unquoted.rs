//! Quotations and references of a sub-commentary without quotation marks: 言X者, 故雲X,
//! 上文卒射,執弓不挾….

use super::rules::Rule;
use std::sync::LazyLock;

use regex::Regex;

use super::comment::{OpenCitation, Reader};
use super::cues::{MENTION, POINTER, UNQUOTED};
use super::link::draft;
use super::scan::{CommentToken, TokenKind, is_flat};
use super::sought::{FoundPlace, SoughtWords};
use super::{mentions, notes};
use crate::corpus::view::Stream;
use crate::model::{EvidenceKind, Link, LinkKind, Status, Target};
use crate::source::Span;
use crate::text::both_scripts::{has_any, pattern_in_both_scripts};
use crate::text::class::is_content;

/// A pointer followed by fewer characters introduces the quotation after it.
const MIN_WORDS_BEFORE_QUOTE: usize = 6;
/// Fewest characters after 言 that are a quotation where the passage has them.
const MIN_SENSE_CHARS: usize = 5;
/// Fewest characters after 經云 and after 云 alone with which a quotation begins that goes on without a mark.
const MIN_OF_NAMED_TEXT: usize = 2;
const MIN_FIRST_CHARS: usize = 4;
/// Fewest characters after 故曰 and 所謂.
const MIN_SUMMED_UP_CHARS: usize = 3;
/// Before 言 where it reports which word the text has, and does not give its sense.
const REPORTING: &[char] = &['而', '既', '直', '但', '唯', '經', '经', '復', '复'];
/// Fewest characters of which some may differ where a text says that they are before or after.
const MIN_NEARLY_CHARS: usize = 4;
/// Among so many links are those of the title just before.
const MAX_TITLE_LINKS: usize = 4;
/// The passage itself, at the opening of its sub-commentary.
static THIS_PASSAGE: LazyLock<Regex> = LazyLock::new(|| pattern_in_both_scripts(r"此一[經節]"));

impl Reader<'_> {
    /// Reads text without quotation marks.
    pub fn plain(&mut self, tokens: &[CommentToken], at: usize) -> usize {
        let span = tokens[at].inner;
        let text = self.slice(span);
        let mut taken: Vec<Span> = self.taken.clone();
        let of_title = self.quoted_after_title(tokens, at);
        if is_flat(text) {
            self.flat(span);
            return at + 1;
        }
        let next = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Quote);
        let next_is_quote = next.is_some();
        let quote = next.map(|q| q.inner);
        let titles = match Rule::BareTitles.on() {
            true => {
                notes::bare_titles(self.places, span, self.layer, (&taken, quote), &mut self.links)
            }
            false => vec![],
        };
        let took_quote = titles.last().is_some_and(|(_, said)| Some(*said) == quote);
        for c in POINTER.captures_iter(text).filter(|_| Rule::Pointer.on()) {
            let whole = c.get_match();
            let words = c.name("x").map_or(0, |x| x.as_str().chars().count());
            if next_is_quote && whole.end() == text.len() && words < MIN_WORDS_BEFORE_QUOTE {
                continue;
            }
            if is_adverb(&text[..whole.start()], whole.as_str()) {
                continue;
            }
            if let Some(link) = self.pointer(&c, span.start()) {
                taken.push(link.span);
                self.links.push(link);
            }
        }
        taken.extend(self.noted.take());
        if Rule::UnquotedSpeakers.on() {
            self.unquoted_speakers(span, next_is_quote, &mut taken);
        }
        if Rule::ThisPassage.on() {
            self.this_passage(span, &mut taken);
        }
        if Rule::TakesUp.on() {
            self.takes_up(span, next_is_quote, &mut taken);
        }
        mentions::read(self, (tokens, at), &taken);
        let mut from = 0;
        while let Some(c) = UNQUOTED.captures_at(text, from) {
            let x = c.name("x").map_or(0..0, |m| m.range());
            from = c.name("cue").map_or(text.len(), |m| m.end()).max(from + 1);
            let here = Span::new(span.start() + x.start, span.start() + x.end);
            if taken.iter().any(|t| t.overlap(here) > 0) {
                continue;
            }
            // 《明堂位》云七百里 is what the title says.
            if Rule::SaidByTitle.on()
                && c.get_match().start() == 0
                && of_title.iter().any(|q| q.overlap(here) > 0)
            {
                from = x.end;
                continue;
            }
            if Rule::Unquoted.on() && self.unquoted(&c, span.start()) {
                from = x.end;
            }
        }
        let opened =
            titles.into_iter().map(|(r, said)| OpenCitation::of_title(self.works(), r, said.end()));
        self.open.extend(opened.collect::<Vec<_>>());
        match quote.filter(|_| took_quote) {
            Some(quote) => {
                self.nested(quote, true);
                at + 2
            }
            None => at + 1,
        }
    }

    /// The words that the title just before a token has.
    fn quoted_after_title(&self, tokens: &[CommentToken], at: usize) -> Vec<Span> {
        let after_title = at.checked_sub(1).is_some_and(|i| tokens[i].kind == TokenKind::Title);
        let links = self.links.iter().rev().take(if after_title { MAX_TITLE_LINKS } else { 0 });
        links.filter_map(|l| l.quoted).collect()
    }

    /// Links 此一節論…: the passage explained.
    fn this_passage(&mut self, span: Span, taken: &mut Vec<Span>) {
        let text = self.slice(span);
        for m in THIS_PASSAGE.find_iter(text) {
            let here = Span::new(span.start() + m.start(), span.start() + m.end());
            let base = &self.places.view.base;
            let range = self
                .places
                .view
                .range(Stream::Base, self.passage.text.start()..self.passage.text.end());
            if range.is_empty() || taken.iter().any(|t| t.overlap(here) > 0) {
                continue;
            }
            let found = FoundPlace {
                target: Target { doc: None, span: base.span(range.start, range.end) },
                status: Status::Range,
                certainty: 0.9,
                how: EvidenceKind::InPassage,
                alternatives: vec![],
                diff: 0,
                differs: None,
            };
            taken.push(here);
            self.links.push(
                draft(LinkKind::Internal, here, self.layer)
                    .work(self.places.locus())
                    .found(Some(found))
                    .link(),
            );
        }
    }

    /// Links what scholars say without quotation marks: words of the passage, or a citation.
    fn unquoted_speakers(&mut self, span: Span, before_quote: bool, taken: &mut Vec<Span>) {
        for speaker in self.speakers(span) {
            let rest = &self.text()[speaker.span.end()..span.end()];
            let is_lead = before_quote && rest.chars().filter(|c| is_content(*c)).count() == 0;
            if is_lead || taken.iter().any(|t| t.overlap(speaker.span) > 0) {
                continue;
            }
            let head = rest.trim_start_matches([':', '：', ',', '，']);
            let start = span.end() - head.len();
            let end = head.find(['。', '\n', '○']).map_or(span.end(), |i| start + i);
            let said = Span::new(start, end);
            let words = SoughtWords::of(self.places.document, said);
            let found = (words.len() > 1)
                .then(|| {
                    self.places.in_passage(
                        self.passage,
                        &words,
                        Some(Stream::Notes),
                        self.quoted_before(),
                    )
                })
                .flatten()
                .filter(|f| f.status == Status::Exact);
            let whole = Span::new(speaker.span.start(), end);
            if found.is_some() {
                taken.push(whole);
                self.links.push(
                    draft(LinkKind::Quotation, whole, self.layer).quoted(said).found(found).link(),
                );
            } else if !self.explains(speaker.scholar) {
                taken.push(speaker.span);
                self.spoken(speaker, speaker.span, None);
            }
        }
    }

    /// Links 言X者 or 故雲X to X in the passage explained. True if it was read.
    fn unquoted(&mut self, c: &regex::Captures<'_>, base: usize) -> bool {
        let Some(x) = c.name("x") else { return false };
        let ends_with_zhe = x.as_str().ends_with('者');
        let pre = c.name("pre").map_or("", |m| m.as_str());
        let words = x.as_str().trim_end_matches(['者', '也', '矣', '耳', '爾', '尔', '焉', '之']);
        // 故云均也 is a gloss of one character (旬，均也).
        let is_gloss = Rule::GlossOfOne.on()
            && words.chars().count() == 1
            && !pre.is_empty()
            && x.as_str().ends_with('也');
        let words = if is_gloss { x.as_str() } else { words };
        let quoted = Span::new(base + x.start(), base + x.start() + words.len());
        let key = SoughtWords::of(self.places.document, quoted);
        // 言X gives the sense; 言X者 takes up a word, 故言X too, and so do many words of the passage.
        let is_sense = c.name("cue").is_some_and(|m| m.as_str() == "言")
            && !ends_with_zhe
            && !pre.ends_with('故');
        let start = base + c.get_match().start();
        let before = &self.text()[..start];
        let explains = before.trim_end_matches([',', '，']).ends_with('者');
        // 使者言X and 而言X report which word the text has.
        let is_subject = explains && before.ends_with('者');
        let reports =
            Rule::ReportsWord.on() && is_sense && (pre.ends_with(REPORTING) || is_subject);
        if is_sense && !reports && (explains || key.len() < MIN_SENSE_CHARS) {
            return false;
        }
        if key.len() < if ends_with_zhe || reports { 1 } else { 2 }
            || matches!(words, "之" | "此" | "是" | "然")
        {
            return false;
        }
        // 故曰X and 所謂X sum up what the passage says; 曰 alone is what someone in it says.
        let cue = c.name("cue").map_or("", |m| m.as_str());
        let sums_up = cue.starts_with(['曰', '謂', '谓']);
        let is_said = pre.ends_with(if cue.starts_with('曰') { '故' } else { '所' });
        if sums_up && (!Rule::SumsUp.on() || !is_said || key.len() < MIN_SUMMED_UP_CHARS) {
            return false;
        }
        let span = Span::new(start, base + x.end());
        if pre.ends_with(['不', '無', '无']) && Rule::UnquotedNegative.on() {
            if key.len() <= 6 {
                self.links.push(
                    draft(LinkKind::Quotation, span, self.layer)
                        .quoted(quoted)
                        .why(EvidenceKind::SaidNotToStandThere)
                        .link(),
                );
            }
            return true;
        }
        let prefer = match pre {
            p if has_any(p, &['鄭', '注']) => Some(Stream::Notes),
            p if has_any(p, &['經']) => Some(Stream::Base),
            _ => None,
        };
        let found = self.places.in_passage(self.passage, &key, prefer, self.quoted_before());
        let Some(found) = found.filter(|f| {
            f.status == Status::Exact
                || !is_sense && !sums_up && key.len() >= 5 && f.how == EvidenceKind::InPassage
        }) else {
            if sums_up {
                return false;
            }
            // 必云X and 此云X are about the passage.
            let begins = !before.ends_with(is_content) && !pre.contains('此');
            let repeated =
                self.echoed(start, &key).filter(|_| begins && !is_sense && Rule::UnquotedEcho.on());
            let said = repeated.map(|found| (quoted, found)).or_else(|| {
                let names_text = has_any(pre, &['經', '注', '傳', '鄭']);
                let least = if names_text { MIN_OF_NAMED_TEXT } else { MIN_FIRST_CHARS };
                (!is_sense && !reports && Rule::FirstWords.on())
                    .then(|| self.first_words(&key, prefer, least))
                    .flatten()
            });
            let is_said = said.is_some();
            self.links.extend(said.map(|(quoted, found)| {
                let span = Span::new(span.start(), quoted.end());
                let link = draft(LinkKind::Quotation, span, self.layer).quoted(quoted);
                link.found(Some(found)).link()
            }));
            return is_said;
        };
        let is_clear = found.alternatives.is_empty();
        let link = draft(LinkKind::Quotation, span, self.layer).quoted(quoted);
        // A character without marks that the passage has more than once may be any of them.
        let link = match is_clear || key.len() > 1 || !Rule::SeveralPlaces.on() {
            true => link.found(Some(found)),
            false => link.among(found).why(EvidenceKind::SeveralPlaces),
        };
        self.links.push(link.link());
        true
    }

    /// 經云大喪是王喪: the longest beginning of the words that the passage has exactly, where the comment goes on
    /// without a mark. At least so many characters.
    fn first_words(
        &self,
        words: &SoughtWords,
        prefer: Option<Stream>,
        least: usize,
    ) -> Option<(Span, FoundPlace)> {
        (least..words.len()).rev().find_map(|n| {
            let quoted = words.key.span(0, n);
            let first = SoughtWords::of(self.places.document, quoted);
            let found =
                self.places.in_passage(self.passage, &first, prefer, self.quoted_before())?;
            (found.status == Status::Exact).then_some((quoted, found))
        })
    }

    /// 上文卒射,執弓不挾…: a reference that roughly quotes the other place.
    fn pointer(&self, c: &regex::Captures<'_>, base: usize) -> Option<Link> {
        let dir = ["dir", "dir2"].iter().find_map(|n| c.name(n))?;
        let back = matches!(dir.as_str(), "上" | "前");
        let (cue, x) = (c.name("cue")?, c.name("x")?);
        let first = x.as_str().split([',', '，']).next().unwrap_or("");
        let words = x.as_str().trim_start_matches([',', '，', ':', '：']);
        let start = base + x.start() + (x.as_str().len() - words.len());
        let span = Span::new(base + cue.start(), base + cue.end());
        // 彼下文 is in what was cited; where, the text does not say.
        let is_there = self.text()[..span.start()].ends_with('彼');
        if let Some(open) = (is_there && Rule::PointerThere.on())
            .then(|| self.open_just_before(span.start()))
            .flatten()
        {
            let link = draft(LinkKind::Citation, span, self.layer).work(open.work);
            return Some(link.why(EvidenceKind::NoWords).link());
        }
        let mut link = draft(LinkKind::Internal, span, self.layer).work(self.places.locus());
        if first.is_empty() && words.is_empty()
            || MENTION.is_match(words) && words.chars().count() < 4
        {
            return Some(link.why(EvidenceKind::NoWords).link());
        }
        // Try the first clause, then more and more clauses, and keep the best.
        let mut best: Option<(i64, Span, FoundPlace)> = None;
        for end in clause_ends(words) {
            let quoted = Span::new(start, start + end);
            let w = SoughtWords::of(self.places.document, quoted);
            if w.len() < 3 {
                continue;
            }
            let found = if back {
                self.places.earlier(self.passage.text.start(), &w, w.len() < 6)
            } else {
                self.places.later(self.passage.text.end(), &w, w.len() < 6)
            };
            // A quotation that is found wins over a paraphrase of more words.
            let worth = |f: &FoundPlace| {
                if f.status == Status::Paraphrase { 0 } else { w.len() as i64 - 4 * f.diff as i64 }
            };
            if let Some(f) = found.filter(|f| best.as_ref().is_none_or(|(b, ..)| worth(f) > *b)) {
                best = Some((worth(&f), quoted, f));
            }
        }
        if let Some((_, quoted, found)) = best {
            link = link.quoted(quoted).found(Some(found));
        } else {
            let end =
                clause_ends(words).find(|e| words[..*e].chars().count() > 3).unwrap_or(words.len());
            let quoted = Span::new(start, start + end);
            let words = SoughtWords::of(self.places.document, quoted);
            let (before, after) = (self.passage.text.start(), self.passage.text.end());
            let retold = self.places.retold(if back { before } else { after }, &words, back);
            let retold = retold.filter(|_| Rule::Retold.on()).or_else(|| {
                match words.len() >= MIN_NEARLY_CHARS && Rule::PointerNearly.on() {
                    true if back => self.places.earlier(before, &words, false),
                    true => self.places.later(after, &words, false),
                    false => None,
                }
            });
            link = link.quoted(quoted).found(retold);
        }
        Some(link.why(EvidenceKind::NoSuchWords).link())
    }
}

/// True where 上 and 下 are part of another word: 已上, 以上, 天上, 上帝.
fn is_adverb(before: &str, pointer: &str) -> bool {
    let names_text = pointer.chars().nth(1) == Some('文');
    before.ends_with(['已', '天', '地'])
        || before.ends_with('以') && !names_text
        || pointer.starts_with("上帝")
}

/// Ends of the clauses of `words`, in bytes.
fn clause_ends(words: &str) -> impl Iterator<Item = usize> + '_ {
    words
        .char_indices()
        .filter(|(i, c)| *i > 0 && matches!(c, ',' | '，' | ':' | '：'))
        .map(|(i, _)| i)
        .chain([words.len()])
}
