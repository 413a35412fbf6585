//! Titles of a sub-commentary in 《》, with the text that is cited from them.

use super::rules::Rule;
use ecow::eco_format;

use super::citation::{CitedText, cited, is_notes};
use super::comment::{OpenCitation, Reader};
use super::cues::{AND, NOTE_SAYS, OPENS_WITH_TITLE, SOURCE_OF, TO_QUOTE, tail};
use super::link::draft;
use super::locate::CitedSource;
use super::scan::{CommentToken, TokenKind};
use super::sought::SoughtWords;
use super::years;
use crate::corpus::view::Stream;
use crate::corpus::works::Tail;
use crate::model::{Evidence, EvidenceKind, Layer, LinkKind};
use crate::source::Span;
use crate::text::both_scripts::is_any;
use crate::text::class::{ends_sentence, is_content};
use crate::text::script::{Script, convert};

/// Where songs are; those that are lost, which are music else; and what is after one whose words are meant: 《貍首》之詩.
const SONGS: &str = "詩經";
const LOST_SONGS: &[&str] =
    &["貍首", "新宮", "采薺", "南陔", "華黍", "由庚", "崇丘", "由儀", "肆夏", "繁遏", "渠"];
const AFTER_SONG: &[&str] = &["之詩", "之诗", "之篇"];
/// Titles of the list of offices with which a part of the 周禮 opens.
const LISTS_OF_OFFICES: &[&str] = &["序官", "敘官", "叙官"];
/// Most characters of text after or before a title that may be cited from it.
const MAX_CITED_CHARS: usize = 60;
/// Characters of 文出於 and 見於, before the title of the source.
const FROM_THERE: &[char] = &['文', '出', '於', '于', '見', '见', '在'];
/// Before a title that says more than the clauses before: they are not from there.
const GOES_ON: &[char] = &['又', '案', '按', '故', '如', '若', '則'];
/// With what a comment says itself after what it cites: 是知釋菜無舞.
const CONCLUDES: &[char] = &['是', '故', '則', '知', '明', '此', '若', '然', '今', '以', '謂'];
/// Before the title of what they are on.
pub const NOTES_ON: &[char] = &['注', '註', '箋', '笺'];
/// Verbs that introduce what a title has.
const VERBS: &[char] = &['雲', '云', '曰', '言', '稱', '称', '有', '書', '书', '載', '载', '之'];
/// Most characters between a quotation and the title of its source, and after a word that is taken up.
const MAX_LINK_CHARS: usize = 2;
const MAX_TAKEN_UP_CHARS: usize = 5;
/// Fewest characters, and nats above chance, of text that goes on with a citation.
const MIN_CONTINUED_CHARS: usize = 6;
const MIN_CONTINUED_ABOVE_CHANCE: f32 = 9.0;

