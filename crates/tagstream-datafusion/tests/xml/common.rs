//! Folders of documents, results of queries as text, and random numbers.

use datafusion::arrow::util::display::array_value_to_string;
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tagstream_arrow::RowIndex;
use tempfile::TempDir;

/// A generator of pseudo-random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        ((self.0 >> 33) as usize) % limit
    }

    pub(crate) fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// A folder with documents, and a session.
pub(crate) struct Lake {
    pub(crate) folder: TempDir,
    pub(crate) context: SessionContext,
}

impl Lake {
    pub(crate) fn new(files: &[(&str, &str)]) -> Lake {
        Lake::with_config(files, SessionConfig::new().with_target_partitions(3))
    }

    pub(crate) fn with_config(files: &[(&str, &str)], config: SessionConfig) -> Lake {
        let context = SessionContext::new_with_config(config);
        tagstream_datafusion::register(&context).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake { folder, context };
        for (name, content) in files {
            lake.write(name, content.as_bytes());
        }
        lake
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Writes an index of a file, with the modification time of the file.
    pub(crate) fn write_index(&self, name: &str, mut index: RowIndex) {
        let metadata = fs::metadata(self.path(name)).unwrap();
        index.modified = Some(metadata.modified().unwrap());
        let path = format!("{name}{}", RowIndex::SUFFIX);
        self.write(&path, index.to_string().as_bytes());
    }

    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder.path().display())
    }

    /// Runs a statement in which `@` is the folder.
    pub(crate) async fn run(&self, sql: &str) -> Result<Vec<String>> {
        let sql = sql.replace('@', &self.folder.path().display().to_string());
        let batches = self.context.sql(&sql).await?.collect().await?;
        let mut lines = Vec::new();
        for batch in &batches {
            for row in 0..batch.num_rows() {
                let cells = batch
                    .columns()
                    .iter()
                    .map(|column| array_value_to_string(column, row))
                    .collect::<Result<Vec<_>, _>>()?;
                lines.push(cells.join("|"));
            }
        }
        Ok(lines)
    }

    /// Runs a statement that returns no rows.
    pub(crate) async fn create(&self, sql: &str) {
        if let Err(error) = self.run(sql).await {
            panic!("{sql}: {error}");
        }
    }

    pub(crate) async fn rows(&self, sql: &str) -> Vec<String> {
        match self.run(sql).await {
            Ok(rows) => rows,
            Err(error) => panic!("{sql}: {error}"),
        }
    }

    pub(crate) async fn error(&self, sql: &str) -> String {
        match self.run(sql).await {
            Ok(rows) => panic!("{sql}: {rows:?}"),
            Err(error) => error.to_string(),
        }
    }

    /// Runs a query, and returns the sum of a metric of its scans.
    pub(crate) async fn metric(&self, sql: &str, name: &str) -> usize {
        let frame = self.context.sql(sql).await.unwrap();
        let plan = frame.create_physical_plan().await.unwrap();
        let _ = datafusion::physical_plan::collect(Arc::clone(&plan), self.context.task_ctx())
            .await
            .unwrap();
        fn sum(plan: &Arc<dyn ExecutionPlan>, name: &str) -> usize {
            let own = plan
                .metrics()
                .and_then(|metrics| metrics.sum_by_name(name))
                .map_or(0, |value| value.as_usize());
            own + plan
                .children()
                .into_iter()
                .map(|child| sum(child, name))
                .sum::<usize>()
        }
        sum(&plan, name)
    }
}
