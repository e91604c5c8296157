//! The subcommand `check`: every error of every file, each with its line and a marker under its place.
//!
//! It writes; what is wrong, the library says.

use crate::failure::Failure;
use crate::guess;
use crate::input::Input;
use crate::options::{CheckOptions, DialectName};
use crate::output::Output;
use crate::resolve::{self, Resolver};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use bytes::Bytes;
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use tagstream::{
    Dialect, EntityPlace, Error, ErrorKind, Event, ParseError, Parser, Position, Span, Status,
};

/// So many bytes of a line are shown on either side of the place.
const AROUND: usize = 120;

/// Checks the files one after another.
pub(crate) fn run(options: &CheckOptions) -> Result<(), Failure> {
    let (mut output, coloured) = Output::coloured();
    let renderer = match coloured {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let mut errors = 0;
    let mut unusable = None;
    for file in &options.files {
        match check(file, options, &renderer, &mut output) {
            Ok(found) => errors += found,
            Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
            Err(failure) => {
                output.flush()?;
                if let Some(before) = unusable.replace(failure) {
                    before.report();
                }
            }
        }
    }
    output.flush()?;
    match (unusable, errors) {
        (Some(failure), _) => Err(failure),
        (None, 0) => Ok(()),
        (None, _) => Err(Failure::Found),
    }
}

/// Checks one file; gives the number of its errors.
fn check(
    file: &Path,
    options: &CheckOptions,
    renderer: &Renderer,
    output: &mut Output,
) -> Result<usize, Failure> {
    let bytes = Bytes::from(resolve::whole(file)?);
    let mut input = Input::of(file, bytes.clone());
    let dialect = match options.input.dialect {
        Some(dialect) => dialect,
        None => guess::dialect(file, &mut input)?,
    };
    let mut report = Report {
        file,
        bytes,
        renderer,
        output,
        resolver: options.input.resolver(file)?,
        errors: 0,
    };
    let options = &options.input;
    match dialect {
        DialectName::Xml => report.read(options.xml()?)?,
        DialectName::MicroXml => report.read(options.microxml())?,
        DialectName::Sky => report.read(options.sky(&mut input)?)?,
        DialectName::LeafXml => report.read(options.leafxml())?,
        DialectName::Html => report.read(options.html()?)?,
    }
    Ok(report.errors)
}

/// What is said of one file.
struct Report<'a> {
    file: &'a Path,
    bytes: Bytes,
    renderer: &'a Renderer,
    output: &'a mut Output,
    resolver: Option<Resolver>,
    errors: usize,
}

/// Something that is wrong, and where.
struct Finding {
    code: &'static str,
    sentence: String,
    span: Span,
    position: Position,
    entity: Option<EntityPlace>,
}

impl Finding {
    fn of(error: &ParseError<'_>) -> Finding {
        Finding {
            code: error.code().as_str(),
            sentence: error.code().sentence().to_owned(),
            span: error.span(),
            position: error.position(),
            entity: error.entity(),
        }
    }

    fn of_end(error: &Error) -> Finding {
        let sentence = match error.kind() {
            ErrorKind::Syntax(code) => code.sentence().to_owned(),
            ErrorKind::Limit(limit) => limit.sentence().to_owned(),
            _ => error.to_string(),
        };
        Finding {
            code: error.as_str(),
            sentence,
            span: error.span(),
            position: error.position(),
            entity: error.entity().cloned(),
        }
    }
}

