//! The tree-construction cases of html5lib-tests: the expected trees, with and without scripting if a case does not
//! specify it, and the errors that have codes. The tree and the errors are the same for every cut.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use tagstream::{Document, Encoding, Event, Html, TreeBuilder};
use testing::cuts::positions;
use testing::pull::built;
use testing::run::{Failed, Program};
use testing::suites::{TreeCase, tree_cases};
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(folder: &Path, program: &mut Program) {
    let cases = tree_cases(folder);
    let codes: Arc<BTreeSet<String>> = Arc::new(cases.iter().flat_map(codes).collect());
    for case in cases {
        for &scripting in &case.scripting {
            let with = if scripting { " with scripting" } else { "" };
            let name = format!("html/tree {}{with}", case.name);
            let (case, codes) = (case.clone(), Arc::clone(&codes));
            program.case(name, move || check(&case, scripting, &codes));
        }
    }
}

/// Returns the codes of the errors that a case names.
fn codes(case: &TreeCase) -> Vec<String> {
    let errors = case.new_errors.iter().flatten();
    errors.map(|error| split(error).1.to_owned()).collect()
}

/// Returns the position and the code of an error in a case. If the position is a range, returns its start.
fn split(error: &str) -> (&str, &str) {
    let (place, code) = error.split_once(") ").unwrap_or(("", error));
    let place = place.trim_start_matches('(');
    let start = place.split('-').next().unwrap_or_default();
    (start, code)
}

fn builder(case: &TreeCase, scripting: bool) -> TreeBuilder<Html> {
    let html = match &case.context {
        Some(context) => Html::fragment(context).expect("a context"),
        None => Html::default(),
    };
    TreeBuilder::new(html.scripting(scripting).encoding(Encoding::UTF_8))
}

/// Returns the tree in the notation of the suite.
fn tree(document: &Document, case: &TreeCase) -> String {
    match (&case.context, document.root_element()) {
        // The nodes of a fragment are the children of its root element.
        (Some(_), Some(root)) => root.to_html5lib(),
        _ => document.to_html5lib(),
    }
}

fn check(case: &TreeCase, scripting: bool, codes: &BTreeSet<String>) -> Result<(), Failed> {
    let input = input(case);
    let make = || builder(case, scripting);
    for size in [input.len().max(1), 1] {
        let found = tree(&built(make(), input.chunks(size))?, case);
        if found != case.tree {
            let how = format!("in chunks of {size}: {:?}", case.input);
            return Err(format!("{how}\nwanted:\n{}\nfound:\n{found}", case.tree).into());
        }
    }
    check_errors(case, make(), codes)?;
    for (what, errors) in [("", false), ("with errors, ", true)] {
        let whole = written(make().report_errors(errors), case, &input, &[]);
        for at in positions(input.len()) {
            let found = written(make().report_errors(errors), case, &input, &[at]);
            same(&whole, &found, &format!("{what}cut at {at}"))?;
        }
        let every: Vec<usize> = (1..input.len()).collect();
        let found = written(make().report_errors(errors), case, &input, &every);
        same(&whole, &found, &format!("{what}byte by byte"))?;
    }
    Ok(())
}

/// Returns the bytes of a case. The suite's input is already decoded, so a leading U+FEFF is not a byte-order mark. A
/// second U+FEFF takes the place of the byte-order mark that the parser removes.
fn input(case: &TreeCase) -> Vec<u8> {
    let mark = match case.input.starts_with('\u{FEFF}') {
        true => "\u{FEFF}",
        false => "",
    };
    [mark.as_bytes(), case.input.as_bytes()].concat()
}

/// Compares the errors for which the standard has codes, if the case contains them. Errors in cases with `<?` are not
/// compared: these cases are older than the processing instructions of the standard.
fn check_errors(
    case: &TreeCase,
    builder: TreeBuilder<Html>,
    codes: &BTreeSet<String>,
) -> Result<(), Failed> {
    let Some(wanted) = &case.new_errors else {
        return Ok(());
    };
    if case.input.contains("<?") {
        return Ok(());
    }
    let mut builder = builder.report_errors(true);
    builder.supply(case.input.clone());
    builder.supply_end();
    let mut found = Vec::new();
    while let Some(event) = builder.next_event()? {
        if let Event::ParseError(error) = event
            && codes.contains(error.code().as_str())
        {
            let (line, column) = (error.position().line(), error.position().column_utf16());
            found.push((format!("{line}:{column}"), error.code().as_str().to_owned()));
        }
    }
    let mut wanted: Vec<(String, String)> = wanted
        .iter()
        .map(|error| split(error))
        .map(|(place, code)| (place.to_owned(), code.to_owned()))
        .collect();
    wanted.sort();
    found.sort();
    if wanted != found {
        let input = &case.input;
        return Err(format!("{input:?}\nwanted: {wanted:?}\nfound:  {found:?}").into());
    }
    Ok(())
}

fn same(whole: &str, found: &str, how: &str) -> Result<(), Failed> {
    match whole == found {
        true => Ok(()),
        false => Err(format!("{how}:\nwhole:\n{whole}\nfound:\n{found}").into()),
    }
}

/// Returns the errors with their positions, the tree and the mode for an input that is fed in pieces.
fn written(
    mut builder: TreeBuilder<Html>,
    case: &TreeCase,
    input: &[u8],
    cuts: &[usize],
) -> String {
    let mut out = String::new();
    let mut from = 0;
    for &to in cuts.iter().chain([&input.len()]) {
        builder.supply(&input[from..to]);
        write_errors(&mut builder, &mut out);
        from = to;
    }
    builder.supply_end();
    write_errors(&mut builder, &mut out);
    let document = builder.into_sink();
    out += &tree(&document, case);
    write!(out, "{:?}", document.quirks_mode()).unwrap();
    out
}

fn write_errors(builder: &mut TreeBuilder<Html>, out: &mut String) {
    while let Some(event) = builder.next_event().expect("HTML has no fatal errors") {
        if let Event::ParseError(error) = event {
            let position = error.position();
            let (line, column) = (position.line(), position.column());
            let code = error.code();
            writeln!(out, "{} {line}:{column} {}", error.span(), code.as_str()).unwrap();
        }
    }
}
