//! Reduces a document to a small one that still has a problem. The check is a function that returns the problem.

use std::time::{Duration, Instant};

/// Maximum time for one search for smaller documents.
const LONGEST: Duration = Duration::from_secs(20);

/// Removes parts from a document as long as it has a problem, and then characters. Returns the smaller document and its
/// problem.
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

/// Removes parts from a list as long as the list has a problem: many at once, and then one by one.
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
                // Ranges overlap by half. This needs far fewer checks than trying each start.
                None => at += length.div_ceil(2),
            }
        }
        if !is_fewer {
            length /= 2;
        }
    }
    (parts, problem)
}

/// Splits a document into its characters and its ill-formed bytes.
fn characters(document: &[u8]) -> Vec<Vec<u8>> {
    let mut characters = Vec::new();
    for chunk in document.utf8_chunks() {
        let valid = chunk.valid().chars();
        characters.extend(valid.map(|character| character.to_string().into_bytes()));
        characters.extend(chunk.invalid().iter().map(|byte| vec![*byte]));
    }
    characters
}
