//! What is given random bytes, here and by a fuzzer that follows coverage (`tests/fuzz`). Nothing may panic; a target
//! says itself what else would be wrong.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use zhushu::Settings;
use zhushu::ask::{Answerer, Conversation};
use zhushu::corpus::Corpus;
use zhushu::model::Document;
use zhushu::search::{self, Index, Options, Query, Show};
use zhushu::source::Source;
use zhushu::{corrections, pipeline, readers, writers};

/// Something that takes bytes.
pub struct Target {
    /// Its name in messages and in names of files.
    pub name: &'static str,
    /// Where edits begin.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Gives a reason if something is wrong.
    pub test: fn(&[u8]) -> Result<(), String>,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "read", seeds: texts, test: is_read },
    Target { name: "readers", seeds: texts, test: is_read_by_any },
    Target { name: "packed", seeds: packed, test: packed_is_read },
    Target { name: "tei", seeds: tei, test: tei_is_read },
    Target { name: "pipeline", seeds: texts, test: comes_back },
    Target { name: "query", seeds: queries, test: is_searched },
    Target { name: "index", seeds: index_files, test: index_is_opened },
    Target { name: "resealed", seeds: index_files, test: resealed_index_is_opened },
    Target { name: "manifest", seeds: manifests, test: manifest_is_read },
    Target { name: "corrections", seeds: corrections, test: corrections_are_read },
    Target { name: "mcp", seeds: conversations, test: every_message_is_answered },
];

/// A file of the bundled corpus.
fn bundled(name: &str) -> Vec<u8> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = here.ancestors().map(|a| a.join("corpus")).find(|c| c.is_dir());
    std::fs::read(corpus.expect("the corpus is bundled").join(name)).expect("the file is there")
}

/// The first lines of the bundled texts, and small texts of other formats.
fn texts() -> Vec<Vec<u8>> {
    const BYTES: usize = 6000;
    let names =
        ["yili-05-zhushu.txt", "yili-05-jishi.txt", "yili-05-jinyi.txt", "yili-07-judou.md"];
    let bundled = names.map(|n| {
        let mut bytes = bundled(n);
        bytes.truncate(BYTES);
        bytes
    });
    let others = [
        "#+TITLE: 儀禮\n#+PROPERTY: ID KR1d0026\n<pb:KR1d0026_SBCK_006-1a>¶\n燕禮第六(鄭氏注)¶\n燕禮小臣戒與者(小臣相君)¶\n/(燕飲之法與者謂留羣臣也)¶\n",
        "{\"title\": \"大學\", \"chapters\": [{\"name\": \"經\", \"paragraphs\": [\"大學之道，在明明德。\", \"知止而后有定。\"]}]}",
        "<document><corpus>儀禮</corpus><doc_content><paragraph>燕禮。小臣戒與者。</paragraph></doc_content></document>",
        "{{header|title=燕禮}}\n== 燕禮 ==\n小臣戒與者。{{*|小臣相君燕飲之法。}}\n",
        "卷一\n\n學而第一\n\n子曰：「學而時習之，不亦說乎？」〔注〕馬曰：子者，男子之通稱。〔疏〕正義曰：此章勸人學為君子也。\n",
        "<!DOCTYPE html><html><head><title>論語</title><style>.a{font-size:8pt}</style></head><body><nav>首頁</nav><h1>學而</h1>\n<p>子曰&#23416;而<small>馬曰</small>時<span class=a>包曰</span>習<ruby>之<rt>zhī</rt></ruby></p><p class=translation>孔子說<b>學</b>了。</p></body></html>\n",
        "<alto><Layout><Page><TextBlock><TextLine WIDTH=\"40\" HEIGHT=\"450\"><String CONTENT=\"學而時習之\"/></TextLine><TextLine WIDTH=\"20\" HEIGHT=\"175\"><String CONTENT=\"馬曰\"/></TextLine></TextBlock></Page></Layout></alto>",
        "<tmx version=\"1.4\"><body><tu><tuv xml:lang=\"lzh\"><seg>巧言令色。</seg></tuv><tuv xml:lang=\"zh\"><seg>花言巧語。</seg></tuv></tu></body></tmx>",
        "【經】司射適堂西。【注】於是言之。【疏】釋曰：云“於是”者，明也。○司，音四，本亦作伺。\n",
    ];
    let tei = pipeline::convert(Source::from_text("a.txt", others[4]), None).map(|library| {
        let mut bytes = Vec::new();
        let writer = writers::by_name("tei").expect("there is TEI");
        (writer.write)(&library.documents[0], &library, &mut bytes).expect("memory takes it");
        bytes
    });
    let others = others.into_iter().map(|t| t.as_bytes().to_vec());
    bundled.into_iter().chain(others).chain(tei).collect()
}

