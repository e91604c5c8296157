//! A document at once, of a string, of bytes, of a reader.

use super::source::SourceError;
#[cfg(feature = "std")]
use super::source::{ReaderSource, Source};
use crate::build::{Buildable, TreeBuilder};
use crate::dialect::Confidence;
use crate::error::Error;
use crate::input::chunk::Chunk;
use crate::tree::Document;
use alloc::vec::Vec;
use bytes::Bytes;
use core::mem::take;

/// So many bytes are read before it is asked whether the encoding was the right one.
const FIRST: usize = 64 << 10;

impl Document {
    /// The document that a string or bytes are.
    ///
    /// A string is UTF-8; bytes are decoded as the dialect's document says. HTML is read again from its
    /// beginning, where a late `meta` names another encoding than the one in use.
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
    /// What ends the parse. A [`TreeBuilder`] keeps what was read before.
    pub fn parse<D: Buildable>(dialect: D, input: impl Chunk) -> Result<Document, Error> {
        let given = input.give();
        if given.is_text {
            let mut builder = TreeBuilder::new(dialect);
            builder.supply_given(given);
            return builder.finish();
        }
        let mut bytes = given.into_bytes();
        let first = bytes.split_to(bytes.len().min(FIRST));
        build(dialect, &mut [first, bytes].into_iter().map(Ok))
    }

    /// The document that a reader has to its end. It needs no buffer of its own.
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
    /// What ends the parse, or the failure of the reader.
    #[cfg(feature = "std")]
    pub fn read<D: Buildable>(dialect: D, reader: impl std::io::Read) -> Result<Document, Error> {
        let mut source = ReaderSource::new(reader);
        build(
            dialect,
            &mut core::iter::from_fn(|| source.next_chunk().transpose()),
        )
    }
}

/// Builds a document of chunks, again from the first where that is told to be in another encoding.
fn build<D: Buildable>(
    dialect: D,
    chunks: &mut dyn Iterator<Item = Result<Bytes, SourceError>>,
) -> Result<Document, Error> {
    let mut builder = TreeBuilder::new(dialect.clone());
    // What would have to be read again.
    let mut kept = Vec::new();
    let mut confidence = Confidence::Tentative;
    for chunk in chunks {
        let chunk = chunk.map_err(|error| builder.fail_source(error))?;
        if confidence == Confidence::Tentative {
            kept.push(chunk.clone());
        }
        builder.feed(chunk)?;
        confidence = again(&mut builder, &dialect, &mut kept)?;
    }
    // The last bytes may say it.
    builder.end()?;
    again(&mut builder, &dialect, &mut kept)?;
    builder.finish()
}

/// Builds anew what was kept, if that is in another encoding.
fn again<D: Buildable>(
    builder: &mut TreeBuilder<D>,
    dialect: &D,
    kept: &mut Vec<Bytes>,
) -> Result<Confidence, Error> {
    let confidence = builder.confidence();
    if confidence == Confidence::Tentative {
        return Ok(confidence);
    }
    let kept = take(kept);
    if let Confidence::Changed(encoding) = confidence
        && !kept.is_empty()
    {
        *builder = TreeBuilder::new(dialect.clone().in_encoding(encoding));
        for chunk in kept {
            builder.feed(chunk)?;
        }
    }
    Ok(Confidence::Certain)
}
