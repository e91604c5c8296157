//! Checks of the documentation: every public type has an example that contains an assertion, examples compile in any
//! edition, and the pages do not refer to source files.

use std::fs;
use std::path::{Path, PathBuf};
use testing::cases;
use testing::run::Program;
use testing::source::root;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/documentation",
        every_public_type_has_an_example,
        examples_need_no_edition,
        pages_of_modules_do_not_speak_of_files,
        docs_rs_shows_every_feature_of_the_library,
        the_checks_see_what_is_wrong,
    );
}

/// Returns the path and the text of every file in a folder of the project.
fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a file of the project");
                files.push((path, text));
            }
        }
    }
    assert!(!files.is_empty());
    files
}

fn docs_rs_shows_every_feature_of_the_library() {
    let path = root().join("Cargo.toml");
    let manifest = fs::read_to_string(path).expect("the manifest");
    let (_, rest) = manifest
        .split_once("[package.metadata.docs.rs]\nfeatures = [")
        .expect("the features that docs.rs builds");
    let (shown, rest) = rest.split_once(']').expect("the end of the list");
    let mut shown: Vec<&str> = shown.split('"').skip(1).step_by(2).collect();
    let (_, rest) = rest.split_once("[features]\n").expect("the features");
    let (features, _) = rest.split_once("\n[").expect("the end of the features");
    // The feature `inspect` is for tests only, so users need no documentation of it.
    let named = features.lines().filter_map(|line| line.split_once(" = "));
    let named = named.map(|(name, _)| name);
    let mut named: Vec<&str> = named
        .filter(|name| !["default", "inspect"].contains(name))
        .collect();
    shown.sort_unstable();
    named.sort_unstable();
    assert_eq!(shown, named);
}

/// Returns the public types in a file that have public methods, but no example with an assertion in the documentation
/// of the type or of its methods.
fn without_example(text: &str) -> Vec<String> {
    let has_example = |docs: &str| docs.contains("/// ```") && docs.contains("assert");
    let mut wrong = Vec::new();
    for name in ["struct", "enum"]
        .iter()
        .flat_map(|kind| public(text, kind))
    {
        let (before, _) = text
            .split_once(&declaration(text, name))
            .expect("it is there");
        let docs = before.rsplit("\n\n").next().unwrap_or_default();
        let (mut methods, mut shows) = (false, has_example(docs));
        for block in inherent(text, name) {
            let mut items = block
                .split("\n\n")
                .filter(|item| !item.contains("#[doc(hidden)]"));
            methods |= items
                .any(|item| item.contains("    pub fn ") || item.contains("    pub const fn "));
            shows |= has_example(block);
        }
        if methods && !shows && !docs.contains("#[doc(hidden)]") {
            wrong.push(name.to_owned());
        }
    }
    wrong
}

/// Returns the names of the public types of a kind, `struct` or `enum`, that a file declares.
fn public<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let start = format!("pub {kind} ");
    let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
    let end = |c: char| !c.is_alphanumeric() && c != '_';
    lines.filter_map(|rest| rest.split(end).next()).collect()
}

/// Returns the beginning of the declaration of a public type.
fn declaration(text: &str, name: &str) -> String {
    let kinds = ["struct", "enum"].map(|kind| format!("pub {kind} {name}"));
    let found = kinds
        .into_iter()
        .find(|start| text.contains(start.as_str()));
    found.expect("a declaration")
}

/// Returns the inherent `impl` blocks of a type in a file.
fn inherent<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let blocks = text.split("\nimpl").skip(1);
    let of_type = blocks.filter_map(|block| block.split("\n}").next());
    let is_inherent = |block: &&str| {
        let head = block.split('{').next().unwrap_or_default();
        let mut words = head.split(|c: char| !c.is_alphanumeric() && c != '_');
        !head.contains(" for ") && words.any(|word| word == name)
    };
    of_type.filter(is_inherent).collect()
}

/// A file whose public types are for tests only.
const HIDDEN: &str = "src/engine/input/sizes.rs";

fn every_public_type_has_an_example() {
    for (path, text) in files("src") {
        if !path.ends_with(HIDDEN) {
            let wrong = without_example(&text);
            assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        }
    }
}

/// Returns true if the code contains a `let` chain, which edition 2021 does not support.
fn has_let_chain(code: &str) -> bool {
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let conditions = ["if ", "while "]
        .iter()
        .flat_map(|word| code.split(word).skip(1));
    conditions
        .filter_map(|rest| rest.split(" {").next())
        .any(|condition| condition.contains("&& let ") || is_let_and(condition))
}

fn is_let_and(condition: &str) -> bool {
    condition.starts_with("let ") && condition.contains(" && ")
}

fn examples_need_no_edition() {
    for (path, text) in files("src") {
        let lines = text.lines().map(str::trim_start);
        let lines = lines.filter_map(|line| {
            line.strip_prefix("///")
                .or_else(|| line.strip_prefix("//!"))
        });
        let shown: Vec<&str> = lines.collect();
        blocks_need_no_edition(&path, &shown.join("\n"));
    }
    let guides = root().join("docs/migration");
    for guide in fs::read_dir(guides).expect("the migration guides") {
        let path = guide.expect("a guide").path();
        let page = fs::read_to_string(&path).expect("a guide");
        blocks_need_no_edition(&path, &page);
    }
}

fn blocks_need_no_edition(path: &Path, page: &str) {
    for block in page.split("```").skip(1).step_by(2) {
        assert!(!has_let_chain(block), "{}: {block}", path.display());
    }
}

fn pages_of_modules_do_not_speak_of_files() {
    let public = [
        "serde/de",
        "dialects/html",
        "dialects/leafxml",
        "dialects/microxml",
        "select",
        "serde/ser",
        "dialects/sky",
        "tree",
        "dialects/xml",
        "xpath",
        "",
    ];
    for module in public {
        let file = if module.is_empty() {
            "lib.rs"
        } else {
            "mod.rs"
        };
        let path = root().join("src");
        let path = path.join(module).join(file);
        let text = fs::read_to_string(&path).expect("a module");
        for line in text.lines().filter(|line| line.starts_with("//!")) {
            let speaks = line.contains(".rs`") || line.contains("must not know");
            assert!(!speaks, "{}: {line}", path.display());
        }
    }
}

fn the_checks_see_what_is_wrong() {
    let example = "    /// ```\n    /// assert!(true);\n    /// ```\n    #[must_use]\n";
    let method = "    pub fn b() {\n    }\n}\n";
    let shown = format!("\n\npub struct A;\n\nimpl A {{\n{example}{method}");
    assert!(without_example(&shown).is_empty());
    let silent = format!("\n\npub struct A;\n\nimpl A {{\n{method}");
    assert_eq!(without_example(&silent), ["A"]);
    let of_type = silent.replace(
        "pub struct",
        "/// ```\n/// assert!(true);\n/// ```\npub struct",
    );
    assert!(without_example(&of_type).is_empty());
    assert!(has_let_chain("if let Some(a) = b\n    && a {"));
    assert!(has_let_chain("while a && let Some(a) = b {"));
    assert!(!has_let_chain("if let Some(a) = b { a && b }"));
}
