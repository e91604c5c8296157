//! The names of the open elements around rows.

/// Names of the open elements outside of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ancestors {
    /// The names, one after another.
    text: String,
    /// The end of each name.
    ends: Vec<usize>,
}

impl Ancestors {
    pub(crate) fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    pub(crate) fn pop(&mut self) {
        self.ends.pop();
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts
            .zip(&self.ends)
            .map(|(start, end)| &self.text[*start..*end])
    }
}
