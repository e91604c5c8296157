//! Whether a tag has an attribute of a given name already, in linear time however many it has and
//! whatever an attacker names them.
//!
//! It compares names as they are written, and must not know any dialect.

use super::record::{Attr, Queue};
use crate::input::cursor::{Cursor, same};
use crate::scan::Classes;
use crate::seeds::Seeds;
use core::hash::BuildHasher;
use hashbrown::HashTable;

/// Up to so many attributes, each new name is compared with all others; then they are hashed.
const FEW: usize = 16;

/// The names of the attributes of one tag, once there are many: hash, and index of the attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeNames {
    seeds: Seeds,
    table: HashTable<(u64, u32)>,
}

impl AttributeNames {
    /// The tag with so many attributes is done.
    #[inline(always)]
    pub(crate) fn forget(&mut self, attributes: u32) {
        if attributes as usize > FEW {
            self.table.clear();
        }
    }

    /// Whether the tag that begins at the mark `token` has an attribute with the name that stands
    /// between two marks.
    #[inline(always)]
    pub(crate) fn hold<K: Classes>(
        &mut self,
        input: &Cursor<'_, K>,
        out: &mut Queue,
        token: u32,
        from: u32,
        to: u32,
    ) -> bool {
        let others = &out.attributes[out.open as usize..];
        if others.is_empty() {
            return false;
        }
        let (chunk, shift) = input.chunk();
        if token < shift || others.len() > FEW {
            return self.hold_cold(*input, out, from, to);
        }
        let bytes = chunk.as_bytes();
        let name = &bytes[(from - shift) as usize..(to - shift) as usize];
        others.iter().any(|other| {
            let other = other.name - shift..other.name_end - shift;
            same(&bytes[other.start as usize..other.end as usize], name)
        })
    }

    #[cold]
    #[inline(never)]
    fn hold_cold<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) -> bool {
        let others = &out.attributes[out.open as usize..];
        let pieces = |from: u32, to: u32| input.pieces(&out.carry, from, to);
        let is_equal = |other: &Attr| {
            let ((a, b), (c, d)) = (pieces(other.name, other.name_end), pieces(from, to));
            let bytes = a.bytes().chain(b.bytes());
            other.name_end - other.name == to - from && bytes.eq(c.bytes().chain(d.bytes()))
        };
        if others.len() <= FEW {
            return others.iter().any(is_equal);
        }
        let (seeds, table) = (&self.seeds, &mut self.table);
        let hash_of = |from: u32, to: u32| match pieces(from, to) {
            ("", name) | (name, "") => seeds.hash_one(name),
            (first, second) => seeds.hash_one(&*[first, second].concat()),
        };
        if table.len() != others.len() {
            // The first name beyond a few: the others are entered now.
            table.clear();
            for (index, other) in others.iter().enumerate() {
                let hash = hash_of(other.name, other.name_end);
                table.insert_unique(hash, (hash, index as u32), |entry| entry.0);
            }
        }
        let hash = hash_of(from, to);
        out.work.compared += u64::from(to - from);
        let found = table.find(hash, |entry| {
            entry.0 == hash && is_equal(&others[entry.1 as usize])
        });
        if found.is_some() {
            return true;
        }
        table.insert_unique(hash, (hash, others.len() as u32), |entry| entry.0);
        false
    }
}
