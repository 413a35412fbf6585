//! The description of the operations as an HTTP interface (OpenAPI 3.1), made from their table, and
//! the schemas of the answers.

use serde_json::{Map, Value, json};

use super::arguments::{Parameter, ParameterKind};
use super::operations::{OPERATIONS, Operation};

/// The schemas of all answers.
const ANSWERS: &str = include_str!("../../schema/answers.schema.json");

/// Before the name of a schema of the file.
const OWN: &str = "#/$defs/";
/// Before the name of one in the description.
const DESCRIBED: &str = "#/components/schemas/";

/// The schemas of the file, by name.
fn schemas() -> Map<String, Value> {
    // A test reads the file.
    let file: Value = serde_json::from_str(ANSWERS).unwrap_or_default();
    file["$defs"].as_object().cloned().unwrap_or_default()
}

/// The schema of the answers of an operation, without references.
pub(super) fn answer_schema(operation: &str) -> Value {
    let all = schemas();
    all.get(operation).map_or_else(|| json!({ "type": "object" }), |schema| inlined(schema, &all))
}

/// A schema with others in the place of their names. None of them has itself.
fn inlined(schema: &Value, all: &Map<String, Value>) -> Value {
    let own = schema["$ref"].as_str().and_then(|name| all.get(name.strip_prefix(OWN)?));
    match (own, schema) {
        (Some(own), _) => inlined(own, all),
        (None, Value::Object(fields)) => {
            fields.iter().map(|(name, field)| (name.clone(), inlined(field, all))).collect()
        }
        (None, Value::Array(items)) => items.iter().map(|item| inlined(item, all)).collect(),
        (None, plain) => plain.clone(),
    }
}

/// The same schema as a part of the description.
fn described(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), described(field))).collect()
        }
        Value::Array(items) => items.iter().map(described).collect(),
        Value::String(words) => match words.strip_prefix(OWN) {
            Some(name) => format!("{DESCRIBED}{name}").into(),
            None => schema.clone(),
        },
        _ => schema.clone(),
    }
}

/// The description of the HTTP interface of `zhushu serve`, as `api/openapi.json` has it.
pub fn openapi() -> Value {
    let paths: Map<String, Value> =
        OPERATIONS.iter().map(|o| (format!("/api/{}", o.name), json!({ "get": get(o) }))).collect();
    let schemas: Map<String, Value> =
        schemas().iter().map(|(name, schema)| (name.clone(), described(schema))).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "zhushu",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Questions about Chinese classics with their commentaries, which \
                `zhushu serve` answers from an edition on the machine that it runs on. Read only.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

fn get(operation: &Operation) -> Value {
    let error = |about: &str| {
        let schema = json!({ "$ref": format!("{DESCRIBED}error") });
        json!({ "description": about, "content": { "application/json": { "schema": schema } } })
    };
    let schema = json!({ "$ref": format!("{DESCRIBED}{}", operation.name) });
    json!({
        "operationId": operation.name,
        "summary": operation.title,
        "description": operation.about,
        "parameters": operation.parameters.iter().map(parameter).collect::<Value>(),
        "responses": {
            "200": {
                "description": "The answer.",
                "content": { "application/json": { "schema": schema } },
            },
            "400": error("The question is wrong, or no text has what it asks for."),
            "500": error("The edition cannot be read."),
            "503": error("The question takes too long, or too many ask at a time."),
        },
    })
}

fn parameter(parameter: &Parameter) -> Value {
    let mut schema = parameter.schema();
    if let Value::Object(fields) = &mut schema {
        fields.remove("description");
    }
    json!({
        "name": parameter.name, "in": "query", "description": parameter.about,
        "required": matches!(parameter.kind, ParameterKind::Required), "schema": schema,
    })
}
