//! Checks that a parser will read names and strings as they were written: names and characters of XML and HTML.

use super::error::{Reason, Refusal};
use crate::engine::scan::same;
use crate::engine::text::xml_names::{
    is_char, is_name_char, is_name_start_char, is_pubid_char, is_white_space,
};
use alloc::string::String;
use alloc::vec::Vec;

/// Returns the error that `what` is refused for `reason`, unless `is_well` is true.
#[inline(always)]
pub(crate) fn sure(is_well: bool, reason: Reason, what: &str) -> Result<(), Refusal> {
    match is_well {
        true => Ok(()),
        false => Err(Refusal::new(reason, what)),
    }
}

/// The bytes of which plain names consist: 2 for those that may begin a name, 1 for the others, 0 for all other bytes.
static PLAIN_NAME: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let character = byte as u8 as char;
        if is_name_start_char(character) {
            table[byte] = 2;
        } else if is_name_char(character) {
            table[byte] = 1;
        }
        byte += 1;
    }
    table[b':' as usize] = 0;
    table
};

/// Returns true if a string is a name of ASCII characters without a colon, as most names of XML are.
///
/// PERF: writing vk.xml takes 6 million instructions less than with `xml_name` alone (`valgrind --tool=callgrind`,
/// `benches/peers`).
#[inline]
pub(super) fn is_plain_name(name: &str) -> bool {
    let class = |byte: u8| PLAIN_NAME[usize::from(byte)];
    match name.as_bytes() {
        [first, rest @ ..] => class(*first) == 2 && rest.iter().all(|&byte| class(byte) != 0),
        [] => false,
    }
}

/// The names of XML that were checked last and that are not plain, each at the index that is its hash. A document
/// repeats few names, and one comparison is faster than a check. Empty before the first check.
///
/// PERF: writing freedesktop.org.xml, where most elements have the attribute `xml:lang`, takes 4 million instructions
/// less than with a check of each name (`valgrind --tool=callgrind`, `benches/peers`).
#[derive(Clone, Debug, Default)]
pub(super) struct CheckedNames(Vec<CheckedName>);

/// A name that was checked, and whether it contains a colon. An empty string is the initial value.
#[derive(Clone, Debug, Default)]
struct CheckedName {
    name: String,
    has_colon: bool,
}

/// Number of names that are remembered, a power of two.
const CHECKED_NAMES: usize = 32;

/// Maximum length in bytes of a name that is remembered.
const MAX_CHECKED_BYTES: usize = 64;

impl CheckedNames {
    /// Returns whether a name contains a colon. Calls `check` for a name that was not checked recently, and returns its
    /// error.
    #[inline]
    pub(super) fn has_colon(
        &mut self,
        name: &str,
        check: fn(&str) -> Result<(), Refusal>,
    ) -> Result<bool, Refusal> {
        let bytes = name.as_bytes();
        let [first, .., last] = *bytes else {
            return check(name).map(|()| has_colon(name));
        };
        let hash = usize::from(first) + 3 * usize::from(last) + 5 * bytes.len();
        let index = hash % CHECKED_NAMES;
        match self.0.get(index) {
            Some(known) if same(known.name.as_bytes(), bytes) => Ok(known.has_colon),
            _ => self.check(index, name, check),
        }
    }

    /// Checks a name and remembers it at `index`. Returns whether the name contains a colon.
    #[inline(never)]
    fn check(
        &mut self,
        index: usize,
        name: &str,
        check: fn(&str) -> Result<(), Refusal>,
    ) -> Result<bool, Refusal> {
        check(name)?;
        let has_colon = has_colon(name);
        if name.len() <= MAX_CHECKED_BYTES {
            self.0.resize_with(CHECKED_NAMES, CheckedName::default);
            let known = &mut self.0[index];
            known.name.clear();
            known.name.push_str(name);
            known.has_colon = has_colon;
        }
        Ok(has_colon)
    }
}

