//! Small functions, files and types: what has to be read at once.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use crate::code::{self, CodeFile};

/// From `fn` to the closing brace.
const MAX_FUNCTION_LINES: usize = 80;
/// Without the tests in the file.
const MAX_FILE_LINES: usize = 500;
/// `self` is not counted.
const MAX_PARAMETERS: usize = 5;
/// Files that have methods of one type.
const MAX_FILES_OF_TYPE: usize = 2;
/// Of a line with a comment, in characters.
const MAX_COMMENT_COLUMNS: usize = 100;

/// Files that are longer, with how long they are. A figure may only become smaller: then it is
/// changed here, or the line goes.
const LONGER: &[(&str, usize)] =
    &[("src/corpus/index.rs", 591), ("src/passes/layers/labels/reading.rs", 544)];

/// Types whose methods are in more files, with how many. The same holds.
const SPREAD: &[(&str, usize)] = &[
    ("collation::Collation", 3),
    ("corpus::Works", 4),
    ("corrections::AnchorText", 3),
    ("markup::Markup", 3),
    ("search::Index", 4),
    ("search::IndexFile", 3),
    ("search::SearchResults", 3),
    ("source::Source", 3),
    ("writers::Page", 10),
];

#[test]
fn functions_are_short() {
    let long = found(|f| f.lines > MAX_FUNCTION_LINES);
    let long: Vec<String> = long.iter().map(|(at, f)| format!("{at}, {} lines", f.lines)).collect();
    assert!(long.is_empty(), "more than {MAX_FUNCTION_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn functions_have_few_parameters() {
    let many = found(|f| f.parameters > MAX_PARAMETERS);
    let many = many.iter().map(|(at, f)| format!("{at}, {} of them", f.parameters));
    let many: Vec<String> = many.collect();
    assert!(many.is_empty(), "more than {MAX_PARAMETERS} parameters:\n{}", many.join("\n"));
}

#[test]
fn files_are_short() {
    let mut wrong = vec![];
    for file in code::files().iter().filter(|f| !code::is_of_tests(&f.path)) {
        let allowed = LONGER.iter().find(|(path, _)| *path == file.path);
        let (lines, most) = (size(file), allowed.map_or(MAX_FILE_LINES, |a| a.1));
        if lines > most {
            wrong.push(format!("{} has {lines} lines, of {most}: divide it", file.path));
        } else if allowed.is_some() && lines < most {
            wrong.push(format!("{} has {lines} lines now: lower {most} in LONGER", file.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_methods_of_a_type_are_in_few_files() {
    let mut files_of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in code::files() {
        code::each_item(&file, |item| {
            let syn::Item::Impl(i) = item else { return };
            let has_methods = i.items.iter().any(|i| matches!(i, syn::ImplItem::Fn(_)));
            if let (None, true, Some(name)) = (&i.trait_, has_methods, code::type_name(&i.self_ty))
            {
                // Two rooms may have a type of the same name.
                let crate_or_room = file.path.split('/').nth(1).unwrap_or_default();
                let room = crate_or_room.trim_end_matches(".rs");
                files_of.entry(format!("{room}::{name}")).or_default().insert(file.path.clone());
            }
        });
    }
    let mut wrong = vec![];
    for (name, files) in &files_of {
        let allowed = SPREAD.iter().find(|(n, _)| n == name).map_or(MAX_FILES_OF_TYPE, |s| s.1);
        if files.len() > allowed {
            wrong.push(format!("{name} has methods in {} files: {files:?}", files.len()));
        }
    }
    for (name, allowed) in SPREAD {
        let now = files_of.get(*name).map_or(0, BTreeSet::len);
        if now < *allowed {
            wrong.push(format!("{name} is in {now} files now: lower or remove its line in SPREAD"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lines_with_comments_are_not_wide() {
    let mut wide = vec![];
    for file in code::files() {
        // Code in an example is not wrapped.
        let mut is_code = false;
        for (n, line) in file.text.lines().enumerate() {
            let columns = line.chars().count();
            let comment = line.trim_start().strip_prefix("//");
            is_code ^=
                comment.is_some_and(|c| c.trim_start_matches(['/', '!', ' ']).starts_with("```"));
            is_code &= comment.is_some();
            if columns > MAX_COMMENT_COLUMNS && comment.is_some() && !is_code {
                wide.push(format!("{}:{}: {columns} columns", file.path, n + 1));
            }
        }
    }
    assert!(wide.is_empty(), "more than {MAX_COMMENT_COLUMNS} columns:\n{}", wide.join("\n"));
}

/// The functions that are too large, each with its file, line and name.
fn found(is_large: impl Fn(&Function) -> bool) -> Vec<(String, Function)> {
    let mut found = vec![];
    for file in code::files() {
        let large = functions(&file).into_iter().filter(&is_large);
        found.extend(large.map(|f| (format!("{}:{}: {}", file.path, f.line, f.name), f)));
    }
    found
}

/// Lines of a file without its tests.
fn size(file: &CodeFile) -> usize {
    let tests = file.tree.items.iter().filter(|i| code::is_test(code::attributes(i)));
    let of_tests: usize = tests.map(code::lines).map(|(first, last)| last + 1 - first).sum();
    file.text.lines().count() - of_tests
}

/// A function with its size.
struct Function {
    name: String,
    line: usize,
    lines: usize,
    parameters: usize,
}

/// The functions of a file, without those of tests.
fn functions(file: &CodeFile) -> Vec<Function> {
    let mut functions = Functions::default();
    if !code::is_of_tests(&file.path) {
        functions.visit_file(&file.tree);
    }
    functions.0
}

#[derive(Default)]
struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &syn::Signature, last: usize) {
        let (line, _) = code::lines(signature);
        let typed = signature.inputs.iter().filter(|i| matches!(i, syn::FnArg::Typed(_)));
        let (name, parameters) = (signature.ident.to_string(), typed.count());
        self.0.push(Function { name, line, lines: last + 1 - line, parameters });
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !code::is_test(code::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.add(&f.sig, code::lines(&f.block).1);
        visit::visit_item_fn(self, f);
    }

    fn visit_impl_item_fn(&mut self, f: &'a syn::ImplItemFn) {
        self.add(&f.sig, code::lines(&f.block).1);
        visit::visit_impl_item_fn(self, f);
    }

    fn visit_trait_item_fn(&mut self, f: &'a syn::TraitItemFn) {
        self.add(&f.sig, code::lines(f).1);
        visit::visit_trait_item_fn(self, f);
    }
}
