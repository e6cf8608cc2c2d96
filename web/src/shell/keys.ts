/** The keys of the whole lab, as rows. None fire while someone types. */

import type { Lab } from "../app/lab.ts";
import type { GradwalkScene } from "../scene/scene.ts";

export interface KeyContext {
  lab: Lab;
  scene: GradwalkScene | null;
  focusExpression: () => void;
  /** One step on or back in a lesson: what a presenter's remote sends. */
  turn: (way: number) => void;
  leave: () => void;
}

type Act = (context: KeyContext) => void;

const ROWS: Record<string, Act> = {
  " ": ({ lab }) => lab.playPause(),
  ArrowRight: ({ lab }) => lab.step(1),
  ArrowLeft: ({ lab }) => lab.step(-1),
  "Shift+ArrowRight": ({ lab }) => lab.stepPhase(1),
  "Shift+ArrowLeft": ({ lab }) => lab.stepPhase(-1),
  Home: ({ lab }) => lab.seek(0),
  End: ({ lab }) => lab.seek(lab.program.line.total),
  PageDown: ({ turn }) => turn(1),
  PageUp: ({ turn }) => turn(-1),
  "/": ({ focusExpression }) => focusExpression(),
  f: ({ scene }) => scene?.fit(),
  "+": ({ scene }) => scene?.zoom(1.25),
  "=": ({ scene }) => scene?.zoom(1.25),
  "-": ({ scene }) => scene?.zoom(0.8),
  "3": (context) => flip(context, context.lab.state.view === "3d" ? "2d" : "3d"),
  g: (context) => flip(context, "final"),
  d: (context) => flip(context, "unfold"),
  p: (context) => flip(context, "predict"),
  "?": ({ lab, leave }) =>
    lab.state.help ? leave() : lab.dispatch({ type: "set", change: { help: true } }),
  Escape: ({ leave }) => leave(),
  "Control+z": ({ lab }) => lab.dispatch({ type: "undo" }),
  "Control+y": ({ lab }) => lab.dispatch({ type: "redo" }),
  "Control+Shift+z": ({ lab }) => lab.dispatch({ type: "redo" }),
};

/** A switch has its key where it stands on the page: a question may have taken it away. */
function flip({ lab }: KeyContext, name: string): void {
  lab.root.querySelector<HTMLElement>(`[data-switch="${name}"]`)?.click();
}

export function pressed(event: KeyboardEvent, context: KeyContext): void {
  if (event.defaultPrevented || event.altKey) return;
  const target = event.composedPath()[0] as HTMLElement;
  if (isTyping(target)) return;
  const onButton =
    target.closest?.("button, a, select, summary") !== null && target.closest !== undefined;
  if (onButton && event.key === " ") return;
  // Native sliders and lists need the arrows for themselves.
  if (
    /^(Arrow|Home|End)/.test(event.key) &&
    target.matches?.("input[type=range], select, [role=listitem], [role=option]")
  )
    return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift =
    event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key)) ? "Shift+" : "";
  const control = event.ctrlKey || event.metaKey ? "Control+" : "";
  const act = ROWS[control + shift + key];
  if (!act) return;
  // Elsewhere these scroll.
  if (key.startsWith("Page") && context.lab.state.page !== "learn") return;
  // A voice or a tremor presses letters by chance: who wants none switches them off.
  if (key.length === 1 && key !== " " && !control && !context.lab.state.letters) return;
  event.preventDefault();
  act(context);
}

function isTyping(target: HTMLElement): boolean {
  return (
    target.isContentEditable ||
    (target.matches?.("input:not([type=range], [type=checkbox], [type=radio]), textarea") ?? false)
  );
}
