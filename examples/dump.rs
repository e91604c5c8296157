use tagstream::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = if args[1] == "-" { args[2].clone().into_bytes() } else { std::fs::read(&args[1]).unwrap() };
    let mut p = Parser::new(Xml::default()).errors(true);
    p.feed(bytes);
    p.finish();
    loop { match p.next_event() { Ok(Some(e)) => println!("{:?} {} {:?}", e.span(), e.position(), e), Ok(None) => break, Err(e) => { println!("Err {e}"); break } } }
    println!("{:?} {:?}", p.status(), p.work());
}
