//! The output of a rewriter with a few edits.

use crate::changes::{Changes, Range};
use crate::json::{self, Value};
use crate::options::{DialectId, Options};
use std::collections::HashSet;
use tagstream::select::SelectorId;
use tagstream::{
    Balance, Buildable, Content, Document, Nested, Node, RewriteError, RewriteEvent, Rewriter,
    Selector, TreeBuilder,
};

/// Maximum number of edits.
const MAX_EDITS: usize = 100;

/// Passes a document on with edits. `options` are those of a session. `edits` is a JSON array of objects:
///
/// - `selector`: the elements to edit.
/// - `action`: `remove`, `unwrap`, `rename`, `set_attribute`, `remove_attribute`, `before`, `after`, `prepend`,
///   `append`, `set_content` or `set_text`.
/// - `name`: the name of the attribute, or the new name of the element.
/// - `value`: the value of the attribute, the markup that is inserted, or the text of `set_text`.
///
/// Returns `{"output":…,"changed":[[begin,end]…]}` or `{"error":…}`. An edit that cannot be made is an error. `changed` has
/// the ranges of the output that edits have changed, as UTF-16 offsets. They are ascending, and neither overlap nor touch
/// each other. An empty range is the place of a removal. The output without these ranges consists of parts of the source, in
/// their order.
pub fn rewrite(text: &str, options: &str, edits: &str) -> String {
    let mut out = String::from("{");
    match write(text, options, edits) {
        Ok((output, changed)) => {
            json::string_field("output", &output, &mut out);
            json::key_of("changed", &mut out);
            json::list(changed, &mut out, |(begin, end), out| {
                json::range((begin as u32, end as u32), out);
            });
        }
        Err(error) => json::string_field("error", &error, &mut out),
    }
    out.push('}');
    out
}

/// The output, and the changed ranges.
type Output = (String, Vec<Range>);

fn write(text: &str, options: &str, edits: &str) -> Result<Output, String> {
    let options = Options::parse(options)?;
    let edits = parse(edits)?;
    match options.dialect {
        DialectId::Html => run(options.html()?, text, edits),
        DialectId::Xml => run(options.xml()?, text, edits),
        DialectId::MicroXml => run(options.microxml()?, text, edits),
        DialectId::Sky => run(options.sky(text.bytes().next())?, text, edits),
        DialectId::LeafXml => run(options.leafxml()?, text, edits),
    }
}

/// The change that an edit makes to each element that its selector selects.
enum Action {
    Remove,
    Unwrap,
    Rename(String),
    SetAttribute(String, String),
    RemoveAttribute(String),
    Before(String),
    After(String),
    Prepend(String),
    Append(String),
    SetContent(String),
    SetText(String),
}

struct Edit {
    selector: Selector,
    action: Action,
}

fn parse(edits: &str) -> Result<Vec<Edit>, String> {
    let Value::Array(edits) = json::parse(edits)? else {
        return Err("the edits are not an array".to_owned());
    };
    if edits.len() > MAX_EDITS {
        return Err(format!("there are more than {MAX_EDITS} edits"));
    }
    edits.iter().map(parse_edit).collect()
}

fn parse_edit(edit: &Value) -> Result<Edit, String> {
    let text = |key: &str| match edit.get(key) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("the member {key:?} of an edit is not a string")),
    };
    let selector = text("selector")?;
    let selector = Selector::new(&selector).map_err(|error| format!("`{selector}`: {error}"))?;
    let action = text("action")?;
    let action = match &*action {
        "remove" => Action::Remove,
        "unwrap" => Action::Unwrap,
        "rename" => Action::Rename(text("name")?),
        "set_attribute" => Action::SetAttribute(text("name")?, text("value")?),
        "remove_attribute" => Action::RemoveAttribute(text("name")?),
        "before" => Action::Before(text("value")?),
        "after" => Action::After(text("value")?),
        "prepend" => Action::Prepend(text("value")?),
        "append" => Action::Append(text("value")?),
        "set_content" => Action::SetContent(text("value")?),
        "set_text" => Action::SetText(text("value")?),
        _ => return Err(format!("no action has the name {action:?}")),
    };
    Ok(Edit { selector, action })
}

