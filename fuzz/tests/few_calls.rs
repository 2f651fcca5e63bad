//! A few calls of the C ABI: short enough for Miri.

use sinew_fuzz::calls;
use testkit::Random;

#[test]
fn a_few_calls() {
    let (mut all, mut succeeded) = (0, 0);
    for seed in 0..2 {
        let mut random = Random::new(seed);
        let data: Vec<u8> = (0..160).map(|_| random.bits() as u8).collect();
        let (made, accepted) = calls::run_counted(&data);
        all += made;
        succeeded += accepted;
    }
    println!("{succeeded} of {all} calls succeeded");
    assert!(all > 18 && succeeded >= 16, "{succeeded} of {all} calls succeeded");
}
