//! A project file of Maven with an unusually large number of dependencies.

use super::{scatter, words};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A project.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    pub model_version: String,
    pub group_id: String,
    pub artifact_id: String,
    pub version: String,
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    pub dependencies: Dependencies,
}

/// The dependencies of the project.
#[derive(Debug, Deserialize)]
pub struct Dependencies {
    #[serde(default)]
    pub dependency: Vec<Dependency>,
}

/// A dependency.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dependency {
    pub group_id: String,
    pub artifact_id: String,
    pub version: Option<String>,
    pub scope: Option<Scope>,
    #[serde(default)]
    pub optional: bool,
    pub exclusions: Option<Exclusions>,
}

/// The scope in which a dependency is available.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    Compile,
    Provided,
    Runtime,
    Test,
}

/// The exclusions of a dependency.
#[derive(Debug, Deserialize)]
pub struct Exclusions {
    #[serde(default)]
    pub exclusion: Vec<Exclusion>,
}

/// An artifact that a dependency must not bring in.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exclusion {
    pub group_id: String,
    pub artifact_id: String,
}

pub(super) const AROUND: (&str, &str) = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<project xmlns=\"http://maven.apache.org/POM/4.0.0\" \
     xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
     xsi:schemaLocation=\"http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd\">\n  \
     <modelVersion>4.0.0</modelVersion>\n  <groupId>org.example</groupId>\n  <artifactId>river</artifactId>\n  \
     <version>1.0-SNAPSHOT</version>\n  <properties>\n    <java.version>21</java.version>\n    \
     <encoding>UTF-8</encoding>\n  </properties>\n  <dependencies>\n",
    "  </dependencies>\n</project>\n",
);

pub(super) fn dependency(out: &mut String, number: u64) {
    let random = scatter(number);
    *out += "    <dependency>\n      <groupId>org.";
    words(out, random, 1);
    let _ = write!(
        out,
        "</groupId>\n      <artifactId>letters-{number}</artifactId>\n      <version>{}.{}.{}</version>\n",
        random % 9,
        random % 31,
        random % 7
    );
    match random % 4 {
        0 => *out += "      <scope>test</scope>\n",
        1 => *out += "      <!-- until winter -->\n      <optional>true</optional>\n",
        2 => {
            *out += "      <exclusions>\n        <exclusion>\n          <groupId>commons-logging</groupId>\n          \
                     <artifactId>commons-logging</artifactId>\n        </exclusion>\n      </exclusions>\n";
        }
        _ => {}
    }
    *out += "    </dependency>\n";
}
