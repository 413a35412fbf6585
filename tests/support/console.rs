//! The commands that a document shows, run as its reader would run them.
//!
//! In a block `console`, a line `$ COMMAND` is a command for the shell, and the lines after it are
//! what it prints; a command without such lines prints what the document does not show. `...` for
//! lines and `[..]` within a line leave something out. `console,exits=1` is for commands that end
//! with this exit code. A block `text,file=NAME`, or `toml,file=NAME`, is a file that the reader writes.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use snapbox::Data;
use snapbox::cmd::cargo_bin;
use snapbox::filter::NormalizeToExpected;

/// What a fenced block is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Commands, and the code they all exit with.
    Console {
        exits: i32,
    },
    /// A file that the reader writes.
    File(String),
    Other,
}

/// A fenced block of a document: where its content is, and what it is for.
pub struct Fenced {
    pub purpose: Purpose,
    pub content: Range<usize>,
}

/// A command that a document shows, and the lines of its output that it shows, maybe none.
pub struct Step<'t> {
    pub command: &'t str,
    pub shown: String,
}

/// The fenced blocks of a document.
pub fn fenced(text: &str) -> Vec<Fenced> {
    let mut blocks = vec![];
    let mut open: Option<Fenced> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = Some(Fenced { purpose: purpose(&info), content: 0..0 });
            }
            Event::Text(_) => {
                let Some(block) = &mut open else { continue };
                let start =
                    if block.content.is_empty() { range.start } else { block.content.start };
                block.content = start..range.end;
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

fn purpose(info: &str) -> Purpose {
    match info.split_once(',').unwrap_or((info, "")) {
        ("console", "") => Purpose::Console { exits: 0 },
        ("console", option) => {
            let code = option.strip_prefix("exits=").and_then(|code| code.parse().ok());
            Purpose::Console { exits: code.unwrap_or_else(|| panic!("`{option}` of a console")) }
        }
        (_, option) => match option.strip_prefix("file=") {
            Some(name) => Purpose::File(name.into()),
            None => Purpose::Other,
        },
    }
}

/// The commands of a block.
pub fn steps(content: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step> = vec![];
    for line in content.split_inclusive('\n') {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.trim_end(), shown: String::new() });
            }
            (None, Some(step)) => step.shown.push_str(line),
            (None, None) => panic!("a block that does not begin with a command: {line}"),
        }
    }
    steps
}

/// A reader at a terminal: a folder of their own, and where they are in it.
pub struct Reader {
    home: tempfile::TempDir,
    now: PathBuf,
    language: &'static str,
}

impl Reader {
    /// Someone who starts in an empty folder, and reads pages in this language.
    pub fn new(language: &'static str) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let now = home.path().join("work");
        fs::create_dir(&now).expect("a folder");
        Reader { home, now, language }
    }

    /// Where the reader is now.
    pub fn folder(&self) -> &Path {
        &self.now
    }

    /// Does what a document says, and returns the document with what the commands printed.
    pub fn follow(&mut self, text: &str) -> String {
        let mut followed = String::new();
        let mut copied = 0;
        for block in fenced(text) {
            followed.push_str(&text[copied..block.content.start]);
            let content = &text[block.content.clone()];
            match block.purpose {
                Purpose::Console { exits } => followed.push_str(&self.run_all(content, exits)),
                Purpose::File(name) => {
                    self.write(&name, content);
                    followed.push_str(content);
                }
                Purpose::Other => followed.push_str(content),
            }
            copied = block.content.end;
        }
        followed.push_str(&text[copied..]);
        followed
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.now.join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    /// A block of commands with what they print now, where the block shows it.
    fn run_all(&mut self, content: &str, exits: i32) -> String {
        let mut block = String::new();
        for Step { command, shown } in steps(content) {
            let printed = self.run(command, exits);
            block.push_str(&format!("$ {command}\n"));
            if !shown.is_empty() {
                block.push_str(&as_shown(&printed, &shown));
            }
        }
        block
    }

    /// What a command prints, first its output, then its messages.
    #[track_caller]
    fn run(&mut self, command: &str, exits: i32) -> String {
        if let Some(folder) = command.strip_prefix("cd ") {
            self.now.push(folder);
            return String::new();
        }
        let program = cargo_bin!("zhushu");
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(&self.now)
            .env("PATH", path_with(program.parent().expect("it is in a folder")))
            .env("ZHUSHU_LIBRARY", self.home.path().join("library"))
            .env("ZHUSHU_LANG", self.language)
            .output()
            .expect("there is a shell");
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).expect("it prints text");
        assert_eq!(output.status.code(), Some(exits), "$ {command}\n{printed}");
        // Where the reader's own folders are is not known to the document.
        printed.replace(&format!("{}/library", self.home.path().display()), "[LIBRARY]")
    }
}

/// The folders of programs, this one first.
fn path_with(folder: &Path) -> std::ffi::OsString {
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&others));
    std::env::join_paths(folders).expect("a path of programs")
}

/// What was printed, with the same parts left out as in what the document shows.
fn as_shown(printed: &str, shown: &str) -> String {
    let shown = Data::text(shown);
    let printed = NormalizeToExpected::new().redact().normalize(Data::text(printed), &shown);
    let printed = printed.render().expect("it is text");
    if printed.is_empty() || printed.ends_with('\n') { printed } else { printed + "\n" }
}
