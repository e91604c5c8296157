//! The states from the DOCTYPE on.

use super::{Standard, State};
use crate::model::html::tokenizer::NAMES;

const NULL: &str = super::NULL;

impl Standard {
    fn eof_in_doctype(&mut self) {
        self.error("eof-in-doctype");
        self.doctype.force_quirks = true;
        self.emit_doctype();
        self.emit_end_of_file();
    }

    pub(super) fn doctype(&mut self) {
        use State::*;
        let character = self.consume();
        match (self.state, character) {
            (BogusDoctype, None) => {
                self.emit_doctype();
                self.emit_end_of_file();
            }
            (_, None) => self.eof_in_doctype(),
            (Doctype, Some('\t' | '\n' | '\x0C' | ' ')) => self.state = BeforeDoctypeName,
            (Doctype, Some('>')) => self.reconsume(BeforeDoctypeName),
            (Doctype, Some(_)) => {
                self.error("missing-whitespace-before-doctype-name");
                self.reconsume(BeforeDoctypeName);
            }
            (BeforeDoctypeName | AfterDoctypeName, Some('\t' | '\n' | '\x0C' | ' ')) => {}
            (BeforeDoctypeName, Some('>')) => {
                self.error("missing-doctype-name");
                self.doctype.force_quirks = true;
                self.state = Data;
                self.emit_doctype();
            }
            (DoctypeName, Some('\t' | '\n' | '\x0C' | ' ')) => self.state = AfterDoctypeName,
            (_, Some('>')) => {
                self.state = Data;
                self.emit_doctype();
            }
            (BogusDoctype, Some('\0')) => self.error(NULL),
            (BogusDoctype, Some(_)) => {}
            (BeforeDoctypeName | DoctypeName, Some('\0')) => {
                self.error(NULL);
                self.doctype.name.push('\u{FFFD}');
                self.state = DoctypeName;
            }
            (BeforeDoctypeName | DoctypeName, Some(character)) => {
                self.doctype.name.push(character.to_ascii_lowercase());
                self.state = DoctypeName;
            }
            (_, Some(_)) => {
                self.next -= 1;
                let keyword = ["PUBLIC", "SYSTEM"]
                    .iter()
                    .position(|keyword| self.next_are(keyword, false));
                self.next += 1;
                if let Some(keyword) = keyword {
                    self.next += 5;
                    self.state = [AfterDoctypePublicKeyword, AfterDoctypeSystemKeyword][keyword];
                    return;
                }
                self.error("invalid-character-sequence-after-doctype-name");
                self.doctype.force_quirks = true;
                self.reconsume(BogusDoctype);
            }
        }
    }

    pub(super) fn doctype_identifier(&mut self) {
        use State::*;
        let character = self.consume();
        let is_public = matches!(
            self.state,
            AfterDoctypePublicKeyword | BeforeDoctypePublicIdentifier | DoctypePublicIdentifier(_)
        );
        let which = if is_public { "public" } else { "system" };
        match (self.state, character) {
            (_, None) => self.eof_in_doctype(),
            (DoctypePublicIdentifier(quote), Some(character)) if character == quote => {
                self.state = AfterDoctypePublicIdentifier;
            }
            (DoctypeSystemIdentifier(quote), Some(character)) if character == quote => {
                self.state = AfterDoctypeSystemIdentifier;
            }
            (DoctypePublicIdentifier(_) | DoctypeSystemIdentifier(_), Some('>')) => {
                self.error(&format!("abrupt-doctype-{which}-identifier"));
                self.doctype.force_quirks = true;
                self.state = Data;
                self.emit_doctype();
            }
            (DoctypePublicIdentifier(_) | DoctypeSystemIdentifier(_), Some(mut character)) => {
                if character == '\0' {
                    self.error(NULL);
                    character = '\u{FFFD}';
                }
                let identifier = match is_public {
                    true => &mut self.doctype.public_identifier,
                    false => &mut self.doctype.system_identifier,
                };
                identifier.get_or_insert_default().push(character);
            }
            (AfterDoctypePublicKeyword, Some('\t' | '\n' | '\x0C' | ' ')) => {
                self.state = BeforeDoctypePublicIdentifier;
            }
            (AfterDoctypeSystemKeyword, Some('\t' | '\n' | '\x0C' | ' ')) => {
                self.state = BeforeDoctypeSystemIdentifier;
            }
            (AfterDoctypePublicIdentifier, Some('\t' | '\n' | '\x0C' | ' ')) => {
                self.state = BetweenDoctypePublicAndSystemIdentifiers;
            }
            (_, Some('\t' | '\n' | '\x0C' | ' ')) => {}
            (
                AfterDoctypePublicIdentifier
                | BetweenDoctypePublicAndSystemIdentifiers
                | AfterDoctypeSystemIdentifier,
                Some('>'),
            ) => {
                self.state = Data;
                self.emit_doctype();
            }
            (AfterDoctypeSystemIdentifier, Some(_)) => {
                self.error("unexpected-character-after-doctype-system-identifier");
                self.reconsume(BogusDoctype);
            }
            (_, Some('>')) => {
                self.error(&format!("missing-doctype-{which}-identifier"));
                self.doctype.force_quirks = true;
                self.state = Data;
                self.emit_doctype();
            }
            (state, Some(quote @ ('"' | '\''))) => {
                match state {
                    AfterDoctypePublicKeyword | AfterDoctypeSystemKeyword => {
                        self.error(&format!("missing-whitespace-after-doctype-{which}-keyword"));
                    }
                    AfterDoctypePublicIdentifier => self
                        .error("missing-whitespace-between-doctype-public-and-system-identifiers"),
                    _ => {}
                }
                if is_public {
                    self.doctype.public_identifier = Some(String::new());
                    self.state = DoctypePublicIdentifier(quote);
                } else {
                    self.doctype.system_identifier = Some(String::new());
                    self.state = DoctypeSystemIdentifier(quote);
                }
            }
            (_, Some(_)) => {
                self.error(&format!("missing-quote-before-doctype-{which}-identifier"));
                self.doctype.force_quirks = true;
                self.reconsume(BogusDoctype);
            }
        }
    }

