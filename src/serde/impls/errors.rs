//! Serialization of errors, and of the spans, positions and entities that errors contain.

use super::shape::{names, structs};
use super::{Stored, stored};
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
#[cfg(feature = "select")]
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

type Text<'a> = Cow<'a, str>;

/// The name of a variant of [`ErrorKind`], without the contents of the variant.
#[derive(Clone, Copy)]
pub(super) enum KindName {
    Syntax,
    Limit,
    FeedAfterFinish,
    TextAfterBytes,
    UnavailableEncoding,
    Waiting,
    NotPaused,
    NoElement,
    Edit,
    Selector,
    Source,
    Other,
}

/// The kind of a selector error. It exists without the feature `select` too, so that all builds read the same values.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum SelectorName {
    Syntax,
    Unsupported,
    UnknownPrefix,
    TooLarge,
    NotOnStreams,
}

/// The name of a variant of [`EditError`], without the name that the variant `Name` contains.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum EditName {
    NoNode,
    NoElement,
    NoData,
    NoParent,
    NoPlace,
    Cycle,
    Root,
    Name,
    Full,
}

impl EditName {
    fn of(error: &EditError) -> EditName {
        match error {
            EditError::NoNode => EditName::NoNode,
            EditError::NoElement => EditName::NoElement,
            EditError::NoData => EditName::NoData,
            EditError::NoParent => EditName::NoParent,
            EditError::NoPlace => EditName::NoPlace,
            EditError::Cycle => EditName::Cycle,
            EditError::Root => EditName::Root,
            EditError::Name(_) => EditName::Name,
            EditError::Full => EditName::Full,
        }
    }

    /// Returns the edit error of this variant. `written` is the invalid name that the variant `Name` contains.
    fn error(self, written: &str) -> EditError {
        match self {
            EditName::NoNode => EditError::NoNode,
            EditName::NoElement => EditError::NoElement,
            EditName::NoData => EditError::NoData,
            EditName::NoParent => EditError::NoParent,
            EditName::NoPlace => EditError::NoPlace,
            EditName::Cycle => EditError::Cycle,
            EditName::Root => EditError::Root,
            EditName::Name => EditError::name(written),
            EditName::Full => EditError::Full,
        }
    }
}

names! {
    KindName {
        Syntax = "syntax",
        Limit = "limit",
        FeedAfterFinish = "feed_after_finish",
        TextAfterBytes = "text_after_bytes",
        UnavailableEncoding = "unavailable_encoding",
        Waiting = "waiting",
        NotPaused = "not_paused",
        NoElement = "no_element",
        Edit = "edit",
        Selector = "selector",
        Source = "source",
        Other = "other",
    }

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

    EditName {
        NoNode = "no-node",
        NoElement = "node-is-no-element",
        NoData = "no-data",
        NoParent = "no-parent",
        NoPlace = "no-place",
        Cycle = "cycle",
        Root = "root",
        Name = "no-name",
        Full = "full",
    }

    SelectorName {
        Syntax = "syntax",
        Unsupported = "unsupported",
        UnknownPrefix = "unknown_prefix",
        TooLarge = "too_large",
        NotOnStreams = "not_on_streams",
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
        kind: KindName,
        span: Span,
        position: Position,
        --
        code: Option<ErrorCode>,
        limit: Option<Limit>,
        // The configured value of the limit that was exceeded.
        limited_to: Option<u64>,
        encoding: Option<Text<'a>>,
        edit: Option<EditName>,
        selector: Option<SelectorForm<'a>>,
        // The message of the error that the source of the input, or the program, returned.
        source: Option<String>,
        written: Option<Text<'a>>,
        open_element: Option<Text<'a>>,
        related: Option<RelatedForm<'a>>,
        entity: Option<PlaceForm<'a>>,
    }

    /// The serialized form of a selector error.
    #[derive(PartialEq)]
    SelectorForm<'a> {
        kind: SelectorName,
        offset: u64,
        what: Text<'a>,
        --
    }

    #[derive(PartialEq)]
    RelatedForm<'a> {
        relation: Relation,
        span: Span,
        position: Position,
        --
        entity: Option<PlaceForm<'a>>,
    }

    /// The serialized form of a location in an external entity.
    #[derive(PartialEq)]
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

