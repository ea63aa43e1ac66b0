//! One file for each command, and what they share.

mod baseline;
mod check;
mod effective;
mod explain;
mod fence;
mod fill;
mod fix;
mod gather;
mod host;
mod init;
mod overlay;
mod pager;
mod project;
mod replace;
mod rules;
mod run;
mod selection;
mod shell;
mod status;
mod terminal;
mod wiring;

pub use status::Status;

use crate::cli::{
    Command, EffectiveArguments, ExplainArguments, FactsArguments, Format, InitArguments, RulesArguments,
    TargetArguments,
};
use cnflint::disk::Disk;
use cnflint::facts::Facts;
use cnflint::facts::file::to_toml;
use cnflint::fix::Wanted;
use cnflint::lint::Report;
use cnflint::pages::{self, OptionPages, RulePage, Scope};
use cnflint::project::{FILE_NAME, Projects, lexical};
use cnflint::report::human::Mistake;
use cnflint::rules::current;
use cnflint::source::Files;
use cnflint::suppress::suppress;
use gather::Place;
use std::io;
use std::path::{Path, PathBuf};
use terminal::{complain, note};

/// Runs a command.
pub fn run(command: Command) -> Status {
    let outcome = match command {
        Command::Check(arguments) => run_check(&arguments),
        Command::Effective(arguments) => run_effective(&arguments),
        Command::Explain(arguments) => run_explain(&arguments),
        Command::Rules(arguments) => run_rules(&arguments),
        Command::Facts(arguments) => run_facts(&arguments),
        Command::Init(arguments) => run_init(&arguments),
        Command::Completions { shell } => terminal::write(None, |out| shell::completions(shell, out)).map(clean),
        Command::Man { command } => terminal::write(None, |out| shell::manual(command.as_deref(), out)).map(clean),
    };
    outcome.unwrap_or_else(|mistake| {
        complain(&mistake);
        Status::Usage
    })
}

fn clean((): ()) -> Status {
    Status::Clean
}

fn run_check(arguments: &crate::cli::CheckArguments) -> Result<Status, Mistake> {
    let build_machine = build_machine();
    let (target, flags) = (&arguments.target, &arguments.facts);
    // Looking for the server's unit costs a third of a quiet run; a file of a repository is none that it names.
    let is_here =
        target.paths.is_empty() || target.as_path.is_some() || target.paths.iter().any(|path| path.is_absolute());
    let place = place(!flags.detect && (build_machine || !is_here));
    fix::check_usage(arguments)?;
    let mut projects = project::projects(target, &place.working_directory, &Disk)?;
    let gathered = gather::gather(target, &Disk, &mut io::stdin().lock(), &place, &mut projects)?;
    let own_rules = projects.all().iter().flat_map(|project| &project.rules).map(PathBuf::as_path);
    let rules =
        wiring::Rules::load(&arguments.selection.rules.as_deref().into_iter().chain(own_rules).collect::<Vec<_>>())?;
    let sets = rules.sets();
    project::check_rules(&projects, &sets)?;
    let selects = projects.all().iter().any(|project| !project.select.is_empty());
    let chosen = selects || !arguments.selection.select.is_empty() || !arguments.selection.ignore.is_empty();
    let pages = if chosen || arguments.output.format == Format::Sarif { rules.pages() } else { Vec::new() };
    let fix =
        |files: &dyn Files, subject: &_, wanted: Wanted<'_>| cnflint::fix::fix(files, subject, &rules.sets(), wanted);
    let mut lint = |files: &dyn Files, subject, report: &mut Report| rules.lint(files, subject, report);
    let mut rooms = run::Rooms {
        files: &Disk,
        place,
        build_machine,
        rules: &pages,
        sets: &sets,
        projects: &projects,
        look_at_host: &host::look,
        lint: &mut lint,
        suppress: &|report| suppress(report, &rules.sets()),
        fix: &fix,
        replace: replace::replace,
    };
    check::run(arguments, gathered, &mut rooms)
}

fn run_effective(arguments: &EffectiveArguments) -> Result<Status, Mistake> {
    let place = place(false);
    let mut projects = project::projects(&arguments.target, &place.working_directory, &Disk)?;
    let gathered = gather::gather(&arguments.target, &Disk, &mut io::stdin().lock(), &place, &mut projects)?;
    for (path, error) in &gathered.unreadable {
        note(&format!("cannot read {}: {error}", path.display()));
    }
    let unreadable = if gathered.unreadable.is_empty() { Status::Clean } else { Status::Unreadable };
    let mut subjects = gathered.subjects;
    let Some(mut subject) = subjects.pop() else { return Ok(unreadable.max(Status::NothingToLint)) };
    if !subjects.is_empty() {
        let message = format!("`effective` shows one server, and the paths name {}", subjects.len() + 1);
        return Err(Mistake { message, ..Mistake::default() });
    }
    project::configure(&mut subject, &projects);
    let files = overlay::Overlay { below: &Disk, file: gathered.candidate };
    let view = wiring::effective(&files, subject, &arguments.program)?;
    let content = |out: &mut dyn io::Write| effective::write(&view, arguments.format, out);
    match &arguments.output {
        Some(path) => terminal::write(Some(path), content)?,
        None => pager::write(!arguments.pager.no_pager, content)?,
    }
    Ok(unreadable)
}

