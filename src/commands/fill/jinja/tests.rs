#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use super::*;
use serde_json::{Value as Json, json};

fn fill_in(path: &Path, text: &str, values: &Json) -> (String, Option<String>) {
    let Json::Object(values) = values else { panic!("no variables") };
    let filled = fill(path, text, values).unwrap();
    (String::from_utf8(filled.bytes).unwrap(), filled.missing.map(|missing| missing.to_string()))
}

fn filled(text: &str, values: &Json) -> String {
    fill_in(Path::new("/none/my.cnf.j2"), text, values).0
}

#[test]
fn conditions_that_nobody_can_decide_stay_with_all_of_their_branches() {
    let text = "[mysqld]\n{% if gone %}\na = {{ x }}\n{% elif x == 3 %}\nb = {{ y }}\n{% else %}\nc = 1\n{% endif %}\n\
                {% if x == 2 %}\nd = 1\n{% endif %}\n{% for i in gone_list %}\n{{ i.name }} = {{ x }}{% if not loop.last %},{% endif %}\n{% endfor %}\n";
    let wanted = "[mysqld]\n{% if gone %}\na = 2\n{% elif x == 3 %}\nb = {{ y }}\n{% else %}\nc = 1\n{% endif %}\n\
                  d = 1\n{% for i in gone_list %}\n{{ i.name }} = 2{% if not loop.last %},{% endif %}\n{% endfor %}\n";
    let (filled, missing) = fill_in(Path::new("/none/my.cnf.j2"), text, &json!({"x": 2, "i": 5}));
    assert_eq!(filled, wanted);
    let missing = missing.unwrap();
    assert!(missing.contains(":2: `gone`, `gone_list` are not defined"), "{missing}");
    assert!(missing.ends_with("give --define gone=… --define gone_list=…"), "{missing}");
}

#[test]
fn what_a_kept_block_decides_about_is_not_known() {
    let text = "{% set size = 1 %}\n{% if gone %}\n{% set size = 2 %}\n{% endif %}\na = {{ size }}\n{% if size == 1 %}b{% endif %}\n";
    let out = filled(text, &json!({"size": 7}));
    assert!(out.contains("a = {{ size }}\n") && out.contains("{% if size == 1 %}b{% endif %}"), "{out}");
    // Nor is what is worked out from it.
    let text = "{% set pool = gone * 2 %}\n{% set half = pool // 2 %}\na = {{ half }}M\nb = {{ x }}\n";
    assert_eq!(filled(text, &json!({"x": 1})), "a = {{ half }}M\nb = 1\n");
    let text = "{% set pool = gone | default(4) %}\na = {{ pool }}\n";
    assert_eq!(filled(text, &json!({})), "a = 4\n");
}

#[test]
fn what_a_function_gives_that_nobody_can_define_is_no_error() {
    let text = "{% if lookup('env', 'X') %}\na = 1\n{% endif %}\nb = {{ x }}\n";
    let (filled, missing) = fill_in(Path::new("/none/my.cnf.j2"), text, &json!({"x": 1}));
    assert_eq!(filled, "{% if lookup('env', 'X') %}\na = 1\n{% endif %}\nb = 1\n");
    assert_eq!(missing, None);
}

