//! The switches in the bar of a page, in two menus: the layout; and layers, marks, script, size
//! and colours. All but the script are radio buttons and checkboxes whose state the style sheet
//! tests, and the browser itself opens the menus, so they work without the page's script, which
//! only remembers them.

use super::head::Frame;
use super::icons::icon;
use super::phrases::{layer_about, layer_name};
use super::{Page, assets, drawer, zi};
use crate::language::{Language, escape};
use crate::markup::{Markup, address};
use crate::model::{Layer, LayerKind, Role};

/// The program for a text beside another.
pub(crate) const BESIDE_FILE: &str = "index.beside.js";

/// A switch: its name in the page's classes, its label, what it does, whether it is on at first,
/// and the layouts in which it has no effect.
struct Switch(&'static str, String, String, bool, &'static str);

/// One of several: value, label, what it does.
type BarChoice = (&'static str, &'static str, &'static str);

const JING: BarChoice = ("jing", "{layout-jing}", "{layout-jing-about}");
const JIA: BarChoice = ("jia", "{layout-jia}", "{layout-jia-about}");
const XIA: BarChoice = ("xia", "{layout-xia}", "{layout-xia-about}");
const LAN: BarChoice = ("lan", "{layout-lan}", "{layout-lan-about}");
const ZHI: BarChoice = ("zhi", "{layout-zhi}", "{layout-zhi-about}");
const GE: BarChoice = ("ge", "{layout-ge}", "{layout-ge-about}");

const SIZES: &[BarChoice] = &[("s", "{size-s}", ""), ("m", "{size-m}", ""), ("l", "{size-l}", "")];
/// Below which certainty the text is tinted; see [`super::phrases::doubt_group`].
const DOUBTS: &[BarChoice] = &[
    ("no", "{doubt-no}", "{doubt-no-about}"),
    ("few", "< .70", "{doubt-about}"),
    ("some", "< .90", "{doubt-about}"),
    ("all", "< .99", "{doubt-about}"),
];
const HUES: &[BarChoice] = &[
    ("auto", "{colours-auto}", ""),
    ("light", "{colours-light}", ""),
    ("dark", "{colours-dark}", ""),
];
const ORIGINAL: BarChoice = ("yuan", "{script-original}", "{script-original-about}");

impl Page<'_> {
    pub(super) fn switches(&self, h: &mut Markup<'_>) {
        form(h);
        menu(h, "layouts", "{layout}", |h| {
            choice(h, "lay", "{layout}", &layouts(&self.layers, self.companions.any), "xia");
            self.besides(h);
        });
        menu(h, "groups", "{display}", |h| {
            checkboxes(h, "{layers}", &self.layer_switches());
            checkboxes(h, "{marks}", &self.mark_switches());
            choice(h, "doubt", "{doubt}", DOUBTS, "no");
            self.scripts(h);
            choice(h, "size", "{size}", SIZES, "m");
            choice(h, "hue", "{colours}", HUES, "auto");
            if self.library.sheeted {
                no_languages(h);
            }
        });
        h.close().line();
    }

    /// The texts that can be read beside this one. The page's script shows them.
    fn besides(&self, h: &mut Markup<'_>) {
        let texts = &self.addresses.in_site.beside;
        if texts.is_empty() {
            return;
        }
        h.open("fieldset").attr("id", "besides").attr("hidden", "hidden");
        h.attr("data-script", assets::versioned(BESIDE_FILE));
        name(h, "{read-beside}");
        for (id, title) in texts {
            let file = address::uri(&format!("{id}.html"));
            h.open("a").attr("href", format_args!("?beside={file}")).words(title).close();
        }
        h.close().line();
    }

    /// What is shown of the marks in the text.
    fn mark_switches(&self) -> Vec<Switch> {
        let (label, title) = ("{switch-marks}", "{switch-marks-about}");
        let mut all = vec![Switch("marks", label.into(), title.into(), false, "")];
        if !self.chapter.document.supplied.is_empty() {
            let (label, title) = ("{switch-supplied}", "{switch-supplied-about}");
            all.push(Switch("pc", label.into(), title.into(), true, ""));
        }
        if !self.chapter.document.readings.is_empty() {
            let (label, title) = ("{switch-repairs}", "{switch-repairs-about}");
            all.push(Switch("fix", label.into(), title.into(), true, ""));
        }
        all
    }

    /// The layers of a document, and what is beside it.
    fn layer_switches(&self) -> Vec<Switch> {
        let document = &*self.chapter.document;
        let mut all: Vec<Switch> = Vec::new();
        for layer in self.layers.iter().copied() {
            let name = match layer {
                Layer::Heading | Layer::Other | Layer::ShuHeader | Layer::Label => continue,
                l if l.kind() == LayerKind::Undivided => continue,
                l => l.id(),
            };
            let who = document
                .meta
                .by(layer)
                .map(|c| format!("{} ", escape(&c.name)))
                .unwrap_or_default();
            let about = format!("{who}{}", layer_about(layer));
            all.push(Switch(name, layer_name(layer), about, true, idle(layer)));
        }
        if self.companions.any {
            let (label, title) = match document.meta.role {
                Role::Witness => ("{switch-translation}", "{switch-translation-about}"),
                Role::Translation => ("{switch-classic}", "{switch-classic-about}"),
            };
            all.push(Switch("beside", label.into(), title.into(), true, "jing jia zhi"));
        }
        all
    }

    /// The script switch needs the page's script, which shows it; its table converts the characters
    /// of the page.
    fn scripts(&self, h: &mut Markup<'_>) {
        let Some(table) = zi::table(&self.chapter.document, self.span()) else { return };
        let other = if table.simplifies {
            ("jian", "{script-simplified}", "{script-simplified-about}")
        } else {
            ("fan", "{script-traditional}", "{script-traditional-about}")
        };
        h.open("div").attr("id", "zi").attr("hidden", "hidden").attr("data-zi", &table.pairs);
        h.attr("data-lang", if table.simplifies { "Hans" } else { "Hant" });
        choice(h, "zi", "{script}", &[ORIGINAL, other], "yuan");
        h.close().line();
    }
}

