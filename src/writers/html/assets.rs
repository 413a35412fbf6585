//! Style sheet and scripts of pages, and the content policies that allow only these.
//!
//! The style sheet tests the states of switches with `:has()`, which needs no script. But with such
//! a rule a browser examines the whole page after every change (some 50 ms on a long page, where
//! double rows make hundreds of changes). So if scripts run, a script keeps the states as classes
//! of the root element, and the sheet tests these.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex::{Captures, Regex};
use sha2::{Digest, Sha256};

use super::head::Frame;
use crate::collation::DifferenceClass;
use crate::language::{Language, table_for_pages};
use crate::markup::Markup;
use crate::model::{Era, Layer, LayerInfo, LayerKind};

/// With `.every-note` and the like where [`for_layers`] lists layers.
const SHEET: &str = include_str!("data/page.css");
/// Runs after the switches and before the text.
const STATE: &str = include_str!("data/state.js");
const PAGE_SCRIPT: &str = concat!(
    include_str!("data/page.js"),
    include_str!("data/bar.js"),
    include_str!("data/columns.js"),
    include_str!("data/panel.js"),
    include_str!("data/collect.js"),
    include_str!("data/leaf.js"),
    include_str!("data/sheets.js")
);

/// Where no script keeps the states as classes.
static PLAIN_STYLE: LazyLock<String> = LazyLock::new(|| for_layers(SHEET));
/// Where one does.
static SITE_STYLE: LazyLock<String> = LazyLock::new(|| by_classes(&PLAIN_STYLE));
/// For a single page: both.
static STYLE: LazyLock<String> =
    LazyLock::new(|| format!("{}\n@media (scripting: none) {{\n{}}}\n", *SITE_STYLE, *PLAIN_STYLE));
/// For a site.
static SITE_STATE: LazyLock<String> =
    LazyLock::new(|| format!("{}{STATE}", super::shared::script()));
static SCRIPT: LazyLock<String> = LazyLock::new(|| for_layers(PAGE_SCRIPT));

const STYLE_FILE: &str = "index.page.css";
const PLAIN_STYLE_FILE: &str = "index.plain.css";
const STATE_FILE: &str = "index.state.js";
const SCRIPT_FILE: &str = "index.page.js";

/// The file with the words of a language, which a page loads to be read in it.
pub(crate) fn words_file(language: Language) -> &'static str {
    match language {
        Language::ZhHant => "index.words.zh-Hant.js",
        Language::ZhHans => "index.words.zh-Hans.js",
        Language::En => "index.words.en.js",
    }
}

/// The words of all languages: files and content. They are scripts, since a page opened from the
/// file system may load only scripts.
pub(crate) fn words() -> impl Iterator<Item = (&'static str, String)> {
    Language::ALL.into_iter().map(|language| {
        let (id, table) = (language.id(), table_for_pages(language));
        let all = "window.zhushuWords = window.zhushuWords || {}";
        (words_file(language), format!("({all})[{id:?}] = {table};\n"))
    })
}

/// The files that all pages of a site share: names and content.
pub(crate) fn shared() -> [(&'static str, &'static str); 4] {
    [
        (STYLE_FILE, &SITE_STYLE),
        (PLAIN_STYLE_FILE, &PLAIN_STYLE),
        (STATE_FILE, &SITE_STATE),
        (SCRIPT_FILE, &SCRIPT),
    ]
}

/// A single page may load, send, frame or run only its own style sheet and scripts, by their
/// hashes.
static ALONE: LazyLock<String> = LazyLock::new(|| {
    let hash = |words: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(words)));
    let (style, state, script) = (hash(&STYLE), hash(STATE), hash(&SCRIPT));
    format!(
        "default-src 'none'; style-src {style}; script-src {state} {script}; base-uri 'none'; form-action 'none'"
    )
});

