/** What was broken once: pictures that do not fit, letters too small, parts that do not come. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { card, e, follow, frames, lab, open, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const WIDTHS = [390, 1024, 1440, 1920];
const looks = (width) => ({
  viewport: { width, height: 900 },
  colorScheme: width > 1200 ? "light" : "dark",
  reducedMotion: width === 390 || width === 1440 ? "reduce" : "no-preference",
});
const LONG = `#1/sandbox?f=${e("tanh(a*b+c)*exp(a)*exp(b)*tanh(c)+a*b*c+a+b+c")}&x=a:2,b:-3,c:1`;

for (const width of WIDTHS)
  test(`a long picture: its output is seen at the end, and no word leaves its card, ${width}`, () =>
    on(
      `${LONG}&t=999999`,
      async (page) => {
        const stage = await page.locator("gradwalk-scene .view").boundingBox();
        const box = await card(page, "f").boundingBox();
        assert.ok(box.x >= stage.x && box.x + box.width <= stage.x + stage.width + 1);
        assert.ok(box.y >= stage.y && box.y + box.height <= stage.y + stage.height + 1);
        const fit = page.getByRole("button", { name: "Fit", exact: true });
        for (let i = 0; i < 2; i++) {
          await fit.click();
          const wrong = await page.locator("gradwalk-scene").evaluate(async (scene) => {
            const two = () =>
              new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            for (let last = NaN; last !== scene.camera.k; ) {
              last = scene.camera.k;
              await two();
            }
            return [...scene.renderRoot.querySelectorAll(".card .far")].flatMap((word) => {
              const own = word.closest("[data-node]").querySelector(".body").getBBox();
              const { x, y, width, height } = word.getBBox();
              const inside =
                x >= 0 &&
                x + width <= own.width &&
                height <= 1.4 * own.height &&
                y > -0.3 * own.height;
              const size = Number.parseFloat(getComputedStyle(word).fontSize) * scene.camera.k;
              return inside && size >= 11.99 ? [] : [`${word.textContent} ${x} ${width} ${size}`];
            });
          });
          assert.deepEqual(wrong, []);
        }
      },
      looks(width),
    ));

for (const width of WIDTHS)
  test(`the pill of the moment has its product, and covers no card, ${width}`, () =>
    on(
      "#1/sandbox?t=0",
      async (page) => {
        for (const id of ["x2", "x6", "x9s", "learn"]) {
          await page.locator(".presets select").selectOption(id);
          const [count, wrong] = await page.locator("gradwalk-scene").evaluate(async (scene) => {
            const { store, lab } = document.querySelector("gradwalk-lab");
            const pushes = lab.program.line.events.filter(({ push }) => push);
            const wrong = [];
            // The cards of another picture, and the camera, move to their places by easing.
            for (let still = 0, place = ""; still < 10; ) {
              await new Promise(requestAnimationFrame);
              const card = scene.renderRoot.querySelector(".card .body");
              const now = JSON.stringify(card?.getBoundingClientRect());
              const isStill = now === place && !scene.getAnimations({ subtree: true }).length;
              still = isStill ? still + 1 : 0;
              place = now;
            }
            for (const { land } of pushes) {
              store.dispatch({ type: "seek", time: land });
              for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
              const pill = scene.renderRoot.querySelector(".pill.active");
              const said = pill?.textContent.replace(/\s+/g, " ").trim() ?? "";
              if (!/.×.*[=≈] ?−?\d/.test(said)) wrong.push(`${land}: ${said}`);
              if (!pill) continue;
              const [box, view] = [pill, scene.view].map((one) => one.getBoundingClientRect());
              if (box.left < view.left || box.right > view.right) wrong.push(`${said} sticks out`);
              for (const card of scene.renderRoot.querySelectorAll(".card .body")) {
                const { left, right, top, bottom } = card.getBoundingClientRect();
                const across = Math.min(right, box.right) - Math.max(left, box.left);
                const along = Math.min(bottom, box.bottom) - Math.max(top, box.top);
                if (across > 2 && along > 2) wrong.push(`${said} covers a card`);
              }
            }
            return [pushes.length, wrong];
          });
          assert.deepEqual(wrong, [], id);
          assert.ok(count > 3, `${count} products`);
        }
      },
      looks(width),
    ));

/** The letters of a page that are smaller than 12 pixels, in its elements and on its canvases. */
const smallLetters = (page) =>
  page.evaluate(() => {
    const small = new Set(window.smallInk ?? []);
    const scaleOf = (one) => {
      if (one.getScreenCTM) {
        const { a, b } = one.getScreenCTM() ?? { a: 1, b: 0 };
        return Math.hypot(a, b);
      }
      let scale = 1;
      for (let at = one; at; at = at.parentElement ?? at.getRootNode().host) {
        const { transform } = getComputedStyle(at);
        if (transform && transform !== "none") scale *= new DOMMatrix(transform).a;
      }
      return scale;
    };
    const read = (root) => {
      for (const one of root.querySelectorAll("*")) {
        if (one.shadowRoot) read(one.shadowRoot);
        if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
          continue;
        if (one.closest(".hidden, style, script, option, title, textarea")) continue;
        const { width, height } = one.getBoundingClientRect();
        const { visibility, fontSize } = getComputedStyle(one);
        if (!width || !height || visibility === "hidden") continue;
        const size = Number.parseFloat(fontSize) * scaleOf(one);
        if (size < 11.95)
          small.add(
            `${size.toFixed(1)} ${one.localName}.${one.getAttribute("class")} ${one.textContent.trim().slice(0, 20)}`,
          );
      }
    };
    read(document);
    return [...small];
  });

