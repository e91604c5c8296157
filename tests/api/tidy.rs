//! Rules for the source code, checked on the files: the order of the modules, and the form of each file.

use std::collections::BTreeMap;
use std::fs;
use testing::cases;
use testing::imports::{circles, imports};
use testing::run::Program;
use testing::source;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/tidy",
        modules_use_only_modules_below,
        files_of_html_use_only_files_below,
        unsafe_stands_in_scan_only,
        the_library_opens_nothing_and_has_no_threads,
        every_file_says_what_it_is_for,
        files_are_short,
        structs_and_functions_are_small,
        names_have_no_words_of_the_former_language,
        comments_have_few_words_of_the_former_language,
        no_lint_is_silenced_and_no_test_is_ignored,
        every_test_is_run,
        the_tree_construction_of_html_is_short,
        only_the_schema_names_elements,
        only_one_table_lists_elements,
        tables_are_nothing_but_data,
        the_check_of_names_sees_what_is_wrong,
    );
}

/// The modules from top to bottom. A module may use only modules on later lines. A module of `engine` or `dialects` is
/// listed with its path, so a dialect cannot use another dialect.
const MODULES: &[&[&str]] = &[
    &["lib"],
    &["any_dialect"],
    &["serde"],
    &["xpath"],
    &["rewrite"],
    &["select"],
    &["stream"],
    &["tree_builder"],
    &["dialects"],
    &[
        "dialects/html",
        "dialects/xml",
        "dialects/microxml",
        "dialects/sky",
        "dialects/leafxml",
    ],
    &["tree"],
    &["write"],
    &["engine"],
    &["engine/parser"],
    &["engine/dialect"],
    &["engine/tokenizer"],
    &["engine/attributes", "engine/stack"],
    &["engine/text"],
    &["engine/event"],
    &["engine/error"],
    &["engine/document_mode", "engine/entity"],
    &["engine/options"],
    &["engine/limits"],
    &["engine/namespaces"],
    &["engine/hash_seed", "engine/linked_list", "engine/room"],
    &["engine/input"],
    &["engine/scan"],
    &["engine/on_demand", "engine/work"],
    &["checkpoint"],
];

/// The files and folders of HTML's dialect from top to bottom, in the same notation.
const HTML: &[&[&str]] = &[
    &["mod"],
    &[
        "checkpoint",
        "content",
        "host",
        "report",
        "states",
        "strings",
    ],
    &["fast_path"],
    &["machine"],
    &["balanced"],
    &["construct"],
    &["foreign", "state", "stream"],
    &["feedback"],
    &["options"],
    &["context", "errors", "names"],
];
const HTML_FOLDER: &str = "src/dialects/html/";

/// The modules whose submodules are listed in [`MODULES`].
const GROUPS: [&str; 2] = ["engine", "dialects"];

/// The folders that contain Rust code: the library, the command-line program, tests and tools.
const ALL: [&str; 7] = [
    "src", "crates", "tests", "testing", "fuzz", "benches", "examples",
];

/// Maximum number of lines of code in a file that is not generated. Comments do not count, so that the limit does not
/// discourage them.
const LINES: usize = 700;

struct File {
    path: String,
    module: String,
    text: String,
}

/// Returns all Rust files in a folder of the project and in its subfolders.
fn files(folder: &str) -> Vec<File> {
    let files = source::files(folder).into_iter();
    let files = files.map(|source::File { path, text }| {
        let names = path.trim_end_matches(".rs").split('/').skip(1);
        let module = module_of(&names.map(str::to_owned).collect::<Vec<_>>());
        File { path, module, text }
    });
    let files: Vec<File> = files.collect();
    assert!(!files.is_empty());
    files
}

/// Returns the module to which a path belongs, in the notation of [`MODULES`].
fn module_of(names: &[impl AsRef<str>]) -> String {
    match names {
        [group, module, ..]
            if GROUPS.contains(&group.as_ref()) && !matches!(module.as_ref(), "" | "mod") =>
        {
            format!("{}/{}", group.as_ref(), module.as_ref())
        }
        [module, ..] => module.as_ref().to_owned(),
        [] => String::new(),
    }
}

