//! The DRAM's rules one by one, and the model against a plain second implementation on random traces and configurations. Needs no
//! data beside the checkout.

mod naive;
mod one_rule;
mod random;
