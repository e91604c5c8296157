//! Table: error codes of XML: one for each production and constraint that a document can violate.
//!
//! XML-ER has parse errors without names, XML 1.0 has constraints with names. The codes are spelled in the style of
//! the HTML standard, after the words of the constraint.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in characters
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are ill-formed in the encoding of the document";
    ILLEGAL_CHARACTER = "illegal-character", "this character is not allowed in XML";
    // Errors in the XML declaration
    RESERVED_TARGET = "reserved-target", "xml is not allowed as the target of a processing instruction";
    MISSING_VERSION = "missing-version", "expected the version at the start of the XML declaration";
    INVALID_VERSION = "invalid-version", "expected a version that consists of 1, a point and digits";
    INVALID_ENCODING_NAME = "invalid-encoding-name", "this is not a valid name of an encoding";
    UNKNOWN_ENCODING = "unknown-encoding", "no encoding with this name is known";
    CONTRADICTING_ENCODING = "contradicting-encoding", "the document is not in the encoding that it names";
    INVALID_STANDALONE = "invalid-standalone", "expected yes or no as the value of standalone";
    INVALID_DECLARATION = "invalid-declaration", "this is not allowed in an XML declaration";
    MISSING_ENCODING = "missing-encoding", "expected an encoding in the text declaration";
    LATER_VERSION = "later-version", "the entity declares a later version than the document";
    EOF_IN_DECLARATION = "eof-in-declaration", "the input ends inside the XML declaration";
    // Errors in content
    CDATA_END_IN_TEXT = "cdata-end-in-text", "]]> is only allowed at the end of a CDATA section";
    INVALID_TAG_START = "invalid-tag-start", "no tag starts like this: write a literal < as &lt;";
    INVALID_MARKUP_DECLARATION = "invalid-markup-declaration", "this is neither a comment nor a CDATA section nor a DOCTYPE";
    EOF_IN_CDATA = "eof-in-cdata", "the input ends inside a CDATA section";
    // Errors in references
    INVALID_REFERENCE = "invalid-reference", "no reference starts like this: write a literal & as &amp;";
    MISSING_SEMICOLON = "missing-semicolon", "expected a semicolon at the end of the reference";
    MISSING_DIGITS = "missing-digits", "expected digits in the character reference";
    ILLEGAL_REFERENCED_CHARACTER = "illegal-referenced-character", "the reference refers to a character that is not allowed in XML";
    UNDECLARED_ENTITY = "undeclared-entity", "no entity with this name is declared";
    // Errors in tags
    INVALID_NAME = "invalid-name", "this character is not allowed in a name";
    MISSING_WHITE_SPACE = "missing-white-space", "expected whitespace here";
    MISSING_EQUALS = "missing-equals", "expected = and a value after the attribute name";
    MISSING_VALUE = "missing-value", "expected an attribute value";
    UNQUOTED_VALUE = "unquoted-value", "expected quotes around the attribute value";
    LESS_THAN_IN_VALUE = "less-than-in-value", "< is not allowed in an attribute value: write it as &lt;";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "the tag already has an attribute with this name";
    MISPLACED_SLASH = "misplaced-slash", "expected > directly after the slash in a tag";
    INVALID_END_TAG = "invalid-end-tag", "only a name is allowed in an end tag";
    SHORT_END_TAG = "short-end-tag", "the end tag has no name";
    EOF_IN_TAG = "eof-in-tag", "the input ends inside a tag";
    // Errors in the structure of the document
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the start tag of the element", end_tag;
    STRAY_END_TAG = "stray-end-tag", "no open element matches this end tag", end_tag;
    UNCLOSED_ELEMENT = "unclosed-element", "the input ends before the end tag of an element", end_tag;
    MISSING_ROOT = "missing-root", "the document has no root element";
    SECOND_ROOT = "second-root", "a second root element is not allowed";
    TEXT_OUTSIDE_ROOT = "text-outside-root", "text is only allowed inside the root element";
    // Errors in comments and processing instructions
    DOUBLE_HYPHEN_IN_COMMENT = "double-hyphen-in-comment", "-- is only allowed at the end of a comment";
    EOF_IN_COMMENT = "eof-in-comment", "the input ends inside a comment";
    INVALID_TARGET = "invalid-target", "expected a target at the start of the processing instruction";
    EOF_IN_PROCESSING_INSTRUCTION = "eof-in-processing-instruction", "the input ends inside a processing instruction";
    // Errors in the DOCTYPE
    MISPLACED_DOCTYPE = "misplaced-doctype", "a DOCTYPE is only allowed before the root element";
    SECOND_DOCTYPE = "second-doctype", "a second DOCTYPE is not allowed";
    INVALID_DOCTYPE = "invalid-doctype", "this is not allowed in a DOCTYPE";
    MISSING_DOCTYPE_NAME = "missing-doctype-name", "expected the name of the root element in the DOCTYPE";
    INVALID_PUBLIC_IDENTIFIER = "invalid-public-identifier", "this character is not allowed in a public identifier";
    MISSING_SYSTEM_IDENTIFIER = "missing-system-identifier", "expected a system identifier";
    INVALID_DECLARATION_IN_SUBSET = "invalid-declaration-in-subset", "this is not a declaration";
    STRAY_TEXT_IN_SUBSET = "stray-text-in-subset", "only declarations are allowed in the internal subset";
    EOF_IN_DOCTYPE = "eof-in-doctype", "the input ends inside a DOCTYPE";
    MISSING_DECLARED_NAME = "missing-declared-name", "the declaration has no name";
    INVALID_PARAMETER_REFERENCE = "invalid-parameter-reference", "a reference to a parameter entity is not allowed here: write a literal % in a value as &#37;";
    PARAMETER_ENTITY_IN_DECLARATION = "parameter-entity-in-declaration", "in the internal subset, parameter entities are only allowed between declarations";
    EOF_IN_EXTERNAL_SUBSET = "eof-in-external-subset", "the external subset ends inside a declaration";
    UNBALANCED_PARAMETER_ENTITY = "unbalanced-parameter-entity", "a parameter entity between declarations must contain complete declarations";
    INVALID_CONDITIONAL_SECTION = "invalid-conditional-section", "expected INCLUDE or IGNORE and [ at the start of the conditional section, and ]]> at its end";
    EOF_IN_CONDITIONAL_SECTION = "eof-in-conditional-section", "the text ends inside a conditional section";
    MISSING_ENTITY_VALUE = "missing-entity-value", "expected a value or an external identifier of the entity";
    INVALID_ENTITY_DECLARATION = "invalid-entity-declaration", "this is not allowed in the declaration of an entity";
    INVALID_NOTATION_DECLARATION = "invalid-notation-declaration", "this is not allowed in the declaration of a notation";
    INVALID_ATTRIBUTE_DEFINITION = "invalid-attribute-definition", "this is not allowed in the declaration of an attribute";
    INVALID_ATTRIBUTE_TYPE = "invalid-attribute-type", "this is not a valid type of an attribute";
    INVALID_ATTRIBUTE_DEFAULT = "invalid-attribute-default", "expected REQUIRED, IMPLIED or FIXED after #";
    MISSING_DEFAULT_VALUE = "missing-default-value", "expected the value of the fixed attribute";
    INVALID_CONTENT_SPECIFICATION = "invalid-content-specification", "expected EMPTY, ANY or a group as the content of the element";
    INVALID_CONTENT_MODEL = "invalid-content-model", "this is not allowed in a content model";
    INVALID_MIXED_CONTENT = "invalid-mixed-content", "expected mixed content in the form (#PCDATA) or (#PCDATA|name)*";
    // Errors in the use of entities
    RECURSIVE_ENTITY = "recursive-entity", "the replacement text of this entity contains a reference to the entity itself";
    UNBALANCED_ENTITY = "unbalanced-entity", "the element does not start and end in the same entity";
    UNPARSED_ENTITY_REFERENCE = "unparsed-entity-reference", "a reference to an unparsed entity is not allowed";
    EXTERNAL_ENTITY_IN_VALUE = "external-entity-in-value", "a reference to an external entity is not allowed in an attribute value";
    // Errors in namespaces
    INVALID_QUALIFIED_NAME = "invalid-qualified-name", "with namespaces, a colon is only allowed once in a name, between the prefix and the local name";
    COLON_IN_NAME = "colon-in-name", "with namespaces, a colon is only allowed in the names of elements and attributes";
    UNDECLARED_PREFIX = "undeclared-prefix", "this prefix is not declared";
    RESERVED_PREFIX = "reserved-prefix", "the prefixes xml and xmlns cannot be bound to another namespace";
    RESERVED_NAMESPACE = "reserved-namespace", "the namespaces of xml and xmlns cannot be bound to another prefix";
    EMPTY_NAMESPACE = "empty-namespace", "the namespace of a prefix must not be empty";
    DUPLICATE_EXPANDED_NAME = "duplicate-expanded-name", "two attributes have the same namespace and local name";
}
