//! The rewriter in encodings other than UTF-8: cases with one edit each, at every cut. The output is also decoded by
//! `encoding_rs`.

use crate::rewrite::{Taken, rewritten_bytes, try_to_rewrite};
use tagstream::{Balance, Encoding, Form, Html, Rewriter, TextDecoder, Xml};
use testing::awkward::LABELS;
use testing::cases::{self, Case};
use testing::cuts::positions;
use testing::rewriting::check_same;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/rewrite-encodings.txt");
    let cases = cases::cases("tests/data/rewrite-encodings.txt", text);
    cases::add(program, cases, |case| prefix(case), check);
    testing::cases!(program, "html/rewrite", every_encoding);
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("xml") => "xml/rewrite/encodings",
        _ => "html/rewrite/encodings",
    }
}

fn check(case: &Case) -> Result<(), String> {
    let label = case.option("encoding").unwrap_or_default();
    let encoding = Encoding::for_label(label).ok_or("no encoding")?;
    match case.option("dialect").unwrap_or_default() {
        "html" => check_in(&Html::default().encoding(encoding), label, case),
        "xml" => check_in(&Xml::default().encoding(encoding), label, case),
        other => Err(format!("no dialect {other}")),
    }
}

fn check_in<D: Balance>(dialect: &D, label: &str, case: &Case) -> Result<(), String> {
    check_same(dialect, &case.input());
    let rewriter = || Rewriter::new(dialect.clone());
    check_with(rewriter, label, case)?;
    match case.option("form") {
        Some("written") => Ok(()),
        _ => check_with(|| rewriter().balanced(), label, case),
    }
}

fn check_with<D: Balance, F: Form>(
    rewriter: impl Fn() -> Rewriter<D, F>,
    label: &str,
    case: &Case,
) -> Result<(), String> {
    let input = &case.input()[..];
    let edit = case.bytes("edit").unwrap_or_default();
    let edit = String::from_utf8(edit).map_err(|error| error.to_string())?;
    let rewritten = |chunks: &[&[u8]], taken| {
        let (refused, out) = try_to_rewrite(rewriter(), &edit, chunks, taken, false);
        (refused, out.unwrap_or_default())
    };
    let (refused, out) = rewritten(&[input], Taken::AtEnd);
    case.expect("error", refused.unwrap_or_default())?;
    let wanted = case.bytes("markup").unwrap_or_default();
    if out != wanted {
        return Err(format!(
            "found  {}\nwanted {}",
            out.escape_ascii(),
            wanted.escape_ascii()
        ));
    }
    if let Some(text) = case.bytes("text") {
        let standard = encoding_rs::Encoding::for_label(label.as_bytes()).ok_or("no encoding")?;
        let read = standard.decode_without_bom_handling(&out).0;
        if read.as_bytes() != text {
            return Err(format!("the text is {read:?}"));
        }
    }
    for at in positions(input.len()) {
        for taken in [Taken::AtEnd, Taken::AfterEvents] {
            let cut = rewritten(&[&input[..at], &input[at..]], taken);
            if !edit.starts_with("text ") && cut != (refused, out.clone()) {
                return Err(format!("cut at {at}: {}", cut.1.escape_ascii()));
            }
        }
    }
    Ok(())
}

const PUT: &str = "x é Ж 日本 ﾊ \u{A5}\\~ € 😀 <&>";

/// In each encoding, inserted text is read back as it was, and the rest of the document is unchanged.
fn every_encoding() {
    // The encoding `replacement` has no text.
    for label in LABELS.into_iter().filter(|label| *label != "iso-2022-kr") {
        let encoding = Encoding::for_label(label).expect("a label");
        let html = Html::default().encoding(encoding);
        let page = match label {
            "utf-16le" => utf16("<p>1<b>2</b>3", u16::to_le_bytes),
            "utf-16be" => utf16("<p>1<b>2</b>3", u16::to_be_bytes),
            _ => b"<p>1<b>2</b>3".to_vec(),
        };
        check_same(&html, &page);
        let change = format!("content b={PUT}");
        let rewriter = Rewriter::new(html).balanced();
        let out = rewritten_bytes(rewriter, &change, &[&page]);
        let mut page = String::new();
        TextDecoder::new(encoding).decode(&out, true, &mut page);
        let document = tagstream::Document::parse(Html::default(), page).expect("a page");
        let text = document.root().text_content();
        assert_eq!(text, format!("1{PUT}3"), "{label}");
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}
