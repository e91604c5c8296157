//! Serialization of events: their contents and their positions.
//!
//! [`EventForm::of`] and [`EventForm::event`] convert between events and their serialized forms. A form contains byte
//! offsets in the input. If the input is UTF-8, the offsets of names and values in the source text of a tag can be
//! computed from these; for any other encoding the form contains them too ([`TagForm::places`]).

use super::shape::{enums, fields, structs};
use super::stored;
use crate::engine::error::{EntityPlace, ErrorCode, Position, Related, Span};
use crate::engine::event::details::{DeclarationDetails, DeclaredDetails, DoctypeDetails};
use crate::engine::event::record::{
    CONTINUED, FOREIGN, FROM_ENTITY, IMPLIED, IN_CDATA, IN_DOCTYPE, INCOMPLETE, MORE, MOVED,
    RESUMED, RecordKind, SELF_CLOSING, SHORT, TEXT_FROM_ENTITY,
};
use crate::engine::event::{
    Attribute, Attributes, Doctype, EndTag, Event, EventCopy, OwnedEvent, OwnedTag, ParseError,
    ProcessingInstruction, RestoredAttribute, RestoredTag, StartTag, XmlDeclaration,
};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde_core::{Serialize, Serializer};

type Text<'a> = Cow<'a, str>;

structs! {
    /// The serialized form of a start tag, or of attributes added to an element.
    #[derive(PartialEq)]
    TagForm<'a> {
        name: Text<'a>,
        span: Span,
        position: Position,
        --
        namespace: Option<Text<'a>>,
        prefix: Option<Text<'a>>,
        attributes: Vec<AttributeForm<'a>>,
        raw: Text<'a>,
        name_span: Option<Span>,
        is_self_closing: bool,
        is_implied: bool,
        is_moved: bool,
        has_duplicates: bool,
        // Byte offsets in `raw`: the end of the name, then for each attribute the start and end of its name and of
        // its value. Empty if the offsets can be computed from the spans, as for input in UTF-8.
        places: Vec<u32>,
        is_foreign: bool,
        is_incomplete: bool,
        is_from_entity: bool,
    }

    /// The serialized form of an attribute.
    #[derive(PartialEq)]
    AttributeForm<'a> {
        name: Text<'a>,
        value: Text<'a>,
        --
        namespace: Option<Text<'a>>,
        prefix: Option<Text<'a>>,
        span: Span,
        name_span: Span,
        value_span: Span,
        is_defaulted: bool,
    }

    EndForm<'a> {
        name: Text<'a>,
        span: Span,
        position: Position,
        --
        namespace: Option<Text<'a>>,
        prefix: Option<Text<'a>>,
        is_short: bool,
        is_implied: bool,
        is_moved: bool,
        // None if it is `span`.
        name_span: Option<Span>,
        is_incomplete: bool,
        is_from_entity: bool,
    }

    /// The serialized form of a text or a comment.
    TextForm<'a> {
        text: Text<'a>,
        span: Span,
        position: Position,
        --
        is_piece: bool,
        is_resumed: bool,
        is_cdata: bool,
        is_continued: bool,
        is_moved: bool,
        is_incomplete: bool,
        is_from_entity: bool,
    }

    InstructionForm<'a> {
        target: Text<'a>,
        data: Text<'a>,
        span: Span,
        position: Position,
        --
        is_in_doctype: bool,
        is_moved: bool,
        is_incomplete: bool,
        is_from_entity: bool,
    }

    DoctypeForm<'a> {
        name: Text<'a>,
        span: Span,
        position: Position,
        --
        public_id: Option<Text<'a>>,
        system_id: Option<Text<'a>>,
        internal_subset: Option<Text<'a>>,
        notations: Vec<DeclaredDetails>,
        unparsed_entities: Vec<DeclaredDetails>,
        force_quirks: bool,
        is_incomplete: bool,
    }

    DeclarationForm<'a> {
        span: Span,
        position: Position,
        --
        version: Option<Text<'a>>,
        encoding: Option<Text<'a>>,
        standalone: Option<bool>,
    }

    /// The serialized form of a skipped entity, by its name, or of an encoding change, by the encoding's name.
    NameForm<'a> {
        name: Text<'a>,
        span: Span,
        position: Position,
        --
        is_from_entity: bool,
    }

    ProblemForm {
        code: ErrorCode,
        span: Span,
        position: Position,
        --
        related: Option<Related>,
        entity: Option<EntityPlace>,
    }
}

