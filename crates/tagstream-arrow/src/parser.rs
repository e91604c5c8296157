//! The parser of the documents that rows are read from.

use crate::error::SchemaError;
use crate::options::Options;
use tagstream::select::{EventMatcher, Selector, SelectorError};
use tagstream::{Nested, Parser, TextPolicy, Xml};

/// The parser of a document, and the matcher of its rows if a selector chooses them.
type Parts = (Parser<Xml, Nested>, Option<EventMatcher<Xml>>);

/// Creates the parser of a document, and the matcher of its rows if a selector chooses them.
pub(crate) fn parser_of(options: &Options) -> Result<Parts, SchemaError> {
    // Prefixes are part of the names of columns, so namespaces are only needed for selectors.
    let mut xml = Xml::default().namespaces(options.selector.is_some());
    if let Some(encoding) = options
        .encoding
        .as_deref()
        .and_then(tagstream::Encoding::for_xml_label)
    {
        xml = xml.encoding(encoding);
    }
    let matcher = match &options.selector {
        Some(selector) => {
            let refused = |error: SelectorError| SchemaError::Selector(error.to_string());
            let namespaces = options.selector_namespaces.iter();
            let builder = namespaces.fold(Selector::builder(), |builder, (prefix, name)| {
                builder.namespace(prefix, name)
            });
            let selector = builder.build(selector).map_err(refused)?;
            Some(EventMatcher::new(xml.clone(), &selector).map_err(refused)?)
        }
        None => None,
    };
    let parser = Parser::new(xml)
        .balanced()
        .limits(options.limits)
        .report_errors(true)
        .text(TextPolicy::Pieces);
    #[cfg(feature = "inspect")]
    let parser = parser.inspect_sizes(options.sizes);
    Ok((parser, matcher))
}

/// The part of a document up to a place, for the limit of entity expansion, which is a multiple of the text before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Number of bytes of text.
    pub(crate) text: u64,
    /// The charge for entities that were expanded.
    pub(crate) entity_charge: u64,
}

impl Totals {
    /// Returns the totals of a parser that has read all of its input.
    pub(crate) fn of(parser: &mut Parser<Xml, Nested>) -> Totals {
        Totals {
            text: parser.stats().text,
            entity_charge: parser.entity_charge(),
        }
    }

    /// Returns the totals of the part between two places.
    pub(crate) fn since(self, before: Totals) -> Totals {
        Totals {
            text: self.text.saturating_sub(before.text),
            entity_charge: self.entity_charge.saturating_sub(before.entity_charge),
        }
    }

    /// Returns the totals of two parts of a document.
    pub(crate) fn and(self, other: Totals) -> Totals {
        Totals {
            text: self.text.saturating_add(other.text),
            entity_charge: self.entity_charge.saturating_add(other.entity_charge),
        }
    }
}
