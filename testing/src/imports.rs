//! Reads which files of a crate import which other files, and finds the circles among them.
//!
//! An import is a path of modules, in a `use` declaration or elsewhere, and counts as an import of the file of its last
//! module: an item that a `mod.rs` exports again is imported from the `mod.rs`. A declaration `mod name;` is no import,
//! and if `name` is not a file of the crate, paths into it are not either.
//! Comments, strings and items with the attribute `#[cfg(test)]` are left out.

use crate::source::{self, File};
use std::collections::{BTreeMap, BTreeSet};

/// The paths of files, each with the paths of the files that it imports.
pub type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns the imports of each file of a crate. `folder` is the path of its sources, such as `src`.
///
/// # Panics
///
/// Panics if the folder cannot be read.
#[must_use]
pub fn imports(folder: &str) -> Imports {
    imports_of(&source::files(folder), folder)
}

fn imports_of(files: &[File], folder: &str) -> Imports {
    let tests = source::test_files(files);
    let is_test = |path: &str| {
        let is_in = |test: &String| {
            let folder = test.trim_end_matches(".rs");
            path == test
                || path
                    .strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        tests.iter().any(is_in)
    };
    let files: Vec<&File> = files.iter().filter(|file| !is_test(&file.path)).collect();
    let files: Vec<_> = files
        .iter()
        .map(|file| {
            let module = module_of(&file.path, folder);
            (&file.path, module, without_tests(&tokens(&file.text)))
        })
        .collect();
    let mut modules = BTreeMap::new();
    for (_, module, tokens) in &files {
        for declared in tokens
            .windows(3)
            .filter(|three| three[0] == "mod" && three[2] == ";")
        {
            modules.insert([module.as_slice(), &declared[1..2]].concat(), None);
        }
    }
    for (path, module, _) in &files {
        modules.insert(module.clone(), Some(path.as_str()));
    }
    let imports = files.iter().map(|(path, module, tokens)| {
        let mut reader = Reader {
            tokens,
            modules: &modules,
            found: BTreeSet::new(),
        };
        reader.read(module.clone());
        reader.found.remove(path.as_str());
        (path.to_string(), reader.found)
    });
    imports.collect()
}

/// Returns the names of the modules that lead to a file from the root of its crate.
fn module_of(path: &str, folder: &str) -> Vec<String> {
    let path = path.trim_start_matches(folder).trim_end_matches(".rs");
    let mut names: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
    let is_root = names.len() == 1 && matches!(names[0].as_str(), "lib" | "main");
    if is_root || names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

/// Splits code into names and punctuation, without comments, strings, characters and lifetimes. `::` is one token.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' {
            1 + string(&rest[1..], '"')
        } else if first == '\'' {
            // A lifetime has no closing quotation mark after its first character.
            let mut next = rest.chars().skip(1);
            match (next.next(), next.next()) {
                (Some('\\'), _) | (Some(_), Some('\'')) => 1 + string(&rest[1..], '\''),
                _ => 1,
            }
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            found.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            found.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                found.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// Returns the length of the raw string with which the text begins, if it begins with one.
fn raw_string(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    let begin = inner[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = begin.find(&end).map_or(begin.len(), |at| at + end.len());
    Some(text.len() - begin.len() + length)
}

/// Returns the length of the rest of a string or character, with its closing quotation mark.
fn string(text: &str, end: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        if character == end && !is_escaped {
            return at + 1;
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    text.len()
}

/// Removes the items with the attribute `#[cfg(test)]`. Such an item ends with its first `;` or with its braces.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().take(TEST.len()).eq(TEST) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += TEST.len();
        let mut depth = 0;
        while at < tokens.len() {
            let token = tokens[at].as_str();
            at += 1;
            match token {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 && matches!(token, "}" | ";" | ",") {
                break;
            }
        }
    }
    kept
}

/// Reads the tokens of a file and collects the files that they import.
struct Reader<'a> {
    tokens: &'a [String],
    /// The file of each module. `None` if the module is not a file of the crate.
    modules: &'a BTreeMap<Vec<String>, Option<&'a str>>,
    found: BTreeSet<String>,
}

impl Reader<'_> {
    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", String::as_str)
    }

    /// Reads the code of a module, and of the modules in braces inside it.
    fn read(&mut self, mut module: Vec<String>) {
        let mut depth = 0;
        // The depths at which the modules in braces end.
        let mut ends = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            match self.token(at) {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if ends.last() == Some(&depth) {
                        ends.pop();
                        module.pop();
                    }
                }
                "mod" if self.token(at + 2) == "{" => {
                    module.push(self.token(at + 1).to_owned());
                    ends.push(depth);
                }
                // The path in a visibility, `pub(in path)`, is no import.
                "in" if self.token(at.wrapping_sub(1)) == "(" => at += 1,
                "use" => at = self.path(at + 1, &module, None),
                _ if self.token(at + 1) == "::" && self.token(at.wrapping_sub(1)) != "::" => {
                    at = self.path(at, &module, None);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads a path, or the paths in braces, and returns the index of the last token. `prefix` is the module that the
    /// names before the braces lead to.
    fn path(&mut self, mut at: usize, module: &[String], prefix: Option<&[String]>) -> usize {
        let mut target = prefix.map(<[String]>::to_vec);
        loop {
            match self.token(at) {
                "{" => {
                    at += 1;
                    while !matches!(self.token(at), "}" | "") {
                        let end = self.path(at, module, target.as_deref());
                        at = end + 1;
                        while !matches!(self.token(at), "," | "}" | "") {
                            at += 1;
                        }
                        at += usize::from(self.token(at) == ",");
                    }
                    return at;
                }
                "crate" => target = Some(Vec::new()),
                "self" => target = target.or_else(|| Some(module.to_vec())),
                "super" => {
                    let mut parent = target.unwrap_or_else(|| module.to_vec());
                    parent.pop();
                    target = Some(parent);
                }
                name => {
                    let is_first = target.is_none();
                    let mut inner = target.clone().unwrap_or_else(|| module.to_vec());
                    inner.push(name.to_owned());
                    if self.modules.contains_key(&inner) {
                        target = Some(inner);
                    } else if is_first {
                        return at;
                    } else {
                        break;
                    }
                }
            }
            if self.token(at + 1) != "::" {
                break;
            }
            at += 2;
        }
        let mut target = target.unwrap_or_default();
        // A module in braces belongs to the file around it.
        while !self.modules.contains_key(&target) && !target.is_empty() {
            target.pop();
        }
        if let Some(Some(file)) = self.modules.get(&target) {
            self.found.insert((*file).to_owned());
        }
        at
    }
}

/// Returns the circles: sets of at least two files in which each file imports each other file, directly or through
/// others. The largest is first.
#[must_use]
pub fn circles(imports: &Imports) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|file| (file.as_str(), reached(imports, file)))
        .collect();
    let mut found = Vec::new();
    for (file, others) in &reached {
        let circle = others.iter().filter(|other| reached[*other].contains(file));
        let circle: BTreeSet<&str> = circle.copied().collect();
        if circle.len() > 1 && circle.first() == Some(file) {
            found.push(circle);
        }
    }
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

/// Returns the files that a file imports, directly or through others.
fn reached<'a>(imports: &'a Imports, file: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        for next in &imports[file] {
            if found.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{circles, imports_of};
    use crate::source::File;

    /// Returns the files that the first of some files imports. Each file is a name and a text.
    fn first(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(name, text)| File {
            path: format!("src/{name}.rs"),
            text: (*text).to_owned(),
        });
        let files: Vec<File> = files.collect();
        imports_of(&files, "src")[&files[0].path]
            .iter()
            .cloned()
            .collect()
    }

    #[test]
    fn paths_are_resolved() {
        let check = |text: &str, expected: &[&str]| {
            let rest = ["lib", "a/mod", "a/d", "b", "b/e"].map(|name| (name, ""));
            let files = [[("a/c", text)].as_slice(), &rest].concat();
            assert_eq!(first(&files), expected, "{text}");
        };
        check("use crate::b::e::X;", &["src/b/e.rs"]);
        check(
            "use crate::{a::{self, d}, b::{X, Y}};",
            &["src/a/d.rs", "src/a/mod.rs", "src/b.rs"],
        );
        check("use crate::{a::d::{X, Y}, b};", &["src/a/d.rs", "src/b.rs"]);
        check(
            "use super::{X as Y, d::Z as W};",
            &["src/a/d.rs", "src/a/mod.rs"],
        );
        check("use super::super::b::*;", &["src/b.rs"]);
        check(
            "fn f(x: crate::b::X) -> super::Y {}",
            &["src/a/mod.rs", "src/b.rs"],
        );
        check("mod m { use super::super::d::X; }", &["src/a/d.rs"]);
        check("mod elsewhere; use elsewhere::X;", &[]);
        check("mod b; // crate::b::X\nconst C: &str = \"super::d\";", &[]);
        check(
            "#[cfg(test)]\nmod tests { use crate::b::X; }\nuse crate::X;",
            &["src/lib.rs"],
        );
        check("pub(in crate::a) fn f<'a>() { x::super_() }", &[]);
    }

    #[test]
    fn a_child_is_imported_where_it_is_used() {
        let files = [("a", "mod c;\npub use c::X;"), ("a/c", "")];
        assert_eq!(first(&files), ["src/a/c.rs"]);
    }

    #[test]
    fn circles_are_found() {
        let files = ["crate::b", "crate::c", "crate::a", "crate::a"];
        let files = files
            .into_iter()
            .zip(["a", "b", "c", "d"])
            .map(|(path, name)| File {
                path: format!("src/{name}.rs"),
                text: format!("use {path}::X;"),
            });
        let files: Vec<File> = files.collect();
        let imports = imports_of(&files, "src");
        let circles: Vec<Vec<&str>> = circles(&imports)
            .into_iter()
            .map(|circle| circle.into_iter().collect())
            .collect();
        assert_eq!(circles, [["src/a.rs", "src/b.rs", "src/c.rs"]]);
    }
}
