//! Reduces a document to a small one that still shows a problem. The problem is any function that returns it.

use std::time::{Duration, Instant};

/// Maximum time for one search for smaller documents.
const LONGEST: Duration = Duration::from_secs(20);

/// Takes parts out of a document as long as there is a problem with it, and then characters out of
/// what is left; gives that with its problem.
pub fn smallest(
    parts: Vec<Vec<u8>>,
    problem: String,
    check: impl Fn(&[u8]) -> Option<String>,
) -> (Vec<u8>, String) {
    let check = |parts: &[Vec<u8>]| check(&parts.concat());
    let (parts, problem) = fewer(parts, problem, check);
    let (characters, problem) = fewer(characters(&parts.concat()), problem, check);
    (characters.concat(), problem)
}

/// Takes parts out of a whole as long as there is a problem with it: many at once, and then one by one.
pub fn fewer<T: Clone, P>(
    mut parts: Vec<T>,
    mut problem: P,
    check: impl Fn(&[T]) -> Option<P>,
) -> (Vec<T>, P) {
    let until = Instant::now() + LONGEST;
    let mut length = parts.len().div_ceil(2);
    while length > 0 {
        let mut at = 0;
        let mut is_fewer = false;
        while at + length <= parts.len() && Instant::now() < until {
            let less = [&parts[..at], &parts[at + length..]].concat();
            match check(&less) {
                Some(still) => {
                    (parts, problem) = (less, still);
                    is_fewer = true;
                }
                // Long ranges overlap by half, so that many of them are not tried for each part.
                None => at += length.div_ceil(2),
            }
        }
        if !is_fewer {
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
