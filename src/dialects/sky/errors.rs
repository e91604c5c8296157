//! Table: error codes of Sky. The specification does not name the errors, so the codes are our own, in the style of the
//! HTML standard.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // Errors in decoding and normalization
    ILL_FORMED_BYTES = "ill-formed-bytes", "these bytes are no text in UTF-8";
    NULL_CHARACTER = "null-character", "U+0000 may not stand in Sky";
    // Errors in the signature
    FAILED_SIGNATURE = "failed-signature", "this is no Sky file: it does not begin with the signature";
    // Errors in tags
    INVALID_TAG_START = "invalid-tag-start", "no tag can begin so: a literal < is written &lt;";
    EOF_IN_TAG = "eof-in-tag", "the input ends in a tag";
    MISPLACED_SLASH = "misplaced-slash", "a slash is followed by > in a tag";
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "an attribute may stand only once in a tag";
    END_TAG_ATTRIBUTE = "end-tag-attribute", "an end tag has no attributes";
    // Errors in comments
    INVALID_COMMENT_START = "invalid-comment-start", "no comment can begin so: a literal < is written &lt;";
    EOF_IN_COMMENT = "eof-in-comment", "the input ends in a comment";
    // Errors in references
    INVALID_REFERENCE = "invalid-reference", "no reference can begin so: a literal & is written &amp;";
    MISSING_DIGITS = "missing-digits", "a character reference needs digits";
    MISSING_SEMICOLON = "missing-semicolon", "a reference ends with a semicolon";
    INVALID_CHARACTER_REFERENCE = "invalid-character-reference", "there is no character of this number or name";
    // Errors in the tree structure
    UNREGISTERED_ELEMENT = "unregistered-element", "no element of this name is registered";
    STRAY_END_TAG = "stray-end-tag", "no element is open that this end tag could close", end_tag;
    MISMATCHED_END_TAG = "mismatched-end-tag", "the end tag does not match the last start tag", end_tag;
    UNCLOSED_ELEMENT = "unclosed-element", "the input ends before the end tag of an element", end_tag;
}
