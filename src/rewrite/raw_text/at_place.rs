//! The methods of [`Place`] about the raw text around the current event.

use crate::engine::text::html_facts;
use crate::rewrite::content::raw_words;
use crate::rewrite::place::Place;
use crate::rewrite::seam::Context;

impl Place {
    /// Returns true if the raw text in the output before the current text event can become another token together with
    /// the text that follows.
    pub(in crate::rewrite) fn is_open_before_text(&self) -> bool {
        self.context == Context::RawText && self.raw.before.is_open(self.is_script())
    }

    /// Returns true if the raw text up to the end of the current text event can become another token together with the
    /// text that follows. This is the text in the input, with the pieces that were removed, because a program may remove
    /// a piece after it inserts content. The text in the output is a part of it.
    pub(in crate::rewrite) fn is_open_after_text(&self) -> bool {
        if self.context != Context::RawText {
            return false;
        }
        debug_assert_eq!(
            self.raw.end, self.span.end,
            "all pieces of the run up to here are judged together"
        );
        self.raw.source.is_open(self.is_script())
    }

    /// Returns true if a text before the end of the raw text element continues the text in the output to another token.
    pub(in crate::rewrite) fn continues_raw_text(&self, text: &str) -> bool {
        let end = ["</", &self.raw_name].concat();
        let words = raw_words(&self.raw_name, &end);
        self.raw.written.is_continued(text, &words)
    }

    /// Returns true if the current text event changes the state of the parser in a script.
    pub(in crate::rewrite) fn changes_script(&self, text: &str) -> bool {
        let Some(mut script) = self.raw.script.filter(|_| self.context == Context::RawText) else {
            return false;
        };
        if !self.raw.has_more {
            script.pass(text);
        }
        script.is_changed
    }

    fn is_script(&self) -> bool {
        html_facts::SCRIPT.contains(&self.raw_name)
    }
}
