//! The three forms in which the command-line clients print results: tab separated, table, vertical.
//!
//! Recorded from the clients of MySQL 9.7 and MariaDB 10.11: only the tab form escapes line ends, tabs and backslashes
//! (unless `--raw`); in the others a value goes on over lines as it is.

use crate::source::Span;
use std::borrow::Cow;

/// One result: names of columns if they were printed, and rows.
pub(super) struct Grid<'a> {
    pub columns: Option<Vec<&'a [u8]>>,
    pub rows: Vec<Row<'a>>,
}

pub(super) struct Row<'a> {
    pub cells: Vec<Cow<'a, [u8]>>,
    /// The line, or the lines, of the row.
    pub span: Span,
}

/// Splits what a client printed into its results. What is in none of the three forms is skipped: prompts, row counts, warnings.
pub(super) fn grids(bytes: &[u8]) -> Vec<Grid<'_>> {
    let mut lines = Lines { bytes, at: 0 };
    let mut grids = Vec::new();
    while let Some(line) = lines.peek() {
        if is_border(line.text) {
            grids.push(table(&mut lines));
        } else if is_row_title(line.text) {
            vertical(&mut lines, &mut grids);
        } else if line.text.contains(&b'\t') {
            tabs(&mut lines, &mut grids);
        } else {
            lines.next();
        }
    }
    grids
}

#[derive(Clone, Copy)]
struct Line<'a> {
    /// Without its end, `\r\n` or `\n`.
    text: &'a [u8],
    span: Span,
}

#[derive(Clone, Copy)]
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    fn peek(self) -> Option<Line<'a>> {
        let mut lines = self;
        lines.next()
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let text = rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]);
        let span = Span::new(self.at as u32, (self.at + text.len()) as u32);
        self.at += length + 1;
        Some(Line { text, span })
    }
}

/// `+-----+-----+`
fn is_border(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.len() > 2
        && line.starts_with(b"+-")
        && line.ends_with(b"-+")
        && line.iter().all(|byte| matches!(byte, b'+' | b'-'))
}

fn is_row_title(line: &[u8]) -> bool {
    row_number(line).is_some()
}

/// The number in `*************************** 1. row ***************************`.
fn row_number(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii().strip_prefix(b"*****")?;
    let middle = rest.trim_ascii_start();
    let middle = middle.iter().position(|byte| *byte != b'*').map_or(middle, |at| &middle[at..]).trim_ascii();
    let end = middle.iter().position(|byte| *byte == b'*').unwrap_or(middle.len());
    let title = middle[..end].trim_ascii();
    title.strip_suffix(b". row").filter(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

fn table<'a>(lines: &mut Lines<'a>) -> Grid<'a> {
    let mut grid = Grid { columns: None, rows: Vec::new() };
    let Some(border) = lines.next() else { return grid };
    let width = border.text.iter().filter(|byte| **byte == b'+').count() - 1;
    let mut rows = Vec::new();
    // Borders stand above the names, below them and at the end; without names only at both ends.
    let mut borders = 1;
    while let Some(line) = lines.peek() {
        if is_border(line.text) {
            lines.next();
            borders += 1;
            if borders == 2 && rows.len() == 1 && lines.peek().is_some_and(|next| next.text.starts_with(b"|")) {
                grid.columns = rows.pop().map(|row: Row<'a>| row.cells.iter().map(|cell| borrowed(cell)).collect());
                continue;
            }
            break;
        }
        if !line.text.starts_with(b"| ") {
            break;
        }
        rows.push(table_row(lines, border.text, width));
    }
    grid.rows = rows;
    grid
}

fn borrowed<'a>(cell: &Cow<'a, [u8]>) -> &'a [u8] {
    match cell {
        Cow::Borrowed(bytes) => bytes,
        // The cells of a table are always parts of the file.
        Cow::Owned(_) => &[],
    }
}

/// A row of a table goes on over lines until one closes it with ` |`.
fn table_row<'a>(lines: &mut Lines<'a>, border: &[u8], width: usize) -> Row<'a> {
    let mut span: Option<Span> = None;
    while let Some(line) = lines.peek().filter(|line| !is_border(line.text)) {
        lines.next();
        span = Some(span.map_or(line.span, |span| span.to(line.span)));
        if line.text.ends_with(b" |") {
            break;
        }
    }
    let span = span.unwrap_or_default();
    let text = span.of(lines.bytes);
    let inside = text.strip_prefix(b"|").unwrap_or(text);
    let inside = inside.strip_suffix(b"|").unwrap_or(inside);
    let cells = cells_by_border(text, border).unwrap_or_else(|| cells_by_bars(inside, width));
    Row { cells: cells.into_iter().map(|cell| Cow::Borrowed(cell.trim_ascii())).collect(), span }
}