impl Stored for Span {
    type Form<'a> = SpanForm;

    fn form(&self) -> SpanForm {
        let Span { start, end } = *self;
        SpanForm { start, end }
    }

    fn of(form: SpanForm) -> Result<Span, &'static str> {
        let SpanForm { start, end } = form;
        match start <= end {
            true => Ok(Span { start, end }),
            false => Err("a span ends before it begins"),
        }
    }
}

impl Stored for Position {
    type Form<'a> = PositionForm;

    fn form(&self) -> PositionForm {
        PositionForm {
            line: self.line(),
            column: self.column(),
            column_utf16: self.column_utf16(),
        }
    }

    fn of(form: PositionForm) -> Result<Position, &'static str> {
        match [form.line, form.column, form.column_utf16].contains(&0) {
            true => Err("lines and columns are counted from 1"),
            false => Ok(Position::new(form.line, form.column, form.column_utf16)),
        }
    }
}

impl Stored for EntityPlace {
    type Form<'a> = PlaceForm<'a>;

    fn form(&self) -> PlaceForm<'_> {
        PlaceForm::of(self)
    }

    fn of(form: PlaceForm<'_>) -> Result<EntityPlace, &'static str> {
        Ok(form.place())
    }
}

impl<'a> PlaceForm<'a> {
    pub(super) fn of(place: &'a EntityPlace) -> PlaceForm<'a> {
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

    /// Returns the form without the text of the entity. If many errors are in one entity, each would contain the
    /// whole text.
    pub(super) fn without_text(self) -> PlaceForm<'static> {
        let owned = |text: Option<Text<'_>>| text.map(|text| Cow::Owned(text.into_owned()));
        PlaceForm {
            system_id: Cow::Owned(self.system_id.into_owned()),
            span: self.span,
            position: self.position,
            name: owned(self.name),
            is_parameter: self.is_parameter,
            public_id: owned(self.public_id),
            base: owned(self.base),
            location: owned(self.location),
            text: Cow::Borrowed(""),
        }
    }

    pub(super) fn place(self) -> EntityPlace {
        EntityPlace {
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
        }
    }
}

impl Stored for Related {
    type Form<'a> = RelatedForm<'a>;

    fn form(&self) -> RelatedForm<'_> {
        RelatedForm::of(self)
    }

    fn of(form: RelatedForm<'_>) -> Result<Related, &'static str> {
        Ok(form.related())
    }
}

impl<'a> RelatedForm<'a> {
    pub(super) fn of(related: &'a Related) -> RelatedForm<'a> {
        RelatedForm {
            relation: related.relation(),
            span: related.span(),
            position: related.position(),
            entity: related.entity().map(PlaceForm::of),
        }
    }

    pub(super) fn without_text(self) -> RelatedForm<'static> {
        RelatedForm {
            relation: self.relation,
            span: self.span,
            position: self.position,
            entity: self.entity.map(PlaceForm::without_text),
        }
    }

    pub(super) fn related(self) -> Related {
        let entity = self.entity.map(PlaceForm::place);
        Related::new(self.relation, self.span, self.position, entity)
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
    /// Sets the kind of the error, and the fields with the contents of the kind.
    fn set_kind(&mut self, error: &'a Error) {
        self.kind = match error.kind() {
            ErrorKind::Syntax(_) => KindName::Syntax,
            ErrorKind::Limit(_) => KindName::Limit,
            ErrorKind::FeedAfterFinish => KindName::FeedAfterFinish,
            ErrorKind::TextAfterBytes => KindName::TextAfterBytes,
            ErrorKind::UnavailableEncoding(encoding) => {
                self.encoding = Some(encoding.name().into());
                KindName::UnavailableEncoding
            }
            ErrorKind::Waiting => KindName::Waiting,
            ErrorKind::NotPaused => KindName::NotPaused,
            ErrorKind::NoElement => KindName::NoElement,
            ErrorKind::Edit(edit) => {
                self.edit = Some(EditName::of(edit));
                if let EditError::Name(name) = edit {
                    self.written = Some(Cow::from(&**name));
                }
                KindName::Edit
            }
            #[cfg(feature = "select")]
            ErrorKind::Selector(error) => {
                self.selector = Some(SelectorForm::of(error));
                KindName::Selector
            }
            ErrorKind::Source(error) => {
                self.source = Some(error.to_string());
                KindName::Source
            }
            ErrorKind::Other(error) => {
                self.source = Some(error.to_string());
                KindName::Other
            }
        };
    }
}

impl Stored for Error {
    type Form<'a> = ErrorForm<'a>;