impl Reader<'_> {
    /// Reads one title, or several cited together, with the text cited from them.
    pub fn title(&mut self, tokens: &[CommentToken], at: usize) -> usize {
        let mut group = vec![at];
        let mut next = at + 1;
        while let (Some(a), Some(b)) = (tokens.get(next), tokens.get(next + 1))
            && a.kind == TokenKind::Plain
            && b.kind == TokenKind::Title
            && AND.is_match(self.slice(a.inner))
        {
            group.push(next + 1);
            next += 2;
        }
        let last = tokens[group[group.len() - 1]];
        let plain = tokens.get(next).filter(|t| t.kind == TokenKind::Plain).copied();
        let after = plain.map_or("", |p| self.slice(p.inner));
        let tail = self.tail(last, after).len();
        let quote =
            tokens.get(next + usize::from(plain.is_some())).filter(|t| t.kind == TokenKind::Quote);
        let quote = quote
            .filter(|_| {
                plain.is_none()
                    || TO_QUOTE.is_match(&after[tail..]) && !NOTE_SAYS.is_match(&after[tail..])
            })
            .copied();
        let text = match quote {
            Some(q) => CitedText { quoted: Some(q.inner), ..CitedText::default() },
            None => {
                let mut is_source = SOURCE_OF.is_match(after);
                let rest = plain.and_then(|p| sentence_rest(p.inner, tail, after));
                let mut before = self.before(tokens, at);
                if let Some(b) = before.filter(|_| Rule::FromThere.on()) {
                    let words = self.slice(b).trim_end_matches(FROM_THERE);
                    is_source |= words.len() < b.len();
                    before = Some(Span::new(b.start(), b.start() + words.len()));
                }
                let header =
                    self.of_header(tokens, at).filter(|_| is_source && Rule::OfHeader.on());
                let (before, of_header) = (header.or(before), header.is_some());
                let is_said = after[tail..].trim_start().starts_with(VERBS);
                let text = CitedText { after: rest, before, is_source, ..CitedText::default() };
                CitedText { of_header, is_said, ..text }
            }
        };
        if Rule::NamedSource.on() {
            self.named_source(tokens, at, after);
        }
        for (n, &g) in group.iter().enumerate() {
            let t = tokens[g];
            let extra = if n + 1 == group.len() { tail } else { 0 };
            let span = Span::new(t.outer.start(), t.outer.end() + extra);
            self.cite(t, span, &after[..extra], text);
        }
        let end = quote.map_or(last.outer.end(), |q| q.outer.end());
        if let Some(o) = self.open.last_mut() {
            o.end = end;
        }
        if let Some(q) = quote {
            self.nested(q.inner, true);
            // What follows inside a quotation may be said by who is quoted.
            if self.depth == 0 && Rule::ContinuedText.on() {
                self.continued(tokens.get(next + usize::from(plain.is_some()) + 1));
            }
        }
        // What follows the title is read too, but for the words between it and its quotation.
        next + if quote.is_some() { usize::from(plain.is_some()) + 1 } else { 0 }
    }

    /// The text after a quotation, if it continues with what the work says there.
    fn continued(&mut self, token: Option<&CommentToken>) {
        let Some(token) = token.filter(|t| t.kind == TokenKind::Plain) else { return };
        let Some(rest) = sentence_rest(token.inner, 0, self.slice(token.inner)) else { return };
        if self.slice(rest).starts_with(|c| is_any(c, CONCLUDES)) {
            return;
        }
        let Some(open) = self.open.last().cloned() else { return };
        let words = SoughtWords::of(self.places.document, rest);
        let Some(named) = open.named.as_ref().filter(|_| words.len() >= MIN_CONTINUED_CHARS) else {
            return;
        };
        let source =
            CitedSource { named, stream: Stream::Base, near: rest.start(), year: open.year };
        let least = MIN_CONTINUED_ABOVE_CHANCE;
        let Some((found, located)) = self.places.aligned(source, &words, least) else { return };
        let span = words.key.span(located.words.start, located.words.end);
        if !self.places.covers(&found, &SoughtWords::of(self.places.document, span)) {
            return;
        }
        self.links.push(
            draft(LinkKind::Citation, span, self.layer)
                .quoted(span)
                .work(open.work.clone())
                .found(Some(found))
                .because(EvidenceKind::GoesOnWithCitation)
                .link(),
        );
    }

    /// The clauses before a title, or the quotation just before it. One that has a title before it is
    /// from there, unless the text says that it is from this one.
    fn before(&self, tokens: &[CommentToken], at: usize) -> Option<Span> {
        let token = tokens[at.checked_sub(1)?];
        let lead = self.slice(token.inner).trim_end();
        if Rule::TitleSaysMore.on()
            && token.kind == TokenKind::Plain
            && lead.ends_with(|c| is_any(c, GOES_ON))
        {
            return None;
        }
        // “X”者，《釋詁》文; “X”者，此王用《中孚》九二爻辭也.
        let is_link = |t: &CommentToken| {
            let text = self.slice(t.inner);
            let most = if text.starts_with('者') { MAX_TAKEN_UP_CHARS } else { MAX_LINK_CHARS };
            t.kind == TokenKind::Plain && text.chars().filter(|c| is_content(*c)).count() <= most
        };
        let token = match is_link(&token) {
            true => tokens[at.checked_sub(2)?],
            false => token,
        };
        match token.kind {
            TokenKind::Quote => Some(token.inner),
            TokenKind::Plain => {
                let text = self.slice(token.inner);
                let start = text
                    .rfind(|c: char| ends_sentence(c) || matches!(c, '○' | '\n'))
                    .map_or(0, |i| i + text[i..].chars().next().map_or(0, char::len_utf8));
                let skip = text[start..].chars().count().saturating_sub(MAX_CITED_CHARS);
                let skip: usize = text[start..].chars().take(skip).map(char::len_utf8).sum();
                let from = token.inner.start() + start + skip;
                // The name of a year is not part of the text of that year.
                let years = years::all(self.text(), Span::new(from, token.inner.end()));
                let from = years.last().map_or(from, |y| y.span.end());
                (from < token.inner.end()).then(|| Span::new(from, token.inner.end()))
            }
            TokenKind::Title => None,
        }
    }

    /// The words that the header quotes, if the comment opens with a title: 注“犬四尺曰獒”。○解云：《釋畜》文.
    fn of_header(&self, tokens: &[CommentToken], at: usize) -> Option<Span> {
        let [lead] = &tokens[..at] else { return None };
        self.header.filter(|_| OPENS_WITH_TITLE.is_match(self.slice(lead.inner)))
    }

    /// X者,《國語》文, “X”，《釋訓》文: the sub-commentary names what the note quotes from; the note's sentence becomes a
    /// citation too.
    fn named_source(&mut self, tokens: &[CommentToken], at: usize, after: &str) {
        if !SOURCE_OF.is_match(after) {
            return;
        }
        let taken_up = self.taken_up(tokens, at);
        let words = taken_up
            .or_else(|| self.words_before(tokens, at).filter(|_| Rule::NamedSourceOfClauses.on()));
        let Some(said) = words.and_then(|words| self.sentence_of_note(words)) else { return };
        let resolved = self.works().resolve(self.slice(tokens[at].inner), self.places.work());
        if let Some(r) = resolved {
            let text = CitedText { quoted: Some(said), ..CitedText::default() };
            let mut link = cited(self.places, &r, said, text, Layer::Zhu);
            link.evidence.push(Evidence::of(EvidenceKind::NamedBySubcommentary));
            // What is not taken up may be more than what is from there.
            if taken_up.is_some() || link.target.is_some() {
                self.links.push(link);
            }
        }
    }

    /// The quotation or the clauses just before a title, without what introduces them (正義曰：).
    fn words_before(&self, tokens: &[CommentToken], at: usize) -> Option<Span> {
        let words = self.before(tokens, at)?;
        let text = self.slice(words);
        let is_quote = tokens.iter().any(|t| t.kind == TokenKind::Quote && t.inner == words);
        let mut chars = text.char_indices().rev().filter(|_| !is_quote);
        let colon = chars.find(|(_, c)| matches!(c, ':' | '：'));
        let start = colon.map_or(0, |(i, c)| i + c.len_utf8());
        Some(Span::new(words.start() + start, words.end()))
    }

    /// The words that X者 or “X”者 takes up, just before a title.
    fn taken_up(&self, tokens: &[CommentToken], at: usize) -> Option<Span> {
        let before = at.checked_sub(1).map(|i| tokens[i]).filter(|t| t.kind == TokenKind::Plain)?;
        let head = self.slice(before.inner).trim_end_matches([',', '，']).strip_suffix('者')?;
        if head.is_empty() {
            let quote = at.checked_sub(2).map(|i| tokens[i]);
            return quote.filter(|t| t.kind == TokenKind::Quote).map(|t| t.inner);
        }
        let start = head
            .rfind(['。', ',', '，', '”', '也'])
            .map_or(0, |i| i + head[i..].chars().next().map_or(0, char::len_utf8));
        let base = before.inner.start();
        Some(Span::new(base + start, base + head.len()))
    }

    /// The sentence of the notes of the passage that begins with some words; several if the words are more.
    fn sentence_of_note(&self, words: Span) -> Option<Span> {
        let words = SoughtWords::of(self.places.document, words);
        let notes = self.passage.text.start()..self.passage.text.end();
        let hits = self.places.view.find(Stream::Notes, notes, &words.key.chars, 0);
        let hit = hits.first().copied().filter(|_| words.len() > 1)?;
        let from = self.places.view.notes.at(hit.from);
        let segment = self.places.document.segment_at(from);
        let end = segment.map_or(from, |i| self.places.document.segments[i].span.end());
        let last = self.places.view.notes.end(hit.to - 1).clamp(from, end);
        let stop = self.text()[last..end].find('。').map_or(end, |i| last + i);
        (stop > from).then(|| Span::new(from, stop))
    }

    /// What belongs to a title of the text after it. 說 does where this is what the work is called (《孝經》說).
    fn tail<'b>(&self, title: CommentToken, after: &'b str) -> &'b str {
        let tail = tail(after);
        let called = || format!("{}{tail}", self.slice(title.inner));
        let is_other = matches!(tail, "說" | "説" | "说")
            && self.works().resolve(&called(), self.places.work()).is_none();
        if is_other { "" } else { tail }
    }

    /// Links one title.
    pub fn cite(&mut self, token: CommentToken, span: Span, tail: &str, mut text: CitedText) {
        let name = format!("{}{tail}", self.slice(token.inner));
        let home = self.places.work();
        let works = self.works();
        let resolved =
            works.resolve(&name, home).or_else(|| works.resolve(self.slice(token.inner), home));
        let Some(mut resolved) = resolved else {
            let name = self.slice(token.inner);
            let after = &self.text()[token.outer.end()..self.span.end().max(token.outer.end())];
            let work = match works.is_rite(name, home) {
                false => Some(name.to_string()),
                true if !Rule::LostSong.on() => None,
                true => song(name).filter(|_| AFTER_SONG.iter().any(|a| after.starts_with(a))),
            };
            if work.is_some() {
                let link = draft(LinkKind::Citation, span, self.layer).work(work);
                self.links.push(link.why(EvidenceKind::TitleNotInAuthorityFile).link());
            }
            return;
        };
        let duke = years::before(self.text(), self.span, span.start())
            .or_else(|| years::after(self.text(), self.span, span.end()).map(|year| year.duke));
        if let Some(duke) = duke.filter(|_| Rule::YearOfTitle.on())
            && resolved.named.chapter.is_none()
        {
            duke.narrow(&mut resolved.named, self.places);
            text.year = resolved.named.chapter.is_some().then_some(duke.year());
        }
        let before = &self.text()[self.span.start()..span.start()];
        let is_noted = Rule::NotesOnTitle.on() && before.ends_with(NOTES_ON);
        // 《序官》 alone is that of the part that is explained.
        if Rule::ListOfOffices.on()
            && LISTS_OF_OFFICES.contains(&self.slice(token.inner))
            && let Some(home) = self.places.home.as_ref().filter(|h| h.work == resolved.named.work)
            && home.part.is_some()
        {
            resolved.named.part.clone_from(&home.part);
            resolved.tail = resolved.tail.or((!is_noted).then_some(Tail::Opening));
        }
        // 鄭注《大宗伯》云: what the note says.
        if is_noted {
            resolved.tail = resolved.tail.or(Some(Tail::Commentary));
        }
        let mut link = cited(self.places, &resolved, span, text, self.layer);
        // 王肅《家語》注
        let has_author = is_noted || resolved.tail.is_some_and(is_notes);
        if has_author
            && Rule::NotesByAuthor.on()
            && let Some(notes) = self.notes_by(before, &resolved.named.work)
        {
            link.work = Some(eco_format!("{}・{notes}", resolved.named.locus()));
            link.target = None;
        }
        let found_in =
            link.target.as_ref().map(|t| self.places.narrowed(&resolved.named, t, link.status));
        let open = OpenCitation::of_title(works, resolved, span.end());
        self.open.push(OpenCitation { year: text.year, found_in, ..open });
        self.links.push(link);
    }
}

/// The title of a lost song in the book of songs.
fn song(name: &str) -> Option<String> {
    let name = convert(name, Script::Traditional);
    LOST_SONGS.contains(&&*name).then(|| format!("{SONGS}・{name}"))
}

/// The text after a title up to the end of the sentence.
fn sentence_rest(plain: Span, tail: usize, after: &str) -> Option<Span> {
    let rest = &after[tail..];
    let skip =
        rest.len() - rest.trim_start_matches(['雲', '云', '曰', ':', '：', ',', '，', '者']).len();
    let words = &rest[skip..];
    let end = words.find(['。', '\n', '○']).unwrap_or(words.len());
    let most = words.char_indices().nth(MAX_CITED_CHARS).map_or(words.len(), |(i, _)| i);
    let end = end.min(most);
    let start = plain.start() + tail + skip;
    words[..end].contains(is_content).then(|| Span::new(start, start + end))
}
