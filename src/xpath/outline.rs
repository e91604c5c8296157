//! The outline of an expression: the places of its parts, which the syntax tree of `xpath-eval` does not contain, and
//! its depth. It is computed without recursion before the expression is parsed, so that an expression whose parsing or
//! evaluation would overflow the stack is refused.
//!
//! Tokens are divided as XPath's lexical structure demands: <https://www.w3.org/TR/1999/REC-xpath-19991116/#exprlex>.

use super::corrections::added_levels;
use super::error::{XPathError, XPathErrorKind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Maximum length of an expression in bytes.
const MAX_EXPRESSION_BYTES: usize = 16 << 10;

/// Maximum depth of an expression. The parser and the evaluator recurse at each level; in a build without optimization
/// 64 levels take about half of a stack of 2 MB.
const MAX_DEPTH: usize = 64;

/// The places of the parts of an expression to which errors refer.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Byte offset of each literal, number, variable, function call and parenthesized expression, in the order in which
    /// they begin.
    pub(super) primaries: Vec<usize>,
    /// The prefixes of name tests, each with its byte offset.
    pub(super) prefixes: Vec<(String, usize)>,
    /// Byte offset of each step of a location path, in the order in which the steps begin. `//` is a step of its own.
    pub(super) steps: Vec<usize>,
}

/// The part of an expression between two brackets, of which the last bracket was not read yet.
#[derive(Default)]
struct Group {
    /// Number of operators of the current argument that the parser applies one by one, with unary minus. Each is a level.
    operators: usize,
    /// Numbers of the operators `or`, `and` and `|` of the current argument, whose chains become balanced trees.
    chains: [usize; 3],
    /// Depth of the deepest group within the current argument.
    inner: usize,
    /// Depth of the deepest of the previous arguments.
    earlier: usize,
    /// Number of levels that the group adds to the expression that contains it.
    levels: usize,
}

impl Group {
    /// Returns an upper bound of the depth of the current argument.
    fn depth(&self) -> usize {
        let levels = |count: &usize| (usize::BITS - count.leading_zeros()) as usize;
        let chains: usize = self.chains.iter().map(levels).sum();
        self.operators + chains + self.inner
    }

    /// Ends an argument.
    fn end_argument(&mut self) {
        *self = Group {
            earlier: self.earlier.max(self.depth()),
            levels: self.levels,
            ..Group::default()
        };
    }
}

/// A token of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    /// A name with its optional prefix, or a prefix with a star.
    Name,
    /// `*` as a name test.
    Star,
    Literal,
    Number,
    Variable,
    /// An operator, or one of `/`, `//` and `|`.
    Operator,
    Comma,
    /// `@` or `::`, after which the rest of a step follows.
    Axis,
    Open,
    Close,
    /// `.` or `..`
    Dot,
}

impl Outline {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// The expression is too long or too deep. Syntax errors are left to the parser.
    pub(super) fn new(text: &str) -> Result<Outline, XPathError> {
        if text.len() > MAX_EXPRESSION_BYTES {
            let message = format!("the expression is longer than {MAX_EXPRESSION_BYTES} bytes");
            let kind = XPathErrorKind::TooLarge;
            return Err(XPathError::new(kind, MAX_EXPRESSION_BYTES, message));
        }
        let mut reader = Reader {
            text,
            offset: 0,
            last: None,
            is_in_node_test: false,
            call_levels: 1,
            outline: Outline::default(),
            groups: Vec::from([Group::default()]),
        };
        while reader.read()? {}
        while reader.groups.len() > 1 {
            reader.close()?;
        }
        reader.check(text.len())?;
        Ok(reader.outline)
    }
}

/// Reads the tokens of an expression.
struct Reader<'t> {
    text: &'t str,
    /// Byte offset of the next token.
    offset: usize,
    /// The last token, or `None` before the first one.
    last: Option<Token>,
    /// True within the parentheses of a node test, such as `processing-instruction('a')`.
    is_in_node_test: bool,
    /// If the last token is the name of a function, the number of levels that its call adds.
    call_levels: usize,
    outline: Outline,
    /// The open groups, outermost first. The first one is the whole expression.
    groups: Vec<Group>,
}

