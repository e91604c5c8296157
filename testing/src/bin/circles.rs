//! Prints the files that import each other in circles (`imports`), in the library and in each crate: the size of each
//! circle, and each file with the files of the circle that it imports.

use std::fs;
use testing::imports::{circles, imports};
use testing::source;

fn main() {
    let crates = fs::read_dir(source::root().join("crates")).expect("the folder of the crates");
    let mut folders = vec!["src".to_owned()];
    folders.extend(crates.map(|entry| {
        let name = entry.expect("an entry").file_name();
        format!("crates/{}/src", name.to_string_lossy())
    }));
    folders.sort();
    let mut totals = Vec::new();
    for folder in folders {
        let imports = imports(&folder);
        let circles = circles(&imports);
        for circle in &circles {
            println!("circle of {} files", circle.len());
            for file in circle {
                let inside = imports[*file].iter().map(String::as_str);
                let inside: Vec<_> = inside.filter(|other| circle.contains(other)).collect();
                println!("  {file}: {}", inside.join(" "));
            }
            println!();
        }
        let files: usize = circles.iter().map(|circle| circle.len()).sum();
        totals.push((folder, files, imports.len()));
    }
    for (folder, in_circles, files) in &totals {
        println!("{folder:<32}{in_circles:>5} of {files:>4} files in circles");
    }
    let all: usize = totals.iter().map(|(_, in_circles, _)| in_circles).sum();
    println!("all{all:>34}");
}
