//! The tree cases of the XML5 suite: the expected trees, for the whole input and byte by byte. The events are the same
//! for every cut.

use std::path::Path;
use tagstream::{TreeBuilder, Xml};
use testing::cuts::{check_balanced, check_parser};
use testing::pull::built;
use testing::run::{Failed, Program};
use testing::suites::{files, section_cases, stem};
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for path in files(&folder.join("tree-construction"), "dat") {
        for (number, case) in section_cases(&path).into_iter().enumerate() {
            let input = case.text("#data").unwrap_or_default().to_owned();
            // The tree of XML-ER has no node for the doctype.
            let tree = case.text("#document").expect("a tree").trim_end().lines();
            let tree = tree.filter(|line| !line.starts_with("| <!DOCTYPE"));
            let tree = tree.collect::<Vec<_>>().join("\n");
            let title: String = input.chars().take(40).collect();
            let name = format!("xml/XML5 {} {number} {title:?}", stem(&path));
            program.case(name, move || check(&input, &tree));
        }
    }
}

fn check(input: &str, tree: &str) -> Result<(), Failed> {
    for size in [input.len().max(1), 1] {
        let builder = TreeBuilder::new(Xml::default());
        let found = built(builder, input.as_bytes().chunks(size))?.to_html5lib_xml();
        if found.trim_end() != tree.trim_end() {
            let how = format!("in chunks of {size}: {input:?}\nwanted:\n{tree}\nfound:\n{found}");
            return Err(how.into());
        }
    }
    check_parser(&Xml::default(), input.as_bytes());
    check_balanced(&Xml::default(), input.as_bytes());
    Ok(())
}
