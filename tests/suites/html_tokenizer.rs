//! The tokenizer cases of html5lib-tests, in each of their initial states: tokens, and errors with code, line and
//! column. The events are the same for every cut, and each event is delivered after the byte that decides it.

use serde_json::{Map, Value, json};
use std::path::Path;
use tagstream::html::InitialState;
use tagstream::{Encoding, Event, Html, Parser};
use testing::cuts::check_parser;
use testing::latency;
use testing::run::{Failed, Program};
use testing::suites::{files, json_cases, stem};

/// The data of a case.
#[derive(Clone)]
struct Case {
    input: String,
    output: Value,
    errors: Value,
    last_start_tag: Option<String>,
}

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for path in files(folder, "test") {
        let file = stem(&path);
        // The option `xmlViolation` belongs to other tokenizers. This library does not have it.
        if file == "xmlViolation" {
            continue;
        }
        for (number, test) in json_cases(&path).iter().enumerate() {
            let Some(case) = case(test) else { continue };
            let default = json!(["Data state"]);
            let states = test.get("initialStates").unwrap_or(&default);
            for state in states.as_array().expect("states") {
                let state = state.as_str().expect("a state").to_owned();
                let title = test["description"].as_str().unwrap_or_default();
                let case = case.clone();
                program.case(
                    format!("html/{state}, {file} {number}: {title:?}"),
                    move || check(&case, &state),
                );
            }
        }
    }
}

/// The case, unless it contains a lone surrogate, which a `str` cannot contain.
fn case(test: &Value) -> Option<Case> {
    let is_escaped = test.get("doubleEscaped") == Some(&Value::Bool(true));
    let read = |value: &Value| match is_escaped {
        true => unescaped(value),
        false => Some(value.clone()),
    };
    let mut input = read(&test["input"])?.as_str()?.to_owned();
    // The suite's input is already decoded, and its U+FEFF is not a byte-order mark. A second U+FEFF takes the place of
    // the byte-order mark that the parser removes.
    if input.starts_with('\u{FEFF}') {
        input.insert(0, '\u{FEFF}');
    }
    Some(Case {
        input,
        output: read(&test["output"])?,
        errors: test.get("errors").cloned().unwrap_or(json!([])),
        last_start_tag: test
            .get("lastStartTag")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

/// Returns the value with the escapes in its strings decoded, or `None` if an escape denotes a lone surrogate.
fn unescaped(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => Value::String(unescaped_text(text)?),
        Value::Array(values) => Value::Array(values.iter().map(unescaped).collect::<Option<_>>()?),
        Value::Object(map) => {
            let mut read = Map::new();
            for (key, value) in map {
                read.insert(unescaped_text(key)?, unescaped(value)?);
            }
            Value::Object(read)
        }
        other => other.clone(),
    })
}

fn unescaped_text(text: &str) -> Option<String> {
    let mut parts = text.split("\\u");
    let mut units: Vec<u16> = parts.next()?.encode_utf16().collect();
    for part in parts {
        units.push(u16::from_str_radix(part.get(..4)?, 16).ok()?);
        units.extend(part[4..].encode_utf16());
    }
    String::from_utf16(&units).ok()
}

fn html(case: &Case, state: &str) -> Html {
    let html = Html::default()
        .processing_instructions(false)
        .encoding(Encoding::UTF_8)
        .initial_state(match state {
            "Data state" => InitialState::Data,
            "RCDATA state" => InitialState::Rcdata,
            "RAWTEXT state" => InitialState::Rawtext,
            "Script data state" => InitialState::ScriptData,
            "PLAINTEXT state" => InitialState::Plaintext,
            "CDATA section state" => InitialState::CdataSection,
            other => panic!("an unknown state: {other}"),
        });
    match &case.last_start_tag {
        Some(name) => html.last_start_tag(name),
        None => html,
    }
}

fn check(case: &Case, state: &str) -> Result<(), Failed> {
    let mut parser = Parser::new(html(case, state)).report_errors(true);
    parser.feed(case.input.clone());
    parser.finish();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    while let Some(event) = parser.next_event()? {
        match event {
            Event::ParseError(error) => errors.push(json!({
                "code": error.code().as_str(),
                "line": error.position().line(),
                "col": error.position().column_utf16(),
            })),
            event => output.push(token(&event)),
        }
    }
    let (wanted, found) = (joined(&case.output), joined(&Value::Array(output)));
    if wanted != found {
        let input = &case.input;
        return Err(format!("{input:?}\nwanted: {wanted}\nfound:  {found}").into());
    }
    let found = Value::Array(errors);
    if case.errors != found {
        let (input, wanted) = (&case.input, &case.errors);
        return Err(format!("{input:?}\nwanted: {wanted}\nfound:  {found}").into());
    }
    check_parser(&html(case, state), case.input.as_bytes());
    let parser = Parser::new(html(case, state)).report_errors(true);
    latency::check("with errors", parser, case.input.as_bytes())?;
    Ok(())
}

/// Returns an event as a token in the format of the suite.
fn token(event: &Event<'_>) -> Value {
    match event {
        Event::Start(tag) => {
            let attributes: Map<String, Value> = tag
                .attributes()
                .map(|attribute| (attribute.name().to_owned(), attribute.value().into()))
                .collect();
            assert_eq!(attributes.len(), tag.attributes().len());
            match tag.is_self_closing() {
                true => json!(["StartTag", tag.name(), attributes, true]),
                false => json!(["StartTag", tag.name(), attributes]),
            }
        }
        Event::End(tag) => json!(["EndTag", tag.name()]),
        Event::Text(text) => json!(["Character", text.as_str()]),
        Event::Comment(comment) => json!(["Comment", comment.as_str()]),
        Event::Doctype(doctype) => {
            let name = Some(doctype.name()).filter(|name| !name.is_empty());
            let correct = !doctype.force_quirks();
            json!([
                "DOCTYPE",
                name,
                doctype.public_id(),
                doctype.system_id(),
                correct
            ])
        }
        other => panic!("no token of the suite: {other:?}"),
    }
}

/// Returns the tokens. Adjacent character tokens are joined.
fn joined(tokens: &Value) -> Value {
    let mut joined: Vec<Value> = Vec::new();
    for token in tokens.as_array().expect("tokens") {
        if let (Some("Character"), Some(last)) = (token[0].as_str(), joined.last_mut())
            && last[0] == "Character"
        {
            let both = [&last[1], &token[1]].map(|text| text.as_str().unwrap_or_default());
            last[1] = both.concat().into();
            continue;
        }
        joined.push(token.clone());
    }
    Value::Array(joined)
}