/// Returns the code of a file, without comments and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines = text.lines().map(|line| match line.find("//") {
        Some(at) => &line[..at],
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn word(text: &str) -> String {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    text[..end.unwrap_or(text.len())].to_owned()
}

/// Returns the imports of the library between the modules of `layers` that are not from a line to a later one.
/// `module` returns the module of a path, or `None` if the path is not in one of the layers.
fn upward(layers: &[&[&str]], module: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let line = |module: &str| layers.iter().position(|line| line.contains(&module));
    let mut wrong = Vec::new();
    for (file, used) in imports("src") {
        let Some(own) = module(&file) else {
            continue;
        };
        if line(&own).is_none() {
            wrong.push(format!("{file}: {own} is not listed"));
        }
        let others = used.iter().filter(|used| {
            let other = module(used).filter(|other| *other != own);
            other.is_some_and(|other| line(&other) <= line(&own))
        });
        wrong.extend(others.map(|used| format!("{file} uses {used}")));
    }
    wrong
}

fn modules_use_only_modules_below() {
    let module = |path: &str| {
        let names = path.trim_end_matches(".rs").split('/').skip(1);
        Some(module_of(&names.collect::<Vec<_>>()))
    };
    let wrong = upward(MODULES, module);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn files_of_html_use_only_files_below() {
    let module = |path: &str| {
        let name = path.strip_prefix(HTML_FOLDER)?.split('/').next()?;
        Some(name.trim_end_matches(".rs").to_owned())
    };
    let wrong = upward(HTML, module);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let imports = imports("src");
    let mut circles = circles(&imports);
    circles.retain(|circle| circle.iter().any(|file| file.starts_with(HTML_FOLDER)));
    assert!(circles.is_empty(), "{circles:#?}");
}

/// The attribute that exports a function from a WebAssembly module, so that the host can call the function. Edition
/// 2024 spells it with `unsafe`, because two exported functions with the same name would clash.
const EXPORT: &str = "#[unsafe(no_mangle)]";

/// Returns true if the code contains the word `unsafe`.
fn is_unsafe(code: &str) -> bool {
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "unsafe")
}

/// Applies to the library and to the examples, which users copy. Only WebAssembly modules may use the export attribute:
/// it dereferences no pointer, and the compiler checks the code of the exported functions as usual.
fn unsafe_stands_in_scan_only() {
    for file in ["src", "examples"].into_iter().flat_map(files) {
        let code = match file.path.starts_with("examples/wasm/") {
            true => code(&file.text).replace(EXPORT, ""),
            false => code(&file.text),
        };
        let is_scan = file.path.starts_with("src/engine/scan/");
        assert!(!is_unsafe(&code) || is_scan, "{}", file.path);
    }
}

/// The counter of work, which exists only with the feature `inspect`. The counter is a thread-local variable, so that
/// tests that run at the same time have separate counters.
const WORK: &str = "src/engine/work.rs";

/// The library starts no threads or processes, takes no locks, and opens no files or connections, whatever a document
/// contains. Where it reads from a reader, the program supplies the reader.
fn the_library_opens_nothing_and_has_no_threads() {
    for file in files("src") {
        let found = reaches_out(&code(&file.text));
        assert!(
            found.is_none() || file.path.ends_with("/tests.rs") || file.path == WORK,
            "{}: {found:?}",
            file.path
        );
    }
    assert_eq!(reaches_out("use std::{fs, io::Read};"), Some("fs"));
    assert_eq!(reaches_out("std::thread::spawn(run)"), Some("thread"));
    assert_eq!(reaches_out("std::thread_local! {}"), Some("thread_local"));
    assert_eq!(reaches_out("let threads = files.threads();"), None);
}

