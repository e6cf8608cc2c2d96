/**
 * The lab in a notebook's cell, for anywidget: the page of one file in a frame, linked to Python.
 *
 * A frame, so that the notebook's style and the lab's leave each other alone, and two versions of
 * the lab can stand in one notebook. `export.ts` is the other end of the link.
 */

interface Model {
  get(name: string): unknown;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  send(content: unknown): void;
}

const STATE = '{"gradwalk": "state"}';

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const frame = document.createElement("iframe");
  frame.title = "gradwalk";
  frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0; display: block`;
  const state = (): object => ({ ...(model.get("state") as object), theme: themeOf(el) });
  const first = JSON.stringify({ ...state(), linked: true }).replaceAll("<", "\\u003c");
  frame.srcdoc = (model.get("page") as string).replace(STATE, () => first);
  const show = (): void => frame.contentWindow?.postMessage({ gradwalk: state() }, "*");
  const hear = (event: MessageEvent): void => {
    if (event.source === frame.contentWindow && event.data?.gradwalk)
      model.send(event.data.gradwalk);
  };
  // A notebook that changes its theme says so in an attribute, and loads the colours after that.
  const colour = (): void =>
    frame.contentWindow?.postMessage({ gradwalk: { theme: themeOf(el) } }, "*");
  const changes = new MutationObserver(() => {
    for (const wait of [100, 1000]) setTimeout(colour, wait);
  });
  for (const at of [document.documentElement, document.body])
    changes.observe(at, { attributes: true });
  model.on("change:state", show);
  window.addEventListener("message", hear);
  el.append(frame);
  return () => {
    changes.disconnect();
    model.off("change:state", show);
    window.removeEventListener("message", hear);
    frame.remove();
  };
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
