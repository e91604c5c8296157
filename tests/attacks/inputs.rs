//! The inputs: some 1 MiB each of what is written in one line.

use crate::sized;
use std::fmt::Write;

const SIZE: usize = 1 << 20;

/// An input, and the default limit that it runs into.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    pub(crate) make: fn() -> Vec<u8>,
    pub(crate) limit: Option<&'static str>,
    /// Characters that turn out to be something else than they looked like are looked at twice, and
    /// what is both cut by a chunk and cleaned is copied twice: three times the input, not twice.
    pub(crate) reconsumed: bool,
    /// Bytes of text for each four bytes of input: that is what states see of another encoding.
    expansion: u64,
}

impl Attack {
    /// What the work is measured by: the input, or what it is decoded to where that is more.
    pub(crate) fn text_length(&self, input: &[u8]) -> u64 {
        input.len() as u64 * self.expansion.max(4) / 4
    }
}

/// The unit, over and over, between a beginning and an end.
fn repeated(before: &str, unit: impl AsRef<[u8]>, after: &str) -> Vec<u8> {
    let unit = unit.as_ref();
    let mut input = before.as_bytes().to_vec();
    input.extend(unit.repeat(sized(SIZE) / unit.len()));
    input.extend(after.as_bytes());
    input
}

/// So many units of their own numbers.
fn numbered(before: &str, count: usize, unit: impl Fn(&mut String, usize), after: &str) -> Vec<u8> {
    let mut input = before.to_owned();
    (0..count).for_each(|number| unit(&mut input, number));
    input.push_str(after);
    input.into_bytes()
}

macro_rules! attacks {
    ($($name:literal $limit:expr, $expansion:literal, $make:expr;)*) => {
        vec![$(Attack {
            name: $name,
            limit: $limit,
            reconsumed: RECONSUMED.contains(&$name),
            expansion: $expansion,
            make: || $make,
        }),*]
    };
}

/// The shapes that are made of what is looked at or copied twice.
const RECONSUMED: [&str; 19] = [
    "carriage returns",
    "carriage returns and text",
    "a value of line ends",
    "a value of references",
    "a comment of pairs of dashes",
    "a comment without an end",
    "a CDATA section of pairs",
    "one name of an end tag",
    "ends of sections in text",
    "references",
    "short numeric references",
    "references that are none",
    "ampersands",
    "less-than signs",
    "end tags that are none",
    "slashes",
    "a DOCTYPE's comment",
    "a DOCTYPE's instructions",
    "an XML declaration",
];

