import { isList, isObject, valueAt } from '../../util/values.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { PodSpec, Taint } from '../../kubernetes/objects.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import { awsDomain, nodePoolKey, wellKnownLabels } from '../../autoscaling/karpenter/labels.ts';
import { type NodePool, readNodePool } from '../../autoscaling/karpenter/objects.ts';
import {
  areCompatible,
  labelRequirements,
  type Requirements,
  selectorRequirements,
  together,
} from '../../autoscaling/karpenter/requirements.ts';
import { eksctlMarks, machineMarks, scalar } from '../../autoscaling/pools/node-marks.ts';
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
  let pool = pools.get(fact);
  if (pool === undefined) pools.set(fact, (pool = readNodePool(writtenOf(fact))));
  return pool;
}

export const poolMarks = derived(poolKinds, (...lists) => lists.flat().flatMap(marksOf));

function marksOf(fact: Fact): readonly PoolMarks[] {
  const written = writtenOf(fact);
  const groupMarks = (name: string, { labels, taints }: ReturnType<typeof machineMarks>): PoolMarks => {
    return { fact, title: name, labels: together(labelRequirements(labels)), taints, isOfOtherProvider: false };
  };
  if (fact.kind === 'NodePool') {
    const pool = nodePoolOf(fact);
    const { group, kind, name } = pool.nodeClass;
    const own = { ...pool.templateLabels, [nodePoolKey]: pool.name, [`${group}/${kind.toLowerCase()}`]: name };
    return [
      {
        fact,
        title: `NodePool ${pool.name}`,
        labels: together(selectorRequirements(pool.requirements), labelRequirements(own)),
        taints: pool.taints,
        isOfOtherProvider: group !== awsDomain,
      },
    ];
  }
  if (fact.kind === 'ComputeClass') {
    // Source: https://cloud.google.com/kubernetes-engine/docs/concepts/about-custom-compute-classes
    const labels = labelRequirements({ 'cloud.google.com/compute-class': fact.name });
    return [
      { fact, title: `ComputeClass ${fact.name}`, labels: together(labels), taints: [], isOfOtherProvider: true },
    ];
  }
  if (fact.kind !== 'ClusterConfig') return [groupMarks(`${fact.kind} ${fact.name}`, machineMarks(written))];
  return ['managedNodeGroups', 'nodeGroups'].flatMap((field) => {
    const groups = valueAt(written, [field]);
    return (isList(groups) ? groups.filter(isObject) : []).map((group) =>
      groupMarks(`node group ${scalar(group['name'])}`, eksctlMarks(fact.name, group, field === 'managedNodeGroups')),
    );
  });
}

/** Labels that a new node of a pool has without being written. */
function isGiven(key: string, { isOfOtherProvider }: PoolMarks): boolean {
  return wellKnownLabels.has(key) || (isOfOtherProvider && key.includes('/'));
}

/** Pools whose nodes pods may be placed on, as far as labels and taints decide. */
export function poolsFor(spec: PodSpec, facts: FactsReader): readonly PoolMarks[] {
  return poolMarks(facts).filter((pool) => selects(spec, pool) && toleratesAll(spec, pool));
}

export function selects({ nodeSelector, affinity }: PodSpec, pool: PoolMarks): boolean {
  const selected = labelRequirements(nodeSelector);
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const alternatives = terms?.map(({ matchExpressions = [] }) => selectorRequirements(matchExpressions)) ?? [[]];
  return alternatives.some((term) => {
    const required = together(selected, term);
    const given = new Set([...required.keys()].filter((key) => isGiven(key, pool)));
    return areCompatible(pool.labels, required, given);
  });
}

export function toleratesAll({ tolerations }: PodSpec, { taints }: PoolMarks): boolean {
  return firstUntolerated(taints, tolerations, NO_SCHEDULE_EFFECTS) === undefined;
}

/** Whether nodes of some pool have a label, whatever its value. */
export function isLabelOfPool(key: string, facts: FactsReader): boolean {
  return poolMarks(facts).some((pool) => pool.labels.has(key) || isGiven(key, pool));
}

/** `key=value` that pools give, each once. */
export function poolLabels(facts: FactsReader): readonly (readonly [key: string, value: string])[] {
  return poolMarks(facts).flatMap(({ labels }) =>
    [...labels.values()].flatMap(({ key, complement, values }) =>
      complement ? [] : [...values].map((value) => [key, value] as const),
    ),
  );
}
