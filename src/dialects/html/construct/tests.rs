//! The test that `docs/html-schema.md` agrees with the schema.
//!
//! The page shows the schema in the words of the standard: its sets of elements, its scopes, and the rows of each mode.
//! This file generates the page from the constants by which the parser works, and only adds the wording of each guard
//! and action. `TAGSTREAM_REWRITE=1 cargo test --lib the_page_of_the_schema` writes the page again.

extern crate std;

use super::elements::{FOREIGN, OTHERS};
use super::notation::{Action, Guard, Scope};
use super::rules::{Group, Scoped, TokenKind, Tokens};
use super::schema::{
    self, GROUP_NAMES, GROUPS, MAY_STAY_OPEN, MODE_NAMES, Mode, SCOPES, STANDS_FOR, TABLES,
};
use crate::dialects::html::InitialState;
use crate::dialects::html::names::{KNOWN_NAMES, Names, Space};
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts;
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
        if all(*members).len() > FEW {
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

/// Maximum size of a set of elements that is listed wherever the set is used. A larger set is listed once and
/// referred to by its name.
const FEW: usize = 5;

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

const ALL_SCOPES: [Scope; 7] = [
    Scope::Default,
    Scope::Button,
    Scope::List,
    Scope::Table,
    Scope::Item,
    Scope::Open,
    Scope::Around,
];

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Default => "scope",
        Scope::Button => "button scope",
        Scope::List => "list item scope",
        Scope::Table => "table scope",
        Scope::Item => "item scope",
        Scope::Open => "the stack",
        Scope::Around => "the same document or template",
    }
}

/// Returns the known names in a set.
fn all(set: Names) -> Vec<&'static str> {
    let held = ElementName::ALL.iter().filter(|name| set.holds(**name));
    held.map(|name| name.name()).collect()
}

/// Returns the names in a set as Markdown: each name in backticks, separated by spaces. Returns `none` for an empty
/// set.
fn names(set: Names) -> String {
    let names: Vec<String> = all(set).iter().map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(" "),
    }
}

/// Splits an identifier of the source, such as `InTableBody` or `IMPLIED_ALL`, into lowercase words.
fn words(name: &str) -> String {
    let is_constant = !name.contains(|letter: char| letter.is_ascii_lowercase());
    let mut words = String::new();
    for letter in name.chars() {
        match letter {
            '_' => words.push(' '),
            _ if letter.is_ascii_uppercase() && !is_constant && !words.is_empty() => {
                words.push(' ');
                words.push(letter.to_ascii_lowercase());
            }
            _ => words.push(letter.to_ascii_lowercase()),
        }
    }
    words
}

fn heading(mode: &str) -> String {
    let words = words(mode);
    words[..1].to_ascii_uppercase() + &words[1..]
}

fn anchor(mode: &str) -> String {
    words(mode).replace(' ', "-")
}

fn link(mode: Mode) -> String {
    let name = MODE_NAMES[mode as usize];
    format!("[{}](#{})", words(name), anchor(name))
}

/// Describes the tokens of a row.
fn tokens(tokens: &Tokens) -> String {
    let kinds = [
        (TokenKind::Null, "U+0000"),
        (TokenKind::Space, "whitespace"),
        (TokenKind::Character, "another character"),
        (TokenKind::Comment, "a comment, a processing instruction"),
        (TokenKind::Doctype, "a DOCTYPE"),
        (TokenKind::EndOfFile, "the end of the input"),
    ];
    let found = kinds.iter().filter(|(kind, _)| tokens.has_kind(*kind));
    let mut said: Vec<String> = found.map(|(_, word)| (*word).to_owned()).collect();
    let (starts, ends) = tokens.names();
    if said.len() == kinds.len() && starts == Names::ALL && ends == Names::ALL {
        return "anything else".to_owned();
    }
    said.extend(tags(starts, "<", "start"));
    said.extend(tags(ends, "</", "end"));
    said.join(", ")
}

