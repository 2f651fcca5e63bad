// Hold the cylinder in node: node hold_cylinder.mjs SCENE OUT
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Sinew } from "sinew-ik";
import { play } from "./play.mjs";

const [scenePath, outPath] = process.argv.slice(2);
if (!outPath) throw new Error("usage: node hold_cylinder.mjs SCENE OUT");
const sinew = await Sinew.load(await readFile(fileURLToPath(Sinew.url()))); // in a browser: Sinew.load()
const { poses, hash } = play(sinew, await readFile(scenePath));
await writeFile(outPath, poses);
console.log(`hash ${hash}`);
