//! The cases of the tree-construction suite, read from its files. It must not know what parses them.

use std::path::Path;

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct TreeCase {
    /// File, number and the first characters of the input.
    pub(crate) name: String,
    pub(crate) input: String,
    /// The element that a fragment is parsed in: `div`, `svg path`, `math mi`.
    pub(crate) context: Option<String>,
    /// Both settings, where the case names none.
    pub(crate) scripting: Vec<bool>,
    /// The errors with their places, where the case tells them, as `(1:16) code` each.
    pub(crate) new_errors: Option<Vec<String>>,
    /// Lines that end in a newline.
    pub(crate) tree: String,
}

/// Every case that needs no script engine.
pub(crate) fn tree_cases(folder: &Path) -> Vec<TreeCase> {
    let mut cases = Vec::new();
    let entries = std::fs::read_dir(folder).expect("a folder of cases");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .collect();
    paths.sort();
    for path in paths {
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        if file.starts_with("scripted_") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        let text = text.trim_end_matches('\n');
        for (number, case) in text.split("\n\n#data\n").enumerate() {
            cases.push(read(&format!("{file} {number:03}"), case));
        }
    }
    cases
}

fn read(name: &str, case: &str) -> TreeCase {
    let case = case.strip_prefix("#data\n").unwrap_or(case);
    // An empty input leaves no line before the errors.
    let (input, rest) = match case.strip_prefix("#errors\n") {
        Some(rest) => ("", rest),
        None => case.split_once("\n#errors\n").expect("errors"),
    };
    let (head, tree) = match rest.strip_prefix("#document") {
        Some(tree) => ("", tree),
        None => rest.split_once("\n#document").expect("a tree"),
    };
    // `#document-fragment` stands before the tree and begins as its line does.
    let (head, tree) = match tree.strip_prefix("-fragment\n") {
        Some(tree) => {
            let (context, tree) = tree.split_once("\n#document").expect("a tree");
            (format!("{head}\n#document-fragment\n{context}"), tree)
        }
        None => (head.to_owned(), tree),
    };
    let mut case = TreeCase {
        name: String::new(),
        input: input.to_owned(),
        context: None,
        scripting: vec![false, true],
        new_errors: None,
        tree: tree.strip_prefix('\n').unwrap_or(tree).to_owned(),
    };
    if !case.tree.is_empty() {
        case.tree.push('\n');
    }
    let mut section = "#errors";
    for line in head.lines() {
        match line {
            "#script-on" => case.scripting = vec![true],
            "#script-off" => case.scripting = vec![false],
            "#document-fragment" | "#new-errors" => {
                section = line;
                if section == "#new-errors" {
                    case.new_errors = Some(Vec::new());
                }
            }
            "" => {}
            line if section == "#document-fragment" => case.context = Some(line.to_owned()),
            line => {
                if let Some(errors) = &mut case.new_errors {
                    errors.push(line.to_owned());
                }
            }
        }
    }
    let title: String = case.input.chars().take(40).collect();
    case.name = match &case.context {
        Some(context) => format!("{name} in {context}: {title:?}"),
        None => format!("{name}: {title:?}"),
    };
    case
}