fn sound(document: &Document, bytes: &[u8]) -> Result<(), String> {
    document.check().map_err(|e| format!("{e:?}"))?;
    if document.reader != "tei" && *document.source.bytes() != *bytes {
        return Err("the source is not what was read".into());
    }
    if document.segments.last().map_or(0, |s| s.span.end()) != document.source.text().len() {
        return Err("the segments do not cover the text".into());
    }
    match document.diagnostics.iter().find(|d| d.code == "pass-failed") {
        Some(failed) => Err(failed.message.clone()),
        None => Ok(()),
    }
}

fn source(bytes: &[u8]) -> Option<Source> {
    Source::decode("a.txt", bytes.to_vec(), None).ok()
}

fn is_read(bytes: &[u8]) -> Result<(), String> {
    let document = source(bytes).and_then(|source| readers::read(source, None).ok());
    document.map_or(Ok(()), |document| sound(&document, bytes))
}

fn is_read_by_any(bytes: &[u8]) -> Result<(), String> {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| readers::Readers::default().names());
    let name = NAMES[bytes.len() % NAMES.len()];
    let document = source(bytes).and_then(|source| readers::read(source, Some(name)).ok());
    document.map_or(Ok(()), |document| sound(&document, bytes)).map_err(|e| format!("{name}: {e}"))
}

