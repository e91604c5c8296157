//! The test that `docs/html-schema.md` agrees with the schema.
//!
//! The page shows the schema in the words of the standard: its sets of elements, its scopes, and the rows of each mode.
//! This file generates the page from the constants by which the parser works. The wording of each guard and action is in
//! `wording.rs`. `TAGSTREAM_REWRITE=1 cargo test --lib the_page_of_the_schema` writes the page again.

extern crate std;

use super::rules::Tokens;
use super::schema::{
    self, GROUP_NAMES, GROUPS, MAY_STAY_OPEN, MODE_NAMES, SCOPES, STANDS_FOR, TABLES,
};
use super::wording::{
    ALL_SCOPES, MAX_LISTED, actions, all, anchor, guard, link, scope_name, tokens, words,
};
use crate::dialects::html::names::{KNOWN_NAMES, Names};
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::fs;
use std::path::Path;

#[test]
fn the_page_of_the_schema_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/html-schema.md");
    let page = page();
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        fs::write(&path, &page).expect("the page is written");
    }
    let written = fs::read_to_string(&path).expect("the page");
    let differs = page
        .lines()
        .zip(written.lines())
        .find(|(new, old)| new != old);
    assert_eq!(differs, None);
    assert_eq!(page, written);
}

/// Returns the schema as Markdown.
fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    page += "\n## The modes\n\n";
    for name in MODE_NAMES {
        page += &format!("- [{0}](#{1})\n", words(name), anchor(name));
    }
    for (table, name) in TABLES.iter().zip(MODE_NAMES) {
        page += &format!(
            "\n### {}\n\n| token | conditions | actions |\n|---|---|---|\n",
            heading(name)
        );
        for row in table.all() {
            let guards: Vec<String> = row.guards.iter().map(guard).collect();
            let what = actions(row.actions);
            page += &format!(
                "| {} | {} | {what} |\n",
                tokens(&row.tokens),
                guards.join(", and ")
            );
        }
    }
    page += SETS;
    for ((_, members), name) in GROUPS.iter().zip(GROUP_NAMES) {
        if all(*members).len() > MAX_LISTED {
            page += &format!("- **{}**: {}\n", words(name), names(*members));
        }
    }
    page += &format!("- **formatting**: {}\n", names(html_facts::FORMATTING));
    page += &format!(
        "- **may stay open** when the body or the input ends: {}\n",
        names(MAY_STAY_OPEN)
    );
    page += SCOPES_ARE;
    for (scope, (asked, ends, foreign)) in ALL_SCOPES.iter().zip(SCOPES.0) {
        let foreign = match foreign {
            true => "; the special elements of MathML and SVG",
            false => "",
        };
        page += &format!(
            "| {} | {} | {}{foreign} |\n",
            scope_name(*scope),
            names(*asked),
            names(*ends)
        );
    }
    page += STAND;
    for (members, mode) in STANDS_FOR {
        page += &format!("| {} | {} |\n", names(*members), link(*mode));
    }
    page += ELEMENTS;
    for element in ElementName::ALL {
        page += &of_element(&element);
    }
    page
}

const INTRODUCTION: &str = "# How HTML is parsed

This page is generated from the constants that the parser uses, so it cannot disagree with them. The command `tagstream
schema` prints it. Read it together with the section \"Tree construction\" of the HTML standard.

A **mode** is a table of rows. The parser processes a token in two steps:

1. It selects the table. If the current node is an element of MathML or SVG, the table is *foreign*, or, if the content of
   that node may be HTML, one of the three tables that follow *foreign*. Otherwise, the table is the mode that a row has
   entered and no row has left. Otherwise, it is the mode that the nearest open element [determines](#elements-and-modes).
2. It selects the first row of the table that lists the token and whose conditions are all true. The actions of the row run
   in order. A row with the action *ignore it* drops the token.

`<p>` is a start tag, `</p>` an end tag. *The current node* is the last element of the stack of open elements. To *close*
an element means to pop all elements up to and including that element. If the element is not the current node, this is a
parse error.

Terms of the standard, and of this page:

- *any other end tag*, *adoption agency*: the algorithms of these names. *Foreign end tag*: the algorithm for an end tag in
  foreign content. *Reconstruct*: \"reconstruct the active formatting elements\". A *marker* is an entry of the list of
  active formatting elements.
- *foster*: apply the rules of another mode with foster parenting enabled: content that a table may not contain is inserted
  before the table.
- *store*: characters in a table are stored until the parser knows whether all of them are whitespace.
- *insert a template that patches*: if the attribute `for` of the template names a marker in the tree, the content up to
  the end tag of the template is inserted at that marker.
- *turn*: change the insertion mode that the nearest open element determines. *Enter*: use this mode until *resume*.
";

const SETS: &str = "\n## Sets of elements\n\n";

const SCOPES_ARE: &str = "\n## Scopes

An element is in a scope if a search down the stack, from the current node, finds the element before it finds one that ends
the scope. The second column lists all elements that the rules search for.

| scope | elements | ended by |
|---|---|---|
";

const STAND: &str = "\n## Elements and modes

The nearest open element that is in this table determines the insertion mode. This corresponds to \"reset the insertion mode
appropriately\".

| element | mode |
|---|---|
";

const ELEMENTS: &str = "\n## Elements

The sets that contain each known element, and the modes that have rows for its tags. All other elements are ordinary: the
rows for *any other start tag* and *any other end tag* apply.

| element | sets | start tag | end tag |
|---|---|---|---|
";

/// Returns the names in a set as Markdown: each name in backticks, separated by spaces. Returns `none` for an empty
/// set.
fn names(set: Names) -> String {
    let names: Vec<String> = all(set).iter().map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(" "),
    }
}

fn heading(mode: &str) -> String {
    let words = words(mode);
    words[..1].to_ascii_uppercase() + &words[1..]
}

/// Returns the row of the generated page for an element: the sets that contain the element, and the modes with rows for
/// its tags.
fn of_element(element: &ElementName) -> String {
    let number = *element as usize;
    let mut is: Vec<String> = Vec::new();
    for (named, set) in [
        ("special", html_facts::SPECIAL_NAMES),
        ("formatting", html_facts::FORMATTING),
        ("block", html_facts::BLOCKS),
        ("boundary of scopes", html_facts::BOUNDARIES),
        ("end tag implied", schema::IMPLIED_NAMES),
        ("breaks out of foreign content", html_facts::BREAKOUT),
    ] {
        if set.has(number) {
            is.push(named.to_string());
        }
    }
    let rows = |of: fn(&Tokens) -> Names| {
        let mut modes = Vec::new();
        for (table, name) in TABLES.iter().zip(MODE_NAMES) {
            let named = |names: Names| names.has(number) && !names.has(KNOWN_NAMES);
            if table.all().iter().any(|row| named(of(&row.tokens))) {
                modes.push(format!("[{}](#{})", words(name), anchor(name)));
            }
        }
        modes.join(", ")
    };
    let (starts, ends) = (
        rows(|tokens| tokens.names().0),
        rows(|tokens| tokens.names().1),
    );
    match is.is_empty() && starts.is_empty() && ends.is_empty() {
        true => String::new(),
        false => format!(
            "| `{}` | {} | {starts} | {ends} |\n",
            element.name(),
            is.join(", ")
        ),
    }
}
