//! Token cleanup stage and tree construction stage of Sky, applied to each tag token when it is emitted.
//!
//! The stack of open nodes is always kept, because the automatic end tag `</>` closes whatever element is open. If
//! the stream is balanced (`own.balanced`), the tokens that tree construction ignores are dropped, elements whose
//! names are not registered are renamed to `error`, and implied end tags are inserted.

use super::errors;
use super::host::{Import, Pause, Yielded};
use super::machine::{Lexer, SkyMachine};
use super::state::{Next, State};
use crate::engine::event::record::{Payload, Record, RecordKind, SELF_CLOSING, SHORT};
use crate::engine::event::strings::Str;
use crate::engine::input::BufferOffset;
use crate::engine::namespaces::NO_NAMESPACE;
use alloc::boxed::Box;
use alloc::string::String;

/// Bit in the note of an open element: the element is a `t`, in which whitespace is preserved.
const PREFORMATTED: u32 = 1;
/// Bit in the note of an open element: the element is a `template`.
const TEMPLATE: u32 = 2;
/// Bit in the note of an open element: the element is a `script`.
const SCRIPT: u32 = 4;

/// Returns the note of an element called `name`: one of the bits above, or 0.
fn note(name: &str) -> u32 {
    match name {
        "t" => PREFORMATTED,
        "template" => TEMPLATE,
        "script" => SCRIPT,
        _ => 0,
    }
}

