//! `read_source` of each element of the documents of the suites returns the bytes of the element's range, with random
//! cuts, in the encoding of the document and in UTF-16.

use std::path::Path;
use tagstream::{Balance, Html, Xml};
use testing::effort::{self, Effort};
use testing::element_source::check_sources;
use testing::random::Random;
use testing::run::{Failed, Program};
use testing::suites::{files, section_cases, tree_cases, xml_cases};

/// In other efforts than the full one, one document of this many in a large suite is read.
const SKIPPED: usize = 6;

/// Adds the documents of the suite of tree construction.
pub(crate) fn add_html(folder: &Path, program: &mut Program) {
    let folder = folder.to_owned();
    program.case("html/element source, tree construction", move || {
        let inputs = tree_cases(&folder)
            .into_iter()
            .map(|case| case.input.into());
        check(&Html::default(), inputs.collect())
    });
}

/// Adds the documents of the suite of the W3C.
pub(crate) fn add_xmlconf(folder: &Path, program: &mut Program) {
    let folder = folder.to_owned();
    program.case("xml/element source, xmlconf", move || {
        let inputs = xml_cases(&folder).into_iter().map(|case| case.input);
        check(&Xml::default(), inputs.collect())
    });
}

/// Adds the documents of the suite of XML5.
pub(crate) fn add_xml5(folder: &Path, program: &mut Program) {
    let folder = folder.join("tree-construction");
    program.case("xml/element source, XML5", move || {
        let cases = files(&folder, "dat");
        let cases = cases.iter().flat_map(|path| section_cases(path));
        let inputs = cases.filter_map(|case| Some(case.get("#data")?.to_vec()));
        check(&Xml::default(), inputs.collect())
    });
}

fn check<D: Balance>(dialect: &D, inputs: Vec<Vec<u8>>) -> Result<(), Failed> {
    let mut random = Random(effort::seed(0x736f_7572_6365));
    // The suite of XML5 has few documents.
    let skipped = if inputs.len() < 1000 { 1 } else { SKIPPED };
    let (step, cuts) = Effort::choose((skipped, 1), (1, 4));
    let mut elements = 0;
    for input in inputs.iter().step_by(step) {
        for document in in_encodings(input) {
            for _ in 0..cuts {
                elements += check_sources(dialect, &document, &mut random)?;
            }
        }
    }
    match elements {
        0..100 => Err(format!("only {elements} elements").into()),
        _ => Ok(()),
    }
}

/// Returns the document, and if it is UTF-8 also in UTF-16 of both byte orders.
fn in_encodings(input: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![input.to_vec()];
    if let Ok(text) = std::str::from_utf8(input) {
        let text = text.trim_start_matches('\u{feff}');
        let units = || std::iter::once(0xFEFF).chain(text.encode_utf16());
        all.push(units().flat_map(u16::to_be_bytes).collect());
        all.push(units().flat_map(u16::to_le_bytes).collect());
    }
    all
}
