//! Events of documents with awkward content, and the same events with an edit. This is a model of the rewriter: it
//! shares no code with it.

use super::{Awkward, Kind, Op};
use crate::rewriting::nodes::is_html;
use tagstream::{Balance, Event, Form, Parser, Xml};

/// An event, without its position. Texts that follow each other are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Start(String, Vec<(String, String)>),
    End(String),
    Text(String),
    Comment(String),
    Instruction(String, String),
    Doctype,
}

/// Returns the events of a document, or `None` if the document cannot be read, or is cut off inside a token.
pub fn read<D: Balance>(dialect: &D, is_balanced: bool, text: &str) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let parser = Parser::new(dialect.clone());
    let is_read = match is_balanced {
        true => pass(parser.balanced(), text, &mut items),
        false => pass(parser, text, &mut items),
    };
    if !is_balanced && is_html::<D>() {
        drop_newlines(&mut items);
    }
    is_read.then_some(items)
}

/// Removes the newlines that a parser of HTML ignores at the start of an element.
fn drop_newlines(items: &mut Vec<Item>) {
    for at in 1..items.len() {
        let (before, after) = items.split_at_mut(at);
        if let [.., Item::Start(name, _)] = before
            && ["pre", "listing", "textarea"].contains(&name.as_str())
            && let [Item::Text(text), ..] = after
            && text.starts_with('\n')
        {
            text.remove(0);
        }
    }
    items.retain(|item| *item != Item::Text(String::new()));
}

fn pass<D: Balance, F: Form>(mut parser: Parser<D, F>, text: &str, items: &mut Vec<Item>) -> bool {
    parser.feed(text);
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(event)) if event.is_complete() => push(items, &event),
            Ok(None) => return true,
            _ => return false,
        }
    }
}

fn push(items: &mut Vec<Item>, event: &Event<'_>) {
    items.push(match event {
        Event::Start(tag) => {
            let attributes = tag.attributes();
            let attributes = attributes.map(|one| (one.name().to_owned(), one.value().to_owned()));
            Item::Start(tag.name().to_owned(), attributes.collect())
        }
        Event::End(tag) => Item::End(tag.name().to_owned()),
        Event::Text(text) => return push_text(items, text.as_str()),
        Event::Comment(comment) => Item::Comment(comment.as_str().to_owned()),
        Event::ProcessingInstruction(one) => {
            Item::Instruction(one.target().to_owned(), one.data().to_owned())
        }
        Event::Doctype(_) => Item::Doctype,
        _ => return,
    });
}

fn push_text(items: &mut Vec<Item>, text: &str) {
    match items.last_mut() {
        Some(Item::Text(last)) => last.push_str(text),
        _ if text.is_empty() => {}
        _ => items.push(Item::Text(text.to_owned())),
    }
}

/// Joins texts that follow each other.
fn joined(items: Vec<Item>) -> Vec<Item> {
    let mut joined = Vec::new();
    for item in items {
        match item {
            Item::Text(text) => push_text(&mut joined, &text),
            other => joined.push(other),
        }
    }
    joined
}

/// Returns true if the tags of an element, as they are written, are in a document once.
pub fn has_tags<D: Balance>(dialect: &D, name: &str, text: &str) -> bool {
    let items = read(dialect, false, text).unwrap_or_default();
    let count = |is_it: &dyn Fn(&Item) -> bool| items.iter().filter(|item| is_it(item)).count();
    count(&|item| matches!(item, Item::Start(other, _) if other == name)) == 1
        && count(&|item| matches!(item, Item::End(other) if other == name)) == 1
}

/// Returns whether each start tag of a document has an end tag, in a dialect other than HTML.
pub fn has_all_ends<D: Balance>(dialect: &D, text: &str) -> bool {
    let items = read(dialect, false, text).unwrap_or_default();
    let starts = items.iter().filter(|item| matches!(item, Item::Start(..)));
    let ends = items.iter().filter(|item| matches!(item, Item::End(_)));
    is_html::<D>() || starts.count() == ends.count()
}

/// Returns items without whitespace at the ends of texts.
pub fn trimmed(items: Vec<Item>) -> Vec<Item> {
    let trim = |item| match item {
        Item::Text(text) => Item::Text(text.trim().to_owned()),
        other => other,
    };
    let items = items.into_iter().map(trim);
    items
        .filter(|item| *item != Item::Text(String::new()))
        .collect()
}

/// Returns the items of a list without those of a range, and others in their place.
fn replaced(items: &[Item], from: usize, to: usize, by: &[Item]) -> Vec<Item> {
    [&items[..from], by, &items[to..]].concat()
}

