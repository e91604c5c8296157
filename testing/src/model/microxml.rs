//! Reads a document as the specification describes it: at each step the longest lexical token of the mode, and its
//! abstract tokens. The model is slow and needs the whole input.

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Main,
    Comment,
    Tag,
    StartValue,
    Unquoted,
    Quoted(char),
    Cdata,
    Doctype,
    Subset,
}

/// Number of characters that a grammar symbol matches, if it matches.
type Length = Option<usize>;

/// The state of the parse.
pub struct Model {
    input: Vec<char>,
    at: usize,
    mode: Mode,
    is_final: bool,
    /// Tags and texts, one per line.
    events: Vec<String>,
    text: String,
    /// The open tag: its name and its attributes.
    tag: Option<(String, Vec<(String, String)>)>,
}

fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0C' | ' ')
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | ':' | '$') || c >= '\u{80}'
}

fn is_name(c: char) -> bool {
    is_name_start(c) || c.is_ascii_digit() || matches!(c, '-' | '.')
}

impl Model {
    /// Returns the events of a document, in the first or in the final revision.
    #[must_use]
    pub fn read(input: &str, is_final: bool) -> Vec<String> {
        let input = input.strip_prefix('\u{FEFF}').unwrap_or(input);
        let input = input.replace("\r\n", "\n").replace('\r', "\n");
        let mut model = Model {
            input: input.chars().collect(),
            at: 0,
            mode: Mode::Main,
            is_final,
            events: Vec::new(),
            text: String::new(),
            tag: None,
        };
        while model.at < model.input.len() {
            model.step();
        }
        if model.tag.is_some() {
            model.close_tag("");
        }
        model.end_text();
        model.events
    }

    // The grammar.

    fn word(&self, at: usize, word: &str) -> Length {
        let count = word.chars().count();
        let here = self.input.get(at..at + count)?;
        let same = here.iter().zip(word.chars());
        same.clone()
            .all(|(a, b)| a.eq_ignore_ascii_case(&b) && (*a == b || word == "<!doctype"))
            .then_some(count)
    }

    fn spaces(&self, at: usize) -> usize {
        self.input[at..]
            .iter()
            .take_while(|c| is_space(**c))
            .count()
    }

    fn name(&self, at: usize) -> Length {
        let first = self.input.get(at).filter(|c| is_name_start(**c));
        first.map(|_| self.input[at..].iter().take_while(|c| is_name(**c)).count())
    }

    fn string(&self, from: usize, length: usize) -> String {
        self.input[from..from + length].iter().collect()
    }

    /// Matches `S* NAME S* "="`. Returns the length and the name.
    fn attribute_equals(&self, at: usize) -> Option<(usize, String)> {
        let name_at = at + self.spaces(at);
        let name = self.name(name_at)?;
        let end = name_at + name + self.spaces(name_at + name);
        self.word(end, "=")?;
        Some((end + 1 - at, self.string(name_at, name)))
    }

    /// Matches `(S+ NAME)* S* (">" | "/>" | S NAME S* "=")`.
    fn is_tag_context(&self, mut at: usize) -> bool {
        loop {
            let spaces = self.spaces(at);
            let next = at + spaces;
            if self.word(next, ">").is_some() || self.word(next, "/>").is_some() {
                return true;
            }
            if spaces == 0 {
                return false;
            }
            if self.attribute_equals(next).is_some() {
                return true;
            }
            match self.name(next) {
                Some(name) => at = next + name,
                None => return false,
            }
        }
    }

    /// Matches `open`, any characters, and the first `close` after them.
    fn delimited(&self, open: &str, close: &str) -> Length {
        let from = self.at + self.word(self.at, open)?;
        let end = (from..self.input.len()).find(|&at| self.word(at, close).is_some())?;
        Some(end + close.len() - self.at)
    }

    fn literal(&self, at: usize) -> Length {
        let quote = *self.input.get(at).filter(|c| matches!(c, '"' | '\''))?;
        let length = self.input[at + 1..].iter().position(|c| *c == quote)?;
        Some(length + 2)
    }

    fn declaration(&self) -> Length {
        let mut at = self.at + self.word(self.at, "<!")?;
        loop {
            at += match *self.input.get(at)? {
                '>' => return Some(at + 1 - self.at),
                '"' | '\'' => self.literal(at)?,
                '[' | ']' | '<' => return None,
                _ => 1,
            };
        }
    }

