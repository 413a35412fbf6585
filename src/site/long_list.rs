//! A list over all texts, on as many pages as it needs: ten thousand entries on one page keep a
//! phone busy for ten seconds.

use std::io;

use super::Take;
use super::frame::{Title, frame};
use crate::corpus::Library;
use crate::markup::Markup;
use crate::model::Document;

/// Most entries of a page.
const MOST: usize = 250;

/// An entry of a text. Entries of a text follow each other.
pub(super) struct ListedEntry<'a, T> {
    /// The number of its group. Entries of a group follow each other.
    pub group: usize,
    pub document: &'a Document,
    pub item: T,
}

/// A list, and the general page on which it begins.
pub(super) struct LongList<'a, T> {
    pub page: &'static str,
    /// The name of the list, as a template.
    pub title: &'static str,
    /// The element of the name of a text: it is below the names of groups, if there are any.
    pub text: &'static str,
    /// The element around entries of a text, and its class.
    pub list: (&'static str, &'static str),
    pub entries: Vec<ListedEntry<'a, T>>,
}

impl<'a, T> LongList<'a, T> {
    /// Where a group begins, if it has entries.
    pub fn address_of(&self, group: usize) -> Option<String> {
        let first = self.entries.iter().position(|e| e.group == group)?;
        Some(format!("{}#group-{group}", self.file(first / MOST)))
    }

    /// How many entries a group has.
    pub fn count(&self, group: usize) -> usize {
        self.entries.iter().filter(|e| e.group == group).count()
    }

    /// The file of a page, which are counted from 0.
    fn file(&self, page: usize) -> String {
        match page {
            0 => self.page.to_string(),
            n => self.page.replace(".html", &format!(".{}.html", n + 1)),
        }
    }

    /// Writes all pages. `top` is written on the first, `heading` where a group begins or goes on.
    pub fn write(
        &self,
        (library, title): (&Library, Title<'_>),
        take: Take<'_>,
        top: impl Fn(&mut Markup<'_>),
        heading: impl Fn(&mut Markup<'_>, usize),
        mut entry: impl FnMut(&mut Markup<'_>, &ListedEntry<'a, T>),
    ) -> io::Result<()> {
        let all = self.entries.len().div_ceil(MOST).max(1);
        for page in 0..all {
            let mut content = Vec::new();
            frame(self.page, (title, library.language), &mut content, |h| {
                h.open("h2").said("span", self.title);
                h.element("small", format_args!(" {}", self.entries.len())).close().line();
                if page == 0 {
                    top(h);
                }
                self.neighbours(h, page, all);
                let end = self.entries.len().min((page + 1) * MOST);
                for of_group in self.entries[page * MOST..end].chunk_by(|a, b| a.group == b.group) {
                    heading(h, of_group[0].group);
                    self.texts(h, of_group, &mut entry);
                }
                self.neighbours(h, page, all);
            })?;
            take(&self.file(page), &content)?;
        }
        Ok(())
    }

    /// Entries of a group, text by text.
    fn texts(
        &self,
        h: &mut Markup<'_>,
        entries: &[ListedEntry<'a, T>],
        entry: &mut impl FnMut(&mut Markup<'_>, &ListedEntry<'a, T>),
    ) {
        for of_text in entries.chunk_by(|a, b| std::ptr::eq(a.document, b.document)) {
            h.open(self.text).words(&of_text[0].document.meta.title);
            h.element("small", format_args!(" {}", of_text.len())).close();
            h.open(self.list.0).attr("class", self.list.1).line();
            of_text.iter().for_each(|e| entry(h, e));
            h.close().line();
        }
    }

    /// Links to the pages before and after this one.
    fn neighbours(&self, h: &mut Markup<'_>, page: usize, all: usize) {
        if all == 1 {
            return;
        }
        h.open("nav").attr("class", "pages").in_own_language();
        h.attr_said("aria-label", self.title);
        if let Some(before) = page.checked_sub(1) {
            h.open("a").attr("href", self.file(before)).attr("rel", "prev");
            h.say("{previous-page}").close().text(" ");
        }
        h.said("span", &format!("{{list-page n={} all={all}}}", page + 1));
        if page + 1 < all {
            h.text(" ").open("a").attr("href", self.file(page + 1)).attr("rel", "next");
            h.say("{next-page}").close();
        }
        h.close().line();
    }
}
