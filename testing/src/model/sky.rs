//! Reads a document as the specification describes it: normalization, the states of the tokenizer one by one, token
//! cleanup and tree construction, each over the whole input.

#[derive(Clone, Debug)]
enum Token {
    Character(char),
    Text(String),
    Start(String, Vec<(String, String)>),
    End(String),
    Automatic,
}

/// A state of the tokenizer. States that close raw data contain the word and the number of characters that were read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Signature,
    Expect(&'static str, usize),
    AfterSignature,
    RestOfLine,
    Data,
    Raw(&'static str),
    RawClose(&'static str, usize),
    TagOpen,
    CloseTag,
    TagName,
    VoidTag,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(char),
    Unquoted,
    CommentStart1,
    CommentStart2,
    Comment,
    CommentEnd1,
    CommentEnd2,
    Reference,
    Numeric,
    BeforeHex,
    Hex,
    Decimal,
    Named,
}

use State::*;

struct Model {
    state: State,
    tokens: Vec<Token>,
    is_end: bool,
    name: String,
    attributes: Vec<(String, String)>,
    return_state: State,
    raw: String,
    value: u32,
}

fn begins_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

impl Model {
    fn emit(&mut self, text: &str) {
        self.tokens.extend(text.chars().map(Token::Character));
    }

    /// The emitting operation of the specification.
    fn operate(&mut self, text: &str) {
        match self.return_state {
            Data => self.emit(text),
            _ => self.attributes.last_mut().expect("one").1.push_str(text),
        }
    }

    /// The emitting operation for all but the last character of the raw value.
    fn no_reference(&mut self) -> (State, bool) {
        let raw = std::mem::take(&mut self.raw);
        self.operate(&raw);
        (self.return_state, false)
    }

    fn number(&mut self, digit: u32, radix: u32, c: char, state: State) -> (State, bool) {
        self.raw.push(c);
        self.value = (self.value * radix + digit).min(0x11_0000);
        (state, true)
    }

    fn start(&mut self, is_end: bool, c: char) -> (State, bool) {
        (self.is_end, self.name) = (is_end, c.to_string());
        self.attributes.clear();
        (TagName, true)
    }

    fn attribute(&mut self, c: char) -> (State, bool) {
        self.attributes.push((c.to_string(), String::new()));
        (Name, true)
    }

    fn after_tag(&mut self, void: bool) -> (State, bool) {
        let (name, attributes) = (self.name.clone(), self.attributes.clone());
        if self.is_end {
            self.tokens.push(Token::End(name));
            return (Data, true);
        }
        self.tokens.push(Token::Start(name.clone(), attributes));
        let next = match (&*name, void) {
            (_, true) => {
                self.tokens.push(Token::End(name));
                Data
            }
            ("script", _) => Raw("script"),
            ("style", _) => Raw("style"),
            _ => Data,
        };
        (next, true)
    }

    /// Returns the next state, and whether the character is consumed. `None` if the signature does not match.
    fn step(&mut self, c: char, context: char) -> Option<(State, bool)> {
        let white = matches!(c, ' ' | '\n');
        Some(match (self.state, c) {
            (Signature, '#') if context == 'A' => (Expect("#!mojo mojo:sky", 1), true),
            (Signature, 'S') if context == 'M' => (Expect("SKY MODULE", 1), true),
            (Signature, _) => return None,
            (Expect(word, index), _) => {
                if !word[index..].starts_with(c) {
                    return None;
                }
                match index + 1 == word.len() {
                    true => (AfterSignature, true),
                    false => (Expect(word, index + 1), true),
                }
            }
            (AfterSignature | RestOfLine, '\n') => (Data, true),
            (AfterSignature, ' ') | (RestOfLine, _) => (RestOfLine, true),
            (AfterSignature, _) => return None,
            (Data, '<') => (TagOpen, true),
            (Data | Quoted(_) | Unquoted, '&') => {
                (self.return_state, self.raw, self.value) = (self.state, "&".into(), 0);
                (Reference, true)
            }
            (Raw(word), '<') => (RawClose(word, 0), true),
            (Data | Raw(_), _) => {
                self.emit(&c.to_string());
                (self.state, true)
            }
            (RawClose(word, read), _) => {
                let closing = format!("/{word}");
                if closing[read..].starts_with(c) {
                    (RawClose(word, read + 1), true)
                } else if read == closing.len() && (white || matches!(c, '/' | '>')) {
                    (self.is_end, self.name) = (true, word.to_owned());
                    self.attributes.clear();
                    (BeforeName, false)
                } else {
                    self.emit(&format!("<{}", &closing[..read]));
                    (Raw(word), false)
                }
            }
            (TagOpen, '!') => (CommentStart1, true),
            (TagOpen, '/') => (CloseTag, true),
            (TagOpen, '>') => {
                self.emit("<>");
                (Data, true)
            }
            (CloseTag, '>') => {
                self.tokens.push(Token::Automatic);
                (Data, true)
            }
            (TagOpen | CloseTag, _) if begins_name(c) => self.start(self.state == CloseTag, c),
            (TagOpen, _) => {
                self.emit("<");
                (Data, false)
            }
            (CloseTag, _) => {
                self.emit("</");
                (Data, false)
            }
            (TagName, _) if white => (BeforeName, true),
            (Name, _) if white => (AfterName, true),
            (BeforeName | AfterName | BeforeValue, _) if white => (self.state, true),
            (Unquoted, _) if white => (BeforeName, true),
            (VoidTag, '>') => self.after_tag(true),
            (VoidTag, _) => (BeforeName, false),
            (TagName | BeforeName | Name | AfterName, '/') => (VoidTag, true),
            (TagName | BeforeName | Name | AfterName | BeforeValue | Unquoted, '>') => {
                self.after_tag(false)
            }
            (TagName, _) => {
                self.name.push(c);
                (TagName, true)
            }
            (Name | AfterName, '=') => (BeforeValue, true),
            (Name, _) => {
                self.attributes.last_mut().expect("one").0.push(c);
                (Name, true)
            }
            (BeforeName | AfterName, _) => self.attribute(c),
            (BeforeValue, '"' | '\'') => (Quoted(c), true),
            (BeforeValue, _) => (Unquoted, false),
            (Quoted(quote), _) if quote == c => (BeforeName, true),
            (Quoted(_) | Unquoted, _) => {
                self.attributes.last_mut().expect("one").1.push(c);
                (self.state, true)
            }
            (CommentStart1, '-') => (CommentStart2, true),
            (CommentStart2, '-') => (Comment, true),
            (CommentStart1, _) => {
                self.emit("<!");
                (Data, false)
            }
            (CommentStart2, _) => {
                self.emit("<!-");
                (Data, false)
            }
            (Comment, '-') => (CommentEnd1, true),
            (CommentEnd1, '-') | (CommentEnd2, '-') => (CommentEnd2, true),
            (CommentEnd2, '>') => (Data, true),
            (Comment | CommentEnd1 | CommentEnd2, _) => (Comment, true),
            (Reference, '#') => {
                self.raw.push(c);
                (Numeric, true)
            }
            (Reference, _) if c.is_ascii_alphanumeric() => (Named, false),
            (Numeric, 'x' | 'X') => {
                self.raw.push(c);
                (BeforeHex, true)
            }
            (Numeric | Decimal, '0'..='9') => {
                self.number(c.to_digit(10).unwrap_or(0), 10, c, Decimal)
            }
            (BeforeHex | Hex, _) if c.is_ascii_hexdigit() => {
                self.number(c.to_digit(16).unwrap_or(0), 16, c, Hex)
            }
            (Hex | Decimal, ';') => {
                let character = char::from_u32(self.value).filter(|c| *c != '\0');
                self.operate(&character.unwrap_or('\u{FFFD}').to_string());
                (self.return_state, true)
            }
            (Named, ';') => {
                let meant = match &*self.raw {
                    "&amp" => "&",
                    "&apos" => "'",
                    "&gt" => ">",
                    "&lt" => "<",
                    "&quot" => "\"",
                    _ => "\u{FFFD}",
                };
                self.operate(meant);
                (self.return_state, true)
            }
            (Named, _) if c.is_ascii_alphanumeric() => {
                self.raw.push(c);
                (Named, true)
            }
            (Reference | Numeric | BeforeHex | Hex | Decimal | Named, _) => self.no_reference(),
        })
    }

    /// Returns the tokens after cleanup. `None` if the signature does not match.
    fn tokens(input: &str, context: char) -> Option<Vec<Token>> {
        let input = input.strip_prefix('\u{FEFF}').unwrap_or(input);
        let input = input.replace("\r\n", "\n").replace('\r', "\n");
        let characters: Vec<char> = input.replace('\0', "\u{FFFD}").chars().collect();
        let mut model = Model {
            state: if context == 'F' { Data } else { Signature },
            tokens: Vec::new(),
            is_end: false,
            name: String::new(),
            attributes: Vec::new(),
            return_state: Data,
            raw: String::new(),
            value: 0,
        };
        let mut at = 0;
        while let Some(&c) = characters.get(at) {
            let consumed;
            (model.state, consumed) = model.step(c, context)?;
            at += usize::from(consumed);
        }
        if matches!(
            model.state,
            Reference | Numeric | BeforeHex | Hex | Decimal | Named
        ) {
            (model.state, _) = model.no_reference();
        }
        match model.state {
            Signature | Expect(..) => return None,
            TagOpen => model.emit("<"),
            CloseTag => model.emit("</"),
            CommentStart1 => model.emit("<!"),
            CommentStart2 => model.emit("<!-"),
            RawClose(word, read) => model.emit(&format!("<{}", &format!("/{word}")[..read])),
            _ => {}
        }
        let mut clean: Vec<Token> = Vec::new();
        for token in model.tokens {
            match (token, clean.last_mut()) {
                (Token::Character(c), Some(Token::Text(text))) => text.push(c),
                (Token::Character(c), _) => clean.push(Token::Text(c.to_string())),
                (Token::Start(name, attributes), _) => {
                    let mut kept: Vec<(String, String)> = Vec::new();
                    for attribute in attributes {
                        if kept.iter().all(|other| other.0 != attribute.0) {
                            kept.push(attribute);
                        }
                    }
                    clean.push(Token::Start(name, kept));
                }
                (token, _) => clean.push(token),
            }
        }
        Some(clean)
    }
}

/// Returns the tree of an application (`A`), a module (`M`) or a fragment (`F`), written with tags. Each string token
/// is a text node.
#[must_use]
pub fn read(input: &str, context: char, registered: Option<&[&str]>) -> Option<String> {
    Some(construct(Model::tokens(input, context)?, registered))
}

fn construct(tokens: Vec<Token>, registered: Option<&[&str]>) -> String {
    let is_registered = |name: &str| registered.is_none_or(|names| names.contains(&name));
    let tree_name = |name: String| {
        if is_registered(&name) {
            name
        } else {
            "error".into()
        }
    };
    let mut out = String::new();
    let mut stack: Vec<String> = Vec::new();
    for token in tokens {
        match token {
            Token::Text(text) => {
                let blank = text.chars().all(|c| matches!(c, ' ' | '\n'));
                if !blank || stack.iter().any(|name| name == "t") {
                    out += &format!("{text:?}");
                }
            }
            Token::Start(name, attributes) => {
                let name = tree_name(name);
                out += &format!("<{name}");
                for (name, value) in attributes {
                    out += &format!(" {name}={value:?}");
                }
                out += ">";
                stack.push(name);
            }
            Token::End(name) => {
                let name = tree_name(name);
                let Some(at) = stack.iter().rposition(|open| *open == name) else {
                    continue;
                };
                if stack[at + 1..].iter().any(|open| open == "template") {
                    continue;
                }
                for name in stack.drain(at..).rev() {
                    out += &format!("</{name}>");
                }
            }
            Token::Automatic => {
                if let Some(name) = stack.pop() {
                    out += &format!("</{name}>");
                }
            }
            Token::Character(_) => {}
        }
    }
    for name in stack.drain(..).rev() {
        out += &format!("</{name}>");
    }
    out
}
