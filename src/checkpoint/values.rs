//! Serialization of values that consist of nothing but numbers or text.

use super::{Checkpointable, Damaged, Reader, Writer};
use alloc::boxed::Box;
use alloc::string::String;
use bytes::Bytes;
use core::num::NonZeroU32;
use core::ops::Range;

impl Checkpointable for () {
    fn save(&self, _: &mut Writer) {}

    fn load(_: &mut Reader<'_>) -> Result<(), Damaged> {
        Ok(())
    }
}

impl Checkpointable for bool {
    fn save(&self, to: &mut Writer) {
        to.byte(u8::from(*self));
    }

    fn load(from: &mut Reader<'_>) -> Result<bool, Damaged> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }
}

impl Checkpointable for u8 {
    fn save(&self, to: &mut Writer) {
        to.byte(*self);
    }

    fn load(from: &mut Reader<'_>) -> Result<u8, Damaged> {
        from.byte()
    }
}

impl Checkpointable for i8 {
    fn save(&self, to: &mut Writer) {
        to.byte(self.cast_unsigned());
    }

    fn load(from: &mut Reader<'_>) -> Result<i8, Damaged> {
        from.byte().map(u8::cast_signed)
    }
}

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl Checkpointable for $type {
            fn save(&self, to: &mut Writer) {
                to.number(*self as u64);
            }

            fn load(from: &mut Reader<'_>) -> Result<$type, Damaged> {
                <$type>::try_from(from.number()?).map_err(|_| Damaged)
            }
        })*
    };
}
numbers!(u16, u32, u64, usize);

impl Checkpointable for NonZeroU32 {
    fn save(&self, to: &mut Writer) {
        self.get().save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<NonZeroU32, Damaged> {
        NonZeroU32::new(u32::load(from)?).ok_or(Damaged)
    }
}

impl Checkpointable for char {
    fn save(&self, to: &mut Writer) {
        u32::from(*self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<char, Damaged> {
        char::from_u32(u32::load(from)?).ok_or(Damaged)
    }
}

impl Checkpointable for Range<u32> {
    fn save(&self, to: &mut Writer) {
        self.start.save(to);
        self.end.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Range<u32>, Damaged> {
        Ok(u32::load(from)?..u32::load(from)?)
    }
}

impl Checkpointable for String {
    fn save(&self, to: &mut Writer) {
        to.slice(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<String, Damaged> {
        from.text().map(String::from)
    }
}

impl Checkpointable for Box<str> {
    fn save(&self, to: &mut Writer) {
        to.slice(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<Box<str>, Damaged> {
        from.text().map(Box::from)
    }
}

impl Checkpointable for Bytes {
    fn save(&self, to: &mut Writer) {
        to.slice(self);
    }

    fn load(from: &mut Reader<'_>) -> Result<Bytes, Damaged> {
        from.slice().map(Bytes::copy_from_slice)
    }
}
