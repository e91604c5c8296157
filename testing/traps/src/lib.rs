//! An empty library. The folder `programs` contains the programs.
