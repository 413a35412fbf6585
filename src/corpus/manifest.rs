//! `zhushu.toml`: what a user says about the texts of a corpus. `schema/manifest.schema.json`
//! describes it and `corpus/zhushu.toml` is the example.
//!
//! Facts about a work (who wrote which layer, which text translates which) are in the manifest and
//! not in the program. Every mistake is reported with its line; nothing in a manifest is silently
//! ignored.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::choice::mark_source;
use super::fields::{Fields, TomlText, nearest, parse, site_address, wrong};
use super::keys::Keys;
use super::shape::Shape;
use super::translated::{UnresolvedText, resolve_translations};
use super::{FORBIDDEN, same_name};
use crate::diag::Error;
use crate::model::{Collection, Commentator, Date, Layer, LeafImages, MarkSource, Meta, Role};
use crate::source::{LABELS, Lines, Source, by_label};
use crate::text::class::is_obeyed;

/// A work that texts belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct ManifestWork {
    /// Short key, used in ids and loci: `yili`.
    pub key: String,
    /// Canonical title: 儀禮.
    pub title: String,
}

/// One text of a corpus, before it is read.
#[derive(Clone, Debug)]
pub struct TextEntry {
    /// The path by which the file can be opened.
    pub path: PathBuf,
    /// Id of its document.
    pub id: String,
    /// What the manifest says about it; `None` in a folder without manifest.
    pub meta: Option<Meta>,
    /// Layers of the text, according to the manifest.
    pub layers: Vec<Layer>,
    /// Name of its reader; the format is recognised if there is none.
    pub reader: Option<String>,
    /// The shape of the manifest by which it is read, if `reader` names one.
    pub shape: Option<Arc<Shape>>,
    /// Label of its encoding; detected if there is none.
    pub encoding: Option<String>,
    /// What its lines are; decided by the text if there is nothing.
    pub lines: Option<Lines>,
    /// What the manifest says of the keys of its texts.
    pub keys: Arc<Keys>,
}

/// The content of a manifest.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// Title of the corpus.
    pub title: Option<String>,
    /// Who made it.
    pub editors: Vec<String>,
    /// Licence in words or as SPDX expression.
    pub licence: Option<String>,
    /// Date of the edition: `2026-11-21`.
    pub date: Option<String>,
    /// The works.
    pub works: Vec<ManifestWork>,
    /// Commentators and translators.
    pub people: Vec<Commentator>,
    /// Its shapes of texts.
    pub shapes: Vec<Arc<Shape>>,
    /// What the keys of JSON and the columns of tables hold.
    pub keys: Arc<Keys>,
    /// Where images of the leaves of all texts are.
    pub images: Option<LeafImages>,
    /// Where its pages are published: `https://example.org/classics/`.
    pub address: Option<String>,
    /// Which punctuation a build supplies where a text has none.
    pub punctuation: MarkSource,
    /// Files that list images of leaves.
    pub image_lists: Vec<PathBuf>,
    /// The texts, in their order.
    pub texts: Vec<TextEntry>,
}

impl Manifest {
    /// What it says about the whole corpus.
    pub fn collection(&self) -> Collection {
        let licence = self.licence.clone();
        Collection {
            title: self.title.clone(),
            editors: self.editors.clone(),
            licence,
            date: self.date.clone(),
            address: self.address.clone(),
            punctuation: self.punctuation,
        }
    }
}

const TOP: &[&str] = &["corpus", "work", "person", "shape", "keys", "text"];
const CORPUS: &[&str] =
    &["title", "editors", "licence", "date", "address", "images", "punctuation"];
const WORK: &[&str] = &["key", "title"];
const PERSON: &[&str] = &["key", "name", "period"];
const TEXT: &[&str] = &[
    "file",
    "id",
    "work",
    "chapter",
    "title",
    "layers",
    "siglum",
    "edition",
    "editors",
    "date",
    "origin",
    "rights",
    "language",
    "role",
    "translates",
    "reader",
    "encoding",
    "lines",
    "images",
];
const CHAPTER: &[&str] = &["title", "number", "section"];
const LAYER: &[&str] = &["layer", "by"];

