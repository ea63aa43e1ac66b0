//! Times cnflint against `my_print_defaults` on the same file, then over many files. `benches/run.sh` builds and calls it.
//!
//! `speed CNFLINT FILE [REFERENCE…]` alternates the commands, since a machine's load changes from second to second, and prints
//! the median and the fastest run of each and the ratios. `speed CNFLINT --many DIRECTORY` prints time and peak memory of one run.

use std::env;
use std::error::Error;
use std::fs;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Runs of each command; the first tenth only warms the caches.
const RUNS: usize = 2_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let outcome = match arguments.as_slice() {
        [cnflint, many, rest @ ..] if many == "--many" => many_files(cnflint, rest),
        [cnflint, file, reference @ ..] => one_file(cnflint, file, reference),
        _ => {
            println!("usage: speed CNFLINT FILE [REFERENCE…] | speed CNFLINT --many ARGUMENTS…; see benches/run.sh");
            return ExitCode::SUCCESS;
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("speed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn one_file(cnflint: &str, file: &str, reference: &[String]) -> Result<(), Box<dyn Error>> {
    let defaults = format!("--defaults-file={file}");
    let mut named: Vec<(String, Vec<&str>)> = vec![
        ("cnflint FILE".to_owned(), vec![cnflint, file]),
        ("cnflint --server mariadb-10.11 FILE".to_owned(), vec![cnflint, "--server", "mariadb-10.11", file]),
        ("/bin/true".to_owned(), vec!["/bin/true"]),
    ];
    for program in reference {
        named.push((program.clone(), vec![program, &defaults, "mysqld", "server", "mariadb", "mariadbd"]));
    }
    let mut times: Vec<Vec<Duration>> = vec![Vec::with_capacity(RUNS); named.len()];
    for run in 0..RUNS {
        for ((_, words), times) in named.iter().zip(&mut times) {
            let start = Instant::now();
            command(words).status()?;
            let took = start.elapsed();
            if run >= RUNS / 10 {
                times.push(took);
            }
        }
    }
    times.iter_mut().for_each(|times| times.sort());
    let median = |index: usize| times[index][times[index].len() / 2].as_secs_f64() * 1e3;
    let best = |index: usize| times[index][0].as_secs_f64() * 1e3;
    for (index, (name, _)) in named.iter().enumerate() {
        println!("median {:.3} ms, fastest {:.3} ms: {name}", median(index), best(index));
    }
    for reference in named.len() - reference.len()..named.len() {
        for cnflint in 0..2 {
            let (medians, fastest) = (median(cnflint) / median(reference), best(cnflint) / best(reference));
            println!(
                "ratio {medians:.2} (medians), {fastest:.2} (fastest): {} to {}",
                named[cnflint].0, named[reference].0
            );
        }
    }
    Ok(())
}

fn many_files(cnflint: &str, arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let words: Vec<&str> = std::iter::once(cnflint).chain(arguments.iter().map(String::as_str)).collect();
    let start = Instant::now();
    let mut child = command(&words).spawn()?;
    let status_of = format!("/proc/{}/status", child.id());
    let mut peak = None;
    // The kernel keeps the high-water mark until the process is gone.
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let text = fs::read_to_string(&status_of).unwrap_or_default();
        let mark =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = mark.or(peak);
        thread::sleep(Duration::from_micros(500));
    };
    let memory = peak.map_or("unknown".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1024.0));
    println!(
        "{:.2} s, peak memory {memory}, exit status {}: cnflint {}",
        start.elapsed().as_secs_f64(),
        status.code().unwrap_or(-1),
        arguments.join(" ")
    );
    Ok(())
}
