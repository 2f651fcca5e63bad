// The playground in headless Chromium: dragging, keys, dropping a file, resizing, and no errors.
//
//     PAGE=folder CHROMIUM=program node --test playground.mjs
//
// Screenshots are left in the page's folder.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import test, { after, before } from "node:test";
import { chromium } from "playwright-core";
import { line, model } from "./model.mjs";

const { PAGE: folder, CHROMIUM: executablePath } = process.env;
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
let server, browser, page;
const problems = [];

before(async () => {
  server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!(await stat(file).catch(() => null))?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" });
    response.end(await readFile(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
  page = await browser.newPage({ viewport: { width: 960, height: 600 }, colorScheme: "light" });
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`${request.url()} failed`));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => window.playground?.frames > 3, null, { timeout: 60_000 });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Waits until the page has drawn this many more frames. */
async function frames(count = 3) {
  const from = await page.evaluate(() => window.playground.frames);
  await page.waitForFunction((until) => window.playground.frames >= until, from + count, { timeout: 60_000 });
}

const handleAt = (name) => page.evaluate((name) => {
  const { stage, current } = window.playground;
  const { position } = current.handles.get(name);
  return { ...stage.screenOf(position), world: position.toArray() };
}, name);

async function drag(name, dx, dy) {
  const { x, y } = await handleAt(name);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 4 });
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up();
  await frames();
}

/** Where a joint is, by forward kinematics in 64 bits from the pose in the module's memory. */
const jointAt = (bone) => page.evaluate((bone) => {
  const { character } = window.playground.current;
  const { pose } = character.animator;
  const rotate = ([x, y, z, w], [a, b, c]) => {
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
  };
  const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
    aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
  ];
  const { model } = character;
  const scale = model.scale.x;
  let place = { at: model.position.toArray(), turn: model.quaternion.toArray() };
  const line = [];
  for (let at = character.bone(bone); at !== model; at = at.parent) line.unshift(character.joint(at));
  for (const joint of line) {
    const [px, py, pz, x, y, z, w] = pose.subarray(joint * 10, joint * 10 + 7);
    const moved = rotate(place.turn, [px * scale, py * scale, pz * scale]);
    place = { at: place.at.map((a, i) => a + moved[i]), turn: multiply(place.turn, [x, y, z, w]) };
  }
  return place.at;
}, bone);

/**
 * Keeps a picture of the page, and measures its 3D view: the share of pixels that are not the
 * background, and how many colours there are (of 4096).
 */
async function shot(name, options = {}) {
  const bytes = await page.screenshot({ path: join(folder, `shot-${name}.png`), ...options });
  const box = await page.locator("#view").boundingBox();
  return page.evaluate(async ([base64, box]) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(box.x, box.y, box.width, box.height);
    const bin = (i) => (data[i] >> 4) << 8 | (data[i + 1] >> 4) << 4 | data[i + 2] >> 4;
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) counts.set(bin(i), (counts.get(bin(i)) ?? 0) + 1);
    const back = Math.max(...counts.values());
    return { drawn: 1 - back / (data.length / 4), colours: counts.size };
  }, [bytes.toString("base64"), box]);
}

/** What every page must show: something on a background, with light and shade. */
async function looksRight(name, least, most, options) {
  const { drawn, colours } = await shot(name, options);
  assert.ok(drawn > least && drawn < most, `${name}: ${(100 * drawn).toFixed(1)} % of the view is drawn on`);
  assert.ok(colours > 20, `${name}: only ${colours} colours`);
}

const far = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
const click = (text) => page.getByRole("button", { name: text, exact: true }).or(page.getByRole("tab", { name: text, exact: true })).click();

