//! Writing of errors: in the form of compiler messages, or as JSON.

use super::excerpt::{Excerpt, excerpt_of};
use crate::json;
use crate::resolve::file_of;
use crate::shown::shown;
use annotate_snippets::renderer::{
    DEFAULT_EMPHASIS_STYLE, DEFAULT_ERROR_STYLE, DEFAULT_LINE_NUM_STYLE, Renderer,
};
use annotate_snippets::{AnnotationKind, Group, Level, Snippet};
use anstyle::Style;
use std::io::Write;
use std::path::Path;
use tagstream::{EntityPlace, Error, ErrorKind, ParseError, Position, Related, Relation, Span};

/// An error in the form in which it is written.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) code: &'static str,
    pub(crate) sentence: &'static str,
    pub(crate) span: Span,
    pub(crate) position: Position,
    /// The position in an external entity, if the error is in one. `span` and `position` are then those of the
    /// reference.
    pub(crate) entity: Option<EntityPlace>,
    /// A second position that the error refers to.
    pub(crate) related: Option<Related>,
}

impl From<ParseError<'_>> for Finding {
    fn from(error: ParseError<'_>) -> Finding {
        Finding {
            code: error.code().as_str(),
            sentence: error.code().message(),
            span: error.span(),
            position: error.position(),
            entity: error.entity(),
            related: error.related(),
        }
    }
}

impl Finding {
    /// Converts the error that ended a parse. Returns `None` if its cause is not the input.
    pub(crate) fn fatal(error: &Error) -> Option<Finding> {
        let sentence = match error.kind() {
            ErrorKind::Syntax(code) => code.message(),
            ErrorKind::Limit(limit) => limit.message(),
            _ => return None,
        };
        Some(Finding {
            code: error.as_str(),
            sentence,
            span: error.span(),
            position: error.position(),
            entity: error.entity().cloned(),
            related: error.related().cloned(),
        })
    }
}

/// The format of errors for reading.
pub(crate) struct Lines {
    renderer: Renderer,
    error: Style,
    sentence: Style,
    place: Style,
}

impl Lines {
    pub(crate) fn new(coloured: bool) -> Lines {
        if coloured {
            Lines {
                renderer: whole_lines(Renderer::styled()),
                error: DEFAULT_ERROR_STYLE,
                sentence: DEFAULT_EMPHASIS_STYLE,
                place: DEFAULT_LINE_NUM_STYLE,
            }
        } else {
            Lines {
                renderer: whole_lines(Renderer::plain()),
                error: Style::new(),
                sentence: Style::new(),
                place: Style::new(),
            }
        }
    }

    /// Writes an error and the lines that contain it, if they are available. If the error is in an external entity, the
    /// lines of the entity are first. Then writes the position that the error refers to, in the same way, and the hint.
    pub(crate) fn write(
        &self,
        file: &Path,
        finding: &Finding,
        [excerpt, related]: [Option<&Excerpt>; 2],
        hint: Option<&str>,
        out: &mut Vec<u8>,
    ) {
        let (error, sentence) = (self.error, self.sentence);
        // Writing to memory cannot fail.
        let _ = writeln!(
            out,
            "{error}error[{}]{error:#}{sentence}: {}{sentence:#}",
            finding.code, finding.sentence
        );
        let mut arrow = "-->";
        if let Some(place) = &finding.entity {
            self.write_in_entity(arrow, place, None, out);
            arrow = ":::";
        }
        self.write_place(arrow, file, finding.position, (excerpt, None), out);
        if let Some(second) = &finding.related {
            out.push(b'\n');
            let label = label(second.relation());
            if let Some(place) = second.entity() {
                self.write_in_entity(":::", place, Some(label), out);
            }
            let at = (related, Some(label));
            self.write_place(":::", file, second.position(), at, out);
        }
        if let Some(hint) = hint {
            let (place, margin) = (self.place, finding.position.line().to_string().len());
            let hint = shown(hint);
            let _ = write!(out, "\n{:margin$} {place}={place:#} help: {hint}", "");
        }
        out.extend_from_slice(b"\n\n");
    }

    /// Writes a position in an external entity and its lines.
    fn write_in_entity(
        &self,
        arrow: &str,
        place: &EntityPlace,
        label: Option<&'static str>,
        out: &mut Vec<u8>,
    ) {
        let excerpt = excerpt_of(place.text(), place.span().into());
        let at = (excerpt.as_ref(), label);
        self.write_place(arrow, &file_of(place), place.position(), at, out);
        out.push(b'\n');
    }

    /// Writes a position and its lines. A label marks a position that the error refers to; the position of the error
    /// itself has none.
    ///
    /// The heading is written here, because the library would count columns from the position at which the line was
    /// cut.
    fn write_place(
        &self,
        arrow: &str,
        file: &Path,
        position: Position,
        (excerpt, label): (Option<&Excerpt>, Option<&'static str>),
        out: &mut Vec<u8>,
    ) {
        let line = position.line();
        let last = line + excerpt.map_or(0, |excerpt| excerpt.lines.saturating_sub(1) as u64);
        let margin = last.to_string().len();
        let place = self.place;
        let _ = write!(out, "{:margin$}{place}{arrow} {place:#}", "");
        let _ = writeln!(out, "{}:{position}", shown(&file.to_string_lossy()));
        match excerpt {
            Some(excerpt) => {
                let rendered = self.render(excerpt, line, label);
                out.extend_from_slice(rendered.as_bytes());
            }
            None => {
                let what = label.map(|label| [label, ", "].concat());
                let what = what.unwrap_or_default();
                let _ = write!(
                    out,
                    "{:margin$} {place}={place:#} {what}too long ago to be shown",
                    ""
                );
            }
        }
    }

    fn render(&self, excerpt: &Excerpt, line: u64, label: Option<&'static str>) -> String {
        let above = u64::from(excerpt.context.is_some());
        let first = usize::try_from(line.saturating_sub(above)).unwrap_or(usize::MAX);
        // Without this newline, the library would mark the end of the text in the preceding line.
        let text = [&excerpt.text, "\n"].concat();
        let marked = match label {
            None => AnnotationKind::Primary.span(excerpt.marked.clone()),
            Some(label) => AnnotationKind::Context
                .span(excerpt.marked.clone())
                .label(label),
        };
        let context = excerpt.context.clone();
        let snippet = Snippet::source(text)
            .line_start(first)
            .annotation(marked)
            .annotations(context.map(|line| AnnotationKind::Visible.span(line)));
        self.renderer
            .render(&[Group::with_level(Level::ERROR).element(snippet)])
    }
}

/// Returns the label of the position that an error refers to.
fn label(relation: Relation) -> &'static str {
    match relation {
        Relation::OpenTag => "opened here",
        Relation::FirstAttribute => "first here",
        Relation::Declaration => "declared here",
        _ => "see here",
    }
}

/// Disables cutting of lines in the library: lines are already cut.
fn whole_lines(renderer: Renderer) -> Renderer {
    renderer.term_width(usize::MAX / 4)
}

/// Writes an error as one line of JSON.
pub(crate) fn write_json(file: &Path, finding: &Finding, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"file":"#);
    json::string(&file.to_string_lossy(), out);
    out.extend_from_slice(br#","code":"#);
    json::string(finding.code, out);
    out.extend_from_slice(br#","message":"#);
    json::string(finding.sentence, out);
    json::position(finding.position, out);
    if let Some(place) = &finding.entity {
        json::entity(place, out);
    }
    if let Some(related) = &finding.related {
        json::related(related, out);
    }
    json::span(finding.span, out);
}