    fn form(&self) -> ErrorForm<'_> {
        let mut form = ErrorForm {
            // Replaced by `set_kind`.
            kind: KindName::Source,
            span: self.span(),
            position: self.position(),
            code: self.code(),
            limit: self.limit(),
            limited_to: self.limited_to().map(|number| number as u64),
            encoding: None,
            edit: None,
            selector: None,
            source: None,
            written: self.written().map(Cow::from),
            open_element: self.open_element().map(Cow::from),
            related: self.related().map(RelatedForm::of),
            entity: self.entity().map(PlaceForm::of),
        };
        form.set_kind(self);
        form
    }

    fn of(form: ErrorForm<'_>) -> Result<Error, &'static str> {
        let written = form.written.map(Cow::into_owned).unwrap_or_default();
        let edit = form.edit.map(|edit| edit.error(&written));
        let about = About {
            // If an edit was refused because of an invalid name, the name is part of the `EditError`.
            written: match edit {
                Some(EditError::Name(_)) => String::new(),
                _ => written,
            },
            open: form.open_element.map(Cow::into_owned).unwrap_or_default(),
            related: form.related.map(RelatedForm::related),
            // The value may come from a 64-bit computer and be too large for `usize` here.
            limit: form
                .limited_to
                .map(|number| usize::try_from(number).unwrap_or(usize::MAX)),
        };
        let kind = match form.kind {
            KindName::Syntax => ErrorKind::Syntax(form.code.ok_or("the error has no code")?),
            KindName::Limit => ErrorKind::Limit(form.limit.ok_or("the error has no limit")?),
            KindName::FeedAfterFinish => ErrorKind::FeedAfterFinish,
            KindName::TextAfterBytes => ErrorKind::TextAfterBytes,
            KindName::UnavailableEncoding => {
                let name = form.encoding.unwrap_or_default();
                let known = Encoding::for_xml_label(&name).or_else(|| Encoding::for_label(&name));
                ErrorKind::UnavailableEncoding(known.ok_or("no encoding of this name")?)
            }
            KindName::Waiting => ErrorKind::Waiting,
            KindName::NotPaused => ErrorKind::NotPaused,
            KindName::NoElement => ErrorKind::NoElement,
            KindName::Edit => ErrorKind::Edit(edit.ok_or("the error is of no edit")?),
            KindName::Selector => form
                .selector
                .ok_or("the error is of no selector")?
                .error()?,
            KindName::Source => ErrorKind::Source(Arc::new(Words(form.source.unwrap_or_default()))),
            KindName::Other => ErrorKind::Other(Arc::new(Words(form.source.unwrap_or_default()))),
        };
        let error = Error::new(kind, form.span, form.position).about(about);
        Ok(error.in_entity(form.entity.map(PlaceForm::place)))
    }
}

#[cfg(feature = "select")]
impl SelectorForm<'_> {
    fn of(error: &SelectorError) -> SelectorForm<'_> {
        SelectorForm {
            kind: match error.kind() {
                SelectorErrorKind::Syntax => SelectorName::Syntax,
                SelectorErrorKind::Unsupported => SelectorName::Unsupported,
                SelectorErrorKind::UnknownPrefix => SelectorName::UnknownPrefix,
                SelectorErrorKind::TooLarge => SelectorName::TooLarge,
                SelectorErrorKind::NotOnStreams => SelectorName::NotOnStreams,
            },
            offset: error.offset() as u64,
            what: error.what().into(),
        }
    }

    fn error(self) -> Result<ErrorKind, &'static str> {
        let kind = match self.kind {
            SelectorName::Syntax => SelectorErrorKind::Syntax,
            SelectorName::Unsupported => SelectorErrorKind::Unsupported,
            SelectorName::UnknownPrefix => SelectorErrorKind::UnknownPrefix,
            SelectorName::TooLarge => SelectorErrorKind::TooLarge,
            SelectorName::NotOnStreams => SelectorErrorKind::NotOnStreams,
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