/// Returns true if a name contains a colon. Names are short, so this does not call `memchr`.
pub(super) fn has_colon(name: &str) -> bool {
    name.bytes().any(|byte| byte == b':')
}

/// Returns an error if `name` is not a qualified name of XML. Such a name contains at most one colon, neither first nor
/// last.
#[inline(never)]
pub(crate) fn xml_name(name: &str) -> Result<(), Refusal> {
    let mut colons = 0;
    let mut may_start = true;
    for character in name.chars() {
        let is_well = match character {
            ':' if !may_start => {
                colons += 1;
                may_start = true;
                continue;
            }
            ':' => false,
            _ if may_start => is_name_start_char(character),
            _ => is_name_char(character),
        };
        may_start = false;
        if !is_well {
            colons = 2;
            break;
        }
    }
    sure(colons < 2 && !may_start, Reason::Name, name)
}

/// Returns an error if `name` is not a name of XML 1.0, in which a colon is an ordinary name character.
pub(crate) fn xml_name_with_colons(name: &str) -> Result<(), Refusal> {
    let mut characters = name.chars();
    let starts = characters.next().is_some_and(is_name_start_char);
    sure(starts && characters.all(is_name_char), Reason::Name, name)
}

/// Returns an error if `name` is not a name of XML without a colon, such as the name of an entity or a target.
pub(crate) fn xml_ncname(name: &str) -> Result<(), Refusal> {
    sure(!name.contains(':'), Reason::Name, name)?;
    xml_name(name)
}

/// Returns an error if `text` contains a character that cannot be written in XML without a reference: a character that
/// XML does not allow, a carriage return, and in XML 1.1 also the characters that must be written as references.
pub(crate) fn xml_characters(text: &str, is_xml11: bool) -> Result<(), Refusal> {
    // Bytes that may begin a character that is refused.
    let is_odd = |byte: u8| {
        byte < 0x20 && !matches!(byte, b'\t' | b'\n') || byte == 0xEF || is_xml11 && byte >= 0x7F
    };
    if !text.bytes().any(is_odd) {
        return Ok(());
    }
    let is_bad = |&character: &char| {
        // A parser would replace a carriage return by a newline.
        !is_char(character) || character == '\r' || is_xml11 && is_restricted(character)
    };
    match text.chars().find(is_bad) {
        Some(bad) => Err(Refusal::new(
            Reason::Character,
            bad.encode_utf8(&mut [0; 4]),
        )),
        None => Ok(()),
    }
}

/// Returns true for characters that XML 1.1 allows as a reference only, or that a parser of XML 1.1 would replace by a
/// newline.
pub(crate) fn is_restricted(character: char) -> bool {
    matches!(character, '\u{1}'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}')
        || matches!(character, '\u{7F}'..='\u{9F}' | '\u{2028}')
}

/// Returns an error if `text` cannot be the content of an XML comment.
pub(crate) fn xml_comment(text: &str, is_xml11: bool) -> Result<(), Refusal> {
    let is_well = !text.contains("--") && !text.ends_with('-');
    sure(is_well, Reason::Comment, text)?;
    xml_characters(text, is_xml11)
}

/// Returns an error if a processing instruction of XML cannot have this target or this data. The caller checks that the
/// target is a name.
pub(crate) fn xml_instruction(target: &str, data: &str, is_xml11: bool) -> Result<(), Refusal> {
    let is_well = !target.eq_ignore_ascii_case("xml");
    sure(is_well, Reason::Instruction, target)?;
    // A parser skips whitespace before the data.
    let is_well = !data.contains("?>") && !data.starts_with(is_white_space);
    sure(is_well, Reason::Instruction, data)?;
    xml_characters(data, is_xml11)
}

