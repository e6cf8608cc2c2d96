/** From the words of a lesson to a moment of a walk. */

import type { Timeline } from "../app/timeline.ts";

/** The time that `forward`, `seed` or `backward 2` is on this line; an unknown word is the start. */
export function momentOf(line: Timeline, at: string): number {
  const [phase, count] = at.split(" ");
  const end = (name: string): number => line.phases.find((one) => one.phase === name)?.end ?? 0;
  if (phase === "end") return line.total;
  if (phase === "forward") return end("forward");
  if (phase === "seed") return line.events.find(({ kind }) => kind === "seed")?.end ?? 0;
  if (phase !== "sort" && phase !== "backward") return 0;
  const events = line.events.filter(
    (event) => event.phase === phase && event.kind !== "seed" && event.kind !== "leaf",
  );
  return events[Math.min(events.length, Number(count)) - 1]?.end ?? end("forward");
}
