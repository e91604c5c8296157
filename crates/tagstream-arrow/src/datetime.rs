//! Dates and timestamps: the format of XML Schema with Spark's additions, and patterns with Java's letters.
//!
//! The calendar and the times of a day are those of `chrono`. Its parser and its formats are not used, because they take
//! texts that Java refuses, such as a number after spaces or with fewer digits than letters.

mod calendar;
mod digits;
mod offset;
mod pattern;

pub(crate) use calendar::{Moment, civil};
use calendar::{days, time_of};
use chrono::NaiveTime;
use digits::{digits_of, nanos, split_at_first};
pub(crate) use offset::Zone;
use offset::offset;
pub(crate) use pattern::Pattern;

/// Parses a date `yyyy-MM-dd`, with four digits for the year. A year before year 0 has a sign.
pub(crate) fn date(text: &str) -> Option<i64> {
    match text.as_bytes() {
        [b'-', date @ ..] => date_of(date, -1),
        date => date_of(date, 1),
    }
}

/// Parses a date `yyyy-MM-dd`, whose year has a sign.
fn date_of(date: &[u8], sign: i64) -> Option<i64> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *date else {
        return None;
    };
    let year = pair(y1, y2)? * 100 + pair(y3, y4)?;
    days(sign * year, pair(m1, m2)?, pair(d1, d2)?)
}

/// Returns the number of two ASCII digits.
#[inline(always)]
fn pair(tens: u8, ones: u8) -> Option<i64> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens <= 9 && ones <= 9).then(|| i64::from(tens) * 10 + i64::from(ones))
}

/// Parses a timestamp `yyyy-MM-ddTHH:mm:ss` without a time zone or with the time zone `Z`.
///
/// PERF: most timestamps have this form, and [`timestamp`] takes five times the instructions to find their parts.
fn plain_timestamp(text: &[u8]) -> Option<Moment> {
    let (date, time) = text.split_at_checked(10)?;
    let [b'T' | b' ', h1, h2, b':', m1, m2, b':', s1, s2, zone @ ..] = time else {
        return None;
    };
    let zone = match zone {
        [] => None,
        [b'Z'] => Some(0),
        _ => return None,
    };
    Some(Moment {
        days: date_of(date, 1)?,
        time: time_of(pair(*h1, *h2)?, pair(*m1, *m2)?, pair(*s1, *s2)?, 0)?,
        zone,
    })
}

/// Parses a timestamp as Spark does by default: `yyyy`, `yyyy-M`, `yyyy-M-d`, and a time `H:m:s` with an optional
/// fraction and an optional time zone after `T` or a space. A time without a date is not a timestamp here, since its date
/// would be that of the run.
pub(crate) fn timestamp(text: &str) -> Option<Moment> {
    if let Some(moment) = plain_timestamp(text.as_bytes()) {
        return Some(moment);
    }
    let text = text.trim_matches(|c: char| c <= ' ');
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    // PERF: most texts of which inference asks are no timestamps, and begin with a letter.
    if !rest.as_bytes().first()?.is_ascii_digit() {
        return None;
    }
    let (date, time) = split_at_first(rest, |byte| matches!(byte, b'T' | b' '));
    let [year, month, day] = parts(date, b'-')?;
    let days = days(
        sign * digits_of(year?, 4, 6)?,
        month.map_or(Some(1), |part| digits_of(part, 1, 2))?,
        day.map_or(Some(1), |part| digits_of(part, 1, 2))?,
    )?;
    let Some(time) = time else {
        return Some(Moment {
            days,
            ..Moment::default()
        });
    };
    // A time follows a whole date.
    day?;
    let is_of_zone = |byte: u8| !byte.is_ascii_digit() && byte != b':' && byte != b'.';
    let end = time.bytes().position(is_of_zone).unwrap_or(time.len());
    let (clock, zone) = time.split_at(end);
    let zone = match zone.trim_start() {
        "" => None,
        zone => Some(offset(zone)?),
    };
    Some(Moment {
        days,
        time: self::clock(clock)?,
        zone,
    })
}

/// Returns up to three parts of a text between separators, or `None` if there are more.
fn parts(text: &str, separator: u8) -> Option<[Option<&str>; 3]> {
    let mut parts = [None; 3];
    let mut rest = Some(text);
    for part in &mut parts {
        let Some(text) = rest else { break };
        let (first, after) = split_at_first(text, |byte| byte == separator);
        (*part, rest) = (Some(first), after);
    }
    rest.is_none().then_some(parts)
}

/// Parses `H:m:s` with an optional fraction. Seconds, and minutes before them, may be left out.
fn clock(text: &str) -> Option<NaiveTime> {
    let (clock, fraction) = split_at_first(text, |byte| byte == b'.');
    let [hour, minute, second] = parts(clock, b':')?;
    if second.is_none() && fraction.is_some() {
        return None;
    }
    let hour = digits_of(hour?, 1, 2)?;
    let minute = minute.map_or(Some(0), |part| digits_of(part, 1, 2))?;
    let second = second.map_or(Some(0), |part| digits_of(part, 1, 2))?;
    let nanos = nanos(fraction.unwrap_or_default())?;
    time_of(hour, minute, second, nanos)
}
