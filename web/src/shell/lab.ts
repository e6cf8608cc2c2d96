/**
 * `<gradwalk-lab>`: the whole lab as one element.
 *
 * It owns a store, a player and the keys, and hands every page the same `Lab`. Start at `render`.
 * `expression`, `values` and `page` attributes say where to begin; in a page of its own the address
 * does. With `embedded` it leaves the address alone.
 */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { programFor } from "../app/derive.ts";
import { checked } from "../app/fields.ts";
import { runJobs } from "../app/jobs.ts";
import { type Lab, labOf } from "../app/lab.ts";
import { stateOf } from "../app/link.ts";
import { calm, Player, phaseFrom } from "../app/player.ts";
import { onProgress } from "../app/progress.ts";
import { onPython, pythonLoading } from "../app/python.ts";
import { route } from "../app/router.ts";
import { takeToken } from "../app/server.ts";
import { kept, readOwn } from "../app/settings.ts";
import {
  doorOf,
  type EdgeRef,
  type Page,
  type Settings,
  type State,
  type Theme,
} from "../app/state.ts";
import { END, Store } from "../app/store.ts";
import { decode, type Link } from "../app/url.ts";
import type { Graph } from "../core/index.ts";
import { enter, lessons, pageBody, startOf } from "../pages/index.ts";
import { scrollToNow } from "../parts/rows.ts";
import { labStyles } from "../parts/styles.ts";
import { award } from "../parts/tries.ts";
import type { GradwalkScene } from "../scene/scene.ts";
import { num } from "../strings/format.ts";
import { languageOf, onLanguage, speak, t } from "../strings/index.ts";
import { spoken } from "../teach/narration.ts";
import { canCheck, header, THEMES } from "./header.ts";
import { helpDialog, proofDialog, shareDialog } from "./help.ts";
import { pressed } from "./keys.ts";
import { titleOf } from "./share.ts";
import "../parts/number-box.ts";
import "../scene/scene.ts";

export class GradwalkLab extends LitElement {
  static override styles = labStyles;
  static override properties = {
    embedded: { type: Boolean, reflect: true },
    bare: { type: Boolean },
    expression: {},
    values: { type: Object },
    graph: { attribute: false },
    start: { attribute: false },
    theme: { reflect: true, noAccessor: true },
    page: { reflect: true },
  };
  declare embedded: boolean;
  /** Without the row of pages and tools: one page, in a place too small for that. */
  declare bare: boolean;
  declare expression: string | undefined;
  declare values: Record<string, number> | undefined;
  /** A graph made elsewhere: it has no text to edit and no sliders. */
  declare graph: Graph | undefined;
  /** Where to begin, in more than an expression and its values. */
  declare start: Partial<Settings> | undefined;
  declare page: Page;

  store!: Store;
  #leave: () => void = () => {};
  #said = "";
  #saidOn = "";
  /** Until the words of the language are there. */
  #words: Promise<void> | null = null;
  #theme: Theme = "auto";

