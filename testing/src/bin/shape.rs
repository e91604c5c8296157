//! Prints how large and how complicated the library is: lines of code and of comments in each module, structs with many
//! fields, long functions, `cfg` attributes.

use std::collections::BTreeMap;
use testing::source::{self, File, Item};

/// Fields of a struct from which on it is listed.
const MANY_FIELDS: usize = 21;

/// Lines of a function from which on it is listed.
const MANY_LINES: usize = 51;

fn main() {
    let files = source::files("src");
    // Tables are no code: those that a program wrote say so, the others are lists of names.
    let code: Vec<&File> = files
        .iter()
        .filter(|file| !source::is_generated(file))
        .collect();
    let mut modules: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for file in &code {
        let module = file.path.split('/').nth(1).unwrap_or_default();
        let sums = modules.entry(module).or_default();
        sums[0] += source::lines_of_code(file);
        sums[1] += file
            .text
            .lines()
            .filter(|line| line.trim_start().starts_with("//"))
            .count();
    }
    println!("{:<24}{:>8}{:>10}", "module", "code", "comments");
    let mut all = [0; 2];
    for (module, [code, comments]) in &modules {
        println!("{module:<24}{code:>8}{comments:>10}");
        all = [all[0] + code, all[1] + comments];
    }
    println!("{:<24}{:>8}{:>10}\n", "all", all[0], all[1]);
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
    let attributes: usize = code.iter().map(|file| attributes(&file.text)).sum();
    println!("{attributes} cfg attributes");
}

/// Prints the items of at least some size, the largest first.
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

/// The `cfg` and `cfg_attr` attributes of a text.
fn attributes(text: &str) -> usize {
    let is_one = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("#[cfg") || line.starts_with("#![cfg")
    };
    text.lines().filter(is_one).count()
}
