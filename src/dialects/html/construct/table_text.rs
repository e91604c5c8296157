//! Text in tables. A run of text is stored until its end, because only then it is known whether the run is whitespace,
//! which is inserted into the table, or contains other characters and is foster-parented.

use super::modes::Mode;
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::construct::rules::{Content, Token, TokenKind};
use crate::dialects::html::errors;
use crate::tree::TreeSink;

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Starts to store text: enters the mode "in table text".
    pub(super) fn hold_text(&mut self) {
        self.table_text.text.clear();
        self.observer.hold();
        self.table_text.is_text = false;
        self.modes.before = self.modes.entered.replace(Mode::InTableText);
    }

    /// Appends characters to the stored text. Reports a parse error for the first part that is not only whitespace.
    pub(super) fn hold_characters(&mut self, text: &str) {
        if !self.table_text.is_text && !text.bytes().all(|byte| byte.is_ascii_whitespace()) {
            self.table_text.is_text = true;
            self.error(errors::TEXT_IN_TABLE);
        }
        self.table_text.text.push_str(text);
        let origin = self.sink.set_origin(None);
        self.sink.set_origin(origin);
        match (&mut self.table_text.origin, origin) {
            (Some(stored), Some(origin)) => stored.span.end = origin.span.end,
            (stored, _) => *stored = origin,
        }
        self.observer.table_text(text);
    }

    /// Inserts the stored text: whitespace into the current node, other text with foster parenting.
    pub(super) fn release_text(&mut self) {
        let table_text = core::mem::take(&mut self.table_text);
        let origin = self.sink.set_origin(table_text.origin);
        self.observer.release();
        if table_text.is_text {
            let mut token = Token::other(TokenKind::Character, Content::Text(&table_text.text));
            let flow = self.foster(Mode::InBody, &mut token);
            debug_assert!(flow.is_continue());
        } else {
            self.insert_text(&table_text.text);
        }
        self.table_text.text = table_text.text;
        self.sink.set_origin(origin);
    }
}
