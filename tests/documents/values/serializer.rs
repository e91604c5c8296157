//! The public serializer, which libraries use that call serde themselves.

use super::writing::Kinds;
use serde::Serialize;
use std::collections::BTreeMap;
use tagstream::Writer;
use tagstream::ser::{Serializer, to_string, write_as};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(program, "xml/serde/writing", serializer);
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Newtype(u8);

#[derive(Serialize)]
enum Texts {
    #[serde(rename = "$text")]
    Unit,
}

#[derive(Serialize)]
struct At {
    #[serde(rename = "@field")]
    field: &'static str,
}

#[derive(Serialize)]
struct Field<T> {
    field: T,
}

#[derive(Serialize)]
struct Value {
    #[serde(rename = "$value")]
    field: &'static str,
}

#[derive(Serialize)]
struct Late {
    a: u8,
    #[serde(rename = "@b")]
    b: u8,
}

/// The serializer writes the same as the functions, except for attributes after elements.
fn serializer() {
    fn same<T: Serialize>(value: &T) {
        let mut out = Writer::xml(String::new());
        let mut serializer = Serializer::new(&mut out);
        let written = value.serialize(&mut serializer).is_ok();
        let written = if written { out.finish().ok() } else { None };
        assert_eq!(written, to_string(value).ok());
        for is_inside in [false, true] {
            let both = [false, true].map(|is_function| {
                let mut out = Writer::xml(String::new());
                if is_inside {
                    out.start("outer").expect("a start");
                }
                match is_function {
                    true => write_as(&mut out, "n", value).ok()?,
                    false => value
                        .serialize(&mut Serializer::new(&mut out).root("n"))
                        .ok()?,
                }
                if is_inside {
                    out.end().expect("an end");
                }
                out.finish().ok()
            });
            assert_eq!(both[0], both[1]);
        }
    }
    macro_rules! all {
        ($($value:expr),* $(,)?) => { $(same(&$value);)* };
    }
    all!(
        Unit,
        Newtype(1),
        Some(Newtype(1)),
        None::<u8>,
        (true, 'c'),
        [1_f32],
        'c',
        "text",
        ()
    );
    all!(true, 1_i8, 2_i16, 3_i32, 4_i64, 5_i128, 1_u8, 2_u16);
    all!(3_u32, 4_u64, 5_u128, 1.5_f32, 2.5_f64);
    let a = || "a".to_owned();
    all!(
        Kinds::Unit,
        Kinds::Newtype(1),
        Kinds::Tuple(1, a()),
        Kinds::Text(a())
    );
    all!(
        Kinds::Struct { q: 1, a: a() },
        Texts::Unit,
        At { field: "a" }
    );
    all!(
        BTreeMap::from([("a", 1)]),
        BTreeMap::from([("@a", 1), ("b", 2)])
    );
    all!(Field { field: vec![1, 2] }, Value { field: "a" });
    // The attribute comes after an element.
    let late = Late { a: 1, b: 2 };
    let mut out = Writer::xml(String::new());
    late.serialize(&mut Serializer::new(&mut out))
        .expect_err("an error");
    same(&Field { field: late });
    let serializer = format!(
        "{:?}",
        Serializer::new(&mut Writer::xml(String::new())).root("n")
    );
    assert_eq!(serializer, "Serializer { root: Some(\"n\"), .. }");
}
