/**
 * A view in a notebook's cell, for anywidget: the lab in a frame, or a curve, linked to Python.
 *
 * A frame, so that the notebook's style and the lab's leave each other alone, and two versions of
 * the lab can stand in one notebook. `export.ts` is the other end of the link. A curve is drawn by
 * Python, and needs no more here than a way to read off its points.
 */

interface Model {
  get(name: string): unknown;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  send(content: unknown): void;
}

interface Shown {
  element: HTMLElement;
  /** The state has changed. */
  show(): void;
  /** The notebook's theme may have changed. */
  colour(): void;
  leave(): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const isCurve = "points" in (model.get("state") as object);
  const { element, show, colour, leave } = isCurve ? curve(model, el) : frame(model, el);
  // A notebook that changes its theme says so in an attribute, and loads the colours after that.
  const changes = new MutationObserver(() => {
    for (const wait of [100, 1000]) setTimeout(colour, wait);
  });
  for (const at of [document.documentElement, document.body])
    changes.observe(at, { attributes: true });
  model.on("change:state", show);
  el.append(element);
  return () => {
    changes.disconnect();
    model.off("change:state", show);
    leave();
    element.remove();
  };
}

// ── The lab ──────────────────────────────────────────────────────────────────────────────────

const STATE = '{"gradwalk": "state"}';

function frame(model: Model, el: HTMLElement): Shown {
  const element = document.createElement("iframe");
  element.title = "gradwalk";
  element.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0; display: block`;
  const state = (): object => ({ ...(model.get("state") as object), theme: themeOf(el) });
  const first = JSON.stringify({ ...state(), linked: true }).replaceAll("<", "\\u003c");
  element.srcdoc = (model.get("page") as string).replace(STATE, () => first);
  const say = (gradwalk: object): void => element.contentWindow?.postMessage({ gradwalk }, "*");
  const hear = (event: MessageEvent): void => {
    if (event.source === element.contentWindow && event.data?.gradwalk)
      model.send(event.data.gradwalk);
  };
  window.addEventListener("message", hear);
  return {
    element,
    show: () => say(state()),
    colour: () => say({ theme: themeOf(el) }),
    leave: () => window.removeEventListener("message", hear),
  };
}

// ── A curve ──────────────────────────────────────────────────────────────────────────────────

interface Curve {
  /** The picture, by theme. */
  light: string;
  dark: string;
  /** The index of a point, its place in the picture, and its numbers. */
  points: [number, number, number, string][];
}

/** The picture, and a slider over its points, which the pointer moves as well. */
function curve(model: Model, el: HTMLElement): Shown {
  const element = document.createElement("div");
  element.dataset.lmSuppressShortcuts = "true"; // JupyterLab: arrow keys belong to the slider
  const inside = element.attachShadow({ mode: "open" });
  const picture = document.createElement("div");
  const slider = document.createElement("input");
  const said = document.createElement("output");
  slider.type = "range";
  slider.setAttribute("aria-label", "point");
  slider.style.cssText = "width: min(560px, 70%); vertical-align: middle";
  said.style.cssText = "margin-left: 1em; font: 13px ui-monospace, monospace";
  inside.append(picture, slider, said);
  const make = (name: string, attributes: object): SVGElement => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    return made;
  };
  const line = make("path", { class: "edge", "stroke-dasharray": "2 3" });
  const dot = make("circle", { class: "plus", r: 5 });
  let theme = "";
  let points: Curve["points"] = [];

  const mark = (at: number): void => {
    const [, x, y, numbers] = points[at];
    const paper = picture.querySelector(".paper")!;
    line.setAttribute("d", `M${x} ${paper.getAttribute("y")}v${paper.getAttribute("height")}`);
    dot.setAttribute("cx", String(x));
    dot.setAttribute("cy", String(y));
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", numbers);
    said.textContent = numbers;
  };
  const draw = (): void => {
    const state = model.get("state") as Curve;
    theme = themeOf(el);
    ({ points } = state);
    const text = state[theme as "light" | "dark"];
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    drawn.style.cssText = "max-width: 100%; height: auto";
    drawn.append(line, dot);
    picture.replaceChildren(drawn);
    element.style.cssText = `color-scheme: ${theme}; color: ${theme === "dark" ? "#eceff4" : "#171a21"}`;
    slider.max = String(points.length - 1);
    mark(points.length - 1);
  };
  const pick = (): void => {
    mark(Number(slider.value));
    model.send({ point: points[Number(slider.value)][0] });
  };
  slider.addEventListener("input", pick);
  picture.addEventListener("pointermove", (event) => {
    const drawn = picture.firstElementChild as SVGSVGElement;
    const toPicture = drawn.getScreenCTM()!.inverse();
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toPicture);
    const far = points.map((point) => Math.abs(point[1] - x));
    mark(far.indexOf(Math.min(...far)));
  });
  picture.addEventListener("click", pick);
  draw();
  return { element, show: draw, colour: () => themeOf(el) !== theme && draw(), leave: () => {} };
}

/** The notebook's theme, by how light it is behind the cell. */
function themeOf(el: HTMLElement): "light" | "dark" {
  const pen = document.createElement("canvas").getContext("2d")!;
  // A cell may be drawn before it is in the page.
  const first = el.isConnected ? el : document.body;
  for (let at: Element | null = first; at; at = at.parentElement ?? hostOf(at)) {
    // Drawn and read back: a colour can be written in a dozen ways.
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = getComputedStyle(at).backgroundColor;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    if (alpha > 127) return 0.3 * red + 0.6 * green + 0.1 * blue > 127 ? "light" : "dark";
  }
  return "light";
}

function hostOf(at: Element): Element | null {
  const root = at.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

export default { render };
