import { own } from '../../../util/own.ts';
import { joined, say } from '../../../util/say.ts';
import { list } from '../../../util/words.ts';
import { lackedApart } from '../../causes/cause-text.ts';
import { limitingSpread } from '../../causes/nearness.ts';
import { isOffered } from '../../causes/shortages-of.ts';
import type { Cause, CausePart } from '../../../report-model/cause.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import { namespaceOf } from '../../../kubernetes/names.ts';
import type { PodSpec } from '../../../kubernetes/objects.ts';
import { isOfControlPlane } from '../../../kubernetes/taint-owner.ts';
import { misspeltPool } from '../../../kubernetes/misspelt-class.ts';
import { computeClassKey, nodePoolKey } from '../../../autoscaling/karpenter/labels.ts';
import { currentLabel } from '../../../kubernetes/renamed-labels.ts';
import type { Inventory } from '../../cluster/inventory.ts';
import { namesNodes } from '../labels-for.ts';
import { nearLabel } from '../../../kubernetes/meant-label.ts';
import { amountAdvice, daemonAmountAdvice } from './amount-advice.ts';
import { deviceAdvice, deviceErrorAdvice } from './device-advice.ts';
import { namedOrCreated } from './missing-claims.ts';
import { taintAdvice } from './taint-advice.ts';
import { claimAdvice, lostNodeAdvice, placeAdvice, volumeChoiceAdvice } from './volume-advice.ts';

const hostname = 'kubernetes.io/hostname';

/** Nodes that are named. */
const nodesNamed = 3;

/** A pod that is pending, and what is around it. */
export interface PendingPod {
  readonly kind: string;
  readonly namespace: string;
  readonly workload: string;
  readonly replicas: number;
  readonly spec: PodSpec | undefined;
  /** Whether some pool gives the labels that it selects. */
  readonly suits: boolean;
  readonly inventory: Inventory;
  /** Whether nodes come of pools, and are not added by hand. */
  readonly grows: boolean;
  /** The name of a node of the report. */
  nodeName(index: number): string;
  /** Whether what is asked about drains a node. */
  isDrained(index: number): boolean;
  /** Of those that are declared. */
  readonly poolNames: (kind: 'NodePool' | 'ComputeClass') => readonly string[];
  /** Whether pods of no higher priority and of another workload use a claim, or ones that are not known. */
  readonly mayTakeFrom: (claim: string) => boolean;
  /** Of the pods that are pending those that some selectors mean. */
  pendingOf(selectors: readonly string[]): Waiting;
}

/** Pods that a term of affinity asks for and that are pending themselves, and whether one of them asks for this one. */
export interface Waiting {
  readonly names: readonly string[];
  /** Labels that pods have and that may be meant by those that it asks for. */
  readonly near: readonly string[];
  readonly isCircle: boolean;
}

/** What to do about a cause that no operation removes, or none that is safe; empty where nothing is known. */
export function adviceFor(cause: Cause, pod: PendingPod): readonly string[] {
  const { parts, needs, resized } = cause;
  // Where room is lacking besides, pods that may be together have none.
  const isShort = parts.some((part) => part.kind === 'amount' && isOffered(part));
  const forParts = new Set(
    parts.flatMap((part) =>
      isShort && part.kind === 'anti-affinity' && pod.kind !== 'DaemonSet'
        ? []
        : part.kind === 'spread' && !isClosedByTaint(cause)
          ? forSpread(part, say`set whenUnsatisfiable: ScheduleAnyway`)
          : adviceForPart(part, cause, pod),
    ),
  );
  return [
    ...forParts,
    ...(pod.kind === 'DaemonSet' ? daemonAmountAdvice(cause, pod.spec) : []),
    ...forClosedForNow(cause, pod),
    ...roomThere(cause, pod),
    ...(isShort && limitingSpread(cause) !== undefined ? [say`set whenUnsatisfiable: ScheduleAnyway`] : []),
    ...placeAdvice(cause),
    ...(needs.length === 0
      ? []
      : [say`give ${list(needs)} the same or a higher class, so that it is not what is evicted`]),
    ...(resized.length === 0
      ? []
      : [
          say`move pods away from ${pod.nodeName(cause.node ?? -1)}, so that its kubelet completes the resize, or take the resize back`,
        ]),
  ];
}

