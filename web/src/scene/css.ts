/**
 * Lit directives that write styles through the CSSOM.
 *
 * Lit's styleMap writes a style attribute at first render, and the page's policy refuses those.
 */

import { noChange } from "lit";
import { Directive, type DirectiveParameters, directive, type ElementPart } from "lit/directive.js";

class Vars extends Directive {
  #was: Record<string, string> = {};

  render(_values: Record<string, string>): unknown {
    return noChange;
  }

  override update(part: ElementPart, [values]: DirectiveParameters<this>): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(values)) {
      if (this.#was[name] !== value) style.setProperty(name, value);
    }
    this.#was = values;
    return noChange;
  }
}

/** Set properties of an element's style: `<g ${vars({ transform: "…", "--split": "40%" })}>`. */
export const vars = directive(Vars);
