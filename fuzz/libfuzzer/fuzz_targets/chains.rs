//! See `sinew_fuzz::chains`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sinew_fuzz::chains::run(data));
