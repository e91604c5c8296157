//! Dates and timestamps: the format of XML Schema with Spark's additions, and patterns with Java's letters.

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
fn offset(text: &str) -> Option<i64> {
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

/// Parses a number of `min` to `max` ASCII digits.
fn digits_of(text: &str, min: usize, max: usize) -> Option<i64> {
    let fits =
        text.len() >= min && text.len() <= max && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

/// Returns the days from 1970-01-01 to a day of the proleptic Gregorian calendar.
pub(crate) fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if day < 1 || day > length {
        return None;
    }
    // Years begin in March, so that the day that a leap year adds is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, month) = (year.div_euclid(400), (month + 9) % 12);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Returns year, month and day of a number of days since 1970-01-01.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let of_era_year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + of_era_year + i64::from(month <= 2), month, day)
}

/// A date and a time as they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Days since 1970-01-01.
    pub(crate) days: i64,
    /// Nanoseconds since midnight.
    pub(crate) nanos: i64,
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
        seconds
            .checked_mul(per_second)?
            .checked_add(self.nanos / (1_000_000_000 / per_second))
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
        nanos: self::clock(clock)?,
        zone,
    })
}

/// Parses `H:m:s` with an optional fraction. Seconds, and minutes before them, may be left out.
fn clock(text: &str) -> Option<i64> {
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, fraction),
        None => (text, ""),
    };
    let mut parts = clock.split(':');
    let hour = digits_of(parts.next()?, 1, 2)?;
    let mut part = || match parts.next() {
        Some(part) => digits_of(part, 1, 2).map(|number| (number, true)),
        None => Some((0, false)),
    };
    let ((minute, _), (second, has_seconds)) = (part()?, part()?);
    if !has_seconds && text.contains('.') {
        return None;
    }
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some((hour * 3600 + minute * 60 + second) * 1_000_000_000 + nanos(fraction)?)
}

/// Returns the nanoseconds of the digits after a decimal point. Digits after the ninth are dropped.
fn nanos(fraction: &str) -> Option<i64> {
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut nanos = 0;
    for place in 0..9 {
        nanos = nanos * 10
            + i64::from(
                fraction
                    .as_bytes()
                    .get(place)
                    .map_or(0, |digit| digit - b'0'),
            );
    }
    Some(nanos)
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A letter and the number of times that it is repeated.
    Letter(char, usize),
    Literal(String),
    /// Parts in square brackets.
    Optional(Vec<Part>),
}

/// A format of dates or timestamps, with Java's letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: String,
    parts: Vec<Part>,
}