function isClosedByTaint({ parts, others }: Cause): boolean {
  return [parts, ...others.map((other) => other.parts)].some((each) =>
    each.some(({ kind }) => kind === 'taint' || kind === 'cordon'),
  );
}

function forSpread(part: CausePart & { readonly kind: 'spread' }, otherwise: string): readonly string[] {
  if (part.domain === '') {
    const current = currentLabel(part.topologyKey);
    return [
      current === undefined
        ? say`spread over a label that nodes have, such as kubernetes.io/hostname`
        : say`spread over ${current}, as ${part.topologyKey} is called now`,
    ];
  }
  return [part.minDomains > 0 ? say`lower minDomains to ${part.domains}` : otherwise];
}

/** Nodes that would take the pod but for something that is wrong with them for a time. */
function forClosedForNow({ others }: Cause, pod: PendingPod): readonly string[] {
  return others.flatMap(({ parts: [part, ...more], nodes }) =>
    part?.kind === 'taint' && more.length === 0 ? taintAdvice(part.taints, namesOf(nodes, pod), pod.workload) : [],
  );
}

function namesOf(nodes: readonly number[], pod: PendingPod): readonly string[] {
  return nodes.map((index) => pod.nodeName(index));
}

/** Claims that all its replicas name, and whose volume one node has at a time. */
function claimsOfOneNode({ spec, namespace, inventory }: PendingPod): readonly string[] {
  const named = (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
  return inventory
    .objects('PersistentVolumeClaim')
    .filter((claim) => claim.spec?.accessModes?.join() === 'ReadWriteOnce' && namespaceOf(claim) === namespace)
    .flatMap(({ metadata }) => metadata?.name ?? [])
    .filter((name) => named.includes(name));
}

/** Where volumes or pods tie a pod to one node that has no room: nodes that are added have none of these. */
function roomThere({ parts, nodes, others }: Cause, pod: PendingPod): readonly string[] {
  const { kind, spec } = pod;
  const isShort = parts.length > 0 && parts.every((part) => part.kind === 'amount' && part.need <= part.capacity);
  const ties = others.flatMap((other) => other.parts.find(isTieToNode) ?? []);
  const [first] = ties;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isByName = kind !== 'DaemonSet' && (own(spec?.nodeSelector, hostname) !== undefined || namesNodes(required));
  const named = list(namesOf(nodes, pod), nodesNamed);
  const [shared] = isShort && pod.replicas > 1 ? claimsOfOneNode(pod) : [];
  if (shared !== undefined) {
    return [
      say`give each replica a claim of its own (volumeClaimTemplates of a StatefulSet), or make claim ${shared} ReadWriteMany: it is ReadWriteOnce, so that its pods start on one node alone`,
    ];
  }
  if (isShort && isByName) {
    return [
      say`make room on ${named}, which it asks for by name: move or shrink pods that run there, or let it use other nodes`,
    ];
  }
  if (isByName && parts.some(({ kind: each }) => each === 'amount' || each === 'taint')) {
    return [say`let it use other nodes than ${named}, which it asks for by name`];
  }
  if (!isShort || nodes.length !== 1 || first === undefined || ties.length < others.length) return [];
  const on = pod.nodeName(nodes[0]!);
  if (first.kind === 'devices-elsewhere') {
    return [
      say`make room on ${on}, where the devices of claim ${first.claim} are: move or shrink pods that run there, or give it a claim of its own`,
    ];
  }
  return [
    first.kind === 'volume'
      ? say`make room on ${on}, the only node that can use volume ${first.volume}: move or shrink pods that run there`
      : say`make room on ${on}, the only node with ${list(first.selectors)}: move or shrink pods that run there`,
  ];
}

function isTieToNode(
  part: CausePart,
): part is CausePart & { readonly kind: 'volume' | 'affinity' | 'devices-elsewhere' } {
  if (part.kind === 'affinity') return part.topologyKey === hostname;
  if (part.kind === 'devices-elsewhere') return true;
  return (
    part.kind === 'volume' &&
    part.volume !== '' &&
    part.wanted.every((each) => each.startsWith('kubernetes.io/hostname='))
  );
}

function adviceForPart(part: CausePart, cause: Cause, pod: PendingPod): readonly string[] {
  const { node: index, nodes } = cause;
  const { kind, namespace, workload, spec, inventory, grows } = pod;
  const node = pod.nodeName(index ?? -1);
  switch (part.kind) {
    case 'taint':
      return [
        ...taintAdvice(part.taints, namesOf(nodes, pod), workload),
        ...(cause.others.length === 0 ? onlyControlPlane(part.taints, inventory) : []),
      ];
    case 'labels': {
      const now = part.wanted.flatMap((wanted) => {
        const key = /^[^=\s]+/.exec(wanted)?.[0] ?? '';
        const current = currentLabel(key);
        return current === undefined ? [] : [say`select ${current}, as ${key} is called now`];
      });
      const nodeLabels = inventory.objects('Node').map(({ metadata }) => metadata?.labels);
      const near = part.wanted.flatMap((wanted) => nearLabel(wanted, nodeLabels) ?? []);
      if (near.length > 0) return [say`select ${joined(near, ', ')}, which nodes have`];
      const pools = part.wanted.flatMap((wanted) => nearPool(wanted, pod) ?? []);
      if (pools.length > 0) return [say`select ${joined(pools, ', ')}, as the pool is called`];
      const byRuntime = ofRuntimeClass(part.wanted, spec, inventory);
      if (byRuntime.length > 0) return byRuntime;
      if (now.length > 0) return now;
      const apart = lackedApart(cause);
      const keys = apart.map((wanted) => wanted.split('=', 1)[0]!);
      if (new Set(keys).size < keys.length) {
        return [
          say`ask for one of ${list(apart)}: all matchExpressions of a term must hold, and of several nodeSelectorTerms one is enough`,
        ];
      }
      if (pod.suits) return [];
      return grows
        ? [say`select labels that nodes have, or let a pool give its nodes ${joined(part.wanted, ', ')}`]
        : [say`select labels that nodes have, or add a node that has them`];
    }
    case 'cordon': {
      const drained = nodes.filter((each) => pod.isDrained(each));
      return drained.length === 0
        ? []
        : [say`uncordon ${list(namesOf(drained, pod), nodesNamed)} once that is done, and the pod runs there`];
    }
    case 'spread':
      return forSpread(
        part,
        say`set nodeTaintsPolicy: Honor, so that nodes that are closed to it are not counted, or whenUnsatisfiable: ScheduleAnyway`,
      );
    case 'anti-affinity':
      return part.theirs && !part.pods.every((key) => key.startsWith(`${namespace}/${workload}-`))
        ? [say`ask for it as preferred anti-affinity in ${list(part.pods)}, or let its selector there match fewer pods`]
        : part.pods.some((key) => key.startsWith(`${namespace}/${workload}-`))
          ? [say`ask for it as preferred anti-affinity`]
          : [say`ask for it as preferred anti-affinity, or let its selector match fewer pods`];
    case 'affinity': {
      const { names, isCircle, near } = pod.pendingOf(part.selectors);
      if (isCircle) {
        return [say`it and ${list(names)} wait for each other: ask for it as preferred affinity in one of them`];
      }
      if (names.length > 0) return [say`see to ${list(names)} first: it is pending itself`];
      if (near.length > 0) return [say`select ${joined([...near], ', ')}, which pods of its namespace have`];
      return part.elsewhere.length === 0
        ? [say`deploy a pod of ${list(part.selectors)}, or ask for it as preferred affinity`]
        : [
            say`set namespaces: [${part.elsewhere.join(', ')}] in the affinity term, which looks into its own namespace alone`,
          ];
    }
    case 'amount':
      return amountAdvice(part, node, namespace, spec, inventory, grows);
    case 'claim':
      return claimAdvice(part, pod, inventory);
    case 'volume-choice':
      return volumeChoiceAdvice(part, inventory);
    case 'device-claim':
      return [namedOrCreated(part.missing, part.name, part.known, namespace, inventory)];
    case 'devices-elsewhere':
      return part.wanted.length === 0
        ? [say`see why the driver does not get the devices of claim ${part.claim} ready`]
        : [
            say`let the pod use nodes with ${joined(part.wanted, say` or `)}, or give it a claim of its own: a claim keeps its devices while a pod uses it`,
          ];
    case 'devices':
      return deviceAdvice(part, node, pod.mayTakeFrom);
    case 'scheduler': {
      const [near] = nearestNames(part.name, part.known, Math.ceil(part.name.length / 4));
      return [
        near === undefined
          ? say`run scheduler ${part.name}, or name one that runs: ${list(part.known)}`
          : say`set schedulerName: ${near}`,
      ];
    }
    case 'volume':
      return part.volume === '' ? [] : lostNodeAdvice(part, inventory, grows);
    case 'node-name':
      return [say`take nodeName out, or name a node that is there`];
    case 'volume-limit':
      return part.need > part.limit
        ? [say`let several pods have its volumes: no more than ${part.limit} of them can be attached to one node`]
        : [say`move pods with volumes of ${part.driver} to other nodes`];
    case 'port':
      return part.pods.some((key) => key.startsWith(`${namespace}/${workload}`))
        ? [
            kind === 'DaemonSet'
              ? say`set maxSurge: 0 and maxUnavailable: 1`
              : say`use a Service, or one pod a node (DaemonSet)`,
          ]
        : part.pods.length > 1
          ? [say`use another host port, or none: ${list(part.pods)} have ${list(part.ports)}`]
          : [say`use another host port, or none: ${list(part.pods)} has ${list(part.ports)}`];
    case 'other':
      return part.plugin === 'DynamicResources' ? deviceErrorAdvice(part.reasons.join(), inventory) : [];
    default:
      return [];
  }
}

/** A cluster without workers: whether its nodes are to run applications is for whoever runs it to say. */
function onlyControlPlane(taints: readonly string[], inventory: Inventory): readonly string[] {
  const [key = ''] = taints.flatMap((taint) => (isOfControlPlane(taint) ? [taint.split(/[=:]/, 1)[0]!] : []));
  const nodes = inventory.objects('Node').map(({ metadata }) => metadata?.name ?? '');
  return key === '' || taints.length > 1
    ? []
    : [
        say`or, where ${list(nodes, nodesNamed)} ${nodes.length === 1 ? 'is' : 'are'} to run applications, too, as in a cluster without workers, remove the taint: kubectl taint nodes ${nodes.length === 1 ? nodes[0]! : '--all'} ${key}-`,
      ];
}

/** The label of a pool that is meant by one of no pool. */
function nearPool(wanted: string, pod: PendingPod): string | undefined {
  const [key = '', value = ''] = wanted.split('=');
  const kind = key === nodePoolKey ? 'NodePool' : key === computeClassKey ? 'ComputeClass' : undefined;
  const near = kind === undefined ? undefined : misspeltPool(value, pod.poolNames(kind));
  return near === undefined ? undefined : `${key}=${near}`;
}

/** Labels that the RuntimeClass of the pod asks for, and not the pod. */
function ofRuntimeClass(wanted: readonly string[], spec: PodSpec | undefined, inventory: Inventory): readonly string[] {
  const name = spec?.runtimeClassName ?? '';
  const runtime = inventory.objects('RuntimeClass').find(({ metadata }) => name !== '' && metadata?.name === name);
  const asked = Object.entries(runtime?.scheduling?.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`);
  const written = Object.entries(spec?.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`);
  if (!wanted.every((each) => asked.includes(each) && !written.includes(each))) return [];
  return [
    say`RuntimeClass ${name} asks for ${list(wanted)} (scheduling.nodeSelector): add a node that has it and the runtime, or correct the class`,
  ];
}