/// Returns the first word in the code that names a file system, network, process, environment, thread or lock.
fn reaches_out(code: &str) -> Option<&'static str> {
    const OUTSIDE: [&str; 10] = [
        "fs",
        "net",
        "Command",
        "thread",
        "thread_local",
        "env",
        "Mutex",
        "RwLock",
        "Condvar",
        "spawn",
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
        let lines = file.text.lines().map(str::trim_start);
        let lines = lines
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .count();
        if lines > LINES && !file.text.contains("@generated") {
            long.insert(file.path, lines);
        }
    }
    assert!(long.is_empty(), "{long:?}");
}

/// Maximum number of fields of a struct, which is that of the largest structs of the library.
const FIELDS: usize = 21;

/// Maximum number of lines of a function, with its comments.
const FUNCTION_LINES: usize = 100;

/// Structs and functions that are larger, each with the reason.
const LARGE: &[(&str, &str, &str)] = &[
    (
        "src/dialects/leafxml/fast_path.rs",
        "plain_attributes",
        "one loop over the bytes of a tag",
    ),
    (
        "src/dialects/html/states/mod.rs",
        "run_state",
        "one line for each state",
    ),
    (
        "src/engine/input/sniff.rs",
        "xml_without_a_caller",
        "the steps of a standard, in its order",
    ),
    (
        "crates/tagstream-arrow/src/options.rs",
        "Options",
        "one field for each option of Spark",
    ),
    (
        "testing/src/model/sky.rs",
        "step",
        "one line for each transition of the specification",
    ),
    (
        "testing/src/model/xml/mod.rs",
        "Standard",
        "the variables of a specification",
    ),
];

/// Returns the files of the library, of the crates and of `testing`, without tests and examples.
fn sources() -> impl Iterator<Item = source::File> {
    let crates = source::files("crates").into_iter();
    let crates = crates.filter(|file| file.path.split('/').nth(2) == Some("src"));
    let others = ["src", "testing/src"].into_iter().flat_map(source::files);
    crates.chain(others)
}

fn structs_and_functions_are_small() {
    let mut large = Vec::new();
    for file in sources() {
        let structs = source::structs(&file).into_iter();
        let functions = source::functions(&file).into_iter();
        let structs = structs.filter(|item| item.size > FIELDS);
        let found = structs.chain(functions.filter(|item| item.size > FUNCTION_LINES));
        large.extend(found.filter(|item| {
            let mut known = LARGE.iter();
            !known.any(|(path, name, _)| *path == file.path && *name == item.name)
        }));
    }
    assert!(large.is_empty(), "{large:#?}");
}

/// Applies to the crates and to `testing`. In the library, some of these words are names of the standard's terms.
fn names_have_no_words_of_the_former_language() {
    let files = ["crates", "testing"].into_iter().flat_map(source::files);
    for file in files {
        let found = source::marker_names(&file);
        assert!(found.is_empty(), "{}: {found:?}", file.path);
    }
    let seen = source::marker_names(&source::File {
        path: String::new(),
        text: "let in_hand = StandsFor; // behind\nlet behindhand = \"stands\";".to_owned(),
    });
    assert_eq!(seen, ["in_hand", "StandsFor"]);
}

/// Counts the words of `source::markers` in the comments of all packages. Earlier versions used these words as metaphors;
/// some of them also have a literal meaning, so the test allows a small number.
fn comments_have_few_words_of_the_former_language() {
    const MAX_WORDS: usize = 10;
    let files: Vec<_> = ALL.into_iter().flat_map(source::files).collect();
    let files = files.iter().filter(|file| !source::is_generated(file));
    let comments: Vec<_> = files.flat_map(source::comments).collect();
    assert!(comments.len() > 5000, "{}", comments.len());
    let found = comments
        .iter()
        .map(|comment| source::markers(comment).len());
    let found: usize = found.sum();
    assert!(
        found <= MAX_WORDS,
        "{found}: `testing/tools/comment-sample markers` prints them"
    );
}

/// The files with code that is unused if some features are off, for which they silence lints.
const PARTIAL: [&str; 2] = ["src/lib.rs", "src/engine/input/mod.rs"];