/// A page of a site may load files beside it, and send requests to its own server. Browsers differ
/// in whether files have the same origin as a page from the file system, so `file:` is named too.
const SITE: &str = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; connect-src 'self'; frame-src 'self' file:; base-uri 'none'; form-action 'none'";

/// The same for a server, without `file:`. With a page that has images it sends from where.
pub(crate) const SERVED: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
                                 form-action 'none'; frame-ancestors 'self'";

/// The address of a shared file, with a version of all of them: a browser that kept the files of
/// another version of the program does not use these with new pages.
pub(super) fn versioned(file: &str) -> String {
    format!("{file}?v={}", env!("ZHUSHU_PAGES"))
}

/// The policy of a page with images from these places, if there are any.
pub(super) fn policy(frame: Frame, images: &str) -> Cow<'static, str> {
    let own: &'static str = if frame == Frame::Site { SITE } else { &ALONE };
    match images {
        "" => Cow::Borrowed(own),
        images => format!("{own}; img-src {images}").into(),
    }
}

/// The places of images, as a policy names them: those of the page itself, and other servers.
pub(super) fn places_of<'i>(addresses: impl Iterator<Item = &'i str>) -> String {
    let places: BTreeSet<&str> = addresses.map(place_of).collect();
    places.into_iter().collect::<Vec<_>>().join(" ")
}

/// The server of an address; for one that a policy could not name all servers.
fn place_of(address: &str) -> &str {
    let Some((scheme, rest)) = address.split_once("://") else { return "'self' file:" };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return "'self' file:";
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    match !host.is_empty() && host.chars().all(is_plain) {
        true => &address[..scheme.len() + "://".len() + host.len()],
        false => "http: https:",
    }
}

pub(super) fn style(h: &mut Markup<'_>, frame: Frame) {
    match frame {
        Frame::Alone => _ = h.open("style").verbatim(&STYLE).close().line(),
        Frame::Site => {
            let sheet = |h: &mut Markup<'_>, file| {
                let link = h.void("link").attr("rel", "stylesheet");
                link.attr("href", versioned(file)).line();
            };
            sheet(h, STYLE_FILE);
            h.open("noscript");
            sheet(h, PLAIN_STYLE_FILE);
            h.close().line();
            // The scripts come last; a slow network can bring them while the page is read.
            for file in [words_file(h.language()), SCRIPT_FILE] {
                let link = h.void("link").attr("rel", "preload").attr("as", "script");
                link.attr("href", versioned(file)).line();
            }
        }
    }
}

/// The script that runs after the switches.
pub(super) fn state(h: &mut Markup<'_>, frame: Frame) {
    script(h, frame, STATE_FILE, STATE);
}

/// The script that runs after the page, in a site with the words of its language.
pub(super) fn page(h: &mut Markup<'_>, frame: Frame) {
    if frame == Frame::Site {
        let words = words_file(h.language());
        h.open("script").attr("src", versioned(words)).close().line();
    }
    script(h, frame, SCRIPT_FILE, &SCRIPT);
}

fn script(h: &mut Markup<'_>, frame: Frame, file: &'static str, words: &'static str) {
    match frame {
        Frame::Alone => h.open("script").verbatim(words).close().line(),
        Frame::Site => h.open("script").attr("src", versioned(file)).close().line(),
    };
}

/// A style sheet or script in which `.every-note` (notes) and `.every-late` (one later scholar's
/// commentary) are the classes of all such layers, and a line with `every-layer` is repeated for
/// each layer, one with `every-difference` for each class of differences. So a new row of the table
/// of layers needs no line here.
fn for_layers(words: &str) -> String {
    let classes = |wanted: &dyn Fn(&LayerInfo) -> bool| {
        let all = Layer::all().filter(|l| wanted(l)).map(|l| format!(".{}", l.id));
        all.collect::<Vec<_>>().join(", ")
    };
    let notes = classes(&|l| l.kind == LayerKind::Note);
    let late = classes(&|l| l.era == Some(Era::Late));
    let each = |line: &str, word: &str, ids: Vec<&str>| {
        ids.iter().map(|id| line.replace(word, id)).collect::<Vec<_>>()
    };
    let lines = words.split_inclusive('\n').flat_map(|line| match line {
        l if l.contains("every-layer") => {
            each(l, "every-layer", Layer::all().map(|l| l.id).collect())
        }
        l if l.contains("every-difference") => {
            each(l, "every-difference", DifferenceClass::ALL.map(DifferenceClass::id).to_vec())
        }
        l => vec![l.replace(".every-note", &notes).replace(".every-late", &late)],
    });
    lean(&lines.collect::<String>())
}

