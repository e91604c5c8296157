//! Lists of pieces of documents, written as one string.

use crate::cases::unescaped;
use std::sync::LazyLock;

/// Pieces of documents.
pub type Pieces = LazyLock<Vec<Vec<u8>>>;

/// The words of a list that single spaces separate, with `␣` for a space within a word.
#[must_use]
pub fn words(list: &str) -> Vec<String> {
    let words = list.split(' ').map(|word| word.replace('␣', " "));
    words.collect()
}

/// The words of a list that whitespace separates, without their escapes.
#[must_use]
pub fn pieces(list: &str) -> Vec<Vec<u8>> {
    let pieces = list.split_ascii_whitespace();
    pieces
        .map(|piece| unescaped(&piece.replace('␣', " ")))
        .collect()
}