/// The cells where the bars stand exactly below the corners, which they do unless a value is not ASCII or has line ends.
fn cells_by_border<'a>(text: &'a [u8], border: &[u8]) -> Option<Vec<&'a [u8]>> {
    if text.len() != border.len() || !text.is_ascii() {
        return None;
    }
    let corners: Vec<_> = border.iter().enumerate().filter(|(_, byte)| **byte == b'+').map(|(at, _)| at).collect();
    if corners.iter().any(|at| text[*at] != b'|') {
        return None;
    }
    Some(corners.windows(2).map(|pair| &text[pair[0] + 1..pair[1]]).collect())
}

/// The cells between ` | `; the last one takes what is left.
fn cells_by_bars(inside: &[u8], width: usize) -> Vec<&[u8]> {
    let mut cells = Vec::with_capacity(width);
    let mut rest = inside;
    while cells.len() + 1 < width {
        let Some(bar) = rest.windows(3).position(|window| window == b" | ") else { break };
        cells.push(&rest[..bar]);
        rest = &rest[bar + 2..];
    }
    cells.push(rest);
    cells
}

/// Rows of the vertical form, `name: value` a line; a new result begins with its row 1.
fn vertical<'a>(lines: &mut Lines<'a>, grids: &mut Vec<Grid<'a>>) {
    let mut grid = Grid { columns: None, rows: Vec::new() };
    while let Some(number) = lines.peek().and_then(|line| row_number(line.text)) {
        lines.next();
        let mut names = Vec::new();
        let mut values: Vec<Span> = Vec::new();
        let mut span: Option<Span> = None;
        while let Some(line) = lines.peek().filter(|line| !is_row_title(line.text)) {
            if let Some(colon) = column_name_end(line.text) {
                let value = (colon + 1..line.text.len()).len().min(1);
                names.push(line.text[..colon].trim_ascii());
                values.push(Span::new(line.span.start + (colon + 1 + value) as u32, line.span.end));
            } else if is_footer(line.text) || values.is_empty() {
                break;
            } else if let Some(value) = values.last_mut() {
                *value = value.to(line.span);
            }
            lines.next();
            span = Some(span.map_or(line.span, |span| span.to(line.span)));
        }
        let Some(span) = span else { continue };
        if number == b"1" || grid.columns.as_ref().is_some_and(|columns| *columns != names) {
            grids.push(std::mem::replace(&mut grid, Grid { columns: None, rows: Vec::new() }));
        }
        let bytes = lines.bytes;
        grid.columns = Some(names);
        grid.rows.push(Row { cells: values.iter().map(|value| Cow::Borrowed(value.of(bytes))).collect(), span });
    }
    grids.push(grid);
}

/// Where the name of a column ends, if the line begins with one that these queries have.
fn column_name_end(line: &[u8]) -> Option<usize> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let name = line[..colon].trim_ascii_start();
    let known = super::Column::of(name).is_some()
        || !name.is_empty() && name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let ends = line.get(colon + 1).is_none_or(|byte| *byte == b' ');
    (known && ends).then_some(colon)
}

/// `3 rows in set (0.00 sec)`, or nothing, or the next prompt.
fn is_footer(line: &[u8]) -> bool {
    line.is_empty()
        || line.windows(5).any(|window| window == b" in s")
        || line.starts_with(b"mysql>")
        || is_border(line)
}

/// Lines of cells between tabs, up to one without any. A line of column names begins a new result.
fn tabs<'a>(lines: &mut Lines<'a>, grids: &mut Vec<Grid<'a>>) {
    let mut grid = Grid { columns: None, rows: Vec::new() };
    while let Some(line) = lines.peek().filter(|line| line.text.contains(&b'\t')) {
        lines.next();
        let cells: Vec<_> = line.text.split(|byte| *byte == b'\t').collect();
        let width = grid.rows.last().map(|row: &Row<'_>| row.cells.len());
        let is_header = super::Column::of(cells[0]) == Some(super::Column::Name);
        if is_header || grid.columns.is_none() && width.is_some_and(|width| width != cells.len()) {
            grids.push(std::mem::replace(&mut grid, Grid { columns: None, rows: Vec::new() }));
        }
        if is_header {
            grid.columns = Some(cells);
        } else {
            grid.rows.push(Row { cells: cells.into_iter().map(unescaped).collect(), span: line.span });
        }
    }
    grids.push(grid);
}

/// What the batch form escapes: <https://dev.mysql.com/doc/refman/8.4/en/mysql-command-options.html#option_mysql_raw>.
fn unescaped(cell: &[u8]) -> Cow<'_, [u8]> {
    if !cell.contains(&b'\\') {
        return Cow::Borrowed(cell);
    }
    let mut text = Vec::with_capacity(cell.len());
    let mut bytes = cell.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.clone().next()) {
            (b'\\', Some(escaped @ (b'n' | b't' | b'0' | b'\\'))) => {
                bytes.next();
                text.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'0' => 0,
                    _ => b'\\',
                });
            }
            _ => text.push(byte),
        }
    }
    Cow::Owned(text)
}
