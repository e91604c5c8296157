//! Edits of trees. The result is the same, and ids map to the same nodes, after the document has released the memory of
//! removed nodes.

use tagstream::{Document, Error, Html, Insertion, NodeId, Place, Xml};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/edits.txt");
    let cases = cases::cases("tests/data/edits.txt", text);
    cases::add(program, cases, prefix, check);
}

fn prefix(case: &Case) -> &'static str {
    match is_xml(case) {
        true => "xml/edits",
        false => "html/edits",
    }
}

fn is_xml(case: &Case) -> bool {
    case.option("dialect") == Some("xml")
}

fn check(case: &Case) -> Result<(), Failed> {
    let is_xml = is_xml(case);
    let input = case.input_text()?;
    let more = String::from_utf8(case.bytes("with").unwrap_or_default())?;
    let mut document = match is_xml {
        true => Document::parse(Xml::strict(), input)?,
        false => Document::parse(Html::default(), input)?,
    };
    let edits: Vec<&str> = case.texts("edit").collect();
    let mut refused = String::new();
    for edit in edits {
        if let Err(error) = change(&mut document, edit, &more)? {
            refused = error.as_str().to_owned();
            break;
        }
    }
    case.expect("error", &refused)?;
    let written = written(&document, is_xml)?;
    case.expect("markup", &written)?;
    compacted(document, is_xml, &written)
}

/// Makes one edit. The inner result is that of the library's method.
pub(crate) fn change(
    document: &mut Document,
    step: &str,
    more: &str,
) -> Result<Result<(), Error>, Failed> {
    let mut words = step.split(' ');
    let mut word = || words.next().ok_or(format!("{step:?} is no step"));
    let (node, what) = (word()?, word()?);
    let node = match find(document, node, more)? {
        Ok(node) => node,
        Err(error) => return Ok(Err(error)),
    };
    let placed = |document: &Document, target: &str, place: fn(NodeId) -> Place| {
        let target = select(document, target)?;
        Ok::<Place, Failed>(place(target))
    };
    let edited = match what {
        "rename" => document.rename(node, word()?),
        "set" => {
            let (name, value) = word()?.split_once('=').ok_or("a value")?;
            document.set_attribute(node, name, value)
        }
        "unset" => return is_done(document.remove_attribute(node, word()?)),
        "remove" => return is_done(document.remove(node)),
        "clear" => document.remove_children(node),
        "unwrap" => document.unwrap(node),
        "text" => document.set_text(node, more),
        "inner-html" => return Ok(document.set_inner_html(node, more)),
        "inner-xml" => return Ok(document.set_inner_xml(node, more)),
        "append-text" => document.append_text(node, more),
        "append" => {
            let insertion = insertion(document, word()?, more)?;
            document.append(node, insertion).map(|_| ())
        }
        "prepend" => {
            let insertion = insertion(document, word()?, more)?;
            document.prepend(node, insertion).map(|_| ())
        }
        "insert-before" => {
            let insertion = insertion(document, word()?, more)?;
            let place = Place::Before(node);
            document.insert_adjacent(place, insertion).map(|_| ())
        }
        "insert-after" => {
            let insertion = insertion(document, word()?, more)?;
            let place = Place::After(node);
            document.insert_adjacent(place, insertion).map(|_| ())
        }
        "before-html" => return Ok(document.insert_adjacent_html(Place::Before(node), more)),
        "after-html" => return Ok(document.insert_adjacent_html(Place::After(node), more)),
        "first-html" => return Ok(document.insert_adjacent_html(Place::FirstIn(node), more)),
        "last-html" => return Ok(document.insert_adjacent_html(Place::LastIn(node), more)),
        "before-xml" => return Ok(document.insert_adjacent_xml(Place::Before(node), more)),
        "after-xml" => return Ok(document.insert_adjacent_xml(Place::After(node), more)),
        "first-xml" => return Ok(document.insert_adjacent_xml(Place::FirstIn(node), more)),
        "last-xml" => return Ok(document.insert_adjacent_xml(Place::LastIn(node), more)),
        "before" => {
            let place = placed(document, word()?, Place::Before)?;
            document.insert(node, place)
        }
        "after" => {
            let place = placed(document, word()?, Place::After)?;
            document.insert(node, place)
        }
        "first-in" => {
            let place = placed(document, word()?, Place::FirstIn)?;
            document.insert(node, place)
        }
        "last-in" => {
            let place = placed(document, word()?, Place::LastIn)?;
            document.insert(node, place)
        }
        _ => return Err(format!("{what:?} is no change").into()),
    };
    Ok(edited.map_err(Error::from))
}

/// Returns the node or the new content to insert.
fn insertion<'a>(
    document: &Document,
    word: &'a str,
    more: &'a str,
) -> Result<Insertion<'a>, Failed> {
    Ok(match (word, word.strip_prefix("new:")) {
        ("text", _) => more.into(),
        ("comment", _) => Insertion::Comment(more),
        (_, Some(name)) => Insertion::Element(name),
        _ => select(document, word)?.into(),
    })
}

fn is_done(done: bool) -> Result<Result<(), Error>, Failed> {
    match done {
        true => Ok(Ok(())),
        false => Err("there was nothing to remove".into()),
    }
}

/// Returns the node to edit: a node that a selector finds, or a new node.
fn find(document: &mut Document, node: &str, more: &str) -> Result<Result<NodeId, Error>, Failed> {
    let made = match (node, node.split_once(':')) {
        ("text", _) => document.new_text(more),
        ("comment", _) => document.new_comment(more),
        (_, Some(("new", name))) => document.new_element(name),
        _ => return Ok(Ok(select(document, node)?)),
    };
    Ok(made.map_err(Error::from))
}

fn select(document: &Document, node: &str) -> Result<NodeId, Failed> {
    let (selector, child) = node.rsplit_once("/child[").unwrap_or((node, ""));
    let child = child.trim_end_matches(']');
    let node = match selector {
        "document" => Some(document.root()),
        _ => document.select(selector)?.next(),
    };
    let node = match child {
        "" => node,
        _ => {
            let number: usize = child.parse()?;
            node.and_then(|node| node.children().nth(number))
        }
    };
    Ok(node.ok_or(format!("no node {selector:?}"))?.id())
}

fn written(document: &Document, is_xml: bool) -> Result<String, Failed> {
    let body = document.select("body")?.next().filter(|_| !is_xml);
    Ok(match (body, is_xml) {
        (Some(body), _) => body.to_inner_html(),
        (None, true) => tagstream::tree::Serializer::xml()
            .inner(true)
            .to_string(document.root())
            .unwrap(),
        (None, false) => document.to_html(),
    })
}

/// Compacts the document. Asserts that the markup does not change, and that the map contains the new id of each node.
fn compacted(mut document: Document, is_xml: bool, before: &str) -> Result<(), Failed> {
    let named = |document: &Document| -> Vec<(NodeId, String)> {
        let all = document.root().descendants();
        all.map(|node| {
            (
                node.id(),
                format!("{:?} {}{}", node.kind(), node.name(), node.text()),
            )
        })
        .collect()
    };
    let old = named(&document);
    let map = document.compact();
    let moved: Option<Vec<_>> = old
        .into_iter()
        .map(|(id, node)| Some((map.get(id)?, node)))
        .collect();
    let (new, after) = (named(&document), written(&document, is_xml)?);
    match moved.is_some_and(|moved| moved == new) && after == before {
        true => Ok(()),
        false => Err(format!("compacted, it is {after:?}, {new:?}").into()),
    }
}
