//! The authority file as parsed from TOML, before names are resolved; one such file can extend
//! another.

use serde::Deserialize;

use super::works::{Commentary, Part, Sections, Work};

/// A work in the file; an entry that extends another needs only the title.
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
    said: Option<bool>,
    offices: Option<bool>,
    #[serde(default)]
    groups: Vec<(String, u32)>,
    #[serde(default)]
    within: Vec<String>,
    #[serde(default)]
    spread: Vec<String>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    drop: Vec<String>,
    #[serde(default)]
    chapters: Vec<Vec<String>>,
    #[serde(default)]
    part: Vec<Part>,
    sections: Option<Sections>,
}

impl Entry {
    /// Adds what another entry says about the same work.
    pub fn add(&mut self, more: Entry) {
        self.key = more.key.or(self.key.take());
        self.period = more.period.or(self.period.take());
        self.kanripo = more.kanripo.or(self.kanripo.take());
        self.ctext = more.ctext.or(self.ctext.take());
        self.bare = more.bare.or(self.bare);
        self.said = more.said.or(self.said);
        self.offices = more.offices.or(self.offices);
        self.groups.extend(more.groups);
        self.within.extend(more.within);
        self.spread.extend(more.spread);
        self.notes.extend(more.notes);
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
        self.sections = more.sections.or(self.sections);
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
            said: self.said.unwrap_or(false),
            offices: self.offices.unwrap_or(false),
            groups: self.groups,
            within: self.within,
            spread: self.spread,
            notes: self.notes,
            drop: self.drop,
            chapters: self.chapters,
            part: self.part,
            sections: self.sections,
        }
    }
}

/// What a name means in the commentary on certain works.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sense {
    pub name: String,
    /// The works; none for all others.
    #[serde(default)]
    pub home: Vec<String>,
    /// A title as written in a text; empty if it is not a title there.
    pub means: String,
}

impl Sense {
    pub fn folded(self) -> Self {
        Sense { name: super::works::folded(&self.name), ..self }
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
    pub order: Vec<String>,
    #[serde(default)]
    pub work: Vec<Entry>,
    #[serde(default)]
    pub sense: Vec<Sense>,
    #[serde(default)]
    pub commentary: Vec<Commentary>,
}
