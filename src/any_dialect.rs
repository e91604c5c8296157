//! Dialects that a program chooses at run time: [`AnyDialect`], and [`AnyParser`] for their events.

use crate::engine::dialect::{Balance, Dialect, Form};
use crate::engine::error::Error;
use crate::engine::event::Event;
use crate::engine::input::chunk::{Chunk, ChunkParts};
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::{Limits, Stats};
use crate::engine::options::OptionError;
use crate::engine::parser::{Parser, Status, TextPolicy};
use crate::tree_builder::Buildable;
use alloc::boxed::Box;
use core::fmt::Debug;

#[cfg(feature = "html")]
use crate::dialects::html::Html;
#[cfg(feature = "leafxml")]
use crate::dialects::leafxml::LeafXml;
#[cfg(feature = "microxml")]
use crate::dialects::microxml::MicroXml;
#[cfg(feature = "sky")]
use crate::dialects::sky::Sky;
#[cfg(feature = "xml")]
use crate::dialects::xml::Xml;

/// A dialect with its options, chosen at run time, for example by a command line or by a program in another language.
///
/// ```
/// use tagstream::AnyDialect;
///
/// let mut dialect = AnyDialect::new("xml").expect("a dialect");
/// dialect.set("strict", "true")?;
/// let mut parser = dialect.parser();
/// parser.feed("<a><b></a>");
/// assert!(matches!(parser.next_event(), Ok(Some(_))));
/// assert!(matches!(parser.next_event(), Ok(Some(_))));
/// assert_eq!(parser.next_event().unwrap_err().position().to_string(), "1:7");
/// # Ok::<(), tagstream::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyDialect {
    /// HTML.
    #[cfg(feature = "html")]
    Html(Html),
    /// XML.
    #[cfg(feature = "xml")]
    Xml(Xml),
    /// MicroXML.
    #[cfg(feature = "microxml")]
    MicroXml(MicroXml),
    /// Sky.
    #[cfg(feature = "sky")]
    Sky(Sky),
    /// LeafXML.
    #[cfg(feature = "leafxml")]
    LeafXml(LeafXml),
}

/// A function that is generic over dialects, for [`AnyDialect::visit`]. A closure cannot be generic, so the function is a
/// method of a type that holds its arguments.
pub trait DialectVisitor {
    /// The result of the function.
    type Output;

    /// The function.
    fn visit<D: Balance + Buildable>(self, dialect: D) -> Self::Output;
}

/// Evaluates an expression with the dialect of an [`AnyDialect`].
macro_rules! each {
    ($any:expr, $dialect:ident => $value:expr) => {
        match $any {
            #[cfg(feature = "html")]
            AnyDialect::Html($dialect) => $value,
            #[cfg(feature = "xml")]
            AnyDialect::Xml($dialect) => $value,
            #[cfg(feature = "microxml")]
            AnyDialect::MicroXml($dialect) => $value,
            #[cfg(feature = "sky")]
            AnyDialect::Sky($dialect) => $value,
            #[cfg(feature = "leafxml")]
            AnyDialect::LeafXml($dialect) => $value,
        }
    };
}

impl AnyDialect {
    /// Returns the dialect with a name, with its default options: `html`, `xml`, `microxml`, `sky` or `leafxml`. Sky reads
    /// its input as an application. Returns `None` for another name, and for a dialect whose feature is not enabled.
    ///
    /// ```
    /// use tagstream::{AnyDialect, Html};
    ///
    /// assert_eq!(AnyDialect::new("html"), Some(AnyDialect::Html(Html::default())));
    /// assert_eq!(AnyDialect::new("sgml"), None);
    /// ```
    pub fn new(name: &str) -> Option<AnyDialect> {
        Some(match name {
            #[cfg(feature = "html")]
            "html" => AnyDialect::Html(Html::default()),
            #[cfg(feature = "xml")]
            "xml" => AnyDialect::Xml(Xml::default()),
            #[cfg(feature = "microxml")]
            "microxml" => AnyDialect::MicroXml(MicroXml::default()),
            #[cfg(feature = "sky")]
            "sky" => AnyDialect::Sky(Sky::application()),
            #[cfg(feature = "leafxml")]
            "leafxml" => AnyDialect::LeafXml(LeafXml::default()),
            _ => return None,
        })
    }

    /// Sets an option of the dialect by its name: see the method `set` of each dialect.
    ///
    /// ```
    /// use tagstream::{AnyDialect, Html};
    ///
    /// let mut dialect = AnyDialect::Html(Html::default());
    /// dialect.set("scripting", "true")?;
    /// assert_eq!(dialect, AnyDialect::Html(Html::default().scripting(true)));
    /// assert!(dialect.set("strict", "true").is_err());
    /// # Ok::<(), tagstream::OptionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a name that the dialect does not know, and for a value that is not allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        each!(self, dialect => dialect.set(name, value))
    }

    /// Calls a function that is generic over dialects.
    ///
    /// ```
    /// use tagstream::{AnyDialect, Balance, Buildable, DialectVisitor, Document, Error};
    ///
    /// struct Parse<'a>(&'a str);
    ///
    /// impl DialectVisitor for Parse<'_> {
    ///     type Output = Result<Document, Error>;
    ///
    ///     fn visit<D: Balance + Buildable>(self, dialect: D) -> Result<Document, Error> {
    ///         Document::parse(dialect, self.0)
    ///     }
    /// }
    ///
    /// for (name, nodes) in [("html", 6), ("xml", 3)] {
    ///     let dialect = AnyDialect::new(name).expect("a dialect");
    ///     assert_eq!(dialect.visit(Parse("<p>one</p>"))?.node_count(), nodes);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn visit<V: DialectVisitor>(self, visitor: V) -> V::Output {
        each!(self, dialect => visitor.visit(dialect))
    }

    /// Returns a parser whose events are the tags as they are written: see [`Parser::new`].
    pub fn parser(self) -> AnyParser {
        each!(self, dialect => AnyParser(Box::new(Parser::new(dialect))))
    }

    /// Returns a parser whose events are those of a tree: see [`Parser::balanced`].
    ///
    /// ```
    /// use tagstream::AnyDialect;
    ///
    /// let mut parser = AnyDialect::new("html").expect("a dialect").balanced_parser();
    /// parser.feed("<p>one<p>two");
    /// parser.finish();
    /// let mut ends = 0;
    /// while let Some(event) = parser.next_event()? {
    ///     ends += usize::from(matches!(event, tagstream::Event::End(tag) if tag.name() == "p"));
    /// }
    /// assert_eq!(ends, 2);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn balanced_parser(self) -> AnyParser {
        each!(self, dialect => AnyParser(Box::new(Parser::new(dialect).balanced())))
    }
}

