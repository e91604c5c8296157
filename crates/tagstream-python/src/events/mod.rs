//! Events as Python objects, one for each event, with names that Python interns.

mod classes;
pub(crate) mod parser;

pub(crate) use classes::{
    AddedAttributes, Comment, Doctype, EncodingChange, EndTag, ErrorEvent, ProcessingInstruction,
    SkippedEntity, StartTag, Text, XmlDeclaration,
};

use crate::untracked::untracked;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use pyo3::{PyClass, PyClassInitializer};
use tagstream::{Attributes, Event};

/// Names and values of attributes.
type Pairs = Vec<(Py<PyString>, Py<PyString>)>;

/// An event that does not borrow from the parser: it has strings of Python, and no object that the garbage collector
/// tracks. So it can be made while the parser is locked.
pub(crate) enum Made {
    Start(StartTag, Pairs),
    End(EndTag),
    Text(Text),
    Comment(Comment),
    Instruction(ProcessingInstruction),
    Doctype(Doctype),
    Declaration(XmlDeclaration),
    SkippedEntity(SkippedEntity),
    EncodingChange(EncodingChange),
    Attributes(AddedAttributes, Pairs),
    Error(ErrorEvent),
}

/// The place of an event in the input. The line and the column are 0 if they were not requested.
#[derive(Clone, Copy)]
pub(super) struct EventPlace {
    offset: u64,
    end: u64,
    line: u64,
    column: u64,
}

impl EventPlace {
    /// Returns the place of an event. Line and column are computed only on request, because they take more time than the
    /// rest.
    fn of(event: &Event<'_>, positions: bool) -> EventPlace {
        let (line, column) = match positions {
            true => {
                let position = event.position();
                (position.line(), position.column())
            }
            false => (0, 0),
        };
        let span = event.span();
        let (offset, end) = (span.start, span.end);
        EventPlace {
            offset,
            end,
            line,
            column,
        }
    }
}

fn pairs(py: Python<'_>, attributes: Attributes<'_>) -> Pairs {
    let pair = |(name, value): (&str, &str)| {
        (
            PyString::intern(py, name).unbind(),
            PyString::new(py, value).unbind(),
        )
    };
    attributes
        .map(|attribute| pair((attribute.name(), attribute.value())))
        .collect()
}

fn dictionary(py: Python<'_>, pairs: Pairs) -> PyResult<Option<Py<PyDict>>> {
    let dictionary = PyDict::new(py);
    for (name, value) in pairs {
        dictionary.set_item(name, value)?;
    }
    Ok(Some(dictionary.unbind()))
}

impl Made {
    /// Copies an event, or returns `None` for an event of a kind that has no class.
    fn of(py: Python<'_>, event: Event<'_>, positions: bool) -> Option<Made> {
        let place = EventPlace::of(&event, positions);
        let EventPlace {
            offset,
            end,
            line,
            column,
        } = place;
        let is_moved = event.is_moved();
        let name = |name: &str| PyString::intern(py, name).unbind();
        let string = |text: &str| PyString::new(py, text).unbind();
        Some(match event {
            Event::Start(tag) => {
                let (is_implied, is_self_closing) = (tag.is_implied(), tag.is_self_closing());
                let (name, attributes) = (name(tag.name()), None);
                let made = StartTag {
                    name,
                    attributes,
                    is_implied,
                    is_self_closing,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                };
                Made::Start(made, pairs(py, tag.attributes()))
            }
            Event::End(tag) => {
                let (name, is_implied) = (name(tag.name()), tag.is_implied());
                Made::End(EndTag {
                    name,
                    is_implied,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::Text(text) => {
                let text = string(text.as_str());
                Made::Text(Text {
                    text,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::Comment(comment) => {
                let text = string(comment.as_str());
                Made::Comment(Comment {
                    text,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::ProcessingInstruction(instruction) => {
                let (target, data) = (name(instruction.target()), string(instruction.data()));
                Made::Instruction(ProcessingInstruction {
                    target,
                    data,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            event => return Made::rare(py, event, place),
        })
    }

    /// Copies an event of another kind.
    fn rare(py: Python<'_>, event: Event<'_>, place: EventPlace) -> Option<Made> {
        let EventPlace {
            offset,
            end,
            line,
            column,
        } = place;
        let name = |name: &str| PyString::intern(py, name).unbind();
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Some(match event {
            Event::Doctype(doctype) => {
                let (public_id, system_id) =
                    (owned(doctype.public_id()), owned(doctype.system_id()));
                let (name, force_quirks) = (name(doctype.name()), doctype.force_quirks());
                Made::Doctype(Doctype {
                    name,
                    public_id,
                    system_id,
                    force_quirks,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::Declaration(declaration) => {
                let (version, encoding) =
                    (owned(declaration.version()), owned(declaration.encoding()));
                let standalone = declaration.standalone();
                Made::Declaration(XmlDeclaration {
                    version,
                    encoding,
                    standalone,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::SkippedEntity(entity) => {
                let name = name(entity.name());
                Made::SkippedEntity(SkippedEntity {
                    name,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::EncodingChange(change) => {
                let label = change.label().to_owned();
                Made::EncodingChange(EncodingChange {
                    label,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::ParseError(error) => {
                let (code, message) = (error.code().as_str(), error.to_string());
                Made::Error(ErrorEvent {
                    code,
                    message,
                    offset,
                    end,
                    line,
                    column,
                })
            }
            Event::Attributes(added) => {
                let (name, attributes) = (name(added.name()), None);
                let made = AddedAttributes {
                    name,
                    attributes,
                    offset,
                    end,
                    line,
                    column,
                };
                Made::Attributes(made, pairs(py, added.attributes()))
            }
            _ => return None,
        })
    }

    /// Returns the event as an object of its class.
    fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Made::Start(mut tag, pairs) => {
                tag.attributes = dictionary(py, pairs)?;
                object(py, tag)
            }
            Made::End(tag) => object(py, tag),
            Made::Text(text) => object(py, text),
            Made::Comment(comment) => object(py, comment),
            Made::Instruction(instruction) => object(py, instruction),
            Made::Doctype(doctype) => object(py, doctype),
            Made::Declaration(declaration) => object(py, declaration),
            Made::SkippedEntity(entity) => object(py, entity),
            Made::EncodingChange(change) => object(py, change),
            Made::Error(error) => object(py, error),
            Made::Attributes(mut added, pairs) => {
                added.attributes = dictionary(py, pairs)?;
                object(py, added)
            }
        }
    }
}

fn object<T>(py: Python<'_>, event: T) -> PyResult<Bound<'_, PyAny>>
where
    T: PyClass + Into<PyClassInitializer<T>>,
{
    Ok(untracked(Bound::new(py, event)?).into_any())
}
