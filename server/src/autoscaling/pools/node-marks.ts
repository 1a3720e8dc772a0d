import { isList, isObject, valueAt } from '../../util/values.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { Taint } from '../../kubernetes/objects.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { PoolObject } from '../../kubernetes/pool-kinds.ts';
import { osKey } from '../karpenter/labels.ts';
import { readNodePool, readTaints } from '../karpenter/objects.ts';

/** What is written of the nodes of a group besides their size. */
export interface NodeMarks {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

export const capacityDomain = 'capacity.cluster-autoscaler.kubernetes.io';

/**
 * Of a MachineDeployment, MachineSet or MachinePool.
 * Source: cluster-autoscaler/cloudprovider/clusterapi (README.md, clusterapi_unstructured.go)
 */
export function machineMarks(written: JsonObject): NodeMarks {
  const annotation = (name: string): string => annotationOf(written, `${capacityDomain}/${name}`);
  const taints = annotation('taints');
  return {
    labels: {
      ...pairsOf(annotation('labels')),
      ...stringsOf(valueAt(written, ['spec', 'template', 'spec', 'metadata', 'labels'])),
    },
    taints: taints === '' ? readTaints(valueAt(written, ['spec', 'template', 'spec', 'taints'])) : taintsOf(taints),
  };
}

/** Of a node group of an eksctl ClusterConfig. */
export function eksctlMarks(cluster: string, group: Readonly<Record<string, unknown>>, isManaged: boolean): NodeMarks {
  const name = scalar(valueAt(group, ['name']));
  return {
    labels: {
      'alpha.eksctl.io/cluster-name': cluster,
      'alpha.eksctl.io/nodegroup-name': name,
      [osKey]: isOfWindows(group) ? 'windows' : 'linux',
      ...(isManaged
        ? {
            'eks.amazonaws.com/nodegroup': name,
            'eks.amazonaws.com/capacityType': valueAt(group, ['spot']) === true ? 'SPOT' : 'ON_DEMAND',
          }
        : {}),
      ...stringsOf(valueAt(group, ['labels'])),
    },
    taints: eksctlTaints(valueAt(group, ['taints'])),
  };
}

/** Whose types have another overhead, and fewer addresses. */
export function isOfWindows(group: Readonly<Record<string, unknown>>): boolean {
  return scalar(valueAt(group, ['amiFamily'])).startsWith('Windows');
}

/** The node groups of an eksctl ClusterConfig, and whether EKS manages them. */
export function eksctlEntries(written: JsonObject): readonly (readonly [group: JsonObject, isManaged: boolean])[] {
  return ['managedNodeGroups', 'nodeGroups'].flatMap((field) => {
    const groups = valueAt(written, [field]);
    return (isList(groups) ? groups.filter(isObject) : []).map(
      (group) => [group as JsonObject, field === 'managedNodeGroups'] as const,
    );
  });
}

/** The taints of each pool that an object declares. */
export function taintsOfPools(object: PoolObject): readonly (readonly Taint[])[] {
  const { kind = '', written } = object;
  if (kind === 'NodePool') return [readNodePool(written).taints];
  if (kind.startsWith('Machine')) return [machineMarks(written).taints];
  if (kind !== 'ClusterConfig') return [];
  return eksctlEntries(written).map(([group, isManaged]) => eksctlMarks(nameOf(object), group, isManaged).taints);
}

export function annotationOf(written: JsonObject, key: string): string {
  const annotations = valueAt(written, ['metadata', 'annotations']);
  return scalar(isObject(annotations) && Object.hasOwn(annotations, key) ? annotations[key] : undefined);
}

/** `key=value:Effect,key:Effect` */
function taintsOf(written: string): readonly Taint[] {
  return written.split(',').flatMap((part) => {
    const [, key, value = '', effect] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(part.trim()) ?? [];
    return key === undefined || effect === undefined ? [] : [{ key, effect, ...(value === '' ? {} : { value }) }];
  });
}

/** A list as everywhere, or in older files a map of `value:Effect`. */
function eksctlTaints(written: unknown): readonly Taint[] {
  if (!isObject(written)) return readTaints(written);
  return Object.entries(written).flatMap(([key, each]) => taintsOf(`${key}=${scalar(each)}`));
}

/** `key=value,key=value` */
function pairsOf(written: string): Readonly<Record<string, string>> {
  const pairs = written.split(',').map((pair) => pair.trim().split('='));
  return Object.fromEntries(pairs.flatMap(([key = '', value = '']) => (key === '' ? [] : [[key, value]])));
}

function stringsOf(value: unknown): Readonly<Record<string, string>> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, scalar(each)])) : {};
}

export function scalar(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
