//! The laws of the reader, and what it says of each trap.

use super::*;
use crate::server::Flavor;
use crate::source::{MemoryFiles, SourceFile, Sources};
use proptest::prelude::*;

const OLD: Server = Server::new(Flavor::Mariadb, 10, 11, 19);
const OLDEST: Server = Server::new(Flavor::Mysql, 5, 6, 24);
const NEW: Server = Server::new(Flavor::Mysql, 9, 7, 4);

fn read_files(server: Server, given: &[(&str, &[u8])]) -> (Sources, Document) {
    let mut files = MemoryFiles::default();
    given.iter().for_each(|(path, bytes)| files.insert(*path, *bytes));
    let mut sources = Sources::default();
    let root = sources.add(SourceFile::new(given[0].0, given[0].1.to_vec()));
    let options = ReadOptions { server, working_directory: "/".into(), home: Some("/root".into()), include_root: None };
    let document = read(&mut sources, &files, &[root], &options);
    (sources, document)
}

/// The problems of one file: kind, effect, and the bytes pointed at.
fn problems(server: Server, bytes: &[u8]) -> Vec<(ProblemKind, Effect, String)> {
    let (sources, document) = read_files(server, &[("/my.cnf", bytes)]);
    let shown = |problem: &Problem| sources.text(problem.location).escape_ascii().to_string();
    document.problems.iter().map(|problem| (problem.kind.clone(), problem.effect, shown(problem))).collect()
}

fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        4 => prop::sample::select(vec![
            &b"\n"[..], b"\r\n", b"=", b"#", b"\"", b"'", b"\\", b"[", b"]", b"[mysqld]\n", b"!include /my.cnf\n",
            b"!includedir /\n", b"\0", b" ", b"\xa0", b"{{ x }}", b"{% x %}", b"# cnflint: ignore[a, b] c", b"\xef\xbb\xbf",
            b"\xff\xfe", b"a = b\n",
        ]).prop_map(<[u8]>::to_vec),
        2 => prop::collection::vec(any::<u8>(), 0..8),
        1 => (any::<u8>(), 4085usize..4105).prop_map(|(byte, count)| vec![byte; count]),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_spans_of_all_lines_joined_give_the_file_back(bytes in hostile_bytes(), which in 0usize..3) {
        let server = [OLD, OLDEST, NEW][which];
        let joined: Vec<u8> = parse(&bytes, server).iter().flat_map(|line| line.span.of(&bytes).to_vec()).collect();
        prop_assert_eq!(joined, bytes);
    }

    #[test]
    fn what_holds_for_another_server_is_what_that_server_reads(bytes in hostile_bytes(), one in 0usize..3, other in 0usize..3) {
        let servers = [OLD, OLDEST, NEW];
        let (_, mut document) = read_files(servers[one], &[("/my.cnf", &bytes)]);
        if document.holds_for(servers[other]) {
            let (_, expected) = read_files(servers[other], &[("/my.cnf", &bytes)]);
            document.server = servers[other];
            prop_assert_eq!(document, expected);
        }
    }

    #[test]
    fn reading_twice_gives_the_same_and_every_span_lies_in_its_file(bytes in hostile_bytes(), which in 0usize..3) {
        let server = [OLD, OLDEST, NEW][which];
        let (sources, document) = read_files(server, &[("/my.cnf", &bytes)]);
        let (_, again) = read_files(server, &[("/my.cnf", &bytes)]);
        prop_assert_eq!(&document, &again);
        let inside = |file, span: Span| span.start <= span.end && span.end as usize <= sources.get(file).bytes().len();
        for entry in &document.entries {
            prop_assert!(inside(entry.file, entry.line) && inside(entry.file, entry.name_span), "{:?}", entry);
            prop_assert!(entry.value_span.is_none_or(|span| inside(entry.file, span)), "{:?}", entry);
            prop_assert_eq!(entry.value.is_some(), entry.value_span.is_some());
            prop_assert!(entry.group < document.groups.len());
        }
        for problem in &document.problems {
            prop_assert!(inside(problem.location.file, problem.location.span), "{:?}", problem);
            prop_assert_eq!(problem.fatal, problem.effect == Effect::StopsServer);
            prop_assert!(!problem.fatal || document.stops);
        }
        for pragma in &document.pragmas {
            prop_assert!(inside(pragma.file, pragma.span) && inside(pragma.file, pragma.line), "{:?}", pragma);
        }
    }
}

