//! stub
use crate::server::Server;
#[allow(missing_docs)]
pub fn known_in_group(_g: &str, _o: &[u8], _s: Server) -> Option<bool> {
    None
}
#[allow(missing_docs)]
pub fn groups_for(_o: &[u8], _s: Server) -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}
