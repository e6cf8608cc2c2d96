/**
 * Large graphs and small screens, with motion on.
 *
 * No test here measures how fast a machine is: what makes a picture slow is counted, and a picture
 * that stands still for minutes is noticed. `x.py bench lab` prints the times.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, lab, open, visit } from "./harness.mjs";

const found = lab();
const MOTION = { reducedMotion: "no-preference" };
const on = (hash, act, options = {}) => visit(found, hash, act, { ...MOTION, ...options });

/** a*b + b*c + … with so many nodes: a sum of products. */
function sum(nodes) {
  const terms = ["a*b", "b*c", "a*c"];
  let text = "a";
  for (let i = 0; 1 + 2 * i < nodes; i++) text += `+${terms[i % 3]}`;
  return text;
}

/** v1 = a+b; v2 = v1*c; …: every node is read by the next. */
function chain(nodes) {
  const parts = [];
  for (let i = 0; i < nodes - 3; i++)
    parts.push(`v${i}=${i ? `v${i - 1}` : "a"}${i % 2 ? "*" : "+"}${"bca"[i % 3]}`);
  return parts.join(";");
}

/** Nodes that read others anywhere before them: nothing to fold. */
function tangle(nodes) {
  let seed = 7;
  const below = (most) => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  const parts = [];
  const name = (i) => (i < 3 ? "abc"[i] : `v${i}`);
  for (let i = 3; i < nodes; i++)
    parts.push(`v${i}=${name(i - 1)}${"+*-"[below(3)]}${name(below(i))}`);
  return parts.join(";");
}

/** The same made elsewhere: a text has 4,096 bytes and could not say so much. */
const give = (page, nodes) =>
  page.evaluate((count) => {
    const lab = document.querySelector("gradwalk-lab");
    const Graph = lab.lab.program.graph.constructor;
    const nodes = [];
    for (let id = 0; id < count; id++) {
      const [one, other] = [id - 1, id < 6 ? 5 - id : (id * id * 31 + 7 * id) % (id - 1)];
      const isLeaf = id < 3;
      const isSum = id % 2 === 0;
      const [x, y] = isLeaf ? [0, 0] : [nodes[one].data, nodes[other].data];
      nodes.push({
        id,
        op: isLeaf ? "" : isSum ? "+" : "*",
        label: isLeaf ? "abc"[id] : "",
        data: isLeaf ? 0.1 : Math.sin(isSum ? x + y : x * y),
        grad: 0,
        operands: isLeaf ? [] : [one, other],
        local_grads: isLeaf ? [] : isSum ? [1, 1] : [y, x],
        tags: isLeaf ? ["leaf"] : [],
        line: null,
        scope: "",
      });
    }
    lab.remove();
    lab.graph = new Graph(nodes);
    document.body.append(lab);
  }, nodes);

const AT = "&x=a:0.5,b:0.7,c:-0.3";
const scene = (page) => page.locator("gradwalk-scene");

/** How many things the browser has to paint, and what it moves by itself. */
const burden = (page) =>
  scene(page).evaluate((one) => ({
    elements: one.renderRoot.querySelectorAll("*").length,
    moving: one.getAnimations({ subtree: true }).length,
    nodes: one.program.graph.nodes.length,
    cards: one.picture.items.length,
  }));

/** Play until so many frames were shown; a picture that freezes runs into the test's timeout. */
const frames = (page, count) =>
  page.evaluate(async (count) => {
    const { store } = document.querySelector("gradwalk-lab");
    store.dispatch({ type: "play", on: true, time: 0 });
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
    return store.state.time;
  }, count);

for (const [name, text, nodes] of [
  ["a sum of 200 nodes", sum(200), 200],
  ["a chain of 200 nodes", chain(200), 200],
  ["a tangle of 200 nodes", tangle(200), 200],
  ["a sum of 1,003 nodes", sum(1003), 1003],
])
  test(`${name} plays with motion on, and nothing large moves by itself`, { timeout: 60_000 }, () =>
    on(`#1/sandbox?f=${e(text)}${AT}&t=0`, async (page) => {
      const time = await frames(page, 30);
      assert.ok(time > 0);
      const { elements, moving, nodes: shown } = await burden(page);
      assert.ok(shown >= nodes);
      assert.equal(moving, 0);
      assert.ok(elements < 2500, `${elements} elements`);
    }),
  );

