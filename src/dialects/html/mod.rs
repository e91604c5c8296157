//! HTML: the tokenizer and the tree construction of the WHATWG standard. Every input produces events and a tree.
//!
//! The specification is the WHATWG HTML living standard of 2026-10-03, sections "The input byte stream",
//! "Tokenization" and "Tree construction".
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
//! | option | default | meaning |
//! |---|---|---|
//! | [`encoding`](Html::encoding) | none | the encoding of the input, as a transport protocol states it |
//! | [`fallback_encoding`](Html::fallback_encoding) | UTF-8 or windows-1252, by the first bytes outside ASCII | the encoding of a document that declares none |
//! | [`scripting`](Html::scripting) | off | whether scripting is enabled: `noscript` then contains text |
//! | [`processing_instructions`](Html::processing_instructions) | on | whether `<?target data>` is a processing instruction |
//! | [`shadow_roots`](Html::shadow_roots) | off | whether `<template shadowrootmode>` attaches a shadow root in trees |
//! | [`fragment`](Html::fragment) | a document | the context element of a fragment |
//! | [`initial_state`](Html::initial_state) | the data state | the state in which the tokenizer starts |
//! | [`last_start_tag`](Html::last_start_tag) | none | the element whose end tag ends that state |
//!
//! # Encodings
//!
//! A string is UTF-8. For bytes, a byte-order mark or the option `encoding` determines the encoding. Without either,
//! the parser searches the first 1024 bytes for a `meta` that declares an encoding, and returns no event before the
//! search ends. If the search finds none, the encoding stays undecided while the input is ASCII. The first byte
//! sequence outside ASCII decides, wherever it is: UTF-8 if the sequence is well-formed, and windows-1252 otherwise.
//! [`Parser::encoding`](crate::Parser::encoding) returns `None` until then. A `meta` that precedes this sequence
//! takes effect, except if it declares ISO-2022-JP, where bytes of ASCII can mean other characters.
//!
//! A `meta` that declares another encoding after the decision is reported as an event. The program can then parse the
//! input again, if it has kept the bytes:
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
//! Parse errors are events if [`report_errors(true)`](crate::Parser::report_errors) is set. They have the names of
//! the standard, which are listed in [`errors`]. Columns are available in characters and in UTF-16 code units.
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
//! [`Document::parse`](crate::Document::parse) and a [`TreeBuilder`](crate::TreeBuilder) of [`Html`] build the
//! standard's tree of a document or a fragment. With scripting enabled, a tree builder can [wait for a
//! host](crate::TreeBuilder::hosted) at the end of each script that would run ([`Pause::Script`]). The host can then
//! [write](crate::TreeBuilder::write) text that is parsed before the rest of the input.
//!
//! ```
//! use tagstream::{Document, Html};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let html = Document::parse(Html::default(), "<p>a<p>b")?.to_html();
//! assert_eq!(html, "<html><head></head><body><p>a</p><p>b</p></body></html>");
//!
//! let html = Document::parse(Html::fragment("tr")?, "<td>a<td>b")?.to_html();
//! assert_eq!(html, "<td>a</td><td>b</td>");
//! # Ok(())
//! # }
//! ```
//!
//! # Balanced events
//!
//! With [`Events::balanced`](crate::Events::balanced) and [`Parser::balanced`](crate::Parser::balanced), a parser
//! returns one start event and one end event for each element that tree construction
//! pushes onto and pops from the stack of open elements. The events are properly nested, the elements have their
//! namespaces, and no tree is stored. For nearly all pages, the nesting of the events is the tree. Where an event's
//! `is_moved()` is true, the tree differs.
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
//! 1. Inserting an element produces its start event. If no tag was written for the element, the event
//!    [`is_implied`](crate::StartTag::is_implied). This includes formatting elements that are reconstructed, with
//!    their attributes. Void elements, and elements of SVG and MathML with a self-closing tag, end immediately.
//! 2. Popping an element produces its end event. Some elements are removed from the stack while elements inside them
//!    are open: by the adoption agency algorithm, or as a form or a nested `a`. The end event of such an element
//!    follows the end events of the elements inside, and is moved. Copies that the adoption agency algorithm makes
//!    are not events. The end event of each element that it moves or copies is moved too.
//! 3. Foster-parented content, including text and comments, stays inside the table and is moved. In a tree, this
//!    content precedes the innermost table, or is at the end of the innermost template.
//! 4. The end event of `head` is delayed until whitespace, comments and further content of the head have been
//!    returned. Comments after `</body>` and `</html>` are delayed until the end of the input. If they exceed a 64th
//!    of [`Limits::memory`], they are returned at once, and are moved.
//!    [`Parser::balanced_in_order`](crate::Parser::balanced_in_order) delays nothing.
//! 5. A second `<html>` or `<body>` is [`Event::Attributes`](crate::Event::Attributes) of the existing element. A
//!    `frameset` ends the body, and the end event of the body is moved. The copy of the selected option in a
//!    `selectedcontent` produces no events, but the end event of its select is moved. The content of a template is
//!    the content between its start event and its end event. Nesting has no depth limit.
//! 6. The end of the input ends all open elements.
//!
//! An event is returned with the token that causes it. Text in a table is returned with the next token. The span of
//! an implied event is empty, and is at the place where the tag would be written: at the start of the token that caused
//! the event, or, if the token is a text, of the part that caused it. In ` a`, the implied body is at 1. An implied end
//! that directly follows its start tag is at the end of that tag. There is one exception: a formatting element that is
//! reconstructed for the text of a table is at the token after the text. The span of a delayed event is
//! its position in the source. If a text is divided, for example into whitespace that is inserted into the head and text
//! of the body, each part has its own span. The root of a fragment is an implied `html` at the start of the input, which
//! is returned with the first bytes.
//!
//! Memory depends on the open elements, and is limited by [`Limits::memory`]. If text is returned in pieces, the error is
//! before the character that exceeds this limit.
//!
//! # Decisions
//!
//! - Events that are not balanced are the tags of the source. No tag is implied, and end tags are not matched with
//!   start tags. A start tag with self-closing syntax is not followed by an end event.
//! - After a start tag, the tokenizer switches its own state by the name. `title` and `textarea` contain text with
//!   character references. `style`, `xmp`, `iframe`, `noembed`, `noframes`, and `noscript` with scripting enabled,
//!   contain text without character references. `script` contains script data. After `plaintext`, the rest of the
//!   input is text. In SVG and MathML, no start tag switches the state, and CDATA sections are recognized.
//! - Whether a tag is in SVG or MathML is derived from the tags alone. The tokenizer tracks all open elements, up to
//!   a depth of 512, by those rules of the standard that need no tree: start tags that end foreign content, elements
//!   whose content is HTML again, scopes, elements that a start tag closes, and parts of tables. CDATA sections are
//!   recognized in all elements of SVG and MathML except those that contain HTML. An end tag closes foreign content
//!   if it closes an element around that content. HTML names are compared by three of their letters and their
//!   lengths.
//! - The content of `<template for=x>` is inserted at the markers of that name (`<?marker name="x">`, or `<?start
//!   name="x">` … `<?end>`) if the tree is a [`Document`](crate::Document) or another sink that implements
//!   [`TreeSink::begin_patch`](crate::TreeSink::begin_patch). In events, balanced or not, the content is where it is
//!   written. The search for markers is limited to 2^24 steps plus 64 for each node. Beyond the limit, such a template
//!   is inserted like any other template. The limit is only reached if thousands of templates meet thousands of markers
//!   of their name and leave them unused. Elements beyond the depth limit do not nest further in patches either.
//! - A tree builder knows more than the tags say, so its tokens can differ from the events. The difference occurs in
//!   fewer than one of a thousand random documents with foreign content, tables, formatting or templates. In events,
//!   a start tag that tree construction ignores switches the state of the tokenizer, as do most tags in a `frameset`
//!   or a `colgroup` (`<frameset><plaintext>`, `<template><col><title>`). Events also do not take into account:
//!   insertion modes (`<head><noscript><svg>`), reconstructed formatting elements, content that is moved out of
//!   tables (`<table><svg><desc><table>`), and that a table does not close a paragraph in quirks mode.
//! - An end tag without a name (`</>`) and the delimiters of a CDATA section do not end a run of text.
//! - A run of text keeps its U+0000 in the data state and in CDATA sections, as the standard's tokenizer emits it.
//!   Tree construction drops or replaces U+0000.
//! - The position of a parse error is the position given by the standard's steps: the character that was consumed
//!   when the error was detected, or the end of the input.
//! - Ill-formed bytes become U+FFFD without a parse error, because the standard defines none.
//! - A tree copies the selected option of a select into its `selectedcontent`, like a document that is displayed. The
//!   children of the option are copied when the option is popped, and when a `selectedcontent` is inserted after
//!   that. Such an insertion also empties the other `selectedcontent` elements of the select. A `selectedcontent` in
//!   an option, in another `selectedcontent` or in two selects is disabled: its insertion changes nothing. A copied
//!   option in the `selectedcontent` joins the list of options. A fragment is not in a document, so only options that
//!   are popped are copied in fragments. Later changes by a program are not mirrored. Ancestors, and the first
//!   `selectedcontent` of a select, are determined from the open elements and from the order of insertion. These
//!   differ from the tree only if nodes are moved out of tables or formatting elements, or if a `selectedcontent`
//!   that contains parts of a select is filled or emptied.
//! - A small document could become a large tree, because formatting elements that were left open are reconstructed in
//!   each paragraph, the adoption agency algorithm copies misnested ones, and options are copied as described above.
//!   [`Limits::depth`] limits the number of formatting elements in the list. Copies share their attributes in a
//!   [`Document`](crate::Document). They may use half of the memory that [`Limits::tree_allowance`] and
//!   [`Limits::tree_ratio`] allow for a tree. Beyond that, formatting elements are closed and options are not copied,
//!   with the error [`TOO_MUCH_COPIED`](errors::TOO_MUCH_COPIED). No real page reaches the limit; [`Limits::none`]
//!   produces the standard's tree.
//! - The encoding is detected as the standard describes for documents without a parent. The standard leaves the
//!   default encoding to the implementation; it is described above. A `meta` that declares another encoding than the
//!   tentative encoding in use is reported as [`EncodingChange`](crate::EncodingChange), after its start tag. Only
//!   the first `meta` that declares any encoding is taken into account, and the parse continues in the encoding in
//!   use.
//! - An error of the input stream (a control character or a noncharacter) is reported before an error of the
//!   tokenizer at the same position.
//! - `<?target data>` is a processing instruction, as in the standard since 2026-06-25. The same version added
//!   out-of-order streaming, `<template for>`, which trees support as described above.

