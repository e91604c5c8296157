//! The constructors of [`Parser`].

use super::{Parser, ParserData, Prepare, TextPolicy};
use crate::engine::dialect::{Balance, Dialect, Form, Nested};
use crate::engine::event::record::Queue;
use crate::engine::input::Input;
use crate::engine::tokenizer::Tokenizer;
use alloc::vec::Vec;
use core::marker::PhantomData;

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
        Parser::start(dialect)
    }
}

impl<D: Balance> Parser<D> {
    /// Makes the events a tree: each start event has its end event, in the right order. Stray end tags, further root
    /// elements and text outside of the root element are dropped. No tree is built in memory. In HTML the events
    /// follow from the standard's tree construction: see [`html`](crate::html#balanced-events).
    ///
    /// Options and limits are kept. Call it before the first chunk is fed.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a><b>text</a></c>");
    /// parser.finish();
    /// let mut depth = 0;
    /// while let Some(event) = parser.next_event()? {
    ///     match event {
    ///         Event::Start(_) => depth += 1,
    ///         Event::End(_) => depth -= 1,
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(depth, 0);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn balanced(self) -> Parser<D, Nested> {
        self.in_form()
    }
}

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Creates a parser of any form at the start of an input.
    pub(crate) fn start(dialect: D) -> Parser<D, F> {
        let (mut machine, limits) = (dialect.machine(), dialect.limits());
        let balance = Parser::<D, F>::balance();
        balance(&mut machine);
        machine.set_limits(&limits);
        Parser {
            dialect,
            machine,
            balance,
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
            retained_event: None,
            is_past: false,
            was_in_text: false,
            form: PhantomData,
        }
    }

    /// Returns the function that switches a new tokenizer to events of this form.
    pub(super) fn balance() -> Prepare<D> {
        match F::IS_TREE {
            true => D::balance,
            false => |_| {},
        }
    }

    /// Starts the document again, with events of another form. Options and limits are kept.
    pub(crate) fn in_form<G: Form>(self) -> Parser<D, G> {
        let mut parser = Parser {
            limits: self.limits,
            policy: self.policy,
            held: self.held,
            ..Parser::start(self.dialect)
        };
        parser.reset();
        parser
    }
}
