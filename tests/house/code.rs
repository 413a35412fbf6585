//! The code of `src/` and of `lab/src/`, parsed, as the guards of this folder look at it: without
//! tests.

use std::fs;
use std::path::Path;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A file of code.
pub struct CodeFile {
    /// From the root of the repository.
    pub path: String,
    pub text: String,
    pub tree: syn::File,
}

impl CodeFile {
    /// The folder of rules that it belongs to: a folder of `src/`, of `passes/` or of
    /// `passes/links/`. A file beside such a folder belongs to the folder of its name.
    pub fn room(&self) -> String {
        let parts: Vec<&str> = self.path.trim_end_matches(".rs").split('/').collect();
        let depth = match parts[..] {
            ["src", "passes", "links", _, ..] => 4,
            ["src", "passes", _, ..] => 3,
            ["lab", ..] => 1,
            _ => 2,
        };
        let parts: Vec<&str> = parts.into_iter().filter(|p| *p != "mod").take(depth).collect();
        parts.join("/")
    }
}

/// All files, in the order of their paths.
pub fn files() -> Vec<CodeFile> {
    let files = all();
    assert!(files.len() > 200, "src/ was not found");
    files
}

/// All files, in the order of their paths.
pub fn all() -> Vec<CodeFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![];
    ["src", "lab/src"].iter().for_each(|folder| list(root, folder, &mut paths));
    paths.sort();
    paths.into_iter().map(|path| read(root, path)).collect()
}

fn list(root: &Path, folder: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(folder)).expect("a folder of code") {
        let entry = entry.expect("an entry of it");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(root, &path, paths);
        } else if path.ends_with(".rs") {
            paths.push(path);
        }
    }
}

fn read(root: &Path, path: String) -> CodeFile {
    let text = fs::read_to_string(root.join(&path)).expect("a file of code");
    let tree = syn::parse_file(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    CodeFile { path, text, tree }
}

/// True for what only tests have.
pub fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        let of_test = |a: &syn::Attribute| {
            a.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
        };
        a.path().is_ident("test") || a.path().is_ident("cfg") && of_test(a)
    })
}

/// True for a file of tests.
pub fn is_of_tests(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// The first and the last line of a piece of code.
pub fn lines(code: &impl Spanned) -> (usize, usize) {
    let span: Span = code.span();
    (span.start().line, span.end().line)
}

/// Calls a function with every item of a file that is not of a test, those within functions and
/// modules too.
pub fn each_item(file: &CodeFile, call: impl FnMut(&syn::Item)) {
    struct Items<F>(F);
    impl<'a, F: FnMut(&syn::Item)> Visit<'a> for Items<F> {
        fn visit_item(&mut self, item: &'a syn::Item) {
            if !is_test(attributes(item)) {
                (self.0)(item);
                visit::visit_item(self, item);
            }
        }
    }
    if !is_of_tests(&file.path) {
        Items(call).visit_file(&file.tree);
    }
}

/// The attributes of an item that tests can have.
pub fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(i) => &i.attrs,
        syn::Item::Fn(i) => &i.attrs,
        syn::Item::Impl(i) => &i.attrs,
        syn::Item::Mod(i) => &i.attrs,
        syn::Item::Static(i) => &i.attrs,
        syn::Item::Struct(i) => &i.attrs,
        syn::Item::Use(i) => &i.attrs,
        _ => &[],
    }
}

/// The name of the type of an `impl`, if it has one.
pub fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
        syn::Type::Reference(reference) => type_name(&reference.elem),
        _ => None,
    }
}
