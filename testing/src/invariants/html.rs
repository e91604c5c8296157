//! What must hold of Html for any input whatever.

use super::seen::{self, Feeding, pull};
use super::{Options, cuts, in_bounds_within, in_order, places, same};
use tagstream::html::InitialState;
use tagstream::{Encoding, Html, Parser, TextPolicy};

/// A U+0000 in a comment is taken once, and copied as the three bytes of U+FFFD.
const WORK: u64 = 4;

/// The options of a check, as bits.
fn parser(options: Options) -> Parser<Html> {
    let html = match options.0 >> 3 & 7 {
        5 => Html::fragment("svg path"),
        6 => Html::fragment("math mi"),
        7 => Html::fragment("svg desc"),
        _ => Html::default(),
    };
    let html = html
        .processing_instructions(!options.has(1))
        .scripting(options.has(4));
    let html = match options.0 >> 3 & 7 {
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
            Some(encoding) => html.encoding_hint(encoding),
            None => html,
        },
    };
    Parser::new(html.last_start_tag("title")).limits(options.limits())
}

/// Checks all that must hold of Html on one input.
///
/// # Errors
///
/// Says what did not hold.
pub fn check_html(options: Options, input: &[u8]) -> Result<(), String> {
    let cuts = cuts(input);
    let clone_at = cuts.first().copied().unwrap_or(0);
    let reporting = || parser(options).errors(true);
    let whole = pull(reporting(), input, &Feeding::Whole)?;
    in_bounds_within(&whole, input, WORK)?;
    in_order(&whole)?;
    places::right(&whole, input)?;
    for feeding in [
        Feeding::Bytes,
        Feeding::Cuts(&cuts),
        Feeding::CloneAt(clone_at),
        Feeding::Slices(&cuts),
    ] {
        let seen = pull(reporting(), input, &feeding)?;
        same(&format!("{feeding:?}"), &whole, &seen)?;
        in_bounds_within(&seen, input, WORK)?;
    }
    let owned = seen::owned(reporting(), input, &cuts)?;
    same("owned", &whole, &owned)?;
    let silent = pull(parser(options), input, &Feeding::Whole)?;
    same("without errors", &whole.without_errors(), &silent)?;
    let joined = whole.without_errors().joined();
    for feeding in [Feeding::Whole, Feeding::Bytes, Feeding::Cuts(&cuts)] {
        let pieces = pull(reporting().text(TextPolicy::Pieces), input, &feeding)?;
        in_bounds_within(&pieces, input, WORK)?;
        if whole.failed_on("token-limit") {
            continue;
        }
        let what = format!("pieces {feeding:?}");
        same(&what, &joined, &pieces.without_errors().joined())?;
        let (expected, seen) = (whole.beside_text(), pieces.beside_text());
        same(&format!("{what}, beside text"), &expected, &seen)?;
    }
    Ok(())
}
