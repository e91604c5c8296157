//! The dependencies of the library, by features, as Cargo lists them. A new one needs an entry here and a reason in
//! `Cargo.toml`.

use std::collections::BTreeSet;
use std::process::Command;
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(program, "core/dependencies", are_those_stated, of_features);
}

/// The features that are on by default.
const DEFAULT: &str = "std,html,xml,microxml,sky,leafxml,encodings,tree";

/// All crates that the library needs, directly and indirectly. `multiversion_no_op` and `thiserror-impl` run at build time
/// only.
const USUAL: &str = "bytes cfg-if core_detect encoding_rs foldhash hashbrown memchr multiversion_no_op proc-macro2 quote \
    scopeguard simdutf8 syn tagstream thiserror thiserror-impl tinyvec unicode-ident unicode-normalization";

/// The names of all crates that a build with these features has.
fn crates(features: &str) -> BTreeSet<String> {
    let manifest = testing::source::root().join("Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--quiet",
            "--locked",
            "--edges",
            "normal",
            "--package",
            "tagstream",
        ])
        .args(["--no-default-features", "--features", features])
        .args(["--prefix", "none", "--format", "{p}", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("Cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    text.lines()
        .map(name)
        .filter(|name| !name.is_empty())
        .collect()
}

fn names(names: &str) -> BTreeSet<String> {
    names.split_whitespace().map(str::to_owned).collect()
}

fn are_those_stated() {
    assert_eq!(crates(DEFAULT), names(USUAL));
}

/// Each feature adds its own dependencies and no others.
fn of_features() {
    let features = [
        ("serde", "serde_core"),
        ("futures", "futures-core futures-io"),
        ("tokio", "tokio pin-project-lite"),
    ];
    for (feature, more) in features {
        let found = crates(&format!("{DEFAULT},{feature}"));
        let wanted = names(&format!("{USUAL} {more}"));
        assert_eq!(found, wanted, "{feature}");
    }
}
