import { own } from '../../util/own.ts';
import { assumedPool } from '../../report-model/assumed.ts';
import type { KubeObject, Node, ResourceSlice, Taint } from '../../kubernetes/objects.ts';
import { unreachableTaint } from '../../kubernetes/taints.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import { reportedAmounts } from '../cluster/assumed-nodes.ts';
import type { NodeSize, WrittenTaint } from './operation.ts';

/** The taint that goes with being cordoned is the node lifecycle controller's, and says the same. */
export function withCordon(node: Node, unschedulable: boolean): Node {
  const { unschedulable: before = false, ...spec } = node.spec ?? {};
  if (before === unschedulable) return node;
  const taints = (spec.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/unschedulable');
  const others = spec.taints === undefined ? spec : { ...spec, taints };
  return { ...node, spec: unschedulable ? { ...others, unschedulable } : others };
}

export function withLabel(node: Node, key: string, value: string | null): Node {
  if ((own(node.metadata?.labels, key) ?? null) === value) return node;
  const labels = Object.entries(node.metadata?.labels ?? {}).filter(([each]) => each !== key);
  return {
    ...node,
    metadata: { ...node.metadata, labels: Object.fromEntries(value === null ? labels : [...labels, [key, value]]) },
  };
}

export function withTaint(node: Node, { key, value, effect }: WrittenTaint, removes: boolean): Node {
  const isMeant = (each: Taint): boolean => each.key === key && (effect === null || each.effect === effect);
  const meant = (node.spec?.taints ?? []).filter(isMeant);
  const isThere = meant.some((each) => (each.value ?? '') === (value ?? ''));
  if (removes ? meant.length === 0 : isThere) return node;
  const others = (node.spec?.taints ?? []).filter((each) => !isMeant(each));
  const added = removes || effect === null ? [] : [{ key, effect, ...(value === undefined ? {} : { value }) }];
  return { ...node, spec: { ...node.spec, taints: [...others, ...added] } };
}

/**
 * What the node lifecycle controller makes of a node whose kubelet does not answer.
 * Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 */
export function unreachable(node: Node): Node {
  const key = unreachableTaint;
  const others = (node.status?.conditions ?? []).filter(({ type }) => type !== 'Ready');
  const unknown = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' };
  const tainted = withTaint(withTaint(node, { key, effect: 'NoSchedule' }, false), { key, effect: 'NoExecute' }, false);
  return { ...tainted, status: { ...tainted.status, conditions: [...others, unknown] } };
}

export function withLabels(node: KubeObject, labels: Readonly<Record<string, string>>): Node {
  let labelled: Node = node;
  for (const [key, value] of Object.entries(labels)) labelled = withLabel(labelled, key, value);
  return labelled;
}

/** What else the node offers stays. */
export function withAmounts(node: KubeObject, size: NodeSize): Node {
  const { status, ...others } = node as Node;
  const resized = (amounts: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
    ...amounts,
    ...reportedAmounts(size),
  });
  return {
    ...others,
    status: { ...status, capacity: resized(status?.capacity), allocatable: resized(status?.allocatable) },
  };
}

/** What the label says is true of each node alone, and what is wrong with the model is not wrong with its copy. */
export function copyOfNode(model: KubeObject, name: string): Node {
  const { metadata, spec, status } = model as Node;
  const labels = { ...metadata?.labels, 'kubernetes.io/hostname': name };
  const pool = metadata?.annotations?.[assumedPool];
  const taints = spec?.taints?.filter(({ key }) => taintOwner(key) !== 'condition');
  const healthy = {
    ...spec,
    ...(taints === undefined ? {} : { taints }),
    // Karpenter tells machines by it.
    ...(spec?.providerID === undefined ? {} : { providerID: `copy:///${name}` }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels, ...(pool === undefined ? {} : { annotations: { [assumedPool]: pool } }) },
    ...(spec === undefined ? {} : { spec: withCordon({ spec: healthy }, false).spec! }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The devices of a node, published for another as a pool of its own. `all`: the slices of the first. */
export function copyOfSlice(model: ResourceSlice, node: string, all: readonly ResourceSlice[]): ResourceSlice {
  const { spec, apiVersion, kind, metadata } = model;
  const { driver, pool, nodeName = '' } = spec;
  const ofPool = all.filter((each) => each.spec.driver === driver && each.spec.pool.name === pool.name);
  const name = pool.name === nodeName ? node : `${pool.name}-${node}`;
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: { name: `${metadata?.name ?? ''}-${node}` },
    spec: { ...spec, nodeName: node, pool: { ...pool, name, resourceSliceCount: ofPool.length } },
  };
}
