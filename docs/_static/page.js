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
// What scrolls sideways must be reachable by keyboard.
const reach = () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper, p:has(> img)"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
};
reach();
addEventListener("resize", reach);
// What the theme leaves out for readers who listen.
const say = (selector, names) => {
  for (const found of document.querySelectorAll(selector))
    for (const [name, value] of Object.entries(names)) found.setAttribute(name, value);
};
say("p.caption[role=heading]", { "aria-level": "2" });
say(".sidebar-drawer", { "aria-label": "All pages" });
say(".toc-drawer", { "aria-label": "On this page" });
say(".content-icon-container", { role: "region", "aria-label": "Page tools" });