fields! {
    DeclaredDetails {
        name: String,
        --
        public_id: Option<String>,
        system_id: Option<String>,
        notation: Option<String>,
    }
}

enums! {
    /// The serialized form of an event.
    EventForm<'a> {
        Start(TagForm<'a>) = "start",
        End(EndForm<'a>) = "end",
        Text(TextForm<'a>) = "text",
        Comment(TextForm<'a>) = "comment",
        ProcessingInstruction(InstructionForm<'a>) = "processing_instruction",
        Doctype(DoctypeForm<'a>) = "doctype",
        Declaration(DeclarationForm<'a>) = "declaration",
        SkippedEntity(NameForm<'a>) = "skipped_entity",
        EncodingChange(NameForm<'a>) = "encoding_change",
        ParseError(ProblemForm) = "parse_error",
        Attributes(TagForm<'a>) = "attributes",
    }
}

stored! { OwnedEvent.event as EventForm, OwnedTag.as_tag as TagForm }

impl Serialize for Event<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        EventForm::of(self).serialize(to)
    }
}

impl Serialize for StartTag<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        TagForm::of(self).serialize(to)
    }
}

/// Returns the flag if `is_set` is true, otherwise 0.
fn flag(flag: u8, is_set: bool) -> u8 {
    if is_set { flag } else { 0 }
}

/// Returns the flags of an event other than text for two properties that few events have.
fn unusual(is_incomplete: bool, is_from_entity: bool) -> u8 {
    flag(INCOMPLETE, is_incomplete) | flag(FROM_ENTITY, is_from_entity)
}

fn owned(text: &Option<Text<'_>>) -> Option<String> {
    text.as_deref().map(String::from)
}

impl<'a> EventForm<'a> {
    fn of(event: &Event<'a>) -> EventForm<'a> {
        let (span, position) = (event.span(), event.position());
        let name = |name: &'a str| NameForm {
            name: name.into(),
            span,
            position,
            is_from_entity: event.is_from_entity(),
        };
        let text_form = |text: &'a str| TextForm {
            text: text.into(),
            span,
            position,
            is_piece: false,
            is_resumed: false,
            is_cdata: false,
            is_continued: false,
            is_moved: event.is_moved(),
            is_incomplete: !event.is_complete(),
            is_from_entity: event.is_from_entity(),
        };
        match event {
            Event::Start(tag) => EventForm::Start(TagForm::of(tag)),
            Event::Attributes(added) => EventForm::Attributes(TagForm::of(&added.tag())),
            Event::End(tag) => EventForm::End(EndForm::of(tag)),
            Event::Text(text) => EventForm::Text(TextForm {
                is_piece: text.is_piece(),
                is_resumed: !text.is_first_piece(),
                is_cdata: text.is_cdata(),
                is_continued: text.is_continued(),
                ..text_form(text.as_str())
            }),
            Event::Comment(comment) => EventForm::Comment(text_form(comment.as_str())),
            Event::ProcessingInstruction(instruction) => {
                EventForm::ProcessingInstruction(InstructionForm::of(instruction))
            }
            Event::Doctype(doctype) => EventForm::Doctype(DoctypeForm::of(doctype)),
            Event::Declaration(declaration) => {
                EventForm::Declaration(DeclarationForm::of(declaration))
            }
            Event::SkippedEntity(entity) => EventForm::SkippedEntity(name(entity.name())),
            Event::EncodingChange(change) => EventForm::EncodingChange(name(change.label())),
            Event::ParseError(error) => EventForm::ParseError(ProblemForm::of(error)),
        }
    }

    fn value(self) -> Result<OwnedEvent, &'static str> {
        let event = match self {
            EventForm::Start(form) => form.event(RecordKind::Start),
            EventForm::Attributes(form) => form.event(RecordKind::Attributes),
            EventForm::End(form) => form.event(),
            EventForm::Text(form) => {
                let flags = flag(MORE, form.is_piece)
                    | flag(RESUMED, form.is_resumed)
                    | flag(IN_CDATA, form.is_cdata)
                    | flag(CONTINUED, form.is_continued);
                let flags = flags | flag(TEXT_FROM_ENTITY, form.is_from_entity);
                form.event(RecordKind::Text, flags)
            }
            EventForm::Comment(form) => {
                let flags = unusual(form.is_incomplete, form.is_from_entity);
                form.event(RecordKind::Comment, flags)
            }
            EventForm::ProcessingInstruction(form) => form.event(),
            EventForm::Doctype(form) => form.event(),
            EventForm::Declaration(form) => form.event(),
            EventForm::SkippedEntity(form) => form.event(RecordKind::SkippedEntity),
            EventForm::EncodingChange(form) => form.event(RecordKind::EncodingChange),
            EventForm::ParseError(form) => form.event(),
        };
        event.map(OwnedEvent::from)
    }
}

impl<'a> EndForm<'a> {
    fn of(tag: &EndTag<'a>) -> EndForm<'a> {
        EndForm {
            name: tag.name().into(),
            span: tag.span(),
            position: tag.position(),
            namespace: tag.namespace().map(Cow::from),
            prefix: tag.prefix().map(Cow::from),
            is_short: tag.is_short(),
            is_implied: tag.is_implied(),
            is_moved: tag.is_moved(),
            name_span: Some(tag.name_span()).filter(|name| *name != tag.span()),
            is_incomplete: !tag.is_complete(),
            is_from_entity: tag.part.is_from_entity(),
        }
    }

    fn event(self) -> Result<EventCopy, &'static str> {
        let flags = flag(SHORT, self.is_short) | flag(IMPLIED, self.is_implied);
        let flags = flags | flag(MOVED, self.is_moved);
        let flags = flags | unusual(self.is_incomplete, self.is_from_entity);
        let mut event = EventCopy::restored(RecordKind::End, flags, self.span, self.position)?;
        event.set_namespace(self.namespace.as_deref(), self.prefix.is_some());
        event.set_string(&self.name)?;
        if let Some(name) = self.name_span {
            event.set_written_name(self.span, name)?;
        }
        Ok(event)
    }
}

impl<'a> InstructionForm<'a> {
    fn of(instruction: &ProcessingInstruction<'a>) -> InstructionForm<'a> {
        InstructionForm {
            target: instruction.target().into(),
            data: instruction.data().into(),
            span: instruction.span(),
            position: instruction.position(),
            is_in_doctype: instruction.is_in_doctype(),
            is_moved: instruction.is_moved(),
            is_incomplete: !instruction.is_complete(),
            is_from_entity: instruction.part.is_from_entity(),
        }
    }

    fn event(self) -> Result<EventCopy, &'static str> {
        let flags = flag(IN_DOCTYPE, self.is_in_doctype) | flag(MOVED, self.is_moved);
        let flags = flags | unusual(self.is_incomplete, self.is_from_entity);
        let kind = RecordKind::ProcessingInstruction;
        let mut event = EventCopy::restored(kind, flags, self.span, self.position)?;
        event.set_target(&self.target)?;
        event.set_string(&self.data)?;
        Ok(event)
    }
}

impl<'a> DoctypeForm<'a> {
    fn of(doctype: &Doctype<'a>) -> DoctypeForm<'a> {
        let details = doctype.details();
        DoctypeForm {
            name: doctype.name().into(),
            span: doctype.span(),
            position: doctype.position(),
            public_id: doctype.public_id().map(Cow::from),
            system_id: doctype.system_id().map(Cow::from),
            internal_subset: doctype.internal_subset().map(Cow::from),
            notations: details.notations.clone(),
            unparsed_entities: details.unparsed.clone(),
            force_quirks: doctype.force_quirks(),
            is_incomplete: !doctype.part.is_complete(),
        }
    }

    fn event(self) -> Result<EventCopy, &'static str> {
        let flags = unusual(self.is_incomplete, false);
        let mut event = EventCopy::restored(RecordKind::Doctype, flags, self.span, self.position)?;
        event.set_doctype(DoctypeDetails {
            name: self.name.into_owned(),
            public_id: owned(&self.public_id),
            system_id: owned(&self.system_id),
            internal_subset: owned(&self.internal_subset),
            notations: self.notations,
            unparsed: self.unparsed_entities,
            force_quirks: self.force_quirks,
        });
        Ok(event)
    }
}

impl<'a> DeclarationForm<'a> {
    fn of(declaration: &XmlDeclaration<'a>) -> DeclarationForm<'a> {
        DeclarationForm {
            span: declaration.span(),
            position: declaration.position(),
            version: declaration.version().map(Cow::from),
            encoding: declaration.encoding().map(Cow::from),
            standalone: declaration.standalone(),
        }
    }

    fn event(self) -> Result<EventCopy, &'static str> {
        let mut event = EventCopy::restored(RecordKind::Declaration, 0, self.span, self.position)?;
        event.set_declaration(DeclarationDetails {
            version: owned(&self.version),
            encoding: owned(&self.encoding),
            standalone: self.standalone,
        });
        Ok(event)
    }
}

impl ProblemForm {
    /// Returns the form of an error, without the text of the entity that contains the error. If many errors are in one
    /// entity, each would contain the whole text.
    fn of(error: &ParseError<'_>) -> ProblemForm {
        let without_text = |place: EntityPlace| EntityPlace {
            text: Arc::from(""),
            ..place
        };
        let related = error.related().map(|related| {
            let entity = related.entity().cloned().map(without_text);
            Related::new(
                related.relation(),
                related.span(),
                related.position(),
                entity,
            )
        });
        ProblemForm {
            code: error.code(),
            span: error.span(),
            position: error.position(),
            related,
            entity: error.entity().map(without_text),
        }
    }

    fn event(self) -> Result<EventCopy, &'static str> {
        let mut event = EventCopy::restored(RecordKind::Error, 0, self.span, self.position)?;
        event.set_error(self.code, self.related, self.entity);
        Ok(event)
    }
}

impl TextForm<'_> {
    fn event(self, kind: RecordKind, flags: u8) -> Result<EventCopy, &'static str> {
        let flags = flags | flag(MOVED, self.is_moved);
        let mut event = EventCopy::restored(kind, flags, self.span, self.position)?;
        event.set_string(&self.text)?;
        Ok(event)
    }
}

