//! The subcommand `explore`: the files, the document, the headers, and the requests that are refused. The tests serve a
//! small page of their own, because the real page is built by other tools.

use super::{program, refused, root, temporary, temporary_folder};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli",
        the_page_is_served_with_strict_headers,
        the_document_is_served,
        foreign_hosts_and_methods_are_refused,
        only_the_files_of_the_page_are_served,
        explore_needs_its_page_and_its_file,
        slow_and_large_requests_block_no_other,
    );
}

/// A running server.
struct Running {
    child: Child,
    address: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn new(test: &str, arguments: &[&str], input: &[u8]) -> Running {
        let page = page(test);
        let mut all = vec!["explore", "--no-open", "--page", &page];
        all.extend(arguments);
        let mut child = program(root(), &all).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        let address = address.trim_end().to_owned();
        Running { child, address }
    }

    fn host(&self) -> &str {
        let rest = self.address.strip_prefix("http://").expect("an address");
        rest.split('/').next().unwrap()
    }

    /// Sends a request with the host of the server. Returns the head and the body of the response.
    fn get(&self, path: &str) -> (String, Vec<u8>) {
        self.send("GET", path, &format!("Host: {}\r\n", self.host()))
    }

    fn send(&self, method: &str, path: &str, headers: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"
        )
        .unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        let end = response
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("a head");
        let head = String::from_utf8(response[..end].to_vec()).unwrap();
        (head.to_ascii_lowercase(), response[end + 4..].to_vec())
    }
}

/// Writes a small page for a test and returns its path.
fn page(test: &str) -> String {
    let folder = temporary_folder(&format!("explore-{test}"));
    fs::create_dir_all(folder.join("assets")).unwrap();
    fs::write(
        folder.join("index.html"),
        "<!DOCTYPE html><title>Page</title>",
    )
    .unwrap();
    fs::write(folder.join("assets/engine.wasm"), b"\0asm").unwrap();
    fs::write(folder.join("assets/main.js"), "1").unwrap();
    folder.to_str().unwrap().to_owned()
}

fn status(head: &str) -> &str {
    head.split(' ').nth(1).unwrap()
}

fn the_page_is_served_with_strict_headers() {
    let server = Running::new("headers", &[], b"");
    assert!(
        server.address.starts_with("http://127.0.0.1:"),
        "{}",
        server.address
    );
    let (head, body) = server.get("/");
    assert_eq!(
        (status(&head), &*body),
        ("200", &b"<!DOCTYPE html><title>Page</title>"[..])
    );
    for header in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src \
         'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(head.contains(header), "{header} {head}");
    }
    for (path, kind, content) in [
        (
            "/index.html?a#b",
            "text/html; charset=utf-8",
            "<!DOCTYPE html><title>Page</title>",
        ),
        ("/assets/engine.wasm", "application/wasm", "\0asm"),
        ("/assets/main.js", "text/javascript; charset=utf-8", "1"),
    ] {
        let (head, body) = server.get(path);
        assert_eq!(
            (status(&head), &*body),
            ("200", content.as_bytes()),
            "{path}"
        );
        assert!(
            head.contains(&format!("content-type: {kind}")),
            "{path} {head}"
        );
    }
    // There is no document.
    assert_eq!(status(&server.get("/document").0), "404");
}

fn the_document_is_served() {
    let file = temporary("explore é&1.html", b"<p>\xFF<b>");
    let server = Running::new("document", &[&file], b"");
    let query = "?file=/document&name=explore%20%C3%A9%261.html";
    assert!(server.address.ends_with(query), "{}", server.address);
    let (head, body) = server.get("/document");
    assert_eq!((status(&head), &*body), ("200", &b"<p>\xFF<b>"[..]));
    assert!(
        head.contains("content-type: application/octet-stream"),
        "{head}"
    );
    // The file is read again for each request.
    fs::write(&file, "new").unwrap();
    assert_eq!(server.get("/document?x").1, b"new");
    fs::remove_file(&file).unwrap();
    assert_eq!(status(&server.get("/document").0), "404");

    let server = Running::new("input", &["-"], b"<a/>");
    assert_eq!(server.get("/document").1, b"<a/>");
}

fn foreign_hosts_and_methods_are_refused() {
    let server = Running::new("hosts", &["-"], b"secret");
    let port = server.host().rsplit(':').next().unwrap();
    for host in [
        "Host: example.com\r\n".to_owned(),
        format!("Host: example.com:{port}\r\n"),
        format!("Host: 127.0.0.1.example.com:{port}\r\n"),
        format!("Host: localhost:{port}.example.com\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nHost: example.com\r\n"),
        "Host:\r\n".to_owned(),
        String::new(),
    ] {
        for path in ["/", "/document"] {
            let (head, body) = server.send("GET", path, &host);
            assert_ne!(status(&head), "200", "{host}");
            assert!(!body.windows(6).any(|six| six == b"secret"), "{host}");
        }
    }
    for host in [
        format!("Host: localhost:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
    ] {
        assert_eq!(status(&server.send("GET", "/", &host).0), "200", "{host}");
    }
    let host = format!("Host: {}\r\n", server.host());
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let (head, _) = server.send(method, "/document", &format!("{host}Content-Length: 0\r\n"));
        assert_eq!(status(&head), "405", "{method}");
    }
}

fn only_the_files_of_the_page_are_served() {
    let server = Running::new("files", &[], b"");
    for path in [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/assets",
        "/assets/",
        "/document/x",
    ] {
        assert_eq!(status(&server.get(path).0), "404", "{path}");
    }
}

fn explore_needs_its_page_and_its_file() {
    let folder = temporary_folder("explore-empty");
    let folder = folder.to_str().unwrap();
    let (message, _) = refused(&["explore", "--no-open", "--page", folder], "", 2);
    assert!(message.contains("there is no index.html"), "{message}");
    let page = page("missing");
    let (message, _) = refused(
        &["explore", "--no-open", "--page", &page, "no-such-file"],
        "",
        2,
    );
    assert!(message.contains("no-such-file"), "{message}");
    let (message, _) = refused(&["explore", "--no-open", "--page", &page, "src"], "", 2);
    assert!(message.contains("src: "), "{message}");
    let embedded = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page/index.html"));
    if !embedded.exists() {
        let (message, _) = refused(&["explore", "--no-open"], "", 2);
        assert!(
            message.contains("crates/tagstream-explore/build"),
            "{message}"
        );
    }
}

/// Clients that send no body or no end of the head do not block others, and the head of a request has a bound.
fn slow_and_large_requests_block_no_other() {
    let server = Running::new("slow", &["-"], b"<a/>");
    let mut slow = Vec::new();
    for begun in [
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
        "POST /document HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: local",
        "",
    ] {
        let mut stream = TcpStream::connect(server.host()).unwrap();
        stream.write_all(begun.as_bytes()).unwrap();
        slow.push(stream);
        assert_eq!(server.get("/document").1, b"<a/>", "{begun}");
    }
    let mut large = TcpStream::connect(server.host()).unwrap();
    let line = "x".repeat(1 << 20);
    let mut refused = large
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        .is_err();
    for _ in 0..300 {
        refused = refused || large.write_all(line.as_bytes()).is_err();
    }
    assert!(refused, "the server reads any number of bytes");
    assert_eq!(server.get("/document").1, b"<a/>");
}