fn run_explain(arguments: &ExplainArguments) -> Result<Status, Mistake> {
    let rules = wiring::Rules::load(&[])?.pages();
    let rule = rules.iter().find(|rule| rule.id == current(&arguments.name));
    let scope = arguments.server.map_or(Scope::Everything, Scope::Of);
    let option = OptionPages::new(&rules).option(&arguments.name, scope);
    if rule.is_none() && option.is_none() {
        let begin_so = pages::beginning_so(&arguments.name);
        let help = if begin_so.is_empty() {
            pages::similar_option(&arguments.name, scope)
                .or_else(|| selection::similar(&arguments.name, &rules))
                .map(|name| format!("did you mean `{name}`?"))
        } else {
            Some(format!("options that begin so: {}", begin_so.join(", ")))
        };
        let message = format!("`{}` is neither a rule nor an option that any known server has", arguments.name);
        return Err(Mistake { message, help, place: None });
    }
    let look = terminal::look(arguments.color, false);
    pager::write(!arguments.pager.no_pager, |out| {
        if let Some(page) = rule {
            explain::rule(page, &look, out)?;
        }
        if rule.is_some() && option.is_some() {
            writeln!(out)?;
        }
        option.iter().try_for_each(|page| explain::option(page, &look, out))
    })?;
    Ok(Status::Clean)
}

fn run_rules(arguments: &RulesArguments) -> Result<Status, Mistake> {
    let rules = wiring::Rules::load(arguments.rules.as_deref().as_slice())?.pages();
    let chosen = selection::matching(&arguments.select, &rules)?;
    let is_chosen = |rule: &&RulePage| arguments.select.is_empty() || chosen.contains(rule.id.as_str());
    let listed: Vec<_> = rules.iter().filter(is_chosen).collect();
    pager::write(!arguments.pager.no_pager, |out| rules::write(&listed, arguments.format, out))?;
    Ok(Status::Clean)
}

fn run_facts(arguments: &FactsArguments) -> Result<Status, Mistake> {
    let mut facts = run::given_facts(&arguments.facts, &Disk)?;
    let mut reasons = Vec::new();
    if !arguments.facts.no_detect {
        let detection = host::facts(&arguments.datadir);
        facts.fill_from(detection.facts);
        reasons = detection.notes;
    }
    let text = to_toml(&facts);
    terminal::write(None, |out| out.write_all(text.as_bytes()))?;
    if arguments.verbose {
        reasons.iter().for_each(|missing| note(&format!("{}: {}", missing.fact.name(), missing.reason)));
    }
    Ok(Status::Clean)
}

fn run_init(arguments: &InitArguments) -> Result<Status, Mistake> {
    let place = place(build_machine());
    let directory = lexical(&place.working_directory.join(&arguments.directory));
    let path = directory.join(FILE_NAME);
    if Disk.kind(&path).is_ok() && !arguments.force {
        let message = format!("{} is there already", path.display());
        return Err(Mistake { message, help: Some("--force writes over it".to_owned()), place: None });
    }
    let target = TargetArguments { paths: vec![directory.clone()], ..TargetArguments::default() };
    let mut projects = Projects::none(&place.working_directory);
    let gathered = gather::gather(&target, &Disk, &mut io::empty(), &place, &mut projects)?;
    for (path, error) in &gathered.unreadable {
        note(&format!("cannot read {}: {error}", path.display()));
    }
    let is_here = gathered.subjects.iter().any(|subject| subject.own_files) && !build_machine();
    let facts = if is_here { host::facts(Path::new(host::USUAL_DATADIR)).facts } else { Facts::default() };
    let seen: Vec<_> = gathered.subjects.iter().filter_map(|subject| wiring::seen(&Disk, subject)).collect();
    let text = init::text(&directory, &seen, &facts);
    terminal::write(Some(&path), |out| out.write_all(text.as_bytes()))?;
    let files = cnflint::report::text::counted(seen.len(), "server", "servers");
    note(&format!("wrote {}: {files} found", path.display()));
    Ok(if gathered.unreadable.is_empty() { Status::Clean } else { Status::Unreadable })
}

/// Whether this is a build machine: then it is not the database host.
fn build_machine() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Where cnflint runs; on somebody else's machine without what this one's server is started with.
fn place(elsewhere: bool) -> Place {
    let home = std::env::home_dir();
    Place {
        working_directory: std::env::current_dir().unwrap_or_default(),
        default_files: if elsewhere {
            wiring::default_files(home.as_deref())
        } else {
            host::option_files(home.as_deref())
        },
        home,
    }
}
