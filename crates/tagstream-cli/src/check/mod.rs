//! The subcommand `check`: writes every error of every file, with the lines that contain the error.
//!
//! The input is passed to a parser, which reports errors and their positions, and to a [`Source`], which retains the
//! part of the text that is needed to show them.

mod excerpt;
mod hint;
mod missing_quote;
mod report;
mod source;
mod tally;
mod untreed;

use crate::failure::Failure;
use crate::guess;
use crate::input::Input;
use crate::options::{CheckFormat, CheckOptions, DialectName};
use crate::output::Output;
use crate::resolve::{self, Asks, Resolver};
use bytes::Bytes;
use missing_quote::MissingQuote;
use report::{Finding, Lines};
use source::Source;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tagstream::{
    Balance, Buildable, Encoding, Error, Event, Nested, Parser, Related, Status, TextPolicy,
    TreeBuilder,
};
use tally::{Outcome, Tally};
use untreed::NoTree;

/// A parser or tree builder that reports the errors of a document, including those of tree construction.
trait Reader: Asks {
    fn feed(&mut self, chunk: Bytes);
    fn finish(&mut self);
    fn next_event(&mut self) -> Result<Option<Event<'_>>, Error>;
    fn encoding(&self) -> Option<Encoding>;
    fn status(&self) -> Status;
}

impl<D: Balance> Reader for Parser<D, Nested> {
    fn feed(&mut self, chunk: Bytes) {
        Parser::feed(self, chunk);
    }

    fn finish(&mut self) {
        Parser::finish(self);
    }

    fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        Parser::next_event(self)
    }

    fn encoding(&self) -> Option<Encoding> {
        Parser::encoding(self)
    }

    fn status(&self) -> Status {
        Parser::status(self)
    }
}

impl<D: Buildable> Reader for TreeBuilder<D, NoTree> {
    fn feed(&mut self, chunk: Bytes) {
        TreeBuilder::supply(self, chunk);
    }

    fn finish(&mut self) {
        TreeBuilder::supply_end(self);
    }

    fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        TreeBuilder::next_event(self)
    }

    fn encoding(&self) -> Option<Encoding> {
        TreeBuilder::encoding(self)
    }

    fn status(&self) -> Status {
        TreeBuilder::status(self)
    }
}

/// Creates a reader for a dialect whose tree construction is a stage of the event stream. Text arrives in pieces, so
/// that no run of text is buffered.
fn balanced<D: Balance>(dialect: D) -> Parser<D, Nested> {
    Parser::new(dialect)
        .balanced()
        .text(TextPolicy::Pieces)
        .report_errors(true)
}

/// Checks all files and returns the exit status.
pub(crate) fn run(options: &CheckOptions) -> ExitCode {
    let (output, lines) = match options.format {
        CheckFormat::Json => (Output::plain(), None),
        CheckFormat::Text => {
            let (output, coloured) = Output::coloured();
            (output, Some(Lines::new(coloured)))
        }
    };
    let mut check = Check {
        options,
        output,
        lines,
        found: 0,
    };
    let mut tally = Tally::default();
    for file in &options.files {
        check.found = 0;
        let read = check.file(file);
        // The errors of a file are written before a failure to read the file is reported.
        let read = read.and(check.output.flush().map_err(Failure::from));
        let outcome = match read {
            Ok(()) => Outcome::Read,
            // The pipe can be closed only if errors were written.
            Err(Failure::ClosedPipe) => return ExitCode::from(1),
            Err(failure) => {
                failure.report();
                Outcome::Unusable
            }
        };
        tally.add(file, check.found, outcome);
    }
    tally.report()
}

struct Check<'a> {
    options: &'a CheckOptions,
    output: Output,
    /// The format of errors for reading. `None` if errors are written as JSON.
    lines: Option<Lines>,
    /// Number of errors found so far in the current file.
    found: u64,
}

