//! The sections of the specifications that describe the states of the tokenizers.
//!
//! HTML is not here: the name of a state is its anchor in the standard. The states of XML and Sky have the names of their
//! specifications, XML-ER and "Parsing", so most titles follow from the names. The other specifications define no states,
//! and a table has the section for each.

use crate::json;
use crate::options::{DialectId, Options};

/// Sections of a specification. The first column is the beginning of the names of states. The first row that matches a name
/// counts. An empty section means that the specification does not have this state.
type Rows = &'static [(&'static str, &'static str)];

/// Productions of XML 1.0. The second word is also the anchor in the recommendation, after `NT-`.
const PRODUCTIONS: Rows = &[
    ("Data", "[43] content"),
    ("Start", "[22] prolog"),
    ("Outside", "[27] Misc"),
    ("ReferenceNumber", "[66] CharRef"),
    ("ReferenceDecimal", "[66] CharRef"),
    ("ReferenceHexadecimal", "[66] CharRef"),
    ("ReferenceName", "[68] EntityRef"),
    ("Reference", "[67] Reference"),
    ("TagAttributeValueUnquoted", ""),
    ("TagAttributeValue", "[10] AttValue"),
    ("TagAttribute", "[41] Attribute"),
    ("TagName", "[40] STag"),
    ("Tag", "[43] content"),
    ("EndTag", "[42] ETag"),
    ("EmptyTag", "[44] EmptyElemTag"),
    ("PiTargetAfter", "[16] PI"),
    ("PiTarget", "[17] PITarget"),
    ("Pi", "[16] PI"),
    ("Declaration", "[23] XMLDecl"),
    ("MarkupDeclaration", "[43] content"),
    ("Comment", "[15] Comment"),
    ("Cdata", "[18] CDSect"),
    ("DoctypeIdentifier", "[75] ExternalID"),
    ("DoctypeInternalSubsetAfter", "[28] doctypedecl"),
    ("DoctypeInternalSubset", "[28b] intSubset"),
    ("DoctypeTag", "[29] markupdecl"),
    ("DoctypeMarkupDeclaration", "[29] markupdecl"),
    ("DoctypeEntityParameter", "[72] PEDecl"),
    ("DoctypeEntityValueAfter", "[70] EntityDecl"),
    ("DoctypeEntityValue", "[9] EntityValue"),
    ("DoctypeEntityIdentifier", "[75] ExternalID"),
    ("DoctypeEntity", "[70] EntityDecl"),
    ("DoctypeAttlistAttributeType", "[54] AttType"),
    ("DoctypeAttlistAttributeDeclaration", "[60] DefaultDecl"),
    ("DoctypeAttlistAttributeValue", "[10] AttValue"),
    ("DoctypeAttlistAttribute", "[53] AttDef"),
    ("DoctypeAttlist", "[52] AttlistDecl"),
    ("DoctypeNotation", "[82] NotationDecl"),
    ("DoctypeElementSpecification", "[46] contentspec"),
    ("DoctypeElement", "[45] elementdecl"),
    ("DoctypeParameterReference", "[69] PEReference"),
    ("DoctypeDeclaration", "[29] markupdecl"),
    ("DoctypeConditionalAfter", "[62] includeSect"),
    ("DoctypeConditional", "[61] conditionalSect"),
    ("DoctypeIgnored", "[63] ignoreSect"),
    ("DoctypeExternalSubset", "[30] extSubset"),
    ("DoctypePi", "[16] PI"),
    ("DoctypeBogusComment", ""),
    ("Doctype", "[28] doctypedecl"),
];

/// Beginnings of the names of the states of XML that XML-ER does not have.
const NOT_IN_XML_ER: &[&str] = &[
    "Start",
    "Outside",
    "Reference",
    "Declaration",
    "MarkupDeclarationKeyword",
    "DoctypeMarkupDeclarationKeyword",
    "DoctypeElement",
    "DoctypeParameterReference",
    "DoctypeDeclaration",
    "DoctypeConditional",
    "DoctypeIgnored",
    "DoctypeExternalSubset",
    "DoctypePi",
];

