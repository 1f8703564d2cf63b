//! The `azulejo` command.

fn main() {}
