/** What leaves this machine: one file, pictures, links for a copy elsewhere, a frame. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { card, e, lab, open, PYTHON, save, serve, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;

test("saved as one HTML file, a walk opens from disk as it was, and saves itself again", () =>
  on(`#1/walk?${X6}&t=2000&n=c`, async (page) => {
    const file = await save(page, "html");
    assert.match(file, /gradwalk-b-a-1-c-a-3-d-b-c\.html$/);
    const asked = [];
    const other = await open(found.browser, "");
    other.on("request", (request) => asked.push(request.url()));
    const check = async (path) => {
      await other.goto(pathToFileURL(path).href);
      await other.locator("[data-node].root").waitFor();
      assert.equal(
        await other.locator("#expression").inputValue(),
        "b = a + 1; c = a * 3; d = b * c",
      );
      const { time, node } = await other.evaluate(
        () => document.querySelector("gradwalk-lab").store.state,
      );
      assert.deepEqual([Math.round(time), node !== null], [2000, true]);
      assert.match(await other.title(), /^Tables: b = a/);
    };
    await check(file);
    await check(await save(other, "html"));
    assert.ok(
      asked.every((url) => /^(file|data|blob):/.test(url)),
      asked.join(),
    );
    assert.deepEqual(other.problems, []);
    await other.context().close();
  }));

test("saved from 3D as one HTML file, a walk is flat, offers no 3D, and has none of three.js", () =>
  on(`#1/sandbox?${X6}&t=4500&v=3d`, async (page) => {
    await page.locator("gradwalk-scene canvas.deep").waitFor();
    const file = await save(page, "html");
    assert.doesNotMatch(await readFile(file, "utf8"), /WebGLRenderer/);
    const other = await open(found.browser, "");
    await other.goto(pathToFileURL(file).href);
    await other.locator("[data-node].root").waitFor();
    await other.keyboard.press("3");
    assert.equal(await other.getByRole("button", { name: "3D" }).count(), 0);
    assert.equal(await other.locator("canvas.deep, .word").count(), 0);
    assert.deepEqual(other.problems, []);
    await other.context().close();
  }));

for (const colorScheme of ["dark", "light"])
  test(`saved as SVG and as PNG, the picture is whole and needs no style sheet, ${colorScheme}`, () =>
    on(
      `#1/sandbox?${X6}&t=999999`,
      async (page) => {
        for (let i = 0; i < 8; i++) await page.keyboard.press("+");
        const svg = await readFile(await save(page, "svg"), "utf8");
        for (const text of ["9 + 6 = 15", "3 × 3 = 9", "const", ">d<"])
          assert.ok(svg.includes(text), text);
        assert.doesNotMatch(svg, /var\(|class=|<style/);
        const png = await readFile(await save(page, "png"));
        assert.equal(png.subarray(1, 4).toString(), "PNG");
        const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
        assert.ok(width > 1000 && height > 300, `${width} × ${height}`);
        // It is a picture: its ground is that of the theme, and there is ink on it.
        const seen = await page.evaluate(
          async (data) => {
            const image = new Image();
            image.src = data;
            await image.decode();
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [image.width, image.height];
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
            const colours = new Set();
            for (let i = 0; i < pixels.length; i += 64) colours.add(pixels.slice(i, i + 3).join());
            return [pixels[0], colours.size];
          },
          `data:image/png;base64,${png.toString("base64")}`,
        );
        assert.ok(colorScheme === "dark" ? seen[0] < 64 : seen[0] > 200, String(seen));
        assert.ok(seen[1] > 8, String(seen));
      },
      { colorScheme },
    ));

test("a copy by gradwalk site opens links, saves files and fits into a frame", async () => {
  const folder = join(await mkdtemp(join(tmpdir(), "gradwalk-")), "copy");
  await promisify(execFile)(PYTHON, ["-m", "gradwalk", "site", folder, "--no-python"]);
  const copy = await serve(folder);
  await on(`#1/sandbox?${X6}&t=999999`, async (page) => {
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.locator(".share");
    assert.match(await dialog.textContent(), /your own machine's.*gradwalk site/s);
    await page.getByLabel("Address of your copy").fill(copy.url);
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    assert.ok(link.startsWith(`${copy.url}#1/sandbox?`), link);
    const snippet = await page.getByLabel("Embed in a web page").inputValue();
    const other = await open(found.browser, "");
    await other.goto(link);
    await other.locator("[data-node].root").waitFor();
    assert.match(await card(other, "a").locator(".grad").textContent(), /9 \+ 6 = 15/);
    await save(other, "html");
    await other.route("**/host", (route) =>
      route.fulfill({ contentType: "text/html", body: `<!doctype html>${snippet}` }),
    );
    await other.goto(`${copy.url}host`);
    const frame = other.frameLocator("iframe");
    await card(frame, "a").waitFor();
    assert.deepEqual(other.problems, []);
    await other.context().close();
  });
  copy.close();
});

test("a picture in 3D is saved flat, with its words, and one with boxes open as it stands", async () => {
  const texts = (page) => page.locator("gradwalk-scene .slab .name").allTextContents();
  const cards = (svg) => svg.match(/<g transform="matrix/g).length;
  await on(`#1/sandbox?${X6}&t=999999&v=3d`, async (page) => {
    await page.locator("gradwalk-scene canvas.deep").waitFor();
    const svg = await readFile(await save(page, "svg"), "utf8");
    assert.ok(cards(svg) >= 6);
    assert.equal((await texts(page)).length, 4);
    for (const text of await texts(page))
      if (text.trim()) assert.ok(svg.includes(text.trim()), text);
    await page.keyboard.press("Escape");
  });
  const many = Array.from({ length: 40 }, (_, i) => `a*${"bc"[i % 2]}`).join("+");
  await on(`#1/sandbox?f=${e(many)}&x=a:1,b:2,c:3&t=999999`, async (page) => {
    const closed = await readFile(await save(page, "svg"), "utf8");
    assert.match(closed, /40 terms/);
    await page.keyboard.press("Escape");
    await page.locator("[data-node].root .target").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Close all boxes" }).waitFor();
    const opened = await readFile(await save(page, "svg"), "utf8");
    assert.ok(cards(opened) > cards(closed));
  });
});
