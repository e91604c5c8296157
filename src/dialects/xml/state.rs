//! The states of XML-ER's tokenization, in the order of its specification.
//!
//! The documentation of a variant starts with the state's name in XML-ER, which is also its anchor there. "Our own
//! state" marks states for parts of XML that XML-ER leaves open: references, the XML declaration, element declarations,
//! conditional sections.
//!
//! The functions of the states are in `states/`.

/// A state of the XML tokenizer: the position in the grammar at which the next byte is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Data state: in the content of an element.
    Data,
    /// Our own state: in the whitespace at the start of a document, if the XML declaration may follow it.
    Start,
    /// Our own state: the data state before and after the root element, while there is only whitespace.
    Outside,
    /// Our own state: after the `&` of a reference.
    Reference,
    /// Our own state: in the name of an entity reference.
    ReferenceName,
    /// Our own state: after `&#`.
    ReferenceNumber,
    /// Our own state: in a decimal reference, after `&#` and a digit.
    ReferenceDecimal,
    /// Our own state: in a hexadecimal reference, after `&#x`.
    ReferenceHexadecimal,
    /// Tag state: after `<`.
    Tag,
    /// End tag state: after `</`.
    EndTag,
    /// End tag name state: in the name of an end tag.
    EndTagName,
    /// End tag name after state: after whitespace that follows the name of an end tag.
    EndTagNameAfter,
    /// Pi state: after the `<?` of a processing instruction.
    Pi,
    /// Pi target state: in the target of a processing instruction.
    PiTarget,
    /// Pi target after state: in whitespace after the target.
    PiTargetAfter,
    /// Pi data state and DOCTYPE pi state: in the data of a processing instruction.
    PiData,
    /// Pi after state and DOCTYPE pi after state: after a `?` in a processing instruction.
    PiAfter,
    /// Our own state: in the XML declaration, `<?xml …?>` at the start of the input.
    Declaration,
    /// Our own state: after a `?` in the XML declaration.
    DeclarationAfter,
    /// Markup declaration state: after `<!`.
    MarkupDeclaration,
    /// Our own state, because XML-ER looks ahead at this point: in the middle of the keyword `--`, `[CDATA[` or
    /// `DOCTYPE` after `<!`.
    MarkupDeclarationKeyword,
    /// Comment state and DOCTYPE comment state: in a comment.
    Comment,
    /// Comment dash state and DOCTYPE comment dash state: after one `-` in a comment.
    CommentDash,
    /// Comment end state and DOCTYPE comment end state: after `--` in a comment.
    CommentEnd,
    /// CDATA state: in a CDATA section.
    Cdata,
    /// CDATA bracket state: after one `]` in a CDATA section.
    CdataBracket,
    /// CDATA end state: after `]]` in a CDATA section.
    CdataEnd,
    /// DOCTYPE state: after `<!DOCTYPE`.
    Doctype,
    /// DOCTYPE root name before state: before the name of the root element.
    DoctypeRootNameBefore,
    /// DOCTYPE root name state: in the name of the root element.
    DoctypeRootName,
    /// DOCTYPE root name after state: after the name of the root element, between the parts of the external
    /// identifier.
    DoctypeRootNameAfter,
    /// DOCTYPE identifier double quoted state: in a public or system identifier between double quotes.
    DoctypeIdentifierDoubleQuoted,
    /// DOCTYPE identifier single quoted state: in a public or system identifier between single quotes.
    DoctypeIdentifierSingleQuoted,
    /// DOCTYPE internal subset state: in the internal subset, between declarations. Also in the external subset and
    /// in parameter entities, between declarations.
    DoctypeInternalSubset,
    /// DOCTYPE internal subset after state: after the `]` of the internal subset.
    DoctypeInternalSubsetAfter,
    /// DOCTYPE tag state: after `<` in the DTD.
    DoctypeTag,
    /// DOCTYPE markup declaration state: after `<!` in the DTD.
    DoctypeMarkupDeclaration,
    /// Our own state, because XML-ER looks ahead at this point: in the middle of `--` or of a keyword such as `ENTITY`,
    /// after `<!` in the DTD.
    DoctypeMarkupDeclarationKeyword,
    /// DOCTYPE ENTITY state: after `<!ENTITY`.
    DoctypeEntity,
    /// DOCTYPE ENTITY type before state: before the name of an entity, or the `%` of a parameter entity.
    DoctypeEntityTypeBefore,
    /// DOCTYPE ENTITY parameter before state: after the `%` of the declaration of a parameter entity.
    DoctypeEntityParameterBefore,
    /// DOCTYPE ENTITY parameter state: in whitespace after that `%`.
    DoctypeEntityParameter,
    /// DOCTYPE ENTITY name state: in the name of the declared entity.
    DoctypeEntityName,
    /// DOCTYPE ENTITY name after state: after the name of the declared entity.
    DoctypeEntityNameAfter,
    /// DOCTYPE ENTITY value double quoted state: in the value of an entity, between double quotes.
    DoctypeEntityValueDoubleQuoted,
    /// DOCTYPE ENTITY value single quoted state: in the value of an entity, between single quotes.
    DoctypeEntityValueSingleQuoted,
    /// DOCTYPE ENTITY value after state: after the value of an entity.
    DoctypeEntityValueAfter,
    /// DOCTYPE ENTITY identifier state: between the parts of the external identifier of an entity, or in a word
    /// there.
    DoctypeEntityIdentifier,
    /// DOCTYPE ENTITY identifier double quoted state: in an identifier of an entity, between double quotes.
    DoctypeEntityIdentifierDoubleQuoted,
    /// DOCTYPE ENTITY identifier single quoted state: in an identifier of an entity, between single quotes.
    DoctypeEntityIdentifierSingleQuoted,
    /// DOCTYPE ATTLIST state: after `<!ATTLIST`.
    DoctypeAttlist,
    /// DOCTYPE ATTLIST name before state: before the name of the element type.
    DoctypeAttlistNameBefore,
    /// DOCTYPE ATTLIST name state: in the name of the element type.
    DoctypeAttlistName,
    /// DOCTYPE ATTLIST name after state: before the name of the next attribute.
    DoctypeAttlistNameAfter,
    /// DOCTYPE ATTLIST attribute name state: in the name of an attribute.
    DoctypeAttlistAttributeName,
    /// DOCTYPE ATTLIST attribute name after state: before the type of an attribute.
    DoctypeAttlistAttributeNameAfter,
    /// DOCTYPE ATTLIST attribute type state: in the type of an attribute: a keyword or a list of tokens.
    DoctypeAttlistAttributeType,
    /// DOCTYPE ATTLIST attribute type after state: after the type of an attribute, or after `NOTATION` and before its
    /// list.
    DoctypeAttlistAttributeTypeAfter,
    /// DOCTYPE ATTLIST attribute declaration before state: after the `#` of `#REQUIRED`, `#IMPLIED` or `#FIXED`.
    DoctypeAttlistAttributeDeclarationBefore,
    /// DOCTYPE ATTLIST attribute declaration state: in the word after that `#`.
    DoctypeAttlistAttributeDeclaration,
    /// DOCTYPE ATTLIST attribute declaration after state: after that word, where a default value may follow.
    DoctypeAttlistAttributeDeclarationAfter,
    /// DOCTYPE ATTLIST attribute value double quoted state: in a default value between double quotes.
    DoctypeAttlistAttributeValueDoubleQuoted,
    /// DOCTYPE ATTLIST attribute value single quoted state: in a default value between single quotes.
    DoctypeAttlistAttributeValueSingleQuoted,
    /// DOCTYPE NOTATION state: after `<!NOTATION`.
    DoctypeNotation,
    /// DOCTYPE NOTATION identifier state: in the name of a notation, or between the parts of its identifier.
    DoctypeNotationIdentifier,
    /// DOCTYPE NOTATION identifier double quoted state: in an identifier of a notation, between double quotes.
    DoctypeNotationIdentifierDoubleQuoted,
    /// DOCTYPE NOTATION identifier single quoted state: in an identifier of a notation, between single quotes.
    DoctypeNotationIdentifierSingleQuoted,
    /// Our own state: after `<!ELEMENT`.
    DoctypeElement,
    /// Our own state: in the declaration of an element type.
    DoctypeElementSpecification,
    /// Our own state: after a `%` between declarations, in a declaration or in the value of an entity, and in the
    /// name that follows it.
    DoctypeParameterReference,
    /// Our own state: in a declaration that is skipped up to its `>`.
    DoctypeDeclaration,
    /// Our own state: in a literal of a declaration that is skipped.
    DoctypeDeclarationQuoted,
    /// Our own state: after `<![` in the external subset or in an external parameter entity.
    DoctypeConditional,
    /// Our own state: after the first or the second `]` of the `]]>` that ends an included conditional section.
    DoctypeConditionalAfter,
    /// Our own state: in a conditional section that is ignored.
    DoctypeIgnored,
    /// Our own state: after the `>` of a DOCTYPE whose external subset is requested or read.
    DoctypeExternalSubset,
    /// Our own state: after `<?` in the DTD.
    DoctypePi,
    /// DOCTYPE bogus comment state: in a construct of the DTD that is not a declaration, and is skipped up to `>`.
    DoctypeBogusComment,
    /// Tag name state: in the name of a start tag.
    TagName,
    /// Empty tag state: after a `/` in a start tag.
    EmptyTag,
    /// Tag attribute name before state: before the name of an attribute, or the end of the tag.
    TagAttributeNameBefore,
    /// Tag attribute name state: in the name of an attribute.
    TagAttributeName,
    /// Tag attribute name after state: in whitespace after the name of an attribute.
    TagAttributeNameAfter,
    /// Tag attribute value before state: after the `=` of an attribute.
    TagAttributeValueBefore,
    /// Tag attribute value double quoted state: in a value between double quotes.
    TagAttributeValueDoubleQuoted,
    /// Tag attribute value single quoted state: in a value between single quotes.
    TagAttributeValueSingleQuoted,
    /// Tag attribute value unquoted state: in a value without quotes, which is an error.
    TagAttributeValueUnquoted,
    /// Bogus comment state: in a construct that starts with `<!` or `<?` and is nothing known. It becomes a comment.
    BogusComment,
    /// Our own state: the end-of-file token was emitted.
    Finished,
}

