//! Table: error codes of HTML. Parse errors of tokenization and of the input stream have the standard's names; for those
//! of tree construction the standard defines no names.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // The input stream
    CONTROL_CHARACTER_IN_INPUT_STREAM = "control-character-in-input-stream", "a control character has no place in HTML";
    NONCHARACTER_IN_INPUT_STREAM = "noncharacter-in-input-stream", "this code point is not a character";
    UNEXPECTED_NULL_CHARACTER = "unexpected-null-character", "U+0000 has no place in HTML";
    // Tags
    INVALID_FIRST_CHARACTER_OF_TAG_NAME = "invalid-first-character-of-tag-name", "a tag's name begins with an ASCII letter: a literal < is written &lt;";
    EOF_BEFORE_TAG_NAME = "eof-before-tag-name", "the input ends where a tag's name should begin";
    EOF_IN_TAG = "eof-in-tag", "the input ends in a tag, which is dropped";
    MISSING_END_TAG_NAME = "missing-end-tag-name", "an end tag has a name";
    END_TAG_WITH_ATTRIBUTES = "end-tag-with-attributes", "an end tag has no attributes";
    END_TAG_WITH_TRAILING_SOLIDUS = "end-tag-with-trailing-solidus", "an end tag does not close itself";
    UNEXPECTED_SOLIDUS_IN_TAG = "unexpected-solidus-in-tag", "a slash in a tag is followed by >";
    // Attributes
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "the tag has an attribute of this name already";
    MISSING_ATTRIBUTE_VALUE = "missing-attribute-value", "a value follows the equals sign";
    MISSING_WHITESPACE_BETWEEN_ATTRIBUTES = "missing-whitespace-between-attributes", "attributes are separated by white space";
    UNEXPECTED_CHARACTER_IN_ATTRIBUTE_NAME = "unexpected-character-in-attribute-name", "quotation marks and < do not stand in an attribute's name";
    UNEXPECTED_CHARACTER_IN_UNQUOTED_ATTRIBUTE_VALUE = "unexpected-character-in-unquoted-attribute-value", "this character stands only in a quoted value";
    UNEXPECTED_EQUALS_SIGN_BEFORE_ATTRIBUTE_NAME = "unexpected-equals-sign-before-attribute-name", "an attribute's name comes before the equals sign";
    // Comments, CDATA sections, processing instructions
    ABRUPT_CLOSING_OF_EMPTY_COMMENT = "abrupt-closing-of-empty-comment", "an empty comment is written <!---->";
    EOF_IN_COMMENT = "eof-in-comment", "the input ends in a comment";
    INCORRECTLY_CLOSED_COMMENT = "incorrectly-closed-comment", "a comment ends with -->";
    INCORRECTLY_OPENED_COMMENT = "incorrectly-opened-comment", "<! opens only <!-- or a DOCTYPE";
    NESTED_COMMENT = "nested-comment", "comments do not stand in comments";
    CDATA_IN_HTML_CONTENT = "cdata-in-html-content", "a CDATA section stands only in SVG and MathML";
    EOF_IN_CDATA = "eof-in-cdata", "the input ends in a CDATA section";
    UNEXPECTED_QUESTION_MARK_INSTEAD_OF_TAG_NAME = "unexpected-question-mark-instead-of-tag-name", "<? opens nothing: what follows is a comment";
    EOF_IN_PROCESSING_INSTRUCTION = "eof-in-processing-instruction", "the input ends in a processing instruction, which is dropped";
    INVALID_FIRST_CHARACTER_OF_PROCESSING_INSTRUCTION_TARGET = "invalid-first-character-of-processing-instruction-target", "a target begins with an ASCII letter or an underscore";
    INVALID_PROCESSING_INSTRUCTION_TARGET = "invalid-processing-instruction-target", "a target has only ASCII letters, digits, - and _";
    DISALLOWED_PROCESSING_INSTRUCTION_TARGET = "disallowed-processing-instruction-target", "xml and xml-stylesheet are no targets in HTML";
    // DOCTYPE
    ABRUPT_DOCTYPE_PUBLIC_IDENTIFIER = "abrupt-doctype-public-identifier", "> ends the DOCTYPE within its public identifier";
    ABRUPT_DOCTYPE_SYSTEM_IDENTIFIER = "abrupt-doctype-system-identifier", "> ends the DOCTYPE within its system identifier";
    EOF_IN_DOCTYPE = "eof-in-doctype", "the input ends in a DOCTYPE";
    INVALID_CHARACTER_SEQUENCE_AFTER_DOCTYPE_NAME = "invalid-character-sequence-after-doctype-name", "PUBLIC or SYSTEM follows the name of a DOCTYPE";
    MISSING_DOCTYPE_NAME = "missing-doctype-name", "a DOCTYPE has a name";
    MISSING_DOCTYPE_PUBLIC_IDENTIFIER = "missing-doctype-public-identifier", "an identifier follows PUBLIC";
    MISSING_DOCTYPE_SYSTEM_IDENTIFIER = "missing-doctype-system-identifier", "an identifier follows SYSTEM";
    MISSING_QUOTE_BEFORE_DOCTYPE_PUBLIC_IDENTIFIER = "missing-quote-before-doctype-public-identifier", "a public identifier is quoted";
    MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER = "missing-quote-before-doctype-system-identifier", "a system identifier is quoted";
    MISSING_WHITESPACE_AFTER_DOCTYPE_PUBLIC_KEYWORD = "missing-whitespace-after-doctype-public-keyword", "white space follows PUBLIC";
    MISSING_WHITESPACE_AFTER_DOCTYPE_SYSTEM_KEYWORD = "missing-whitespace-after-doctype-system-keyword", "white space follows SYSTEM";
    MISSING_WHITESPACE_BEFORE_DOCTYPE_NAME = "missing-whitespace-before-doctype-name", "white space stands before the name of a DOCTYPE";
    MISSING_WHITESPACE_BETWEEN_DOCTYPE_PUBLIC_AND_SYSTEM_IDENTIFIERS = "missing-whitespace-between-doctype-public-and-system-identifiers", "white space stands between the two identifiers";
    UNEXPECTED_CHARACTER_AFTER_DOCTYPE_SYSTEM_IDENTIFIER = "unexpected-character-after-doctype-system-identifier", "nothing follows the system identifier";
    // Script data
    EOF_IN_SCRIPT_HTML_COMMENT_LIKE_TEXT = "eof-in-script-html-comment-like-text", "the input ends in a script, in text like a comment of HTML";
    // Character references
    ABSENCE_OF_DIGITS_IN_NUMERIC_CHARACTER_REFERENCE = "absence-of-digits-in-numeric-character-reference", "a numeric character reference has digits";
    CHARACTER_REFERENCE_OUTSIDE_UNICODE_RANGE = "character-reference-outside-unicode-range", "the number is beyond the last code point";
    CONTROL_CHARACTER_REFERENCE = "control-character-reference", "the number is that of a control character";
    MISSING_SEMICOLON_AFTER_CHARACTER_REFERENCE = "missing-semicolon-after-character-reference", "a character reference ends with a semicolon";
    NONCHARACTER_CHARACTER_REFERENCE = "noncharacter-character-reference", "the number is that of no character";
    NULL_CHARACTER_REFERENCE = "null-character-reference", "the number is that of U+0000";
    SURROGATE_CHARACTER_REFERENCE = "surrogate-character-reference", "the number is that of a surrogate";
    UNKNOWN_NAMED_CHARACTER_REFERENCE = "unknown-named-character-reference", "no character has this name: a literal & is written &amp;";
    // Tree construction: the standard names the first; the others are ours
    NON_VOID_HTML_ELEMENT_START_TAG_WITH_TRAILING_SOLIDUS = "non-void-html-element-start-tag-with-trailing-solidus", "only void elements and those of SVG and MathML close themselves";
    MISSING_DOCTYPE = "missing-doctype", "a document begins with <!DOCTYPE html>";
    NONCONFORMING_DOCTYPE = "nonconforming-doctype", "the DOCTYPE is <!DOCTYPE html>, and no more";
    MISPLACED_DOCTYPE = "misplaced-doctype", "a DOCTYPE stands only at the beginning; it is ignored";
    NULL_CHARACTER_IN_CONTENT = "null-character-in-content", "U+0000 is dropped, or U+FFFD in SVG and MathML";
    MISPLACED_START_TAG = "misplaced-start-tag", "this element has no place here; the tag is ignored";
    STRAY_END_TAG = "stray-end-tag", "no open element that this could close; the tag is ignored", end_tag;
    MISNESTED_END_TAG = "misnested-end-tag", "elements inside the one that this closes are open";
    UNCLOSED_ELEMENT = "unclosed-element", "this closes an element in which others are open", end_tag;
    REPEATED_START_TAG = "repeated-start-tag", "the document has this element; new attributes are added to it";
    METADATA_AFTER_HEAD = "metadata-after-head", "the head is closed; the element goes into it all the same";
    LATE_FRAMESET = "late-frameset", "a frameset takes the place of the body only while that is empty";
    NESTED_HEADING = "nested-heading", "headings do not stand in headings";
    NESTED_FORM = "nested-form", "forms do not stand in forms; the tag is ignored";
    NESTED_BUTTON = "nested-button", "buttons do not stand in buttons: the open one is closed";
    NESTED_LINK = "nested-link", "links do not stand in links: the open one is closed";
    NESTED_NOBR = "nested-nobr", "nobr elements do not stand in each other: the open one is closed";
    NESTED_SELECT = "nested-select", "selects do not stand in selects: the open one is closed";
    NESTED_TABLE = "nested-table", "a table stands in another only in a cell or caption: the open one is closed";
    INPUT_IN_SELECT = "input-in-select", "an input does not stand in a select";
    RUBY_PART_OUTSIDE_RUBY = "ruby-part-outside-ruby", "this stands directly in a ruby element";
    IMAGE_START_TAG = "image-start-tag", "the element is spelt img";
    BR_END_TAG = "br-end-tag", "a br has no end tag: it is read as a start tag";
    P_END_TAG_WITHOUT_START_TAG = "p-end-tag-without-start-tag", "no p is open: an empty one is made";
    CONTENT_IN_TABLE = "content-in-table", "this does not stand in a table: it goes before it";
    TEXT_IN_TABLE = "text-in-table", "text does not stand in a table: it goes before it";
    HIDDEN_INPUT_IN_TABLE = "hidden-input-in-table", "a hidden input does not stand in a table, but stays there";
    FORM_IN_TABLE = "form-in-table", "a form does not stand in a table, but is made there, empty";
    CELL_OUTSIDE_ROW = "cell-outside-row", "a cell stands in a row: one is made";
    CONTENT_IN_HEAD_NOSCRIPT = "content-in-head-noscript", "this does not stand in a noscript in the head: both are closed";
    CONTENT_IN_COLUMN_GROUP = "content-in-column-group", "only columns stand in a column group; this is ignored";
    CONTENT_IN_FRAMESET = "content-in-frameset", "only frames stand in a frameset; this is ignored";
    CONTENT_AFTER_FRAMESET = "content-after-frameset", "nothing follows the frameset; this is ignored";
    CONTENT_AFTER_BODY = "content-after-body", "nothing follows the body: this goes into it";
    CONTENT_AFTER_DOCUMENT = "content-after-document", "nothing follows the document: this goes into its body";
    HTML_IN_FOREIGN_CONTENT = "html-in-foreign-content", "this does not stand in SVG or MathML: they are closed";
    END_TAG_WITH_OPEN_ELEMENTS = "end-tag-with-open-elements", "elements whose end tags must be written are open";
    EOF_WITH_OPEN_ELEMENTS = "eof-with-open-elements", "the input ends while elements are open whose end tags must be written";
    EOF_IN_TEXT_ELEMENT = "eof-in-text-element", "the input ends in an element that holds only text";
    EOF_IN_TEMPLATE = "eof-in-template", "the input ends in a template";
    TOO_MUCH_COPIED = "too-much-copied", "so much of the tree is copies of elements that no more are made";
    EOF_IN_FRAMESET = "eof-in-frameset", "the input ends in a frameset";
}
