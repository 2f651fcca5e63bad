//! Prints the hash of each golden scene, `golden NAME HEX` per line; compare with
//! tests/golden/hashes.txt.

fn main() {
    testkit::golden::print();
}
