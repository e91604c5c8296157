//! Rows of input and events, in the file that the states of XML-ER have.

use crate::escapes::unescape;

/// One input and its events.
pub(crate) struct Row {
    pub(crate) section: String,
    pub(crate) arm: String,
    pub(crate) input: String,
    pub(crate) events: String,
}

impl Row {
    /// The name of its test.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}: {:?}", self.section, self.arm, self.input)
    }
}

/// The rows of a file, one for each arm.
pub(crate) fn read(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut section = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
        } else if !line.is_empty() && !line.starts_with("# ") && line != "#" {
            let (arms, rest) = line.split_once(" | ").expect("arms");
            let (input, events) = rest.rsplit_once(" => ").expect("events");
            for arm in arms.split(" / ") {
                let place = character(arm);
                rows.push(Row {
                    section: section.to_owned(),
                    arm: arm.to_owned(),
                    input: unescape(input).replace("{}", &place),
                    events: events.replace("{}", &place.escape_debug().to_string()),
                });
            }
        }
    }
    rows
}

/// The character that an arm names; nothing for the others.
fn character(arm: &str) -> String {
    let digits = arm.strip_prefix("U+").and_then(|rest| rest.get(..4));
    digits
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .and_then(char::from_u32)
        .map(String::from)
        .unwrap_or_default()
}
