import type { Cause } from '../../report-model/cause.ts';
import type { GroupWait } from '../../scheduler/decision.ts';
import { blockedMember, type ClusterState, type PodInfo } from '../../scheduler/index.ts';
import { say } from '../../util/say.ts';

/**
 * Why a PodGroup is not placed, which is why none of its pods is: what keeps the first that fits nowhere from the nodes,
 * with the others in their places.
 */
export function groupCause(group: GroupWait, ofPod: (pod: PodInfo, state: ClusterState) => Cause): Cause {
  const blocked = blockedMember(group);
  const cause = blocked === undefined ? noCause : ofPod(blocked.pod, blocked.cluster);
  const text = groupText(group);
  if (cause.parts.length > 0) return { ...cause, group: { text, blocked: blocked?.pod.name ?? '' } };
  return { ...noCause, parts: [{ kind: 'other', plugin: 'GangScheduling', reasons: [text] }] };
}

/** Nothing is known to keep it from a node. */
export const noCause: Cause = {
  parts: [],
  node: null,
  nodes: [],
  others: [],
  fewest: null,
  needs: [],
  resized: [],
  notes: [],
  group: null,
};

function groupText({ name, wanted, placed, size, waitsFor, evictsInVain }: GroupWait): string {
  if (waitsFor === 'victims') {
    return say`its pod group ${name} stays pending as a whole until the pods that it evicts are gone`;
  }
  if (wanted === 0) return say`none of the ${size} pods of its pod group ${name} fits`;
  if (evictsInVain) {
    return say`its pod group ${name} is scheduled whole or not at all: ${placed} of its ${size} pods find a node at once, by evicting others, and ${wanted} must; so it evicts pods in vain each time it is tried, and here it is left after 3 times`;
  }
  return say`its pod group ${name} is scheduled whole or not at all: ${placed} of its ${size} pods fit at once, and ${wanted} must`;
}
