/**
 * Two pure functions on things in columns: in which order they stand, and at which height.
 *
 * `layout` makes the columns and knows what the things are. Here an item is a number, segments lead
 * from items to items one column further right, and nothing else is known. The results are those
 * of `gradwalk.render.columns` to the pixel. The lists are flat, because a thousand nodes are five
 * thousand things in two thousand columns, and each is visited a dozen times.
 */

/** Many lists in one: list i is what lies from items[begin[i]] up to items[begin[i + 1]]. */
export interface Lists {
  readonly begin: Int32Array;
  readonly items: Int32Array;
}

/** Segment s leads from item `from[s]` to item `to[s]`; left and right have those of each item. */
export interface Segments {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly left: Lists;
  readonly right: Lists;
}

/** For each segment: the end would like to be this far below the start, with this weight. */
export interface Pulls {
  readonly shift: Int32Array;
  readonly weight: Int32Array;
}

// How often to improve the order and the heights: less often the more there is to place.
const [SWEEPS_LEAST, SWEEPS_MOST, SWEEPS_WORK] = [2, 16, 14_000];
const [ROUNDS_LEAST, ROUNDS_MOST, ROUNDS_WORK] = [3, 16, 12_000];

/** Return `count` lists: value i goes to the end of list keys[i]. */
export function grouped(count: number, keys: ArrayLike<number>, values?: ArrayLike<number>): Lists {
  const begin = new Int32Array(count + 1);
  for (let i = 0; i < keys.length; i++) begin[keys[i] + 1] += 1;
  for (let i = 0; i < count; i++) begin[i + 1] += begin[i];
  const next = begin.slice();
  const items = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) items[next[keys[i]]++] = values ? values[i] : i;
  return { begin, items };
}

/** Return the segments between `count` items. */
export function joined(
  count: number,
  starts: readonly number[],
  ends: readonly number[],
): Segments {
  const from = new Int32Array(starts);
  const to = new Int32Array(ends);
  return { from, to, left: grouped(count, to), right: grouped(count, from) };
}

// ── Order ────────────────────────────────────────────────────────────────────────────────────

/**
 * Return the columns in an order with few crossings; what they come in is where it starts.
 *
 * Each sweep sorts every column by the mean position of the neighbours on one side. Items below
 * `cards` may have many neighbours, the others one on each side that matters.
 */
export function ordered(columns: Lists, segments: Segments, cards: number): Lists {
  const { begin } = columns;
  const items = columns.items.slice();
  const position = new Int32Array(items.length);
  const last = begin.length - 2;
  for (let column = 0; column <= last; column++) {
    for (let i = begin[column]; i < begin[column + 1]; i++) position[items[i]] = i - begin[column];
  }
  const crossings = new Crossings(begin, segments);
  const sorter = new Sorter(begin, segments, position, cards);
  let fewest = crossings.count(items, position);
  let best = items.slice();
  const sweeps = between(SWEEPS_LEAST, Math.floor(SWEEPS_WORK / items.length), SWEEPS_MOST);
  for (let sweep = 0; sweep < sweeps && fewest; sweep++) {
    // Turning equals around, two sweeps of four, is a way out of a standstill.
    const around = sweep % 4 < 2 ? -1 : 1;
    const leftward = sweep % 2 === 0;
    for (let i = 0; i <= last; i++) sorter.sort(items, leftward ? last - i : i, leftward, around);
    const found = crossings.count(items, position);
    if (found < fewest) {
      fewest = found;
      best = items.slice();
    }
  }
  return { begin, items: best };
}

/** Sorts columns by barycentre, with room of its own to do it in. */
class Sorter {
  readonly #begin: Int32Array;
  readonly #segments: Segments;
  readonly #position: Int32Array;
  readonly #cards: number;
  readonly #means: Float64Array;
  readonly #seconds: Float64Array;
  readonly #places: Int32Array;
  readonly #order: Int32Array;

  constructor(begin: Int32Array, segments: Segments, position: Int32Array, cards: number) {
    this.#begin = begin;
    this.#segments = segments;
    this.#position = position;
    this.#cards = cards;
    const longest = longestOf(begin);
    this.#means = new Float64Array(longest);
    this.#seconds = new Float64Array(longest);
    this.#places = new Int32Array(longest);
    this.#order = new Int32Array(longest);
  }