impl NameForm<'_> {
    fn event(self, kind: RecordKind) -> Result<EventCopy, &'static str> {
        let flags = unusual(false, self.is_from_entity);
        let mut event = EventCopy::restored(kind, flags, self.span, self.position)?;
        event.set_string(&self.name)?;
        Ok(event)
    }
}

impl<'a> TagForm<'a> {
    fn of(tag: &StartTag<'a>) -> TagForm<'a> {
        let attributes: Attributes<'a> = tag.attributes();
        let mut form = TagForm {
            name: tag.name().into(),
            span: tag.span(),
            position: tag.position(),
            namespace: tag.namespace().map(Cow::from),
            prefix: tag.prefix().map(Cow::from),
            attributes: attributes
                .map(|attribute| AttributeForm::of(&attribute))
                .collect(),
            raw: tag.raw().into(),
            name_span: tag.has_written_name().then(|| tag.name_span()),
            is_self_closing: tag.is_self_closing(),
            is_implied: tag.is_implied(),
            is_moved: tag.is_moved(),
            has_duplicates: tag.has_duplicates(),
            is_foreign: tag.is_foreign(),
            is_incomplete: !tag.is_complete(),
            is_from_entity: tag.part.is_from_entity(),
            places: Vec::new(),
        };
        let places = tag.places();
        if form.counted().as_ref() != Some(&places) {
            form.places = places;
        }
        form
    }

    /// Computes the offsets of [`places`](TagForm::places) from the spans in the input. Returns `None` if this is not
    /// possible, because the spans do not match the length of `raw`.
    fn counted(&self) -> Option<Vec<u32>> {
        let start = self.span.start;
        let place = |offset: u64| u32::try_from(offset.checked_sub(start)?).ok();
        let mut places = Vec::with_capacity(1 + 4 * self.attributes.len());
        if self.span.end.checked_sub(start)? != self.raw.len() as u64 {
            return None;
        }
        places.push(match self.name_span {
            Some(span) => place(span.end)?,
            None => 0,
        });
        for attribute in self.attributes.iter().filter(|_| !self.is_implied) {
            for span in [attribute.name_span, attribute.value_span] {
                places.extend([place(span.start)?, place(span.end)?]);
            }
        }
        Some(places)
    }

    fn value(self) -> Result<OwnedTag, &'static str> {
        OwnedTag::of_event(self.event(RecordKind::Start)?.into()).ok_or("no start tag")
    }

