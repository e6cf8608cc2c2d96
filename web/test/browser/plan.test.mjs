/** The floor plan: boxes that open, search, paths, keys; small models without Python, GPT with it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lab, looksGood, visit, visitPython } from "./harness.mjs";

const found = lab();

/** In the page: the element of the plan, and what is open in it. */
const ready = (page, key = "") =>
  page.waitForFunction((wanted) => {
    const floor = document.querySelector("gradwalk-lab").shadowRoot.querySelector("gradwalk-floor");
    return floor?.room?.key === wanted;
  }, key);
const crumbs = (page) => page.locator(".crumbs button:not(.toggle, .primary)").allTextContents();
const floor = (page) => page.locator("gradwalk-floor");

test("without Python: an MLP as boxes; open one by click, by list and by keys; the link says so", () =>
  visit(found, "#1/plan", async (page) => {
    await ready(page);
    const rows = page.locator(".rooms tbody tr");
    assert.match((await rows.allTextContents()).join(" "), /MLP.*loss/s);
    await page.getByRole("button", { name: "▣ MLP" }).click();
    await ready(page, "/box:MLP");
    assert.deepEqual(await crumbs(page), ["Whole model", "MLP"]);
    await page.waitForURL(/m=mlp\/box/);
    await page.reload();
    await ready(page, "/box:MLP");
    await page.getByRole("application").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.split("box").length > 2);
    assert.equal((await crumbs(page)).length, 3);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await ready(page);
    // In the middle of the view stands a box: a click opens it.
    const view = await page.getByRole("application").boundingBox();
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
    await page.waitForFunction(
      () => document.querySelector("gradwalk-lab").store.state.place.length > 4,
    );
  }));

test("a node is found by its name; its gradient is followed; the paths add up", () =>
  visit(found, "#1/plan?m=mlp", async (page) => {
    await ready(page);
    await page.getByRole("searchbox").fill("layers.0.neurons.3.w[1]");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Follow its gradient" }).waitFor();
    assert.match(await page.locator(".facts").textContent(), /layers\.0\.neurons\.3\.w\[1\]/);
    await page.getByRole("button", { name: "Follow its gradient" }).click();
    await page.locator(".ways button").first().waitFor();
    const [total, grad] = await floor(page).evaluate((one) => [
      one.paths.total,
      one.tape.grad[one.node],
    ]);
    assert.ok(Math.abs(total - grad) < 1e-12);
    assert.match(
      await page.locator(".passed").textContent(),
      /loss.*MLP\.layers\.2.*MLP\.layers\.0/s,
    );
    await page.getByRole("searchbox").fill("relu");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".find output").textContent(), /^1 of 48$/);
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".find output").textContent(), /^2 of 48$/);
    // Near enough, nodes are cards with numbers to read.
    await page.locator("gradwalk-plan .card").first().waitFor();
    await page.getByRole("searchbox").fill("nothing of this name");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".find output").textContent(), "not found");
  }));

test("with motion: the camera travels to a box and arrives where it goes without", async () => {
  const shots = {};
  for (const reducedMotion of ["no-preference", "reduce"])
    await visit(
      found,
      "#1/plan?m=mlp",
      async (page) => {
        await ready(page);
        await page.getByRole("button", { name: "▣ MLP" }).click();
        await ready(page, "/box:MLP");
        // Three rooms come in while one travels; then the picture stands.
        shots[reducedMotion] = await page.locator("gradwalk-plan").evaluate(async (plan) => {
          const painted = () => plan.renderRoot.querySelector("canvas").toDataURL();
          for (let last = ""; plan.moving || last !== painted(); ) {
            last = painted();
            for (let i = 0; i < 8; i++) await new Promise(requestAnimationFrame);
          }
          return painted();
        });
      },
      { reducedMotion },
    );
  assert.equal(shots["no-preference"], shots.reduce);
});

test("Python's models: a block, and microGPT of 59,542 nodes, down to one multiplication", () =>
  visitPython(found, "#1/plan?m=block", async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "▣ Block" }).click();
    await ready(page, "/box:Block");
    assert.match((await page.locator(".rooms tbody").textContent()) ?? "", /attention.*norm2/s);
    await page.getByRole("combobox", { name: /^Model/ }).selectOption("gpt");
    await page.getByText("59,542 nodes, 106,955 edges").waitFor();
    await ready(page);
    await page.getByRole("searchbox").fill("layers.0.wq[3][5]");
    await page.keyboard.press("Enter");
    await ready(page, "/box:layers.0/box:attention/box:wq/tensor:layers.0.wq");
    await page.getByRole("button", { name: "Follow its gradient" }).click();
    await page.locator(".ways button").nth(4).waitFor();
    await page.getByLabel("It reads").fill("q!");
    await page.keyboard.press("Enter");
    await page.getByText("does not know the character '!'").waitFor();
    page.problems = page.problems.filter((problem) => !problem.includes("422"));
  }));

test("no violation while a gradient is followed", () =>
  visit(found, "#1/plan?m=mlp", async (page) => {
    await ready(page);
    await page.getByRole("searchbox").fill("loss");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Follow its gradient" }).click();
    await looksGood(page);
  }));

test("a model that only Python has is asked for in words", () =>
  visit(found, "#1/plan?m=gpt", async (page) => {
    await page.getByText("Python builds this model").waitFor();
  }));
