//! Sky: markup with signatures, raw text in scripts and styles, registered elements and the end tag
//! `</>` that closes whatever is open. Any input that begins with its signature gives a tree.
//!
//! The document followed is the one on parsing Sky, of 2015.
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
//! The tree builder can wait for a host that loads modules and runs scripts:
//! see [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
//!
//! # Decisions
//!
//! Where the document leaves something open or slips:
//!
//! - The parsing context is that of the constructor; [`Sky::fragment`] begins in the data state. A
//!   failed signature is an [`Error`](crate::Error). So is an input that ends before its signature
//!   does; one that ends right after it is an empty file.
//! - The *close tag state* consumes the `>` of `</>`. The *after tag* and *after void tag* states run
//!   at the `>`. `<script/>` and `</script/>` go to the data state, as the latter says.
//! - The *character reference state* goes to the *named character reference state* for any ASCII
//!   letter and digit, and what it reads is in *raw value* once. The digits of numbers are consumed;
//!   numbers past 0x10FFFF saturate. A named reference with its `;` that is none of the five is
//!   U+FFFD.
//! - At the end of the input, what may have become markup or a reference is text: `<`, `</`, `<!`,
//!   `<!-`, `</script` in a script, `&lt`. A tag whose name has begun and a comment are reported and
//!   dropped.
//! - A CR is one LF with an LF after it, in a signature line too. A tab is no white space in a tag.
//! - Comments are no tokens and no events, and a string token goes on after one. Its span begins and
//!   ends with its own characters.
//! - Of attributes with one name the first stays, compared once U+0000 is U+FFFD; those of end tags
//!   go. Both are reported.
//! - A void tag's end tag has an empty span, after the tag. An automatic end tag bears the name of the
//!   element that it closes, and none if it closes none.
//! - A [`Parser`](crate::Parser) knows no registered names; [`Balanced`](crate::Balanced) and
//!   [`TreeBuilder`](crate::TreeBuilder) name an element `error` if its own is not registered: then
//!   [`SourceName`] has that. Its end tag closes the topmost
//!   `error`.
//! - The elements still open at the end of the input get their end tags, and a report.
//! - Each string token is an event of its own, and a text node of its own in the tree: `x</b>y`, where
//!   `</b>` is skipped, gives two.

mod construct;
pub mod errors;
mod host;
mod machine;
mod source_name;
mod state;
mod states;

pub use host::{Import, Pause, Registrations};
pub use source_name::SourceName;

#[cfg(feature = "checkpoints")]
use crate::dialect::Identity;
use crate::dialect::{Balance, Dialect, Nested, Syntax};
use crate::event::StartTag;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashSet;
use machine::SkyMachine;

/// Sky: applications, modules and fragments. The value is the parsing context and options; the
/// [module](crate::sky) has the rest.
///
/// ```
/// use tagstream::{Document, Sky};
///
/// let document = Document::parse(Sky::fragment(), "<clock>12:00</>")?;
/// assert_eq!(document.to_xml()?, "<clock>12:00</clock>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sky {
    context: Context,
    /// The registered tag names; all names are, if there is no set.
    registered: Option<Arc<HashSet<Box<str>>>>,
}

/// What is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
enum Context {
    Application,
    Module,
    Fragment,
}

impl Sky {
    fn new(context: Context) -> Sky {
        Sky {
            context,
            registered: None,
        }
    }

    /// An application, which begins with the line `#!mojo mojo:sky`.
    ///
    /// ```
    /// use tagstream::{Events, Sky};
    ///
    /// let mut events = Events::of(Sky::application(), "#!mojo mojo:sky\n<clock />");
    /// assert!(format!("{:?}", events.next_event()?).contains("clock"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn application() -> Sky {
        Sky::new(Context::Application)
    }

    /// A module, which begins with the line `SKY MODULE`.
    ///
    /// ```
    /// use tagstream::{Events, Sky};
    ///
    /// let mut events = Events::of(Sky::module(), "SKY MODULE\n<clock />");
    /// assert!(format!("{:?}", events.next_event()?).contains("clock"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn module() -> Sky {
        Sky::new(Context::Module)
    }

    /// Markup without a signature.
    ///
    /// ```
    /// use tagstream::{Document, Sky};
    ///
    /// let clock = Document::parse(Sky::fragment(), "<clock>12:00</clock>")?;
    /// assert_eq!(clock.root().text_content(), "12:00");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn fragment() -> Sky {
        Sky::new(Context::Fragment)
    }

    /// Sets the tag names that are registered; all are unless set. Elements of other names are
    /// `error` elements, in balanced events and in trees.
    ///
    /// ```
    /// use tagstream::{Document, Sky};
    ///
    /// let document = Document::parse(Sky::fragment().registered(["t"]), "<t></t><u></u>")?;
    /// let names: Vec<&str> = document.root().children().map(|node| node.name()).collect();
    /// assert_eq!(names, ["t", "error"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn registered(self, names: impl IntoIterator<Item = impl Into<Box<str>>>) -> Sky {
        let names = names.into_iter().map(Into::into).collect();
        Sky {
            registered: Some(Arc::new(names)),
            ..self
        }
    }

    fn context(&self) -> Context {
        self.context
    }

    fn has_registry(&self) -> bool {
        self.registered.is_some()
    }

    fn is_registered(&self, name: &str) -> bool {
        let registered = self.registered.as_ref();
        registered.is_none_or(|names| names.contains(name))
    }

    fn register(&mut self, more: Vec<Box<str>>) {
        if let Some(names) = &mut self.registered
            && !more.is_empty()
        {
            Arc::make_mut(names).extend(more);
        }
    }
}

impl Dialect for Sky {
    type Machine = SkyMachine;
    type Form = Nested;

    #[cfg(feature = "checkpoints")]
    fn identity(&self) -> Identity {
        Identity::new("sky", self, errors::ALL)
    }

    fn machine(&self) -> SkyMachine {
        SkyMachine::of(self.clone())
    }

    fn form(machine: &mut SkyMachine) {
        Self::balance(machine);
    }
}

impl Balance for Sky {
    fn balance(machine: &mut SkyMachine) {
        machine.balance();
    }

    fn syntax(&self) -> Syntax {
        Syntax::Sky
    }

    fn is_template(tag: &StartTag<'_>) -> bool {
        tag.name() == "template"
    }

    fn parts_text() -> bool {
        true
    }
}

/// With the names that were registered since.
#[cfg(feature = "checkpoints")]
impl crate::saved::Saved for Sky {
    fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Sky {
            context,
            registered,
        } = self;
        let mut names: Option<Vec<&Box<str>>> =
            registered.as_deref().map(|all| all.iter().collect());
        if let Some(names) = &mut names {
            names.sort_unstable();
        }
        serde_core::Serialize::serialize(&(context, names), to)
    }

    fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<Sky, D::Error> {
        let (context, names): (_, Option<Vec<Box<str>>>) =
            serde_core::Deserialize::deserialize(from)?;
        Ok(Sky {
            context,
            registered: names.map(|names| Arc::new(names.into_iter().collect())),
        })
    }
}
