//! Pieces of a document, which several decoders read at the same time.
//!
//! A document is cut at offsets where the text looks like the start tag of a row. Such an offset is a *candidate*: it may
//! also be in a comment, in a CDATA section or in a row. The decoder of the piece before decides. It goes on after the
//! end of its range up to the next row, and reports the offset of that row and the elements that are open there. If both
//! are those from which the next piece was read, its rows are those of one pass. Otherwise the rows of the next piece
//! are wrong, and the decoder of the piece before reads on through it.

use crate::decoder::row::Ancestors;
use crate::error::Error;
use crate::options::Options;
use crate::parser::{Totals, parser_of};
use bytes::{Bytes, BytesMut};
use tagstream::{Event, Nested, Parser, Position, Xml};

/// Maximum length of a head. Documents with a longer one are not cut.
const MAX_HEAD_BYTES: usize = 64 << 20;

/// The part of a document up to the last tag before its first row: the XML declaration, the DOCTYPE with its entities,
/// and the start tags around the rows. Each piece of the document is read as if it followed the head.
///
/// ```
/// use bytes::Bytes;
/// use tagstream_arrow::{Decoder, Head, Options, find_candidate, infer_schema};
///
/// let xml = Bytes::from_static(b"<log><entry n='1'/><entry n='2'/><entry n='3'/></log>");
/// let options = Options::new("entry");
/// let schema = infer_schema(&xml[..], &options)?.schema;
/// let Some(head) = Head::of(&xml, &options)? else { panic!() };
/// assert_eq!(&head.bytes()[..], b"<log>");
///
/// // Two pieces, cut at the first candidate in the second half.
/// let cut = xml.len() / 2;
/// let cut = cut + find_candidate(&xml[cut..], &options).unwrap();
/// let mut first = Decoder::piece(schema.clone(), options.clone(), &head, head.end()..cut as u64)?;
/// first.feed(xml.slice(head.end() as usize..));
/// assert_eq!(first.next_batch()?.map(|batch| batch.num_rows()), Some(2));
/// assert!(first.next_row().is_some_and(|next| next.confirms(&head, cut as u64)));
///
/// let mut second = Decoder::piece(schema, options, &head, cut as u64..u64::MAX)?;
/// second.feed(xml.slice(cut..));
/// second.finish();
/// assert_eq!(second.next_batch()?.map(|batch| batch.num_rows()), Some(1));
/// # Ok::<(), tagstream_arrow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Head {
    bytes: Bytes,
    pub(crate) first_row: u64,
    /// A parser that has read the head.
    pub(crate) parser: Parser<Xml, Nested>,
    /// The totals of the head.
    pub(crate) totals: Totals,
    pub(crate) open: Ancestors,
}

impl Head {
    /// Finds the head of a document that is in memory, or of its first bytes. Returns `None` if there is no row in them,
    /// or if the document cannot be cut: its encoding is not UTF-8, or the options have a selector or ignore namespaces.
    ///
    /// # Errors
    ///
    /// Returns an error if the parser cannot continue.
    pub fn of(xml: &Bytes, options: &Options) -> Result<Option<Head>, Error> {
        let mut finder = HeadFinder::new(options)?;
        finder.feed(xml.clone())?;
        Ok(finder.head())
    }

    /// Returns the bytes of the head.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the offset of the end of the head, from which the first piece is read. Text may lie between this offset and
    /// the first row.
    pub fn end(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the offset of the first row.
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// Returns the names of the elements around the first row.
    pub fn open_elements(&self) -> impl Iterator<Item = &str> {
        self.open.names()
    }
}

/// The first row that a decoder of a piece did not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NextRow {
    /// The offset of its start tag in the document.
    pub offset: u64,
    /// Its line, if the decoder was fed from the start of the document. Otherwise lines are counted from the head on.
    pub line: u64,
    /// Its column, with the same reservation.
    pub column: u64,
    /// The same line and column.
    pub(crate) position: Position,
    pub(crate) open: Ancestors,
    pub(crate) depends_on_text_before: bool,
}