/// Result of a state function: the next state, or `None` if the window is used up and the tokenizer has to wait for
/// more input in the current state.
pub(crate) type Next = Option<State>;

/// The kind of construct that a state of the DTD reads. At the end of replacement text it decides whether a construct
/// is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DtdConstruct {
    /// No construct: between declarations.
    Subset,
    /// A conditional section: its end, or its content if it is ignored.
    Section,
    /// A declaration, between or in its words.
    Words,
    /// The quoted value of an entity declaration.
    Value,
    /// Any other quoted literal.
    Literal,
    /// A construct that is not a declaration, or whose kind is not known yet.
    Other,
}

impl State {
    /// Returns the kind of construct that this state of the DTD reads.
    pub(crate) fn place(self) -> DtdConstruct {
        match self {
            State::DoctypeInternalSubset => DtdConstruct::Subset,
            State::DoctypeConditionalAfter | State::DoctypeIgnored => DtdConstruct::Section,
            State::DoctypeEntityValueDoubleQuoted | State::DoctypeEntityValueSingleQuoted => {
                DtdConstruct::Value
            }
            State::DoctypeEntityIdentifierDoubleQuoted
            | State::DoctypeEntityIdentifierSingleQuoted
            | State::DoctypeAttlistAttributeValueDoubleQuoted
            | State::DoctypeAttlistAttributeValueSingleQuoted
            | State::DoctypeNotationIdentifierDoubleQuoted
            | State::DoctypeNotationIdentifierSingleQuoted
            | State::DoctypeDeclarationQuoted => DtdConstruct::Literal,
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
            | State::DoctypeDeclaration => DtdConstruct::Words,
            _ => DtdConstruct::Other,
        }
    }
}

