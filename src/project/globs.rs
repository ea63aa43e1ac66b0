//! Patterns of paths, from the directory of a `cnflint.toml`.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::{Path, PathBuf};

/// Patterns of paths. One without a slash matches a name at any depth, and one that matches a directory all that is below it.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    directory: PathBuf,
    patterns: Vec<String>,
    set: GlobSet,
}

impl Globs {
    /// Reads patterns; relative ones start at `directory`.
    ///
    /// # Errors
    /// The position of the pattern that cannot be read, and why it cannot.
    pub fn new(directory: &Path, patterns: &[&str]) -> Result<Self, (usize, String)> {
        let mut set = GlobSetBuilder::new();
        for (index, written) in patterns.iter().enumerate() {
            let wrong = |message: &str| (index, message.to_owned());
            let pattern = written.strip_prefix("./").unwrap_or(written).trim_end_matches('/');
            if pattern.is_empty() {
                return Err(wrong("it is empty"));
            }
            if pattern.split('/').any(|part| part == "..") {
                return Err(wrong("it leads out of the directory of cnflint.toml; write it as an absolute path"));
            }
            // `conf/*.cnf` is one place, `*.cnf` is everywhere below.
            let anywhere = !written.trim_end_matches('/').contains('/');
            let anchored = if anywhere { format!("**/{pattern}") } else { pattern.to_owned() };
            for glob in [anchored.clone(), format!("{anchored}/**")] {
                let built = GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build();
                set.add(built.map_err(|error| (index, error.kind().to_string()))?);
            }
        }
        let set = set.build().map_err(|error| (0, error.kind().to_string()))?;
        let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        Ok(Self { directory: directory.to_owned(), patterns, set })
    }

    /// The pattern that means one path and no other.
    pub fn exactly(path: &str) -> String {
        globset::escape(path)
    }

    /// The patterns as they are written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether any pattern matches a file, given by its absolute path.
    pub fn matches(&self, file: &Path) -> bool {
        if self.set.is_empty() {
            return false;
        }
        self.set.is_match(file) || file.strip_prefix(&self.directory).is_ok_and(|below| self.set.is_match(below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, file: &str) -> bool {
        Globs::new(Path::new("/repo"), &[pattern]).unwrap().matches(Path::new(file))
    }

    #[test]
    fn patterns_start_at_the_directory_of_the_file() {
        assert!(matches("prod/**", "/repo/prod/a/b.cnf"));
        assert!(matches("prod/*.cnf", "/repo/prod/b.cnf"));
        assert!(!matches("prod/*.cnf", "/repo/prod/a/b.cnf"), "a star stays within a directory");
        assert!(!matches("prod/**", "/other/prod/b.cnf"));
        assert!(!matches("a/prod/*", "/repo/prod/b.cnf"));
        assert!(matches("./prod/b.cnf", "/repo/prod/b.cnf"));
    }

    #[test]
    fn a_name_is_meant_everywhere_and_a_directory_with_all_below_it() {
        assert!(matches("my.cnf", "/repo/my.cnf") && matches("my.cnf", "/repo/a/b/my.cnf"));
        assert!(matches("vendor", "/repo/vendor/x/my.cnf") && matches("vendor/", "/repo/a/vendor/my.cnf"));
        assert!(matches("{db1,db2}.cnf", "/repo/db2.cnf") && !matches("db[12].cnf", "/repo/db3.cnf"));
    }

    #[test]
    fn absolute_patterns_are_absolute() {
        assert!(matches("/etc/mysql/**", "/etc/mysql/conf.d/a.cnf"));
        assert!(!matches("/prod/**", "/repo/prod/a.cnf"));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let wrong = |pattern| Globs::new(Path::new("/repo"), &["a", pattern]).unwrap_err();
        assert_eq!(wrong("{a,b").0, 1);
        assert!(wrong("../x").1.contains("leads out"));
        assert!(wrong("").1.contains("empty"));
    }
}
