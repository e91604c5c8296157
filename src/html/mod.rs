//! HTML: the tokenizer of the standard and its tree construction, for all possible input.
//!
//! The document followed is the WHATWG HTML living standard of 2026-10-03, sections "The input byte
//! stream", "Tokenization" and "Tree construction".
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
//! # Options
//!
//! | option | unless set | what it says |
//! |---|---|---|
//! | [`encoding`](Html::encoding) | none | the encoding for certain, as a transport protocol says it |
//! | [`fallback_encoding`](Html::fallback_encoding) | UTF-8 or windows-1252, as the first bytes beyond ASCII are | the encoding where the document says none |
//! | [`scripting`](Html::scripting) | off | whether a `noscript` holds text |
//! | [`processing_instructions`](Html::processing_instructions) | on | whether `<?target data>` is one |
//! | [`shadow_roots`](Html::shadow_roots) | off | whether `<template shadowrootmode>` attaches a shadow root, in trees |
//! | [`fragment`](Html::fragment) | a document | the element that the input is the content of |
//! | [`initial_state`](Html::initial_state) | the data state | where the tokenizer begins |
//! | [`last_start_tag`](Html::last_start_tag) | none | the element whose end tag ends that state |
//!
//! # Encodings
//!
//! A string is UTF-8. Of bytes without a byte-order mark or a certain encoding, no event comes before the
//! encoding is looked for: up to a `meta` that names it, byte 1024, or the end. If none is found there, the
//! first sequence of bytes that is not ASCII tells, wherever it stands: UTF-8 if it is well-formed, else
//! windows-1252; [`Parser::encoding`](crate::Parser::encoding) is `None` until then, and a `meta` on the way
//! that names an encoding is obeyed (but for ISO-2022-JP, in which ASCII may be something else). A `meta`
//! further on that names another one is told, and the program may read anew what it has kept:
//!
//! ```
//! use tagstream::{Encoding, Event, Html, Parser};
//!
//! let page = [&[b' '; 1024][..], b"\xC1<meta charset=koi8-r><p>\xC1"].concat();
//! let read = |html: Html| {
//!     let mut parser = Parser::new(html);
//!     parser.feed(page.clone());
//!     parser.finish();
//!     let (mut last, mut named) = (String::new(), None);
//!     while let Some(event) = parser.next_event()? {
//!         match event {
//!             Event::Text(text) => last = text.as_str().to_owned(),
//!             Event::EncodingChange(change) => named = Encoding::for_label(change.label()),
//!             _ => {}
//!         }
//!     }
//!     Ok::<_, tagstream::Error>((last, named))
//! };
//! let (text, named) = read(Html::default())?;
//! assert_eq!(text, "Á");
//! let (text, _) = read(Html::default().encoding(named.unwrap()))?;
//! assert_eq!(text, "а");
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # Parse errors
//!
//! All are told where [`report_errors(true)`](crate::Parser::report_errors) asks for them, under the standard's names,
//! which are listed in [`errors`]. Columns are counted in characters, and in units of UTF-16 too.
//!
//! ```
//! use tagstream::{Event, Html, Parser};
//!
//! let mut parser = Parser::new(Html::default()).report_errors(true);
//! parser.feed("<p\n class='a'id=b>");
//! parser.finish();
//! while let Some(event) = parser.next_event()? {
//!     if let Event::ParseError(error) = event {
//!         assert_eq!(error.code().as_str(), "missing-whitespace-between-attributes");
//!         assert_eq!((error.position().line(), error.position().column()), (2, 11));
//!     }
//! }
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # Trees
//!
//! [`Document::parse`](crate::Document::parse), or a [`TreeBuilder`](crate::TreeBuilder) of [`Html`], builds the standard's tree, of a document or of a
//! fragment. With scripting on it can [wait for a host](crate::TreeBuilder::hosted) at the end of each
//! script that runs ([`Pause::Script`]), which may [write](crate::TreeBuilder::write) before the rest.
//!
//! ```
//! use tagstream::{Document, Html};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let html = Document::parse(Html::default(), "<p>a<p>b")?.to_html();
//! assert_eq!(html, "<html><head></head><body><p>a</p><p>b</p></body></html>");
//!
//! let html = Document::parse(Html::fragment("tr")?, "<td>a<td>b")?.to_html();
//! assert_eq!(html, "<html><td>a</td><td>b</td></html>");
//! # Ok(())
//! # }
//! ```
//!
//! # Balanced events
//!
//! [`Events::balanced`](crate::Events::balanced), [`Parser::balanced`](crate::Parser::balanced) and
//! [`Balanced`](crate::Balanced) give the events of the stack of open elements, as tree construction pushes
//! and pops it: every start has its end, in order, and no tree is kept. The elements are those of the
//! tree, in their namespaces. Of nearly all pages they are the tree, as they come; where an event says
//! `is_moved()`, the tree has something elsewhere.
//!
//! ```
//! use tagstream::{Event, Events, Html};
//!
//! let mut events = Events::of(Html::default(), "<p>1<table>2<td>3</table><b>4<p>5</b>6").balanced();
//! let mut seen = String::new();
//! while let Some(event) = events.next_event()? {
//!     match event {
//!         Event::Start(tag) => seen += &format!("{}( ", tag.name()),
//!         Event::End(tag) if tag.is_moved() => seen += &format!("){} moved ", tag.name()),
//!         Event::End(_) => seen += ") ",
//!         Event::Text(text) if text.is_moved() => seen += &format!("{text} moved "),
//!         Event::Text(text) => seen += &format!("{text} "),
//!         _ => {}
//!     }
//! }
//! assert_eq!(
//!     seen,
//!     "html( head( ) body( p( 1 table( 2 moved tbody( tr( td( 3 ) ) ) ) b( 4 ) ) p( b( 5 ) 6 ) ) ) "
//! );
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! 1. To insert an element is its start, which [`is_implied`](crate::StartTag::is_implied) if no tag wrote
//!    it: so are formatting elements that are opened once more, with the attributes that they had. Void
//!    elements, and those of SVG and MathML whose tag closes itself, end at once.
//! 2. To pop one is its end. An element that is taken out from below others (by the adoption agency, as a
//!    form or a nested `a`) lingers: it ends when those above it have, and its end is moved. The copies
//!    that the agency makes are no events; the end of each element that it puts elsewhere, or copies,
//!    is moved too.
//! 3. What is foster-parented stays inside the table, text and comments too, and is moved. A tree has it
//!    before the innermost table, or at the end of the innermost template.
//! 4. The end of `head` waits past white space, comments and further content of the head, which come after
//!    it. Comments after `</body>` and `</html>` wait for the end of the input; beyond a 64th of
//!    [`Limits::memory`] they come where they stand, moved.
//! 5. A second `<html>` or `<body>` is [`Event::Attributes`](crate::Event::Attributes), of its element. A
//!    `frameset` ends the body, whose end is moved. What a select shows in its `selectedcontent` are no
//!    events, but the end of that select is moved. The content of a template is what is in it. Nothing is
//!    flattened, however deep.
//! 6. The end of the input ends all that is open.
//!
//! An event comes with the token that it follows from; the text of a table comes with the next one. What was
//! not written stands, empty, where that token does; what has waited, where it was written. Memory
//! is bounded by what is open, by [`Limits::memory`]. Of a fragment the root is an `html` that is implied.
//!
//! # Decisions
//!
//! - Events that are not balanced are tags as they stand in the source: nothing is implied, nothing is matched. A
//!   start tag that is written as one that closes itself is not followed by an end.
//! - After a start tag the tokenizer switches itself, by the name: `title` and `textarea` hold text
//!   with references; `style`, `xmp`, `iframe`, `noembed`, `noframes`, and with scripting `noscript`,
//!   text without; `script` a script; after `plaintext` all is text. In SVG and MathML nothing is
//!   switched, and CDATA sections are read.
//! - What is in SVG and MathML is told from the tags alone. All open elements are followed, up to 512
//!   deep, by those of the standard's rules that need no tree: start tags that break out of foreign
//!   content, elements that lead back to HTML, scopes, what a start tag closes, parts of tables. CDATA
//!   sections are read in all elements of SVG and MathML but those that hold HTML, and an end tag closes
//!   foreign content where it closes what is open around it. Names in HTML are known by three of their
//!   letters and their lengths.
//! - The content of `<template for=x>` comes to the markers of that name (`<?marker name="x">`, `<?start name="x">` …
//!   `<?end>`) where the tree is a [`Document`](crate::Document), or a sink that does so
//!   ([`TreeSink::begin_patch`]); events, balanced or not, have it where it stands. The search
//!   for markers takes 2^24 steps and 64 for each node; where that is over, templates are inserted as others are, which
//!   only happens where thousands of templates meet thousands of markers of their name that they do not use. A level
//!   beyond the limit of depth is none in patches either.
//! - A tree builder knows more, so that its tokens are sometimes others than the events: in fewer than one
//!   of a thousand random documents with foreign content, tables, formatting or templates, and in these
//!   cases. A start tag that tree construction ignores, as most are in a `frameset` or a `colgroup`,
//!   switches nothing (`<frameset><plaintext>`, `<template><col><title>`). The events know no insertion
//!   modes (`<head><noscript><svg>`), no formatting elements that are made again, nothing of what is moved
//!   out of tables (`<table><svg><desc><table>`), and not that a table leaves a paragraph open in quirks
//!   mode.
//! - An end tag without a name (`</>`) and the marks of a CDATA section do not end a run of text.
//! - A run of text keeps its U+0000 in the data state and in CDATA sections, as the standard's
//!   tokenizer emits them; it is tree construction that drops or replaces them.
//! - A parse error has the place that the standard's steps give it: the character being consumed
//!   when it is noticed, or the end of the input.
//! - Ill-formed bytes become U+FFFD without a parse error: the standard has no name for it.
//! - A tree shows the selected option of a select in its `selectedcontent` as a document would that is
//!   shown: the option's children are copied when it is popped, and when a `selectedcontent` is inserted
//!   after that, which also empties the others of the select. One in an option, in another
//!   `selectedcontent` or in two selects is disabled: nothing happens when it is inserted. A copy of an
//!   option in the selected one joins the list of options. Fragments are in no document, so that only
//!   options that are popped are copied there. What a program would change later is not followed;
//!   ancestors and the first of a select are told from the open elements and the order of insertion,
//!   which differ from the tree only where nodes are moved out of tables or formatting elements, and
//!   where a `selectedcontent` that holds parts of a select is filled or emptied.
//! - Formatting elements that were left open are made again in each paragraph, those that are not nested
//!   properly by the adoption agency, and options are copied as said, so that a small document could
//!   become a large tree. [`Limits::depth`] bounds how many formatting elements are in the list. Copies
//!   share their attributes in a [`Document`](crate::Document), and may take half of what
//!   [`Limits::tree_allowance`] and [`Limits::tree_ratio`] leave to a tree; beyond that, formatting
//!   elements are closed instead, and options not copied, with the error
//!   [`TOO_MUCH_COPIED`](errors::TOO_MUCH_COPIED). No page comes near; [`Limits::none`] gives the
//!   standard's tree.
//! - The encoding is found as the standard says, for documents without a parent; where it leaves the
//!   default to the implementation, as said above. A `meta` that
//!   names another one than a tentative encoding in use is reported as
//!   [`EncodingChange`](crate::EncodingChange), after its start tag; only the first that names any is
//!   heeded, and the parse goes on.
//! - An error of the input stream, a control character or a noncharacter, is reported before an error
//!   of the tokenizer in the same place.
//! - `<?target data>` is a processing instruction, as the standard says since 2026-06-25; out-of-order
//!   streaming, which it has since then, is not followed: `for` and `shadowrootmode` are ordinary
//!   attributes of a `template`.

