//! The XML declaration, `<?xml …?>`, which XML-ER does not define, and the text declaration of external entities.
//!
//! The states only find the end of the declaration. Its content is short, and is parsed as a whole at the `?>`.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{DELIMITED, Lexer, Version, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::event::details::DeclarationDetails;
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::input::BufferOffset;
use crate::engine::input::encoding::Encoding;
use crate::engine::input::sniff::{Sniffed, Source};
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The pseudo-attributes of an XML declaration, in the required order.
const NAMES: [&str; 3] = ["version", "encoding", "standalone"];

impl XmlMachine {
    /// Our own state: reads the XML declaration up to the next byte that may end it.
    pub(in crate::dialects::xml) fn declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'?') => State::DeclarationAfter,
            Byte(_) => State::Declaration,
            Eof => self.eof_in_declaration(lex),
        })
    }

    /// Our own state: handles the unit after a `?` in the XML declaration.
    pub(in crate::dialects::xml) fn declaration_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_declaration(lex),
            Byte(b'?') => State::DeclarationAfter,
            Byte(_) => lex.reconsume(State::Declaration),
            Eof => self.eof_in_declaration(lex),
        })
    }

    /// Handles the end of the input in the XML declaration: reports it and drops the declaration.
    fn eof_in_declaration(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at_end(lex, errors::EOF_IN_DECLARATION);
        self.token = BufferOffset::NONE;
        State::Outside
    }

    /// Parses the XML declaration, whose `?>` was just consumed, and emits its event. From here on the document may
    /// be XML 1.1 and `standalone="yes"`.
    fn emit_declaration(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (first, second) = lex.pieces(self.name_end, end - 2);
        let text = String::from_iter([first, second]);
        lex.out.work.cleaned += text.len() as u64;
        let base = self.name_end;
        let mut problems = Vec::new();
        let (details, next) =
            self.pseudo_attributes(&text, self.dialect.encoding.detected, &mut problems);
        if next == 0 {
            problems.push((errors::MISSING_VERSION, text.len(), text.len()));
        }
        for (code, from, to) in problems {
            self.error(lex, code, base + from as u32, base + to as u32);
        }
        if details.version.as_deref() == Some("1.1") {
            self.dialect.version = Version::Xml11Declared;
        }
        self.dialect.dtd.is_standalone = details.standalone == Some(true);
        lex.out.prologue.declaration = Some(Arc::new(details));
        lex.emit(Record::new(RecordKind::Declaration, start, end));
        self.value = TextBuffer::NONE;
        if self.dialect.version == Version::Xml11Declared {
            lex.suspend();
        }
        self.after_tag(lex)
    }

    /// Parses the pseudo-attributes in `text`, which is the part between `<?xml` and `?>`. Returns them, and an index
    /// into [`NAMES`]: names before it may not follow any more. Errors are added to `problems` with their byte ranges
    /// in `text`.
    fn pseudo_attributes(
        &self,
        text: &str,
        sniffed: Option<Sniffed>,
        problems: &mut Vec<(ErrorCode, usize, usize)>,
    ) -> (DeclarationDetails, usize) {
        let mut details = DeclarationDetails::default();
        let mut rest = Scanner { text, at: 0 };
        let mut next = 0;
        loop {
            let spaced = rest.skip_space();
            if rest.at == text.len() {
                break;
            }
            let from = rest.at;
            let Some((name, value)) = rest.pseudo_attribute() else {
                problems.push((errors::INVALID_DECLARATION, from, text.len()));
                break;
            };
            if !spaced {
                problems.push((errors::MISSING_WHITE_SPACE, from, from + 1));
            }
            let (value_from, value_to) = (rest.at - 1 - value.len(), rest.at - 1);
            let position = NAMES.iter().position(|known| *known == name);
            if next == 0 && position != Some(0) {
                problems.push((errors::MISSING_VERSION, from, from + name.len()));
                next = 1;
            }
            match position {
                Some(position) if position >= next => {
                    next = position + 1;
                    let problem = match position {
                        0 => read_version(value, &mut details),
                        1 => read_encoding(value, &mut details, sniffed),
                        _ => read_standalone(value, &mut details),
                    };
                    problems.extend(problem.map(|code| (code, value_from, value_to)));
                }
                _ => problems.push((errors::INVALID_DECLARATION, from, from + name.len())),
            }
        }
        (details, next)
    }

    /// Parses the text declaration at the beginning of an external entity. Returns the byte offset after it, 0 if the
    /// entity has none. Errors are added to `problems` with their byte ranges in `text`.
    pub(in crate::dialects::xml) fn read_text_declaration(
        &self,
        text: &str,
        sniffed: Sniffed,
        problems: &mut Vec<(ErrorCode, usize, usize)>,
    ) -> usize {
        let begins = text
            .strip_prefix("<?xml")
            .is_some_and(|rest| rest.starts_with(['\t', '\n', '\r', ' ', '?']));
        if !begins {
            return 0;
        }
        let Some(end) = text.find("?>") else {
            problems.push((errors::EOF_IN_DECLARATION, text.len(), text.len()));
            return text.len();
        };
        let from = 5.min(end);
        let mut found = Vec::new();
        let text = &text[from..end];
        let (details, _) = self.pseudo_attributes(text, Some(sniffed), &mut found);
        // In a text declaration the version is optional and the encoding is required.
        found.retain(|(code, ..)| *code != errors::MISSING_VERSION);
        if details.version.as_deref() == Some("1.1") && !self.dialect.version.is_1_1() {
            found.push((errors::LATER_VERSION, 0, text.len()));
        }
        if details.standalone.is_some() {
            found.push((errors::INVALID_DECLARATION, 0, text.len()));
        } else if details.encoding.is_none() && found.is_empty() {
            found.push((errors::MISSING_ENCODING, text.len(), text.len()));
        }
        let moved = found.into_iter();
        problems.extend(moved.map(|(code, start, stop)| (code, from + start, from + stop)));
        end + 2
    }
}

