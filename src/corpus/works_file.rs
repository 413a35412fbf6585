//! The authority file as TOML has it, before names are looked up in it; one such file can add
//! to another.

use serde::Deserialize;

use super::works::{Marks, Part, Work};

/// A work as a file has it; one that adds to another may leave out all but the title.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub title: String,
    key: Option<String>,
    #[serde(default)]
    abbr: Vec<String>,
    period: Option<String>,
    kanripo: Option<String>,
    ctext: Option<String>,
    bare: Option<bool>,
    #[serde(default)]
    bare_title: Vec<String>,
    #[serde(default)]
    drop: Vec<String>,
    #[serde(default)]
    chapters: Vec<Vec<String>>,
    #[serde(default)]
    part: Vec<Part>,
}

impl Entry {
    /// Takes up what another says of the same work.
    pub fn add(&mut self, more: Entry) {
        self.key = more.key.or(self.key.take());
        self.period = more.period.or(self.period.take());
        self.kanripo = more.kanripo.or(self.kanripo.take());
        self.ctext = more.ctext.or(self.ctext.take());
        self.bare = more.bare.or(self.bare);
        self.abbr.extend(more.abbr);
        self.bare_title.extend(more.bare_title);
        self.drop.extend(more.drop);
        for names in more.chapters {
            match self.chapters.iter_mut().find(|c| c.first() == names.first()) {
                Some(known) => known.extend(names),
                None => self.chapters.push(names),
            }
        }
        self.part.extend(more.part);
    }

    pub fn work(self) -> Work {
        Work {
            key: self.key.unwrap_or_else(|| self.title.clone()),
            title: self.title,
            abbr: self.abbr,
            period: self.period,
            kanripo: self.kanripo,
            ctext: self.ctext,
            bare: self.bare.unwrap_or(false),
            bare_title: self.bare_title,
            drop: self.drop,
            chapters: self.chapters,
            part: self.part,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    #[serde(default)]
    pub ambiguous: Vec<String>,
    #[serde(default)]
    pub rites: Vec<String>,
    #[serde(default)]
    pub work: Vec<Entry>,
    #[serde(default)]
    pub marks: Vec<Marks>,
}
