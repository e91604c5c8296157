//! The type of one value.

use super::types::Type;
use crate::columns::{Settings, trim};
use crate::options::Options;

/// Infers the type of one value.
pub(super) fn infer(text: &str, options: &Options, settings: &Settings) -> Type {
    let text = if settings.trims { trim(text) } else { text };
    if !options.infer_schema {
        return Type::String;
    }
    if options.null_value.as_deref() == Some(text) {
        return Type::Null;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    if bytes
        .first()
        .is_some_and(|first| first.is_ascii_digit() || *first == b'.')
    {
        if unsigned.parse::<i64>().is_ok() {
            return Type::Long;
        }
        if options.prefers_decimal
            && let Some((precision, scale)) = decimal_size(unsigned)
        {
            return Type::Decimal(precision, scale);
        }
        // Java ignores whitespace after the number.
        let (unsigned, bytes) = (trim(unsigned), trim(unsigned).as_bytes());
        let is_number = bytes
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        if is_number && unsigned.parse::<f64>().is_ok() {
            return Type::Double;
        }
    }
    if options.prefer_date && settings.date(text).is_some() {
        return Type::Date;
    }
    if settings.timestamp(text).is_some() {
        return Type::Timestamp;
    }
    match text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        true => Type::Boolean,
        false => Type::String,
    }
}

/// Returns the precision and the scale of a decimal number, if they are those of a type.
fn decimal_size(text: &str) -> Option<(u8, u8)> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let precision = digits.trim_start_matches('0').len().max(1);
    let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    let scale = u8::try_from(scale).ok().filter(|scale| *scale <= 38)?;
    let precision = u8::try_from(precision)
        .ok()
        .filter(|precision| *precision <= 38)?;
    Some((precision.max(scale), scale))
}
