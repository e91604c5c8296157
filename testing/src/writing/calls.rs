//! Random calls of a writer, and the events as which the output must be read.

use super::{Said, XMLNS, is_said, read_html};
use crate::generate::Parts;
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use tagstream::{Event, Events, Textwise, WriteError, Writer, Xml};

/// A writer of HTML, and the lines of the calls that it accepted.
pub(super) struct Asked {
    said: Said,
    writer: Writer<String, Textwise>,
    /// The open tag: its name and attributes.
    tag: Option<(String, Vec<(String, String)>)>,
    open: Vec<String>,
}

impl Asked {
    pub(super) fn new(said: Said, writer: Writer<String, Textwise>) -> Asked {
        Asked {
            said,
            writer,
            tag: None,
            open: Vec::new(),
        }
    }

    fn end_tag(&mut self) {
        if let Some((name, attributes)) = self.tag.take() {
            let attributes = attributes.into_iter();
            let attributes = attributes.map(|(name, value)| (None, name, value));
            self.said.start((None, &name), attributes);
        }
    }

    /// Writes an event.
    pub(super) fn event(&mut self, event: &Event<'_>) -> Result<(), WriteError> {
        self.writer.event(event)?;
        self.end_tag();
        match event {
            Event::Start(tag) => {
                let attributes = tag.attributes();
                let attributes = attributes.map(|one| (one.name().into(), one.value().into()));
                self.tag = Some((tag.name().to_owned(), attributes.collect()));
                self.open.push(tag.name().to_owned());
            }
            Event::End(_) => self.end(),
            other => self.said.event(other),
        }
        Ok(())
    }

    fn end(&mut self) {
        let name = self.open.pop().unwrap_or_default();
        self.said.end(&name);
    }

    /// Makes a call.
    fn call(&mut self, call: &Call<'_>) -> Result<(), WriteError> {
        if call.write(&mut self.writer)? {
            match (call.kind, &mut self.tag) {
                (b'a' | b'A', Some((_, attributes))) => {
                    attributes.push((call.name.to_owned(), call.value.to_owned()));
                    return Ok(());
                }
                _ => self.end_tag(),
            }
            match call.kind {
                b's' | b'S' => {
                    self.tag = Some((call.name.to_owned(), Vec::new()));
                    self.open.push(call.name.to_owned());
                }
                b'e' => self.end(),
                b't' | b'c' => self.said.text(call.value),
                b'd' => self.said.line(call.told().to_ascii_lowercase()),
                _ => self.said.line(call.told()),
            }
        }
        Ok(())
    }

    /// Returns the document, and the lines as which it must be read.
    pub(super) fn finish(mut self) -> Result<(String, Vec<String>), WriteError> {
        self.end_tag();
        let document = self.writer.finish()?;
        Ok((document, self.said.all()))
    }
}

/// A call: its kind, as a letter, and its arguments.
#[derive(Clone, Copy, Debug)]
struct Call<'c> {
    kind: u8,
    name: &'c str,
    namespace: &'c str,
    value: &'c str,
}

