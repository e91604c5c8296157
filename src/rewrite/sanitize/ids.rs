//! The prefix of identifiers: attributes that contain an identifier, or refer to one.

use super::lists::{self, IdentifierForm};
use crate::tree::Attribute;
use alloc::string::String;

/// Returns the value of an attribute with the prefix before each identifier in it. Identifiers that begin with the prefix
/// stay as they are. Returns `None` if the value does not change.
pub(super) fn prefixed(prefix: &str, element: &str, attribute: Attribute<'_>) -> Option<String> {
    let name = attribute.local_name().to_ascii_lowercase();
    let is_among = |names: &str, name: &str| names.split(' ').any(|one| one == name);
    let element = element.to_ascii_lowercase();
    let mut rows = lists::IDENTIFIERS.iter();
    let row = rows.find(|(attributes, elements, _)| {
        is_among(attributes, &name) && (elements.is_empty() || is_among(elements, &element))
    });
    let value = attribute.value();
    let new = match row?.2 {
        IdentifierForm::One => with_prefix(prefix, value),
        IdentifierForm::List => {
            let mut list = String::new();
            for one in value.split_ascii_whitespace() {
                if !list.is_empty() {
                    list.push(' ');
                }
                list.push_str(&with_prefix(prefix, one));
            }
            list
        }
        IdentifierForm::Fragment => {
            let url = value.trim_start_matches(|one: char| one <= ' ');
            let fragment = url.strip_prefix('#')?;
            match fragment.starts_with(":~:") {
                true => return None,
                false => ["#", &with_prefix(prefix, fragment)].concat(),
            }
        }
        IdentifierForm::Urls => in_urls(prefix, value),
        IdentifierForm::Times => in_times(prefix, value),
    };
    (new != value).then_some(new)
}

/// Returns an identifier with the prefix. An empty string is not an identifier.
fn with_prefix(prefix: &str, id: &str) -> String {
    match id.is_empty() || id.starts_with(prefix) {
        true => id.into(),
        false => [prefix, id].concat(),
    }
}

/// Inserts the prefix after the `#` of each `url(#a)`, with or without a quotation mark.
fn in_urls(prefix: &str, value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.find('#') {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        rest = after;
        let opener = before[..at].trim_end_matches(['"', '\'', ' ', '\t', '\n', '\r', '\x0C']);
        let start = opener.len().checked_sub(4).and_then(|at| opener.get(at..));
        if start.is_some_and(|start| start.eq_ignore_ascii_case("url("))
            && !rest.starts_with(prefix)
        {
            out.push_str(prefix);
        }
    }
    out.push_str(rest);
    out
}

/// Inserts the prefix before each identifier in a list of times: a name before a period.
fn in_times(prefix: &str, value: &str) -> String {
    let mut out = String::new();
    for (number, time) in value.split(';').enumerate() {
        if number > 0 {
            out.push(';');
        }
        let id = time.trim_start();
        out.push_str(&time[..time.len() - id.len()]);
        let is_id = id.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let name = id.split_once('.').map(|(name, _)| name);
        let is_id = is_id && name.is_some_and(|name| !name.contains('('));
        match is_id && !id.starts_with(prefix) {
            true => out.extend([prefix, id]),
            false => out.push_str(id),
        }
    }
    out
}
