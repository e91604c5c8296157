//! Serialization of errors, and of the spans, positions and entities that errors contain.

use super::shape::{names, structs};
use super::stored;
use crate::engine::entity::EntityId;
use crate::engine::error::{
    About, Category, EditError, EntityPlace, Error, ErrorCode, ErrorKind, Position, Related,
    Relation, Span,
};
#[cfg(feature = "select")]
use crate::engine::error::{SelectorError, SelectorErrorKind};
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limit;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::{fmt, mem};

type Text<'a> = Cow<'a, str>;

names! {
    Category {
        Input = "input",
        Limit = "limit",
        Use = "use",
        Source = "source",
        Other = "other",
    }

    Relation {
        OpenTag = "open_tag",
        FirstAttribute = "first_attribute",
        Declaration = "declaration",
    }
}

structs! {
    SpanForm {
        start: u64,
        end: u64,
        --
    }

    PositionForm {
        line: u64,
        column: u64,
        column_utf16: u64,
        --
    }

    /// The serialized form of an [`Error`].
    ErrorForm<'a> {
        // The name of the variant of `ErrorKind`, with underscores.
        kind: Text<'a>,
        span: Span,
        position: Position,
        --
        code: Option<ErrorCode>,
        limit: Option<Limit>,
        // The configured value of the limit that was exceeded.
        limited_to: Option<u64>,
        encoding: Option<Text<'a>>,
        edit: Option<Text<'a>>,
        selector: Option<SelectorForm<'a>>,
        // The message of the error that the source of the input, or the program, returned.
        source: Option<String>,
        written: Option<Text<'a>>,
        open_element: Option<Text<'a>>,
        related: Option<Related>,
        entity: Option<EntityPlace>,
    }

    /// The serialized form of a selector error. It exists without the feature `select` too, so that all builds read the
    /// same values.
    #[derive(PartialEq)]
    SelectorForm<'a> {
        kind: Text<'a>,
        offset: u64,
        what: Text<'a>,
        --
    }

    RelatedForm {
        relation: Relation,
        span: Span,
        position: Position,
        --
        entity: Option<EntityPlace>,
    }

    /// The serialized form of a location in an external entity.
    PlaceForm<'a> {
        system_id: Text<'a>,
        span: Span,
        position: Position,
        --
        name: Option<Text<'a>>,
        is_parameter: bool,
        public_id: Option<Text<'a>>,
        base: Option<Text<'a>>,
        location: Option<Text<'a>>,
        text: Text<'a>,
    }
}

stored! { Span as SpanForm, Position as PositionForm, Error as ErrorForm, Related as RelatedForm }
stored! { EntityPlace as PlaceForm }

impl SpanForm {
    fn of(span: &Span) -> SpanForm {
        let Span { start, end } = *span;
        SpanForm { start, end }
    }

    fn value(self) -> Result<Span, &'static str> {
        let SpanForm { start, end } = self;
        match start <= end {
            true => Ok(Span { start, end }),
            false => Err("a span ends before it begins"),
        }
    }
}

impl PositionForm {
    fn of(position: &Position) -> PositionForm {
        PositionForm {
            line: position.line(),
            column: position.column(),
            column_utf16: position.column_utf16(),
        }
    }

    fn value(self) -> Result<Position, &'static str> {
        match [self.line, self.column, self.column_utf16].contains(&0) {
            true => Err("lines and columns are counted from 1"),
            false => Ok(Position::new(self.line, self.column, self.column_utf16)),
        }
    }
}

impl<'a> PlaceForm<'a> {
    fn of(place: &'a EntityPlace) -> PlaceForm<'a> {
        PlaceForm {
            system_id: place.system_id().into(),
            span: place.span(),
            position: place.position(),
            name: place.name().map(Cow::from),
            is_parameter: place.id.is_parameter,
            public_id: place.public_id().map(Cow::from),
            base: place.id.base.as_deref().map(Cow::from),
            location: place.location().map(Cow::from),
            text: place.text().into(),
        }
    }

    fn value(self) -> Result<EntityPlace, &'static str> {
        Ok(EntityPlace {
            id: Arc::new(EntityId {
                name: self.name.map(Cow::into_owned),
                is_parameter: self.is_parameter,
                public_id: self.public_id.map(Cow::into_owned),
                system_id: self.system_id.into_owned(),
                base: self.base.map(Arc::from),
            }),
            location: self.location.map(Arc::from),
            text: Arc::from(self.text),
            span: self.span,
            position: self.position,
        })
    }
}

impl RelatedForm {
    fn of(related: &Related) -> RelatedForm {
        RelatedForm {
            relation: related.relation(),
            span: related.span(),
            position: related.position(),
            entity: related.entity().cloned(),
        }
    }

    fn value(self) -> Result<Related, &'static str> {
        let (span, position) = (self.span, self.position);
        Ok(Related::new(self.relation, span, position, self.entity))
    }
}

/// The deserialized replacement of an error that the source of the input returned: only its message was stored.
#[derive(Debug)]
struct Words(String);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Words {}

