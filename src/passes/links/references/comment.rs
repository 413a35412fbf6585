//! Reads a sub-commentary from left to right: quotations, titles, and words that point elsewhere in
//! the text.
//!
//! What stands in quotation marks refers to something; the words before it say to what. 雲“…” after
//! a title belongs to the title; 注雲 or 又雲 just after such a citation goes on with it; 下文,
//! 上經 and 下記 point into the chapter; all else is looked for in the passage explained.

use super::cues::{
    AND, CUE, CUE_TAIL, ELSEWHERE, IBID, MENTION, NOTE_SAYS, OPENING, RANGE, RECORD, SCOPE, TAIL,
    TO_QUOTE,
};
use super::link::{Draft, draft};
use super::place::{Found, Places, Words};
use super::scan::{Kind, Token, tokens};
use crate::corpus::view::{Passage, Stream};
use crate::corpus::works::{Named, Resolved, Tail, Works};
use crate::model::{Layer, Link, LinkKind, Status};
use crate::source::Span;
use crate::text::class::is_content;

/// May stand before 注雲 and name nothing: 是以鄭注雲.
const LEADS: &[char] = &['以', '故', '案', '按', '又', '即', '則', '而', '知'];
/// Bytes between a citation and words that can but go on with it.
const NEAR: usize = 180;

/// A citation that what follows may go on with.
#[derive(Clone)]
struct Open {
    named: Option<Named>,
    work: Option<String>,
    end: usize,
    /// Where in this text it was found.
    place: Option<usize>,
}

/// Reads one sub-commentary segment.
pub struct Reader<'a> {
    /// Where to look.
    pub places: &'a Places<'a>,
    /// The passage it explains.
    pub passage: &'a Passage,
    /// The layer that speaks.
    pub layer: Layer,
    /// Stretches that scopes took.
    pub taken: Vec<Span>,
    /// The result.
    pub links: Vec<Link>,
    open: Option<Open>,
    /// Where the quotation before was found.
    pub(super) after: Option<usize>,
}

impl<'a> Reader<'a> {
    /// Ready to read.
    pub fn new(
        places: &'a Places<'a>,
        passage: &'a Passage,
        layer: Layer,
        taken: Vec<Span>,
    ) -> Self {
        Reader { places, passage, layer, taken, links: vec![], open: None, after: None }
    }

