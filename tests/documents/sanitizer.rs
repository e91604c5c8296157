//! Sanitizers of every configuration: rows of what is said of one, markup, and what stays of it. Behind `@` stand the
//! configuration that it begins with, the lists, and with `in:` the element that the markup is in; `_` is a space in
//! the name of an element. What stays of the tree, if that is more than of the string, stands behind `;`.

use tagstream::{Document, Html, Sanitizer, Xml};
use testing::rows::{Row, rows};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for row in rows(include_str!("../data/sanitizer.txt")) {
        program.case(row.name("html/sanitizer"), move || check(&row));
    }
    program.case(
        "html/sanitizer/data attributes are in no namespace",
        data_attributes,
    );
}

/// Those of other namespaces come from XML, or from who changed the tree.
fn data_attributes() -> Result<(), Failed> {
    let xml = "<p xmlns='http://www.w3.org/1999/xhtml' xmlns:n='u' n:data-a='1' data-b='2'/>";
    let mut document = Document::parse(Xml::default(), xml)?;
    Sanitizer::allow_nothing()
        .allow_elements(&["p"])
        .data_attributes(true)
        .sanitize(&mut document);
    let found = document.root_element().ok_or("a root")?.to_html();
    match found.as_str() {
        "<p data-b=\"2\"></p>" => Ok(()),
        _ => Err(found.into()),
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let (mut sanitizer, mut context) = (Sanitizer::default(), "div".to_owned());
    for word in row.context.split_ascii_whitespace() {
        match word.split_once(':') {
            Some(("in", element)) => context = element.replace('_', " "),
            _ => sanitizer = said(sanitizer, word)?,
        }
    }
    let input = String::from_utf8(row.input.clone())?;
    let string = sanitizer.clean_in(&context, &input)?;
    let mut document = Document::parse(Html::fragment(&context)?, input)?;
    let root = document.root_element().ok_or("a root")?.id();
    sanitizer.sanitize_below(&mut document, root);
    let tree = document.node(root).ok_or("a root")?.to_inner_html();
    let found = match tree == string {
        true => tree,
        false => format!("{string} ; {tree}"),
    };
    Ok(row.compare(found.replace('\n', "\\n").trim_start())?)
}

/// The sanitizer of which this is said, too.
fn said(sanitizer: Sanitizer, word: &str) -> Result<Sanitizer, Failed> {
    let (what, list) = word.split_once(':').unwrap_or((word, ""));
    let list = list.replace('_', " ");
    let names: Vec<&str> = list.split(',').collect();
    let (element, attributes) = list.split_once('@').unwrap_or(("", &list));
    let attributes: Vec<&str> = attributes.split(',').collect();
    Ok(match what {
        "default" => Sanitizer::default(),
        "user" => Sanitizer::user_content(),
        "all" => Sanitizer::allow_all(),
        "nothing" => Sanitizer::allow_nothing(),
        "allow" => sanitizer.allow_elements(&names),
        "remove" => sanitizer.remove_elements(&names),
        "replace" => sanitizer.replace_with_children(&names),
        "allow-attributes" if element.is_empty() => sanitizer.allow_attributes(&attributes),
        "allow-attributes" => sanitizer.allow_attributes_on(element, &attributes),
        "remove-attributes" if element.is_empty() => sanitizer.remove_attributes(&attributes),
        "remove-attributes" => sanitizer.remove_attributes_on(element, &attributes),
        "comments" => sanitizer.comments(true),
        "no-comments" => sanitizer.comments(false),
        "data" => sanitizer.data_attributes(true),
        "no-data" => sanitizer.data_attributes(false),
        "instructions" => sanitizer.processing_instructions(true),
        "no-instructions" => sanitizer.processing_instructions(false),
        "allow-instructions" => sanitizer.allow_processing_instructions(&names),
        "remove-instructions" => sanitizer.remove_processing_instructions(&names),
        "schemes" => sanitizer.url_schemes(&names),
        "rel" => sanitizer.link_rel(&list),
        _ => return Err(format!("{word:?} says nothing").into()),
    })
}
