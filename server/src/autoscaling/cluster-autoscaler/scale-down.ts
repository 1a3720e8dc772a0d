import { labelValue } from '../../kubernetes/labels.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { KubeObject, Node, Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { podRequests, readResourceList } from '../../kubernetes/pod-resources.ts';
import { annotation, obstacleOf, stays } from './drainability.ts';
import { Snapshot } from './snapshot.ts';

/** What Cluster Autoscaler finds when it asks whether a node can go. */
export interface ScaleDown {
  /** Why pods of it cannot be moved, in its words, pod by pod. */
  readonly blocked: readonly string[];
  /** Pods that are to move, and those of them that find no other node. */
  readonly moving: readonly Pod[];
  readonly homeless: readonly Pod[];
  /** The share of the resource that is asked for most, 0 to 1. */
  readonly utilization: { readonly resource: string; readonly share: number };
  readonly isDisabled: boolean;
}

/** `--scale-down-utilization-threshold`. Source: cluster-autoscaler/config/flags/flags.go */
export const utilizationThreshold = 0.5;

/**
 * With the defaults of its flags.
 * Source: cluster-autoscaler/simulator/drainability/rules, simulator/cluster.go, simulator/utilization/info.go
 */
export function scaleDown(
  node: Node,
  nodes: readonly Node[],
  pods: readonly Pod[],
  others: readonly KubeObject[],
): ScaleDown {
  const name = nameOf(node);
  const budgets = others.filter((object): object is PodDisruptionBudget => object.kind === 'PodDisruptionBudget');
  const own = pods.filter(({ spec }) => spec?.nodeName === name);
  const moving = own.filter((pod) => !stays(pod));
  const blocked = moving.flatMap((pod) => obstacleOf(pod, budgets) ?? []);
  const left = pods.filter((pod) => pod.spec?.nodeName !== undefined && pod.spec.nodeName !== name);
  const snapshot = Snapshot.of(
    nodes.filter((each) => nameOf(each) !== name),
    left,
    others,
  );
  const homeless = moving.filter((pod) => {
    const { nodeName, ...spec } = pod.spec!;
    return nodeName !== undefined && snapshot.scheduleOnAny({ ...pod, spec }, () => true) === undefined;
  });
  const isDisabled = labelValue(node.metadata?.annotations, `${annotation}/scale-down-disabled`) === 'true';
  return { blocked, moving, homeless, utilization: utilizationOf(node, own), isDisabled };
}

function utilizationOf({ status }: Node, pods: readonly Pod[]): ScaleDown['utilization'] {
  const allocatable = readResourceList(status?.allocatable);
  let most = { resource: 'cpu', share: 0 };
  for (const resource of ['cpu', 'memory']) {
    const asked = pods.reduce((sum, { spec }) => sum + (podRequests(spec!).get(resource)?.nanos ?? 0n), 0n);
    const offered = allocatable.get(resource)?.nanos ?? 0n;
    const share = offered === 0n ? 0 : Number((asked * 10_000n) / offered) / 10_000;
    if (share > most.share) most = { resource, share };
  }
  return most;
}