#[test]
fn spans_are_what_was_written() {
    let bytes = b"[ mysqld ] # note\r\n  max connections =  \"a # \\\"b\" # c\r\nflag\nempty =\n";
    let (sources, document) = read_files(OLD, &[("/my.cnf", bytes)]);
    let text = |span: Span| String::from_utf8(span.of(sources.get(document.files[0]).bytes()).to_vec()).unwrap();
    let group = &document.groups[0];
    assert_eq!((text(group.header), text(group.name_span)), ("[ mysqld ]".into(), " mysqld".into()));
    assert_eq!(group.name, b" mysqld");
    let shown: Vec<_> = document
        .entries
        .iter()
        .map(|entry| (text(entry.line), text(entry.name_span), entry.value_span.map(text), entry.value.clone()))
        .collect();
    let value = |text: &str| Some(text.as_bytes().to_vec());
    assert_eq!(
        shown,
        [
            (
                "  max connections =  \"a # \\\"b\" # c".into(),
                "max connections".into(),
                Some("\"a # \\\"b\"".into()),
                value("a # \"b")
            ),
            ("flag".into(), "flag".into(), None, None),
            ("empty =".into(), "empty".into(), Some(String::new()), value("")),
        ]
    );
    assert_eq!(document.entries[2].value_span.unwrap().start as usize, bytes.len() - 1);
}

#[test]
fn what_stops_a_server_is_fatal_and_what_follows_is_kept_but_not_reached() {
    let (_, document) = read_files(OLD, &[("/my.cnf", b"a=1\n[mysqld]\nb=2\n")]);
    assert!(document.stops && document.problems[0].fatal);
    assert_eq!(document.problems[0].kind, ProblemKind::OptionOutsideGroup);
    assert_eq!(document.entries.len(), 1);
    assert!(!document.entries[0].reached);
    assert!(arguments(&document, &groups_read("mysqld", OLD)).is_empty());

    let (_, document) = read_files(OLD, &[("/my.cnf", b"[mysqld]\na=1\n!include /x.cnf\nc=3\n"), ("/x.cnf", b"b=2\n")]);
    assert!(!document.stops);
    assert_eq!(document.problems[0].effect, Effect::StopsFile);
    assert_eq!(arguments(&document, &groups_read("mysqld", OLD)), [b"--a=1".to_vec(), b"--c=3".to_vec()]);
}

#[test]
fn a_byte_order_mark_hides_nothing_from_a_second_look() {
    let (_, document) = read_files(OLD, &[("/my.cnf", b"\xef\xbb\xbf[mysqld]\na=1\n")]);
    assert_eq!(document.problems.len(), 1);
    assert_eq!(document.problems[0].kind, ProblemKind::ByteOrderMark { utf16: false });
    assert_eq!((document.groups[0].name.as_slice(), document.groups[0].header), (&b"mysqld"[..], Span::new(3, 11)));
    assert!(document.stops && !document.entries[0].reached);
}

#[test]
fn every_trap_within_a_line_is_told() {
    use Effect::{Silent, StopsServer};
    use ProblemKind as Kind;
    let one = |line: &[u8]| problems(OLD, &[b"[mysqld]\n", line, b"\n"].concat());
    let silent = |kind, text: &str| vec![(kind, Silent, text.to_owned())];
    assert_eq!(one(b"password=ab#cd"), silent(Kind::HashCutsValue, "#cd"));
    assert_eq!(one(b"a = 1 # note"), []);
    assert_eq!(one(b"a#b = 1"), silent(Kind::HashCutsName, "#b = 1"));
    assert_eq!(one(b"a = don't # note"), silent(Kind::HashInOpenQuote, "# note"));
    assert_eq!(one(b"a = \"b"), silent(Kind::UnbalancedQuotes, "\\\"b"));
    assert_eq!(one(b"d = C:\\temp"), silent(Kind::EscapeInValue { path: true }, "\\\\t"));
    assert_eq!(one(b"d = C:\\\\temp"), []);
    assert_eq!(one(b"a = voil\xc3\xa0"), silent(Kind::TrailingByteA0, "\\xa0"));
    assert_eq!(one(b"[mysqld] port=1"), silent(Kind::TextAfterGroup, "port=1"));
    assert_eq!(one(b"!INCLUDE /x"), silent(Kind::UnknownDirective, "!INCLUDE /x"));
    assert_eq!(one(b"!include "), [(Kind::MissingIncludePath { directory: false }, StopsServer, "!include".into())]);
    assert_eq!(one(b"[mysqld"), [(Kind::MalformedGroup, StopsServer, "[mysqld".into())]);
    assert_eq!(one(b"a = x\0y"), silent(Kind::NulByte, "\\x00"));
    let long = [b"a = ", "x".repeat(4090).as_bytes(), b"# tail"].concat();
    assert_eq!(one(&long), silent(Kind::LineTooLong, "# tail"));
    assert_eq!(problems(NEW, &[b"[mysqld]\n", &long[..], b"\n"].concat()), silent(Kind::HashCutsValue, "# tail"));
}

