//! Writers of markup. A writer refuses to write XML that would be ill-formed, and HTML that a parser would read as
//! something else.

mod cdata;
mod check;
mod error;
pub mod escape;
pub(crate) mod html;
mod output;
mod parts;
mod prologue;
mod scope;
mod tag;
mod value;
mod writer_state;

pub(crate) use check::{
    html_attribute_name, html_characters, html_comment, html_name, raw_text, sure, xml_comment,
    xml_instruction, xml_name, xml_name_with_colons, xml_ncname,
};
pub(crate) use error::Reason;
pub use error::{Refusal, WriteError};
pub use output::{Bytewise, Output, Textwise};
pub(crate) use prologue::Subset;
pub(crate) use scope::{Namespace, Scope};
pub(crate) use writer_state::write_line;

use crate::engine::event::{Attribute, Event, StartTag};
use crate::engine::namespaces::XMLNS;
use alloc::string::String;
use core::fmt::Display;
use core::marker::PhantomData;
use value::Value;
use writer_state::{Language, WriterState};

/// Number of bytes in a buffer from which on the buffer is written to the output.
pub(crate) const BUFFERED_BYTES: usize = 8 << 10;

/// Writes markup to an output that takes bytes or text: a file, a socket, a `Vec<u8>`, a `String`.
///
/// ```
/// use tagstream::{WriteError, Writer};
///
/// let mut out = Writer::xml(String::new());
/// out.start("feed")?.attribute("version", 2)?;
/// out.start("title")?.text("Tom & Jerry")?.end()?;
/// out.start("entry")?.attribute("id", "\"7\"")?.end()?;
/// out.end()?;
/// assert_eq!(
///     out.finish()?,
///     r#"<feed version="2"><title>Tom &amp; Jerry</title><entry id="&quot;7&quot;"/></feed>"#
/// );
/// # Ok::<(), WriteError>(())
/// ```
///
/// In XML, the writer refuses markup that would make the document ill-formed, or that violates Namespaces in XML:
/// [`WriteError::Refused`] says why. In HTML, the writer refuses markup that a parser would read as something else, as
/// far as the writer can know that: it does not know which elements are allowed in which others. Every element ends
/// with [`end`](Writer::end), also a void element of HTML, such as `br`.
///
/// Names in HTML are case-insensitive. The writer lowercases the names of HTML elements, their attributes, and the name
/// of a document type, because a parser does the same. Names in SVG and MathML are written unchanged, because a parser
/// knows some of them by their capitals (`viewBox`).
///
/// Markup that is refused is not written, and the writer can be used further. The document is encoded in UTF-8. The
/// writer buffers some KiB before it writes to the output. [`finish`](Writer::finish) writes the rest, reports whether
/// the document is complete, flushes the output and returns it. A writer that is dropped without `finish` writes the
/// buffered markup, as [`BufWriter`](https://doc.rust-lang.org/std/io/struct.BufWriter.html) does, except for an
/// unfinished start tag. An error of the output is then lost.
///
/// ```
/// use tagstream::Writer;
///
/// let mut bytes = Vec::new();
/// let mut out = Writer::html(&mut bytes);
/// out.start("P")?.attribute("Title", "a")?.text("b")?.start("svg")?;
/// drop(out);
/// assert_eq!(bytes, b"<p title=\"a\">b");
/// # Ok::<(), tagstream::WriteError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "`finish` reports whether the document is complete and whether the output failed"]
#[doc(alias("EventWriter", "XmlWriter"))]
pub struct Writer<W: Output<Kind>, Kind = Bytewise> {
    /// The output, or `None` after `finish` has returned the output.
    output: Option<W>,
    state: WriterState,
    /// True while the buffer is being written to the output. It stays true if the output fails or panics: some of the
    /// bytes may have arrived then, so the buffer must not be written again when the writer is dropped.
    is_writing: bool,
    kind: PhantomData<fn() -> Kind>,
}

/// A [`Writer`] into a `String`, or another type that takes text. This names the type in fields and arguments; a writer
/// into bytes is a `Writer<Vec<u8>>`.
///
/// ```
/// use tagstream::{StringWriter, WriteError, Writer};
///
/// fn write_title(out: &mut StringWriter, title: &str) -> Result<(), WriteError> {
///     out.start("title")?.text(title)?.end()?;
///     Ok(())
/// }
///
/// let mut out = Writer::xml(String::new());
/// write_title(&mut out, "Tom & Jerry")?;
/// assert_eq!(out.finish()?, "<title>Tom &amp; Jerry</title>");
/// # Ok::<(), WriteError>(())
/// ```
pub type StringWriter<W = String> = Writer<W, Textwise>;

