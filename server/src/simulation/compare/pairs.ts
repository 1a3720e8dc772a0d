import { evictedPods } from '../../report-model/evicted-pods.ts';
import { isGone, type ComparedReport, type ReportPod } from '../../report-model/report.ts';
import { qualifiedName, titleOf } from '../../util/words.ts';

/** A pod with and without the change, by index; null where it is not there. */
export interface Pair {
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Running pods have their names on both sides. Pods that are still to be made are named after a hash of their template,
 * which an edit changes: within a workload the first stands for the first. So do those of a roll-out for the old ones.
 */
export function pairsOf(before: ComparedReport, after: ComparedReport, isRolledOut = false): Pair[] {
  // A StatefulSet gives names again: the first of a name stands for the first.
  const earlier = new Map<string, number[]>();
  for (const [index, pod] of before.pods.entries()) {
    const name = qualifiedName(pod);
    earlier.set(name, [...(earlier.get(name) ?? []), index]);
  }
  const pairs: Pair[] = [];
  const evicted = evictedPods(after);
  const unpaired = new Map<string, number[]>();
  for (const [index, pod] of after.pods.entries()) {
    const same = earlier.get(qualifiedName(pod))?.shift();
    if (same !== undefined) {
      pairs.push({ before: same, after: index });
    } else if (!isRolledOut || pod.before.node !== null || !isEnded(pod) || evicted.has(index)) {
      // One that comes and goes in a roll-out is there neither before nor after it.
      const family = familyOf(after, pod);
      unpaired.set(family, [...(unpaired.get(family) ?? []), index]);
    }
  }
  for (const index of [...earlier.values()].flat()) {
    const heir = unpaired.get(familyOf(before, before.pods[index]!))?.shift();
    pairs.push({ before: index, after: heir ?? null });
  }
  const rolled = isRolledOut ? rolledPairs(pairs, before, after, evicted, unpaired) : pairs;
  for (const index of [...unpaired.values()].flat()) rolled.push({ before: null, after: index });
  return rolled.sort((a, b) => (a.after ?? Infinity) - (b.after ?? Infinity));
}

/** A new pod of a workload stands for an old one that its controller has deleted, and nobody has evicted. */
function rolledPairs(
  pairs: readonly Pair[],
  before: ComparedReport,
  after: ComparedReport,
  evicted: ReadonlySet<number>,
  unpaired: ReadonlyMap<string, number[]>,
): Pair[] {
  return pairs.map((pair) => {
    const [was, is] = [before.pods[pair.before ?? -1], after.pods[pair.after ?? -1]];
    if (was === undefined || is === undefined || evicted.has(pair.after!)) return pair;
    if (isEnded(was) || !isEnded(is)) return pair;
    const workload = after.workloads[is.workload ?? -1];
    const heir = workload === undefined ? undefined : unpaired.get(titleOf(workload))?.shift();
    return heir === undefined ? pair : { before: pair.before, after: heir };
  });
}

function isEnded({ after: { state } }: ReportPod): boolean {
  return isGone(state) || state === 'terminating';
}

/** Only pods that are still to be made stand for one another: a running pod is itself. */
function familyOf(report: ComparedReport, pod: ReportPod): string {
  const workload = pod.workload === null ? undefined : report.workloads[pod.workload];
  if (workload === undefined || pod.before.node !== null) return `pod ${qualifiedName(pod)}`;
  return titleOf(workload);
}