impl<'c> Call<'c> {
    /// Returns the calls that an input encodes.
    fn all(input: &'c [u8]) -> impl Iterator<Item = Call<'c>> {
        let input = std::str::from_utf8(input).unwrap_or_default();
        input.split('\u{1E}').filter_map(|call| {
            let mut parts = call.split('\u{1F}');
            let kind = *parts.next()?.as_bytes().first()?;
            let (name, namespace) = (parts.next()?, parts.next()?);
            let value = parts.next()?;
            Some(Call {
                kind,
                name,
                namespace,
                value,
            })
        })
    }

    /// Makes the call. Returns false for unknown calls, for flushes, and for empty texts.
    fn write(&self, out: &mut Writer<String, Textwise>) -> Result<bool, WriteError> {
        let Call {
            kind,
            name,
            namespace,
            value,
        } = *self;
        match kind {
            b's' => out.start(name),
            b'S' => out.start_ns(namespace, name),
            b'a' => out.attribute(name, value),
            b'A' => out.attribute_ns(namespace, name, value),
            b'e' => out.end(),
            b't' => out.text(value),
            b'c' => out.cdata(value),
            b'#' => out.comment(value),
            b'?' => out.processing_instruction(name, value),
            b'd' => out.doctype_with(
                name,
                Some(namespace).filter(|one| !one.is_empty()),
                Some(value).filter(|one| !one.is_empty()),
            ),
            b'x' => out.declaration(value),
            b'f' => return out.flush().map(|()| false),
            _ => return Ok(false),
        }?;
        Ok(!(matches!(kind, b't' | b'c') && value.is_empty()))
    }

    /// Returns the event as which the call must be read, unless that is a tag or text.
    fn told(&self) -> String {
        let Call {
            kind,
            name,
            namespace,
            value,
        } = *self;
        match kind {
            b'#' => format!("comment {value:?}"),
            b'?' => format!("instruction {name:?} {value:?}"),
            b'd' => {
                let ids = (
                    Some(namespace).filter(|one| !one.is_empty()),
                    Some(value).filter(|one| !one.is_empty()),
                );
                format!("doctype {name:?} {ids:?}")
            }
            _ => format!("declaration {value} None"),
        }
    }
}

const NAMES: [&str; 16] = [
    "a", "b", "c", "a", "b", "p:a", "q:b", "xml:lang", "xmlns", "xmlns:p", "xmlns:q", "é", "d",
    "k", "l", "m",
];

const NO_NAMES: [&str; 26] = [
    "",
    " ",
    "a b",
    "a\"",
    "a'",
    "a>",
    "a/",
    "a=",
    "<",
    "a<",
    ":a",
    "a:",
    "a:b:c",
    "1",
    "-",
    "a\u{300}",
    "\u{300}",
    "xmlns:xmlns",
    "xmlns:xml",
    "xml",
    "XML",
    "p:1",
    "a\0",
    "x\u{FFFE}",
    "\u{FFFD}",
    "xml-s",
];

const OF_HTML: [&str; 24] = [
    "svg",
    "math",
    "title",
    "script",
    "style",
    "SCRIPT",
    "textarea",
    "pre",
    "br",
    "p",
    "plaintext",
    "foreignObject",
    "mi",
    "annotation-xml",
    "desc",
    "iframe",
    "noscript",
    "template",
    "select",
    "table",
    "img",
    "xmp",
    "listing",
    "body",
];

const TEXTS: [&str; 41] = [
    "x", "text ", "é", "𝄞", "<", ">", "&", "&amp;", "&#65;", "\"", "'", "]]>", "]]", "]", "--",
    "-", "-->", "--!>", "<!--", "<!-", "->", "?>", "?", "\r", "\n", "\t", " ", "\u{1}", "\0",
    "\u{FFFE}", "\u{FFFF}", "\u{FEFF}", "\u{85}", "\u{2028}", "\u{7F}", "\u{9F}", "</script",
    "<script", "</", "</title>", "\u{C}",
];

const NAMESPACES: [&str; 9] = [
    "",
    "u",
    "v",
    "u",
    "a&<\"\n",
    "http://www.w3.org/XML/1998/namespace",
    "http://www.w3.org/2000/xmlns/",
    "http://www.w3.org/2000/svg",
    "\u{1}",
];

/// Draws calls. Each call is a part.
fn draw(random: &mut Random) -> (Of, Parts) {
    let of = Of {
        is_html: random.one_in(3),
        namespaces: !random.one_in(6),
        indents: random.one_in(6),
    };
    // Half of the tests make no calls that are refused on their own, so that most documents are complete.
    let tame = random.one_in(2);
    let mut depth = 0;
    let mut parts = Parts::new();
    let mut call = |kind: &str, name: &str, namespace: &str, value: &str| {
        parts.push(format!("{kind}\u{1F}{name}\u{1F}{namespace}\u{1F}{value}\u{1E}").into_bytes());
    };
    let text = |random: &mut Random| {
        let many = random.below(4);
        let pick = |random: &mut Random| match tame {
            true => TEXTS[random.below(12)],
            false => random.pick(&TEXTS),
        };
        (0..many).map(|_| pick(random)).collect::<String>()
    };
    if random.one_in(4) {
        call("x", "", "", random.pick(&["1.0", "1.1", "1.1", "2", ""]));
    }
    if random.one_in(4) {
        let (public, system) = (text(random), text(random));
        call(
            "d",
            if tame { "a" } else { random.pick(&NO_NAMES) },
            &public,
            &system,
        );
    }
    for number in 0..random.below(24) {
        let name = match random.below(12) {
            0 if !tame => random.pick(&NO_NAMES),
            1..6 if of.is_html => random.pick(&OF_HTML),
            _ if tame => NAMES[random.below(5)],
            _ => random.pick(&NAMES),
        };
        let namespace = if tame {
            NAMESPACES[random.below(4)]
        } else {
            random.pick(&NAMESPACES)
        };
        let value = text(random);
        let kind = match (number, random.below(16)) {
            (0, _) | (_, 0 | 1) if tame => "s",
            (_, 0 | 1) => "s",
            (_, 2) => "S",
            (_, 3 | 4) => "a",
            (_, 5) => "A",
            (_, 6..=9) => "t",
            (_, 10) => "c",
            (_, 11) => "#",
            (_, 12) => "?",
            (_, 13) => "f",
            _ => "e",
        };
        match kind {
            "s" | "S" => depth += 1,
            // In most cases there is only one root element.
            "e" if depth == 1 => continue,
            "e" => depth = usize::max(depth, 1) - 1,
            _ => {}
        }
        let value = match name.starts_with("xmlns") && random.one_in(2) {
            true => namespace.to_owned(),
            false => value,
        };
        call(kind, name, namespace, &value);
    }
    for _ in 0..depth + 2 {
        call("e", "", "", "");
    }
    (of, parts)
}

/// The kind and the options of the writer.
#[derive(Clone, Copy, Debug)]
pub struct Of {
    is_html: bool,
    namespaces: bool,
    indents: bool,
}

/// Tests calls with arguments that contain markup.
pub const CALLS: RandomTest<Of> = RandomTest {
    name: "core/writing, calls",
    quick: 3_000,
    full: 40_000,
    draw,
    check,
    // Documents that are incomplete at the end are not checked.
    other: [0, 500],
    shrinks: true,
};

fn check(of: &Of, _: Feed, input: &[u8]) -> Result<Verdict, String> {
    match of.is_html {
        true => check_html(*of, input),
        false => check_xml(*of, input),
    }
}

fn writer(of: Of, writer: Writer<String, Textwise>) -> Writer<String, Textwise> {
    let writer = writer.namespaces(of.namespaces);
    match of.indents {
        true => writer.indent("\t "),
        false => writer,
    }
}

/// Removes whitespace-only texts if the output is indented.
fn without_space(of: Of, mut lines: Vec<String>) -> Vec<String> {
    let is_space = |line: &str| {
        let text = line
            .strip_prefix("text \"")
            .and_then(|rest| rest.strip_suffix('"'));
        text.is_some_and(|text| text.replace("\\n", "").replace("\\t", "").trim().is_empty())
    };
    if of.indents {
        lines.retain(|line| !is_space(line));
    }
    lines
}

fn check_html(of: Of, input: &[u8]) -> Result<Verdict, String> {
    let mut asked = Asked::new(Said::html(), writer(of, Writer::html(String::new())));
    for call in Call::all(input) {
        // A refused call writes nothing, and later calls may succeed.
        let _ = asked.call(&call);
    }
    let Ok((document, said)) = asked.finish() else {
        return Ok(Verdict::Other);
    };
    let (read, said) = (
        without_space(of, read_html(&document)),
        without_space(of, said),
    );
    match is_said(&read, &said) {
        true => Ok(Verdict::Right),
        false => Err(format!("{document:?}\nsays {read:#?}\nand not {said:#?}")),
    }
}

/// A name, and its namespace. The outer `None` means that no namespace was given.
type Name = (Option<Option<String>>, String);

/// The events as which the XML must be read.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Start(Name, Vec<(Name, String)>),
    End,
    Text(String),
    Line(String),
}

