//! The schema of HTML is the rule: for each of its rows there is a case which fails without it, by its
//! tree or by its parse errors.
//!
//! `TAGSTREAM_REWRITE=1 cargo test --test documents html/schema` writes what the cases give anew (a new case needs
//! its first lines only); the difference is to be read before it is committed.
//!
//! - `rows.rs`: the names of the rows; `cases.rs`: the cases, by the names of their rows.

mod cases;
mod rows;

use cases::{Case, Rules};
use std::cell::Cell;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::Arc;
use tagstream::{Html, TreeBuilder};
use testing::run::Program;

thread_local! {
    /// Whether a panic is what is waited for, of which nothing is to be told.
    static WITHOUT_A_ROW: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn add(program: &mut Program) {
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        if !WITHOUT_A_ROW.get() {
            usual(panic);
        }
    }));
    let (rows, cases) = (Arc::new(rows::rows()), Arc::new(cases::cases()));
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        cases::rewrite(&cases);
    }
    for case in cases.iter().cloned() {
        let name = format!("html/schema {} {:?}", case.row, case.input);
        program.case(name, move || check(&case));
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
        let strange = cases.iter().find(|case| !rows.contains(&case.row));
        match all && !builder.drop_row(rows.len()) && strange.is_none() {
            true => Ok(()),
            false => Err(format!("{} rows; of none: {strange:?}", rows.len())),
        }
    });
}

/// A case gives what it should, and the same by the rows of the schema alone as by the plans derived from them.
fn check(case: &Case) -> Result<(), String> {
    let found = case.run(Rules::Usual);
    if found.0 != case.wanted {
        return Err(format!("wanted:\n{}\nfound:\n{}", case.wanted, found.0));
    }
    let by_rows = case.run(Rules::WithoutPlans);
    match found == by_rows {
        true => Ok(()),
        false => Err(format!("without plans:\n{by_rows:?}\nfound:\n{found:?}")),
    }
}

/// Without a row, a case of it fails.
fn check_row(number: usize, row: &str, cases: &[Case]) -> Result<(), String> {
    let mut of_row = cases.iter().filter(|case| case.row == row);
    let fails = |case: &Case| {
        WITHOUT_A_ROW.set(true);
        let found = catch_unwind(|| case.run(Rules::WithoutRow(number)));
        WITHOUT_A_ROW.set(false);
        found.map_or(true, |(found, _)| found != case.wanted)
    };
    match of_row.any(fails) {
        true => Ok(()),
        false => Err("no case fails".to_owned()),
    }
}
