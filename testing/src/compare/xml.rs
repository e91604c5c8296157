//! XML: compares the events of the XML-ER model and of the library, and whether both report errors.

use super::unmarked;
use crate::draws;
use crate::generate::xml::document;
use crate::model::xml::namespaces::{Bindings, Qualified};
use crate::model::xml::{Standard, Tag, Token};
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting::tree::Tested;
use tagstream::{Encoding, Event, Parser, Xml};

/// Compares events. The option is true if namespaces are processed.
pub const EVENTS: RandomTest<bool> = RandomTest {
    name: "xml/model",
    quick: 8_000,
    full: 100_000,
    draw: |random| {
        let namespaces = random.one_in(2);
        (namespaces, draws::some_long(random, Tested::Xml, document))
    },
    check,
    // Documents for which the specification does not define a result, out of a thousand.
    other: [0, 250],
    shrinks: true,
};

fn check(namespaces: &bool, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let input = unmarked(input);
    let mut standard = Standard::new(&String::from_utf8_lossy(input), *namespaces);
    standard.run();
    if standard.is_unsaid {
        return Ok(Verdict::Other);
    }
    let expected = events(standard.tokens, *namespaces);
    for feed in [Feed::whole(), feed] {
        let (silent, _) = found(input, *namespaces, false, feed);
        let (reporting, errors) = found(input, *namespaces, true, feed);
        if silent != expected || reporting != expected {
            return Err(format!(
                "expected {expected:#?}\nfound {silent:#?}\nwith errors {reporting:#?}"
            ));
        }
        if standard.errors > 0 && errors == 0 {
            return Err(format!("{} errors, none reported", standard.errors));
        }
    }
    Ok(Verdict::Right)
}

/// The phases of tree construction.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Start,
    Main,
    End,
}

/// Converts tokens to events. This is the part of tree construction that finds the element that a short end tag ends,
/// and the content outside the root element.
struct Events {
    events: Vec<String>,
    phase: Phase,
    /// The stack of open elements.
    open: Vec<String>,
    text: String,
    /// Whether a run of text has begun. The run may be empty.
    is_in_run: bool,
    has_doctype: bool,
    /// The bindings of prefixes, if namespaces are processed.
    bindings: Option<Bindings>,
}

fn events(tokens: Vec<Token>, namespaces: bool) -> Vec<String> {
    let mut events = Events {
        events: Vec::new(),
        phase: Phase::Start,
        open: Vec::new(),
        text: String::new(),
        is_in_run: false,
        has_doctype: false,
        bindings: namespaces.then(Bindings::default),
    };
    for token in tokens {
        events.token(token);
    }
    events.end_text();
    events.events
}

impl Events {
    fn token(&mut self, token: Token) {
        match token {
            Token::Character(character) => self.character(character),
            Token::Marked(character) => {
                self.is_in_run = true;
                self.text.push(character);
            }
            Token::BeginMarked => self.is_in_run = true,
            Token::StartTag(tag) => {
                self.start_tag(&tag, false);
                if self.phase != Phase::End {
                    self.phase = Phase::Main;
                    self.open.push(tag.name);
                }
            }
            // The start event is followed by the end event.
            Token::EmptyTag(tag) => {
                self.start_tag(&tag, true);
                self.event(end_tag(&tag.name, false));
                if self.phase == Phase::Start {
                    self.phase = Phase::End;
                }
            }
            Token::EndTag(name) => {
                self.event(end_tag(&name, false));
                if let Some(at) = self.open.iter().rposition(|open| *open == name) {
                    self.open.truncate(at);
                    self.end_phase();
                }
            }
            // If no element is open, the token is dropped, but it ends a run of text nevertheless.
            Token::ShortEndTag => {
                self.end_text();
                if let Some(name) = self.open.pop() {
                    self.event(end_tag(&name, true));
                    self.end_phase();
                }
            }
            Token::Comment(comment) => self.event(comment_event(&comment)),
            Token::ProcessingInstruction(target, data) => {
                self.event(instruction(&target, &data));
            }
            Token::Declaration => self.event("declaration".to_owned()),
            // A second or late DOCTYPE is dropped, and the text around it is one run.
            Token::Doctype(doctype) => {
                if self.phase == Phase::Start && !self.has_doctype {
                    self.has_doctype = true;
                    let identifiers = (doctype.public.as_deref(), doctype.system.as_deref());
                    self.event(doctype_event(&doctype.name, identifiers));
                }
            }
            Token::Skipped(name) => self.event(format!("skipped {name:?}")),
        }
    }

