//! E-books (EPUB): the pages of the text in their order, as they are in the book.

use quick_xml::escape::escape;
use quick_xml::events::Event;
use rustc_hash::FxHashMap;

use super::archive::{self, Archive, attribute, events, local};
use super::titles;
use super::unpacked::Unpacked;

/// True for an e-book.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    archive::says(bytes, "application/epub+zip") || archive::has(bytes, "META-INF/container.xml")
}

/// Its text.
pub(super) fn read(bytes: &[u8]) -> Result<Unpacked, String> {
    let mut parts = Archive::open(bytes)?;
    if parts.names().iter().any(|name| name == "META-INF/encryption.xml")
        && parts.text("META-INF/rights.xml")?.is_some()
    {
        return Err("it is encrypted".into());
    }
    let container = parts.text("META-INF/container.xml")?.ok_or("it has no container.xml")?;
    let mut package = None;
    events(&container, |event| match event {
        Event::Start(e) | Event::Empty(e) if local(e) == "rootfile" && package.is_none() => {
            package = attribute(e, "full-path");
        }
        _ => {}
    })?;
    let package = package.ok_or("its container.xml names no package")?;
    let xml = parts.text(&package)?.ok_or(format!("{package} is missing"))?;
    let Package { items, spine, sheets, images, contents } = Package::read(&xml)?;
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut pages, mut missing) = (vec![], vec![]);
    for href in spine.iter().filter_map(|id| items.get(id)) {
        let name = within(folder, href);
        match parts.text(&name)? {
            Some(page) => pages.push((name, page)),
            None => missing.push(format!("{name}, which is missing")),
        }
    }
    let mut listed = FxHashMap::default();
    for contents in contents.iter().map(|href| within(folder, href)) {
        let folder = contents.rsplit_once('/').map_or("", |(folder, _)| folder);
        let contents = parts.text(&contents).ok().flatten().unwrap_or_default();
        let titles = titles::listed(&contents);
        let is_whole = |page: &String| !page.contains('#');
        let titles = titles.into_iter().filter(|(page, _)| is_whole(page));
        listed.extend(titles.map(|(page, title)| (within(folder, &page), title)));
    }
    let titled = pages.iter().map(|(n, page)| (&**page, listed.get(n).map(|t: &String| &**t)));
    let titles = titles::missing(&titled.collect::<Vec<_>>());
    let mut text = String::new();
    for ((name, page), title) in pages.iter().zip(titles) {
        if text.is_empty() {
            // The whole is a page, whatever its first member begins with.
            text.push_str("<!DOCTYPE html>\n");
            for sheet in &sheets {
                let rules = parts.text(&within(folder, sheet))?.unwrap_or_default();
                if rules.contains("font-size") && !rules.contains("</") {
                    text.push_str(&format!("<style>\n{rules}\n</style>\n"));
                }
            }
        }
        text.push_str(&format!("<!-- {} -->\n", name.replace("--", "- -")));
        if let Some(title) = title {
            text.push_str(&format!("<h2>{}</h2>\n", escape(title)));
        }
        text.push_str(page.trim_start_matches('\u{FEFF}'));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    if text.is_empty() {
        return Err("it has no pages".into());
    }
    missing.extend((images > 0).then(|| "images".to_string()));
    Ok(Unpacked { text, parts: package, left_out: missing })
}

#[derive(Default)]
struct Package {
    /// Pages by their id.
    items: FxHashMap<String, String>,
    spine: Vec<String>,
    /// Style sheets.
    sheets: Vec<String>,
    images: usize,
    /// Tables of contents.
    contents: Vec<String>,
}

impl Package {
    fn read(xml: &str) -> Result<Self, String> {
        let mut made = Package::default();
        events(xml, |event| {
            let (Event::Start(e) | Event::Empty(e)) = event else { return };
            match &*local(e) {
                "item" => {
                    let kind = attribute(e, "media-type").unwrap_or_default();
                    let properties = attribute(e, "properties").unwrap_or_default();
                    made.images += usize::from(kind.starts_with("image/"));
                    if kind == "text/css" {
                        made.sheets.extend(attribute(e, "href"));
                    }
                    let is_nav = properties.split(' ').any(|p| p == "nav");
                    if is_nav || kind == "application/x-dtbncx+xml" {
                        made.contents.extend(attribute(e, "href"));
                    }
                    if kind.contains("html") && !is_nav {
                        let (id, href) = (attribute(e, "id"), attribute(e, "href"));
                        made.items.extend(id.zip(href));
                    }
                }
                "itemref" => made.spine.extend(attribute(e, "idref")),
                _ => {}
            }
        })?;
        Ok(made)
    }
}

/// The name of a member that a package in `folder` names.
fn within(folder: &str, href: &str) -> String {
    let href = href.split('#').next().unwrap_or_default();
    let href = percent_encoding::percent_decode_str(href).decode_utf8_lossy().into_owned();
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = path.pop(),
            part => path.push(part),
        }
    }
    path.join("/")
}
