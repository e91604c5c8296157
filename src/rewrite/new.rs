//! The constructors of [`Rewriter`].

use super::Rewriter;
use super::state::RewriterState;
use crate::engine::dialect::{Balance, Form, Nested};
use crate::engine::parser::{Parser, TextPolicy};
#[cfg(feature = "select")]
use crate::select::SelectorSet;

impl<D: Balance> Rewriter<D> {
    /// Creates a rewriter for a new document, whose tags are read as they are written. For edits of the elements of the
    /// tree of HTML, call [`balanced`](Rewriter::balanced) on it: see [the two forms](Rewriter#two-forms).
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a b = 'c' />");
    /// rewriter.finish();
    /// while rewriter.next_event()?.is_some() {}
    /// assert_eq!(rewriter.output(), b"<a b = 'c' />");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn new(dialect: D) -> Rewriter<D> {
        Rewriter::of(Parser::new(dialect))
    }

    /// Reads the events of tree construction instead of the tags as written: what is edited is what the tree has. Call
    /// this method before the first `feed`: it discards the input. The selectors stay.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default()).balanced();
    /// rewriter.feed("<title>a</title><p>b<p>c");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     match event.as_start().map(|tag| tag.name()) {
    ///         Some("body") => {
    ///             event.set_attribute("class", "d")?;
    ///         }
    ///         Some("p") => {
    ///             event.after("e")?;
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// let expected = "<title>a</title><body class=\"d\"><p>b</p>e<p>c</p>e";
    /// assert_eq!(rewriter.output(), expected.as_bytes());
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    #[must_use]
    pub fn balanced(self) -> Rewriter<D, Nested> {
        Rewriter {
            #[cfg(feature = "select")]
            selectors: {
                let mut selectors = self.selectors;
                selectors.reset();
                selectors
            },
            ..Rewriter::of(self.parser.balanced_in_order())
        }
    }
}

impl<D: Balance, F: Form> Rewriter<D, F> {
    fn of(parser: Parser<D, F>) -> Rewriter<D, F> {
        let dialect = parser.dialect();
        let mut state = RewriterState::new(dialect.syntax(), dialect.top_level(), F::IS_TREE);
        state.elements.set_memory(parser.limits_set().memory);
        Rewriter {
            state,
            #[cfg(feature = "select")]
            selectors: SelectorSet::new(dialect.clone()),
            parser: parser.text(TextPolicy::Pieces),
            is_in_text: false,
            empty: None,
            is_finishing: false,
        }
    }
}
