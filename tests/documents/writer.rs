//! The writer: its output as bytes and as text, and the calls that it refuses. The XML output is well-formed. A writer
//! that is dropped flushes its complete output.

use std::io;
use tagstream::{Output, Refusal, WriteError, Writer, Xml};
use testing::cases;
use testing::cases::{Case, words};
use testing::event_text::split_at;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/writer",
        a_dropped_writer_puts_out_what_is_complete,
        a_dropped_writer_does_not_repeat_what_failed,
    );
    let text = include_str!("../data/writer.txt");
    let cases = cases::cases("tests/data/writer.txt", text);
    cases::add(program, cases, prefix, check);
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("xml") => "xml/writer",
        _ => "html/writer",
    }
}

fn check(case: &Case) -> Result<(), Failed> {
    let (as_text, as_bytes) = match case.option("dialect") {
        Some("xml") => (
            written(case, Writer::xml(String::new())),
            written(case, Writer::xml(Vec::new())),
        ),
        _ => (
            written(case, Writer::html(String::new())),
            written(case, Writer::html(Vec::new())),
        ),
    };
    assert_eq!(as_text.clone().map(String::into_bytes), as_bytes);
    let found = match as_text {
        Ok(found) => found,
        Err(refusal) => return Ok(case.expect("error", refusal.as_str())?),
    };
    case.expect("markup", &found)?;
    if case.option("dialect") == Some("xml") {
        let namespaces = case.option("namespaces") != Some("off");
        testing::writing::read_xml(Xml::strict().namespaces(namespaces), &found)?;
    }
    Ok(())
}

/// Returns the output of the calls of a case, or the first refusal that no call expects.
fn written<W: Output<Kind>, Kind>(case: &Case, mut out: Writer<W, Kind>) -> Result<W, Refusal> {
    if let Some(width) = case.number("indent") {
        out = out.indent(&" ".repeat(width as usize));
    }
    if case.option("namespaces") == Some("off") {
        out = out.namespaces(false);
    }
    call_all(case.text("calls").unwrap_or_default(), &mut out)?;
    match out.finish() {
        Ok(out) => Ok(out),
        Err(WriteError::Refused(refusal)) => Err(refusal),
        Err(error) => panic!("{error}"),
    }
}

/// Makes the calls. Returns the first refusal that no call expects; a call expects a refusal by `-> error REASON` after
/// it.
fn call_all<W: Output<Kind>, Kind>(calls: &str, out: &mut Writer<W, Kind>) -> Result<(), Refusal> {
    for call in split_at(calls, ';')
        .into_iter()
        .filter(|call| !call.is_empty())
    {
        let (call, refused) = match call.split_once(" -> error ") {
            Some((call, reason)) => (call, Some(reason)),
            None => (call, None),
        };
        let words = words(call);
        match (make(out, &words[0], &words[1..]), refused) {
            (Ok(()), None) => {}
            (Err(WriteError::Refused(refusal)), Some(reason)) => {
                assert_eq!(refusal.as_str(), reason, "{call}");
            }
            (Err(WriteError::Refused(refusal)), None) => return Err(refusal),
            (result, _) => panic!("{call}: {result:?}"),
        }
    }
    Ok(())
}

fn make<W: Output<Kind>, Kind>(
    out: &mut Writer<W, Kind>,
    name: &str,
    words: &[String],
) -> Result<(), WriteError> {
    let word = |index: usize| words.get(index).map_or("", String::as_str);
    let id = |index: usize| Some(word(index)).filter(|id| *id != "none");
    match name {
        "start" => out.start(word(0)),
        "start-ns" => out.start_ns(word(0), word(1)),
        "attribute" => out.attribute(word(0), word(1)),
        "attribute-ns" => out.attribute_ns(word(0), word(1), word(2)),
        "end" => out.end(),
        "text" => out.text(word(0)),
        "cdata" => out.cdata(word(0)),
        "comment" => out.comment(word(0)),
        "pi" => out.processing_instruction(word(0), word(1)),
        "doctype" => out.doctype_with(word(0), id(1), id(2)),
        "declaration" => out.declaration(word(0)),
        other => panic!("no call: {other}"),
    }?;
    Ok(())
}

fn a_dropped_writer_puts_out_what_is_complete() {
    for (calls, wanted) in [
        ("", ""),
        ("start a; text x", "<a>x"),
        ("start a; start b; attribute c d", "<a>"),
        ("start a; end", "<a/>"),
        // A start tag with an unbound prefix is refused when it is complete.
        ("start a; start p:b; text x -> error prefix", "<a>"),
        ("comment c; declaration x -> error declaration", "<!--c-->"),
    ] {
        let (mut text, mut bytes) = (String::new(), Vec::new());
        call_all(calls, &mut Writer::xml(&mut text)).expect("what is written");
        call_all(calls, &mut Writer::xml(&mut bytes)).expect("what is written");
        assert_eq!(text, wanted, "{calls}");
        assert_eq!(bytes, wanted.as_bytes(), "{calls}");
    }
    // The output is the same if `finish` returns an error.
    let mut text = String::new();
    let mut out = Writer::xml(&mut text);
    call_all("start a; text x", &mut out).expect("what is written");
    assert!(out.finish().is_err());
    assert_eq!(text, "<a>x");
}

/// A destination that accepts one byte of each write. The second write fails.
struct Failing<'f>(&'f mut Vec<u8>, usize);

impl io::Write for Failing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 += 1;
        match self.1 {
            2 => Err(io::Error::other("full")),
            _ => {
                self.0.push(bytes[0]);
                Ok(1)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn a_dropped_writer_does_not_repeat_what_failed() {
    let mut bytes = Vec::new();
    let mut out = Writer::xml(Failing(&mut bytes, 0));
    call_all("start a; text x", &mut out).expect("what is gathered");
    assert!(matches!(out.flush(), Err(WriteError::Io(_))));
    drop(out);
    assert_eq!(bytes, b"<");
}
