import { type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { type ControllerIndex, controllerOf, indexControllers } from '../../disruption/controllers.ts';
import { type CustomKind, customKindsOf, type CustomObject, readCustomObject } from '../../disruption/custom-kinds.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { KubeObject, Pod } from '../../kubernetes/objects.ts';
import type { SimulatedWorkload } from './workload-set.ts';

/** Kinds with a scale, and where they live. Source: the finders in pkg/controller/disruption/disruption.go */
const scaledKinds: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'apps/v1'],
  ['ReplicaSet', 'apps/v1'],
  ['StatefulSet', 'apps/v1'],
  ['ReplicationController', 'v1'],
]);

/** API groups that Kubernetes serves itself: what their kinds can do is known. */
const builtInGroups = /^(?:v1|(?:apps|batch|policy|autoscaling)\/\w+|[^/]*\.k8s\.io\/\w+)$/;

/** What was taken for the scale of a custom kind whose definition is not at hand. */
export interface AssumedScale {
  readonly apiVersion: string;
  readonly replicas: number;
  /** `spec.replicas` of the object, or as many as there are pods. */
  readonly from: 'spec' | 'pods';
}

/** How many replicas objects of custom kinds want whose definition is at hand; null where the kind has no scale. */
export type CustomScales = ReadonlyMap<WorkloadKey, number | null>;

export function customScales(workloads: readonly SimulatedWorkload[], others: readonly JsonObject[]): CustomScales {
  const scales = new Map<WorkloadKey, number | null>();
  const known = others.filter(({ kind }) => kind === 'CustomResourceDefinition').flatMap(customKindsOf);
  if (known.length === 0) return scales;
  for (const workload of workloads) {
    const { kind, namespace, name, replicas } = workload;
    const apiVersion = customApiVersion(workload);
    const defined = known.find((each) => `${each.group}/${each.version}` === apiVersion && each.kind === kind);
    if (defined === undefined) continue;
    const written = others
      .flatMap((object) => readCustomObject(object, [defined]) ?? [])
      .find((object) => object.namespace === namespace && object.name === name);
    const hasScale = defined.replicasPath !== undefined && (written === undefined || written.replicas !== undefined);
    scales.set(workloadKey(kind, namespace, name), hasScale ? (written?.replicas ?? replicas) : null);
  }
  return scales;
}

/** The workloads as the disruption controller finds them. */
export interface StandingControllers {
  readonly index: ControllerIndex;
  readonly assumed: ReadonlyMap<WorkloadKey, AssumedScale>;
}

/**
 * What stands between a workload and its pods is often not written down, so each pod is taken as owned by the workload
 * itself. A custom kind without its CustomResourceDefinition is taken to have a scale at `spec.replicas`, as such kinds
 * usually have.
 */
export function standingControllers(
  workloads: readonly SimulatedWorkload[],
  others: readonly JsonObject[],
): StandingControllers {
  const known = others.filter(({ kind }) => kind === 'CustomResourceDefinition').flatMap(customKindsOf);
  const kinds: CustomKind[] = [...known];
  const customObjects: CustomObject[] = [];
  const assumed = new Map<WorkloadKey, AssumedScale>();
  const builtIn: KubeObject[] = [];
  for (const workload of workloads) {
    const { kind, namespace, name, replicas } = workload;
    const key = workloadKey(kind, namespace, name);
    const scaledIn = scaledKinds.get(kind);
    if (scaledIn !== undefined) {
      builtIn.push({
        apiVersion: scaledIn,
        kind,
        metadata: { namespace, name, uid: key },
        spec: { replicas },
      } as KubeObject);
    }
    const apiVersion = customApiVersion(workload);
    if (apiVersion === undefined) continue;
    const [group = '', version = ''] = apiVersion.split('/');
    const defined = known.some((each) => each.group === group && each.version === version && each.kind === kind);
    if (!defined) kinds.push({ group, version, kind, plural: kind, replicasPath: ['spec', 'replicas'] });
    const read = others
      .filter((object) => object['apiVersion'] === apiVersion && object['kind'] === kind)
      .flatMap((object) => readCustomObject(object, kinds) ?? [])
      .find((object) => object.namespace === namespace && object.name === name);
    // Where nothing says how many there should be, the pods that there are are taken for it.
    const counted = read?.replicas ?? (defined && read !== undefined ? undefined : replicas);
    const scale = counted === undefined ? {} : { replicas: counted };
    customObjects.push({ group, kind, namespace, name, uid: key, ...scale });
    if (counted !== undefined && (!defined || read?.replicas === undefined)) {
      assumed.set(key, { apiVersion, replicas: counted, from: read?.replicas === undefined ? 'pods' : 'spec' });
    }
  }
  return { index: indexControllers(builtIn, kinds, customObjects), assumed };
}

/** The pod as one of the workload itself. */
export function ownedBy(
  pod: Pod,
  { kind, namespace, name }: Pick<SimulatedWorkload, 'kind' | 'namespace' | 'name'>,
): Pod {
  const apiVersion = scaledKinds.get(kind) ?? customOwner(pod, kind)?.apiVersion;
  if (apiVersion === undefined) return pod;
  const uid = workloadKey(kind, namespace, name);
  return {
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
  };
}

/** The API version of a custom kind that owns pods; undefined for built-in kinds. */
function customApiVersion({ kind, existing }: SimulatedWorkload): string | undefined {
  for (const { object } of existing) {
    const owner = customOwner(object, kind);
    if (owner !== undefined) return owner.apiVersion;
  }
  return undefined;
}

function customOwner(pod: Pod, kind: string): { readonly apiVersion: string } | undefined {
  const owner = controllerOf(pod);
  return owner?.kind === kind && !builtInGroups.test(owner.apiVersion) ? owner : undefined;
}
