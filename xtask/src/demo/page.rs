//! Stub.
pub fn write_page(_: &super::recording::Recording, _: &std::path::Path) -> anyhow::Result<()> { Ok(()) }
