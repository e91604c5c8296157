//! Table: error codes of LeafXML: one for each rule of the specification, spelled after its words.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in the character set and the encoding
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are ill-formed in the encoding of the document";
    DISALLOWED_CHARACTER = "disallowed-character", "this character is not allowed in LeafXML";
    // Errors in entity escapes
    UNTERMINATED_ENTITY_ESCAPE = "unterminated-entity-escape", "expected a semicolon at the end of the entity escape";
    INVALID_ENTITY_ESCAPE = "invalid-entity-escape", "expected one of the five names or a number in the entity escape: write a literal & as &amp;";
    DISALLOWED_ENTITY_ESCAPE = "disallowed-entity-escape", "the escape refers to a character that is not allowed in LeafXML";
    // Errors in tokens
    INVALID_TOKEN = "invalid-token", "no token starts like this: write a literal < as &lt;";
    UNTERMINATED_TAG = "unterminated-tag", "the input ends inside a tag";
    UNTERMINATED_CDATA = "unterminated-cdata", "the input ends inside a CDATA token";
    UNTERMINATED_INSTRUCTION = "unterminated-instruction", "the input ends inside an instruction";
    UNTERMINATED_DOCTYPE = "unterminated-doctype", "the input ends inside a DOCTYPE";
    BRACKET_IN_DOCTYPE = "bracket-in-doctype", "declarations inside a DOCTYPE are not supported";
    UNTERMINATED_COMMENT = "unterminated-comment", "the input ends inside a comment";
    // Errors in tokens that are filtered
    SECOND_DOCTYPE = "second-doctype", "a second DOCTYPE is not allowed";
    MISPLACED_DOCTYPE = "misplaced-doctype", "a DOCTYPE is only allowed before the first tag";
    // Errors in content assemblies, which are runs of text, each from one tag to the next
    STRAY_CONTENT = "stray-content", "only whitespace is allowed before the first tag and after the last one";
    // Errors in tag assemblies: a start tag, an end tag or an empty tag, from `<` to `>`
    INVALID_NAME_START = "invalid-name-start", "a name must not start with this character";
    INVALID_NAME = "invalid-name", "this character is not allowed in a name";
    INVALID_NORMALIZED_NAME = "invalid-normalized-name", "the normal form NFC of this name is not a valid name";
    SLASH_AT_BOTH_ENDS = "slash-at-both-ends", "a tag can't be both an end tag and an empty tag";
    ATTRIBUTE_ON_END_TAG = "attribute-on-end-tag", "attributes are not allowed in an end tag";
    MISSING_WHITESPACE = "missing-whitespace", "expected whitespace before this attribute";
    MISSING_EQUALS = "missing-equals", "expected = and a value after the attribute name";
    UNQUOTED_VALUE = "unquoted-value", "expected quotes around the attribute value";
    LESS_THAN_IN_VALUE = "less-than-in-value", "< is not allowed in an attribute value: write it as &lt;";
    MISPLACED_SLASH = "misplaced-slash", "expected > directly after the slash of the empty tag";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "the tag already has an attribute with this name";
    // Errors in the tag stack
    SECOND_ROOT = "second-root", "a second root element is not allowed";
    STRAY_END_TAG = "stray-end-tag", "no open element matches this end tag", end_tag;
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the start tag of the element", end_tag;
    UNCLOSED_TAGS = "unclosed-tags", "the input ends before the end tag of an element", end_tag;
    NO_TAGS = "no-tags", "the input contains no tag";
    // Errors in namespaces
    INVALID_PREFIX = "invalid-prefix", "expected a valid prefix after xmlns:";
    EMPTY_NAMESPACE = "empty-namespace", "a namespace must not be empty";
    MAPPED_XMLNS_PREFIX = "mapped-xmlns-prefix", "the prefix xmlns can't be mapped to anything";
    MAPPED_XML_PREFIX = "mapped-xml-prefix", "the prefix xml can't be mapped to another namespace than its own";
    MAPPED_XML_NAMESPACE = "mapped-xml-namespace", "no other prefix may be mapped to the namespace of xml";
    MAPPED_XMLNS_NAMESPACE = "mapped-xmlns-namespace", "no prefix may be mapped to the namespace of xmlns";
    INVALID_QUALIFIED_NAME = "invalid-qualified-name", "a colon is only allowed once in a name, between the prefix and the local name";
    UNDECLARED_PREFIX = "undeclared-prefix", "this prefix is mapped to no namespace";
    DUPLICATE_EXTERNAL_ATTRIBUTE = "duplicate-external-attribute", "two attributes have the same namespace and local name";
}
