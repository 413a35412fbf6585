//! The values of an option in its help: which there are, and which is taken if none is given.

use clap::Arg;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::Texts;

/// The argument with this help, and with what `clap` would add in English.
pub(crate) fn with_values(arg: Arg, command: &str, text: &str, texts: &Texts) -> Arg {
    if !arg.get_action().takes_values() {
        return arg.help(text.to_string());
    }
    let values = shown(&arg);
    let default = match arg.is_hide_default_value_set() {
        false => default(&arg).map(|d| format!("［{}{d}］", texts.word("default"))),
        true => None,
    };
    let default = default.unwrap_or_default();
    if values.is_empty() {
        return arg.hide_default_value(true).help(format!("{text}{default}"));
    }
    let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    let short = format!("{text}{default}［{}{}］", texts.word("values"), names.join("、"));
    let explained: Vec<PossibleValue> =
        values.iter().map(|v| explained(v, &arg, command, texts)).collect();
    let list: Vec<String> = explained.iter().filter_map(line).collect();
    let arg = arg
        .hide_default_value(true)
        .hide_possible_values(true)
        .value_parser(PossibleValuesParser::new(explained))
        .help(short);
    if list.is_empty() {
        return arg;
    }
    arg.long_help(format!("{text}{default}\n\n{}\n{}", texts.word("values"), list.join("\n")))
}

/// The values that help shows.
fn shown(arg: &Arg) -> Vec<PossibleValue> {
    arg.get_possible_values().into_iter().filter(|v| !v.is_hide_set()).collect()
}

fn default(arg: &Arg) -> Option<String> {
    let all: Vec<_> = arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// The value with its text of this language, if it has one in English.
fn explained(value: &PossibleValue, arg: &Arg, command: &str, texts: &Texts) -> PossibleValue {
    let text = value.get_help().and_then(|_| texts.part(command, &key(arg, value)));
    match text {
        Some(text) => value.clone().help(text),
        None => value.clone(),
    }
}

/// The attribute of a value: `by-clause`.
pub(crate) fn key(arg: &Arg, value: &PossibleValue) -> String {
    format!("{}-{}", arg.get_id(), value.get_name())
}

fn line(value: &PossibleValue) -> Option<String> {
    Some(format!("- {}：{}", value.get_name(), value.get_help()?))
}
