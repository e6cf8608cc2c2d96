/** What the page may not do: change its state or the storage while it renders, or write raw HTML. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { e, lab, STATIC, visit } from "./harness.mjs";

const found = lab();
const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;

/** In the page: note every dispatch and every write to the storage that happens while rendering. */
function watch() {
  const root = document.querySelector("gradwalk-lab");
  let rendering = 0;
  window.guilty = [];
  const guard = (what) => {
    if (rendering) window.guilty.push(`${what} ${new Error().stack.split("\n").slice(3, 7)}`);
  };
  // LitElement's own method runs willUpdate, render and updated. All our elements inherit it.
  const base = Object.getPrototypeOf(Object.getPrototypeOf(root.constructor)).prototype;
  const update = base.performUpdate;
  base.performUpdate = function (...args) {
    rendering += 1;
    try {
      return update.apply(this, args);
    } finally {
      rendering -= 1;
    }
  };
  const { dispatch } = root.store;
  root.store.dispatch = (action) => {
    guard(`dispatch ${action.type}`);
    dispatch(action);
  };
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (...args) {
    guard(`storage ${args[0]}`);
    setItem.apply(this, args);
  };
  window.unwatch = () => {
    base.performUpdate = update;
    Storage.prototype.setItem = setItem;
  };
  window.renders = () => {
    root.requestUpdate();
    return root.updateComplete;
  };
}

const VISITS = [
  ["#1/sandbox?t=0", (page) => page.keyboard.press("End")],
  ["#1/sandbox?o=predict", (page) => page.keyboard.press("End")],
  ["#1/sandbox?v=3d&t=9999", (page) => page.keyboard.press("f")],
  [
    `#1/sandbox?f=${e(Array.from({ length: 40 }, (_, i) => `tanh(a*w${i})`).join("+"))}&t=0`,
    (page) => page.keyboard.press("End"),
  ],
  [`#1/walk?${X6}&t=0`, (page) => page.keyboard.press("ArrowRight")],
  [
    `#1/order?${X6}&q=5.2.0.4`,
    (page) => page.getByRole("button", { name: "Run this order" }).click(),
  ],
  ["#1/bugs?b=recursion"],
  ["#1/bugs?o=game&k=5", (page) => page.locator(".quiz .choices button").first().click()],
  ["#1/descend", (page) => page.locator("[data-descend=step]").click()],
  [
    "#1/checks",
    async (page) => {
      await page.getByLabel("your answer").fill("10");
      await page.keyboard.press("Enter");
    },
  ],
  ["#1/program"],
];

for (const motion of ["reduce", "no-preference"])
  test(`rendering changes nothing: motion ${motion}`, async () => {
    for (const [hash, act] of VISITS)
      await visit(
        found,
        hash,
        async (page) => {
          await page.evaluate(watch);
          await act?.(page);
          await page.evaluate(async () => {
            const root = document.querySelector("gradwalk-lab");
            root.theme = "light";
            root.store.dispatch({ type: "type", text: "a*b + c" });
            await window.renders();
            for (const name of ["walk", "bugs", "checks", "sandbox"]) {
              root.store.dispatch({ type: "page", page: name });
              await window.renders();
            }
          });
          assert.deepEqual(await page.evaluate(() => window.guilty), [], hash);
          await page.evaluate(() => window.unwatch());
          assert.equal(
            await page.evaluate(() => document.querySelector("gradwalk-lab").store.state.theme),
            "light",
          );
        },
        { reducedMotion: motion },
      );
  });

test("a dispatch while rendering is noticed", async () => {
  await visit(found, "#1/sandbox?t=9999", async (page) => {
    await page.evaluate(watch);
    const guilty = await page.evaluate(async () => {
      const root = document.querySelector("gradwalk-lab");
      root.willUpdate = () => root.store.dispatch({ type: "set", change: { greeted: true } });
      await window.renders();
      delete root.willUpdate;
      window.unwatch();
      return window.guilty;
    });
    assert.match(guilty[0], /^dispatch set/);
  });
});

/** In the page: whether the browser refuses text as HTML, and which policies there are. */
function refusals() {
  const tries = {
    innerHTML: () => {
      document.createElement("div").innerHTML = "<b>x</b>";
    },
    script: () => {
      document.createElement("script").text = "window.x = 1";
    },
    policy: () => trustedTypes.createPolicy("another", {}),
  };
  return Object.entries(tries).map(([name, act]) => {
    try {
      act();
      return `${name} was allowed`;
    } catch (error) {
      return `${name}: ${error.name}`;
    }
  });
}

const REFUSED = ["innerHTML: TypeError", "script: TypeError", "policy: TypeError"];

for (const [name, address] of [
  ["the lab", "#1/sandbox?t=9999"],
  ["an exported file", pathToFileURL(join(STATIC, "export.html")).href],
])
  test(`Trusted Types are on, and only lit's templates are trusted: ${name}`, async () => {
    await visit(found, address, async (page) => {
      assert.deepEqual(await page.evaluate(refusals), REFUSED);
      // The browser has told of these three refusals; of nothing else.
      const others = page.problems.filter((text) => !/Trusted/i.test(text));
      page.problems.splice(0, page.problems.length, ...others);
    });
  });
