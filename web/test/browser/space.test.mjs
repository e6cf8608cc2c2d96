/** The picture in space: the same cards and words, on a floor that three.js draws. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { card, e, lab, open, visit } from "./harness.mjs";

const found = lab();
const on = (hash, act, options = {}) => visit(found, hash, act, options);

const MOTION = { reducedMotion: "no-preference" };
const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;
const NEURON = `f=${e("n = x1*w1 + x2*w2 + b; o = tanh(n)")}&x=x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543`;
const SIGNED = `f=${e("d = a*b - c; e = a + b; d*e")}&x=a:-2,b:3,c:1`;

const WIDTHS = [
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

const drawn = (page) => page.locator("gradwalk-scene canvas.deep").waitFor();
const scene = (page) => page.locator("gradwalk-scene");

/** Do something in the page, and wait until the scene shows it. */
const inScene = (page, act, given) =>
  scene(page).evaluate(
    async (one, [source, given]) => {
      const { store } = document.querySelector("gradwalk-lab");
      const shown = async () => {
        for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
        await one.updateComplete;
      };
      const seek = async (time) => {
        store.dispatch({ type: "seek", time });
        await shown();
      };
      const box = (part) => part.getBoundingClientRect().toJSON();
      const boxes = (what) => [...one.renderRoot.querySelectorAll(what)].map(box);
      const pixels = () => one.renderRoot.querySelector("canvas.deep").toDataURL();
      return await new Function(`return (${source})(...arguments)`)(
        { one, store, shown, seek, box, boxes, pixels },
        given,
      );
    },
    [String(act), given],
  );

test("3D is loaded when someone asks for it, and not before", async () => {
  const page = await open(found.browser);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${found.server.url}#1/sandbox?t=0`);
  await card(page, "a").waitFor();
  const isSpace = (url) => url.endsWith("/chunk-scene-space-view.js");
  assert.equal(asked.filter(isSpace).length, 0);
  await page.keyboard.press("3");
  await drawn(page);
  assert.equal(asked.filter(isSpace).length, 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const viewport of WIDTHS)
  for (const [motion, colorScheme] of [
    ["reduce", "dark"],
    ["no-preference", "light"],
  ])
    test(`3D holds every card on the stage, from every side and at every moment, ${viewport.width} wide, ${colorScheme}`, () =>
      on(
        `#1/sandbox?${NEURON}&t=0&v=3d`,
        async (page) => {
          await drawn(page);
          const out = await inScene(page, async ({ one, seek, shown, box, boxes }) => {
            const stage = box(one.view);
            const out = [];
            const look = (where) => {
              for (const { left, right, top, bottom } of boxes(".slab .target"))
                if (
                  left < stage.left ||
                  right > stage.right ||
                  top < stage.top ||
                  bottom > stage.bottom
                )
                  out.push(`${where}: ${[left, right, top, bottom].map(Math.round)}`);
            };
            for (const time of [0, 1e9]) {
              await seek(time);
              for (const turn of [-2, 2])
                for (const tilt of [-2, 2]) {
                  one.turn(turn, tilt);
                  await shown();
                  look(`at ${time}, turned ${turn} ${tilt}`);
                }
              one.fit();
              await shown();
              look(`at ${time}`);
            }
            return out;
          });
          assert.deepEqual(out, []);
        },
        { viewport, reducedMotion: motion, colorScheme },
      ));

test("3D turns as far as 35 degrees and tilts from 25 to 50, by hand and by link", () =>
  on(`#1/sandbox?${X6}&t=0&v=3d`, async (page) => {
    await drawn(page);
    const degrees = () =>
      scene(page).evaluate(({ orbit }) =>
        [orbit.turn, orbit.tilt].map((angle) => Math.round((angle * 180) / Math.PI)),
      );
    assert.deepEqual(await degrees(), [-9, 40]);
    await page.locator(".turner").focus();
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowUp");
    }
    assert.deepEqual(await degrees(), [35, 50]);
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowDown");
    }
    assert.deepEqual(await degrees(), [-35, 25]);
  }));

for (const colorScheme of ["dark", "light"])
  test(`3D paints the same pixels for the same moment, ${colorScheme}`, () =>
    on(
      `#1/sandbox?${X6}&t=0&v=3d`,
      async (page) => {
        await drawn(page);
        const [first, other, again] = await inScene(page, async ({ seek, pixels }) => {
          const found = [];
          for (const time of [4500, 4300, 4500]) {
            await seek(time);
            found.push(pixels());
          }
          return found;
        });
        assert.equal(first, again);
        assert.notEqual(first, other);
        assert.ok(first.length > 10_000);
      },
      { colorScheme, ...MOTION },
    ));

test("3D with reduced motion is without travel: between two steps nothing moves", () =>
  on(`#1/sandbox?${X6}&t=0&v=3d`, async (page) => {
    await drawn(page);
    const same = await inScene(page, async ({ one, seek, pixels }) => {
      const { start, land } = one.program.line.events.find(({ kind }) => kind === "push");
      const found = [];
      for (const share of [0.3, 0.7]) {
        await seek(start + share * (land - start));
        found.push(pixels());
      }
      return found[0] === found[1];
    });
    assert.ok(same);
  }));

