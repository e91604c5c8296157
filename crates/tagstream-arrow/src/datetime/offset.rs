//! Offsets from UTC: time zones as Spark writes them, and Java's letters `X`, `x` and `Z`.

use super::digits::digits_of;

/// A time zone: an offset from UTC that is always the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    /// The name, as it is written in the types of Arrow.
    pub(crate) name: String,
    /// Seconds to the east of UTC.
    pub(crate) seconds: i64,
}

impl Zone {
    pub(crate) fn utc() -> Zone {
        Zone {
            name: "UTC".to_owned(),
            seconds: 0,
        }
    }

    /// Parses `UTC`, `Z`, `GMT` or an offset. Programs that show columns of Arrow know only offsets such as `+02:00`, so
    /// this is the name, and an offset with seconds is none.
    pub(crate) fn parse(text: &str) -> Option<Zone> {
        let seconds = offset(text)?;
        let (sign, minutes) = match seconds < 0 {
            true => ('-', -seconds / 60),
            false => ('+', seconds / 60),
        };
        let name = match text {
            "UTC" | "Z" | "GMT" | "UT" => "UTC".to_owned(),
            _ => format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60),
        };
        (seconds % 60 == 0).then_some(Zone { name, seconds })
    }
}

/// Parses a time zone: `Z`, `UTC`, `+02`, `+2:30`, `+0230`, or one of these after `UTC` or `GMT`. Returns seconds.
pub(super) fn offset(text: &str) -> Option<i64> {
    let rest = text
        .strip_prefix("UTC")
        .or_else(|| text.strip_prefix("GMT"))
        .or_else(|| text.strip_prefix("UT"));
    let rest = match rest {
        Some("") => return Some(0),
        Some(rest) => rest,
        None if text == "Z" => return Some(0),
        None => text,
    };
    let (sign, digits) = match rest.as_bytes().first()? {
        b'+' => (1, &rest[1..]),
        b'-' => (-1, &rest[1..]),
        _ => return None,
    };
    let mut fields = [0; 3];
    if digits.contains(':') {
        for (index, part) in digits.split(':').enumerate() {
            *fields.get_mut(index)? = digits_of(part, 1, 2)?;
        }
    } else {
        match digits.len() {
            1 | 2 => fields[0] = digits_of(digits, 1, 2)?,
            4 | 6 => {
                for (index, field) in fields.iter_mut().enumerate().take(digits.len() / 2) {
                    *field = digits_of(digits.get(index * 2..index * 2 + 2)?, 2, 2)?;
                }
            }
            _ => return None,
        }
    }
    let seconds = fields[0] * 3600 + fields[1] * 60 + fields[2];
    (fields[1] < 60 && fields[2] < 60 && seconds <= 18 * 3600).then_some(sign * seconds)
}

/// The format of an offset from UTC: one of those of Java's letters `X`, `x` and `Z`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OffsetFormat {
    /// The text before the sign.
    prefix: &'static str,
    /// The text of the offset 0.
    zero: &'static str,
    /// True if there are colons between hours, minutes and seconds.
    has_colons: bool,
    /// Number of fields that are always written: hours, or hours and minutes. Others are written if they are not 0.
    min_fields: usize,
    max_fields: usize,
}

impl OffsetFormat {
    /// Returns the format of a letter that is repeated one to five times.
    pub(super) fn new(letter: char, count: usize) -> OffsetFormat {
        let (has_colons, min_fields, max_fields) = match (letter, count) {
            ('Z', 1..=3) => (false, 2, 2),
            ('Z', _) => (true, 2, 3),
            (_, 1) => (false, 1, 2),
            (_, 2) => (false, 2, 2),
            (_, 3) => (true, 2, 2),
            (_, 4) => (false, 2, 3),
            _ => (true, 2, 3),
        };
        let (prefix, zero) = match (letter, count) {
            ('Z', 4) => ("GMT", "GMT"),
            ('X', _) | ('Z', 5) => ("", "Z"),
            ('x', 1) => ("", "+00"),
            ('x', 3 | 5) => ("", "+00:00"),
            _ => ("", "+0000"),
        };
        OffsetFormat {
            prefix,
            zero,
            has_colons,
            min_fields,
            max_fields,
        }
    }

    /// Reads an offset at the start of a text. Returns it in seconds, and the rest of the text.
    pub(super) fn read(self, text: &str) -> Option<(i64, &str)> {
        if self.zero == "Z"
            && let Some(after) = text.strip_prefix(['Z', 'z'])
        {
            return Some((0, after));
        }
        let mut rest = text.strip_prefix(self.prefix)?;
        let sign = match rest.as_bytes().first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return (!self.prefix.is_empty()).then_some((0, rest)),
        };
        rest = &rest[1..];
        let mut fields = [0; 3];
        for (index, field) in fields.iter_mut().enumerate().take(self.max_fields) {
            let digits = match self.has_colons && index > 0 {
                true => rest.strip_prefix(':'),
                false => Some(rest),
            };
            let found = digits.and_then(|digits| {
                let number = digits_of(digits.get(..2)?, 2, 2)?;
                Some((number, digits.get(2..)?))
            });
            match found {
                Some((number, after)) => (*field, rest) = (number, after),
                None if index < self.min_fields => return None,
                None => break,
            }
        }
        let [hours, minutes, seconds] = fields;
        let total = hours * 3600 + minutes * 60 + seconds;
        (minutes < 60 && seconds < 60 && total <= 18 * 3600).then_some((sign * total, rest))
    }

    /// Writes an offset in seconds.
    pub(super) fn write(self, offset: i64, output: &mut String) {
        if offset == 0 {
            output.push_str(self.zero);
            return;
        }
        output.push_str(self.prefix);
        output.push(if offset < 0 { '-' } else { '+' });
        let seconds = offset.abs();
        let fields = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        for (index, field) in fields.into_iter().enumerate().take(self.max_fields) {
            if index >= self.min_fields && field == 0 {
                return;
            }
            if index > 0 && self.has_colons {
                output.push(':');
            }
            output.push_str(&format!("{field:02}"));
        }
    }
}
