//! Products of matrices and vectors, sums of products.

use naga::TypeInner;

use super::super::code::Register;
use super::super::operation::FloatOp;
use super::state::{Lowerer, Result};

impl Lowerer<'_> {
    /// The product if one of both is a matrix; numbers of matrices go column by column.
    pub(super) fn matrix_product(
        &mut self,
        (left, a): (&TypeInner, &[Register]),
        (right, b): (&TypeInner, &[Register]),
    ) -> Result<Option<Vec<Register>>> {
        let shape = |inner: &TypeInner| match *inner {
            TypeInner::Matrix { columns, rows, .. } => Some((columns as usize, rows as usize)),
            _ => None,
        };
        let is_vector = |inner: &TypeInner| matches!(inner, TypeInner::Vector { .. });
        match (shape(left), shape(right)) {
            (Some((columns, rows)), Some((right_columns, _))) => {
                let mut product = Vec::new();
                for column in 0..right_columns {
                    let vector = &b[column * columns..][..columns];
                    product.extend(self.matrix_vector(a, rows, vector)?);
                }
                Ok(Some(product))
            }
            (Some((_, rows)), None) if is_vector(right) => self.matrix_vector(a, rows, b).map(Some),
            (None, Some((_, rows))) if is_vector(left) => {
                let columns = b.chunks(rows);
                let product = columns.map(|column| self.dot(a, column));
                product.collect::<Result<_>>().map(Some)
            }
            _ => Ok(None),
        }
    }

    fn matrix_vector(
        &mut self,
        matrix: &[Register],
        rows: usize,
        vector: &[Register],
    ) -> Result<Vec<Register>> {
        let row = |row: usize| {
            let numbers: Vec<Register> = matrix.iter().skip(row).step_by(rows).copied().collect();
            self.dot(&numbers, vector)
        };
        (0..rows).map(row).collect()
    }

    /// Sum of products, each but the first added without rounding the product.
    pub(super) fn dot(&mut self, a: &[Register], b: &[Register]) -> Result<Register> {
        let mut sum = self.alu(FloatOp::MulF, &[a[0], b[0]])?;
        for (&a, &b) in a.iter().zip(b).skip(1) {
            sum = self.alu(FloatOp::FmaF, &[a, b, sum])?;
        }
        Ok(sum)
    }

    /// Difference of two products: `a b - c d`, the first without rounding.
    pub(super) fn cross_term(&mut self, [a, b, c, d]: [Register; 4]) -> Result<Register> {
        let product = self.alu(FloatOp::MulF, &[c, d])?;
        let negative = self.alu(FloatOp::NegF, &[product])?;
        self.alu(FloatOp::FmaF, &[a, b, negative])
    }

    pub(super) fn determinant(&mut self, m: &[Register]) -> Result<Register> {
        match m.len() {
            4 => self.cross_term([m[0], m[3], m[1], m[2]]),
            9 => {
                let minors = [
                    self.cross_term([m[4], m[8], m[5], m[7]])?,
                    self.cross_term([m[7], m[2], m[8], m[1]])?,
                    self.cross_term([m[1], m[5], m[2], m[4]])?,
                ];
                self.dot(&[m[0], m[3], m[6]], &minors)
            }
            _ => {
                // Along the first row, signs alternating.
                let mut minors = Vec::new();
                for column in 0..4 {
                    let others: Vec<Register> = (0..4)
                        .filter(|&other| other != column)
                        .flat_map(|other| m[other * 4 + 1..other * 4 + 4].to_vec())
                        .collect();
                    let minor = self.determinant(&others)?;
                    minors.push(match column % 2 {
                        0 => minor,
                        _ => self.alu(FloatOp::NegF, &[minor])?,
                    });
                }
                self.dot(&[m[0], m[4], m[8], m[12]], &minors)
            }
        }
    }
}
