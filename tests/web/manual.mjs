// The manual in headless Chromium, on a desktop and on a phone: pages fit, pictures load, the
// search finds, and nothing is reported to the console.
//
//     PAGE=folder CHROMIUM=program node --test manual.mjs
//
// Screenshots are left in the manual's folder.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import test, { after, before } from "node:test";
import { chromium } from "playwright-core";

const { PAGE: folder, CHROMIUM: executablePath } = process.env;
const KINDS = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
  ".json": "application/json", ".wasm": "application/wasm",
};
/** Pages that are looked at: path, a word of the headline, and how many pictures are shown. */
const PAGES = [
  ["index.html", "Sinew", 1],
  ["start/unity.html", "Unity", 0],
  ["concepts.html", "Concepts", 4],
  ["constraints.html", "Constraints", 10],
  ["cookbook.html", "Cookbook", 0],
  ["reference/c.html", "C reference", 0],
];
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
let server, browser, at;
const problems = [];

before(async () => {
  server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(folder, path);
    if (!(await stat(file).catch(() => null))?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" });
    response.end(await readFile(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  at = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function open(size, path) {
  const page = await browser.newPage({ viewport: SIZES[size], colorScheme: "light" });
  page.on("console", (message) => message.type() === "error" && problems.push(`${path}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`${path}: ${error}`));
  await page.goto(at + path, { waitUntil: "load" });
  return page;
}

for (const size of Object.keys(SIZES)) {
  test(`pages fit a ${size}, with their pictures`, async () => {
    for (const [path, headline, pictures] of PAGES) {
      const page = await open(size, path);
      const seen = await page.evaluate(() => ({
        headline: document.querySelector("main h1")?.textContent ?? "",
        pictures: [...document.querySelectorAll("main img")].map((image) => image.complete && image.naturalWidth > 0),
        text: document.querySelector("main").getBoundingClientRect().width,
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      assert.match(seen.headline, new RegExp(headline), path);
      assert.ok(seen.pictures.length >= pictures, `${path} shows ${seen.pictures.length} pictures`);
      assert.ok(seen.pictures.every(Boolean), `${path}: a picture is not shown`);
      assert.ok(seen.text > 0.6 * Math.min(SIZES[size].width, 750), `${path}: the text is ${seen.text} wide`);
      assert.ok(seen.over <= 0, `${path} is ${seen.over} pixels wider than a ${size}`);
      const name = path.replaceAll("/", "-").replace(".html", "");
      await page.screenshot({ path: join(folder, `shot-${size}-${name}.png`) });
      await page.close();
    }
  });
}

test("the search finds a function and a message", async () => {
  for (const [words, wanted] of [["sinew_animator_add_two_bone", /two_bone/], ["shared object file", /Troubleshooting/]]) {
    const page = await open("desktop", `index.html?search=${encodeURIComponent(words)}`);
    const results = page.locator("#mdbook-searchresults li");
    await results.first().waitFor({ timeout: 60_000 });
    assert.match((await results.allTextContents()).join("\n"), wanted, words);
    await page.close();
  }
});

test("nothing was reported to the console", () => {
  assert.deepEqual(problems, []);
});
