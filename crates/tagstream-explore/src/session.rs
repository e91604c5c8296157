//! A session: one document that is parsed, and the answers about it.

use crate::engine::{self, Engine};
use crate::html5lib::{self, Style};
use crate::json;
use crate::log::{Log, Problem, place_of, range_of};
use crate::options::{DialectId, Options};
use crate::rows::{Ends, Rows, root_of};
use crate::source::Source;
use crate::trace;
use std::cell::OnceCell;
use std::fmt;
use tagstream::html::errors::{ALL, NON_VOID_HTML_ELEMENT_START_TAG_WITH_TRAILING_SOLIDUS};
use tagstream::tree::{QuirksMode, Serializer};
use tagstream::{Document, Encoding, NodeId};

/// Maximum length of a document in bytes. Offsets fit in 32 bits with room to spare.
const MAX_SOURCE_BYTES: usize = 1 << 28;

/// Minimum length of a chunk that is one of many, not a step. While many chunks are fed, the rows of a large tree are not
/// listed again after each of them, which would take quadratic time.
const MIN_BULK_BYTES: usize = 4096;
/// Minimum number of rows of a large tree.
const MIN_LARGE_ROWS: usize = 20_000;

/// Maximum number of rows that [`Session::select`] returns.
const MAX_SELECTED: usize = 10_000;

/// A document that is parsed as its bytes are fed.
pub struct Session {
    options: Options,
    /// The bytes that were fed.
    bytes: Vec<u8>,
    /// The parser, or `None` before the first byte if that byte decides the dialect's options.
    engine: Option<Box<dyn Engine>>,
    log: Log,
    ends: Ends,
    /// The error that ended the parse.
    failed: Option<Problem>,
    is_finished: bool,
    /// The rows of the tree and the text of the source, which are computed on request.
    rows: OnceCell<Rows>,
    source: OnceCell<Source>,
}

impl Session {
    /// Begins a session. `options` is a JSON object.
    ///
    /// # Errors
    ///
    /// A message, if an option is invalid.
    pub fn new(options: &str) -> Result<Session, String> {
        let options = Options::parse(options)?;
        // This also validates the options.
        let engine = engine::new(&options, None)?;
        let is_deferred = options.dialect == DialectId::Sky;
        Ok(Session {
            engine: (!is_deferred).then_some(engine),
            options,
            bytes: Vec::new(),
            log: Log::default(),
            ends: Ends::default(),
            failed: None,
            is_finished: false,
            rows: OnceCell::new(),
            source: OnceCell::new(),
        })
    }

    /// Feeds a chunk, and parses as far as possible. Chunks after the end, or after an error, are ignored.
    pub fn feed(&mut self, chunk: &[u8]) {
        if self.is_finished || chunk.is_empty() {
            return;
        }
        if chunk.len() > MAX_SOURCE_BYTES - self.bytes.len() {
            self.is_finished = true;
            self.failed.get_or_insert(Problem {
                code: "too-long",
                message: "the document is longer than 256 MiB".to_owned(),
                range: (0, 0),
                line: 1,
                column: 1,
            });
            return;
        }
        self.bytes.extend_from_slice(chunk);
        self.parse(Some(chunk));
        self.forget(chunk.len() >= MIN_BULK_BYTES);
    }

    /// Ends the input.
    pub fn finish(&mut self) {
        if self.is_finished {
            return;
        }
        self.is_finished = true;
        self.parse(None);
        self.forget(false);
    }

    /// Discards the rows and the text of the state before the last chunk. If the chunk `is_bulk`, the rows of a large tree
    /// are kept until it has grown by a quarter.
    fn forget(&mut self, is_bulk: bool) {
        self.source.take();
        let count = self.document().map_or(0, Document::node_count);
        let is_current = |rows: &Rows| rows.len() >= MIN_LARGE_ROWS && count < rows.len() / 4 * 5;
        if !is_bulk || !self.rows.get().is_some_and(is_current) {
            self.rows.take();
        }
    }

    /// Parses a chunk, or the end of the input.
    fn parse(&mut self, chunk: Option<&[u8]>) {
        if self.failed.is_some() {
            return;
        }
        if self.engine.is_none() {
            // The options are valid, because `new` has tested them.
            self.engine = engine::new(&self.options, self.bytes.first().copied()).ok();
        }
        let Some(engine) = &mut self.engine else {
            return;
        };
        if let Err(error) = engine.feed(chunk, &mut self.log, &mut self.ends) {
            let (line, column) = place_of(error.position());
            self.failed = Some(Problem {
                code: error.as_str(),
                message: error.to_string(),
                range: range_of(error.span()),
                line,
                column,
            });
        }
    }

    fn document(&self) -> Option<&Document> {
        self.engine.as_ref().map(|engine| engine.document())
    }

    fn encoding(&self) -> Option<Encoding> {
        self.engine.as_ref()?.encoding()
    }

    fn rows(&self) -> &Rows {
        self.rows.get_or_init(|| {
            let Some(engine) = &self.engine else {
                return Rows::default();
            };
            let is_fragment = self.options.is_html_fragment();
            let end = self.bytes.len() as u32;
            Rows::new(
                engine.document(),
                is_fragment,
                &self.ends,
                &engine.open(),
                end,
            )
        })
    }

