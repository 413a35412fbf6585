//! Our own words on a page, from templates of [`crate::language`].
//!
//! If the language of a page can be switched, each template is kept in an attribute, with short
//! names of messages: `data-m` for the text of an element, `data-mt`, `data-ma`, `data-mw` and
//! `data-mo` for `title`, `aria-label`, `data-who` and `data-more`. Of `title` and
//! `data-more`, which nothing shows without scripts or a pointer, there is only the template: the
//! script writes them.

use super::Markup;
use super::source_text::is_special;
use crate::language::{Language, short};

/// Attributes with words, where the template of each is kept, and whether the words are beside it.
const SAID: &[(&str, &str, bool)] = &[
    ("title", "data-mt", false),
    ("aria-label", "data-ma", true),
    ("data-who", "data-mw", true),
    ("data-more", "data-mo", false),
];

impl Markup<'_> {
    /// From now on, templates are filled in this language. `switchable`: they are kept too.
    pub(crate) fn speak(&mut self, language: Language, switchable: bool) -> &mut Self {
        self.language = language;
        self.switchable = switchable;
        self
    }

    /// A template in the language of the page, as text.
    pub(crate) fn filled(&self, template: &str) -> String {
        self.language.fill(template)
    }

    /// The language of our own words on the page.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// An element that contains only our own words.
    pub(crate) fn said(&mut self, name: &'static str, template: &str) -> &mut Self {
        self.open(name).say(template).close()
    }

    /// The whole text of the element just opened. A template with text of a source may have
    /// characters that need elements of their own; a script could not write these, so such a
    /// template is not kept.
    pub(crate) fn say(&mut self, template: &str) -> &mut Self {
        let words = self.filled(template);
        if words.contains(is_special) {
            return self.words(&words);
        }
        self.keep(template).text(words)
    }

    /// A remark of the program, with a hint. It has no template, so a page that can be switched has
    /// it in each language.
    pub(crate) fn remark(&mut self, message: &str, hint: Option<&str>) -> &mut Self {
        let said = |language: Language| {
            let words = [Some(message), hint].into_iter().flatten().map(|w| language.message_of(w));
            words.collect::<Vec<_>>().join(&language.fill("{semicolon}"))
        };
        let own = self.language;
        self.open("span").in_own_language();
        if self.switchable {
            for (name, language) in [
                ("data-in-zh-hant", Language::ZhHant),
                ("data-in-zh-hans", Language::ZhHans),
                ("data-in-en", Language::En),
            ] {
                self.attr(name, said(language));
            }
        }
        self.text(said(own)).close()
    }

    /// The title of the page, which has no elements.
    pub(crate) fn page_title(&mut self, template: &str) -> &mut Self {
        let words = self.filled(template);
        self.open("title").keep(template).text(words).close()
    }

    fn keep(&mut self, template: &str) -> &mut Self {
        match self.switchable && template.contains('{') {
            true => self.attr("data-m", short(template)),
            false => self,
        }
    }

    /// An attribute with our own words: one of [`SAID`].
    pub(crate) fn attr_said(&mut self, name: &'static str, template: &str) -> &mut Self {
        let kept = SAID.iter().find(|(said, ..)| *said == name && self.switchable);
        let kept = kept.filter(|_| template.contains('{'));
        if kept.is_none_or(|(.., beside)| *beside) {
            let words = self.filled(template);
            self.attr(name, words);
        }
        match kept {
            Some((_, kept, _)) => self.attr(kept, short(template)),
            None => self,
        }
    }

    /// The name of a button, which is its title too: the script of a site copies it.
    pub(crate) fn named(&mut self, template: &str) -> &mut Self {
        if !self.switchable {
            self.attr_said("title", template);
        }
        self.attr_said("aria-label", template)
    }

    /// True on a page of a site: its script says what is not text, from what all pages share.
    pub(crate) fn is_switchable(&self) -> bool {
        self.switchable
    }

    /// Says that what an element contains is in the language of the page.
    pub(crate) fn in_own_language(&mut self) -> &mut Self {
        let language = self.language.id();
        self.attr("lang", language);
        if self.switchable { self.attr("data-own", "") } else { self }
    }
}
