//! What guards and actions of the schema mean. It must not name a tag, nor decide what the schema
//! does.

use super::TreeConstruction;
use super::copies::NODE;
use super::elements::Class;
use super::formatting::Entry;
use super::notation::{Action, Guard, Row};
use super::schema::{self, Mode};
use super::stack::{FrameId, NONE};
use super::watch::Watch;
use crate::html::construct::rules::{Group, Token};
use crate::html::errors;
use crate::html::names::Space;
use crate::tree::{QualifiedName, TreeSink};
use core::ops::ControlFlow;

/// How the rules for a token have ended: it breaks off where the token is to be processed once more.
pub(super) type Flow = ControlFlow<()>;
pub(super) const DONE: Flow = ControlFlow::Continue(());

/// The class of the HTML element of the token's own name.
#[inline(always)]
fn class_of(token: &Token<'_>) -> &'static Class {
    Class::of(token.name.number, Space::Html)
}

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// Processes a token by the rules that apply.
    #[inline]
    pub(super) fn process(&mut self, mut token: Token<'_>) {
        // Each time an element is popped, or one of a few is opened.
        let mut most = self.stack.depth() + 16;
        while self.apply(self.rules(), &mut token).is_break() {
            debug_assert!(most > 0, "a token is processed over and over");
            most -= 1;
        }
    }

    /// The table whose rules apply.
    #[inline(always)]
    pub(super) fn rules(&self) -> Mode {
        match self.stack.current().foreign_rules {
            Some(rules) => rules,
            None => self.insertion_mode(),
        }
    }

    /// The insertion mode.
    #[inline(always)]
    pub(super) fn insertion_mode(&self) -> Mode {
        self.phase.unwrap_or(self.stack.current().summary.mode)
    }

    /// Applies the first row of a table that is for the token and whose conditions hold.
    #[inline]
    pub(super) fn apply<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        let rows = self.schema[mode as usize].rows(token.column);
        let Some(first) = rows.first() else {
            return DONE;
        };
        self.rules += 1;
        if self.hold(first.guards, token) {
            return self.act(first.actions, token);
        }
        self.apply_later(&rows[1..], token)
    }

    /// The same from a row on that was not the first.
    #[inline(never)]
    fn apply_later<'a>(&mut self, rows: &'static [Row], token: &mut Token<'a>) -> Flow {
        for row in rows {
            if row.tokens.has(token.column) && self.hold(row.guards, token) {
                self.rules += 1;
                return self.act(row.actions, token);
            }
        }
        DONE
    }

    /// Applies the rules of another mode.
    #[inline(never)]
    fn apply_as<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        self.apply(mode, token)
    }

    /// Applies the rules of a mode with foster parenting.
    pub(super) fn foster<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        (self.fostering, self.elsewhere) = (true, true);
        let flow = self.apply(mode, token);
        (self.fostering, self.elsewhere) = (false, !self.patches.is_empty());
        flow
    }

    /// Whether all conditions hold.
    #[inline(always)]
    fn hold(&self, guards: &[Guard], token: &Token<'_>) -> bool {
        guards.iter().all(|guard| self.holds(*guard, token))
    }

    /// Whether a condition holds.
    #[inline]
    fn holds(&self, guard: Guard, token: &Token<'_>) -> bool {
        match guard {
            Guard::InScope(which) => self.stack.in_scope().meets(which),
            Guard::NotInScope(which) => !self.stack.in_scope().meets(which),
            Guard::SameInScope => self
                .stack
                .in_scope()
                .meets(class_of(token).in_default_scope()),
            Guard::SameInTableScope => self
                .stack
                .in_scope()
                .meets(class_of(token).in_table_scope()),
            Guard::Current(group) => self.stack.is_in(group),
            Guard::CurrentNot(group) => !self.stack.is_in(group),
            Guard::SecondIsBody => {
                let second = self.stack.frames.get(self.stack.second());
                second.is_some_and(|second| second.groups.meets(schema::BODY))
            }
            Guard::Fragment => self.context.is_some(),
            Guard::Document => self.context.is_none(),
            Guard::Context(group) => self.context.is_some_and(|context| context.meets(group)),
            Guard::ContextNot(group) => !self.holds(Guard::Context(group), token),
            Guard::Scripting => self.scripting,
            Guard::FramesetOk => self.frameset_ok,
            Guard::NotQuirks => !self.quirks,
            Guard::Form => self.form.is_some(),
            Guard::Hidden => token
                .attribute("type")
                .is_some_and(|value| value.eq_ignore_ascii_case("hidden")),
            Guard::NotShadow => !token.attribute("shadowrootmode").is_some_and(|mode| {
                mode.eq_ignore_ascii_case("open") || mode.eq_ignore_ascii_case("closed")
            }),
            Guard::NotHidden => !self.holds(Guard::Hidden, token),
            Guard::Attribute(names) => names.iter().any(|name| token.attribute(name).is_some()),
        }
    }

    /// Runs actions in order.
    fn act<'a>(&mut self, actions: &'static [Action], token: &mut Token<'a>) -> Flow {
        for action in actions {
            match *action {
                Action::Insert => self.insert_html(token.name, token.tag()),
                Action::InsertText => self.insert_text(token.text()),
                Action::Reconstruct => self.reconstruct(),
                Action::FramesetNotOk => self.frameset_ok = false,
                Action::Void => self.insert_void(token.name, token.tag()),
                Action::Close(group) => self.close(group, token),
                Action::CloseSame => self.close_same(token),
                Action::PopThrough(group) => self.pop_through(group),
                Action::PopTo(group) => self.pop_to(group),
                Action::Pop => self.pop(),
                Action::ImplyEnds(implied) => self.imply_ends(implied),
                Action::CloseAny => self.close_any(token.name.number),
                Action::PushFormatting => self.push_formatting(token),
                Action::Adopt => self.adopt(token.name.number),
                Action::AdoptPrior => self.adopt_prior(token.name.number),
                Action::If((guards, actions)) if self.hold(guards, token) => {
                    self.act(actions, token)?
                }
                Action::If(_) => {}
                // Nothing follows these.
                Action::As(mode) => return self.apply_as(mode, token),
                Action::Reprocess => return Flow::Break(()),
                action => self.act_rarely(action, token)?,
            }
        }
        DONE
    }

    /// Runs an action that is seldom met.
    #[inline(never)]
    fn act_rarely(&mut self, action: Action, token: &mut Token<'_>) -> Flow {
        match action {
            Action::AsHtml => return self.apply(self.insertion_mode(), token),
            Action::Foster(mode) => return self.foster(mode, token),
            Action::CloseForeign => return self.close_foreign(token),
            Action::InHeadAgain => return self.in_head_again(token),
            Action::Rename(name) => *token = Token::start(name.into(), token.content),
            Action::ExpectSame => self.expect(self.is_same(token), token),
            Action::Error(code) => self.error(code),
            Action::Imply(name) => self.insert_html(name.into(), None),
            Action::InsertTemplate => self.insert_template(token),
            Action::InsertForeign(space) => self.insert_foreign(token, space),
            Action::InsertAlike => self.insert_foreign(token, self.stack.current().content),
            Action::BreakOut => self.break_out(),
            Action::EndForm => self.end_form(),
            Action::InsertPatch => self.insert_patch(token),
            Action::EndPatch => self.end_patch(),
            Action::DropBody => self.drop_body(),
            Action::PushMarker => self.formatting.push_marker(self.stack.current().handle),
            Action::ClearToMarker => self.formatting.clear_to_marker(),
            Action::InsertReplacement => {
                self.insert_text(&"\u{FFFD}".repeat(token.text().len()));
            }
            Action::InsertComment => self.insert_comment(token, NONE),
            Action::CommentOnDocument => self.insert_comment(token, self.stack.frames.first()),
            Action::CommentOnHtml => self.insert_comment(token, self.stack.root()),
            Action::AddMissingToHtml => self.add_missing(self.stack.root(), token),
            Action::AddMissingToBody => self.add_missing(self.stack.second(), token),
            Action::InsertDoctype => self.insert_doctype(token),
            Action::NoDoctype => self.no_doctype(),
            Action::HoldText => self.hold_text(),
            Action::HoldCharacters => self.hold_characters(token.text()),
            Action::ReleaseText => self.release_text(),
            Action::Enter(mode) => (self.phase, self.original) = (Some(mode), None),
            Action::Resume => self.phase = self.original.take(),
            Action::Turn(mode) => self.stack.turn(self.stack.frames.last(), mode),
            Action::Stop => {
                while self.stack.depth() > 0 {
                    self.pop_any();
                }
            }
            Action::SetHead => self.set_head(),
            Action::SetForm => self.set_form(),
            Action::FramesetOkAgain => self.frameset_ok = true,
            Action::SkipNewline => self.skip_newline = true,
            Action::Tokenize(state) => self.next_state = Some(state),
            Action::HoldsText(state) => {
                self.next_state = Some(state);
                self.original = self.phase.replace(Mode::Text);
            }
            Action::EndScript => self.end_script(),
            // The rest is met above.
            _ => {}
        }
        DONE
    }

    /// Whether the current node is an HTML element of the token's own name.
    #[inline(always)]
    fn is_same(&self, token: &Token<'_>) -> bool {
        self.stack.current().is_html(token.name.number)
    }

    /// A parse error unless what is to be closed is the current node.
    #[inline(always)]
    fn expect(&mut self, is_current: bool, token: &Token<'_>) {
        if !is_current {
            self.error(match token.is_end() {
                true => errors::MISNESTED_END_TAG,
                false => errors::UNCLOSED_ELEMENT,
            });
        }
    }

    /// Pops up to the first element in the group, and that too, which should be the current node.
    #[inline(never)]
    fn close(&mut self, group: Group, token: &Token<'_>) {
        self.expect(self.stack.is_in(group), token);
        self.pop_through(group);
    }

    /// The same for an element of the token's own name.
    #[inline(never)]
    fn close_same(&mut self, token: &Token<'_>) {
        self.expect(self.is_same(token), token);
        while !self.is_same(token) && self.stack.depth() > 1 {
            self.pop();
        }
        self.pop();
    }

    /// Pops until the current node is in the group; and that too.
    #[inline(never)]
    fn pop_to(&mut self, group: Group) {
        while !self.stack.is_in(group) && self.stack.depth() > 1 {
            self.pop();
        }
    }

    #[inline(never)]
    fn pop_through(&mut self, group: Group) {
        self.pop_to(group);
        self.pop();
    }

    /// Generates implied end tags.
    #[inline(never)]
    pub(super) fn imply_ends(&mut self, implied: Group) {
        while self.stack.is_in(implied) {
            self.pop();
        }
    }

    /// Any other end tag.
    #[inline(never)]
    pub(super) fn close_any(&mut self, name: u32) {
        let Some(found) = self.stack.find(name, false) else {
            return self.error(errors::STRAY_END_TAG);
        };
        while self.stack.is_in(schema::IMPLIED) && !self.stack.current().is_html(name) {
            self.pop();
        }
        if self.stack.frames.last() != found {
            self.error(errors::MISNESTED_END_TAG);
        }
        self.pop_through_frame(found);
    }

    /// Pops all up to a frame, and that too.
    pub(super) fn pop_through_frame(&mut self, frame: FrameId) {
        while self.stack.frames.last() != frame {
            self.pop();
        }
        self.pop();
    }

    /// Reconstructs the active formatting elements.
    #[inline(always)]
    pub(super) fn reconstruct(&mut self) {
        if let Some(last) = self.formatting.closed_last() {
            self.reconstruct_from(last);
        }
    }

    /// The same from the last entry, which is not open.
    #[cold]
    fn reconstruct_from(&mut self, last: u32) {
        if !self.may_copy(NODE) {
            while let Some(last) = self.formatting.closed_last() {
                self.formatting.remove(last);
            }
            return;
        }
        let mut next = last;
        while let before = self.formatting.list.before(next)
            && self
                .formatting
                .list
                .get(before)
                .is_some_and(Entry::is_closed)
        {
            self.steps += 1;
            next = before;
        }
        while let Some(entry) = self.formatting.list.get(next).copied() {
            let copy = self.copy_element(entry.handle);
            let frame = self.insert_copy(copy, entry.name, next);
            let place = &mut self.formatting.list[next];
            (place.handle, place.frame) = (copy, frame);
            next = self.formatting.list.after(next);
        }
    }

    /// Adds the current node, just inserted for the token, to the active formatting elements.
    #[inline(never)]
    fn push_formatting(&mut self, token: &Token<'_>) {
        let (top, name) = (self.stack.frames.last(), token.name.number);
        let likeness = self.formatting.noahs_ark.hash(name, token.tag());
        let handle = self.stack.current().handle;
        let entry = self.formatting.push(handle, top, name, likeness);
        self.stack.frames[top].entry = entry;
        if let Some(tag) = token.tag() {
            self.watch.listed(entry, tag);
        }
    }

    /// Adds the attributes of the token that an open element does not have yet.
    fn add_missing(&mut self, element: FrameId, token: &Token<'_>) {
        self.watch.attributes();
        let element = self.stack.frames[element].handle;
        for attribute in token.tag().iter().flat_map(|tag| tag.attributes()) {
            let name = QualifiedName::new(attribute.name());
            self.sink
                .add_missing_attribute(element, name, attribute.value());
        }
    }

    /// The current node is the head: from now on the root element stands for what comes after it.
    fn set_head(&mut self) {
        self.head = Some(*self.stack.current());
        self.watch.head();
        self.stack.turn(self.stack.root(), Mode::AfterHead);
    }

    /// The head, which is closed, takes one more element.
    fn in_head_again<'a>(&mut self, token: &mut Token<'a>) -> Flow {
        let Some(head) = self.head else {
            return DONE;
        };
        let head = self.stack.push(head);
        self.watch.head_again(true);
        let flow = self.apply(Mode::InHead, token);
        self.watch.head_again(false);
        let last = self.stack.frames.last();
        if last == head || self.stack.frames.before(last) == head {
            self.stack.remove(head);
        }
        flow
    }

    /// A frameset takes the place of the body.
    fn drop_body(&mut self) {
        self.watch.moved(self.stack.second());
        self.sink
            .remove(self.stack.frames[self.stack.second()].handle);
        while self.stack.depth() > 1 {
            self.pop();
        }
    }

    /// The current node, if it is a script, ends. One of a fragment has already started, and one in the contents of a
    /// template is not connected: neither runs.
    pub(super) fn end_script(&mut self) {
        let runs = self.scripting && self.context.is_none();
        let current = self.stack.current();
        if runs
            && current.groups.meets(schema::SCRIPT.or(schema::SVG_SCRIPT))
            && !current.summary.is_inert
        {
            self.script = Some(current.handle);
        }
    }
}
