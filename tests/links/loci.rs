//! Loci, `zhushu show` and `zhushu refs` on the bundled corpus: output is parsed again, is valid
//! against its schema, and is accepted by independent readers.

use std::collections::HashSet;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;
use zhushu::corpus::Loci;
use zhushu::corpus::loci::parse;
use zhushu::corpus::refs::{Catalogue, Wanted};
use zhushu::source::Source;
use zhushu::writers::references::REFERENCE_WRITERS;
use zhushu::{pipeline, readers, writers};

use crate::support::corpus::{library, root};
use crate::support::program::Folder;

/// The output of the program in a folder with part of the corpus. Reading all of it each time would
/// be slow; the whole corpus is tested through the library.
fn zhushu(args: &[&str]) -> String {
    static FOLDER: LazyLock<Folder> = LazyLock::new(|| {
        let folder = Folder::new();
        folder.write_corpus();
        folder
    });
    let out = Command::new(env!("CARGO_BIN_EXE_zhushu"))
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C")
        .current_dir(FOLDER.path())
        .args(args)
        .output()
        .expect("it runs");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("UTF-8")
}

/// All references of the corpus in a format.
fn references(format: &str) -> String {
    let ids: Vec<String> = library().documents.iter().map(|d| d.id.clone()).collect();
    let all = Catalogue::of(library()).references(&ids, &Wanted::default());
    let writer = REFERENCE_WRITERS.iter().find(|w| w.name == format).expect("it is in the table");
    let mut out = Vec::new();
    (writer.write)(&all, &mut out).expect("memory takes it");
    String::from_utf8(out).expect("UTF-8")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&zhushu(args)).expect("JSON")
}

