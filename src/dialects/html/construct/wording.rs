//! The schema in the words of the standard: the tokens, guards and actions of rows as text with a little Markdown. The
//! test of `docs/html-schema.md` and the trace of tree construction use these functions.

use super::modes::Mode;
use super::notation::{Action, Guard};
use super::rules::{Group, Scope, Scoped, TokenKind, Tokens};
use super::schema::{FOREIGN, GROUP_NAMES, GROUPS, MODE_NAMES, OTHERS, SCOPES};
use crate::dialects::html::names::{KNOWN_NAMES, Names, Space};
use crate::dialects::html::options::InitialState;
use crate::engine::text::html_element_names::ElementName;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Maximum size of a set of elements that is listed wherever the set is used. A larger set is listed once and
/// referred to by its name.
pub(super) const MAX_LISTED: usize = 5;

pub(super) const ALL_SCOPES: [Scope; 7] = [
    Scope::Default,
    Scope::Button,
    Scope::List,
    Scope::Table,
    Scope::Item,
    Scope::Open,
    Scope::Around,
];

pub(super) fn scope_name(scope: Scope) -> &'static str {
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
pub(super) fn all(set: Names) -> Vec<&'static str> {
    let members = ElementName::ALL.iter().filter(|name| set.holds(**name));
    members.map(|name| name.name()).collect()
}

/// Splits an identifier of the source, such as `InTableBody` or `IMPLIED_ALL`, into lowercase words.
pub(super) fn words(name: &str) -> String {
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

pub(super) fn anchor(mode: &str) -> String {
    words(mode).replace(' ', "-")
}

pub(super) fn link(mode: Mode) -> String {
    let name = MODE_NAMES[mode as usize];
    format!("[{}](#{})", words(name), anchor(name))
}

/// Describes the tokens of a row.
pub(super) fn tokens(tokens: &Tokens) -> String {
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
pub(super) fn tags(set: Names, open: &str, which: &str) -> Option<String> {
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
pub(super) fn scoped(asked: Scoped) -> String {
    if asked.meets(OTHERS) || asked.meets(FOREIGN) {
        return "an element that may not stay open is on the stack".to_owned();
    }
    let mut said = Vec::new();
    for scope in ALL_SCOPES {
        let members = |name: &&ElementName| {
            SCOPES
                .scoped(scope as usize, Names::of(&[**name]))
                .meets(asked)
        };
        let found: Vec<String> = ElementName::ALL
            .iter()
            .filter(members)
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
pub(super) fn group(asked: Group) -> String {
    let mut said = Vec::new();
    for ((group, members), name) in GROUPS.iter().zip(GROUP_NAMES) {
        if group.meets(asked) {
            said.push(match all(*members).len() > MAX_LISTED {
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
pub(super) fn guard(guard: &Guard) -> String {
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
pub(super) fn actions(actions: &[Action]) -> String {
    match actions.is_empty() {
        true => "ignore it".to_owned(),
        false => actions.iter().map(action).collect::<Vec<_>>().join("; "),
    }
}

pub(super) fn action(action: &Action) -> String {
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

pub(super) fn tokenizer(state: InitialState) -> &'static str {
    match state {
        InitialState::Rcdata => "RCDATA",
        InitialState::Rawtext => "RAWTEXT",
        InitialState::ScriptData => "script data",
        InitialState::Plaintext => "PLAINTEXT",
        _ => "data",
    }
}