test("hands and feet go where they are dragged, to 1 mm", async () => {
  await page.getByLabel("Idle motion").uncheck();
  for (const [name, bone, dx, dy] of [["Right hand", "RightHand", 14, 20], ["Left foot", "LeftFoot", 12, -30], ["Left hand", "LeftHand", -15, -15]]) {
    const before = await handleAt(name);
    await drag(name, dx, dy);
    const handle = await handleAt(name);
    assert.ok(far(handle.world, before.world) > 0.05, `${name} was not dragged`);
    assert.ok(Math.abs(handle.x - before.x - dx) < 2 && Math.abs(handle.y - before.y - dy) < 2, `${name} left the pointer`);
    assert.ok(far(handle.world, await jointAt(bone)) < 1e-3, `${name} is ${far(handle.world, await jointAt(bone))} m off`);
  }
  await looksRight("character", 0.03, 0.6);
});

test("the gaze turns the head, the hips move while hands stay", async () => {
  const head = () => page.evaluate(() => window.playground.current.character.bone("Head").quaternion.toArray());
  const before = await head();
  await drag("Gaze", -40, 20);
  assert.ok(far(before, await head()) > 0.02, "the head did not turn");
  const hand = await jointAt("RightHand");
  const hips = await jointAt("Hips");
  await drag("Hips", 8, 14);
  assert.ok(far(hips, await jointAt("Hips")) > 0.03, "the hips did not move");
  assert.ok(far(hand, await jointAt("RightHand")) < 1e-3, "the hand left its goal");
});

test("poles turn an elbow and a knee about the line of their limb", async () => {
  await page.getByLabel("Elbow and knee poles").check();
  await drag("Left foot", 0, -25);
  for (const [mid, end, dx, dy] of [["RightLowerArm", "RightHand", -20, -120], ["LeftLowerLeg", "LeftFoot", 70, 0]]) {
    const before = [await jointAt(mid), await jointAt(end)];
    await drag(mid, dx, dy);
    assert.ok(far(before[0], await jointAt(mid)) > 0.02, `${mid} did not move`);
    assert.ok(far(before[1], await jointAt(end)) < 1e-3, `${end} left its goal`);
  }
  await drag("Left foot", 0, 25);
  await page.getByLabel("Elbow and knee poles").uncheck();
});

test("stretch lengthens an arm to a goal out of reach", async () => {
  const stretch = page.getByLabel("Stretch of arms and legs");
  await stretch.fill("0");
  await frames();
  const arm = async () => far(await jointAt("LeftUpperArm"), await jointAt("LeftLowerArm")) + far(await jointAt("LeftLowerArm"), await jointAt("LeftHand"));
  const [length, before] = [await arm(), await handleAt("Left hand")];
  let dx = 0;
  // Outward until the arm is too short for it.
  const missed = async () => far((await handleAt("Left hand")).world, await jointAt("LeftHand"));
  while (await missed() < 0.03 && dx < 300) {
    await drag("Left hand", 15, 0);
    dx += 15;
  }
  assert.ok(await missed() >= 0.03, `the arm is as long as ${dx} pixels`);
  assert.ok(Math.abs(await arm() - length) < 1e-3, "the arm is longer without stretch");
  await stretch.fill("0.5");
  await frames();
  assert.ok(await missed() < 1e-3, `the hand is ${await missed()} m off with stretch`);
  assert.ok(await arm() > length + 0.02, "the arm is not longer");
  await drag("Left hand", -dx, 0);
  await stretch.fill("0.05");
  await frames();
  assert.ok(far((await handleAt("Left hand")).world, before.world) < 0.02, "the hand is not back");
});

test("weight 0 shows the animation, every solver reaches", async () => {
  const weight = page.getByLabel("Weight of all goals");
  await weight.fill("0");
  await frames();
  const rest = await jointAt("RightHand");
  const { world } = await handleAt("Right hand");
  assert.ok(far(rest, world) > 0.1, "the hand is at its goal without weight");
  await weight.fill("1");
  // Not every solver of chains reaches within a person's ranges.
  await page.getByLabel("Human joint limits").uncheck();
  const select = page.locator("select").first();
  const options = await select.locator("option").allTextContents();
  assert.ok(options.length >= 6, String(options));
  await drag("Right hand", 0, 0);
  for (const option of options.filter((text) => /closed|default|fabrik|ccd|least squares/i.test(text))) {
    await select.selectOption({ label: option });
    await frames(8);
    assert.ok(far((await handleAt("Right hand")).world, await jointAt("RightHand")) < 1e-3, option);
  }
  await select.selectOption({ index: 0 });
  await page.getByLabel("Human joint limits").check();
});