    pub(super) fn cdata_section(&mut self) {
        use State::*;
        let character = self.consume();
        match (self.state, character) {
            (CdataSection, Some(']')) => {
                self.mark_token();
                self.state = CdataSectionBracket;
            }
            (CdataSection, None) => {
                self.error("eof-in-cdata");
                self.emit_end_of_file();
            }
            (CdataSection, Some(character)) => self.emit(character),
            (CdataSectionBracket, Some(']')) => self.state = CdataSectionEnd,
            (CdataSectionEnd, Some(']')) => {
                let first = self.next - 3;
                self.emit_between(']', self.place(first), self.place(first + 1));
                self.token = self.place(first + 1);
            }
            (CdataSectionEnd, Some('>')) => self.state = Data,
            _ => {
                self.emit_consumed();
                self.reconsume(CdataSection);
            }
        }
    }

    /// Converts the temporary buffer to a comment and reconsumes in the bogus comment state.
    fn no_processing_instruction(&mut self, code: &str) {
        self.error(code);
        self.comment = format!("?{}", self.temporary_buffer);
        self.reconsume(State::BogusComment);
    }

    pub(super) fn processing_instruction(&mut self) {
        use State::*;
        let character = self.consume();
        match (self.state, character) {
            (_, None) if self.state != AfterProcessingInstructionTarget => {
                self.error("eof-in-processing-instruction");
                self.emit_end_of_file();
            }
            (ProcessingInstructionOpen, Some(first))
                if first.is_ascii_alphabetic() || first == '_' =>
            {
                self.reconsume(ProcessingInstructionTarget);
            }
            (ProcessingInstructionOpen, _) => self.no_processing_instruction(
                "invalid-first-character-of-processing-instruction-target",
            ),
            (ProcessingInstructionTarget, Some('\t' | '\n' | '\x0C' | ' ' | '?' | '>')) => {
                let target = self.temporary_buffer.clone();
                let disallowed = ["xml", "xml-stylesheet"];
                if disallowed.contains(&&*target.to_ascii_lowercase()) {
                    self.no_processing_instruction("disallowed-processing-instruction-target");
                } else {
                    self.instruction = (target, String::new());
                    self.reconsume(AfterProcessingInstructionTarget);
                }
            }
            (ProcessingInstructionTarget, Some(character))
                if character.is_ascii_alphanumeric() || ['-', '_'].contains(&character) =>
            {
                self.temporary_buffer.push(character);
            }
            (ProcessingInstructionTarget, _) => {
                self.no_processing_instruction("invalid-processing-instruction-target");
            }
            (AfterProcessingInstructionTarget, Some('\t' | '\n' | '\x0C' | ' ')) => {}
            (AfterProcessingInstructionTarget, _) => self.reconsume(ProcessingInstructionData),
            (_, Some('>')) => {
                self.state = Data;
                self.emit_instruction();
            }
            (ProcessingInstructionData, Some('?')) => {
                self.state = ProcessingInstructionQuestionable;
            }
            (ProcessingInstructionData, Some(character)) => self.instruction.1.push(character),
            _ => {
                self.instruction.1.push('?');
                self.reconsume(ProcessingInstructionData);
            }
        }
    }

    pub(super) fn character_reference(&mut self) {
        use State::*;
        match self.state {
            CharacterReference => {
                self.reference = self.next - 1;
                self.temporary_buffer = "&".to_owned();
                match self.consume() {
                    Some(character) if character.is_ascii_alphanumeric() => {
                        self.reconsume(NamedCharacterReference);
                    }
                    Some('#') => {
                        self.temporary_buffer.push('#');
                        self.state = NumericCharacterReference;
                    }
                    _ => {
                        self.flush_reference(self.next - 1, false);
                        self.reconsume(self.return_state);
                    }
                }
            }
            NamedCharacterReference => self.named_character_reference(),
            _ => match self.consume() {
                Some(character) if character.is_ascii_alphanumeric() => {
                    if self.is_in_attribute() {
                        self.tag.value.push(character);
                    } else {
                        self.emit(character);
                    }
                }
                character => {
                    if character == Some(';') {
                        self.error("unknown-named-character-reference");
                    }
                    self.reconsume(self.return_state);
                }
            },
        }
    }

