//! Escapes in the files of rows: \n \r \t \s (a space) \\ and \u{...}.

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
