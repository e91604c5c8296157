//! Finds the conformance suites and the specifications, and reads the files of the suites. The environment variables
//! `TAGSTREAM_SUITES` and `TAGSTREAM_SPECS` set their folders; the defaults are `../shared/suites` and
//! `../shared/specs` beside the project.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder or file of a suite, if it is there.
///
/// # Panics
///
/// Panics if it is missing where `CI` is `true`: there nothing is left out.
#[must_use]
pub fn suite(name: &str) -> Option<PathBuf> {
    find("TAGSTREAM_SUITES", "../shared/suites", name)
}

/// One of the documents that the dialects follow, if it is there.
///
/// # Panics
///
/// As [`suite`].
#[must_use]
pub fn document(name: &str) -> Option<String> {
    let path = find("TAGSTREAM_SPECS", "../shared/specs", name)?;
    Some(std::fs::read_to_string(path).expect("a document in UTF-8"))
}

fn find(variable: &str, beside: &str, name: &str) -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = std::env::var_os(variable).map_or_else(|| project.join(beside), PathBuf::from);
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!is_ci, "{} is missing: set {variable}", path.display());
    None
}

/// The files of a folder that end so, in order.
///
/// # Panics
///
/// Panics if there is no such folder.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of cases");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    paths
}

/// The name of a file without its extension.
#[must_use]
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// The cases of a file of JSON.
///
/// # Panics
///
/// Panics if the file is not one.
#[must_use]
pub fn json_cases(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a file of cases");
    let mut json: Value = serde_json::from_str(&text).expect("a file of JSON");
    match json["tests"].take() {
        Value::Array(tests) => tests,
        _ => panic!("no tests in {}", path.display()),
    }
}

/// One case of a file of sections: each with its heading and the lines below it.
pub struct Sections(Vec<(String, Vec<u8>)>);

impl Sections {
    /// The headings of all such files.
    const HEADINGS: [&str; 8] = [
        "#data",
        "#errors",
        "#new-errors",
        "#script-on",
        "#script-off",
        "#document-fragment",
        "#document",
        "#encoding",
    ];

    /// Returns the lines below a heading, if there is one.
    #[must_use]
    pub fn get(&self, heading: &str) -> Option<&[u8]> {
        let section = self.0.iter().find(|(name, _)| name == heading);
        section.map(|(_, body)| &body[..])
    }

    /// The same as text, without the end of its last line.
    ///
    /// # Panics
    ///
    /// Panics if it is not UTF-8.
    #[must_use]
    pub fn text(&self, heading: &str) -> Option<&str> {
        let text = std::str::from_utf8(self.get(heading)?).expect("text in UTF-8");
        Some(text.strip_suffix('\n').unwrap_or(text))
    }
}

/// The cases of a file of sections; `#data` begins each.
///
/// # Panics
///
/// Panics if the file can't be read.
#[must_use]
pub fn section_cases(path: &Path) -> Vec<Sections> {
    let bytes = std::fs::read(path).expect("a file of cases");
    let mut cases: Vec<Sections> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let heading = String::from_utf8_lossy(line.trim_ascii_end());
        if heading == "#data" {
            cases.push(Sections(Vec::new()));
        }
        let Some(Sections(sections)) = cases.last_mut() else {
            continue;
        };
        if Sections::HEADINGS.contains(&&*heading) {
            sections.push((heading.into_owned(), Vec::new()));
        } else if let Some((_, body)) = sections.last_mut() {
            body.extend_from_slice(line);
        }
    }
    cases
}

/// One case of the tree-construction suite.
#[derive(Clone, Debug)]
pub struct TreeCase {
    /// File, number and the first characters of the input.
    pub name: String,
    /// The input.
    pub input: String,
    /// The element that a fragment is parsed in: `div`, `svg path`, `math mi`.
    pub context: Option<String>,
    /// Both settings, where the case names none.
    pub scripting: Vec<bool>,
    /// The errors with their places, where the case tells them, as `(1:16) code` each.
    pub new_errors: Option<Vec<String>>,
    /// Lines that end in a newline.
    pub tree: String,
}

/// Every case of the tree-construction suite that needs no script engine.
///
/// # Panics
///
/// Panics if a file of the suite can't be read.
#[must_use]
pub fn tree_cases(folder: &Path) -> Vec<TreeCase> {
    let mut cases = Vec::new();
    for path in files(folder, "dat") {
        let file = stem(&path);
        if file.starts_with("scripted_") {
            continue;
        }
        for (number, case) in section_cases(&path).iter().enumerate() {
            cases.push(tree_case(&format!("{file} {number:03}"), case));
        }
    }
    assert!(cases.len() > 1500, "the suite has more cases");
    cases
}

fn tree_case(name: &str, case: &Sections) -> TreeCase {
    let text = |heading| case.text(heading).map(str::to_owned);
    let input = text("#data").unwrap_or_default();
    let context = text("#document-fragment");
    let scripting = match (case.get("#script-on"), case.get("#script-off")) {
        (Some(_), _) => vec![true],
        (_, Some(_)) => vec![false],
        _ => vec![false, true],
    };
    let errors = text("#new-errors");
    let mut tree = text("#document").expect("a tree");
    tree.truncate(tree.trim_end_matches('\n').len());
    if !tree.is_empty() {
        tree.push('\n');
    }
    let place = context.as_ref().map(|context| format!(" in {context}"));
    let title: String = input.chars().take(40).collect();
    TreeCase {
        name: format!("{name}{}: {title:?}", place.unwrap_or_default()),
        input,
        context,
        scripting,
        new_errors: errors.map(|errors| errors.lines().map(str::to_owned).collect()),
        tree,
    }
}

/// One document of the suite of the W3C.
pub struct XmlCase {
    entry: Value,
    folder: PathBuf,
    /// The path of the document.
    pub path: PathBuf,
    /// The document.
    pub input: Vec<u8>,
}

impl XmlCase {
    /// Returns a value from the manifest. Empty if the manifest has no such value.
    #[must_use]
    pub fn field(&self, name: &str) -> &str {
        self.entry[name].as_str().unwrap_or_default()
    }

    /// The canonical form, where the suite has one.
    ///
    /// # Panics
    ///
    /// Panics if it can't be read.
    #[must_use]
    pub fn output(&self) -> Option<String> {
        let path = Some(self.field("output")).filter(|path| !path.is_empty())?;
        Some(std::fs::read_to_string(self.folder.join(path)).expect("an output"))
    }
}

/// Every document that the manifest names.
///
/// # Panics
///
/// Panics if the suite can't be read.
#[must_use]
pub fn xml_cases(folder: &Path) -> Vec<XmlCase> {
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).expect("a manifest");
    let case = |line: &str| {
        let entry: Value = serde_json::from_str(line).expect("an entry of the manifest");
        let path = folder.join(entry["uri"].as_str().expect("a place"));
        let input = std::fs::read(&path).expect("a document");
        let folder = folder.to_owned();
        XmlCase {
            entry,
            folder,
            path,
            input,
        }
    };
    manifest.lines().map(case).collect()
}
