//! Generates `src/engine/text/html_references_table.rs` from the list of HTML's named character references. The module
//! `src/engine/text/html_references.rs`, which reads the table, describes its layout.
//!
//! The names become a trie, the trie becomes a minimal automaton, and the edges of the automaton are packed into one
//! array.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{Display, Write};

/// The base of the state without edges.
const DEAD_END: usize = 0xFFF;
/// The value of unused elements of the array. Its symbol does not occur in a name.
const UNUSED: u32 = 0x7F;

/// A state of the automaton. An edge always leads to a state with a lower number.
struct State {
    /// True if a name ends at this state.
    end: bool,
    /// Number of names that can end at or after this state.
    names: usize,
    /// The bytes of the edges in ascending order, each with the number of the state to which the edge leads.
    edges: Vec<(u8, usize)>,
}

/// Returns the text of the generated file.
pub(crate) fn table(list: &str) -> String {
    let names = names(list);
    let states = minimal(&names);
    let (root, edges) = pack(&states);
    let (values, pairs) = values(&names);
    let mut text = String::from(
        "//! @generated from `src/engine/text/html_references.txt` by `tests/api/generated/html_references.rs`; made \
         anew by\n//! `TAGSTREAM_REGENERATE=1 cargo test --test api generated`. What the numbers mean \
         says\n//! `src/engine/text/html_references.rs`; this file must not know.\n",
    );
    let _ = write!(text, "\n/// The base of the first state.\n");
    let _ = writeln!(text, "pub(super) const ROOT: u16 = {root};");
    let edges: Vec<_> = edges.iter().map(|edge| format!("0x{edge:08X}")).collect();
    array(
        &mut text,
        "The edges of all states.",
        "EDGES",
        "u32",
        &edges,
    );
    let values: Vec<_> = values
        .iter()
        .map(|value| format!("0x{value:04X}"))
        .collect();
    array(
        &mut text,
        "What each name stands for, in the order of the names.",
        "VALUES",
        "u16",
        &values,
    );
    let pairs: Vec<_> = pairs.iter().map(|pair| format!("0x{pair:08X}")).collect();
    array(
        &mut text,
        "The values of two characters: the first in the upper half.",
        "PAIRS",
        "u32",
        &pairs,
    );
    text
}

/// Parses the list. Returns the names with their code points, sorted by the bytes of the names.
fn names(list: &str) -> Vec<(&str, Vec<u32>)> {
    let mut names = Vec::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (name, points) = line.split_once(' ').expect("a name, a space, code points");
        let point = |point| u32::from_str_radix(point, 16).expect("a hexadecimal number");
        names.push((name, points.split(',').map(point).collect()));
    }
    assert!(
        names.is_sorted_by(|(a, _), (b, _)| a < b),
        "the names are not in order"
    );
    names
}

/// Builds the minimal automaton of the names. The last state is the initial state.
fn minimal(names: &[(&str, Vec<u32>)]) -> Vec<State> {
    let mut trie = vec![(false, BTreeMap::new())];
    for (name, _) in names {
        let mut node = 0;
        for byte in name.bytes() {
            let next = trie.len();
            node = *trie[node].1.entry(byte).or_insert(next);
            if node == next {
                trie.push((false, BTreeMap::new()));
            }
        }
        trie[node].0 = true;
    }
    // In the trie, children have higher numbers than their parents. The loop from the last node to the first therefore
    // handles all children of a node before the node. Nodes with equal edges become one state.
    let mut states: Vec<State> = Vec::new();
    let mut known = HashMap::new();
    let mut state_of = vec![0; trie.len()];
    for (node, (end, children)) in trie.iter().enumerate().rev() {
        let edges: Vec<_> = children
            .iter()
            .map(|(&byte, &child)| (byte, state_of[child]))
            .collect();
        state_of[node] = *known.entry((*end, edges.clone())).or_insert_with(|| {
            let behind: usize = edges.iter().map(|&(_, next)| states[next].names).sum();
            states.push(State {
                end: *end,
                names: usize::from(*end) + behind,
                edges,
            });
            states.len() - 1
        });
    }
    states
}