/// A comment with lines of its own, or what a line begins with.
const LEAN: &str = r"(?m)^[ \t]*/\*(?:[^*]|\*+[^*/])*\*+/[ \t]*\n|^[ \t]+";

/// The same without comments that have lines of their own, and without the blanks that lines begin
/// with: they are a fifth of what a phone waits for.
fn lean(words: &str) -> String {
    // Built from constants.
    let Ok(unread) = Regex::new(LEAN) else {
        return words.into();
    };
    unread.replace_all(words, "").into_owned()
}

/// A style sheet that tests classes of the root element instead of inputs: `:has(#a:checked)`
/// becomes `.a`, with an alternative that never matches but gives the same specificity.
fn by_classes(sheet: &str) -> String {
    // Built from constants.
    let Ok(state) = Regex::new(
        r":has\((?:#(?<one>[a-z_-]+):checked|:is\((?<any>[^)]*)\):checked|#(?<off>[a-z_-]+):not\(:checked\))\)",
    ) else {
        return sheet.into();
    };
    let class = |c: &Captures<'_>| {
        let names = match (c.name("one"), c.name("any"), c.name("off")) {
            (Some(id), ..) => format!(".{}", id.as_str()),
            (_, Some(ids), _) => ids.as_str().replace('#', "."),
            (.., id) => format!(".no-{}", id.map_or("", |id| id.as_str())),
        };
        format!(":is({names}, #none.none)")
    };
    state.replace_all(sheet, class).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_is_in_the_style_sheet_and_the_script() {
        for layer in Layer::all() {
            let off = format!(".no-sw-{}, #none.none) .{}", layer.id, layer.id);
            assert!(STYLE.contains(&off), "no switch turns {} off", layer.id);
        }
        for words in [&*STYLE, &*SCRIPT] {
            assert!(words.contains(".zhu, .jian,") && !words.contains("every-"));
        }
    }

    #[test]
    fn a_policy_names_the_servers_of_images() {
        let all = ["a/1.jpg", "https://a.org/1;x", "https://a.org/2", "http://b.org:80?x", "b.jpg"];
        let want = "'self' file: http://b.org:80 https://a.org";
        assert_eq!(places_of(all.into_iter()), want);
        assert_eq!(places_of(["https://x;script-src/*"].into_iter()), "http: https:");
        let policy = policy(Frame::Site, want);
        assert!(policy.ends_with("; img-src 'self' file: http://b.org:80 https://a.org"));
        assert_eq!(places_of([].into_iter()), "");
    }

    #[test]
    fn states_are_asked_by_classes_of_the_same_weight() {
        let sheet = ":root:has(#a-b:checked) x:not(.y) {} :root:has(:is(#a, #c):checked) z {} :root:has(#d:not(:checked)):has(#a:checked) {}";
        let classes = ":root:is(.a-b, #none.none) x:not(.y) {} :root:is(.a, .c, #none.none) z {} \
                       :root:is(.no-d, #none.none):is(.a, #none.none) {}";
        assert_eq!(by_classes(sheet), classes);
        assert!(
            !by_classes(&for_layers(SHEET))
                .split("*/")
                .skip(1)
                .any(|rules| rules.contains(":has(")),
            "a rule that looks at the whole page"
        );
    }
}
