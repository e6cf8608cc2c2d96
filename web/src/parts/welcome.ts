/** The first minute: what this is, how to read the picture, and what a gradient is good for. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { programFor } from "../app/derive.ts";
import type { Lab } from "../app/lab.ts";
import { calm } from "../app/player.ts";
import { writeGreeted } from "../app/settings.ts";
import { num, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { product } from "../teach/arithmetic.ts";
import { icon } from "./icons.ts";

/** One sentence, until someone closes it. */
export function greeting({ state, dispatch }: Lab): TemplateResult | typeof nothing {
  if (state.greeted) return nothing;
  const close = (): void => {
    writeGreeted();
    dispatch({ type: "set", change: { greeted: true } });
  };
  return html`<aside class="greeting" aria-label=${t.welcome.label}><p>${t.welcome.text}</p>
    <button class="quiet" aria-label=${t.welcome.close} title=${t.welcome.close} @click=${close}>${icon("close")}</button></aside>`;
}

/** How to read the picture, in the picture. */
export function legend(): TemplateResult {
  const words = t.legend;
  const wire = (way: string): TemplateResult =>
    html`<svg class="wire ${way}" width="32" height="10" aria-hidden="true">${svg`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;
  return html`<ul class="reading" aria-label=${t.helpRead}>
    <li>${wire("forward")} ${words.forward}</li>
    <li>${wire("backward")} ${words.backward}</li>
    <li class="pos">${words.pos}</li>
    <li class="neg">${words.neg}</li>
    <li class="zero">${words.zero}</li>
    <li><code>${UNKNOWN}</code> ${t.notYet}</li>
    <li><code>t1</code> ${words.unnamed}</li>
  </ul>`;
}

/** How far a leaf is moved: about a twentieth of it, as a round number. */
function stepOf(value: number): number {
  const size = Math.max(1, Math.abs(value));
  return 10 ** (Math.floor(Math.log10(size)) - 1);
}

/** At the end of a walk: what a gradient says, to be tried. Null before the end. */
export function endCard(lab: Lab): TemplateResult | null {
  const { state, program, frame } = lab;
  if (state.page !== "sandbox" || state.predict || lab.fixed || state.playing) return null;
  if (frame.time < program.line.total - 1 || state.text !== state.good) return null;
  const { nudge } = state;
  if (nudge && state.values.has(nudge.name)) return outcome(lab);
  const { graph, walk, names, output } = program;
  // A value that is nan or infinite moves by nothing that one could try.
  if (!Number.isFinite(graph.nodes[graph.root].data)) return null;
  // The chain rule beside it speaks of the last event's leaf, and so does the card where it can.
  const last = program.line.events.findLast(({ push }) => push)?.push?.to;
  const size = (id: number): number => (id === last ? Infinity : Math.abs(walk.grads[id]));
  const leaf = graph.leaves
    .filter(
      ({ id, data, label }) =>
        Number.isFinite(walk.grads[id]) &&
        walk.grads[id] !== 0 &&
        Number.isFinite(data) &&
        state.values.has(label),
    )
    .sort((x, y) => size(y.id) - size(x.id))[0];
  if (!leaf) return null;
  const by = stepOf(leaf.data);
  const grad = walk.grads[leaf.id];
  const name = names[leaf.id];
  const words = t.welcome;
  return html`<p class="why">${words.nudge(name, num(by), output, num(by * grad))}
    <button class="primary" @click=${() => drag(lab, leaf.label, leaf.data, by, grad)}>${words.tryIt}</button></p>`;
}

/** What became of the nudge, beside what the gradient said. */
function outcome(lab: Lab): TemplateResult {
  const { state, program, dispatch } = lab;
  const { name, from, by, grad, output } = state.nudge!;
  const now = program.graph.nodes[program.graph.root].data;
  const said = product({ incoming: grad, local: by, contribution: grad * by });
  const words = t.welcome;
  const back = (): void => {
    dispatch({ type: "set", change: { nudge: null } });
    dispatch({ type: "value", name, value: from });
  };
  return html`<p class="why" role="status">${words.moved(program.output, num(output), num(now), num(now - output))} ${words.said(said)} ${Math.abs(now - output - grad * by) > 1e-3 * Math.abs(grad * by) ? words.bend : ""}
    <button class="toggle" @click=${back}>${words.back}</button></p>`;
}

const LASTS = 700;

/** Drag the slider there, as a hand would; where motion is unwelcome, at once. */
function drag(lab: Lab, name: string, from: number, by: number, grad: number): void {
  const { dispatch } = lab;
  const { graph } = programFor(lab.state);
  const output = graph.nodes[graph.root].data;
  const to = Number((from + by).toPrecision(12));
  let last = from;
  const set = (value: number): void => {
    last = value;
    dispatch({ type: "value", name, value });
  };
  const arrive = (): void => {
    set(to);
    dispatch({ type: "set", change: { nudge: { name, from, by, grad, output } } });
  };
  if (calm()) {
    arrive();
    return;
  }
  let begin = 0;
  const move = (now: number): void => {
    // Who types or moves something meanwhile has taken over.
    const { good, values } = lab.current().state;
    if (good !== lab.state.good || values.get(name) !== last) return;
    begin ||= now;
    const u = Math.min(1, (now - begin) / LASTS);
    if (u >= 1) arrive();
    else {
      set(Number((from + by * u).toPrecision(6)));
      requestAnimationFrame(move);
    }
  };
  requestAnimationFrame(move);
}
