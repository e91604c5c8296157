//! What was wrong once with random documents, put to the same checks.

use tagstream::Sizes;
use testing::invariants::dialects::{check_html, check_xml};
use testing::invariants::entities::check_entities;
use testing::invariants::{Check, Options};
use testing::run::Program;

/// As options, what it is, and the input.
type Found = (u8, &'static str, &'static [u8]);

const XML: &[Found] = &[
    (
        2,
        "half a character behind a full token",
        b"\xfe\xff\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\
          \x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c",
    ),
    (0, "cut character at the end", b"\r\xed"),
    (2, "cut character at the end, within limits", b"<>\xef"),
    (
        1,
        "wide character where an attribute begins",
        b"<?x?><a p=\"\"\xe2\x80\xa8",
    ),
    (
        0,
        "wide character after an attribute's name",
        b"<c t\r\xc2\x85",
    ),
    (
        2,
        "gap over the limit of a token",
        b"ion=\"1.0\"?><!DOCTYPE a [<?p i?><!--c-->]><![CDATA[]]>x",
    ),
    (
        0,
        "two declarations in a batch",
        b"<?xml?>><?xml version=\"1.0\"?>",
    ),
    (0, "closing brackets in pieces", b"]]>"),
    (
        0,
        "ill-formed bytes by the dozen",
        b"<a>\xff\xff\xff\xff\xff\xff\xff\xff\xff&lt;\xff",
    ),
    (0, "end of the input in a CDATA section", b"<![CDATA[a "),
    (
        4,
        "end tag with a wide name that is none",
        b"<\xc3\xa9></\xc3\xa9>",
    ),
    (0, "instruction in a late DOCTYPE", b"<0>]<!DOCTYPE a[<??>"),
    (0, "CR LF in a late DOCTYPE", b"<a>\r<!DOCTYPE a[<?\r\n"),
    (
        0,
        "CR in an identifier of a late DOCTYPE",
        b"<b>&#xD;<!DOCTYPE a\t'\r",
    ),
    (
        0,
        "CR LF in an identifier of a late DOCTYPE",
        b"<a>&#0;<!DOCTYPE a '\r\n",
    ),
    (
        0,
        "CR LF in an instruction of a DOCTYPE",
        b"<!DOCTYPE a[<?\r\n?>",
    ),
    (
        0,
        "replacement character in a DOCTYPE",
        b"<!DOCTYPE a[]\xef",
    ),
    (
        0,
        "what comes of one reference shares its span",
        b"<!DOCTYPE a[<!ENTITY e 'x<b>y</b><c/>z'>]><a>w&e;&e;</a>",
    ),
    (
        4,
        "what comes of one reference shares its span, in Latin-1",
        b"\xe9<!DOCTYPE a[<!ENTITY e '<b>\xe9</b>'>]><a>&e;</a>",
    ),
    (
        0,
        "instructions of one parameter entity share its span",
        b"<!DOCTYPE a[<!ENTITY % p '<?x?><?y?>'>%p;]><a/>",
    ),
    (
        0,
        "text outside the root before an entity whose element is left open",
        b"<!DOCTYPE a[<!ENTITY e '<a>:'>]>'&e;",
    ),
    (
        0,
        "an ill-formed sequence behind the declaration of XML 1.1",
        b"<?xml version='1.1'?>\xc3",
    ),
    (
        0,
        "ill-formed sequences and line ends behind the declaration of XML 1.1",
        b"<?xml version='1.1'?>\xc3\xff\xc2\x85<a>\xff\xe2\x80\xa8</a>",
    ),
];

/// The same of HTML.
const HTML: &[Found] = &[(
    2,
    "an attribute whose name is too long is not the one before it",
    b"<t 0><g nk:href=",
)];

/// The same with external entities behind the document.
const ENTITIES: &[Found] = &[(
    0,
    "text after an entity that is cut off in its text declaration",
    b"<!DOCTYPE a[<!ATTLIST c p CDATA '' p CDATA ''><!ENTITY e PUBLIC '' '2'>]><a>&e;>\x1e\x1e<?xml ",
)];

pub(crate) fn add(program: &mut Program) {
    for (what, check, found) in [
        ("xml/found", check_xml as Check, XML),
        ("xml/found with entities", check_entities, ENTITIES),
        ("html/found", check_html, HTML),
    ] {
        for &(bits, name, document) in found {
            program.case(format!("{what}/{name}"), move || {
                all_sizes(check, bits, document)
            });
        }
    }
    // A batch that is full at the text before an end tag.
    for events in 120..136 {
        program.case(
            format!("xml/found/a batch full after {events} events"),
            move || {
                let (elements, comment) = ("<b/>".repeat(events / 2), "<!---->".repeat(events % 2));
                all_sizes(
                    check_xml,
                    0,
                    format!("<a>{elements}{comment}x</a>").as_bytes(),
                )
            },
        );
    }
}

fn all_sizes(check: Check, bits: u8, document: &[u8]) -> Result<(), String> {
    for sizes in [Sizes::USUAL, Sizes::all(1), Sizes::all(16), Sizes::all(64)] {
        check(Options::new(bits, sizes), document)?;
    }
    Ok(())
}
