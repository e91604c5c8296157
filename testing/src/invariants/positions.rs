//! Checks the lines and columns of events, attributes and errors. They must be those that are found by counting the
//! characters before the offset.

use super::recording::{Kind, Seen};
use std::collections::{HashMap, HashSet};
use tagstream::Relation;

/// Line, column, and column in UTF-16 code units.
type Place = (u64, u64, u64);

/// Checks that every line and column belongs to the offset that was reported with it.
pub(super) fn right(seen: &Seen, input: &[u8]) -> Result<(), String> {
    let Some(characters) = characters(seen, input) else {
        return Ok(());
    };
    let places = places(&characters);
    for event in &seen.events {
        for &(offset, line, column, column_utf16) in &event.places {
            let expected = places.get(&offset);
            let place = (line, column, column_utf16);
            if !expected.is_some_and(|places| places.contains(&place)) {
                let line = &event.line;
                return Err(format!(
                    "at {offset}: expected {expected:?} in {line}\n{seen}"
                ));
            }
        }
    }
    Ok(())
}

/// Checks the related positions of errors: an open tag must be a start tag that was reported, and the first of two
/// attributes must precede the error.
pub(super) fn related(seen: &Seen) -> Result<(), String> {
    let mut tags = HashSet::new();
    for event in &seen.events {
        if let Kind::Start(_) = event.kind {
            tags.insert((event.start, event.end));
        }
        let Some(related) = &event.related else {
            continue;
        };
        let span = related.span();
        let is_right = match related.relation() {
            Relation::OpenTag => tags.contains(&(span.start, span.end)),
            Relation::FirstAttribute => span.start < event.start || related.entity().is_some(),
            _ => span.end <= event.end,
        };
        if !is_right {
            return Err(format!("{related:?} in {}\n{seen}", event.line));
        }
    }
    Ok(())
}

/// Returns the characters of the input with their offsets, and the offset of the end. `None` if this module cannot
/// decode the encoding.
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
    let may_be_marked = seen.encoding.starts_with("UTF-");
    Some(written(&sequences(seen.encoding, input)?, may_be_marked))
}

/// Byte sequences, each with its characters and its length. Several characters may share a sequence.
type Sequences = Vec<(String, usize)>;

/// Returns the characters with their offsets, and the offset of the end. A byte-order mark is left out.
fn written(sequences: &Sequences, may_be_marked: bool) -> Vec<(u64, Option<char>)> {
    let mut characters = Vec::new();
    let mut at = 0;
    for (index, (text, length)) in sequences.iter().enumerate() {
        if index > 0 || text != "\u{FEFF}" || !may_be_marked {
            characters.extend(text.chars().map(|character| (at, Some(character))));
        }
        at += *length as u64;
    }
    characters.push((at, None));
    characters
}

/// Splits an input into byte sequences.
fn sequences(name: &str, input: &[u8]) -> Option<Sequences> {
    match name {
        "ISO-8859-1" => {
            let one = |byte: &u8| (char::from(*byte).to_string(), 1);
            return Some(input.iter().map(one).collect());
        }
        "UTF-32LE" | "UTF-32BE" => return Some(units_of_four(name, input)),
        _ => {}
    }
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes())?;
    if encoding.name() != name {
        return None;
    }
    if encoding == encoding_rs::ISO_2022_JP {
        return Some(shifted(input));
    }
    let mut sequences = Sequences::new();
    let mut at = 0;
    while at < input.len() {
        let (text, length) = sequence(encoding, &input[at..]);
        sequences.push((text, length));
        at += length;
        if encoding == encoding_rs::REPLACEMENT {
            break;
        }
    }
    Some(sequences)
}

fn units_of_four(name: &str, input: &[u8]) -> Sequences {
    let one = |unit: &[u8]| {
        let number = match (<[u8; 4]>::try_from(unit), name) {
            (Ok(unit), "UTF-32LE") => char::from_u32(u32::from_le_bytes(unit)),
            (Ok(unit), _) => char::from_u32(u32::from_be_bytes(unit)),
            (Err(_), _) => None,
        };
        (number.unwrap_or('\u{FFFD}').to_string(), unit.len())
    };
    input.chunks(4).map(one).collect()
}