    fn source(&self) -> &Source {
        self.source.get_or_init(|| {
            let encoding = self.encoding().unwrap_or(Encoding::UTF_8);
            Source::new(&self.bytes, encoding, self.is_finished)
        })
    }

    /// Returns the state of the parse:
    ///
    /// ```text
    /// {"bytes":n,"events":n,"dropped":n,"nodes":n,"errors":n,"finished":bool,
    ///  "failed":null|{"code":s,"message":s,"range":[start,end],"line":n,"column":n},
    ///  "encoding":s|null,"mode":"quirks"|"limited-quirks"|"no-quirks"|null}
    /// ```
    ///
    /// `events` and `errors` count all of them, also those that were dropped because there are too many. `dropped` is the
    /// number of events that were. `failed` is the error that ended the parse, `encoding` is null until it is known, and
    /// `mode` is that of HTML. All ranges of the engine are offsets in bytes.
    pub fn counts(&self) -> String {
        let mut out = String::from("{");
        json::number_field("bytes", self.bytes.len() as u64, &mut out);
        json::number_field("events", self.log.event_count, &mut out);
        json::number_field("dropped", self.log.dropped(), &mut out);
        json::number_field("nodes", self.rows().len() as u64, &mut out);
        json::number_field("errors", self.log.error_count, &mut out);
        json::bool_field("finished", self.is_finished, &mut out);
        json::key_of("failed", &mut out);
        match &self.failed {
            Some(failed) => {
                out.push('{');
                json::string_field("code", failed.code, &mut out);
                json::string_field("message", &failed.message, &mut out);
                json::range_field(failed.range, &mut out);
                json::number_field("line", failed.line.into(), &mut out);
                json::number_field("column", failed.column.into(), &mut out);
                out.push('}');
            }
            None => out.push_str("null"),
        }
        json::key_of("encoding", &mut out);
        json::optional(self.encoding().map(Encoding::name), &mut out);
        json::key_of("mode", &mut out);
        let html = self
            .document()
            .filter(|_| self.options.dialect == DialectId::Html);
        let mode = html.map(|document| match document.quirks_mode() {
            QuirksMode::Quirks => "quirks",
            QuirksMode::LimitedQuirks => "limited-quirks",
            _ => "no-quirks",
        });
        json::optional(mode, &mut out);
        out.push('}');
        out
    }

    /// Returns events as a JSON array:
    ///
    /// ```text
    /// {"i":n,"kind":s,"name":s?,"text":s?,"attributes":[[name,value,[start,end]?]…]?,
    ///  "self_closing":true?,"implied":true?,"cut":true?,"moved":true?,"cdata":true?,"range":[start,end],"depth":n}
    /// ```
    ///
    /// The kinds are start, end, text, comment, pi, doctype, declaration, entity (a reference that was not expanded),
    /// encoding (a late declaration) and attributes (added to an open element). A flag is missing if it is false. Strings
    /// longer than 200 characters are cut. `depth` is the number of open elements around the event.
    pub fn events(&self, from: usize, count: usize) -> String {
        self.log.events(from, count)
    }

    /// Returns the index of the shortest event that contains a byte.
    pub fn event_at(&self, offset: u32) -> Option<usize> {
        self.log.event_at(offset)
    }

    /// Returns errors as a JSON array:
    ///
    /// ```text
    /// {"code":s,"message":s,"range":[start,end],"line":n,"column":n,"link":s|null}
    /// ```
    pub fn errors(&self, from: usize, count: usize) -> String {
        let link = |code: &str| self.link(code);
        self.log.errors(from, count, link)
    }

    /// Returns the page of the standard about an error. The standard of HTML names the errors of the tokenizer; the
    /// other names are those of the library.
    fn link(&self, code: &str) -> Option<String> {
        if self.options.dialect != DialectId::Html {
            return None;
        }
        let place = |name: &str| ALL.iter().position(|code| code.as_str() == name);
        let last = NON_VOID_HTML_ELEMENT_START_TAG_WITH_TRAILING_SOLIDUS.as_str();
        let page = "https://html.spec.whatwg.org/multipage/parsing.html";
        let is_named = place(code)? <= place(last)?;
        Some(match is_named {
            true => format!("{page}#parse-error-{code}"),
            false => format!("{page}#tree-construction"),
        })
    }

    /// Returns rows of the tree, in document order, as a JSON array:
    ///
    /// ```text
    /// {"id":n,"depth":n,"kind":s,"name":s?,"namespace":"html"|"svg"|"math"|s|null?,"attributes":[[name,value]…]?,
    ///  "text":s?,"public":s|null?,"system":s|null?,"cut":true?,"range":[start,end]|null}
    /// ```
    ///
    /// `id` is the number of the row. The kinds are document, doctype, element, text, comment, pi, content (of a template)
    /// and shadow (a shadow root). The range of an element contains its end tag. That of an open element ends at the end
    /// of the input so far.
    pub fn nodes(&self, from: usize, count: usize) -> String {
        match self.document() {
            Some(document) => self.rows().write(document, from, count),
            None => "[]".to_owned(),
        }
    }

