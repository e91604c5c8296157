//! The options of the dialect.

use super::context::ContextError;
use crate::engine::input::content_type::charset;
use crate::engine::input::encoding::Encoding;
use crate::engine::options::{OptionError, Table, boolean, encoding, put, set};
use alloc::sync::Arc;

/// The state in which a tokenizer starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InitialState {
    /// The data state: a document, or the content of an ordinary element.
    #[default]
    Data,
    /// The RCDATA state: the content of a `title` or `textarea`.
    Rcdata,
    /// The RAWTEXT state: the content of a `style`.
    Rawtext,
    /// The script data state: the content of a `script`.
    ScriptData,
    /// The PLAINTEXT state: the content after the start tag `<plaintext>`.
    Plaintext,
    /// The CDATA section state: the content after `<![CDATA[`.
    CdataSection,
}

/// HTML by the WHATWG standard, including tree construction: pages, or fragments of pages. The value holds the
/// options; the [module](crate::html) documents the dialect.
///
/// ```
/// use tagstream::{Document, Html};
///
/// let row = Document::parse(Html::fragment("tr").expect("an element"), "<td>1<td>2")?;
/// assert_eq!(row.to_html(), "<td>1</td><td>2</td>");
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Html {
    pub(super) scripting: bool,
    pub(super) processing_instructions: bool,
    pub(super) shadow_roots: bool,
    pub(super) initial_state: InitialState,
    pub(super) last_start_tag: Option<Arc<str>>,
    pub(super) encoding: Option<Encoding>,
    pub(super) fallback_encoding: Option<Encoding>,
    /// The context element of a fragment, written `div` or `svg path`. `None` for a document.
    pub(crate) fragment: Option<Arc<str>>,
    /// Facts about the context other than its name.
    pub(super) surroundings: Surroundings,
}

/// The facts on which the parse of a fragment depends, other than the name of its context element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Surroundings {
    /// True if the document of the context is in quirks mode.
    pub(crate) is_quirks: bool,
    /// True if the context is a form or a descendant of a form.
    pub(crate) is_in_form: bool,
    /// True if the `encoding` attribute of the context says that it contains HTML. Used only if the context is an
    /// `annotation-xml`.
    pub(crate) holds_html: bool,
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
    /// Returns the options for a fragment, which is parsed as the content of an element of the given name: `div`, or
    /// in SVG or MathML, `svg path` or `math mi`. The tree of a fragment has one root element, an `html`, whose
    /// children are the content of the fragment. A parser of events starts in the tokenizer state of the context
    /// element.
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
    /// Returns an error if `context` cannot be the name of an element: an empty string, `<tr>`, `table td`.
    pub fn fragment(context: &str) -> Result<Html, ContextError> {
        let name = ["svg ", "math "]
            .iter()
            .find_map(|namespace| context.strip_prefix(namespace))
            .unwrap_or(context);
        let is_name = !name.is_empty()
            && !name.contains(|c: char| c.is_ascii_whitespace() || "\0<>/=\"'&".contains(c));
        if !is_name {
            return Err(ContextError::new(context));
        }
        Ok(Html {
            fragment: Some(context.into()),
            ..Html::default()
        })
    }

    /// Returns the options for a fragment whose context is an existing element. Its name is not validated.
    pub(crate) fn fragment_in(context: Arc<str>, surroundings: Surroundings) -> Html {
        Html {
            fragment: Some(context),
            surroundings,
            ..Html::default()
        }
    }

    /// Sets whether scripting is enabled, so that a `noscript` contains text. The default is false. Scripts are never
    /// run.
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

    /// Sets whether `<?target data>` is a processing instruction, as in the standard since 2026-06-25. Otherwise it
    /// is a comment and a parse error, as in earlier versions. The default is true.
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

    /// Sets whether `<template shadowrootmode=open>` attaches a [shadow root](crate::Node::shadow_root) to its parent
    /// element in trees, as in pages that browsers load and in `setHTMLUnsafe`. The default is false: the element is
    /// an ordinary template.
    #[must_use]
    pub fn shadow_roots(mut self, shadow_roots: bool) -> Html {
        self.shadow_roots = shadow_roots;
        self
    }

    /// Sets the state in which the tokenizer starts. The default is the data state.
    #[must_use]
    pub fn initial_state(self, initial_state: InitialState) -> Html {
        Html {
            initial_state,
            ..self
        }
    }

    /// Sets the name of the start tag that is assumed before the input. An end tag of that name ends the state in
    /// which the tokenizer starts.
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

    /// Sets the encoding of the document, as a transport protocol states it. Only a byte-order mark takes precedence.
    #[must_use]
    pub fn encoding(self, encoding: Encoding) -> Html {
        Html {
            encoding: Some(encoding),
            ..self
        }
    }

    /// Sets the encoding of documents that declare none and for which [`encoding`](Html::encoding) is not set. In a
    /// browser, the locale determines this encoding.
    ///
    /// By default, the first byte sequence outside ASCII decides: the encoding is UTF-8 if that sequence is
    /// well-formed, and windows-1252 otherwise. A `meta` that precedes the sequence and declares an encoding takes
    /// effect.
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

    /// Sets the encoding to the one named by the value of a `Content-Type` header. Without a known encoding in the
    /// header, nothing changes.
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
}

/// The options that have a name.
const OPTIONS: &Table<Html> = &[
    ("fragment", |html, context| {
        let fragment =
            Html::fragment(context).map_err(|_| "the name of an element, `td`, or `svg path`")?;
        html.fragment = fragment.fragment;
        Ok(())
    }),
    ("scripting", |html, value| {
        put(&mut html.scripting, boolean(value))
    }),
    ("processing_instructions", |html, value| {
        put(&mut html.processing_instructions, boolean(value))
    }),
    ("shadow_roots", |html, value| {
        put(&mut html.shadow_roots, boolean(value))
    }),
    ("encoding", |html, label| {
        put(&mut html.encoding, encoding(label, Encoding::for_label))
    }),
    ("fallback_encoding", |html, label| {
        put(
            &mut html.fallback_encoding,
            encoding(label, Encoding::for_label),
        )
    }),
    ("content_type", |html, header| {
        *html = html.clone().content_type(header);
        Ok(())
    }),
];

impl Html {
    /// Sets an option by its name: `fragment`, with the context as the value, `scripting`, `processing_instructions`,
    /// `shadow_roots`, `encoding`, `fallback_encoding` or `content_type`. The value is `true`, `false`, the label of an
    /// encoding, or the text that the method takes.
    ///
    /// ```
    /// use tagstream::Html;
    ///
    /// let mut html = Html::default();
    /// html.set("scripting", "true")?;
    /// assert_eq!(html, Html::default().scripting(true));
    /// # Ok::<(), tagstream::OptionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not allowed. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        set(OPTIONS, self, name, value)
    }
}

crate::checkpoint::checkpointable! {
    dialect Html = "html", super::errors::ALL;
    struct Html {
        scripting, processing_instructions, shadow_roots, initial_state, last_start_tag, encoding,
        fallback_encoding, fragment, surroundings,
    }
    struct Surroundings { is_quirks, is_in_form, holds_html }
    enum InitialState { Data, Rcdata, Rawtext, ScriptData, Plaintext, CdataSection }
}
