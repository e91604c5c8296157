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
            let prefix = error.what();
            format!(
                "unknown namespace prefix `{prefix}`: declare it with --namespace {prefix}=NAMESPACE"
            )
        }
        _ => error.to_string(),
    };
    Failure::Unusable(format!("`{selector}`: {reason}"))
}
