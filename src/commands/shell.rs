//! `completions` and `man`: what a package installs beside the program.

use crate::cli;
use clap_complete::Shell;
use std::io::{self, Write};

/// Writes the completions for a shell.
pub fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    clap_complete::generate(shell, &mut cli::command(), "cnflint", &mut &mut *out);
    Ok(())
}

/// Writes the manual page.
pub fn manual(out: &mut dyn Write) -> io::Result<()> {
    clap_mangen::Man::new(cli::command()).render(&mut &mut *out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_completes_and_the_manual_names_the_flags() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut out = Vec::new();
            completions(shell, &mut out).unwrap();
            assert!(String::from_utf8(out).unwrap().contains("fail-on"), "{shell}");
        }
        let mut out = Vec::new();
        manual(&mut out).unwrap();
        let page = String::from_utf8(out).unwrap();
        assert!(page.starts_with(".ie") || page.contains(".TH cnflint"));
        assert!(page.contains("disk\\-endurance"));
    }
}
