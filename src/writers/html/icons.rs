//! Icons of the bar, beside its words: lines in a square of 16 units, drawn in the colour of the
//! text.

use crate::markup::Markup;

/// The name of a switch, a group or a button, and its lines as the path of an SVG.
pub(super) const ICONS: &[(&str, &str)] = &[
    ("{contents}", "M2 4h12M2 8h12M2 12h12"),
    ("{search}", "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3L14 14"),
    ("{display}", "M2 5h7M13 5h1M2 11h1M7 11h7M11 3v4M5 9v4"),
    ("{panel-before}", "M3 10l5-5 5 5"),
    ("{panel-next}", "M3 6l5 5 5-5"),
    ("{close}", "M4 4l8 8M12 4l-8 8"),
    ("{layout}", "M2 3h12v10H2zM6 3v10M8.5 6H12M8.5 9H12"),
    ("{marks}", "M3 13V3h7l3 3-3 3H3M3 13h3"),
    ("{layers}", "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3"),
    ("{doubt}", "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10M8 12.6v.4"),
    ("{script}", "M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3"),
    ("{size}", "M1 13l3.5-9L8 13M2.3 10h4.4M10 13l2.2-5.5L14.5 13M10.8 11.2h3"),
    ("{colours}", "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 2v12M8 5h4.5M8 8h6M8 11h4.5"),
    ("{language}", "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2C4 6 4 10 8 14M8 2c4 4 4 8 0 12"),
    ("{layout-jing}", "M2 5h12M2 11h12"),
    ("{layout-jia}", "M2 4h6M10 3h4M10 5h4M2 11h6M10 10h4M10 12h4"),
    ("{layout-xia}", "M2 3h12M5 7h9M5 10h9M5 13h9"),
    ("{layout-lan}", "M2 3h4v10H2zM9 3h5M9 6h5M9 9h5M9 12h3"),
    ("{layout-ge}", "M2 3h2.5v10H2zM6.7 3h2.6v10H6.7zM11.5 3H14v10h-2.5z"),
    ("{read-beside}", "M2 3h5v10H2zM9 3h5v10H9z"),
    ("{layout-zhi}", "M13 2v12M9.5 2v12M6 2v12M2.5 2v7"),
];

/// The icon of what is called so, if it has one. On the pages of a site the script adds it.
pub(super) fn icon(h: &mut Markup<'_>, name: &str) {
    let icon = ICONS.iter().find(|(known, _)| *known == name && !h.is_switchable());
    let Some((_, lines)) = icon else { return };
    h.open("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("viewBox", "0 0 16 16");
    h.attr("aria-hidden", "true").void("path").attr("d", lines).close();
}