for (const [name, options] of [
  ["motion on", MOTION],
  ["reduced motion", {}],
])
  test(`3D paints on change only, with ${name}: idle it asks for no frame and draws nothing`, () =>
    on(
      `#1/sandbox?${X6}&t=4500&v=3d`,
      async (page) => {
        await drawn(page);
        const [idle, moved] = await inScene(page, async ({ shown, seek }) => {
          await shown();
          let count = 0;
          const { drawElements } = WebGL2RenderingContext.prototype;
          WebGL2RenderingContext.prototype.drawElements = function (...given) {
            count += 1;
            return drawElements.apply(this, given);
          };
          const { requestAnimationFrame } = window;
          window.requestAnimationFrame = (act) => {
            count += 1;
            return requestAnimationFrame(act);
          };
          await new Promise((go) => setTimeout(go, 400));
          const idle = count;
          await seek(4600);
          Object.assign(WebGL2RenderingContext.prototype, { drawElements });
          Object.assign(window, { requestAnimationFrame });
          return [idle, count];
        });
        assert.equal(idle, 0);
        assert.ok(moved > 5);
      },
      options,
    ));

test("3D: the higher a card stands, the larger its gradient", () =>
  on(`#1/sandbox?${SIGNED}&t=0&v=3d`, async (page) => {
    await drawn(page);
    const cards = await inScene(page, async ({ one, seek, boxes }) => {
      const before = boxes(".slab .target");
      await seek(1e9);
      const after = boxes(".slab .target");
      return one.picture.items.map(({ node }, i) => ({
        name: one.program.names[node],
        grad: Math.abs(one.program.walk.grads[node]),
        // Near to the eye all is larger, a rise and a card alike.
        risen: (before[i].top - after[i].top) / before[i].height,
        tall: before[i].width > 0 && one.picture.layout.cards[i].height,
      }));
    });
    const sorted = cards.toSorted((one, other) => one.grad - other.grad);
    for (let i = 1; i < sorted.length; i++)
      if (sorted[i].grad > 1.5 * sorted[i - 1].grad)
        assert.ok(
          sorted[i].risen * sorted[i].tall > sorted[i - 1].risen * sorted[i - 1].tall,
          JSON.stringify(sorted),
        );
    assert.ok(sorted.at(-1).risen > 0.4);
  }));

test("3D says what the flat picture says: derived tags, sums, equations, pills", () =>
  on(
    `#1/sandbox?f=${e("d = a - b; d*a")}&x=a:2,b:3&t=999999`,
    async (page) => {
      const words = async (parts) =>
        (await page.locator(`gradwalk-scene :is(${parts})`).allTextContents())
          .map((text) => text.replace(/\s/g, ""))
          .filter(Boolean)
          .toSorted();
      const said = ".name, .value, .arithmetic, .grad, .tag";
      const flat = await words(said);
      assert.ok(flat.includes("derived"));
      assert.ok(flat.some((text) => /\d\+.*=/.test(text)));
      const pills = await words(".pill");
      await page.keyboard.press("3");
      await drawn(page);
      const inSpace = (await words(said)).filter((text) => !/derived./.test(text));
      for (const text of flat)
        assert.ok(
          inSpace.some((one) => one.includes(text)),
          text,
        );
      assert.deepEqual(await words(".pill"), pills);
    },
    { viewport: { width: 1920, height: 1080 } },
  ));

for (const viewport of WIDTHS.slice(1))
  test(`3D: no card covers another, and no pill a card, ${viewport.width} wide`, () =>
    on(
      "#1/sandbox?t=999999&v=3d",
      async (page) => {
        await drawn(page);
        for (const id of ["x1", "x2", "x6", "learn"]) {
          await page.getByLabel("Examples").selectOption(id);
          const covered = await inScene(page, async ({ one, seek }) => {
            await seek(1e9);
            const all = (what) => [...one.renderRoot.querySelectorAll(what)];
            const box = (part) => part.getBoundingClientRect();
            const cards = all(".slab .target").map((part) => [part.ariaLabel, box(part)]);
            const pills = all(".note").map((part) => [part.textContent, box(part)]);
            const meet = (a, b) =>
              Math.min(a.right, b.right) - Math.max(a.left, b.left) > 12 &&
              Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 12;
            return cards.flatMap(([name, its], i) =>
              [...cards.slice(0, i), ...pills]
                .filter(([, other]) => meet(its, other))
                .map(([other]) => `${name} and ${other}`),
            );
          });
          assert.deepEqual(covered, [], id);
        }
      },
      { viewport },
    ));

