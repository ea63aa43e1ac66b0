//! `cnflint explain RULE|OPTION`: one page on a rule, an option, or both where a name is both.

use super::rules::RulePage;
use cnflint::report::human::{Look, wrapped};
use cnflint::report::text::one_line;
use std::io::{self, Write};

/// What is told about an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionPage {
    /// The newest name of the system variable.
    pub name: String,
    /// Other spellings that some server takes.
    pub aliases: Vec<String>,
    /// What each flavor makes of it, oldest first.
    pub history: Vec<OptionStep>,
    /// The rules that read it, by id.
    pub rules: Vec<String>,
}

/// What an option is from one version on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionStep {
    /// `mysql`, `mariadb` …
    pub flavor: String,
    /// The first version: `8.0.30`.
    pub from: String,
    /// `present`, `removed`, `accepted and ignored` …
    pub state: String,
    /// Type, range and default: `bytes, 4M to 512G, default 96M; set at start only`.
    pub shape: String,
}

const WIDTH_OF_SHAPES: usize = 22;

/// Writes the page of a rule.
///
/// # Errors
/// What the writer says.
pub fn rule(page: &RulePage, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}\n", strong(look, &page.id), page.summary)?;
    entry("severity", page.severity, look, out)?;
    entry("area", &page.area, look, out)?;
    entry("applies", &page.applies.join(", "), look, out)?;
    entry("reads", &page.needs.join(", "), look, out)?;
    entry("fires", &one_line(&page.condition), look, out)?;
    let fix = match page.fix {
        Some("safe") => "safe: keeps the effective meaning",
        Some("unsafe") => "unsafe: changes behaviour",
        Some("manual") => "by hand",
        _ => "",
    };
    entry("fix", fix, look, out)?;
    writeln!(out)?;
    for line in wrapped(&one_line(&page.why), look.width) {
        writeln!(out, "{line}")?;
    }
    if !page.appendix.is_empty() {
        writeln!(out, "\n{}", page.appendix.trim_end())?;
    }
    for example in &page.examples {
        let verb = if example.finds { "Found" } else { "Not found" };
        let facts = if example.facts.is_empty() { String::new() } else { format!(", {}", example.facts) };
        writeln!(out, "\n{} on {}{facts}:", strong(look, verb), example.server)?;
        indented(&example.file, out)?;
        for file in &example.files {
            writeln!(out, "  beside it, {}:", file.path)?;
            indented(&file.text, out)?;
        }
        if !example.fixed.is_empty() {
            writeln!(out, "  after the fix:")?;
            indented(&example.fixed, out)?;
        }
    }
    if !page.links.is_empty() {
        writeln!(out)?;
    }
    for link in &page.links {
        writeln!(out, "{link}")?;
    }
    Ok(())
}

/// Writes the page of an option.
///
/// # Errors
/// What the writer says.
pub fn option(page: &OptionPage, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", strong(look, &page.name))?;
    if !page.aliases.is_empty() {
        entry("also", &page.aliases.join(", "), look, out)?;
    }
    for flavor in page.history.chunk_by(|left, right| left.flavor == right.flavor) {
        writeln!(out)?;
        for step in flavor {
            let head = format!("{} {}", step.flavor, step.from);
            let text =
                if step.shape.is_empty() { step.state.clone() } else { format!("{}; {}", step.state, step.shape) };
            let lines = wrapped(&text, look.width.saturating_sub(WIDTH_OF_SHAPES).max(20));
            for (index, line) in lines.iter().enumerate() {
                let head = if index == 0 { head.as_str() } else { "" };
                writeln!(out, "{head:WIDTH_OF_SHAPES$}{line}")?;
            }
        }
    }
    if !page.rules.is_empty() {
        writeln!(out)?;
        entry("rules", &page.rules.join(", "), look, out)?;
    }
    Ok(())
}

fn entry(word: &str, text: &str, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let mut word = word;
    for line in wrapped(text, look.width.saturating_sub(10).max(20)) {
        writeln!(out, "{word:10}{line}")?;
        word = "";
    }
    Ok(())
}

fn indented(text: &str, out: &mut dyn Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "    {line}"))
}

fn strong(look: &Look, text: &str) -> String {
    if look.color { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::rules::ExamplePage;
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_rule_has_a_page() {
        let page = RulePage {
            id: "redo-log-smaller-than-load".to_owned(),
            severity: "warning",
            area: "redo".to_owned(),
            summary: "the redo log is smaller than the largest load".to_owned(),
            applies: vec!["mysql >=5.6".to_owned(), "mariadb >=10.1".to_owned()],
            needs: vec!["workload.load_size".to_owned()],
            fix: Some("unsafe"),
            condition: "redo.usable < workload.load_size * workload.redo_factor".to_owned(),
            why:
                "A load that outgrows the redo log waits for page flushing, again and again, for the rest of the load."
                    .to_owned(),
            appendix: String::new(),
            links: vec!["https://mariadb.com/kb/en/innodb-redo-log/".to_owned()],
            examples: vec![
                ExamplePage {
                    server: "mariadb-10.11".to_owned(),
                    facts: "load_size 1G".to_owned(),
                    file: "[mysqld]\ninnodb_log_file_size = 512M\n".to_owned(),
                    finds: true,
                    fixed: "[mysqld]\ninnodb_log_file_size = 1486M\n".to_owned(),
                    ..ExamplePage::default()
                },
                ExamplePage {
                    server: "mariadb-10.11".to_owned(),
                    file: "[mysqld]\n".to_owned(),
                    ..ExamplePage::default()
                },
            ],
        };
        insta::assert_snapshot!(text(|out| rule(&page, &Look { width: 72, ..Look::PLAIN }, out)));
    }

    #[test]
    fn an_option_has_a_page() {
        let step = |flavor: &str, from: &str, state: &str, shape: &str| OptionStep {
            flavor: flavor.to_owned(),
            from: from.to_owned(),
            state: state.to_owned(),
            shape: shape.to_owned(),
        };
        let page = OptionPage {
            name: "innodb_log_file_size".to_owned(),
            aliases: Vec::new(),
            history: vec![
                step("mysql", "5.6.10", "present", "bytes, 1M to 512G, default 48M; set at start only"),
                step("mysql", "8.0.30", "deprecated", ""),
                step("mariadb", "10.1.8", "present", "bytes, default 48M"),
            ],
            rules: vec!["redo-log-too-small".to_owned()],
        };
        insta::assert_snapshot!(text(|out| option(&page, &Look { width: 60, ..Look::PLAIN }, out)));
    }
}
