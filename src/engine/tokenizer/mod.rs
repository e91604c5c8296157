//! The lexer: the part of tokenization that all dialects share. [`Lexer`] is what a state reads from and writes to,
//! [`StateMachine`] has the registers and drives the states, and [`TextBuffer`] collects a string.

#[cfg(feature = "checkpoints")]
mod checkpoint;
mod cursor;
mod keyword;
mod lexer;
mod machine;
#[cfg(any(feature = "xml", feature = "leafxml"))]
mod tag_text;
mod text_buffer;

pub(crate) use cursor::{Unit, Window};
pub(crate) use keyword::Keyword;
pub(crate) use lexer::Lexer;
pub(crate) use machine::{Confidence, StateMachine, Tokenizer};
#[cfg(any(feature = "xml", feature = "leafxml"))]
pub(crate) use tag_text::TagText;
pub(crate) use text_buffer::TextBuffer;
