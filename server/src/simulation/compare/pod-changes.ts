import { evictedPods } from '../../report-model/evicted-pods.ts';
import {
  type ComparedReport,
  isGone,
  type PodChange,
  type PodChangeKind,
  type ReportPod,
} from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { qualifiedName } from '../../util/words.ts';
import type { Pair } from './pairs.ts';

/** The order in which changes are told: what is lost comes first. */
const kinds: readonly PodChangeKind[] = [
  'evicted',
  'pending',
  'ended',
  'removed',
  'moved',
  'added',
  'placed',
  'spared',
  'kept',
];

/** The pods that fare otherwise in the second run, in the order in which they are told. */
export function podChanges(
  before: ComparedReport,
  after: ComparedReport,
  pairs: readonly Pair[],
): readonly PodChange[] {
  const evicted = { before: evictedPods(before), after: evictedPods(after) };
  return pairs
    .flatMap((pair) => changeOf(before, after, pair, evicted) ?? [])
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** What becomes of a pod in the end. */
type Fate = 'runs' | 'evicted' | 'ended' | 'waits';

export function fateOf({ after }: ReportPod, isEvicted: boolean): Fate {
  if (after.state === 'running') return 'runs';
  if (!isGone(after.state) && after.state !== 'terminating') return 'waits';
  return isEvicted ? 'evicted' : 'ended';
}

function changeOf(
  before: ComparedReport,
  after: ComparedReport,
  pair: Pair,
  evicted: Readonly<Record<'before' | 'after', ReadonlySet<number>>>,
): PodChange | null {
  const was = pair.before === null ? undefined : before.pods[pair.before];
  const is = pair.after === null ? undefined : after.pods[pair.after];
  const named = is ?? was;
  if (named === undefined) return null;
  const sentences = {
    before: pair.before === null ? '' : fateText(before, pair.before),
    after: pair.after === null ? '' : fateText(after, pair.after),
  };
  const earlier = was === undefined ? undefined : fateOf(was, evicted.before.has(pair.before!));
  const fate = is === undefined ? undefined : fateOf(is, evicted.after.has(pair.after!));
  const toldApart = was?.after.state !== is?.after.state && sentences.before !== sentences.after;
  const kind = kindOf(earlier, fate, nodeOf(before, was) !== nodeOf(after, is), toldApart);
  return kind === null ? null : { kind, pod: pair.after, namespace: named.namespace, name: named.name, ...sentences };
}

function kindOf(
  earlier: Fate | undefined,
  fate: Fate | undefined,
  moved: boolean,
  toldApart: boolean,
): PodChangeKind | null {
  if (fate === undefined) return 'removed';
  if (fate === earlier) {
    if (fate === 'runs') return moved ? 'moved' : null;
    // Waiting for another reason, say refused instead of pending.
    return fate === 'waits' && toldApart ? 'pending' : null;
  }
  if (fate === 'evicted' || fate === 'ended') return fate;
  if (fate === 'waits') return 'pending';
  if (earlier === undefined) return 'added';
  return earlier === 'evicted' ? 'spared' : earlier === 'ended' ? 'kept' : 'placed';
}

/** Nodes are compared by name: their order in a report is that of the files. */
function nodeOf(report: ComparedReport, pod: ReportPod | undefined): string | undefined {
  return pod?.after.node == null ? undefined : report.nodes[pod.after.node]?.name;
}

function fateText(report: ComparedReport, index: number): string {
  const pod = report.pods[index]!;
  const node = nodeOf(report, pod) ?? '';
  switch (pod.after.state) {
    case 'running':
      return pod.before.node === null ? say`placed on ${node}` : say`runs on ${node}`;
    case 'evicted':
    case 'ended':
    case 'terminating': {
      const victim = report.victims.find((one) => one.pod === index);
      if (report.drains.some(({ evicted }) => evicted.some((one) => one.pod === index))) {
        return say`drained from ${node}`;
      }
      if (report.pressures.some(({ evicted }) => evicted.some((one) => one.pod === index))) {
        return say`evicted by the kubelet of ${node}, short of memory`;
      }
      const tainted = report.taints?.find(({ evicted }) => evicted.some((one) => one.pod === index));
      if (tainted !== undefined) {
        return tainted.byDevices === true
          ? say`evicted by the taint of its device on ${node}`
          : say`evicted by the taint of ${node}`;
      }
      const preemptor = victim === undefined ? undefined : report.pods[victim.preemptor];
      return preemptor === undefined ? say`ends on ${node}` : say`evicted from ${node} for ${qualifiedName(preemptor)}`;
    }
    case 'pending':
    case 'nominated':
      return say`stays pending`;
    case 'gated':
      return say`gated`;
    case 'rejected':
      return say`refused by the API server`;
  }
}
