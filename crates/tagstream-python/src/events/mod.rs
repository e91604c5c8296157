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

/// The place of an event. The line and the column are 0 if they were not requested.
struct EventPlace {
    offset: u64,
    end: u64,
    line: u64,
    column: u64,
}

/// The kind of an event with its data.
enum Kind {
    Start {
        name: Py<PyString>,
        attributes: Pairs,
        is_implied: bool,
        is_self_closing: bool,
    },
    End {
        name: Py<PyString>,
        is_implied: bool,
    },
    Text(Py<PyString>),
    Comment(Py<PyString>),
    Instruction {
        target: Py<PyString>,
        data: Py<PyString>,
    },
    Doctype {
        name: Py<PyString>,
        public_id: Option<String>,
        system_id: Option<String>,
        force_quirks: bool,
    },
    Declaration {
        version: Option<String>,
        encoding: Option<String>,
        standalone: Option<bool>,
    },
    SkippedEntity(Py<PyString>),
    EncodingChange(String),
    Error {
        code: &'static str,
        message: String,
    },
    Attributes {
        name: Py<PyString>,
        attributes: Pairs,
    },
}

/// An event that does not borrow from the parser: it has strings of Python, and no object that the garbage collector
/// tracks. So it can be made while the parser is locked.
pub(crate) struct Made {
    kind: Kind,
    place: EventPlace,
    is_moved: bool,
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

fn dictionary(py: Python<'_>, pairs: Pairs) -> PyResult<Py<PyDict>> {
    let dictionary = PyDict::new(py);
    for (name, value) in pairs {
        dictionary.set_item(name, value)?;
    }
    Ok(dictionary.unbind())
}

impl Made {
    /// Copies an event, or returns `None` for an event of a kind that has no class. Line and column are computed only on
    /// request, because they take more time than the rest.
    fn of(py: Python<'_>, event: Event<'_>, positions: bool) -> Option<Made> {
        let (line, column) = match positions {
            true => {
                let position = event.position();
                (position.line(), position.column())
            }
            false => (0, 0),
        };
        let span = event.span();
        let name = |name: &str| PyString::intern(py, name).unbind();
        let string = |text: &str| PyString::new(py, text).unbind();
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let kind = match event {
            Event::Start(tag) => Kind::Start {
                name: name(tag.name()),
                attributes: pairs(py, tag.attributes()),
                is_implied: tag.is_implied(),
                is_self_closing: tag.is_self_closing(),
            },
            Event::End(tag) => Kind::End {
                name: name(tag.name()),
                is_implied: tag.is_implied(),
            },
            Event::Text(text) => Kind::Text(string(text.as_str())),
            Event::Comment(comment) => Kind::Comment(string(comment.as_str())),
            Event::ProcessingInstruction(instruction) => Kind::Instruction {
                target: name(instruction.target()),
                data: string(instruction.data()),
            },
            Event::Doctype(doctype) => Kind::Doctype {
                name: name(doctype.name()),
                public_id: owned(doctype.public_id()),
                system_id: owned(doctype.system_id()),
                force_quirks: doctype.force_quirks(),
            },
            Event::Declaration(declaration) => Kind::Declaration {
                version: owned(declaration.version()),
                encoding: owned(declaration.encoding()),
                standalone: declaration.standalone(),
            },
            Event::SkippedEntity(entity) => Kind::SkippedEntity(name(entity.name())),
            Event::EncodingChange(change) => Kind::EncodingChange(change.label().to_owned()),
            Event::ParseError(error) => Kind::Error {
                code: error.code().as_str(),
                message: error.to_string(),
            },
            Event::Attributes(added) => Kind::Attributes {
                name: name(added.name()),
                attributes: pairs(py, added.attributes()),
            },
            _ => return None,
        };
        let place = EventPlace {
            offset: span.start,
            end: span.end,
            line,
            column,
        };
        Some(Made {
            kind,
            place,
            is_moved: event.is_moved(),
        })
    }

    /// Returns the event as an object of its class.
    fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let Made {
            kind,
            is_moved,
            place:
                EventPlace {
                    offset,
                    end,
                    line,
                    column,
                },
        } = self;
        match kind {
            Kind::Start {
                name,
                attributes,
                is_implied,
                is_self_closing,
            } => {
                let attributes = dictionary(py, attributes)?;
                let tag = StartTag {
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
                object(py, tag)
            }
            Kind::End { name, is_implied } => object(
                py,
                EndTag {
                    name,
                    is_implied,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::Text(text) => object(
                py,
                Text {
                    text,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::Comment(text) => object(
                py,
                Comment {
                    text,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::Instruction { target, data } => object(
                py,
                ProcessingInstruction {
                    target,
                    data,
                    is_moved,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::Doctype {
                name,
                public_id,
                system_id,
                force_quirks,
            } => object(
                py,
                Doctype {
                    name,
                    public_id,
                    system_id,
                    force_quirks,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::Declaration {
                version,
                encoding,
                standalone,
            } => object(
                py,
                XmlDeclaration {
                    version,
                    encoding,
                    standalone,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::SkippedEntity(name) => object(
                py,
                SkippedEntity {
                    name,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::EncodingChange(label) => object(
                py,
                EncodingChange {
                    label,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::Error { code, message } => object(
                py,
                ErrorEvent {
                    code,
                    message,
                    offset,
                    end,
                    line,
                    column,
                },
            ),
            Kind::Attributes { name, attributes } => {
                let attributes = dictionary(py, attributes)?;
                object(
                    py,
                    AddedAttributes {
                        name,
                        attributes,
                        offset,
                        end,
                        line,
                        column,
                    },
                )
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
