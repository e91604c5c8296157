//! The states of XML-ER's tokenization, in its order: the table of contents of `states/`.
//!
//! A state's anchor in XML-ER is its name there, as the comment gives it.

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum State {
    /// Data state
    Data,
    /// Not in the document: the data state before and after the root element, in white space.
    Outside,
    /// Not in the document: after `&`.
    Reference,
    /// Not in the document: in the name of a reference.
    ReferenceName,
    /// Not in the document: after `&#`.
    ReferenceNumber,
    /// Not in the document: after `&#` and a digit.
    ReferenceDecimal,
    /// Not in the document: after `&#x`.
    ReferenceHexadecimal,
    /// Tag state
    Tag,
    /// End tag state
    EndTag,
    /// End tag name state
    EndTagName,
    /// End tag name after state
    EndTagNameAfter,
    /// Pi state
    Pi,
    /// Pi target state
    PiTarget,
    /// Pi target after state
    PiTargetAfter,
    /// Pi data state, and DOCTYPE pi state
    PiData,
    /// Pi after state, and DOCTYPE pi after state
    PiAfter,
    /// Not in the document: in `<?xml …?>` at the start.
    Declaration,
    /// Not in the document: after `?` in that.
    DeclarationAfter,
    /// Markup declaration state
    MarkupDeclaration,
    /// Not in the document: the markup declaration state in the middle of `--`, `[CDATA[` or
    /// `DOCTYPE`.
    MarkupDeclarationKeyword,
    /// Comment state, and DOCTYPE comment state
    Comment,
    /// Comment dash state, and DOCTYPE comment dash state
    CommentDash,
    /// Comment end state, and DOCTYPE comment end state
    CommentEnd,
    /// CDATA state
    Cdata,
    /// CDATA bracket state
    CdataBracket,
    /// CDATA end state
    CdataEnd,
    /// DOCTYPE state
    Doctype,
    /// DOCTYPE root name before state
    DoctypeRootNameBefore,
    /// DOCTYPE root name state
    DoctypeRootName,
    /// DOCTYPE root name after state
    DoctypeRootNameAfter,
    /// DOCTYPE identifier double quoted state
    DoctypeIdentifierDoubleQuoted,
    /// DOCTYPE identifier single quoted state
    DoctypeIdentifierSingleQuoted,
    /// DOCTYPE internal subset state
    DoctypeInternalSubset,
    /// DOCTYPE internal subset after state
    DoctypeInternalSubsetAfter,
    /// DOCTYPE tag state
    DoctypeTag,
    /// DOCTYPE markup declaration state
    DoctypeMarkupDeclaration,
    /// Not in the document: that state in the middle of `--` or the name of a declaration.
    DoctypeMarkupDeclarationKeyword,
    /// DOCTYPE ENTITY state
    DoctypeEntity,
    /// DOCTYPE ENTITY type before state
    DoctypeEntityTypeBefore,
    /// DOCTYPE ENTITY parameter before state
    DoctypeEntityParameterBefore,
    /// DOCTYPE ENTITY parameter state
    DoctypeEntityParameter,
    /// DOCTYPE ENTITY name state
    DoctypeEntityName,
    /// DOCTYPE ENTITY name after state
    DoctypeEntityNameAfter,
    /// DOCTYPE ENTITY value double quoted state
    DoctypeEntityValueDoubleQuoted,
    /// DOCTYPE ENTITY value single quoted state
    DoctypeEntityValueSingleQuoted,
    /// DOCTYPE ENTITY value after state
    DoctypeEntityValueAfter,
    /// DOCTYPE ENTITY identifier state
    DoctypeEntityIdentifier,
    /// DOCTYPE ENTITY identifier double quoted state
    DoctypeEntityIdentifierDoubleQuoted,
    /// DOCTYPE ENTITY identifier single quoted state
    DoctypeEntityIdentifierSingleQuoted,
    /// DOCTYPE ATTLIST state
    DoctypeAttlist,
    /// DOCTYPE ATTLIST name before state
    DoctypeAttlistNameBefore,
    /// DOCTYPE ATTLIST name state
    DoctypeAttlistName,
    /// DOCTYPE ATTLIST name after state
    DoctypeAttlistNameAfter,
    /// DOCTYPE ATTLIST attribute name state
    DoctypeAttlistAttributeName,
    /// DOCTYPE ATTLIST attribute name after state
    DoctypeAttlistAttributeNameAfter,
    /// DOCTYPE ATTLIST attribute type state
    DoctypeAttlistAttributeType,
    /// DOCTYPE ATTLIST attribute type after state
    DoctypeAttlistAttributeTypeAfter,
    /// DOCTYPE ATTLIST attribute declaration before state
    DoctypeAttlistAttributeDeclarationBefore,
    /// DOCTYPE ATTLIST attribute declaration state
    DoctypeAttlistAttributeDeclaration,
    /// DOCTYPE ATTLIST attribute declaration after state
    DoctypeAttlistAttributeDeclarationAfter,
    /// DOCTYPE ATTLIST attribute value double quoted state
    DoctypeAttlistAttributeValueDoubleQuoted,
    /// DOCTYPE ATTLIST attribute value single quoted state
    DoctypeAttlistAttributeValueSingleQuoted,
    /// DOCTYPE NOTATION state
    DoctypeNotation,
    /// DOCTYPE NOTATION identifier state
    DoctypeNotationIdentifier,
    /// DOCTYPE NOTATION identifier double quoted state
    DoctypeNotationIdentifierDoubleQuoted,
    /// DOCTYPE NOTATION identifier single quoted state
    DoctypeNotationIdentifierSingleQuoted,
    /// Not in the document: after `<!ELEMENT`.
    DoctypeElement,
    /// Not in the document: in the declaration of an element type.
    DoctypeElementSpecification,
    /// Not in the document: after `%` in the internal subset or in the value of an entity.
    DoctypeParameterReference,
    /// Not in the document: in a declaration that is skipped.
    DoctypeDeclaration,
    /// Not in the document: in a literal of a declaration.
    DoctypeDeclarationQuoted,
    /// Not in the document: after `<![` in the external subset.
    DoctypeConditional,
    /// Not in the document: after the first `]` of the end of a conditional section.
    DoctypeConditionalAfter,
    /// Not in the document: in a conditional section that is ignored.
    DoctypeIgnored,
    /// Not in the document: after the DOCTYPE's `>`, while the external subset is read.
    DoctypeExternalSubset,
    /// Not in the document: after `<?` in the internal subset.
    DoctypePi,
    /// DOCTYPE bogus comment state
    DoctypeBogusComment,
    /// Tag name state
    TagName,
    /// Empty tag state
    EmptyTag,
    /// Tag attribute name before state
    TagAttributeNameBefore,
    /// Tag attribute name state
    TagAttributeName,
    /// Tag attribute name after state
    TagAttributeNameAfter,
    /// Tag attribute value before state
    TagAttributeValueBefore,
    /// Tag attribute value double quoted state
    TagAttributeValueDoubleQuoted,
    /// Tag attribute value single quoted state
    TagAttributeValueSingleQuoted,
    /// Tag attribute value unquoted state
    TagAttributeValueUnquoted,
    /// Bogus comment state
    BogusComment,
    /// Not in the document: the end-of-file token was emitted.
    Finished,
}

