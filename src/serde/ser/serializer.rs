//! The public serializer, for programs that call `Serialize::serialize` themselves.

use super::error::SerError;
use super::node::{Fields, Items, Node, ValueContext};
use super::stream::Stream;
use crate::write::{Output, Writer};
use alloc::string::String;
use core::fmt;
use serde_core::ser::{self, Serialize};

/// Serializes a value into a [`Writer`], for libraries that take a serializer of serde. Other programs call
/// [`to_string`](super::to_string) or [`write`](super::write()).
///
/// A value that is serialized twice, as those functions do, may declare its attributes after its elements. This
/// serializer writes each field of the outermost struct or map when it gets the field, so an attribute after an element
/// is an error there.
///
/// ```
/// use serde::Serialize;
/// use tagstream::{Writer, ser::Serializer};
///
/// #[derive(Serialize)]
/// struct Point {
///     #[serde(rename = "@x")]
///     x: i32,
///     name: &'static str,
/// }
///
/// let point = Point { x: 7, name: "here" };
/// let mut out = Writer::xml(String::new());
/// point.serialize(&mut Serializer::new(&mut out))?;
/// assert_eq!(out.finish()?, r#"<Point x="7"><name>here</name></Point>"#);
///
/// let mut out = Writer::xml(String::new());
/// point.serialize(&mut Serializer::new(&mut out).root("point"))?;
/// assert!(out.finish()?.starts_with("<point "));
/// # Ok::<(), tagstream::ser::SerError>(())
/// ```
pub struct Serializer<'w, W: Output<K>, K> {
    stream: Stream<'w, W, K>,
    root: Option<String>,
}

impl<'w, W: Output<K>, K> Serializer<'w, W, K> {
    /// Creates a serializer that writes an element at the current position of a writer.
    ///
    /// ```
    /// use serde::Serialize;
    /// use tagstream::{Writer, ser::Serializer};
    ///
    /// let mut out = Writer::xml(String::new());
    /// assert!(7.serialize(&mut Serializer::new(&mut out)).is_err(), "the element has no name");
    /// ```
    pub fn new(out: &'w mut Writer<W, K>) -> Serializer<'w, W, K> {
        Serializer {
            stream: Stream::new(out),
            root: None,
        }
    }

    /// Sets the name of the element, instead of the name of the type, like [`write_as`](super::write_as). The name
    /// may be `{namespace}name`.
    #[must_use]
    pub fn root(mut self, name: impl Into<String>) -> Self {
        self.root = Some(name.into());
        self
    }

    fn node(&mut self) -> Node<'_, '_> {
        let context = match &self.root {
            Some(name) => self.stream.context(name),
            None => ValueContext::Root,
        };
        Node::new(&mut self.stream, context)
    }
}

impl<W: Output<K>, K> fmt::Debug for Serializer<'_, W, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serializer")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            fn $method(self, $($argument: $type),*) -> Result<$result, SerError> {
                self.node().$method($($argument),*)
            }
        )*
    };
}

impl<'s, W: Output<K>, K> ser::Serializer for &'s mut Serializer<'_, W, K> {
    type Ok = ();
    type Error = SerError;
    type SerializeSeq = Items<'s, 's>;
    type SerializeTuple = Items<'s, 's>;
    type SerializeTupleStruct = Items<'s, 's>;
    type SerializeTupleVariant = Items<'s, 's>;
    type SerializeMap = Fields<'s>;
    type SerializeStruct = Fields<'s>;
    type SerializeStructVariant = Fields<'s>;

    forward! {
        serialize_bool(value: bool) -> ();
        serialize_i8(value: i8) -> ();
        serialize_i16(value: i16) -> ();
        serialize_i32(value: i32) -> ();
        serialize_i64(value: i64) -> ();
        serialize_i128(value: i128) -> ();
        serialize_u8(value: u8) -> ();
        serialize_u16(value: u16) -> ();
        serialize_u32(value: u32) -> ();
        serialize_u64(value: u64) -> ();
        serialize_u128(value: u128) -> ();
        serialize_f32(value: f32) -> ();
        serialize_f64(value: f64) -> ();
        serialize_char(value: char) -> ();
        serialize_str(value: &str) -> ();
        serialize_bytes(value: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_seq(len: Option<usize>) -> Items<'s, 's>;
        serialize_tuple(len: usize) -> Items<'s, 's>;
        serialize_tuple_struct(name: &'static str, len: usize) -> Items<'s, 's>;
        serialize_tuple_variant(
            name: &'static str,
            index: u32,
            variant: &'static str,
            len: usize
        ) -> Items<'s, 's>;
        serialize_map(len: Option<usize>) -> Fields<'s>;
        serialize_struct(name: &'static str, len: usize) -> Fields<'s>;
        serialize_struct_variant(
            name: &'static str,
            index: u32,
            variant: &'static str,
            len: usize
        ) -> Fields<'s>;
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), SerError> {
        self.node().serialize_some(value)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), SerError> {
        self.node().serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), SerError> {
        self.node()
            .serialize_newtype_variant(name, index, variant, value)
    }
}
