/** A small picture of a lesson: the largest graph that it walks, without a word. */

import { svg, type TemplateResult } from "lit";
import { memo } from "../app/derive.ts";
import { layout, parse, snapshot } from "../core/index.ts";
import { wireOf } from "../scene/wire.ts";
import type { Directive, Lesson } from "../teach/course.ts";

const CARD = [80, 44] as const;
const SPACE = { gap: 24, margin: 8, pills: false, channel: [44, 44] } as const;

const drawn = memo(({ text, values, at }: Directive): TemplateResult => {
  const graph = snapshot(parse(text).evaluate({ ...values }));
  const { cards, edges, width, height } = layout(graph, {
    ...SPACE,
    sizes: graph.nodes.map(() => CARD),
  });
  const way = at === "start" || at === "forward" ? "forward" : "backward";
  return svg`<svg class="thumb ${way}" viewBox="0 0 ${width} ${height}" aria-hidden="true">
      ${edges.map((edge) => svg`<path d=${wireOf(edge, false).middle} />`)}
      ${cards.map((box) => svg`<rect x=${box.x} y=${box.y} width=${box.width} height=${box.height} rx="10" />`)}
    </svg>`;
});

/** Nothing for a lesson that walks no graph. */
export function thumb({ steps }: Lesson): TemplateResult | null {
  const walks = steps.flatMap(({ walk }) => walk ?? []);
  const [largest] = walks.sort((x, y) => y.text.length - x.text.length);
  return largest ? drawn(largest) : null;
}