/// The bar of a page without a text.
pub(crate) fn common(h: &mut Markup<'_>) {
    h.open("div").attr("class", "bar").line();
    drawer::button(h, false);
    form(h);
    menu(h, "groups", "{display}", |h| {
        choice(h, "size", "{size}", SIZES, "m");
        choice(h, "hue", "{colours}", HUES, "auto");
        no_languages(h);
    });
    h.close().close().line();
    assets::state(h, Frame::Site);
}

/// The bar of a page by itself that has checkboxes: name, label, and whether it is on at first.
pub(crate) fn filters(
    h: &mut Markup<'_>,
    frame: Frame,
    legend: &str,
    switches: &[(&'static str, String, bool)],
) {
    let switch = |(name, label, on): &(&'static str, String, bool)| {
        Switch(name, label.clone(), String::new(), *on, "")
    };
    h.open("div").attr("class", "bar").line();
    if frame == Frame::Site {
        drawer::button(h, false);
    }
    form(h);
    // What such a page is for is not hidden in a menu.
    checkboxes(h, legend, &switches.iter().map(switch).collect::<Vec<_>>());
    menu(h, "groups", "{display}", |h| {
        choice(h, "size", "{size}", SIZES, "m");
        choice(h, "hue", "{colours}", HUES, "auto");
    });
    h.close().close().line();
    assets::state(h, frame);
}

/// Opens the form around the switches.
fn form(h: &mut Markup<'_>) {
    h.open("form").attr("class", "switches").in_own_language();
    h.attr_said("aria-label", "{display}").line();
}

/// Groups of switches in a menu, which the browser itself opens.
fn menu(h: &mut Markup<'_>, id: &str, name: &str, groups: impl FnOnce(&mut Markup<'_>)) {
    h.open("button").attr("type", "button").attr("id", format_args!("open-{id}"));
    h.attr("popovertarget", id).attr_said("title", name);
    icon(h, name);
    h.said("span", name).close().line();
    h.open("div").attr("id", id).attr("class", "menu").attr("popover", "auto").line();
    groups(h);
    h.close().line();
}

fn checkboxes(h: &mut Markup<'_>, legend: &str, switches: &[Switch]) {
    group(h, legend);
    for Switch(name, label, title, on, idle) in switches {
        h.open("label").maybe("data-idle", (!idle.is_empty()).then_some(idle));
        if !title.is_empty() {
            h.attr_said("title", title);
        }
        h.void("input").attr("type", "checkbox").attr("id", format_args!("sw-{name}"));
        h.maybe("checked", on.then_some("checked"));
        words(h, label);
        h.close();
    }
    h.close().line();
}

/// A group of switches, with its name.
fn group(h: &mut Markup<'_>, legend: &str) {
    h.open("fieldset");
    name(h, legend);
}

fn name(h: &mut Markup<'_>, legend: &str) {
    h.open("legend");
    icon(h, legend);
    h.said("span", legend).close();
}

/// The words of a switch, with its icon.
fn words(h: &mut Markup<'_>, label: &str) {
    h.open("span");
    icon(h, label);
    h.said("span", label).close();
}

/// One of several, as radio buttons.
fn choice(h: &mut Markup<'_>, name: &'static str, legend: &str, options: &[BarChoice], on: &str) {
    group(h, legend);
    for (value, label, title) in options {
        h.open("label").maybe("data-idle", needs(value));
        if !title.is_empty() {
            h.attr_said("title", title);
        }
        h.void("input").attr("type", "radio").attr("name", name);
        h.attr("id", format_args!("{name}-{value}"))
            .maybe("checked", (*value == on).then_some("checked"));
        words(h, label);
        h.close();
    }
    h.close().line();
}

/// What a layout cannot do without: room, or the script.
fn needs(layout: &str) -> Option<&'static str> {
    match layout {
        "lan" => Some("narrow"),
        "ge" => Some("narrow script"),
        _ => None,
    }
}

