//! Table: error codes of Sky. The specification does not name the errors, so the codes are our own, in the style of the
//! HTML standard.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in decoding and normalization
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are ill-formed UTF-8";
    NULL_CHARACTER = "null-character", "U+0000 is not allowed in Sky";
    // Errors in the signature
    FAILED_SIGNATURE = "failed-signature", "this is not a Sky file: expected the signature at its start";
    // Errors in tags
    INVALID_TAG_START = "invalid-tag-start", "no tag starts like this: write a literal < as &lt;";
    EOF_IN_TAG = "eof-in-tag", "the input ends inside a tag";
    MISPLACED_SLASH = "misplaced-slash", "expected > after the slash in a tag";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "the tag already has an attribute with this name";
    END_TAG_ATTRIBUTE = "end-tag-attribute", "attributes are not allowed in an end tag";
    // Errors in comments
    INVALID_COMMENT_START = "invalid-comment-start", "no comment starts like this: write a literal < as &lt;";
    EOF_IN_COMMENT = "eof-in-comment", "the input ends inside a comment";
    // Errors in references
    INVALID_REFERENCE = "invalid-reference", "no reference starts like this: write a literal & as &amp;";
    MISSING_DIGITS = "missing-digits", "expected digits in the character reference";
    MISSING_SEMICOLON = "missing-semicolon", "expected a semicolon at the end of the reference";
    INVALID_CHARACTER_REFERENCE = "invalid-character-reference", "no character has this number or name";
    // Errors in the tree structure
    UNREGISTERED_ELEMENT = "unregistered-element", "no element with this name is registered";
    STRAY_END_TAG = "stray-end-tag", "no open element matches this end tag", end_tag;
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the last start tag", end_tag;
    UNCLOSED_ELEMENT = "unclosed-element", "the input ends before the end tag of an element", end_tag;
}
