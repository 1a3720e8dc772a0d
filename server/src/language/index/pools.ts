import type { JsonObject } from '../../kubernetes/json.ts';
import type { PodSpec, Taint } from '../../kubernetes/objects.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import {
  awsDomain,
  computeClassKey,
  labelsOfClass,
  nodePoolKey,
  wellKnownLabels,
} from '../../autoscaling/karpenter/labels.ts';
import { type NodePool, readNodePool } from '../../autoscaling/karpenter/objects.ts';
import {
  labelRequirements,
  type Requirements,
  selectorRequirements,
  together,
} from '../../autoscaling/karpenter/requirements.ts';
import { eksctlEntries, eksctlMarks, machineMarks, scalar } from '../../autoscaling/pools/node-marks.ts';
import { selects, toleratesAll } from '../../autoscaling/pools/suits.ts';
import { getOrInsert } from '../../util/maps.ts';
import { derived } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';

/** What makes nodes, as far as pods select by it: what its labels may be, and its taints. */
export interface PoolMarks {
  readonly fact: Fact;
  /** `NodePool general` */
  readonly title: string;
  readonly labels: Requirements;
  readonly taints: readonly Taint[];
  /** Whether it gives labels of a provider that are not known here. */
  readonly isOfOtherProvider: boolean;
}

const poolKinds = [
  'NodePool',
  'MachineDeployment',
  'MachineSet',
  'MachinePool',
  'ClusterConfig',
  'ComputeClass',
] as const;

export function writtenOf({ object }: Fact): JsonObject {
  return isPoolObject(object) ? object.written : {};
}

const pools = new WeakMap<Fact, NodePool>();

/** A NodePool as Karpenter reads it. */
export function nodePoolOf(fact: Fact): NodePool {
  return getOrInsert(pools, fact, () => readNodePool(writtenOf(fact)));
}

export const poolMarks = derived(poolKinds, (...lists) => lists.flat().flatMap(marksOf));

/** Whether there are pools of which is known what nodes they make. */
export function makesNodes(facts: FactsReader): boolean {
  return poolMarks(facts).some(({ fact }) => fact.kind !== 'ComputeClass');
}

function marksOf(fact: Fact): readonly PoolMarks[] {
  const written = writtenOf(fact);
  const groupMarks = (name: string, { labels, taints }: ReturnType<typeof machineMarks>): PoolMarks => {
    return { fact, title: name, labels: together(labelRequirements(labels)), taints, isOfOtherProvider: false };
  };
  if (fact.kind === 'NodePool') {
    const pool = nodePoolOf(fact);
    const own = { ...pool.templateLabels, [nodePoolKey]: pool.name, ...labelsOfClass(pool.nodeClass) };
    return [
      {
        fact,
        title: `NodePool ${pool.name}`,
        labels: together(selectorRequirements(pool.requirements), labelRequirements(own)),
        taints: pool.taints,
        isOfOtherProvider: pool.nodeClass.group !== awsDomain,
      },
    ];
  }
  if (fact.kind === 'ComputeClass') {
    // Source: https://cloud.google.com/kubernetes-engine/docs/concepts/about-custom-compute-classes
    const labels = labelRequirements({ [computeClassKey]: fact.name });
    return [
      { fact, title: `ComputeClass ${fact.name}`, labels: together(labels), taints: [], isOfOtherProvider: true },
    ];
  }
  if (fact.kind !== 'ClusterConfig') return [groupMarks(`${fact.kind} ${fact.name}`, machineMarks(written))];
  return eksctlEntries(written).map(([group, isManaged]) =>
    groupMarks(`node group ${scalar(group['name'])}`, eksctlMarks(fact.name, group, isManaged)),
  );
}

/** Labels that a new node of a pool has without being written. */
function isGiven(key: string, { isOfOtherProvider }: PoolMarks): boolean {
  return wellKnownLabels.has(key) || (isOfOtherProvider && key.includes('/'));
}

/** Pools whose nodes pods may be placed on, as far as labels and taints decide. */
export function poolsFor(spec: PodSpec, facts: FactsReader): readonly PoolMarks[] {
  return poolMarks(facts).filter((pool) => suits(spec, pool));
}

export function suits(spec: PodSpec, pool: PoolMarks): boolean {
  // Nodes of a ComputeClass are for pods that select it: GKE taints them, and lets these tolerate that.
  if (pool.fact.kind === 'ComputeClass' && selects(spec, new Map(), (key) => key !== computeClassKey)) return false;
  return selects(spec, pool.labels, (key) => isGiven(key, pool)) && toleratesAll(spec, pool.taints);
}

/** Whether nodes of some pool have a label, whatever its value. */
export function isLabelOfPool(key: string, facts: FactsReader): boolean {
  return poolMarks(facts).some((pool) => pool.labels.has(key) || isGiven(key, pool));
}

export function isTaintOfPool(key: string, facts: FactsReader): boolean {
  return poolMarks(facts).some(({ taints }) => taints.some((taint) => taint.key === key));
}

/** `key=value` that pools give, each once. */
export function poolLabels(facts: FactsReader): readonly (readonly [key: string, value: string])[] {
  return poolMarks(facts).flatMap(({ labels }) =>
    [...labels.values()].flatMap(({ key, complement, values }) =>
      complement ? [] : [...values].map((value) => [key, value] as const),
    ),
  );
}
