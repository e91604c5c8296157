//! Table: error codes of MicroXML. The specification does not name the errors, so the codes are our own, in the style
//! of the HTML standard.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in characters
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are ill-formed UTF-8";
    /// Occurs in strict parses only.
    ILLEGAL_CHARACTER = "illegal-character", "this character is not allowed in MicroXML";
    // Errors in markup
    STRAY_MARKUP = "stray-markup", "no markup of MicroXML starts like this: write a literal < as &lt;";
    /// Occurs in strict parses only.
    GREATER_THAN_IN_TEXT = "greater-than-in-text", "> is not allowed in text: write it as &gt;";
    UNFINISHED_TAG = "unfinished-tag", "a start tag ends before its >";
    UNFINISHED_VALUE = "unfinished-value", "the value of an attribute ends before its quote";
    UNFINISHED_DOCTYPE = "unfinished-doctype", "a DOCTYPE ends before its >";
    UNFINISHED_CDATA = "unfinished-cdata", "the input ends inside a CDATA section";
    UNFINISHED_COMMENT = "unfinished-comment", "the input ends inside a comment";
    /// Occurs in strict parses only.
    DOUBLE_HYPHEN_IN_COMMENT = "double-hyphen-in-comment", "-- is only allowed at the end of a comment";
    // Errors in references
    INVALID_REFERENCE = "invalid-reference", "this is not a valid reference: write a literal & as &amp;";
    INVALID_CHARACTER_REFERENCE = "invalid-character-reference", "no character has this number or name";
    // Errors in tags
    /// Occurs in strict parses only.
    INVALID_NAME = "invalid-name", "this is not a valid name in MicroXML";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "the tag already has an attribute with this name";
    /// Occurs in strict parses only.
    RESERVED_ATTRIBUTE = "reserved-attribute", "the attribute name xmlns is not allowed";
    /// Occurs in strict parses only.
    MISSING_WHITE_SPACE = "missing-white-space", "expected whitespace here";
    /// Occurs in strict parses only.
    MISSING_VALUE = "missing-value", "expected an attribute value";
    /// Occurs in strict parses only.
    UNQUOTED_VALUE = "unquoted-value", "expected quotes around the attribute value";
    /// Occurs in strict parses only.
    ANGLE_BRACKET_IN_VALUE = "angle-bracket-in-value", "< and > are not allowed in an attribute value: write them as &lt; and &gt;";
    // Errors in the tree structure
    UNMATCHED_END_TAG = "unmatched-end-tag", "no open element matches this end tag", end_tag;
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the last start tag", end_tag;
    UNCLOSED_ELEMENT = "unclosed-element", "the input ends before the end tag of an element", end_tag;
    SECOND_ROOT = "second-root", "a second root element is not allowed";
    TEXT_OUTSIDE_ROOT = "text-outside-root", "text is only allowed inside the root element";
    MISSING_ROOT = "missing-root", "the document has no root element";
}