fn check_xml(of: Of, input: &[u8]) -> Result<Verdict, String> {
    let mut out = writer(of, Writer::xml(String::new()));
    let mut asked: Vec<Item> = Vec::new();
    let mut depth = 0;
    for call in Call::all(input) {
        let Ok(is_call) = call.write(&mut out) else {
            continue;
        };
        let said = |namespace: &str| Some(Some(namespace.to_owned()).filter(|one| !one.is_empty()));
        let name = match call.kind {
            b'S' | b'A' if of.namespaces => (said(call.namespace), call.name.to_owned()),
            _ => (None, call.name.to_owned()),
        };
        match call.kind {
            _ if !is_call => continue,
            b's' | b'S' => {
                depth += 1;
                asked.push(Item::Start(name, Vec::new()));
            }
            b'a' | b'A' => match asked.last_mut() {
                Some(Item::Start(_, attributes)) => attributes.push((name, call.value.to_owned())),
                _ => return Err("an attribute of no tag".to_owned()),
            },
            b'e' => {
                depth -= 1;
                asked.push(Item::End);
            }
            // Whitespace outside the root element is not reported.
            b't' if depth == 0 => {}
            b't' | b'c' => match asked.last_mut() {
                Some(Item::Text(text)) => text.push_str(call.value),
                _ => asked.push(Item::Text(call.value.to_owned())),
            },
            _ => asked.push(Item::Line(call.told())),
        }
    }
    let Ok(document) = out.finish() else {
        return Ok(Verdict::Other);
    };
    let xml = Xml::strict().namespaces(of.namespaces);
    let mut read =
        read_items(xml, &document).map_err(|error| format!("{document:?}\nis {error}"))?;
    let is_space = |item: &Item| matches!(item, Item::Text(text) if of.indents && text.trim_matches([' ', '\t', '\n']).is_empty());
    asked.retain(|item| !is_space(item));
    read.retain(|item| !is_space(item));
    let is_same = asked.len() == read.len()
        && asked
            .iter()
            .zip(&read)
            .all(|(asked, read)| is_as_asked(asked, read));
    match is_same {
        true => Ok(Verdict::Right),
        false => Err(format!("{document:?}\nsays {read:#?}\nand not {asked:#?}")),
    }
}

