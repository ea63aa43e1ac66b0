use super::*;

#[test]
fn markup_is_told_from_text() {
    for text in ["{{ ram }}", "@localhost@", "<%= @ram %>", "/x/${NAME}/y", "@DATA_DIR@/x", "{% raw %}"] {
        assert!(has_markup(text.as_bytes()), "{text}");
    }
    assert!(!has_markup(b"## options _MANDATORY_ for the cluster\na = $x # so it is _NOT_ one\n"));
    for text in ["user@host", "root@%@x", "{}", "a{{b", "50%", "<%", "$x", "$home"] {
        assert!(!has_markup(text.as_bytes()), "{text}");
    }
}

#[test]
fn a_long_run_of_braces_is_looked_at_once() {
    let run = vec![b'{'; 4 << 20];
    let started = std::time::Instant::now();
    assert!(!has_markup(&run));
    assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
}

/// The lines of a file with what they are: `-` nothing, `g` a group, `o` an option, `v` an option of unknown value, `?` no option.
fn lines(text: &str) -> String {
    let server = crate::server::Server::new(crate::server::Flavor::Mysql, 8, 4, 0);
    let letter = |line: Line| match line.kind {
        LineKind::Option(option) if option.template_name => '?',
        LineKind::Option(option) if option.template_value => 'v',
        LineKind::Option(_) => 'o',
        LineKind::Group(group) if group.template => 'G',
        LineKind::Group(_) => 'g',
        _ => '-',
    };
    crate::optionfile::parse(text.as_bytes(), server).into_iter().map(letter).collect()
}

#[test]
fn every_kind_of_markup_is_known() {
    for value in [
        "{{ x }}",
        "{{{ x }}}",
        "'{{ x }}M'",
        "{{ '}}' }}",
        "{{ x | default({'a': 1}) }}",
        "<%= @x %>",
        "<%= $x %>",
        "${X}",
        "${X:-1G}",
        "$(nproc)",
        "$MYSQL_PORT",
        "@DATADIR@/x",
        "@prefix@/x",
        "%(port)s",
        "__PORT__",
        "%%PORT%%",
        "%PORT%",
        "%DATA_DIR%/x",
        "_PORT_",
        "x://_NODE1_HOST_,_NODE2_",
        "%{port}",
        "{{ getenv \"A\" \"B\" }}",
        "{{ with secret \"a/b\" }}{{ .Data.x }}{{ end }}",
    ] {
        assert_eq!(lines(&format!("[mysqld]\na={value}\nb=1\n")), "gvo", "{value}");
    }
    for value in [
        "50%",
        "a{{b",
        "pa$word",
        "root@%",
        "user@host@",
        "__x__",
        "a__B__c",
        "%d/%m",
        "%H%M%S",
        "%PORT",
        "_x_",
        "_A_",
        "a_PORT_",
        "_PORT_b",
        "_PORT",
        "$1",
        "<%",
        "%(x)",
        "{%",
        "$home",
    ] {
        assert_eq!(lines(&format!("[mysqld]\na={value}\nb=1\n")), "goo", "{value}");
    }
}

#[test]
fn tags_over_several_lines_are_taken_whole() {
    assert_eq!(
        lines("a=1\n{% if a or\n      b == 'x' %}\nc=1\n{# note\n [more]\n #}\nd=1\n{% open\ne=1\n"),
        "o?-o?--ooo"
    );
    assert_eq!(lines("a=\"{{ b |\n  c('x') }}\"\nd=1\n"), "v?o");
    assert_eq!(lines("<%- | $x,\n $y\n| -%>\n[mysqld]\na=1\n"), "?--go");
    assert_eq!(lines("{{/* one\n two */}}\na=1\n"), "?-o");
    // What a comment opens on its line, it does not carry over.
    assert_eq!(lines("# write {{ here\na=1\n# and }} there\n"), "-o-");
}

#[test]
fn lines_without_blanks_between_them_are_one() {
    let text = "a = \"\n  {%- for x in y -%}\n  {{ x }};\n  {%- endfor -%}\n  \"\nb=1\n";
    assert_eq!(lines(text), "v????o");
    // The usual form takes away no more than its own line.
    assert_eq!(lines("a=1\n{{- if .x }}\nb=1\n{{- end }}\nc=1\n"), "o?o?o");
    assert_eq!(lines("<% if @x -%>\na=1\n<% end -%>\nb=1\n"), "?o?o");
}

#[test]
fn branches_know_what_they_exclude() {
    let branches = |text: &str| {
        let (branches, _) = blocks::read(text.as_bytes(), &tags::scan(text.as_bytes()));
        branches
            .iter()
            .map(|branch| (branch.block, branch.siblings, branch.one_comes, branch.parent))
            .collect::<Vec<_>>()
    };
    let nested = "{% if a %}\n1\n{% for x in y %}\n2\n{% endfor %}\n{% else %}\n3\n{% endif %}\n{% if b %}{% endif %}";
    assert_eq!(branches(nested), [(0, 2, true, None), (1, 1, false, Some(0)), (0, 2, true, None), (2, 1, false, None)]);
    assert_eq!(branches("{% raw %}{% if a %}{% endraw %}{% set x = 1 %}{% include 'y' %}"), []);
    assert_eq!(branches("<% if a %><% elsif b %><% else %><% end %>").len(), 3);
    assert_eq!(branches("<% a.each do |x| -%><% end %><% if (y) { %><% } else { %><% } %>").len(), 3);
    assert_eq!(branches("{{#a}}{{/a}}{{^b}}{{/b}}{{ range .c }}{{ else }}{{ end }}").len(), 4);
    assert_eq!(branches("%{ if a }%{ else }%{ endif }").len(), 2);
    assert_eq!(branches("% if a:\n% else:\n% endif\n").len(), 2);
}

#[test]
fn what_a_block_steers_is_known_to_its_end() {
    let parts = |text: &'static str| -> Vec<&'static str> {
        let text_of = |span: &Span| std::str::from_utf8(span.of(text.as_bytes())).unwrap();
        steered(text.as_bytes()).iter().map(text_of).collect()
    };
    assert_eq!(parts("a=1\nb={{ x }}\n"), [""; 0]);
    let nested = "{% if x %}\na=1\n{%- for y in z %}\nb=1\n{% endfor %}\n{% else %}\nc=1\n{% endif %}\n";
    assert_eq!(parts(&*Box::leak(format!("x=1\n{nested}y=2\n").into_boxed_str())), [nested]);
    assert_eq!(parts("<% if @x -%>\na=1\n<% end -%>\nb=2\n"), ["<% if @x -%>\na=1\n<% end -%>\n"]);
    assert_eq!(parts("{{- if .x }}\na=1\n{{ end }}\nb=2\n{{ .extra }}\n").len(), 2);
    assert_eq!(parts("{{#if x}}\na=1\n{{/if}}\nb=2"), ["{{#if x}}\na=1\n{{/if}}\n"]);
    assert_eq!(parts("a=1\n{% if x %}\nb=1"), ["{% if x %}\nb=1"]);
    let spread = "{% if x or\n  y %}\nb=1\n{% endif %}\n";
    assert_eq!(parts("{% if x or\n  y %}\nb=1\n{% endif %}\nc=1\n"), [spread]);
}