impl<'a> ErrorForm<'a> {
    fn of(error: &'a Error) -> ErrorForm<'a> {
        let mut form = ErrorForm {
            // Replaced by `set_kind`.
            kind: Cow::Borrowed(""),
            span: error.span(),
            position: error.position(),
            code: error.code(),
            limit: error.limit(),
            limited_to: error.limited_to().map(|number| number as u64),
            encoding: None,
            edit: None,
            selector: None,
            source: None,
            written: error.written().map(Cow::from),
            open_element: error.open_element().map(Cow::from),
            related: error.related().cloned(),
            entity: error.entity().cloned(),
        };
        form.kind = form.set_kind(error).into();
        form
    }

    /// Sets the fields with the contents of the kind of the error. Returns the name of the kind.
    fn set_kind(&mut self, error: &'a Error) -> &'static str {
        match error.kind() {
            ErrorKind::Syntax(_) => "syntax",
            ErrorKind::Limit(_) => "limit",
            ErrorKind::FeedAfterFinish => "feed_after_finish",
            ErrorKind::TextAfterBytes => "text_after_bytes",
            ErrorKind::UnavailableEncoding(encoding) => {
                self.encoding = Some(encoding.name().into());
                "unavailable_encoding"
            }
            ErrorKind::Waiting => "waiting",
            ErrorKind::NotPaused => "not_paused",
            ErrorKind::NoElement => "no_element",
            ErrorKind::Edit(edit) => {
                self.edit = Some(edit.as_str().into());
                if let EditError::Name(name) = edit {
                    self.written = Some(Cow::from(&**name));
                }
                "edit"
            }
            #[cfg(feature = "select")]
            ErrorKind::Selector(error) => {
                self.selector = Some(SelectorForm::of(error));
                "selector"
            }
            ErrorKind::Source(error) => {
                self.source = Some(error.to_string());
                "source"
            }
            ErrorKind::Other(error) => {
                self.source = Some(error.to_string());
                "other"
            }
        }
    }

    fn value(self) -> Result<Error, &'static str> {
        let mut written = self.written.map(Cow::into_owned).unwrap_or_default();
        let source = || Arc::new(Words(self.source.unwrap_or_default()));
        let kind = match &*self.kind {
            "syntax" => ErrorKind::Syntax(self.code.ok_or("the error has no code")?),
            "limit" => ErrorKind::Limit(self.limit.ok_or("the error has no limit")?),
            "feed_after_finish" => ErrorKind::FeedAfterFinish,
            "text_after_bytes" => ErrorKind::TextAfterBytes,
            "unavailable_encoding" => {
                let name = self.encoding.unwrap_or_default();
                let known = Encoding::for_xml_label(&name).or_else(|| Encoding::for_label(&name));
                ErrorKind::UnavailableEncoding(known.ok_or("no encoding of this name")?)
            }
            "waiting" => ErrorKind::Waiting,
            "not_paused" => ErrorKind::NotPaused,
            "no_element" => ErrorKind::NoElement,
            "edit" => {
                let edit = self.edit.ok_or("the error is of no edit")?;
                ErrorKind::Edit(edit_error(&edit, &mut written)?)
            }
            "selector" => {
                let selector = self.selector.ok_or("the error is of no selector")?;
                selector.error()?
            }
            "source" => ErrorKind::Source(source()),
            "other" => ErrorKind::Other(source()),
            _ => return Err("no kind of error has this name"),
        };
        let about = About {
            written,
            open: self.open_element.map(Cow::into_owned).unwrap_or_default(),
            related: self.related,
            // The value may come from a 64-bit computer and be too large for `usize` here.
            limit: self
                .limited_to
                .map(|number| usize::try_from(number).unwrap_or(usize::MAX)),
        };
        let error = Error::new(kind, self.span, self.position).about(about);
        Ok(error.in_entity(self.entity))
    }
}

/// Returns the edit error with this name. An invalid name is part of the error and is taken from `written`.
fn edit_error(edit: &str, written: &mut String) -> Result<EditError, &'static str> {
    if edit == EditError::Name(Box::default()).as_str() {
        return Ok(EditError::name(&mem::take(written)));
    }
    let all = [
        EditError::NoNode,
        EditError::NoElement,
        EditError::NoData,
        EditError::NoParent,
        EditError::NoPlace,
        EditError::Cycle,
        EditError::Root,
        EditError::Full,
    ];
    let mut all = all.into_iter();
    all.find(|error| error.as_str() == edit)
        .ok_or("no edit error has this name")
}

#[cfg(feature = "select")]
impl SelectorForm<'_> {
    fn of(error: &SelectorError) -> SelectorForm<'_> {
        let kind = match error.kind() {
            SelectorErrorKind::Syntax => "syntax",
            SelectorErrorKind::Unsupported => "unsupported",
            SelectorErrorKind::UnknownPrefix => "unknown_prefix",
            SelectorErrorKind::TooLarge => "too_large",
            SelectorErrorKind::NotOnStreams => "not_on_streams",
        };
        SelectorForm {
            kind: kind.into(),
            offset: error.offset() as u64,
            what: error.what().into(),
        }
    }

    fn error(self) -> Result<ErrorKind, &'static str> {
        let kind = match &*self.kind {
            "syntax" => SelectorErrorKind::Syntax,
            "unsupported" => SelectorErrorKind::Unsupported,
            "unknown_prefix" => SelectorErrorKind::UnknownPrefix,
            "too_large" => SelectorErrorKind::TooLarge,
            "not_on_streams" => SelectorErrorKind::NotOnStreams,
            _ => return Err("no kind of selector error has this name"),
        };
        let offset = usize::try_from(self.offset).map_err(|_| "no selector is as long")?;
        let error = SelectorError::new(kind, offset, self.what);
        Ok(ErrorKind::Selector(Box::new(error)))
    }
}

#[cfg(not(feature = "select"))]
impl SelectorForm<'_> {
    fn error(self) -> Result<ErrorKind, &'static str> {
        Err("selectors require the feature `select`")
    }
}
