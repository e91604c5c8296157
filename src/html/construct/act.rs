//! What guards and actions of the schema mean. It must not name a tag, nor decide what the schema
//! does.

use super::TreeConstruction;
use super::elements::{CLASSES, Class, Group, KNOWN, Seen};
use super::notation::{Action, Element, Guard, Mode, Row};
use super::schema;
use super::stack::{NONE, Space};
use super::token::{Name, Token};
use crate::error::Code;
use crate::html::errors;
use crate::tree::TreeSink;

/// How the rules for a token have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Done,
    /// The token is to be processed once more.
    Again,
}

/// The class of HTML's element of that name.
#[inline(always)]
fn class_of(name: Name<'_>) -> &'static Class {
    &CLASSES[(name.number as usize).min(KNOWN)]
}

impl<S: TreeSink> TreeConstruction<S> {
    /// Processes a token by the rules that apply.
    #[inline]
    pub(super) fn process(&mut self, mut token: Token<'_>) {
        while self.apply(self.rules(), &mut token) == Flow::Again {}
    }

    /// The table whose rules apply.
    #[inline(always)]
    pub(super) fn rules(&self) -> Mode {
        match self.stack.current().and_then(|current| current.point) {
            Some(point) => point,
            None => self.insertion_mode(),
        }
    }

    /// The insertion mode.
    #[inline(always)]
    pub(super) fn insertion_mode(&self) -> Mode {
        match (self.phase, self.stack.current()) {
            (Some(phase), _) => phase,
            (None, Some(current)) => current.summary.mode,
            (None, None) => Mode::Initial,
        }
    }

    /// Applies the first row of a table that is for the token and whose conditions hold.
    #[inline]
    pub(super) fn apply<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        let rows = self.schema.rows(mode, token.column);
        let Some(first) = rows.first() else {
            return Flow::Done;
        };
        self.rules += 1;
        if first.guards.iter().all(|guard| self.holds(*guard, token)) {
            return self.act(first.actions, token);
        }
        self.apply_later(&rows[1..], token)
    }

    /// The same from a row on that was not the first.
    #[inline(never)]
    fn apply_later<'a>(&mut self, rows: &'static [Row], token: &mut Token<'a>) -> Flow {
        for row in rows {
            if row.tokens.has(token.column)
                && row.guards.iter().all(|guard| self.holds(*guard, token))
            {
                self.rules += 1;
                return self.act(row.actions, token);
            }
        }
        Flow::Done
    }

    /// Applies the rules of a mode with foster parenting.
    pub(super) fn foster<'a>(&mut self, mode: Mode, token: &mut Token<'a>) -> Flow {
        self.fostering = true;
        let flow = self.apply(mode, token);
        self.fostering = false;
        flow
    }

    /// Whether a condition holds.
    #[inline]
    fn holds(&self, guard: Guard, token: &Token<'_>) -> bool {
        match guard {
            Guard::Sees(seen) => self.stack.sees().meets(seen),
            Guard::Misses(seen) => !self.stack.sees().meets(seen),
            Guard::SeesSame => self.stack.sees().meets(class_of(token.name).in_scope()),
            Guard::SeesSameInTable => self
                .stack
                .sees()
                .meets(class_of(token.name).in_table_scope()),
            Guard::Current(group) => self.stack.groups().meets(group),
            Guard::CurrentNot(group) => !self.stack.groups().meets(group),
            Guard::SecondIsBody => self
                .stack
                .second()
                .is_some_and(|second| second.groups.meets(schema::BODY)),
            Guard::Fragment => self.context.is_some(),
            Guard::Document => self.context.is_none(),
            Guard::Context(group) => self.context.is_some_and(|context| context.meets(group)),
            Guard::Scripting => self.scripting,
            Guard::FramesetOk => self.frameset_ok,
            Guard::NotQuirks => !self.quirks,
            Guard::Form => self.form.is_some(),
            Guard::NoForm => self.form.is_none(),
            Guard::Hidden => is_hidden(token),
            Guard::NotHidden => !is_hidden(token),
            Guard::Attribute(names) => names.iter().any(|name| token.attribute(name).is_some()),
        }
    }

    /// Runs actions in order.
    fn act<'a>(&mut self, actions: &'static [Action], token: &mut Token<'a>) -> Flow {
        for action in actions {
            let flow = match *action {
                Action::Reprocess => Flow::Again,
                Action::As(mode) => self.apply(mode, token),
                Action::AsHtml => self.apply(self.insertion_mode(), token),
                Action::Foster(mode) => self.foster(mode, token),
                Action::If(guards, actions) => {
                    if guards.iter().all(|guard| self.holds(*guard, token)) {
                        self.act(actions, token)
                    } else {
                        Flow::Done
                    }
                }
                Action::CloseForeign => match self.close_foreign(token) {
                    true => self.apply(self.insertion_mode(), token),
                    false => Flow::Done,
                },
                Action::Rename(name) => {
                    let renamed = Token::start(name.into(), token.content);
                    *token = renamed;
                    Flow::Done
                }
                action => {
                    self.act_simply(action, token);
                    Flow::Done
                }
            };
            if flow == Flow::Again {
                return flow;
            }
        }
        Flow::Done
    }

    /// Runs an action after which the next follows.
    #[inline(always)]
    fn act_simply(&mut self, action: Action, token: &Token<'_>) {
        match action {
            Action::Insert => self.insert_html(token.name, token.tag()),
            Action::InsertText => self.insert_text(token.text()),
            Action::Reconstruct => self.reconstruct(),
            Action::FramesetNotOk => self.frameset_ok = false,
            Action::Void => self.insert_void(token.name, token.tag()),
            Action::Expect(element) => {
                if !self.is_current(element, token) {
                    self.error(match token.is_end() {
                        true => errors::MISNESTED_END_TAG,
                        false => errors::UNCLOSED_ELEMENT,
                    });
                }
            }
            Action::PopThrough(element) => {
                while !self.is_current(element, token) && self.stack.len() > 1 {
                    self.pop();
                }
                self.pop();
            }
            Action::PopTo(group) => {
                while !self.stack.groups().meets(group) && self.stack.len() > 1 {
                    self.pop();
                }
            }
            Action::Pop => self.pop(),
            Action::ImplyEnds(except) => self.imply_ends(schema::IMPLIED, except),
            Action::ImplyAllEnds => self.imply_ends(schema::IMPLIED_ALL, Group::NONE),
            Action::ImplyEndsButSame => {
                while self.stack.groups().meets(schema::IMPLIED)
                    && !self.is_current(Element::Same, token)
                {
                    self.pop();
                }
            }
            Action::CloseAny => self.close_any(token.name.number),
            Action::PushFormatting => self.push_formatting(token),
            Action::Adopt => self.adopt(token.name.number),
            Action::AdoptPrior => self.adopt_prior(token.name.number),
            action => self.act_rarely(action, token),
        }
    }

    /// Runs an action that is seldom met.
    #[inline(never)]
    fn act_rarely(&mut self, action: Action, token: &Token<'_>) {
        match action {
            Action::Error(code) => self.error(code),
            Action::Imply(name) => self.insert_html(name.into(), None),
            Action::InsertSvg => self.insert_foreign(token, Space::Svg),
            Action::InsertMath => self.insert_foreign(token, Space::Math),
            Action::InsertForeign => {
                if let Some(current) = self.stack.current() {
                    self.insert_foreign(token, current.content);
                }
            }
            Action::ExpectNoOthers(code) => self.expect_no_others(code),
            Action::BreakOut => self.break_out(),
            Action::EndForm => self.end_form(),
            Action::ReopenHead => self.reopen_head(),
            Action::DropHead => self.drop_head(),
            Action::DropBody => self.drop_body(),
            Action::PushMarker => {
                if let Some(handle) = self.stack.current().map(|current| current.handle) {
                    self.formatting.push_marker(handle);
                }
            }
            Action::ClearToMarker => {
                let stack = &mut self.stack;
                self.formatting.clear_to_marker(|entry| {
                    if let Some(frame) = stack.get_mut(entry.frame) {
                        frame.entry = NONE;
                    }
                });
            }
            Action::InsertReplacement => {
                for _ in token.text().chars() {
                    self.insert_text("\u{FFFD}");
                }
            }
            Action::InsertComment => self.insert_comment(token, None),
            Action::CommentOnDocument => self.insert_comment(token, Some(self.sink.document())),
            Action::CommentOnHtml => {
                let html = self.stack.get(self.stack.bottom);
                self.insert_comment(token, html.map(|html| html.handle));
            }
            Action::AddMissingToHtml => {
                let html = self.stack.get(self.stack.bottom).map(|html| html.handle);
                self.add_missing(html, token);
            }
            Action::AddMissingToBody => {
                let body = self.stack.second().map(|body| body.handle);
                self.add_missing(body, token);
            }
            Action::InsertDoctype => self.insert_doctype(token),
            Action::NoDoctype => self.no_doctype(),
            Action::HoldText => self.hold_text(),
            Action::HoldCharacters => self.hold_characters(token.text()),
            Action::ReleaseText => self.release_text(),
            Action::Enter(mode) => {
                self.phase = Some(mode);
                self.original = None;
            }
            Action::Resume => self.phase = self.original.take(),
            Action::Turn(mode) => self.stack.turn(self.stack.top, mode),
            Action::Stop => self.stop(),
            Action::SetHead => self.set_head(),
            Action::SetForm => self.set_form(),
            Action::SkipNewline => self.skip_newline = true,
            Action::Tokenize(state) => self.next_state = Some(state),
            Action::HoldsText(state) => {
                self.next_state = Some(state);
                self.original = self.phase;
                self.phase = Some(Mode::Text);
            }
            Action::EndScript => self.end_script(),
            // The rest is met above.
            _ => {}
        }
    }

    /// Whether the current node is the element that an action looks for.
    #[inline(always)]
    fn is_current(&self, element: Element, token: &Token<'_>) -> bool {
        match element {
            Element::In(group) => self.stack.groups().meets(group),
            Element::Same => self
                .stack
                .current()
                .is_some_and(|current| current.is_html(token.name.number)),
        }
    }

    /// Generates implied end tags.
    #[inline(always)]
    fn imply_ends(&mut self, implied: Group, except: Group) {
        while self.stack.groups().meets(implied) && !self.stack.groups().meets(except) {
            self.pop();
        }
    }

    /// Any other end tag.
    pub(super) fn close_any(&mut self, name: u32) {
        let Some(found) = self.stack.find_ordinary(name) else {
            self.error(errors::STRAY_END_TAG);
            return;
        };
        while self.stack.groups().meets(schema::IMPLIED) && self.stack.top != found {
            let same = self.stack.current().is_some_and(|top| top.is_html(name));
            if same {
                break;
            }
            self.pop();
        }
        if self.stack.top != found {
            self.error(errors::MISNESTED_END_TAG);
            while self.stack.top != found {
                self.pop();
            }
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
        let mut first = last;
        while let Some(entry) = self.formatting.get(first) {
            let previous = entry.previous;
            match self.formatting.get(previous) {
                Some(before) if before.frame == NONE && before.name != NONE => first = previous,
                _ => break,
            }
            self.steps += 1;
        }
        let mut next = first;
        while let Some(entry) = self.formatting.get(next).copied() {
            let copy = self.sink.clone_element(entry.handle);
            let frame = self.insert_copy(copy, entry.name, next);
            if let Some(place) = self.formatting.get_mut(next) {
                (place.handle, place.frame) = (copy, frame);
            }
            next = entry.next;
        }
    }

    /// Adds the current node, just inserted for the token, to the active formatting elements.
    fn push_formatting(&mut self, token: &Token<'_>) {
        let top = self.stack.top;
        let Some(handle) = self.stack.current().map(|current| current.handle) else {
            return;
        };
        let name = token.name.number;
        let family = self.formatting.family(name, token.tag());
        let (entry, dropped) = self.formatting.push(handle, top, name, family);
        if let Some(frame) = self.stack.get_mut(top) {
            frame.entry = entry;
        }
        if let Some(frame) = dropped.and_then(|dropped| self.stack.get_mut(dropped.frame)) {
            frame.entry = NONE;
        }
    }

    /// Adds the attributes of the token that an element does not have yet.
    fn add_missing(&mut self, element: Option<S::Handle>, token: &Token<'_>) {
        let (Some(element), Some(tag)) = (element, token.tag()) else {
            return;
        };
        for attribute in tag.attributes() {
            let name = crate::tree::QualifiedName::new(attribute.name());
            self.sink
                .add_missing_attribute(element, name, attribute.value());
        }
    }

    /// A parse error if an element is open whose end tag must be written.
    fn expect_no_others(&mut self, code: Code) {
        if self.stack.sees().meets(Seen::OTHERS) {
            self.error(code);
        }
    }

    /// The current node is the form, unless a template is open.
    fn set_form(&mut self) {
        if !self.stack.sees().meets(Seen::TEMPLATE) {
            self.form = Some(self.stack.top);
        }
    }

    /// An end tag of a form, outside of templates: it closes the form that the pointer says.
    fn end_form(&mut self) {
        let form = self.form.take().filter(|form| *form != NONE);
        let Some(form) = form.filter(|form| self.stack.is_in_scope(*form)) else {
            self.error(errors::STRAY_END_TAG);
            return;
        };
        self.imply_ends(schema::IMPLIED, Group::NONE);
        if self.stack.top == form {
            self.pop();
        } else {
            self.error(errors::MISNESTED_END_TAG);
            self.remove_frame(form);
        }
    }

    /// The current node is the head: from now on the root element stands for what comes after it.
    fn set_head(&mut self) {
        self.head = self.stack.current().copied();
        self.stack.turn(self.stack.bottom, Mode::AfterHead);
    }

    /// The head, which is closed, takes one more element.
    fn reopen_head(&mut self) {
        if let Some(head) = self.head {
            self.reopened = self.stack.push(head);
        }
    }

    fn drop_head(&mut self) {
        if self.stack.holds(self.reopened) {
            self.stack.remove(self.reopened);
        }
        self.reopened = NONE;
    }

    /// A frameset takes the place of the body.
    fn drop_body(&mut self) {
        if let Some(body) = self.stack.second().map(|body| body.handle) {
            self.sink.remove(body);
        }
        while self.stack.len() > 1 {
            self.pop();
        }
    }

    /// The current node, if it is a script, ends.
    pub(super) fn end_script(&mut self) {
        let scripts = schema::SCRIPT.or(schema::SVG_SCRIPT);
        if self.scripting
            && let Some(current) = self.stack.current()
            && current.groups.meets(scripts)
        {
            self.script = Some(current.handle);
        }
    }

    /// Stops parsing: all elements are closed.
    fn stop(&mut self) {
        while self.stack.current().is_some() {
            self.pop_any();
        }
    }
}

/// Whether an input is hidden.
fn is_hidden(token: &Token<'_>) -> bool {
    token
        .attribute("type")
        .is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
}
