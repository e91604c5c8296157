//! Events, which a parser returns: start tags, text, comments and others.
//!
//! [`Event`] is an enum of borrowed parts such as [`StartTag`] and [`Text`]. A part refers to its record in the queue
//! and to the parser ([`Part`]), and its strings and positions are computed when a method asks for them.
//! [`OwnedEvent`] and [`OwnedTag`] own their strings: each is a copy of one event, or refers to a copy of a whole batch.
//!
//! The enum is in `borrowed.rs`, the records in `record.rs`, the queue in `queue.rs`, the strings in `strings.rs`, the
//! lookups in `part.rs`.

mod attribute;
#[cfg(feature = "tree")]
mod batch_text;
mod borrowed;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod declared;
pub(crate) mod details;
mod end_tag;
mod eq;
pub(crate) mod in_entity;
mod instruction;
mod leaf;
mod notice;
mod owned;
mod owned_data;
mod owned_event;
mod owned_tag;
mod packing;
mod part;
mod prologue;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod referred;
mod shared_batch;
pub(crate) mod strings;
mod tag;
mod text;

pub use attribute::{Attribute, Attributes};
#[cfg(feature = "tree")]
pub(crate) use batch_text::BatchText;
pub use borrowed::Event;
pub(crate) use borrowed::{EventSink, pass};
pub use declared::{NotationDeclaration, UnparsedEntity};
pub use end_tag::{AddedAttributes, EndTag};
pub use instruction::ProcessingInstruction;
pub(crate) use leaf::SkipByEvent;
pub use leaf::{ElementReader, Leaf};
pub use notice::{EncodingChange, ParseError, SkippedEntity};
#[cfg(feature = "serde")]
pub(crate) use owned::{RestoredAttribute, RestoredTag};
pub(crate) use owned_data::EventCopy;
pub use owned_event::OwnedEvent;
pub use owned_tag::OwnedTag;
pub(crate) use part::{Holder, ParserData, Part};
pub use prologue::{Doctype, XmlDeclaration};
pub(crate) use shared_batch::Sharing;
pub use tag::StartTag;
pub use text::{Comment, Text};