test("a wrist bends no farther than a person's", async () => {
  /** Angle between forearm and hand of the mannequin, radians. */
  const bend = () => page.evaluate(() => {
    const { character } = window.playground.current;
    const hand = character.bone("RightHand");
    return 2 * Math.acos(Math.min(1, Math.abs(hand.quaternion.w)));
  });
  // The hand beside the head: there its orientation of the T-pose is 2 radians from the forearm's.
  await page.evaluate(() => window.playground.current.handles.get("Right hand").position.set(-0.05, 1.6, 0.3));
  await frames();
  assert.ok(await bend() < 1.7, `the wrist is bent by ${await bend()} radians`);
  await page.getByLabel("Human joint limits").uncheck();
  await frames();
  assert.ok(await bend() > 1.8, `without limits it is bent by ${await bend()} radians`);
  await page.getByLabel("Human joint limits").check();
  await click("Free");
  await frames();
});

test("the keyboard moves what it selects", async () => {
  await page.locator("#view").focus();
  await page.keyboard.press("Tab");
  const before = await page.evaluate(() => [...window.playground.current.handles.values()].map((h) => h.position.toArray()));
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowUp");
  const after = await page.evaluate(() => [...window.playground.current.handles.values()].map((h) => h.position.toArray()));
  const moved = after.filter((at, i) => Math.abs(at[1] - before[i][1] - 0.08) < 1e-6);
  assert.equal(moved.length, 1);
  assert.match(await page.locator("#status").textContent(), /^(Left|Right|Gaze|Hips).*: the arrow keys move it$/);
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowDown");
});

test("the arrow keys go through the tabs, and an address opens its page", async () => {
  const current = () => page.evaluate(() => window.playground.current.name);
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.getByRole("tab", { name: "Character" }).focus();
  for (const [key, name] of [["ArrowRight", "Body"], ["End", "Crowd"], ["ArrowRight", "Character"], ["ArrowLeft", "Crowd"], ["Home", "Character"]]) {
    await page.keyboard.press(key);
    assert.deepEqual([await focused(), await current()], [name, name], key);
  }
  assert.equal(await page.locator("#tabs [tabindex='0']").count(), 1, "one stop of the Tab key");
  assert.equal(await page.getByRole("tabpanel", { name: "Character" }).count(), 1);
  await page.evaluate(() => { location.hash = "#aim"; });
  await page.waitForFunction(() => window.playground.current.name === "Aim");
  await click("Character");
  assert.equal(await page.evaluate(() => location.hash), "#character");
});

test("what the panel shows is in force after a visit of another page", async () => {
  await click("Cup");
  await page.getByLabel("Weight of all goals").fill("0.25");
  await click("Aim");
  await click("Character");
  await frames();
  assert.equal(await page.getByLabel("Weight of all goals").inputValue(), "0.25");
  assert.equal(await page.evaluate(() => window.playground.current.character.animator.getIkPositionWeight(3)), 0.25);
  assert.deepEqual(await page.locator("#panel [aria-pressed='true']").allTextContents(), ["Cup"]);
  await page.getByLabel("Weight of all goals").fill("1");
  await click("Free");
  await page.getByLabel("Idle motion").uncheck();
  await frames();
});

