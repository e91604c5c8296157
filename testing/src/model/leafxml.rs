//! The document read to the letter, stage by stage over all of the input: character set, tokens,
//! filtering, assemblies, tags, tag stack, namespaces. Random documents must give the same events, or be
//! refused alike.

use crate::random::Random;
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeMap;
use tagstream::{Event, LeafXml, Parser};
use unicode_normalization::UnicodeNormalization;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

#[derive(Debug)]
enum Token {
    Text(String),
    Tag(String),
    Cdata(String),
}

fn is_in_set(c: char) -> bool {
    let code = c as u32;
    let trailing = code & 0xFFFE == 0xFFFE;
    matches!(code, 9 | 10 | 13 | 0x20..=0x7E | 0x85)
        || matches!(code, 0xA0..=0xD7FF | 0xE000..=0xFDCF | 0xFDF0..=0x10_FFFD) && !trailing
}

fn is_name(text: &str) -> bool {
    let is_char = |c: char| {
        let code = c as u32;
        let excluded = matches!(code, 0xD7 | 0xF7 | 0x37E) || code & 0xFFFE == 0xFFFE;
        c.is_ascii_alphanumeric()
            || matches!(c, '-' | '.' | ':' | '_' | '\u{B7}')
            || matches!(code, 0xC0..=0x1FFF | 0x200C | 0x200D | 0x203F | 0x2040 | 0x2070..=0x218F
                | 0x2C00..=0x2FEF | 0x3001..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xE_FFFD)
                && !excluded
    };
    let is_first = |c: char| !matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}');
    text.chars().all(is_char) && text.chars().next().is_some_and(is_first)
}

fn is_part(text: &str) -> bool {
    is_name(text) && !text.contains(':')
}

fn line_breaks(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace("\r\u{85}", "\n");
    text.replace(['\u{85}', '\u{2028}', '\r'], "\n")
}

fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out += &rest[..at];
        let end = rest[at..].find(';')? + at;
        let number = |digits: &str, radix| {
            let good = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
            let number = u32::from_str_radix(digits, radix).ok().filter(|_| good)?;
            char::from_u32(number).filter(|c| is_in_set(*c))
        };
        out.push(match &rest[at + 1..end] {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "apos" => '\'',
            "quot" => '"',
            escape => match (escape.strip_prefix("#x"), escape.strip_prefix('#')) {
                (Some(digits), _) => number(digits, 16)?,
                (_, Some(digits)) => number(digits, 10)?,
                _ => return None,
            },
        });
        rest = &rest[end + 1..];
    }
    Some(out + rest)
}

/// The length of a token of spans, up to a `>` outside quotes; `bad` may not stand outside them.
fn spans(text: &str, bad: &[char]) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (None, '>') => return Some(at + 1),
            (None, _) if bad.contains(&c) => return None,
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

fn tokens(input: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let (mut rest, mut doctypes, mut tags) = (input, 0, 0);
    while !rest.is_empty() {
        let delimited = |open: &str, close: &str| {
            let inner = rest.strip_prefix(open)?;
            Some(
                open.len()
                    + inner
                        .find(close)
                        .map_or(usize::MAX / 2, |at| at + close.len()),
            )
        };
        let length = if !rest.starts_with('<') {
            let length = rest.find('<').unwrap_or(rest.len());
            tokens.push(Token::Text(rest[..length].to_owned()));
            length
        } else if let Some(length) = delimited("<![CDATA[", "]]>") {
            tokens.push(Token::Cdata(rest.get(9..length - 3)?.to_owned()));
            length
        } else if let Some(length) = delimited("<!--", "-->").or(delimited("<?", "?>")) {
            length
        } else if let Some(inner) = rest.strip_prefix("<!DOCTYPE") {
            doctypes += 1;
            if doctypes > 1 || tags > 0 {
                return None;
            }
            9 + spans(inner, &['[', ']'])?
        } else if rest.starts_with("<!") || rest.starts_with("<>") {
            return None;
        } else {
            tags += 1;
            let length = 1 + spans(&rest[1..], &[])?;
            tokens.push(Token::Tag(rest[..length].to_owned()));
            length
        };
        rest = rest.get(length..)?;
    }
    Some(tokens)
}

