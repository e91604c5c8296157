//! Text in tables. It is stored until its end, because only then it is known whether it is whitespace, which stays in
//! the table, or other text, which is foster-parented.

use super::TreeConstruction;
use super::schema::Mode;
use super::stack_observer::StackObserver;
use crate::html::construct::rules::{Content, Kind, Token};
use crate::html::errors;
use crate::tree::{Origin, TreeSink};
use alloc::string::String;

/// The standard's "pending table character tokens".
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Held {
    text: String,
    is_text: bool,
    /// The position of the text in the input, if the sink records positions.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    origin: Option<Origin>,
}

impl Held {
    /// Returns the length of the stored text, in bytes.
    pub(super) fn length(&self) -> usize {
        self.text.len()
    }
}

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Starts to store text: enters the mode "in table text".
    pub(super) fn hold_text(&mut self) {
        self.held.text.clear();
        self.watch.hold();
        self.held.is_text = false;
        self.original = self.phase.replace(Mode::InTableText);
    }

    pub(super) fn hold_characters(&mut self, text: &str) {
        if !self.held.is_text && !text.bytes().all(|byte| byte.is_ascii_whitespace()) {
            self.held.is_text = true;
            self.error(errors::TEXT_IN_TABLE);
        }
        self.held.text.push_str(text);
        let origin = self.sink.set_origin(None);
        self.sink.set_origin(origin);
        match (&mut self.held.origin, origin) {
            (Some(held), Some(origin)) => held.span.end = origin.span.end,
            (held, _) => *held = origin,
        }
        self.watch.held(text);
    }

    /// Inserts the stored text: whitespace into the current node, other text with foster parenting.
    pub(super) fn release_text(&mut self) {
        let held = core::mem::take(&mut self.held);
        let origin = self.sink.set_origin(held.origin);
        self.watch.release();
        if held.is_text {
            let mut token = Token::other(Kind::Character, Content::Text(&held.text));
            let flow = self.foster(Mode::InBody, &mut token);
            debug_assert!(flow.is_continue());
        } else {
            self.insert_text(&held.text);
        }
        self.held.text = held.text;
        self.sink.set_origin(origin);
    }
}