crate::checkpoint::checkpointable! {
    enum State {
        Data, Start, Outside, Reference, ReferenceName, ReferenceNumber, ReferenceDecimal,
        ReferenceHexadecimal, Tag, EndTag, EndTagName, EndTagNameAfter, Pi, PiTarget, PiTargetAfter,
        PiData, PiAfter, Declaration, DeclarationAfter, MarkupDeclaration, MarkupDeclarationKeyword,
        Comment, CommentDash, CommentEnd, Cdata, CdataBracket, CdataEnd, Doctype,
        DoctypeRootNameBefore, DoctypeRootName, DoctypeRootNameAfter, DoctypeIdentifierDoubleQuoted,
        DoctypeIdentifierSingleQuoted, DoctypeInternalSubset, DoctypeInternalSubsetAfter,
        DoctypeTag, DoctypeMarkupDeclaration, DoctypeMarkupDeclarationKeyword, DoctypeEntity,
        DoctypeEntityTypeBefore, DoctypeEntityParameterBefore, DoctypeEntityParameter,
        DoctypeEntityName, DoctypeEntityNameAfter, DoctypeEntityValueDoubleQuoted,
        DoctypeEntityValueSingleQuoted, DoctypeEntityValueAfter, DoctypeEntityIdentifier,
        DoctypeEntityIdentifierDoubleQuoted, DoctypeEntityIdentifierSingleQuoted, DoctypeAttlist,
        DoctypeAttlistNameBefore, DoctypeAttlistName, DoctypeAttlistNameAfter,
        DoctypeAttlistAttributeName, DoctypeAttlistAttributeNameAfter, DoctypeAttlistAttributeType,
        DoctypeAttlistAttributeTypeAfter, DoctypeAttlistAttributeDeclarationBefore,
        DoctypeAttlistAttributeDeclaration, DoctypeAttlistAttributeDeclarationAfter,
        DoctypeAttlistAttributeValueDoubleQuoted, DoctypeAttlistAttributeValueSingleQuoted,
        DoctypeNotation, DoctypeNotationIdentifier, DoctypeNotationIdentifierDoubleQuoted,
        DoctypeNotationIdentifierSingleQuoted, DoctypeElement, DoctypeElementSpecification,
        DoctypeParameterReference, DoctypeDeclaration, DoctypeDeclarationQuoted, DoctypeConditional,
        DoctypeConditionalAfter, DoctypeIgnored, DoctypeExternalSubset, DoctypePi,
        DoctypeBogusComment, TagName, EmptyTag, TagAttributeNameBefore, TagAttributeName,
        TagAttributeNameAfter, TagAttributeValueBefore, TagAttributeValueDoubleQuoted,
        TagAttributeValueSingleQuoted, TagAttributeValueUnquoted, BogusComment, Finished,
    }
}
