//! The part of a document that one partition reads.
//!
//! A partition has a range of bytes. It reads the rows from the first cut at or after the start of the range up to the
//! first cut at or after its end. Each partition finds the same cuts: in the index of the document, or by proof.

use crate::cuts::Prover;
use crate::failure::failure;
use crate::input::{Input, Raw, raw};
use crate::options::Split;
use crate::packed::Chunks;
use datafusion::common::exec_err;
use datafusion::error::Result;
use futures::{StreamExt, stream};
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore};
use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;
use tagstream_arrow::{Head, HeadFinder, Options, RowIndex};

/// Maximum length of an index in bytes, which is that of a document of some hundred terabytes.
const MAX_INDEX_BYTES: u64 = 1 << 30;

/// A document of which partitions read parts.
pub(crate) struct Document<'a> {
    pub(crate) store: &'a Arc<dyn ObjectStore>,
    pub(crate) location: &'a Path,
    pub(crate) options: &'a Options,
    pub(crate) split: Split,
}

/// The part of a document that a partition reads.
pub(crate) enum Part {
    /// All of it for the first partition, and nothing for the others, because the document is not cut.
    Uncut,
    Nothing,
    Cut(Box<Cut>),
}

/// A part that begins or ends at a cut.
pub(crate) struct Cut {
    /// The offset of the first row. 0 for the first part, which begins with the document.
    pub(crate) start: u64,
    /// The head of the document, if the part does not begin with the document.
    pub(crate) head: Option<Head>,
    pub(crate) end: End,
}

impl Document<'_> {
    /// Finds the part for a range of bytes. `input` is the document from its start on.
    pub(crate) async fn part(&self, input: Input, range: Range<u64>) -> Result<Part> {
        match self.split {
            _ if input.is_packed => Ok(Part::Uncut),
            Split::Index => self.indexed(input, range).await,
            Split::Auto if input.is_local => self.proven(input.chunks, range).await,
            // The proof would read a file that is not local once for each partition.
            Split::Auto | Split::Never => Ok(Part::Uncut),
        }
    }

    /// Finds the part in the index of the document.
    async fn indexed(&self, mut input: Input, range: Range<u64>) -> Result<Part> {
        let index = self.index(&input.meta, input.is_local).await?;
        let start = match range.start {
            0 => Some(0),
            start => index.first_cut_from(start),
        };
        let end = index.first_cut_from(range.end);
        let Some(start) = start.filter(|start| Some(*start) != end) else {
            return Ok(Part::Nothing);
        };
        let head = match start {
            0 => None,
            _ => match self.head(&mut input.chunks).await? {
                Some((head, _)) => Some(head),
                None => {
                    return exec_err!(
                        "{}: the index is not that of the document, which cannot be cut",
                        self.location
                    );
                }
            },
        };
        Ok(Part::Cut(Box::new(Cut {
            start,
            head,
            end: End {
                limit: end,
                search: None,
            },
        })))
    }

    /// Reads the index, which must not be out of date.
    async fn index(&self, document: &ObjectMeta, is_local: bool) -> Result<RowIndex> {
        let file = self.location;
        let path = Path::parse(format!("{file}{}", RowIndex::SUFFIX))?;
        let row_tag = self.options.row_name().unwrap_or_default();
        let Raw {
            mut chunks, meta, ..
        } = match raw(self.store, &path, 0).await {
            Ok(raw) => raw,
            Err(error) if is_missing(&error) => {
                return exec_err!(
                    "{file} has no index of rows, without which it cannot be cut: `tagstream records --index --row {row_tag}` writes the index, or use another value of the option `xml.split`"
                );
            }
            Err(error) => return Err(error),
        };
        if meta.size > MAX_INDEX_BYTES {
            return exec_err!("{path} is longer than {MAX_INDEX_BYTES} bytes");
        }
        let mut text = Vec::new();
        while let Some(chunk) = chunks.next().await {
            text.extend_from_slice(&chunk?);
        }
        let index = match std::str::from_utf8(&text).map(RowIndex::parse) {
            Ok(Ok(index)) => index,
            Ok(Err(error)) => return exec_err!("{path}: {error}"),
            Err(error) => return exec_err!("{path}: {error}"),
        };
        if index.row_tag != row_tag {
            return exec_err!(
                "{path} is the index of the rows `{}`, and not of `{row_tag}`",
                index.row_tag
            );
        }
        if !is_current(&index, &meta, document, is_local) {
            return exec_err!(
                "{path} is out of date, because {file} has changed: `tagstream records --index --row {row_tag}` writes the index again"
            );
        }
        Ok(index)
    }

    /// Finds the head of the document. Returns the chunks that were read for this purpose too, or `None` if the document
    /// cannot be cut.
    async fn head(&self, chunks: &mut Chunks) -> Result<Option<(Head, Vec<bytes::Bytes>)>> {
        let file = self.location.as_ref();
        let mut finder = HeadFinder::new(self.options).map_err(|error| failure(error, file))?;
        let mut read = Vec::new();
        loop {
            let Some(chunk) = chunks.next().await else {
                return Ok(None);
            };
            let chunk = chunk?;
            read.push(chunk.clone());
            match finder.feed(chunk) {
                Ok(true) => return Ok(finder.head().map(|head| (head, read))),
                Ok(false) => {}
                // The partition that reads all of the document returns the error.
                Err(_) => return Ok(None),
            }
        }
    }

    /// Finds the start of the part by proof.
    async fn proven(&self, mut chunks: Chunks, range: Range<u64>) -> Result<Part> {
        let (Some((head, before)), Some(row_tag)) =
            (self.head(&mut chunks).await?, self.options.row_name())
        else {
            return Ok(Part::Uncut);
        };
        let is_last = range.end == u64::MAX;
        let mut search = Search {
            prover: Prover::new(row_tag, head.open_elements(), range),
            proven: 0,
        };
        let mut chunks = stream::iter(before.into_iter().map(Ok)).chain(chunks);
        while search.prover.start().is_none() && !search.prover.is_refused() {
            let Some(chunk) = chunks.next().await else {
                break;
            };
            search.read(search.proven, &chunk?);
            // The chunks of a local file are always ready, and a query that has its rows must be able to end.
            tokio::task::yield_now().await;
        }
        Ok(match search.prover.start() {
            Some(start) if Some(start) != search.prover.end() => Part::Cut(Box::new(Cut {
                start,
                head: (start > 0).then_some(head),
                end: End {
                    limit: None,
                    // The last part ends with the document.
                    search: (!is_last).then_some(search),
                },
            })),
            _ => Part::Nothing,
        })
    }
}

