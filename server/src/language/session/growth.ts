import type { Declared } from '../../kubernetes/objects.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import type { Growing } from '../../simulation/cluster/input.ts';
import { readPriorities } from './expander-priorities.ts';

/** What autoscalers add to runs, where pools are among the objects; what it takes is only loaded then. */
export async function growthFor(
  objects: readonly (readonly Declared[])[],
  seconds?: number,
): Promise<Growing | undefined> {
  if (!objects.some((list) => list.some(({ object }) => isPoolObject(object)))) return undefined;
  const { growerOf } = await import('../../simulation/growth/index.ts');
  return growerOf(readPriorities, seconds);
}