    /// Returns the row of the deepest node that contains a byte.
    pub fn node_at(&self, offset: u32) -> Option<usize> {
        self.rows().node_at(offset)
    }

    /// Returns the rows of the elements that a CSS selector selects: `{"count":n,"rows":[n…]}` with at most 10,000 rows,
    /// or `{"error":s,"at":n}`, where `at` is an offset in the selector.
    pub fn select(&self, selector: &str) -> String {
        let mut out = String::from("{");
        let Some(document) = self.document() else {
            return "{\"count\":0,\"rows\":[]}".to_owned();
        };
        let top = root_of(document, self.options.is_html_fragment());
        match top.select(selector) {
            Ok(selected) => {
                let mut count = 0;
                let mut rows = Vec::new();
                for node in selected {
                    let row = self.rows().row_of(node.id());
                    count += 1;
                    rows.extend(row.filter(|_| count <= MAX_SELECTED));
                }
                json::number_field("count", count as u64, &mut out);
                json::key_of("rows", &mut out);
                json::list(rows, &mut out, |row, out| json::number(row as u64, out));
            }
            Err(error) => {
                json::string_field("error", &error.to_string(), &mut out);
                json::number_field("at", error.offset() as u64, &mut out);
            }
        }
        out.push('}');
        out
    }

    /// Returns the markup of the tree.
    ///
    /// # Errors
    ///
    /// The reason, if the tree cannot be written in the syntax of its dialect.
    pub fn serialized(&self) -> Result<String, String> {
        let Some(document) = self.document() else {
            return Ok(String::new());
        };
        let is_fragment = self.options.is_html_fragment();
        let top = root_of(document, is_fragment);
        let serializer = match self.options.dialect {
            DialectId::Html => Serializer::html().shadow_roots(true).inner(is_fragment),
            _ => Serializer::xml().declaration(document.xml_declaration().is_some()),
        };
        serializer.to_string(top).map_err(|error| error.to_string())
    }

    /// Returns the state of the parser, and the rows of HTML's schema that were applied since the last call. Rows are
    /// recorded only with the option `trace`.
    ///
    /// ```text
    /// {"state":s|null,"link":s|null,"insertion_mode":s|null,"mode_link":s|null,"rules":s|null,"rules_link":s|null,
    ///  "open":[{"name":s,"row":n}…],"formatting":[{"name":s}|{"marker":true}…],
    ///  "rows":[{"table":s,"link":s,"row":n,"token":s,"tokens":s,"conditions":s,"actions":s}…],
    ///  "rule":[{"document":s,"section":s,"link":s|null}…]}
    /// ```
    ///
    /// `state` is the state of the tokenizer. `rules` differs from `insertion_mode` in foreign content. The links are
    /// sections of HTML's standard. `row` of an open element is its row in the tree, or −1. `rule` has the
    /// sections of the specifications that describe the state in the other dialects.
    pub fn trace(&mut self) -> String {
        let Some(engine) = &mut self.engine else {
            return "{\"state\":null,\"link\":null,\"insertion_mode\":null,\"mode_link\":null,\"rules\":null,\
                    \"rules_link\":null,\"open\":[],\"formatting\":[],\"rows\":[],\"rule\":[]}"
                .to_owned();
        };
        let snapshot = engine.snapshot();
        let open: Vec<NodeId> = engine.open();
        match self.document() {
            Some(document) => trace::write(
                &snapshot,
                self.options.dialect,
                &open,
                document,
                self.rows(),
            ),
            None => String::new(),
        }
    }

    /// Returns the tree in the format of the html5lib tests: whole lines, at most `limit` bytes.
    pub fn tree_dump(&self, limit: usize) -> String {
        let style = match self.options.dialect {
            DialectId::Html => Style::Html,
            _ => Style::Xml,
        };
        let mut out = Limited {
            text: String::new(),
            limit,
        };
        if let Some(document) = self.document() {
            let top = root_of(document, self.options.is_html_fragment());
            if html5lib::write(top, style, &mut out).is_err() {
                let end = out.text.rfind('\n').map_or(0, |at| at + 1);
                out.text.truncate(end);
            }
        }
        out.text
    }

    /// Returns the decoded source.
    pub fn source_text(&self) -> &str {
        self.source().text()
    }

    /// Returns the UTF-16 offsets in [`source_text`](Session::source_text) of byte offsets.
    pub fn offsets(&self, bytes: &[u32]) -> Vec<u32> {
        let source = self.source();
        bytes.iter().map(|byte| source.unit_of(*byte)).collect()
    }

    /// Returns the byte offsets of UTF-16 offsets in [`source_text`](Session::source_text).
    pub fn byte_offsets(&self, units: &[u32]) -> Vec<u32> {
        let source = self.source();
        units.iter().map(|unit| source.byte_of(*unit)).collect()
    }
}

/// A string that takes a limited number of bytes, and refuses the rest.
struct Limited {
    text: String,
    limit: usize,
}

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() > self.limit - self.text.len() {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}