/// Modes and lexical tokens of "Error recovery for MicroXML" that only its final draft has.
const MICROXML_FINAL: Rows = &[
    ("CdataOpen", "CDATA_OPEN"),
    ("Cdata", "CData mode"),
    ("Pi", "PI"),
    ("DoctypeOpen", "DOCTYPE_OPEN"),
    ("DoctypeLiteral", "Doctype mode, LITERAL"),
    ("Doctype", "Doctype mode"),
    ("SubsetClose", "Subset mode, SUBSET_CLOSE"),
    ("Subset", "Subset mode"),
    ("Decl", "Subset mode, DECL"),
    ("Context", "TAG_CONTEXT"),
    ("Angle", "ANGLE_SINGLE and ANGLE_DOUBLE"),
    ("ReferenceDecimalNumber", "NUMERIC_CHAR_REF"),
];

/// Modes and lexical tokens of "Error recovery for MicroXML".
const MICROXML: Rows = &[
    ("Main", "Main tokenization mode"),
    ("Open", "Main tokenization mode"),
    ("StartTagName", "Main tokenization mode, START_TAG_OPEN"),
    ("StartTagSpace", "Main tokenization mode, SIMPLE_START_TAG"),
    (
        "StartTagSlash",
        "Main tokenization mode, SIMPLE_EMPTY_ELEMENT_TAG",
    ),
    ("StartTag", "Main tokenization mode, START_TAG_ATTRIBUTE"),
    ("EndTag", "Main tokenization mode, END_TAG"),
    ("CommentOpen", "Main tokenization mode, COMMENT_OPEN"),
    ("CommentDash", "Comment tokenization mode, COMMENT_CLOSE"),
    ("Comment", "Comment tokenization mode"),
    ("TagSlash", "TagMode, EMPTY_ELEMENT_TAG_CLOSE"),
    ("TagName", "TagMode, ATTRIBUTE_NAME_EQUALS"),
    ("Tag", "TagMode"),
    (
        "StartAttributeValue",
        "StartAttributeValue tokenization mode",
    ),
    ("UnquoteAttributeValue", "UnquoteAttributeValue mode"),
    ("SingleQuoteAttributeValue", "SingleQuoteAttributeValueMode"),
    ("DoubleQuoteAttributeValue", "DoubleQuoteAttributeValueMode"),
    ("ReferenceName", "Lexical tokens, NAMED_CHAR_REF"),
    ("ReferenceNumber", "Lexical tokens, NUMERIC_CHAR_REF"),
    ("ReferenceHexNumber", "Lexical tokens, NUMERIC_CHAR_REF"),
    (
        "Reference",
        "Lexical tokens, NAMED_CHAR_REF and NUMERIC_CHAR_REF",
    ),
];

/// Sections of the LeafXML specification.
const LEAFXML: Rows = &[
    ("TextLineBreak", "Line break normalization"),
    ("CdataLineBreak", "Line break normalization"),
    ("Text", "Tokenizing, text tokens"),
    ("Outside", "Content assemblies"),
    ("Escape", "Entity escaping"),
    ("Token", "Tokenizing"),
    ("Declaration", "Tokenizing"),
    ("Cdata", "Tokenizing, CDATA tokens"),
    ("Instruction", "Tokenizing, instruction tokens"),
    ("Doctype", "Tokenizing, DOCTYPE tokens"),
    ("Comment", "Tokenizing, comment tokens"),
    ("EndTag", "Tag assemblies"),
    ("TagName", "Tag assemblies"),
    ("EmptyTag", "Tag assemblies"),
    ("Attribute", "Tag assemblies"),
    ("Value", "Tag assemblies"),
    ("DoubleQuotedValue", "Tag assemblies"),
    ("SingleQuotedValue", "Tag assemblies"),
];

/// The address that XML-ER gives for itself.
const XML_ER: &str = "http://dvcs.w3.org/hg/xml-er/raw-file/tip/Overview.html";