/// Files that have a text and are none, and the parts of such.
fn packed() -> Vec<Vec<u8>> {
    let archive = |members: &[(&str, &str)]| {
        let mut made = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
        for (name, words) in members {
            // Edits of what is not compressed are edits of the words.
            let stored = zip::write::SimpleFileOptions::default()
                .compression_method(zip::CompressionMethod::Stored);
            made.start_file(*name, stored).expect("memory takes it");
            std::io::Write::write_all(&mut made, words.as_bytes()).expect("memory takes it");
        }
        made.finish().expect("memory takes it").into_inner()
    };
    let word = "<w:document><w:body><w:p><w:pPr><w:pStyle w:val='1'/></w:pPr><w:r><w:t>學而</w:t></w:r></w:p><w:p><w:r><w:t>子曰學而時習之</w:t></w:r><w:r><w:rPr><w:sz w:val='16'/></w:rPr><w:t>馬曰</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r></w:p></w:body></w:document>";
    let notes = "<w:footnotes><w:footnote w:id='2'><w:p><w:r><w:t>包曰</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let container = "<container><rootfiles><rootfile full-path='b.opf'/></rootfiles></container>";
    let package = "<package><manifest><item id='a' href='1.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='a'/></spine></package>";
    let odt = "<x><text:h>學而</text:h><text:p>子曰<text:span>馬曰</text:span><text:note><text:note-body><text:p>包曰</text:p></text:note-body></text:note></text:p></x>";
    vec![
        archive(&[("word/document.xml", word), ("word/footnotes.xml", notes)]),
        archive(&[
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", container),
            ("b.opf", package),
            ("1.xhtml", "<html><p>子曰<small>馬曰</small></p></html>"),
        ]),
        archive(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", odt)]),
        b"{\\rtf1\\ansi\\ansicpg936\\uc1{\\fonttbl{\\f0 Song;}}\\fs24\\u23376?\\u26352?{\\fs16\\'c2\\'ed}{\\footnote\\par \\u21253?}\\par}".to_vec(),
    ]
}

fn packed_is_read(bytes: &[u8]) -> Result<(), String> {
    static FOLDER: LazyLock<tempfile::TempDir> =
        LazyLock::new(|| tempfile::tempdir().expect("a folder"));
    let path = FOLDER.path().join("a.bin");
    std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
    let entry = zhushu::corpus::TextEntry::file(&path);
    let Ok(document) = zhushu::load::entry(&entry) else { return Ok(()) };
    document.check().map_err(|e| format!("{e:?}"))
}

/// Our own TEI. What is still well-formed after an edit has another structure.
fn tei() -> Vec<Vec<u8>> {
    let texts = [
        "卷一\n\n學而第一\n\n子曰：「學而時習之，不亦說乎？」〔注〕馬曰：子者，男子之通稱。〔疏〕正義曰：此章勸人學為君子也。\n",
        "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n",
    ];
    let writer = writers::by_name("tei").expect("there is TEI");
    let tei = texts.map(|text| {
        let library = pipeline::convert(Source::from_text("a.txt", text), None).expect("it reads");
        let mut bytes = Vec::new();
        (writer.write)(&library.documents[0], &library, &mut bytes).expect("memory takes it");
        bytes
    });
    tei.to_vec()
}

fn tei_is_read(bytes: &[u8]) -> Result<(), String> {
    let Ok(source) = Source::decode("a.xml", bytes.to_vec(), None) else { return Ok(()) };
    let Ok(document) = readers::read(source, Some("tei")) else { return Ok(()) };
    sound(&document, bytes)?;
    let library = pipeline::run(vec![document]);
    for name in ["tei", "html"] {
        let writer = writers::by_name(name).expect("there is such a writer");
        (writer.write)(&library.documents[0], &library, &mut Vec::new())
            .map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn comes_back(bytes: &[u8]) -> Result<(), String> {
    let Some(source) = source(bytes) else { return Ok(()) };
    let Ok(library) = pipeline::convert(source, None) else { return Ok(()) };
    let document = &library.documents[0];
    // A book is cut into its chapters, which have parts of its source.
    match &library.documents[..] {
        [one] if one.source.file_part().is_none() => sound(one, bytes)?,
        all => all.iter().try_for_each(|d| sound(d, &d.source.bytes()))?,
    }
    for writer in writers::WRITERS {
        let mut out = Vec::new();
        (writer.write)(document, &library, &mut out).map_err(|e| e.to_string())?;
        if writer.name == "tei" {
            let source = Source::decode("a.xml", out, None).map_err(|e| e.to_string())?;
            let back = readers::read(source, None).map_err(|e| e.to_string())?;
            if back.source.text() != document.source.text() {
                return Err("TEI does not restore the text".into());
            }
        }
    }
    Ok(())
}

fn queries() -> Vec<Vec<u8>> {
    [
        "注:(今文 AND 古文) NOT 疏",
        "坐 NEAR/5 獲 @ 經:射",
        "re:今文.{1,4}爲",
        "by:鄭玄 work:儀禮 \"取 爵\" 今文?爲*",
    ]
    .map(|q| q.as_bytes().to_vec())
    .to_vec()
}

/// A small text.
const TEXT: &str =
    "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";

/// The index of a small text, for the whole run.
fn index() -> &'static Path {
    static INDEX: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let library = pipeline::convert(Source::from_text("a.txt", TEXT), None).expect("it reads");
        let folder = tempfile::tempdir().expect("a folder");
        search::build(&library, folder.path()).expect("it is written");
        folder
    });
    INDEX.path()
}

