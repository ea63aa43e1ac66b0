#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use super::*;
use cnflint::source::Span;
use proptest::prelude::*;
use serde_json::json;

fn filled(text: &str, values: &Value) -> String {
    let Value::Object(values) = values else { panic!("no variables") };
    String::from_utf8(fill(Path::new("/none/my.cnf.tmpl"), text, values).unwrap().bytes).unwrap()
}

fn value(expression: &str) -> String {
    let values = json!({"a": 4, "b": "1G", "list": ["x", "y"], "map": {"k": "v"}, "empty": "", "nothing": null,
        "mysql": {"port": 3307}, "DATADIR": "/data", "yes": true});
    filled(&format!("x={{{{ {expression} }}}}\n"), &values).trim_end().strip_prefix("x=").unwrap().to_owned()
}

#[test]
fn values_are_worked_out_as_go_does() {
    for (expression, wanted) in [
        (".a", "4"),
        (".Values.b", "1G"),
        (".Values.mysql.port", "3307"),
        ("$.mysql.port", "3307"),
        (".b | quote", "\"1G\""),
        (".gone | default 5", "5"),
        (".empty | default \"x\"", "x"),
        (".b | default \"x\"", "1G"),
        ("default .Env.DATADIR \"/var\"", "/data"),
        ("default .Env.GONE \"/var\"", "/var"),
        ("or .gone .empty .b", "1G"),
        ("getenv \"DATADIR\" \"/var\"", "/data"),
        ("getenv \"GONE\" \"/var\"", "/var"),
        ("env.Getenv \"GONE\" \"/var\"", "/var"),
        ("getv \"/mysql/port\"", "3307"),
        ("(get \"/mysql/port\").Value", "3307"),
        ("keyOrDefault \"mysql/socket\" \"/s\"", "/s"),
        ("mul .a 1024 1024", "4194304"),
        ("div (mul .a 3) 4 | int", "3"),
        ("printf \"%dM\" (int .a)", "4M"),
        ("join \",\" .list", "x,y"),
        ("index .list 1", "y"),
        ("index .map \"k\"", "v"),
        ("len .list", "2"),
        ("ternary \"ON\" \"OFF\" .yes", "ON"),
        ("ternary \"ON\" \"OFF\" (eq .a 5)", "OFF"),
        ("tpl .b .", "1G"),
        ("coalesce .gone .b", "1G"),
        ("trimSuffix \"G\" .b", "1"),
        ("floor (mulf .a 0.75)", "3"),
    ] {
        assert_eq!(value(expression), wanted, "{expression}");
    }
}

#[test]
fn what_is_not_known_stays_as_it_stands() {
    for expression in [
        ".gone",
        ".gone.more",
        ".Values.mysql.socket",
        ".nothing",
        ".gone | quote",
        "printf \"%s\" .gone",
        "include \"mysql.name\" .",
        ".Files.Get \"my.cnf\"",
        "strings.Shout .b",
        "shout .b",
        "shout .b | default \"x\"",
        "or (shout .b) \"x\"",
        "index .map \"gone\"",
        "eq .gone \"x\"",
        "mul .b 2",
        "div .a 0",
        "(lookup \"v1\" \"Secret\" \"a\" \"b\").data",
        "template_of .a | default (list .gone)",
        "getenv \"GONE\"",
    ] {
        assert_eq!(value(expression), format!("{{{{ {expression} }}}}"), "{expression}");
    }
}

