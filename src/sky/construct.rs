//! The token cleanup stage and the tree construction stage, applied to the tokens as they are emitted.
//!
//! The stack of open nodes is kept in any case, since it names what an automatic end tag closes. Where
//! the stream is to be balanced, the tokens that tree construction skips are dropped, names that are
//! not registered become `error`, and the end tags that are implied are added.

use super::errors;
use super::host::{Import, Pause, Yielded};
use super::machine::{Lexer, SkyMachine};
use super::state::{Next, State};
use crate::event::record::{Kind, Record, SELF_CLOSING, SHORT};
use crate::event::strings::Str;
use crate::input::Mark;
use crate::namespaces::NO_NAMESPACE;
use alloc::boxed::Box;
use alloc::string::String;

/// What is noted of an open element: that it is a `t`, a `template`, a `script`.
const PREFORMATTED: u32 = 1;
const TEMPLATE: u32 = 2;
const SCRIPT: u32 = 4;

fn note(name: &str) -> u32 {
    match name {
        "t" => PREFORMATTED,
        "template" => TEMPLATE,
        "script" => SCRIPT,
        _ => 0,
    }
}

impl SkyMachine {
    /// Emits a start tag token and, with [`SELF_CLOSING`], an end tag token of its name.
    #[inline(always)]
    pub(super) fn emit_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let plain = !self.own.name_null && !self.own.nulls && !self.own.options.has_registry();
        if !plain || self.own.host.is_some() || self.open.is_near() {
            let state = lex.aside(|lex| self.emit_odd_start_tag(lex, flags));
            return state;
        }
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (a, b) = (self.name, self.name_end);
        let record = Record {
            flags,
            ..Record::new(Kind::Start, start, end).of(a, b)
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

    /// A start tag token whose name is not simply that of the element, or that the host may want to
    /// hear of.
    #[cold]
    #[inline(never)]
    fn emit_odd_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let written = lex.one_piece(self.name, self.name_end);
        let name = written.replace('\0', "\u{FFFD}");
        let registered = !self.own.balanced || self.own.options.is_registered(&name);
        if !registered
            && let Some(host) = &mut self.own.host
            && host.wait_for_imports(Some(&name), Yielded::StartTag(flags))
        {
            lex.fence();
            return State::Yield;
        }
        if self.own.nulls {
            lex.aside(|lex| self.compare_cleaned_names(lex));
        }
        if self.open.is_near()
            && let Some(limit) = self.open.check(0)
        {
            self.exceed(lex, limit, start, end);
            return State::Data;
        }
        let mut record = Record {
            flags,
            ..Record::new(Kind::Start, start, end).of(self.name, self.name_end)
        };
        let tree_name = match registered {
            true => &*name,
            false => "error",
        };
        if self.own.name_null || !registered {
            record.written = u16::try_from(self.name_end - self.name).unwrap_or(u16::MAX);
            record = record.cleaned(lex.clean(tree_name));
        }
        if !registered {
            let (from, to) = (self.name, self.name_end);
            lex.report(errors::UNREGISTERED_ELEMENT, from, to);
        }
        let (void, noted) = (flags & SELF_CLOSING != 0, note(tree_name));
        if !void {
            self.open(tree_name, noted, (start, end));
        }
        if tree_name == "import" {
            self.import(lex);
        }
        self.push_start(lex, record);
        if let Some(host) = &mut self.own.host
            && noted == SCRIPT
        {
            host.start_script();
            if void {
                host.wait_for_script();
                lex.fence();
            }
        }
        // The tokeniser knows no registered names.

        self.after_start_tag(lex, void, name == "script", name == "style")
    }

    /// The state after a start tag.
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

    /// Pushes an element onto the stack of open nodes.
    #[inline(always)]
    fn open(&mut self, name: &str, noted: u32, tag: (Mark, Mark)) {
        if noted & TEMPLATE != 0 {
            self.own.templates.push(self.open.len() as u32);
        }
        self.own.preformatted += noted & PREFORMATTED;
        self.open.push(name, noted, tag);
    }

    /// Pops the top element; gives what was noted of it.
    #[inline(always)]
    fn close(&mut self) -> u32 {
        let noted = self.open.note();
        self.open.pop();
        if noted & TEMPLATE != 0 {
            self.own.templates.pop();
        }
        self.own.preformatted -= noted & PREFORMATTED;
        noted
    }

