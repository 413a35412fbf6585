//! What all pages of a site share and only scripts use, in one file instead of each page: the
//! languages, the legend (which the page about the site has too), the list of keys, the form for
//! citing, the panel, the contents, and icons. The script of the pages writes their words.

use serde_json::{Map, Value, json};

use super::{bar, cite, drawer, foot, icons, legend, panel};
use crate::language::{Language, short};
use crate::markup::Markup;

/// A part: the place on a page, where it is added there, and what writes it.
type SharedPart = (&'static str, &'static str, fn(&mut Markup<'_>));

const PARTS: &[SharedPart] = &[
    ("#languages", "beforeend", bar::languages),
    ("footer > .turn", "afterend", |h| foot::keys(h, true)),
    ("footer > .turn", "afterend", |h| legend::legend(h, false)),
    ("#cite", "beforeend", |h| cite::form(h, Some(""), true)),
    ("body:has(#cite)", "beforeend", cite::collected),
    ("#drawer", "beforeend", drawer::inside),
    ("body", "beforeend", words),
    ("body:has(#cite)", "beforeend", panel::panel),
];

/// Words that the script shows.
pub(super) fn words(h: &mut Markup<'_>) {
    const WORDS: [(&str, &str); 8] = [
        ("go", "{go-there}"),
        ("more", "{more}"),
        ("leaf-name", "{leaf-image}"),
        ("leaf-before", "{leaf-before}"),
        ("leaf-after", "{leaf-after}"),
        ("leaf-own", "{leaf-own}"),
        ("leaf-missing", "{leaf-missing}"),
        ("leaf-close", "{close}"),
    ];
    for (id, words) in WORDS {
        h.open("span").attr("id", id).attr("hidden", "hidden").say(words).close().line();
    }
}

/// The script with them.
pub(super) fn script() -> String {
    let written = |part: &SharedPart| {
        let mut out = Vec::new();
        let mut h = Markup::html(&mut out);
        h.speak(Language::default(), true);
        (part.2)(&mut h);
        // Writing to memory does not fail.
        let _ = h.finish();
        json!([part.0, part.1, String::from_utf8_lossy(&out)])
    };
    let parts: Vec<Value> = PARTS.iter().map(written).collect();
    let icons = icons::ICONS.iter().map(|(name, lines)| (short(name), json!(lines)));
    let frame = json!({ "parts": parts, "icons": icons.collect::<Map<_, _>>() });
    format!("window.zhushuFrame = {frame};\n{}", include_str!("data/frame.js"))
}
