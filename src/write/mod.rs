//! Writers of markup: XML that is well-formed or refused, and HTML that a parser reads back as it was written.

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
pub(crate) use parts::Subset;
pub(crate) use scope::{Namespace, Scope};

use crate::engine::event::{Attribute, Event, StartTag};
use crate::engine::namespaces::XMLNS;
use core::fmt::Display;
use core::marker::PhantomData;
use value::Value;
use writer_state::{Language, WriterState};

/// Number of bytes that are buffered before they are written to the output.
const BUFFERED_BYTES: usize = 8 << 10;

/// Writes markup, to whatever takes bytes or text: a file, a socket, a `Vec<u8>`, a `String`.
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
/// XML is well-formed, its namespaces too, or what would make it something else is refused:
/// [`WriteError::Refused`] says why. HTML that is written is read as what was written, as far as a writer can
/// tell: which elements may stand in which, it does not know. Every element ends with [`end`](Writer::end), also
/// those of HTML that hold nothing.
///
/// HTML reads names without regard to case. Names of elements and attributes of HTML, and the name of a document
/// type, are written in lower case, because that is how they are read. Names in SVG and MathML are written as they
/// are given, because HTML knows some of them by their capitals (`viewBox`).
///
/// What is refused is not written, and the next thing may be. The document is UTF-8. Text is put out some KiB at a
/// time. [`finish`](Writer::finish) puts out the rest, reports whether the document is complete, flushes the output
/// and returns it. A writer that is dropped without `finish` puts out what is complete, as
/// [`BufWriter`](https://doc.rust-lang.org/std/io/struct.BufWriter.html) does: a tag that is still open is lost, and
/// so is the error if the output fails.
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
    /// `None` only after `finish` has returned it.
    output: Option<W>,
    state: WriterState,
    /// True while the output takes text, and from then on if it fails or panics: some of the text may have arrived, so
    /// the text must not be put out again when the writer is dropped.
    is_putting: bool,
    kind: PhantomData<fn() -> Kind>,
}

impl<W: Output<Kind>, Kind> Writer<W, Kind> {
    /// Writes XML.
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

    /// Writes HTML.
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

    /// Sets whether XML has namespaces; it has unless set. Without them a colon is a letter like others.
    ///
    /// ```
    /// use tagstream::Writer;
    ///
    /// let mut out = Writer::xml(String::new()).namespaces(false);
    /// out.start("a:b:c")?.end()?;
    /// assert_eq!(out.finish()?, "<a:b:c/>");
    /// # Ok::<(), tagstream::WriteError>(())
    /// ```
    pub fn namespaces(mut self, namespaces: bool) -> Writer<W, Kind> {
        self.state.set_namespaces(namespaces);
        self
    }

    fn new(output: W, language: Language) -> Writer<W, Kind> {
        Writer {
            output: Some(output),
            state: WriterState::new(language),
            is_putting: false,
            kind: PhantomData,
        }
    }

    /// Puts out what was gathered, if it is much.
    #[inline(always)]
    fn put(&mut self) -> Result<&mut Writer<W, Kind>, WriteError> {
        if self.state.text.len() >= BUFFERED_BYTES && self.state.is_ready() {
            self.put_all()?;
        }
        Ok(self)
    }

    #[cold]
    fn put_all(&mut self) -> Result<(), WriteError> {
        self.put_to(self.state.text.len())
    }

    /// Puts out the gathered text up to this offset.
    fn put_to(&mut self, end: usize) -> Result<(), WriteError> {
        if let Some(output) = &mut self.output {
            self.is_putting = true;
            output.put(&self.state.text[..end])?;
            self.is_putting = false;
        }
        self.state.text.clear();
        Ok(())
    }

    fn flush_output(&mut self) -> Result<(), WriteError> {
        match &mut self.output {
            Some(output) => output.flush(),
            None => Ok(()),
        }
    }

    /// Begins an element. In XML its prefix is to be bound by an attribute, here or further out.
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
    /// What is no name; a second root element; what the output fails with.
    #[inline]
    #[doc(alias("start_element", "create_element", "write_event"))]
    pub fn start(&mut self, name: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.start(name, None)?;
        Ok(self)
    }

    /// Begins an element of a namespace, which is declared if its prefix is not bound to it. An empty one is
    /// none.
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
    /// As [`start`](Writer::start).
    pub fn start_ns(
        &mut self,
        namespace: &str,
        name: &str,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.start(name, Some(Namespace::Text(namespace)))?;
        Ok(self)
    }

    /// Gives the element that has just begun an attribute.
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
    /// What is no name; one that the tag has already; a value that has characters which cannot be written.
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

