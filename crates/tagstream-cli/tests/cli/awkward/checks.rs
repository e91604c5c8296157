//! The checks of the random runs.

use super::tables::CONTRADICTIONS;
use super::{DOCUMENT, Ran, Run, folder, run_on_file, run_on_pieces};
use serde_json::Value;
use std::fs;

/// Returns the problem, with what was compared.
fn differs<T: std::fmt::Debug + PartialEq>(what: &str, found: T, wanted: T) -> Result<(), String> {
    match found == wanted {
        true => Ok(()),
        false => Err(format!("{what}: {found:?} instead of {wanted:?}")),
    }
}

/// The exit status is one of the documented ones, and the messages fit it.
pub(super) fn ends_as_documented(run: &Run, ran: &Ran) -> Result<(), String> {
    let said = &ran.said;
    if let Some(call) = rust_call(said) {
        return Err(format!("the message names {call}: {said}"));
    }
    let is_well = match ran.status {
        0 => is_quiet(run, said),
        1 => said
            .lines()
            .all(|line| has_place(line) || is_without_place(run, line)),
        2 => CONTRADICTIONS.iter().any(|reason| said.contains(reason)),
        _ => false,
    };
    let needs_message = ran.status == 1 && run.name() != "select";
    match is_well && !(needs_message && said.is_empty()) {
        true => Ok(()),
        false => Err(format!("status {} with the message {said:?}", ran.status)),
    }
}

/// Returns true if a run that succeeded may write these messages: `check` writes a summary, `records` errors of rows,
/// `tree` what it changed so that the output is XML, `sanitize` that nothing is left of an SVG image.
fn is_quiet(run: &Run, said: &str) -> bool {
    match run.name() {
        "check" => said == "no errors in 1 file\n",
        "records" => said
            .lines()
            .all(|line| has_place(line) || line.contains(" row error")),
        "tree" if run.arguments().contains(&"--format=xml") => {
            said.lines().all(|line| has_place(line) && is_change(line))
        }
        "sanitize" if run.has("--svg") => said.is_empty() || said.contains(": nothing is left"),
        _ => said.is_empty(),
    }
}

/// Returns true for a message about a change of the tree, and for the number of further changes.
fn is_change(line: &str) -> bool {
    line.contains(", written as `") || line.contains(", left out")
}

