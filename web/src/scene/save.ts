/**
 * The picture as a file: an SVG that needs no style sheet, and a PNG painted from it.
 *
 * A second scene, with room for every node, is drawn out of sight, so that the whole graph is in it and
 * can be read, however the one on the page is zoomed. What its style sheet says is written into each
 * element, because drawing programs know no custom properties.
 */

import type { Program } from "../app/derive.ts";
import { FITTED } from "../app/state.ts";
import type { Frame } from "../app/timeline.ts";
import { num } from "../strings/format.ts";
import { MOST_DEEP } from "./picture.ts";
import type { GradwalkScene } from "./scene.ts";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 12;
/** So many nodes have room on a sheet of 1600 by 1000. */
const ROOMY = 40;
const SCALE = 2;
/** What canvases of browsers can hold. */
const MOST_PIXELS = 8192;

const WRITTEN = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-style",
  "font-weight",
  "text-anchor",
] as const;

export interface Drawn {
  program: Program;
  frame: Frame;
  final: boolean;
  compare: boolean;
}

export async function svgOf(host: HTMLElement, drawn: Drawn, title: string): Promise<string> {
  const scene = document.createElement("gradwalk-scene") as GradwalkScene;
  // Opened as it is on the page, and flat; of very many cards the boxes are closed again.
  const shown = host.querySelector<GradwalkScene>("gradwalk-scene");
  Object.assign(scene, drawn);
  if (shown) {
    const opened = shown.picture.items.length <= MOST_DEEP ? shown.look.opened : FITTED.opened;
    Object.assign(scene, { look: { ...shown.look, camera: null, opened } });
  }
  const { style } = scene;
  const growth = Math.sqrt(Math.max(1, drawn.program.graph.length / ROOMY));
  const size = { width: Math.round(1600 * growth), height: Math.round(1000 * growth) };
  style.setProperty("position", "fixed");
  style.setProperty("left", "-100000px");
  style.setProperty("width", `${size.width}px`);
  style.setProperty("height", `${size.height}px`);
  scene.inert = true;
  host.append(scene);
  try {
    await seen(scene);
    const probe = document.createElement("i");
    probe.style.setProperty("color", "var(--surface)");
    host.append(probe);
    const paper = getComputedStyle(probe).color;
    probe.remove();
    return written(scene.renderRoot.querySelector("svg")!, paper, title);
  } finally {
    scene.remove();
  }
}

/** Wait until the scene knows its size and is drawn at it. */
async function seen(scene: GradwalkScene): Promise<void> {
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  await scene.updateComplete;
}

function written(drawn: SVGSVGElement, paper: string, title: string): string {
  const copy = document.createElementNS(SVG, "svg");
  // No more of the paper than the picture takes.
  const all = drawn.querySelector(".camera")!.getBoundingClientRect();
  const frame = drawn.getBoundingClientRect();
  const [left, top] = [all.left - frame.left - MARGIN, all.top - frame.top - MARGIN];
  const [width, height] = [all.width + 2 * MARGIN, all.height + 2 * MARGIN].map(Math.ceil);
  copy.setAttribute("viewBox", [Math.floor(left), Math.floor(top), width, height].join(" "));
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("role", "img");
  const name = document.createElementNS(SVG, "title");
  name.textContent = title;
  const ground = document.createElementNS(SVG, "rect");
  ground.setAttribute("x", String(Math.floor(left)));
  ground.setAttribute("y", String(Math.floor(top)));
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", paper);
  copy.append(name, ground, ...[...drawn.children].flatMap((child) => copied(child) ?? []));
  return new XMLSerializer().serializeToString(copy);
}

/** An element with its style written into it; what takes no part in the picture is left out. */
function copied(from: Element): Element | null {
  if (from.matches(".hit, .target, .halo")) return null;
  const style = getComputedStyle(from);
  if (style.display === "none") return null;
  const copy = document.createElementNS(SVG, from.localName);
  for (const name of [
    "d",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "dx",
    "width",
    "height",
    "rx",
    "textLength",
    "lengthAdjust",
  ]) {
    const value = from.getAttribute(name);
    if (value !== null) copy.setAttribute(name, value);
  }
  const matrix = new DOMMatrix(style.transform === "none" ? "" : style.transform);
  if (!matrix.isIdentity) {
    const { a, b, c, d, e, f } = matrix;
    copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f].map(short).join(" ")})`);
  }
  if (from.localName !== "g")
    for (const name of WRITTEN) {
      const value = style.getPropertyValue(name);
      if (value && value !== "normal") copy.setAttribute(name, value);
    }
  for (const child of from.childNodes) {
    if (child instanceof Element) {
      const part = copied(child);
      if (part) copy.append(part);
    } else if (child.nodeType === Node.TEXT_NODE && child.textContent?.trim())
      copy.append(child.textContent);
  }
  return copy;
}

const short = (x: number): string => num(x, 8).replaceAll("−", "-");

/** The same as pixels, two for each of the picture's, as far as a canvas goes. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(SCALE, MOST_PIXELS / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}