    fn named_character_reference(&mut self) {
        let rest = self.input[self.next..].iter().take(32);
        let rest: String = rest.map(|input| input.character).collect();
        let lengths = (1..=rest.len())
            .rev()
            .filter(|&length| rest.is_char_boundary(length));
        let found = lengths
            .map(|length| &rest[..length])
            .find_map(|name| Some((name, NAMES.get(name)?)));
        let Some((name, meant)) = found else {
            self.flush_reference(self.next, false);
            self.state = State::AmbiguousAmpersand;
            return;
        };
        self.temporary_buffer.push_str(name);
        self.next += name.len();
        self.state = self.return_state;
        let next = self.input.get(self.next).map(|input| input.character);
        let is_closed = name.ends_with(';');
        let goes_on = next.is_some_and(|next| next == '=' || next.is_ascii_alphanumeric());
        if self.is_in_attribute() && !is_closed && goes_on {
            return self.flush_reference(self.next, false);
        }
        if !is_closed {
            self.error_ahead("missing-semicolon-after-character-reference");
        }
        self.temporary_buffer.clone_from(meant);
        self.flush_reference(self.next, true);
    }

    pub(super) fn numeric_character_reference(&mut self) {
        use State::*;
        if self.state == NumericCharacterReferenceEnd {
            return self.numeric_character_reference_end();
        }
        if self.state == NumericCharacterReference {
            self.character_reference_code = 0;
        }
        let character = self.consume();
        let digit = |radix| character.and_then(|character| character.to_digit(radix));
        let add = |code: u32, radix, digit| code.saturating_mul(radix).saturating_add(digit);
        match (self.state, character) {
            (NumericCharacterReference, Some(x @ ('x' | 'X'))) => {
                self.temporary_buffer.push(x);
                self.state = HexadecimalCharacterReferenceStart;
            }
            (NumericCharacterReference, _) if digit(10).is_some() => {
                self.reconsume(DecimalCharacterReference);
            }
            (HexadecimalCharacterReferenceStart, _) if digit(16).is_some() => {
                self.reconsume(HexadecimalCharacterReference);
            }
            (NumericCharacterReference | HexadecimalCharacterReferenceStart, _) => {
                self.error("absence-of-digits-in-numeric-character-reference");
                self.flush_reference(self.next - 1, false);
                self.reconsume(self.return_state);
            }
            (_, Some(';')) => self.state = NumericCharacterReferenceEnd,
            (state, _) => {
                let radix = if state == DecimalCharacterReference {
                    10
                } else {
                    16
                };
                match digit(radix) {
                    Some(digit) => {
                        let code = self.character_reference_code;
                        self.character_reference_code = add(code, radix, digit);
                    }
                    None => {
                        self.error("missing-semicolon-after-character-reference");
                        self.reconsume(NumericCharacterReferenceEnd);
                    }
                }
            }
        }
    }

    fn numeric_character_reference_end(&mut self) {
        const TABLE: [(u32, u32); 27] = [
            (0x80, 0x20AC),
            (0x82, 0x201A),
            (0x83, 0x0192),
            (0x84, 0x201E),
            (0x85, 0x2026),
            (0x86, 0x2020),
            (0x87, 0x2021),
            (0x88, 0x02C6),
            (0x89, 0x2030),
            (0x8A, 0x0160),
            (0x8B, 0x2039),
            (0x8C, 0x0152),
            (0x8E, 0x017D),
            (0x91, 0x2018),
            (0x92, 0x2019),
            (0x93, 0x201C),
            (0x94, 0x201D),
            (0x95, 0x2022),
            (0x96, 0x2013),
            (0x97, 0x2014),
            (0x98, 0x02DC),
            (0x99, 0x2122),
            (0x9A, 0x0161),
            (0x9B, 0x203A),
            (0x9C, 0x0153),
            (0x9E, 0x017E),
            (0x9F, 0x0178),
        ];
        let mut code = self.character_reference_code;
        let is_space = [0x09, 0x0A, 0x0C, 0x20].contains(&code);
        if code == 0 {
            self.error_after_number("null-character-reference");
            code = 0xFFFD;
        } else if code > 0x10FFFF {
            self.error_after_number("character-reference-outside-unicode-range");
            code = 0xFFFD;
        } else if (0xD800..=0xDFFF).contains(&code) {
            self.error_after_number("surrogate-character-reference");
            code = 0xFFFD;
        } else if (0xFDD0..=0xFDEF).contains(&code) || [0xFFFE, 0xFFFF].contains(&(code & 0xFFFF)) {
            self.error_after_number("noncharacter-character-reference");
        } else if !is_space && (code <= 0x1F || (0x7F..=0x9F).contains(&code)) {
            self.error_after_number("control-character-reference");
            let meant = TABLE.iter().find(|(number, _)| *number == code);
            code = meant.map_or(code, |(_, meant)| *meant);
        }
        self.temporary_buffer = char::from_u32(code).into_iter().collect();
        self.flush_reference(self.next, true);
        self.state = self.return_state;
    }
}
