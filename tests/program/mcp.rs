//! `zhushu mcp` as a program sees it that asks, and the same questions over HTTP. The recorded
//! conversation is `tests/golden/mcp.txt`, written by `SNAPSHOTS=overwrite`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use snapbox::Data;
use zhushu::Settings;
use zhushu::ask::Answerer;
use zhushu::diag::ErrorKind;

use crate::serve::Server;
use crate::support::corpus::{built, root};
use crate::support::program::{Folder, ZHUSHU};

const PROGRAM: &str = env!("CARGO_BIN_EXE_zhushu");

/// The replies of the program to some lines.
fn replies(folder: &Path, asked: &str, lines: &[u8]) -> Vec<Value> {
    let mut child = Command::new(PROGRAM)
        .current_dir(folder)
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C")
        .args(["mcp", asked])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines = lines.to_vec();
    let writer = std::thread::spawn(move || _ = input.write_all(&lines));
    let out = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
    let out = String::from_utf8(out.stdout).unwrap();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn request(id: usize, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// What is asked in the recorded conversation.
fn conversation() -> Vec<Value> {
    let call = |name: &str, arguments: Value| {
        ("tools/call", json!({ "name": name, "arguments": arguments }))
    };
    let asked = [
        ("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {} })),
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("resources/templates/list", json!({})),
        call("contents", json!({})),
        call("contents", json!({ "work": "儀禮", "limit": 1 })),
        call("search", json!({ "q": "注:今文", "limit": 2 })),
        call("search", json!({ "q": "注:今文", "limit": 1, "skip": 2, "by": ["commentator"] })),
        call("search", json!({ "q": "by:孔子 射" })),
        call("search", json!({ "q": "注:(今文" })),
        call("passage", json!({ "locus": "儀禮・鄉射禮 2.3", "limit": 3 })),
        call("passage", json!({ "locus": "yili.05.2.3", "by": "鄭玄" })),
        call("passage", json!({ "locus": "yili.05.99" })),
        call("passage", json!({ "locus": "論語 12.1" })),
        call("who_quotes", json!({ "locus": "yili.05.2.3", "limit": 2 })),
        call("who_quotes", json!({ "locus": "yili.05.2.3", "kind": ["saying"] })),
        call("verify", json!({ "text": "司馬降,釋弓", "cited": "儀禮・鄉射禮" })),
        call("verify", json!({ "text": "經云「司馬升,釋弓,反位」。" })),
        call("gloss", json!({ "word": "握", "limit": 2 })),
        call("everything", json!({})),
        ("resources/read", json!({ "uri": "urn:cts:zhushu:yili.05:2.5.zhu" })),
        ("resources/read", json!({ "uri": "file:///etc/passwd" })),
        ("prompts/list", json!({})),
    ];
    let numbered = asked.into_iter().enumerate();
    numbered.map(|(n, (method, params))| request(n + 1, method, &params)).collect()
}

/// The text of a result as the JSON that it is, so that it can be read.
fn unfolded(mut reply: Value) -> Value {
    let Some(result) = reply.get_mut("result") else { return reply };
    // They are in schema/, and long.
    if let Some(tools) = result.get_mut("tools").and_then(Value::as_array_mut) {
        tools.iter_mut().for_each(|tool| {
            let schema = tool.as_object_mut().unwrap().remove("outputSchema");
            assert!(schema.is_some_and(|s| s["type"] == "object"));
        });
    }
    if let Some(text) = result["content"][0]["text"].as_str() {
        let text: Value = serde_json::from_str(text).unwrap();
        assert!(result["isError"] == true || result["structuredContent"] == text);
        result["content"][0]["text"] = text;
        result.as_object_mut().unwrap().remove("structuredContent");
    }
    reply
}

#[test]
fn a_recorded_conversation_is_held_again() {
    let asked = conversation();
    let lines: String = asked.iter().map(|line| format!("{line}\n")).collect();
    let replies = replies(built(), "out", lines.as_bytes());
    assert_eq!(replies.len(), asked.len());
    let mut record = String::new();
    for (asked, reply) in asked.iter().zip(replies) {
        let reply = serde_json::to_string_pretty(&unfolded(reply)).unwrap();
        record.push_str(&format!("> {asked}\n{reply}\n\n"));
    }
    let record = record.replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
    let golden = Data::read_from(&root().join("tests/golden/mcp.txt"), None).raw();
    snapbox::assert_data_eq!(record, golden);
}

#[test]
fn every_answer_obeys_its_schema_and_names_its_place() {
    let file = fs::read_to_string(root().join("schema/answers.schema.json")).unwrap();
    let all: Value = serde_json::from_str(&file).unwrap();
    let asked = [
        ("contents", json!({})),
        ("contents", json!({ "work": "儀禮" })),
        ("search", json!({ "q": "今文", "limit": 50 })),
        ("search", json!({ "q": "by:孔子 射" })),
        ("passage", json!({ "locus": "yili.05.2" })),
        ("who_quotes", json!({ "locus": "yili.05.2" })),
        ("verify", json!({ "text": "經云「司馬降,釋弓,反位」，又云「無有此語也」。" })),
        ("gloss", json!({ "word": "握" })),
    ];
    let lines = asked.iter().enumerate().map(|(n, (name, arguments))| {
        let params = json!({ "name": name, "arguments": arguments });
        format!("{}\n", request(n, "tools/call", &params))
    });
    let replies = replies(built(), "out", lines.collect::<String>().as_bytes());
    for ((name, arguments), reply) in asked.iter().zip(replies) {
        let answer = &reply["result"]["structuredContent"];
        let mut schema = json!({ "$ref": format!("#/$defs/{name}") });
        schema["$defs"] = all["$defs"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(answer).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(faults.is_empty(), "{name} {arguments}: {faults:#?}");
        assert_eq!(answer["searched"][0]["texts"], 5, "{name}");
    }
}

#[test]
fn what_has_no_room_is_asked_for_again() {
    let mut skip = json!(0);
    let (mut seen, mut total) = (BTreeSet::new(), 0);
    for _ in 0..20 {
        let params = json!({ "name": "passage", "arguments": { "locus": "yili.05.2", "skip": skip, "limit": 7 } });
        let replies =
            replies(built(), "out", format!("{}\n", request(1, "tools/call", &params)).as_bytes());
        let answer = &replies[0]["result"]["structuredContent"];
        total = answer["total"].as_u64().unwrap() as usize;
        for text in answer["texts"].as_array().unwrap() {
            for part in ["stretches", "translations"] {
                let parts = text[part].as_array().unwrap().iter();
                seen.extend(parts.map(|p| format!("{} {p}", text["document"])));
            }
        }
        if answer["more"].is_null() {
            break;
        }
        skip = answer["more"]["skip"].clone();
    }
    assert_eq!(seen.len(), total);
    assert!(total > 40, "{total}");
}

#[test]
fn a_folder_of_texts_is_read_when_it_is_asked() {
    let folder = Folder::new();
    folder.write_corpus();
    let before = folder.files();
    let params = json!({ "name": "search", "arguments": { "q": "注:今文" } });
    let replies = replies(
        folder.path(),
        "corpus",
        format!("{}\n", request(1, "tools/call", &params)).as_bytes(),
    );
    let answer = &replies[0]["result"]["structuredContent"];
    assert!(answer["total"].as_u64().unwrap() > 0, "{answer}");
    assert_eq!(folder.files(), before, "it left something behind");
}

/// The answer of a tool.
fn called(folder: &Path, asked: &str, name: &str, arguments: &Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    let line = format!("{}\n", request(1, "tools/call", &params));
    let mut replies = replies(folder, asked, line.as_bytes());
    let text = replies[0]["result"]["content"][0]["text"].take();
    serde_json::from_str(text.as_str().unwrap()).unwrap()
}

#[test]
fn every_edition_that_quotes_is_listed() {
    let folder = Folder::new();
    folder.write("first/a.txt", ZHUSHU).write("second/a.txt", ZHUSHU);
    let paths = ["first", "second"].map(|name| folder.path().join(name));
    let who_quotes = |paths: &[PathBuf]| {
        let answerer = Answerer::of(paths, &Settings::default()).unwrap();
        let operation = zhushu::ask::operation("who_quotes").unwrap();
        operation.answer_json(&answerer, &json!({ "locus": "a.0.0.1" }), || false).unwrap()
    };
    let (one, both) = (who_quotes(&paths[..1]), who_quotes(&paths));
    let total = one["total"].as_u64().unwrap();
    assert!(total > 0, "{one}");
    assert_eq!(both["total"], total * 2, "{both}");
    let of: BTreeSet<_> =
        both["quotations"].as_array().unwrap().iter().map(|q| q["in"].as_str().unwrap()).collect();
    assert_eq!(of.len(), 2, "{both}");
}

#[test]
fn a_parallel_is_listed_once_in_the_layer_where_it_stands() {
    let all = called(built(), "out", "who_quotes", &json!({ "locus": "yili.05.2", "limit": 500 }));
    let all = all["quotations"].as_array().unwrap();
    let place = |q: &Value| format!("{} {} {} {}", q["document"], q["start"], q["end"], q["kind"]);
    let places: BTreeSet<String> = all.iter().map(place).collect();
    assert_eq!(places.len(), all.len());
    let arguments = json!({ "locus": "yili.05.2", "limit": 500, "layer": ["注"] });
    let notes = called(built(), "out", "who_quotes", &arguments);
    let notes = notes["quotations"].as_array().unwrap();
    assert!(!notes.is_empty() && notes.len() < all.len());
    assert!(notes.iter().all(|q| q["layer"] == "zhu"), "{notes:#?}");
}

#[test]
fn a_text_that_was_edited_since_the_build_is_named() {
    let folder = Folder::new();
    folder.write_corpus();
    folder.run("build").success();
    let edit = |id: &str| {
        let path = folder.path().join(format!("out/tei/{id}.xml"));
        let tei = fs::read_to_string(&path).unwrap();
        fs::write(path, tei + "<!-- read -->\n").unwrap();
    };
    edit("yili-05-zhushu");
    for (name, arguments) in
        [("gloss", json!({ "word": "握" })), ("who_quotes", json!({ "locus": "yili.05.1" }))]
    {
        let answer = called(folder.path(), "out", name, &arguments);
        let said = answer.to_string();
        assert!(said.contains("changed since the build"), "{name}: {said}");
        assert!(answer["searched"].is_null() || answer["searched"][0]["texts"] == 1, "{said}");
    }
    edit("yili-05-jinyi");
    let refused = called(folder.path(), "out", "passage", &json!({ "locus": "yili.05.1" }));
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("was changed since the build"), "{refused}");
}

#[test]
fn a_missing_chapter_is_not_looked_for_as_a_leaf() {
    let folder = Folder::new();
    folder.write("a.txt", ZHUSHU);
    let answerer = Answerer::of(&[folder.path().into()], &Settings::default()).unwrap();
    let passage = zhushu::ask::operation("passage").unwrap();
    let refused = |words: &str| {
        passage.answer_json(&answerer, &json!({ "locus": words }), || true).unwrap_err()
    };
    // All texts are read for a leaf, which may take too long; for a locus none is.
    assert_ne!(refused("論語 12.1").kind, ErrorKind::Stopped);
    assert_eq!(refused("SBCK 6-1b").kind, ErrorKind::Stopped);
}

#[test]
fn names_in_the_other_script_and_titles_alone_are_understood() {
    let passage = |by: &str| {
        called(built(), "out", "passage", &json!({ "locus": "yili.05.2.3", "by": by }))["texts"]
            .take()
    };
    assert_ne!(passage("鄭玄"), json!([]));
    assert_eq!(passage("郑玄"), passage("鄭玄"));
    let titles = json!({ "text": "請讀《儀禮》與《論語》。" });
    let checked = called(built(), "out", "verify", &titles);
    let items = checked["items"].as_array().unwrap();
    assert!(items.len() == 2 && items.iter().all(|i| i["kind"] == "title"), "{items:#?}");
}

#[test]
fn the_same_is_answered_over_http() {
    let server = Server::start_in(built(), &[]);
    let get = |target: &str| {
        let (status, _, body) = server.ask("GET", target);
        (status, serde_json::from_slice::<Value>(&body).unwrap())
    };
    let (status, passage) = get("/api/passage?locus=yili.05.2.3&by=%E9%84%AD%E7%8E%84");
    assert_eq!((status, &passage["texts"][0]["stretches"][0]["by"]), (200, &json!("鄭玄")));
    let (status, quoted) = get("/api/who_quotes?locus=yili.05.2.3");
    assert!(status == 200 && quoted["total"].as_u64().unwrap() > 0, "{quoted}");
    assert_eq!(
        get("/api/verify?text=%E5%8F%B8%E9%A6%AC%E9%99%8D%E9%87%8B%E5%BC%93").1["items"][0]["verdict"],
        "verbatim"
    );
    assert!(get("/api/gloss?word=%E6%8F%A1").1["total"].as_u64().unwrap() > 0);
    assert_eq!(get("/api/contents").1["works"][0]["key"], "yili");
    for wrong in ["/api/passage", "/api/passage?locus=yili.05.99", "/api/contents?colour=red"] {
        let (status, refusal) = get(wrong);
        assert!(status == 400 && refusal["error"]["message"].is_string(), "{wrong}: {refusal}");
    }
    assert_eq!(get("/api/openapi.json").1, zhushu::ask::openapi());
}

#[test]
fn the_description_of_the_interface_is_the_one_of_the_program() {
    let made = serde_json::to_string_pretty(&zhushu::ask::openapi()).unwrap() + "\n";
    let kept = Data::read_from(&root().join("schema/openapi.json"), None).raw();
    snapbox::assert_data_eq!(made, kept);
}

fn skip(why: &str) {
    assert!(
        std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(),
        "skipped, which is forbidden here: {why}"
    );
    eprintln!("skipped: {why}");
}

/// Runs a script with a module of Python, if it is there.
fn python(module: &str, script: &str, arguments: &[PathBuf]) -> Option<String> {
    let python =
        std::env::var("ZHUSHU_CHECKERS").map_or("python3".into(), |v| format!("{v}/bin/python"));
    let has = Command::new(&python).args(["-c", &format!("import {module}")]).output();
    if !has.is_ok_and(|o| o.status.success()) {
        skip(&format!("there is no module {module} of Python"));
        return None;
    }
    let out = Command::new(&python).args(["-c", script]).args(arguments).output().unwrap();
    let words = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{words}{}", String::from_utf8_lossy(&out.stderr));
    Some(words)
}

/// Both forms of the protocol, by the client of those who make it.
const CLIENT: &str = r#"
import asyncio, json, os, sys
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

async def ask(mode):
    own = {**os.environ, "ZHUSHU_LIBRARY": "", "LC_ALL": "C"}
    server = StdioServerParameters(command=sys.argv[1], args=["mcp", sys.argv[2]], env=own)
    async with Client(stdio_client(server), mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("search", {"q": "注:今文", "limit": 1})
        wrong = await client.call_tool("passage", {"locus": "nothing.1"})
        read = await client.read_resource("urn:cts:zhushu:yili.05:2.3")
        json.loads(read.contents[0].text)
        print(mode, client.protocol_version, " ".join(names), found.is_error or False,
              found.structured_content["hits"][0]["locus"], wrong.is_error)

for mode in ["legacy", "auto"]:
    asyncio.run(ask(mode))
"#;

#[test]
fn the_client_of_the_protocol_understands_it() {
    let arguments = [PathBuf::from(PROGRAM), built().join("out")];
    let Some(words) = python("mcp.client", CLIENT, &arguments) else { return };
    let lines: Vec<&str> = words.lines().collect();
    let tools = "search passage who_quotes verify gloss contents";
    assert!(lines[0].starts_with(&format!("legacy 2025-11-25 {tools} False yili.05.")), "{words}");
    assert!(lines[1].starts_with(&format!("auto 2026-07-28 {tools} False yili.05.")), "{words}");
    assert!(lines.iter().all(|line| line.ends_with(" True")), "{words}");
}

#[test]
fn the_description_of_the_interface_is_valid() {
    let script = "import json, sys\nfrom openapi_spec_validator import validate\nvalidate(json.load(open(sys.argv[1])))\n";
    python("openapi_spec_validator", script, &[root().join("schema/openapi.json")]);
}
