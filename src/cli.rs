//! The arguments of every command, and what `--help` teaches.

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use cnflint::facts::{FactId, FactSource, Facts};
use cnflint::finding::Severity;
use cnflint::server::ServerSpec;
use cnflint::value::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  cnflint /etc/mysql/my.cnf --server mariadb-10.11
        what the file means to that server, with everything it includes
  cnflint my.cnf --server mysql-8.4 --ram 64G --disk nvme
        for a machine that is not this one
  cnflint
        the files that the server on this host reads, with this host's facts
  mysql -e 'SHOW GLOBAL VARIABLES; SHOW GLOBAL STATUS' | cnflint --snapshot - /etc/my.cnf
        beside a running server: what the next restart would change
  cnflint new.cnf --as /etc/mysql/conf.d/new.cnf --detect --require ram,disk
        as a gate before a deploy: fails on errors, and when a fact is missing
  cnflint my.cnf --server mysql-8.4 --diff --unsafe-fixes
        what the fixes would change; --fix in place of --diff makes them
  cnflint init
        a cnflint.toml, which says once what would otherwise be flags: docs/configuration.md
  cnflint explain buffer-pool-too-large
        why a rule says what it says

Exit status:
  0  nothing at or above --fail-on        3  nothing to lint
  1  findings at or above --fail-on       4  an input could not be read, or with --fix not written
  2  bad usage or configuration, or a required fact is missing";

/// Lint MySQL and MariaDB option files the way the server reads them.
///
/// cnflint says what will not start, lose data, run out of memory, wear the disk out or waste the machine, each with a
/// fix and the arithmetic behind it. It reads files only: it never connects to a server, and changes nothing without --fix.
#[derive(Debug, Parser)]
#[command(name = "cnflint", version, args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
#[command(after_help = "`cnflint PATH` is `cnflint check PATH`. --help says more, with examples.")]
struct Everything {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: CheckArguments,
}

// The same without the other commands, since building those takes longer than linting a file.
/// Lint MySQL and MariaDB option files the way the server reads them.
///
/// cnflint says what will not start, lose data, run out of memory, wear the disk out or waste the machine, each with a
/// fix and the arithmetic behind it. It reads files only: it never connects to a server, and changes nothing without --fix.
#[derive(Debug, Parser)]
#[command(name = "cnflint", version, after_long_help = EXAMPLES)]
struct CheckOnly {
    #[command(flatten)]
    check: CheckArguments,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lint option files (what is done without a command)
    #[command(after_long_help = EXAMPLES)]
    Check(Box<CheckArguments>),
    /// Print the settings that a program would end up with
    Effective(Box<EffectiveArguments>),
    /// Explain a rule or an option
    Explain(ExplainArguments),
    /// List the rules
    Rules(RulesArguments),
    /// Print what is known about this host, as TOML that --facts reads back
    Facts(Box<FactsArguments>),
    /// Write a cnflint.toml with comments, from what is seen
    Init(InitArguments),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of one command
    Man {
        /// The command
        #[arg(value_parser = COMMANDS)]
        command: Option<String>,
    },
}

/// The commands that a first argument can be.
pub const COMMANDS: [&str; 8] = ["check", "effective", "explain", "rules", "facts", "init", "completions", "man"];

/// Reads the arguments, the program's name first. A first argument equal to a command is that command.
///
/// # Errors
/// clap's, which also carries the text of `--help` and `--version`.
pub fn parse(arguments: Vec<OsString>) -> Result<Command, clap::Error> {
    match arguments.get(1).and_then(|first| first.to_str()) {
        Some("check") => {
            let rest = arguments.into_iter().skip(2);
            let named = std::iter::once(OsString::from("cnflint check")).chain(rest);
            Ok(Command::Check(Box::new(CheckOnly::try_parse_from(named)?.check)))
        }
        Some(
            "effective" | "explain" | "rules" | "facts" | "init" | "completions" | "man" | "help" | "-h" | "--help",
        ) => {
            let parsed = Everything::try_parse_from(arguments)?;
            Ok(parsed.command.unwrap_or_else(|| Command::Check(Box::new(parsed.check))))
        }
        _ => Ok(Command::Check(Box::new(CheckOnly::try_parse_from(arguments)?.check))),
    }
}

