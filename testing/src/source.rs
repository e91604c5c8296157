//! Reads the project's own source: comment blocks with the item below them, lines of code, functions and structs. The
//! source is formatted by rustfmt, so that lines can be read without a parser of Rust.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the source.
#[derive(Clone, Debug)]
pub struct File {
    /// Path from the root of the project, with slashes.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// A block of adjacent comment lines.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Path of the file.
    pub path: String,
    /// Number of the first line, from 1.
    pub line: usize,
    /// The comment lines, without indentation.
    pub text: String,
    /// The lines below the block up to the end of the signature or statement, without the body.
    pub signature: String,
}

/// A function or struct, and the number of lines or fields that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Path of the file, and the number of the line.
    pub place: String,
    /// The name.
    pub name: String,
    /// Lines of a function, from its signature to its closing brace; fields of a struct.
    pub size: usize,
}

/// Returns the folder of the project.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The Rust files below a folder of the project, in the order of their paths.
///
/// # Panics
///
/// Panics if the folder cannot be read.
#[must_use]
pub fn files(folder: &str) -> Vec<File> {
    let root = root();
    let mut folders: Vec<PathBuf> = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                // Generated build files are not source files of the project.
                if !path.ends_with("target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a file of the project");
                let path = path.strip_prefix(root).expect("a path below the root");
                let path = path.to_string_lossy().replace('\\', "/");
                found.push(File { path, text });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// Whether a file is a table that a program has written.
#[must_use]
pub fn is_generated(file: &File) -> bool {
    file.text.contains("@generated")
}

/// Whether a file contains only data: the first line of its documentation says so, or a program has written it.
#[must_use]
pub fn is_table(file: &File) -> bool {
    is_generated(file) || file.text.starts_with("//! Table: ")
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// Returns the comment blocks of a file. The lines of code examples in documentation belong to their block.
#[must_use]
pub fn comments(file: &File) -> Vec<Comment> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !is_comment(lines[at]) {
            at += 1;
            continue;
        }
        let begin = at;
        while at < lines.len() && is_comment(lines[at]) {
            at += 1;
        }
        let text: Vec<&str> = lines[begin..at].iter().map(|line| line.trim()).collect();
        found.push(Comment {
            path: file.path.clone(),
            line: begin + 1,
            text: text.join("\n"),
            signature: signature(&lines[at..]),
        });
    }
    found
}

/// Returns the lines of an item up to the end of its signature, at most eight.
fn signature(lines: &[&str]) -> String {
    let mut out = Vec::new();
    for line in lines.iter().take(8) {
        out.push(*line);
        let code = line.trim_end();
        if code.is_empty() || code.ends_with(['{', ';', '}', ',']) {
            break;
        }
    }
    out.join("\n").trim_end().to_owned()
}

/// Numbers of lines of a file, by kind. Blank lines are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Code outside tests.
    pub code: usize,
    /// Code of tests: items with the attribute `#[cfg(test)]`.
    pub tests: usize,
    /// Comments, including those in tests.
    pub comments: usize,
}

/// Counts the lines of a file. A file that is a module of tests has only lines of tests: see [`test_files`].
#[must_use]
pub fn lines(file: &File) -> Lines {
    let mut counts = Lines::default();
    // The indentation of the test item that the line is in, and whether its first line was seen.
    let mut test: Option<(usize, bool)> = None;
    for line in file.text.lines().filter(|line| !line.trim().is_empty()) {
        if is_comment(line) {
            counts.comments += 1;
            continue;
        }
        if test.is_none() && line.trim() == "#[cfg(test)]" {
            test = Some((indent_of(line), false));
        } else if let Some((indent, has_begun)) = test {
            let is_whole = !has_begun && line.ends_with([';', ',', '}']);
            let is_end = has_begun && indent_of(line) == indent && line.trim().starts_with('}');
            let is_attribute = line.trim_start().starts_with("#[");
            counts.tests += 1;
            test = (!is_whole && !is_end).then_some((indent, has_begun || !is_attribute));
            continue;
        }
        match test {
            Some(_) => counts.tests += 1,
            None => counts.code += 1,
        }
    }
    counts
}

/// Returns the paths of the files that are compiled for tests only, which other files declare with `#[cfg(test)]`.
#[must_use]
pub fn test_files(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let folder = match file.path.strip_suffix("/mod.rs") {
            Some(folder) => folder.to_owned(),
            None => file.path.trim_end_matches(".rs").to_owned(),
        };
        let declared = file.text.split("#[cfg(test)]\n").skip(1);
        let declared = declared.filter_map(|rest| {
            let (line, _) = rest.split_once('\n')?;
            line.trim().strip_prefix("mod ")?.strip_suffix(';')
        });
        found.extend(declared.map(|name| format!("{folder}/{name}.rs")));
    }
    found
}

