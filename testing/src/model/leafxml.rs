//! Reads a document as the specification describes it, stage by stage over the whole input: character set, tokens,
//! filtering, assemblies, tags, tag stack, namespaces.

use std::collections::BTreeMap;
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

/// Returns the length of a token that consists of spans, up to the first `>` outside quotes. `None` if a character of
/// `bad` is outside quotes.
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

/// Returns the part before the first character that ends a name.
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

/// Returns the context after the declarations of a start tag.
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

/// Returns a start tag as one line: namespace, local name, and the two maps of attributes.
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

/// Returns the events of a document, unless the document is refused.
#[must_use]
pub fn read(input: &str) -> Option<Vec<String>> {
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
