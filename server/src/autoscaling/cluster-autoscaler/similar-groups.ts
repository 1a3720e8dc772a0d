import { podRequests, readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { compareQuantities, quantityMilliValue, type Quantity } from '../../kubernetes/quantity.ts';
import type { NodeTemplate } from './templates.ts';

/** Source: BasicIgnoredLabels in cluster-autoscaler/processors/nodegroupset/compare_nodegroups.go; what providers and flags add to it is not known */
const ignoredLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'beta.kubernetes.io/fluentd-ds-ready',
  'kops.k8s.io/instancegroup',
]);

// Source: defaults of --memory-difference-ratio, --max-allocatable-difference-ratio and --max-free-difference-ratio
const memoryTolerance = 0.015;
const allocatableTolerance = 0.05;
const freeTolerance = 0.05;

/** Whether nodes of two groups are as good as the same. Source: IsCloudProviderNodeInfoSimilar */
export function areSimilar(one: NodeTemplate, other: NodeTemplate): boolean {
  const [a, b] = [readResourceList(one.node.status?.capacity), readResourceList(other.node.status?.capacity)];
  if (!haveSameNames(a, b)) return false;
  for (const [name, amount] of a) {
    const same =
      name === 'memory'
        ? isWithin(amount, b.get(name)!, memoryTolerance)
        : compareQuantities(amount, b.get(name)!) === 0;
    if (!same) return false;
  }
  const allocatable = [one, other].map(({ node }) => readResourceList(node.status?.allocatable));
  if (!areAllWithin(allocatable[0]!, allocatable[1]!, allocatableTolerance)) return false;
  if (!areFreeWithin(one, other)) return false;
  return haveSameLabels(one, other);
}

function haveSameNames(a: ResourceAmounts, b: ResourceAmounts): boolean {
  return a.size === b.size && [...a.keys()].every((name) => b.has(name));
}

function areAllWithin(a: ResourceAmounts, b: ResourceAmounts, tolerance: number): boolean {
  return haveSameNames(a, b) && [...a].every(([name, amount]) => isWithin(amount, b.get(name)!, tolerance));
}

/** What pods that come with a node leave free. */
function areFreeWithin(one: NodeTemplate, other: NodeTemplate): boolean {
  const [a, b] = [freeMillis(one), freeMillis(other)];
  if (a.size !== b.size) return false;
  return [...a].every(([name, amount]) => b.has(name) && isNumberWithin(amount, b.get(name)!, freeTolerance));
}

function freeMillis({ node, pods }: NodeTemplate): ReadonlyMap<string, number> {
  const requested = new Map<string, number>(['cpu', 'memory', 'pods', 'ephemeral-storage'].map((name) => [name, 0]));
  for (const { spec } of pods) {
    for (const [name, amount] of podRequests(spec ?? {})) {
      requested.set(name, (requested.get(name) ?? 0) + Number(quantityMilliValue(amount)));
    }
  }
  const allocatable = readResourceList(node.status?.allocatable);
  return new Map(
    [...requested].map(([name, used]) => {
      const total = allocatable.get(name);
      return [name, (total === undefined ? 0 : Number(quantityMilliValue(total))) - used];
    }),
  );
}

function isWithin(a: Quantity, b: Quantity, tolerance: number): boolean {
  return isNumberWithin(Number(quantityMilliValue(a)), Number(quantityMilliValue(b)), tolerance);
}

function isNumberWithin(a: number, b: number, tolerance: number): boolean {
  const larger = Math.max(a, b);
  return larger - Math.min(a, b) <= larger * tolerance;
}

function haveSameLabels(one: NodeTemplate, other: NodeTemplate): boolean {
  const read = ({ node }: NodeTemplate): ReadonlyMap<string, string> =>
    new Map(Object.entries(node.metadata?.labels ?? {}).filter(([key]) => !ignoredLabels.has(key)));
  const [a, b] = [read(one), read(other)];
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
