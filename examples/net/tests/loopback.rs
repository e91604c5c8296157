//! Runs the programs with servers in this process. A server sends the next part only after the previous one was
//! printed, so the programs must print data as it arrives.

use flate2::write::GzEncoder;
use std::error::Error;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};

type Tested = Result<(), Box<dyn Error>>;

/// A running program and its output. The program is killed when the test ends.
struct Program {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Program {
    fn run(program: &str, argument: &str) -> Result<Program, Box<dyn Error>> {
        let mut command = Command::new(program);
        let mut child = command.arg(argument).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().ok_or("no output")?;
        let lines = BufReader::new(output).lines();
        Ok(Program { child, lines })
    }

    fn line(&mut self) -> Result<String, Box<dyn Error>> {
        Ok(self.lines.next().ok_or("no further line")??)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen() -> Result<(TcpListener, String), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?.to_string();
    Ok((listener, address))
}

/// Reads a request, and starts a response in chunks.
fn answer(listener: &TcpListener, headers: &str) -> Result<TcpStream, Box<dyn Error>> {
    let (mut connection, _) = listener.accept()?;
    connection.set_nodelay(true)?;
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        connection.read_exact(&mut byte)?;
        request.extend(byte);
    }
    write!(
        connection,
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n{headers}\r\n"
    )?;
    Ok(connection)
}

/// Sends a chunk of a response. An empty chunk ends the response.
fn send(connection: &mut TcpStream, chunk: &[u8]) -> Result<(), Box<dyn Error>> {
    write!(connection, "{:x}\r\n", chunk.len())?;
    connection.write_all(chunk)?;
    connection.write_all(b"\r\n")?;
    Ok(())
}

const FEED: [&str; 3] = [
    "<?xml version='1.0'?><rss><channel><title>News</title><item><title>Tom &am",
    "p; Jerry</title><link>/1</link></item><item><title>caf\u{e9}&nbsp;",
    "open</title><link>/2</link></item></channel></rss>",
];

#[test]
fn entries_are_printed_as_a_feed_arrives() -> Tested {
    let (listener, address) = listen()?;
    let mut program = Program::run(
        env!("CARGO_BIN_EXE_feed"),
        &format!("http://{address}/feed"),
    )?;
    let mut connection = answer(&listener, "content-type: application/rss+xml\r\n")?;
    send(&mut connection, FEED[0].as_bytes())?;
    send(&mut connection, FEED[1].as_bytes())?;
    assert_eq!(program.line()?, "Tom & Jerry\t/1");
    send(&mut connection, FEED[2].as_bytes())?;
    assert_eq!(program.line()?, "caf\u{e9}\u{a0}open\t/2");
    send(&mut connection, b"")?;
    assert!(program.child.wait()?.success());
    Ok(())
}

#[test]
fn a_packed_feed_too() -> Tested {
    let (listener, address) = listen()?;
    let mut program = Program::run(
        env!("CARGO_BIN_EXE_feed"),
        &format!("http://{address}/feed"),
    )?;
    let mut connection = answer(&listener, "content-encoding: gzip\r\n")?;
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(FEED[0].as_bytes())?;
    packed.write_all(FEED[1].as_bytes())?;
    packed.flush()?;
    send(&mut connection, packed.get_ref())?;
    packed.get_mut().clear();
    assert_eq!(program.line()?, "Tom & Jerry\t/1");
    packed.write_all(FEED[2].as_bytes())?;
    send(&mut connection, &packed.finish()?)?;
    send(&mut connection, b"")?;
    assert_eq!(program.line()?, "caf\u{e9}\u{a0}open\t/2");
    Ok(())
}

#[test]
fn a_feed_that_is_cut_off_is_an_error() -> Tested {
    let (listener, address) = listen()?;
    let mut program = Program::run(
        env!("CARGO_BIN_EXE_feed"),
        &format!("http://{address}/feed"),
    )?;
    let mut connection = answer(&listener, "")?;
    send(&mut connection, FEED[0].as_bytes())?;
    drop(connection);
    assert!(!program.child.wait()?.success());
    Ok(())
}

#[test]
fn stanzas_are_printed_as_they_arrive() -> Tested {
    let (listener, address) = listen()?;
    let mut program = Program::run(env!("CARGO_BIN_EXE_xmpp"), &address)?;
    let (mut connection, _) = listener.accept()?;
    connection.set_nodelay(true)?;
    let opening = "<?xml version='1.0'?><stream:stream xmlns='jabber:client' id='s1' \
        xmlns:stream='http://etherx.jabber.org/streams'>";
    connection.write_all(opening.as_bytes())?;
    assert_eq!(program.line()?, "stream s1");
    for number in 0..100 {
        let message = format!("<message><body>{number} &lt; 100</body></message>");
        let (first, rest) = message.split_at(number % message.len());
        connection.write_all(b" ")?;
        connection.write_all(first.as_bytes())?;
        connection.write_all(rest.as_bytes())?;
        let body = format!("<body>{number} &lt; 100</body></message>");
        assert!(program.line()?.ends_with(&body));
    }
    connection.write_all(b"</stream:stream>")?;
    let mut sent = String::new();
    connection.read_to_string(&mut sent)?;
    assert!(sent.ends_with("</stream:stream>"));
    Ok(())
}

#[test]
fn a_page_is_changed_as_it_passes() -> Tested {
    let (listener, address) = listen()?;
    let mut proxy = Program::run(env!("CARGO_BIN_EXE_proxy"), &format!("http://{address}"))?;
    let url = proxy.line()?;
    let host = url.strip_prefix("http://").ok_or("no address")?;
    let mut client = TcpStream::connect(host)?;
    write!(
        client,
        "GET /page HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )?;
    let mut connection = answer(
        &listener,
        "content-type: text/html; charset=windows-1252\r\n",
    )?;
    send(&mut connection, b"<P>caf\xe9 <A HREF=/a>one</A><a hr")?;
    // The first link of the page must arrive before the second is sent.
    let mut seen = Vec::new();
    while !seen.ends_with(b"one</A>") {
        let mut byte = [0];
        client.read_exact(&mut byte)?;
        seen.extend(byte);
    }
    send(&mut connection, b"ef='/b' rel=x>two</a>")?;
    send(&mut connection, b"")?;
    client.read_to_end(&mut seen)?;
    let seen: String = seen.into_iter().map(char::from).collect();
    assert!(
        seen.contains("<P>caf\u{e9} <A HREF=/a rel=\"nofollow\">one</A>"),
        "{seen}"
    );
    assert!(
        seen.contains("<a href='/b' rel=\"nofollow\">two</a>"),
        "{seen}"
    );
    Ok(())
}

/// Requests a page in HTTP/1.0, whose responses have no chunks: the body ends with the connection.
fn request(host: &str) -> Result<TcpStream, Box<dyn Error>> {
    let mut client = TcpStream::connect(host)?;
    write!(client, "GET /page HTTP/1.0\r\nhost: {host}\r\n\r\n")?;
    Ok(client)
}

/// Returns the body of a response.
fn body(mut client: TcpStream) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut response = Vec::new();
    client.read_to_end(&mut response)?;
    let end = response.windows(4).position(|four| four == b"\r\n\r\n");
    Ok(response.split_off(end.ok_or("no body")? + 4))
}

/// The header of a page that need not wait for a declaration of its encoding.
const UTF_8: &str = "content-type: text/html; charset=utf-8\r\n";

/// A page with unusual markup and without links.
const PAGE: &str = "<!doctype HTML>\r\n<P CLASS = a>caf\u{e9} &amp &notit; <a name=x>b</A >\0<![CDATA[c]]>\
    <table><b>d<tr></p><script>'<a href=e>'</script><!-- <a href> --><svg><a/></svg></x></body>f<br/";

#[test]
fn a_page_in_short_chunks_stays_the_same() -> Tested {
    let (listener, address) = listen()?;
    let mut proxy = Program::run(env!("CARGO_BIN_EXE_proxy"), &format!("http://{address}"))?;
    let url = proxy.line()?;
    let host = url.strip_prefix("http://").ok_or("no address")?;
    let client = request(host)?;
    let mut connection = answer(&listener, "content-type: text/html\r\n")?;
    for chunk in PAGE.as_bytes().chunks(10) {
        send(&mut connection, chunk)?;
    }
    send(&mut connection, b"")?;
    assert_eq!(String::from_utf8(body(client)?)?, PAGE);
    Ok(())
}

#[test]
fn a_client_that_goes_away_does_not_stop_the_proxy() -> Tested {
    let (listener, address) = listen()?;
    let mut proxy = Program::run(env!("CARGO_BIN_EXE_proxy"), &format!("http://{address}"))?;
    let url = proxy.line()?;
    let host = url.strip_prefix("http://").ok_or("no address")?;
    for _ in 0..3 {
        let mut client = request(host)?;
        let mut connection = answer(&listener, UTF_8)?;
        send(&mut connection, b"<p>one <a hr")?;
        let mut seen = Vec::new();
        while !seen.ends_with(b"<p>one ") {
            let mut byte = [0];
            client.read_exact(&mut byte)?;
            seen.extend(byte);
        }
        drop(client);
        // The proxy closes this connection, so that sending fails at some time.
        let is_closed = (0..1_000_000).any(|_| send(&mut connection, b"ef=/b>two</a>").is_err());
        assert!(is_closed);
    }
    let client = request(host)?;
    let mut connection = answer(&listener, UTF_8)?;
    send(&mut connection, b"<p><a hr")?;
    send(&mut connection, b"ef=/b>two</a>")?;
    send(&mut connection, b"")?;
    let page = String::from_utf8(body(client)?)?;
    assert_eq!(page, "<p><a href=/b rel=\"nofollow\">two</a>");
    Ok(())
}
