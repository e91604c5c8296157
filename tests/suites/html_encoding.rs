//! The encoding cases of html5lib-tests: the encoding that is found by sniffing, or that the first late `meta`
//! declares. The events are the same for every cut. Cases in which a script writes the `meta` are left out.

use std::path::Path;
use tagstream::{Encoding, Event, Html, Parser};
use testing::cuts::check_parser;
use testing::run::{Failed, Program};
use testing::suites::{files, section_cases, stem};

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for path in files(folder, "dat") {
        for (number, case) in section_cases(&path).into_iter().enumerate() {
            let label = case.text("#encoding").unwrap_or_default().trim_ascii();
            let label = label.lines().next().unwrap_or_default().to_owned();
            let input = case.get("#data").unwrap_or_default().to_vec();
            let title: String = input.escape_ascii().to_string().chars().take(60).collect();
            let name = format!("html/encoding {} {number} {label}: {title}", stem(&path));
            program.case(name, move || check(&input, &label));
        }
    }
}

fn check(input: &[u8], label: &str) -> Result<(), Failed> {
    let wanted = Encoding::for_label(label).ok_or("an unknown encoding")?;
    for size in [input.len().max(1), 1] {
        let mut parser = Parser::new(Html::default().fallback_encoding(Encoding::WINDOWS_1252));
        let mut late = None;
        for chunk in input.chunks(size) {
            parser.feed(chunk);
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
    check_parser(&Html::default(), input);
    Ok(())
}

/// Returns the encoding that a late `meta` declares.
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
