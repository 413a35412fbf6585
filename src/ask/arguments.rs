//! The parameters of an operation, and reading them from JSON or from the query of an address.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::diag::Error;

/// A parameter of an operation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ParameterKind {
    /// Words that must be given.
    Required,
    /// Words.
    Words,
    /// Several words.
    Several,
    /// A number up to the second, the first unless it is given.
    Number(usize, usize),
    /// Yes or no; no unless it is given.
    Flag,
    /// One of these, the first unless it is given.
    OneOf(&'static [&'static str]),
    /// Some of these.
    SomeOf(&'static [&'static str]),
}

impl Parameter {
    pub(super) const fn new(
        name: &'static str,
        kind: ParameterKind,
        about: &'static str,
    ) -> Parameter {
        Parameter { name, about, kind }
    }

    /// Its JSON schema.
    pub(super) fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ParameterKind::Required => json!({ "type": "string", "minLength": 1 }),
            ParameterKind::Words => json!({ "type": "string" }),
            ParameterKind::Several => json!({ "type": "array", "items": { "type": "string" } }),
            ParameterKind::Number(usual, most) => {
                json!({ "type": "integer", "minimum": 0, "maximum": most, "default": usual })
            }
            ParameterKind::Flag => json!({ "type": "boolean", "default": false }),
            ParameterKind::OneOf(names) => {
                json!({ "type": "string", "enum": names, "default": names.first() })
            }
            ParameterKind::SomeOf(names) => {
                json!({ "type": "array", "items": { "type": "string", "enum": names } })
            }
        };
        schema["description"] = self.about.into();
        schema
    }

    /// Checks a value.
    fn checked(&self, value: Value) -> Result<Value, Error> {
        let name = self.name;
        match (self.kind, value) {
            (ParameterKind::Required | ParameterKind::Words, Value::String(words)) => {
                Ok(Value::String(words))
            }
            (ParameterKind::Required | ParameterKind::Words, _) => {
                Err(Error::request(format!("{name} must be words")))
            }
            (ParameterKind::Several, Value::Array(all)) if all.iter().all(Value::is_string) => {
                Ok(Value::Array(all))
            }
            (ParameterKind::Several, Value::String(one)) => Ok(json!([one])),
            (ParameterKind::Several, _) => {
                Err(Error::request(format!("{name} must be a list of words")))
            }
            (ParameterKind::Number(_, most), value) => number(name, &value, most).map(Value::from),
            (ParameterKind::Flag, value) => flag(name, &value).map(Value::from),
            (ParameterKind::OneOf(names), value) => one_of(name, &value, names).map(Value::from),
            (ParameterKind::SomeOf(names), Value::Array(all)) => {
                let all = all.iter().map(|value| one_of(name, value, names));
                all.collect::<Result<Vec<_>, _>>().map(Value::from)
            }
            (ParameterKind::SomeOf(names), value) => {
                one_of(name, &value, names).map(|one| json!([one]))
            }
        }
    }

    fn is_list(&self) -> bool {
        matches!(self.kind, ParameterKind::Several | ParameterKind::SomeOf(_))
    }
}

fn number(name: &str, value: &Value, most: usize) -> Result<usize, Error> {
    let given = match value {
        Value::String(words) => words.parse().ok(),
        value => value.as_u64().and_then(|n| usize::try_from(n).ok()),
    };
    given.filter(|n| *n <= most).ok_or_else(|| {
        let given = plain(value);
        Error::request(format!("{name} must be a number from 0 to {most}, not “{given}”"))
    })
}

fn flag(name: &str, value: &Value) -> Result<bool, Error> {
    match value {
        Value::Bool(given) => Ok(*given),
        Value::String(words) if ["", "1", "true"].contains(&&**words) => Ok(true),
        Value::String(words) if ["0", "false"].contains(&&**words) => Ok(false),
        value => {
            let given = plain(value);
            Err(Error::request(format!("{name} must be true or false, not “{given}”")))
        }
    }
}

fn one_of(
    name: &str,
    value: &Value,
    names: &'static [&'static str],
) -> Result<&'static str, Error> {
    let given = plain(value);
    let found = names.iter().find(|n| n.eq_ignore_ascii_case(&given));
    found
        .copied()
        .ok_or_else(|| Error::request(format!("{name} cannot be “{given}”")).hint(names.join(", ")))
}

/// Most characters of a wrong value that a message repeats.
const REPEATED: usize = 60;

/// A value as a message shows it.
fn plain(value: &Value) -> String {
    let words = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    words.chars().take(REPEATED).collect()
}

