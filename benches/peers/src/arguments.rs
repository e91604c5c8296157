//! The command line: what is measured, and for how long.

/// How the program is called.
pub const USAGE: &str = "usage: peers [--chunk BYTES] [--seconds S] [--only ENGINE]... [FILE]...

  --chunk BYTES   feed chunks of this size to the engines that take chunks
  --seconds S     time for each engine with each file; 1 unless given
  --only ENGINE   this engine (and quick-xml, which all are measured by)
  FILE            documents in UTF-8; some are made up if none is given";

/// What is asked for.
#[derive(Debug)]
pub struct Arguments {
    /// Paths of documents.
    pub files: Vec<String>,
    /// Bytes of a chunk.
    pub chunk: usize,
    /// Seconds for each engine with each document.
    pub seconds: f64,
    only: Vec<String>,
}

impl Arguments {
    /// Reads the command line.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut arguments = Arguments {
            files: Vec::new(),
            chunk: usize::MAX,
            seconds: 1.0,
            only: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--chunk" => arguments.chunk = number(&value()?)?,
                "--seconds" => arguments.seconds = number(&value()?)?,
                "--only" => arguments.only.push(value()?),
                _ if word.starts_with("--") => return Err(format!("unknown option {word}")),
                _ => arguments.files.push(word),
            }
        }
        if arguments.chunk == 0 {
            return Err("a chunk has at least one byte".to_owned());
        }
        Ok(arguments)
    }

    /// Whether this engine is asked for.
    pub fn wants(&self, engine: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == engine)
    }
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("{word} is no number"))
}
