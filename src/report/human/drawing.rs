//! What miette draws: a message over an excerpt of source.

use super::look::Look;
use crate::finding::Severity;
use crate::report::excerpt::Excerpt;
use crate::report::masked::masked_lines;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, SourceCode, SourceSpan, SpanContents};

/// What a mistake in the arguments, a facts file or a rule file looks like.
#[derive(Clone, Debug, Default)]
pub struct Mistake {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where: the file's name, its text, and the bytes in it.
    pub place: Option<(String, String, std::ops::Range<usize>)>,
}

/// A mistake of whoever called cnflint, with the place in their file where there is one.
pub fn mistake(mistake: &Mistake, look: &Look) -> String {
    let place = mistake.place.as_ref().map(|(name, text, range)| {
        let (text, range) = masked_lines(text, range.clone());
        (miette::NamedSource::new(name, text), LabeledSpan::new_primary_with_span(None, range))
    });
    let shown = Shown {
        message: mistake.message.clone(),
        severity: Severity::Error,
        help: mistake.help.clone(),
        source: place.as_ref().map(|(source, _)| source as &dyn SourceCode),
        labels: place.iter().map(|(_, label)| label.clone()).collect(),
    };
    let mut text = String::new();
    if handler(*look).render_report(&mut text, &shown).is_err() {
        text = format!("{}\n", mistake.message);
    }
    text
}

pub(super) fn handler(look: Look) -> GraphicalReportHandler {
    let theme = match (look.unicode, look.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    };
    GraphicalReportHandler::new_themed(theme)
        .with_urls(false)
        .with_width(look.width)
        .with_context_lines(1)
        .with_word_separator(textwrap::WordSeparator::AsciiSpace)
}

/// What miette draws.
pub(super) struct Shown<'a> {
    pub message: String,
    pub severity: Severity,
    pub help: Option<String>,
    pub labels: Vec<LabeledSpan>,
    pub source: Option<&'a dyn SourceCode>,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Advice => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

impl SourceCode for Excerpt {
    /// miette asks with context lines for what to draw, and without for the line and column to name.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        _context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let index = self.blocks.partition_point(|block| block.range.end <= start);
        let block = self.blocks.get(index).filter(|block| end <= block.range.end).ok_or(MietteError::OutOfBounds)?;
        let lines_before = || self.text[block.range.start..start].matches('\n').count();
        let named = (context_lines_before == 0).then(|| {
            let mark = self.marks.iter().find(|mark| mark.range == (start..end));
            (lines_before(), mark.map_or(1, |mark| mark.column))
        });
        let (line, column) = named.map_or((0, 0), |(line, column)| (line, column as usize - 1));
        Ok(Box::new(BlockContents {
            data: &self.text.as_bytes()[block.range.clone()],
            span: SourceSpan::new(block.range.start.into(), block.range.len()),
            name: &block.path,
            line: block.first_line as usize - 1 + line,
            column,
            line_count: block.line_count as usize,
        }))
    }
}

struct BlockContents<'a> {
    data: &'a [u8],
    span: SourceSpan,
    name: &'a str,
    line: usize,
    column: usize,
    line_count: usize,
}

impl<'a> SpanContents<'a> for BlockContents<'a> {
    fn data(&self) -> &'a [u8] {
        self.data
    }

    fn span(&self) -> &SourceSpan {
        &self.span
    }

    fn name(&self) -> Option<&str> {
        Some(self.name)
    }

    fn line(&self) -> usize {
        self.line
    }

    fn column(&self) -> usize {
        self.column
    }

    fn line_count(&self) -> usize {
        self.line_count
    }
}