/// Returns an error if one of the identifiers of a document type, an entity or a notation cannot be written.
pub(crate) fn identifiers(
    public: Option<&str>,
    system: Option<&str>,
    is_xml11: bool,
) -> Result<(), Refusal> {
    if let Some(public) = public {
        sure(
            public.chars().all(is_pubid_char),
            Reason::Identifier,
            public,
        )?;
    }
    if let Some(system) = system {
        let has_both = system.contains('"') && system.contains('\'');
        sure(!has_both, Reason::Identifier, system)?;
        xml_characters(system, is_xml11)?;
    }
    Ok(())
}

/// Returns an error if `name` cannot be the name of an element in HTML.
pub(crate) fn html_name(name: &str) -> Result<(), Refusal> {
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | 0);
    let is_well = name.starts_with(|first: char| first.is_ascii_alphabetic());
    sure(is_well && !name.bytes().any(ends), Reason::Name, name)
}

/// Returns an error if `name` cannot be the name of an attribute in HTML.
pub(crate) fn html_attribute_name(name: &str) -> Result<(), Refusal> {
    let is_odd = |byte: u8| {
        byte.is_ascii_whitespace() || matches!(byte, 0 | b'"' | b'\'' | b'>' | b'/' | b'=' | b'<')
    };
    let is_well = !name.is_empty() && !name.bytes().any(is_odd);
    sure(is_well, Reason::Name, name)
}

/// Returns an error if `text` contains U+0000, which cannot be written in HTML.
pub(crate) fn html_characters(text: &str) -> Result<(), Refusal> {
    sure(!text.contains('\0'), Reason::Character, "\0")
}

/// Returns an error if `text` cannot be the content of an HTML comment.
pub(crate) fn html_comment(text: &str) -> Result<(), Refusal> {
    let begins = text.starts_with('>') || text.starts_with("->");
    let holds = ["<!--", "-->", "--!>"]
        .iter()
        .any(|part| text.contains(part));
    let ends = text.ends_with("<!-");
    sure(!begins && !holds && !ends, Reason::Comment, text)?;
    sure(!text.contains('\r'), Reason::Character, "\r")?;
    html_characters(text)
}

/// Returns an error if a processing instruction of HTML cannot have this target or this data.
pub(crate) fn html_instruction(target: &str, data: &str) -> Result<(), Refusal> {
    let starts = target.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_known = ["xml", "xml-stylesheet"]
        .iter()
        .any(|one| one.eq_ignore_ascii_case(target));
    let is_well = starts && target.bytes().all(goes_on) && !is_known;
    sure(is_well, Reason::Instruction, target)?;
    let begins = data
        .bytes()
        .next()
        .is_some_and(|first| first.is_ascii_whitespace());
    let is_well = !data.contains(['>', '\r']) && !begins;
    sure(is_well, Reason::Instruction, data)?;
    html_characters(data)
}

/// Returns an error if `name` cannot be the name of a document type in HTML.
pub(crate) fn html_doctype(name: &str) -> Result<(), Refusal> {
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | 0);
    sure(
        !name.is_empty() && !name.bytes().any(ends),
        Reason::Name,
        name,
    )
}

/// Returns an error if `text` cannot be the text of an element without references, such as `script`: its end tag must
/// not occur in the text. `element` is the name of the element.
pub(crate) fn raw_text(element: &str, text: &str) -> Result<(), Refusal> {
    // After `<!--`, a parser reads `<script` in a script as a nested start tag, so that the next `</script>` does not
    // end the element.
    let hides = element.eq_ignore_ascii_case("script")
        && text.contains("<!--")
        && find_word(text, "<", "script");
    let is_well = !find_word(text, "</", element) && !hides;
    sure(is_well, Reason::RawText, text)?;
    sure(!text.contains('\r'), Reason::Character, "\r")?;
    html_characters(text)
}

/// Returns true if `text` contains `before`, directly followed by `word` in any case.
fn find_word(text: &str, before: &str, word: &str) -> bool {
    let text = text.as_bytes();
    memchr::memmem::find_iter(text, before.as_bytes()).any(|at| {
        let rest = &text[at + before.len()..];
        rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word.as_bytes())
    })
}
