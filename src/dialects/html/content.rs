//! The emission of tags, and its consequences for the tokenizer: the state after a start tag, a `meta` that declares
//! the encoding, and foreign content.
//!
//! If a tree construction consumes the tokens, it decides the state after each start tag, because it knows which tags
//! are ignored and in which namespace the elements are ([`Feedback`]). The batch ends after each tag that might
//! switch the state, so that the answer is known before the next byte is read. Without a tree construction, the
//! tokenizer decides by the names of the tags and by the [`Foreign`](super::foreign::Foreign) elements that are open.

use super::fast_path::may_matter;
use super::feedback::Feedback;
use super::foreign::code;
use super::machine::{HtmlMachine, Lexer, clean};
use super::options::InitialState;
use super::state::State;
use crate::engine::event::record::{
    Attr, FOREIGN, NAME_CLEANED, Payload, Record, RecordKind, SELF_CLOSING,
};
use crate::engine::event::strings::Cleaned;
use crate::engine::input::encoding::Encoding;
use crate::engine::input::sniff::html::meta_encoding;
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts::{
    self, ESCAPABLE_TEXT, PLAIN_TEXT, RAW_TEXT, RAW_TEXT_IF_SCRIPTING, SCRIPT,
};
use crate::engine::tokenizer::Unit::Byte;

impl HtmlMachine {
    /// Emits the current tag, whose `>` was just consumed. Returns the state after the tag.
    #[inline(never)]
    pub(super) fn emit_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let mut record = Record::new(RecordKind::Start, start, end).of(self.name, self.name_end);
        if self.dialect.odd_name {
            record = record.cleaned(clean(lex, self.name, self.name_end));
            let length = self.name_end - self.name;
            record.written = u16::try_from(length).unwrap_or(u16::MAX);
            record.payload = Payload::written_name(self.name - start, self.name_end - start);
        }
        let code = code(name_of(lex, &record));
        let state = if self.dialect.is_end_tag {
            record.kind = RecordKind::End;
            if flags != 0 || lex.out.attributes.len() > lex.out.open as usize {
                self.check_end_tag(lex, flags, Byte(b'>'));
            }
            self.close(lex, &record, code);
            self.push(lex, record);
            State::Data
        } else {
            record.flags |= flags;
            let end = lex.out.attributes.len() as u32;
            record.payload = Payload::attributes(lex.out.open, end);
            self.open(lex, record, code)
        };
        self.end_attributes(lex);
        self.content(lex);
        if self.dialect.feedback.is_some_and(|feedback| feedback.alone) {
            lex.suspend();
        }
        state
    }

    /// Handles an end tag: removes its element, and the elements inside that element, from the open elements that are
    /// tracked for foreign content.
    #[inline(always)]
    fn close(&mut self, lex: &Lexer<'_>, record: &Record, code: u32) {
        let in_text_element = core::mem::take(&mut self.dialect.in_text_element);
        if !in_text_element
            && self.dialect.feedback.is_none()
            && !self.dialect.foreign.ends_last(code)
        {
            self.dialect.foreign.end(name_of(lex, record));
        }
    }

    /// Emits a start tag and returns the state after it. `code` is the key of its name ([`code`]).
    #[inline(always)]
    fn open(&mut self, lex: &mut Lexer<'_>, record: Record, code: u32) -> State {
        if !self.dialect.foreign.is_absent() || may_matter(code) {
            return self.open_any(lex, record);
        }
        if self.dialect.feedback.is_none() {
            self.dialect.foreign.note(code);
        }
        self.push(lex, record);
        State::Data
    }

    /// Emits a start tag whose name may have consequences, or that may be in foreign content. Returns the state after
    /// it.
    fn open_any(&mut self, lex: &mut Lexer<'_>, record: Record) -> State {
        let name = name_of(lex, &record);
        if let Some(known) = ElementName::find(name) {
            return self.open_known(lex, record, known);
        }
        let mut record = record;
        if !self.dialect.foreign.is_absent() {
            let self_closing = record.flags & SELF_CLOSING != 0;
            let foreign = &mut self.dialect.foreign;
            if foreign.start(name, None, self_closing, false, false) {
                record.flags |= FOREIGN;
            }
        } else if self.dialect.feedback.is_none() {
            self.dialect.foreign.note(code(name));
        }
        self.push(lex, record);
        State::Data
    }

    /// Emits a start tag with a known name. Updates the elements of SVG and MathML that are open, and what follows the tag:
    /// raw text, a script, or the end of the element. Returns the state after the tag.
    fn open_known(&mut self, lex: &mut Lexer<'_>, record: Record, name: ElementName) -> State {
        let holds = text_state(name, self.dialect.options.scripting).map(State::from);
        let self_closing = record.flags & SELF_CLOSING != 0;
        let (mut record, mut is_foreign) = (record, false);
        let may_begin = matches!(name, ElementName::Svg | ElementName::Math);
        if self.dialect.feedback.is_some() {
            // A tree construction consumes the tags, and tracks the open elements itself.
        } else if may_begin || !self.dialect.foreign.is_absent() {
            let holds_html = self.holds_html(lex, &record, name);
            let (written, holds_text) = (name_of(lex, &record), holds.is_some());
            let known = Some(name);
            is_foreign =
                (self.dialect.foreign).start(written, known, self_closing, holds_html, holds_text);
            // `svg` and `math` are elements of SVG and MathML wherever they are.
            if is_foreign || may_begin {
                record.flags |= FOREIGN;
            }
        } else if holds.is_none() {
            self.dialect.foreign.note(code(name.name()));
        }
        let encoding = match name {
            ElementName::Meta if self.dialect.is_tentative => self.late_encoding(lex, &record),
            _ => None,
        };
        if holds.is_some() {
            self.dialect.last_start_tag.clear();
            self.dialect.last_start_tag.push_str(name_of(lex, &record));
        }
        self.push(lex, record);
        if let Some(encoding) = encoding {
            self.change_encoding(lex, &record, encoding);
        }
        let state = match holds {
            Some(state) if self.dialect.feedback.is_none() && !is_foreign => {
                self.dialect.in_text_element = true;
                state
            }
            _ => State::Data,
        };
        if self.dialect.feedback.is_some() && (holds.is_some() || may_begin) {
            lex.suspend();
        }
        state
    }

    /// Returns whether the attributes of a start tag turn its content or the element into HTML: the `encoding` of an
    /// `annotation-xml`, or an attribute of `font` that ends foreign content.
    fn holds_html(&self, lex: &Lexer<'_>, record: &Record, name: ElementName) -> bool {
        match name {
            ElementName::AnnotationXml => {
                value(lex, record, "encoding").is_some_and(html_facts::is_html_encoding)
            }
            ElementName::Font => html_facts::BREAKOUT_FONT
                .iter()
                .any(|name| value(lex, record, name).is_some()),
            _ => false,
        }
    }

    /// Handles a `meta` while the encoding is tentative. Returns the encoding that it declares, if that differs from
    /// the encoding in use. An encoding that can still take effect is stored in `adopted` instead.
    fn late_encoding(&mut self, lex: &Lexer<'_>, record: &Record) -> Option<Encoding> {
        let value = |name| value(lex, record, name);
        let encoding = meta_encoding(value("charset"), value("http-equiv"), value("content"))?;
        self.dialect.is_tentative = false;
        // An encoding that is not ASCII-compatible is not adopted: the text after the `meta` is decoded already, and
        // bytes of ASCII can mean other characters in such an encoding.
        if self.dialect.is_open && encoding.is_ascii_compatible() {
            self.dialect.adopted = Some(encoding);
            return None;
        }
        let used = self.dialect.sniffed?.encoding;
        (encoding != used).then_some(encoding)
    }

    fn change_encoding(&mut self, lex: &mut Lexer<'_>, tag: &Record, encoding: Encoding) {
        self.dialect.late = Some(encoding);
        let start = lex.out.scratch_end();
        lex.out.scratch.push_str(encoding.name());
        let label = Cleaned::since(start, &lex.out.scratch);
        let change = Record::new(RecordKind::EncodingChange, tag.start, tag.end);
        self.push(lex, change.cleaned(label));
    }

    /// Makes the tokenizer wait for feedback: each batch ends after a start tag that may switch the state, and after
    /// each tag that may begin or end foreign content.
    #[doc(hidden)]
    pub fn expect_feedback(&mut self) {
        self.dialect.feedback = Some(Feedback {
            state: None,
            cdata: Some(false),
            alone: false,
        });
    }

    /// Applies the answer of the consumer of the last batch. The parameters are the fields of [`Feedback`].
    #[doc(hidden)]
    pub fn give_feedback(&mut self, state: Option<InitialState>, cdata: Option<bool>, alone: bool) {
        if let Some(state) = state {
            self.state = state.into();
        }
        self.dialect.feedback = Some(Feedback {
            state,
            cdata,
            alone,
        });
    }
}

