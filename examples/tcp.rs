//! Feeds the chunks of a TCP connection and prints each event as soon as its bytes have arrived.
//!
//! The other end of the connection is a thread of this program, which writes a document slowly in small pieces.
//!
//! `cargo run --example tcp`

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};
use tagstream::{Parser, Xml};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let server = thread::spawn(move || serve(&listener));
    read(address)?;
    server.join().map_err(|_| "the server panicked")??;
    Ok(())
}

/// Prints the events of the data from `address` while it arrives.
fn read(address: SocketAddr) -> Result<(), Box<dyn std::error::Error>> {
    let mut connection = TcpStream::connect(address)?;
    let begin = Instant::now();
    let mut parser = Parser::new(Xml::default());
    let mut buffer = [0; 512];
    loop {
        // The parser does no I/O: the program feeds the bytes that were read, and the end of the connection is the end
        // of input.
        let read = connection.read(&mut buffer)?;
        match read {
            0 => parser.finish(),
            _ => parser.feed(&buffer[..read]),
        }
        while let Some(event) = parser.next_event()? {
            println!("{:4} ms  {event:?}", begin.elapsed().as_millis());
        }
        if read == 0 {
            return Ok(());
        }
    }
}

/// Sends a document to the first client, a few bytes at a time.
fn serve(listener: &TcpListener) -> io::Result<()> {
    let (mut connection, _) = listener.accept()?;
    connection.set_nodelay(true)?;
    for piece in include_bytes!("data/feed.xml").chunks(48) {
        connection.write_all(piece)?;
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}
