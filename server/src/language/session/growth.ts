import type { Declared } from '../../kubernetes/objects.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import type { Growing } from '../../simulation/cluster/input.ts';
import { readPriorities } from './expander-priorities.ts';

/** What autoscalers add to runs, where pools are among the objects; what it takes is only loaded then. */
export async function growthFor(
  objects: readonly (readonly Declared[])[],
  seconds?: number,
): Promise<Growing | undefined> {
  const pools = objects.flatMap((list) => list.map(({ object }) => object).filter(isPoolObject));
  if (pools.length === 0) return undefined;
  const { growerOf } = await import('../../simulation/growth/index.ts');
  if (!pools.some(({ kind }) => kind === 'ConfigMap')) return growerOf(() => undefined, seconds);
  // The expressions come from a repository, and JavaScript's take time without end.
  const { RE2JS } = await import('re2js');
  return growerOf((text) => readPriorities(text, (expression) => RE2JS.compile(expression)), seconds);
}
