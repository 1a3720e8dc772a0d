import type { Rung } from '../../contract/report.ts';

interface Ranked {
  readonly priority: number;
  readonly className: string | null;
}

/** The priorities that occur, highest first, spread evenly over the colour scale. */
export function buildLadder(pods: Iterable<Ranked>): Rung[] {
  const classes = new Map<number, Set<string>>();
  for (const { priority, className } of pods) {
    let names = classes.get(priority);
    if (names === undefined) {
      names = new Set();
      classes.set(priority, names);
    }
    if (className !== null) names.add(className);
  }
  const priorities = [...classes.keys()].sort((a, b) => b - a);
  return priorities.map((priority, index) => ({
    priority,
    classes: [...(classes.get(priority) ?? [])].sort(),
    position: priorities.length === 1 ? 1 : 1 - index / (priorities.length - 1),
  }));
}
