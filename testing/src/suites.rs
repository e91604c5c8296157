//! Finds the conformance suites and the specifications, and reads the files of the suites. The environment variables
//! `TAGSTREAM_SUITES` and `TAGSTREAM_SPECS` set their folders; the defaults are `../shared/suites` and
//! `../shared/specs` beside the project.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// Returns the folder or file of a suite, if it is installed.
///
/// # Panics
///
/// Panics if the suite is missing and the variable `CI` is `true`, because CI runs all suites.
#[must_use]
pub fn suite(name: &str) -> Option<PathBuf> {
    find("TAGSTREAM_SUITES", "../shared/suites", name)
}

/// Returns the text of one of the specifications of the dialects, if it is installed.
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

/// Returns the files of a folder with this extension, sorted.
///
/// # Panics
///
/// Panics if the folder does not exist.
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

/// Returns the name of a file without its extension.
#[must_use]
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Returns the cases of a JSON file.
///
/// # Panics
///
/// Panics if the file is not a JSON file of cases.
#[must_use]
pub fn json_cases(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a file of cases");
    let mut json: Value = serde_json::from_str(&text).expect("a file of JSON");
    match json["tests"].take() {
        Value::Array(tests) => tests,
        _ => panic!("no tests in {}", path.display()),
    }
}

/// One case of a file that consists of sections: the headings, and the lines below each.
pub struct Sections(Vec<(String, Vec<u8>)>);

impl Sections {
    /// The headings that the suites use.
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

    /// Returns the lines below a heading as text, without the last newline.
    ///
    /// # Panics
    ///
    /// Panics if the lines are not UTF-8.
    #[must_use]
    pub fn text(&self, heading: &str) -> Option<&str> {
        let text = std::str::from_utf8(self.get(heading)?).expect("text in UTF-8");
        Some(text.strip_suffix('\n').unwrap_or(text))
    }
}

/// Returns the cases of a file that consists of sections. Each case begins with `#data`.
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
    /// File name, number and the first characters of the input.
    pub name: String,
    /// The input.
    pub input: String,
    /// The context element of a fragment: `div`, `svg path`, `math mi`.
    pub context: Option<String>,
    /// The values of the scripting flag with which the case is run: both, unless the case names one.
    pub scripting: Vec<bool>,
    /// The errors with their positions, as `(1:16) code`, if the case lists them.
    pub new_errors: Option<Vec<String>>,
    /// The tree. Each line ends in a newline.
    pub tree: String,
}

/// Returns the cases of the tree-construction suite that need no script engine.
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

/// One document of the XML conformance suite of the W3C.
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

    /// Returns the canonical form of the document, if the suite has one.
    ///
    /// # Panics
    ///
    /// Panics if the canonical form can't be read.
    #[must_use]
    pub fn output(&self) -> Option<String> {
        let path = Some(self.field("output")).filter(|path| !path.is_empty())?;
        Some(std::fs::read_to_string(self.folder.join(path)).expect("an output"))
    }
}

/// Returns the documents that the manifest lists.
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
