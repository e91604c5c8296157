//! Prints how large and how complicated the library is: lines of code, tables, tests and comments in each module,
//! structs with many fields, long functions, and `cfg` attributes. A table is a file that contains only data
//! (`source::is_table`).

use std::collections::BTreeMap;
use std::fmt::Display;
use testing::source::{self, File, Item};

/// Structs with at least this number of fields are listed.
const MANY_FIELDS: usize = 21;

/// Functions with at least this number of lines are listed.
const MANY_LINES: usize = 51;

fn main() {
    let files = source::files("src");
    let test_files = source::test_files(&files);
    let mut code = Vec::new();
    let mut modules: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for file in &files {
        let module = file.path.split('/').nth(1).unwrap_or_default();
        let sums = modules.entry(module).or_default();
        let lines = source::lines(file);
        let own = lines.code + lines.tests;
        let counts = if test_files.contains(&file.path) {
            [0, 0, own, lines.comments]
        } else if source::is_table(file) {
            [0, lines.code, lines.tests, lines.comments]
        } else {
            code.push(file);
            [lines.code, 0, lines.tests, lines.comments]
        };
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    print("module", ["code", "tables", "tests", "comments"]);
    let mut all = [0; 4];
    for (module, counts) in &modules {
        print(module, *counts);
        for (sum, count) in all.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    print("all", all);
    println!();
    list(
        "structs of more than 20 fields",
        &code,
        source::structs,
        MANY_FIELDS,
    );
    list(
        "functions of more than 50 lines",
        &code,
        source::functions,
        MANY_LINES,
    );
    let attributes: usize = files.iter().map(|file| attributes(&file.text)).sum();
    println!("{attributes} cfg attributes");
}

/// Prints a row: a name and four columns.
fn print(name: &str, columns: [impl Display; 4]) {
    let columns = columns.map(|column| format!("{column:>10}"));
    println!("{name:<24}{}", columns.concat());
}

/// Prints the items of at least the size `least`, the largest first.
fn list(title: &str, files: &[&File], items: fn(&File) -> Vec<Item>, least: usize) {
    let mut found: Vec<Item> = files.iter().flat_map(|file| items(file)).collect();
    found.retain(|item| item.size >= least);
    found.sort_by(|one, other| other.size.cmp(&one.size).then(one.place.cmp(&other.place)));
    println!("{title}: {}", found.len());
    for item in found {
        println!("{:>6}  {} ({})", item.size, item.name, item.place);
    }
    println!();
}

/// Counts the `cfg` and `cfg_attr` attributes in a text.
fn attributes(text: &str) -> usize {
    let is_one = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("#[cfg") || line.starts_with("#![cfg")
    };
    text.lines().filter(is_one).count()
}
