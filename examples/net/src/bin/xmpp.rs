//! A client's half of an XMPP stream over TCP, which ends when the other side ends it. Each stanza is printed as a tree
//! as soon as it is complete.
//!
//! `cargo run --manifest-path examples/net/Cargo.toml --bin xmpp ADDRESS`

use std::error::Error;
use tagstream::{AsyncEvents, Event, Xml};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const OPENING: &str = "<?xml version='1.0'?><stream:stream to='example.org' version='1.0' \
    xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("usage: xmpp ADDRESS")?;
    let (reader, mut writer) = TcpStream::connect(address).await?.into_split();
    writer.write_all(OPENING.as_bytes()).await?;
    // XMPP requires well-formed XML. The first violation ends the stream.
    let mut events = AsyncEvents::read(Xml::strict(), reader);
    while let Some(event) = events.next_event().await? {
        match event {
            Event::Start(tag) if tag.depth() == Some(1) => {
                println!(
                    "stream {}",
                    tag.attribute("id").unwrap_or("without a number")
                );
            }
            Event::Start(_) => println!("{}", events.subtree().await?.to_xml()?),
            // Stanzas are read as subtrees, so this is the end tag of the stream.
            Event::End(_) => break,
            // Whitespace between stanzas keeps the connection alive.
            _ => {}
        }
    }
    writer.write_all(b"</stream:stream>").await?;
    Ok(())
}
