//! What a writer writes, and refuses to: rows, to bytes and to text; what XML is written is read strictly. What a
//! writer does when it is dropped.

use std::io;
use tagstream::{Output, Refusal, WriteError, Writer, Xml};
use testing::cases;
use testing::rows::unescaped;
use testing::run::Program;

const ROWS: &str = include_str!("../data/writer.txt");

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/writer",
        a_dropped_writer_puts_out_what_is_complete,
        a_dropped_writer_does_not_repeat_what_failed,
    );
    let mut section = "";
    for line in ROWS.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
        } else if !line.is_empty() && !line.starts_with('#') {
            let dialect = line.split([' ', '|']).next().expect("a dialect");
            let name = format!("{dialect}/writer, {section}: {line}");
            program.case(name, move || check(line));
        }
    }
}

fn check(line: &str) {
    let (how, rest) = line.split_once(" | ").expect("what is written");
    let (calls, wanted) = rest.rsplit_once(" => ").expect("a document");
    let wanted = String::from_utf8(unescaped(wanted)).expect("text");
    let as_text = written(
        how,
        calls,
        Writer::xml(String::new()),
        Writer::html(String::new()),
    );
    let found = match as_text {
        Ok(document) => document,
        Err(refusal) => format!("!{}", refusal.as_str()),
    };
    assert_eq!(found, wanted);
    let as_bytes = written(
        how,
        calls,
        Writer::xml(Vec::new()),
        Writer::html(Vec::new()),
    );
    match as_bytes {
        Ok(document) => assert_eq!(document, wanted.as_bytes()),
        Err(refusal) => assert_eq!(format!("!{}", refusal.as_str()), wanted),
    }
    if how.starts_with("xml") && !wanted.starts_with('!') {
        let xml = Xml::strict().namespaces(!how.contains("no-namespaces"));
        testing::writing::read_xml(xml, &wanted).expect("well-formed");
    }
}

fn written<W: Output<Kind>, Kind>(
    how: &str,
    calls: &str,
    xml: Writer<W, Kind>,
    html: Writer<W, Kind>,
) -> Result<W, Refusal> {
    let mut options = how.split(' ');
    let mut out = if options.next() == Some("html") {
        html
    } else {
        xml
    };
    for option in options {
        out = match option.strip_prefix("indent=") {
            Some(width) => out.indent(&" ".repeat(width.parse().expect("a width"))),
            None => out.namespaces(option != "no-namespaces"),
        };
    }
    call_all(calls, &mut out)?;
    match out.finish() {
        Ok(out) => Ok(out),
        Err(WriteError::Refused(refusal)) => Err(refusal),
        Err(error) => panic!("{error}"),
    }
}

/// Makes the calls of a row; an error is the first refusal that the row does not say.
fn call_all<W: Output<Kind>, Kind>(calls: &str, out: &mut Writer<W, Kind>) -> Result<(), Refusal> {
    for call in calls.split("; ").filter(|call| !call.trim().is_empty()) {
        let (refused, call) = match call.strip_prefix('!') {
            Some(rest) => {
                let (reason, call) = rest.split_once(' ').unwrap_or((rest, "end"));
                (Some(reason), call)
            }
            None => (None, call),
        };
        // An argument may be empty, at the end of the row too.
        let mut words = call.split(' ');
        let name = words.next().expect("a call");
        let words: Vec<String> = words
            .map(|word| unescaped(&word.replace('␣', " ")))
            .map(|word| String::from_utf8(word).expect("text"))
            .collect();
        match (make(out, name, &words), refused) {
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
    let id = |index: usize| Some(word(index)).filter(|id| *id != "-");
    match name {
        "start" => out.start(word(0)),
        "start_ns" => out.start_ns(word(0), word(1)),
        "attribute" => out.attribute(word(0), word(1)),
        "attribute_ns" => out.attribute_ns(word(0), word(1), word(2)),
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
        // An unbound prefix: the tag is refused when it is complete.
        ("start a; start p:b; !prefix text x", "<a>"),
        ("comment c; !declaration declaration x", "<!--c-->"),
    ] {
        let (mut text, mut bytes) = (String::new(), Vec::new());
        call_all(calls, &mut Writer::xml(&mut text)).expect("what is written");
        call_all(calls, &mut Writer::xml(&mut bytes)).expect("what is written");
        assert_eq!(text, wanted, "{calls}");
        assert_eq!(bytes, wanted.as_bytes(), "{calls}");
    }
    // `finish` that is refused leaves the same.
    let mut text = String::new();
    let mut out = Writer::xml(&mut text);
    call_all("start a; text x", &mut out).expect("what is written");
    assert!(out.finish().is_err());
    assert_eq!(text, "<a>x");
}

/// Takes one byte of each write, and fails the second one.
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
