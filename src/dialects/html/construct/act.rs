//! The execution of the rules: applies rows to tokens, evaluates guards, runs actions. The actions that are
//! algorithms of the standard call procedures in other files.

use super::copies::MIN_NODE_BYTES;
use super::elements::Class;
use super::formatting::Entry;
use super::modes::Mode;
use super::notation::{Action, Guard, Row};
use super::schema;
use super::stack::{FrameId, NONE};
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::construct::rules::{Group, Token};
use crate::dialects::html::errors;
use crate::dialects::html::names::Space;
use crate::dialects::html::options::InitialState;
use crate::engine::event::StartTag;
use crate::tree::{QualifiedName, TreeSink};
use core::ops::ControlFlow;

/// The result of applying rules to a token: `Break` if the token has to be processed again.
pub(super) type Flow = ControlFlow<()>;
/// The result of applying rules to a token that is completely processed.
pub(super) const DONE: Flow = ControlFlow::Continue(());

/// Returns the class of HTML elements with the token's name.
#[inline(always)]
fn class_of(token: &Token<'_>) -> &'static Class {
    Class::of(token.name.number, Space::Html)
}

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Processes a token by the rules that apply.
    #[inline]
    pub(super) fn process(&mut self, mut token: Token<'_>) {
        // Upper bound of the number of times that the token is processed, which debug builds check. Each time before
        // the token is processed again, an element is popped or one of a few implied elements is inserted.
        let mut most = self.stack.depth() + 16;
        while self.apply(self.rules(), &mut token).is_break() {
            debug_assert!(most > 0, "a token is processed over and over");
            most -= 1;
        }
    }

    /// Returns the table whose rules apply to the next token.
    #[inline(always)]
    pub(super) fn rules(&self) -> Mode {
        match self.stack.current().foreign_rules {
            Some(rules) => rules,
            None => self.insertion_mode(),
        }
    }

    /// Returns the current insertion mode.
    #[inline(always)]
    pub(super) fn insertion_mode(&self) -> Mode {
        self.modes
            .entered
            .unwrap_or(self.stack.current().summary.mode)
    }

    /// Applies the first row of the mode's table that lists the token and whose conditions are true.
    #[inline]
    pub(super) fn apply<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        let rows = self.schema[mode as usize].rows(token.column);
        let Some(first) = rows.first() else {
            return DONE;
        };
        self.counts.rules += 1;
        if self.hold(first.guards, token) {
            self.trace.applied(self.schema, first, token);
            return self.act(first.actions, token);
        }
        self.apply_later(&rows[1..], token)
    }

    /// Applies the first row in `rows` that lists the token and whose conditions are true. Drops the token if there is
    /// none.
    #[inline(never)]
    fn apply_later<'a>(&mut self, rows: &'static [Row], token: &mut Token<'a>) -> Flow {
        for row in rows {
            if row.tokens.has(token.column) && self.hold(row.guards, token) {
                self.counts.rules += 1;
                self.trace.applied(self.schema, row, token);
                return self.act(row.actions, token);
            }
        }
        DONE
    }

    /// Applies the rules of another mode. Not inlined, unlike [`apply`](Self::apply).
    #[inline(never)]
    fn apply_as<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        self.apply(mode, token)
    }

    /// Applies the rules of a mode with foster parenting enabled.
    pub(super) fn foster<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        (self.placement.is_fostering, self.placement.is_elsewhere) = (true, true);
        let flow = self.apply(mode, token);
        (self.placement.is_fostering, self.placement.is_elsewhere) =
            (false, !self.placement.patches.is_empty());
        flow
    }

    /// Returns whether all conditions of a row are true.
    #[inline(always)]
    fn hold(&self, guards: &[Guard], token: &Token<'_>) -> bool {
        guards.iter().all(|guard| self.holds(*guard, token))
    }

    /// Returns whether one condition of a row is true.
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
            Guard::Fragment => self.options.context.is_some(),
            Guard::Document => self.options.context.is_none(),
            Guard::Context(group) => self
                .options
                .context
                .is_some_and(|context| context.meets(group)),
            Guard::ContextNot(group) => !self.holds(Guard::Context(group), token),
            Guard::Scripting => self.options.scripting,
            Guard::FramesetOk => self.flags.frameset_ok,
            Guard::NotQuirks => !self.flags.quirks,
            Guard::Form => self.pointers.form.is_some(),
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

    /// Runs the actions of a row in order.
    fn act<'a>(&mut self, actions: &'static [Action], token: &mut Token<'a>) -> Flow {
        for action in actions {
            match *action {
                Action::Insert => self.insert_html(token.name, token.tag()),
                Action::InsertText => self.insert_text(token.text()),
                Action::Reconstruct => self.reconstruct(),
                Action::FramesetNotOk => self.flags.frameset_ok = false,
                Action::Void => self.insert_void(token.name, token.tag()),
                Action::Close(group) => self.close(group, token),
                Action::CloseSame => self.close_same(token),
                Action::PopThrough(group) => self.pop_through(group),
                Action::PopTo(group) => self.pop_to(group),
                Action::Pop => self.pop(),
                Action::ImplyEnds(implied) => self.imply_ends(implied),
                Action::CloseAny => self.close_any(token.name.number),
                Action::PushFormatting => {
                    if let Some(tag) = token.tag() {
                        self.push_formatting(token.name.number, tag);
                    }
                }
                Action::Adopt => self.adopt(token.name.number),
                Action::AdoptPrior => self.adopt_prior(token.name.number),
                Action::If((guards, actions)) if self.hold(guards, token) => {
                    self.act(actions, token)?
                }
                Action::If(_) => {}
                // These are always the last action of a row.
                Action::As(mode) => return self.apply_as(mode, token),
                Action::Reprocess => return Flow::Break(()),
                action => self.act_rarely(action, token)?,
            }
        }
        DONE
    }

    /// Runs one of the actions that [`act`](Self::act) does not handle itself, because they are rare.
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
            Action::PushMarker => self
                .formatting
                .push_marker(self.stack.current().handle, W::ELEMENT_BYTES),
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
            Action::Enter(mode) => (self.modes.entered, self.modes.before) = (Some(mode), None),
            Action::Resume => self.modes.entered = self.modes.before.take(),
            Action::Turn(mode) => self.stack.turn(self.stack.frames.last(), mode),
            Action::Stop => self.abort(),
            Action::SetHead => self.set_head(),
            Action::SetForm => self.set_form(),
            Action::FramesetOkAgain => self.flags.frameset_ok = true,
            Action::SkipNewline => self.token.skips_newline = true,
            Action::Tokenize(state) => self.token.next_state = Some(state),
            Action::HoldsText(state) => self.expect_text(state),
            Action::EndScript => self.end_script(),
            // `act` has handled all other actions.
            _ => {}
        }
        DONE
    }

    /// Switches the tokenizer to the given state, which is one of the states for text, and enters the mode `Text`.
    fn expect_text(&mut self, state: InitialState) {
        self.token.next_state = Some(state);
        self.modes.before = self.modes.entered.replace(Mode::Text);
    }

    /// Returns whether the current node is an HTML element with the token's name.
    #[inline(always)]
    fn is_same(&self, token: &Token<'_>) -> bool {
        self.stack.current().is_html(token.name.number)
    }

    /// Reports a parse error if `is_current` is false. `is_current` is true if the element that the token closes is the
    /// current node.
    #[inline(always)]
    fn expect(&mut self, is_current: bool, token: &Token<'_>) {
        if !is_current {
            self.error(match token.is_end() {
                true => errors::MISNESTED_END_TAG,
                false => errors::UNCLOSED_ELEMENT,
            });
        }
    }

    /// Pops elements until one in the group has been popped. Reports a parse error unless that element is the current
    /// node.
    #[inline(never)]
    fn close(&mut self, group: Group, token: &Token<'_>) {
        self.expect(self.stack.is_in(group), token);
        self.pop_through(group);
    }

    /// Pops elements until an HTML element with the token's name has been popped. Reports a parse error unless that
    /// element is the current node.
    #[inline(never)]
    fn close_same(&mut self, token: &Token<'_>) {
        self.expect(self.is_same(token), token);
        while !self.is_same(token) && self.stack.depth() > 1 {
            self.pop();
        }
        self.pop();
    }

    /// Pops elements until the current node is in the group.
    #[inline(never)]
    fn pop_to(&mut self, group: Group) {
        while !self.stack.is_in(group) && self.stack.depth() > 1 {
            self.pop();
        }
    }

    /// Pops elements until one in the group has been popped.
    #[inline(never)]
    fn pop_through(&mut self, group: Group) {
        self.pop_to(group);
        self.pop();
    }

    /// Generates implied end tags: pops elements while the current node is in the group.
    #[inline(never)]
    pub(super) fn imply_ends(&mut self, implied: Group) {
        while self.stack.is_in(implied) {
            self.pop();
        }
    }

    /// Implements the steps of the standard for "any other end tag" in the mode "in body", for an end tag with the
    /// given name.
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

    /// Pops elements until the given frame has been popped.
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

    /// Reconstructs the active formatting elements. `last` is the last entry of the list, which is not open. If the
    /// limit on copies is reached, removes the entries that are not open instead.
    #[cold]
    fn reconstruct_from(&mut self, last: u32) {
        if !self.may_copy(MIN_NODE_BYTES) {
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
            self.counts.steps += 1;
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

    /// Adds the current node, which was just inserted for this tag, to the list of active formatting elements.
    #[inline(never)]
    pub(super) fn push_formatting(&mut self, name: u32, tag: &StartTag<'_>) {
        let top = self.stack.frames.last();
        let handle = self.stack.current().handle;
        let part = (tag.part, W::ELEMENT_BYTES + W::tag_bytes(tag));
        let entry = self.formatting.push(handle, top, name, part);
        self.stack.frames[top].entry = entry;
        self.observer.formatting_added(entry, tag);
    }

    /// Adds the attributes of the token to an open element, except those that the element already has.
    fn add_missing(&mut self, element: FrameId, token: &Token<'_>) {
        self.observer.attributes();
        let element = self.stack.frames[element].handle;
        for attribute in token.tag().iter().flat_map(|tag| tag.attributes()) {
            let name = QualifiedName::new(attribute.name());
            self.sink
                .add_missing_attribute(element, name, attribute.value());
        }
    }

    /// Sets the head element pointer to the current node. Changes the insertion mode that the root element determines
    /// to "after head", which applies once the head is popped.
    fn set_head(&mut self) {
        self.pointers.head = Some(*self.stack.current());
        self.observer.head();
        self.stack.turn(self.stack.root(), Mode::AfterHead);
    }

    /// Pushes the `head` element, which was already closed, onto the stack again, and processes the token by the rules
    /// of the mode "in head". Removes the `head` afterwards.
    fn in_head_again<'a>(&mut self, token: &mut Token<'a>) -> Flow {
        let Some(head) = self.pointers.head else {
            return DONE;
        };
        let head = self.stack.push(head);
        self.observer.head_again(true);
        let flow = self.apply(Mode::InHead, token);
        self.observer.head_again(false);
        let last = self.stack.frames.last();
        if last == head || self.stack.frames.before(last) == head {
            self.stack.remove(head);
        }
        flow
    }

    /// Removes the body and all elements in it, so that a frameset can replace it.
    fn drop_body(&mut self) {
        self.observer.moved(self.stack.second());
        self.sink
            .remove(self.stack.frames[self.stack.second()].handle);
        while self.stack.depth() > 1 {
            self.pop();
        }
    }

    /// Called before the current node is popped by its end tag. If that node is a script that runs, stores it as the
    /// script that has just ended. Scripts in fragments and in the contents of templates do not run.
    pub(super) fn end_script(&mut self) {
        let runs = self.options.scripting && self.options.context.is_none();
        let current = self.stack.current();
        if runs
            && current.groups.meets(schema::SCRIPT.or(schema::SVG_SCRIPT))
            && !current.summary.is_inert
        {
            self.script = Some(current.handle);
        }
    }
}
