//! Random documents, read by the XML-ER of `testing::model::xml` and by tagstream: events must be the
//! same, and where the document has a parse error, tagstream reports one.

use std::panic::catch_unwind;
use tagstream::{Encoding, Event, Parser, Xml};
use testing::model::xml::namespaces::{Bindings, Qualified};
use testing::model::xml::{Standard, Tag, Token};
use testing::random::Random;

/// So many documents of each seed, unless `TAGSTREAM_DOCUMENTS` says how many.
const DOCUMENTS: usize = 100_000;

/// Of so many documents less than one may hold what nothing says how to read.
const UNSAID: usize = 4;

/// What documents are put together from: where something begins, ends, or goes wrong.
const PIECES: &[&str] = &[
    "<",
    "</",
    "</>",
    "<a",
    "<a>",
    "<b>",
    "<a/>",
    "</a>",
    "</b>",
    "</a",
    "<A",
    "</A>",
    ">",
    "/>",
    "/",
    "=",
    "\"",
    "'",
    " ",
    " ",
    "\t",
    "\r",
    "\n",
    "\r\n",
    "\0",
    "a",
    "b",
    "x:y",
    ":",
    "<:a>",
    "</:a>",
    "<p:a>",
    "</p:a>",
    "7",
    "<3>",
    "é",
    "<é>",
    "𝄞",
    "\u{85}",
    "\u{2028}",
    "\u{FFFE}",
    "<!--",
    "--",
    "-",
    "-->",
    "--!>",
    "<!",
    "<!x",
    "<!-",
    "<![CDATA[",
    "<![cdata[",
    "]]>",
    "]]",
    "<?",
    "<?p",
    "<? ",
    "?",
    "?>",
    "<?p d?>",
    "<?xml version='1.0'?>",
    "<?xml ",
    "<?XML",
    "<!DOCTYPE",
    "<!DOCTYPE a",
    "<!DOCTYPE a>",
    "<!DOCTYPE\t",
    "<!doctype a>",
    " PUBLIC \"x\" \"y\"",
    " PUBLIC ' x\n y'\r\n'y'",
    " SYSTEM 'z'",
    "<!DOCTYPE b SYSTEM 'z'>",
    "[",
    "]",
    "&",
    "&amp;",
    "&lt;",
    "&lt",
    "&apos;",
    "&#65;",
    "&#x41",
    "&#X41;",
    "&#x3c;",
    "&#0;",
    "&#13;",
    "&#10;",
    "&#1;",
    "&#x85;",
    "\r\u{85}",
    "&#32;",
    "&#xD800;",
    "&#xFFFE;",
    "&#99999999999;",
    "&#",
    "&#x",
    "&unknown;",
    "&x:y;",
    "&:;",
    "<?p:q d?>",
    "&e;",
    "&e;",
    "&f;",
    "&f;",
    "&g;",
    "&h;",
    " c='&e;'",
    " c=&f;",
    "&é;",
    "&é",
    "&a-b.1;",
    "&-;",
    "&;",
    ";",
    " a",
    " xmlns='u'",
    " xmlns:p='u'",
    " xmlns:q=\"u\"",
    " xmlns:p=''",
    " xmlns=\"\"",
    " xmlns:xml='u'",
    " xmlns:xmlns='u'",
    " xmlns:p='http://www.w3.org/XML/1998/namespace'",
    " xmlns=http://www.w3.org/2000/xmlns/",
    "<a xmlns:p='u' xmlns:q='u'>",
    "<a xmlns:p='u' xmlns:q='u' xmlns='v'",
    "<q:a",
    " p:k=1",
    " q:k='2'",
    " xml:k='3'",
    " a=b",
    " x=' 1  2 '",
    " b='\t&#32;k'",
    "<a ",
    " b=\"x\"",
    " b='y\n\tz'",
    " a=&lt;",
    " a='<'",
    " :c='1'",
    " x:y='2'",
    " d=\"&unknown;\"",
    " é",
];

