//! Data, comments, processing instructions, CDATA sections, and references.

use super::{Standard, State, Token};

/// The result of a reference.
pub(super) enum Reference {
    /// A character, which is data.
    Character(char),
    /// The reference is ill-formed: its characters are text.
    Text(String),
    /// A general entity that is not predefined.
    Entity(String),
}

impl Standard {
    pub(super) fn data_state(&mut self, character: Option<char>) {
        match character {
            // Not in the document: references as defined by XML 1.0.
            Some('&') => match self.reference() {
                Reference::Character(character) => self.emit(Token::Marked(character)),
                Reference::Text(text) => self.emit_characters(&text),
                Reference::Entity(name) => self.entity_in_data(name),
            },
            Some('<') => self.state = State::Tag,
            Some(character) => self.emit(Token::Character(character)),
            None => unreachable!("the end of the input ends the loop"),
        }
    }

    /// Reads the rest of a reference after `&`, as defined by XML 1.0.
    pub(super) fn reference(&mut self) -> Reference {
        let start = self.at - 1;
        let reference = if self.next_are("#x") {
            self.at += 2;
            self.digits(16)
        } else if self.next_are("#") {
            self.at += 1;
            self.digits(10)
        } else {
            self.entity_name()
        };
        if let Some(reference) = reference {
            return reference;
        }
        self.parse_error();
        Reference::Text(self.input[start..self.at].iter().collect())
    }

    fn digits(&mut self, radix: u32) -> Option<Reference> {
        let mut number = 0_u32;
        let mut count = 0;
        while let Some(digit) = self.input.get(self.at).and_then(|one| one.to_digit(radix)) {
            number = number.saturating_mul(radix).saturating_add(digit);
            count += 1;
            self.at += 1;
        }
        if count == 0 || !self.next_are(";") {
            return None;
        }
        self.at += 1;
        let is_control = (1..0x20).contains(&number);
        let is_character = matches!(
            number,
            0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x1_0000..=0x10_FFFF
        );
        let character =
            char::from_u32(number).filter(|_| is_character || self.is_later && is_control);
        if character.is_none() {
            self.parse_error();
        }
        Some(Reference::Character(character.unwrap_or('\u{FFFD}')))
    }

    fn entity_name(&mut self) -> Option<Reference> {
        let start = self.at;
        while let Some(&character) = self.input.get(self.at) {
            let is_part = match self.at == start {
                true => is_name_start(character),
                false => is_name(character),
            };
            if !is_part {
                break;
            }
            self.at += 1;
        }
        if self.at == start || !self.next_are(";") {
            return None;
        }
        let name: String = self.input[start..self.at].iter().collect();
        self.at += 1;
        self.check_no_colon(&name);
        Some(match name.as_str() {
            "lt" => Reference::Character('<'),
            "gt" => Reference::Character('>'),
            "amp" => Reference::Character('&'),
            "quot" => Reference::Character('"'),
            "apos" => Reference::Character('\''),
            _ => Reference::Entity(name),
        })
    }

    /// Not in the document: the rule of Namespaces in XML, section 7, that names of entities and notations and targets
    /// contain no colon.
    pub(super) fn check_no_colon(&mut self, name: &str) {
        if self.namespaces && name.contains(':') {
            self.parse_error();
        }
    }

