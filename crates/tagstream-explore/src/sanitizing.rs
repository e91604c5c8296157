//! The sanitizer's output for a document.

use crate::json::{self, Value};
use tagstream::Sanitizer;
use tagstream::sanitize::NameError;

/// Removes everything from HTML that is not allowed. `options` is a JSON object, all of whose members are optional:
///
/// - `preset`: `default`, `user_content`, `allow_all` or `allow_nothing`.
/// - `comments`, `data_attributes`: truth values.
/// - `allow_elements`, `remove_elements`, `unwrap_elements`, `allow_attributes`, `remove_attributes`, `url_schemes`:
///   names in an array, or in a string with spaces between them.
/// - `rel`: the value of `rel` that links get.
/// - `fragment`: the context element of the markup.
///
/// Returns `{"output":…}` or `{"error":…}`.
pub fn sanitize(text: &str, options: &str) -> String {
    json::result(clean(text, options))
}

fn clean(text: &str, options: &str) -> Result<String, String> {
    let options = json::parse(options)?;
    let named = |error: NameError| error.to_string();
    let mut sanitizer = match options.get("preset").and_then(Value::as_str) {
        None | Some("default") => Sanitizer::default(),
        Some("user_content") => Sanitizer::user_content(),
        Some("allow_all") => Sanitizer::allow_all(),
        Some("allow_nothing") => Sanitizer::allow_nothing(),
        Some(other) => return Err(format!("no preset has the name {other:?}")),
    };
    if let Some(Value::Bool(comments)) = options.get("comments") {
        sanitizer = sanitizer.comments(*comments);
    }
    if let Some(Value::Bool(data)) = options.get("data_attributes") {
        sanitizer = sanitizer.data_attributes(*data);
    }
    type Configure = fn(Sanitizer, &[&str]) -> Result<Sanitizer, NameError>;
    let lists: [(&str, Configure); 6] = [
        ("allow_elements", Sanitizer::allow_elements),
        ("remove_elements", Sanitizer::remove_elements),
        ("unwrap_elements", Sanitizer::replace_with_children),
        ("allow_attributes", Sanitizer::allow_attributes),
        ("remove_attributes", Sanitizer::remove_attributes),
        ("url_schemes", Sanitizer::url_schemes),
    ];
    for (key, configure) in lists {
        let names = names(options.get(key));
        if !names.is_empty() {
            sanitizer = configure(sanitizer, &names).map_err(named)?;
        }
    }
    if let Some(rel) = options.get("rel").and_then(Value::as_str) {
        sanitizer = sanitizer.link_rel(rel);
    }
    match options
        .get("fragment")
        .and_then(Value::as_str)
        .map(str::trim)
    {
        Some(context) if !context.is_empty() => sanitizer
            .clean_in(context, text)
            .map_err(|error| error.to_string()),
        _ => Ok(sanitizer.clean(text)),
    }
}

/// Returns the strings of an array, or the words of a string.
fn names(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => text.split_whitespace().collect(),
        _ => Vec::new(),
    }
}
