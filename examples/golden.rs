//! Prints the hash of each golden scene, `golden NAME HEX` per line; compare with
//! tests/golden/hashes.txt.

use testkit::golden;

fn main() {
    for index in 0..golden::count() {
        println!("golden {} {:016x}", golden::name(index), golden::hash(index));
    }
}