fn is_searched(bytes: &[u8]) -> Result<(), String> {
    let words = String::from_utf8_lossy(bytes);
    let Ok(query) = words.parse::<Query>() else { return Ok(()) };
    let index = Index::open(index()).map_err(|e| e.to_string())?;
    // A query can ask for too much, and is then refused.
    if let Ok(found) = index.search(&query, Options::default()) {
        found.answers(&Show::default()).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// The file of the index that has the words.
fn index_file() -> PathBuf {
    let files = std::fs::read_dir(index()).expect("a folder").flatten().map(|e| e.path());
    files.into_iter().find(|f| f.extension().is_some_and(|e| e == "seg")).expect("an index")
}

fn index_files() -> Vec<Vec<u8>> {
    vec![std::fs::read(index_file()).expect("it is there")]
}

/// A copy of the index with another file in it.
fn index_is_opened(bytes: &[u8]) -> Result<(), String> {
    static COPY: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::copy(index().join("index.json"), folder.path().join("index.json"))
            .expect("copied");
        folder
    });
    let name = index_file().file_name().expect("a name").to_owned();
    std::fs::write(COPY.path().join(name), bytes).expect("a file");
    let Ok(index) = Index::open(COPY.path()) else { return Ok(()) };
    for query in ["注:純", "re:陰.", "純 NEAR/5 耦"] {
        let query: Query = query.parse().expect("it is right");
        if let Ok(found) = index.search(&query, Options::default()) {
            _ = found.answers(&Show::default());
        }
    }
    Ok(())
}

/// The same with right checksums: of a file that somebody made on purpose.
fn resealed_index_is_opened(bytes: &[u8]) -> Result<(), String> {
    index_is_opened(&resealed(bytes))
}

/// The content of a file of an index, as far as it has its old length, with new checksums.
fn resealed(bytes: &[u8]) -> Vec<u8> {
    const PAGE: usize = 4096;
    const TRAILER: usize = 8 + 4 + 8 + 8 * 8 + 4 + 4;
    let old = &index_files()[0];
    let ends = |at: usize| u64::from_le_bytes(old[at..at + 8].try_into().expect("8 bytes"));
    let length = ends(old.len() - TRAILER + 12) as usize;
    let mut all = old.clone();
    let changed = bytes.len().min(old.len());
    all[..changed].copy_from_slice(&bytes[..changed]);
    let table: Vec<u8> =
        all[..length].chunks(PAGE).flat_map(|p| crc32fast::hash(p).to_le_bytes()).collect();
    let trailer = old.len() - TRAILER;
    all[length..trailer].copy_from_slice(&table);
    // Magic and version stay: what has others is refused.
    all[trailer..trailer + 12].copy_from_slice(&old[trailer..trailer + 12]);
    let of_table = old.len() - 8;
    all[of_table..of_table + 4].copy_from_slice(&crc32fast::hash(&table).to_le_bytes());
    let of_trailer = crc32fast::hash(&all[trailer..old.len() - 4]).to_le_bytes();
    all[old.len() - 4..].copy_from_slice(&of_trailer);
    all
}

fn manifests() -> Vec<Vec<u8>> {
    vec![bundled("zhushu.toml")]
}

fn manifest_is_read(bytes: &[u8]) -> Result<(), String> {
    static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("yili-05-zhushu.txt"), "甲。\n").expect("a file");
        folder
    });
    std::fs::write(FOLDER.path().join("zhushu.toml"), bytes).expect("a file");
    _ = Corpus::open(FOLDER.path(), &readers::Readers::default().names());
    Ok(())
}

fn corrections() -> Vec<Vec<u8>> {
    let entry = "[[correction]]\nkind = \"cut\"\ndecision = \"yes\"\nbefore = \"司射適堂西\"\nat = \"命弟子\"\nafter = \"設豐\"\nby = \"王\"\nwhen = \"2026-01-01\"\n";
    vec![entry.as_bytes().to_vec()]
}

fn corrections_are_read(bytes: &[u8]) -> Result<(), String> {
    let source = Source::from_text("a.review.toml", &*String::from_utf8_lossy(bytes));
    _ = corrections::file::parse(&source);
    Ok(())
}

