import { computeClassKey, nodePoolKey } from '../../../autoscaling/karpenter/labels.ts';
import { say } from '../../../util/say.ts';
import { list } from '../../../util/words.ts';
import type { ReportedCluster } from '../reported-cluster.ts';

/** Source: cluster-autoscaler/config/flags/flags.go (expendable-pods-priority-cutoff) */
const expendableBelow = -10;

/** Pods of so low a priority that Cluster Autoscaler adds no node for them. */
export function priorityAdvice(lowest: number): readonly string[] {
  return lowest < expendableBelow
    ? [
        say`Cluster Autoscaler adds no node for priorities below ${expendableBelow} (--expendable-pods-priority-cutoff): placeholders that are to bring nodes need ${expendableBelow}`,
      ]
    : [];
}

/** What the pool says of a pod that is nearest to making a node for it; empty where none is asked. */
export function nearestPoolMessage({ report }: ReportedCluster, pod: number): string {
  return report.nearestPools?.find(({ pods }) => pods.includes(pod))?.message ?? '';
}

/** What pools would have to give, where that is what they say. Source: karpenter's pkg/scheduling/requirements.go */
export function labelsForPools(message: string): readonly string[] {
  const [, unknown] = /label "([^"]+)" does not have known values/.exec(message) ?? [];
  // ComputeClasses make nodes with it, and no NodePool does.
  if (unknown === computeClassKey) return [];
  if (unknown !== undefined) {
    return [say`give the nodes of a pool the label ${unknown} (spec.template.metadata.labels), or do not select it`];
  }
  const [, restricted] = /using label (\S+) is not allowed/.exec(message) ?? [];
  if (restricted !== undefined) {
    return [say`do not select ${restricted}: Karpenter makes no node for a pod that does, whatever its pools give`];
  }
  const [, ignored] = message.split('no valid values found in [');
  const [given, values] = ignored?.split(', expected one of: map[') ?? [];
  if (given !== undefined && values !== undefined) {
    const [odd = '', chosen = ''] = given.split('] for ');
    const allowed = (values.split(']')[0] ?? '').split(' ').map((value) => value.replace(':{}', ''));
    return [say`select one of ${list(allowed)} of ${chosen}, and not ${odd}`];
  }
  const [, key] = /incompatible requirements, key ([^,\s]+),/.exec(message) ?? [];
  // A NodePool gives its own name.
  return key === undefined || key === nodePoolKey
    ? []
    : [say`let the requirements of a pool allow what is selected of ${key}, or do not select it`];
}

/** Source: karpenter pkg/controllers/provisioning/scheduling (NodeClaim.CanAdd) */
const incompatibleVolumes = 'incompatible volume requirements';

/** What pools would have to make, where nothing else is known to help. */
export function otherNodesForPools(message: string): readonly string[] {
  const volumes = message.slice(message.indexOf(incompatibleVolumes) + incompatibleVolumes.length);
  const [, place, value = ''] = message.includes(incompatibleVolumes)
    ? (/, ([^\s,]+) In \[([^[\]]+)\] not in /.exec(volumes) ?? [])
    : [];
  if (place !== undefined) {
    return [
      say`let the requirements of a pool allow ${place} ${value}, where its volume is or may be made, or have the volume where a pool makes nodes`,
    ];
  }
  if (message.includes('minValues incompatibility') || message.includes('at least minimum number of values')) {
    return [say`lower minValues in the requirements of a pool, or let them allow more values that there are`];
  }
  if (message.includes('filtered out all')) {
    return [say`let the requirements of a pool allow instance types that there are`];
  }
  if (message.includes('no instance type has enough resources')) {
    return [say`let the requirements of a pool allow instance types that have as much, or ask for less`];
  }
  if (message.includes('no instance type met all requirements')) {
    return [say`let the requirements of a pool allow instance types that the pod may use, or do not select others`];
  }
  if (/Insufficient (?:cpu|memory)\b/.test(message)) return [say`let a pool make larger nodes, or ask for less`];
  if (message.includes('cannot allocate all claims')) {
    return [say`keep a node of a pool that has the devices: only its ResourceSlices tell what others would have`];
  }
  if (message.includes("didn't match Pod's node affinity/selector")) {
    return [say`let a pool make nodes with the labels that it selects, or select what a pool has`];
  }
  return [];
}