/// Returns the events of a document with an edit, or `None` if the document does not have the edited element once, or
/// the part of it that is edited.
pub fn edited<D: Balance>(
    dialect: &D,
    awkward: &Awkward,
    content: &str,
    before: &[Item],
) -> Option<Vec<Item>> {
    let is_edited = |item: &Item| matches!(item, Item::Start(name, _) if name == awkward.element);
    let is_end = |item: &Item| matches!(item, Item::End(name) if name == awkward.element);
    let (mut starts, mut ends) = (
        before.iter().filter(|item| is_edited(item)),
        before.iter().filter(|item| is_end(item)),
    );
    let is_once = starts.next().is_some() && starts.next().is_none();
    let is_once = is_once && ends.next().is_some() && ends.next().is_none();
    let start = before.iter().position(is_edited).filter(|_| is_once)?;
    let end = before.iter().position(is_end).filter(|end| start < *end)?;
    let inserted = match awkward.is_markup {
        true => fragment(dialect, awkward, content),
        false => vec![Item::Text(content.to_owned())],
    };
    let insert = |from: usize, to: usize| joined(replaced(before, from, to, &inserted));
    Some(match awkward.op {
        Op::Before => insert(start, start),
        Op::After => insert(end + 1, end + 1),
        Op::Prepend => insert(start + 1, start + 1),
        Op::Append => insert(end, end),
        Op::Content => insert(start + 1, end),
        Op::Remove => joined(replaced(before, start, end + 1, &[])),
        Op::Text => {
            let texts = before[start + 1..end].iter();
            let texts = texts.filter(|item| matches!(item, Item::Text(_)));
            if texts.count() != 1 {
                return None;
            }
            let inside = &before[start + 1..end];
            let at = inside
                .iter()
                .position(|item| matches!(item, Item::Text(_)))?;
            insert(start + 1 + at, start + 2 + at)
        }
        Op::Comment => {
            let inside = &before[start + 1..end];
            let at = inside
                .iter()
                .position(|item| matches!(item, Item::Comment(_)))?;
            let at = start + 1 + at;
            replaced(before, at, at + 1, &[Item::Comment(content.to_owned())])
        }
        Op::Rename => {
            let Item::Start(_, attributes) = &before[start] else {
                return None;
            };
            let mut items = before.to_vec();
            items[start] = Item::Start(renamed(awkward, content), attributes.clone());
            items[end] = Item::End(renamed(awkward, content));
            items
        }
        Op::SetAttribute => attribute(before, start, "a", Some(content)),
        Op::AddAttribute => attribute(before, start, "c", Some(content)),
        Op::NameAttribute => attribute(before, start, &renamed(awkward, content), Some("v")),
        Op::RemoveAttribute => attribute(before, start, "a", None),
    })
}

/// Returns a new name as it is read.
fn renamed(awkward: &Awkward, name: &str) -> String {
    match awkward.kind {
        Kind::Html => name.to_ascii_lowercase(),
        _ => name.to_owned(),
    }
}

/// Sets or removes an attribute of a start tag.
fn attribute(items: &[Item], at: usize, name: &str, value: Option<&str>) -> Vec<Item> {
    let mut items = items.to_vec();
    let Item::Start(_, attributes) = &mut items[at] else {
        return items;
    };
    let found = attributes.iter().position(|(other, _)| other == name);
    match (value, found) {
        (Some(value), Some(at)) => attributes[at].1 = value.to_owned(),
        (Some(value), None) => attributes.push((name.to_owned(), value.to_owned())),
        (None, Some(at)) => drop(attributes.remove(at)),
        (None, None) => {}
    }
    items
}

/// Returns the events of markup in an element.
fn fragment<D: Balance>(dialect: &D, awkward: &Awkward, markup: &str) -> Vec<Item> {
    let (start, end) = match awkward.kind {
        Kind::Html => ("<div>", "</div>"),
        _ => ("<r>", "</r>"),
    };
    let items = read(dialect, false, &[start, markup, end].concat()).unwrap_or_default();
    match items.len() {
        0 | 1 => Vec::new(),
        length => items[1..length - 1].to_vec(),
    }
}

/// Returns the reason why markup is not a fragment of XML, if it is not. In the other dialects, the events of the
/// document say whether it is a fragment.
pub fn problem_of_fragment(kind: Kind, markup: &str) -> Option<String> {
    if !matches!(kind, Kind::Xml | Kind::StrictXml) {
        return None;
    }
    let mut parser = Parser::new(Xml::strict());
    parser.feed(["<r>", markup, "</r>"].concat());
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error.to_string()),
        }
    }
}
