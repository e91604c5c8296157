//! The checks of each dialect: the properties that all dialects have, and those of the one dialect.

use super::recording::{Feeding, Seen, pull};
use super::{Checks, Options, Promises, agree, same, tree};
use tagstream::html::InitialState;
use tagstream::microxml::Revision;
use tagstream::{Encoding, Html, LeafXml, MicroXml, Sky, Xml};

/// Bits of XML's options.
const NO_NAMESPACES: u8 = 1;
const LATIN_1: u8 = 4;
pub(super) const FRAGMENT: u8 = 8;

/// The properties of XML.
pub(super) const XML: Promises = Promises {
    work: 2,
    ordered: true,
    share_references: true,
    joins_text: true,
    joins_in_nfc: false,
};

/// The work is higher than in XML: a U+0000 in a comment is read once, and copied as the three bytes of U+FFFD.
const HTML: Promises = Promises {
    work: 4,
    ordered: true,
    share_references: false,
    joins_text: true,
    joins_in_nfc: false,
};

/// Text that is cut, cleaned and read again costs at most four times its length. A failed look-ahead in MicroXML's
/// final revision is repeated for each of its kinds, and small inputs have a constant cost.
const OTHERS: Promises = Promises {
    work: 8,
    ordered: true,
    share_references: false,
    joins_text: true,
    joins_in_nfc: false,
};

/// Returns the XML dialect for the bits of the options.
pub(super) fn xml(options: Options, strict: bool) -> Xml {
    let xml = if strict {
        Xml::strict()
    } else {
        Xml::default()
    };
    let xml = xml.namespaces(!options.has(NO_NAMESPACES));
    let xml = match options.has(FRAGMENT) {
        true => xml.fragment(),
        false => xml,
    };
    match options.has(LATIN_1) {
        true => xml.encoding(Encoding::LATIN_1),
        false => xml,
    }
}

/// Checks all properties of Xml for one input.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_xml(options: Options, input: &[u8]) -> Result<(), String> {
    let checks = Checks::new(options, input, XML);
    let mut both = Vec::new();
    for strict in [false, true] {
        let (xml, what) = (xml(options, strict), format!("strict={strict}"));
        both.push(checks.events(&what, &xml)?);
        let balanced = checks.balanced(&what, &xml)?;
        match options.has(FRAGMENT) {
            true => tree::nested(&balanced)?,
            false => tree::balanced(&balanced)?,
        }
        checks.tree(&what, &xml, &balanced)?;
    }
    if options.has(FRAGMENT) && !options.has_small_limits() {
        fragment(options, input, &both[1])?;
    }
    agree(&both[0], &both[1])
}

/// Checks that a strict fragment is read in the same way inside an element.
fn fragment(options: Options, input: &[u8], seen: &Seen) -> Result<(), String> {
    // A declaration and a byte-order mark are recognized only at the beginning of the input.
    let text = std::str::from_utf8(input).unwrap_or("<?xml");
    if text.starts_with("<?xml") || text.starts_with('\u{FEFF}') || options.has(LATIN_1) {
        return Ok(());
    }
    let around = [b"<r>", input, b"</r>"].concat();
    let usual = Options::new(options.bits & !FRAGMENT, options.sizes);
    let checks = Checks::new(usual, &around, XML);
    let document = xml(usual, true).encoding(Encoding::UTF_8);
    let document = checks.parser(&document).report_errors(true);
    let document = pull(document, &around, &Feeding::Whole)?;
    let wrong = || format!("alone\n{seen}\nin an element\n{document}");
    if seen.failure.is_some() != document.failure.is_some() {
        return Err(wrong());
    }
    let inside = document.events.iter().skip(1);
    let inside = inside.map(|event| (&event.kind, &event.content));
    let alone = seen
        .events
        .iter()
        .map(|event| (&event.kind, &event.content));
    let is_so = seen.failure.is_some() || inside.take(seen.events.len()).eq(alone);
    is_so.then_some(()).ok_or_else(wrong)
}

