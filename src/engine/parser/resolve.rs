//! Lookup of the namespace that a prefix is bound to at the current event.

use super::Parser;
use crate::engine::dialect::{Balance, Dialect, Form, Prefixed};
#[cfg(feature = "tree")]
use crate::engine::document_mode::XmlVersion;
use alloc::vec::Vec;

impl<D: Prefixed, F: Form> Parser<D, F> {
    /// Returns the namespace that a prefix is bound to at the current event, or the default namespace if the prefix
    /// is empty. Use it for qualified names in attribute values and in text, as in XML Schema and SOAP. The
    /// declarations of a start tag apply to the tag itself and up to its end tag. Returns `None` if the prefix is not
    /// declared or if there is no current event.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::strict());
    /// parser.feed("<e xmlns:xs='http://www.w3.org/2001/XMLSchema' type='xs:date'/>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// let value = tag.attribute("type").unwrap().to_owned();
    /// let (prefix, local) = value.split_once(':').unwrap();
    /// assert_eq!((parser.resolve(prefix), local), (Some("http://www.w3.org/2001/XMLSchema"), "date"));
    /// assert_eq!(parser.resolve("xsd"), None);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn resolve(&self, prefix: &str) -> Option<&str> {
        self.current()?;
        let bindings = &self.data.queue.bindings;
        D::bindings(&self.machine).at(
            prefix,
            self.current_record(),
            &bindings.history,
            &bindings.namespaces,
        )
    }

    /// Returns the prefixes in scope at the current event and their namespaces, in the order of the prefixes. The prefix of
    /// the default namespace is empty. The prefixes `xml` and `xmlns`, which are never declared, are not included. Returns
    /// an empty list if there is no current event.
    ///
    /// With these declarations, the source of an element is a document of its own.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a xmlns='u' xmlns:p='v'><p:b xmlns:p='w' xmlns:q='x'/></a>");
    /// parser.next_event()?;
    /// assert_eq!(parser.namespaces(), [("", "u"), ("p", "v")]);
    /// parser.next_event()?;
    /// assert_eq!(parser.namespaces(), [("", "u"), ("p", "w"), ("q", "x")]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn namespaces(&self) -> Vec<(&str, &str)> {
        if self.current().is_none() {
            return Vec::new();
        }
        let bindings = &self.data.queue.bindings;
        D::bindings(&self.machine).all_at(
            self.current_record(),
            &bindings.history,
            &bindings.namespaces,
        )
    }
}

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Returns the index of the record of the current event in its batch. `None` if the event precedes the batch.
    fn current_record(&self) -> Option<usize> {
        let queue = &self.data.queue;
        match self.retained_event {
            // The copied event precedes all records of the batch.
            Some(_) if queue.head == 0 => None,
            _ => queue.head.checked_sub(1),
        }
    }
}

impl<D: Balance, F: Form> Parser<D, F> {
    /// Like [`resolve`](Parser::resolve), for all dialects. If `is_after` is true, returns `None` for a prefix whose
    /// scope ends with the current event.
    pub(crate) fn resolve_at(&self, prefix: &str, is_after: bool) -> Option<&str> {
        let (bindings, record) = (&self.data.queue.bindings, self.current_record());
        if is_after && bindings.history.removes(prefix, record) {
            return None;
        }
        let scope = D::scope(&self.machine)?;
        scope.at(prefix, record, &bindings.history, &bindings.namespaces)
    }

    /// Returns the version of XML that the document has declared.
    #[cfg(feature = "tree")]
    pub(crate) fn xml_version(&self) -> XmlVersion {
        D::xml_version(&self.machine)
    }

    /// Returns true if a declaration gives the elements with this name default attributes with prefixes, or attributes
    /// that declare namespaces.
    pub(crate) fn has_prefixed_defaults(&self, element: &str) -> bool {
        D::has_prefixed_defaults(&self.machine, element)
    }
}
