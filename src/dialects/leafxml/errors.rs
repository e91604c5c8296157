//! Table: error codes of LeafXML: one for each rule of the specification, spelled after its words.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in the character set and the encoding
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are no text in the encoding of the document";
    DISALLOWED_CHARACTER = "disallowed-character", "this character is not in the character set";
    // Errors in entity escapes
    UNTERMINATED_ENTITY_ESCAPE = "unterminated-entity-escape", "an entity escape runs up to a semicolon";
    INVALID_ENTITY_ESCAPE = "invalid-entity-escape", "an entity escape is one of the five names or a number: a literal & is written &amp;";
    DISALLOWED_ENTITY_ESCAPE = "disallowed-entity-escape", "the character of this number is not in the character set";
    // Errors in tokens
    INVALID_TOKEN = "invalid-token", "no token can begin so: a literal < is written &lt;";
    UNTERMINATED_TAG = "unterminated-tag", "the input ends in a tag";
    UNTERMINATED_CDATA = "unterminated-cdata", "the input ends in a CDATA token";
    UNTERMINATED_INSTRUCTION = "unterminated-instruction", "the input ends in an instruction";
    UNTERMINATED_DOCTYPE = "unterminated-doctype", "the input ends in a DOCTYPE";
    BRACKET_IN_DOCTYPE = "bracket-in-doctype", "declarations inside a DOCTYPE are not supported";
    UNTERMINATED_COMMENT = "unterminated-comment", "the input ends in a comment";
    // Errors in tokens that are filtered
    SECOND_DOCTYPE = "second-doctype", "there is at most one DOCTYPE";
    MISPLACED_DOCTYPE = "misplaced-doctype", "a DOCTYPE stands before the first tag";
    // Errors in content assemblies
    STRAY_CONTENT = "stray-content", "only white space may stand before the first tag and after the last";
    // Errors in tag assemblies
    INVALID_NAME_START = "invalid-name-start", "no name can begin with this character";
    INVALID_NAME = "invalid-name", "this character may not stand in a name";
    INVALID_NORMALIZED_NAME = "invalid-normalized-name", "normalized to NFC, this is no name";
    SLASH_AT_BOTH_ENDS = "slash-at-both-ends", "a tag can't be both an end tag and an empty tag";
    ATTRIBUTE_ON_END_TAG = "attribute-on-end-tag", "an end tag has no attributes";
    MISSING_WHITESPACE = "missing-whitespace", "whitespace is missing before this attribute";
    MISSING_EQUALS = "missing-equals", "an attribute has a value: = is missing";
    UNQUOTED_VALUE = "unquoted-value", "the value of an attribute stands between quotes";
    LESS_THAN_IN_VALUE = "less-than-in-value", "a literal < in a value is written &lt;";
    MISPLACED_SLASH = "misplaced-slash", "the slash of an empty tag stands right before its >";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "an attribute may stand only once in a tag";
    // Errors in the tag stack
    SECOND_ROOT = "second-root", "there is one root element only";
    STRAY_END_TAG = "stray-end-tag", "no element is open that this tag could end", end_tag;
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the start tag of the element", end_tag;
    UNCLOSED_TAGS = "unclosed-tags", "the input ends before the element does", end_tag;
    NO_TAGS = "no-tags", "there is no tag in the input";
    // Errors in namespaces
    INVALID_PREFIX = "invalid-prefix", "what follows xmlns: must be a prefix";
    EMPTY_NAMESPACE = "empty-namespace", "a namespace must not be empty";
    MAPPED_XMLNS_PREFIX = "mapped-xmlns-prefix", "the prefix xmlns can't be mapped to anything";
    MAPPED_XML_PREFIX = "mapped-xml-prefix", "the prefix xml can't be mapped to another namespace than its own";
    MAPPED_XML_NAMESPACE = "mapped-xml-namespace", "no other prefix may be mapped to the namespace of xml";
    MAPPED_XMLNS_NAMESPACE = "mapped-xmlns-namespace", "no prefix may be mapped to the namespace of xmlns";
    INVALID_QUALIFIED_NAME = "invalid-qualified-name", "a name has one colon at most, between two names";
    UNDECLARED_PREFIX = "undeclared-prefix", "this prefix is mapped to no namespace";
    DUPLICATE_EXTERNAL_ATTRIBUTE = "duplicate-external-attribute", "two attributes have the same namespace and local name";
}