/** Note what a canvas writes smaller than that, as it stands on the screen. */
function noteInk() {
  window.smallInk = new Set();
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (...words) {
    const [text, , , most] = words;
    const { a, b } = this.getTransform();
    const shown = this.canvas.getBoundingClientRect().width / this.canvas.width || 1;
    const squeeze = most === undefined ? 1 : Math.min(1, most / this.measureText(text).width);
    const size = Number(/([\d.]+)px/.exec(this.font)[1]) * Math.hypot(a, b) * shown * squeeze;
    if (text && size < 11.95) window.smallInk.add(`${size.toFixed(1)} canvas ${text}`);
    return write.apply(this, words);
  };
}

/** Texts, numbers and formulas of a page that something cuts off and nobody can scroll to. */
const cutTexts = (page) =>
  page.evaluate(() => {
    const cut = new Set();
    const look = (one) => {
      if (
        one.id === "expression" &&
        (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
      )
        cut.add(`expression ${one.value}`);
      if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
        return;
      if (one.closest(".hidden, style, script, option, svg, textarea")) return;
      const range = document.createRange();
      range.selectNodeContents(one);
      const { left, right, width } = range.getBoundingClientRect();
      if (!width) return;
      for (let at = one; at; at = at.parentElement ?? at.getRootNode().host) {
        const box = at.getBoundingClientRect();
        const { overflowX } = getComputedStyle(at);
        if (overflowX === "auto" && at.scrollWidth > at.clientWidth) return;
        const isOut = left < box.left - 1.5 || right > box.right + 1.5;
        if (isOut && box.width > 2 && (overflowX !== "visible" || at.matches("td, th")))
          cut.add(`${one.localName}.${one.className} ${one.textContent.trim().slice(0, 60)}`);
      }
    };
    const read = (root) => {
      for (const one of root.querySelectorAll("*")) {
        if (one.shadowRoot) read(one.shadowRoot);
        look(one);
      }
    };
    read(document.querySelector("gradwalk-lab").shadowRoot);
    return [...cut];
  });

const NEURON = `f=${e("n = x1*w1 + x2*w2 + b; o = tanh(n)")}&x=x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543`;
const DIAMOND = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;
const STATES = [
  `sandbox?${NEURON}&t=999999`,
  `sandbox?${LONG.split("?")[1]}&t=999999`,
  // More events than are written at once.
  `sandbox?f=${e(Array.from({ length: 90 }, (_, i) => `a*b*${i}.5`).join("+"))}&x=a:0.0371,b:-0.2137&t=999999`,
  `walk?${NEURON}&t=999999`,
  `walk?${DIAMOND}&t=5000`,
  `order?${DIAMOND}`,
  `bugs?${NEURON}&b=overwrite`,
  `checks?${NEURON}&c=own`,
  "program",
  "learn",
  ...["value.0", "value.1", "accumulate.0", "neuron.1", "engine.1", "engine.2"],
  ...["parameters.2", "attention.1", "traces", "write", "glossary"],
].map((state) => (/\?|^(program|learn)$/.test(state) ? `#1/${state}` : `#1/learn?l=${state}`));

for (const [i, width] of WIDTHS.entries())
  test(`no text, number or formula is cut, and no letter is smaller than 12 pixels, ${width}`, () =>
    on(
      "#1/descend",
      async (page) => {
        await page.evaluate(noteInk);
        const button = (name) => page.getByRole("button", { name, exact: true });
        const check = async (where, look = [smallLetters, cutTexts]) => {
          for (const faults of look) assert.deepEqual(await faults(page), [], where);
        };
        for (const language of ["en", ["et", "ru", "en", "et"][i]]) {
          await page.locator(".language select").selectOption(language);
          for (const hash of STATES) {
            await follow(page, hash);
            await check(`${language} ${hash}`);
          }
        }
        await page.locator(".language select").selectOption("en");
        await follow(page, "#1/descend");
        for (let i = 0; i < 3; i++) await button("One step").click();
        await check("descend");
        await follow(page, "#1/moons");
        await check("moons, at first");
        for (let i = 0; i < 3; i++) await button("One step").click();
        await button("Layer 2, neuron 3").click();
        await button("Show Layer 2, neuron 3, w₄ in the graph").click();
        await page.locator("gradwalk-plan .card.picked").waitFor();
        await check("moons", [smallLetters]);
        await follow(page, "#1/plan?m=mlp");
        await check("plan", [smallLetters]);
        for (let i = 0; i < 6; i++) {
          await page.getByRole("button", { name: "Zoom in" }).click();
          await frames(page, 3);
        }
        await check("plan, near", [smallLetters]);
      },
      // With motion, the camera of a new picture is on its way.
      { ...looks(width), reducedMotion: "reduce" },
    ));

for (const width of WIDTHS)
  test(`charts are drawn in the pixels of their place, with round ticks, ${width}`, () =>
    on(
      "#1/moons",
      async (page) => {
        await page.getByRole("button", { name: "Pause", exact: true }).click();
        await page.getByRole("button", { name: "Start over" }).click();
        for (let i = 0; i < 37; i++)
          await page.getByRole("button", { name: "One step", exact: true }).click();
        const chart = page.locator(".panel.curve .chart");
        const { place, drawn, texts } = await chart.evaluate(async (one) => {
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const svg = one.querySelector("svg");
          return {
            place: one.clientWidth,
            drawn: [svg.getBoundingClientRect().width, svg.viewBox.baseVal.width],
            texts: [...svg.querySelectorAll(".tick")].map((tick) => tick.textContent),
          };
        });
        assert.deepEqual(drawn, [place, place]);
        assert.ok(texts.length >= 5, texts.join());
        for (const text of texts) {
          const digits = text.replace(/^[0.]+|\.|0+$/g, "");
          assert.ok(digits.length <= 2, `${text} of ${texts}`);
        }
      },
      looks(width),
    ));

test("nobody is told to step on where no step leads to a product, nor by a key past a question", () =>
  on("#1/sandbox?t=0", async (page) => {
    const rule = page.locator(".panel.rule .body");
    assert.match(await rule.textContent(), /Step on to see it here/);
    await page.keyboard.press("End");
    assert.doesNotMatch(await rule.textContent(), /Step on/);
    for (const step of ["value.0", "local.1", "parameters.1", "derived.2"]) {
      await follow(page, `#1/learn?l=${step}`);
      await page.getByText("The walk goes on when you have answered.").waitFor();
      if (await rule.count()) assert.doesNotMatch(await rule.textContent(), /Step on/, step);
      const heard = await page.locator("[role=status]").first().textContent();
      const bar = await page.getByRole("slider", { name: "Time" }).getAttribute("aria-valuetext");
      for (const said of [heard, bar]) assert.doesNotMatch(said, /Play|step (on|with)/, step);
      const before = await page.locator("[data-node]").count();
      for (const key of ["d", "g", "p", "3"]) await page.keyboard.press(key);
      assert.equal(await page.locator("[data-node]").count(), before, step);
    }
  }));

test("the sign of a gradient is not told by colour alone on the floor plan", () =>
  on("#1/plan?m=mlp", async (page) => {
    await page.locator("gradwalk-plan .view").waitFor();
    const alike = await page.locator("gradwalk-floor").evaluate(async (floor) => {
      const plan = floor.renderRoot.querySelector("gradwalk-plan");
      const painted = async () => {
        plan.renumber();
        for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
        return plan.renderRoot.querySelector("canvas").toDataURL();
      };
      while (plan.open < 3) await new Promise(requestAnimationFrame);
      for (const name of ["--pos", "--neg"]) plan.style.setProperty(name, "rgb(90, 90, 90)");
      const size = floor.tape.grad.map(Math.abs);
      floor.tape.grad.set(size);
      const raised = await painted();
      floor.tape.grad.set(size.map((x) => -x));
      return raised === (await painted());
    });
    assert.equal(alike, false);
  }));

test("two fingers on the floor plan zoom it about their middle", () =>
  on("#1/plan?m=mlp", async (page) => {
    await page.getByRole("button", { name: "▣ MLP" }).waitFor();
    const [zooms, way] = await page.locator("gradwalk-plan").evaluate((plan) => {
      const zooms = [];
      const way = [0, 0];
      plan.zoom = (factor) => zooms.push(factor);
      plan.pan = (dx, dy) => {
        way[0] += dx;
        way[1] += dy;
      };
      const view = plan.renderRoot.querySelector(".view");
      const { left, top } = plan.getBoundingClientRect();
      const send = (type, pointerId, x) =>
        view.dispatchEvent(
          new PointerEvent(type, {
            ...{ pointerId, bubbles: true, composed: true, button: 0, pointerType: "touch" },
            ...{ clientX: left + x, clientY: top + 100, isPrimary: pointerId === 1 },
          }),
        );
      view.setPointerCapture = () => {};
      send("pointerdown", 1, 200);
      send("pointerdown", 2, 300);
      for (let i = 1; i <= 10; i++) {
        send("pointermove", 1, 200 - 5 * i);
        send("pointermove", 2, 300 + 5 * i);
      }
      send("pointerup", 1, 150);
      send("pointerup", 2, 350);
      return [zooms.reduce((x, y) => x * y, 1), way];
    });
    assert.ok(zooms > 1.8 && zooms < 2.05, `${zooms} times`);
    assert.ok(Math.hypot(...way) < 6, `moved by ${way}`);
  }));

test("the walk of a large model plays room by room", () =>
  on("#1/plan?m=mlp", async (page) => {
    await page.getByRole("button", { name: "Walk it, event by event" }).click();
    const { stops, seconds } = await page.locator("gradwalk-floor").evaluate(({ lab }) => {
      const { stay, total } = lab.program.line;
      return { stops: Math.round(total / stay), seconds: total / 1000 };
    });
    assert.ok(stops > 8 && seconds < 180, `${stops} stops in ${seconds} s`);
    await page.getByRole("button", { name: "Play" }).click();
    await page.locator(".crumbs button:not(.toggle, .primary)").nth(2).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    const index = await page.locator("gradwalk-floor").evaluate(({ lab }) => lab.frame.index);
    assert.ok(index > 2, `${index} events`);
  }));

for (const [hash, file, waits] of [
  ["#1/moons", "chunk-parts-moons.js", "gradwalk-moons canvas"],
  ["#1/plan", "chunk-parts-floor.js", "gradwalk-floor .floor"],
  ["#1/sandbox?v=3d&t=9999", "chunk-scene-space-view.js", "canvas.deep"],
  ["#1/learn", "chunk-pages-learn.js", ".lessons .entry"],
  ["#1/learn", "lessons-en.json", ".lessons .entry"],
  ["#1/learn?l=write", "chunk-parts-write.js", "gradwalk-write .cm-editor"],
])
  test(`a part that does not come says so and is asked for again: ${file}`, async () => {
    const page = await open(found.browser);
    let broken = 0;
    await page.route(`**/${file}`, (route) => {
      broken += 1;
      return route.abort();
    });
    await page.goto(found.server.url + hash);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.textContent(), /This part of the page did not load\./);
    assert.ok(broken > 0);
    await page.unroute(`**/${file}`);
    await page.getByRole("button", { name: "Load it again" }).click();
    await page.locator(waits).first().waitFor();
    assert.equal(await alert.count(), 0);
    assert.deepEqual(
      page.problems.filter((problem) => !/ERR_FAILED/.test(problem)),
      [],
    );
    await page.context().close();
  });

