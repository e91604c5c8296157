//! Selectors: rows of a selector, a document and the ids of what is selected (the names of elements that have
//! none). Behind `;` is what streams refuse; what they do not must be selected there too. `!` is before a message,
//! `!quirks` and `!in CONTEXT<` before documents of HTML without a DOCTYPE and fragments; the others have one. The
//! prefix `p` means `uri`.

use tagstream::select::Selector;
use tagstream::{Balance, Buildable, Document, Events, Html, Node, Xml};
use testing::rows::{Row, rows};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for row in rows(include_str!("../data/select.txt")) {
        let dialect = match row.section.starts_with("XML") {
            true => "xml/select",
            false => "html/select",
        };
        program.case(row.name(dialect), move || check(&row));
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let selector = row.context.replace("\\s", " ").replace("\\\\", "\\");
    let selector = match Selector::builder().namespace("p", "uri").build(&selector) {
        Ok(selector) => selector,
        Err(error) => return Ok(row.compare(&format!("! {error}"))?),
    };
    let input = String::from_utf8(row.input.clone())?;
    let found = match row.section.starts_with("XML") {
        true => both(Xml::default(), &selector, &input)?,
        false => match input.strip_prefix('!') {
            None => both(
                Html::default(),
                &selector,
                &format!("<!DOCTYPE html>{input}"),
            )?,
            Some(rest) if rest.starts_with("quirks") => {
                both(Html::default(), &selector, &rest["quirks".len()..])?
            }
            Some(rest) => {
                let (context, rest) = rest.split_once('<').ok_or("a context")?;
                let context = context.trim_start_matches("in ");
                both(Html::fragment(context)?, &selector, &format!("<{rest}"))?
            }
        },
    };
    Ok(row.compare(found.trim_end())?)
}

/// What is selected in the tree, and what streams say of it.
fn both<D: Balance + Buildable>(
    dialect: D,
    selector: &Selector,
    input: &str,
) -> Result<String, Failed> {
    let page = Document::parse(dialect.clone(), input)?;
    let found: Vec<String> = page.select(selector)?.map(|node| id(&node)).collect();
    let one_by_one = page.root().descendants().filter(|node| node.is_element());
    let one_by_one = one_by_one.filter(|node| node.matches(selector) == Ok(true));
    let one_by_one: Vec<String> = one_by_one.map(|node| id(&node)).collect();
    // `:scope` is the element itself where one is asked.
    if one_by_one != found && !selector.to_string().contains(":scope") {
        return Err(format!("one by one: {one_by_one:?}, not {found:?}").into());
    }
    let found = found.join(" ");
    match streamed(dialect, selector, input) {
        Err(refused) => {
            let (what, rest) = refused
                .split_once(" is not supported on streams")
                .ok_or(refused.clone())?;
            let offset = rest.rsplit_once("(offset ").ok_or(refused.clone())?.1;
            let offset = offset.trim_end_matches(')');
            Ok(format!("{found} ; {what} at {offset}")
                .trim_start()
                .to_owned())
        }
        Ok(streamed) if streamed == found => Ok(found),
        Ok(streamed) => Err(format!("streamed: {streamed}, not {found}").into()),
    }
}

fn streamed<D: Balance>(dialect: D, selector: &Selector, input: &str) -> Result<String, String> {
    let mut events = Events::of(dialect, input).as_written().balanced();
    let mut matches = events.select(selector).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    while let Some(one) = matches.next_match().map_err(|error| error.to_string())? {
        let tag = one.tag();
        found.push(tag.attribute("id").unwrap_or(tag.name()).to_owned());
    }
    Ok(found.join(" "))
}

fn id(node: &Node<'_>) -> String {
    node.attribute("id").unwrap_or(node.name()).to_owned()
}
