//! CSV as text (RFC 4180): a header, then rows of as many cells, quoted where their content asks for it.

use std::fmt::{Display, Write};

use csv::Writer;

/// Table that is being written, cell by cell.
pub struct CsvText {
    writer: Writer<Vec<u8>>,
    /// Cell that is being formatted; kept to reuse its memory.
    cell: String,
}

impl std::fmt::Debug for CsvText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvText").finish_non_exhaustive()
    }
}

impl CsvText {
    /// Returns a table with these column names.
    pub fn new<T: Display>(columns: impl IntoIterator<Item = T>) -> Self {
        let mut table = Self {
            writer: Writer::from_writer(Vec::new()),
            cell: String::new(),
        };
        table.row(columns);
        table
    }

    /// Appends a cell to the row that is being written.
    pub fn cell(&mut self, value: impl Display) {
        self.cell.clear();
        // Neither a string nor a vector of bytes refuses what is written to it.
        let _ = write!(self.cell, "{value}");
        let _ = self.writer.write_field(&self.cell);
    }

    /// Appends a cell that is empty where nothing was measured.
    pub fn optional(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.cell(value),
            None => self.cell(""),
        }
    }

    /// Appends cells to the row that is being written.
    pub fn cells<T: Display>(&mut self, values: impl IntoIterator<Item = T>) {
        for value in values {
            self.cell(value);
        }
    }

    /// Ends the row.
    ///
    /// # Panics
    /// If it has not as many cells as the header: a mistake of the caller, which a reader of the file would not see.
    pub fn end_row(&mut self) {
        let ended = self.writer.write_record(None::<&[u8]>);
        ended.expect("a row has a cell for each column");
    }

    /// Appends a whole row.
    ///
    /// # Panics
    /// As [`CsvText::end_row`].
    pub fn row<T: Display>(&mut self, values: impl IntoIterator<Item = T>) {
        self.cells(values);
        self.end_row();
    }

    /// Returns the finished text; rows end with a line feed.
    #[must_use]
    pub fn into_text(self) -> String {
        let bytes = self.writer.into_inner().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_what_would_split() {
        let mut table = CsvText::new(["plain wall[0]", "a,b", "say \"x\""]);
        table.row(["", "two\nlines", "é #1"]);
        assert_eq!(
            table.into_text(),
            "plain wall[0],\"a,b\",\"say \"\"x\"\"\"\n,\"two\nlines\",é #1\n",
            "only where needed"
        );
    }

    #[test]
    #[should_panic(expected = "a cell for each column")]
    fn csv_row_of_another_length_than_the_header_is_refused() {
        CsvText::new(["a", "b"]).row([1]);
    }
}