test("only the pointer that holds a handle drags it", async () => {
  const before = await handleAt("Left hand");
  const at = async () => (await handleAt("Left hand")).world;
  await page.mouse.move(before.x, before.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(before.x + 30, before.y, { steps: 3 });
  await page.mouse.up({ button: "right" });
  assert.deepEqual(await at(), before.world, "the right button moved it");
  await click("Free");
  await frames(30);
  const { x, y } = await handleAt("Left hand");
  const touch = await page.context().newCDPSession(page);
  const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const first = (dy) => ({ x, y: y + dy, id: 1 });
  await send("touchStart", [first(0)]);
  await send("touchMove", [first(-10)]);
  const one = await at();
  await send("touchStart", [first(-10), { x: 60, y: 500, id: 2 }]);
  await send("touchMove", [first(-10), { x: 90, y: 460, id: 2 }]);
  assert.deepEqual(await at(), one, "a second finger moved it");
  await send("touchMove", [first(-30), { x: 90, y: 460, id: 2 }]);
  assert.ok(Math.abs((await handleAt("Left hand")).y - y + 30) < 2, "the first finger lost it");
  await send("touchEnd", []);
  await click("Free");
});

test("every scene is posed", async () => {
  for (const scene of ["Ladder", "Stairs", "Door", "Cup", "Handshake", "Free"]) {
    await click(scene);
    await frames();
    for (const [name, bone] of [["Right hand", "RightHand"], ["Left hand", "LeftHand"], ["Right foot", "RightFoot"], ["Left foot", "LeftFoot"]]) {
      const off = far((await handleAt(name)).world, await jointAt(bone));
      assert.ok(off < 1e-3, `${scene}, ${name}: ${off} m`);
    }
    if (scene === "Handshake") {
      const apart = await page.evaluate(() => {
        const { character, partner } = window.playground.current;
        const at = (who) => who.bone("RightHand").getWorldPosition(who.bone("RightHand").position.clone());
        return at(character).distanceTo(at(partner));
      });
      assert.ok(Math.abs(apart - 0.2) < 2e-3, `the wrists are ${apart} m apart`);
    }
    await looksRight(scene.toLowerCase(), 0.03, 0.8);
  }
});

async function dropFile(name, bytes) {
  await page.evaluate(([name, base64]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, bytes.toString("base64")]);
}

test("a dropped model is posed in place of the mannequin; a wrong file is named", async () => {
  await dropFile("person.glb", model());
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("person.glb"));
  const said = await page.locator("#status").textContent();
  assert.match(said, /15 joints/, said);
  await frames();
  await drag("Right hand", 20, 25);
  assert.ok(far((await handleAt("Right hand")).world, await jointAt("RightHand")) < 1e-3, "the hand is not at its goal");
  await page.locator("input[type=file]").setInputFiles({ name: "again.vrm", mimeType: "model/gltf-binary", buffer: model() });
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("again.vrm"));
  await dropFile("rigid.vrm", model(false));
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("rigid.vrm"));
  assert.match(await page.locator("#status").textContent(), /16 joints/, "a model of rigid parts");
  await drag("Left hand", -15, 20);
  assert.ok(far((await handleAt("Left hand")).world, await jointAt("LeftHand")) < 1e-3, "the hand is not at its goal");
  const textures = () => page.evaluate(() => window.playground.stage.renderer.info.memory.textures);
  const counts = [];
  for (let i = 0; i < 3; i++) {
    await dropFile(`again-${i}.glb`, model());
    await page.waitForFunction((name) => document.getElementById("status").textContent.includes(name), `again-${i}.glb`);
    await frames();
    counts.push(await textures());
  }
  assert.equal(counts[2], counts[0], `textures of models that are gone: ${counts}`);
  await dropFile("notes.glb", Buffer.from("not a model"));
  await page.waitForFunction(() => document.getElementById("status").className === "error");
  assert.match(await page.locator("#status").textContent(), /notes\.glb/);
  await dropFile("half.glb", model().subarray(0, 3000));
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("half.glb"));
  assert.match(await page.locator("#status").textContent(), /ends after 3000 of \d+ bytes/);
  await click("Free");
});

