//! Recognizes an attribute value without its closing quote, in XML. The value then runs into the next tags, and XML has
//! many errors until the next quote or the end of the input: they become one error.

use super::excerpt::BEFORE;
use super::report::Finding;
use super::source::Source;
use tagstream::Related;

/// The sentence of the error.
const SENTENCE: &str =
    "expected a closing quote: the attribute value runs into the following markup";

/// The first error of a value that runs into the following markup.
const LESS_THAN: &str = "less-than-in-value";

/// The errors after the value of a tag: the next quote ends it, or the input.
const CONSEQUENCES: [&str; 2] = ["missing-white-space", "eof-in-tag"];

/// Errors about the end of an element whose tag has the value.
const OF_ELEMENT: [&str; 3] = ["stray-end-tag", "unclosed-element", "mismatched-end-tag"];

/// Maximum number of errors of one tag that are held back.
const MAX_HELD: usize = 256;

/// The errors of a tag, held back until the tag has been read.
#[derive(Default)]
pub(crate) struct MissingQuote {
    held: Vec<Finding>,
    /// Offset in the input of the first `<` in the last value without its quote, which is in the start tag that the value
    /// belongs to.
    quote: Option<u64>,
    /// True if that start tag may have become an empty-element tag, so that its end tag matches nothing.
    expects_stray: bool,
}

impl MissingQuote {
    /// Adds an error. Returns the errors that can be written.
    pub(crate) fn add(&mut self, finding: Finding) -> Vec<Finding> {
        if self.held.is_empty() && finding.code != LESS_THAN {
            return match self.is_consequence(&finding) {
                true => Vec::new(),
                false => vec![finding],
            };
        }
        self.held.push(finding);
        match self.held.len() >= MAX_HELD {
            true => std::mem::take(&mut self.held),
            false => Vec::new(),
        }
    }

    /// Returns true for an error about the end of an element, if it exists only because a quote is missing.
    fn is_consequence(&mut self, finding: &Finding) -> bool {
        let Some(quote) = self.quote.filter(|_| OF_ELEMENT.contains(&finding.code)) else {
            return false;
        };
        let open = finding.related.as_ref().map(Related::span);
        let is_in_element = open.is_some_and(|tag| (tag.start..tag.end).contains(&quote));
        let is_stray = finding.code == "stray-end-tag" && self.expects_stray;
        self.expects_stray &= !(is_in_element || is_stray);
        is_in_element || is_stray
    }

    /// Returns true if errors are held back.
    pub(crate) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Returns the errors that were held back, at the end of their tag: one error if a quote is missing.
    pub(crate) fn release(&mut self, source: &Source) -> Vec<Finding> {
        let held = std::mem::take(&mut self.held);
        let is_broken = held.iter().any(|one| CONSEQUENCES.contains(&one.code));
        let Some(first) = held.first().filter(|_| is_broken) else {
            return held;
        };
        if !holds_tag_end(first, source) {
            return held;
        }
        (self.quote, self.expects_stray) = (Some(first.span.start), true);
        vec![Finding {
            sentence: SENTENCE,
            ..first.clone()
        }]
    }
}

/// Returns true if the value has a `>` before its first `<`: it contains the end of its own tag.
fn holds_tag_end(less_than: &Finding, source: &Source) -> bool {
    let Some(at) = source.index(less_than.span.start) else {
        return false;
    };
    let before = &source.text()[at.saturating_sub(BEFORE).max(source.first())..at];
    let value = before.iter().rposition(|byte| matches!(byte, b'"' | b'\''));
    value.is_some_and(|quote| before[quote..].contains(&b'>'))
}