    pub(super) fn pi_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') | None => {
                self.parse_error();
                self.reconsume_in(State::BogusComment);
            }
            Some(character) => {
                self.target = character.to_string();
                self.data = String::new();
                self.state = State::PiTarget;
            }
        }
    }

    pub(super) fn pi_target_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => self.state = State::PiTargetAfter,
            None => self.end_pi_at_eof(),
            Some('?') => self.state = State::PiAfter,
            // The document says "tag name" here by mistake.
            Some(character) => self.target.push(character),
        }
    }

    pub(super) fn pi_target_after_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => {}
            _ => self.reconsume_in(State::PiData),
        }
    }

    pub(super) fn pi_data_state(&mut self, character: Option<char>) {
        match character {
            Some('?') => self.state = State::PiAfter,
            None => self.end_pi_at_eof(),
            Some(character) => self.data.push(character),
        }
    }

    pub(super) fn pi_after_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => {
                self.emit_pi();
                self.state = State::Data;
            }
            Some('?') => self.data.push('?'),
            // The document omits the question mark by mistake.
            _ => {
                self.data.push('?');
                self.reconsume_in(State::PiData);
            }
        }
    }

    fn emit_pi(&mut self) {
        let (target, data) = (self.target.clone(), self.data.clone());
        self.check_no_colon(&target);
        self.emit(Token::ProcessingInstruction(target, data));
    }

    fn end_pi_at_eof(&mut self) {
        self.parse_error();
        self.emit_pi();
        self.reconsume_in(State::Data);
    }

    /// Reads the characters after `<!`, the first of which was consumed.
    pub(super) fn markup_declaration_state(&mut self) {
        self.at -= 1;
        if self.next_are("--") {
            self.at += 2;
            self.comment = String::new();
            self.state = State::Comment;
        } else if self.next_are("[CDATA[") {
            self.at += 7;
            self.emit(Token::BeginMarked);
            self.state = State::Cdata;
        } else if self.next_are("DOCTYPE") {
            // Not a parse error, because XML has DOCTYPEs.
            self.at += 7;
            self.state = State::Doctype;
        } else {
            self.parse_error();
            self.state = State::BogusComment;
        }
    }

    fn emit_comment(&mut self) {
        let comment = self.comment.clone();
        self.emit(Token::Comment(comment));
    }

    fn end_comment_at_eof(&mut self) {
        self.parse_error();
        self.emit_comment();
        self.reconsume_in(State::Data);
    }

    pub(super) fn comment_state(&mut self, character: Option<char>) {
        match character {
            Some('-') => self.state = State::CommentDash,
            None => self.end_comment_at_eof(),
            Some(character) => self.comment.push(character),
        }
    }

    pub(super) fn comment_dash_state(&mut self, character: Option<char>) {
        match character {
            Some('-') => self.state = State::CommentEnd,
            None => self.end_comment_at_eof(),
            // The document stays in this state by mistake.
            Some(character) => {
                self.comment.push('-');
                self.comment.push(character);
                self.state = State::Comment;
            }
        }
    }

    pub(super) fn comment_end_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => {
                self.emit_comment();
                self.state = State::Data;
            }
            Some('-') => self.comment.push('-'),
            None => self.end_comment_at_eof(),
            Some(character) => {
                self.comment.push_str("--");
                self.comment.push(character);
                self.state = State::Comment;
            }
        }
    }

    pub(super) fn cdata_state(&mut self, character: Option<char>) {
        match character {
            Some(']') => self.state = State::CdataBracket,
            None => {
                self.parse_error();
                self.reconsume_in(State::Data);
            }
            Some(character) => self.emit(Token::Marked(character)),
        }
    }

    pub(super) fn cdata_bracket_state(&mut self, character: Option<char>) {
        match character {
            Some(']') => self.state = State::CdataEnd,
            None => {
                self.parse_error();
                self.reconsume_in(State::Data);
            }
            // The document stays in this state by mistake.
            Some(character) => {
                self.emit(Token::Marked(']'));
                self.emit(Token::Marked(character));
                self.state = State::Cdata;
            }
        }
    }

    pub(super) fn cdata_end_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => self.state = State::Data,
            Some(']') => self.emit(Token::Marked(']')),
            None => {
                self.parse_error();
                self.reconsume_in(State::Data);
            }
            Some(character) => {
                self.emit(Token::Marked(']'));
                self.emit(Token::Marked(']'));
                self.emit(Token::Marked(character));
                self.state = State::Cdata;
            }
        }
    }

    /// Reads everything up to `>`. The first character was consumed. The preceding `!` or `?` is not part of the
    /// comment.
    pub(super) fn bogus_comment_state(&mut self) {
        self.at -= 1;
        self.comment = String::new();
        loop {
            match self.consume() {
                Some('>') => break,
                Some(character) => self.comment.push(character),
                None => {
                    self.at -= 1;
                    break;
                }
            }
        }
        self.emit_comment();
        self.state = State::Data;
    }
}

/// Whether a character is a NameStartChar of XML 1.0.
pub(super) fn is_name_start(character: char) -> bool {
    matches!(character,
        ':' | 'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

/// Whether a character is a NameChar of XML 1.0.
pub(super) fn is_name(character: char) -> bool {
    is_name_start(character)
        || matches!(character,
            '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}
