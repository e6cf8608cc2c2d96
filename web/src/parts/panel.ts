/** A panel: a title, a body that scrolls and can be reached by keys, and a word beside the title. */

import { html, nothing, type TemplateResult } from "lit";

export function panel(
  title: string,
  body: unknown,
  kind = "",
  beside: unknown = nothing,
): TemplateResult {
  return html`<section class="panel ${kind}">
    <div class="title"><h2>${title}</h2>${beside}</div>
    <div class="body" tabindex="0" role="region" aria-label=${title}>${body}</div>
  </section>`;
}
