/** The theme's colours as plain values, for canvases, which know no custom properties. */

const NAMES = [
  "text",
  "muted",
  "card",
  "surface",
  "line",
  "edge",
  "forward",
  "backward",
  "backward-wash",
  "forward-wash",
  "forward-wire",
  "backward-wire",
  "slab",
  "floor-light",
  "pos",
  "neg",
  "zero",
  "ground",
] as const;

export type Palette = Record<(typeof NAMES)[number], string>;

export function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement("i");
  host.shadowRoot!.append(probe);
  const found = {} as Palette;
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}