/// What a document may begin with.
const DECLARATIONS: [&str; 4] = [
    "<?xml version='1.0'?>",
    "<?xml version='1.0' standalone='yes'?>",
    "<?xml version='1.1'?>",
    "<?xml",
];

/// The same for the internal subset of a DOCTYPE.
const SUBSET: &[&str] = &[
    "<!DOCTYPE a [",
    "<!DOCTYPE a [",
    "]>",
    "]>",
    "<!ENTITY e 'v'>",
    "<!ENTITY e '",
    "<!ENTITY e \"x&f;y\">",
    "<!ENTITY f '<b>z</b>'>",
    "<!ENTITY f '<a x=\"&#13;&#60;&#38;#60;'>",
    "<!ENTITY f \"&e;\"",
    "<!ENTITY g ' '>",
    "<!ENTITY lt 'x'>",
    "<!ENTITY x:y 'w&x:z;'>",
    "<!ENTITY e '<!DOCTYPE b [<!ENTITY g \"q\">]>'>",
    "<!ENTITY % p '<!ENTITY e \"q\">'>",
    "<!ENTITY h SYSTEM 'h'>",
    "<!ENTITY h PUBLIC 'h' 'i' NDATA n>",
    "<!ENTITY % q SYSTEM 'q'>",
    "<!ENTITY",
    "<!ENTITY ",
    "<!ENTITY%",
    "<!ATTLIST a x CDATA 'd'>",
    "<!ATTLIST a b NMTOKENS ' m  n&#32;'",
    "<!ATTLIST b y (k|l) #FIXED \"k \" x ID #IMPLIED>",
    "<!ATTLIST a a CDATA #REQUIRED 'r' b NOTATION (k) '&e;\t&#9;'>",
    "<!ATTLIST",
    "<!ATTLIST a",
    " x",
    " CDATA",
    " ENTITY",
    " ( k | l ) ",
    " #IMPLIED",
    " #FIXED",
    " ' &e; '",
    "<!ELEMENT a ANY>",
    "<!ELEMENT a '>'>",
    "<!NOTATION n SYSTEM '>'>",
    "<!NOTATION",
    "%p;",
    "%q;",
    "%x:y;",
    "%",
    "<!--",
    "-",
    "-->",
    "<?p d?>",
    "<?p",
    "?>",
    "<",
    "<!",
    "<!x>",
    ">",
    "'",
    "\"",
    "]",
    "\r\n",
    " ",
    "x",
    "&#13;",
    "&#x26;",
    "&#0;",
    "&g;",
    "&",
    " SYSTEM 'z'",
    " NDATA n",
    " NDATA n:m",
    "<!DOCTYPEx",
];

#[test]
fn fixed_seed() {
    documents(0x786d_6c2d_6572);
}

#[test]
fn fresh_seed() {
    documents(Random::fresh_seed());
}

fn documents(seed: u64) {
    println!("seed {seed}");
    let said = std::env::var("TAGSTREAM_DOCUMENTS").ok();
    let documents = said.and_then(|said| said.parse().ok());
    let documents = documents.unwrap_or(DOCUMENTS);
    let mut random = Random(seed);
    let mut unsaid = 0;
    for number in 0..documents {
        let namespaces = random.below(2) == 0;
        let document = document(&mut random);
        match compare(&document, namespaces) {
            Ok(true) => {}
            Ok(false) => unsaid += 1,
            Err(problem) => {
                let (document, problem) = smaller(&document, namespaces, problem);
                panic!(
                    "seed {seed}, document {number}, namespaces {namespaces}: {document:?}\n{problem}"
                );
            }
        }
    }
    println!("{unsaid} of {documents} documents hold what nothing says how to read");
    assert!(unsaid * UNSAID < documents, "{unsaid} of {documents}");
}

