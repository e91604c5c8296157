//! Numbers of ASCII digits, as the fields of dates and times have them.

/// Parses a number of `min` to `max` ASCII digits.
pub(super) fn digits_of(text: &str, min: usize, max: usize) -> Option<i64> {
    let fits =
        text.len() >= min && text.len() <= max && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

/// Returns the nanoseconds of the digits after a decimal point. Digits after the ninth are dropped.
pub(super) fn nanos(fraction: &str) -> Option<u32> {
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    Some(digits.fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0')))
}
