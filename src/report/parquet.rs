//! Parquet files of tables: CSV in, Apache Parquet out, for data frames: a column of whole numbers is INT64, one of other
//! numbers DOUBLE, all else text; an empty cell is null. Equal tables give equal bytes.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

/// Error of a table that cannot become a Parquet file.
#[derive(Debug, thiserror::Error)]
pub enum ParquetError {
    /// Text that is no table.
    #[error("the table cannot be read: {0}")]
    Table(#[from] csv::Error),
    /// Table that cannot be written.
    #[error("the table cannot be written as Parquet: {0}")]
    File(#[from] parquet::errors::ParquetError),
}

/// Values of a column, without the empty cells.
enum Values {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Vec<ByteArray>),
}

struct Column {
    name: String,
    values: Values,
    /// Definition levels, one a row: 1 where there is a value, 0 where there is none.
    levels: Vec<i16>,
}

impl Column {
    /// Column of cells; those of a name are text, whatever they look like.
    fn of(name: &str, cells: &[String], is_name: bool) -> Self {
        let known = || cells.iter().filter(|cell| !cell.is_empty());
        let texts = || Values::Texts(known().map(|cell| cell.as_str().into()).collect());
        let integers: Option<Vec<i64>> = known().map(|cell| cell.parse().ok()).collect();
        let numbers: Option<Vec<f64>> = known().map(|cell| cell.parse().ok()).collect();
        let values = match (is_name, integers, numbers) {
            (false, Some(integers), _) if !integers.is_empty() => Values::Integers(integers),
            (false, _, Some(numbers)) => Values::Numbers(numbers),
            _ => texts(),
        };
        Self {
            name: name.to_owned(),
            values,
            levels: (cells.iter())
                .map(|cell| i16::from(!cell.is_empty()))
                .collect(),
        }
    }

    fn schema(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.values {
            Values::Integers(_) => (Physical::INT64, None),
            Values::Numbers(_) => (Physical::DOUBLE, None),
            Values::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let builder = Type::primitive_type_builder(&self.name, physical);
        let builder = builder.with_repetition(Repetition::OPTIONAL);
        Ok(builder.with_logical_type(logical).build()?)
    }

    fn write(&self, to: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(&self.levels[..]);
        match &self.values {
            Values::Integers(values) => {
                to.typed::<Int64Type>().write_batch(values, levels, None)?
            }
            Values::Numbers(values) => {
                to.typed::<DoubleType>().write_batch(values, levels, None)?
            }
            Values::Texts(values) => to
                .typed::<ByteArrayType>()
                .write_batch(values, levels, None)?,
        };
        Ok(())
    }
}

/// Writes the table `csv`, in which the columns `names` are text whatever they hold. `stamp` tells how it came about and
/// stands in the file's metadata under `azulejo`.
///
/// # Errors
/// If it is no table of CSV with a line of names, or if two of its columns have one name.
pub fn parquet(csv: &str, names: &[&str], stamp: &str) -> Result<Vec<u8>, ParquetError> {
    let columns = columns(csv, names)?;
    let fields = columns.iter().map(|column| column.schema().map(Arc::new));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields);
    let stamp = KeyValue::new("azulejo".to_owned(), stamp.to_owned());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![stamp]));
    let (schema, properties) = (Arc::new(schema.build()?), Arc::new(properties.build()));
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut group = file.next_row_group()?;
    for column in &columns {
        if let Some(mut writer) = group.next_column()? {
            column.write(&mut writer)?;
            writer.close()?;
        }
    }
    group.close()?;
    Ok(file.into_inner()?)
}

fn columns(csv: &str, names: &[&str]) -> Result<Vec<Column>, ParquetError> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers()?.clone();
    let mut cells = vec![Vec::new(); header.len()];
    for row in reader.records() {
        let row = row?;
        for (cells, cell) in cells.iter_mut().zip(&row) {
            cells.push(cell.to_owned());
        }
    }
    let columns = header.iter().zip(&cells);
    let column = |(name, cells): (&str, &Vec<_>)| Column::of(name, cells, names.contains(&name));
    Ok(columns.map(column).collect())
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    const CSV: &str = "scene,l2.size,frames,cycles,share,none\n7,1MiB,2,9007199254740993,0.1,\n\"a, b\",2MiB,3,,1e-300,\n";

    /// Cells by row and column, and the stamp in the file's metadata.
    fn read(bytes: Vec<u8>) -> (Vec<Vec<(String, Field)>>, Option<String>) {
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a file");
        let facts = file
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .cloned();
        let stamp = facts.and_then(|facts| facts.into_iter().find(|fact| fact.key == "azulejo"));
        let rows = file.get_row_iter(None).expect("rows");
        let rows = rows.map(|row| row.expect("readable"));
        let rows = rows.map(|row| {
            let cells = row.get_column_iter();
            cells
                .map(|(name, field)| (name.clone(), field.clone()))
                .collect()
        });
        (rows.collect(), stamp.and_then(|fact| fact.value))
    }

    #[test]
    fn parquet_has_the_cells_of_the_table_to_the_last_bit() {
        let bytes = parquet(CSV, &["scene"], "{}").expect("a table");
        let (rows, stamp) = read(bytes);
        let text = |text: &str| Field::Str(text.to_owned());
        let fields = |row: &[(String, Field)]| -> Vec<Field> {
            row.iter().map(|(_, field)| field.clone()).collect()
        };
        assert_eq!(
            fields(&rows[0]),
            [
                text("7"),
                text("1MiB"),
                Field::Long(2),
                Field::Long(9_007_199_254_740_993),
                Field::Double(0.1),
                Field::Null,
            ],
            "a name is text; no digit is lost"
        );
        assert_eq!(
            fields(&rows[1]),
            [
                text("a, b"),
                text("2MiB"),
                Field::Long(3),
                Field::Null,
                Field::Double(1e-300),
                Field::Null,
            ],
            "what is empty is null"
        );
        assert_eq!(rows[0][1].0, "l2.size", "names keep their dots");
        assert_eq!((rows.len(), stamp.as_deref()), (2, Some("{}")));
    }

    #[test]
    fn parquet_of_the_same_table_is_the_same_bytes() {
        let once = parquet(CSV, &["scene"], "{}").expect("a table");
        assert_eq!(parquet(CSV, &["scene"], "{}").expect("a table"), once);
    }

    #[test]
    fn parquet_of_a_table_without_rows_has_its_columns() {
        let bytes = parquet("a,b\n", &[], "").expect("a table");
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a file");
        let schema = file.metadata().file_metadata().schema_descr();
        assert_eq!(schema.num_columns(), 2);
    }
}
