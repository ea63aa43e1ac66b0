//! The command line.

mod cli;
mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    let status = match cli::parse(std::env::args_os().collect()) {
        Ok(command) => commands::run(command),
        Err(error) => {
            let asked_for_help = !error.use_stderr();
            // clap's text goes to standard output or error; a closed pipe is no mistake.
            let _ = error.print();
            if asked_for_help { commands::Status::Clean } else { commands::Status::Usage }
        }
    };
    ExitCode::from(status.code())
}