impl Check<'_> {
    fn file(&mut self, file: &Path) -> Result<(), Failure> {
        let options = &self.options.input;
        let mut input = Input::open(file, options.given(file, None))?;
        input.show_progress();
        let dialect = match options.dialect {
            Some(dialect) => dialect,
            None => guess::dialect(file, &mut input)?,
        };
        match dialect {
            DialectName::Xml => self.read(balanced(options.xml()?), dialect, input),
            DialectName::MicroXml => self.read(balanced(options.microxml()?), dialect, input),
            DialectName::Sky => {
                let sky = options.sky(&mut input)?;
                self.read(balanced(sky), dialect, input)
            }
            DialectName::LeafXml => self.read(balanced(options.leafxml()?), dialect, input),
            DialectName::Html => {
                let html = options.recovering_html()?;
                let builder = TreeBuilder::with_sink(html, NoTree::default());
                self.read(builder.report_errors(true), dialect, input)
            }
        }
    }

    fn read(
        &mut self,
        mut reader: impl Reader,
        dialect: DialectName,
        mut input: Input,
    ) -> Result<(), Failure> {
        let file = input.file().to_owned();
        let resolver = self.options.input.resolver(&file)?;
        let mut shown = Showing::new(&file, dialect);
        let mut is_done = false;
        loop {
            let chunk = input.next(&mut self.output);
            let (chunk, failure) = match chunk {
                Ok(chunk) => (chunk, None),
                Err(failure) => (None, Some(failure)),
            };
            let ended = chunk.is_none();
            shown.source.take(chunk.as_ref());
            if !is_done && failure.is_none() {
                match chunk {
                    Some(chunk) => reader.feed(chunk),
                    None => reader.finish(),
                }
                is_done = self.drain(&mut reader, resolver.as_ref(), &file, &mut shown)?;
            }
            match reader.encoding() {
                Some(encoding) => shown.source.settle(encoding),
                None if ended => shown.source.settle(Encoding::UTF_8),
                None => {}
            }
            self.show(&file, &mut shown)?;
            if let Some(failure) = failure {
                return Err(failure);
            }
            // After the parse has ended, the rest of the line is still read, to show it.
            if ended || is_done && shown.findings.is_empty() {
                return Ok(());
            }
        }
    }

    /// Collects the errors in the input that was fed. Returns true if the parse has ended.
    fn drain(
        &mut self,
        reader: &mut impl Reader,
        resolver: Option<&Resolver>,
        file: &Path,
        shown: &mut Showing,
    ) -> Result<bool, Failure> {
        loop {
            let (finding, is_last) = match reader.next_event() {
                Ok(Some(Event::ParseError(error))) => (error.into(), self.options.input.strict),
                Ok(Some(event)) => {
                    shown.passed = event.span().end;
                    if shown.quote.is_holding() {
                        self.release(reader, shown)?;
                    }
                    continue;
                }
                Ok(None) => match reader.status() {
                    Status::NeedsEntity(request) => {
                        resolve::answer(resolver, &request, reader);
                        continue;
                    }
                    status => {
                        if matches!(status, Status::Finished) {
                            self.release(reader, shown)?;
                        }
                        return Ok(false);
                    }
                },
                Err(error) => match Finding::fatal(&error) {
                    Some(finding) => (finding, true),
                    None => return Err(Failure::parse(file, &error)),
                },
            };
            let found = match shown.dialect {
                DialectName::Xml => shown.quote.add(finding),
                _ => vec![finding],
            };
            self.add(found, shown)?;
            if is_last {
                self.release(reader, shown)?;
                return Ok(true);
            }
        }
    }

    /// Adds the errors that were held back until the end of their tag.
    fn release(&mut self, reader: &impl Reader, shown: &mut Showing) -> Result<(), Failure> {
        if let Some(encoding) = reader.encoding() {
            shown.source.settle(encoding);
        }
        let released = shown.quote.release(&shown.source);
        self.add(released, shown)
    }

    /// Writes errors as JSON, or adds them to those that wait for their text.
    fn add(&mut self, found: Vec<Finding>, shown: &mut Showing) -> Result<(), Failure> {
        self.found += found.len() as u64;
        if self.lines.is_some() {
            shown.findings.extend(found);
            return Ok(());
        }
        for finding in &found {
            report::write_json(&shown.file, finding, self.output.buffer());
            self.output.settle()?;
        }
        Ok(())
    }

    /// Writes the errors whose lines are available.
    fn show(&mut self, file: &Path, shown: &mut Showing) -> Result<(), Failure> {
        while let Some(finding) = shown.findings.front() {
            if !excerpt::is_ready(&shown.source, finding.span.into()) {
                break;
            }
            let excerpt = excerpt::excerpt(&shown.source, finding.span.into());
            let related = finding.related.as_ref().map(Related::span);
            let related = related.filter(|span| span.start + RELATED >= finding.span.start);
            let related = related.and_then(|span| excerpt::excerpt(&shown.source, span.into()));
            let excerpts = [excerpt.as_ref(), related.as_ref()];
            let hint = hint::hint(finding, shown.dialect, &shown.source);
            if let Some(lines) = &self.lines {
                lines.write(
                    file,
                    finding,
                    excerpts,
                    hint.as_deref(),
                    self.output.buffer(),
                );
            }
            self.output.settle()?;
            shown.findings.pop_front();
        }
        let first = shown.findings.front();
        let needed = first.map_or(shown.passed, |first| first.span.start.min(shown.passed));
        let before = excerpt::BEFORE as u64 + RELATED;
        shown.source.forget(needed.saturating_sub(before));
        Ok(())
    }
}

/// Maximum distance in bytes between an error and a preceding position that it refers to, for the text at that position
/// to be shown. This is also the amount of text that is retained before an error.
const RELATED: u64 = 64 << 10;

/// The errors of a file that wait for the rest of their text.
struct Showing {
    file: PathBuf,
    dialect: DialectName,
    quote: MissingQuote,
    findings: VecDeque<Finding>,
    source: Source,
    /// Byte offset before which no later error begins: the end of the last event.
    passed: u64,
}

impl Showing {
    fn new(file: &Path, dialect: DialectName) -> Showing {
        Showing {
            file: file.to_owned(),
            dialect,
            quote: MissingQuote::default(),
            findings: VecDeque::new(),
            source: Source::default(),
            passed: 0,
        }
    }
}
