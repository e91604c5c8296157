//! Days of the calendar, times of the day, and moments, which have both.

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};

/// Number of years after which the calendar repeats. `chrono` has fewer years than timestamps, so only the place of a day
/// in its cycle is computed there.
const CYCLE_YEARS: i64 = 400;
const CYCLE_DAYS: i64 = 146_097;

/// Returns the days from 1970-01-01 to a day of the proleptic Gregorian calendar.
pub(super) fn days(year: i64, month: i64, day: i64) -> Option<i64> {
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
pub(super) fn time_of(hour: i64, minute: i64, second: i64, nanos: u32) -> Option<NaiveTime> {
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
