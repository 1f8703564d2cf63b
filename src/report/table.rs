//! Text tables with aligned columns.

/// Alignment of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Cells begin at the left, as text does.
    Left,
    /// Cells end at the right, as numbers do.
    Right,
}

/// Rows as lines, indented by two, two blanks between columns, nothing behind the last cell. Columns beyond `align` are
/// left-aligned; rows may have different lengths.
#[must_use]
pub fn aligned(rows: &[Vec<String>], align: &[Align]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |cell: &String| cell.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(length)
                .max()
        })
        .map(Option::unwrap_or_default)
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            match align.get(column) {
                Some(Align::Right) => format!("  {cell:>width$}"),
                _ => format!("  {cell:<width$}"),
            }
        });
        text.push_str(cells.collect::<String>().trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_fills_columns_to_the_widest_cell() {
        let rows = [vec!["é", "1"], vec!["long", "1,000", "why"]]
            .map(|row| row.into_iter().map(str::to_owned).collect());
        let text = aligned(&rows, &[Align::Left, Align::Right]);
        assert_eq!(
            text, "  é         1\n  long  1,000  why\n",
            "numbers end together, no trailing blanks"
        );
    }
}