/// The arguments of a question, checked against the parameters.
#[derive(Clone, Debug, Default)]
pub struct Arguments(BTreeMap<&'static str, (Parameter, Value)>);

impl Arguments {
    /// Reads those of a JSON object.
    ///
    /// # Errors
    /// When one is missing, unknown, or not what it may be.
    pub fn of_json(parameters: &[Parameter], given: &Map<String, Value>) -> Result<Self, Error> {
        let mut all = Arguments::default();
        // What is null is not given.
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let parameter = named(parameters, name)?;
            all.0.insert(parameter.name, (parameter, parameter.checked(value.clone())?));
        }
        all.complete(parameters)
    }

    /// Reads those of the query of an address, as names with values; lists repeat their name.
    ///
    /// # Errors
    /// As [`Arguments::of_json`].
    pub fn of_pairs<'a>(
        parameters: &[Parameter],
        given: impl IntoIterator<Item = (impl AsRef<str> + 'a, impl AsRef<str> + 'a)>,
    ) -> Result<Self, Error> {
        let mut all = Arguments::default();
        for (name, value) in given {
            let parameter = named(parameters, name.as_ref())?;
            let value = parameter.checked(value.as_ref().into())?;
            let entry = all.0.entry(parameter.name);
            let (_, old) = entry.or_insert_with(|| (parameter, json!([])));
            match (parameter.is_list(), old, value) {
                (true, Value::Array(old), Value::Array(new)) => old.extend(new),
                (_, old, new) => *old = new,
            }
        }
        all.complete(parameters)
    }

    /// Sees that nothing is missing, and adds what was not given.
    fn complete(mut self, parameters: &[Parameter]) -> Result<Self, Error> {
        for parameter in parameters {
            let name = parameter.name;
            if matches!(parameter.kind, ParameterKind::Required) {
                let given = self.words(name).is_some_and(|words| !words.trim().is_empty());
                if !given {
                    let message = format!("the parameter {name} is missing: {}", parameter.about);
                    return Err(Error::request(message));
                }
            }
            let usual = match parameter.kind {
                ParameterKind::Number(usual, _) => usual.into(),
                ParameterKind::Flag => false.into(),
                ParameterKind::OneOf(names) => names.first().copied().into(),
                _ => continue,
            };
            self.0.entry(name).or_insert((*parameter, usual));
        }
        Ok(self)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).map(|(_, value)| value)
    }

    /// Words that were given.
    pub(super) fn words(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    /// A list of words; empty if none was given.
    pub(super) fn list(&self, name: &str) -> Vec<&str> {
        let all = self.value(name).and_then(Value::as_array);
        all.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// A number.
    pub(super) fn number(&self, name: &str) -> usize {
        let given = self.value(name).and_then(Value::as_u64);
        given.and_then(|n| usize::try_from(n).ok()).unwrap_or_default()
    }

    /// Yes or no.
    pub(super) fn is(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or_default()
    }
}

fn named(parameters: &[Parameter], name: &str) -> Result<Parameter, Error> {
    let mut all = parameters.iter();
    all.find(|p| p.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = parameters.iter().map(|p| p.name).collect();
        let name: String = name.chars().take(REPEATED).collect();
        Error::request(format!("there is no parameter {name}")).hint(names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::super::operations::named as operation;
    use super::*;

    #[test]
    fn both_ways_to_ask_read_the_same() {
        let search = operation("search").unwrap().parameters;
        let object = json!({ "q": "賢獲", "limit": 5, "exact": true, "by": ["work", "layer"] });
        let of_json = Arguments::of_json(search, object.as_object().unwrap()).unwrap();
        let pairs = [("q", "賢獲"), ("limit", "5"), ("exact", ""), ("by", "work"), ("by", "layer")];
        let of_pairs = Arguments::of_pairs(search, pairs).unwrap();
        for arguments in [of_json, of_pairs] {
            assert_eq!((arguments.words("q"), arguments.number("limit")), (Some("賢獲"), 5));
            assert!(arguments.is("exact") && !arguments.is("no-variants"));
            assert_eq!(arguments.list("by"), ["work", "layer"]);
            assert_eq!(arguments.words("sort"), Some("reading"));
        }
    }

    #[test]
    fn what_is_wrong_is_refused() {
        let search = operation("search").unwrap().parameters;
        for wrong in [
            json!({}),
            json!({ "q": "" }),
            json!({ "q": 5 }),
            json!({ "q": "a", "limit": "x" }),
            json!({ "q": "a", "limit": 100_000 }),
            json!({ "q": "a", "limit": -1 }),
            json!({ "q": "a", "sort": "up" }),
            json!({ "q": "a", "colour": "red" }),
            json!({ "q": "a", "exact": "perhaps" }),
            json!({ "q": "a", "by": { "work": 1 } }),
        ] {
            let given = wrong.as_object().unwrap();
            assert!(Arguments::of_json(search, given).is_err(), "{wrong}");
        }
    }
}
