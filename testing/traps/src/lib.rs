//! Nothing: `programs` has the programs.
