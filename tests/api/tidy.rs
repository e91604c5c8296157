//! The order of the rooms, and what every file of the library must be: read from the source.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use testing::cases;
use testing::run::Program;
use testing::source;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/tidy",
        rooms_use_only_rooms_below,
        no_room_climbs_out_by_super,
        unsafe_stands_in_scan_only,
        the_library_opens_nothing_and_has_no_threads,
        every_file_says_what_it_is_for,
        files_are_short,
        comments_have_few_words_of_the_former_language,
        no_lint_is_silenced_and_no_test_is_ignored,
        every_test_is_run,
        the_tree_construction_of_html_is_short,
        only_the_schema_names_elements,
        the_check_of_names_sees_what_is_wrong,
        the_check_of_rooms_sees_what_is_wrong,
    );
}

/// The rooms, top to bottom: each uses only rooms below its own line. Dialects stand on one line:
/// none uses another.
const ROOMS: &[&[&str]] = &[
    &["lib", "coming_from"],
    &["bin"],
    &["select"],
    &["de", "ser", "stored"],
    &["io"],
    &["sanitize"],
    &["rewrite"],
    &["build"],
    &["pull", "element"],
    &["balance"],
    &["parser"],
    &["html", "xml", "microxml", "sky", "leafxml"],
    &["lexer"],
    &["dialect"],
    &["attributes", "stack"],
    &["tree"],
    &["write"],
    &["text"],
    &["event"],
    &["error"],
    &["entity"],
    &["limits"],
    &["namespaces"],
    &["links"],
    &["seeds"],
    &["input"],
    &["scan"],
    &["saved"],
    &["work"],
];

/// All that is written in Rust: the library, its tests, and what stands beside them.
const ALL: [&str; 6] = ["src", "tests", "testing", "fuzz", "benches", "examples"];

/// A file has no more lines than this, unless it says that a generator made it.
const LINES: usize = 700;

struct File {
    path: String,
    room: String,
    text: String,
}

/// Every file below a folder of the project.
fn files(folder: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the project") {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() {
                // What is built there is no source of ours.
                if !path.ends_with("target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a file of the project");
                let path = path.strip_prefix(root).expect("a file of the project");
                let room = path.components().nth(1).expect("a room").as_os_str();
                let room = room.to_string_lossy().trim_end_matches(".rs").to_owned();
                let path = path.to_string_lossy().into_owned();
                files.push(File { path, room, text });
            }
        }
    }
    assert!(!files.is_empty());
    files
}

/// The line that a room stands on.
fn floor(room: &str) -> Option<usize> {
    ROOMS.iter().position(|rooms| rooms.contains(&room))
}

/// What code there is, without comments and without the tests at the end of a file.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines = text.lines().map(|line| match line.find("//") {
        Some(at) => &line[..at],
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The rooms that code names: the word after each `crate::`, or each in braces there.
fn rooms_used(code: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => rooms.extend(heads(list)),
            None => rooms.push(word(rest)),
        }
    }
    rooms
}