/// The place of the languages of a site. The page's script adds and shows them, loads the words of
/// another language and remembers the choice.
fn no_languages(h: &mut Markup<'_>) {
    h.open("fieldset").attr("id", "languages").attr("hidden", "hidden").close().line();
}

/// The languages. Each has its own name in itself, whatever the page is written in.
pub(super) fn languages(h: &mut Markup<'_>) {
    name(h, "{language}");
    for language in Language::ALL {
        let id = language.id();
        h.open("label").attr("lang", id).void("input").attr("type", "radio").attr("name", "lang");
        h.attr("id", format_args!("lang-{id}")).attr("value", id);
        h.attr("data-words", assets::versioned(assets::words_file(language)));
        words(h, &format!("{{own-{id}}}"));
        h.close();
    }
}

/// The layouts that are useful for a document with these layers.
fn layouts(all: &[Layer], beside: bool) -> Vec<BarChoice> {
    let has = |kind| all.iter().any(|l| l.kind() == kind);
    let (notes, commentary) = (has(LayerKind::Note), has(LayerKind::Commentary));
    let comments = |l: &&Layer| matches!(l.kind(), LayerKind::Note | LayerKind::Commentary);
    let several = all.iter().filter(comments).nth(1).is_some();
    let base = has(LayerKind::Base);
    let offered = [
        (JING, base && (notes || commentary)),
        (JIA, base && notes),
        (XIA, true),
        (LAN, (base && (notes || commentary)) || beside),
        (ZHI, true),
        (GE, base && several),
    ];
    offered.into_iter().filter(|(_, on)| *on).map(|(c, _)| c).collect()
}

/// The layouts that do not show a layer.
fn idle(layer: Layer) -> &'static str {
    match layer.kind() {
        LayerKind::Note => "jing",
        LayerKind::Commentary => "jing jia",
        _ => "",
    }
}