impl Reader<'_> {
    /// Reads a token. Returns false at the end of the expression.
    fn read(&mut self) -> Result<bool, XPathError> {
        let rest = self.text[self.offset..].trim_start_matches(WHITESPACE);
        let start = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(false);
        };
        let two = rest.get(..2).unwrap_or_default();
        let (name, number) = (name_len(rest), number_len(rest));
        let (length, token) = match first {
            '\'' | '"' => {
                let end = rest[1..].find(first);
                (end.map_or(rest.len(), |end| end + 2), Token::Literal)
            }
            '$' => (1 + name_len(&rest[1..]), Token::Variable),
            _ if name > 0 => match &rest[..name] {
                "and" | "or" | "div" | "mod" if !self.expects_operand() => (name, Token::Operator),
                _ => (name, Token::Name),
            },
            _ if number > 0 => (number, Token::Number),
            '.' if two == ".." => (2, Token::Dot),
            '.' => (1, Token::Dot),
            '(' | '[' => (1, Token::Open),
            ')' | ']' => (1, Token::Close),
            ',' => (1, Token::Comma),
            '@' => (1, Token::Axis),
            ':' if two == "::" => (2, Token::Axis),
            '*' if self.expects_operand() => (1, Token::Star),
            _ if matches!(two, "//" | "!=" | "<=" | ">=") => (2, Token::Operator),
            other => (other.len_utf8(), Token::Operator),
        };
        self.offset = start + length;
        self.take(token, start)?;
        self.last = Some(token);
        Ok(true)
    }

    /// Returns true if the next token is an operand, and not an operator.
    fn expects_operand(&self) -> bool {
        matches!(
            self.last,
            None | Some(Token::Operator | Token::Comma | Token::Axis | Token::Open)
        )
    }

    /// Takes a token, which begins at `start`, into the outline.
    fn take(&mut self, token: Token, start: usize) -> Result<(), XPathError> {
        let read = &self.text[start..self.offset];
        let next = self.text[self.offset..].trim_start_matches(WHITESPACE);
        let is_step = self.last != Some(Token::Axis);
        let outline = &mut self.outline;
        match token {
            Token::Literal if self.is_in_node_test => {}
            Token::Literal | Token::Number | Token::Variable => outline.primaries.push(start),
            Token::Name if next.starts_with('(') && !NODE_TYPES.contains(&read) => {
                outline.primaries.push(start);
                self.call_levels = 1 + added_levels(read);
            }
            Token::Name => {
                self.is_in_node_test = next.starts_with('(');
                if is_step {
                    outline.steps.push(start);
                }
                if let Some((prefix, _)) = read.split_once(':') {
                    outline.prefixes.push((prefix.into(), start));
                }
            }
            Token::Axis if read == "@" => outline.steps.push(start),
            Token::Star | Token::Dot if is_step => outline.steps.push(start),
            Token::Star | Token::Dot | Token::Axis => {}
            Token::Operator => self.operator(read, start)?,
            Token::Comma => self.group().end_argument(),
            Token::Open => {
                if read == "(" && self.last != Some(Token::Name) {
                    outline.primaries.push(start);
                }
                let levels = core::mem::replace(&mut self.call_levels, 1);
                self.groups.push(Group {
                    levels,
                    ..Group::default()
                });
                if self.groups.len() > MAX_DEPTH {
                    return Err(too_deep(start));
                }
            }
            Token::Close => {
                self.is_in_node_test = false;
                if self.groups.len() > 1 {
                    self.close()?;
                }
            }
        }
        Ok(())
    }

    fn group(&mut self) -> &mut Group {
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    /// Counts an operator.
    fn operator(&mut self, read: &str, start: usize) -> Result<(), XPathError> {
        let last = self.groups.len() - 1;
        let group = &mut self.groups[last];
        match read {
            "/" => {}
            "//" => self.outline.steps.push(start),
            "or" => group.chains[0] += 1,
            "and" => group.chains[1] += 1,
            "|" => group.chains[2] += 1,
            _ => group.operators += 1,
        }
        self.check(start)
    }

    /// Ends the innermost group.
    fn close(&mut self) -> Result<(), XPathError> {
        self.group().end_argument();
        let closed = self.groups.pop().unwrap_or_default();
        let depth = closed.earlier + closed.levels;
        let group = self.group();
        group.inner = group.inner.max(depth);
        self.check(self.offset)
    }

    /// Returns an error if the innermost group is too deep. `offset` is the place of the token that was read last.
    fn check(&mut self, offset: usize) -> Result<(), XPathError> {
        match self.group().depth() > MAX_DEPTH {
            true => Err(too_deep(offset)),
            false => Ok(()),
        }
    }
}

/// The whitespace that XPath allows between tokens.
const WHITESPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The names that are node tests and no functions if an opening parenthesis follows.
const NODE_TYPES: [&str; 4] = ["comment", "node", "processing-instruction", "text"];

/// Returns the length of the name at the beginning of a text, in bytes, with its optional prefix: `a`, `p:a` or `p:*`.
/// The characters of names are those that `xpath-eval` accepts.
fn name_len(text: &str) -> usize {
    let first = local_name_len(text);
    let Some(rest) = text[first..].strip_prefix(':') else {
        return first;
    };
    match local_name_len(rest) {
        _ if first == 0 => 0,
        0 if rest.starts_with('*') => first + 2,
        0 => first,
        second => first + 1 + second,
    }
}

/// Returns the length of the name without prefix at the beginning of a text, in bytes.
fn local_name_len(text: &str) -> usize {
    if !text.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return 0;
    }
    let is_end = |one: char| !one.is_alphanumeric() && !matches!(one, '_' | '-' | '.');
    text.find(is_end).unwrap_or(text.len())
}

/// Returns the length of the number at the beginning of a text, in bytes.
fn number_len(text: &str) -> usize {
    let digits = |text: &str| {
        text.len()
            - text
                .trim_start_matches(|one: char| one.is_ascii_digit())
                .len()
    };
    let whole = digits(text);
    match text[whole..].strip_prefix('.') {
        Some(rest) if whole + digits(rest) > 0 => whole + 1 + digits(rest),
        _ => whole,
    }
}

fn too_deep(offset: usize) -> XPathError {
    let message = format!("the expression is nested more deeply than {MAX_DEPTH} levels");
    XPathError::new(XPathErrorKind::TooLarge, offset, message)
}