mod balanced;
pub(crate) mod construct;
mod content;
pub mod errors;
mod fast_path;
mod foreign;
mod host;
mod machine;
pub(crate) mod names;
mod report;
#[cfg(feature = "checkpoints")]
mod saved;
mod state;
mod states;
mod stream;
mod strings;

use crate::dialect::{AsWritten, Balance, Dialect, Syntax};
#[cfg(feature = "checkpoints")]
use crate::dialect::{Identity, SavedSink as Sink};
use crate::event::{Doctype, StartTag};
use crate::input::content_type::charset;
use crate::input::encoding::Encoding;
use crate::limits::Limits;
use crate::namespaces::HTML_INDEX;
use crate::text::html_element_names::ElementName;
use crate::tree::{QuirksMode, TreeSink};
use alloc::sync::Arc;
pub use host::Pause;
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

/// HTML, by the WHATWG standard, tree construction included: pages, whole or as fragments. The value is the
/// options; the [module](crate::html) has the rest.
///
/// ```
/// use tagstream::{Document, Html};
///
/// let row = Document::parse(Html::fragment("tr").expect("an element"), "<td>1<td>2")?;
/// assert_eq!(row.to_html(), "<html><td>1</td><td>2</td></html>");
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Html {
    scripting: bool,
    processing_instructions: bool,
    shadow_roots: bool,
    initial_state: InitialState,
    last_start_tag: Option<Arc<str>>,
    encoding: Option<Encoding>,
    fallback_encoding: Option<Encoding>,
    /// The context of a fragment: `div`, `svg path`.
    fragment: Option<Arc<str>>,
    /// What else is known of that context.
    surroundings: Surroundings,
}

