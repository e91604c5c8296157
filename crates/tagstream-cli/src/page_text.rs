//! The subcommand `text`: writes the text of documents as a browser shows it.
//!
//! The document is read as a stream, and its text is written as soon as it is known, so that the memory does not depend
//! on the length of the document.

use crate::failure::Failure;
use crate::input::Input;
use crate::options::TextOptions;
use crate::output::Output;
use crate::resolve;
use crate::shown;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use tagstream::{Balance, InnerText, Nested, Parser, Status};

/// Writes the text of `input`, and a newline after it if there is any.
pub(crate) fn run<D: Balance>(
    dialect: D,
    options: &TextOptions,
    mut input: Input,
) -> Result<(), Failure> {
    input.show_progress();
    let mut text = Text {
        document: InnerText::new(),
        is_line_open: false,
        is_seen: io::stdout().is_terminal(),
        output: Output::plain(),
    };
    let done = pump(
        Parser::new(dialect).balanced(),
        options,
        &mut input,
        &mut text,
    );
    // Text that was read before a failure is written, before the failure is reported.
    text.end_line();
    let flushed = text.output.flush();
    done?;
    Ok(flushed?)
}

fn pump<D: Balance>(
    mut parser: Parser<D, Nested>,
    options: &TextOptions,
    input: &mut Input,
    text: &mut Text,
) -> Result<(), Failure> {
    let resolver = options.input.resolver(input.file())?;
    loop {
        let chunk = input.next(&mut text.output)?;
        let ended = chunk.is_none();
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event() {
                Ok(Some(event)) => _ = text.document.take(&event),
                Ok(None) => match parser.status() {
                    Status::NeedsEntity(request) => {
                        resolve::answer(resolver.as_ref(), &request, &mut parser);
                        continue;
                    }
                    _ => break,
                },
                Err(error) => return Err(Failure::parse(input.file(), &error)),
            }
            text.settle()?;
        }
        if ended {
            return Ok(());
        }
    }
}

/// Writer of the text of one document.
struct Text {
    document: InnerText,
    /// True if a line was written without its newline.
    is_line_open: bool,
    is_seen: bool,
    output: Output,
}

impl Text {
    /// Writes the text that is known.
    fn settle(&mut self) -> Result<(), Failure> {
        let known = self.document.take_text();
        if !known.is_empty() {
            self.is_line_open = true;
            // The next flush returns the error, if one occurs.
            _ = match self.is_seen {
                true => shown::write_lines(&known, &mut self.output),
                false => self.output.write_str(&known),
            };
        }
        Ok(self.output.settle()?)
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_line_open) {
            // The next flush returns the error, if one occurs.
            _ = self.output.write_str("\n");
        }
    }
}
