use crate::engine::event::{Event, Text};
pub(super) trait Stub {
    fn is_complete(&self) -> bool;
    fn is_from_entity(&self) -> bool;
}
impl Stub for Event<'_> {
    fn is_complete(&self) -> bool {
        true
    }
    fn is_from_entity(&self) -> bool {
        false
    }
}
pub(super) trait TextStub {
    fn is_cdata(&self) -> bool;
}
impl TextStub for Text<'_> {
    fn is_cdata(&self) -> bool {
        false
    }
}
