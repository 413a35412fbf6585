//! The bar of a page: layout, layers, script, size and colours. All but the script are radio
//! buttons and checkboxes whose state the style sheet tests, so they work without the page's
//! script, which only remembers them.

use super::head::Frame;
use super::{Page, assets, layers, zi};
use crate::markup::Markup;
use crate::model::{Document, Layer, LayerKind, Role};

/// A switch: its name in the page's classes, its label, what it does, whether it is on at first.
struct Switch(&'static str, String, String, bool);

/// One of several: value, label, what it does.
type BarChoice = (&'static str, &'static str, &'static str);

const JING: BarChoice = ("jing", "經", "the classic alone (1)");
const JIA: BarChoice = ("jia", "夾注", "notes in double rows within the classic 雙行夾注 (2)");
const XIA: BarChoice = ("xia", "注下", "notes below the classic (3)");
const LAN: BarChoice = ("lan", "分欄", "parallel columns: classic, commentaries, translation (4)");
const ZHI: BarChoice = ("zhi", "直排", "vertical, with notes in double rows (5)");

const SIZES: &[BarChoice] =
    &[("s", "小", "small type"), ("m", "中", "medium type"), ("l", "大", "large type")];
const HUES: &[BarChoice] =
    &[("auto", "自", "colours of the system"), ("light", "明", "light"), ("dark", "暗", "dark")];
const ORIGINAL: BarChoice = ("yuan", "原", "characters of the source");

impl Page<'_> {
    pub(super) fn bar(&self, h: &mut Markup<'_>) {
        let document = &*self.chapter.document;
        h.open("form");
        h.attr("class", "bar").attr("lang", "zh-Hant").attr("aria-label", "顯示 display").line();
        choice(h, "lay", "版式 layout", &layouts(document, self.companions.any), "xia");
        h.open("fieldset").element("legend", "層 layers");
        for Switch(name, label, title, on) in switches(document, self.companions.any) {
            h.open("label").attr("title", title);
            h.void("input").attr("type", "checkbox").attr("id", format_args!("sw-{name}"));
            h.maybe("checked", on.then_some("checked")).open("span").text(label).close().close();
        }
        h.close().line();
        self.scripts(h);
        choice(h, "size", "字號 size", SIZES, "m");
        choice(h, "hue", "色 colours", HUES, "auto");
        h.close().line();
    }

    /// The script switch needs the page's script, which shows it; its table converts the characters
    /// of the page.
    fn scripts(&self, h: &mut Markup<'_>) {
        let Some(table) = zi::table(&self.chapter.document, self.span()) else { return };
        let other = if table.simplifies {
            ("jian", "簡", "in simplified characters, converted")
        } else {
            ("fan", "繁", "in traditional characters, converted")
        };
        h.open("div").attr("id", "zi").attr("hidden", "hidden").attr("data-zi", &table.pairs);
        h.attr("data-lang", if table.simplifies { "Hans" } else { "Hant" });
        choice(h, "zi", "字形 script", &[ORIGINAL, other], "yuan");
        h.close().line();
    }
}

/// The bar of a page without a text.
pub(crate) fn common(h: &mut Markup<'_>) {
    h.open("form");
    h.attr("class", "bar").attr("lang", "zh-Hant").attr("aria-label", "顯示 display").line();
    choice(h, "size", "字號 size", SIZES, "m");
    choice(h, "hue", "色 colours", HUES, "auto");
    h.close().line();
    assets::state(h, Frame::Site);
}

/// The bar of a page by itself that has checkboxes: name, label, and whether it is on at first.
pub(crate) fn filters(
    h: &mut Markup<'_>,
    frame: Frame,
    legend: &str,
    switches: &[(&str, &str, bool)],
) {
    h.open("form");
    h.attr("class", "bar").attr("lang", "zh-Hant").attr("aria-label", "顯示 display").line();
    h.open("fieldset").element("legend", legend);
    for (name, label, on) in switches {
        h.open("label").attr("title", name);
        h.void("input").attr("type", "checkbox").attr("id", format_args!("sw-{name}"));
        h.maybe("checked", on.then_some("checked")).open("span").text(label).close().close();
    }
    h.close().line();
    choice(h, "size", "字號 size", SIZES, "m");
    choice(h, "hue", "色 colours", HUES, "auto");
    h.close().line();
    assets::state(h, frame);
}

/// One of several, as radio buttons.
fn choice(h: &mut Markup<'_>, name: &'static str, legend: &str, options: &[BarChoice], on: &str) {
    h.open("fieldset").element("legend", legend);
    for (value, label, title) in options {
        h.open("label").attr("title", title).void("input").attr("type", "radio").attr("name", name);
        h.attr("id", format_args!("{name}-{value}"))
            .maybe("checked", (*value == on).then_some("checked"));
        h.open("span").text(label).close().close();
    }
    h.close().line();
}

/// The layouts that are useful for a document.
fn layouts(document: &Document, beside: bool) -> Vec<BarChoice> {
    let all = layers(document);
    let has = |kind| all.iter().any(|l| l.kind() == kind);
    let (notes, commentary) = (has(LayerKind::Note), has(LayerKind::Commentary));
    let base = has(LayerKind::Base);
    let offered = [
        (JING, base && (notes || commentary)),
        (JIA, base && notes),
        (XIA, true),
        (LAN, (base && (notes || commentary)) || beside),
        (ZHI, true),
    ];
    offered.into_iter().filter(|(_, on)| *on).map(|(c, _)| c).collect()
}

/// The switches that are useful for a document.
fn switches(document: &Document, beside: bool) -> Vec<Switch> {
    let mut all: Vec<Switch> = Vec::new();
    for layer in layers(document) {
        let name = match layer {
            Layer::Heading | Layer::Other | Layer::ShuHeader | Layer::Label => continue,
            l if l.kind() == LayerKind::Undivided => continue,
            l => l.id(),
        };
        let who = document.meta.by(layer).map(|c| format!("{} ", c.name)).unwrap_or_default();
        all.push(Switch(
            name,
            layer.zh().to_string(),
            format!("{who}{}", layer.info().about),
            true,
        ));
    }
    if beside {
        let (label, title) = match document.meta.role {
            Role::Witness => ("譯", "the translation beside"),
            Role::Translation => ("原", "the classic beside"),
        };
        all.push(Switch("beside", label.into(), title.into(), true));
    }
    if !document.readings.is_empty() {
        all.push(Switch(
            "fix",
            "校".into(),
            "damaged characters repaired; without it, as the source has them".into(),
            true,
        ));
    }
    all
}
