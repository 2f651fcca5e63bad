//! The C# layer on Mono.

use super::{Tally, native, scratch};
use anyhow::Result;

/// `tests/csharp/build-and-run.sh` compiles the package with stand-ins for Unity's classes.
pub fn tests(tally: &mut Tally) -> Result<()> {
    let lib = native::installed()?.join("lib");
    let out = scratch("csharp")?;
    native::script(tally, "csharp", "tests/csharp/build-and-run.sh", &[&lib.to_string_lossy(), &out.to_string_lossy()])
}