fn document(random: &mut Random) -> String {
    let most = [4, 8, 16, 40][random.below(4)];
    let mut document = String::new();
    if let Some(declaration) = DECLARATIONS.get(random.below(32)) {
        document.push_str(declaration);
    }
    match random.below(4) {
        0 => {
            document.push_str("<!DOCTYPE a [");
            for _ in 0..random.below(8) {
                document.push_str(SUBSET[random.below(SUBSET.len())]);
            }
            document.push_str("]>");
        }
        1 if random.below(4) == 0 => document.push_str("<!DOCTYPE a"),
        _ => {}
    }
    // Half of them begin as a document does, so that what follows stands in an element.
    if random.below(2) == 0 {
        document.push_str("<a>");
    }
    for _ in 0..random.below(most) + 1 {
        if random.below(16) == 0 {
            document.push(char::from(random.below(0x80) as u8));
        }
        document.push_str(piece(random));
    }
    document
}

fn piece(random: &mut Random) -> &'static str {
    match random.below(16) {
        0 => SUBSET[random.below(SUBSET.len())],
        _ => PIECES[random.below(PIECES.len())],
    }
}

/// Compares. `Ok(false)` says that there is nothing to compare with.
fn compare(document: &str, namespaces: bool) -> Result<bool, String> {
    let mut standard = Standard::new(document, namespaces);
    standard.run();
    if standard.is_unsaid {
        return Ok(false);
    }
    let expected = events(standard.tokens, namespaces);
    let both = catch_unwind(|| {
        let silent = found(document, namespaces, false);
        (silent, found(document, namespaces, true))
    });
    let Ok(((silent, _), (reporting, errors))) = both else {
        return Err("a panic".to_owned());
    };
    if silent != expected || reporting != expected {
        return Err(format!(
            "expected {expected:#?}\nfound {silent:#?}\nwith errors {reporting:#?}"
        ));
    }
    match standard.errors > 0 && errors == 0 {
        true => Err(format!("{} errors, none reported", standard.errors)),
        false => Ok(true),
    }
}

/// Takes characters out of a document as long as there is a problem with it.
fn smaller(document: &str, namespaces: bool, mut problem: String) -> (String, String) {
    let mut document: Vec<char> = document.chars().collect();
    let mut length = document.len();
    while length > 0 {
        let mut at = 0;
        let mut is_smaller = false;
        while at + length <= document.len() {
            let mut less = document.clone();
            less.drain(at..at + length);
            match compare(&less.iter().collect::<String>(), namespaces) {
                Err(still) => {
                    (document, problem) = (less, still);
                    is_smaller = true;
                }
                Ok(_) => at += 1,
            }
        }
        if !is_smaller {
            length /= 2;
        }
    }
    (document.iter().collect(), problem)
}

/// The phases of tree construction.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Start,
    Main,
    End,
}

/// What of the tokens is an event: tree construction as far as it says which element a short end tag
/// ends and what stands outside the root element.
struct Events {
    events: Vec<String>,
    phase: Phase,
    /// The stack of open elements.
    open: Vec<String>,
    text: String,
    /// Whether a run of text has begun, though it may be empty.
    is_in_run: bool,
    has_doctype: bool,
    /// Where namespaces are processed.
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
            // Followed by its end.
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
            // Dropped where no element is open, but a token that ends a run of text all the same.
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
            // A second or a late one is none, and the text around it goes on.
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

    /// Outside the root element, white space before other text is no text.
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

/// What tagstream reads, and how many errors it reports.
fn found(document: &str, namespaces: bool, errors: bool) -> (Vec<String>, usize) {
    let xml = Xml::default();
    let xml = xml.namespaces(namespaces).encoding(Encoding::UTF_8);
    let mut parser = Parser::new(xml).errors(errors);
    parser.feed(document.to_owned());
    parser.finish();
    let (mut events, mut errors) = (Vec::new(), 0);
    while let Some(event) = parser.next_event().expect("no error ends the parse") {
        events.push(match &event {
            Event::ParseError(_) => {
                errors += 1;
                continue;
            }
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
    }
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
