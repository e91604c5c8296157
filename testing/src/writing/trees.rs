//! Random trees, written as XML: they are read as the same trees by a strict parser, or the writer refuses them.

use crate::generate;
use crate::random_cases::{Feed, RandomTest, Verdict};
use tagstream::tree::{C14n, Serializer};
use tagstream::{Document, Encoding, Html, WriteError, Xml};

/// That a tree is written as XML that is read as the same tree, or is refused: the canonical forms tell. An indent
/// changes white space alone.
///
/// # Errors
///
/// Says what differs.
pub fn is_written(document: &Document) -> Result<Verdict, String> {
    let xml = match document.to_xml() {
        Ok(xml) => xml,
        Err(WriteError::Refused(refusal)) if refusal.node().is_some() => return Ok(Verdict::Other),
        Err(error) => return Err(format!("refused nowhere: {error}")),
    };
    let again =
        Document::parse(Xml::strict(), &*xml).map_err(|error| format!("{xml:?}\nis {error}"))?;
    let form = C14n::WithComments;
    let canonical = match document.to_c14n(form) {
        Ok(canonical) => canonical,
        // It has no other canonical form, or one of XML 1.0.
        Err(WriteError::Refused(refusal))
            if ["relative-namespace", "character", "reserved"].contains(&refusal.as_str()) =>
        {
            return Ok(Verdict::Other);
        }
        Err(error) => return Err(format!("{xml:?}\nand not canonical: {error}")),
    };
    let read = again
        .to_c14n(form)
        .map_err(|error| format!("{xml:?}\nis {error}"))?;
    if read != canonical {
        return Err(format!("{xml:?}\nis {read:?}\nand not {canonical:?}"));
    }
    let indented = Serializer::xml().indent("\t").to_string(document.root());
    let indented = indented.map_err(|error| format!("indented: {error}"))?;
    let solid = |text: &str| text.replace(['\n', '\t', '\r', ' '], "");
    match solid(&indented) == solid(&xml) {
        true => Ok(Verdict::Right),
        false => Err(format!("{xml:?}\nindented is {indented:?}")),
    }
}

fn checked(is_html: &bool, _: Feed, input: &[u8]) -> Result<Verdict, String> {
    let read = match is_html {
        true => Document::parse(Html::default().encoding(Encoding::UTF_8), input),
        false => Document::parse(Xml::strict(), input),
    };
    is_written(&read.map_err(|error| error.to_string())?)
}

/// Trees of well-formed documents, none of which is refused but for what Canonical XML has not.
pub const XML: RandomTest<bool> = RandomTest {
    name: "xml/serialising",
    quick: 500,
    full: 5_000,
    draw: |random| (false, generate::well_formed::document(random, true)),
    check: checked,
    other: [0, 100],
    shrinks: false,
};

/// Trees of HTML, of which many have names that XML has not.
pub const HTML: RandomTest<bool> = RandomTest {
    name: "html/serialising",
    draw: |random| (true, generate::html::document(random)),
    other: [0, 900],
    shrinks: true,
    ..XML
};