test("3D: pills stand still while an event plays", () =>
  on(
    `#1/sandbox?${NEURON}&t=0&v=3d`,
    async (page) => {
      await drawn(page);
      const moved = await inScene(page, async ({ one, seek, boxes }) => {
        const moved = [];
        for (const { start, end, kind } of one.program.line.events) {
          if (kind !== "push") continue;
          const seen = new Set();
          for (const share of [0.1, 0.5, 0.9, 1]) {
            await seek(start + share * (end - start));
            seen.add(JSON.stringify(boxes(".note")));
          }
          if (seen.size > 1) moved.push(start);
        }
        return moved;
      });
      assert.deepEqual(moved, []);
    },
    { viewport: WIDTHS[1], ...MOTION },
  ));

test("3D on a small stage has the pill of the moment, and of the wire under the pointer", () =>
  on(
    `#1/sandbox?${NEURON}&t=999999&v=3d`,
    async (page) => {
      await drawn(page);
      const pills = page.locator("gradwalk-scene .note");
      assert.equal(await pills.count(), 1);
      const wire = page.locator("gradwalk-scene .hits [data-edge='3'] .hit");
      const at = await wire.evaluate((path) => {
        const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
        const { left, top } = path.ownerSVGElement.getBoundingClientRect();
        return [left + x, top + y];
      });
      await page.mouse.move(...at);
      await page.waitForFunction(
        () =>
          document
            .querySelector("gradwalk-lab")
            .shadowRoot.querySelector("gradwalk-scene")
            .shadowRoot.querySelectorAll(".note").length === 2,
      );
    },
    { viewport: WIDTHS[0] },
  ));

test("in 3D a click and the keys find the same as in 2D", () =>
  on("#1/sandbox?t=0&v=3d", async (page) => {
    await drawn(page);
    const target = (name) => page.locator(`gradwalk-scene .target[aria-label^="${name}:"]`);
    await target("c").click();
    const picked = page.locator(".panel.rule .picked");
    assert.match(await picked.textContent(), /Node c/);
    assert.equal(await target("c").getAttribute("aria-pressed"), "true");
    const focused = () =>
      scene(page).evaluate((one) => one.shadowRoot.activeElement?.getAttribute("aria-label"));
    await target("c").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await focused(), /^f:/);
    await page.keyboard.press("ArrowLeft");
    assert.match(await focused(), /^t1:/);
    assert.match(await picked.textContent(), /Edge t1 → f/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    assert.equal(
      await page.evaluate(() => document.querySelector("gradwalk-lab").shadowRoot.activeElement.id),
      "box-a",
    );
    // A drag turns and picks nothing.
    const orbit = () => scene(page).evaluate((one) => one.orbit);
    const before = await orbit();
    const box = await scene(page).boundingBox();
    const text = await picked.textContent();
    await page.mouse.move(box.x + 30, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 90, { steps: 4 });
    await page.mouse.up();
    assert.notEqual((await orbit()).tilt, before.tilt);
    assert.equal(await picked.textContent(), text);
    await page.keyboard.press("f");
    assert.deepEqual(await orbit(), before);
  }));

test("3D reads in the order of 2D", () =>
  on(`#1/sandbox?${NEURON}&t=999999`, async (page) => {
    const labels = () =>
      page.locator("gradwalk-scene .target").evaluateAll((all) => all.map((one) => one.ariaLabel));
    const flat = await labels();
    await page.keyboard.press("3");
    await drawn(page);
    assert.deepEqual(await labels(), flat);
  }));

test("the words on a slab can be selected", () =>
  on(`#1/sandbox?${X6}&t=999999&v=3d`, async (page) => {
    await drawn(page);
    const value = page.locator("gradwalk-scene .slab .value").first();
    assert.equal(await value.evaluate((one) => getComputedStyle(one).userSelect), "text");
    const { transform, tag } = await value.evaluate((one) => ({
      transform: getComputedStyle(one.closest(".slab")).transform,
      tag: one.namespaceURI,
    }));
    assert.match(transform, /^matrix3d/);
    assert.match(tag, /xhtml/);
  }));

test("a phone held upright gets the flat picture, and is told once", () =>
  on(
    `#1/sandbox?${X6}&t=999999&v=3d`,
    async (page) => {
      await card(page, "a").waitFor();
      assert.match(await page.locator(".word").textContent(), /3D needs a wider stage/);
      assert.equal(await page.locator(".word").count(), 1);
      assert.equal(await page.locator("canvas.deep").count(), 0);
      await page.setViewportSize({ width: 844, height: 390 });
      await drawn(page);
      assert.equal(await page.locator(".word:not(.turner)").count(), 0);
    },
    { viewport: { width: 390, height: 844 } },
  ));

test("a browser without WebGL 2 gets the flat picture, is told once, and loads nothing for 3D", async () => {
  const page = await open(found.browser);
  await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind === "webgl2" ? null : getContext.call(this, kind, ...more);
    };
  });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${found.server.url}#1/sandbox?${X6}&t=999999&v=3d`);
  await card(page, "a").waitFor();
  assert.match(await page.locator(".word").textContent(), /does not offer WebGL 2/);
  assert.equal(asked.filter((url) => url.includes("space")).length, 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
