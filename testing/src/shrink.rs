//! The smallest document that still shows a problem. It knows nothing of what is wrong.

use std::time::{Duration, Instant};

/// So long is looked for a smaller document.
const LONGEST: Duration = Duration::from_secs(20);

/// Takes parts out of a document as long as there is a problem with it, and then characters out of
/// what is left; gives that with its problem.
pub fn smallest(
    parts: Vec<Vec<u8>>,
    problem: String,
    check: impl Fn(&[u8]) -> Option<String>,
) -> (Vec<u8>, String) {
    let until = Instant::now() + LONGEST;
    let (parts, problem) = smaller(parts, problem, until, &check);
    let (characters, problem) = smaller(characters(&parts.concat()), problem, until, &check);
    (characters.concat(), problem)
}

fn smaller(
    mut parts: Vec<Vec<u8>>,
    mut problem: String,
    until: Instant,
    check: &impl Fn(&[u8]) -> Option<String>,
) -> (Vec<Vec<u8>>, String) {
    let mut length = parts.len().div_ceil(2);
    while length > 0 {
        let mut at = 0;
        let mut is_smaller = false;
        while at + length <= parts.len() && Instant::now() < until {
            let less = [&parts[..at], &parts[at + length..]].concat();
            match check(&less.concat()) {
                Some(still) => {
                    (parts, problem) = (less, still);
                    is_smaller = true;
                }
                // Long ranges overlap by half, so that many of them are not tried for each byte.
                None => at += length.div_ceil(2),
            }
        }
        if !is_smaller {
            length /= 2;
        }
    }
    (parts, problem)
}

/// The characters of a document, and the bytes that are of none.
fn characters(document: &[u8]) -> Vec<Vec<u8>> {
    let mut characters = Vec::new();
    for chunk in document.utf8_chunks() {
        let valid = chunk.valid().chars();
        characters.extend(valid.map(|character| character.to_string().into_bytes()));
        characters.extend(chunk.invalid().iter().map(|byte| vec![*byte]));
    }
    characters
}