test("a model without a mesh is drawn as its bones, in its size", async () => {
  await dropFile("bones.glb", model(true, false));
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("bones.glb"));
  assert.match(await page.locator("#status").textContent(), /16 joints/);
  await frames();
  await drag("Right hand", 20, 25);
  const { off, height } = await page.evaluate(() => {
    const { current, stage } = window.playground;
    const hand = current.character.bone("RightHand");
    const goal = current.handles.get("Right hand").position;
    let drawn;
    stage.scene.traverse((part) => { if (part.isInstancedMesh) drawn = part; });
    drawn.computeBoundingBox();
    const box = drawn.boundingBox.clone().applyMatrix4(drawn.matrixWorld);
    return { off: hand.getWorldPosition(goal.clone()).distanceTo(goal), height: box.max.y - box.min.y };
  });
  assert.ok(off < 1e-3, `the hand is ${off} m off`);
  assert.ok(Math.abs(height - 1.75) < 0.1, `the bones are ${height} m high`);
  await click("Free");
});

test("of two files the one that was dropped last is shown", async () => {
  const said = await page.evaluate(async ([slow, quick]) => {
    const file = (name, base64) => new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name);
    await Promise.all([window.playground.load(file("slow.glb", slow)), window.playground.load(file("quick.gltf", quick))]);
    return [document.getElementById("status").textContent, window.playground.current.character.joints.length];
  }, [model().toString("base64"), line().toString("base64")]);
  assert.deepEqual(said, ["quick.gltf: no humanoid; drag the ends of its bones", 8]);
  await click("Free");
});

test("the ends of a model that is no humanoid are dragged, and reported by name", async () => {
  await dropFile("line.gltf", line());
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("line.gltf"));
  assert.match(await page.locator("#status").textContent(), /no humanoid/);
  await frames();
  const rows = () => page.locator("#panel th").allTextContents();
  assert.deepEqual(await rows(), ["bone 7", "Update"], "and nothing of the character before");
  await drag("bone 7", 10, -60);
  const end = () => page.evaluate(() => {
    const { joints } = window.playground.current.character;
    return joints.at(-1).getWorldPosition(joints.at(-1).position.clone()).toArray();
  });
  assert.ok(far((await handleAt("bone 7")).world, await end()) < 1e-3, "the end left its goal");
  await page.getByLabel("Weight of all goals").fill("0");
  await frames();
  assert.ok((await end())[1] < 1e-3, "without weight it lies on the ground");
  await page.getByLabel("Weight of all goals").fill("1");
  await click("Free");
});

test("the whole body comes along when a hand is pulled away", async () => {
  await click("Body");
  await page.getByLabel("Idle motion").uncheck();
  await frames();
  const [hips, foot] = [await jointAt("Hips"), await jointAt("LeftFoot")];
  await drag("Right hand", -150, 40);
  await frames(30);
  assert.ok(far(hips, await jointAt("Hips")) > 0.03, "the hips stayed");
  assert.ok(far(foot, await jointAt("LeftFoot")) < 5e-3, "a foot left its place");
  await looksRight("body", 0.03, 0.6);
});

test("every page of a feature solves, and links to its page of the manual", async () => {
  for (const [tab, handle, page_] of [
    ["Chain", "End", "constraints.html"], ["Aim", "Target", "constraints.html"], ["Curve", "Point 3", "constraints.html"],
    ["Limits", "End", "constraints.html#joint-limits"],
  ]) {
    await click(tab);
    await frames();
    assert.equal(await page.locator("#panel a").getAttribute("href"), `../manual/${page_}`);
    const pose = () => page.evaluate(() => Array.from(window.playground.current.animator.pose));
    const before = await pose();
    await drag(handle, 30, 25);
    assert.ok(far(before, await pose()) > 1e-2, `${tab}: nothing moved`);
    assert.match(await page.locator("tr", { hasText: "Goal" }).first().locator("td").textContent(), /reached|unreachable|stalled/);
    await looksRight(tab.toLowerCase(), 0.005, 0.6);
  }
});

