//! The state of a parser in the middle of a document, as JSON.

use crate::json;
use crate::options::DialectId;
use crate::rows::Rows;
use crate::sections;
use tagstream::{AppliedRow, Document, NodeId};

/// The state of a parser, without the open elements.
pub(crate) struct Snapshot {
    /// The name of the tokenizer's state in the source, such as `AfterAttributeValueQuoted`.
    pub(crate) state: String,
    /// The insertion mode of HTML, and the rules that apply to the next token.
    pub(crate) modes: Option<(String, String)>,
    /// The active formatting elements. A marker is `None`.
    pub(crate) formatting: Vec<Option<NodeId>>,
    /// The rows of the schema that were applied.
    pub(crate) rows: Vec<AppliedRow>,
}

/// Words of a state's name that the HTML standard writes in another way.
const SPELLINGS: [(&str, &str); 10] = [
    ("rcdata", "RCDATA"),
    ("rawtext", "RAWTEXT"),
    ("plaintext", "PLAINTEXT"),
    ("cdata", "CDATA"),
    ("doctype", "DOCTYPE"),
    ("less than sign", "less-than sign"),
    ("self closing", "self-closing"),
    ("value double quoted", "value (double-quoted)"),
    ("value single quoted", "value (single-quoted)"),
    ("value unquoted", "value (unquoted)"),
];

/// Returns the name of a state in words. `state` is the name in the source.
fn words(state: &str) -> String {
    let mut words = sections::split(state);
    for (from, to) in SPELLINGS {
        words = words.replace(from, to);
    }
    // This state has its own form: "after attribute value (quoted) state".
    words.replace("value quoted", "value (quoted)")
}

/// The page of HTML's standard about parsing.
const STANDARD: &str = "https://html.spec.whatwg.org/multipage/parsing.html#";

/// Returns the address of a state of HTML's tokenizer in the standard.
fn link(state: &str) -> String {
    let anchor = state.to_ascii_lowercase().replace(' ', "-");
    [STANDARD, &anchor, "-state"].concat()
}

/// The anchors of tables of the schema that do not follow from their names.
const TABLE_ANCHORS: [(&str, &str); 9] = [
    ("text", "parsing-main-incdata"),
    ("in column group", "parsing-main-incolgroup"),
    ("in table body", "parsing-main-intbody"),
    ("in row", "parsing-main-intr"),
    ("in cell", "parsing-main-intd"),
    ("foreign", "parsing-main-inforeign"),
    // The standard decides in one place when the rules for foreign content apply.
    (
        "math text integration point",
        "tree-construction-dispatcher",
    ),
    ("annotation xml", "tree-construction-dispatcher"),
    ("html integration point", "tree-construction-dispatcher"),
];

/// The insertion modes whose anchors are their names. The other modes have anchors such as `parsing-main-inbody`.
const NAMED_ANCHORS: [&str; 6] = [
    "initial",
    "before html",
    "before head",
    "after head",
    "after after body",
    "after after frameset",
];

/// Returns the address in the standard of a table of the schema: of an insertion mode, or of rules for foreign content.
fn table_link(table: &str) -> String {
    if let Some((_, anchor)) = TABLE_ANCHORS.iter().find(|(name, _)| *name == table) {
        return [STANDARD, anchor].concat();
    }
    if NAMED_ANCHORS.contains(&table) {
        return [
            STANDARD,
            "the-",
            &table.replace(' ', "-"),
            "-insertion-mode",
        ]
        .concat();
    }
    [STANDARD, "parsing-main-", &table.replace(' ', "")].concat()
}

/// Returns the state as a JSON object.
pub(crate) fn write(
    snapshot: &Snapshot,
    dialect: DialectId,
    open: &[NodeId],
    document: &Document,
    rows: &Rows,
) -> String {
    let mut out = String::from("{");
    let name = |id: NodeId| document.node(id).map_or("", |node| node.name());
    let state = words(&snapshot.state);
    json::string_field("state", &state, &mut out);
    json::key_of("link", &mut out);
    let is_in_standard = dialect == DialectId::Html && state != "finished";
    json::optional(is_in_standard.then(|| link(&state)).as_deref(), &mut out);
    let (mode, rules) = match &snapshot.modes {
        Some((mode, rules)) => (Some(&**mode), Some(&**rules)),
        None => (None, None),
    };
    for (key, link_key, table) in [
        ("insertion_mode", "mode_link", mode),
        ("rules", "rules_link", rules),
    ] {
        json::key_of(key, &mut out);
        json::optional(table, &mut out);
        json::key_of(link_key, &mut out);
        json::optional(table.map(table_link).as_deref(), &mut out);
    }
    json::key_of("open", &mut out);
    json::list(open, &mut out, |id, out| {
        out.push('{');
        json::string_field("name", name(*id), out);
        json::key_of("row", out);
        match rows.row_of(*id) {
            Some(row) => json::number(row as u64, out),
            None => out.push_str("-1"),
        }
        out.push('}');
    });
    json::key_of("formatting", &mut out);
    json::list(&snapshot.formatting, &mut out, |entry, out| {
        out.push('{');
        match entry {
            Some(id) => json::string_field("name", name(*id), out),
            None => json::bool_field("marker", true, out),
        }
        out.push('}');
    });
    json::key_of("rows", &mut out);
    json::list(&snapshot.rows, &mut out, |row, out| {
        out.push('{');
        json::string_field("table", &row.table, out);
        json::string_field("link", &table_link(&row.table), out);
        json::number_field("row", row.row as u64, out);
        for (key, text) in [
            ("token", &row.token),
            ("tokens", &row.tokens),
            ("conditions", &row.conditions),
            ("actions", &row.actions),
        ] {
            json::string_field(key, text, out);
        }
        out.push('}');
    });
    json::key_of("rule", &mut out);
    sections::write(dialect, &snapshot.state, &mut out);
    out.push('}');
    out
}