/// Returns the first sequence of an input, in an encoding without state between sequences.
fn sequence(encoding: &'static encoding_rs::Encoding, input: &[u8]) -> (String, usize) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut taken = 0;
    for at in 0..=input.len() {
        let (piece, last) = match input.get(at) {
            Some(byte) => (std::slice::from_ref(byte), false),
            None => (&[][..], true),
        };
        let mut text = String::with_capacity(32);
        let (result, read) = decoder.decode_to_string_without_replacement(piece, &mut text, last);
        taken += read;
        if let encoding_rs::DecoderResult::Malformed(_, after) = result {
            assert!(text.is_empty(), "{text:?} before what is ill-formed");
            return ("\u{FFFD}".to_string(), taken - usize::from(after));
        }
        if !text.is_empty() {
            return (text, taken);
        }
    }
    unreachable!("{encoding:?} gives nothing for {input:X?}")
}

/// The current character set of ISO-2022-JP. An escape sequence changes it.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    /// Two bytes per character.
    Jis0208,
}

impl Set {
    /// Returns the character set that an escape sequence selects.
    fn chosen(input: &[u8]) -> Option<Set> {
        match input.get(..3)? {
            b"\x1B(B" => Some(Set::Ascii),
            b"\x1B(J" => Some(Set::Roman),
            b"\x1B(I" => Some(Set::Katakana),
            b"\x1B$@" | b"\x1B$B" => Some(Set::Jis0208),
            _ => None,
        }
    }

    /// Returns the character at the start of the input, if there is one, and the length of its sequence.
    fn character(self, input: &[u8]) -> (Option<String>, usize) {
        let byte = input[0];
        let one = |number: u32| (char::from_u32(number).map(String::from), 1);
        match (self, byte) {
            (Set::Ascii | Set::Roman, 0x0E | 0x0F | 0x1B | 0x80..) => (None, 1),
            (Set::Roman, 0x5C) => one(0xA5),
            (Set::Roman, 0x7E) => one(0x203E),
            (Set::Ascii | Set::Roman, _) => one(byte.into()),
            (Set::Katakana, 0x21..=0x5F) => one(u32::from(byte) - 0x21 + 0xFF61),
            (Set::Jis0208, 0x21..=0x7E) => match input.get(1) {
                None | Some(0x1B) => (None, 1),
                Some(trail) => {
                    let pair = [&b"\x1B$B"[..], &[byte, *trail]].concat();
                    let text = encoding_rs::ISO_2022_JP
                        .decode_without_bom_handling(&pair)
                        .0;
                    (Some(text.into_owned()).filter(|text| text != "\u{FFFD}"), 2)
                }
            },
            (Set::Katakana | Set::Jis0208, _) => (None, 1),
        }
    }
}

/// Returns the sequences of ISO-2022-JP, as defined by <https://encoding.spec.whatwg.org/#iso-2022-jp-decoder>. An
/// escape sequence belongs to the character after it.
fn shifted(input: &[u8]) -> Sequences {
    let mut sequences = Sequences::new();
    let (mut from, mut at) = (0, 0);
    let (mut set, mut is_chosen) = (Set::Ascii, false);
    while at < input.len() {
        let (text, length) = match Set::chosen(&input[at..]) {
            Some(chosen) => {
                set = chosen;
                if !std::mem::replace(&mut is_chosen, true) {
                    at += 3;
                    continue;
                }
                // An escape sequence directly after another one is ill-formed.
                (None, 3)
            }
            None => {
                is_chosen = false;
                set.character(&input[at..])
            }
        };
        at += length;
        sequences.push((text.unwrap_or("\u{FFFD}".to_string()), at - from));
        from = at;
    }
    let text: String = sequences.iter().map(|(text, _)| &**text).collect();
    assert_eq!(
        text,
        encoding_rs::ISO_2022_JP
            .decode_without_bom_handling(input)
            .0
    );
    sequences
}

/// Returns the text between two offsets.
pub(super) fn between(characters: &[(u64, Option<char>)], start: u64, end: u64) -> String {
    let from = characters.partition_point(|(at, _)| *at < start);
    let rest = characters[from..].iter();
    let until = rest.take_while(|(at, _)| *at < end);
    until.filter_map(|(_, character)| *character).collect()
}

/// Returns the positions of each offset. There are two if two characters share a sequence.
fn places(characters: &[(u64, Option<char>)]) -> HashMap<u64, Vec<Place>> {
    let mut places: HashMap<_, Vec<_>> = HashMap::new();
    let (mut line, mut column, mut column_utf16) = (1, 1, 1);
    let mut before = None;
    for &(offset, character) in characters {
        let place = (line, column, column_utf16);
        places.entry(offset).or_default().push(place);
        match character {
            // A LF after a CR belongs to the same line ending.
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