/// The way in which the elements of an edit are found.
enum Matcher {
    /// Start tags decide the selector.
    Stream(SelectorId),
    /// The selector was applied to the tree. The elements are identified by the offset of their start tag and their
    /// name.
    Tree(HashSet<(u64, String)>),
}

impl Matcher {
    /// Finds the elements of a selector in the tree.
    fn in_tree(document: &Document, selector: &Selector) -> Result<Matcher, String> {
        let nodes = document
            .select(selector)
            .map_err(|error| error.to_string())?;
        let tag = |node: Node<'_>| Some((node.span()?.start, node.name().to_owned()));
        Ok(Matcher::Tree(nodes.filter_map(tag).collect()))
    }

    fn matches(&self, event: &RewriteEvent<'_>) -> bool {
        match (self, event.as_start()) {
            (Matcher::Stream(id), Some(_)) => event.is_selected(*id),
            (Matcher::Tree(tags), Some(tag)) => {
                tags.contains(&(tag.span().start, tag.name().to_owned()))
            }
            (_, None) => false,
        }
    }
}

fn run<D: Balance + Buildable>(dialect: D, text: &str, edits: Vec<Edit>) -> Result<Output, String> {
    let mut rewriter = Rewriter::new(dialect.clone()).balanced();
    let mut matchers = Vec::new();
    let mut document = None;
    for edit in &edits {
        matchers.push(match rewriter.select(&edit.selector) {
            Ok(id) => Matcher::Stream(id),
            // Start tags alone do not decide this selector.
            Err(_) => {
                let document = match &mut document {
                    Some(document) => document,
                    None => document.insert(tree(dialect.clone(), text)?),
                };
                Matcher::in_tree(document, &edit.selector)?
            }
        });
    }
    // A string: whatever encoding the document declares, the output is UTF-8.
    rewriter.feed(text);
    rewriter.finish();
    let rules: Vec<(&Matcher, &Action)> = matchers
        .iter()
        .zip(edits.iter().map(|edit| &edit.action))
        .collect();
    let mut changes = Changes::new(text);
    pump(&mut rewriter, &rules, &mut changes).map_err(|error| error.to_string())?;
    Ok(changes.finish())
}

fn tree<D: Buildable>(dialect: D, text: &str) -> Result<Document, String> {
    let mut builder = TreeBuilder::new(dialect).positions(true);
    let built = builder.feed(text).and_then(|()| builder.finish());
    built.map_err(|error| error.to_string())
}

fn pump<D: Balance>(
    rewriter: &mut Rewriter<D, Nested>,
    rules: &[(&Matcher, &Action)],
    changes: &mut Changes<'_>,
) -> Result<(), RewriteError> {
    loop {
        let Some(mut event) = rewriter.next_event()? else {
            break;
        };
        let span = event.event().span();
        let is_edited = edit(&mut event, rules)?;
        drop(event);
        let before = changes.output.len();
        rewriter.output_to(&mut changes.output);
        changes.pass((span.start as usize, span.end as usize), before, is_edited);
    }
    rewriter.output_to(&mut changes.output);
    Ok(())
}

/// Applies the edits whose selectors match. Returns whether one did.
///
/// Not inline, so that the module contains the code once, and not once for each dialect.
#[inline(never)]
fn edit(event: &mut RewriteEvent<'_>, rules: &[(&Matcher, &Action)]) -> Result<bool, RewriteError> {
    let mut is_edited = false;
    for (matcher, action) in rules {
        if matcher.matches(event) {
            apply(action, event)?;
            is_edited = true;
        }
    }
    Ok(is_edited)
}

fn apply(action: &Action, event: &mut RewriteEvent<'_>) -> Result<(), RewriteError> {
    match action {
        Action::Remove => event.remove(),
        Action::Unwrap => event.unwrap_element(),
        Action::Rename(name) => event.rename(name),
        Action::SetAttribute(name, value) => event.set_attribute(name, value),
        Action::RemoveAttribute(name) => event.remove_attribute(name),
        Action::Before(markup) => event.before(Content::Markup(markup)),
        Action::After(markup) => event.after(Content::Markup(markup)),
        Action::Prepend(markup) => event.prepend(Content::Markup(markup)),
        Action::Append(markup) => event.append(Content::Markup(markup)),
        Action::SetContent(markup) => event.set_content(Content::Markup(markup)),
        Action::SetText(text) => event.set_content(&**text),
    }
    .map(|_| ())
}