test("learning with reduced motion keeps its pace, however often it is begun", async () => {
  const page = await open(found.browser);
  await page.clock.install({ time: 0 });
  await page.goto(`${found.server.url}#1/moons`);
  const moons = page.locator("gradwalk-moons");
  await moons.locator(".map").waitFor();
  await page.clock.pauseAt(3_600_000);
  const press = (name) =>
    moons.evaluate(async (one, name) => {
      await one.updateComplete;
      const named = ({ textContent }) => textContent.trim() === name;
      [...one.renderRoot.querySelectorAll("button")].find(named).click();
    }, name);
  await press("Pause");
  const rounds = () => moons.evaluate(({ round }) => round);
  for (let i = 0; i < 8; i++) {
    await press("Learn");
    await page.clock.runFor(60);
    if (i % 2) await press("Pause");
    else
      await moons.evaluate((one) => {
        const [place, after] = [one.parentNode, one.nextSibling];
        one.remove();
        place.insertBefore(one, after);
      });
  }
  const before = await rounds();
  await press("Learn");
  await page.clock.runFor(1000);
  const steps = (await rounds()) - before;
  assert.ok(steps > 2 && steps <= 12, `${steps} steps in a second`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("Bugs: the events of a bug are listed with the bug, and the row of the moment is in view", () =>
  on("#1/bugs", async (page) => {
    await page.getByRole("button", { name: "Explore" }).click();
    for (const bug of ["no-reset", "overwrite", "no-reset", "no-visited"]) {
      await page.locator(`[data-bug=${bug}]`).click();
      const [rows, events, place, size] = await page.evaluate(async () => {
        const lab = document.querySelector("gradwalk-lab");
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        const table = lab.shadowRoot.querySelector("table.events");
        const now = table.querySelector("tr.now");
        const body = table.closest(".body").getBoundingClientRect();
        const box = now?.getBoundingClientRect();
        const seen = box && box.top >= body.top - 1 && box.bottom <= body.bottom + 1;
        return [
          Number(table.querySelector("tbody tr:last-child td").textContent),
          lab.lab.program.line.events.length,
          Number(now?.cells[0].textContent),
          seen,
        ];
      });
      assert.deepEqual([rows, place, size], [events, events, true], bug);
    }
  }));

test("two labs on one page keep out of each other", () =>
  on("#1/sandbox", async (page) => {
    await page.evaluate(async () => {
      const second = document.createElement("gradwalk-lab");
      second.embedded = true;
      second.expression = "u * v";
      second.values = { u: 2, v: 3 };
      document.body.append(second);
      await second.updateComplete;
    });
    const second = page.locator("gradwalk-lab").nth(1);
    await second.locator("[data-node]:has([aria-label^='u:']) .target").focus();
    await page.keyboard.press("Enter");
    const where = () =>
      page.evaluate(() => {
        const { activeElement } = document;
        const inner = activeElement.shadowRoot?.activeElement;
        return [[...document.querySelectorAll("gradwalk-lab")].indexOf(activeElement), inner?.id];
      });
    assert.deepEqual(await where(), [1, "box-u"]);
    await page.keyboard.press("Escape");
    await second.locator("[data-node]:has([aria-label^='u:']) .target").focus();
    await page.keyboard.press("/");
    assert.deepEqual(await where(), [1, "expression"]);
    await page.evaluate(() => document.querySelectorAll("gradwalk-lab")[1].remove());
  }));