  /**
   * Sort a column in place; an item without near neighbours keeps its index.
   *
   * Among equals, a card goes by its index, anything else by where its wire comes from.
   */
  sort(items: Int32Array, column: number, leftward: boolean, around: number): void {
    const { from, to, left, right } = this.#segments;
    const [near, nearEnds] = leftward ? [right, to] : [left, from];
    const [far, farEnds] = leftward ? [left, from] : [right, to];
    const position = this.#position;
    const means = this.#means;
    const seconds = this.#seconds;
    const places = this.#places;
    const order = this.#order;
    const begin = this.#begin[column];
    const size = this.#begin[column + 1] - begin;
    let movable = 0;
    for (let index = 0; index < size; index++) {
      const item = items[begin + index];
      const first = near.begin[item];
      const end = near.begin[item + 1];
      if (first === end) continue;
      let sum = 0;
      for (let k = first; k < end; k++) sum += position[nearEnds[near.items[k]]];
      means[index] = sum / (end - first);
      const opposite = far.begin[item];
      const byIndex = item < this.#cards || opposite === far.begin[item + 1];
      seconds[index] = byIndex ? around * index : position[farEnds[far.items[opposite]]];
      places[movable++] = index;
    }
    if (movable < 2) return;
    for (let i = 0; i < movable; i++) order[i] = places[i];
    if (movable > 32) {
      const sorted = order.subarray(0, movable);
      sorted.sort((a, b) => means[a] - means[b] || seconds[a] - seconds[b] || a - b);
    } else {
      // By insertion, which keeps equals in order: most columns are short and nearly sorted.
      for (let i = 1; i < movable; i++) {
        const moved = order[i];
        let k = i;
        for (; k > 0; k--) {
          const other = order[k - 1];
          if (means[other] < means[moved]) break;
          if (means[other] === means[moved] && seconds[other] <= seconds[moved]) break;
          order[k] = other;
        }
        order[k] = moved;
      }
    }
    for (let i = 0; i < movable; i++) order[i] = items[begin + order[i]];
    for (let i = 0; i < movable; i++) {
      items[begin + places[i]] = order[i];
      position[order[i]] = places[i];
    }
  }
}

/** Counts crossings: pairs of segments that end the other way around than they begin. */
class Crossings {
  readonly #begin: Int32Array;
  readonly #segments: Segments;
  /** How many ends lie at or below each position, as a Fenwick tree. */
  readonly #ends: Int32Array;

  constructor(begin: Int32Array, segments: Segments) {
    this.#begin = begin;
    this.#segments = segments;
    this.#ends = new Int32Array(longestOf(begin) + 1);
  }

  count(items: Int32Array, position: Int32Array): number {
    const { to, right } = this.#segments;
    const begin = this.#begin;
    const ends = this.#ends;
    let crossings = 0;
    for (let column = 0; column + 2 < begin.length; column++) {
      const size = begin[column + 2] - begin[column + 1]; // of the column they end in
      ends.fill(0, 0, size + 1);
      let reached = 0;
      for (let i = begin[column]; i < begin[column + 1]; i++) {
        const first = right.begin[items[i]];
        const end = right.begin[items[i] + 1];
        for (let k = first; k < end; k++) {
          let above = reached;
          for (let at = position[to[right.items[k]]] + 1; at > 0; at -= at & -at) above -= ends[at];
          crossings += above;
        }
        for (let k = first; k < end; k++) {
          for (let at = position[to[right.items[k]]] + 1; at <= size; at += at & -at) ends[at] += 1;
        }
        reached += end - first;
      }
    }
    return crossings;
  }
}

// ── Heights ──────────────────────────────────────────────────────────────────────────────────

/**
 * Return the height of each item, such that the squares of all pulls are small.
 *
 * `apart` has, for each place in the columns, how far what stands there must be below the one before
 * it. The first pass hangs everything on the last column, the second leans on the first one, and
 * from then on both sides are weighed.
 */
