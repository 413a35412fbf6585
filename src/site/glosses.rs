//! What the notes of all texts say of a character, for the panel of a page. It is in files of
//! characters, of which a page loads one when a reader asks: scripts, since a page opened from the
//! file system may load only scripts.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::corpus::Library;
use crate::model::Document;
use crate::reading::ChapterText;
use crate::reading::glosses;
use crate::text::class::is_content;
use crate::text::fold::fold;
use crate::writers::html::addresses::file_of;

/// What a page loads first: which characters are the same, and the texts.
const FIRST: &str = "index.glosses.js";
/// Over so many files the characters are divided: each has some hundred glosses then.
const FILES: u32 = 256;

/// A gloss of a text, and the folded characters of its headword.
type OfCharacters = (Vec<char>, Value);

/// All files: name and content.
pub(super) fn files(library: &Library) -> Vec<(String, Vec<u8>)> {
    let texts = &library.documents;
    let found: Vec<Vec<OfCharacters>> =
        texts.par_iter().enumerate().map(|(n, d)| of_text(n, d)).collect();
    let mut by_character: BTreeMap<char, Vec<&Value>> = BTreeMap::new();
    for (chars, gloss) in found.iter().flatten() {
        chars.iter().for_each(|c| by_character.entry(*c).or_default().push(gloss));
    }
    let mut all = vec![(FIRST.to_string(), first(library, &by_character).into_bytes())];
    let mut files: BTreeMap<u32, String> = BTreeMap::new();
    for (c, glosses) in &by_character {
        let line = format!("zhushuGlosses.all[{}]={};\n", json!(c), json!(glosses));
        files.entry(u32::from(*c) % FILES).or_default().push_str(&line);
    }
    let named = |(n, words): (u32, String)| (format!("index.glosses.{n}.js"), words.into_bytes());
    all.extend(files.into_iter().map(named));
    all
}

/// The glosses of a text: number of the text, element, kind, headword, sense, who.
fn of_text(n: usize, document: &Document) -> Vec<OfCharacters> {
    let chapter = ChapterText::outline(document);
    let one = |g: glosses::Gloss| {
        let first = chapter.elements.get(chapter.meet(g.span).start)?;
        let id = chapter.id(first).to_string();
        let mut chars: Vec<char> =
            g.headword.chars().filter(|c| is_content(*c)).map(fold).collect();
        chars.sort_unstable();
        chars.dedup();
        Some((chars, json!([n, id, g.kind.id(), g.headword, g.sense, g.who])))
    };
    glosses::of(&chapter.document).into_iter().filter_map(one).collect()
}

/// The characters of the texts that are folded into others, and pages and titles of the texts.
fn first(library: &Library, glosses: &BTreeMap<char, Vec<&Value>>) -> String {
    let mut folds: BTreeMap<char, char> = BTreeMap::new();
    for document in &library.documents {
        let chars = document.source.text().chars().filter(|c| is_content(*c));
        folds
            .extend(chars.map(|c| (c, fold(c))).filter(|(c, f)| c != f && glosses.contains_key(f)));
    }
    let texts = library.documents.iter().map(|d| json!([file_of(&d.id), d.meta.title]));
    let texts: Vec<Value> = texts.collect();
    let kept: Vec<u32> = glosses.keys().map(|c| u32::from(*c) % FILES).collect();
    let kept: std::collections::BTreeSet<u32> = kept.into_iter().collect();
    format!(
        "window.zhushuGlosses={{files:{FILES},kept:{},fold:{},texts:{},all:{{}}}};\n",
        json!(kept),
        json!(folds),
        json!(texts)
    )
}
