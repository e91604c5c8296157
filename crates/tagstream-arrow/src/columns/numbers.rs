//! Values of columns from text: booleans and numbers.

/// A value that does not have the type of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfit;

/// Removes spaces and control characters at both ends, as Java does.
#[inline]
pub(crate) fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if *first > b' ' && *last > b' ' => text,
        _ => text.trim_matches(|c: char| c <= ' '),
    }
}

pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

pub(super) fn integer(text: &str) -> Result<i64, Unfit> {
    match digits(text.as_bytes()) {
        Some(number) => Ok(number),
        None => text.parse().map_err(|_| Unfit),
    }
}

/// Returns a number of one to sixteen digits, with or without a minus sign.
///
/// PERF: the digits are read eight at a time, and cannot overflow.
#[inline(always)]
pub(super) fn digits(text: &[u8]) -> Option<i64> {
    match text.len().wrapping_sub(1) < 8 && text[0] != b'-' {
        true => Some(up_to_eight_digits(text)? as i64),
        false => long_or_negative(text),
    }
}

#[inline(never)]
fn long_or_negative(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let number = match digits.len() {
        1..=8 => up_to_eight_digits(digits)?,
        9..=16 => {
            let (high, low) = digits.split_at(digits.len() - 8);
            up_to_eight_digits(high)? * 100_000_000 + up_to_eight_digits(low)?
        }
        _ => return None,
    } as i64;
    Some(if is_negative { -number } else { number })
}

/// Returns the number that one to eight bytes are the decimal digits of, or `None` if they are not digits.
#[inline(always)]
fn up_to_eight_digits(bytes: &[u8]) -> Option<u64> {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let len = bytes.len();
    // The first byte is the lowest one of the word. Bytes that are read twice are the same.
    let word = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let last = u64::from(u32::from_le_bytes(*last));
            u64::from(u32::from_le_bytes(*first)) | last << (8 * (len - 4))
        }
        _ => {
            let byte = |at: usize| u64::from(bytes[at]) << (8 * at);
            byte(0) | byte(len / 2) | byte(len - 1)
        }
    };
    // The number gets leading zeros, so that it has eight digits. Shifted out are the bytes after the last one.
    let digits = (word ^ ZEROS) << (8 * (8 - len));
    if (digits | digits.wrapping_add(0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 != 0 {
        return None;
    }
    // Numbers of two digits in bytes, then sums of numbers of four digits in the upper half.
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (pairs & 0xFF_0000_00FF).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & 0xFF_0000_00FF).wrapping_mul(1 + (10_000 << 32));
    Some(high.wrapping_add(low) >> 32)
}

/// Parses a number as Java does, and the infinity of XML Schema.
pub(super) fn float<F: std::str::FromStr + From<f32>>(text: &str) -> Result<F, Unfit> {
    let text = trim(text);
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return Err(Unfit);
    };
    if first.is_ascii_digit() && last.is_ascii_digit() {
        return text.parse().map_err(|_| Unfit);
    }
    match text.strip_prefix(['+', '-']).unwrap_or(text) {
        "NaN" => return Ok(f32::NAN.into()),
        "Infinity" | "INF" if *first == b'-' => return Ok(f32::NEG_INFINITY.into()),
        "Infinity" | "INF" => return Ok(f32::INFINITY.into()),
        _ => {}
    }
    // Rust reads words such as `inf` too.
    let number = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    match number
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
    {
        true => number.parse().map_err(|_| Unfit),
        false => Err(Unfit),
    }
}

/// Parses a decimal number as the integer of the units of its last digit. Digits that the scale does not have are rounded
/// half up, as in Spark. Commas are no part of a number, unlike in Spark, which reads `37,77` as 3777.
pub(super) fn decimal(text: &str, precision: u8, scale: i8) -> Option<i128> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (is_negative, digits) = match mantissa.as_bytes().first()? {
        b'-' => (true, &mantissa[1..]),
        b'+' => (false, &mantissa[1..]),
        _ => (false, mantissa),
    };
    let (mut value, mut fraction, mut is_fraction, mut any) = (0i128, 0i32, false, false);
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                any = true;
                value = value
                    .checked_mul(10)?
                    .checked_add(i128::from(byte - b'0'))?;
                fraction = fraction.checked_add(i32::from(is_fraction))?;
            }
            b'.' if !is_fraction => is_fraction = true,
            _ => return None,
        }
    }
    let shift = i32::from(scale)
        .checked_sub(fraction)?
        .checked_add(exponent)?;
    if !any {
        return None;
    }
    if value != 0 {
        value = match shift {
            0..=38 => value.checked_mul(10i128.checked_pow(shift as u32)?)?,
            39.. => return None,
            -38..=-1 => {
                let unit = 10i128.pow(shift.unsigned_abs());
                (value + unit / 2) / unit
            }
            _ => 0,
        };
    }
    let fits = value
        < 10i128
            .checked_pow(u32::from(precision))
            .unwrap_or(i128::MAX);
    fits.then_some(if is_negative { -value } else { value })
}
