//! Length of an ASCII prefix.

/// Number of bytes that are tested together.
const BLOCK: usize = 32;

/// The highest bit of each byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns the number of ASCII bytes at the front of `bytes`.
pub(crate) fn ascii(bytes: &[u8]) -> usize {
    let blocks = bytes.as_chunks::<BLOCK>().0;
    let whole = blocks.iter().position(|block| !block.is_ascii());
    let mut at = BLOCK * whole.unwrap_or(blocks.len());
    for word in bytes[at..].as_chunks().0 {
        let high = u64::from_le_bytes(*word) & HIGH;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += word.len();
    }
    let rest = &bytes[at..];
    at + rest
        .iter()
        .position(|byte| !byte.is_ascii())
        .unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_every_place() {
        for length in 0..=3 * BLOCK {
            for at in 0..=length {
                let mut bytes = [b'a'; 3 * BLOCK];
                bytes[at..].fill(0xE9);
                assert_eq!(ascii(&bytes[..length]), at, "{length}");
            }
        }
    }
}