    fn works(&self) -> &'a Works {
        &self.places.index.works
    }

    pub(super) fn text(&self) -> &'a str {
        self.places.document.source.text()
    }

    /// Reads `span`.
    pub fn read(&mut self, span: Span) {
        let tokens = tokens(self.text(), span);
        let mut i = 0;
        while i < tokens.len() {
            i = match tokens[i].kind {
                Kind::Title => self.title(&tokens, i),
                Kind::Quote => self.quote(&tokens, i),
                Kind::Plain => self.plain(&tokens, i),
            };
        }
    }

    pub(super) fn slice(&self, s: Span) -> &'a str {
        &self.text()[s.range()]
    }

    /// One title, or several cited together, with the words they are cited for.
    fn title(&mut self, tokens: &[Token], at: usize) -> usize {
        let mut group = vec![at];
        let mut next = at + 1;
        while let (Some(a), Some(b)) = (tokens.get(next), tokens.get(next + 1))
            && a.kind == Kind::Plain
            && b.kind == Kind::Title
            && AND.is_match(self.slice(a.inner))
        {
            group.push(next + 1);
            next += 2;
        }
        let last = tokens[group[group.len() - 1]];
        let plain = tokens.get(next).filter(|t| t.kind == Kind::Plain).copied();
        let after = plain.map_or("", |p| self.slice(p.inner));
        let tail = TAIL.find(after).map_or(0, |m| {
            after[..m.end()].trim_end_matches(['雲', '云', '曰', ':', '：', ',', '，', '者']).len()
        });
        let quote =
            tokens.get(next + usize::from(plain.is_some())).filter(|t| t.kind == Kind::Quote);
        let quote = quote
            .filter(|_| {
                plain.is_none()
                    || TO_QUOTE.is_match(&after[tail..]) && !NOTE_SAYS.is_match(&after[tail..])
            })
            .copied();
        let said = match (quote, plain) {
            (Some(q), _) => Some((q.inner, true)),
            (None, Some(p)) if !MENTION.is_match(&after[tail..]) && !NOTE_SAYS.is_match(after) => {
                said_after(p.inner, tail, after).map(|s| (s, false))
            }
            _ => self.said_before(tokens, at, &after[tail..]).map(|s| (s, true)),
        };
        self.named_source(tokens, at, after);
        let mut end = last.outer.end();
        for (n, &g) in group.iter().enumerate() {
            let t = tokens[g];
            let extra = if n + 1 == group.len() { tail } else { 0 };
            let span = Span::new(t.outer.start(), t.outer.end() + extra);
            self.cite(t, span, &after[..extra], said);
        }
        if let Some(q) = quote {
            end = q.outer.end();
        }
        if let Some(o) = &mut self.open {
            o.end = end;
        }
        next + usize::from(plain.is_some() && quote.is_some()) + usize::from(quote.is_some())
    }

    /// X者,《國語》文: the sub-commentary names what the note quotes from; the note's sentence
    /// becomes a citation too.
    fn named_source(&mut self, tokens: &[Token], at: usize, after: &str) {
        let before = at.checked_sub(1).map(|i| tokens[i]).filter(|t| t.kind == Kind::Plain);
        let Some(head) = before
            .and_then(|b| self.slice(b.inner).trim_end_matches([',', '，']).strip_suffix('者'))
        else {
            return;
        };
        if !(after.starts_with('文') || after.starts_with("之文")) {
            return;
        }
        let start = head
            .rfind(['。', ',', '，', '”', '也'])
            .map_or(0, |i| i + head[i..].chars().next().map_or(0, char::len_utf8));
        let base = before.map_or(0, |b| b.inner.start());
        let words = Words::of(self.places.document, Span::new(base + start, base + head.len()));
        let notes = self.passage.text.start()..self.passage.text.end();
        let Some(hit) = self
            .places
            .view
            .find(Stream::Notes, notes, &words.key.chars, 0)
            .first()
            .copied()
            .filter(|_| words.len() > 1)
        else {
            return;
        };
        let from = self.places.view.notes.at[hit.from] as usize;
        let end = self
            .places
            .document
            .segment_at(from)
            .map_or(from, |i| self.places.document.segments[i].span.end());
        let stop = self.text()[from..end].find('。').map_or(end, |i| from + i);
        let resolved = self
            .works()
            .resolve(self.slice(tokens[at].inner), self.places.document.meta.work.as_deref());
        if let Some(r) = resolved.filter(|_| stop > from) {
            let said = Span::new(from, stop);
            let mut link = cited(self.places, &r, said, Some((said, true)), Layer::Zhu);
            link.evidence.push(crate::model::Evidence::code("named-by-subcommentary"));
            self.links.push(link);
        }
    }

    /// 立於序端,文出於《大射》也: the words stand before the title.
    fn said_before(&self, tokens: &[Token], at: usize, after: &str) -> Option<Span> {
        let before = tokens.get(at.checked_sub(1)?).filter(|t| t.kind == Kind::Plain)?;
        let words = self.slice(before.inner);
        let head = words
            .strip_suffix("文出於")
            .or_else(|| words.strip_suffix("文出"))?
            .trim_end_matches([',', '，']);
        let start = head
            .rfind(['。', ',', '，'])
            .map_or(0, |i| i + head[i..].chars().next().map_or(0, char::len_utf8));
        (after.starts_with('也') && start < head.len())
            .then(|| Span::new(before.inner.start() + start, before.inner.start() + head.len()))
    }

    fn cite(&mut self, token: Token, span: Span, tail: &str, said: Option<(Span, bool)>) {
        let document = self.places.document;
        let name = format!("{}{tail}", self.slice(token.inner));
        let home = document.meta.work.as_deref();
        let works = self.works();
        let Some(resolved) =
            works.resolve(&name, home).or_else(|| works.resolve(self.slice(token.inner), home))
        else {
            if !works.is_rite(self.slice(token.inner)) {
                let work = Some(self.slice(token.inner).to_string());
                self.links.push(
                    draft(LinkKind::Citation, span, self.layer)
                        .work(work)
                        .why("title-not-in-authority-file")
                        .link(),
                );
            }
            return;
        };
        let link = cited(self.places, &resolved, span, said, self.layer);
        self.open = Some(Open {
            named: Some(resolved.named),
            work: link.work.clone(),
            end: span.end(),
            place: None,
        });
        self.links.push(link);
    }

    fn quote(&mut self, tokens: &[Token], at: usize) -> usize {
        let q = tokens[at];
        if self.taken.iter().any(|t| t.overlap(q.inner) > 0) {
            return at + 1;
        }
        let before = at.checked_sub(1).map(|i| tokens[i]).filter(|t| t.kind == Kind::Plain);
        let lead = before.map_or("", |b| self.slice(b.inner));
        if SCOPE.is_match(lead) {
            return at + 1;
        }
        let from = |cue: Option<regex::Match<'_>>| {
            cue.map_or(q.outer.start(), |c| {
                before.map_or(q.outer.start(), |b| b.inner.start() + c.start())
            })
        };
        let words = Words::of(self.places.document, q.inner);
        if words.len() == 0 {
            return at + 1;
        }
        if let (Some(gap), Some(to)) =
            (tokens.get(at + 1), tokens.get(at + 2).filter(|t| t.kind == Kind::Quote))
            && gap.kind == Kind::Plain
            && RANGE.is_match(self.slice(gap.inner))
        {
            let cue = CUE.captures(lead).and_then(|c| c.name("cue"));
            self.range(Span::new(from(cue), to.outer.end()), q, *to);
            return at + 3;
        }
        if let Some(c) = ELSEWHERE.captures(lead) {
            let back = c.name("dir").is_some_and(|d| matches!(d.as_str(), "上" | "前"));
            self.elsewhere(
                Span::new(from(c.name("cue")), q.outer.end()),
                q.inner,
                &words,
                back,
                c.name("what").map_or("", |m| m.as_str()),
            );
        } else if let Some(c) = RECORD.captures(lead)
            && let Some(open) = self.open.clone().filter(|_| self.goes_on(q.outer.start(), "記"))
            && open.named.is_some()
            && (words.len() < 4
                || self
                    .places
                    .later(self.passage.text.end(), &words, true)
                    .is_none_or(|f| f.target.doc.is_some()))
        {
            let cue = c.name("cue");
            self.ibid(
                Span::new(from(cue), q.outer.end()),
                q.inner,
                &words,
                cue.map_or("", |m| m.as_str()),
                open,
            );
        } else if let Some(c) = RECORD.captures(lead) {
            self.record(Span::new(from(c.name("cue")), q.outer.end()), q.inner, &words);
        } else {
            self.plain_quote(q, &words, lead, from, tokens.get(at + 1));
        }
        at + 1
    }

    /// A quotation of the passage, or one that goes on with the citation before.
    fn plain_quote(
        &mut self,
        q: Token,
        words: &Words,
        lead: &str,
        from: impl Fn(Option<regex::Match<'_>>) -> usize,
        next: Option<&Token>,
    ) {
        let cue = CUE
            .captures(lead)
            .and_then(|c| c.name("cue"))
            .filter(|c| !OPENING.is_match(c.as_str()));
        let span = Span::new(
            from(cue.map(|c| trim_cue(lead, c)).and_then(|r| CUE_TAIL.find_at(&lead[..r.1], r.0))),
            q.outer.end(),
        );
        let said = cue.map_or("", |c| c.as_str());
        let prefer = match said {
            s if s.contains('經') || s.contains('经') => Some(Stream::Base),
            s if s.contains('鄭') || s.contains('注') => Some(Stream::Notes),
            _ => None,
        };
        let negative = said.ends_with("不言") || said.ends_with("不雲") || said.ends_with("不云");
        let cue_of_ibid = IBID.captures(lead).and_then(|c| c.name("cue"));
        let ibid = cue_of_ibid.filter(|c| self.goes_on(q.outer.start(), c.as_str()));
        let found = if negative {
            None
        } else {
            self.places.in_passage(self.passage, words, prefer, self.after)
        };
        if let (Some(cue), Some(open)) = (ibid, self.open.clone())
            && found.as_ref().is_none_or(|f| {
                words.len() < 3
                    || cue.as_str().contains('彼')
                    || f.status != Status::Exact && continues(cue.as_str())
            })
        {
            return self.ibid(
                Span::new(from(Some(cue)), q.outer.end()),
                q.inner,
                words,
                cue.as_str(),
                open,
            );
        }
        let strong =
            !said.is_empty() || next.is_some_and(|n| self.slice(n.inner).starts_with('者'));
        let found = found.or_else(|| {
            (!negative && words.len() > 2)
                .then(|| self.places.earlier(self.passage.text.start(), words, words.len() < 6))
                .flatten()
        });
        if found.is_none() && !strong {
            return;
        }
        if found.is_none()
            && !negative
            && self.quotes_another(span, q.inner, words, cue_of_ibid.map_or("", |c| c.as_str()))
        {
            return;
        }
        let found = found
            .or_else(|| if negative { None } else { self.places.loosely(self.passage, words) });
        self.after = found
            .as_ref()
            .filter(|f| f.target.doc.is_none())
            .map(|f| f.target.span.start())
            .or(self.after);
        let why = if negative { "said-not-to-stand-there" } else { "not-in-passage" };
        self.links.push(
            draft(LinkKind::Quotation, span, self.layer)
                .quoted(q.inner)
                .found(found)
                .why(why)
                .link(),
        );
    }

    /// Words that do not stand in what was read so far: they stand in another chapter, though none
    /// is named; or a citation stands a little before, and 其職雲 or 注雲 can but speak of it. True
    /// if it is so.
    fn quotes_another(&mut self, span: Span, quoted: Span, words: &Words, cue: &str) -> bool {
        if let Some((place, named)) = self.places.in_other_chapter(words) {
            let work = named.as_ref().map(Named::locus);
            self.open = Some(Open { named, work: work.clone(), end: span.end(), place: None });
            self.links.push(
                draft(LinkKind::Citation, span, self.layer)
                    .quoted(quoted)
                    .work(work)
                    .found(Some(place))
                    .link(),
            );
            return true;
        }
        let near =
            |o: &Open| o.named.is_some() && o.end <= span.start() && span.start() - o.end < NEAR;
        // 詩注雲 names another text.
        let before = self.text()[..span.start()].chars().next_back();
        let bare = before.is_none_or(|c| !is_content(c) || LEADS.contains(&c));
        let open =
            self.open.clone().filter(|o| bare && near(o) && (continues(cue) || cue.contains('鄭')));
        let known = self.places.loosely(self.passage, words).is_some();
        match open {
            Some(open) if !known => {
                self.ibid(span, quoted, words, cue, open);
                true
            }
            _ => false,
        }
    }

    /// True if a citation ended just before byte `at`, or not long before where the cue says 彼.
    fn goes_on(&self, at: usize, cue: &str) -> bool {
        let reach = if cue.contains('彼') { 900 } else { 36 };
        self.open.as_ref().is_some_and(|o| {
            o.end <= at
                && at - o.end < reach
                && (reach > 36 || !self.text()[o.end..at].contains('者'))
        })
    }

    fn ibid(&mut self, span: Span, quoted: Span, words: &Words, cue: &str, open: Open) {
        let note = cue.contains(['注', '註', '箋', '鄭']);
        let stream = if note { Stream::Notes } else { Stream::Base };
        let found = open.named.as_ref().and_then(|n| {
            self.places.cited(&n.work, n.chapter.as_deref(), words, stream, span.start())
        });
        let found = found.or_else(|| {
            open.place
                .and_then(|p| self.places.later(p, words, words.len() < 6))
                .filter(|f| f.target.doc.is_none())
        });
        let base = open.work.clone().map(|w| w.trim_end_matches("・鄭注").to_string());
        let work = if note { base.map(|w| format!("{w}・鄭注")) } else { base };
        self.links.push(
            draft(LinkKind::Citation, span, self.layer)
                .quoted(quoted)
                .work(work.clone())
                .found(found)
                .because("goes-on-with-citation")
                .why("not-in-corpus")
                .link(),
        );
        self.open = Some(Open { end: span.end(), ..open });
    }

    fn range(&mut self, span: Span, from: Token, to: Token) {
        let find = |t: Token, after: Option<usize>| {
            let w = Words::of(self.places.document, t.inner);
            self.places.in_passage(self.passage, &w, None, after).filter(|_| w.len() > 0)
        };
        let a = find(from, self.after);
        self.after = a.as_ref().map(|f| f.target.span.start()).or(self.after);
        let b = find(to, self.after);
        let quoted = Span::new(from.inner.start(), to.inner.end());
        let found = match (a, b) {
            (Some(a), Some(b)) if a.target.span.start() < b.target.span.end() => {
                let whole = Span::new(a.target.span.start(), b.target.span.end());
                let certainty = a.certainty.min(b.certainty);
                Some(Found {
                    target: crate::model::Target { doc: None, span: whole },
                    status: Status::Range,
                    certainty,
                    how: "range",
                    alternatives: vec![],
                    diff: 0,
                    differs: None,
                })
            }
            _ => None,
        };
        self.links.push(
            draft(LinkKind::Quotation, span, self.layer)
                .quoted(quoted)
                .found(found)
                .why("not-in-passage")
                .link(),
        );
    }

    /// 上文, 下經, 下記 with words in quotation marks.
    fn elsewhere(&mut self, span: Span, quoted: Span, words: &Words, back: bool, what: &str) {
        let record = what == "記" || what == "记";
        let strict = words.len() < 6;
        let found = if back {
            self.places.earlier(self.passage.text.start(), words, strict)
        } else {
            self.places.later(self.passage.text.end(), words, strict)
        };
        let locus = self.places.document.meta.locus();
        let work = if record { locus.map(|l| format!("{l}・記")) } else { locus };
        let place = found.as_ref().filter(|f| f.target.doc.is_none()).map(|f| f.target.span.end());
        self.open = Some(Open { named: None, work: work.clone(), end: span.end(), place });
        self.links.push(
            draft(LinkKind::Internal, span, self.layer)
                .quoted(quoted)
                .work(work)
                .found(found)
                .why("not-in-corpus")
                .link(),
        );
    }

    fn record(&mut self, span: Span, quoted: Span, words: &Words) {
        let work = self.places.document.meta.locus().map(|l| format!("{l}・記"));
        let found = self.places.later(self.passage.text.end(), words, words.len() < 6);
        let place = found.as_ref().filter(|f| f.target.doc.is_none()).map(|f| f.target.span.end());
        self.open = Some(Open { named: None, work: work.clone(), end: span.end(), place });
        self.links.push(
            draft(LinkKind::Citation, span, self.layer)
                .quoted(quoted)
                .work(work)
                .found(found)
                .why("not-in-corpus")
                .link(),
        );
    }
}

