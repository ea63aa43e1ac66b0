//! How a run ends.

/// The exit status, in the order of weight: of several causes the last one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing at or above `--fail-on`.
    #[default]
    Clean,
    /// There was nothing to lint.
    NothingToLint,
    /// Findings at or above `--fail-on`.
    Findings,
    /// An input could not be read.
    Unreadable,
    /// Bad usage, configuration or rule, or a required fact is missing.
    Usage,
}

impl Status {
    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::NothingToLint => 3,
            Self::Unreadable => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_causes_the_heaviest_counts() {
        let mut all = [Status::Clean, Status::Findings, Status::Usage, Status::NothingToLint, Status::Unreadable];
        all.sort();
        assert_eq!(all.map(Status::code), [0, 3, 1, 4, 2]);
    }
}