/// Reads a manifest. `readers` are the names that `reader = "…"` may have.
///
/// # Errors
/// The first mistake: TOML, keys, types, unknown names, missing files.
pub fn read(source: &Source, readers: &[&str]) -> Result<Manifest, Error> {
    let toml = parse(source)?;
    let top = Fields::new(source, "the manifest", toml.get_ref(), 0..0, TOP)?;
    let mut manifest = Manifest::default();
    if let Some((table, at)) = top.table("corpus")? {
        let corpus = Fields::new(source, "[corpus]", table, at, CORPUS)?;
        manifest.title = corpus.string("title")?;
        manifest.editors = corpus.texts("editors")?.into_iter().map(|t| t.value).collect();
        manifest.licence = corpus.string("licence")?;
        manifest.date = corpus.text("date")?.map(|t| date(source, t)).transpose()?;
        manifest.address = corpus.text("address")?.map(|t| site_address(source, t)).transpose()?;
        if let Some((images, list)) = images(source, &corpus)? {
            manifest.images = Some(images);
            manifest.image_lists.extend(list);
        }
        if let Some(text) = corpus.text("punctuation")? {
            manifest.punctuation = mark_source(source, &text)?;
        }
    }
    manifest.works = works(source, &top)?;
    manifest.people = people(source, &top)?;
    let shapes = super::shape::shapes(source, &top)?;
    manifest.shapes = shapes.into_iter().map(Arc::new).collect();
    manifest.keys = Arc::new(super::keys::keys(source, &top)?);
    let mut reader =
        TextReader { source, readers, manifest: &manifest, seen: vec![], lists: vec![] };
    let texts = top.tables("text")?;
    if texts.is_empty() {
        return Err(Error::manifest(source.path(), "no text is named")
            .hint("each text needs a [[text]] with its `file`"));
    }
    let read = texts
        .into_iter()
        .map(|(table, at)| reader.entry(&Fields::new(source, "[[text]]", table, at, TEXT)?))
        .collect::<Result<Vec<_>, Error>>()?;
    let lists = reader.lists;
    manifest.image_lists.extend(lists);
    manifest.texts = resolve_translations(source, read)?;
    Ok(manifest)
}

/// `images` of a table.
fn images(source: &Source, f: &Fields<'_>) -> Result<Option<super::images::NamedImages>, Error> {
    f.text("images")?.map(|text| super::images::read(source, &text)).transpose()
}

/// A date in the form `2026-11-21`.
fn date(source: &Source, text: TomlText) -> Result<String, Error> {
    let digits = |s: &str, n: usize| s.len() == n && s.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = text.value.split('-').collect();
    match parts[..] {
        [y, m, d]
            if digits(y, 4)
                && digits(m, 2)
                && digits(d, 2)
                && Date::parse(&text.value).is_some() =>
        {
            Ok(text.value)
        }
        _ => Err(wrong(source, text.span, format!("“{}” is not a date", text.value))
            .hint("year, month and day: \"2026-11-21\"")),
    }
}

fn works(source: &Source, top: &Fields<'_>) -> Result<Vec<ManifestWork>, Error> {
    let mut works: Vec<ManifestWork> = vec![];
    for (table, at) in top.tables("work")? {
        let f = Fields::new(source, "[[work]]", table, at, WORK)?;
        let key = key(source, &f.need("key")?, works.iter().map(|w| w.key.as_str()))?;
        works.push(ManifestWork { key, title: f.need("title")?.value });
    }
    Ok(works)
}

fn people(source: &Source, top: &Fields<'_>) -> Result<Vec<Commentator>, Error> {
    let mut people: Vec<Commentator> = vec![];
    for (table, at) in top.tables("person")? {
        let f = Fields::new(source, "[[person]]", table, at, PERSON)?;
        let key = key(source, &f.need("key")?, people.iter().map(|p| p.key.as_str()))?;
        people.push(Commentator {
            key,
            name: f.need("name")?.value,
            period: f.string("period")?,
            inferred: None,
        });
    }
    Ok(people)
}

