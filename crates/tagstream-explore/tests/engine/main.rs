//! Tests of the engine: the results do not depend on how a document is fed, and they are those that the page expects.

mod changes;
mod offsets;
mod sections;
mod sessions;
mod tools;
mod traces;

use serde_json::Value;
use tagstream_explore::Session;

/// The options for text, whose encoding is known.
const UTF8: &str = r#"{"encoding":"utf-8"}"#;

fn session(options: &str) -> Session {
    Session::new(options).unwrap_or_else(|error| panic!("{options}: {error}"))
}

fn fed(options: &str, bytes: &[u8]) -> Session {
    let mut session = session(options);
    session.feed(bytes);
    session.finish();
    session
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn list(text: &str) -> Vec<Value> {
    match parsed(text) {
        Value::Array(items) => items,
        other => panic!("{other} is not an array"),
    }
}
