//! The C# layer: compiled by mcs and run on Mono, compiled by Roslyn and run on CoreCLR.

use super::{Tally, native, scratch};
use anyhow::Result;

/// `tests/csharp/build-and-run.sh` compiles the package with stand-ins for Unity's classes.
pub fn tests(tally: &mut Tally) -> Result<()> {
    let lib = native::installed()?.join("lib");
    let out = scratch("csharp")?;
    native::script(tally, "csharp", "tests/csharp/build-and-run.sh", &[&lib.to_string_lossy(), &out.to_string_lossy()])
}

/// `tests/csharp/roslyn.sh` compiles each assembly definition on its own, for each version and
/// platform. Compiler and runtime stay in `target/dotnet`.
pub fn roslyn(tally: &mut Tally) -> Result<()> {
    let lib = native::installed()?.join("lib");
    let out = scratch("roslyn")?;
    let tools = crate::paths::target()?.join("dotnet");
    let arguments = [&lib, &out, &tools].map(|path| path.to_string_lossy());
    native::script(tally, "roslyn", "tests/csharp/roslyn.sh", &arguments.each_ref().map(|argument| &**argument))
}
