//! The type of one value.

use super::types::ValueType;
use crate::columns::{Settings, trim};
use crate::options::Options;

/// Infers the type of one value. `None` is the type of a null.
pub(super) fn infer(text: &str, options: &Options, settings: &Settings) -> Option<ValueType> {
    let text = if settings.trims { trim(text) } else { text };
    if !options.infer_schema {
        return Some(ValueType::String);
    }
    if options.null_value.as_deref() == Some(text) {
        return None;
    }
    Some(infer_value(text, options, settings))
}

fn infer_value(text: &str, options: &Options, settings: &Settings) -> ValueType {
    // PERF: without formats, a text that begins with a letter is a boolean or a string.
    let is_word = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    if is_word && !settings.has_formats() {
        return boolean_or_string(text);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    if bytes
        .first()
        .is_some_and(|first| first.is_ascii_digit() || *first == b'.')
    {
        // PERF: up to 18 digits cannot overflow, and digits around a point are a number, so neither is parsed.
        let digits = leading_digits(bytes);
        let is_long = match bytes.len() {
            1..=18 => digits == bytes.len(),
            _ => unsigned.parse::<i64>().is_ok(),
        };
        if is_long {
            return ValueType::Long;
        }
        if options.prefers_decimal
            && let Some((precision, scale)) = decimal_size(unsigned)
        {
            return ValueType::Decimal(precision, scale);
        }
        if digits > 0
            && let [b'.', fraction @ ..] = &bytes[digits..]
            && !fraction.is_empty()
            && leading_digits(fraction) == fraction.len()
        {
            return ValueType::Double;
        }
        // Java ignores whitespace after the number.
        let (unsigned, bytes) = (trim(unsigned), trim(unsigned).as_bytes());
        let is_number = bytes
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        if is_number && unsigned.parse::<f64>().is_ok() {
            return ValueType::Double;
        }
    }
    if options.prefer_date && settings.date(text).is_some() {
        return ValueType::Date;
    }
    if settings.timestamp(text).is_some() {
        return ValueType::Timestamp;
    }
    boolean_or_string(text)
}

fn leading_digits(text: &[u8]) -> usize {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    digits.count()
}

fn boolean_or_string(text: &str) -> ValueType {
    match text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        true => ValueType::Boolean,
        false => ValueType::String,
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
