//! HTML: the tokenizer of the standard, for all possible input.
//!
//! The document followed is the WHATWG HTML living standard of 2026-08-19, sections "The input byte
//! stream" and "Tokenization".
//!
//! ```
//! use tagstream::{Event, Html, Parser};
//!
//! let mut parser = Parser::new(Html::default());
//! parser.feed("<TITLE>a &lt; <b></title><p class=x>");
//! parser.finish();
//! let mut seen = Vec::new();
//! while let Some(event) = parser.next_event()? {
//!     match event {
//!         Event::Start(tag) => seen.push(tag.name().to_owned()),
//!         Event::Text(text) => seen.push(text.as_str().to_owned()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(seen, ["title", "a < <b>", "p"]);
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # Decisions
//!
//! - Events are tags as they stand in the source: nothing is implied, nothing is matched. A start tag
//!   that is written as one that closes itself is not followed by an end.
//! - After a start tag the tokenizer switches itself, by the name: `title` and `textarea` hold text
//!   with references; `style`, `xmp`, `iframe`, `noembed`, `noframes`, and with scripting `noscript`,
//!   text without; `script` a script; after `plaintext` all is text. In SVG and MathML nothing is
//!   switched, and CDATA sections are read.
//! - What is in SVG and MathML is told from the tags alone: `svg` and `math` open foreign content up
//!   to their end tags; `foreignObject`, `desc` and `title` in SVG, and `mi`, `mo`, `mn`, `ms`, `mtext`
//!   and an `annotation-xml` that says it holds HTML in MathML, lead back to HTML up to theirs; the
//!   start tags that the standard lets break out of foreign content do so. Of elements nested more
//!   than 65 536 deep, the inner ones are not followed.
//! - A tree builder knows the open elements, so that its tokens are others than the events in two
//!   cases: a start tag that tree construction ignores switches nothing (`<frameset><plaintext>`); and
//!   CDATA sections are read directly in the elements of SVG and MathML that lead back to HTML.
//! - An end tag without a name (`</>`) and the marks of a CDATA section do not end a run of text.
//! - A run of text keeps its U+0000 in the data state and in CDATA sections, as the standard's
//!   tokenizer emits them; it is tree construction that drops or replaces them.
//! - A parse error has the place that the standard's steps give it: the character being consumed
//!   when it is noticed, or the end of the input.
//! - Ill-formed bytes become U+FFFD without a parse error: the standard has no name for it.
//! - A tree shows the chosen option of a select in its `selectedcontent` as a document would that is
//!   shown: the option's children are copied when it is popped, and when a `selectedcontent` is inserted
//!   after that, which also empties the others of the select. One in an option, in another
//!   `selectedcontent` or in two selects is disabled. What a program would change later is not followed;
//!   ancestors and the first of a select are told from the open elements and the order of insertion,
//!   which differ from the tree only where nodes are moved out of tables or formatting elements.
//! - The encoding is found as the standard says, for documents without a parent. A `meta` that
//!   names another one than a tentative encoding in use is reported as
//!   [`EncodingChange`](crate::EncodingChange), after its start tag; only the first that names any is
//!   heeded, and the parse goes on.
//! - An error of the input stream, a control character or a noncharacter, is reported before an error
//!   of the tokenizer in the same place.

mod chain;
pub(crate) mod construct;
mod content;
pub mod errors;
mod foreign;
mod machine;
mod report;
mod rules;
mod state;
mod states;
mod stream;
mod strings;

use crate::dialect::{Dialect, Hosted};
use crate::input::encoding::Encoding;
use crate::limits::Limits;
use crate::text::html_element_names::ElementName;
use alloc::sync::Arc;
pub(crate) use machine::Feedback;
use machine::HtmlMachine;
use state::State;

/// The state that a tokenizer begins in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InitialState {
    /// The data state: a document, or what an ordinary element holds.
    #[default]
    Data,
    /// The RCDATA state: what a `title` or `textarea` holds.
    Rcdata,
    /// The RAWTEXT state: what a `style` holds.
    Rawtext,
    /// The script data state: what a `script` holds.
    ScriptData,
    /// The PLAINTEXT state: what follows a `plaintext`.
    Plaintext,
    /// The CDATA section state: what follows `<![CDATA[`.
    CdataSection,
}

