//! The direction of characters, by `:dir` with the attribute `dir=auto`, compared with the crate `unicode-bidi`.

use std::fmt::Write;
use tagstream::{Document, Html};
use testing::cases;
use testing::run::Program;
use unicode_bidi::{BidiClass, bidi_class};

pub(crate) fn add(program: &mut Program) {
    cases!(program, "html/select", directions_of_characters);
}

/// A paragraph of a character alone, and one in which a character from right to left follows, for both characters at each
/// change of the direction, and for every 64th character.
fn directions_of_characters() {
    let mut characters = Vec::new();
    let mut before = None;
    for character in '\u{80}'..=char::MAX {
        let direction = direction(character);
        if before.is_none_or(|(_, other)| other != direction) {
            characters.extend(before.map(|(character, _)| character));
            characters.push(character);
        } else if u32::from(character) % 64 == 0 {
            characters.push(character);
        }
        before = Some((character, direction));
    }
    let mut page = String::from("<!DOCTYPE html>");
    let mut expected = Vec::new();
    for character in characters {
        let code = u32::from(character);
        for (follows, default) in [("", false), ("\u{5d0}", true)] {
            write!(
                page,
                "<p dir=auto id='{code:x}{follows}'>{character}{follows}"
            )
            .unwrap();
            if direction(character).unwrap_or(default) {
                expected.push(format!("{code:x}{follows}"));
            }
        }
    }
    let document = Document::parse(Html::default(), page).unwrap();
    let found = document.select("p:dir(rtl)").unwrap();
    let found: Vec<&str> = found.filter_map(|node| node.attribute("id")).collect();
    assert_eq!(found, expected);
}

/// Returns whether the direction of a character is from right to left, if the character has a strong direction.
fn direction(character: char) -> Option<bool> {
    match bidi_class(character) {
        BidiClass::L => Some(false),
        BidiClass::R | BidiClass::AL => Some(true),
        _ => None,
    }
}