/// Checks the `encoding` pseudo-attribute, and compares it with the encoding that is actually used. An encoding that
/// the caller has set takes precedence without an error.
fn read_encoding(
    value: &str,
    details: &mut DeclarationDetails,
    sniffed: Option<Sniffed>,
) -> Option<ErrorCode> {
    let mut letters = value.bytes();
    let legal = letters
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if !legal {
        return Some(errors::INVALID_ENCODING_NAME);
    }
    details.encoding = Some(value.into());
    let sniffed = sniffed?;
    let Some(named) = Encoding::for_xml_label(value) else {
        let unknown = sniffed.source != Source::Caller;
        return unknown.then_some(errors::UNKNOWN_ENCODING);
    };
    let same = named == sniffed.encoding || is_family(value, sniffed.encoding);
    (!same && sniffed.source != Source::Caller).then_some(errors::CONTRADICTING_ENCODING)
}

/// Returns true if `name` denotes a family of encodings with either byte order, and `encoding` is a member of this
/// family.
fn is_family(name: &str, encoding: Encoding) -> bool {
    let family = if [Encoding::UTF_16LE, Encoding::UTF_16BE].contains(&encoding) {
        ["utf-16", "iso-10646-ucs-2"]
    } else if [Encoding::UTF_32LE, Encoding::UTF_32BE].contains(&encoding) {
        ["utf-32", "iso-10646-ucs-4"]
    } else {
        return false;
    };
    family.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Checks and stores the `version` pseudo-attribute, which has to be `1.` and digits.
fn read_version(value: &str, details: &mut DeclarationDetails) -> Option<ErrorCode> {
    let digits = value.strip_prefix("1.").unwrap_or_default();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(errors::INVALID_VERSION);
    }
    details.version = Some(value.into());
    None
}

/// Checks and stores the `standalone` pseudo-attribute, which has to be `yes` or `no`.
fn read_standalone(value: &str, details: &mut DeclarationDetails) -> Option<ErrorCode> {
    details.standalone = match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => return Some(errors::INVALID_STANDALONE),
    };
    None
}

/// Position in the text of a declaration. The whole text is available, so the scanner never suspends.
struct Scanner<'a> {
    /// The text between `<?xml` and `?>`.
    text: &'a str,
    /// Byte offset in `text` of the next character.
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Skips whitespace. Returns true if there was any.
    fn skip_space(&mut self) -> bool {
        let from = self.at;
        let rest = &self.text[from..];
        self.at += rest.len() - rest.trim_start_matches(['\t', '\n', '\r', ' ']).len();
        self.at > from
    }

    /// Parses `name = "value"`, and stops after the closing quote. Returns `None` if the text has another form.
    fn pseudo_attribute(&mut self) -> Option<(&'a str, &'a str)> {
        let rest = &self.text[self.at..];
        let name = &rest[..rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len())];
        self.at += name.len();
        self.skip_space();
        if name.is_empty() || !self.text[self.at..].starts_with('=') {
            return None;
        }
        self.at += 1;
        self.skip_space();
        let rest = &self.text[self.at..];
        let quote = rest
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''))?;
        let value = &rest[1..];
        let value = &value[..value.find(quote)?];
        self.at += value.len() + 2;
        Some((name, value))
    }
}
