//! `images` of a manifest: where images of the leaves of the print are. Either a pattern of
//! addresses, or a IIIF Presentation manifest (version 2 or 3) in the corpus, whose canvases are
//! labelled with the names of leaves. Nothing is loaded from a network.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::fields::{TomlText, nearest, wrong};
use crate::diag::Error;
use crate::model::{LEAF_PARTS, LeafImage, LeafImages, PatternFault, check_pattern, is_address};
use crate::source::{Source, regular};

/// What `images` says, with the file that it names.
pub(super) type NamedImages = (LeafImages, Option<PathBuf>);

/// Reads `images` of a manifest.
///
/// # Errors
/// When it is neither a pattern nor a file with labelled images.
pub(super) fn read(source: &Source, text: &TomlText) -> Result<NamedImages, Error> {
    if text.value.contains('{') {
        let checked = check_pattern(&text.value);
        checked.map_err(|fault| faulty(source, text, &fault))?;
        return Ok((LeafImages::Pattern(text.value.clone()), None));
    }
    if !text.value.to_ascii_lowercase().ends_with(".json") || text.value.contains("://") {
        let message = format!("“{}” names no leaf, and no IIIF manifest in the corpus", text.value);
        return Err(wrong(source, text.span, message).hint(EXAMPLE));
    }
    let path = in_corpus(source, text)?;
    let unread = |why: String| {
        let message = format!("“{}” cannot be read as a IIIF manifest: {why}", text.value);
        wrong(source, text.span, message)
    };
    let bytes = regular(&path).map_err(|e| unread(Error::io(&path, "read", &e).message))?;
    let json: Value = serde_json::from_slice(&bytes).map_err(|e| unread(e.to_string()))?;
    let images = canvases(&json).ok_or_else(|| unread("it has no canvases".into()))?;
    let named: Vec<LeafImage> = images.iter().flat_map(labelled).collect();
    if let Some(image) = named.iter().find(|image| !is_address(&image.address)) {
        let message =
            format!("“{}” has an address that is not taken: “{}”", text.value, image.address);
        return Err(wrong(source, text.span, message).hint(ADDRESS));
    }
    if named.is_empty() {
        return Err(unread("no canvas has a label and an image".into()));
    }
    Ok((LeafImages::listed(named), Some(path)))
}

const EXAMPLE: &str = "for example \"https://example.org/{siglum}/{volume}/{page:03}{side}.jpg\"";
const ADDRESS: &str = "an address begins with https:// or http://, or is relative";

fn faulty(source: &Source, text: &TomlText, fault: &PatternFault) -> Error {
    let wrong = |message: String| wrong(source, text.span, message);
    match fault {
        PatternFault::UnknownPart(name) => {
            let names = LEAF_PARTS.iter().copied();
            let hint = nearest(name, names)
                .unwrap_or_else(|| format!("there are {}", LEAF_PARTS.join(", ")));
            wrong(format!("a leaf has no part “{name}”")).hint(hint)
        }
        PatternFault::NoDigits(place) => {
            wrong(format!("“{place}” does not say how many digits a number has"))
                .hint("1 to 9 digits")
        }
        PatternFault::SameForAll => wrong("every leaf would have the same image".into())
            .hint("name the page or the leaf in braces"),
        PatternFault::NoAddress => {
            wrong(format!("“{}” is no address of an image", text.value)).hint(ADDRESS)
        }
    }
}

/// A file in the folder of the manifest.
fn in_corpus(source: &Source, file: &TomlText) -> Result<PathBuf, Error> {
    let is_inside = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    if !Path::new(&file.value).components().all(is_inside) {
        let message = format!("“{}” is outside the corpus's folder", file.value);
        return Err(wrong(source, file.span, message)
            .hint("name the file by its path from the manifest's folder"));
    }
    Ok(source.path().parent().unwrap_or(Path::new("")).join(&file.value))
}

/// The canvases of a IIIF manifest, of version 3 or 2.
fn canvases(json: &Value) -> Option<&Vec<Value>> {
    let of_2 = json.pointer("/sequences/0/canvases");
    json.get("items").or(of_2)?.as_array()
}

/// The image of a canvas, by each of its labels.
fn labelled(canvas: &Value) -> Vec<LeafImage> {
    let body = canvas.pointer("/items/0/items/0/body").or(canvas.pointer("/images/0/resource"));
    let Some(body) = body else { return vec![] };
    // Of several to choose from the first; a list may have one.
    let body = body.get("items").or(body.get("default")).unwrap_or(body);
    let body = body.get(0).unwrap_or(body);
    let address = body.get("id").or(body.get("@id")).and_then(Value::as_str);
    let Some(address) = address.map(str::to_string) else { return vec![] };
    let pixels = |name| u32::try_from(canvas.get(name)?.as_u64()?).ok().filter(|n| *n > 0);
    let size = pixels("width").zip(pixels("height"));
    let mut names = vec![];
    words(canvas.get("label"), &mut names);
    let image = |leaf: &str| LeafImage { leaf: leaf.to_string(), address: address.clone(), size };
    names.into_iter().map(image).collect()
}

/// The words of a label: a text, a list, or texts by language.
fn words<'v>(label: Option<&'v Value>, all: &mut Vec<&'v str>) {
    match label {
        Some(Value::String(words)) if !all.contains(&words.trim()) => all.push(words.trim()),
        Some(Value::Array(list)) => list.iter().for_each(|one| words(Some(one), all)),
        // A text with its language, as in version 2.
        Some(Value::Object(map)) => match map.get("@value") {
            Some(value) => words(Some(value), all),
            None => map.values().for_each(|one| words(Some(one), all)),
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canvases_of_both_versions_are_read() {
        let v3 = r#"{"items":[{"type":"Canvas","label":{"none":["SBCK 6-1a","1"]},"width":9,"height":8,"items":[
            {"items":[{"body":{"id":"https://a.org/1.jpg"}}]}]},{"label":{"none":["x"]},"items":[]}]}"#;
        let v2 = r#"{"sequences":[{"canvases":[{"label":"1b","width":5,"height":6,"images":[{"resource":
            {"@id":"http://a.org/2.jpg"}}]},{"label":{"@value":"2a","@language":"zh"},"images":[{"resource":
            {"@type":"oa:Choice","default":{"@id":"3.jpg"}}}]}]}]}"#;
        let of = |json: &str| {
            let json: Value = serde_json::from_str(json).unwrap();
            let all: Vec<LeafImage> = canvases(&json).unwrap().iter().flat_map(labelled).collect();
            all.into_iter().map(|i| (i.leaf, i.address, i.size)).collect::<Vec<_>>()
        };
        let row = |leaf: &str, address: &str, size| (leaf.to_string(), address.to_string(), size);
        let one = "https://a.org/1.jpg";
        assert_eq!(of(v3), [row("SBCK 6-1a", one, Some((9, 8))), row("1", one, Some((9, 8)))]);
        let want = [row("1b", "http://a.org/2.jpg", Some((5, 6))), row("2a", "3.jpg", None)];
        assert_eq!(of(v2), want);
    }
}