/// Returns the HTML dialect for the bits of the options.
fn html(options: Options) -> Html {
    let html = match options.bits >> 3 & 7 {
        5 => Html::fragment("svg path").expect("a context"),
        6 => Html::fragment("math mi").expect("a context"),
        7 => Html::fragment("svg desc").expect("a context"),
        _ => Html::default(),
    };
    let html = html
        .processing_instructions(!options.has(1))
        .scripting(options.has(4));
    let html = match options.bits >> 3 & 7 {
        1 => html.initial_state(InitialState::Rcdata),
        2 => html.initial_state(InitialState::Rawtext),
        3 => html.initial_state(InitialState::ScriptData),
        4 => html.initial_state(InitialState::CdataSection),
        _ => html,
    };
    let html = match (options.has(64), options.has(128)) {
        (false, false) => html.encoding(Encoding::UTF_8),
        (false, true) => html.encoding(Encoding::WINDOWS_1252),
        (true, false) => html,
        (true, true) => match Encoding::for_label("shift_jis") {
            Some(encoding) => html.fallback_encoding(encoding),
            None => html,
        },
    };
    html.last_start_tag("title")
}

/// Checks all properties of Html for one input.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_html(options: Options, input: &[u8]) -> Result<(), String> {
    let checks = Checks::new(options, input, HTML);
    checks.events("html", &html(options))?;
    checks.in_order("html", &html(options))?;
    // An event that was delayed until the end of an element follows the token that ends the element.
    let promises = Promises {
        ordered: false,
        ..HTML
    };
    let balanced = Checks::new(options, input, promises).balanced("html", &html(options))?;
    tree::nested(&balanced)
}

/// Encodings other than UTF-8, one of each kind.
pub(super) const ENCODINGS: [&str; 15] = [
    "utf-16le",
    "utf-16be",
    "iso-8859-1",
    "windows-1252",
    "koi8-r",
    "x-user-defined",
    "shift_jis",
    "gb18030",
    "big5",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
    "gbk",
    "utf-32le",
    "utf-32be",
];

/// Number of encodings in the list that HTML supports.
pub(super) const OF_HTML: usize = ENCODINGS.len() - 2;

/// Returns the name of the encoding that the bits select, the encoding, and options without bits.
fn encoded(options: Options) -> Result<(&'static str, Encoding, Options), String> {
    let name = ENCODINGS[usize::from(options.bits) % ENCODINGS.len()];
    let encoding = Encoding::for_xml_label(name).ok_or("no encoding")?;
    Ok((name, encoding, Options::new(0, options.sizes)))
}

/// Checks all properties of Html for an input in an encoding.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub(super) fn check_encoded_html(options: Options, input: &[u8]) -> Result<(), String> {
    let (name, encoding, usual) = encoded(options)?;
    let checks = Checks::new(usual, input, HTML);
    let html = Html::default().encoding(encoding);
    checks.events(name, &html).map(|_| ())
}

/// Checks all properties of Xml for an input in an encoding.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub(super) fn check_encoded_xml(options: Options, input: &[u8]) -> Result<(), String> {
    let (name, encoding, usual) = encoded(options)?;
    let checks = Checks::new(usual, input, XML);
    let xml = Xml::default().encoding(encoding);
    checks.balanced(name, &xml)?;
    checks.events(name, &xml).map(|_| ())
}

/// Returns the MicroXML dialect for the bits of the options.
fn microxml(options: Options) -> MicroXml {
    let dialect = match options.has(4) {
        true => MicroXml::strict(),
        false => MicroXml::default(),
    };
    dialect.revision(match options.has(1) {
        true => Revision::Final,
        false => Revision::First,
    })
}

/// Checks all properties of MicroXml for one input.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_microxml(options: Options, input: &[u8]) -> Result<(), String> {
    let checks = Checks::new(options, input, OTHERS);
    let dialect = microxml(options);
    checks.events("microxml", &dialect)?;
    checks.balanced("microxml", &dialect)?;
    // Whether the tree gets an additional element around the document depends on the whole document. So the trees are
    // compared with each other, and not with the events.
    if !options.has_small_limits() {
        let whole = checks.built(&dialect, &Feeding::Whole)?;
        for feeding in checks.feedings() {
            tree::alike(&whole, &checks.built(&dialect, &feeding)?)?;
        }
    }
    revisions(&checks)
}