fn obeys(schema: &str, value: &Value) {
    let schema = std::fs::read_to_string(root().join("schema").join(schema)).expect("a schema");
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON"))
        .expect("a sound schema");
    let faults: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn every_locus_is_found_again_on_its_words() {
    for document in &library().documents {
        let loci = Loci::of(document);
        let mut seen = HashSet::new();
        for unit in loci.units() {
            let name = loci.name(unit.span).expect("a unit has a locus");
            for words in [name.to_string(), name.urn(None), name.urn(Some(&document.id))] {
                let spans: Vec<_> = loci
                    .find(
                        &parse(&words, &zhushu::corpus::Works::builtin())
                            .expect("what is printed is parsed"),
                    )
                    .into_iter()
                    .map(|(s, _)| s)
                    .collect();
                assert!(
                    spans.iter().any(|s| s.overlap(unit.span) > 0),
                    "{words} in {}",
                    document.id
                );
            }
            assert!(
                seen.insert(unit.passage.to_string() + &format!("{:?}", unit.layer))
                    || unit.layer.id() == "shu",
                "{name} twice"
            );
        }
    }
}

/// A person edits the TEI: its loci stay, whatever other texts are read with it.
#[test]
fn loci_come_back_from_tei() {
    let library = library();
    let tei = writers::by_name("tei").expect("it is in the table");
    for document in &library.documents {
        let mut xml = Vec::new();
        (tei.write)(document, library, &mut xml).expect("memory takes it");
        let xml = String::from_utf8(xml).expect("UTF-8");
        let again = readers::read(Source::from_text("a.xml", xml), None).expect("it reads");
        let again = &pipeline::run(vec![again]).documents[0];
        let all = |d| Loci::of(d).units().map(|u| (u.span, u.passage)).collect::<Vec<_>>();
        assert_eq!(all(again), all(document), "{}", document.id);
    }
}

#[test]
fn a_passage_is_shown_with_its_commentaries() {
    let text = zhushu(&["show", "儀禮.鄉射.1.1"]);
    for words in ["yili.05.1.1", "眾賓繼射", "於是言唯上耦者", "“眾賓”至“上耦”"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(
        text,
        zhushu(&["show", "urn:cts:zhushu:yili.05.yili-05-zhushu:1.1"])
            .replace("urn:cts:zhushu:yili.05.yili-05-zhushu:1.1", "urn:cts:zhushu:yili.05:1.1")
    );
    let value = json(&["show", "yili.05.1-2", "--to", "json"]);
    obeys("show.schema.json", &value);
    let stretches = value["texts"][0]["stretches"].as_array().expect("a list");
    assert!(
        stretches.iter().any(|s| s["layer"] == "zhu")
            && !value["texts"][0]["translations"].as_array().expect("a list").is_empty()
    );
    obeys("show.schema.json", &json(&["show", "yili.05", "--layer", "經", "--to", "json"]));
}

#[test]
fn references_lead_both_ways_and_filters_hold() {
    let value = json(&["refs", "--to-passage", "yili.05.1.2", "--to", "json"]);
    obeys("refs.schema.json", &value);
    let all = value["references"].as_array().expect("a list");
    assert!(
        all.iter().any(|r| r["kind"] == "lemma") && all.iter().any(|r| r["kind"] == "quotation"),
        "{all:#?}"
    );
    let filtered = json(&[
        "refs",
        "--kind",
        "quotation",
        "--status",
        "exact",
        "--layer",
        "疏",
        "--certainty",
        "0.5",
        "--to",
        "json",
    ]);
    let filtered = filtered["references"].as_array().expect("a list");
    assert!(!filtered.is_empty());
    assert!(
        filtered
            .iter()
            .all(|r| r["kind"] == "quotation" && r["status"] == "exact" && r["layer"] == "shu")
    );
    let every: Value = serde_json::from_str(&references("json")).expect("JSON");
    obeys("refs.schema.json", &every);
    let links: usize = library().documents.iter().map(|d| d.links.len()).sum();
    assert_eq!(every["references"].as_array().map(Vec::len), Some(links));
    assert_eq!(references("tsv").lines().count(), links + 1);
}

/// Positions and quotations of the Web Annotations name the same words of the files they point at.
#[test]
fn web_annotations_name_words_of_files() {
    let page: Value = serde_json::from_str(&references("annotations")).expect("JSON");
    assert_eq!(
        (&page["type"], &page["@context"][0]),
        (&"AnnotationPage".into(), &"http://www.w3.org/ns/anno.jsonld".into())
    );
    let items = page["items"].as_array().expect("a list");
    let ids: HashSet<&str> = items.iter().map(|i| i["id"].as_str().expect("an id")).collect();
    assert_eq!(ids.len(), items.len());
    let mut selected = 0;
    for end in items
        .iter()
        .flat_map(|i| [&i["target"], &i["body"]])
        .filter(|e| e["type"] == "SpecificResource")
    {
        let file = end["source"]["id"].as_str().expect("a file");
        let text = std::fs::read_to_string(root().join("corpus").join(file)).expect("it is there");
        let selectors = end["selector"].as_array().expect("selectors");
        let [at, quote] = ["TextPositionSelector", "TextQuoteSelector"]
            .map(|t| selectors.iter().find(|s| s["type"] == t).expect(t));
        let [from, to] = ["start", "end"].map(|k| at[k].as_u64().expect("a number") as usize);
        let words = |a: usize, b: usize| text.chars().skip(a).take(b - a).collect::<String>();
        assert_eq!(quote["exact"], words(from, to));
        let prefix = quote["prefix"].as_str().expect("a prefix");
        assert_eq!(prefix, words(from - prefix.chars().count(), from));
        selected += 1;
    }
    assert!(selected > items.len());
}

/// GraphML read by another program (networkx, if Python has it).
#[test]
fn the_graph_is_read_by_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("refs.graphml");
    std::fs::write(&file, references("graphml")).expect("the folder takes it");
    let links: usize = library().documents.iter().map(|d| d.links.len()).sum();
    let script = "import sys,networkx\ng=networkx.read_graphml(sys.argv[1],force_multigraph=True)\nprint(g.number_of_edges(),all('label' in d for _,d in g.nodes(data=True)),all(0<=d['weight']<=1 for *_,d in g.edges(data=True)))";
    let python = Command::new("python3").args(["-c", script]).arg(&file).output();
    match python {
        Ok(out) if out.status.success() => {
            assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), format!("{links} True True"))
        }
        _ => {
            assert!(
                std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(),
                "networkx is missing, and skipping is forbidden"
            );
            eprintln!("skipped: no networkx for Python on this machine");
        }
    }
    let xml = std::fs::read_to_string(&file).expect("it is there");
    let ids: HashSet<&str> =
        xml.split("<node id=\"").skip(1).filter_map(|n| n.split('"').next()).collect();
    let ends: Vec<&str> = ["source=\"", "target=\""]
        .iter()
        .flat_map(|k| xml.split(k).skip(1))
        .filter_map(|n| n.split('"').next())
        .collect();
    assert_eq!(ends.len(), links * 2);
    assert!(ends.iter().all(|e| ids.contains(e)));
}
