//! What other commands take from a build instead of reading its texts again.

use std::fs;

use snapbox::str;

use crate::support::program::Folder;

/// Commands that read a build.
const COMMANDS: &[&str] = &[
    "show yili.05.1 out",
    "show yili.05.1 out --to json",
    "refs out --to tsv",
    "refs out --to json",
    "export out --to markdown -o -",
    "export out --to text -o -",
    "export out --to jsonl -o -",
];

/// What they print. TEI has only the names of the files, the cache their paths.
fn outputs(p: &Folder) -> Vec<String> {
    let run = |line: &&str| {
        let output = p.run(line).success().get_output().clone();
        String::from_utf8(output.stdout).unwrap().replace("corpus/", "")
    };
    COMMANDS.iter().map(run).collect()
}

#[test]
fn the_cache_of_a_build_has_what_its_tei_has() {
    let p = Folder::new();
    p.write_corpus();
    p.run("build").success();
    let kept = outputs(&p);
    fs::remove_dir_all(p.path().join("out/.zhushu/cache")).unwrap();
    for (line, (kept, read)) in COMMANDS.iter().zip(kept.into_iter().zip(outputs(&p))) {
        assert!(!kept.is_empty(), "{line}");
        assert_eq!(kept, read, "{line}");
    }
}

#[test]
fn what_a_person_edited_in_the_tei_of_a_build_counts() {
    let p = Folder::new();
    p.write_corpus();
    p.run("build").success();
    let path = p.path().join("out/tei/yili-05-jinyi.xml");
    let tei = fs::read_to_string(&path).unwrap();
    let edited = tei.replacen("</title>", "（校訂）</title>", 1);
    assert_ne!(edited, tei);
    fs::write(&path, edited).unwrap();
    let text = p.run("export out --to markdown -o -").success().get_output().stdout.clone();
    assert!(String::from_utf8(text).unwrap().contains("（校訂）"));
}

#[test]
fn a_text_that_a_person_put_beside_those_of_a_build_is_read_too() {
    let p = Folder::new();
    p.write_corpus();
    p.run("build").success();
    let tei = fs::read_to_string(p.path().join("out/tei/yili-05-jinyi.xml")).unwrap();
    p.write("out/tei/added.xml", tei.replacen("</title>", "（又一本）</title>", 1));
    let text = p.run("export out --to markdown -o -").success().get_output().stdout.clone();
    assert!(String::from_utf8(text).unwrap().contains("（又一本）"));
}

#[test]
fn a_build_that_is_older_than_its_corpus_is_used_and_reported() {
    let p = Folder::new();
    p.write_corpus();
    p.run("build").success();
    p.run("show yili.05.1 out").success().stderr_eq("");
    p.write("corpus/yili-05-jinyi.txt", "今譯\n\n他射箭。\n");
    p.run("show yili.05.1 out").success().stderr_eq(str![[r#"
note: out is older than its corpus (changed: yili-05-jinyi.txt); `zhushu build` updates it

"#]]);
    // A search reads only the index, and looks at the files of the texts.
    let says = |line: &str| {
        let output = p.run(line).get_output().clone();
        String::from_utf8(output.stderr).unwrap().contains("(changed: yili-05-jinyi.txt)")
    };
    assert!(says("search 射") && says("verify 「射」 --in out"));
    p.run("build").success();
    assert!(!says("search 射") && !says("verify 「射」 --in out"));
}

#[test]
fn a_damaged_or_missing_result_is_only_slower() {
    let p = Folder::new();
    p.write_corpus();
    p.run("build").success();
    let before = outputs(&p);
    let cache = p.path().join("out/.zhushu/cache");
    for folder in fs::read_dir(&cache).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            fs::write(file.unwrap().path(), b"nothing").unwrap();
        }
    }
    assert_eq!(outputs(&p), before);
    p.write("corpus/yili-05-jinyi.txt", "今譯\n\n他射箭。\n");
    p.run("build").success();
    let kept: usize = fs::read_dir(&cache)
        .unwrap()
        .map(|f| fs::read_dir(f.unwrap().path()).unwrap().count())
        .sum();
    // One of the texts also as it was before it was aligned: the next build begins with that.
    assert_eq!(kept, 4, "two texts and their alignment, nothing of the last build");
}

#[test]
fn a_build_in_another_language_equals_one_from_nothing() {
    let p = Folder::new();
    p.write_corpus();
    p.run("build --lang zh-Hant").success();
    p.run("build --lang en").success().stdout_eq("...\n[..]in another language[..]\n...\n");
    p.run("build --lang en -o fresh").success();
    for file in ["site/index.html", "report.txt"] {
        let of = |out: &str| fs::read_to_string(p.path().join(out).join(file)).unwrap();
        assert_eq!(of("out"), of("fresh"), "{file}");
    }
    p.run("build --lang en").success().stdout_eq("nothing to do[..]\n");
    // What was inferred is the same, so a reader with another language is not warned.
    p.run("show yili.05.2.8 --lang zh-Hans").success().stderr_eq("");
}

#[test]
fn a_folder_with_another_name_gives_its_pages_another_title() {
    let p = Folder::new();
    p.write("old/a.txt", crate::support::program::ZHUSHU);
    let title = || {
        let page = fs::read_to_string(p.path().join("out/site/index.html")).unwrap();
        let title = page.split("<title").nth(1).and_then(|t| t.split(['>', '<']).nth(1));
        title.unwrap().to_string()
    };
    p.run("build old").success();
    assert_eq!(title(), "old");
    // However the path is typed.
    let typed = format!("build {}/./old -o out", p.path().display());
    p.run(&typed).success().stdout_eq("nothing to do[..]\n");
    fs::rename(p.path().join("old"), p.path().join("new")).unwrap();
    p.run("build new").success().stdout_eq("...\n[..]the title was old[..]\n...\n");
    assert_eq!(title(), "new");
    p.run("build new").success().stdout_eq("nothing to do[..]\n");
}

#[test]
fn what_a_killed_build_left_is_removed_also_if_nothing_changed() {
    let p = Folder::new();
    p.write("corpus/a.txt", crate::support::program::ZHUSHU);
    p.run("build").success();
    let before = p.files();
    p.write("out/.zhushu-a1B2c3", "").write("out/.zhushu-a1B2c3.d/tei/a.xml", "half");
    let said = p.run("build").success();
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
    assert_eq!(p.files(), before);
}