/// What a fragment depends on beside the name of its context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Surroundings {
    /// The document is in quirks mode.
    pub(crate) is_quirks: bool,
    /// The context is a form, or in one.
    pub(crate) is_in_form: bool,
    /// The context is an `annotation-xml` that holds HTML.
    pub(crate) holds_html: bool,
}

/// What was to be the context of a [fragment](Html::fragment) names no element.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error(
    "{context:?} is no context of a fragment: that is the name of an element, `td`, or `svg path`"
)]
pub struct ContextError {
    context: Arc<str>,
}

impl ContextError {
    /// What was given.
    ///
    /// ```
    /// use tagstream::Html;
    ///
    /// assert_eq!(Html::fragment("<tr>").unwrap_err().context(), "<tr>");
    /// ```
    pub fn context(&self) -> &str {
        &self.context
    }
}

impl Default for Html {
    fn default() -> Html {
        Html {
            scripting: false,
            processing_instructions: true,
            shadow_roots: false,
            initial_state: InitialState::Data,
            last_start_tag: None,
            encoding: None,
            fallback_encoding: None,
            fragment: None,
            surroundings: Surroundings::default(),
        }
    }
}

impl Html {
    /// The schema of tree construction as a page of Markdown, which `docs/html-schema.md` and the command
    /// `tagstream schema` are: its modes with their rows, sets of elements, scopes.
    #[cfg(feature = "cli")]
    #[doc(hidden)]
    #[must_use]
    pub fn schema_page() -> String {
        construct::page::page()
    }

