//! Every file that a command writes goes through here: planned and checked before work begins, then written beside and renamed.
//!
//! A name that is a symbolic link stays one, and what it leads to is replaced; where other hard links lead to the old content, they
//! keep it. A file that is replaced hands its permissions on. Missing folders are made. `-` and `/dev/stdout` are standard output.

mod infix;
mod inputs;
mod place;
mod plan;
mod write;

pub(super) use infix::with_infix;
pub(super) use inputs::Inputs;
pub(super) use plan::{Named, Outputs, is_standard, unwritable};
pub(super) use write::Growing;
