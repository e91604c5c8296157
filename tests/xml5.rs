//! The tree cases of the XML5 suite: trees as it wants them, whole and byte by byte, and the same
//! events for every cut.

mod feeding;
#[path = "feeding/suites.rs"]
mod suites;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::ExitCode;
use tagstream::tree::Html5libStyle;
use tagstream::{Balanced, Parser, TextPolicy, TreeBuilder, Xml};

fn main() -> ExitCode {
    suites::run("xml5", cases)
}

/// Every case of every file.
fn cases(folder: &Path) -> Vec<Trial> {
    let folder = folder.join("tree-construction");
    let mut trials = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of cases") {
        let path = entry.expect("an entry of the folder").path();
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        for (number, (input, tree)) in split(&text).into_iter().enumerate() {
            let title: String = input.chars().take(40).collect();
            let name = format!("{file} {number} {title:?}");
            trials.push(Trial::test(name, move || check(&input, &tree)));
        }
    }
    trials.sort_by(|one, two| one.name().cmp(two.name()));
    trials
}

/// Input and tree of each case. A line of the tree for the doctype is left out: the tree of XML-ER
/// has no node for it.
fn split(text: &str) -> Vec<(String, String)> {
    let mut cases = Vec::new();
    for case in text.trim_end().split("\n#data\n") {
        let case = case.strip_prefix("#data\n").unwrap_or(case);
        let (input, rest) = case.split_once("\n#document\n").expect("a tree");
        let mut tree = String::new();
        for line in rest.trim_end_matches('\n').lines() {
            if !line.starts_with("| <!DOCTYPE") {
                tree.push_str(line);
                tree.push('\n');
            }
        }
        // An error list, if there is one, stands between the two.
        let input = input.split("\n#errors").next().unwrap_or(input);
        cases.push((input.to_owned(), tree));
    }
    cases
}

fn check(input: &str, tree: &str) -> Result<(), Failed> {
    for size in [input.len().max(1), 1] {
        let mut builder = TreeBuilder::new(Xml::default());
        for chunk in input.as_bytes().chunks(size) {
            builder.feed_slice(chunk);
            builder.build()?;
        }
        builder.finish();
        builder.build()?;
        let found = builder.sink().to_html5lib(Html5libStyle::Xml);
        if found.trim_end() != tree.trim_end() {
            let how = format!("in chunks of {size}: {input:?}\nwanted:\n{tree}\nfound:\n{found}");
            return Err(how.into());
        }
    }
    check_cuts(
        || Parser::new(Xml::default()).errors(true),
        input.as_bytes(),
    );
    check_cuts(
        || Balanced::new(Xml::default()).errors(true),
        input.as_bytes(),
    );
    check_pieces(
        || Parser::new(Xml::default()),
        || Parser::new(Xml::default()).text(TextPolicy::Pieces),
        input.as_bytes(),
    );
    Ok(())
}