    fn event(self, kind: RecordKind) -> Result<EventCopy, &'static str> {
        let flags = flag(SELF_CLOSING, self.is_self_closing);
        let flags = flags | flag(IMPLIED, self.is_implied) | flag(MOVED, self.is_moved);
        let flags = flags | flag(FOREIGN, self.is_foreign);
        let flags = flags | unusual(self.is_incomplete, self.is_from_entity);
        let mut event = EventCopy::restored(kind, flags, self.span, self.position)?;
        event.set_namespace(self.namespace.as_deref(), self.prefix.is_some());
        let wrong = "the byte ranges of the parts of the tag are missing or invalid";
        let (places, is_counted) = match self.places.is_empty() {
            true => (self.counted().ok_or(wrong)?, true),
            false => (self.places.clone(), false),
        };
        let (name_end, rest) = places.split_first().ok_or(wrong)?;
        let mut spots = Vec::new();
        if !is_counted {
            let end = u32::try_from(self.raw.len()).map_err(|_| wrong)?;
            spots.extend([(0, false, self.span.start), (end, true, self.span.end)]);
            if let Some(span) = self.name_span {
                spots.extend([(1, false, span.start), (*name_end, true, span.end)]);
            }
        }
        let mut attributes = Vec::with_capacity(self.attributes.len());
        let mut rest = rest.chunks_exact(4);
        for form in &self.attributes {
            let at = match self.is_implied {
                true => [0; 4],
                false => *rest.next().and_then(|at| at.first_chunk()).ok_or(wrong)?,
            };
            attributes.push(form.attribute(at));
            if !is_counted && !self.is_implied {
                spots.extend(form.spots(at));
            }
        }
        let tag = RestoredTag {
            name: &self.name,
            raw: &self.raw,
            written: name_end.saturating_sub(1),
            has_duplicates: self.has_duplicates,
            attributes,
            spots,
        };
        event.set_tag(&tag)?;
        Ok(event)
    }
}

