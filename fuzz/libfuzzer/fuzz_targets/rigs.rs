//! See `sinew_fuzz::rigs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sinew_fuzz::rigs::run(data));