test("joint limits hold whatever the goal is", async () => {
  await click("Limits");
  await page.locator("select").first().selectOption({ label: "Cone" });
  await page.getByLabel("Range").fill("0.3");
  await frames();
  await drag("End", 60, 200);
  await frames(10);
  // How far each bone leans from where the rest pose has it, about X by 0.1 radians.
  const worst = await page.evaluate(() => {
    const { animator } = window.playground.current;
    const lean = (joint) => {
      const [x, y, z, w] = animator.pose.subarray(joint * 10 + 3, joint * 10 + 7);
      const [rx, rw] = joint > 0 ? [Math.sin(0.05), Math.cos(0.05)] : [0, 1];
      const own = [rw * x - rx * w, rw * y + rx * z, rw * z - rx * y, rw * w + rx * x];
      return 2 * Math.atan2(Math.hypot(own[0], own[2]), Math.hypot(own[1], own[3]));
    };
    return Math.max(...[0, 1, 2, 3, 4, 5].map(lean));
  });
  assert.ok(worst < 0.3 + 1e-3 && worst > 0.25, `a bone leans by ${worst} of 0.3 radians`);
});

test("a walk stands on stairs, slopes, rocks and a block that is dragged", async () => {
  await click("Ground");
  await frames();
  assert.equal(await page.locator("#panel a").getAttribute("href"), "../manual/grounding.html");
  // Once round the course, at 60 frames a second of its own time. The page is opened anew in the
  // same call, so that the walk begins at the same place however fast this machine draws.
  const round = () => page.evaluate(() => {
    [...document.querySelectorAll("#tabs button")].find((tab) => tab.textContent === "Ground").click();
    const view = window.playground.current;
    const all = { deepest: 0, sum: 0, count: 0, highest: 0 };
    for (let i = 0; i < 850; i++) {
      view.update(1 / 60, 0);
      for (const depth of view.depths) {
        all.deepest = Math.max(all.deepest, depth);
        all.sum += Math.abs(depth);
        all.count += 1;
      }
      all.highest = Math.max(all.highest, view.hipsHeight);
    }
    return all;
  });
  const on = await round();
  assert.ok(on.count > 900, `${on.count} soles stood`);
  assert.ok(on.deepest < 0.02, `a sole was ${on.deepest} m in the ground`);
  assert.ok(on.sum / on.count < 0.006, `soles were ${on.sum / on.count} m off in the mean`);
  assert.ok(on.highest > 0.85 + 0.55, `the hips were never above ${on.highest} m: the landing is at 0.6`);
  await looksRight("ground", 0.05, 0.9);
  await page.getByLabel("On").uncheck();
  const off = await round();
  assert.ok(off.deepest > 0.1, `the animation alone was ${off.deepest} m in the ground`);
  await page.getByLabel("On").check();
  // Everywhere on the way of the feet there is the block once.
  const stood = await page.evaluate(() => {
    [...document.querySelectorAll("#tabs button")].find((tab) => tab.textContent === "Ground").click();
    const view = window.playground.current;
    const block = view.handles.get("Block").position;
    let [highest, worst] = [0, 0];
    for (let i = 0; i < 850; i++) {
      view.update(1 / 60, 0);
      const { at, depth } = view.lowest;
      if (view.ground(at.x, at.z).isBlock) {
        highest = Math.max(highest, at.y);
        worst = Math.max(worst, depth);
      }
    }
    return { highest, worst, block: block.y };
  });
  assert.ok(stood.highest > stood.block && stood.worst < 0.02, `on the block of ${stood.block} m: ${stood.highest} m, ${stood.worst} m deep`);
});

