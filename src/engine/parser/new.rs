//! The constructors of [`Parser`].

use super::{Parser, ParserData, Prepare, TextPolicy};
use crate::engine::dialect::{Balance, Dialect, Form, Nested};
use crate::engine::event::Sharing;
use crate::engine::event::queue::Queue;
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
    // PERF: inlined in the program, the parser would be created in parts and moved together.
    #[inline(never)]
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

    /// Makes the events a tree, as [`balanced`](Parser::balanced) does, and keeps them in the order of the input: the
    /// span of an event never starts before that of an earlier event of the input. A program that copies the input
    /// with changes needs this order.
    ///
    /// The two forms differ in HTML only, where `balanced` delays some events until the element that contains them in
    /// the tree ends. In this form:
    ///
    /// - `head` ends where tree construction closes it. Whitespace and comments between the end of the head and the
    ///   body are in `html`. A `style`, `script` or other content of the head that follows the end of the head is in
    ///   `html` too, and its [`is_moved`](crate::StartTag::is_moved) is true, because its place in the tree is in the
    ///   head.
    /// - A comment after `</body>` or `</html>` is in the elements that are still open, usually in the body, and its
    ///   [`is_moved`](crate::Comment::is_moved) is true.
    /// - The body and the root element end at the end of the input, because text after `</body>` and `</html>` still
    ///   belongs to the body. This is so in both forms.
    ///
    /// The text of a table is returned with the token after that text in both forms, because the whole text decides
    /// whether it belongs before the table.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// fn read(mut parser: Parser<Html, tagstream::Nested>) -> Result<String, tagstream::Error> {
    ///     parser.feed("<head></head><!--1--><body>2</body><!--3--> 4");
    ///     parser.finish();
    ///     let mut seen = String::new();
    ///     while let Some(event) = parser.next_event()? {
    ///         match event {
    ///             Event::Start(tag) => seen += &format!("{}( ", tag.name()),
    ///             Event::End(_) => seen += ") ",
    ///             Event::Text(text) => seen += &format!("{} ", text.as_str().trim()),
    ///             Event::Comment(comment) if comment.is_moved() => seen += &format!("{comment:?} moved "),
    ///             Event::Comment(comment) => seen += &format!("{comment:?} "),
    ///             _ => {}
    ///         }
    ///     }
    ///     Ok(seen)
    /// }
    ///
    /// let in_order = read(Parser::new(Html::default()).balanced_in_order())?;
    /// assert_eq!(in_order, "html( head( ) <!--1--> body( 2 <!--3--> moved 4 ) ) ");
    /// let delayed = read(Parser::new(Html::default()).balanced())?;
    /// assert_eq!(delayed, "html( head( ) <!--1--> body( 2 4 ) <!--3--> ) ");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn balanced_in_order(self) -> Parser<D, Nested> {
        let mut parser = self.in_form().prepared(D::balance_in_order);
        parser.is_in_order = true;
        parser
    }
}

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Creates a parser of any form at the start of an input.
    #[inline(always)]
    pub(crate) fn start(dialect: D) -> Parser<D, F> {
        Parser::start_with(dialect, Parser::<D, F>::balance())
    }

    /// Creates a parser at the start of an input. `balance` switches its tokenizer to the events that are wanted.
    ///
    /// PERF: the tokenizer is created in its place in the parser, and changed there. A parser has thousands of bytes, so
    /// each move takes as many instructions as the events of a short tag.
    // Programs for the web are small rather than fast.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn start_with(dialect: D, balance: Prepare<D>) -> Parser<D, F> {
        let mut parser = Parser {
            machine: dialect.machine(),
            dialect,
            balance,
            host: |_| {},
            is_in_order: false,
            // PERF: a constant is copied by a loop, which is less code than one instruction or two for each field.
            data: const {
                ParserData {
                    input: Input::new(),
                    queue: Queue::new(),
                    sharing: Sharing::new(),
                }
            },
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
        };
        balance(&mut parser.machine);
        parser.machine.set_limits(&parser.dialect.limits());
        parser
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
        let mut parser = Parser::<D, G>::start(self.dialect);
        parser.machine = self.machine;
        parser.data = self.data;
        parser.policy = self.policy;
        parser.entity = self.entity;
        parser.reset();
        parser
    }
}