mod balanced;
#[cfg(feature = "checkpoints")]
mod checkpoint;
pub(crate) mod construct;
mod content;
mod context;
pub mod errors;
mod fast_path;
mod feedback;
mod foreign;
mod host;
mod machine;
pub(crate) mod names;
mod options;
mod report;
mod state;
mod states;
mod stream;
mod strings;

use crate::engine::dialect::{AsWritten, Balance, Dialect, Syntax};
use crate::engine::document_mode::QuirksMode;
use crate::engine::event::{Doctype, StartTag};
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limits;
use crate::engine::namespaces::HTML_INDEX;
use crate::engine::text::html_element_names::ElementName;
pub use context::ContextError;
pub use host::Pause;
use machine::HtmlMachine;
pub(crate) use options::Surroundings;
pub use options::{Html, InitialState};

impl Html {
    /// Returns a copy whose initial state is the state for the content of the context element.
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

    #[inline(always)]
    fn machine(&self) -> HtmlMachine {
        HtmlMachine::of(self.in_context())
    }

    fn in_encoding(self, encoding: Encoding) -> Html {
        self.encoding(encoding)
    }

    /// Limits the depth of elements as browsers do: the deepest element is at level 513, if `html` is at level 1.
    fn limits(&self) -> Limits {
        Limits::default().depth(513)
    }

    fn balance(machine: &mut HtmlMachine) {
        machine.balance();
    }

    fn balance_in_order(machine: &mut HtmlMachine) {
        machine.balance_in_order();
    }
}

impl Balance for Html {
    fn for_content(&self) -> Html {
        Html {
            initial_state: InitialState::Data,
            last_start_tag: None,
            ..self.clone()
        }
    }

    fn syntax(&self) -> Syntax {
        Syntax::Html {
            scripting: self.scripting,
        }
    }

    #[inline]
    fn is_template(tag: &StartTag<'_>) -> bool {
        tag.namespace_index() == HTML_INDEX && tag.is_named("template")
    }

    fn quirks_mode(&self, doctype: Option<&Doctype<'_>>) -> Option<QuirksMode> {
        Some(match doctype {
            _ if self.fragment.is_some() => QuirksMode::NoQuirks,
            Some(doctype) => construct::quirks_mode(doctype),
            None => QuirksMode::Quirks,
        })
    }
}