/// All of them.
pub(crate) fn attacks() -> Vec<Attack> {
    const DEPTH: Option<&str> = Some("depth-limit");
    const NAME: Option<&str> = Some("name-limit");
    const ATTRIBUTES: Option<&str> = Some("attributes-limit");
    attacks! {
        "text" None, 4, repeated("<a>", "text ", "</a>");
        "text of many lines" None, 4, repeated("<a>", "\n", "</a>");
        "text beyond the root" None, 4, repeated("<a/>", "text ", "");
        "no markup at all" None, 4, repeated("", "text ", "");
        "white space" None, 4, repeated("", " \n\t", "<a/>");
        "wide characters" None, 4, repeated("<a>", "\u{20ac}\u{1f600}\u{e9}", "</a>");
        "carriage returns" None, 4, repeated("<a>", "\r", "</a>");
        "carriage returns and text" None, 4, repeated("<a>", "x\r\n", "</a>");
        "one attribute value" None, 4, repeated("<a b=\"", "value ", "\"/>");
        "one value without quotes" None, 4, repeated("<a b=", "value", "></a>");
        "a value of line ends" None, 4, repeated("<a b='", "\r\n", "'/>");
        "a value of less-than signs" None, 4, repeated("<a b='", "<", "'/>");
        "a value without an end" None, 4, repeated("<a b='", "value ", "");
        "a value of references" None, 4, repeated("<a b='", "&lt;", "'/>");
        "one comment" None, 4, repeated("<a><!--", "comment ", "--></a>");
        "a comment of dashes" None, 4, repeated("<a><!--", "-", "></a>");
        "a comment of pairs of dashes" None, 4, repeated("<a><!--", "--x", "--></a>");
        "a comment without an end" None, 4, repeated("<a><!--", "- -", "");
        "a bogus comment" None, 4, repeated("<a><!", "bogus", "></a>");
        "small comments" None, 4, repeated("<a>", "<!---->", "</a>");
        "one CDATA section" None, 4, repeated("<a><![CDATA[", "section ", "]]></a>");
        "a CDATA section of brackets" None, 4, repeated("<a><![CDATA[", "]", "]]></a>");
        "a CDATA section of pairs" None, 4, repeated("<a><![CDATA[", "]]x", "]]></a>");
        "small CDATA sections" None, 4, repeated("<a>", "<![CDATA[]]>", "</a>");
        "beginnings of CDATA sections" None, 4, repeated("<a>", "<![CDATA", "</a>");
        "one processing instruction" None, 4, repeated("<a><?b ", "data ", "?></a>");
        "an instruction of question marks" None, 4, repeated("<a><?b ", "?", "></a>");
        "one target" NAME, 4, repeated("<a><?", "t", "?></a>");
        "small instructions" None, 4, repeated("<a>", "<?b?>", "</a>");
        "one name" NAME, 4, repeated("<", "name", "/>");
        "one name of wide characters" NAME, 4, repeated("<", "\u{e9}", "/>");
        "one name of an end tag" NAME, 4, repeated("<a></", "name", ">");
        "one name of an attribute" NAME, 4, repeated("<a ", "name", "=''/>");
        "one name of an entity" NAME, 4, repeated("<a>&", "name", ";</a>");
        "one number" None, 4, repeated("<a>&#", "1", ";</a>");
        "brackets in text" None, 4, repeated("<a>", "]]", "</a>");
        "ends of sections in text" None, 4, repeated("<a>", "]]>", "</a>");
        "references" None, 4, repeated("<a>", "&amp;", "</a>");
        "short numeric references" None, 4, repeated("<a>", "&#9;", "</a>");
        "references that are none" None, 4, repeated("<a>", "&amp", "</a>");
        "ampersands" None, 4, repeated("<a>", "&", "</a>");
        "less-than signs" None, 4, repeated("<a>", "<", "</a>");
        "end tags that are none" None, 4, repeated("<a>", "</ ", "</a>");
        "short end tags" None, 4, repeated("<a>", "</>", "</a>");
        "alternating quotes" None, 4, repeated("<a b=\"", "'\" c='\"' d=\"", "\"/>");
        "slashes" None, 4, repeated("<a ", "/", "/>");
        "white space in a tag" None, 4, repeated("<a", " \n", "/>");
        "white space in an end tag" None, 4, repeated("<a></a", " \n", ">");
        "junk in an end tag" None, 4, repeated("<a></a ", "junk ", ">");
        "empty tags" None, 4, repeated("<a>", "<b/>", "</a>");
        "elements" None, 4, repeated("<a>", "<b></b>", "</a>");
        "a DOCTYPE's comment" None, 4, repeated("<!DOCTYPE a [<!--", "- -", "-->]><a/>");
        "a DOCTYPE's instructions" None, 4, repeated("<!DOCTYPE a [", "<?b c?>", "]><a/>");
        "a DOCTYPE's junk" None, 4, repeated("<!DOCTYPE a [", "junk ", "]><a/>");
        "a DOCTYPE's identifier" None, 4, repeated("<!DOCTYPE a SYSTEM '", "x", "'><a/>");
        "a DOCTYPE's words" None, 4, repeated("<!DOCTYPE a ", "x ", "><a/>");
        "late DOCTYPEs" None, 4, repeated("<a>", "<!DOCTYPE a>", "</a>");
        "an XML declaration" None, 4, repeated("<?xml ", "version='1.0' ", "?><a/>");
        "control characters" None, 4, repeated("<a>", "\u{1}", "</a>");
        "noncharacters" None, 4, repeated("<a>", "\u{ffff}", "</a>");
        // Each of these bytes is read as U+FFFD: three bytes of text.
        "ill-formed bytes" None, 12, repeated("<a>", b"\xff", "</a>");
        "ill-formed bytes and text" None, 8, repeated("<a>", b"\xffx", "</a>");
        "cut characters" None, 8, repeated("<a>", b"\xe2\x82", "</a>");
        "UTF-16" None, 4, utf16("<a>", "text ", "</a>");
        "wide characters in UTF-16" None, 6, utf16("<a>", "\u{20ac}", "</a>");
        "100,000 attributes" ATTRIBUTES, 4,
            numbered("<a", 100_000, |out, n| write!(out, " b{n}=''").unwrap(), "/>");
        "100,000 attributes of one name" None, 4,
            numbered("<a", 100_000, |out, _| out.push_str(" b=''"), "/>");
        "100,000 attributes of one length" ATTRIBUTES, 4,
            numbered("<a", 100_000, |out, n| write!(out, " {}=''", letters(n)).unwrap(), "/>");
        "100,000 attributes without values" ATTRIBUTES, 4,
            numbered("<a", 100_000, |out, n| write!(out, " b{n}").unwrap(), "/>");
        "100,000 nested elements" DEPTH, 4,
            [b"<a>".repeat(100_000), b"</a>".repeat(100_000)].concat();
        "100,000 elements without an end" DEPTH, 4, b"<a>".repeat(100_000);
        "100,000 elements closed by short tags" DEPTH, 4,
            [b"<a>".repeat(100_000), b"</>".repeat(100_000)].concat();
        "stray end tags over a deep stack" None, 4,
            [b"<a>".repeat(9_000), b"</b>".repeat(100_000)].concat();
        "distinct stray end tags over a deep stack" None, 4, numbered(
            &"<a>".repeat(9_000), 100_000, |out, n| write!(out, "</b{n}>").unwrap(), "");
        "mismatched end tags" None, 4,
            [b"<a>".to_vec(), b"<b><c></b>".repeat(100_000), b"</a>".to_vec()].concat();
        "a deep stack of distinct names" None, 4, numbered(
            "", 9_000, |out, n| write!(out, "<b{n}>").unwrap(), &"</b0x>".repeat(50_000));
        "10,000 prefixes" None, 4, numbered(
            "<a", 10_000, |out, n| write!(out, " xmlns:p{n}='u{n}'").unwrap(), "/>");
        "10,000 prefixes, each in use" None, 4, numbered(
            "<a", 5_000, |out, n| write!(out, " xmlns:p{n}='u{n}' p{n}:b=''").unwrap(), "/>");
        "namespaces at each depth" None, 4, numbered(
            "", 9_000, |out, n| write!(out, "<p:a xmlns:p='u{n}'>").unwrap(), "");
        "ever new namespaces" None, 4, numbered(
            "<a>", 40_000, |out, n| write!(out, "<b xmlns='u{n}'/>").unwrap(), "</a>");
        "attributes that collide once expanded" None, 4, numbered(
            "<a xmlns:p='u' xmlns:q='u'", 4_000,
            |out, n| write!(out, " p:b{n}='' q:b{n}=''").unwrap(), "/>");
        "one prefix looked up below many" None, 4, numbered(
            &format!("<a xmlns:z='u'{}>", many_prefixes()), 50_000,
            |out, _| out.push_str("<z:b/>"), "</a>");
    }
}

fn many_prefixes() -> String {
    (0..5_000).fold(String::new(), |mut out, n| {
        write!(out, " xmlns:p{n}='u'").unwrap();
        out
    })
}

/// A name of five letters for each number.
fn letters(mut number: usize) -> String {
    let mut name = String::new();
    for _ in 0..5 {
        name.push((b'a' + (number % 26) as u8) as char);
        number /= 26;
    }
    name
}

fn utf16(before: &str, unit: &str, after: &str) -> Vec<u8> {
    let units = unit.encode_utf16().count();
    let text = [before, &unit.repeat(sized(SIZE) / 2 / units), after].concat();
    let marked = std::iter::once(0xFEFF).chain(text.encode_utf16());
    marked.flat_map(u16::to_le_bytes).collect()
}
