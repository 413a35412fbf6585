//! Numbers in the code have a budget for each room. A rule that is tuned with one more number is a
//! cost, and this makes it be seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

use crate::code;

const BUDGETS: &str = "tests/house/constants.tsv";

#[test]
fn rooms_have_the_number_of_numeric_constants_of_their_budget() {
    let counts = counts();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(BUDGETS);
    let table = fs::read_to_string(&path).expect("the table of budgets");
    let rows = table.lines().filter(|l| !l.starts_with('#')).map(|l| {
        let (room, n) = l.split_once('\t').expect("a room, a tab and a number");
        (room.to_string(), n.parse().expect("a number"))
    });
    let budgets: BTreeMap<String, usize> = rows.collect();
    let mut wrong = vec![];
    for room in counts.keys().chain(budgets.keys().filter(|r| !counts.contains_key(*r))) {
        let now = counts.get(room).map_or(0, Vec::len);
        let budget = budgets.get(room).copied().unwrap_or(0);
        if now > budget {
            let names = counts[room].join("\n    ");
            wrong.push(format!(
                "{room} has {now} numeric constants, {budget} are budgeted in {BUDGETS}. Take the \
                 number from what is known already, or learn it. A rise needs a commit that adds a \
                 feature and names the rise.\n    {names}"
            ));
        } else if now < budget {
            wrong.push(format!(
                "{room} has {now} numeric constants now: lower {budget} in {BUDGETS}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The numeric constants of each room of `src/`, as file, line and name.
fn counts() -> BTreeMap<String, Vec<String>> {
    let mut counts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in code::files().iter().filter(|f| f.path.starts_with("src/")) {
        let mut constants = Constants::default();
        if !code::is_of_tests(&file.path) {
            constants.visit_file(&file.tree);
        }
        let found =
            constants.0.into_iter().map(|(line, name)| format!("{}:{line}: {name}", file.path));
        counts.entry(file.room()).or_default().extend(found);
    }
    counts.retain(|_, found| !found.is_empty());
    counts
}

/// Lines and names of numeric constants.
#[derive(Default)]
struct Constants(Vec<(usize, String)>);

impl Constants {
    fn add(&mut self, name: &syn::Ident, ty: &syn::Type, value: &syn::Expr) {
        if is_number_type(ty) || is_number(value) {
            self.0.push((name.span().start().line, name.to_string()));
        }
    }
}

impl<'a> Visit<'a> for Constants {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !code::is_test(code::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_const(&mut self, c: &'a syn::ItemConst) {
        self.add(&c.ident, &c.ty, &c.expr);
        visit::visit_item_const(self, c);
    }

    fn visit_item_static(&mut self, s: &'a syn::ItemStatic) {
        self.add(&s.ident, &s.ty, &s.expr);
        visit::visit_item_static(self, s);
    }

    fn visit_impl_item_const(&mut self, c: &'a syn::ImplItemConst) {
        self.add(&c.ident, &c.ty, &c.expr);
        visit::visit_impl_item_const(self, c);
    }
}

/// True for numbers, and for arrays and tuples of nothing else: one constant each.
fn is_number_type(ty: &syn::Type) -> bool {
    const NUMBERS: [&str; 14] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64",
    ];
    match ty {
        syn::Type::Path(path) => {
            path.path.get_ident().is_some_and(|name| NUMBERS.iter().any(|n| name == n))
        }
        syn::Type::Array(array) => is_number_type(&array.elem),
        syn::Type::Slice(slice) => is_number_type(&slice.elem),
        syn::Type::Reference(reference) => is_number_type(&reference.elem),
        syn::Type::Tuple(tuple) => {
            !tuple.elems.is_empty() && tuple.elems.iter().all(is_number_type)
        }
        _ => false,
    }
}

fn is_number(value: &syn::Expr) -> bool {
    match value {
        syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Int(_) | syn::Lit::Float(_)),
        syn::Expr::Unary(u) => is_number(&u.expr),
        _ => false,
    }
}