    fn start_tag(&mut self, tag: &Tag, is_empty: bool) {
        let qualified = match &mut self.bindings {
            Some(bindings) => {
                bindings.truncate(self.open.len());
                bindings.start(tag)
            }
            None => {
                let attributes = tag.attributes.iter().cloned();
                Qualified {
                    namespace: None,
                    attributes: attributes
                        .map(|(name, value)| (None, name, value))
                        .collect(),
                }
            }
        };
        self.event(start_tag(&tag.name, &qualified, is_empty));
    }

    /// Adds a character of text. Outside the root element, whitespace before other text is dropped.
    fn character(&mut self, character: char) {
        let is_space = matches!(character, '\t' | '\n' | '\r' | ' ');
        self.is_in_run |= self.phase == Phase::Main || !is_space;
        if self.is_in_run {
            self.text.push(character);
        }
    }

    fn end_phase(&mut self) {
        if self.open.is_empty() {
            self.phase = Phase::End;
        }
    }

    fn event(&mut self, event: String) {
        self.end_text();
        self.events.push(event);
    }

    fn end_text(&mut self) {
        let text = core::mem::take(&mut self.text);
        self.is_in_run = false;
        if !text.is_empty() {
            self.events.push(format!("text {text:?}"));
        }
    }
}

/// Returns the events of tagstream, and the number of errors that it reports.
fn found(input: &[u8], namespaces: bool, errors: bool, feed: Feed) -> (Vec<String>, usize) {
    let xml = Xml::default();
    let xml = xml.namespaces(namespaces).encoding(Encoding::UTF_8);
    let parser = Parser::new(xml)
        .report_errors(errors)
        .inspect_sizes(feed.sizes);
    let (mut events, mut errors) = (Vec::new(), 0);
    let done = feed.events(parser, input, |event| {
        events.push(match &event {
            Event::ParseError(_) => return errors += 1,
            Event::Start(tag) => {
                let attributes = tag.attributes().map(|one| {
                    let namespace = one.namespace().map(str::to_owned);
                    (namespace, one.name().to_owned(), one.value().to_owned())
                });
                let qualified = Qualified {
                    namespace: tag.namespace().map(str::to_owned),
                    attributes: attributes.collect(),
                };
                start_tag(tag.name(), &qualified, tag.is_self_closing())
            }
            Event::End(tag) => end_tag(tag.name(), tag.is_short()),
            Event::Text(text) => format!("text {:?}", text.as_str()),
            Event::Comment(comment) => comment_event(comment.as_str()),
            Event::ProcessingInstruction(found) => instruction(found.target(), found.data()),
            Event::Doctype(doctype) => {
                let identifiers = (doctype.public_id(), doctype.system_id());
                doctype_event(doctype.name(), identifiers)
            }
            Event::Declaration(_) => "declaration".to_owned(),
            Event::SkippedEntity(entity) => format!("skipped {:?}", entity.name()),
            other => format!("{other:?}"),
        });
    });
    done.expect("no error ends the parse");
    (events, errors)
}

fn start_tag(name: &str, qualified: &Qualified, is_empty: bool) -> String {
    format!("start {name:?} {qualified:?} {is_empty}")
}

fn end_tag(name: &str, is_short: bool) -> String {
    format!("end {name:?} {is_short}")
}

fn comment_event(comment: &str) -> String {
    format!("comment {comment:?}")
}

fn instruction(target: &str, data: &str) -> String {
    format!("instruction {target:?} {data:?}")
}

fn doctype_event(name: &str, identifiers: (Option<&str>, Option<&str>)) -> String {
    format!("doctype {name:?} {identifiers:?}")
}