/// The state that follows; none while there is no more input.
pub(crate) type Next = Option<State>;

/// What a state of a DOCTYPE reads: where replacement text ends, that decides what is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Between declarations.
    Subset,
    /// A conditional section.
    Section,
    /// The words of a declaration.
    Words,
    /// The value of an entity.
    Value,
    /// Another literal.
    Literal,
    /// A token that is no declaration, or one whose kind is not known yet.
    Other,
}

impl State {
    /// What a state of a DOCTYPE reads.
    pub(crate) fn place(self) -> Place {
        match self {
            State::DoctypeInternalSubset => Place::Subset,
            State::DoctypeConditionalAfter | State::DoctypeIgnored => Place::Section,
            State::DoctypeEntityValueDoubleQuoted | State::DoctypeEntityValueSingleQuoted => {
                Place::Value
            }
            State::DoctypeEntityIdentifierDoubleQuoted
            | State::DoctypeEntityIdentifierSingleQuoted
            | State::DoctypeAttlistAttributeValueDoubleQuoted
            | State::DoctypeAttlistAttributeValueSingleQuoted
            | State::DoctypeNotationIdentifierDoubleQuoted
            | State::DoctypeNotationIdentifierSingleQuoted
            | State::DoctypeDeclarationQuoted => Place::Literal,
            State::DoctypeEntity
            | State::DoctypeEntityTypeBefore
            | State::DoctypeEntityParameterBefore
            | State::DoctypeEntityParameter
            | State::DoctypeEntityName
            | State::DoctypeEntityNameAfter
            | State::DoctypeEntityValueAfter
            | State::DoctypeEntityIdentifier
            | State::DoctypeAttlist
            | State::DoctypeAttlistNameBefore
            | State::DoctypeAttlistName
            | State::DoctypeAttlistNameAfter
            | State::DoctypeAttlistAttributeName
            | State::DoctypeAttlistAttributeNameAfter
            | State::DoctypeAttlistAttributeType
            | State::DoctypeAttlistAttributeTypeAfter
            | State::DoctypeAttlistAttributeDeclarationBefore
            | State::DoctypeAttlistAttributeDeclaration
            | State::DoctypeAttlistAttributeDeclarationAfter
            | State::DoctypeNotation
            | State::DoctypeNotationIdentifier
            | State::DoctypeElement
            | State::DoctypeElementSpecification
            | State::DoctypeConditional
            | State::DoctypeDeclaration => Place::Words,
            _ => Place::Other,
        }
    }
}