#[test]
fn conditions_that_nobody_can_decide_stay_with_all_of_their_branches() {
    let text = "[mysqld]\n{{- if .gone }}\na = {{ .x }}\n{{- else if eq .x 2 }}\nb = 1\n{{- else }}\nc = {{ .y }}\n{{- end }}\n\
                {{- if .x }}\nd = 1\n{{- end }}\n{{ range $k, $v := .gone }}\n{{ $k }}={{ $v }}{{ .z }}{{ $.x }}\n{{ end }}\n\
                {{ with .also }}{{ .b }}{{ else }}{{ .x }}{{ end }}\n";
    let wanted = "[mysqld]\n{{- if .gone }}\na = 2\n{{- else if eq .x 2 }}\nb = 1\n{{- else }}\nc = {{ .y }}\n{{- end }}\nd = 1\n\
                  {{ range $k, $v := .gone }}\n{{ $k }}={{ $v }}{{ .z }}2\n{{ end }}\n{{ with .also }}{{ .b }}{{ else }}2{{ end }}\n";
    assert_eq!(filled(text, &json!({"x": 2})), wanted);
    // Blanks that a tag would take away stay with it.
    assert_eq!(
        filled("a: {{- .gone | nindent 2 }}\n{{ .x -}}\nb\n", &json!({"x": 1})),
        "a: {{- .gone | nindent 2 }}\n1b\n"
    );
    // Nothing is decided by what nobody knows.
    assert_eq!(filled("{{ if and .x (shout 1) }}a{{ end }}", &json!({"x": false})), "");
    let open = "{{ if and .x (shout 1) }}a{{ end }}";
    assert_eq!(filled(open, &json!({"x": true})), open);
    assert_eq!(filled("{{ if exists \"/x\" }}a{{ else }}b{{ end }}", &json!({})), "b");
    assert_eq!(filled("{{ if not .x }}a{{ end }}{{ if eq .x 1 2 }}b{{ end }}", &json!({"x": 2})), "b");
    let items = "{{ range .x }}{{ . }}{{ end }}";
    assert_eq!(filled(items, &json!({"x": "text"})), items);
}

#[test]
fn other_templates_come_in_where_they_are_defined() {
    let text =
        "{{ define \"size\" }}{{ .n }}M{{ end }}a={{ template \"size\" . }}\nb={{ include \"size\" . | quote }}\n";
    assert_eq!(filled(text, &json!({"n": 3})), "a=3M\nb=\"3M\"\n");
    let unknown = filled(text, &json!({"m": 3}));
    assert_eq!(unknown, "a={{ .n }}M\nb={{ include \"size\" . | quote }}\n");
    let endless = "{{ define \"a\" }}{{ include \"a\" . }}{{ end }}x={{ include \"a\" . }}\n";
    assert_eq!(filled(endless, &json!({})), "x={{ include \"a\" . }}\n");

    let chart = tempfile::tempdir().unwrap();
    std::fs::write(chart.path().join("_helpers.tpl"), "{{ define \"port\" -}}\n{{ .Values.port }}\n{{- end }}")
        .unwrap();
    let fill_with = |values: Value| {
        let Value::Object(values) = values else { panic!("no variables") };
        let text = "{{/* one */}}\nport={{ include \"port\" . }}\nx={{ template \"port\" . }}\n";
        String::from_utf8(fill(&chart.path().join("my.cnf.tpl"), text, &values).unwrap().bytes).unwrap()
    };
    assert_eq!(fill_with(json!({"port": 3306})), "\nport=3306\nx=3306\n");
    assert_eq!(fill_with(json!({})), "\nport={{ include \"port\" . }}\nx={{ template \"port\" . }}\n");
}

#[test]
fn each_line_of_a_value_was_brought_by_its_own() {
    let Value::Object(values) = json!({"x": "a\nb"}) else { panic!("no variables") };
    let text = "one\n  two:\n    {{- .x | nindent 4 }}\nthree\n";
    let filled = fill(Path::new("/none/x.tmpl"), text, &values).unwrap();
    assert_eq!(filled.bytes, b"one\n  two:\n    a\n    b\nthree\n");
    for (letter, wanted) in [("a\n", "{{-"), ("b\n", "{{-"), ("two", "two"), ("three", "three")] {
        let at = std::str::from_utf8(&filled.bytes).unwrap().find(letter).unwrap() as u32;
        let outer = filled.map.outer(Span::new(at, at + 1));
        assert!(text[outer.start as usize..].starts_with(wanted), "{letter}: {outer:?}");
    }
}

