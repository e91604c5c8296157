//! The row that inference reads: its shape, its comparison with the schema, and its first problem.

use super::comparison::Comparison;
use super::shape::Shape;
use crate::columns::Settings;
use crate::decoder::too_long;
use crate::error::{RowError, RowErrorKind};
use crate::options::Options;
use std::sync::Arc;
use tagstream::{Position, Span, StartTag};

/// The row that is being read or was read last.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) shape: Shape,
    pub(super) comparison: Comparison,
    /// The text since the last tag.
    text: String,
    /// Number of open elements that are inferred, including the row.
    depth: usize,
    /// Number of open elements below the deepest level that is inferred.
    skipped: usize,
    /// The start tag.
    pub(super) span: Span,
    pub(super) position: Position,
    /// Number of bytes of text, which may come from entities.
    text_bytes: u64,
    /// An error of the row, or between rows.
    pub(super) problem: Option<Problem>,
}

/// An error of a row or outside of rows.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) kind: RowErrorKind,
    pub(super) span: Span,
    pub(super) position: Position,
}

impl Problem {
    /// Returns the error of a row that has this offset.
    pub(super) fn row_error(&self, row: u64, options: &Options) -> RowError {
        RowError {
            file: options.file.as_deref().map(Arc::from),
            bytes: self.span.start..self.span.end,
            row,
            line: self.position.line(),
            column: self.position.column(),
            column_name: None,
            kind: self.kind.clone(),
        }
    }
}

impl Row {
    /// Returns whether the row has begun and not ended.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Begins a row.
    pub(super) fn begin(&mut self, tag: &StartTag<'_>, options: &Options, settings: &Settings) {
        (self.span, self.position) = (tag.span(), tag.position());
        let start = self.span.start;
        self.problem.take_if(|problem| problem.span.start < start);
        self.skipped = 0;
        self.text_bytes = 0;
        self.text.clear();
        self.shape.clear();
        self.comparison.begin();
        let comparison = &mut self.comparison;
        self.shape.attributes(tag, options, settings, comparison);
        self.depth = 1;
    }

    /// Leaves a row that was not read completely.
    pub(super) fn abandon(&mut self) {
        self.depth = 0;
        self.text.clear();
        self.skipped = 0;
        self.problem = None;
    }

    /// Begins an element in the row.
    #[inline]
    pub(super) fn start(&mut self, tag: &StartTag<'_>, options: &Options, settings: &Settings) {
        if self.skipped > 0 || self.depth > options.max_depth || self.problem.is_some() {
            self.skipped += 1;
            return;
        }
        self.finish_text(options, settings);
        let comparison = &mut self.comparison;
        self.shape.start(tag, options, settings, comparison);
        self.depth += 1;
    }

    /// Reads a text, which may be outside of the row.
    #[inline]
    pub(super) fn text(&mut self, text: &str, options: &Options, settings: &Settings) {
        if !self.is_open() || self.skipped > 0 || self.problem.is_some() {
            return;
        }
        self.text_bytes += text.len() as u64;
        // PERF: whitespace between elements, which is half of the texts, is not copied.
        let is_left_out = settings.trims && self.text.is_empty() && is_whitespace(text);
        if self.text_bytes <= options.max_row_bytes && !is_left_out {
            self.text.push_str(text);
        }
    }

    /// Ends an element, which may be outside of the row, at the offset after its end tag. Returns true if it is the row.
    #[inline]
    pub(super) fn end(&mut self, end: u64, options: &Options, settings: &Settings) -> bool {
        if self.skipped > 0 {
            self.skipped -= 1;
            return false;
        }
        match self.depth {
            0 => return false,
            1 => self.check_length(end, options),
            _ => {}
        }
        self.finish_text(options, settings);
        self.depth -= 1;
        if self.is_open() {
            self.shape.end(options, &mut self.comparison);
        }
        !self.is_open()
    }

    /// Records the text since the last tag, unless it is whitespace.
    #[inline]
    fn finish_text(&mut self, options: &Options, settings: &Settings) {
        if self.text.is_empty() {
            return;
        }
        if !is_whitespace(&self.text) {
            let comparison = &mut self.comparison;
            self.shape.text(&self.text, options, settings, comparison);
        }
        self.text.clear();
    }

    /// Notes that the row is too long, if the part of it before an offset is.
    pub(super) fn check_length(&mut self, end: u64, options: &Options) {
        let limit = options.max_row_bytes;
        if end.saturating_sub(self.span.start) > limit || self.text_bytes > limit {
            self.problem = Some(Problem {
                kind: too_long(limit),
                span: self.span,
                position: self.position,
            });
        }
    }

    /// Notes an error of the parser. The first one in the row counts, and the last one outside of rows.
    pub(super) fn note(&mut self, problem: Problem) {
        match self.is_open() {
            true => _ = self.problem.get_or_insert(problem),
            false => self.problem = Some(problem),
        }
    }
}

/// Returns whether a text consists of the whitespace of XML.
fn is_whitespace(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}