/// Describes the tags in a set of names, or returns `None` if the set is empty. `open` is `<` or `</`, and `which` is
/// `start` or `end`.
fn tags(set: Names, open: &str, which: &str) -> Option<String> {
    let tags = |set: Names| {
        let tags = all(set)
            .iter()
            .map(|name| format!("`{open}{name}>`"))
            .collect::<Vec<_>>();
        tags.join(" ")
    };
    match set {
        Names::NONE => None,
        Names::ALL => Some(format!("any other {which} tag")),
        // The set contains all unknown names.
        _ if set.has(KNOWN_NAMES) => Some(format!(
            "any {which} tag but {}",
            tags(Names::ALL.without(set))
        )),
        _ => Some(tags(set)),
    }
}

/// Describes a set of elements in scopes: the names in each scope.
fn scoped(asked: Scoped) -> String {
    if asked.meets(OTHERS) || asked.meets(FOREIGN) {
        return "an element that may not stay open is on the stack".to_owned();
    }
    let mut said = Vec::new();
    for scope in ALL_SCOPES {
        let held = |name: &&ElementName| {
            SCOPES
                .scoped(scope as usize, Names::of(&[**name]))
                .meets(asked)
        };
        let found: Vec<String> = ElementName::ALL
            .iter()
            .filter(held)
            .map(|name| format!("`{}`", name.name()))
            .collect();
        if !found.is_empty() {
            said.push(format!(
                "{} is in {}",
                found.join(" or "),
                scope_name(scope)
            ));
        }
    }
    said.join(", or ")
}

/// Describes a group of elements: its members, or the name of the group.
fn group(asked: Group) -> String {
    let mut said = Vec::new();
    for ((group, members), name) in GROUPS.iter().zip(GROUP_NAMES) {
        if group.meets(asked) {
            said.push(match all(*members).len() > FEW {
                true => format!("*{}*", words(name)),
                false => all(*members)
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(" or "),
            });
        }
    }
    said.join(" or ")
}

/// Describes a guard of a row in the words of the standard.
fn guard(guard: &Guard) -> String {
    match guard {
        Guard::InScope(asked) => scoped(*asked),
        Guard::NotInScope(asked) => format!("no {}", scoped(*asked)),
        Guard::SameInScope => "an element with the tag's name is in scope".to_owned(),
        Guard::SameInTableScope => "an element with the tag's name is in table scope".to_owned(),
        Guard::Current(of) => format!("the current node is {}", group(*of)),
        Guard::CurrentNot(of) => format!("the current node is not {}", group(*of)),
        Guard::SecondIsBody => "the second open element is `body`".to_owned(),
        Guard::Fragment => "a fragment is parsed".to_owned(),
        Guard::Document => "a document is parsed".to_owned(),
        Guard::Context(of) => format!("a fragment is parsed in {}", group(*of)),
        Guard::ContextNot(of) => format!("no fragment is parsed in {}", group(*of)),
        Guard::NotShadow => "it does not declare a shadow root".to_owned(),
        Guard::Scripting => "scripting is on".to_owned(),
        Guard::FramesetOk => "frameset-ok is \"ok\"".to_owned(),
        Guard::NotQuirks => "not in quirks mode".to_owned(),
        Guard::Form => "the form pointer is set".to_owned(),
        Guard::Hidden => "its `type` is `hidden`".to_owned(),
        Guard::NotHidden => "its `type` is not `hidden`".to_owned(),
        Guard::Attribute(any) => {
            let any: Vec<String> = any.iter().map(|name| format!("`{name}`")).collect();
            format!("it has {}", any.join(" or "))
        }
    }
}

/// Describes the actions of a row in the words of the standard.
fn actions(actions: &[Action]) -> String {
    match actions.is_empty() {
        true => "ignore it".to_owned(),
        false => actions.iter().map(action).collect::<Vec<_>>().join("; "),
    }
}