#[test]
fn includes_say_what_is_not_read() {
    use ProblemKind as Kind;
    let files: &[(&str, &[u8])] = &[
        ("/my.cnf", b"!includedir /d\n!include '/x.cnf'\n!include /d\n!include ~/y.cnf\n!include rel.cnf\n"),
        ("/d/.h.cnf", b""),
        ("/d/i.j.cnf", b""),
        ("/d/k.CNF", b""),
        ("/d/l.cnf.bak", b""),
        ("/root/y.cnf", b"[mysqld]\nhome=1\n"),
        ("/rel.cnf", b"[mysqld]\nrelative=1\n"),
    ];
    let kinds = |server| -> Vec<ProblemKind> {
        read_files(server, files).1.problems.into_iter().map(|problem| problem.kind).collect()
    };
    let quoted = Kind::IncludeNotFound { path: "'/x.cnf'".into(), directory: false, cause: Some(PathCause::Quoted) };
    let rest = [
        Kind::RelativeInclude { path: "'/x.cnf'".into() },
        quoted,
        Kind::IncludeIsDirectory { path: "/d".into() },
        Kind::RelativeInclude { path: "rel.cnf".into() },
    ];
    let not_read = |path: &str, first_dot| Kind::FileNotRead { path: path.into(), first_dot };
    let hidden = Kind::HiddenFile { path: "/d/.h.cnf".into() };
    assert_eq!(kinds(NEW), [&[hidden, not_read("/d/k.CNF", false)], &rest[..]].concat());
    let oldest = [not_read("/d/.h.cnf", true), not_read("/d/i.j.cnf", true), not_read("/d/k.CNF", false)];
    assert_eq!(kinds(OLDEST), [&oldest, &rest[..]].concat());
    let (_, document) = read_files(OLD, files);
    assert_eq!(arguments(&document, &groups_read("mysqld", OLD)), [b"--home=1".to_vec(), b"--relative=1".to_vec()]);
    assert_eq!(document.problems.last().unwrap().effect, Effect::Silent);
}

#[test]
fn a_missing_newline_costs_the_old_reader_a_byte() {
    let files: &[(&str, &[u8])] =
        &[("/my.cnf", b"[mysqld]\n!include /x.cnf"), ("/x.cnf", b"[mysqld]\na=1"), ("/x.cn", b"[mysqld]\na=2")];
    let printed = |server| arguments(&read_files(server, files).1, &groups_read("mysqld", server));
    assert_eq!((printed(OLD), printed(NEW)), (vec![b"--a=2".to_vec()], vec![b"--a=1".to_vec()]));
    let cut = ProblemKind::LastByteCut { written: "/x.cnf".into(), read: "/x.cn".into() };
    assert_eq!(read_files(OLD, files).1.problems[0].kind, cut);
}

#[test]
fn loops_are_followed_as_deep_as_the_server_does_and_told_once() {
    let (_, document) = read_files(OLD, &[("/my.cnf", b"[mysqld]\na=1\n!include /my.cnf\n")]);
    assert_eq!(document.entries.len(), 11);
    assert_eq!(document.problems.len(), 1);
    assert!(matches!(document.problems[0].kind, ProblemKind::IncludeLoop { .. }));
    let wide = "!include /my.cnf\n".repeat(8);
    let (_, document) = read_files(OLD, &[("/my.cnf", wide.as_bytes())]);
    assert!(document.files.len() <= 2_000);
    assert!(document.problems.iter().any(|problem| problem.kind == ProblemKind::TooManyIncludes));
}

