//! The names of the rows of HTML's schema, read from its source: the mode, the tokens and the conditions as they are
//! written there.

use std::fs;

/// Returns all rows in order, each as `InBody: tag!(Html), [Sees(TEMPLATE_SEEN)]`.
pub(crate) fn rows() -> Vec<String> {
    let path = testing::source::root().join("src/dialects/html/construct/schema.rs");
    let source = fs::read_to_string(path).expect("the schema");
    let (_, tables) = source.split_once("\ntables! {\n").expect("its tables");
    let (mut rows, mut mode, mut row) = (Vec::new(), "", String::new());
    for line in tables.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        match line.strip_suffix(" {") {
            Some(name) if row.trim().is_empty() => mode = name,
            _ if line == "}" => {}
            _ => row.extend([line, " "]),
        }
        if row.trim_end().ends_with(';') {
            let tokens = row.split("=>").next().unwrap_or_default();
            rows.push(format!("{mode}: {}", tokens.trim()));
            row.clear();
        }
    }
    rows
}