/// Lines of programs that ask: right ones, and ones that are wrong in every part.
fn conversations() -> Vec<Vec<u8>> {
    let call = |name: &str, arguments: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{{\"name\":\"{name}\",\"arguments\":{arguments}}}}}\n"
        )
    };
    let method = |method: &str, params: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"{method}\",\"params\":{params}}}\n"
        )
    };
    let deep = format!("{}1{}\n", "[".repeat(9000), "]".repeat(9000));
    vec![
        method("initialize", "{\"protocolVersion\":\"2025-06-18\"}").into_bytes(),
        method("tools/list", "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}")
            .into_bytes(),
        call("search", "{\"q\":\"注:(陰 NEAR/5 陽) @ 經:純\",\"limit\":3}").into_bytes(),
        call("passage", "{\"locus\":\"a.0.0.1\",\"layer\":[\"注\"],\"by\":\"鄭玄\"}").into_bytes(),
        call("who_quotes", "{\"locus\":\"a.00.0.1\",\"kind\":[\"quotation\"],\"skip\":1}").into_bytes(),
        call("contents", "{\"work\":\"a\"}").into_bytes(),
        call("verify", "{\"text\":\"「二筭為純」《論語》\",\"cited\":\"論語 1.1\"}").into_bytes(),
        call("gloss", "{\"word\":\"純\",\"kind\":[\"is-like\"],\"certainty\":50}").into_bytes(),
        method("resources/read", "{\"uri\":\"urn:cts:zhushu:a.00:0.1\"}").into_bytes(),
        call("nothing", "[1, 2]").into_bytes(),
        deep.into_bytes(),
        vec![b'x'; 1 << 20],
        b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},5,{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]\n"
            .to_vec(),
    ]
}

/// True for a line that is no notification: a request, or what is none.
fn wants_reply(line: &[u8]) -> bool {
    use serde_json::Value;
    let is_request = |message: &Value| {
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        match message.get("method") {
            _ if message["jsonrpc"] != "2.0" => true,
            Some(Value::String(_)) => message.get("id").is_some(),
            None => !is_answer,
            Some(_) => true,
        }
    };
    match serde_json::from_slice::<Value>(line) {
        _ if line.trim_ascii().is_empty() => false,
        Ok(Value::Array(all)) if !all.is_empty() => all.iter().any(is_request),
        Ok(message) => is_request(&message),
        Err(_) => true,
    }
}

/// Each line that is no notification has one reply, which is JSON-RPC.
fn every_message_is_answered(bytes: &[u8]) -> Result<(), String> {
    // The edition is made of the text when it is first asked, once for the whole run.
    static ASKED: LazyLock<(tempfile::TempDir, Conversation)> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.txt"), TEXT).expect("a file");
        let answerer = Answerer::of(&[folder.path().to_path_buf()], &Settings::default());
        (folder, Conversation::of(answerer.expect("the folder is there")))
    });
    let mut out = vec![];
    ASKED.1.hold(bytes, &mut out).map_err(|e| e.to_string())?;
    let lines: Vec<&[u8]> = out.split(|b| *b == b'\n').filter(|l| !l.is_empty()).collect();
    let wanted = bytes.split(|b| *b == b'\n').filter(|line| wants_reply(line)).count();
    if lines.len() != wanted {
        return Err(format!("{} replies, not {wanted}", lines.len()));
    }
    for line in lines {
        let reply: serde_json::Value = serde_json::from_slice(line).map_err(|e| e.to_string())?;
        let all = reply.as_array().cloned().unwrap_or_else(|| vec![reply]);
        let is_right = |r: &serde_json::Value| {
            r["jsonrpc"] == "2.0" && (r.get("result").is_some() != r.get("error").is_some())
        };
        if !all.iter().all(is_right) {
            return Err(format!("not a reply: {}", String::from_utf8_lossy(line)));
        }
    }
    Ok(())
}