impl From<InitialState> for State {
    fn from(state: InitialState) -> State {
        match state {
            InitialState::Data => State::Data,
            InitialState::Rcdata => State::Rcdata,
            InitialState::Rawtext => State::Rawtext,
            InitialState::ScriptData => State::ScriptData,
            InitialState::Plaintext => State::Plaintext,
            InitialState::CdataSection => State::CdataSection,
        }
    }
}

/// The dialect HTML: its options.
#[derive(Clone, Debug)]
pub struct Html {
    scripting: bool,
    processing_instructions: bool,
    initial_state: InitialState,
    last_start_tag: Option<Arc<str>>,
    encoding: Option<Encoding>,
    encoding_hint: Option<Encoding>,
    /// The context of a fragment: `div`, `svg path`.
    fragment: Option<Arc<str>>,
}

impl Default for Html {
    fn default() -> Html {
        Html {
            scripting: false,
            processing_instructions: true,
            initial_state: InitialState::Data,
            last_start_tag: None,
            encoding: None,
            encoding_hint: None,
            fragment: None,
        }
    }
}

impl Html {
    /// A fragment, to be read as what is in an element of this name: `div`; of SVG or MathML, `svg
    /// path` or `math mi`. Its tree has one root element, an `html`, whose children are the fragment.
    /// A parser of events begins in the state of that element.
    #[must_use]
    pub fn fragment(context: &str) -> Html {
        Html {
            fragment: Some(context.into()),
            ..Html::default()
        }
    }

    /// Sets whether scripting is on, so that a `noscript` holds text; it is off unless set.
    #[must_use]
    pub fn scripting(self, scripting: bool) -> Html {
        Html { scripting, ..self }
    }

    /// Sets whether `<?target data>` is a processing instruction, as the standard says since
    /// 2026-06-25; without, it is a comment and a parse error, as before. It is unless set.
    #[must_use]
    pub fn processing_instructions(self, processing_instructions: bool) -> Html {
        Html {
            processing_instructions,
            ..self
        }
    }

    /// Sets the state to begin in; the data state unless set.
    #[must_use]
    pub fn initial_state(self, initial_state: InitialState) -> Html {
        Html {
            initial_state,
            ..self
        }
    }

    /// Sets the name of the start tag before the input: its end tag ends the state that the parse
    /// begins in.
    #[must_use]
    pub fn last_start_tag(self, name: &str) -> Html {
        Html {
            last_start_tag: Some(name.into()),
            ..self
        }
    }

    /// Sets the encoding that the document is in, for certain: as a transport protocol says it. Only
    /// a byte-order mark goes before it.
    #[must_use]
    pub fn encoding(self, encoding: Encoding) -> Html {
        Html {
            encoding: Some(encoding),
            ..self
        }
    }

    /// Sets the encoding to read the document in where it does not say one itself; windows-1252
    /// unless set.
    #[must_use]
    pub fn encoding_hint(self, encoding: Encoding) -> Html {
        Html {
            encoding_hint: Some(encoding),
            ..self
        }
    }

    /// The same with the state that the context of a fragment begins in.
    fn in_context(&self) -> Html {
        let mut html = self.clone();
        if let Some(context) = &self.fragment {
            let known = ElementName::find(&context.to_ascii_lowercase());
            let state = known.and_then(|known| content::text_state(known, self.scripting));
            html.initial_state = state.unwrap_or_default();
        }
        html
    }
}

impl Dialect for Html {
    type Machine = HtmlMachine;

    fn machine(&self) -> HtmlMachine {
        HtmlMachine::new(self.in_context())
    }

    /// Elements are nested as deep as in browsers.
    fn limits(&self) -> Limits {
        Limits {
            depth: 512,
            ..Limits::default()
        }
    }
}

/// What a tree builder of HTML waits for, where it was told to: see
/// [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pause {
    /// The end tag of a script was read, with scripting on:
    /// [`TreeBuilder::paused_at`](crate::TreeBuilder::paused_at) is the element. The host may run it.
    Script,
}

impl Hosted for Html {
    type Pause = Pause;
    type Answer = ();

    fn host(_: &mut HtmlMachine) {}

    fn pause(_: &HtmlMachine) -> Option<&Pause> {
        Some(&Pause::Script)
    }

    fn resume(_: &mut HtmlMachine, (): ()) {}
}