export function settled(
  columns: Lists,
  apart: Int32Array,
  segments: Segments,
  pulls: Pulls,
): Float64Array {
  const { begin } = columns;
  const last = begin.length - 2;
  const solver = new Solver(columns, apart, segments, pulls);
  const count = columns.items.length;
  const rounds = between(ROUNDS_LEAST, Math.floor(ROUNDS_WORK / count), ROUNDS_MOST);
  for (let turn = 0; turn < 2 * rounds; turn++) {
    for (let i = 0; i <= last; i++) {
      solver.relax(turn % 2 ? i : last - i, turn !== 0, turn !== 1);
    }
  }
  return solver.heights;
}

/** The heights in the making. Neighbours that move as one are a block: a total, weight and size. */
class Solver {
  readonly heights: Float64Array;
  readonly #columns: Lists;
  readonly #apart: Int32Array;
  readonly #segments: Segments;
  readonly #pulls: Pulls;
  readonly #totals: Float64Array;
  readonly #weights: Float64Array;
  readonly #sizes: Int32Array;

  constructor(columns: Lists, apart: Int32Array, segments: Segments, pulls: Pulls) {
    this.#columns = columns;
    this.#apart = apart;
    this.#segments = segments;
    this.#pulls = pulls;
    this.heights = new Float64Array(columns.items.length);
    const longest = longestOf(columns.begin);
    this.#totals = new Float64Array(longest);
    this.#weights = new Float64Array(longest);
    this.#sizes = new Int32Array(longest);
  }

  /**
   * Move a column to where its pulls, those of the sides asked for, are in balance; order and
   * distances are kept.
   *
   * Less the distances summed up, that is a regression by a rising function: neighbours that would
   * fall are pooled into blocks. Each block is rounded as one too, so distances stay exact.
   */
  relax(column: number, fromLeft: boolean, fromRight: boolean): void {
    const { begin, items } = this.#columns;
    const { from, to, left, right } = this.#segments;
    const { shift, weight: weightOf } = this.#pulls;
    const heights = this.heights;
    const apart = this.#apart;
    const totals = this.#totals;
    const weights = this.#weights;
    const sizes = this.#sizes;
    const end = begin[column + 1];
    let count = 0;
    let depth = 0;
    for (let index = begin[column]; index < end; index++) {
      const item = items[index];
      depth += apart[index];
      let total = 0;
      let weight = 0;
      if (fromLeft) {
        for (let k = left.begin[item]; k < left.begin[item + 1]; k++) {
          const segment = left.items[k];
          total += weightOf[segment] * (heights[from[segment]] + shift[segment]);
          weight += weightOf[segment];
        }
      }
      if (fromRight) {
        for (let k = right.begin[item]; k < right.begin[item + 1]; k++) {
          const segment = right.items[k];
          total += weightOf[segment] * (heights[to[segment]] - shift[segment]);
          weight += weightOf[segment];
        }
      }
      if (!weight) {
        total = heights[item];
        weight = 1;
      }
      total -= weight * depth;
      let size = 1;
      while (count && isLarger(totals[count - 1], weights[count - 1], total, weight)) {
        count -= 1;
        total += totals[count];
        weight += weights[count];
        size += sizes[count];
      }
      totals[count] = total;
      weights[count] = weight;
      sizes[count] = size;
      count += 1;
    }
    let index = begin[column];
    depth = 0;
    for (let block = 0; block < count; block++) {
      const level = Math.floor(totals[block] / weights[block] + 0.5);
      for (const last = index + sizes[block]; index < last; index++) {
        depth += apart[index];
        heights[items[index]] = level + depth;
      }
    }
  }
}

/** Whether total/weight is larger than other/otherWeight, exactly: doubles hold 53 bits. */
function isLarger(total: number, weight: number, other: number, otherWeight: number): boolean {
  const left = total * otherWeight;
  const right = other * weight;
  if (Math.abs(left) < 2 ** 53 && Math.abs(right) < 2 ** 53) return left > right;
  return BigInt(total) * BigInt(otherWeight) > BigInt(other) * BigInt(weight);
}

function longestOf(begin: Int32Array): number {
  let longest = 0;
  for (let i = 1; i < begin.length; i++) longest = Math.max(longest, begin[i] - begin[i - 1]);
  return longest;
}

function between(least: number, number: number, most: number): number {
  return Math.min(Math.max(least, number), most);
}
