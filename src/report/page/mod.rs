//! A report as one page: charts, what a paper states beside them, trends and how to repeat it all in; HTML with inline SVG,
//! or Markdown, out.
//!
//! Values are plain: the caller gives their names, rows and unit. The page needs nothing beside it, and equal values give
//! equal bytes. It is well-formed XML too, so that programs can read it.
//!
//! ```
//! # mod azulejo { pub use azulejo_report as report; }
//! use azulejo::report::page::{Chart, Form, Page, Row, Section, Unit, html};
//!
//! let chart = Chart {
//!     id: "re.fig2".to_owned(),
//!     title: "equal tiles".to_owned(),
//!     unit: Unit { axis: "percent".to_owned(), sign: " %".to_owned(), difference: " points".to_owned(), decimals: 1 },
//!     form: Form::Bars,
//!     columns: vec!["equal".to_owned()],
//!     rows: vec![Row { name: "match3".to_owned(), values: vec![Some(93.5)] }],
//!     means: Vec::new(),
//!     stated: Vec::new(),
//! };
//! let section = Section { id: "re".to_owned(), charts: vec![chart], ..Section::default() };
//! let page = Page { title: "Studies".to_owned(), sections: vec![section], ..Page::default() };
//! assert!(html(&page).contains("<svg"));
//! ```

mod axes;
mod bars;
mod chart;
mod document;
mod heat;
mod lines;
mod listing;
mod markdown;
mod scale;
mod style;
mod svg;

pub use chart::{Chart, Fact, Form, Listing, Page, Row, Section, Stated, Unit, Verdict};
pub use document::html;
pub use markdown::markdown;

#[cfg(test)]
mod tests;
