//! Functions that parse a whole document into a tree: from a string, from bytes or from a reader.
//!
//! HTML may declare its encoding late, in a `meta` tag after text that was already decoded in another encoding. The
//! functions then start again with the declared encoding. They retain all bytes until the encoding is certain.

#[cfg(feature = "std")]
use super::source::SourceError;
use crate::engine::error::Error;
use crate::engine::input::chunk::Chunk;
#[cfg(feature = "std")]
use crate::engine::tokenizer::Confidence;
use crate::tree::Document;
use crate::tree_builder::{Buildable, TreeBuilder};
#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(feature = "std")]
use bytes::Bytes;
#[cfg(feature = "std")]
use core::mem::take;

impl Document {
    /// Parses a string or bytes.
    ///
    /// A string is parsed as UTF-8. The encoding of bytes is detected as the dialect's specification requires. HTML
    /// is parsed again from the start if a late `meta` tag declares another encoding than the one in use.
    ///
    /// ```
    /// use tagstream::{Document, Html, Xml};
    ///
    /// let page = Document::parse(Html::default(), "<p>é")?;
    /// assert_eq!(page.root().text_content(), "é");
    /// assert!(Document::parse(Xml::strict(), "<a></b>").is_err());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error that ended the parse. To get the part of the tree that was built before the error, use a
    /// [`TreeBuilder`].
    #[doc(alias("from_str", "from_slice", "from_bytes"))]
    #[doc(alias("parse_document", "parse_fragment"))]
    pub fn parse<D: Buildable>(dialect: D, input: impl Chunk) -> Result<Document, Error> {
        TreeBuilder::parse(dialect, input.into_parts())
    }

    /// Parses the bytes of a reader up to its end. The reader does not need a buffer.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let feed = Document::read(Xml::strict(), &b"<feed><entry/></feed>"[..])?;
    /// assert_eq!(feed.root_element().unwrap().name(), "feed");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error that ended the parse, or the failure of the reader.
    #[cfg(feature = "std")]
    #[doc(alias("from_reader", "from_file"))]
    pub fn read<D: Buildable>(dialect: D, reader: impl std::io::Read) -> Result<Document, Error> {
        let mut source = super::ReaderSource::new(reader);
        build(
            dialect,
            &mut core::iter::from_fn(|| super::Source::next_chunk(&mut source).transpose()),
        )
    }
}

/// Parses the chunks of a reader, and parses all of them again if the document declares another encoding late.
#[cfg(feature = "std")]
fn build<D: Buildable>(
    dialect: D,
    chunks: &mut dyn Iterator<Item = Result<Bytes, SourceError>>,
) -> Result<Document, Error> {
    let mut builder = TreeBuilder::new(dialect.clone());
    // The chunks that were fed so far. Empty once the encoding is certain, because the chunks will not be parsed again
    // then.
    let mut retained = Vec::new();
    let mut confidence = Confidence::Tentative;
    for chunk in chunks {
        let chunk = chunk.map_err(|error| builder.fail_source(error))?;
        if confidence == Confidence::Tentative {
            retained.push(chunk.clone());
        }
        builder.feed(chunk)?;
        confidence = parse_retained(&mut builder, &dialect, &mut retained)?;
    }
    // The last bytes may contain the declaration of the encoding.
    builder.end()?;
    parse_retained(&mut builder, &dialect, &mut retained)?;
    builder.end()?;
    Ok(builder.into_sink())
}

/// Parses the retained chunks again, with a new builder, if the document has declared another encoding. Discards the
/// chunks if the encoding is certain. Returns the confidence: whether the encoding can still change.
#[cfg(feature = "std")]
fn parse_retained<D: Buildable>(
    builder: &mut TreeBuilder<D>,
    dialect: &D,
    retained: &mut Vec<Bytes>,
) -> Result<Confidence, Error> {
    let confidence = builder.confidence();
    if confidence == Confidence::Tentative {
        return Ok(confidence);
    }
    let retained = take(retained);
    if let Confidence::Changed(encoding) = confidence
        && !retained.is_empty()
    {
        *builder = TreeBuilder::new(dialect.clone().in_encoding(encoding));
        for chunk in retained {
            builder.feed(chunk)?;
        }
    }
    Ok(Confidence::Certain)
}
