//! The subcommand `explore`: serves the page that shows parsing at work on the loopback interface, and opens it in a
//! browser.
//!
//! The program contains the files of the page. A request can only get one of these files, or the document of the command
//! line, under the path `/document`.

use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::HOST;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::LocalSet;

#[derive(Args, Debug)]
pub(crate) struct ExploreOptions {
    /// Print the address and do not open a browser.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// The port [default: any free port].
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) port: u16,
    /// Serve the page from this folder instead of the one in the program, for work on the page.
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub(crate) page: Option<PathBuf>,
    /// The document to show, or - for standard input. Without it, the page begins with an example.
    pub(crate) file: Option<PathBuf>,
}

/// The files of the page: the path of each with its content. Empty if the program was compiled without the page.
const PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The path of the document.
const DOCUMENT: &str = "/document";

/// The policy of the page's own `meta` element. `frame-ancestors` has an effect only in a header.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'; \
                      connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Headers of every response.
const HEADERS: [(&str, &str); 6] = [
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
];

/// Maximum time in which the head of a request has to arrive. An idle connection is closed after this time too.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Maximum number of bytes of the head of a request.
const MAX_HEAD: usize = 64 << 10;

/// Maximum number of connections that are served at the same time. Others wait.
const MAX_CONNECTIONS: usize = 64;

/// Serves the page until the program is ended.
pub(crate) fn run(options: &ExploreOptions) -> Result<(), Failure> {
    let site = Rc::new(Site::new(options)?);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let unusable = |error: io::Error| Failure::Unusable(format!("{address}: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(unusable)?;
    let listener = runtime
        .block_on(TcpListener::bind(address))
        .map_err(unusable)?;
    let port = listener.local_addr().map_err(unusable)?.port();
    let mut url = format!("http://127.0.0.1:{port}/");
    if let Some(file) = &options.file {
        let name = file.file_name().unwrap_or(file.as_os_str());
        url += "?file=/document&name=";
        url += &encoded(&name.to_string_lossy());
    }
    let mut output = Output::plain();
    output
        .buffer()
        .extend_from_slice(format!("{url}\n").as_bytes());
    output.flush()?;
    if !options.no_open
        && let Err(error) = open::that_detached(&url)
    {
        eprintln!("tagstream: the browser cannot be opened: {error}");
    }
    LocalSet::new().block_on(&runtime, serve(&listener, &site))
}

/// Accepts connections until the program is ended.
async fn serve(listener: &TcpListener, site: &Rc<Site>) -> Result<(), Failure> {
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let permit = Arc::clone(&free).acquire_owned().await;
        let Ok((stream, _)) = listener.accept().await else {
            // The connection was closed before, or the program has too many open files.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let site = Rc::clone(site);
        tokio::task::spawn_local(async move {
            let _permit = permit;
            // The browser may have closed the connection.
            let _ = site.talk(stream).await;
        });
    }
}

/// The contents of the server: the files of the page, and the document of the command line.
struct Site {
    files: BTreeMap<String, Vec<u8>>,
    document: Document,
}

/// The document of the command line.
enum Document {
    None,
    /// A file, which is read for each request.
    File(PathBuf),
    /// Standard input, which was read at the start.
    Bytes(Vec<u8>),
}

impl Site {
    fn new(options: &ExploreOptions) -> Result<Site, Failure> {
        let files = match &options.page {
            Some(folder) => {
                let mut files = BTreeMap::new();
                read_folder(folder, "", &mut files)
                    .map_err(|error| Failure::read(folder, error))?;
                files
            }
            None => PAGE
                .iter()
                .map(|(path, content)| ((*path).to_owned(), content.to_vec()))
                .collect(),
        };
        if !files.contains_key("/index.html") {
            let reason = "this program was compiled without the page: run crates/tagstream-explore/build in the \
                          repository, and compile the program again";
            return Err(Failure::Unusable(match &options.page {
                Some(folder) => format!("{}: there is no index.html", folder.display()),
                None => reason.to_owned(),
            }));
        }
        let document = match &options.file {
            None => Document::None,
            Some(file) if file == Path::new("-") => {
                let mut bytes = Vec::new();
                io::stdin()
                    .read_to_end(&mut bytes)
                    .map_err(|error| Failure::read(file, error))?;
                Document::Bytes(bytes)
            }
            Some(file) => {
                // Report a file that cannot be read now, not in the page.
                let opened = fs::File::open(file).and_then(|file| file.metadata());
                let facts = opened.map_err(|error| Failure::read(file, error))?;
                if facts.is_dir() {
                    return Err(Failure::read(file, "this is a folder"));
                }
                Document::File(file.clone())
            }
        };
        Ok(Site { files, document })
    }

    /// Answers the requests of a connection. Bodies of requests are not read.
    async fn talk(&self, stream: TcpStream) -> hyper::Result<()> {
        let answer = service_fn(|request| async move { self.respond(&request) });
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .max_buf_size(MAX_HEAD)
            .serve_connection(TokioIo::new(stream), answer)
            .await
    }

    fn respond(&self, request: &Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let (status, kind, content) = self.answer(request);
        let mut response = Response::builder().status(status);
        for (name, value) in HEADERS.into_iter().chain([("Content-Type", kind)]) {
            response = response.header(name, value);
        }
        let response = response.body(Full::from(content));
        Ok(response.unwrap_or_default())
    }

    /// Returns the status, the media type and the content for a request.
    fn answer(&self, request: &Request<Incoming>) -> (u16, &'static str, Vec<u8>) {
        let refused = |status, reason: &str| (status, "text/plain; charset=utf-8", reason.into());
        // A page of another site can reach this server through a name that it has pointed to this machine. Its requests
        // have that name as their host.
        let mut hosts = request.headers().get_all(HOST).iter();
        let is_here = hosts
            .next()
            .and_then(|host| host.to_str().ok())
            .is_some_and(is_loopback);
        if !is_here || hosts.next().is_some() {
            return refused(403, "The host of the request is not this machine.\n");
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return refused(405, "Only GET is allowed.\n");
        }
        let path = request.uri().path();
        let path = if path == "/" { "/index.html" } else { path };
        if path == DOCUMENT {
            let bytes = match &self.document {
                Document::None => None,
                Document::File(file) => fs::read(file).ok(),
                Document::Bytes(bytes) => Some(bytes.clone()),
            };
            return match bytes {
                Some(bytes) => (200, "application/octet-stream", bytes),
                None => refused(404, "There is no document.\n"),
            };
        }
        match self.files.get(path) {
            Some(content) => (200, media_type(path), content.clone()),
            None => refused(404, "There is no such file.\n"),
        }
    }
}

/// Returns whether the value of a `Host` header is a name of this machine.
fn is_loopback(host: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|digit| digit.is_ascii_digit());
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
        let Some(rest) = host.strip_prefix(name) else {
            return false;
        };
        rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)
    })
}

/// Reads all files of a folder. `path` is the path of the folder in addresses.
fn read_folder(folder: &Path, path: &str, files: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{path}/{}", entry.file_name().to_string_lossy());
        match entry.file_type()?.is_dir() {
            true => read_folder(&entry.path(), &name, files)?,
            false => drop(files.insert(name, fs::read(entry.path())?)),
        }
    }
    Ok(())
}

/// Returns the media type of a file by the extension of its name.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Encodes a text for the query of an address: all bytes except unreserved characters become `%XX`.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