/// Returns whether an object store has said that there is no such file.
fn is_missing(error: &datafusion::error::DataFusionError) -> bool {
    use datafusion::error::DataFusionError::ObjectStore;
    matches!(error, ObjectStore(error) if matches!(**error, Error::NotFound { .. }))
}

/// Returns whether the document has not changed since its index was made.
fn is_current(
    index: &RowIndex,
    of_index: &ObjectMeta,
    document: &ObjectMeta,
    is_local: bool,
) -> bool {
    index.bytes == document.size
        && match index.modified {
            Some(modified) if is_local => modified == SystemTime::from(document.last_modified),
            _ => document.last_modified <= of_index.last_modified,
        }
}

/// The end of a part: the offset from which on the rows belong to the next one.
pub(crate) struct End {
    /// The offset, if it is known. If there is no search either, the part ends with the document.
    limit: Option<u64>,
    search: Option<Search>,
}

impl End {
    /// Returns the offset, if it is known.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Reads a chunk of the document that begins at an offset. The chunks up to the limit must be read before their rows
    /// are.
    pub(crate) fn read(&mut self, offset: u64, chunk: &[u8]) {
        let Some(search) = &mut self.search else {
            return;
        };
        search.read(offset, chunk);
        self.limit = search.prover.end();
        // After a refusal, no part begins.
        if self.limit.is_some() || search.prover.is_refused() {
            self.search = None;
        }
    }
}

/// The search for a cut by proof.
struct Search {
    prover: Prover,
    /// Number of bytes of the document that the prover has read.
    proven: u64,
}

impl Search {
    /// Reads a chunk that begins at an offset of the document, apart from bytes that were read before.
    fn read(&mut self, offset: u64, chunk: &[u8]) {
        let known = usize::try_from(self.proven.saturating_sub(offset)).unwrap_or(usize::MAX);
        if let Some(new) = chunk.get(known..)
            && !new.is_empty()
        {
            self.prover.feed(new);
            self.proven += new.len() as u64;
        }
    }
}
