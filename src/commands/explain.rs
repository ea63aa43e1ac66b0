//! `cnflint explain RULE|OPTION`: one page on a rule, an option, or both where a name is both.

use cnflint::pages::{OptionPage, RulePage};
use cnflint::report::human::{Look, wrapped};
use cnflint::report::text::one_line;
use std::io::{self, Write};

/// Where what is told of a version begins.
const MARGIN: usize = 16;

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
        writeln!(out, "{}", look.link(link))?;
    }
    Ok(())
}

/// Writes the page of an option.
///
/// # Errors
/// What the writer says.
pub fn option(page: &OptionPage, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", strong(look, &page.name))?;
    if !page.about.is_empty() {
        writeln!(out)?;
        wrapped(&page.about, look.width).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    if !page.aliases.is_empty() || !page.sets.is_empty() {
        writeln!(out)?;
    }
    entry("sets", &page.sets, look, out)?;
    entry("also", &page.aliases.join(", "), look, out)?;
    for flavor in &page.flavors {
        let also = if flavor.same.is_empty() { String::new() } else { format!(", also {}", flavor.same.join(", ")) };
        writeln!(out, "\n{}{also}", strong(look, &flavor.title))?;
        for step in &flavor.steps {
            let mut head = step.from.as_str();
            for line in wrapped(&step.text, look.width.saturating_sub(MARGIN).max(20)) {
                writeln!(out, "  {head:width$}{line}", width = MARGIN - 2)?;
                head = "";
            }
        }
    }
    if !page.rules.is_empty() {
        writeln!(out)?;
        entry("rules", &page.rules.join(", "), look, out)?;
    }
    if !page.links.is_empty() {
        writeln!(out)?;
    }
    page.links.iter().try_for_each(|link| writeln!(out, "{}", look.link(link)))
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
    use super::*;
    use cnflint::pages::{ExamplePage, FlavorPage, OptionStep};

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
        let step = |from: &str, text: &str| OptionStep { from: from.to_owned(), text: text.to_owned() };
        let page = OptionPage {
            name: "innodb_log_file_size".to_owned(),
            about: "Size of one file of the redo log, which bounds how many changes may wait in memory.".to_owned(),
            flavors: vec![
                FlavorPage {
                    title: "MySQL".to_owned(),
                    steps: vec![
                        step("5.6", "1M to 512G; default 48M; needs a restart"),
                        step("8.0.30", "deprecated; in its place: innodb_redo_log_capacity"),
                        step("by 9.7.0", "gone; last seen in 8.4.8"),
                    ],
                    same: vec!["Percona Server"],
                },
                FlavorPage { title: "MariaDB".to_owned(), steps: vec![step("10.1", "default 48M")], same: Vec::new() },
            ],
            rules: vec!["redo-log-too-small".to_owned()],
            links: vec!["https://dev.mysql.com/doc/refman/8.4/en/innodb-parameters.html".to_owned()],
            ..OptionPage::default()
        };
        let linked = text(|out| option(&page, &Look { links: true, ..Look::PLAIN }, out));
        assert!(linked.contains("\u{1b}]8;;https://dev.mysql.com/"), "{linked}");
        insta::assert_snapshot!(text(|out| option(&page, &Look { width: 60, ..Look::PLAIN }, out)));
    }
}