#[test]
fn included_templates_are_read_where_they_lie_beside() {
    let role = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(role.path().join(name), text).unwrap();
    write("more.cnf.j2", "a = {{ x }}\nb = {{ gone }}\n");
    write("asks.cnf.j2", "{% if gone %}\nc = 1\n{% endif %}\n");
    let path = role.path().join("my.cnf.j2");
    let fill_in = |text: &str| fill_in(&path, text, &json!({"x": 1})).0;
    assert_eq!(
        fill_in("[mysqld]\n{% include 'more.cnf.j2' %}\nz = {{ x }}\n"),
        "[mysqld]\na = 1\nb = {{ included }}\nz = 1\n"
    );
    for name in ["asks.cnf.j2", "none.cnf.j2", "../my.cnf.j2", "/etc/hostname"] {
        let out = fill_in(&format!("[mysqld]\n{{% include '{name}' %}}\nz = {{{{ x }}}}\n"));
        assert_eq!(out, "[mysqld]\n{{ included }}\nz = 1\n", "{name}");
    }
    let Json::Object(values) = json!({"x": 1}) else { panic!("no variables") };
    let text = "[mysqld]\n\n{% include 'more.cnf.j2' %}\n";
    let filled = fill(&path, text, &values).unwrap();
    let at = std::str::from_utf8(&filled.bytes).unwrap().find("b = ").unwrap() as u32;
    let outer = filled.map.outer(cnflint::source::Span::new(at, at + 1));
    assert!(text[outer.start as usize..].starts_with("{% include"), "{outer:?}");
}

#[test]
fn a_template_comes_out_as_the_engine_has_it() {
    let values = json!({"a": 2, "b": "x", "list": [1, 2], "map": {"k": "v"}, "on": true});
    for text in [
        "[mysqld]\na = {{ a }}\n{% if on %}\nb = {{ b }}\n{% else %}\nc\n{% endif %}\n",
        "x\n{%- if on -%}\n  y\n{%- endif %}\n\nz\n",
        "{% for i in list -%}\n {{ i }} {{ loop.index }}\n{% endfor %}",
        "{% for k, v in map.items() %}\n{{ k }}={{ v }}\n{% endfor %}\n",
        "{% set c = a * 3 %}\n{{ c }}{{ a + c }}\n{# note\n #}\n{% raw %}{{ a }}{% endraw %}\n",
        "{% macro m(x) %}[{{ x }}]{% endmacro %}{{ m(a) }}{{ m(b) }}\n",
        "a = {{ 'yes' if a > 1 else 'no' }} # {{ list | join(',') }}\n",
    ] {
        let mut environment = Environment::new();
        let mut syntax = SyntaxConfig::builder();
        environment.set_syntax(syntax.trim_blocks(true).keep_trailing_newline(true).build().unwrap());
        environment.set_unknown_method_callback(pycompat::unknown_method_callback);
        let Json::Object(map) = &values else { panic!("no variables") };
        let scope = Value::from_object(Scope::new(map, Arc::default()));
        let own = environment.render_str(text, scope).unwrap();
        assert_eq!(filled(text, &values), own, "{text}");
    }
}

#[test]
fn what_ansible_adds_is_there() {
    let values = json!({"s": "my.host", "n": 2048, "list": ["a", "b"], "map": {"k": "v", "j": 2}});
    for (expression, wanted) in [
        ("(n * 0.7) | int", "1433"),
        ("'4G' | human_to_bytes", "4294967296"),
        ("'512 MB' | human_to_bytes // 1024", "524288"),
        ("(map | dict2items)[0].key", "j"),
        ("list | union(['z', 'a']) | join(' ')", "a b z"),
        ("list | difference(['a']) | join", "b"),
        ("list | intersect(['a']) | join", "a"),
        ("(map | combine({'j': 3}, {'q': 4})).q", "4"),
        ("(map | combine({'j': 3})).j", "3"),
        ("map.get('none', 'y')", "y"),
        ("map.iteritems() | list | length", "2"),
        ("s | b64encode", "bXkuaG9zdA=="),
        ("'8.0.35' is version('8.0.4', '>')", "True"),
        ("n is defined | ternary('a', 'b')", "a"),
        ("'%s/%d' | format(s, 3)", "my.host/3"),
    ] {
        assert_eq!(filled(&format!("{{{{ {expression} }}}}\n"), &values), format!("{wanted}\n"), "{expression}");
    }
    for expression in ["s | regex_replace('a', 'b')", "'x' | human_to_bytes", "gone | combine({})", "hostvars['h'].x"] {
        let text = format!("{{{{ {expression} }}}}\n");
        assert_eq!(filled(&text, &values), text);
    }
}
