//! Formats of dates and timestamps with Java's letters, as Spark has them.

use super::calendar::{Moment, civil, days, time_of};
use super::digits::{digits_of, nanos};
use super::offset::OffsetFormat;
use chrono::{Month, Timelike};

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
    nanos: u32,
    zone: Option<i64>,
}

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

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
        Some(Moment {
            days: days(fields.year, fields.month, fields.day)?,
            time: time_of(hour, fields.minute, fields.second, fields.nanos)?,
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

/// Reads a letter that is repeated `count` times at the start of a text. Returns the rest of the text.
fn read_letter<'a>(
    letter: char,
    count: usize,
    is_adjacent: bool,
    text: &'a str,
    fields: &mut Fields,
) -> Option<&'a str> {
    let number = |min: usize, max: usize| {
        let max = if is_adjacent { count } else { max };
        let digits = text.bytes().take(max).take_while(u8::is_ascii_digit);
        let (digits, rest) = text.split_at(digits.count());
        Some((digits_of(digits, min, max)?, rest))
    };
    let rest;
    match letter {
        'y' | 'u' if count == 2 => {
            (fields.year, rest) = number(2, 2)?;
            fields.year += 2000;
        }
        'y' | 'u' => (fields.year, rest) = number(count, count.max(6))?,
        'M' | 'L' if count >= 3 => {
            (fields.month, rest) = (1..=12).find_map(|month| {
                let rest = text.strip_prefix(month_name(month, count))?;
                Some((month.into(), rest))
            })?;
        }
        'M' | 'L' | 'd' | 'H' | 'h' | 'm' | 's' => {
            let field = match letter {
                'M' | 'L' => &mut fields.month,
                'd' => &mut fields.day,
                'H' | 'h' => &mut fields.hour,
                'm' => &mut fields.minute,
                _ => &mut fields.second,
            };
            (*field, rest) = number(count, count.max(2))?;
        }
        'S' => {
            let digits;
            (digits, rest) = text.split_at_checked(count.min(9))?;
            fields.nanos = nanos(digits)?;
        }
        'a' => {
            let half;
            (half, rest) = text.split_at_checked(2)?;
            fields.is_pm = Some(match half {
                _ if half.eq_ignore_ascii_case("AM") => false,
                _ if half.eq_ignore_ascii_case("PM") => true,
                _ => return None,
            });
        }
        'X' | 'x' | 'Z' => {
            let (seconds, after) = OffsetFormat::new(letter, count).read(text)?;
            fields.zone = Some(seconds);
            rest = after;
        }
        _ => rest = (0..7).find_map(|day| text.strip_prefix(day_name(day, count)))?,
    }
    Some(rest)
}

/// Returns the name of a month from 1 to 12, of which a pattern with fewer than four letters has the first three.
fn month_name(month: u8, count: usize) -> &'static str {
    let name = Month::try_from(month).map_or("", |month| month.name());
    if count < 4 { &name[..3] } else { name }
}

/// Returns the name of a day of the week, from 0 for Monday.
fn day_name(day: usize, count: usize) -> &'static str {
    let name = DAYS[day];
    if count < 4 { &name[..3] } else { name }
}

fn write(parts: &[Part], moment: Moment, offset: i64, output: &mut String) {
    use std::fmt::Write;
    let (year, month, day) = civil(moment.days);
    let time = moment.time;
    let (is_pm, hour) = time.hour12();
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
                'M' | 'L' if *count >= 3 => {
                    write!(output, "{}", month_name(month as u8, *count))
                }
                'M' | 'L' => write!(output, "{month:0count$}"),
                'd' => write!(output, "{day:0count$}"),
                'H' => write!(output, "{:0count$}", time.hour()),
                'h' => write!(output, "{hour:0count$}"),
                'm' => write!(output, "{:0count$}", time.minute()),
                's' => write!(output, "{:0count$}", time.second()),
                'S' => {
                    let digits = format!("{:09}", time.nanosecond());
                    write!(output, "{}", &digits[..(*count).min(9)])
                }
                'a' => write!(output, "{}", if is_pm { "PM" } else { "AM" }),
                'X' | 'x' | 'Z' => {
                    OffsetFormat::new(*letter, *count).write(offset, output);
                    Ok(())
                }
                _ => {
                    let day = (moment.days + 3).rem_euclid(7) as usize;
                    write!(output, "{}", day_name(day, *count))
                }
            },
        };
    }
}
