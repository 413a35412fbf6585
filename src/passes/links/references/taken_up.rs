//! Words of the passage that a sub-commentary takes up where it begins to explain them: X者 at the
//! start of a sentence, without 云 and without quotation marks.
//!
//! A sentence may begin with X者 for other reasons, so all of X must be words of the passage: of
//! nine such places in lists read by hand, seven are quotations.

use std::sync::LazyLock;

use regex::Regex;

use super::comment::Reader;
use super::link::draft;
use super::sought::{FoundPlace, SoughtWords};
use crate::model::{LinkKind, Status};
use crate::source::Span;
use crate::text::both_scripts::{is_any, pattern_in_both_scripts as pattern};
use crate::text::class::is_content;

/// X者 at the start of a sentence.
static TAKEN_UP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[。；;：:○\s?？!！])(?P<all>(?P<x>[^。,，;；:：“”‘’「」《》\s○言雲云?？!！]{2,16}?)者)(?:[,，。]|[謂即])",
    )
});
/// What a sentence may have before the words that it takes up: 此所X者, 鄭又知X者.
const BEFORE_WORDS: &[char] = &[
    '此', '所', '又', '知', '案', '其', '故', '今', '則', '注', '傳', '經', '鄭', '即', '若', '且',
    '而', '凡', '以', '必',
];
/// Fewest characters that are taken up.
const MIN_TAKEN_UP_CHARS: usize = 2;
/// Fewest characters of which one may differ.
const MIN_CLOSE_CHARS: usize = 6;
/// How sure it is that X者 quotes; see above.
const TAKEN_UP_CERTAINTY: f64 = 0.78;

impl Reader<'_> {
    /// Links what sentences of a text without quotation marks take up.
    pub fn takes_up(&mut self, span: Span, before_quote: bool, taken: &mut Vec<Span>) {
        let text = self.slice(span);
        for c in TAKEN_UP.captures_iter(text) {
            let (Some(all), Some(x)) = (c.name("all"), c.name("x")) else { continue };
            let all = Span::new(span.start() + all.start(), span.start() + all.end());
            // X者,“…” names what is quoted next.
            let is_lead = before_quote && c.get_match().end() == text.len();
            if is_lead
                || all.start() == span.start() && !self.begins_sentence(all.start())
                || taken.iter().any(|t| t.overlap(all) > 0)
            {
                continue;
            }
            let x = Span::new(all.start(), span.start() + x.end());
            let Some((quoted, found)) = self.whole_or_rest(x) else { continue };
            taken.push(all);
            let whole = Span::new(quoted.start(), all.end());
            self.links.push(
                draft(LinkKind::Quotation, whole, self.layer)
                    .quoted(quoted)
                    .found(Some(found))
                    .link(),
            );
        }
    }

    /// Words that the passage has exactly, or what follows the function words that they begin with.
    fn whole_or_rest(&self, words: Span) -> Option<(Span, FoundPlace)> {
        let text = self.slice(words);
        let rest = text.trim_start_matches(|c| is_any(c, BEFORE_WORDS));
        let rest = Span::new(words.end() - rest.len(), words.end());
        [words, rest].into_iter().find_map(|part| {
            let sought = SoughtWords::of(self.places.document, part);
            let found = (sought.len() >= MIN_TAKEN_UP_CHARS)
                .then(|| self.places.in_passage(self.passage, &sought, None, self.quoted_before()))
                .flatten()
                .filter(|f| f.status == Status::Exact || is_close(f, sought.len()))?;
            let certainty = found.certainty.min(TAKEN_UP_CERTAINTY);
            Some((part, FoundPlace { certainty, ..found }))
        })
    }

    fn begins_sentence(&self, at: usize) -> bool {
        let before = self.text()[..at].chars().next_back();
        before.is_none_or(|c| !is_content(c) && !matches!(c, '”' | '」' | '’' | '』' | '》'))
    }
}

/// True if only a few of many characters differ.
fn is_close(found: &FoundPlace, chars: usize) -> bool {
    found.status == Status::Variant && chars >= MIN_CLOSE_CHARS && found.diff * 6 <= chars
}
