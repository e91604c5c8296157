//! Dates and timestamps: the format of XML Schema with Spark's additions, and patterns with Java's letters.
//!
//! The calendar and the times of a day are those of `chrono`. Its parser and its formats are not used, because they take
//! texts that Java refuses, such as a number after spaces or with fewer digits than letters.

mod offset;
mod pattern;

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
pub(crate) use offset::Zone;
use offset::offset;
pub(crate) use pattern::Pattern;

/// Parses a number of `min` to `max` ASCII digits.
fn digits_of(text: &str, min: usize, max: usize) -> Option<i64> {
    let fits =
        text.len() >= min && text.len() <= max && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

/// Number of years after which the calendar repeats. `chrono` has fewer years than timestamps, so only the place of a day
/// in its cycle is computed there.
const CYCLE_YEARS: i64 = 400;
const CYCLE_DAYS: i64 = 146_097;

/// Returns the days from 1970-01-01 to a day of the proleptic Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let (month, day) = (month.try_into().ok()?, day.try_into().ok()?);
    let date = NaiveDate::from_ymd_opt(year.rem_euclid(CYCLE_YEARS) as i32, month, day)?;
    let cycles = year.div_euclid(CYCLE_YEARS).checked_mul(CYCLE_DAYS)?;
    cycles.checked_add(date.to_epoch_days().into())
}

/// Returns year, month and day of a number of days since 1970-01-01.
pub(crate) fn civil(days: i64) -> (i64, u32, u32) {
    let of_cycle = days.rem_euclid(CYCLE_DAYS) as i32;
    let date = NaiveDate::from_epoch_days(of_cycle).unwrap_or_default();
    let years = days.div_euclid(CYCLE_DAYS) * CYCLE_YEARS;
    (years + i64::from(date.year()), date.month(), date.day())
}

/// Returns a time of the day.
fn time_of(hour: i64, minute: i64, second: i64, nanos: u32) -> Option<NaiveTime> {
    let [hour, minute, second] = [hour, minute, second].map(u32::try_from);
    NaiveTime::from_hms_nano_opt(hour.ok()?, minute.ok()?, second.ok()?, nanos)
}

/// A date and a time as they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Days since 1970-01-01.
    pub(crate) days: i64,
    pub(crate) time: NaiveTime,
    /// Seconds to the east of UTC, if a time zone is written.
    pub(crate) zone: Option<i64>,
}

impl Moment {
    /// Returns the units since 1970-01-01 UTC, with `per_second` units in a second. `zone` is the offset of a moment
    /// without one.
    pub(crate) fn since_epoch(self, zone: i64, per_second: i64) -> Option<i64> {
        let seconds = self
            .days
            .checked_mul(86_400)?
            .checked_sub(self.zone.unwrap_or(zone))?;
        let time = i64::from(self.time.num_seconds_from_midnight()) * per_second
            + i64::from(self.time.nanosecond()) / (1_000_000_000 / per_second);
        seconds.checked_mul(per_second)?.checked_add(time)
    }
}

/// Parses a date `yyyy-MM-dd`, with four digits for the year. A year before year 0 has a sign.
pub(crate) fn date(text: &str) -> Option<i64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = sign * digits_of(text.get(..4)?, 4, 4)?;
    days(
        year,
        digits_of(text.get(5..7)?, 2, 2)?,
        digits_of(text.get(8..)?, 2, 2)?,
    )
}

/// Parses a timestamp as Spark does by default: `yyyy`, `yyyy-M`, `yyyy-M-d`, and a time `H:m:s` with an optional
/// fraction and an optional time zone after `T` or a space. A time without a date is not a timestamp here, since its date
/// would be that of the run.
pub(crate) fn timestamp(text: &str) -> Option<Moment> {
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
    let (date, time) = match rest.find(['T', ' ']) {
        Some(at) => (rest.get(..at)?, Some(rest.get(at + 1..)?)),
        None => (rest, None),
    };
    let mut parts = date.split('-');
    let year = sign * digits_of(parts.next()?, 4, 6)?;
    let month = parts.next().map_or(Some(1), |part| digits_of(part, 1, 2))?;
    let day = parts.next().map_or(Some(1), |part| digits_of(part, 1, 2))?;
    if parts.next().is_some() {
        return None;
    }
    let days = days(year, month, day)?;
    let Some(time) = time else {
        return Some(Moment {
            days,
            ..Moment::default()
        });
    };
    if date.matches('-').count() != 2 {
        return None;
    }
    let end = time
        .find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.')
        .unwrap_or(time.len());
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

/// Parses `H:m:s` with an optional fraction. Seconds, and minutes before them, may be left out.
fn clock(text: &str) -> Option<NaiveTime> {
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let mut parts = clock.split(':');
    let hour = digits_of(parts.next()?, 1, 2)?;
    let minute = parts.next().map_or(Some(0), |part| digits_of(part, 1, 2))?;
    let second = parts.next().map(|part| digits_of(part, 1, 2));
    if parts.next().is_some() || (second.is_none() && fraction.is_some()) {
        return None;
    }
    let nanos = nanos(fraction.unwrap_or_default())?;
    time_of(hour, minute, second.unwrap_or(Some(0))?, nanos)
}

/// Returns the nanoseconds of the digits after a decimal point. Digits after the ninth are dropped.
fn nanos(fraction: &str) -> Option<u32> {
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    Some(digits.fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0')))
}