impl NextRow {
    /// Returns whether a piece that was read from this offset on has the rows of one pass.
    pub fn confirms(&self, head: &Head, offset: u64) -> bool {
        self.offset == offset && self.open == head.open && !self.depends_on_text_before
    }

    /// Returns the names of the elements around the row.
    pub fn open_elements(&self) -> impl Iterator<Item = &str> {
        self.open.names()
    }
}

/// Finds the head of a document that arrives in chunks.
#[derive(Debug)]
pub struct HeadFinder {
    parser: Parser<Xml, Nested>,
    options: Options,
    open: Ancestors,
    bytes: BytesMut,
    /// The end of the last tag.
    tag_end: u64,
    head: Option<Head>,
    /// True if the document cannot be cut.
    is_refused: bool,
}

impl HeadFinder {
    /// Creates a finder.
    ///
    /// # Errors
    ///
    /// Returns an error if the selector of the rows is not supported on streams.
    pub fn new(options: &Options) -> Result<HeadFinder, Error> {
        Ok(HeadFinder {
            parser: parser_of(options)?.0,
            options: options.clone(),
            open: Ancestors::default(),
            bytes: BytesMut::new(),
            tag_end: 0,
            head: None,
            is_refused: options.selector.is_some() || options.ignore_namespace,
        })
    }

    /// Reads a chunk. Returns true if no more input is needed: [`head`](HeadFinder::head) returns the head, or `None` if
    /// the document cannot be cut.
    ///
    /// # Errors
    ///
    /// Returns an error if the parser cannot continue.
    pub fn feed(&mut self, chunk: Bytes) -> Result<bool, Error> {
        if self.is_refused || self.head.is_some() {
            return Ok(true);
        }
        self.bytes.extend_from_slice(&chunk);
        self.parser.feed(chunk);
        loop {
            let Some(event) = self.parser.next_event()? else {
                self.is_refused = self.bytes.len() > MAX_HEAD_BYTES;
                return Ok(self.is_refused);
            };
            match event {
                Event::Start(tag) if tag.name() == self.options.row_tag => {
                    let span = tag.span();
                    // The tag may come from an entity. Then there is no such tag at its offset.
                    let rest = self.bytes.get(span.start as usize..).unwrap_or_default();
                    let is_utf8 = self
                        .parser
                        .encoding()
                        .is_some_and(|encoding| encoding.is_utf8());
                    // Without an element around it, there is only one row.
                    if self.tag_end == 0
                        || !is_utf8
                        || find_candidate(rest, &self.options) != Some(0)
                    {
                        self.is_refused = true;
                        return Ok(true);
                    }
                    // The text after the last tag is left out: a part of it may only be understood with what follows.
                    let bytes = self.bytes.split_to(self.tag_end as usize).freeze();
                    let mut parser = parser_of(&self.options)?.0;
                    parser.feed(bytes.clone());
                    while parser.next_event()?.is_some() {}
                    self.head = Some(Head {
                        first_row: span.start,
                        bytes,
                        totals: Totals::of(&mut parser),
                        parser,
                        open: self.open.clone(),
                    });
                    return Ok(true);
                }
                Event::Start(tag) => {
                    self.open.push(tag.name());
                    self.tag_end = tag.span().end;
                }
                Event::End(tag) => {
                    self.open.pop();
                    self.tag_end = tag.span().end;
                }
                _ => {}
            }
        }
    }

    /// Returns the head, if it was found.
    pub fn head(self) -> Option<Head> {
        self.head
    }
}

/// Returns the offset in `bytes` of the next text that looks like the start tag of a row. The byte after the name must be
/// in `bytes` too.
pub fn find_candidate(bytes: &[u8], options: &Options) -> Option<usize> {
    let name = options.row_tag.as_bytes();
    let mut from = 0;
    loop {
        let at = from + memchr::memmem::find(&bytes[from..], name)?;
        let is_tag = at > 0
            && bytes[at - 1] == b'<'
            && matches!(
                bytes.get(at + name.len()),
                Some(b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'/')
            );
        if is_tag {
            return Some(at - 1);
        }
        from = at + 1;
    }
}
