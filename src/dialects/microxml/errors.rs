//! Table: error codes of MicroXML. The specification does not name the errors, so the codes are our own, in the style of
//! the HTML standard.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in characters
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are no text in UTF-8";
    /// Occurs in strict parses only.
    ILLEGAL_CHARACTER = "illegal-character", "this character may not stand in MicroXML";
    // Errors in markup
    STRAY_MARKUP = "stray-markup", "no markup of MicroXML can begin so: a literal < is written &lt;";
    /// Occurs in strict parses only.
    GREATER_THAN_IN_TEXT = "greater-than-in-text", "a literal > is written &gt;";
    UNFINISHED_TAG = "unfinished-tag", "a start tag ends before its >";
    UNFINISHED_VALUE = "unfinished-value", "the value of an attribute ends before its quote";
    UNFINISHED_DOCTYPE = "unfinished-doctype", "a DOCTYPE ends before its >";
    UNFINISHED_CDATA = "unfinished-cdata", "the input ends in a CDATA section";
    UNFINISHED_COMMENT = "unfinished-comment", "the input ends in a comment";
    /// Occurs in strict parses only.
    DOUBLE_HYPHEN_IN_COMMENT = "double-hyphen-in-comment", "two hyphens may stand only at the end of a comment";
    // Errors in references
    INVALID_REFERENCE = "invalid-reference", "no reference can be written so: a literal & is written &amp;";
    INVALID_CHARACTER_REFERENCE = "invalid-character-reference", "there is no character of this number or name";
    // Errors in tags
    /// Occurs in strict parses only.
    INVALID_NAME = "invalid-name", "this is no name of MicroXML";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "an attribute may stand only once in a tag";
    /// Occurs in strict parses only.
    RESERVED_ATTRIBUTE = "reserved-attribute", "no attribute may be named xmlns";
    /// Occurs in strict parses only.
    MISSING_WHITE_SPACE = "missing-white-space", "white space is missing here";
    /// Occurs in strict parses only.
    MISSING_VALUE = "missing-value", "the value of an attribute is missing";
    /// Occurs in strict parses only.
    UNQUOTED_VALUE = "unquoted-value", "the value of an attribute stands between quotes";
    /// Occurs in strict parses only.
    ANGLE_BRACKET_IN_VALUE = "angle-bracket-in-value", "a literal < or > in a value is written &lt; or &gt;";
    // Errors in the tree structure
    UNMATCHED_END_TAG = "unmatched-end-tag", "no element is open that this end tag could close", end_tag;
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the last start tag", end_tag;
    UNCLOSED_ELEMENT = "unclosed-element", "the input ends before the end tag of an element", end_tag;
    SECOND_ROOT = "second-root", "a document has one root element";
    TEXT_OUTSIDE_ROOT = "text-outside-root", "text stands only inside the root element";
    MISSING_ROOT = "missing-root", "the document has no element";
}
