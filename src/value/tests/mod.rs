//! Laws that hold for every shape, server and text.

mod laws;
mod sizes;
