//! Text in tables, held back until its end shows whether it is white space and may stay.

use super::TreeConstruction;
use super::schema::Mode;
use super::watch::Watch;
use crate::html::construct::rules::{Content, Kind, Token};
use crate::html::errors;
use crate::tree::{Origin, TreeSink};
use alloc::string::String;

/// The pending table character tokens.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Held {
    text: String,
    is_text: bool,
    /// Where it stands in the input, if that is kept.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    origin: Option<Origin>,
}

impl Held {
    /// Bytes that are held.
    pub(super) fn length(&self) -> usize {
        self.text.len()
    }
}

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// Holds text back from here on.
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

    /// Lets go what was held: white space where it was, all else before the table.
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