impl Report<'_> {
    fn read<D: Dialect>(&mut self, dialect: D) -> Result<(), Failure> {
        let mut parser = Parser::new(dialect).errors(true);
        parser.feed(self.bytes.clone());
        parser.finish();
        let bytes = self.bytes.clone();
        let (mut text, mut ended) = (None, false);
        loop {
            let finding = match parser.next_event() {
                Ok(Some(Event::ParseError(error))) => Finding::of(&error),
                Ok(Some(_)) => continue,
                Ok(None) => {
                    let Status::NeedsEntity(request) = parser.status() else {
                        return Ok(());
                    };
                    resolve::answer(self.resolver.as_ref(), &request, &mut parser);
                    continue;
                }
                Err(error) => {
                    ended = true;
                    Finding::of_end(&error)
                }
            };
            self.say(
                &finding,
                text.get_or_insert_with(|| decoded(&bytes, &parser)),
            )?;
            if ended {
                return Ok(());
            }
        }
    }

    /// Writes one finding; `text` is what its span is a span of.
    fn say(&mut self, finding: &Finding, text: &[u8]) -> Result<(), Failure> {
        self.errors += 1;
        let title = Level::ERROR
            .primary_title(&finding.sentence)
            .id(finding.code);
        let path = self.file.display().to_string();
        let shown = |path: &str, text: &[u8], span: Span, position: Position, title| {
            let group = Group::with_title(title);
            let line = Line::of(text, span);
            let marker = AnnotationKind::Primary.span(line.from..line.to);
            let snippet = Snippet::source(line.text)
                .line_start(position.line() as usize)
                .annotation(marker);
            if line.begins {
                return group.element(snippet.path(path.to_owned()));
            }
            // The column can't be told from what is shown.
            let origin = Origin::path(path.to_owned())
                .line(position.line() as usize)
                .char_column(position.column() as usize);
            group.element(origin).element(snippet)
        };
        let (span, position) = (finding.span, finding.position);
        let groups = match &finding.entity {
            Some(place) => {
                let entity = place.location().unwrap_or(place.system_id());
                let note = Level::NOTE.secondary_title("the entity is read for this");
                let bytes = place.text().as_bytes();
                vec![
                    shown(entity, bytes, place.span(), place.position(), title),
                    shown(&path, text, span, position, note),
                ]
            }
            None => vec![shown(&path, text, span, position, title)],
        };
        let rendered = self.renderer.render(&groups);
        // Memory takes everything.
        let _ = write!(self.output.buffer(), "{rendered}\n\n");
        Ok(self.output.settle()?)
    }
}

/// The bytes that spans are spans of: those of the file, or of the text that was decoded from them.
fn decoded<'a, D: Dialect>(bytes: &'a [u8], parser: &Parser<D>) -> Cow<'a, [u8]> {
    let Some(encoding) = parser.encoding().filter(|encoding| !encoding.is_utf8()) else {
        return Cow::Borrowed(bytes);
    };
    let text = encoding.decode(bytes);
    Cow::Owned(text.trim_start_matches('\u{FEFF}').to_owned().into_bytes())
}

/// The line of a place, or what can be shown of it, and the place in that.
struct Line {
    text: String,
    from: usize,
    to: usize,
    /// It is shown from its beginning.
    begins: bool,
}

impl Line {
    fn of(text: &[u8], span: Span) -> Line {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let start = (span.start as usize).min(text.len());
        let before = &text[..start];
        let begin = before.iter().rposition(is_end).map_or(0, |at| at + 1);
        let rest = &text[start..];
        let end = start + rest.iter().position(is_end).unwrap_or(rest.len());
        // The marker goes no further than the line, nor the line than can be read.
        let stop = (span.end as usize).clamp(start, end).min(start + AROUND);
        let from = begin.max(start.saturating_sub(AROUND));
        let to = end.min(stop + AROUND);
        let mut line = String::new();
        if from > begin {
            line.push('…');
        }
        line.push_str(&String::from_utf8_lossy(&text[from..start]));
        let mark = line.len();
        line.push_str(&String::from_utf8_lossy(&text[start..stop]));
        let mark_end = line.len();
        line.push_str(&String::from_utf8_lossy(&text[stop..to]));
        if to < end {
            line.push('…');
        }
        Line {
            from: mark,
            to: mark_end,
            begins: from == begin,
            text: line,
        }
    }
}