    /// Matches a reference. Returns its length and its replacement.
    fn reference(&self) -> Option<(usize, String)> {
        let at = self.at;
        self.word(at, "&")?;
        if let Some(name) = self.name(at + 1) {
            self.word(at + 1 + name, ";")?;
            let length = name + 2;
            let meant = match &*self.string(at + 1, name) {
                "lt" => "<",
                "gt" => ">",
                "amp" => "&",
                "quot" => "\"",
                "apos" => "'",
                _ => return Some((length, self.string(at, length))),
            };
            return Some((length, meant.to_owned()));
        }
        let (open, radix) = match self.word(at, "&#x") {
            Some(open) => (open, 16),
            None if self.is_final => (self.word(at, "&#")?, 10),
            None => return None,
        };
        let digits = self.input[at + open..].iter();
        let digits = digits.take_while(|c| c.is_digit(radix)).count();
        self.word(at + open + digits, ";").filter(|_| digits > 0)?;
        let length = open + digits + 1;
        let number = u128::from_str_radix(&self.string(at + open, digits), radix);
        let meant = match number.map(u32::try_from) {
            Ok(Ok(0xD800..0xE000)) => "\u{FFFD}".to_owned(),
            Ok(Ok(number @ 0..=0x10_FFFF)) => char::from_u32(number).into_iter().collect(),
            _ => self.string(at, length),
        };
        Some((length, meant))
    }

    // Abstract tokens.

