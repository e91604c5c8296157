//! A streaming pull parser for markup: bytes go in, in chunks of any size; events come out.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod attribute_names;
mod balance;
mod build;
mod dialect;
mod error;
mod event;
pub mod html;
mod input;
mod io;
mod limits;
mod parser;
mod scan;
mod stack;
mod text;
pub mod tree;
pub mod xml;

pub use balance::Balanced;
pub use build::TreeBuilder;
pub use dialect::{Dialect, Streamable};
pub use error::{Blame, Code, Error, ErrorKind, Position, Span};
pub use event::{
    Attribute, Attributes, Comment, Declaration, Doctype, EncodingChange, EndTag, Event,
    OwnedEvent, ParseError, ProcessingInstruction, SkippedEntity, StartTag, Text,
};
pub use html::Html;
pub use input::encoding::Encoding;
#[cfg(feature = "std")]
pub use io::Reads;
pub use io::{Chunks, Events, Source, SourceError};
pub use limits::{Limit, Limits, Work};
pub use parser::{Parser, Status, TextPolicy};
pub use tree::{Document, Node, NodeKind, TreeSink};
pub use xml::Xml;