#[test]
fn what_is_broken_is_said_with_its_line() {
    let error = |text: &str| {
        let error = fill(Path::new("x"), text, &Map::new()).unwrap_err();
        (error.line, error.message)
    };
    assert_eq!(error("a\n{{ if .x }}\n").0, 2);
    assert_eq!(error("a\nb\n{{ .x | }}\n").0, 3);
    assert_eq!(error("a\n{{ $x }}\n"), (2, "the template cannot be filled in: undefined variable: $x".to_owned()));
}

#[test]
fn go_is_told_from_its_neighbours() {
    for text in
        ["{{ .x }}", "{{- if .x }}", "{{ end }}", "{{ getenv \"X\" }}", "{{$x}}", "{{/* x */}}", "{{ with (ds 1) }}"]
    {
        assert!(is_go(text), "{text}");
    }
    for text in
        ["{{ x }}", "{{ x.y }}", "{{#if x}}", "{{> x}}", "{{ default }}", "{{ env }}", "{ .x }", "{{ include(x) }}"]
    {
        assert!(!is_go(text), "{text}");
    }
}

/// A piece of a template of which everything is defined.
fn piece() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "port = 3306\n",
        "\n",
        "  x = {{ .a }}M\n",
        "{{ .b }}",
        "{{- .c }}\n",
        "{{/* note\n*/}}\n",
        "{{ .c -}}\n",
        "{{ $x := .a }}{{ $x }}\n",
        "# ä {{ printf \"%05d\" .a }}\n",
        "{{ index .list 0 }}{{ len .list }}\n",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(3, 24, 4, |inner| {
        let body = prop::collection::vec(inner, 0..4).prop_map(|pieces| pieces.concat());
        let opens = prop::sample::select(vec![
            "{{ if .a }}",
            "{{- if not .a }}\n",
            "{{ if and .a (eq .c \"x\") -}}\n",
            "{{ if or .none .c }}",
            "{{ with $ }}",
            "{{ range $i, $v := .list }}{{ $i }}{{ with $ }}",
        ]);
        let branch = prop::sample::select(vec!["", "{{ else }}", "{{- else if .c -}}\n"]);
        let ends = prop::sample::select(vec!["{{ end }}", "{{- end }}\n", "{{ end -}}\n"]);
        (opens, body.clone(), branch, body, ends).prop_map(|(opens, first, branch, second, ends)| {
            let is_plain = opens.contains("if");
            let branch = if is_plain { branch } else { "" };
            let more = if opens.contains("range") { "{{ end }}" } else { "" };
            format!("{opens}{first}{branch}{second}{more}{ends}")
        })
    })
}

proptest! {
    #[test]
    fn a_template_comes_out_as_the_engine_has_it_and_lines_lead_back(
        pieces in prop::collection::vec(piece(), 0..8)
    ) {
        let text = pieces.concat();
        let Value::Object(values) = json!({"a": 2, "b": "line\n", "c": "x", "none": "", "list": ["l", 1]}) else {
            panic!("no variables")
        };
        let own = gotmpl::execute(&text, &variables::root(&values)).unwrap();
        let filled = fill(Path::new("/none/x.tmpl"), &text, &values).unwrap();
        prop_assert_eq!(String::from_utf8(filled.bytes.clone()).unwrap(), own);
        let mut at = 0;
        for line in filled.bytes.split_inclusive(|byte| *byte == b'\n') {
            let span = Span::new(at, at + line.len() as u32);
            at = span.end;
            let outer = filled.map.outer(span);
            prop_assert!(outer.end as usize <= text.len());
            if filled.map.is_exact(span) {
                prop_assert_eq!(outer.of(text.as_bytes()), line);
            }
            // Only one line of these has it, and only as it is.
            if line == b"port = 3306\n" {
                let first = text[outer.start as usize..].lines().next().unwrap();
                prop_assert!(first.contains("port = 3306"), "{first}");
            }
        }
    }
}