    fn data(&mut self, length: usize, text: &str) {
        self.at += length;
        match &mut self.tag {
            Some((_, attributes)) => attributes.last_mut().expect("a value").1.push_str(text),
            None => self.text.push_str(text),
        }
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.events.push(format!("{text:?}"));
        }
    }

    fn open_tag(&mut self, name: String) {
        self.end_text();
        self.tag = Some((name, Vec::new()));
    }

    fn attribute(&mut self, name: String) {
        let (_, attributes) = self.tag.as_mut().expect("a tag");
        attributes.push((name, String::new()));
    }

    fn close_tag(&mut self, slash: &str) {
        let (name, attributes) = self.tag.take().expect("a tag");
        let mut line = format!("<{name}");
        for (index, (name, value)) in attributes.iter().enumerate() {
            if attributes[..index].iter().all(|(other, _)| other != name) {
                line += &format!(" {name}={value:?}");
            }
        }
        self.events.push(line + slash + ">");
        if slash == "/" {
            self.events.push(format!("</{name}>"));
        }
        self.mode = Mode::Main;
    }

    fn go(&mut self, length: usize, mode: Mode) {
        self.at += length;
        self.mode = mode;
    }

    /// Consumes `>` or `/>`, with its default handling. Returns false if neither is next.
    fn closes(&mut self) -> bool {
        for (word, slash) in [("/>", "/"), (">", "")] {
            if let Some(length) = self.word(self.at, word) {
                self.close_tag(slash);
                self.at += length;
                return true;
            }
        }
        false
    }

    /// Consumes a reference or a character, as data.
    fn data_char(&mut self) {
        let character = self.input[self.at];
        match self.reference() {
            Some((length, meant)) => self.data(length, &meant),
            None => self.data(1, &character.to_string()),
        }
    }

    // Modes.

    fn step(&mut self) {
        let (at, character) = (self.at, self.input[self.at]);
        match self.mode {
            Mode::Main if self.is_final => self.main_final(),
            Mode::Main => self.main(),
            Mode::Comment => match self.word(at, "-->") {
                Some(length) => self.go(length, Mode::Main),
                None => self.at += 1,
            },
            Mode::Tag => self.tag(),
            Mode::StartValue => {
                if is_space(character) {
                    self.at += 1;
                } else if matches!(character, '"' | '\'') {
                    self.go(1, Mode::Quoted(character));
                } else if !self.closes() {
                    self.mode = Mode::Unquoted;
                    if !self.is_final {
                        self.data_char();
                    }
                }
            }
            Mode::Unquoted if is_space(character) => self.go(1, Mode::Tag),
            Mode::Unquoted => {
                if !self.closes() {
                    self.data_char();
                }
            }
            Mode::Quoted(quote) => self.quoted(quote),
            Mode::Cdata => match self.word(at, "]]>") {
                Some(length) => self.go(length, Mode::Main),
                None => self.data(1, &character.to_string()),
            },
            Mode::Doctype => match character {
                '[' => self.go(1, Mode::Subset),
                '>' => self.go(1, Mode::Main),
                '"' | '\'' | ']' | '<' => match self.literal(at) {
                    Some(length) => self.at += length,
                    None => self.mode = Mode::Main,
                },
                _ => self.at += 1,
            },
            Mode::Subset => {
                let inner = self.delimited("<!--", "-->");
                let inner = inner.or_else(|| self.delimited("<?", "?>"));
                let inner = inner.or_else(|| self.declaration());
                let close = self.word(at, "]").map(|length| at + length);
                let close = close.map(|after| after + self.spaces(after));
                let close = close.filter(|after| self.word(*after, ">").is_some());
                match (inner, close) {
                    (Some(length), _) => self.at += length,
                    (_, Some(bracket)) => self.go(bracket + 1 - at, Mode::Main),
                    _ if is_space(character) => self.at += 1,
                    _ => self.mode = Mode::Main,
                }
            }
        }
    }

    fn end_tag(&mut self) -> bool {
        let Some(open) = self.word(self.at, "</") else {
            return false;
        };
        let name_at = self.at + open;
        let Some(name) = self.name(name_at) else {
            return false;
        };
        let end = name_at + name + self.spaces(name_at + name);
        if self.word(end, ">").is_none() {
            return false;
        }
        self.end_text();
        self.events
            .push(format!("</{}>", self.string(name_at, name)));
        self.at = end + 1;
        true
    }

    fn main(&mut self) {
        if let Some(length) = self.word(self.at, "<!--") {
            return self.go(length, Mode::Comment);
        }
        if self.end_tag() {
            return;
        }
        let name_at = self.at + 1;
        if self.input[self.at] == '<'
            && let Some(length) = self.name(name_at)
        {
            let (name, end) = (self.string(name_at, length), name_at + length);
            let spaces = self.spaces(end);
            if spaces > 0
                && let Some((taken, attribute)) = self.attribute_equals(end)
            {
                self.open_tag(name);
                self.attribute(attribute);
                self.at = end + taken;
                self.mode = Mode::StartValue;
                return;
            }
            for (word, slash) in [("/>", "/"), (">", "")] {
                if let Some(length) = self.word(end + spaces, word) {
                    self.open_tag(name);
                    self.close_tag(slash);
                    self.at = end + spaces + length;
                    return;
                }
            }
        }
        self.data_char();
    }

    fn main_final(&mut self) {
        let dropped = self.delimited("<!--", "-->");
        if let Some(length) = dropped.or_else(|| self.delimited("<?", "?>")) {
            self.at += length;
        } else if let Some(length) = self.word(self.at, "<![CDATA[") {
            self.go(length, Mode::Cdata);
        } else if let Some(length) = self.word(self.at, "<!doctype") {
            self.go(length, Mode::Doctype);
        } else if self.end_tag() {
        } else if self.input[self.at] == '<'
            && let Some(length) = self.name(self.at + 1)
            && self.is_tag_context(self.at + 1 + length)
        {
            self.open_tag(self.string(self.at + 1, length));
            self.go(1 + length, Mode::Tag);
        } else {
            self.data_char();
        }
    }

    fn tag(&mut self) {
        if let Some((length, name)) = self.attribute_equals(self.at) {
            self.attribute(name);
            return self.go(length, Mode::StartValue);
        }
        let spaces = self.spaces(self.at);
        let name = self.name(self.at + spaces).filter(|_| self.is_final);
        if let Some(length) = name
            && self.is_tag_context(self.at + spaces + length)
        {
            self.attribute(self.string(self.at + spaces, length));
            self.at += spaces + length;
        } else if spaces > 0 {
            self.at += 1;
        } else if !self.closes() {
            self.close_tag("");
            if !self.is_final {
                let character = self.input[self.at];
                self.data(1, &character.to_string());
            }
        }
    }

    fn quoted(&mut self, quote: char) {
        let character = self.input[self.at];
        if character == quote {
            return self.go(1, Mode::Tag);
        }
        if self.is_final && matches!(character, '<' | '>') {
            let rest = self.input[self.at + 1..].iter();
            let end = rest.clone().position(|c| *c == quote);
            let after = end.map(|end| self.at + 2 + end);
            let is_data = after.is_some_and(|after| {
                self.spaces(after) > 0
                    || self.word(after, ">").is_some()
                    || self.word(after, "/>").is_some()
            });
            if !is_data {
                self.mode = Mode::Tag;
                return;
            }
        }
        self.data_char();
    }
}
