import { say } from '../../kit/say.ts';
import { list } from '../../kit/words.ts';
import type { PoolOffer } from '../../autoscaling/karpenter/scheduler.ts';

/** Types that are named; the others are counted. */
const namedTypes = 3;

/** What each pool says of a pod, in Karpenter's words, with the pool's name beside them. */
export function poolLines(offers: readonly PoolOffer[]): readonly string[] {
  return offers.map(({ pool, types, of, fault }) =>
    fault === undefined
      ? say`a node of NodePool ${pool}: ${typesText(types, of)}`
      : say`a node of NodePool ${pool}; Karpenter makes none: ${fault}`,
  );
}

export function typesText(types: readonly string[], of: number): string {
  return say`${types.length} of ${of} instance types fit (${list(types, namedTypes)})`;
}
