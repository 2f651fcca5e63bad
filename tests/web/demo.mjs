// The pages that work from a folder, in headless Chromium: the demo with the built-in mannequin, with
// a file's own mesh and without any, and the gallery.
//
//     PAGE=folder CHROMIUM=program node --test demo.mjs
//
// The folder has index.html, model/index.html, bones/index.html and gallery.html. Screenshots are
// left there.
import assert from "node:assert/strict";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { PAGE: folder, CHROMIUM: executablePath } = process.env;
const DESKTOP = { viewport: { width: 960, height: 600 }, colorScheme: "light" };
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true };
let browser;
const problems = [];

before(async () => {
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
});

after(async () => {
  await browser?.close();
});

/** Opens a page without a server; whatever it asks of a network is a problem. */
async function open(path, options, ready) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(`${path}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`${path}: ${error}`));
  page.on("request", (request) => /^https?:/.test(request.url()) && problems.push(`${path} asks for ${request.url()}`));
  await page.goto(pathToFileURL(join(folder, path)).href);
  await page.waitForFunction(ready, null, { timeout: 60_000 });
  return page;
}

const openDemo = (path, options = DESKTOP) => open(path, options, () => window.playground?.frames > 3);

async function frames(page, count = 4) {
  const from = await page.evaluate(() => window.playground.frames);
  await page.waitForFunction((until) => window.playground.frames >= until, from + count, { timeout: 60_000 });
}

const far = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

const handleAt = (page, name) => page.evaluate((name) => {
  const { stage, current } = window.playground;
  const { position } = current.handles.get(name);
  return { ...stage.screenOf(position), world: position.toArray() };
}, name);

/** Where a drawn bone is, by three.js from the bones that the page moved. */
const boneAt = (page, bone) => page.evaluate((bone) => {
  const object = window.playground.current.bone(bone);
  object.updateWorldMatrix(true, false);
  return object.getWorldPosition(object.position.clone()).toArray();
}, bone);

async function drag(page, name, dx, dy) {
  const { x, y } = await handleAt(page, name);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 6 });
  await page.mouse.up();
  await frames(page);
}

/** Stops the script where the hand holds the cylinder with ease. */
async function stop(page, seconds) {
  await page.evaluate((seconds) => {
    window.playground.current.play(false);
    window.playground.current.time = seconds;
  }, seconds);
  await frames(page);
}

for (const path of ["index.html", "model/index.html", "bones/index.html"]) {
  test(`${path}: the poses of the page have the bits of the other hosts`, async () => {
    const page = await openDemo(path);
    const hashes = await page.locator("table.hosts code").allTextContents();
    assert.ok(hashes.length >= 2 && /^[0-9a-f]{16}$/.test(hashes[0]), String(hashes));
    assert.deepEqual(new Set(hashes).size, 1, String(hashes));
    await page.context().close();
  });
}

test("the hand takes hold of the cylinder where it is dragged, to 1 mm", async () => {
  for (const path of ["index.html", "model/index.html"]) {
    const page = await openDemo(path);
    await stop(page, 3.5);
    const [hand, cylinder] = [await boneAt(page, "RightHand"), (await handleAt(page, "Cylinder")).world];
    await drag(page, "Cylinder", 25, 40);
    const [hand_, cylinder_] = [await boneAt(page, "RightHand"), (await handleAt(page, "Cylinder")).world];
    assert.ok(far(cylinder, cylinder_) > 0.1, `${path}: the cylinder was not dragged`);
    const off = far(hand_.map((x, i) => x - hand[i]), cylinder_.map((x, i) => x - cylinder[i]));
    assert.ok(off < 1e-3, `${path}: the hand is ${off} m off`);
    assert.match(await page.locator("tr", { hasText: "Right hand" }).locator("td").textContent(), /^reached/);
    const foot = await boneAt(page, "LeftFoot");
    await drag(page, "Left foot", 10, -40);
    assert.ok(far(foot, await boneAt(page, "LeftFoot")) > 0.05, `${path}: the foot stayed`);
    assert.ok(far((await handleAt(page, "Left foot")).world, await boneAt(page, "LeftFoot")) < 1e-3, `${path}: the foot left its handle`);
    await page.getByRole("button", { name: "Back to the script" }).click();
    await frames(page);
    assert.ok(far(hand, await boneAt(page, "RightHand")) < 1e-4, `${path}: the script has it not back`);
    await page.screenshot({ path: join(folder, `shot-demo-${path.split("/")[0]}.png`) });
    await page.context().close();
  }
});

/** Share of the pixels that are about magenta. */
async function magenta(page, name) {
  const bytes = await page.locator("#stage").screenshot({ path: join(folder, `shot-${name}.png`) });
  return page.evaluate(async (base64) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, picture.width, picture.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 90 && data[i + 2] > 90 && data[i + 1] < 0.6 * data[i]) count++;
    return count / (data.length / 4);
  }, bytes.toString("base64"));
}

test("a file is drawn with its own mesh and picture, and without a mesh as bones", async () => {
  const model = await openDemo("model/index.html");
  const share = await magenta(model, "own-mesh");
  assert.ok(share > 0.01, `${(100 * share).toFixed(2)} % of the view has the picture's colour`);
  await model.getByRole("tab", { name: "Character" }).click();
  await model.waitForFunction(() => document.getElementById("status").textContent.includes("person.glb"));
  await frames(model);
  assert.ok((await magenta(model, "own-mesh-posed")) > 0.01, "the page Character has another body");
  await model.context().close();
  const bones = await openDemo("bones/index.html");
  assert.ok((await magenta(bones, "bones")) < 1e-4);
  const drawn = await bones.evaluate(() => {
    let [skins, cones] = [0, 0];
    window.playground.stage.scene.traverse((part) => {
      if (part.isSkinnedMesh) skins++;
      if (part.isInstancedMesh) cones += part.count;
    });
    return { skins, cones };
  });
  assert.equal(drawn.skins, 0, "a foreign body is drawn");
  assert.ok(drawn.cones >= 14, `${drawn.cones} bones are drawn`);
  await bones.context().close();
});