fn is_as_asked(asked: &Item, read: &Item) -> bool {
    let (Item::Start(asked, attributes), Item::Start(name, found)) = (asked, read) else {
        return asked == read;
    };
    let is_name = |asked: &Name, name: &Name| {
        asked.1 == name.1
            && (asked.0.is_none() || asked.0 == name.0 || asked.1.starts_with("xmlns"))
    };
    let (own, added) = found.split_at(attributes.len().min(found.len()));
    let pairs = attributes.iter().zip(own);
    is_name(asked, name)
        && attributes.len() == own.len()
        && pairs
            .into_iter()
            .all(|((asked, value), (name, found))| is_name(asked, name) && value == found)
        && added
            .iter()
            .all(|((namespace, _), _)| *namespace == Some(Some(XMLNS.to_owned())))
}

fn read_items(xml: Xml, input: &str) -> Result<Vec<Item>, String> {
    let mut events = Events::of(xml, input);
    let mut items = Vec::new();
    while let Some(event) = events.next_event().map_err(|error| error.to_string())? {
        let item = match &event {
            Event::Start(tag) => {
                let attributes = tag.attributes().map(|one| {
                    let namespace = one.namespace().map(str::to_owned);
                    (
                        (Some(namespace), one.name().to_owned()),
                        one.value().to_owned(),
                    )
                });
                let namespace = tag.namespace().map(str::to_owned);
                Item::Start(
                    (Some(namespace), tag.name().to_owned()),
                    attributes.collect(),
                )
            }
            Event::End(_) => Item::End,
            Event::Text(text) => match items.last_mut() {
                Some(Item::Text(before)) => {
                    before.push_str(text.as_str());
                    continue;
                }
                _ => Item::Text(text.as_str().to_owned()),
            },
            other => {
                let mut said = Said::default();
                said.event(other);
                Item::Line(said.all().concat())
            }
        };
        items.push(item);
    }
    Ok(items)
}