impl<'a> AttributeForm<'a> {
    fn of(attribute: &Attribute<'a>) -> AttributeForm<'a> {
        AttributeForm {
            name: attribute.name().into(),
            value: attribute.value().into(),
            namespace: attribute.namespace().map(Cow::from),
            prefix: attribute.prefix().map(Cow::from),
            span: attribute.span(),
            name_span: attribute.name_span(),
            value_span: attribute.value_span(),
            is_defaulted: !attribute.is_specified(),
        }
    }

    fn is_quoted(&self) -> bool {
        self.span.end > self.value_span.end
    }

    fn attribute(&self, at: [u32; 4]) -> RestoredAttribute<'_> {
        RestoredAttribute {
            name: &self.name,
            value: &self.value,
            namespace: self.namespace.as_deref(),
            has_prefix: self.prefix.is_some(),
            name_at: (at[0], at[1]),
            value_at: (at[2], at[3]),
            is_quoted: self.is_quoted(),
            is_defaulted: self.is_defaulted,
        }
    }

    fn spots(&self, at: [u32; 4]) -> [(u32, bool, u64); 5] {
        let (name, value) = (self.name_span, self.value_span);
        let end = at[3].saturating_add(u32::from(self.is_quoted()));
        [
            (at[0], false, name.start),
            (at[1], true, name.end),
            (at[2], false, value.start),
            (at[3], true, value.end),
            (end, true, self.span.end),
        ]
    }
}