impl SkyMachine {
    /// Emits a start tag token and, with the flag [`SELF_CLOSING`], its end tag. Returns the next state, which
    /// depends on the name: scripts and styles contain raw text.
    #[inline(always)]
    pub(super) fn emit_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let plain =
            !self.dialect.name_null && !self.dialect.nulls && !self.dialect.options.has_registry();
        if !plain || self.dialect.host.is_some() || self.open.is_near() {
            let state = lex.aside(|lex| self.emit_odd_start_tag(lex, flags));
            return state;
        }
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (a, b) = (self.name, self.name_end);
        let record = Record {
            flags,
            ..Record::new(RecordKind::Start, start, end).of(a, b)
        };
        let name = lex.one_piece(a, b);
        let (void, noted) = (flags & SELF_CLOSING != 0, note(name));
        if !void {
            self.open(name, noted, (start, end));
        }
        let is_style = name == "style";
        self.push_start(lex, record);
        self.after_start_tag(lex, void, noted == SCRIPT, is_style)
    }

    /// Emits a start tag whose name may differ from the name in the source, or that concerns the host or a limit.
    ///
    /// A U+0000 in the name becomes U+FFFD; a name that is not registered becomes `error`. If imported modules may
    /// register the name, the tokenizer first waits until the host has loaded them.
    #[cold]
    #[inline(never)]
    fn emit_odd_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let written = lex.one_piece(self.name, self.name_end);
        let name = written.replace('\0', "\u{FFFD}");
        let registered = !self.dialect.balanced || self.dialect.options.is_registered(&name);
        if !registered
            && let Some(host) = &mut self.dialect.host
            && host.wait_for_imports(Some(&name), Yielded::StartTag(flags))
        {
            lex.suspend();
            return State::Yield;
        }
        if self.dialect.nulls {
            lex.aside(|lex| self.compare_cleaned_names(lex));
        }
        if self.open.is_near()
            && let Some(limit) = self.open.check(0)
        {
            self.exceed(lex, limit, start, end);
            return State::Data;
        }
        let mut record = Record::new(RecordKind::Start, start, end).of(self.name, self.name_end);
        record.flags = flags;
        let tree_name = match registered {
            true => &*name,
            false => "error",
        };
        if self.dialect.name_null || !registered {
            record.written = u16::try_from(self.name_end - self.name).unwrap_or(u16::MAX);
            record = record.cleaned(lex.clean(tree_name));
        }
        if !registered {
            lex.report(errors::UNREGISTERED_ELEMENT, self.name, self.name_end);
        }
        let (void, noted) = (flags & SELF_CLOSING != 0, note(tree_name));
        if !void {
            self.open(tree_name, noted, (start, end));
        }
        if tree_name == "import" {
            self.import(lex);
        }
        self.push_start(lex, record);
        if noted == SCRIPT {
            self.start_script(lex, void);
        }
        // In the specification, the tokenizer does not know which names are registered. The name in the source
        // decides the state.
        self.after_start_tag(lex, void, name == "script", name == "style")
    }

    /// Starts to collect the text of a script for the host. A script whose tag ends with `/>` (`void`) is complete, so
    /// the tokenizer waits until the host has run it.
    fn start_script(&mut self, lex: &mut Lexer<'_>, void: bool) {
        let Some(host) = &mut self.dialect.host else {
            return;
        };
        host.start_script();
        if void {
            host.wait_for_script();
            lex.suspend();
        }
    }

    /// Returns the state after a start tag: a raw text state for a script or a style, otherwise the data state.
    /// `void` is true for a tag that ends with `/>`.
    #[inline(always)]
    fn after_start_tag(
        &mut self,
        lex: &Lexer<'_>,
        void: bool,
        is_script: bool,
        is_style: bool,
    ) -> State {
        self.start_text(lex);
        match (void, is_script, is_style) {
            (false, true, _) => State::ScriptRawData,
            (false, _, true) => State::StyleRawData,
            _ => State::Data,
        }
    }

    /// Pushes an element on the stack of open nodes. `noted` is its note, and `tag` the range of its start tag.
    #[inline(always)]
    fn open(&mut self, name: &str, noted: u32, tag: (BufferOffset, BufferOffset)) {
        if noted & TEMPLATE != 0 {
            self.dialect.templates.push(self.open.len() as u32);
        }
        self.dialect.preformatted += noted & PREFORMATTED;
        self.open.push(name, noted, tag);
    }

    /// Pops the current element and returns its note.
    #[inline(always)]
    fn close(&mut self) -> u32 {
        let noted = self.open.note();
        self.open.pop();
        if noted & TEMPLATE != 0 {
            self.dialect.templates.pop();
        }
        self.dialect.preformatted -= noted & PREFORMATTED;
        noted
    }

    /// Adds the module that the current `import` tag refers to, to the modules that the host has to load.
    fn import(&mut self, lex: &Lexer<'_>) {
        let Some(host) = &mut self.dialect.host else {
            return;
        };
        let find = |wanted: &str| {
            let attributes = &lex.out.attributes[lex.out.open as usize..];
            let attribute = attributes
                .iter()
                .find(|attribute| lex.one_piece(attribute.name, attribute.name_end) == wanted)?;
            Some(Box::from(lex.joined(attribute.value())))
        };
        host.add_import(Import::new(find("src"), find("as")));
    }

    /// Emits an end tag token. If its name is that of the current element, closes the element.
    #[inline(always)]
    pub(super) fn emit_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (a, b) = (self.name, self.name_end);
        lex.out.work.compared += u64::from(b - a);
        if self.dialect.name_null
            || self.dialect.options.has_registry()
            || self.dialect.host.is_some()
            || self.open.current() != Some(lex.one_piece(a, b).as_bytes())
        {
            lex.aside(|lex| self.emit_odd_end_tag(lex));
            return;
        }
        let record = Record::new(RecordKind::End, start, end).of(a, b);
        lex.emit(record);
        self.close();
    }

    /// Handles an end tag that may not be the one of the current element, or that concerns the host.
    ///
    /// If an open element has the name, that element and all elements inside it are closed. Elements outside the
    /// innermost open template are not searched. An end tag without a matching element is an event of its own, or is
    /// dropped in a balanced stream.
    #[cold]
    #[inline(never)]
    fn emit_odd_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        let written = lex.one_piece(self.name, self.name_end);
        let mut name = written.replace('\0', "\u{FFFD}");
        let registered = !self.dialect.balanced || self.dialect.options.is_registered(&name);
        if !registered {
            name = String::from("error");
        }
        let mut record = Record::new(RecordKind::End, start, end).of(self.name, self.name_end);
        if self.dialect.name_null || !registered {
            let name = lex.clean(&name);
            lex.out.unfinished = name.end;
            record = record.cleaned(name);
            record.payload = Payload::written_name(self.name - start, self.name_end - start);
        }
        if self.open.current() != Some(name.as_bytes()) {
            let scope = self.dialect.templates.last().map_or(0, |&at| at as usize);
            let Some(at) = self.open.find(&name).filter(|&at| at >= scope) else {
                lex.report_about(errors::STRAY_END_TAG, start, end, self.open.opened());
                match self.dialect.balanced {
                    true => lex.out.end_run(),
                    false => lex.emit(record),
                }
                return;
            };
            lex.report_about(errors::MISMATCHED_END_TAG, start, end, self.open.opened());
            while self.open.len() > at + 1 {
                if self.dialect.balanced {
                    self.push_implied_end(lex, start, NO_NAMESPACE);
                }
                self.close();
            }
        }
        lex.emit(record);
        if self.close() & SCRIPT != 0
            && let Some(host) = &mut self.dialect.host
        {
            host.wait_for_script();
            lex.suspend();
        }
    }

    /// Emits an automatic end tag token, `</>`, which closes the current element. Without an open element it is an
    /// error.
    pub(super) fn emit_automatic_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let record = Record {
            flags: SHORT,
            payload: Payload::written_name(2, 2),
            ..Record::new(RecordKind::End, start, end).of(start + 2, start + 2)
        };
        if !self.open.is_empty() {
            self.push_nameless_end(lex, record);
            self.close();
            return;
        }
        lex.report(errors::STRAY_END_TAG, start, end);
        match self.dialect.balanced {
            true => lex.out.end_run(),
            false => lex.emit(record),
        }
    }

    /// Handles the end of the input: reports open elements, which get implied end tags in a balanced stream. Waits for
    /// the host if modules have to be loaded. Returns the next state.
    pub(super) fn end_of_tokens(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        if !self.open.is_empty() {
            let open = self.open.opened();
            lex.aside(|lex| lex.report_about(errors::UNCLOSED_ELEMENT, end, end, open));
        }
        while self.dialect.balanced && !self.open.is_empty() {
            self.push_implied_end(lex, end, NO_NAMESPACE);
            self.close();
        }
        if let Some(host) = &mut self.dialect.host
            && host.wait_for_imports(None, Yielded::End)
        {
            lex.suspend();
            return State::Yield;
        }
        State::Finished
    }

    /// Not in the specification: after the host has resumed the tokenizer, continues with the start tag that had to
    /// wait, or with the end of the input.
    pub(super) fn yielded(&mut self, lex: &mut Lexer<'_>) -> Next {
        let host = self
            .dialect
            .host
            .as_mut()
            .filter(|host| host.is_resumed())?;
        Some(match host.resumed()? {
            Yielded::StartTag(flags) => self.emit_start_tag(lex, flags),
            Yielded::End => State::Finished,
        })
    }

    /// Copies the text of a script up to offset `end`, which is about to be emitted. The host receives the whole
    /// script when it ends.
    #[cold]
    #[inline(never)]
    pub(super) fn keep_script(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        let in_script = matches!(
            self.state,
            State::ScriptRawData | State::ScriptRawDataClose(_)
        );
        if let Some(host) = &mut self.dialect.host
            && in_script
            && self.text.start < end
            && !self.text.start.is_none()
        {
            match lex.finish(&mut self.text, end) {
                Str::Cleaned(text) => host.add_script(text.within(&lex.out.scratch)),
                Str::Borrowed(from, to) => {
                    let (first, second) = lex.pieces(from, to);
                    host.add_script(first);
                    host.add_script(second);
                }
            }
        }
    }

    /// Returns the work that the host has to do before the tokenizer can continue, or `None` if the tokenizer does not
    /// wait.
    pub(super) fn pause(&self) -> Option<&Pause> {
        self.dialect.host.as_ref()?.waiting()
    }
}