/// The methods of a parser that do not depend on its type parameters.
trait Run: Debug + Send + Sync {
    fn limits(self: Box<Self>, limits: Limits) -> Box<dyn Run>;
    fn text(self: Box<Self>, policy: TextPolicy) -> Box<dyn Run>;
    fn report_errors(self: Box<Self>, report: bool) -> Box<dyn Run>;
    fn feed(&mut self, chunk: ChunkParts<'_>);
    fn finish(&mut self);
    fn next_event(&mut self) -> Result<Option<Event<'_>>, Error>;
    fn status(&self) -> Status;
    fn encoding(&self) -> Option<Encoding>;
    fn stats(&self) -> Stats;
    fn reset(&mut self);
}

impl<D: Dialect, F: Form> Run for Parser<D, F> {
    fn limits(self: Box<Self>, limits: Limits) -> Box<dyn Run> {
        Box::new(Parser::limits(*self, limits))
    }

    fn text(self: Box<Self>, policy: TextPolicy) -> Box<dyn Run> {
        Box::new(Parser::text(*self, policy))
    }

    fn report_errors(self: Box<Self>, report: bool) -> Box<dyn Run> {
        Box::new(Parser::report_errors(*self, report))
    }

    fn feed(&mut self, chunk: ChunkParts<'_>) {
        self.feed_parts(chunk);
    }

    fn finish(&mut self) {
        Parser::finish(self);
    }

    fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        Parser::next_event(self)
    }

    fn status(&self) -> Status {
        Parser::status(self)
    }

    fn encoding(&self) -> Option<Encoding> {
        Parser::encoding(self)
    }

    fn stats(&self) -> Stats {
        Parser::stats(self)
    }

    fn reset(&mut self) {
        Parser::reset(self);
    }
}

/// A parser of any dialect, in one of the two forms of events: [`AnyDialect::parser`] and
/// [`AnyDialect::balanced_parser`] create it. Its methods are those of [`Parser`] with the same names. A program that knows
/// its dialect uses `Parser`, which is faster, because its methods are no virtual functions.
///
/// ```
/// use tagstream::{AnyDialect, Event};
///
/// for name in ["html", "xml", "microxml", "leafxml"] {
///     let mut parser = AnyDialect::new(name).expect("a dialect").parser();
///     parser.feed("<p>one</p>");
///     parser.finish();
///     let mut text = String::new();
///     while let Some(event) = parser.next_event()? {
///         if let Event::Text(run) = event {
///             text.push_str(run.as_str());
///         }
///     }
///     assert_eq!(text, "one");
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Debug)]
pub struct AnyParser(Box<dyn Run>);

impl AnyParser {
    /// Sets the limits: see [`Parser::limits`]. Call this method before the first chunk is fed.
    #[must_use]
    pub fn limits(self, limits: Limits) -> AnyParser {
        AnyParser(self.0.limits(limits))
    }

    /// Sets how text is split into events: see [`Parser::text`].
    #[must_use]
    pub fn text(self, policy: TextPolicy) -> AnyParser {
        AnyParser(self.0.text(policy))
    }

    /// Sets whether parse errors are reported as events: see [`Parser::report_errors`].
    #[must_use]
    pub fn report_errors(self, report: bool) -> AnyParser {
        AnyParser(self.0.report_errors(report))
    }

    /// Feeds a chunk: see [`Parser::feed`].
    pub fn feed(&mut self, chunk: impl Chunk) {
        self.0.feed(chunk.into_parts());
    }

    /// Marks the end of the input: see [`Parser::finish`].
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// Returns the next event, or `None` if the parser needs more input: see [`Parser::next_event`].
    ///
    /// # Errors
    ///
    /// Returns the error that ended the parse, after all events before it.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.0.next_event()
    }

    /// Returns what the parser needs next: see [`Parser::status`].
    pub fn status(&self) -> Status {
        self.0.status()
    }

    /// Returns the encoding of the input, or `None` while it is not known yet.
    pub fn encoding(&self) -> Option<Encoding> {
        self.0.encoding()
    }

    /// Returns counters of the work done so far.
    pub fn stats(&self) -> Stats {
        self.0.stats()
    }

    /// Starts a new document with the same options: see [`Parser::reset`].
    pub fn reset(&mut self) {
        self.0.reset();
    }
}