    /// A fragment, to be read as what is in an element of this name: `div`; of SVG or MathML, `svg
    /// path` or `math mi`. Its tree has one root element, an `html`, whose children are the fragment.
    /// A parser of events begins in the state of that element.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::fragment("svg text").unwrap());
    /// parser.feed("<![CDATA[a < b]]>");
    /// parser.finish();
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!(text.as_str(), "a < b");
    /// assert!(Html::fragment("<tr>").is_err());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What cannot be the name of an element: an empty string, `<tr>`, `table td`.
    pub fn fragment(context: &str) -> Result<Html, ContextError> {
        let name = ["svg ", "math "]
            .iter()
            .find_map(|namespace| context.strip_prefix(namespace))
            .unwrap_or(context);
        let is_name = !name.is_empty()
            && !name.contains(|c: char| c.is_ascii_whitespace() || "\0<>/=\"'&".contains(c));
        if !is_name {
            return Err(ContextError {
                context: context.into(),
            });
        }
        Ok(Html {
            fragment: Some(context.into()),
            ..Html::default()
        })
    }

    /// A fragment whose context is an element that is there, whatever its name.
    pub(crate) fn fragment_in(context: Arc<str>, surroundings: Surroundings) -> Html {
        Html {
            fragment: Some(context),
            surroundings,
            ..Html::default()
        }
    }

