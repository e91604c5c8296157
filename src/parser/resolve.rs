//! Which namespace a prefix stands for at the event in hand.

use super::Parser;
use crate::dialect::Prefixed;

impl<D: Prefixed> Parser<D> {
    /// The namespace that a prefix stands for where the event in hand stands, or the default namespace, if the
    /// prefix is empty: for qualified names in values and in text, as XML Schema and SOAP have them. A start tag's
    /// declarations count for itself, and up to its end tag. None if the prefix is not declared, and where no
    /// event is in hand.
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
        let queue = &self.held.queue;
        // The event that is kept stands before the batch.
        let record = match self.in_hand {
            Some(_) if queue.head == 0 => None,
            _ => queue.head.checked_sub(1),
        };
        D::bindings(&self.machine).at(prefix, record, &queue.history, &queue.namespaces)
    }
}