/** Open boxes, the largest first, until there are more cards than that. */
const openUntil = (page, cards) =>
  scene(page).evaluate(async (one, cards) => {
    while (one.picture.items.length <= cards) {
      const boxes = one.picture.items.filter(({ group }) => group);
      const sizes = boxes.map(({ group }) => group.nodes.length);
      one.open(boxes[sizes.indexOf(Math.max(...sizes))].node);
      await one.updateComplete;
    }
  }, cards);

test("1,003 nodes that do not fold are a few stretches", () =>
  on("#1/sandbox?t=0", async (page) => {
    await give(page, 1003);
    await page.locator("[data-node].group").first().waitFor();
    const { cards, nodes } = await burden(page);
    assert.deepEqual([cards, nodes], [7, 1003]);
  }));

test("very many cards are cells on a canvas, play, and find the focus", { timeout: 90_000 }, () =>
  on("#1/sandbox?t=0", async (page) => {
    await give(page, 1003);
    await openUntil(page, 600);
    await page.locator("canvas.far:not([hidden])").waitFor();
    await frames(page, 10);
    const { elements, moving } = await burden(page);
    assert.equal(moving, 0);
    assert.ok(elements < 400, `${elements} elements`);
    await page.getByRole("button", { name: "Close all boxes" }).click();
    await page.locator("canvas.far").waitFor({ state: "hidden" });
    assert.equal((await burden(page)).cards, 7);
  }),
);

test("a move of a slider changes little of a large picture", () =>
  on(`#1/sandbox?f=${e(sum(1003))}${AT}&t=999999`, async (page) => {
    const changes = await scene(page).evaluate(async (one) => {
      const { store } = document.querySelector("gradwalk-lab");
      let count = 0;
      const watch = new MutationObserver((records) => {
        count += records.length;
      });
      watch.observe(one.renderRoot, {
        attributes: true,
        characterData: true,
        childList: true,
        subtree: true,
      });
      store.dispatch({ type: "value", name: "a", value: 0.25 });
      await new Promise(requestAnimationFrame);
      await new Promise((go) => setTimeout(go));
      return count;
    });
    assert.ok(changes > 0 && changes < 120, `${changes} changes`);
  }));

test("beyond 60 nodes sums, repeats and runs are one card each, and open", () =>
  on(`#1/sandbox?f=${e(sum(200))}${AT}&t=999999`, async (page) => {
    const titles = () =>
      page
        .locator("[data-node].group .target")
        .evaluateAll((all) => all.map((one) => one.ariaLabel));
    assert.deepEqual(
      (await titles()).map((text) => text.split(":")[0]),
      ["∗", "101 terms"],
    );
    assert.equal((await burden(page)).cards, 5);
    // The cells show gradients: all the products' are 1, and so point up.
    const cells = page.locator("[data-node].group .cells .pos");
    assert.ok(
      (await cells.evaluateAll((all) => all.map((one) => one.getAttribute("d")).join(""))).length >
        100,
    );
    await page.locator("[data-node].group .target").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Close all boxes" }).waitFor();
    assert.equal((await burden(page)).cards, 9);
    await page.getByRole("button", { name: "Close all boxes" }).click();
    assert.equal((await burden(page)).cards, 5);
  }));

test("a node is found by its name, also inside a box, and an overview leads around", () =>
  on(`#1/sandbox?f=${e(tangle(200))}${AT}&t=999999`, async (page) => {
    const find = page.getByLabel("Find a node");
    await find.fill("v150");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".panel.rule .picked").textContent(), /v150/);
    const isSeen = () =>
      scene(page).evaluate((one) => {
        const { layout, itemOf } = one.picture;
        const { names } = one.program;
        const { x, y, width, height } = layout.cards[itemOf[names.indexOf("v150")]];
        const { camera, view } = one;
        const [left, top] = [x * camera.k + camera.x, y * camera.k + camera.y];
        return (
          left >= 0 &&
          top >= 0 &&
          left + width * camera.k <= view.clientWidth &&
          top + height * camera.k <= view.clientHeight
        );
      });
    assert.ok(await isSeen());
    for (let i = 0; i < 5; i++) await page.locator("[data-zoom=in]").click();
    const map = page.locator("canvas.map");
    await map.click({ position: { x: 12, y: 56 } });
    assert.equal(await isSeen(), false);
    await find.fill("nobody");
    assert.match(await page.locator(".find output").textContent(), /not found/);
  }));

