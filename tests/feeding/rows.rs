//! Rows of input and events, in the file that the states of XML-ER have.

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

/// Text with its escapes resolved.
pub(crate) fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('s') => out.push(' '),
            Some('u') => {
                let digits: String = characters
                    .by_ref()
                    .skip(1)
                    .take_while(|c| *c != '}')
                    .collect();
                let number = u32::from_str_radix(&digits, 16).expect("a number");
                out.push(char::from_u32(number).expect("a character"));
            }
            other => out.extend(other),
        }
    }
    out
}
