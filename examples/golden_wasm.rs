//! The golden scenes as a WebAssembly module without imports, for `node` or a browser: `cargo build
//! --release --example golden_wasm --target wasm32-unknown-unknown --no-default-features`.
#![allow(unsafe_code, reason = "exported names")]

use testkit::golden;

/// Number of goldens.
#[unsafe(no_mangle)]
pub extern "C" fn golden_count() -> u32 {
    golden::count() as u32
}

/// Hash of a golden, in the order of tests/golden/hashes.txt; 0 when there is none of this number.
#[unsafe(no_mangle)]
pub extern "C" fn golden_hash(index: u32) -> u64 {
    if index < golden_count() { golden::hash(index as usize) } else { 0 }
}