/// Returns the second column of the first row for a state.
fn find(rows: Rows, state: &str) -> Option<&'static str> {
    let row = rows.iter().find(|(begin, _)| state.starts_with(begin));
    row.map(|(_, section)| *section)
}

/// Returns the words of a name in the source: `AfterTag2(1)` becomes `after tag 2`.
pub(crate) fn split(state: &str) -> String {
    let name = state.split('(').next().unwrap_or(state);
    let mut words = String::new();
    for letter in name.chars() {
        if !letter.is_ascii_lowercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

/// Words that the specifications of XML-ER and Sky write in another way than the source.
const SPELLINGS: [(&str, &str); 10] = [
    ("cdata", "CDATA"),
    ("doctype", "DOCTYPE"),
    ("DOCTYPE entity", "DOCTYPE ENTITY"),
    ("DOCTYPE attlist", "DOCTYPE ATTLIST"),
    ("DOCTYPE notation", "DOCTYPE NOTATION"),
    ("expect string", "expect a string"),
    ("single quoted attribute", "single-quoted attribute"),
    ("double quoted attribute", "double-quoted attribute"),
    ("script raw data close", "script raw data: close "),
    ("style raw data close", "style raw data: close "),
];

/// Returns the title of a state in XML-ER or in Sky's specification.
fn title(state: &str) -> String {
    let mut title = split(state);
    for (from, to) in SPELLINGS {
        title = title.replace(from, to);
    }
    if let Some((_, number)) = state.split_once('(') {
        title.push_str(number.trim_end_matches(')'));
    }
    title[..1].make_ascii_uppercase();
    title.push_str(" state");
    title
}

/// Appends a section to a list.
fn add(document: &str, section: &str, link: Option<&str>, out: &mut String) {
    if !out.ends_with('[') {
        out.push(',');
    }
    out.push('{');
    json::string_field("document", document, out);
    json::string_field("section", section, out);
    json::key_of("link", out);
    json::optional(link, out);
    out.push('}');
}

/// Returns the sections of the specifications that describe a state of the tokenizer, as a JSON array:
///
/// ```text
/// [{"document":s,"section":s,"link":s|null}…]
/// ```
///
/// `options` are those of a session, and `state` is the name in the source of the library. A state at the end of the input
/// has no section. Nor have those of HTML, where the name of the state is its anchor in the standard.
///
/// # Errors
///
/// A message, if an option is invalid.
pub fn sections(options: &str, state: &str) -> Result<String, String> {
    let mut out = String::new();
    write(Options::parse(options)?.dialect, state, &mut out);
    Ok(out)
}

/// Appends the sections for a state: see [`sections`].
pub(crate) fn write(dialect: DialectId, state: &str, out: &mut String) {
    out.push('[');
    match dialect {
        _ if matches!(state, "Finished" | "Yield") => {}
        DialectId::Html => {}
        DialectId::Xml => {
            if !NOT_IN_XML_ER.iter().any(|begin| state.starts_with(begin)) {
                add("XML-ER", &title(state), Some(XML_ER), out);
            }
            let production = find(PRODUCTIONS, state).unwrap_or_default();
            if let Some((_, name)) = production.split_once(' ') {
                let section = ["production ", production].concat();
                let link = ["https://www.w3.org/TR/xml/#NT-", name].concat();
                add("XML 1.0", &section, Some(&link), out);
            }
        }
        DialectId::MicroXml => {
            let (document, rows) = match find(MICROXML_FINAL, state) {
                Some(_) => ("Error recovery for MicroXML, final draft", MICROXML_FINAL),
                None => ("Error recovery for MicroXML", MICROXML),
            };
            if let Some(section) = find(rows, state) {
                add(document, section, None, out);
            }
        }
        DialectId::Sky => {
            add("Parsing in Sky", &title(state), None, out);
        }
        DialectId::LeafXml => {
            if let Some(section) = find(LEAFXML, state) {
                add("LeafXML specification", section, None, out);
            }
        }
    }
    out.push(']');
}