/// True for a cue that says more than 雲: 其職雲, 又雲, 注雲 go on with what was cited.
fn continues(cue: &str) -> bool {
    cue.trim_end_matches([':', '：', ',', '，'])
        .trim_end_matches(['雲', '云', '曰', '引'])
        .contains(|c| c != '鄭')
}

/// Bytes of the lead where the cue lies.
fn trim_cue(lead: &str, cue: regex::Match<'_>) -> (usize, usize) {
    (cue.start(), lead.len())
}

/// The words after a title up to the end of the sentence.
fn said_after(plain: Span, tail: usize, after: &str) -> Option<Span> {
    let rest = &after[tail..];
    let skip =
        rest.len() - rest.trim_start_matches(['雲', '云', '曰', ':', '：', ',', '，', '者']).len();
    let end = rest[skip..].find(['。', '\n', '○']).unwrap_or(rest.len() - skip);
    (end > 0).then(|| Span::new(plain.start() + tail + skip, plain.start() + tail + skip + end))
}

/// A link for a title that was read, and the words it is cited for (and whether they are marked as
/// quoted).
pub fn cited(
    places: &Places<'_>,
    resolved: &Resolved,
    span: Span,
    said: Option<(Span, bool)>,
    layer: Layer,
) -> Link {
    let named = &resolved.named;
    let mut work = named.locus();
    match resolved.tail {
        Some(Tail::Record) if named.chapter.is_some() => work.push_str("・記"),
        Some(Tail::Commentary)
            if named.work == "儀禮" || named.work == "周禮" || named.work == "禮記" =>
        {
            work.push_str("・鄭注")
        }
        Some(Tail::Commentary) => work.push_str("・注"),
        Some(Tail::Subcommentary) => work.push_str("・疏"),
        _ => {}
    }
    let stream = if resolved.tail == Some(Tail::Commentary) { Stream::Notes } else { Stream::Base };
    let words = said
        .map(|(s, marked)| (s, marked, Words::of(places.document, s)))
        .filter(|(_, _, w)| w.len() > 0);
    let found = words.as_ref().and_then(|(_, marked, w)| {
        if *marked {
            places.cited(&named.work, named.chapter.as_deref(), w, stream, span.start())
        } else {
            places.common(&named.work, named.chapter.as_deref(), w, stream)
        }
    });
    let mut link: Draft = draft(LinkKind::Citation, span, layer)
        .work(Some(work))
        .because("title")
        .found(found)
        .why("not-in-corpus");
    if let Some((s, marked, _)) = words {
        link = if marked || link.is_found() { link.quoted(s) } else { link };
    }
    link.title_only().link()
}