const swipe = async (page, from, to) => {
  const session = await page.context().newCDPSession(page);
  const send = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await send("touchStart", [from]);
  for (let i = 1; i <= 8; i++) await send("touchMove", [{ x: from.x + ((to.x - from.x) * i) / 8, y: from.y + ((to.y - from.y) * i) / 8 }]);
  await send("touchEnd", []);
  await page.waitForTimeout(400);
};

test("a phone scrolls past the view, orbits sideways, and drags what it touches", async () => {
  const page = await openDemo("index.html", PHONE);
  await stop(page, 3.5);
  const box = await page.locator("#view").boundingBox();
  assert.ok(box.height <= 0.62 * 844 && box.y + box.height < 844, `the view takes ${box.height} of 844 pixels`);
  const scrolled = () => page.evaluate(() => scrollY);
  const camera = () => page.evaluate(() => window.playground.stage.camera.position.toArray());
  const corner = { x: 30, y: box.y + box.height - 70 };
  const before = await camera();
  await swipe(page, corner, { x: corner.x + 120, y: corner.y });
  assert.ok(far(before, await camera()) > 0.2, "a swipe to the side does not orbit");
  assert.equal(await scrolled(), 0);
  const { x, y, world } = await handleAt(page, "Cylinder");
  await swipe(page, { x, y }, { x: x + 5, y: y + 30 });
  assert.ok(far(world, (await handleAt(page, "Cylinder")).world) > 0.05, "the cylinder was not dragged");
  assert.equal(await scrolled(), 0, "the page scrolled while the cylinder was dragged");
  await page.screenshot({ path: join(folder, "shot-demo-phone.png"), fullPage: true });
  await swipe(page, corner, { x: corner.x, y: corner.y - 250 });
  assert.ok((await scrolled()) > 100, `a swipe upwards scrolls ${await scrolled()} pixels`);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await page.context().close();
});

const openGallery = (options = DESKTOP) => open("gallery.html", options, () => window.gallery?.frames > 3);

/** Two frames: whatever has come into view is drawn. */
async function drawn(page) {
  const from = await page.evaluate(() => window.gallery.frames);
  await page.waitForFunction((from) => window.gallery.frames > from + 1, from, { timeout: 60_000 });
}

/**
 * Stops the scripts one second after their start. How long the page ran until then depends on the
 * machine, and at the start some scenes show what no iteration has touched.
 */
async function pause(page) {
  await page.locator("#play").click();
  await page.evaluate(() => { window.gallery.state.time = 1; });
  await drawn(page);
}

