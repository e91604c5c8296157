//! x
mod invariants;
use invariants::*;
#[test]
fn one() {
    let _ = Random(1).below(3);
    let i = std::env::var("INPUT").unwrap();
    let o: u8 = std::env::var("OPT").map_or(0, |s| s.parse().unwrap());
    let mut b = vec![];
    let mut it = i.bytes();
    while let Some(c) = it.next() {
        if c == b'%' {
            let h = [it.next().unwrap(), it.next().unwrap()];
            b.push(u8::from_str_radix(std::str::from_utf8(&h).unwrap(), 16).unwrap());
        } else {
            b.push(c)
        }
    }
    if let Err(e) = check_xml(Options(o), &b) {
        panic!("{e}");
    }
}
