import { addTo, getOrInsert } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { DaemonSet, Pod } from '../../kubernetes/objects.ts';
import type { AutoscalerOptions, NodeGroup, ScaleUpInput } from '../../autoscaling/cluster-autoscaler/groups.ts';
import { schedulingIdentity } from '../../autoscaling/cluster-autoscaler/pod-groups.ts';
import { type PodOutcome, reasonsText, scaleUp } from '../../autoscaling/cluster-autoscaler/scale-up.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { wellKnownLabels } from '../../autoscaling/karpenter/labels.ts';
import { labelRequirements, together } from '../../autoscaling/karpenter/requirements.ts';
import type { MachineGroup } from '../../autoscaling/pools/machine-groups.ts';
import { selects, toleratesAll } from '../../autoscaling/pools/suits.ts';
import type { Pools } from '../../autoscaling/pools/read-pools.ts';
import { isAdded } from '../operations/added-nodes.ts';
import type { ClusterAtEnd } from './cluster-at-end.ts';
import type { Growth, NewNode } from './karpenter-growth.ts';
import type { PoolAnswer, PoolLimit } from './pool-answers.ts';

/** What Cluster Autoscaler asks for in one loop, and what it says of the pods that it leaves waiting. */
export function groupGrowth({ groups }: Pools, options: AutoscalerOptions, end: ClusterAtEnd): Growth {
  const groupOf = new Map<string, string>();
  const known = groups.flatMap((group): readonly NodeGroup[] => {
    const stem = stemOf(group.id);
    const added = end.nodes.map(nameOf).filter((name) => isAdded(name, stem) && !group.nodes.has(name));
    for (const name of [...group.nodes, ...added]) groupOf.set(name, group.id);
    const { id, min, max, template } = group;
    return template === undefined ? [] : [{ id, min, max, size: group.size + added.length, template }];
  });
  const loop: ScaleUpInput = {
    groups: known,
    nodes: end.nodes,
    groupOf,
    pods: end.pods,
    daemonSets: end.others.filter((object): object is DaemonSet => object.kind === 'DaemonSet'),
    others: end.others,
    options,
  };
  const result = scaleUp(loop);
  const nodes = result.scaleUps.flatMap(({ group, from, to }): readonly NewNode[] => {
    const { template: node } = group;
    const pods = (result.best?.pods ?? []).map(keyOf);
    return Array.from({ length: to - from }, () => ({ pool: stemOf(group.id), title: group.id, node, pods }));
  });
  const shapeless = groups.filter(({ template }) => template === undefined);
  const answers = new Map<string, readonly PoolAnswer[]>();
  const withOneMore = new Map<string, ReadonlySet<string>>();
  for (const [key, outcome] of result.pods) {
    const pod = end.waiting.get(key);
    if (pod === undefined) continue;
    const make = `${pod.workload} ${schedulingIdentity(outcome.pod)}`;
    const full = getOrInsert(withOneMore, make, () => fullFor(outcome, loop));
    const limits = known
      .filter(({ id }) => full.has(id))
      .map(({ id, size }): PoolLimit => {
        const [kind = '', ...name] = id.split('/');
        const amounts = [{ resource: 'nodes', used: String(size), perNode: '1' }];
        return { pool: `${kind.toLowerCase()}/${name.join('/')}`, amounts };
      });
    const own = answersFor(outcome, shapeless, full, { ...options, isFull: isFull(loop) });
    const [first] = own;
    if (first !== undefined) answers.set(key, [{ ...first, limits }, ...own.slice(1)]);
  }
  return { nodes, answers };
}

function isFull({ nodes, options }: ScaleUpInput): boolean {
  return options.mostNodes > 0 && nodes.length >= options.mostNodes;
}

/** Groups at their maximum of which it is tried whether one more node would take a pod. */
const groupsTried = 8;