/// The whole command line, for completions and the manual page.
pub fn command() -> clap::Command {
    Everything::command()
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// What is linted.
    #[command(flatten)]
    pub target: TargetArguments,
    /// The server that is to take its place: what stops it, what it ignores, what it does otherwise
    ///
    /// Also another flavor: --server mysql-8.0 --upgrade-to mariadb-11.8. A series stands for its newest release. Fixes
    /// suit both servers, wherever there are such.
    #[arg(long, value_name = "SERVER", value_parser = ServerSpec::parse)]
    pub upgrade_to: Option<ServerSpec>,
    /// What is known.
    #[command(flatten)]
    pub facts: FactArguments,
    /// Fail unless all of these are known: ram, cpus, disk, server, or any name of a fact
    #[arg(long, value_name = "FACT,…", value_delimiter = ',', value_parser = Required::parse,
          help_heading = "The machine")]
    pub require: Vec<Required>,
    /// Which rules count.
    #[command(flatten)]
    pub selection: SelectionArguments,
    /// Which fixes are made.
    #[command(flatten)]
    pub fixing: FixingArguments,
    /// What comes out.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Which fixes are made, and where.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Fixing")]
pub struct FixingArguments {
    /// Make the fixes that keep the effective meaning, and report what remains
    ///
    /// Only files that are named, and what they include, are changed. What is read from standard input is printed with its
    /// fixes, and the report goes to standard error.
    #[arg(long)]
    pub fix: bool,
    /// With --fix or --diff: also the fixes that change behaviour, as every new size does
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Print what the fixes would change, and change nothing
    #[arg(long, conflicts_with = "format")]
    pub diff: bool,
}

/// Which files, and for which server.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "What to lint")]
pub struct TargetArguments {
    /// Files, directories (every option file in them, templates and carriers too), or - for standard input
    ///
    /// Without a path, the files that the server on this host would read. Includes are followed. A file that includes
    /// others is a whole server; a lone file from a conf.d is a fragment, and nothing is said about what it leaves out.
    #[arg(value_name = "PATH", help_heading = clap::builder::Resettable::Reset)]
    pub paths: Vec<PathBuf>,
    /// The name that standard input goes by in the report
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<PathBuf>,
    /// Lint the file as if it stood at this path, with this host's other files around it
    #[arg(long = "as", value_name = "PATH")]
    pub as_path: Option<PathBuf>,
    /// Resolve absolute include paths below this directory
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// What a client printed of the running server (- for standard input)
    ///
    /// SHOW GLOBAL VARIABLES, SHOW GLOBAL STATUS, performance_schema.variables_info or
    /// information_schema.SYSTEM_VARIABLES, in any form that the client prints. Without a path, its variables are what
    /// is linted.
    #[arg(long, value_name = "FILE")]
    pub snapshot: Vec<PathBuf>,
    /// The server's persisted variables: mysqld-auto.cnf (- for standard input)
    #[arg(long, value_name = "FILE")]
    pub persisted: Option<PathBuf>,
    /// The server: mysql-8.4, mariadb-10.11.6, percona-8.0, or what `mysqld --version` printed
    ///
    /// A series such as mysql-8.0 stands for all its releases: the first and the last are both looked at.
    #[arg(long, value_name = "SERVER", value_parser = ServerSpec::parse)]
    pub server: Option<ServerSpec>,
    /// Fill the variable of a Jinja or Go template in before it is linted; a dotted name stands for a value in a value
    #[arg(long, value_name = "NAME=VALUE", value_parser = definition)]
    pub define: Vec<(String, String)>,
    /// Fill templates in with the variables of a file: YAML, JSON or TOML
    ///
    /// Ansible's group_vars, for example. Of several files the last one that has a variable counts, and --define before all.
    #[arg(long, value_name = "FILE")]
    pub define_file: Vec<PathBuf>,
    /// Take this cnflint.toml, and look for no other one
    ///
    /// Without it, the nearest cnflint.toml counts, from the directory of each file upward to the root of its repository.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Heed no cnflint.toml
    #[arg(long)]
    pub no_config: bool,
}

impl TargetArguments {
    /// The arguments that ask for standard input.
    pub fn standard_input(&self) -> Vec<&'static str> {
        let is_dash = |path: &Path| path.as_os_str() == "-";
        let paths = self.paths.iter().filter(|path| is_dash(path)).map(|_| "PATH");
        let snapshots = self.snapshot.iter().filter(|path| is_dash(path)).map(|_| "--snapshot");
        let persisted = self.persisted.iter().filter(|path| is_dash(path)).map(|_| "--persisted");
        paths.chain(snapshots).chain(persisted).collect()
    }
}

/// `name=value`.
fn definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

