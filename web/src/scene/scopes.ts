/** The boxes that nodes are made in: `layers.0` is one box, and the whole is none. */

/** The boxes of a scope, outermost first: a number belongs to the name before it. */
export function stepsOf(scope: string): readonly string[] {
  return scope ? scope.split(/\.(?!\d)/) : [];
}

/**
 * The boxes around each node, from those of its own scope. A leaf without a scope belongs into the
 * innermost box that all its readers share.
 */
export function homesOf(
  own: (readonly string[])[],
  isLeaf: (id: number) => boolean,
  readersOf: (id: number) => Iterable<number>,
): readonly (readonly string[])[] {
  for (let id = own.length - 1; id >= 0; id--) {
    if (!isLeaf(id) || own[id].length) continue;
    let shared: readonly string[] | null = null;
    for (const reader of readersOf(id)) {
      const home = own[reader];
      shared = !shared || home === shared ? home : shared.slice(0, sameSteps(shared, home));
    }
    own[id] = shared ?? [];
  }
  return own;
}

/** How many boxes two nodes share, from the outermost on. */
export function sameSteps(one: readonly string[], other: readonly string[]): number {
  let same = 0;
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same++;
  return same;
}
