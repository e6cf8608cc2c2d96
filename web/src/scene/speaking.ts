/** Keeps the words of an element in the page's language, for one that must not be made anew. */

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
