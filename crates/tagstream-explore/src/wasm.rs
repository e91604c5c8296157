//! The interface to JavaScript. Each item calls the item of the same name in the other modules.

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// A document that is parsed as its bytes are fed. The type of the same name in `session.rs` describes
/// the JSON of the results.
#[wasm_bindgen]
pub struct Session(crate::Session);

fn index(found: Option<usize>) -> i32 {
    found.map_or(-1, |found| found as i32)
}

fn error(message: String) -> JsError {
    JsError::new(&message)
}

#[wasm_bindgen]
impl Session {
    /// Begins a session with options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Session, JsError> {
        crate::Session::new(options).map(Session).map_err(error)
    }

    /// Feeds a chunk.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.0.feed(bytes);
    }

    /// Ends the input.
    pub fn finish(&mut self) {
        self.0.finish();
    }

    /// Returns the counts.
    pub fn counts(&self) -> String {
        self.0.counts()
    }

    /// Returns events.
    pub fn events(&self, from: u32, count: u32) -> String {
        self.0.events(from as usize, count as usize)
    }

    /// Returns the index of the event that contains a byte, or −1.
    pub fn event_at(&self, byte: u32) -> i32 {
        index(self.0.event_at(byte))
    }

    /// Returns errors.
    pub fn errors(&self, from: u32, count: u32) -> String {
        self.0.errors(from as usize, count as usize)
    }

    /// Returns rows of the tree.
    pub fn nodes(&self, from: u32, count: u32) -> String {
        self.0.nodes(from as usize, count as usize)
    }

    /// Returns the row of the deepest node that contains a byte, or −1.
    pub fn node_at(&self, byte: u32) -> i32 {
        index(self.0.node_at(byte))
    }

    /// Returns the rows that a CSS selector selects.
    pub fn select(&self, css: &str) -> String {
        self.0.select(css)
    }

    /// Returns the state of the parser.
    pub fn trace(&mut self) -> String {
        self.0.trace()
    }

    /// Returns the tree in the format of the html5lib tests.
    pub fn tree_dump(&self, limit: u32) -> String {
        self.0.tree_dump(limit as usize)
    }

    /// Returns the markup of the tree.
    pub fn serialized(&self) -> Result<String, JsError> {
        self.0.serialized().map_err(error)
    }

    /// Returns the decoded source.
    pub fn source_text(&self) -> String {
        self.0.source_text().to_owned()
    }

    /// Returns the UTF-16 offsets of byte offsets.
    pub fn offsets(&self, bytes: &[u32]) -> Vec<u32> {
        self.0.offsets(bytes)
    }

    /// Returns the byte offsets of UTF-16 offsets.
    pub fn byte_offsets(&self, u16: &[u32]) -> Vec<u32> {
        self.0.byte_offsets(u16)
    }
}

/// Returns the dialects and their options.
#[wasm_bindgen]
pub fn dialects() -> String {
    crate::dialects()
}

/// Encodes a text.
#[wasm_bindgen]
pub fn encode(text: &str, label: &str) -> Result<Vec<u8>, JsError> {
    crate::encode(text, label).map_err(error)
}

/// Sanitizes HTML.
#[wasm_bindgen]
pub fn sanitize(text: &str, options: &str) -> String {
    crate::sanitize(text, options)
}

/// Rewrites a document.
#[wasm_bindgen]
pub fn rewrite(text: &str, options: &str, edits: &str) -> String {
    crate::rewrite(text, options, edits)
}
