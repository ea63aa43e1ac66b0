//! `completions` and `man`: what a package installs beside the program.

use crate::cli;
use clap_complete::Shell;
use std::io::{self, Write};

/// Writes the completions for a shell.
pub fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    clap_complete::generate(shell, &mut cli::command(), "cnflint", &mut &mut *out);
    Ok(())
}

/// Writes the manual page of the program, or of one of its commands.
pub fn manual(command: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let mut all = cli::command();
    all.build();
    let page = match command.and_then(|name| all.find_subcommand(name)) {
        Some(one) => clap_mangen::Man::new(one.clone()).title(format!("cnflint-{}", one.get_name())),
        None => clap_mangen::Man::new(all),
    };
    page.render(&mut &mut *out)
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
        manual(None, &mut out).unwrap();
        let page = String::from_utf8(out).unwrap();
        let mut out = Vec::new();
        manual(Some("explain"), &mut out).unwrap();
        let explain = String::from_utf8(out).unwrap();
        assert!(explain.contains("cnflint\\-explain") && explain.contains("no\\-pager"), "{explain}");
        assert!(page.contains("no\\-config") && page.contains("cnflint\\-init"));
        assert!(page.starts_with(".ie") || page.contains(".TH cnflint"));
        assert!(page.contains("disk\\-endurance"));
    }
}
