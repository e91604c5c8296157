//! The encoding cases of html5lib-tests: the encoding found by sniffing, or by the first `meta` that
//! names one later, and the same events for every cut. What a script writes is left out.

mod feeding;
#[path = "feeding/suites.rs"]
mod suites;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::ExitCode;
use tagstream::{Encoding, Event, Html, Parser, TextPolicy};

fn main() -> ExitCode {
    suites::run("html/encoding", cases)
}

fn cases(folder: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of cases") {
        let path = entry.expect("an entry of the folder").path();
        if path.extension().is_none_or(|extension| extension != "dat") {
            continue;
        }
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(&path).expect("a file of cases");
        for (number, (input, label)) in split(&bytes).into_iter().enumerate() {
            let title = input.escape_ascii().to_string();
            let title: String = title.chars().take(60).collect();
            let name = format!("{file} {number} {label}: {title}");
            trials.push(Trial::test(name, move || check(&input, &label)));
        }
    }
    trials.sort_by(|one, two| one.name().cmp(two.name()));
    trials
}

/// Input and encoding of each case.
fn split(bytes: &[u8]) -> Vec<(Vec<u8>, String)> {
    let mut cases: Vec<(Vec<u8>, String)> = Vec::new();
    let mut is_data = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.trim_ascii_end() {
            b"#data" => {
                cases.push(Default::default());
                is_data = true;
            }
            b"#encoding" => is_data = false,
            _ => {
                let Some((input, label)) = cases.last_mut() else {
                    continue;
                };
                if is_data {
                    input.extend_from_slice(line);
                } else if label.is_empty() {
                    *label = String::from_utf8_lossy(line.trim_ascii()).into_owned();
                }
            }
        }
    }
    cases
}

fn check(input: &[u8], label: &str) -> Result<(), Failed> {
    let wanted = Encoding::for_label(label).ok_or("an unknown encoding")?;
    for size in [input.len().max(1), 1] {
        let mut parser = Parser::new(Html::default());
        let mut late = None;
        for chunk in input.chunks(size) {
            parser.feed_slice(chunk);
            late = late.or(changed(&mut parser)?);
        }
        parser.finish();
        late = late.or(changed(&mut parser)?);
        let found = late.or(parser.encoding()).ok_or("no encoding")?;
        if found != wanted {
            let (found, wanted) = (found.name(), wanted.name());
            return Err(format!("wanted {wanted}, found {found} in chunks of {size}").into());
        }
    }
    let parser = || Parser::new(Html::default());
    check_cuts(|| parser().errors(true), input);
    check_pieces(parser, || parser().text(TextPolicy::Pieces), input);
    Ok(())
}

/// The encoding that a late `meta` names.
fn changed(parser: &mut Parser<Html>) -> Result<Option<Encoding>, Failed> {
    let mut late = None;
    while let Some(event) = parser.next_event()? {
        if let Event::EncodingChange(change) = event {
            assert!(late.is_none(), "a second change");
            late = Encoding::for_label(change.label());
        }
    }
    Ok(late)
}