/// The fields that a pattern has read.
#[derive(Clone, Copy, Debug)]
struct Fields {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    /// Twelve hours to add, if the pattern has `a`.
    is_pm: Option<bool>,
    minute: i64,
    second: i64,
    nanos: i64,
    zone: Option<i64>,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The format of an offset from UTC: one of those of Java's letters `X`, `x` and `Z`.
#[derive(Clone, Copy, Debug)]
struct OffsetFormat {
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
    fn new(letter: char, count: usize) -> OffsetFormat {
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
    fn read(self, text: &str) -> Option<(i64, &str)> {
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
    fn write(self, offset: i64, output: &mut String) {
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

impl Pattern {
    /// Parses a pattern. Returns `None` for letters that are not supported.
    pub(crate) fn new(text: &str) -> Option<Pattern> {
        let chars: Vec<char> = text.chars().collect();
        let mut stack: Vec<Vec<Part>> = vec![Vec::new()];
        let mut at = 0;
        while at < chars.len() {
            let c = chars[at];
            let run = chars[at..].iter().take_while(|next| **next == c).count();
            let part = match c {
                'y' | 'u' | 'M' | 'L' | 'd' | 'H' | 'h' | 'm' | 's' | 'S' | 'a' | 'X' | 'x'
                | 'Z' | 'E' => {
                    at += run;
                    if matches!(c, 'X' | 'x' | 'Z') && run > 5 {
                        return None;
                    }
                    Part::Letter(c, run)
                }
                '[' => {
                    if stack.len() > 8 {
                        return None;
                    }
                    stack.push(Vec::new());
                    at += 1;
                    continue;
                }
                ']' => {
                    let inner = stack.pop()?;
                    if stack.is_empty() {
                        return None;
                    }
                    at += 1;
                    Part::Optional(inner)
                }
                '\'' if chars.get(at + 1) == Some(&'\'') => {
                    at += 2;
                    Part::Literal("'".to_owned())
                }
                '\'' => {
                    let length = chars[at + 1..].iter().position(|next| *next == '\'')?;
                    let literal = chars[at + 1..at + 1 + length].iter().collect();
                    at += length + 2;
                    Part::Literal(literal)
                }
                c if c.is_ascii_alphabetic() => return None,
                c => {
                    at += 1;
                    Part::Literal(c.to_string())
                }
            };
            stack.last_mut()?.push(part);
        }
        let parts = stack.pop()?;
        stack.is_empty().then(|| Pattern {
            text: text.to_owned(),
            parts,
        })
    }

    /// Parses a text that has this format from its first to its last character.
    pub(crate) fn parse(&self, text: &str) -> Option<Moment> {
        let mut fields = Fields {
            year: 1970,
            month: 1,
            day: 1,
            hour: 0,
            is_pm: None,
            minute: 0,
            second: 0,
            nanos: 0,
            zone: None,
        };
        if !read(&self.parts, text, &mut fields)?.is_empty() {
            return None;
        }
        let hour = match fields.is_pm {
            Some(is_pm) => fields.hour % 12 + if is_pm { 12 } else { 0 },
            None => fields.hour,
        };
        if hour > 23 || fields.minute > 59 || fields.second > 59 {
            return None;
        }
        Some(Moment {
            days: days(fields.year, fields.month, fields.day)?,
            nanos: (hour * 3600 + fields.minute * 60 + fields.second) * 1_000_000_000
                + fields.nanos,
            zone: fields.zone,
        })
    }

    /// Writes a moment in this format. `offset` is the offset of its time zone in seconds.
    pub(crate) fn write(&self, moment: Moment, offset: i64, output: &mut String) {
        write(&self.parts, moment, offset, output);
    }
}

/// Reads the parts at the start of a text. Returns the rest of the text.
fn read<'a>(parts: &[Part], text: &'a str, fields: &mut Fields) -> Option<&'a str> {
    let mut rest = text;
    for (index, part) in parts.iter().enumerate() {
        rest = match part {
            Part::Literal(literal) => rest.strip_prefix(&**literal)?,
            Part::Optional(inner) => {
                let mut tried = *fields;
                match read(inner, rest, &mut tried) {
                    Some(after) => {
                        *fields = tried;
                        after
                    }
                    None => rest,
                }
            }
            Part::Letter(letter, count) => {
                // A number that another number follows has exactly as many digits as letters.
                let is_adjacent = matches!(parts.get(index + 1), Some(Part::Letter(next, _)) if "yuMLdHhmsS".contains(*next));
                read_letter(*letter, *count, is_adjacent, rest, fields)?
            }
        };
    }
    Some(rest)
}

fn read_letter<'a>(
    letter: char,
    count: usize,
    is_adjacent: bool,
    text: &'a str,
    fields: &mut Fields,
) -> Option<&'a str> {
    let number = |min: usize, max: usize| {
        let max = if is_adjacent { count } else { max };
        let length = text
            .bytes()
            .take(max)
            .take_while(u8::is_ascii_digit)
            .count();
        Some((
            digits_of(text.get(..length)?, min, max)?,
            text.get(length..)?,
        ))
    };
    let at_least = |most: usize| {
        if count >= 2 {
            (count, count.max(2))
        } else {
            (1, most)
        }
    };
    let rest;
    match letter {
        'y' | 'u' if count == 2 => {
            (fields.year, rest) = number(2, 2)?;
            fields.year += 2000;
        }
        'y' | 'u' => (fields.year, rest) = number(count, count.max(6))?,
        'M' | 'L' if count >= 3 => {
            let found = MONTHS.iter().enumerate().find_map(|(index, name)| {
                let name = if count == 3 { &name[..3] } else { name };
                Some((index, text.strip_prefix(name)?))
            });
            let (index, after) = found?;
            fields.month = index as i64 + 1;
            rest = after;
        }
        'M' | 'L' => {
            let (min, max) = at_least(2);
            (fields.month, rest) = number(min, max)?;
        }
        'd' => {
            let (min, max) = at_least(2);
            (fields.day, rest) = number(min, max)?;
        }
        'H' | 'h' => {
            let (min, max) = at_least(2);
            (fields.hour, rest) = number(min, max)?;
        }
        'm' => {
            let (min, max) = at_least(2);
            (fields.minute, rest) = number(min, max)?;
        }
        's' => {
            let (min, max) = at_least(2);
            (fields.second, rest) = number(min, max)?;
        }
        'S' => {
            let length = text
                .bytes()
                .take(count.min(9))
                .take_while(u8::is_ascii_digit)
                .count();
            if length != count.min(9) {
                return None;
            }
            fields.nanos = nanos(text.get(..length)?)?;
            rest = text.get(length..)?;
        }
        'a' => {
            let half = text.get(..2)?;
            fields.is_pm = Some(match half {
                _ if half.eq_ignore_ascii_case("AM") => false,
                _ if half.eq_ignore_ascii_case("PM") => true,
                _ => return None,
            });
            rest = text.get(2..)?;
        }
        'X' | 'x' | 'Z' => {
            let (seconds, after) = OffsetFormat::new(letter, count).read(text)?;
            fields.zone = Some(seconds);
            rest = after;
        }
        _ => {
            let found = DAYS
                .iter()
                .find_map(|name| text.strip_prefix(if count < 4 { &name[..3] } else { name }));
            rest = found?;
        }
    }
    Some(rest)
}

fn write(parts: &[Part], moment: Moment, offset: i64, output: &mut String) {
    use std::fmt::Write;
    let (year, month, day) = civil(moment.days);
    let seconds = moment.nanos / 1_000_000_000;
    for part in parts {
        // Writing to a string cannot fail.
        let _ = match part {
            Part::Literal(literal) => write!(output, "{literal}"),
            Part::Optional(inner) => {
                write(inner, moment, offset, output);
                Ok(())
            }
            Part::Letter(letter, count) => match letter {
                'y' | 'u' if *count == 2 => write!(output, "{:02}", year.rem_euclid(100)),
                'y' | 'u' => write!(output, "{year:0count$}"),
                'M' | 'L' if *count == 3 => write!(output, "{}", &MONTHS[month as usize - 1][..3]),
                'M' | 'L' if *count > 3 => write!(output, "{}", MONTHS[month as usize - 1]),
                'M' | 'L' => write!(output, "{month:0count$}"),
                'd' => write!(output, "{day:0count$}"),
                'H' => write!(output, "{:0count$}", seconds / 3600),
                'h' => write!(output, "{:0count$}", (seconds / 3600 + 11) % 12 + 1),
                'm' => write!(output, "{:0count$}", seconds / 60 % 60),
                's' => write!(output, "{:0count$}", seconds % 60),
                'S' => {
                    let digits = format!("{:09}", moment.nanos % 1_000_000_000);
                    write!(output, "{}", &digits[..(*count).min(9)])
                }
                'a' => write!(output, "{}", if seconds < 43_200 { "AM" } else { "PM" }),
                'X' | 'x' | 'Z' => {
                    OffsetFormat::new(*letter, *count).write(offset, output);
                    Ok(())
                }
                _ => {
                    let name = DAYS[(moment.days + 3).rem_euclid(7) as usize];
                    write!(output, "{}", if *count < 4 { &name[..3] } else { name })
                }
            },
        };
    }
}
