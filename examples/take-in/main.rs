//! Takes a server version into the catalog's source: `cargo run --example take-in -- --help`.

#![allow(missing_docs, reason = "a tool for those who work on the catalog")]

mod ask;
mod form;
mod merge;
mod observation;

use cnflint::server::{Server, ServerSpec};
use form::Form;
use merge::Changes;
use observation::Observation;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "Takes a server version into catalog/*.options and prints what appeared, vanished and changed.

  cargo run --example take-in -- --mysqld PATH [--record DIR] [-- OPTION…]
        asks a server binary; the OPTIONs are given to it (--plugin-dir=…, --lc-messages-dir=…)
  cargo run --example take-in -- --server mariadb-11.8.9 --recorded DIR
        reads what was recorded with --record, or by hand: help.txt (--help --verbose), help-plugins.txt (the same with
        plugins loaded), system_variables.tsv (MariaDB), variables_metadata.tsv and global_variables.tsv (MySQL)
  cargo run --example take-in -- --server mariadb-11.8.9 --leave-out
        takes a version out again

  --server SERVER   the exact version; with --mysqld it must be the binary's own, a series is enough
  --catalog DIR     the catalog (default: catalog)
";

#[derive(Default)]
struct Arguments {
    server: Option<String>,
    mysqld: Option<PathBuf>,
    record: Option<PathBuf>,
    recorded: Option<PathBuf>,
    leave_out: bool,
    catalog: Option<PathBuf>,
    options: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("take-in: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let Some(arguments) = arguments()? else {
        print!("{USAGE}");
        return Ok(());
    };
    let catalog = arguments.catalog.unwrap_or_else(|| PathBuf::from("catalog"));
    let wanted = arguments.server.as_deref().map(ServerSpec::parse).transpose()?;
    let mut form = Form::read(&catalog)?;
    let exact = || match wanted {
        Some(ServerSpec::Exact(server)) => Ok(server),
        _ => Err("--server must name an exact version: mariadb-11.8.9"),
    };
    if arguments.leave_out {
        merge::leave_out(&mut form, exact()?);
        return Ok(form.write()?);
    }
    let kept;
    let (server, observation) = match (arguments.recorded, arguments.mysqld) {
        (Some(directory), None) => {
            let server = exact()?;
            (server, Observation::read(&directory, server.flavor)?)
        }
        (None, Some(program)) => {
            let directory = match arguments.record {
                Some(directory) => {
                    std::fs::create_dir_all(&directory)?;
                    directory
                }
                None => {
                    kept = tempfile::tempdir()?;
                    kept.path().to_owned()
                }
            };
            asked(&program, &arguments.options, wanted, &mut form, &directory)?
        }
        _ => return Err("give either --mysqld PATH or --recorded DIR; --help says more".into()),
    };
    let newest = form.releases(server.flavor).into_iter().max();
    if newest.is_some_and(|newest| newest >= server.version) {
        return Err(
            format!("the catalog has {} of this flavor, and only newer ones can be taken in", shown(newest)).into()
        );
    }
    let changes = merge::take_in(&mut form, server, &observation);
    form.write()?;
    print(server, &changes);
    Ok(())
}

fn shown(version: Option<cnflint::server::Version>) -> String {
    version.map_or_else(String::new, |version| version.to_string())
}

fn asked(
    program: &Path,
    options: &[String],
    wanted: Option<ServerSpec>,
    form: &mut Form,
    directory: &Path,
) -> Result<(Server, Observation), Box<dyn Error>> {
    let asked = ask::Asked::new(program, options)?;
    let server = asked.server;
    let fits = match wanted {
        Some(ServerSpec::Exact(wanted)) => wanted == server,
        Some(ServerSpec::Series(series)) => series.flavor == server.flavor && series.first.same_series(server.version),
        Some(ServerSpec::Flavor(flavor)) => flavor == server.flavor,
        None => true,
    };
    if !fits {
        return Err(format!("the program is {server}").into());
    }
    Ok((server, asked.everything(form, directory)?))
}

fn print(server: Server, changes: &Changes) {
    println!("{server} taken in");
    let parts = [
        ("appeared", &changes.appeared),
        ("vanished", &changes.vanished),
        ("changed", &changes.changed),
        ("not settled (ask the server)", &changes.open),
    ];
    for (title, lines) in parts.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        println!("\n{title}: {}", lines.len());
        lines.iter().for_each(|line| println!("  {line}"));
    }
    println!(
        "\nNow read `git diff catalog`. No listing tells units, which variable an option sets, booleans of plugins (plugin-boolean), \
         paths, since when a name is deprecated and what takes its place, or an `about`."
    );
}

fn arguments() -> Result<Option<Arguments>, Box<dyn Error>> {
    let mut arguments = Arguments::default();
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--server" => arguments.server = Some(value()?),
            "--mysqld" => arguments.mysqld = Some(value()?.into()),
            "--record" => arguments.record = Some(value()?.into()),
            "--recorded" => arguments.recorded = Some(value()?.into()),
            "--catalog" => arguments.catalog = Some(value()?.into()),
            "--leave-out" => arguments.leave_out = true,
            "--" => arguments.options = given.by_ref().collect(),
            other => return Err(format!("{other} is no option; --help says more").into()),
        }
    }
    Ok(Some(arguments))
}
