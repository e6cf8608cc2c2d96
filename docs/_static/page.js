// A button on each code block. It copies what one would type: no prompts, and no output beside them.
for (const block of document.querySelectorAll("div.highlight")) {
  const code = block.querySelector("pre").innerText;
  const typed = code.split("\n").filter((line) => /^(>>>|\.\.\.|\$)( |$)/.test(line));
  const text = typed.length ? typed.map((line) => line.replace(/^\S+ ?/, "")).join("\n") : code;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.trimEnd() + "\n");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}
// A button that runs an example in the page, as the site's lab runs Python. A page is one session, so
// the examples before it run too.
const ROOT = new URL(document.documentElement.dataset.content_root, location.href);
const examples = [...document.querySelectorAll(".highlight-python, .highlight-pycon")].filter(
  (block) => block.innerText.startsWith(">>> "),
);
let python;
const ask = async (text) => {
  python ??= import(new URL("lab/docs.js", ROOT));
  const { signal } = new AbortController();
  for await (const { name, data } of (await python).frames("examples", "", { text }, signal))
    if (name === "result") return JSON.parse(new TextDecoder().decode(data));
  throw new Error("Python gave no answer");
};
for (const [last, block] of globalThis.gradwalkRuns ? examples.entries() : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy run";
  button.textContent = "Run";
  const shown = document.createElement("pre");
  shown.className = "result";
  shown.setAttribute("role", "status");
  const texts = examples.slice(0, last + 1).map((one) => one.querySelector("pre").innerText + "\n");
  const count = (text) => text.split("\n").filter((line) => line.startsWith(">>> ")).length;
  button.addEventListener("click", async () => {
    shown.textContent = python ? "Running …" : "Python is loading …";
    block.after(shown);
    button.disabled = true;
    try {
      const printed = await ask(texts.join("\n"));
      const before = texts.slice(0, -1).reduce((sum, text) => sum + count(text), 0);
      const own = printed.slice(before).join("").trimEnd();
      shown.textContent = own || "It ran, and prints nothing.";
    } catch (error) {
      shown.textContent = [error, error.detail ?? ""].join(" ").trim();
    }
    button.disabled = false;
  });
  (block.querySelector("div.highlight") ?? block).append(button);
}
// The lab that stands beside these pages: by a link to all of it, and by one to each expression.
const lab = (words, hash) => {
  const link = document.createElement("a");
  link.href = new URL(`lab/index.html${hash}`, ROOT);
  link.textContent = words;
  return link;
};
const menu = document.querySelector(".sidebar-tree");
if (menu) menu.before(Object.assign(lab("Open the lab", ""), { className: "open-lab" }));
const WALK = /^\$ gradwalk (?:walk|lab|explain|check) '([^']+)'((?: [A-Za-z_]\w*=[-\d.e]+)+)/m;
for (const block of document.querySelectorAll(".highlight-console div.highlight")) {
  const found = WALK.exec(block.innerText);
  if (!found) continue;
  const at = found[2].trim().split(" ").map((pair) => pair.replace("=", ":")).join();
  const hash = `#1/sandbox?f=${encodeURIComponent(found[1])}&x=${at}`;
  block.append(Object.assign(lab("Open in the lab", hash), { className: "copy run" }));
}
// What scrolls sideways must be reachable by keyboard.
const reach = () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper, p:has(> img)"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
};
reach();
for (const moment of ["load", "resize"]) addEventListener(moment, reach);
document.fonts.ready.then(reach);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
  requestAnimationFrame(reach),
);
// What the theme leaves out for readers who listen.
const say = (selector, names) => {
  for (const found of document.querySelectorAll(selector))
    for (const [name, value] of Object.entries(names)) found.setAttribute(name, value);
};
say("p.caption[role=heading]", { "aria-level": "2" });
say(".sidebar-drawer", { "aria-label": "All pages" });
say(".toc-drawer", { "aria-label": "On this page" });
say(".content-icon-container", { role: "region", "aria-label": "Page tools" });