/// Packs the edges of all states into one array. Returns the base of the initial state, and the array.
fn pack(states: &[State]) -> (usize, Vec<u32>) {
    // States with many edges come first, while the array is empty. States with one edge fill the gaps.
    let mut order: Vec<usize> = (0..states.len())
        .filter(|&s| !states[s].edges.is_empty())
        .collect();
    order.sort_by_key(|&state| (Reverse(states[state].edges.len()), state));
    let mut bases = vec![DEAD_END; states.len()];
    let mut taken_bases = HashSet::new();
    let mut used = vec![false; DEAD_END + 0x80];
    for &state in &order {
        let edges = &states[state].edges;
        let fits = |&base: &usize| {
            !taken_bases.contains(&base)
                && edges.iter().all(|&(byte, _)| !used[base + symbol(byte)])
        };
        let base = (0..DEAD_END)
            .find(fits)
            .expect("a base below that of the dead end");
        taken_bases.insert(base);
        bases[state] = base;
        for &(byte, _) in edges {
            used[base + symbol(byte)] = true;
        }
    }
    let length = used
        .iter()
        .rposition(|&used| used)
        .map_or(0, |last| last + 1);
    assert!(length <= DEAD_END, "the dead end would have edges");
    let mut array = vec![UNUSED; length];
    for (state, &base) in states.iter().zip(&bases) {
        let mut before = usize::from(state.end);
        for &(byte, next) in &state.edges {
            assert!(before <= 0xFFF, "more names than an edge can count");
            let end = usize::from(states[next].end);
            let edge = before << 20 | bases[next] << 8 | end << 7 | symbol(byte);
            array[base + symbol(byte)] = u32::try_from(edge).expect("32 bits");
            before += states[next].names;
        }
    }
    (bases[states.len() - 1], array)
}

/// Returns the index of a byte's edge, relative to the base of the state.
fn symbol(byte: u8) -> usize {
    assert!(
        byte.is_ascii_alphanumeric() || byte == b';',
        "a name with the byte {byte}"
    );
    usize::from(byte - b'0')
}

/// Returns the value of each name, and the pairs of code points to which the values of some names refer.
fn values(names: &[(&str, Vec<u32>)]) -> (Vec<u16>, Vec<u32>) {
    let mut pairs: Vec<u32> = Vec::new();
    let mut values = Vec::new();
    for (name, points) in names {
        let value = match points[..] {
            [point @ (0..=0xD7FF | 0xE000..=0xFFFF)] => point,
            [point @ 0x1_D400..=0x1_D7FF] => point - 0x1_D400 + 0xDC00,
            [first @ 0..=0xFFFF, second @ 0..=0xFFFF] => {
                let pair = first << 16 | second;
                let at = pairs
                    .iter()
                    .position(|&known| known == pair)
                    .unwrap_or(pairs.len());
                if at == pairs.len() {
                    pairs.push(pair);
                }
                assert!(at < 0x400, "more pairs than numbers for them");
                0xD800 + u32::try_from(at).expect("less than 1,024")
            }
            _ => panic!("{name} stands for something the table cannot hold"),
        };
        values.push(u16::try_from(value).expect("16 bits"));
    }
    (values, pairs)
}

/// Writes an array as rustfmt would format it.
fn array(text: &mut String, about: &str, name: &str, kind: &str, items: &[impl Display]) {
    let _ = write!(text, "\n/// {about}\n");
    let _ = writeln!(
        text,
        "pub(super) static {name}: [{kind}; {}] = [",
        items.len()
    );
    let mut line = String::from("   ");
    for item in items {
        let item = format!(" {item},");
        if line.len() + item.len() > 100 {
            let _ = writeln!(text, "{line}");
            line.truncate(3);
        }
        line.push_str(&item);
    }
    let _ = writeln!(text, "{line}\n];");
}
