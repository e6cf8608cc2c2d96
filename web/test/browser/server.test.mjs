/** The page on its own server, `gradwalk lab`: its code, and a job whose events arrive as it runs. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { e, lab, looksGood, open, startLab, startPython, visitPython } from "./harness.mjs";

const found = lab();
const FORMULA = `#1/sandbox?f=${e("tanh(a*b) + c")}&x=a:1,b:0.5,c:2`;
let own;
let address;

before(async () => {
  found.python ??= startLab(); // side by side
  own = await startLab("tanh(a*b) + c", "a=1", "b=.5", "c=2");
  ({ address } = own);
});
after(() => own?.close());

test("the code leaves the address at once, for a secret that only this tab has", async () => {
  const page = await open(found.browser, address, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.waitForFunction(() => sessionStorage.getItem("gradwalk-secret"));
  const secret = await page.evaluate(() => sessionStorage.getItem("gradwalk-secret"));
  assert.ok(!address.includes(secret));
  assert.equal(await page.locator("#expression").inputValue(), "tanh(a*b) + c");
  assert.doesNotMatch(page.url(), /token/);
  assert.match(page.url(), /#1\/sandbox\?f=tanh/);
  await page.getByRole("button", { name: "Share" }).click();
  await page
    .locator(".share .row .toggle", { hasText: /^Copy$/ })
    .first()
    .click();
  await page.getByText("Copied").waitFor();
  const seen = await page.evaluate(async () => [
    await navigator.clipboard.readText(),
    JSON.stringify({ ...localStorage }),
    JSON.stringify(history.state),
    document.cookie,
    document.documentElement.outerHTML,
    document.querySelector("gradwalk-lab").shadowRoot.innerHTML,
    ...performance.getEntries().map(({ name }) => name),
  ]);
  for (const text of seen) assert.ok(!text.includes(secret), text.slice(0, 200));
  // A cookie would go to every server of this machine, whatever its port.
  assert.deepEqual(await page.context().cookies(), []);
  assert.ok(await page.getByRole("button", { name: "Check with Python" }).isVisible());
  await page.reload();
  await page.locator("main").waitFor();
  assert.equal(await page.locator("#expression").inputValue(), "tanh(a*b) + c");
  await page.getByRole("button", { name: "Check with Python" }).click();
  await page.locator("dialog table").waitFor();
  await page.keyboard.press("Escape");
  // The printed address once more, into the same tab: only what is behind the # changes.
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address.split("#")[1]);
  await page.getByRole("button", { name: "Check with Python" }).waitFor();
  assert.doesNotMatch(page.url(), /token/);
  assert.deepEqual(
    page.problems.filter((problem) => !problem.includes("401")),
    [],
  );
  await page.context().close();
  // In another browser, whoever finds the address in a history gets nowhere.
  const stranger = await open(found.browser, address);
  await stranger.getByRole("button", { name: "Check with Python" }).click();
  await stranger.locator("dialog .bad").waitFor();
  await stranger.context().close();
});

test("a browser that is opened by the lab gets in by a file that is gone afterwards", async () => {
  const own = startPython(["-m", "gradwalk", "lab", "a*b", "a=2", "b=3", "--json"], {
    env: { ...process.env, BROWSER: "echo %s" },
  });
  const file = (await own.said(/file:\S+\s/)).trim();
  assert.doesNotMatch(file, /token/);
  const page = await open(found.browser, file);
  await page.waitForURL(/127\.0\.0\.1.*#1\/sandbox/);
  assert.equal(await page.locator("#expression").inputValue(), "a*b");
  await page.getByRole("button", { name: "Check with Python" }).click();
  await page.locator("dialog table").waitFor();
  assert.ok(!existsSync(fileURLToPath(file)));
  await page.context().close();
  await own.close();
});

test("Python checks the gradients: its events arrive one by one, and it agrees", () =>
  visitPython(found, FORMULA, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request));
    await page.getByRole("button", { name: "Check with Python" }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.locator("table").waitFor();
    assert.match(await dialog.locator(".proof").textContent(), /Every gradient agrees/);
    const rows = await dialog
      .locator("tbody tr")
      .evaluateAll((all) =>
        all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())),
      );
    // d tanh(ab)/da = b·sech²(ab), at a = 1 and b = 0.5
    const slope = 1 / Math.cosh(0.5) ** 2;
    const expected = { a: slope / 2, b: slope, c: 1 };
    assert.deepEqual(
      rows.map(([name]) => name),
      ["a", "b", "c"],
    );
    for (const [name, here, python, measured, verdict] of rows) {
      assert.equal(here, String(Number(expected[name].toPrecision(4))));
      assert.equal(python, here);
      assert.ok(Math.abs(Number(measured) - expected[name]) < 1e-6);
      assert.equal(verdict, "✓");
    }
    await looksGood(page);
    const api = asked.filter((request) => request.url().includes("/api/"));
    assert.deepEqual(
      api.map((request) => [request.method(), new URL(request.url()).pathname.split("/").at(-1)]),
      [
        ["POST", "jobs"],
        ["GET", "events"],
      ],
    );
    const secret = await page.evaluate(() => sessionStorage.getItem("gradwalk-secret"));
    for (const request of api) assert.equal(request.headers()["x-gradwalk-token"], secret);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }));

test("who closes the dialog cancels the job", () =>
  visitPython(found, FORMULA, async (page) => {
    // Events that never come: the job counts as under way for as long as the dialog is open.
    const followed = new Promise((resolve) => {
      void page.route("**/api/jobs/*/events", (route) => resolve(route.request()));
    });
    await page.getByRole("button", { name: "Check with Python" }).click();
    const events = new URL((await followed).url()).pathname;
    await page.locator("progress").waitFor();
    const cancelled = page.waitForResponse((response) => response.request().method() === "DELETE");
    await page.keyboard.press("Escape");
    const answer = await cancelled;
    assert.equal(answer.status(), 200);
    assert.equal(`${new URL(answer.url()).pathname}/events`, events);
    await page.unrouteAll();
  }));

const onProgram = (act) =>
  visitPython(found, FORMULA.replace("sandbox", "program"), async (page) => {
    await page.getByRole("tab", { name: /^recorded/ }).waitFor();
    await act(page);
  });
const listing = (page) => page.locator(".listing code").allTextContents();

test("the program of the expression: five stages, as the compiler has them", () =>
  onProgram(async (page) => {
    const tabs = await page
      .getByRole("tab")
      .evaluateAll((all) => all.map((one) => one.querySelector(".name").textContent));
    assert.deepEqual(tabs, ["recorded", "tidy", "chains", "adjoint", "blocks"]);
    assert.deepEqual(await listing(page), [
      "input a",
      "input b",
      "input c",
      "mul %0 %1",
      "tanh %3",
      "add %4 %2",
    ]);
    await page.getByRole("tab", { name: /^adjoint/ }).click();
    assert.ok((await listing(page)).length > 6);
    const marks = await page.locator(".listing .result").allTextContents();
    assert.deepEqual(marks.toSorted(), [
      "gradient of a",
      "gradient of b",
      "gradient of c",
      "result",
    ]);
    assert.match(
      await page.locator(".cost").textContent(),
      /^The program takes \d+ bytes for the value, \d+ bytes with every gradient\.$/,
    );
    // An edit is compiled anew, and a slider is not: the program does not depend on it.
    const asked = [];
    page.on("request", (request) => request.url().includes("/api/program") && asked.push(request));
    await page.locator("#expression").fill("a*b + a*b");
    await page.waitForFunction(
      () =>
        !document
          .querySelector("gradwalk-lab")
          .shadowRoot.querySelector("gradwalk-program")
          .shadowRoot.textContent.includes("input c"),
    );
    const before = asked.length;
    await page.locator("input[type=range]").first().press("ArrowRight");
    assert.equal(asked.length, before);
    await page.getByRole("tab", { name: /^tidy/ }).click();
    assert.deepEqual(await listing(page), ["input a", "input b", "mul %0 %1", "add %2 %2"]);
  }));

test("an instruction picks its node, a node marks its instruction", () =>
  onProgram(async (page) => {
    const row = page.getByRole("button", { name: "Pick the node of %4, tanh %3" });
    await row.click();
    assert.equal(await row.getAttribute("aria-pressed"), "true");
    const picked = () =>
      page.evaluate(() => {
        const lab = document.querySelector("gradwalk-lab");
        const { node } = lab.store.state;
        return node === null ? null : lab.lab.program.graph.nodes[node].op;
      });
    assert.equal(await picked(), "tanh");
    await row.click();
    assert.equal(await picked(), null);
    await page.evaluate(() => {
      const lab = document.querySelector("gradwalk-lab");
      const id = lab.lab.program.graph.nodes.find((node) => node.op === "*").id;
      lab.store.dispatch({ type: "pick", node: id });
    });
    await page
      .getByRole("button", { name: "Pick the node of %3, mul %0 %1", pressed: true })
      .waitFor();
  }));

test("the stages by keyboard; no violation in both themes, wide and on a phone", () =>
  onProgram(async (page) => {
    await page.getByRole("tab", { name: /^recorded/ }).focus();
    for (const name of ["tidy", "chains", "adjoint", "blocks", "recorded"]) {
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tab", { name: new RegExp(`^${name}`), selected: true }).waitFor();
    }
    await page.keyboard.press("End");
    await page.getByRole("tab", { name: /^blocks/, selected: true }).waitFor();
    await page.keyboard.press("Home");
    await page.getByRole("tab", { name: /^recorded/, selected: true }).waitFor();
    for (const tab of [/^adjoint/, /^blocks/]) {
      await page.getByRole("tab", { name: tab }).click();
      await looksGood(page);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  }));

test("choices are a tree that counts the sides taken, and loops are folded", () =>
  onProgram(async (page) => {
    const enter = async (text) => {
      await page.locator("#expression").fill(text);
      await page.waitForFunction(
        (name) => {
          const { shadowRoot } = document.querySelector("gradwalk-lab");
          return shadowRoot.querySelector("gradwalk-program").shadowRoot.querySelector(name);
        },
        text.startsWith("where") ? ".branches" : ".inner",
      );
    };
    await enter("where(a < b, where(a > 0, a*a, sin(b)), b)");
    const tree = () =>
      page
        .locator(".branches code")
        .evaluateAll((all) =>
          all.map((one) =>
            [one, ...one.parentElement.querySelectorAll(":scope > .side")]
              .map((part) => part.textContent.replace(/\s+/g, " ").trim())
              .join(" | "),
          ),
        );
    const set = (values) =>
      page.evaluate((all) => {
        const { store } = document.querySelector("gradwalk-lab");
        for (const [name, value] of Object.entries(all))
          store.dispatch({ type: "value", name, value });
      }, values);
    const before = await tree();
    assert.match(before[0], /^a < b \| /);
    await set({ a: 1, b: 3 });
    await set({ a: -1 });
    await set({ a: -2 });
    await set({ a: 7 });
    const counts = (text) => [...text.matchAll(/(?:yes|no) (\d+)/g)].map(([, n]) => Number(n));
    const after = await tree();
    const more = after.map((text, k) => counts(text).map((n, i) => n - counts(before[k])[i]));
    assert.ok(more[0][0] >= 3 && more[0][1] >= 1, `${after}`);
    assert.ok(more[1][1] >= 2, `${after}`);
    assert.match(after[0], /● .*no/);
    assert.doesNotMatch(after[1], /●/);
    // Folding, by keyboard.
    const inner = page.locator(".branches details summary");
    await inner.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".branches code").nth(1).isVisible(), false);
    await enter(`${"(".repeat(11)}a${"*x + 1)".repeat(11)}`);
    assert.equal(await page.locator(".branches").count(), 0);
    const loop = page.getByRole("button", { name: "11 times, %2 … %24" });
    assert.equal(await loop.getAttribute("aria-expanded"), "false");
    const folded = (await listing(page)).length;
    await loop.focus();
    await page.keyboard.press("Enter");
    assert.equal(await loop.getAttribute("aria-expanded"), "true");
    assert.equal((await listing(page)).length, folded + 20);
  }));

test("a server that has gone, or another one's token, is said in words", async () => {
  const page = await open(found.browser, address.replace(/token=[\w-]+/, "token=not-the-one"));
  await page.getByRole("button", { name: "Check with Python" }).click();
  await page.locator("dialog .bad").waitFor();
  assert.match(
    await page.locator("dialog .proof").textContent(),
    /token is missing or wrong, or this address was used before/,
  );
  await page.context().close();
});

test("a server that was stopped is said in words, on both pages that ask it", async () => {
  const page = await open(found.browser, address);
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: "Check with Python" }).click();
  const words = /The lab's server does not answer\. Start gradwalk lab again/;
  await page.locator("dialog .bad").waitFor();
  assert.match(await page.locator("dialog .proof").textContent(), words);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Compiled", exact: true }).click();
  await page.locator("gradwalk-program .bad").waitFor();
  assert.match(await page.locator("gradwalk-program .bad").textContent(), words);
  await page.context().close();
});

test("a Value that someone writes is judged by Python, and a harmful one is contained", () =>
  visitPython(found, "#1/learn?l=write", async (page) => {
    const editor = page.locator("gradwalk-write .cm-content");
    const judge = page.getByRole("button", { name: "Judge it" });
    await judge.click();
    await page.getByText("Some gradients are wrong.").waitFor();
    assert.match(await page.locator(".failures").textContent(), /expected/);
    // Checks that fail for one reason are told once, with how many they are.
    const told = await page.locator(".failures > li").allTextContents();
    const counted = told.map((text) =>
      Number(/(\d+) checks fail for one reason/.exec(text)?.[1] ?? 1),
    );
    assert.ok(Math.max(...counted) > 1, told.join("; "));
    assert.deepEqual(
      counted,
      counted.toSorted((x, y) => y - x),
    );
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText("while True: pass");
    await judge.click();
    await page.getByText("loading the file did not end within 2 s").waitFor();
    const right = await readFile(
      fileURLToPath(new URL("../../../examples/my_value.py", import.meta.url)),
      "utf8",
    );
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(right);
    await judge.click();
    await page.getByText("All gradients are right.").waitFor();
  }));
