// Prints the golden hashes of a WebAssembly build, one "golden HASH" line per scene, as examples/golden.rs does natively.
//
//     node golden.mjs golden_wasm.wasm
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const wanted = WebAssembly.Module.imports(module);
if (wanted.length > 0) {
  console.error("the module wants imports:", wanted);
  process.exit(1);
}
const { golden_count, golden_hash } = new WebAssembly.Instance(module, {}).exports;
for (let index = 0; index < golden_count(); index++) {
  // A u64 arrives as a signed BigInt.
  console.log("golden " + BigInt.asUintN(64, golden_hash(index)).toString(16).padStart(16, "0"));
}
