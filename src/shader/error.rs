//! Errors of sources, of lowering, and of runs: subject, fact, and the line at fault.

use std::fmt;

/// Reason why a source is no program, or none that this room can run; its text begins with line and column where known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShaderError {
    /// Line in the source, from 1; 0 where the fault has none.
    pub line: u32,
    /// Column in the line, from 1.
    pub column: u32,
    /// The sentence, without the place.
    pub message: String,
}

impl ShaderError {
    pub(super) fn at(source: &str, span: naga::Span, message: impl Into<String>) -> Self {
        let (line, column) = place(source, span);
        Self {
            line,
            column,
            message: message.into(),
        }
    }

    pub(super) fn nowhere(message: impl Into<String>) -> Self {
        Self {
            line: 0,
            column: 0,
            message: message.into(),
        }
    }
}

impl fmt::Display for ShaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ShaderError {}

/// Line and column of a span, both from 1; zeros where it is undefined or lies outside of the source.
pub(super) fn place(source: &str, span: naga::Span) -> (u32, u32) {
    let start = span.to_range().map(|range| range.start);
    let Some(before) = start.and_then(|start| source.get(..start)) else {
        return (0, 0);
    };
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() as u32 + 1;
    (line, column)
}

/// Reason why a run stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A loop went on longer than the budget allows.
    #[error("line {line}: loop without an end: more than {budget} instructions in one batch")]
    Budget {
        /// Line of the loop.
        line: u32,
        /// Instructions that a batch may execute.
        budget: u64,
    },
    /// A buffer that the program reads was not given.
    #[error("group {group}, binding {binding}: no buffer is bound")]
    Unbound {
        /// Bind group.
        group: u32,
        /// Binding in the group.
        binding: u32,
    },
    /// A buffer that the program writes was given for reading.
    #[error(
        "group {group}, binding {binding}: the program writes to a buffer that is bound for reading"
    )]
    ReadOnly {
        /// Bind group.
        group: u32,
        /// Binding in the group.
        binding: u32,
    },
    /// The entry point is of another stage than the call.
    #[error("entry point `{entry}` is no {expected} program")]
    Stage {
        /// Name of the entry point.
        entry: String,
        /// Stage that the call needs.
        expected: &'static str,
    },
}