macro_rules! fact_arguments {
    ($($(#[doc = $doc:literal])+ $field:ident $id:ident $long:literal $name:literal $heading:literal;)+) => {
        /// What is known about the machine and its work. Sizes as the server writes them: K, M, G, T, powers of 1024.
        #[derive(Debug, Default, Args)]
        pub struct FactArguments {
            /// A file of facts, as `cnflint facts` prints it; the first file that knows a fact counts
            #[arg(long = "facts", value_name = "FILE", help_heading = "The machine")]
            pub files: Vec<PathBuf>,
            /// Look at this host, whatever file is linted
            #[arg(long, overrides_with = "no_detect", help_heading = "The machine")]
            pub detect: bool,
            /// Do not look at this host
            #[arg(long, overrides_with = "detect", help_heading = "The machine")]
            pub no_detect: bool,
            /// Other programs share the machine
            #[arg(long, help_heading = "The work")]
            pub shared: bool,
            $($(#[doc = $doc])+
            #[arg(long = $long, value_name = $name, help_heading = $heading,
                  value_parser = |text: &str| FactId::$id.parse(text))]
            pub $field: Option<Value<'static>>,)+
        }

        impl FactArguments {
            /// The facts that flags give.
            pub fn given(&self) -> Facts {
                let mut facts = Facts::default();
                $(if let Some(value) = &self.$field {
                    facts.set(FactId::$id, value.clone(), FactSource::Flag(concat!("--", $long)));
                })+
                if self.shared {
                    facts.set(FactId::WorkloadShared, Value::boolean(true), FactSource::Flag("--shared"));
                }
                facts
            }
        }
    };
}

fact_arguments! {
    /// Memory that the server may use
    ram HostRam "ram" "SIZE" "The machine";
    /// Processors that the server may use
    cpus HostCpus "cpus" "NUMBER" "The machine";
    /// Kind of the disk under the data directory: hdd, ssd, nvme or network
    disk DiskKind "disk" "KIND" "The machine";
    /// Class of the drive, an assumption about its endurance: consumer-qlc, consumer-tlc, enterprise-read-intensive, enterprise-mixed-use, enterprise-write-intensive or optane
    disk_class DiskClass "disk-class" "CLASS" "The machine";
    /// Capacity of the drive as the vendor prints it: 1.6T is 1.6 TB
    disk_capacity DiskCapacity "disk-capacity" "SIZE" "The machine";
    /// Bytes that the vendor warrants may be written (TBW): 12.25P is 12.25 PB
    disk_endurance DiskEndurance "disk-endurance" "SIZE" "The machine";
    /// Share of the drive that is in use: 75%
    disk_fill DiskFill "disk-fill" "SHARE" "The machine";
    /// How long the drive is to last: 5y
    disk_lifetime DiskLifetime "disk-lifetime" "YEARS" "The machine";
    /// Bytes of the largest load or transaction
    load_size WorkloadLoadSize "load-size" "SIZE" "The work";
    /// Redo bytes written for each byte loaded
    redo_factor WorkloadRedoFactor "redo-factor" "NUMBER" "The work";
    /// Redo bytes a second at the peak
    redo_rate WorkloadRedoRate "redo-rate" "SIZE" "The work";
    /// Bytes a second that reach the device, averaged over days
    write_rate WorkloadWriteRate "write-rate" "SIZE" "The work";
    /// What the server is doing: production or import
    phase WorkloadPhase "phase" "PHASE" "The work";
    /// Its part in replication: primary, replica or standalone
    role WorkloadRole "role" "ROLE" "The work";
}

/// Something that has to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Required {
    /// The server, by more than an assumption.
    Server,
    /// A fact.
    Fact(FactId),
}

impl Required {
    /// Reads `server`, a fact's name (`disk.fill`), or its flag without dashes (`ram`, `disk-fill`).
    ///
    /// # Errors
    /// When nothing goes by that name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let flag = |id: &FactId| id.flag().is_some_and(|flag| flag.trim_start_matches("--") == text);
        let by_flag = || FactId::ALL.iter().copied().find(|id| flag(id));
        match text {
            "server" => Ok(Self::Server),
            _ => FactId::from_name(text).or_else(by_flag).map(Self::Fact).ok_or_else(|| {
                let names = FactId::ALL.iter().filter_map(|id| id.flag()).map(|flag| flag.trim_start_matches("--"));
                let mut names: Vec<_> = names.collect();
                names.dedup();
                format!("no such fact; write server, {}", names.join(", "))
            }),
        }
    }

    /// How the flag calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Fact(id) => id.flag().map_or(id.name(), |flag| flag.trim_start_matches("--")),
        }
    }
}