fn action(action: &Action) -> String {
    let plain = match action {
        Action::Error(code) => return format!("parse error `{}`", code.as_str()),
        Action::If((guards, then)) => {
            let guards: Vec<String> = guards.iter().map(guard).collect();
            return format!("if {}: ({})", guards.join(" and "), actions(then));
        }
        Action::Imply(name) => return format!("insert `<{}>` without attributes", name.name()),
        Action::InsertForeign(Space::Svg) => "insert an element of SVG",
        Action::InsertForeign(_) => "insert an element of MathML",
        Action::PopThrough(of) => return format!("pop through {}", group(*of)),
        Action::Close(of) => return format!("close {}", group(*of)),
        Action::PopTo(of) => return format!("pop until the current node is {}", group(*of)),
        Action::ImplyEnds(of) => return format!("generate implied end tags: {}", group(*of)),
        Action::Enter(mode) => return format!("enter {}", link(*mode)),
        Action::Turn(mode) => return format!("turn to {}", link(*mode)),
        Action::As(mode) => return format!("as {}", link(*mode)),
        Action::Foster(mode) => return format!("foster, as {}", link(*mode)),
        Action::Rename(name) => {
            return format!("treat it as the start tag `<{}>`", name.name());
        }
        Action::Tokenize(state) => return format!("switch the tokenizer to {}", tokenizer(*state)),
        Action::HoldsText(state) => {
            return format!(
                "switch the tokenizer to {}, enter {}",
                tokenizer(*state),
                link(Mode::Text)
            );
        }
        Action::Insert => "insert an element",
        Action::Void => "insert an element; pop it; acknowledge a self-closing tag",
        Action::InsertAlike => "insert an element of the adjusted current node's namespace",
        Action::Pop => "pop the current node",
        Action::CloseSame => "close the element with the tag's name",
        Action::ExpectSame => "parse error unless the current node has the tag's name",
        Action::CloseAny => "*any other end tag*",
        Action::CloseForeign => "*foreign end tag*",
        Action::BreakOut => "pop until the content of the current node may be HTML",
        Action::EndForm => "remove the form from the stack; unset the form pointer",
        Action::InHeadAgain => "open the `head` again; as [in head](#in-head); close the `head`",
        Action::DropBody => "remove the `body`, pop all but the root",
        Action::Reconstruct => "reconstruct",
        Action::PushFormatting => "push it onto the list of active formatting elements",
        Action::PushMarker => "insert a marker",
        Action::ClearToMarker => {
            "clear the list of active formatting elements up to the last marker"
        }
        Action::Adopt => "*adoption agency*",
        Action::AdoptPrior => {
            "*adoption agency* for an `a` after the last marker; remove this `a` from the list and the stack"
        }
        Action::InsertText => "insert the character",
        Action::InsertReplacement => "insert U+FFFD",
        Action::InsertComment => "insert it",
        Action::CommentOnDocument => "append it to the document",
        Action::CommentOnHtml => "append it to the root",
        Action::AddMissingToHtml => "add the attributes that the root does not have to the root",
        Action::AddMissingToBody => {
            "add the attributes that the `body` does not have to the `body`"
        }
        Action::InsertDoctype => "append it to the document; set quirks mode accordingly",
        Action::NoDoctype => {
            "parse error unless the document is an `iframe srcdoc` document; set quirks mode"
        }
        Action::HoldText => "start to store text",
        Action::HoldCharacters => "store it",
        Action::ReleaseText => "insert the stored text; foster it unless it is whitespace only",
        Action::Resume => "resume",
        Action::AsHtml => "as in the insertion mode",
        Action::Reprocess => "reprocess",
        Action::Stop => "stop parsing",
        Action::SetHead => "set the head pointer",
        Action::SetForm => "set the form pointer",
        Action::InsertTemplate => "*insert a template, or the shadow root that it declares*",
        Action::InsertPatch => "*insert a template that patches*",
        Action::EndPatch => "end the insertion of the innermost `template` at its marker",
        Action::FramesetOkAgain => "frameset-ok is \"ok\"",
        Action::FramesetNotOk => "frameset-ok is \"not ok\"",
        Action::SkipNewline => "ignore a line feed that follows",
        Action::EndScript => "if it is a script that runs, mark it as ended",
    };
    plain.to_owned()
}

fn tokenizer(state: InitialState) -> &'static str {
    match state {
        InitialState::Rcdata => "RCDATA",
        InitialState::Rawtext => "RAWTEXT",
        InitialState::ScriptData => "script data",
        InitialState::Plaintext => "PLAINTEXT",
        _ => "data",
    }
}

/// Returns the row of the generated page for an element: the sets that contain the element, and the modes with rows for
/// its tags.
fn of_element(element: &ElementName) -> String {
    let number = *element as usize;
    let mut is: Vec<String> = Vec::new();
    for (named, set) in [
        ("special", schema::SPECIAL_NAMES),
        ("formatting", html_facts::FORMATTING),
        ("block", schema::BLOCKS),
        ("boundary of scopes", schema::BOUNDARIES),
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