struct Tag {
    name: String,
    is_end: bool,
    is_empty: bool,
    attributes: Vec<(String, String)>,
}

fn normal_name(text: &str) -> Option<String> {
    let normal: String = text.nfc().collect();
    (is_name(text) && is_name(&normal)).then_some(normal)
}

/// What stands before the first character that ends a name.
fn name_of(text: &str) -> (&str, &str) {
    let ends = |c: char| matches!(c, '\t' | '\n' | ' ' | '/' | '>' | '=' | '"' | '\'' | '<');
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

fn tag(text: &str) -> Option<Tag> {
    let space = |c: char| matches!(c, '\t' | '\n' | ' ');
    let text = line_breaks(text);
    let mut rest = text.strip_prefix('<')?.strip_suffix('>')?;
    let is_end = rest.starts_with('/');
    rest = rest.strip_prefix('/').unwrap_or(rest);
    let (name, after) = name_of(rest);
    let name = normal_name(name)?;
    let mut attributes: Vec<(String, String)> = Vec::new();
    rest = after;
    loop {
        let trimmed = rest.trim_start_matches(space);
        if matches!(trimmed, "" | "/") {
            let is_empty = trimmed == "/";
            let bad = is_end && (is_empty || !attributes.is_empty());
            return (!bad).then_some(Tag {
                name,
                is_end,
                is_empty,
                attributes,
            });
        }
        if trimmed.len() == rest.len() {
            return None;
        }
        let (name, after) = name_of(trimmed);
        let name = normal_name(name)?;
        let value = after.trim_start_matches(space).strip_prefix('=')?;
        let value = value.trim_start_matches(space);
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = value[1..].split_once(quote)?;
        if value.contains('<') || attributes.iter().any(|other| other.0 == name) {
            return None;
        }
        let value = unescaped(value)?;
        let words = value.split(['\t', '\n', '\r', ' ']);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        attributes.push((name, words.join(" ").nfc().collect()));
        rest = after;
    }
}

type Context = BTreeMap<String, String>;

/// The context of a start tag.
fn declared(context: &Context, tag: &Tag) -> Option<Context> {
    let mut context = context.clone();
    for (name, value) in &tag.attributes {
        let prefix = match name.strip_prefix("xmlns:") {
            Some(prefix) if !is_part(prefix) => return None,
            Some(prefix) => prefix,
            None if name == "xmlns" => "",
            None => continue,
        };
        let bad = match prefix {
            "xmlns" => true,
            "xml" => value != XML,
            _ => value == XML,
        };
        if bad || value.is_empty() || value == XMLNS {
            return None;
        }
        context.insert(prefix.to_owned(), value.clone());
    }
    Some(context)
}

/// A start tag on one line: namespace, local name, the two maps of attributes.
fn start(context: &Context, tag: &Tag) -> Option<String> {
    let find = |name: &str| -> Option<(String, String)> {
        let (prefix, local) = name.split_once(':')?;
        let good = is_part(prefix) && is_part(local);
        Some((
            context.get(prefix).filter(|_| good)?.clone(),
            local.to_owned(),
        ))
    };
    let (namespace, local) = match tag.name.contains(':') {
        true => find(&tag.name)?,
        false => (
            context.get("").cloned().unwrap_or_default(),
            tag.name.clone(),
        ),
    };
    let (mut own, mut external) = (BTreeMap::new(), BTreeMap::new());
    for (name, value) in &tag.attributes {
        if !name.contains(':') {
            if name != "xmlns" {
                own.insert(name.clone(), value.clone());
            }
            continue;
        }
        let found = find(name)?;
        if !name.starts_with("xmlns:") && external.insert(found, value.clone()).is_some() {
            return None;
        }
    }
    Some(format!("<{{{namespace}}}{local} {own:?} {external:?}>"))
}

fn read(input: &str) -> Option<Vec<String>> {
    let input = input.strip_prefix('\u{FEFF}').unwrap_or(input);
    if !input.chars().all(is_in_set) {
        return None;
    }
    let mut events = Vec::new();
    let mut content = String::new();
    let mut contexts = vec![Context::from([
        ("xml".to_owned(), XML.to_owned()),
        ("xmlns".to_owned(), XMLNS.to_owned()),
    ])];
    let mut stack: Vec<String> = Vec::new();
    let mut is_finished = false;
    let end = |content: &mut String, is_inside: bool, events: &mut Vec<String>| {
        let text: String = line_breaks(&std::mem::take(content)).nfc().collect();
        if is_inside && !text.is_empty() {
            events.push(format!("{text:?}"));
        }
        is_inside || text.chars().all(|c| matches!(c, '\t' | '\n' | ' '))
    };
    for token in tokens(input)? {
        let text = match token {
            Token::Text(text) => {
                content += &unescaped(&text)?;
                continue;
            }
            Token::Cdata(text) => {
                content += &text;
                continue;
            }
            Token::Tag(text) => text,
        };
        if !end(&mut content, !stack.is_empty(), &mut events) {
            return None;
        }
        let tag = tag(&text)?;
        if tag.is_end {
            if stack.pop()? != tag.name {
                return None;
            }
            contexts.pop();
            events.push("</>".to_owned());
        } else {
            if is_finished {
                return None;
            }
            let context = declared(contexts.last()?, &tag)?;
            events.push(start(&context, &tag)?);
            match tag.is_empty {
                true => events.push("</>".to_owned()),
                false => {
                    stack.push(tag.name);
                    contexts.push(context);
                }
            }
        }
        is_finished = stack.is_empty();
    }
    let good = end(&mut content, false, &mut events);
    (good && is_finished && stack.is_empty()).then_some(events)
}

fn events(input: &str, size: usize) -> Option<Vec<String>> {
    let mut parser = Parser::new(LeafXml::default());
    let mut events = Vec::new();
    let mut chunks = input.as_bytes().chunks(size);
    loop {
        let chunk = chunks.next();
        match chunk {
            Some(chunk) => parser.feed_slice(chunk),
            None => parser.finish(),
        }
        while let Some(event) = parser.next_event().ok()? {
            events.push(match event {
                Event::Start(tag) => {
                    let owned = |text: &str| text.to_owned();
                    let own = tag.local_attributes();
                    let own: BTreeMap<_, _> = own
                        .map(|one| (owned(one.name()), owned(one.value())))
                        .collect();
                    let external: BTreeMap<_, _> = tag
                        .external_attributes()
                        .map(|one| {
                            let namespace = one.namespace().unwrap_or_default();
                            let key = (owned(namespace), owned(one.local_name()));
                            (key, owned(one.value()))
                        })
                        .collect();
                    let namespace = tag.namespace().unwrap_or_default();
                    let local = tag.local_name();
                    format!("<{{{namespace}}}{local} {own:?} {external:?}>")
                }
                Event::End(_) => "</>".to_owned(),
                Event::Text(text) => format!("{:?}", text.as_str()),
                other => panic!("{other:?}"),
            });
        }
        if chunk.is_none() {
            return Some(events);
        }
    }
}

const NAMES: [&str; 20] = [
    "a",
    "b",
    "\u{e9}",
    "e\u{301}",
    "_x",
    "p:a",
    "q:b",
    "xml:a",
    "\u{c5}",
    "A\u{30a}",
    "xmlns:z",
    "p:",
    "1",
    "a:b:c",
    ":",
    "\u{1fef}",
    "r:a",
    "x\u{387}",
    "\u{301}x",
    "p:\u{301}",
];
const TEXTS: [&str; 48] = [
    "x",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\u{e9}",
    "e",
    "\u{301}",
    "\u{327}",
    "&#x301;",
    "&lt;",
    "&gt;",
    "&amp;",
    "&quot;",
    "&apos;",
    "&#x41;",
    "&#xA;",
    "&#10;",
    "&#xD;",
    "&#13;",
    "&#x85;",
    "\u{85}",
    "\u{2028}",
    "&#x2028;",
    "\u{d2f}\u{d3e}",
    "\u{d46}",
    "\u{d3e}",
    "\u{1100}",
    "\u{1161}",
    "\u{ac00}",
    "\u{1f600}",
    "\u{928}\u{94d}",
    "\u{958}",
    "]]>",
    ">",
    "'",
    "\"",
    "<![CDATA[ ]]>",
    "<![CDATA[\u{301}]]>",
    "<![CDATA[\r]]>",
    "<![CDATA[\n]]>",
    "<!-- -->",
    "<?p?>",
    "&#x80;",
    "&",
    "\u{7f}",
    "\u{fffe}",
];
const OUTSIDE: [&str; 10] = [
    " ",
    "\n",
    "\r\u{85}",
    "&#32;",
    "<![CDATA[ ]]>",
    "<!-- -->",
    "<?xml version='1.0'?>",
    "<!DOCTYPE a '>'>",
    "x",
    "<!DOCTYPE a [>",
];
const NAMESPACES: [&str; 8] = ["u", "v", "e\u{301}", "\u{e9}", "u v", "", XML, XMLNS];

struct Writer {
    random: Random,
    out: String,
}

impl Writer {
    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    /// One of the first so many, seldom one of the others.
    fn pick(&mut self, of: &[&str], usual: usize) {
        let count = if self.chance(50) { of.len() } else { usual };
        self.out += of[self.random.below(count)];
    }

    fn space(&mut self) {
        if self.chance(3) {
            self.pick(
                &[
                    " ", "\n", "\r", " \r\n", "\u{85}", "\u{2028}", "\x0C", "\u{a0}",
                ],
                6,
            );
        }
    }

    fn value(&mut self) {
        let quote = if self.chance(2) { '"' } else { '\'' };
        let from = self.out.len() + 1;
        self.out.push(quote);
        for _ in 0..self.random.below(6) {
            self.pick(&TEXTS, 34);
        }
        let value = self.out.split_off(from).replace([quote, '<'], "");
        self.out += &value;
        self.out.push(quote);
    }

    fn outside(&mut self) {
        for _ in 0..self.random.below(3) {
            self.pick(&OUTSIDE, 7);
        }
    }

    fn element(&mut self, depth: usize) {
        let from = self.out.len();
        self.pick(&NAMES, if depth == 0 { 5 } else { 8 });
        let name = self.out.split_off(from);
        self.out += &format!("<{name}");
        if depth == 0 {
            self.out += " xmlns:p='u' xmlns:q=\"v\"";
        }
        for number in 0..self.random.below(4) {
            if !self.chance(60) {
                self.out.push(' ');
            }
            self.space();
            if self.chance(5) {
                self.pick(
                    &[
                        "xmlns",
                        "xmlns:r",
                        "xmlns:xml",
                        "xmlns:xmlns",
                        "xmlns:e\u{301}",
                    ],
                    2,
                );
                self.out += "='";
                self.pick(&NAMESPACES, 5);
                self.out.push('\'');
                continue;
            }
            self.pick(&NAMES, 10);
            if !self.chance(10) {
                self.out += &number.to_string();
            }
            self.space();
            self.out.push('=');
            self.space();
            self.value();
        }
        self.space();
        if self.chance(4) {
            self.out += "/>";
            return;
        }
        self.out.push('>');
        for _ in 0..self.random.below(7) {
            match depth < 3 && self.chance(3) {
                true => self.element(depth + 1),
                false => self.pick(&TEXTS, 44),
            }
        }
        self.out += &format!("</{name}");
        self.space();
        self.out.push('>');
    }
}

fn agree() -> Result<(), Failed> {
    let seed = Random::fresh_seed();
    println!("seed {seed}");
    let mut random = Random(seed);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..10_000 {
        let mut writer = Writer {
            random: Random(random.number()),
            out: String::new(),
        };
        writer.outside();
        writer.element(0);
        writer.outside();
        let input = writer.out;
        let expected = read(&input);
        *(if expected.is_some() {
            &mut accepted
        } else {
            &mut refused
        }) += 1;
        for size in [usize::MAX, 7] {
            let found = events(&input, size);
            if found != expected {
                let what = format!("{input:?}, chunks of {size}");
                return Err(format!("{what}\nwanted: {expected:?}\nfound:  {found:?}").into());
            }
        }
    }
    match accepted > 1_000 && refused > 1_000 {
        true => Ok(()),
        false => Err(format!("{accepted} accepted, {refused} refused").into()),
    }
}

pub fn trials() -> Vec<Trial> {
    vec![Trial::test(
        "random documents are read to the letter",
        agree,
    )]
}
