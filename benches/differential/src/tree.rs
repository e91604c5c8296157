//! A tree as lines of text, in the same form for every engine.

/// A node, or an attribute of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The depth of the node in the tree.
    pub depth: usize,
    /// The text form of the node or attribute.
    pub text: String,
}

/// A tree, in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The lines of the nodes and attributes.
    pub lines: Vec<Line>,
}

impl Tree {
    /// Adds a node.
    pub fn push(&mut self, depth: usize, text: String) {
        self.lines.push(Line { depth, text });
    }

    /// Adds an element with its attributes, which are sorted.
    pub fn push_element(
        &mut self,
        depth: usize,
        namespace: &str,
        name: &str,
        attributes: impl Iterator<Item = (String, String)>,
    ) {
        let prefix = match namespace {
            "http://www.w3.org/1999/xhtml" => "",
            "http://www.w3.org/2000/svg" => "svg ",
            "http://www.w3.org/1998/Math/MathML" => "math ",
            other => other,
        };
        self.push(depth, format!("<{prefix}{name}>"));
        let mut attributes: Vec<_> = attributes.collect();
        attributes.sort();
        for (name, value) in attributes {
            self.push(depth + 1, format!("{name}={value:?}"));
        }
    }

    /// Returns the tree without the descendants of the elements with this name.
    pub fn without_contents_of(&self, name: &str) -> Tree {
        let element = format!("<{name}>");
        let mut lines = Vec::new();
        let mut hidden = usize::MAX;
        for line in &self.lines {
            if line.depth > hidden {
                continue;
            }
            hidden = usize::MAX;
            if line.text == element {
                hidden = line.depth;
            }
            lines.push(line.clone());
        }
        Tree { lines }
    }

    /// Returns the lines of both trees side by side. Lines that differ are marked.
    pub fn beside(&self, other: &Tree) -> String {
        let shown = |line: Option<&Line>| {
            line.map(|line| format!("{}{}", "  ".repeat(line.depth), line.text))
                .unwrap_or_default()
        };
        let mut out = String::new();
        for at in 0..self.lines.len().max(other.lines.len()) {
            let (one, two) = (self.lines.get(at), other.lines.get(at));
            let mark = if one == two { ' ' } else { '!' };
            out += &format!("{mark} {:<48} | {}\n", shown(one), shown(two));
        }
        out
    }
}

/// Returns the name of an attribute with a prefix for its namespace.
pub fn attribute_name(namespace: &str, name: &str) -> String {
    match namespace {
        "" => name.to_owned(),
        "http://www.w3.org/1999/xlink" => format!("xlink {name}"),
        "http://www.w3.org/XML/1998/namespace" => format!("xml {name}"),
        "http://www.w3.org/2000/xmlns/" => format!("xmlns {name}"),
        other => format!("{other} {name}"),
    }
}