test("3D shows a large graph by its boxes, and says so where there are too many cards", () =>
  on(`#1/sandbox?f=${e(sum(1003))}${AT}&t=999999&v=3d`, async (page) => {
    await page.locator("gradwalk-scene canvas.deep").waitFor();
    await openUntil(page, 150);
    assert.match(
      await page.locator(".word").textContent(),
      /3D shows up to 150 cards, and this picture has/,
    );
    assert.equal(await page.locator("gradwalk-scene canvas.deep").count(), 0);
  }));

const SIZES = [
  { width: 360, height: 800 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];
for (const viewport of SIZES)
  test(`every preset fits at ${viewport.width} × ${viewport.height}, in letters of 12 px and more`, () =>
    on(
      "#1/sandbox?t=999999",
      async (page) => {
        const presets = await page
          .locator(".presets option")
          .evaluateAll((all) => all.map((one) => one.value).filter(Boolean));
        assert.ok(presets.length >= 10);
        for (const id of presets) {
          await page.locator(".presets select").selectOption(id);
          const { outside, small, fill } = await scene(page).evaluate(async (one) => {
            const { store } = document.querySelector("gradwalk-lab");
            store.dispatch({ type: "seek", time: 1e9 });
            // Words over the picture may take some of its room: it is told with the next frame.
            for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
            await one.updateComplete;
            const { width, height } = one.picture.layout;
            const { camera, view } = one;
            const left = camera.x >= 0 && camera.y >= 0;
            const right =
              camera.x + width * camera.k <= view.clientWidth + 1 &&
              camera.y + height * camera.k <= view.clientHeight + 1;
            const small = [...one.renderRoot.querySelectorAll("svg text, svg tspan")]
              .filter((text) => text.textContent.trim())
              .map((text) => parseFloat(getComputedStyle(text).fontSize) * camera.k)
              .filter((size) => size < 11.95);
            return {
              outside: !(left && right),
              small,
              fill: Math.max(
                (width * camera.k) / view.clientWidth,
                (height * camera.k) / view.clientHeight,
              ),
            };
          });
          assert.ok(!outside, id);
          assert.deepEqual(small, [], id);
          // A picture is as large as its stage in one direction, or as large as letters should be.
          assert.ok(fill > 0.6, `${id} fills ${fill}`);
        }
      },
      { viewport },
    ));

test("a picture goes down where its stage is higher than wide, and keys follow", () =>
  on(
    "#1/sandbox?t=999999",
    async (page) => {
      assert.equal(await scene(page).evaluate((one) => one.picture.down), true);
      await page.locator("[data-node].root .target").focus();
      const focused = () => scene(page).evaluate((one) => one.shadowRoot.activeElement.ariaLabel);
      await page.keyboard.press("ArrowUp");
      assert.match(await focused(), /^t1:/);
      await page.keyboard.press("ArrowRight");
      assert.match(await focused(), /^c:/);
      await page.keyboard.press("ArrowDown");
      assert.match(await focused(), /^f:/);
    },
    { viewport: SIZES[0] },
  ));

test("an embedded graph goes by the room it has, not by the window, and takes the theme it is given", async () => {
  const page = await open(found.browser, "", { ...MOTION, colorScheme: "dark" });
  const host = `<!doctype html><style>body{margin:0}</style>
    <gradwalk-graph style="width: 340px; height: 620px" expression="(a + b) * c" theme="light"></gradwalk-graph>
    <gradwalk-graph style="width: 900px; height: 420px" expression="(a + b) * c"></gradwalk-graph>
    <script type="module" src="${found.server.url}embed.js"></script>`;
  await page.route("**/host", (route) => route.fulfill({ contentType: "text/html", body: host }));
  await page.goto(`${found.server.url}host`);
  await page.locator("gradwalk-graph [data-node].root").nth(1).waitFor();
  const shown = await page.locator("gradwalk-graph").evaluateAll((all) =>
    all.map((one) => {
      const scene = one.shadowRoot.querySelector("gradwalk-scene");
      const inside = [...one.shadowRoot.querySelectorAll(".page *")].every(
        (part) => part.getBoundingClientRect().right <= one.getBoundingClientRect().right + 1,
      );
      const { height } = one.shadowRoot.querySelector(".page").getBoundingClientRect();
      return {
        down: scene.picture.down,
        inside,
        low: height <= one.clientHeight + 1,
        scheme: getComputedStyle(one).colorScheme,
      };
    }),
  );
  assert.deepEqual(shown[0], { down: true, inside: true, low: true, scheme: "light" });
  assert.deepEqual(shown[1], { down: false, inside: true, low: true, scheme: "light dark" });
  await page.context().close();
});
