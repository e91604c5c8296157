//! Where the conformance suites and the dialects' documents are: `TAGSTREAM_SUITES` and
//! `TAGSTREAM_SPECS`, else `../shared/suites` and `../shared/specs` beside the project.

use std::path::{Path, PathBuf};

/// The folder or file of a suite, if it is there.
///
/// # Panics
///
/// Panics if it is missing where `CI` is `true`: there nothing is left out.
#[must_use]
pub fn suite(name: &str) -> Option<PathBuf> {
    find("TAGSTREAM_SUITES", "../shared/suites", name)
}

/// One of the documents that the dialects follow, if it is there.
///
/// # Panics
///
/// As [`suite`].
#[must_use]
pub fn document(name: &str) -> Option<String> {
    let path = find("TAGSTREAM_SPECS", "../shared/specs", name)?;
    Some(std::fs::read_to_string(path).expect("a document in UTF-8"))
}

fn find(variable: &str, beside: &str, name: &str) -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = std::env::var_os(variable).map_or_else(|| project.join(beside), PathBuf::from);
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!is_ci, "{} is missing: set {variable}", path.display());
    None
}
