/** Lines of equal height on a grid of heights, and what lies above each, as SVG paths. */

import { ticks } from "../teach/ticks.ts";

export interface Contour {
  readonly level: number;
  readonly area: string;
  readonly line: string;
}

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** So many lines, about, and so much of the ground they are for: the rest is a wall. */
const [LINES, GROUND] = [10, 0.9];

/** Round heights, the lowest ground left out. */
export function levelsOf(heights: readonly (readonly number[])[]): readonly number[] {
  const sorted = heights.flat().filter(Number.isFinite);
  sorted.sort((one, other) => one - other);
  const top = sorted[Math.floor(GROUND * (sorted.length - 1))];
  return ticks(sorted[0], top, LINES).filter((level) => level > sorted[0]);
}

/** Heights stand at the corners of cells, row by row from the top; where one is no number is a hole. */
export function contourAt(
  heights: readonly (readonly number[])[],
  level: number,
  side: number,
): Contour {
  const cell = side / (heights.length - 1);
  const at = (row: number, column: number): Corner => ({
    x: column * cell,
    y: row * cell,
    height: heights[row][column],
  });
  let [area, line] = ["", ""];
  for (let row = 0; row + 1 < heights.length; row++)
    for (let column = 0; column + 1 < heights.length; column++) {
      const corners = [
        at(row, column),
        at(row, column + 1),
        at(row + 1, column + 1),
        at(row + 1, column),
      ];
      if (!corners.every(({ height }) => Number.isFinite(height))) continue;
      const { inside, crossings } = cut(corners, level);
      if (inside.length) area += `M${inside.map(text).join("L")}Z`;
      // The outline leaves what is above at one crossing and comes back at the next.
      for (let i = 0; i < crossings.length; i += 2)
        line += `M${text(crossings[i])}L${text(crossings[i + 1])}`;
    }
  return { level, area, line };
}

const text = ({ x, y }: Corner): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** What of a cell lies above a level, and where its outline crosses that, each exit before its entry. */
function cut(
  corners: readonly Corner[],
  level: number,
): { inside: readonly Corner[]; crossings: readonly Corner[] } {
  const inside: Corner[] = [];
  const crossings: Corner[] = [];
  corners.forEach((from, i) => {
    const to = corners[(i + 1) % corners.length];
    if (from.height >= level) inside.push(from);
    if (from.height >= level === to.height >= level) return;
    const part = (level - from.height) / (to.height - from.height);
    const crossing = {
      x: from.x + part * (to.x - from.x),
      y: from.y + part * (to.y - from.y),
      height: level,
    };
    inside.push(crossing);
    crossings.push(crossing);
  });
  // One that begins below comes up first: its last exit belongs before that.
  if (crossings.length && corners[0].height < level) crossings.unshift(crossings.pop()!);
  return { inside, crossings };
}