/// Which rules count, and from where on the run fails.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Rules")]
pub struct SelectionArguments {
    /// Only these rules or areas (a * stands for any text)
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Without these rules or areas (a * stands for any text)
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Leave out what is less severe
    #[arg(long, value_name = "SEVERITY")]
    pub min_severity: Option<SeverityArgument>,
    /// Exit with 1 from this severity on [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Also the site's own rules in this directory
    #[arg(long, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// Do not heed `# cnflint: ignore[RULE]` comments in the files, nor `ignore` in cnflint.toml
    #[arg(long)]
    pub no_ignores: bool,
    /// Leave out the findings that this file counts, by file, rule and option
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the baseline: all findings the first time, later only those that are left of it
    #[arg(long)]
    pub write_baseline: bool,
}

/// A severity on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SeverityArgument {
    /// Will not start, or loses data
    Error,
    /// A risk
    Warning,
    /// Could be better
    #[default]
    Advice,
}

impl From<SeverityArgument> for Severity {
    fn from(argument: SeverityArgument) -> Self {
        match argument {
            SeverityArgument::Error => Self::Error,
            SeverityArgument::Warning => Self::Warning,
            SeverityArgument::Advice => Self::Advice,
        }
    }
}

/// From which severity on a run fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors
    #[default]
    Error,
    /// Errors and warnings
    Warning,
    /// Anything found
    Advice,
    /// Nothing
    Never,
}

impl FailOn {
    /// Whether a finding of that severity fails the run.
    pub fn includes(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Advice => true,
            Self::Never => false,
        }
    }
}

/// What comes out, and where.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// human, short (a line a finding), json, github (annotations for Actions), sarif, gitlab (code quality), junit, or markdown
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "human",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub format: Format,
    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Only findings: no heading, no footer
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Advice in full, every reason to its end, and what each file was taken for
    #[arg(long, short)]
    pub verbose: bool,
}

/// A form of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person
    #[default]
    Human,
    /// One line a finding
    Short,
    /// For programs
    Json,
    /// Annotations for GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitLab's code quality report
    Gitlab,
    /// JUnit's XML
    Junit,
    /// For the summary of a build
    Markdown,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal; NO_COLOR and CLICOLOR_FORCE count
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The arguments of `effective`.
#[derive(Debug, Args)]
pub struct EffectiveArguments {
    /// What is read.
    #[command(flatten)]
    pub target: TargetArguments,
    /// The program that reads: mysqld, mariadbd, mysql, mysqldump, …
    #[arg(long, value_name = "PROGRAM", default_value = "mysqld")]
    pub program: String,
    /// args is what my_print_defaults of that server prints, passwords included; table and json hide them
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: EffectiveFormat,
    /// Write to a file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Whether it is paged.
    #[command(flatten)]
    pub pager: PagerArguments,
}

/// A form of the effective settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EffectiveFormat {
    /// As my_print_defaults prints them
    Args,
    /// Setting, value and where it was set
    #[default]
    Table,
    /// For programs
    Json,
}

/// The arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The id of a rule, or the name of an option
    #[arg(value_name = "RULE|OPTION")]
    pub name: String,
    /// Of an option: only what this server, series or flavor makes of it
    #[arg(long, value_name = "SERVER", value_parser = ServerSpec::parse)]
    pub server: Option<ServerSpec>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Whether it is paged.
    #[command(flatten)]
    pub pager: PagerArguments,
}

/// The arguments of `rules`.
#[derive(Debug, Args)]
pub struct RulesArguments {
    /// Only these rules or areas (a * stands for any text)
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Also the site's own rules in this directory
    #[arg(long, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// The form of the list
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
    /// Whether it is paged.
    #[command(flatten)]
    pub pager: PagerArguments,
}

/// A form of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// Columns
    #[default]
    Table,
    /// For programs
    Json,
}

/// The arguments of `facts`.
#[derive(Debug, Args)]
pub struct FactsArguments {
    /// What is known besides.
    #[command(flatten)]
    pub facts: FactArguments,
    /// The server's data directory, when it is not the usual one
    #[arg(long, value_name = "DIR", default_value = "/var/lib/mysql")]
    pub datadir: PathBuf,
    /// Say why each missing fact is unknown
    #[arg(long, short)]
    pub verbose: bool,
}

/// The arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArguments {
    /// The directory that it is written to, and whose option files are looked at
    #[arg(value_name = "DIR", default_value = ".")]
    pub directory: PathBuf,
    /// Write over a cnflint.toml that is there
    #[arg(long)]
    pub force: bool,
}

/// Whether long pages go through a pager.
#[derive(Debug, Default, Args)]
pub struct PagerArguments {
    /// Print a long page as it is
    ///
    /// On a terminal, what is longer than it goes through CNFLINT_PAGER, or PAGER, or less.
    #[arg(long)]
    pub no_pager: bool,
}

#[cfg(test)]
mod tests;
