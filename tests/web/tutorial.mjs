// The tutorial in headless Chromium, with the installed package: the page's hash is the given one.
//
//     PAGE=folder HASH=digits CHROMIUM=program node --test tutorial.mjs
//
// The folder is a project with the package in node_modules, examples/hold_cylinder/web and scene.bin.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import test, { after, before } from "node:test";
import { chromium } from "playwright-core";

const { PAGE: folder, HASH: hash, CHROMIUM: executablePath } = process.env;
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
let server, browser;

before(async () => {
  server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (!bytes) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": KINDS[extname(path)] ?? "application/octet-stream" }).end(bytes);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test("a page without a bundler leaves the poses of the other hosts", async () => {
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/index.html`);
  const said = () => document.querySelector("output").textContent;
  await page.waitForFunction(() => document.querySelector("output").textContent.startsWith("hash "), null, { timeout: 60_000 })
    .catch((error) => problems.push(String(error)));
  assert.deepEqual(problems, []);
  assert.equal(await page.evaluate(said), `hash ${hash}`);
});