/// The functions of a file.
#[must_use]
pub fn functions(file: &File) -> Vec<Item> {
    items(file, "fn ", |body| body.len())
}

/// The structs of a file that have named fields.
#[must_use]
pub fn structs(file: &File) -> Vec<Item> {
    items(file, "struct ", |body| {
        let indent = indent_of(body[0]) + 4;
        let is_field = |line: &&&str| {
            let code = line.trim_start();
            indent_of(line) == indent
                && !code.starts_with(['/', '#', '}', ')'])
                && code.contains(": ")
        };
        body.iter().skip(1).filter(is_field).count()
    })
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the items that begin with a keyword and have a body in braces.
fn items(file: &File, keyword: &str, size: impl Fn(&[&str]) -> usize) -> Vec<Item> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = declared(line, keyword) else {
            continue;
        };
        let indent = indent_of(line);
        let body = &lines[at..];
        let is_end = |line: &&str| indent_of(line) == indent && line.trim_start().starts_with('}');
        let Some(end) = body.iter().skip(1).position(is_end) else {
            continue;
        };
        // An item without a body ends before the brace that was found.
        let head = body[..=end]
            .iter()
            .take_while(|line| !line.trim_end().ends_with('{'));
        if head.clone().any(|line| line.trim_end().ends_with(';')) || line.trim_end().ends_with('}')
        {
            continue;
        }
        found.push(Item {
            place: format!("{}:{}", file.path, at + 1),
            name,
            size: size(&body[..end + 2]),
        });
    }
    found
}

/// Returns the name that a line declares with a keyword, after words such as `pub` and `const`.
fn declared(line: &str, keyword: &str) -> Option<String> {
    let code = line.trim_start();
    let at = code.find(keyword)?;
    let is_qualifier = |word: &str| {
        matches!(word, "pub" | "const" | "async" | "unsafe" | "extern")
            || word.starts_with("pub(")
            || word.ends_with(')')
    };
    if !code[..at].split_whitespace().all(is_qualifier) {
        return None;
    }
    let name = &code[at + keyword.len()..];
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(name[..end.unwrap_or(name.len())].to_owned())
}

/// The words that mark the project's former language, as CONTRIBUTING.md lists them.
const MARKERS: [&str; 6] = [
    "stands",
    "behind",
    "must not know",
    "in hand",
    "So many",
    "So much",
];

/// Words with which a doc comment must not begin.
const BEGINNINGS: [&str; 5] = ["What", "Who", "Whose", "Where", "So"];

/// Returns the marker words of a comment block: each occurrence, and the first word of a doc comment.
#[must_use]
pub fn markers(comment: &Comment) -> Vec<&'static str> {
    let mut found = Vec::new();
    for line in comment.text.lines() {
        let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
        for marker in &MARKERS {
            found.extend(line.match_indices(marker).filter_map(|(at, _)| {
                let before = line[..at].chars().next_back();
                let after = line[at + marker.len()..].chars().next();
                (!is_word(before) && !is_word(after)).then_some(*marker)
            }));
        }
    }
    let mut is_first = true;
    for line in comment.text.lines() {
        let Some(text) = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"))
        else {
            continue;
        };
        let word = text.trim_start().split(|c: char| !c.is_alphabetic()).next();
        if is_first && let Some(word) = BEGINNINGS.iter().find(|one| Some(**one) == word) {
            found.push(word);
        }
        is_first = false;
    }
    found
}

/// Returns the names in the code of a file that contain a marker word, such as `in_hand` and `StandsFor`. Comments and
/// strings are no code.
#[must_use]
pub fn marker_names(file: &File) -> Vec<String> {
    let words = |text: &str| -> String {
        let mut words = String::from("_");
        let mut was_lower = false;
        for character in text.chars() {
            if character.is_uppercase() && was_lower {
                words.push('_');
            }
            was_lower = character.is_lowercase();
            words.extend(character.to_lowercase());
        }
        words + "_"
    };
    let markers = MARKERS.map(|marker| words(&marker.replace(' ', "_")));
    let is_marked = |name: &&str| markers.iter().any(|marker| words(name).contains(marker));
    let mut found = Vec::new();
    for line in file.text.lines() {
        let code = line.split("//").next().unwrap_or(line);
        for code in code.split('"').step_by(2) {
            let names = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            found.extend(names.filter(is_marked).map(str::to_owned));
        }
    }
    found
}
