//! The changes that the command line requests: their selectors, and checks of their names.

use crate::failure::Failure;
use crate::options::RewriteOptions;
use tagstream::{Balance, Html, RewriteError, Rewriter, Xml};

/// The change to the elements that a selector selects.
pub(super) enum Change {
    Set(String, String),
    Unset(String),
    Rename(String),
    Remove,
    Unwrap,
    Text(String),
    /// Inserts markup at this place.
    Insert(Place, String),
}

/// The place of inserted markup, relative to an element.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Before,
    After,
    First,
    Last,
}

/// A change of the command line.
pub(super) struct Request<'o> {
    /// The option and its value, for messages.
    option: (&'static str, &'o str),
    /// The selector or the XPath expression of the elements.
    pub(super) selector: &'o str,
    pub(super) change: Change,
}

/// Returns the changes of the command line, in the order in which they are made.
pub(super) fn requests(options: &RewriteOptions) -> Result<Vec<Request<'_>>, Failure> {
    let mut requests = Vec::new();
    let mut add = |option, selector, change| {
        requests.push(Request {
            option,
            selector,
            change,
        });
    };
    let is_xpath = options.xpath;
    for set in &options.set {
        let (selector, attribute) = parted(set, '@', is_xpath, "SELECTOR@NAME=VALUE")?;
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        let change = Change::Set(name.into(), value.into());
        add(("--set", set), selector, change);
    }
    for unset in &options.unset {
        let (selector, name) = parted(unset, '@', is_xpath, "SELECTOR@NAME")?;
        add(("--unset", unset), selector, Change::Unset(name.into()));
    }
    for rename in &options.rename {
        let (selector, name) = parted(rename, '=', is_xpath, "SELECTOR=NAME")?;
        add(("--rename", rename), selector, Change::Rename(name.into()));
    }
    for text in &options.content {
        let (selector, content) = parted(text, '=', is_xpath, "SELECTOR=TEXT")?;
        add(("--text", text), selector, Change::Text(content.into()));
    }
    for (option, place, insertions) in [
        ("--before", Place::Before, &options.before),
        ("--after", Place::After, &options.after),
        ("--prepend", Place::First, &options.prepend),
        ("--append", Place::Last, &options.append),
    ] {
        for insertion in insertions {
            let (selector, markup) = parted(insertion, '=', is_xpath, "SELECTOR=MARKUP")?;
            let change = Change::Insert(place, markup.into());
            add((option, insertion), selector, change);
        }
    }
    for selector in &options.unwrap {
        add(("--unwrap", selector), selector, Change::Unwrap);
    }
    for selector in &options.remove {
        add(("--remove", selector), selector, Change::Remove);
    }
    Ok(requests)
}

/// Splits an argument at the first `mark` that is not in brackets, parentheses or quotes, and not escaped. In XPath, an
/// `@` at the beginning of a step is a part of the expression, and there are no escapes.
fn parted<'a>(
    given: &'a str,
    mark: char,
    is_xpath: bool,
    form: &str,
) -> Result<(&'a str, &'a str), Failure> {
    let (mut depth, mut quote) = (0_usize, None);
    // The last character that is not whitespace, and whether the next character is escaped.
    let (mut last, mut is_escaped) = (None, false);
    for (at, character) in given.char_indices() {
        match (quote, character) {
            _ if std::mem::take(&mut is_escaped) => {}
            (_, '\\') if !is_xpath => is_escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '[' | '(') => depth += 1,
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 && character == mark => {
                let begins_step = is_xpath && last.is_none_or(|last| "/|:".contains(last));
                if mark != '@' || !begins_step {
                    return Ok((&given[..at], &given[at + mark.len_utf8()..]));
                }
            }
            _ => {}
        }
        if !character.is_whitespace() {
            last = Some(character);
        }
    }
    Err(Failure::Unusable(format!("`{given}` is not {form}")))
}

/// Refuses the first name that no element or no attribute of the dialect can have.
pub(super) fn check_names<D: Balance>(
    dialect: &D,
    requests: &[Request<'_>],
) -> Result<(), Failure> {
    let refused = requests
        .iter()
        .find(|one| refuses_name(dialect, &one.change));
    refused.map_or(Ok(()), |request| Err(refusal(request)))
}

/// Refuses the first name that no element or no attribute of any dialect can have. HTML and XML have all names of the
/// other dialects.
pub(super) fn check_names_in_any_dialect(requests: &[Request<'_>]) -> Result<(), Failure> {
    let (html, xml) = (Html::default(), Xml::default());
    let refused = requests
        .iter()
        .find(|one| refuses_name(&html, &one.change) && refuses_name(&xml, &one.change));
    refused.map_or(Ok(()), |request| Err(refusal(request)))
}

/// Returns the failure of a change whose name is refused.
fn refusal(request: &Request<'_>) -> Failure {
    let (option, given) = request.option;
    let name = match &request.change {
        Change::Set(name, _) | Change::Unset(name) | Change::Rename(name) => name,
        _ => "",
    };
    Failure::Unusable(match name {
        "" => format!("{option} {given}: the name is missing"),
        name => format!("{option} {given}: `{name}` is not a valid name"),
    })
}

/// Returns true if a change has a name that the dialect cannot have, whatever the document is: an element of this name,
/// or with an attribute of this name, cannot be made. The prefix of a name is not checked, because the document declares
/// it.
fn refuses_name<D: Balance>(dialect: &D, change: &Change) -> bool {
    let (name, is_attribute) = match change {
        Change::Set(name, _) => (name, true),
        Change::Rename(name) => (name, false),
        // A parser that recovers from errors can read attributes with names that cannot be written.
        Change::Unset(name) => return name.is_empty() || name.contains(char::is_whitespace),
        _ => return false,
    };
    let name = name.replace(':', "_");
    let mut rewriter = Rewriter::new(dialect.clone());
    rewriter.feed("<a></a>");
    rewriter.finish();
    while let Ok(Some(mut event)) = rewriter.next_event() {
        if event.as_start().is_none() {
            continue;
        }
        let edited = match is_attribute {
            true => event.set_attribute(&name, ""),
            false => event.rename(&name),
        };
        return match edited {
            Err(RewriteError::Refused(refusal, _)) => refusal.as_str() == "name",
            _ => false,
        };
    }
    false
}