    /// Sets whether scripting is on, so that a `noscript` holds text; it is off unless set. Scripts are
    /// never run.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// for (scripting, body) in [(false, "<noscript><b>a</b></noscript>"), (true, "<noscript><b>a</noscript>")] {
    ///     let html = Html::default().scripting(scripting);
    ///     let html = Document::parse(html, "<body><noscript><b>a</noscript>")?.to_html();
    ///     assert!(html.contains(&format!("<body>{body}")), "{html}");
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn scripting(self, scripting: bool) -> Html {
        Html { scripting, ..self }
    }

    /// Sets whether `<?target data>` is a processing instruction, as the standard says since
    /// 2026-06-25; without, it is a comment and a parse error, as before. It is unless set.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<?marker name=x?>");
    /// parser.finish();
    /// let Some(Event::ProcessingInstruction(marker)) = parser.next_event()? else { panic!() };
    /// assert_eq!((marker.target(), marker.data()), ("marker", "name=x"));
    ///
    /// let mut parser = Parser::new(Html::default().processing_instructions(false));
    /// parser.feed("<?marker name=x?>");
    /// parser.finish();
    /// let Some(Event::Comment(comment)) = parser.next_event()? else { panic!() };
    /// assert_eq!(comment.as_str(), "?marker name=x?");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn processing_instructions(self, processing_instructions: bool) -> Html {
        Html {
            processing_instructions,
            ..self
        }
    }

    /// Sets whether `<template shadowrootmode=open>` attaches a [shadow root](crate::Node::shadow_root) to the element that
    /// it is in, in trees: as in pages that browsers load, or with `setHTMLUnsafe`. It is a template like others unless set.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let html = Html::default().shadow_roots(true);
    /// let page = Document::parse(html, "<p><template shadowrootmode=open></template>")?;
    /// assert!(page.to_outline().contains("#shadow-root (open)"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn shadow_roots(mut self, shadow_roots: bool) -> Html {
        self.shadow_roots = shadow_roots;
        self
    }

    /// Sets the state to begin in; the data state unless set.
    ///
    /// ```
    /// use tagstream::html::InitialState;
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default().initial_state(InitialState::Plaintext));
    /// parser.feed("<b>");
    /// parser.finish();
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!(text.as_str(), "<b>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn initial_state(self, initial_state: InitialState) -> Html {
        Html {
            initial_state,
            ..self
        }
    }

    /// Sets the name of the start tag before the input: its end tag ends the state that the parse
    /// begins in.
    ///
    /// ```
    /// use tagstream::html::InitialState;
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let textarea = Html::default()
    ///     .initial_state(InitialState::Rcdata)
    ///     .last_start_tag("textarea");
    /// let mut parser = Parser::new(textarea);
    /// parser.feed("a <b></textarea><b>");
    /// parser.finish();
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!(text.as_str(), "a <b>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn last_start_tag(self, name: &str) -> Html {
        Html {
            last_start_tag: Some(name.into()),
            ..self
        }
    }

    /// Sets the encoding that the document is in, for certain: as a transport protocol says it. Only
    /// a byte-order mark goes before it.
    ///
    /// ```
    /// use tagstream::{Document, Encoding, Html};
    ///
    /// let Some(latin_2) = Encoding::for_label("iso-8859-2") else { panic!() };
    /// let document = Document::parse(Html::default().encoding(latin_2), b"<p>\xB1")?;
    /// assert_eq!(document.root().text_content(), "\u{105}");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn encoding(self, encoding: Encoding) -> Html {
        Html {
            encoding: Some(encoding),
            ..self
        }
    }

    /// Sets the encoding to read the document in where neither it nor the caller says one, as the locale
    /// of a browser does.
    ///
    /// Unless set, the first sequence of bytes that is not ASCII tells: UTF-8 if it is well-formed, else
    /// windows-1252. A `meta` before it that names an encoding is obeyed.
    ///
    /// ```
    /// use tagstream::{Encoding, Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default().fallback_encoding(Encoding::for_label("koi8-r").unwrap()));
    /// parser.feed(b"\xD2\xC5\xCB\xC1");
    /// parser.finish();
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!(text.as_str(), "река");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn fallback_encoding(self, encoding: Encoding) -> Html {
        Html {
            fallback_encoding: Some(encoding),
            ..self
        }
    }

    /// Takes the encoding that the value of a `Content-Type` header names, for certain; nothing changes
    /// if it names none that is known.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default().content_type("text/html; charset=\"Shift_JIS\""));
    /// parser.feed(b"\x90\xEC");
    /// parser.finish();
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!(text.as_str(), "川");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn content_type(self, header: &str) -> Html {
        let encoding = charset(header).and_then(|label| Encoding::for_label(&label));
        Html {
            encoding: encoding.or(self.encoding),
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
    type Form = AsWritten;

    #[cfg(feature = "checkpoints")]
    fn identity(&self) -> Identity {
        Identity::new("html", self, errors::ALL)
    }

    fn machine(&self) -> HtmlMachine {
        HtmlMachine::of(self.in_context())
    }

    fn in_encoding(self, encoding: Encoding) -> Html {
        self.encoding(encoding)
    }

    /// Elements are nested as deep as in browsers: the deepest stands at level 513, where `html` is at 1.
    fn limits(&self) -> Limits {
        Limits {
            depth: 513,
            ..Limits::default()
        }
    }
}

impl Balance for Html {
    fn balance(machine: &mut HtmlMachine) {
        machine.balance();
    }

    fn balance_in_order(machine: &mut HtmlMachine) {
        machine.balance_in_order();
    }

    fn holds_text(machine: &HtmlMachine) -> bool {
        machine.holds_text()
    }

    fn syntax(&self) -> Syntax {
        Syntax::Html {
            scripting: self.scripting,
        }
    }

    fn prepare<S: TreeSink>(&self, sink: &mut S) {
        sink.set_scripting(self.scripting);
    }

    fn is_template(tag: &StartTag<'_>) -> bool {
        tag.namespace_index() == HTML_INDEX && tag.name() == "template"
    }

    fn quirks_mode(&self, doctype: Option<&Doctype<'_>>) -> Option<QuirksMode> {
        Some(match doctype {
            _ if self.fragment.is_some() => QuirksMode::NoQuirks,
            Some(doctype) => construct::quirks_mode(doctype),
            None => QuirksMode::Quirks,
        })
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Html {
    scripting,
    processing_instructions,
    shadow_roots,
    initial_state,
    last_start_tag,
    encoding,
    fallback_encoding,
    fragment,
    surroundings,
});
#[cfg(feature = "checkpoints")]
crate::saved::saved!(Surroundings {
    is_quirks,
    is_in_form,
    holds_html
});
#[cfg(feature = "checkpoints")]
crate::saved::saved!(
    enum InitialState {
        Data,
        Rcdata,
        Rawtext,
        ScriptData,
        Plaintext,
        CdataSection,
    }
);
