//! The files from which packages are made: that they name what exists. `.ci/run` makes the Debian
//! package and tries it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::program::Folder;

/// Folders and files at the root that packages name.
const NAMED: &[&str] =
    &["packaging/", ".ci/", "python", "LICENSE-", "README.", "CHANGELOG", "Cargo."];

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn exists(name: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists()
}

/// The words of some text that name files of the project.
fn files_in(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'=:,(){}|".contains(c));
    let words = words.map(|w| w.trim_end_matches(['.', ';', '/'])).filter(|w| !w.contains('$'));
    words.filter(|w| NAMED.iter().any(|n| w.starts_with(n)) && !w.contains('*')).collect()
}

fn workflow() -> Value {
    serde_saphyr::from_str(&read(".github/workflows/release.yml")).expect("YAML")
}

fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    }
}

#[test]
fn jobs_of_the_release_are_complete() {
    let workflow = workflow();
    let jobs = workflow["jobs"].as_object().expect("jobs");
    for (name, job) in jobs {
        assert!(job["runs-on"].is_string(), "{name}: runs-on");
        for needed in strings(&job["needs"]) {
            assert!(jobs.contains_key(needed), "{name} needs {needed}");
        }
        let steps = job["steps"].as_array().expect("steps");
        assert!(!steps.is_empty(), "{name}");
        for step in steps {
            match (&step["uses"], &step["run"]) {
                (Value::String(action), Value::Null) => {
                    assert!(action.contains("@v"), "{name}: {action} has no version");
                }
                (Value::Null, Value::String(_)) => {}
                _ => panic!("{name}: a step either uses an action or runs something: {step}"),
            }
        }
        let matrix = job["strategy"]["matrix"].to_string();
        for used in read(".github/workflows/release.yml").split("matrix.").skip(1) {
            let key: String = used.chars().take_while(char::is_ascii_alphanumeric).collect();
            let here = job.to_string().contains(&format!("matrix.{key}"));
            assert!(!here || matrix.contains(&format!("\"{key}\"")), "{name}: matrix.{key}");
        }
    }
}

#[test]
fn files_that_packages_name_exist() {
    for file in [".github/workflows/release.yml", "packaging/Containerfile", "packaging/build"] {
        let text = read(file);
        let named = files_in(&text);
        assert!(!named.is_empty(), "{file}");
        for name in named {
            assert!(exists(name), "{file}: {name}");
        }
    }
}

#[test]
fn assets_of_the_debian_package_are_made_or_copied() {
    let manifest: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let deb = &manifest["package"]["metadata"]["deb"];
    let build = read("packaging/build");
    for asset in deb["assets"].as_array().expect("assets") {
        let source = asset[0].as_str().expect("source");
        let inner = source.strip_prefix("target/package/").expect("of target/package");
        // Either it is copied from the root, or a line of the script writes it.
        let copied = exists(inner) && build.contains(&format!(" {inner} "));
        let folder = inner.trim_end_matches("/*.1");
        let written = build.contains(&format!("\"$folder/{folder}\""));
        assert!(copied || written, "{source}");
        assert!(!asset[1].as_str().expect("target").starts_with('/'), "{source}");
    }
    for key in ["maintainer", "section", "priority", "extended-description", "depends"] {
        assert!(deb[key].as_str().is_some_and(|v| !v.trim().is_empty()), "{key}");
    }
}

#[test]
fn commands_in_the_formula_are_commands() {
    let formula = read("packaging/zhushu.rb");
    let calls = formula.split("bin/\"zhushu\", \"").skip(1);
    let commands: BTreeSet<&str> = calls.filter_map(|call| call.split('"').next()).collect();
    assert!(commands.len() > 2, "{commands:?}");
    for command in commands {
        Folder::new().run(&format!("{command} --help")).success();
    }
    // Blocks are closed.
    let opens = |line: &&str| {
        let line = line.trim();
        ["class ", "def "].iter().any(|w| line.starts_with(w)) || line.ends_with(" do")
    };
    let ends = formula.lines().filter(|l| l.trim() == "end").count();
    assert_eq!(formula.lines().filter(opens).count(), ends);
}

#[test]
fn the_workflow_fills_in_all_of_the_formula() {
    let (formula, workflow) = (read("packaging/zhushu.rb"), read(".github/workflows/release.yml"));
    let holes: BTreeSet<&str> = formula.split('@').skip(1).step_by(2).collect();
    assert_eq!(holes, BTreeSet::from(["HOME", "SHA256", "URL"]));
    for hole in holes {
        assert!(workflow.contains(&format!("s|@{hole}@|")), "{hole}");
    }
}

#[test]
fn the_container_copies_what_an_earlier_stage_has() {
    let file = read("packaging/Containerfile");
    let mut stages: Vec<&str> = vec![];
    for line in file.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["FROM", _, "AS", name] => stages.push(name),
            ["COPY", from, ..] if from.starts_with("--from=") => {
                assert!(stages.contains(&&from["--from=".len()..]), "{line}");
                for source in &words[2..words.len() - 1] {
                    let inner = source.strip_prefix("/source/").expect("of the stage");
                    assert!(inner.starts_with("target/release/") || exists(inner), "{source}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(stages, ["build"]);
    let user = file.lines().find_map(|l| l.strip_prefix("USER ")).expect("a user");
    assert!(!user.starts_with('0') && user != "root", "{user}");
}
