//! Selectors of the command line: the namespace prefixes that options declare, and the messages about selectors that are
//! refused. The messages name options of the program, where those of the library name functions.

use crate::failure::Failure;
use tagstream::SelectorError;
use tagstream::select::{Selector, SelectorErrorKind};

/// Compiles a selector. Each item of `namespaces` is `PREFIX=NAMESPACE`.
pub(crate) fn build(selector: &str, namespaces: &[String]) -> Result<Selector, Failure> {
    let mut builder = Selector::builder();
    for given in namespaces {
        let (prefix, name) = given
            .split_once('=')
            .ok_or_else(|| Failure::Unusable(format!("`{given}` is not PREFIX=NAMESPACE")))?;
        builder = builder.namespace(prefix, name);
    }
    let refused = |error| failure(selector, &error);
    builder.build(selector).map_err(refused)
}

/// Returns the failure of a selector that is refused.
pub(crate) fn failure(selector: &str, error: &SelectorError) -> Failure {
    let reason = match error.kind() {
        SelectorErrorKind::UnknownPrefix => {
            let prefix = prefix_before(selector, error.offset());
            format!(
                "unknown namespace prefix `{prefix}`: declare it with --namespace {prefix}=NAMESPACE"
            )
        }
        _ => error.to_string(),
    };
    Failure::Unusable(format!("`{selector}`: {reason}"))
}

/// Returns the prefix at a byte offset of a selector, which may be before or after the prefix and its `|`.
fn prefix_before(selector: &str, offset: usize) -> &str {
    let is_name = |character: char| {
        character.is_alphanumeric() || !character.is_ascii() || matches!(character, '-' | '_')
    };
    let (before, after) = selector.split_at_checked(offset).unwrap_or((selector, ""));
    let before = before.strip_suffix('|').unwrap_or(before);
    let start = before.trim_end_matches(is_name).len();
    let rest = after.trim_start_matches(is_name).len();
    match start < before.len() {
        true => &before[start..],
        false => &after[..after.len() - rest],
    }
}

#[cfg(test)]
mod tests {
    use super::prefix_before;

    #[test]
    fn the_prefix_is_found_on_both_sides_of_the_offset() {
        for (selector, offset, prefix) in [
            ("p|a", 2, "p"),
            ("p|a", 1, "p"),
            ("p|a", 0, "p"),
            ("b > é-1|a", 9, "é-1"),
            ("b, q|*", 5, "q"),
            ("b[q|c]", 4, "q"),
            ("", 9, ""),
        ] {
            assert_eq!(
                prefix_before(selector, offset),
                prefix,
                "{selector} {offset}"
            );
        }
    }
}