/// Returns true if a message begins with the file, the line and the column.
fn has_place(line: &str) -> bool {
    let Some(rest) = line
        .strip_prefix(DOCUMENT)
        .and_then(|rest| rest.strip_prefix(':'))
    else {
        return false;
    };
    let mut parts = rest.splitn(3, ':');
    let mut is_number = || {
        let part = parts.next().unwrap_or_default();
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    is_number() && is_number() && parts.next().is_some_and(|text| text.starts_with(' '))
}

/// Returns true for messages about the whole document, which have no place.
fn is_without_place(run: &Run, line: &str) -> bool {
    match run.name() {
        "check" => {
            line.starts_with("./-: ") && (line.ends_with(" error") || line.ends_with(" errors"))
        }
        "records" => line.contains("the schema cannot be inferred") || line.contains(" row error"),
        _ => false,
    }
}

/// Returns a call of Rust in a message: `name()`, `name(…)` or `Type::name`.
fn rust_call(said: &str) -> Option<&str> {
    let is_named = |at: usize| {
        let before = said[..at].chars().next_back();
        before.is_some_and(|before| before.is_alphanumeric() || before == '_')
    };
    let calls = ["()", "(…)", "::"].into_iter();
    let mut found = calls.flat_map(|call| said.match_indices(call));
    let (at, _) = found.find(|(at, _)| is_named(*at))?;
    said[..at].split_whitespace().next_back()
}

/// Standard input gives the same as a file, in pieces of any length.
pub(super) fn pieces_change_nothing(
    run: &Run,
    ran: &Ran,
    input: &[u8],
    piece: usize,
) -> Result<(), String> {
    let mut pieces = run_on_pieces(&run.arguments(), input, piece.clamp(1, 1 << 20));
    pieces.said = named_as_file(&pieces.said);
    let mut ran = ran.clone();
    if run.name() == "check" {
        pieces.out = named_as_file(&pieces.text()).into();
        // The paths were replaced in the text of the document too.
        ran.out = named_as_file(&ran.text().replace(DOCUMENT, "-")).into();
        ran.said = named_as_file(&ran.said.replace(DOCUMENT, "-"));
    }
    differs("standard input", pieces, ran)
}

/// Replaces the name of standard input by that of the document.
fn named_as_file(text: &str) -> String {
    let mut named: Vec<String> = Vec::new();
    for line in text.split('\n') {
        let line = line.replace("{\"file\":\"-\"", "{\"file\":\"./-\"");
        let line = line
            .replace("--> -:", "--> ./-:")
            .replace("error is -:", "error is ./-:")
            .replace("::: -:", "::: ./-:");
        named.push(match line.strip_prefix("-:") {
            Some(rest) => format!("./-:{rest}"),
            None => line,
        });
    }
    named.join("\n")
}

/// Chunks of any length give the same.
pub(super) fn chunks_change_nothing(
    run: &Run,
    ran: &Ran,
    input: &[u8],
    chunk: usize,
) -> Result<(), String> {
    if run.has("--pieces") {
        return Ok(());
    }
    let chunk = format!("--chunk={}", chunk.clamp(1, 1 << 30));
    let mut arguments = run.arguments();
    arguments.push(&chunk);
    let chunked = run_on_file(&arguments, input);
    differs(&chunk, &chunked, ran)?;
    match run.has("--format=json") {
        true => json_lines(ran).map(|_| ()),
        false => Ok(()),
    }
}

/// Returns the lines of the output, each of which must be an object of JSON.
fn json_lines(ran: &Ran) -> Result<Vec<Value>, String> {
    let text = ran.text();
    let parsed = text.lines().map(|line| {
        let value: Result<Value, _> = serde_json::from_str(line);
        match value {
            Ok(value) if value.is_object() => Ok(value),
            other => Err(format!("{other:?} in {line}")),
        }
    });
    parsed.collect()
}

/// A file that is rewritten in place gets what is otherwise written to standard output, or stays if there is an error.
pub(super) fn in_place_is_the_same(run: &Run, ran: &Ran, input: &[u8]) -> Result<(), String> {
    if run.options.iter().all(|options| {
        !options
            .iter()
            .any(|one| one.contains('@') || one.contains("=b"))
    }) {
        return match ran.status == 0
            && run
                .options
                .iter()
                .all(|one| !one.concat().contains("remove"))
        {
            true => differs("the unchanged document", &*ran.out, input),
            false => Ok(()),
        };
    }
    let mut arguments = run.arguments();
    arguments.push("--in-place");
    let in_place = run_on_file(&arguments, input);
    differs("the status in place", in_place.status, ran.status)?;
    differs("the message in place", &in_place.said, &ran.said)?;
    differs("the output in place", in_place.text(), String::new())?;
    let content = fs::read(folder().join(DOCUMENT)).map_err(|error| error.to_string())?;
    match ran.status {
        0 => differs("the file", &*content, &*ran.out),
        _ => differs("the file with an error", &*content, input),
    }
}

/// `--tree` gives the same as a stream, and every element that was counted was written or refused.
pub(super) fn selected(run: &Run, ran: &Ran, input: &[u8]) -> Result<(), String> {
    // In HTML, `--tree` has content at the positions to which the standard moves it. If an error ends the parse, there is
    // no tree, but the elements before the error are written.
    let is_parse_ended = ran.status == 1 && ran.said.trim_end().ends_with(')');
    if !run.is_html() && !run.has("--tree") && !is_parse_ended {
        let mut arguments = run.arguments();
        arguments.push("--tree");
        differs("--tree", &run_on_file(&arguments, input), ran)?;
    }
    if run.has("--json") {
        json_lines(ran)?;
    }
    let has_other_lines = run.has("--text") || run.has("--attribute") || run.has("--count");
    if has_other_lines || is_parse_ended {
        return Ok(());
    }
    let mut arguments = run.arguments();
    arguments.push("--count");
    let counted = run_on_file(&arguments, input).text().trim().to_owned();
    if !run.has("--json") {
        arguments.push("--json");
    }
    arguments.retain(|one| *one != "--count");
    let lines = json_lines(&run_on_file(&arguments, input))?;
    let count: usize = match serde_json::from_str(&counted) {
        Ok(Value::Object(object)) => object["count"].as_u64().unwrap_or_default() as usize,
        _ => counted.parse().unwrap_or_default(),
    };
    let missing = refused_elements(&ran.said);
    differs(
        "elements that were written or refused",
        lines.len() + missing,
        count,
    )
}

/// Returns the number of elements that the message says could not be written.
fn refused_elements(said: &str) -> usize {
    let Some((_, number)) = said.split_once(", and ") else {
        return usize::from(said.contains(" in the element "));
    };
    let number: String = number.chars().take_while(char::is_ascii_digit).collect();
    1 + number.parse::<usize>().unwrap_or_default()
}

/// The written tree is the same if it is read and written again.
pub(super) fn tree_is_read_again(run: &Run, ran: &Ran, input: &[u8]) -> Result<(), String> {
    // A fragment is written without the declaration that allows the references of XML 1.1.
    let declares_xml_11 = input.windows(3).any(|window| window == b"1.1");
    if ran.status != 0 || run.has("--fragment") && declares_xml_11 {
        return Ok(());
    }
    if run.has("--format=json") {
        return json_lines_or_one(ran);
    }
    let dialect = match run.always[0] {
        "--format=html" => ["--dialect=html", "--encoding=utf-8"],
        "--format=xml"
        | "--format=c14n"
        | "--format=c14n-comments"
        | "--format=exc-c14n"
        | "--format=exc-c14n-comments" => ["--dialect=xml", "--strict"],
        _ => return Ok(()),
    };
    // HTML cannot express each tree, so that only indented HTML is promised to stay the same. Canonical XML needs
    // namespaces.
    let is_promised = match run.always[0] {
        "--format=html" => run.is_html() && run.has("--indent"),
        // The contents of a template are indented in XML, but not in HTML and Sky.
        "--format=xml" => {
            !run.has("--indent") || !(run.is_html() || run.dialect == "--dialect=sky")
        }
        _ => !run.has("--no-namespaces"),
    };
    if !is_promised {
        return Ok(());
    }
    let mut arguments = vec!["tree", run.always[0]];
    arguments.extend(dialect);
    let kept = ["--indent", "--no-namespaces", "--fragment", "--scripting"];
    let options = run.options.iter().copied().flatten();
    arguments.extend(options.filter(|one| kept.iter().any(|option| one.starts_with(option))));
    if run.has("--context=fragment") && run.dialect == "--dialect=sky" && !run.has("--fragment") {
        arguments.push("--fragment=a");
    }
    let again = run_on_pieces(&arguments, &ran.out, usize::MAX);
    differs("the message of the second pass", &*again.said, "")?;
    let third = run_on_pieces(&arguments, &again.out, usize::MAX);
    match dialect[1] {
        "--strict" => differs("the second pass", again.text(), ran.text()),
        _ => differs("the third pass", third.text(), again.text()),
    }
}

/// A tree is one value of JSON, in one line or in several.
fn json_lines_or_one(ran: &Ran) -> Result<(), String> {
    let value: Result<Value, _> = serde_json::from_str(&ran.text());
    value
        .map(|_| ())
        .map_err(|error| format!("{error} in {}", ran.text()))
}

/// One thread gives the same rows and messages as three.
pub(super) fn threads_change_nothing(run: &Run, ran: &Ran, input: &[u8]) -> Result<(), String> {
    for jobs in ["--jobs=1", "--jobs=3"] {
        let mut arguments = run.arguments();
        arguments.push(jobs);
        differs(jobs, &run_on_file(&arguments, input), ran)?;
    }
    Ok(())
}

/// Both forms have the same number of errors, and the exit status is 0 only if there are none.
pub(super) fn errors_are_counted(run: &Run, ran: &Ran, input: &[u8]) -> Result<(), String> {
    let arguments: Vec<_> = run.arguments();
    let plain: Vec<_> = arguments
        .into_iter()
        .filter(|one| *one != "--format=json")
        .collect();
    let json = run_on_file(&[&plain[..], &["--format=json"]].concat(), input);
    let text = run_on_file(&plain, input);
    let errors = json_lines(&json)?.len();
    let text_lines = text.text();
    let shown = text_lines
        .lines()
        .filter(|line| line.starts_with("error["))
        .count();
    differs("errors", shown, errors)?;
    differs("the exit status", ran.status, i32::from(errors > 0))
}