/// The first word of each path in a list between braces.
fn heads(list: &str) -> Vec<String> {
    let (mut depth, mut heads, mut start) = (0, Vec::new(), 0);
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(word(list[start..at].trim()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(word(list[start..at].trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    heads
}

fn word(text: &str) -> String {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    text[..end.unwrap_or(text.len())].to_owned()
}

fn rooms_use_only_rooms_below() {
    let mut wrong = Vec::new();
    for file in files("src") {
        let Some(own) = floor(&file.room) else {
            wrong.push(format!("{}: no room of this name is listed", file.path));
            continue;
        };
        for used in rooms_used(&code(&file.text)) {
            let names_a_room = floor(&used).is_some();
            let below = used == file.room || floor(&used).is_some_and(|floor| floor > own);
            if names_a_room && !below {
                wrong.push(format!("{} uses {used}", file.path));
            }
            // What the library exports stands above all rooms.
            if !names_a_room && own > 1 && !used.is_empty() {
                wrong.push(format!("{} uses crate::{used}", file.path));
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn no_room_climbs_out_by_super() {
    for file in files("src") {
        let code = code(&file.text);
        let paths = code.split(|c: char| c.is_whitespace() || "({,<&".contains(c));
        let climbs = paths.map(|path| path.matches("super::").count()).max();
        let folders = file.path.matches('/').count() - 1;
        let depth = folders + usize::from(!file.path.ends_with("/mod.rs"));
        assert!(climbs.unwrap_or(0) < depth, "{}", file.path);
    }
}

/// The attribute that exports a function of a module. `unsafe` is its spelling in edition 2024, since two functions
/// of one name would clash; without it a host of WebAssembly has nothing to call.
const EXPORT: &str = "#[unsafe(no_mangle)]";

/// Whether code says `unsafe` at all.
fn is_unsafe(code: &str) -> bool {
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "unsafe")
}

/// In the library, and in the examples, which are there to be copied. Modules of WebAssembly, and only these, may
/// export: no pointer is followed for that, and what the functions do is checked as everywhere.
fn unsafe_stands_in_scan_only() {
    for file in ["src", "examples"].into_iter().flat_map(files) {
        let code = match file.path.starts_with("examples/wasm/") {
            true => code(&file.text).replace(EXPORT, ""),
            false => code(&file.text),
        };
        let is_scan = file.path.starts_with("src/scan/");
        assert!(!is_unsafe(&code) || is_scan, "{}", file.path);
    }
}

/// There is nothing to be raced for, and nothing that a document could have opened, waited for or run: the library names
/// none of these, not even where it reads from readers.
fn the_library_opens_nothing_and_has_no_threads() {
    for file in files("src") {
        let found = reaches_out(&code(&file.text));
        assert!(
            found.is_none() || file.path.starts_with("src/bin/"),
            "{}: {found:?}",
            file.path
        );
    }
    assert_eq!(reaches_out("use std::{fs, io::Read};"), Some("fs"));
    assert_eq!(reaches_out("std::thread::spawn(run)"), Some("thread"));
    assert_eq!(reaches_out("let threads = files.threads();"), None);
}

/// What code names of that.
fn reaches_out(code: &str) -> Option<&'static str> {
    const OUTSIDE: [&str; 9] = [
        "fs", "net", "Command", "thread", "env", "Mutex", "RwLock", "Condvar", "spawn",
    ];
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let words = || code.split(|character| !is_word(character));
    OUTSIDE
        .into_iter()
        .find(|one| words().any(|word| word == *one))
}

fn every_file_says_what_it_is_for() {
    for file in ALL.into_iter().flat_map(files) {
        assert!(file.text.starts_with("//! "), "{}", file.path);
    }
}

fn files_are_short() {
    let mut long = BTreeMap::new();
    for file in ALL.into_iter().flat_map(files) {
        let lines = file.text.lines().count();
        if lines > LINES && !file.text.contains("@generated") {
            long.insert(file.path, lines);
        }
    }
    assert!(long.is_empty(), "{long:?}");
}

/// Words such as "stands" and "behind" are few in the comments of the library.
fn comments_have_few_words_of_the_former_language() {
    const MOST: usize = 60;
    let files = source::files("src");
    let files = files.iter().filter(|file| !source::is_generated(file));
    let comments: Vec<_> = files.flat_map(source::comments).collect();
    assert!(comments.len() > 5000, "{}", comments.len());
    let found = comments
        .iter()
        .map(|comment| source::markers(comment).len());
    let found: usize = found.sum();
    assert!(
        found <= MOST,
        "{found}: `testing/tools/comment-sample markers` prints them"
    );
}

fn no_lint_is_silenced_and_no_test_is_ignored() {
    // Written in two parts, so that this file does not find itself.
    let words = [
        ["#[", "ignore"].concat(),
        ["#[", "allow("].concat(),
        ["#![", "allow("].concat(),
        ["todo", "!("].concat(),
        ["unimplemented", "!("].concat(),
        ["expected", "_failures"].concat(),
        ["known", "_failures"].concat(),
    ];
    for file in ALL.into_iter().flat_map(files) {
        for word in &words {
            // The one room with `unsafe` says so at its blocks.
            let text = match file.room.as_str() {
                "scan" => file.text.replace("allow(unsafe_code", ""),
                _ => file.text.clone(),
            };
            assert!(!text.contains(word.as_str()), "{}: {word}", file.path);
        }
    }
}

/// A test program runs what its `main` adds, and nothing else: a function that is marked as a test
/// would not run there, and under the usual harness `main` would not.
fn every_test_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    let own_main = |room: &str| {
        let mut targets = manifest.split("[[test]]").skip(1);
        targets.any(|target| {
            let own = target.split("\n[").next().unwrap_or(target);
            own.contains(&format!("name = \"{room}\"")) && own.contains("harness = false")
        })
    };
    let mark = ["#[", "test]"].concat();
    for file in files("tests") {
        let main = file.text.contains("\nfn main()");
        assert!(!main || own_main(&file.room), "{}", file.path);
        let marked = file.text.contains(&mark);
        assert!(!marked || !own_main(&file.room), "{}", file.path);
    }
    assert!(own_main("api"));
}

/// Maximum number of lines of the tree construction of HTML, without comments and empty lines. The modules that only it
/// uses are included, and its reports to the balanced stream, the early end of the input, shadow roots, the owners of
/// form controls, templates whose content is inserted elsewhere, and plans.
const CONSTRUCTION: usize = 4150;
const CHECKPOINTS: &str = "#[cfg_attr(feature = \"checkpoints\"";
const PAGE: &str = "src/html/construct/page.rs";
const OF_CONSTRUCTION: [&str; 2] = ["src/html/construct/", "src/links.rs"];

fn the_tree_construction_of_html_is_short() {
    let files = files("src");
    let mut lines = 0;
    for path in OF_CONSTRUCTION {
        // A page for people constructs nothing.
        let of = files
            .iter()
            .filter(|file| file.path.starts_with(path) && file.path != PAGE);
        // That a field is saved in a checkpoint is said on a line of its own, and is no part of the construction.
        let lines_of = |text: &str| {
            text.lines()
                .map(str::trim_start)
                .filter(|line| !line.is_empty() && !line.starts_with("//"))
                .filter(|line| !line.contains(CHECKPOINTS))
                .count()
        };
        let own: usize = of.map(|file| lines_of(&file.text)).sum();
        assert!(own > 0, "{path}");
        lines += own;
    }
    assert!(lines < CONSTRUCTION, "{lines} lines");
}

/// The known element names: as the source names them, and as tags spell them.
fn element_names() -> Vec<[String; 2]> {
    let table = files("src/text");
    let table = table
        .iter()
        .find(|file| file.path.ends_with("html_element_names.rs"));
    let lines = table.expect("the table of names").text.lines();
    let name = |line: &str| {
        let (variant, rest) = line.trim().split_once(" \"")?;
        let (name, _) = rest.split_once('"')?;
        let is_row = line.ends_with(',') && variant.chars().all(char::is_alphanumeric);
        is_row.then(|| [variant.to_owned(), name.to_owned()])
    };
    lines.filter_map(name).collect()
}

/// The elements that code names: by variant, or by a string that is nothing but the name.
fn elements_named(code: &str, names: &[[String; 2]]) -> Vec<String> {
    let strings: Vec<&str> = code.split('"').skip(1).step_by(2).collect();
    let variants = code.split("ElementName::").skip(1).map(word);
    let variants: Vec<String> = variants.collect();
    let is_named = |[variant, name]: &&[String; 2]| {
        variants.contains(variant) || strings.contains(&name.as_str())
    };
    let named = names.iter().filter(is_named);
    named.map(|[_, name]| name.clone()).collect()
}

/// What HTML does with an element is said by the schema of tree construction. Beside it only these
/// procedures name any: the root of a fragment; the name of a DOCTYPE; an attribute of
/// that name; and what follows from a tag where no
/// tree is built.
const NAMING: &[(&str, &[&str])] = &[
    ("src/html/construct/fragment.rs", &["html"]),
    ("src/html/construct/forms.rs", &["form"]),
    ("src/html/construct/quirks.rs", &["html"]),
];
const WITHOUT_A_TREE: [&str; 2] = ["src/html/content.rs", "src/html/foreign.rs"];

fn only_the_schema_names_elements() {
    let names = element_names();
    assert!(names.len() > 100, "{names:?}");
    for file in files("src/html") {
        let code = code(&file.text);
        let named = elements_named(&code, &names);
        let is_schema = file.path == "src/html/construct/schema.rs";
        if is_schema || WITHOUT_A_TREE.contains(&file.path.as_str()) {
            assert!(!named.is_empty(), "{} names none", file.path);
            continue;
        }
        let listed = NAMING.iter().find(|(path, _)| *path == file.path);
        let listed = listed.map_or(&[][..], |(_, listed)| listed);
        if file.path.starts_with("src/html/construct/") {
            assert_eq!(named, listed, "{}", file.path);
        }
        let notation = ["set!(", "tag!(", "close!(", "close_but!("];
        let uses = notation.iter().any(|one| code.contains(one));
        let declares = file.path == "src/html/construct/notation.rs";
        assert!(!uses || declares, "{} has sets of its own", file.path);
    }
}

fn the_check_of_names_sees_what_is_wrong() {
    let names = element_names();
    let named = elements_named("ElementName::Td => is(\"svg\") && say(\"a td\")", &names);
    assert_eq!(named, ["svg", "td"]);
}

fn the_check_of_rooms_sees_what_is_wrong() {
    let seen = rooms_used("use crate::{xml::Xml, scan};\nuse crate::parser::{A, B};");
    assert_eq!(seen, ["xml", "scan", "parser"]);
    assert!(floor("scan") > floor("parser"));
    assert_eq!(floor("xml"), floor("html"));
}
