//! The schema of HTML. Each of its rows has a case that fails without the row, because the tree or the parse errors
//! differ.
//!
//! `TAGSTREAM_REWRITE=1 cargo test --test documents html/schema` writes the results of all cases to the file of the
//! cases. A new case needs only its name, options and input. Read the difference before you commit it.
//!
//! - `rows.rs`: the names of the rows; `schema_cases.rs`: the cases, each with the name of its row.

mod rows;
mod schema_cases;

use schema_cases::{Rules, SchemaCase};
use std::cell::Cell;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::Arc;
use tagstream::{Html, TreeBuilder};
use testing::run::Program;

thread_local! {
    /// True while a panic is expected, so that the panic hook prints nothing.
    static WITHOUT_A_ROW: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn add(program: &mut Program) {
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        if !WITHOUT_A_ROW.get() {
            usual(panic);
        }
    }));
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        schema_cases::rewrite();
    }
    let (rows, cases) = (Arc::new(rows::rows()), Arc::new(schema_cases::cases()));
    for case in cases.iter().cloned() {
        let name = case.case.test_name("html/schema");
        program.case(name, move || case.case.check(|_| check(&case)));
    }
    for (number, row) in rows.iter().enumerate() {
        let (row, cases) = (row.clone(), Arc::clone(&cases));
        program.case(format!("html/schema without {row}"), move || {
            check_row(number, &row, &cases)
        });
    }
    program.case("html/schema, the rows are those of the source", move || {
        let mut builder = TreeBuilder::new(Html::default());
        let all = (0..rows.len()).all(|row| builder.drop_row(row));
        let strange = cases.iter().find(|case| !rows.contains(&case.case.name));
        match all && !builder.drop_row(rows.len()) && strange.is_none() {
            true => Ok(()),
            false => Err(format!("{} rows; of none: {strange:?}", rows.len())),
        }
    });
}

/// Asserts that the errors and the tree are as expected, with the plans and with the rows from which the plans are
/// derived.
fn check(case: &SchemaCase) -> Result<(), String> {
    let found = case.run(Rules::Usual);
    case.compare(&found)?;
    let by_rows = case.run(Rules::WithoutPlans);
    match found == by_rows {
        true => Ok(()),
        false => Err(format!("without plans:\n{by_rows:?}\nfound:\n{found:?}")),
    }
}

/// Asserts that a case of the row fails if the schema does not contain the row.
fn check_row(number: usize, row: &str, cases: &[SchemaCase]) -> Result<(), String> {
    let mut of_row = cases.iter().filter(|case| case.case.name == row);
    let fails = |case: &SchemaCase| {
        WITHOUT_A_ROW.set(true);
        let found = catch_unwind(|| case.run(Rules::WithoutRow(number)));
        WITHOUT_A_ROW.set(false);
        found.map_or(true, |found| case.compare(&found).is_err())
    };
    match of_row.any(fails) {
        true => Ok(()),
        false => Err("no case fails".to_owned()),
    }
}