test("the gallery's pictures are solved in the page as the library solves them", async () => {
  const page = await openGallery();
  await page.screenshot({ path: join(folder, "shot-gallery.png"), fullPage: true });
  const off = await page.evaluate(() => window.gallery.cards.map(({ told, exhibit }) => {
    const { frame, joints } = told.checked;
    const shown = exhibit.solve(frame, new Map()).joints;
    return { title: told.title, count: shown.length - joints.length / 3, off: Math.max(...shown.flat().map((x, i) => Math.abs(x - joints[i] / 1000))) };
  }));
  assert.ok(off.length >= 45, `${off.length} pictures`);
  // The recorded places are in whole millimetres.
  assert.deepEqual(off.filter((card) => card.count !== 0 || !(card.off < 1e-3)), []);
  await page.context().close();
});

test("the gallery's pictures differ, and each goal can be dragged", async () => {
  // A page of one or two pictures: all that are in view are drawn for each that is dragged.
  const page = await openGallery({ viewport: { width: 420, height: 420 }, colorScheme: "light" });
  await pause(page);
  const count = await page.evaluate(() => window.gallery.cards.length);
  const [looks, stuck] = [[], []];
  for (let i = 0; i < count; i++) {
    const card = page.locator("figure").nth(i);
    await card.scrollIntoViewIfNeeded();
    await drawn(page);
    const state = () => page.evaluate((i) => {
      const card = window.gallery.cards[i];
      const mark = card.marks()[0];
      const joints = card.exhibit.solve(Math.floor(window.gallery.state.time * 30) % card.exhibit.frames, card.held).joints;
      return { title: card.told.title, mark: mark && card.screenOf(mark), joints: joints.flat() };
    }, i);
    const before = await state();
    looks.push(await page.evaluate((i) => {
      const { canvas } = window.gallery.cards[i];
      const small = new OffscreenCanvas(16, 12).getContext("2d");
      small.drawImage(canvas, 0, 0, 16, 12);
      return Array.from(small.getImageData(0, 0, 16, 12).data);
    }, i));
    if (!before.mark) continue;
    const dragTo = async (x, y) => {
      const { mark } = await state();
      await page.mouse.move(mark.x, mark.y);
      await page.mouse.down();
      await page.mouse.move(x, y, { steps: 3 });
      await page.mouse.up();
      return state();
    };
    const after = await dragTo(before.mark.x - 22, before.mark.y + 18);
    if (Math.abs(after.mark.x - before.mark.x + 22) > 2) stuck.push(`${before.title}: the goal stayed`);
    if (far(before.joints, after.joints) > 1e-3) continue;
    // A sphere that is moved away lets go: this one is dragged onto the tip.
    const { x, y } = await page.evaluate(([i, at]) => window.gallery.cards[i].screenOf({ at }), [i, before.joints.slice(-3)]);
    const again = await dragTo(x, y);
    // At a weight of 0 the goal counts for nothing.
    if (before.title !== "weight" && !(far(before.joints, again.joints) > 1e-3)) stuck.push(`${before.title}: nothing moved`);
  }
  assert.deepEqual(stuck, []);
  const difference = (a, b) => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]), 0) / a.length;
  let [least, pair] = [Infinity, []];
  looks.forEach((a, i) => looks.slice(0, i).forEach((b, k) => {
    if (difference(a, b) < least) [least, pair] = [difference(a, b), [k, i]];
  }));
  assert.ok(least > 2, `pictures ${pair} differ by ${least} of 255 only`);
  await page.context().close();
});

test("the gallery on a phone: it scrolls, and a goal is dragged by a finger", async () => {
  const page = await openGallery(PHONE);
  await pause(page);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  const at = () => page.evaluate(() => window.gallery.cards[0].screenOf(window.gallery.cards[0].marks()[0]));
  const before = await at();
  await swipe(page, before, { x: before.x - 10, y: before.y + 40 });
  const after = await at();
  assert.ok(after.y - before.y > 25, `the goal moved by ${after.y - before.y} pixels`);
  await page.screenshot({ path: join(folder, "shot-gallery-phone.png") });
  const box = await page.locator("figure canvas").first().boundingBox();
  await swipe(page, { x: box.x + 12, y: box.y + box.height - 12 }, { x: box.x + 12, y: box.y + box.height - 212 });
  assert.ok((await page.evaluate(() => scrollY)) > 80, "a picture stops the page from scrolling");
  await page.context().close();
});

test("nothing was reported to the console, and nothing asked of a network", () => {
  assert.deepEqual(problems, []);
});
