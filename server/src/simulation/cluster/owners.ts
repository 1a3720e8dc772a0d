import { namespaceOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import type { KubeObject, OwnerReference, Pod, StatefulSet } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import { own } from '../../util/own.ts';

/** The owner that manages an object. Source: metav1.GetControllerOf; a lone owner without the mark is taken as well. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  const owners = object.metadata?.ownerReferences ?? [];
  return owners.find((owner) => owner.controller === true) ?? (owners.length === 1 ? owners[0] : undefined);
}

/** Owner references may form a ring. Real chains have two links. */
const longestChain = 8;

/** The kinds whose objects are made by another kind, and what they add to its name. */
const generatedBy: Readonly<Record<string, { readonly kind: string; readonly suffix: RegExp } | undefined>> = {
  // Source: pkg/controller/deployment/sync.go getNewReplicaSet (name + "-" + pod-template-hash)
  ReplicaSet: { kind: 'Deployment', suffix: /-[^-]+$/ },
  // Source: pkg/controller/cronjob/utils.go getJobName (name + "-" + scheduled minute)
  Job: { kind: 'CronJob', suffix: /-\d+$/ },
};

export interface Top {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The workload at the top of an object's chain of controllers: pod → ReplicaSet → Deployment, pod → Job → CronJob.
 * A link that is not declared is bridged by the name that its controller would have given it. Null for an object that
 * nobody controls.
 */
export function topController(object: KubeObject, find: (key: WorkloadKey) => KubeObject | undefined): Top | null {
  const namespace = namespaceOf(object);
  let controller = controllerOf(object);
  if (controller === undefined) return null;
  let highestDeclared: OwnerReference | undefined;
  for (let links = 0; links < longestChain; links++) {
    const declared = find(workloadKey(controller.kind, namespace, controller.name));
    if (declared === undefined) break;
    highestDeclared = controller;
    const next = controllerOf(declared);
    if (next === undefined) break;
    controller = next;
  }
  // A ReplicaSet that is declared stands for its pods where what owns it is not: a Rollout, for example.
  if (highestDeclared !== undefined) controller = highestDeclared;
  const declared = find(workloadKey(controller.kind, namespace, controller.name));
  const rule = Object.hasOwn(generatedBy, controller.kind) ? generatedBy[controller.kind] : undefined;
  if (declared === undefined && rule !== undefined) {
    const name = controller.name.replace(rule.suffix, '');
    if (name !== controller.name && find(workloadKey(rule.kind, namespace, name)) !== undefined) {
      return { kind: rule.kind, namespace, name };
    }
  }
  return { kind: controller.kind, namespace, name: controller.name };
}

/** By object: tens of thousands are the same in one cluster after the other. Null where nobody controls it. */
const controllerKeys = new WeakMap<KubeObject, WorkloadKey | null>();

function controllerKeyOf(object: KubeObject): WorkloadKey | null {
  return getOrInsert(controllerKeys, object, () => {
    const controller = controllerOf(object);
    return controller === undefined ? null : workloadKey(controller.kind, namespaceOf(object), controller.name);
  });
}

/** As `topController`, for many objects of few controllers, of which each has one answer. */
export function topControllers(find: (key: WorkloadKey) => KubeObject | undefined): (object: KubeObject) => Top | null {
  const known = new Map<string, Top | null>();
  return (object) => {
    const key = controllerKeyOf(object);
    if (key === null) return null;
    return getOrInsert(known, key, () => topController(object, find));
  };
}

/** Whether a pod has ended for good. Such pods use nothing. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/**
 * Whether the template has changed since the pod of a StatefulSet or DaemonSet was made.
 * Source: newRevision in stateful_set_utils.go; IsPodUpdated in pkg/controller/daemon/util/daemonset_util.go
 */
export function isOfEarlierTemplate(maker: KubeObject, { metadata }: Pod): boolean {
  if (maker.kind === 'StatefulSet') {
    const updated = (maker as StatefulSet).status?.updateRevision;
    return updated !== undefined && updated !== own(metadata?.labels, 'controller-revision-hash');
  }
  const generation = own(maker.metadata?.annotations, 'deprecated.daemonset.template.generation');
  const made = own(metadata?.labels, 'pod-template-generation');
  return generation !== undefined && made !== undefined && generation !== made;
}
