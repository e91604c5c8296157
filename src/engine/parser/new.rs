//! `Parser::new`.

use super::{Parser, ParserData, TextPolicy};
use crate::engine::dialect::{Dialect, Machine};
use crate::engine::event::record::Queue;
use crate::engine::input::Input;
use alloc::vec::Vec;

impl<D: Dialect> Parser<D> {
    /// Creates a parser at the start of an input.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::strict());
    /// parser.feed("<a>text</a>");
    /// parser.finish();
    /// assert_eq!(parser.count(), 3);
    /// ```
    pub fn new(dialect: D) -> Parser<D> {
        let (mut machine, limits) = (dialect.machine(), dialect.limits());
        machine.set_limits(&limits);
        Parser {
            dialect,
            machine,
            balance: |_| {},
            host: |_| {},
            held: ParserData {
                input: Input::new(),
                queue: Queue::new(),
            },
            limits,
            policy: TextPolicy::Whole,
            error: None,
            fed_late: false,
            entity: Vec::new(),
            is_entity_too_long: false,
            is_entity_text: false,
            is_dry: true,
            in_hand: None,
            is_past: false,
        }
    }
}
