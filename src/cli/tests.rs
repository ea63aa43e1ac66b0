use super::*;

fn parsed(line: &str) -> Command {
    parse(line.split(' ').map(OsString::from).collect()).unwrap()
}

fn check(line: &str) -> CheckArguments {
    match parsed(line) {
        Command::Check(arguments) => *arguments,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_arguments_are_well_formed() {
    Everything::command().debug_assert();
    CheckOnly::command().debug_assert();
}

#[test]
fn a_path_is_checked_and_a_command_is_a_command() {
    assert_eq!(check("cnflint my.cnf").target.paths, [PathBuf::from("my.cnf")]);
    assert_eq!(check("cnflint check effective").target.paths, [PathBuf::from("effective")]);
    assert_eq!(check("cnflint my.cnf man").target.paths.len(), 2);
    assert!(check("cnflint").target.paths.is_empty());
    assert!(matches!(parsed("cnflint effective my.cnf"), Command::Effective(_)));
    assert!(matches!(parsed("cnflint man"), Command::Man { command: None }));
}

#[test]
fn every_fact_with_a_flag_is_an_argument() {
    let command = CheckOnly::command();
    for flag in FactId::ALL.iter().filter_map(|id| id.flag()) {
        let long = flag.trim_start_matches("--");
        assert!(command.get_arguments().any(|argument| argument.get_long() == Some(long)), "{flag}");
    }
}

#[test]
fn flags_become_facts_with_their_source() {
    let facts = check("cnflint a.cnf --ram 64G --disk nvme --shared --disk-fill 75%").facts.given();
    let ram = facts.get(FactId::HostRam).unwrap();
    assert_eq!(ram.value, Value::Integer(64 << 30));
    assert_eq!(ram.source, FactSource::Flag("--ram"));
    assert_eq!(facts.iter().count(), 4);
}

#[test]
fn mistakes_are_named() {
    let message = |line: &str| parse(line.split(' ').map(OsString::from).collect()).unwrap_err().to_string();
    assert!(message("cnflint --server postgres-9 a").contains("names no server"));
    assert!(message("cnflint --require ram,rma a").contains("no such fact"));
    assert!(message("cnflint --disk floppy a").contains("floppy"));
}

#[test]
fn required_facts_go_by_flag_or_name() {
    let list = check("cnflint a --require ram,disk.fill,server").require;
    assert_eq!(list.iter().map(|required| required.name()).collect::<Vec<_>>(), ["ram", "disk-fill", "server"]);
}

#[test]
fn standard_input_is_asked_for_by_name() {
    assert_eq!(check("cnflint - --snapshot -").target.standard_input(), ["PATH", "--snapshot"]);
}
