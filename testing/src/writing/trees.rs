//! Random trees, written as XML: they are read as the same trees by a strict parser, or the writer refuses them.

use crate::generate;
use crate::random_cases::{Feed, RandomTest, Verdict};
use tagstream::tree::{C14n, Serializer};
use tagstream::{Document, Encoding, Html, WriteError, Xml};

/// Checks that a tree is written as XML that is read as the same tree, or is refused. The canonical forms are compared.
/// Indentation must only change whitespace.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn is_written(document: &Document) -> Result<Verdict, String> {
    let xml = match document.to_xml() {
        Ok(xml) => xml,
        Err(WriteError::Refused(refusal)) if refusal.node().is_some() => return Ok(Verdict::Other),
        Err(error) => return Err(format!("refused nowhere: {error}")),
    };
    let again =
        Document::parse(Xml::strict(), &*xml).map_err(|error| format!("{xml:?}\nis {error}"))?;
    let form = C14n::inclusive().comments(true);
    let canonical = match document.to_c14n(form) {
        Ok(canonical) => canonical,
        // The tree has no canonical form, or none in XML 1.0.
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

/// Trees of well-formed documents. They are refused only if they have no canonical form.
pub const XML: RandomTest<bool> = RandomTest {
    name: "xml/serialising",
    quick: 500,
    full: 5_000,
    draw: |random| (false, generate::well_formed::document(random, true)),
    check: checked,
    other: [0, 100],
    shrinks: false,
};

/// Trees of HTML documents. Many have names that XML does not permit.
pub const HTML: RandomTest<bool> = RandomTest {
    name: "html/serialising",
    draw: |random| (true, generate::html::document(random)),
    other: [0, 900],
    shrinks: true,
    ..XML
};
