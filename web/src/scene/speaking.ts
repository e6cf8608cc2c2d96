/** Redraws an element when the language changes: what was typed and chosen in it stays. */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { onLanguage } from "../strings/index.ts";

export class Speaking implements ReactiveController {
  readonly #changed: () => void;
  #end: () => void = () => {};

  constructor(host: ReactiveControllerHost, changed = (): void => host.requestUpdate()) {
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    this.#end = onLanguage(this.#changed);
  }

  hostDisconnected(): void {
    this.#end();
  }
}