/// A key that is unique and can be an XML id.
fn key<'a>(
    source: &Source,
    text: &TomlText,
    mut taken: impl Iterator<Item = &'a str>,
) -> Result<String, Error> {
    let mut chars = text.value.chars();
    let sound = chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_');
    if !sound {
        let message = format!("“{}” cannot be a key", text.value);
        return Err(wrong(source, text.span, message)
            .hint("a small letter a–z, then small letters, digits, - and _"));
    }
    if taken.any(|t| t == text.value) {
        return Err(wrong(source, text.span, format!("the key “{}” is given twice", text.value)));
    }
    Ok(text.value.clone())
}

/// Reads `[[text]]` tables, with the names that they may refer to.
struct TextReader<'a> {
    source: &'a Source,
    readers: &'a [&'a str],
    manifest: &'a Manifest,
    /// Ids so far, each with its file.
    seen: Vec<(String, String)>,
    /// Files that list images.
    lists: Vec<PathBuf>,
}

impl TextReader<'_> {
    fn entry(&mut self, f: &Fields<'_>) -> Result<UnresolvedText, Error> {
        let file = f.need("file")?;
        let path = self.path(&file)?;
        let id = self.id(&file, f.text("id")?)?;
        let role = self.role(f)?;
        let translates = f.texts("translates")?;
        if let (Role::Witness, Some(first)) = (role, translates.first()) {
            let hint = "add role = \"translation\"";
            return Err(wrong(self.source, first.span, "only a translation can translate a text")
                .hint(hint));
        }
        let (layers, by) = self.layers(f)?;
        let (language, collection) = (self.language(f)?, self.manifest.collection());
        let mut meta = Meta { role, layers: by, language, collection, ..Meta::default() };
        if let Some(name) = f.text("work")? {
            let work = self.find(&name, &self.manifest.works, |w| &w.key, "[[work]]")?;
            meta.work = Some(work.title.clone());
            meta.work_key = Some(work.key.clone());
        }
        if let Some((table, at)) = f.table("chapter")? {
            let chapter = Fields::new(self.source, "chapter", table, at, CHAPTER)?;
            meta.chapter = Some(chapter.need("title")?.value);
            meta.number = chapter.number("number")?;
            meta.first_section = chapter.number("section")?;
        }
        // Without a chapter, the file may have a better title than that of the work.
        let locus = meta.chapter.as_ref().and_then(|_| meta.locus());
        meta.title = f.string("title")?.or(locus).unwrap_or_default();
        meta.siglum = f.string("siglum")?;
        meta.edition = f.string("edition")?;
        meta.editors = f.texts("editors")?.into_iter().map(|t| t.value).collect();
        meta.date = f.string("date")?;
        meta.origin = f.string("origin")?;
        meta.rights = f.string("rights")?;
        meta.images = self.images(f)?;
        let (reader, encoding, lines) = (self.reader(f)?, self.encoding(f)?, self.lines(f)?);
        let shape = self.manifest.shapes.iter().find(|s| Some(&s.name) == reader.as_ref()).cloned();
        let (meta, keys) = (Some(meta), Arc::clone(&self.manifest.keys));
        let entry = TextEntry { path, id, meta, layers, reader, shape, encoding, lines, keys };
        Ok((entry, translates))
    }

    /// Its images, then those of the corpus.
    fn images(&mut self, f: &Fields<'_>) -> Result<Vec<LeafImages>, Error> {
        let (own, list) = images(self.source, f)?.unzip();
        self.lists.extend(list.flatten());
        Ok(own.into_iter().chain(self.manifest.images.clone()).collect())
    }

    fn wrong(&self, text: &TomlText, message: String) -> Error {
        wrong(self.source, text.span, message)
    }

    /// The item named `name`.
    fn find<'t, T>(
        &self,
        name: &TomlText,
        things: &'t [T],
        key: impl Fn(&T) -> &String,
        kind: &str,
    ) -> Result<&'t T, Error> {
        things.iter().find(|t| *key(t) == name.value).ok_or_else(|| {
            let hint = nearest(&name.value, things.iter().map(|t| key(t).as_str()));
            let hint =
                hint.unwrap_or_else(|| format!("add a {kind} with key = \"{}\"", name.value));
            self.wrong(name, format!("no {kind} has the key “{}”", name.value)).hint(hint)
        })
    }

    /// The file, which must be in the corpus's folder.
    fn path(&self, file: &TomlText) -> Result<PathBuf, Error> {
        if !Path::new(&file.value)
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::CurDir))
        {
            let e = self.wrong(file, format!("“{}” is outside the corpus's folder", file.value));
            return Err(e.hint("name the file by its path from the manifest's folder"));
        }
        let folder = self.source.path().parent().unwrap_or(Path::new(""));
        let path = folder.join(&file.value);
        match std::fs::metadata(&path) {
            Ok(m) if m.is_file() => Ok(path),
            Ok(_) => Err(self.wrong(file, format!("“{}” is not a file", file.value))),
            Err(e) => Err(self.unreadable(file, folder, &path, &e)),
        }
    }

    fn unreadable(&self, file: &TomlText, folder: &Path, path: &Path, e: &std::io::Error) -> Error {
        if e.kind() != std::io::ErrorKind::NotFound {
            return self
                .wrong(file, format!("“{}”: {}", file.value, Error::io(path, "read", e).message));
        }
        if std::fs::symlink_metadata(path).is_ok() {
            let error = self.wrong(file, format!("“{}” is a link to nowhere", file.value));
            return error.hint("what it leads to is not there now");
        }
        let hint = nearest(&file.value, names_in(folder).iter().map(String::as_str))
            .unwrap_or_else(|| format!("it is looked for in {}", show_folder(folder)));
        self.wrong(file, format!("there is no file “{}”", file.value)).hint(hint)
    }

    /// The id that is given, else the name of the file up to the first dot.
    fn id(&mut self, file: &TomlText, given: Option<TomlText>) -> Result<String, Error> {
        let id = match &given {
            Some(given) => self.sound_id(given)?,
            None => super::id_of(Path::new(&file.value)),
        };
        if let Some((_, other)) = self.seen.iter().find(|(i, _)| same_name(i) == same_name(&id)) {
            let e = self.wrong(
                given.as_ref().unwrap_or(file),
                format!("“{}” and “{other}” would both be called “{id}”", file.value),
            );
            return Err(e.hint(
                "the id of a text is its file's name up to the first dot: rename one file, or give it another with `id`",
            ));
        }
        self.seen.push((id.clone(), file.value.clone()));
        Ok(id)
    }

    /// Files and pages are named by it: it has no separators of paths and is no page that a site
    /// has anyway.
    fn sound_id(&self, given: &TomlText) -> Result<String, Error> {
        let id = &given.value;
        let strange = |c: char| is_obeyed(c) || FORBIDDEN.contains(c);
        let is_taken = id.eq_ignore_ascii_case("index");
        if id.starts_with(['-', '.']) || id.contains(strange) || is_taken {
            let e = self.wrong(given, format!("“{id}” cannot be the id of a text"));
            return Err(
                e.hint("a name that a file could have, not “index”, without - at the beginning")
            );
        }
        if id.len() > super::MAX_ID_BYTES {
            let e = self.wrong(given, format!("“{id}” cannot be the id of a text"));
            return Err(e.hint("at most 110 bytes: files are named by it"));
        }
        Ok(id.clone())
    }

    fn role(&self, f: &Fields<'_>) -> Result<Role, Error> {
        let Some(role) = f.text("role")? else { return Ok(Role::Witness) };
        match role.value.as_str() {
            "witness" => Ok(Role::Witness),
            "translation" => Ok(Role::Translation),
            other => Err(self
                .wrong(&role, format!("there is no role “{other}”"))
                .hint("a text is a \"witness\" or a \"translation\"")),
        }
    }

    /// Empty if it is not given: then the text shows it.
    fn language(&self, f: &Fields<'_>) -> Result<String, Error> {
        let Some(language) = f.text("language")? else { return Ok(String::new()) };
        let sound = language
            .value
            .split('-')
            .all(|p| (1..=8).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_alphanumeric()));
        if sound {
            return Ok(language.value);
        }
        let e = self.wrong(&language, format!("“{}” is not a language tag", language.value));
        Err(e.hint("as in BCP 47: lzh-Hant for the classic, zh-Hant or zh-Hans for a modern text"))
    }

    /// The layers, and who wrote which.
    #[allow(clippy::type_complexity)]
    fn layers(&self, f: &Fields<'_>) -> Result<(Vec<Layer>, Vec<(Layer, Commentator)>), Error> {
        let (mut layers, mut by) = (vec![], vec![]);
        for (table, at) in f.tables("layers")? {
            let f = Fields::new(self.source, "a layer", table, at, LAYER)?;
            let name = f.need("layer")?;
            let layer: Layer = name.value.parse().map_err(|_| self.unknown_layer(&name))?;
            if layers.contains(&layer) {
                return Err(self.wrong(&name, format!("the layer “{}” is given twice", name.value)));
            }
            layers.push(layer);
            if let Some(person) = f.text("by")? {
                by.push((
                    layer,
                    self.find(&person, &self.manifest.people, |p| &p.key, "[[person]]")?.clone(),
                ));
            }
        }
        Ok((layers, by))
    }

    fn unknown_layer(&self, name: &TomlText) -> Error {
        let hint = nearest(&name.value, Layer::all().map(|l| l.id)).unwrap_or_else(Layer::names);
        self.wrong(name, format!("no layer is called “{}”", name.value)).hint(hint)
    }

    fn reader(&self, f: &Fields<'_>) -> Result<Option<String>, Error> {
        let Some(reader) = f.text("reader")? else { return Ok(None) };
        let shapes = self.manifest.shapes.iter().map(|s| s.name.as_str());
        let known: Vec<&str> = self.readers.iter().copied().chain(shapes).collect();
        if known.contains(&reader.value.as_str()) {
            return Ok(Some(reader.value));
        }
        let hint = nearest(&reader.value, known.iter().copied())
            .unwrap_or_else(|| format!("there are {}", known.join(", ")));
        Err(self.wrong(&reader, format!("no reader is called “{}”", reader.value)).hint(hint))
    }

    fn lines(&self, f: &Fields<'_>) -> Result<Option<Lines>, Error> {
        let Some(name) = f.text("lines")? else { return Ok(None) };
        let read = name.value.parse();
        read.map(Some).map_err(|known: String| {
            self.wrong(&name, format!("lines cannot be “{}”", name.value)).hint(known)
        })
    }

    fn encoding(&self, f: &Fields<'_>) -> Result<Option<String>, Error> {
        let Some(label) = f.text("encoding")? else { return Ok(None) };
        if by_label(&label.value).is_some() {
            return Ok(Some(label.value));
        }
        let e = self.wrong(&label, format!("there is no encoding “{}”", label.value));
        Err(e.hint(LABELS))
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries =
        std::fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let mut names: Vec<String> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn show_folder(folder: &Path) -> String {
    if folder.as_os_str().is_empty() {
        "the current folder".into()
    } else {
        folder.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::shape::KEYS;

    /// The schema is written by hand; its keys must be those that the program accepts.
    #[test]
    fn the_manifest_takes_the_keys_of_its_schema() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../schema/manifest.schema.json")).unwrap();
        let properties = "/properties";
        let text = "/properties/text/items/properties";
        for (pointer, keys) in [
            (properties, TOP),
            ("/properties/corpus/properties", CORPUS),
            ("/properties/work/items/properties", WORK),
            ("/properties/person/items/properties", PERSON),
            ("/properties/shape/items/properties", KEYS[0]),
            ("/properties/shape/items/properties/fit/properties", KEYS[1]),
            ("/properties/shape/items/properties/mark/items/properties", KEYS[2]),
            (text, TEXT),
            (&format!("{text}/chapter/properties"), CHAPTER),
            (&format!("{text}/layers/items/properties"), LAYER),
        ] {
            let mut keys: Vec<_> = keys.to_vec();
            keys.sort_unstable();
            let mut described: Vec<_> =
                schema.pointer(pointer).unwrap().as_object().unwrap().keys().collect();
            described.sort_unstable();
            assert_eq!(described, keys, "{pointer}");
        }
    }
}
