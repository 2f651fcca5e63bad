//! See `sinew_fuzz::calls`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sinew_fuzz::calls::run(data));
