//! The answer of a tree construction to the tokenizer.

use super::options::InitialState;

/// The answer of the consumer of the tags, a tree construction, after each batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feedback {
    /// The state in which the tokenizer continues, if it differs from the state that follows from the tags.
    pub(crate) state: Option<InitialState>,
    /// True if the adjusted current node is foreign, so that CDATA sections are recognized. `None` if the node is
    /// foreign, but the first text that follows will be inserted into a reconstructed formatting element of HTML.
    pub(crate) cdata: Option<bool>,
    /// True if the batch has to end after every tag: a foreign element is open, or the current node is a script.
    pub(crate) alone: bool,
}

crate::checkpoint::checkpointable! {
    struct Feedback { state, cdata, alone }
}