/** Groups that would take a pod if they could grow. */
function fullFor({ pod, skipped = new Map() }: PodOutcome, loop: ScaleUpInput): ReadonlySet<string> {
  const bound = loop.pods.filter(({ spec }) => (spec?.nodeName ?? '') !== '');
  const full = loop.groups.filter(({ id, size, max }) => skipped.has(id) && size >= max).slice(0, groupsTried);
  const taking = full.filter((group) => {
    const alone = { ...loop, pods: [...bound, pod], groups: [{ ...group, max: group.size + 1 }] };
    return scaleUp(alone).result === 'Successful';
  });
  return new Set(taking.map(({ id }) => id));
}

/** Names of groups for each reason. */
const namedGroups = 3;

type Refusals = readonly (readonly [group: string, reasons: readonly string[]])[];

function answersFor(
  outcome: PodOutcome,
  shapeless: readonly MachineGroup[],
  full: ReadonlySet<string>,
  { expendableBelow, isFull }: AutoscalerOptions & { readonly isFull: boolean },
): readonly PoolAnswer[] {
  const answer = { tool: 'Cluster Autoscaler' as const, pool: '', makes: false };
  if (outcome.state === 'expendable') {
    const text = say`its priority is below ${expendableBelow} (--expendable-pods-priority-cutoff)`;
    return [{ ...answer, text }];
  }
  // Source: core/scaleup/orchestrator/skippedreasons.go
  if (outcome.state === 'help' && isFull) return [{ ...answer, text: 'max total nodes in cluster reached' }];
  if (outcome.state !== 'remains unschedulable') return [];
  const ofShapeless = shapeless.map((group) => [group.id, refusalsOf(group, outcome.pod)] as const);
  const isOpen = ([, reasons]: Refusals[number]): boolean => reasons.length === 0;
  // The nearest to taking it first.
  const distance = ([id, own]: Refusals[number]): number => (full.has(id) ? 0 : own.length);
  const refusals = [
    ...(outcome.rejected ?? []),
    ...(outcome.skipped ?? []),
    ...ofShapeless.filter((each) => !isOpen(each)),
  ].toSorted((a, b) => distance(a) - distance(b));
  const open = ofShapeless.filter(isOpen);
  if (open.length === 0) return [{ ...answer, text: eventText(refusals) }];
  const unknown = say`how large its nodes are is not written`;
  return [
    ...open.map(([id]): PoolAnswer => ({ ...answer, pool: id, isOpen: true, text: unknown })),
    ...refusals.map(([id, reasons]) => ({ ...answer, pool: id, text: reasons.join(', ') })),
  ];
}

/** Why a group cannot take a pod, whatever the size of its nodes; empty where it may. */
export function refusalsOf({ marks, size, max }: MachineGroup, { spec = { containers: [] } }: Pod): readonly string[] {
  if (size >= max) return ['max node group size reached'];
  if (!toleratesAll(spec, marks.taints)) return ['node(s) had untolerated taint(s)'];
  const labels = together(labelRequirements(marks.labels));
  return selects(spec, labels, (key) => wellKnownLabels.has(key))
    ? []
    : ["node(s) didn't match Pod's node affinity/selector"];
}

/** The event, with the groups named beside it that it counts. */
function eventText(refusals: Refusals): string {
  const reasons = reasonsText({ rejected: new Map(refusals) });
  const byReason = new Map<string, string[]>();
  for (const [id, own] of refusals) {
    for (const reason of own) addTo(byReason, reason, id);
  }
  const named = [...byReason].map(([reason, ids]) => {
    const groups = list(ids, namedGroups);
    return byReason.size === 1 ? groups : `${groups}: ${reason}`;
  });
  const aside = joined(named, '; ');
  const event = reasons === '' ? "pod didn't trigger scale-up" : `pod didn't trigger scale-up: ${reasons}`;
  return aside === '' ? event : `${event} (${aside})`;
}

function stemOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}