    /// Notes the module that an `import` element names.
    fn import(&mut self, lex: &Lexer<'_>) {
        let Some(host) = &mut self.own.host else {
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

    /// Emits an end tag token.
    #[inline(always)]
    pub(super) fn emit_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (a, b) = (self.name, self.name_end);
        lex.out.work.compared += u64::from(b - a);
        if self.own.name_null
            || self.own.options.has_registry()
            || self.own.host.is_some()
            || self.open.current() != Some(lex.one_piece(a, b).as_bytes())
        {
            lex.aside(|lex| self.emit_odd_end_tag(lex));
            return;
        }
        let record = Record::new(Kind::End, start, end).of(a, b);
        lex.emit(record);
        self.close();
    }

    /// An end tag token that is not simply that of the top element.
    #[cold]
    #[inline(never)]
    fn emit_odd_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        let written = lex.one_piece(self.name, self.name_end);
        let mut name = written.replace('\0', "\u{FFFD}");
        let registered = !self.own.balanced || self.own.options.is_registered(&name);
        if !registered {
            name = String::from("error");
        }
        let mut record = Record::new(Kind::End, start, end).of(self.name, self.name_end);
        if self.own.name_null || !registered {
            let name = lex.clean(&name);
            lex.out.unfinished = name.end;
            record = record.cleaned(name);
        }
        if self.open.current() != Some(name.as_bytes()) {
            let scope = self.own.templates.last().map_or(0, |&at| at as usize);
            let Some(at) = self.open.find(&name).filter(|&at| at >= scope) else {
                lex.report_about(errors::STRAY_END_TAG, start, end, self.open.opened());
                if !self.own.balanced {
                    lex.emit(record);
                }
                return;
            };
            lex.report_about(errors::MISMATCHED_END_TAG, start, end, self.open.opened());
            while self.open.len() > at + 1 {
                if self.own.balanced {
                    self.push_implied_end(lex, start, NO_NAMESPACE);
                }
                self.close();
            }
        }
        lex.emit(record);
        if self.close() & SCRIPT != 0
            && let Some(host) = &mut self.own.host
        {
            host.wait_for_script();
            lex.fence();
        }
    }

    /// Emits an automatic end tag token: it pops the top node, unless that is the document.
    pub(super) fn emit_automatic_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let record = Record {
            flags: SHORT,
            ..Record::new(Kind::End, start, end)
        };
        if !self.open.is_empty() {
            self.push_nameless_end(lex, record);
            self.close();
            return;
        }
        lex.report(errors::STRAY_END_TAG, start, end);
        if !self.own.balanced {
            lex.emit(record);
        }
    }

    /// The end of the sequence of tokens.
    pub(super) fn end_of_tokens(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        if !self.open.is_empty() {
            let open = self.open.opened();
            lex.aside(|lex| lex.report_about(errors::UNCLOSED_ELEMENT, end, end, open));
        }
        while self.own.balanced && !self.open.is_empty() {
            self.push_implied_end(lex, end, NO_NAMESPACE);
            self.close();
        }
        if let Some(host) = &mut self.own.host
            && host.wait_for_imports(None, Yielded::End)
        {
            lex.fence();
            return State::Yield;
        }
        State::Finished
    }

    /// Not in the document: the host has resumed what it was waited for.
    pub(super) fn yielded(&mut self, lex: &mut Lexer<'_>) -> Next {
        let host = self.own.host.as_mut().filter(|host| host.is_resumed())?;
        Some(match host.resumed()? {
            Yielded::StartTag(flags) => self.emit_start_tag(lex, flags),
            Yielded::End => State::Finished,
        })
    }

    /// Keeps a copy of the text of a script, which is handed out up to the mark `end`.
    #[cold]
    #[inline(never)]
    pub(super) fn keep_script(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        let in_script = matches!(
            self.state,
            State::ScriptRawData | State::ScriptRawDataClose(_)
        );
        if let Some(host) = &mut self.own.host
            && in_script
            && self.text.start < end
            && !self.text.start.is_none()
        {
            match lex.finish(&mut self.text, end) {
                Str::Cleaned(text) => host.add_script(text.within(&lex.out.scratch)),
                Str::Lent(from, to) => {
                    let (first, second) = lex.pieces(from, to);
                    host.add_script(first);
                    host.add_script(second);
                }
            }
        }
    }

    /// What the host is waited for.
    pub(super) fn pause(&self) -> Option<&Pause> {
        self.own.host.as_ref()?.waiting()
    }
}
