//! Sky: markup with a signature line, raw text in scripts and styles, registered element names, and the end tag
//! `</>`, which closes any element.
//!
//! Every input that begins with its signature produces a tree. The parser follows the specification "Parsing" of Sky,
//! of 2015.
//!
//! ```
//! use tagstream::{Event, Parser, Sky};
//!
//! let mut parser = Parser::new(Sky::module());
//! parser.feed("SKY MODULE\n<template>1 &lt; 2</><script>a</b</script>");
//! parser.finish();
//! let mut seen = Vec::new();
//! while let Some(event) = parser.next_event()? {
//!     match event {
//!         Event::Start(tag) => seen.push(format!("<{}>", tag.name())),
//!         Event::End(tag) => seen.push(format!("</{}>", tag.name())),
//!         Event::Text(text) => seen.push(text.as_str().to_owned()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(seen, ["<template>", "1 < 2", "</template>", "<script>", "a</b", "</script>"]);
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! A tree builder can wait for a host that loads modules and runs scripts: see
//! [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
//!
//! # Decisions
//!
//! The specification leaves some points open, and contains some slips. This parser decides as follows.
//!
//! - The parsing context is chosen by the constructor. [`Sky::fragment`] begins in the data state. A wrong signature
//!   is an [`Error`](crate::Error), and so is an input that ends inside its signature. An input that ends directly
//!   after the signature is an empty file.
//! - The *close tag state* consumes the `>` of `</>`. The *after tag* and *after void tag* states are executed at the
//!   `>`. After `<script/>` and `</script/>` the tokenizer is in the data state, as the *after void tag state* says.
//! - The *character reference state* switches to the *named character reference state* at every ASCII letter and
//!   digit. Each character that it reads is in *raw value* once. The digits of numbers are consumed; numbers above
//!   0x10FFFF saturate. A named reference that ends with `;` and is none of the five known ones becomes U+FFFD.
//! - At the end of the input, characters that might have become markup or a reference are text: `<`, `</`, `<!`,
//!   `<!-`, `</script` in a script, `&lt`. A tag whose name has begun, and a comment, are reported and dropped.
//! - CR, and CR LF, become one LF, in the signature line too. A tab is not whitespace in a tag.
//! - Comments are neither tokens nor events, and the string token around one continues. Its span starts and ends with
//!   its own characters.
//! - If a tag has several attributes of one name, the first is kept; names are compared after U+0000 was replaced by
//!   U+FFFD. Attributes of end tags are dropped. Both are reported.
//! - The end tag event of a void tag has an empty span, after the tag. An automatic end tag has the name of the
//!   element that it closes, or no name if it closes none.
//! - A [`Parser`](crate::Parser) of events as written does not use registered names. A
//!   [balanced](crate::Parser::balanced) one and
//!   [`TreeBuilder`](crate::TreeBuilder) rename an element to `error` if its name is not registered; [`SourceName`]
//!   returns the original name. An end tag with a name that is not registered closes the innermost `error` element.
//! - Elements that are open at the end of the input get end tags, and are reported.
//! - Each string token is an event of its own, and a text node of its own in the tree: `x</b>y`, where `</b>` is
//!   ignored, results in two.

#[cfg(feature = "checkpoints")]
mod checkpoint;
mod construct;
pub mod errors;
mod host;
mod machine;
mod options;
mod source_name;
mod state;
mod states;

pub use host::{Import, Pause, Registrations};
pub use source_name::SourceName;

use crate::engine::dialect::{Balance, Dialect, Hosted, Nested, Syntax};
use crate::engine::event::StartTag;
use alloc::boxed::Box;
use machine::SkyMachine;
use options::Context;
pub use options::Sky;

impl Dialect for Sky {
    type Machine = SkyMachine;
    type Form = Nested;

    fn machine(&self) -> SkyMachine {
        SkyMachine::of(self.clone())
    }

    fn balance(machine: &mut SkyMachine) {
        machine.balance();
    }
}

impl Hosted for Sky {
    type Pause = Pause;
    type Answer = Registrations;

    fn host(machine: &mut SkyMachine) {
        machine.dialect.host = Some(Box::default());
    }

    fn pause(machine: &SkyMachine) -> Option<&Pause> {
        machine.pause()
    }

    fn resume(machine: &mut SkyMachine, answer: Registrations) {
        if let Some(host) = &mut machine.dialect.host {
            host.resume();
        }
        machine.dialect.options.register(answer.names);
    }
}

impl Balance for Sky {
    fn for_content(&self) -> Sky {
        Sky {
            context: Context::Fragment,
            ..self.clone()
        }
    }

    fn syntax(&self) -> Syntax {
        Syntax::Sky
    }

    fn is_template(tag: &StartTag<'_>) -> bool {
        tag.is_named("template")
    }

    fn parts_text() -> bool {
        true
    }
}

crate::checkpoint::checkpointable! {
    tokenizer SkyMachine;
}
