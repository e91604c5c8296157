//! Table: error codes of HTML. Parse errors of tokenization and of the input stream have the standard's names; for
//! those of tree construction the standard defines no names.

use crate::engine::error::{ErrorCode, codes};

codes! {
    // The input stream
    CONTROL_CHARACTER_IN_INPUT_STREAM = "control-character-in-input-stream", "control characters are not allowed in HTML";
    NONCHARACTER_IN_INPUT_STREAM = "noncharacter-in-input-stream", "noncharacter code points are not allowed in HTML";
    UNEXPECTED_NULL_CHARACTER = "unexpected-null-character", "U+0000 is not allowed in HTML";
    // Tags
    INVALID_FIRST_CHARACTER_OF_TAG_NAME = "invalid-first-character-of-tag-name", "expected an ASCII letter as the first character of a tag name: write a literal < as &lt;";
    EOF_BEFORE_TAG_NAME = "eof-before-tag-name", "the input ends where a tag name is expected";
    EOF_IN_TAG = "eof-in-tag", "the input ends inside a tag; the tag is ignored";
    MISSING_END_TAG_NAME = "missing-end-tag-name", "the end tag has no name";
    END_TAG_WITH_ATTRIBUTES = "end-tag-with-attributes", "attributes are not allowed in an end tag";
    END_TAG_WITH_TRAILING_SOLIDUS = "end-tag-with-trailing-solidus", "a slash is not allowed in an end tag";
    UNEXPECTED_SOLIDUS_IN_TAG = "unexpected-solidus-in-tag", "expected > after the slash in a tag";
    // Attributes
    DUPLICATE_ATTRIBUTE = "duplicate-attribute", "the tag already has an attribute with this name";
    MISSING_ATTRIBUTE_VALUE = "missing-attribute-value", "expected a value after the equals sign";
    MISSING_WHITESPACE_BETWEEN_ATTRIBUTES = "missing-whitespace-between-attributes", "expected whitespace between two attributes";
    UNEXPECTED_CHARACTER_IN_ATTRIBUTE_NAME = "unexpected-character-in-attribute-name", "quotation marks and < are not allowed in an attribute name";
    UNEXPECTED_CHARACTER_IN_UNQUOTED_ATTRIBUTE_VALUE = "unexpected-character-in-unquoted-attribute-value", "this character is only allowed in a quoted value";
    UNEXPECTED_EQUALS_SIGN_BEFORE_ATTRIBUTE_NAME = "unexpected-equals-sign-before-attribute-name", "expected an attribute name before the equals sign";
    // Comments, CDATA sections, processing instructions
    ABRUPT_CLOSING_OF_EMPTY_COMMENT = "abrupt-closing-of-empty-comment", "expected --> at the end of the comment: write an empty comment as <!---->";
    EOF_IN_COMMENT = "eof-in-comment", "the input ends inside a comment";
    INCORRECTLY_CLOSED_COMMENT = "incorrectly-closed-comment", "expected --> at the end of the comment";
    INCORRECTLY_OPENED_COMMENT = "incorrectly-opened-comment", "expected -- or DOCTYPE after <!; the text up to > is a comment";
    NESTED_COMMENT = "nested-comment", "<!-- is not allowed inside a comment";
    CDATA_IN_HTML_CONTENT = "cdata-in-html-content", "a CDATA section is only allowed in SVG and MathML; it is read as a comment";
    EOF_IN_CDATA = "eof-in-cdata", "the input ends inside a CDATA section";
    UNEXPECTED_QUESTION_MARK_INSTEAD_OF_TAG_NAME = "unexpected-question-mark-instead-of-tag-name", "<? is not allowed here; the text up to > is a comment";
    EOF_IN_PROCESSING_INSTRUCTION = "eof-in-processing-instruction", "the input ends inside a processing instruction; the instruction is ignored";
    INVALID_FIRST_CHARACTER_OF_PROCESSING_INSTRUCTION_TARGET = "invalid-first-character-of-processing-instruction-target", "expected an ASCII letter or an underscore as the first character of the target";
    INVALID_PROCESSING_INSTRUCTION_TARGET = "invalid-processing-instruction-target", "only ASCII letters, digits, - and _ are allowed in a target";
    DISALLOWED_PROCESSING_INSTRUCTION_TARGET = "disallowed-processing-instruction-target", "the targets xml and xml-stylesheet are not allowed in HTML";
    // DOCTYPE
    ABRUPT_DOCTYPE_PUBLIC_IDENTIFIER = "abrupt-doctype-public-identifier", "the DOCTYPE ends inside its public identifier";
    ABRUPT_DOCTYPE_SYSTEM_IDENTIFIER = "abrupt-doctype-system-identifier", "the DOCTYPE ends inside its system identifier";
    EOF_IN_DOCTYPE = "eof-in-doctype", "the input ends inside a DOCTYPE";
    INVALID_CHARACTER_SEQUENCE_AFTER_DOCTYPE_NAME = "invalid-character-sequence-after-doctype-name", "expected PUBLIC or SYSTEM after the name of the DOCTYPE";
    MISSING_DOCTYPE_NAME = "missing-doctype-name", "the DOCTYPE has no name";
    MISSING_DOCTYPE_PUBLIC_IDENTIFIER = "missing-doctype-public-identifier", "expected a public identifier after PUBLIC";
    MISSING_DOCTYPE_SYSTEM_IDENTIFIER = "missing-doctype-system-identifier", "expected a system identifier after SYSTEM";
    MISSING_QUOTE_BEFORE_DOCTYPE_PUBLIC_IDENTIFIER = "missing-quote-before-doctype-public-identifier", "expected a quote before the public identifier";
    MISSING_QUOTE_BEFORE_DOCTYPE_SYSTEM_IDENTIFIER = "missing-quote-before-doctype-system-identifier", "expected a quote before the system identifier";
    MISSING_WHITESPACE_AFTER_DOCTYPE_PUBLIC_KEYWORD = "missing-whitespace-after-doctype-public-keyword", "expected whitespace after PUBLIC";
    MISSING_WHITESPACE_AFTER_DOCTYPE_SYSTEM_KEYWORD = "missing-whitespace-after-doctype-system-keyword", "expected whitespace after SYSTEM";
    MISSING_WHITESPACE_BEFORE_DOCTYPE_NAME = "missing-whitespace-before-doctype-name", "expected whitespace before the name of the DOCTYPE";
    MISSING_WHITESPACE_BETWEEN_DOCTYPE_PUBLIC_AND_SYSTEM_IDENTIFIERS = "missing-whitespace-between-doctype-public-and-system-identifiers", "expected whitespace between the two identifiers";
    UNEXPECTED_CHARACTER_AFTER_DOCTYPE_SYSTEM_IDENTIFIER = "unexpected-character-after-doctype-system-identifier", "only whitespace is allowed after the system identifier";
    // Script data
    EOF_IN_SCRIPT_HTML_COMMENT_LIKE_TEXT = "eof-in-script-html-comment-like-text", "the input ends inside a script, after <!--";
    // Character references
    ABSENCE_OF_DIGITS_IN_NUMERIC_CHARACTER_REFERENCE = "absence-of-digits-in-numeric-character-reference", "expected digits in the numeric character reference";
    CHARACTER_REFERENCE_OUTSIDE_UNICODE_RANGE = "character-reference-outside-unicode-range", "the number of the reference is greater than the last code point";
    CONTROL_CHARACTER_REFERENCE = "control-character-reference", "the reference refers to a control character";
    MISSING_SEMICOLON_AFTER_CHARACTER_REFERENCE = "missing-semicolon-after-character-reference", "expected a semicolon at the end of the character reference";
    NONCHARACTER_CHARACTER_REFERENCE = "noncharacter-character-reference", "the reference refers to a noncharacter";
    NULL_CHARACTER_REFERENCE = "null-character-reference", "the reference refers to U+0000";
    SURROGATE_CHARACTER_REFERENCE = "surrogate-character-reference", "the reference refers to a surrogate";
    UNKNOWN_NAMED_CHARACTER_REFERENCE = "unknown-named-character-reference", "no character reference has this name: write a literal & as &amp;";
    // Tree construction: the standard names the first; the others are ours
    NON_VOID_HTML_ELEMENT_START_TAG_WITH_TRAILING_SOLIDUS = "non-void-html-element-start-tag-with-trailing-solidus", "the slash is ignored: only void elements and elements of SVG and MathML can be self-closing";
    MISSING_DOCTYPE = "missing-doctype", "expected <!DOCTYPE html> at the start of the document";
    NONCONFORMING_DOCTYPE = "nonconforming-doctype", "expected exactly <!DOCTYPE html>";
    MISPLACED_DOCTYPE = "misplaced-doctype", "a DOCTYPE is only allowed at the start of the document; it is ignored";
    NULL_CHARACTER_IN_CONTENT = "null-character-in-content", "U+0000 is not allowed in content: it is dropped, or becomes U+FFFD in SVG and MathML";
    MISPLACED_START_TAG = "misplaced-start-tag", "this element is not allowed here; the tag is ignored";
    STRAY_END_TAG = "stray-end-tag", "no open element matches this end tag; the tag is ignored", end_tag;
    MISNESTED_END_TAG = "misnested-end-tag", "the end tag closes an element while elements inside it are open";
    UNCLOSED_ELEMENT = "unclosed-element", "an element is closed while elements inside it are open", end_tag;
    REPEATED_START_TAG = "repeated-start-tag", "the document already has this element; attributes that it does not have are added to it";
    METADATA_AFTER_HEAD = "metadata-after-head", "the head is already closed; the element is inserted into it nevertheless";
    LATE_FRAMESET = "late-frameset", "a frameset is only allowed while the body is empty; the tag may be ignored";
    NESTED_HEADING = "nested-heading", "a heading is not allowed inside a heading: the open one is closed";
    NESTED_FORM = "nested-form", "a form is not allowed inside a form; the tag is ignored";
    NESTED_BUTTON = "nested-button", "a button is not allowed inside a button: the open one is closed";
    NESTED_LINK = "nested-link", "a link is not allowed inside a link: the open one is closed";
    NESTED_NOBR = "nested-nobr", "a nobr is not allowed inside a nobr: the open one is closed";
    NESTED_SELECT = "nested-select", "a select is not allowed inside a select: the open one is closed";
    NESTED_TABLE = "nested-table", "a table is only allowed in a cell or the caption of another table: the open one is closed";
    INPUT_IN_SELECT = "input-in-select", "an input is not allowed inside a select";
    RUBY_PART_OUTSIDE_RUBY = "ruby-part-outside-ruby", "this element is only allowed directly inside a ruby element";
    IMAGE_START_TAG = "image-start-tag", "the element is called img; image is read as img";
    BR_END_TAG = "br-end-tag", "the end tag of br is read as a start tag: a br has no end tag";
    P_END_TAG_WITHOUT_START_TAG = "p-end-tag-without-start-tag", "no p is open: an empty p element is inserted";
    CONTENT_IN_TABLE = "content-in-table", "this is not allowed directly in a table: it is inserted before the table";
    TEXT_IN_TABLE = "text-in-table", "text is not allowed directly in a table: it is inserted before the table";
    HIDDEN_INPUT_IN_TABLE = "hidden-input-in-table", "a hidden input is not allowed directly in a table; it stays in the table nevertheless";
    FORM_IN_TABLE = "form-in-table", "a form is not allowed directly in a table; an empty form is inserted there";
    CELL_OUTSIDE_ROW = "cell-outside-row", "a cell is only allowed in a row: a row is inserted";
    CONTENT_IN_HEAD_NOSCRIPT = "content-in-head-noscript", "this is not allowed in a noscript in the head: the noscript is closed";
    CONTENT_IN_COLUMN_GROUP = "content-in-column-group", "only columns are allowed in a column group; this is ignored";
    CONTENT_IN_FRAMESET = "content-in-frameset", "only frames are allowed in a frameset; this is ignored";
    CONTENT_AFTER_FRAMESET = "content-after-frameset", "this is not allowed after the frameset; it is ignored";
    CONTENT_AFTER_BODY = "content-after-body", "this is not allowed after the body: it is inserted into the body";
    CONTENT_AFTER_DOCUMENT = "content-after-document", "this is not allowed after the document: it is inserted into the body";
    HTML_IN_FOREIGN_CONTENT = "html-in-foreign-content", "this element is not allowed in SVG or MathML: the open elements of SVG and MathML are closed";
    END_TAG_WITH_OPEN_ELEMENTS = "end-tag-with-open-elements", "elements are open whose end tags cannot be omitted";
    EOF_WITH_OPEN_ELEMENTS = "eof-with-open-elements", "the input ends while elements are open whose end tags cannot be omitted";
    EOF_IN_TEXT_ELEMENT = "eof-in-text-element", "the input ends inside an element that contains only text";
    EOF_IN_TEMPLATE = "eof-in-template", "the input ends inside a template";
    TOO_MUCH_COPIED = "too-much-copied", "the limit on copies of elements is reached: no more elements are copied";
    EOF_IN_FRAMESET = "eof-in-frameset", "the input ends inside a frameset";
}