/// Returns the name of a tag whose source is contiguous.
#[inline(always)]
fn name_of<'c>(lex: &'c Lexer<'_>, record: &Record) -> &'c str {
    lex.joined(record.string())
}

/// Returns the value of the attribute `name` of a start tag whose source is contiguous.
fn value<'c>(lex: &'c Lexer<'_>, record: &Record, name: &str) -> Option<&'c str> {
    let attributes = &lex.out.attributes[record.attributes()];
    let has_name = |attribute: &&Attr| {
        if attribute.flags & NAME_CLEANED != 0 {
            attribute.clean_name(&lex.out.scratch) == name
        } else {
            lex.one_piece(attribute.name, attribute.name_end) == name
        }
    };
    let attribute = attributes.iter().find(has_name)?;
    Some(lex.joined(attribute.value()))
}

/// Returns the tokenizer state for the content of an element, if the content is text.
pub(super) fn text_state(name: ElementName, scripting: bool) -> Option<InitialState> {
    let is_raw_text = RAW_TEXT.holds(name) || scripting && RAW_TEXT_IF_SCRIPTING.holds(name);
    if SCRIPT.holds(name) {
        Some(InitialState::ScriptData)
    } else if is_raw_text {
        Some(InitialState::Rawtext)
    } else if ESCAPABLE_TEXT.holds(name) {
        Some(InitialState::Rcdata)
    } else {
        PLAIN_TEXT.holds(name).then_some(InitialState::Plaintext)
    }
}