/// Checks that both revisions, in strict mode, accept the same documents and read them alike.
fn revisions(checks: &Checks<'_>) -> Result<(), String> {
    let usual = Checks::new(Options::new(0, checks.options.sizes), checks.input, OTHERS);
    let seen = |dialect| {
        let parser = usual.parser(&dialect).report_errors(true);
        pull(parser, checks.input, &Feeding::Whole)
    };
    let first = seen(MicroXml::strict())?;
    let last = seen(MicroXml::strict().revision(Revision::Final))?;
    if first.failure.is_some() != last.failure.is_some() {
        return Err(format!("strictly by both revisions\n{first}\n{last}"));
    }
    for revision in [Revision::First, Revision::Final] {
        let recovering = seen(MicroXml::default().revision(revision))?;
        match first.failure {
            None => same("strict and recovering", &first, &recovering)?,
            Some(_) => is_beginning(&first, &recovering)?,
        }
    }
    Ok(())
}

/// Checks that the events before the error of the strict parse are also those of the recovering parse, except for a
/// text at the end.
fn is_beginning(strict: &Seen, recovering: &Seen) -> Result<(), String> {
    let (strict, recovering) = (strict.without_errors(), recovering.without_errors());
    let until = strict.events.len().saturating_sub(1);
    match recovering.events.get(..until) == strict.events.get(..until) {
        true => Ok(()),
        false => Err(format!("strictly, a beginning\n{strict}\n{recovering}")),
    }
}

/// Returns the Sky dialect for the bits of the options.
fn sky(options: Options) -> Sky {
    let sky = match options.bits >> 3 & 3 {
        1 => Sky::application(),
        2 => Sky::module(),
        _ => Sky::fragment(),
    };
    match options.has(1) {
        true => sky.registered(["a", "t", "template", "script"]),
        false => sky,
    }
}

/// Checks all properties of Sky for one input.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_sky(options: Options, input: &[u8]) -> Result<(), String> {
    let promises = Promises {
        // Each string token is a node of its own.
        joins_text: false,
        ..OTHERS
    };
    let checks = Checks::new(options, input, promises);
    let sky = sky(options);
    checks.events("sky", &sky)?;
    let balanced = checks.balanced("sky", &sky)?;
    // The content of a template is not a child of its element, so such trees are not compared with the events.
    match input.windows(9).any(|part| part == b"<template") {
        true => Ok(()),
        false => checks.tree("sky", &sky, &balanced),
    }
}

/// Returns the LeafXML dialect for the bits of the options.
fn leafxml(options: Options) -> LeafXml {
    LeafXml::default()
        .comments(options.has(1))
        .processing_instructions(options.has(4))
        .doctype(options.has(8))
}

/// Checks all properties of LeafXml for one input.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_leafxml(options: Options, input: &[u8]) -> Result<(), String> {
    let leafxml = leafxml(options);
    let promises = Promises {
        // Discarded constructs, which these options request, are reported before the text around them.
        ordered: !options.has(1 | 4 | 8),
        // A character in a CDATA section may combine with one before the section, which is in another piece.
        joins_in_nfc: true,
        ..OTHERS
    };
    let checks = Checks::new(options, input, promises);
    checks.events("leafxml", &leafxml)?;
    let balanced = checks.balanced("leafxml", &leafxml)?;
    checks.tree("leafxml", &leafxml, &balanced)
}

/// Checks only that the events do not depend on how an input is cut. This is much faster than all checks. The first
/// byte of the input selects the dialect.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_cuts(options: Options, input: &[u8]) -> Result<(), String> {
    let Some((which, input)) = input.split_first() else {
        return Ok(());
    };
    let checks = Checks::new(options, input, OTHERS);
    match which % 8 {
        0..2 => checks.cut("html", &html(options)),
        2..4 => checks.cut("xml", &xml(options, false)),
        4 => checks.cut("strict", &xml(options, true)),
        5 => checks.cut("microxml", &microxml(options)),
        6 => checks.cut("sky", &sky(options)),
        _ => checks.cut("leafxml", &leafxml(options)),
    }
}