impl<W: Output<Kind>, Kind> Writer<W, Kind> {
    /// Creates a writer of XML.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(Vec::new());
    /// out.start("a")?.end()?;
    /// assert_eq!(out.finish()?, b"<a/>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    #[doc(alias = "new")]
    pub fn xml(output: W) -> Writer<W, Kind> {
        Writer::new(output, Language::Xml)
    }

    /// Creates a writer of HTML.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::html(String::new());
    /// out.start("script")?.text("if (1 < 2) {}")?;
    /// assert!(out.text("'</script>'").is_err());
    /// out.end()?.start("p")?.text("1 < 2")?.start("br")?.end()?.end()?;
    /// assert_eq!(out.finish()?, "<script>if (1 < 2) {}</script><p>1 &lt; 2<br></p>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    pub fn html(output: W) -> Writer<W, Kind> {
        Writer::new(output, Language::Html)
    }

    /// Indents the output: each child of an element without text gets a line of its own, which begins with this string
    /// once for each open element. In HTML, only blocks begin a line.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new()).indent("  ");
    /// out.start("a")?.start("b")?.text("text")?.end()?.start("c")?.end()?.end()?;
    /// assert_eq!(out.finish()?, "<a>\n  <b>text</b>\n  <c/>\n</a>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    pub fn indent(mut self, indent: &str) -> Writer<W, Kind> {
        self.state.set_indent(indent);
        self
    }

    /// Sets whether the writer checks names by Namespaces in XML, which is the default. If not, a colon is an ordinary
    /// name character.
    pub fn namespaces(mut self, namespaces: bool) -> Writer<W, Kind> {
        self.state.set_namespaces(namespaces);
        self
    }

    fn new(output: W, language: Language) -> Writer<W, Kind> {
        Writer {
            output: Some(output),
            state: WriterState::new(language),
            is_writing: false,
            kind: PhantomData,
        }
    }

    /// Writes the buffer to the output if it is full, and no start tag is unfinished.
    #[inline(always)]
    fn write_if_full(&mut self) -> Result<&mut Writer<W, Kind>, WriteError> {
        if self.state.text.len() >= BUFFERED_BYTES && self.state.is_ready() {
            self.write_buffer()?;
        }
        Ok(self)
    }

    /// Writes the whole buffer to the output, and clears the buffer.
    #[cold]
    fn write_buffer(&mut self) -> Result<(), WriteError> {
        self.write_buffer_to(self.state.text.len())
    }

    /// Writes the first `end` bytes of the buffer to the output, and clears the buffer. The bytes after `end` are
    /// discarded.
    fn write_buffer_to(&mut self, end: usize) -> Result<(), WriteError> {
        if let Some(output) = &mut self.output {
            self.is_writing = true;
            output.put(&self.state.text[..end])?;
            self.is_writing = false;
        }
        self.state.text.clear();
        Ok(())
    }

    /// Flushes the output, without the buffer.
    fn flush_output(&mut self) -> Result<(), WriteError> {
        match &mut self.output {
            Some(output) => output.flush(),
            None => Ok(()),
        }
    }

    /// Starts an element. In XML, a prefix in the name must be declared by an attribute of this element or of an open
    /// element.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("a:feed")?.attribute("xmlns:a", "http://www.w3.org/2005/Atom")?;
    /// out.start("a:title")?.end()?.end()?;
    /// assert!(out.finish()?.ends_with("><a:title/></a:feed>"));
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The string is not a name; the document has a root element already; the output failed.
    #[inline]
    #[doc(alias("start_element", "create_element", "write_event"))]
    pub fn start(&mut self, name: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.start(name, None)?;
        Ok(self)
    }

    /// Starts an element in a namespace. The writer declares the namespace if the prefix of the name is not bound to
    /// it. An empty string means no namespace.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start_ns("urn:a", "feed")?.start_ns("urn:a", "title")?.end()?.end()?;
    /// assert_eq!(out.finish()?, r#"<feed xmlns="urn:a"><title/></feed>"#);
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as those of [`start`](Writer::start).
    pub fn start_ns(
        &mut self,
        namespace: &str,
        name: &str,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.start(name, Some(Namespace::Text(namespace)))?;
        Ok(self)
    }

    /// Adds an attribute to the start tag that was written last.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("a")?.attribute("b", 1.5)?.attribute("c", "<")?.end()?;
    /// assert_eq!(out.finish()?, r#"<a b="1.5" c="&lt;"/>"#);
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The string is not a name; the tag has an attribute of this name already; the value contains a character that
    /// cannot be written; content of the element was written already.
    #[inline]
    #[doc(alias("with_attribute", "push_attribute"))]
    pub fn attribute(
        &mut self,
        name: &str,
        value: impl Display,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.attribute(name, None, Value::Any(&value))?;
        Ok(self)
    }

    /// Adds an attribute in a namespace to the start tag that was written last. The writer declares the namespace if
    /// the prefix of the name is not bound to it.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("use")?.attribute_ns("http://www.w3.org/1999/xlink", "x:href", "#a")?.end()?;
    /// assert_eq!(out.finish()?, r##"<use x:href="#a" xmlns:x="http://www.w3.org/1999/xlink"/>"##);
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as those of [`attribute`](Writer::attribute).
    pub fn attribute_ns(
        &mut self,
        namespace: &str,
        name: &str,
        value: impl Display,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state
            .attribute(name, Some(Namespace::Text(namespace)), Value::Any(&value))?;
        Ok(self)
    }

    /// Ends the innermost element.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::html(String::new());
    /// out.start("p")?.end()?;
    /// assert!(out.end().is_err());
    /// assert_eq!(out.finish()?, "<p></p>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No element is open; the start tag has a prefix that is not bound to a namespace; the output failed.
    #[inline]
    #[doc(alias = "end_element")]
    pub fn end(&mut self) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.end(None)?;
        self.write_if_full()
    }

    /// Returns true if an element is open, which would contain the next node.
    #[cfg(feature = "serde")]
    pub(crate) fn has_open_element(&self) -> bool {
        !self.state.open.is_empty()
    }

    /// Writes text. Characters that would be markup are written as character references. In HTML elements that contain
    /// no references, such as `script`, the text is written unchanged.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("a")?.text("1 < 2")?.text(" & so on")?.end()?;
    /// assert_eq!(out.finish()?, "<a>1 &lt; 2 &amp; so on</a>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text contains a character that cannot be written; no element is open, and the text is not whitespace; the
    /// text would end the `script` element that it is in; the output failed.
    #[inline]
    #[doc(alias = "characters")]
    pub fn text(&mut self, text: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.text(text)?;
        self.write_if_full()
    }

    /// Writes text as a CDATA section. In HTML, CDATA sections exist in SVG and MathML only.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("a")?.cdata("1 < 2")?;
    /// assert!(out.cdata("]]>").is_err());
    /// out.end()?;
    /// assert_eq!(out.finish()?, "<a><![CDATA[1 < 2]]></a>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text contains `]]>`, which would end the section, or a character that cannot be written; the parser of the
    /// dialect would not read a CDATA section here; the output failed.
    pub fn cdata(&mut self, text: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.cdata(text)?;
        self.write_if_full()
    }

    /// Writes a comment.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.comment(" a ")?.start("a")?.end()?;
    /// assert!(out.comment("a--b").is_err());
    /// assert_eq!(out.finish()?, "<!-- a --><a/>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text contains a string that would end the comment, or `--` in XML, or a character that cannot be written;
    /// the output failed.
    pub fn comment(&mut self, text: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.comment(text)?;
        self.write_if_full()
    }

    /// Writes a processing instruction.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.processing_instruction("xml-stylesheet", "href='a.css'")?.start("a")?.end()?;
    /// assert_eq!(out.finish()?, "<?xml-stylesheet href='a.css'?><a/>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The target is not a name, or is `xml`; the data contains a string that would end the instruction, or begins with
    /// whitespace, which a parser would not read as part of the data; the output failed.
    pub fn processing_instruction(
        &mut self,
        target: &str,
        data: &str,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.instruction(target, data)?;
        self.write_if_full()
    }

    /// Writes a document type (DOCTYPE) with this name.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::html(String::new());
    /// out.doctype("html")?.start("p")?.end()?;
    /// assert_eq!(out.finish()?, "<!DOCTYPE html><p></p>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The string is not a name; the document has a DOCTYPE or an element already; the output failed.
    pub fn doctype(&mut self, name: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.doctype_with(name, None, None)
    }

    /// Writes a document type (DOCTYPE) with this name, and with a public and a system identifier.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.doctype_with("a", None, Some("a.dtd"))?.start("a")?.end()?;
    /// assert_eq!(out.finish()?, r#"<!DOCTYPE a SYSTEM "a.dtd"><a/>"#);
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as those of [`doctype`](Writer::doctype); a string is not a valid identifier.
    pub fn doctype_with(
        &mut self,
        name: &str,
        public: Option<&str>,
        system: Option<&str>,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.doctype(name, (public, system), "")?;
        self.write_if_full()
    }

    /// Writes an XML declaration with the version `1.0` or `1.1` and the encoding UTF-8. The rest of the document is
    /// written in that version: XML 1.1 allows control characters, as character references.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.declaration("1.0")?.start("a")?.end()?;
    /// assert_eq!(out.finish()?, r#"<?xml version="1.0" encoding="UTF-8"?><a/>"#);
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The string is not a version; something was written before the declaration; the writer writes HTML; the output
    /// failed.
    #[doc(alias = "write_xml_declaration")]
    pub fn declaration(&mut self, version: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.declaration(version, true, None)?;
        self.write_if_full()
    }

    /// Writes the markup of an event. Every start event must have its end event: this is so for
    /// [`Events`](crate::Events) in the XML family, and for a [balanced](crate::Parser::balanced) parser. The writer
    /// declares namespaces that are not in scope. Comments and processing instructions in the internal subset of a
    /// document type are written before the document type, because their events come first. Of the declarations in the
    /// subset, those of notations and of unparsed entities are written.
    ///
    /// ```
    /// use tagstream::{Events, Writer, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a b='1'>Tom &amp; Jerry<!--c--><d></a>");
    /// let mut out = Writer::xml(String::new());
    /// while let Some(event) = events.next_event()? {
    ///     out.event(&event)?;
    /// }
    /// assert_eq!(out.finish()?, r#"<a b="1">Tom &amp; Jerry<!--c--><d/></a>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as those of the method that writes the kind of node; the entity was not read, and would not be declared
    /// in the output; the event is [`Event::Attributes`], whose start tag is complete already.
    #[doc(alias = "write_event")]
    pub fn event(&mut self, event: &Event<'_>) -> Result<&mut Writer<W, Kind>, WriteError> {
        match event {
            Event::Start(tag) => self.write_start_tag(tag)?,
            Event::End(tag) => self.state.end(Some(tag.name()))?,
            Event::Text(text) => self.state.text(text.as_str())?,
            Event::Comment(comment) => self.state.comment(comment.as_str())?,
            Event::ProcessingInstruction(one) => {
                self.state.instruction(one.target(), one.data())?
            }
            Event::Doctype(doctype) => self.state.doctype_event(doctype)?,
            Event::Declaration(one) => {
                let version = one.version().unwrap_or("1.0");
                let has_encoding = one.encoding().is_some();
                self.state
                    .declaration(version, has_encoding, one.standalone())?;
            }
            Event::SkippedEntity(entity) => self.state.reference(entity.name())?,
            Event::Attributes(added) => {
                return Err(Refusal::new(Reason::NoTag, added.name()).into());
            }
            Event::EncodingChange(_) | Event::ParseError(_) => {}
        }
        self.write_if_full()
    }

    /// Writes the start tag of an event, with its attributes and namespaces.
    fn write_start_tag(&mut self, tag: &StartTag<'_>) -> Result<(), Refusal> {
        let namespace = match tag.shared_namespace() {
            Some(shared) => Namespace::Shared(shared),
            None => Namespace::Text(tag.namespace().unwrap_or_default()),
        };
        self.state.start(tag.name(), Some(namespace))?;
        for attribute in tag.attributes() {
            let namespace = self.namespace_to_declare(&attribute);
            self.state
                .attribute(attribute.name(), namespace, Value::Text(attribute.value()))?;
        }
        Ok(())
    }

    /// Returns the namespace that must be declared for an attribute of an event, or `None` for names without a
    /// namespace, for namespace declarations, and in HTML.
    fn namespace_to_declare<'a>(&self, attribute: &Attribute<'a>) -> Option<Namespace<'a>> {
        let namespace = attribute.namespace().filter(|_| self.state.is_xml())?;
        let shared = attribute.shared_namespace().map(Namespace::Shared);
        (namespace != XMLNS).then_some(shared.unwrap_or(Namespace::Text(namespace)))
    }

    /// Writes the buffer to the output, and flushes the output. If a start tag is unfinished, the buffer is not
    /// written.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut bytes = Vec::new();
    /// let mut out = Writer::xml(&mut bytes);
    /// out.start("a")?.text("b")?;
    /// out.flush()?;
    /// drop(out);
    /// assert_eq!(bytes, b"<a>b");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The output failed.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.state.is_ready() {
            self.write_buffer()?;
        }
        self.flush_output()
    }

    /// Ends the document: writes the buffer to the output, flushes the output and returns it. Only this method reports
    /// that an element is still open; dropping the writer does not.
    ///
    /// ```
    /// use tagstream::{WriteError, Writer};
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("a")?;
    /// let Err(WriteError::Refused(refusal)) = out.finish() else { panic!() };
    /// assert_eq!(refusal.to_string(), "an element is still open: `a`");
    /// # Ok::<(), WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An element is open; an XML document has no root element; the output failed.
    #[doc(alias = "into_inner")]
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.state.finish()?;
        self.write_buffer()?;
        self.flush_output()?;
        match self.output.take() {
            Some(output) => Ok(output),
            None => unreachable!("only `finish` takes the output, and it consumes the writer"),
        }
    }
}

impl<W: Output<Kind>, Kind> Drop for Writer<W, Kind> {
    fn drop(&mut self) {
        if self.output.is_some() && !self.is_writing {
            // A destructor cannot report an error; `finish` does.
            let _ = self.write_buffer_to(self.state.complete_len());
        }
    }
}