fn no_lint_is_silenced_and_no_test_is_ignored() {
    // Each word is written in two parts, so that this test does not find it in this file.
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
            // The blocks of the only module with `unsafe` allow it explicitly.
            let text = match file.module.as_str() {
                "engine/scan" => file.text.replace("allow(unsafe_code", ""),
                _ => file.text.clone(),
            };
            assert!(!text.contains(word.as_str()), "{}: {word}", file.path);
        }
        let attribute = ["cfg", "_attr("].concat();
        for attribute in file.text.split(&attribute).skip(1) {
            let attribute = attribute.split(")]").next().unwrap_or(attribute);
            let is_silent = attribute.contains("allow(") || attribute.contains("expect(");
            let is_known = PARTIAL.contains(&file.path.as_str());
            assert!(!is_silent || is_known, "{}: {attribute}", file.path);
        }
    }
}

/// A test program runs only the tests that its `main` function adds. A function with the attribute `test` would not run
/// in it, and with the default test harness `main` would not run.
fn every_test_is_run() {
    let manifest = source::root().join("tests/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("the manifest");
    let own_main = |module: &str| {
        let mut targets = manifest.split("[[test]]").skip(1);
        targets.any(|target| {
            let own = target.split("\n[").next().unwrap_or(target);
            own.contains(&format!("name = \"{module}\"")) && own.contains("harness = false")
        })
    };
    let mark = ["#[", "test]"].concat();
    for file in files("tests") {
        let main = file.text.contains("\nfn main()");
        assert!(!main || own_main(&file.module), "{}", file.path);
        let marked = file.text.contains(&mark);
        assert!(!marked || !own_main(&file.module), "{}", file.path);
    }
    assert!(own_main("api"));
}

/// Maximum number of lines of HTML's tree construction, without comments and empty lines. The count includes the
/// modules that only the tree construction uses, its reports to the balanced stream, the early end of the input, shadow
/// roots, form owners, templates whose content is inserted elsewhere, plans, hashes that are computed late, the loop over
/// the records of a batch, and what makes limits and errors independent of the pieces of a text and of the ends of
/// batches.
const CONSTRUCTION: usize = 4350;
const CHECKPOINTS: &str = "crate::checkpoint::checkpointable! {";
/// The files that describe the tree construction: the page about the schema, and the state and the rows that the feature
/// `inspect` shows.
const DESCRIPTIONS: [&str; 5] = [
    "tests.rs",
    "wording.rs",
    "inspect.rs",
    "trace.rs",
    "token_text.rs",
];
const OF_CONSTRUCTION: [&str; 2] = ["src/dialects/html/construct/", "src/engine/linked_list.rs"];

fn the_tree_construction_of_html_is_short() {
    let files = files("src");
    let mut lines = 0;
    for path in OF_CONSTRUCTION {
        let is_description = |file: &str| {
            let name = file.strip_prefix(OF_CONSTRUCTION[0]);
            name.is_some_and(|name| DESCRIPTIONS.contains(&name))
        };
        let of = files
            .iter()
            .filter(|file| file.path.starts_with(path) && !is_description(&file.path));
        let lines_of = |text: &str| {
            without_field_lists(text)
                .map(str::trim_start)
                .filter(|line| !line.is_empty() && !line.starts_with("//"))
                .count()
        };
        let own: usize = of.map(|file| lines_of(&file.text)).sum();
        assert!(own > 0, "{path}");
        lines += own;
    }
    assert!(lines < CONSTRUCTION, "{lines} lines");
}

/// Returns the lines of a file without the lists of the fields that checkpoints contain. A list ends at the next line
/// that has the same indentation as its first line.
fn without_field_lists(text: &str) -> impl Iterator<Item = &str> {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut list = None;
    text.lines().filter(move |line| match list {
        Some(column) => {
            if indentation(line) == column && !line.is_empty() {
                list = None;
            }
            false
        }
        None => {
            let is_list = line.trim_start().starts_with(CHECKPOINTS);
            list = is_list.then(|| indentation(line));
            !is_list
        }
    })
}

/// Returns the known element names, each as the variant in the source and as the name in tags.
fn element_names() -> Vec<[String; 2]> {
    let table = files("src/engine/text");
    let table = table
        .iter()
        .find(|file| file.path.ends_with("html_element_table.rs"));
    let lines = table.expect("the table of names").text.lines();
    let name = |line: &str| {
        let (variant, rest) = line.trim().split_once(" \"")?;
        let (name, _) = rest.split_once('"')?;
        let is_row = line.ends_with(',') && variant.chars().all(char::is_alphanumeric);
        is_row.then(|| [variant.to_owned(), name.to_owned()])
    };
    lines.filter_map(name).collect()
}

/// Returns the elements that the code names, by the variant or by a string that contains only the name.
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

/// The schema of tree construction and the sets in `html_facts.rs` define the treatment of each element. Apart from
/// them, only these procedures name elements: the root of a fragment, the name of a DOCTYPE, an attribute with the name
/// of an element, and the consequences of a tag if no tree is built.
const NAMING: &[(&str, &[&str])] = &[
    ("src/dialects/html/construct/fragment.rs", &["html"]),
    ("src/dialects/html/construct/forms.rs", &["form"]),
    ("src/dialects/html/construct/quirks.rs", &["html"]),
];
const WITHOUT_A_TREE: [&str; 2] = [
    "src/dialects/html/content.rs",
    "src/dialects/html/foreign.rs",
];

fn only_the_schema_names_elements() {
    let names = element_names();
    assert!(names.len() > 100, "{names:?}");
    for file in files("src/dialects/html") {
        let code = code(&file.text);
        let named = elements_named(&code, &names);
        let is_schema = file.path == "src/dialects/html/construct/schema.rs";
        if is_schema || WITHOUT_A_TREE.contains(&file.path.as_str()) {
            assert!(!named.is_empty(), "{} names none", file.path);
            continue;
        }
        let listed = NAMING.iter().find(|(path, _)| *path == file.path);
        let listed = listed.map_or(&[][..], |(_, listed)| listed);
        if file.path.starts_with("src/dialects/html/construct/") {
            assert_eq!(named, listed, "{}", file.path);
        }
        let notation = ["set!(", "tag!(", "close!(", "close_but!("];
        let uses = notation.iter().any(|one| code.contains(one));
        let declares = file.path == "src/dialects/html/construct/notation.rs";
        assert!(!uses || declares, "{} has sets of its own", file.path);
    }
}

/// Modules outside the dialect that treat some elements differently. They use the sets in `html_facts.rs` and name only
/// a few elements themselves. An exception is the file with the lists of the sanitizer's standard.
const ASKING: [&str; 3] = ["src/write", "src/tree", "src/rewrite"];
const LISTS: &str = "src/rewrite/sanitize/lists.rs";

fn only_one_table_lists_elements() {
    /// Maximum number of elements that one file names.
    const MAX_NAMES: usize = 4;
    let names = element_names();
    for file in ASKING.into_iter().flat_map(files) {
        let named = elements_named(&code(&file.text), &names);
        let is_list = file.path == LISTS;
        assert!(
            is_list || named.len() <= MAX_NAMES,
            "{}: {named:?}",
            file.path
        );
    }
}

/// A file that is marked as a table contains no functions.
fn tables_are_nothing_but_data() {
    let files = source::files("src");
    let tables: Vec<_> = files.iter().filter(|file| source::is_table(file)).collect();
    assert!(tables.len() > 10, "{}", tables.len());
    for table in tables {
        let code = code(&table.text);
        let has_function = code.split_whitespace().any(|word| word == "fn");
        assert!(!has_function, "{}", table.path);
    }
}

fn the_check_of_names_sees_what_is_wrong() {
    let names = element_names();
    let named = elements_named("ElementName::Td => is(\"svg\") && say(\"a td\")", &names);
    assert_eq!(named, ["svg", "td"]);
}
