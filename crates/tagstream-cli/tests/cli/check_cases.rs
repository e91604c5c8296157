//! The output of the subcommand `check`.
//!
//! Each file `tests/data/check/NAME.out` is a case. Its first line is a command, which runs in this folder. The
//! standard output of the command, its standard error and its exit status follow. If a change alters them on purpose,
//! `TAGSTREAM_REWRITE=1 cargo test --test cli cli/check` writes the cases again: read the difference before you commit
//! it. A new case needs only its first line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    program.case("cli/check, every document is in a case", every_document);
    program.case("cli/check, every code is in a case", every_code);
    let mut cases: Vec<_> = files("out").collect();
    cases.sort();
    for case in cases {
        let name = case.file_stem().unwrap_or_default().to_string_lossy();
        program.case(format!("cli/check {name}"), move || check(&case));
    }
}

/// Returns the folder of the cases.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/check")
}

/// Returns the files in this folder that have an extension. The extension of cases is `out`.
pub(crate) fn files(extension: &str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder of the cases");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    paths.filter(move |path| path.extension().is_some_and(|found| found == extension))
}

fn check(case: &Path) -> Result<(), Failed> {
    let expected = fs::read_to_string(case)?;
    let command = expected.lines().next().unwrap_or_default();
    let arguments = command
        .strip_prefix("$ tagstream check ")
        .ok_or("the first line is no command")?;
    let output = super::check::run(&arguments.split(' ').collect::<Vec<_>>());
    let seen = format!(
        "{command}\n{}[standard error]\n{}[exit status {}]\n",
        String::from_utf8(output.stdout)?,
        String::from_utf8(output.stderr)?,
        output.status.code().unwrap_or(-1),
    );
    if seen == expected {
        return Ok(());
    }
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        fs::write(case, seen)?;
        return Ok(());
    }
    Err(format!("expected:\n{expected}\nseen:\n{seen}").into())
}

/// Every file in the folder is a case, a document that a case reads, or an entity of such a document.
fn every_document() -> Result<(), Failed> {
    let mut read = BTreeSet::new();
    for case in files("out") {
        let text = fs::read_to_string(case)?;
        let command = text.lines().next().unwrap_or_default();
        for word in command.split(' ') {
            if command.contains("--resolve") && folder().join(word).is_file() {
                let document = fs::read_to_string(folder().join(word))?;
                read.extend(document.split('"').map(str::to_owned));
            }
            read.insert(word.to_owned());
        }
    }
    for entry in fs::read_dir(folder())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".out") && !read.contains(&name) {
            return Err(format!("{name} is in no case").into());
        }
    }
    Ok(())
}

/// Every error code of MicroXML, Sky and LeafXML occurs in a case. The name of the case begins with the dialect.
fn every_code() -> Result<(), Failed> {
    use tagstream::{leafxml, microxml, sky};
    let mut missing = Vec::new();
    for (dialect, codes) in [
        ("microxml", microxml::errors::ALL),
        ("sky", sky::errors::ALL),
        ("leafxml", leafxml::errors::ALL),
    ] {
        let mut seen = String::new();
        for case in files("out") {
            let name = case.file_stem().unwrap_or_default().to_string_lossy();
            if name.split('-').next() == Some(dialect) {
                seen += &fs::read_to_string(&case)?;
            }
        }
        let shown = |code: &str| seen.contains(&format!("error[{code}]: "));
        let codes = codes.iter().map(|code| code.as_str());
        missing.extend(
            codes
                .filter(|code| !shown(code))
                .map(|code| (dialect, code)),
        );
    }
    assert!(missing.is_empty(), "{missing:?}");
    Ok(())
}