    /// Gives the element that has just begun an attribute of a namespace, which is declared if its prefix is not
    /// bound to it.
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
    /// As [`attribute`](Writer::attribute).
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
    /// None is open; its tag has a prefix that is not bound; what the output fails with.
    #[inline]
    #[doc(alias = "end_element")]
    pub fn end(&mut self) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.end(None)?;
        self.put()
    }

    /// Whether an element is open, in which what is written next would be.
    #[cfg(feature = "serde")]
    pub(crate) fn has_open_element(&self) -> bool {
        !self.state.open.is_empty()
    }

    /// Writes text, with references in place of what would be markup; as it is where HTML has no references, in
    /// a script.
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
    /// Characters that cannot be written; text outside the root element; what would end a script.
    #[inline]
    #[doc(alias = "characters")]
    pub fn text(&mut self, text: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.text(text)?;
        self.put()
    }

    /// Writes text as a CDATA section; in HTML, in SVG and MathML only.
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
    /// `]]>`, which would end it; characters that cannot be written.
    pub fn cdata(&mut self, text: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.cdata(text)?;
        self.put()
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
    /// What would end it, in XML also `--`; characters that cannot be written.
    pub fn comment(&mut self, text: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.comment(text)?;
        self.put()
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
    /// A target that is no name, or `xml`; what would end it; white space before its data, which is none of it.
    pub fn processing_instruction(
        &mut self,
        target: &str,
        data: &str,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.instruction(target, data)?;
        self.put()
    }

    /// Writes a document type of this name.
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
    /// What is no name; a second one, or one that comes late.
    pub fn doctype(&mut self, name: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.doctype_with(name, None, None)
    }

    /// Writes a document type of this name, with a public and a system identifier.
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
    /// As [`doctype`](Writer::doctype); what is no identifier.
    pub fn doctype_with(
        &mut self,
        name: &str,
        public: Option<&str>,
        system: Option<&str>,
    ) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.doctype(name, (public, system), "")?;
        self.put()
    }

    /// Writes an XML declaration, of version `1.0` or `1.1`; it says UTF-8. What follows is of that version: 1.1
    /// has control characters, as references.
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
    /// What is no version; one that is not the first of all.
    #[doc(alias = "write_xml_declaration")]
    pub fn declaration(&mut self, version: &str) -> Result<&mut Writer<W, Kind>, WriteError> {
        self.state.declaration(version, true, None)?;
        self.put()
    }

    /// Writes what an event says, of events that are a tree: those of [`Events`](crate::Events) in the XML family, and
    /// of a [balanced](crate::Parser::balanced) parser. Namespaces are declared where they are not. Comments and
    /// processing instructions of a document type stand before it, as their events do; of its declarations, notations
    /// and unparsed entities are written.
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
    /// As those of the methods for what it is; an entity that was not read and would not be declared;
    /// attributes that come late.
    #[doc(alias = "write_event")]
    pub fn event(&mut self, event: &Event<'_>) -> Result<&mut Writer<W, Kind>, WriteError> {
        match event {
            Event::Start(tag) => self.tag(tag)?,
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
        self.put()
    }

    fn tag(&mut self, tag: &StartTag<'_>) -> Result<(), Refusal> {
        let namespace = match tag.shared_namespace() {
            Some(shared) => Namespace::Shared(shared),
            None => Namespace::Text(tag.namespace().unwrap_or_default()),
        };
        self.state.start(tag.name(), Some(namespace))?;
        for attribute in tag.attributes() {
            let namespace = self.namespace_wanted(&attribute);
            self.state
                .attribute(attribute.name(), namespace, Value::Text(attribute.value()))?;
        }
        Ok(())
    }

    /// The namespace that an attribute is to be declared to be in.
    fn namespace_wanted<'a>(&self, attribute: &Attribute<'a>) -> Option<Namespace<'a>> {
        let namespace = attribute.namespace().filter(|_| self.state.is_xml())?;
        let shared = attribute.shared_namespace().map(Namespace::Shared);
        (namespace != XMLNS).then_some(shared.unwrap_or(Namespace::Text(namespace)))
    }

    /// Puts out what was gathered, and flushes the output; a tag that is open is gathered still.
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
    /// What the output fails with.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.state.is_ready() {
            self.put_all()?;
        }
        self.flush_output()
    }

    /// Ends the document: puts out what was gathered, flushes the output and returns it. Only this method reports that
    /// an element is still open; dropping the writer does not.
    ///
    /// ```
    /// use tagstream::{WriteError, Writer};
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("a")?;
    /// let Err(WriteError::Refused(refusal)) = out.finish() else { panic!() };
    /// assert_eq!(refusal.to_string(), "an element is open: `a`");
    /// # Ok::<(), WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An element is open; XML has no root element; what the output fails with.
    #[doc(alias = "into_inner")]
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.state.finish()?;
        self.put_all()?;
        self.flush_output()?;
        match self.output.take() {
            Some(output) => Ok(output),
            None => unreachable!("only `finish` takes the output, and it consumes the writer"),
        }
    }
}

impl<W: Output<Kind>, Kind> Drop for Writer<W, Kind> {
    fn drop(&mut self) {
        if self.output.is_some() && !self.is_putting {
            // A destructor cannot report an error; `finish` does.
            let _ = self.put_to(self.state.complete_len());
        }
    }
}
