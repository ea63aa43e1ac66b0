//! `cnflint effective`: the settings that a program would end up with.

use super::rules::write_columns;
use crate::cli::EffectiveFormat;
use cnflint::catalog;
use cnflint::report::text::clean;
use data_encoding::BASE64;
use serde::Serialize;
use std::io::{self, Write};

/// What a program would end up with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EffectiveView {
    /// The server: `mysql-8.0.28`.
    pub server: String,
    /// The program: `mysqld`.
    pub program: String,
    /// The arguments, byte for byte as `my_print_defaults` of that server prints them, without line breaks.
    pub arguments: Vec<Vec<u8>>,
    /// The settings, in the order of their names.
    pub settings: Vec<SettingView>,
}

/// One setting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SettingView {
    /// The system variable, or the option where there is no variable.
    pub setting: String,
    /// The resolved value; `None` for secrets.
    pub value: Option<String>,
    /// Whether it is a secret.
    pub secret: bool,
    /// The places that set it, the one that wins last.
    pub origins: Vec<OriginView>,
}

/// A place that set a setting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OriginView {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The option as it was written there.
    pub option: String,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    server: &'a str,
    program: &'a str,
    arguments: Vec<JsonArgument>,
    settings: &'a [SettingView],
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonArgument {
    Text(String),
    Bytes { text_base64: String },
}

/// Writes the view. Arguments hold passwords where they are printed as `my_print_defaults` prints them, and nowhere else.
///
/// # Errors
/// What the writer says.
pub fn write(view: &EffectiveView, format: EffectiveFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        EffectiveFormat::Args => view.arguments.iter().try_for_each(|argument| {
            out.write_all(argument)?;
            out.write_all(b"\n")
        }),
        EffectiveFormat::Json => json(view, out),
        EffectiveFormat::Table => table(view, out),
    }
}

/// Whether an argument such as `--password=x` holds a secret.
fn is_secret(argument: &str) -> bool {
    argument.split_once('=').is_some_and(|(name, value)| {
        catalog::is_secret(name.trim_start_matches('-')) || catalog::secret_within(value.as_bytes()).is_some()
    })
}

fn json(view: &EffectiveView, out: &mut dyn Write) -> io::Result<()> {
    let argument = |bytes: &Vec<u8>| match std::str::from_utf8(bytes) {
        Ok(text) if is_secret(text) => {
            JsonArgument::Text(format!("{}=***", text.split('=').next().unwrap_or_default()))
        }
        Ok(text) => JsonArgument::Text(text.to_owned()),
        Err(_) => JsonArgument::Bytes { text_base64: BASE64.encode(bytes) },
    };
    let document = Document {
        schema: 1,
        server: &view.server,
        program: &view.program,
        arguments: view.arguments.iter().map(argument).collect(),
        settings: &view.settings,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn table(view: &EffectiveView, out: &mut dyn Write) -> io::Result<()> {
    let row = |setting: &SettingView| {
        let value = match &setting.value {
            Some(value) => clean(value).into_owned(),
            None if setting.secret => "***".to_owned(),
            None => "none".to_owned(),
        };
        let place = |origin: &OriginView| clean(&format!("{}:{}", origin.file, origin.line)).into_owned();
        let mut origins = setting.origins.iter().rev().map(place);
        let winner = origins.next().unwrap_or_default();
        let overruled: Vec<_> = origins.collect();
        let set_by = if overruled.is_empty() { winner } else { format!("{winner} (over {})", overruled.join(", ")) };
        [clean(&setting.setting).into_owned(), value, set_by]
    };
    let head = ["SETTING", "VALUE", "SET BY"].map(str::to_owned);
    let rows: Vec<_> = std::iter::once(head).chain(view.settings.iter().map(row)).collect();
    writeln!(out, "{} of {}\n", view.program, view.server)?;
    write_columns(&rows, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> EffectiveView {
        let origin = |file: &str, line| OriginView { file: file.to_owned(), line, option: "port".to_owned() };
        EffectiveView {
            server: "mysql-8.0.28".to_owned(),
            program: "mysqld".to_owned(),
            arguments: vec![b"--port=3306".to_vec(), b"--datadir=/\xff".to_vec()],
            settings: vec![
                SettingView {
                    setting: "port".to_owned(),
                    value: Some("3307".to_owned()),
                    secret: false,
                    origins: vec![origin("my.cnf", 2), origin("conf.d/a.cnf", 3)],
                },
                SettingView {
                    setting: "password".to_owned(),
                    secret: true,
                    origins: vec![origin("my.cnf", 9)],
                    value: None,
                },
            ],
        }
    }

    fn text(format: EffectiveFormat) -> Vec<u8> {
        let mut out = Vec::new();
        write(&view(), format, &mut out).unwrap();
        out
    }

    #[test]
    fn the_table_says_who_set_what_over_whom() {
        assert_eq!(
            String::from_utf8(text(EffectiveFormat::Table)).unwrap(),
            "mysqld of mysql-8.0.28\n\n\
             SETTING   VALUE  SET BY\n\
             port      3307   conf.d/a.cnf:3 (over my.cnf:2)\n\
             password  ***    my.cnf:9\n"
        );
    }

    #[test]
    fn arguments_come_byte_for_byte() {
        assert_eq!(text(EffectiveFormat::Args), b"--port=3306\n--datadir=/\xff\n");
        let json = String::from_utf8(text(EffectiveFormat::Json)).unwrap();
        assert!(json.contains(r#""text_base64": "LS1kYXRhZGlyPS//""#), "{json}");
    }
}