test("a chain of a thousand bones follows its end", async () => {
  await click("Chain");
  await frames();
  await drag("End", -80, -30);
  await frames(10);
  const off = await page.evaluate(() => {
    const { animator, count, handles } = window.playground.current;
    const end = animator.getJointWorld(count).position;
    return { count, off: Math.hypot(...["x", "y", "z"].map((k) => end[k] - handles.get("End").position[k])) };
  });
  assert.equal(off.count, 1000);
  assert.ok(off.off < 2e-3, `${off.off} m`);
  await looksRight("chain", 0.005, 0.6);
});

test("a crowd points and is timed", async (t) => {
  await click("Crowd");
  await frames(6);
  const reached = await page.locator("tr", { hasText: "Hands at their goals" }).locator("td").textContent();
  assert.equal(reached, "200 of 200");
  t.diagnostic(`note: crowd of 200 in wasm: ${await page.locator("tr", { hasText: "Solve, all" }).locator("td").textContent()}`);
  await looksRight("crowd", 0.05, 0.95);
});

test("a phone: touch drags, the page scrolls below the view, dark colours", async (t) => {
  await click("Character");
  await page.setViewportSize({ width: 390, height: 844 });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await theme(), "dark", "the system's theme until one is chosen");
  await page.locator("#theme").click();
  assert.equal(await theme(), "light");
  await page.locator("#theme").click();
  await frames();
  const size = await page.evaluate(() => {
    const { canvas, camera } = window.playground.stage;
    return { width: canvas.clientWidth, height: canvas.clientHeight, aspect: camera.aspect, over: document.documentElement.scrollWidth };
  });
  assert.equal(size.width, 390);
  assert.ok(size.height < 600, "the view leaves room for the panel");
  assert.ok(Math.abs(size.aspect - size.width / size.height) < 0.01);
  assert.ok(size.over <= 390, `the page is ${size.over} wide`);
  for (const tab of await page.getByRole("tab").all()) {
    const { x, width } = await tab.boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${await tab.textContent()} is outside of the window`);
  }
  const { x, y, world } = await handleAt("Left hand");
  const touch = await page.context().newCDPSession(page);
  const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await send("touchStart", [{ x: x + 8, y }]);
  await send("touchMove", [{ x: x + 8, y: y - 20 }]);
  await send("touchMove", [{ x: x + 8, y: y - 30 }]);
  await send("touchEnd", []);
  await frames();
  assert.ok(far(world, (await handleAt("Left hand")).world) > 0.03, "touch did not drag");
  await looksRight("phone", 0.03, 0.7, { fullPage: true });
  await page.setViewportSize({ width: 640, height: 360 });
  await frames(3);
  const start = Date.now();
  await frames(20);
  t.diagnostic(`note: one character at 640x360 without a graphics card: ${(20_000 / (Date.now() - start)).toFixed(0)} frames a second`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await frames(3);
  await looksRight("desktop", 0.03, 0.7);
});

test("a lost graphics context is reported until it is there again", async () => {
  const status = page.locator("#status");
  await page.evaluate(() => {
    window.context = window.playground.stage.renderer.getContext().getExtension("WEBGL_lose_context");
    window.context.loseContext();
  });
  await page.waitForFunction(() => document.getElementById("status").className === "error");
  assert.match(await status.textContent(), /graphics context was lost/);
  await page.evaluate(() => window.context.restoreContext());
  await page.waitForFunction(() => document.getElementById("status").className === "");
  await frames(5);
  await looksRight("restored", 0.03, 0.7);
});

test("a page whose update fails reports it, and the others go on", async () => {
  const before = problems.length;
  await page.evaluate(() => {
    window.playground.current.update = () => { throw new Error("a mistake in a page"); };
  });
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("a mistake in a page"));
  await click("Aim");
  const solves = () => page.locator("tr", { hasText: "Goal" }).first().locator("td").textContent();
  await frames();
  assert.match(await solves(), /reached/);
  assert.match(await page.locator("#status").textContent(), /WebAssembly/);
  assert.deepEqual(problems.splice(before).length, 1, "it is reported once");
});

test("nothing was reported to the console", () => {
  assert.deepEqual(problems, []);
});
