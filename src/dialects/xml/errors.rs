//! Table: error codes of XML: one for each production and constraint that a document can violate.
//!
//! XML-ER has parse errors without names, XML 1.0 has constraints with names. The codes are spelled in the style of
//! the HTML standard, after the words of the constraint.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in characters
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are no text in the encoding of the document";
    ILLEGAL_CHARACTER = "illegal-character", "this character may not stand in XML";
    // Errors in the XML declaration
    RESERVED_TARGET = "reserved-target", "a processing instruction may not be named xml";
    MISSING_VERSION = "missing-version", "an XML declaration begins with its version";
    INVALID_VERSION = "invalid-version", "the version is not 1 and a point and digits";
    INVALID_ENCODING_NAME = "invalid-encoding-name", "this is no name of an encoding";
    UNKNOWN_ENCODING = "unknown-encoding", "no encoding of this name is known";
    CONTRADICTING_ENCODING = "contradicting-encoding", "the document is not in the encoding that it names";
    INVALID_STANDALONE = "invalid-standalone", "standalone is yes or no";
    INVALID_DECLARATION = "invalid-declaration", "this has no place in an XML declaration";
    MISSING_ENCODING = "missing-encoding", "a text declaration names the encoding";
    LATER_VERSION = "later-version", "an entity is of no later version than the document";
    EOF_IN_DECLARATION = "eof-in-declaration", "the input ends in the XML declaration";
    // Errors in content
    CDATA_END_IN_TEXT = "cdata-end-in-text", "]]> may stand only at the end of a CDATA section";
    INVALID_TAG_START = "invalid-tag-start", "no tag can begin so: a literal < is written &lt;";
    INVALID_MARKUP_DECLARATION = "invalid-markup-declaration", "this is neither a comment nor a CDATA section nor a DOCTYPE";
    EOF_IN_CDATA = "eof-in-cdata", "the input ends in a CDATA section";
    // Errors in references
    INVALID_REFERENCE = "invalid-reference", "no reference can begin so: a literal & is written &amp;";
    MISSING_SEMICOLON = "missing-semicolon", "a reference ends with a semicolon";
    MISSING_DIGITS = "missing-digits", "a character reference needs digits";
    ILLEGAL_REFERENCED_CHARACTER = "illegal-referenced-character", "the character referred to may not stand in XML";
    UNDECLARED_ENTITY = "undeclared-entity", "no entity of this name is declared";
    // Errors in tags
    INVALID_NAME = "invalid-name", "this character may not stand in a name";
    MISSING_WHITE_SPACE = "missing-white-space", "white space is missing here";
    MISSING_EQUALS = "missing-equals", "an attribute has a value: = is missing";
    MISSING_VALUE = "missing-value", "the value of an attribute is missing";
    UNQUOTED_VALUE = "unquoted-value", "the value of an attribute stands between quotes";
    LESS_THAN_IN_VALUE = "less-than-in-value", "a literal < in a value is written &lt;";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "an attribute may stand only once in a tag";
    MISPLACED_SLASH = "misplaced-slash", "a slash in a tag stands right before its >";
    INVALID_END_TAG = "invalid-end-tag", "an end tag holds a name and nothing else";
    SHORT_END_TAG = "short-end-tag", "an end tag has a name";
    EOF_IN_TAG = "eof-in-tag", "the input ends in a tag";
    // Errors in the structure of the document
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the start tag of the element", end_tag;
    STRAY_END_TAG = "stray-end-tag", "no element is open that this tag could end", end_tag;
    UNCLOSED_ELEMENT = "unclosed-element", "the input ends before the element does", end_tag;
    MISSING_ROOT = "missing-root", "a document has a root element";
    SECOND_ROOT = "second-root", "a document has one root element only";
    TEXT_OUTSIDE_ROOT = "text-outside-root", "text stands only in elements";
    // Errors in comments and processing instructions
    DOUBLE_HYPHEN_IN_COMMENT = "double-hyphen-in-comment", "-- may stand only at the end of a comment";
    EOF_IN_COMMENT = "eof-in-comment", "the input ends in a comment";
    INVALID_TARGET = "invalid-target", "a processing instruction begins with its target";
    EOF_IN_PROCESSING_INSTRUCTION = "eof-in-processing-instruction", "the input ends in a processing instruction";
    // Errors in the DOCTYPE
    MISPLACED_DOCTYPE = "misplaced-doctype", "a DOCTYPE stands before the root element";
    SECOND_DOCTYPE = "second-doctype", "a document has one DOCTYPE only";
    INVALID_DOCTYPE = "invalid-doctype", "this has no place in a DOCTYPE";
    MISSING_DOCTYPE_NAME = "missing-doctype-name", "a DOCTYPE names the root element";
    INVALID_PUBLIC_IDENTIFIER = "invalid-public-identifier", "this character may not stand in a public identifier";
    MISSING_SYSTEM_IDENTIFIER = "missing-system-identifier", "a system identifier is missing";
    INVALID_DECLARATION_IN_SUBSET = "invalid-declaration-in-subset", "this is no declaration";
    STRAY_TEXT_IN_SUBSET = "stray-text-in-subset", "only declarations stand in the internal subset";
    EOF_IN_DOCTYPE = "eof-in-doctype", "the input ends in a DOCTYPE";
    MISSING_DECLARED_NAME = "missing-declared-name", "a declaration names what it declares";
    INVALID_PARAMETER_REFERENCE = "invalid-parameter-reference", "no reference to a parameter entity can be read here: a literal % in a value is written &#37;";
    PARAMETER_ENTITY_IN_DECLARATION = "parameter-entity-in-declaration", "in the internal subset, parameter entities stand only between declarations";
    EOF_IN_EXTERNAL_SUBSET = "eof-in-external-subset", "the external subset ends in a declaration";
    UNBALANCED_PARAMETER_ENTITY = "unbalanced-parameter-entity", "a parameter entity between declarations holds whole declarations";
    INVALID_CONDITIONAL_SECTION = "invalid-conditional-section", "a conditional section begins with INCLUDE or IGNORE and a bracket, and ends with ]]>";
    EOF_IN_CONDITIONAL_SECTION = "eof-in-conditional-section", "the text ends in a conditional section";
    MISSING_ENTITY_VALUE = "missing-entity-value", "an entity has a value or an external identifier";
    INVALID_ENTITY_DECLARATION = "invalid-entity-declaration", "this has no place in the declaration of an entity";
    INVALID_NOTATION_DECLARATION = "invalid-notation-declaration", "this has no place in the declaration of a notation";
    INVALID_ATTRIBUTE_DEFINITION = "invalid-attribute-definition", "this has no place in the declaration of an attribute";
    INVALID_ATTRIBUTE_TYPE = "invalid-attribute-type", "attributes have no such type";
    INVALID_ATTRIBUTE_DEFAULT = "invalid-attribute-default", "after # stands REQUIRED, IMPLIED or FIXED";
    MISSING_DEFAULT_VALUE = "missing-default-value", "a fixed attribute has a value";
    INVALID_CONTENT_SPECIFICATION = "invalid-content-specification", "the content of an element is EMPTY, ANY, or a group";
    INVALID_CONTENT_MODEL = "invalid-content-model", "this has no place in a content model";
    INVALID_MIXED_CONTENT = "invalid-mixed-content", "mixed content is (#PCDATA) or (#PCDATA|name)*";
    // Errors in the use of entities
    RECURSIVE_ENTITY = "recursive-entity", "the replacement text of this entity has a reference to itself";
    UNBALANCED_ENTITY = "unbalanced-entity", "an element begins and ends in the same entity";
    UNPARSED_ENTITY_REFERENCE = "unparsed-entity-reference", "an unparsed entity can't be referred to";
    EXTERNAL_ENTITY_IN_VALUE = "external-entity-in-value", "a value can't refer to an external entity";
    // Errors in namespaces
    INVALID_QUALIFIED_NAME = "invalid-qualified-name", "with namespaces, a name has one colon at most, between two names";
    COLON_IN_NAME = "colon-in-name", "with namespaces, only elements and attributes have names with a colon";
    UNDECLARED_PREFIX = "undeclared-prefix", "no namespace is declared for this prefix";
    RESERVED_PREFIX = "reserved-prefix", "the prefixes xml and xmlns are bound to their namespaces";
    RESERVED_NAMESPACE = "reserved-namespace", "the namespaces of xml and xmlns are bound to no other prefix";
    EMPTY_NAMESPACE = "empty-namespace", "a prefix can't be bound to no namespace";
    DUPLICATE_EXPANDED_NAME = "duplicate-expanded-name", "two attributes have the same namespace and local name";
}
