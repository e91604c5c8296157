//! Lines and columns of events, attributes and errors against a plain count of the characters before
//! them. It knows encodings, and nothing of markup.

use super::seen::Seen;
use std::collections::HashMap;

/// Line, column, and column in units of UTF-16.
type Place = (u64, u64, u64);

/// Every place that was told is that of the offset it was told with.
pub(super) fn right(seen: &Seen, input: &[u8]) -> Result<(), String> {
    let Some(characters) = characters(seen, input) else {
        return Ok(());
    };
    let places = places(&characters);
    for event in &seen.events {
        for &(offset, line, column, column_utf16) in &event.places {
            let expected = places.get(&offset);
            if expected != Some(&(line, column, column_utf16)) {
                let line = &event.line;
                return Err(format!(
                    "at {offset}: expected {expected:?} in {line}\n{seen}"
                ));
            }
        }
    }
    Ok(())
}

/// The characters of the input, with their offsets, and the end; none in an encoding that the Encoding
/// Standard does not have.
pub(super) fn characters(seen: &Seen, input: &[u8]) -> Option<Vec<(u64, Option<char>)>> {
    let mut characters = Vec::new();
    let mut at = 0;
    let mut add = |character: char, length: usize| {
        characters.push((at, Some(character)));
        at += length as u64;
    };
    if seen.is_utf8 {
        let text = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
        let mark = (input.len() - text.len()) as u64;
        for chunk in text.utf8_chunks() {
            for character in chunk.valid().chars() {
                add(character, character.len_utf8());
            }
            if !chunk.invalid().is_empty() {
                add('\u{FFFD}', chunk.invalid().len());
            }
        }
        let end = at;
        for (offset, _) in &mut characters {
            *offset += mark;
        }
        characters.push((mark + end, None));
        return Some(characters);
    }
    let encoding = encoding_rs::Encoding::for_label(seen.encoding.as_bytes())?;
    if encoding.name() != seen.encoding {
        return None;
    }
    let (text, _) = encoding.decode_with_bom_removal(input);
    text.chars()
        .for_each(|character| add(character, character.len_utf8()));
    let end = at;
    characters.push((end, None));
    Some(characters)
}

/// The text from one offset to another.
pub(super) fn between(characters: &[(u64, Option<char>)], start: u64, end: u64) -> String {
    let from = characters.partition_point(|(at, _)| *at < start);
    let rest = characters[from..].iter();
    let until = rest.take_while(|(at, _)| *at < end);
    until.filter_map(|(_, character)| *character).collect()
}

fn places(characters: &[(u64, Option<char>)]) -> HashMap<u64, Place> {
    let mut places = HashMap::new();
    let (mut line, mut column, mut column_utf16) = (1, 1, 1);
    let mut before = None;
    for &(offset, character) in characters {
        places.insert(offset, (line, column, column_utf16));
        match character {
            // It belongs to the line end that the CR was.
            Some('\n') if before == Some('\r') => {}
            Some('\n' | '\r') => (line, column, column_utf16) = (line + 1, 1, 1),
            Some(other) => {
                column += 1;
                column_utf16 += other.len_utf16() as u64;
            }
            None => {}
        }
        before = character;
    }
    places
}