  constructor() {
    super();
    this.embedded = false;
    this.bare = false;
    this.page = "sandbox";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.embedded) takeToken();
    // Nothing is drawn before its words are there.
    this.#words = speak(
      languageOf(this.lang) || languageOf(kept("language")) || languageOf(navigator.language),
    ).finally(() => {
      this.#words = null;
    });
    const named = checked({ text: this.expression, values: this.values });
    const first: Link = { ...named, ...this.start };
    const asked = this.embedded ? {} : decode(location.hash);
    const link = { ...first, ...asked };
    const own = readOwn();
    // On someone else's page the theme is theirs to choose.
    const theme = this.embedded && THEMES.includes(this.theme) ? this.theme : own.theme;
    this.store = new Store({ ...stateOf(link, this.graph ?? null), ...own, theme });
    this.#lab = labOf(this.store, () => ({
      root: this.renderRoot,
      embedded: this.embedded,
      bare: this.bare,
      open: (page) => this.#openPage(page),
      refresh: () => this.requestUpdate(),
    }));
    this.theme = this.store.state.theme;
    this.page = this.store.state.page;
    const unsubscribe = this.store.subscribe((state) => this.#changed(state));
    const unpython = onPython(() => this.requestUpdate());
    const unprogress = onProgress(() => this.requestUpdate());
    const unspeak = onLanguage(() => this.#changed(this.store.state));
    const player = new Player(this.store);
    const endJobs = runJobs(this.store);
    const keys: EventTarget = this.embedded ? this : window;
    const unroute = this.embedded
      ? () => {}
      : route(this.store, (to) => this.#open({ ...first, ...to }));
    keys.addEventListener("keydown", this.#pressed);
    this.#leave = () => {
      unsubscribe();
      unspeak();
      unpython();
      unprogress();
      unroute();
      player.stop();
      endJobs();
      keys.removeEventListener("keydown", this.#pressed);
    };
    this.#entitle(this.store.state);
    this.#begin(link);
    player.wake();
  }

  protected override scheduleUpdate(): ReturnType<LitElement["scheduleUpdate"]> {
    return this.#words ? this.#words.then(() => super.scheduleUpdate()) : super.scheduleUpdate();
  }

  /** The window is called after its page, and says its language; an embed leaves its host alone. */
  #entitle(state: State): void {
    this.lang = t.lang;
    if (this.embedded) return;
    document.documentElement.lang = t.lang;
    const title = titleOf(state);
    if (document.title !== title) document.title = title;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  /** Go to what an address says, as if it had just been opened. */
  #open(link: Link): void {
    this.store.dispatch({ type: "restore", state: stateOf(link, this.graph ?? null) });
    this.#begin(link);
  }

  /** Something happens in the first second, unless a link asks for a moment, or motion is unwelcome. */
  #begin(link: Link): void {
    const { state, dispatch } = this.store;
    if (state.page === "learn") this.#learn();
    if (link.time !== undefined) return;
    const named = link.text !== undefined || this.graph !== undefined;
    const program = programFor(state);
    if (state.ran) dispatch({ type: "seek", time: END });
    else if (state.page !== "sandbox") this.#enter(state, named, link.bug === undefined);
    else if (calm()) dispatch({ type: "seek", time: phaseFrom(program.line, 0, 1) });
    else dispatch({ type: "play", on: true, time: 0 });
  }

  /** Put the step of a lesson on the stage, once its text is here. */
  #learn(): void {
    void lessons().then((loaded) => loaded?.begin(this.lab));
  }

  #enter(state: State, named: boolean, opens: boolean): void {
    if (named) this.store.dispatch({ type: "seek", time: startOf(state.page) });
    else enter(state.page, state, this.store.dispatch, opens);
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** A page that sets the theme sets it in the store; nothing is dispatched while rendering. */
  set theme(theme: Theme) {
    const before = this.#theme;
    if (theme === before || !THEMES.includes(theme)) return;
    this.#theme = theme;
    this.requestUpdate("theme", before);
    if (this.store && this.store.state.theme !== theme)
      this.store.dispatch({ type: "set", change: { theme } });
  }

  #changed(state: State): void {
    this.theme = state.theme;
    this.page = state.page;
    this.#entitle(state);
    if (state.task) award(this.lab);
    this.requestUpdate();
  }

  // ── What pages can do ──────────────────────────────────────────────────────────────────────

  get lab(): Lab {
    return this.#lab();
  }

  #lab!: () => Lab;

  #openPage(page: Page): void {
    const { state, dispatch } = this.store;
    enter(page, state, dispatch);
    if (page !== "learn") return;
    // Whoever is in a lesson and asks for the lessons wants their list.
    dispatch({ type: "lesson", lesson: "" });
    this.#learn();
  }

  #pressed = (event: Event): void => {
    pressed(event as KeyboardEvent, {
      lab: this.lab,
      turn: (way) => void lessons().then((loaded) => loaded?.turn(this.lab, way)),
      scene: this.#scene,
      focusExpression: () => {
        const box = this.renderRoot.querySelector<HTMLInputElement>("#expression");
        this.#goTo(box);
        box?.select();
      },
      leave: () => {
        const { state, dispatch } = this.store;
        const dialog = this.renderRoot.querySelector("dialog");
        if (dialog) dialog.close();
        else if (state.pull) dispatch({ type: "pull", pull: null });
        else if (state.teach) dispatch({ type: "set", change: { teach: false } });
        else if (state.view === "3d") {
          const inside = this.#active?.getRootNode() === this.#scene?.renderRoot;
          dispatch({ type: "set", change: { view: "2d" } });
          if (inside) void this.updateComplete.then(this.#skip);
        } else dispatch({ type: "pick", node: null });
      },
    });
  };

  // ── Focus ──────────────────────────────────────────────────────────────────────────────────

  /** Where the focus was before a key took it elsewhere. */
  #before: HTMLElement | SVGElement | null = null;

  /** The element that has the focus, through all shadow roots. */
  get #active(): HTMLElement | null {
    let found = this.shadowRoot!.activeElement as HTMLElement | null;
    while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement as HTMLElement;
    return found;
  }

  #goTo(element: HTMLElement | null): void {
    if (!element) return;
    this.#before = this.#active;
    element.focus();
  }

  /** Someone is done with a box: the focus goes back to where it came from, if that is still there. */
  #returned = (event: Event): void => {
    const before = this.#before;
    this.#before = null;
    if (before?.isConnected) before.focus();
    else (event.target as HTMLElement).blur();
  };

  /** The picture; null while the 3D view is still on its way. */
  get #scene(): GradwalkScene | null {
    return this.renderRoot.querySelector<GradwalkScene>("gradwalk-scene");
  }

  clicked = (event: Event): void => {
    const zoom = (event.target as Element).closest<HTMLElement>("[data-zoom]")?.dataset.zoom;
    if (!zoom) return;
    if (zoom === "fit") this.#scene?.fit();
    else this.#scene?.zoom(zoom === "in" ? 1.25 : 0.8);
  };

  /** A card was opened: a leaf's box takes the focus, another node is picked. */
  opened = (event: CustomEvent<{ node: number }>): void => {
    const { graph } = programFor(this.store.state);
    const node = graph.nodes[event.detail.node];
    const box = node.operands.length
      ? null
      : this.renderRoot.querySelector<HTMLElement>(`#box-${CSS.escape(node.label)}`);
    if (box) this.#goTo(box);
    else this.store.dispatch({ type: "pick", node: node.id });
  };

  // ── The page ───────────────────────────────────────────────────────────────────────────────

  /** To measure makes the browser lay the page out: once a frame is enough, whatever changed. */
  protected override updated(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.isConnected) this.#follow();
    });
  }

  #frame = 0;

  /** Tables follow the walk, where it or they have changed. */
  #follow(): void {
    const { time, page, bug, good } = this.store.state;
    const mark = `${page} ${time} ${bug} ${good}`;
    if (mark !== this.#scrolled) scrollToNow(this.renderRoot);
    this.#scrolled = mark;
  }

  #scrolled = "";

  protected override render(): TemplateResult {
    const { lab } = this;
    const { state } = lab;
    return html`
      ${state.teach || this.bare ? nothing : guard([state.page, state.theme, state.good, state.values, state.past, state.future, state.lesson, canCheck(lab), t], () => header(lab, this.#skip))}
      <main class="page ${state.teach ? "teach" : ""}" data-door=${doorOf(state.page)} data-page=${state.page} @click=${this.clicked} @open=${this.opened} @leave=${this.#returned}>
        <h1 class="hidden">${t.titles[state.page]}</h1>
        ${pageBody(lab)}
      </main>
      ${this.spokenLine(lab)}
      ${pythonLoading() === "loading" ? html`<div class="notice" role="status">${t.server.loading}</div>` : nothing}
      ${state.help ? helpDialog(lab) : nothing}
      ${state.sharing ? shareDialog(lab) : nothing}
      ${state.proof && canCheck(lab) ? proofDialog(lab) : nothing}`;
  }

  protected spokenLine(lab: Lab): TemplateResult {
    return html`<div class="hidden" role="status" aria-live="polite">${this.#spoken(lab)}</div>`;
  }

  /** Each event, once, and only when it is complete: a reader is not told half a step. */
  #spoken(lab: Lab): string {
    // What was said of one page is not said of the next.
    if (this.#saidOn !== lab.state.page) this.#said = "";
    this.#saidOn = lab.state.page;
    if (!showsWalk(lab.state)) return "";
    if (lab.frame.landed && !(lab.state.playing && lab.state.speed > 1)) {
      const { edge } = lab.state;
      this.#said =
        edge && lab.veil === Number.POSITIVE_INFINITY && lab.state.hold === null
          ? this.#edgeSaid(lab, edge)
          : spoken(lab.program, lab.frame.event, lab.state.hold !== null);
    }
    return this.#said;
  }

  #edgeSaid({ program }: Lab, { target, operand }: EdgeRef): string {
    const { graph, names } = program;
    const node = graph.nodes[target];
    const local = num(node.local_grads[operand]);
    return t.said.edge(names[node.operands[operand]], names[target], local);
  }

  #skip = (): void => {
    this.#scene?.focusNode(programFor(this.store.state).graph.root);
  };
}

const WALKS: readonly Page[] = ["sandbox", "walk", "descend", "program", "order", "bugs", "learn"];

/** Whether the page shows the lab's own walk; what happens in another would be told, or asked. */
function showsWalk({ page, lesson, game }: State): boolean {
  if (page === "learn") return lesson !== "" && lesson !== "glossary";
  return WALKS.includes(page) && !(page === "bugs" && game);
}

customElements.define("gradwalk-lab", GradwalkLab);