#[test]
fn an_include_root_stands_for_the_root_directory() {
    let mut files = MemoryFiles::default();
    files.insert("repo/etc/x.cnf", *b"[mysqld]\na=1\n");
    let mut sources = Sources::default();
    let root = sources.add(SourceFile::new("repo/etc/my.cnf", b"!includedir /etc\n".to_vec()));
    let options =
        ReadOptions { server: OLD, working_directory: "/".into(), home: None, include_root: Some("repo".into()) };
    let document = read(&mut sources, &files, &[root], &options);
    assert_eq!(document.entries.len(), 1);
    assert_eq!(sources.get(document.files[1]).path(), std::path::Path::new("repo/etc/x.cnf"));
}

#[test]
fn templates_are_marked_and_their_control_lines_are_no_problem() {
    let text = b"{% if x %}\n[mysqld]\na = {{ ram }}\n{{ name }} = 1\n{% endif %}\nb = 2\nc = @DATADIR@/x\n";
    let (_, document) = read_files(OLD, &[("/my.cnf", text)]);
    assert_eq!(document.problems, []);
    assert!(document.stops, "a real server would stop at the first line");
    let marks: Vec<_> = document.entries.iter().map(|entry| (entry.template, entry.template_name)).collect();
    assert_eq!(marks, [(true, false), (true, true), (true, true), (false, false), (true, false)]);
}

#[test]
fn pragmas_know_their_line() {
    let text = b"# cnflint: server=mysql-8.4 ram=2G\n[mysqld]\nskip-log-bin # cnflint: ignore[binlog-off] a copy\n";
    let (sources, document) = read_files(OLD, &[("/my.cnf", text)]);
    let text =
        |pragma: &Pragma, span: Span| String::from_utf8(span.of(sources.get(pragma.file).bytes()).to_vec()).unwrap();
    let shown: Vec<_> = document.pragmas.iter().map(|pragma| (text(pragma, pragma.span), pragma.trailing)).collect();
    assert_eq!(
        shown,
        [("server=mysql-8.4".into(), false), ("ram=2G".into(), false), ("ignore[binlog-off] a copy".into(), true)]
    );
    assert_eq!(
        text(&document.pragmas[2], document.pragmas[2].line),
        "skip-log-bin # cnflint: ignore[binlog-off] a copy"
    );
}

/// A disk that counts what is read from it.
struct Counting(MemoryFiles, std::cell::RefCell<Vec<std::path::PathBuf>>);

impl crate::source::Files for Counting {
    fn read(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
        self.1.borrow_mut().push(path.to_owned());
        self.0.read(path)
    }

    fn list(&self, path: &std::path::Path) -> std::io::Result<Vec<std::ffi::OsString>> {
        self.0.list(path)
    }

    fn kind(&self, path: &std::path::Path) -> std::io::Result<crate::source::FileKind> {
        self.0.kind(path)
    }
}

#[test]
fn an_included_file_is_read_once_however_many_servers_look_at_it() {
    let mut disk = MemoryFiles::default();
    disk.insert("/conf.d/a.cnf", "[mysqld]\nport = 1\n");
    let files = Counting(disk, std::cell::RefCell::default());
    let mut sources = Sources::default();
    let root = sources.add(SourceFile::new("/my.cnf", b"!includedir /conf.d\n!include /conf.d/a.cnf\n".to_vec()));
    for server in [OLD, OLDEST, NEW] {
        let options = ReadOptions { server, working_directory: "/".into(), home: None, include_root: None };
        assert_eq!(read(&mut sources, &files, &[root], &options).entries.len(), 2);
    }
    assert_eq!(sources.iter().count(), 2);
    assert_eq!(*files.1.borrow(), [std::path::PathBuf::from("/conf.d/a.cnf")]);
}

#[test]
fn a_plain_file_holds_for_every_server_and_includes_are_read_by_each() {
    let holds = |bytes: &[u8]| read_files(OLD, &[("/my.cnf", bytes)]).1.holds_for(NEW);
    assert!(holds(b"[mysqld]\nport = 1 # one\n"));
    assert!(!holds(b"!include /b.cnf # c\n"));
    assert!(!holds(b"[mysqld]\na = \0\nb = 1\n"));
    assert!(!holds(&[b"[mysqld]\na = ".to_vec(), b"x".repeat(5000), b"\n".to_vec()].concat()));
}
