import { joined, say } from '../../util/say.ts';
import { namedAmount } from '../../util/amounts.ts';
import { count, list } from '../../util/words.ts';
import { requestName, type RequestPart } from '../causes/device-text.ts';
import { isOffered } from '../causes/shortages-of.ts';
import type { Cause, CausePart } from '../../report-model/cause.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import { areApart } from '../causes/find-causes.ts';
import type { Inventory } from '../cluster/inventory.ts';
import { namedOrCreated } from './missing-claims.ts';
import { nearLabel } from './near-label.ts';

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/**
 * What to do about a cause that no operation removes, or none that is safe; empty where nothing is known.
 * @param grows whether nodes come of pools, and are not added by hand
 */
export function adviceFor(
  cause: Cause,
  inventory: Inventory,
  node: string,
  pendingOf: (selectors: readonly string[]) => Waiting,
  grows: boolean,
): readonly string[] {
  const { parts, needs, resized } = cause;
  const forParts = new Set(parts.flatMap((part) => adviceForPart(part, inventory, node, pendingOf, grows)));
  return [
    ...forParts,
    ...(areVolumesApart(cause)
      ? [say`move one of the volumes to where the other is: restore a snapshot of it there`]
      : []),
    ...(needs.length === 0
      ? []
      : [say`give ${list(needs)} the same or a higher class, so that it is not what is evicted`]),
    ...(resized.length === 0
      ? []
      : [say`move pods away from ${node}, so that its kubelet completes the resize, or take the resize back`]),
  ];
}

/** Pods that a term of affinity asks for and that are pending themselves, and whether one of them asks for this one. */
export interface Waiting {
  readonly names: readonly string[];
  readonly isCircle: boolean;
}

/** Whether no node can ever use all volumes of a pod. */
export function areVolumesApart({ parts, others }: Pick<Cause, 'parts' | 'others'>): boolean {
  const volumes = [parts, ...others.map((other) => other.parts)].map((each) =>
    each.flatMap((part) => (part.kind === 'volume' ? [part] : [])),
  );
  const [own] = volumes[0] ?? [];
  return (
    own !== undefined &&
    volumes.every(({ length }) => length > 0) &&
    volumes.flat().some(({ claim, wanted }) => claim !== own.claim && areApart(wanted, own.wanted))
  );
}

function adviceForPart(
  part: CausePart,
  inventory: Inventory,
  node: string,
  pendingOf: (selectors: readonly string[]) => Waiting,
  grows: boolean,
): readonly string[] {
  switch (part.kind) {
    case 'taint':
      return part.taints
        .filter((taint) => taintOwner(taint) === 'condition')
        .map(
          (taint) =>
            say`find out why ${taint} is still on ${node}: its controller removes it once the node is in order`,
        );
    case 'labels': {
      const now = part.wanted.flatMap((wanted) => {
        const key = /^[^=\s]+/.exec(wanted)?.[0] ?? '';
        const current = currentLabel(key);
        return current === undefined ? [] : [say`select ${current}, as ${key} is called now`];
      });
      const near = part.wanted.flatMap((wanted) => nearLabel(wanted, inventory.objects('Node')) ?? []);
      if (near.length > 0) return [say`select ${joined(near, ', ')}, which nodes have`];
      if (now.length > 0) return now;
      return grows
        ? [say`select labels that nodes have or a pool gives`]
        : [say`select labels that nodes have, or add a node that has them`];
    }
    case 'spread':
      if (part.domain === '') return [say`spread over a label that nodes have, such as kubernetes.io/hostname`];
      return part.minDomains > 0
        ? [say`lower minDomains to ${part.domains}`]
        : [
            say`set nodeTaintsPolicy: Honor, so that nodes that are closed to it are not counted, or whenUnsatisfiable: ScheduleAnyway`,
          ];
    case 'anti-affinity':
      return [say`ask for it as preferred anti-affinity`];
    case 'affinity': {
      const { names, isCircle } = pendingOf(part.selectors);
      if (isCircle) {
        return [say`it and ${list(names)} wait for each other: ask for it as preferred affinity in one of them`];
      }
      if (names.length > 0) return [say`see to ${list(names)} first, which is pending itself`];
      return part.elsewhere.length === 0
        ? [say`deploy a pod of ${list(part.selectors)}, or ask for it as preferred affinity`]
        : [
            say`set namespaces: [${part.elsewhere.join(', ')}] in the affinity term, which looks into its own namespace alone`,
          ];
    }
    case 'amount':
      if (!isOffered(part)) return [offering(part.resource, inventory)];
      return !grows && part.need > part.capacity && part.resource !== 'cpu' && part.resource !== 'memory'
        ? [say`add a node that has ${namedAmount(part.resource, part.need)}`]
        : [];
    case 'claim':
      return claimAdvice(part, inventory);
    case 'device-claim':
      return [namedOrCreated(part.missing, part.name, part.known)];
    case 'devices-elsewhere':
      return part.wanted.length === 0
        ? [say`see why the driver does not get the devices of claim ${part.claim} ready`]
        : [
            say`let the pod use nodes with ${joined(part.wanted, say` or `)}, or give it a claim of its own: a claim keeps its devices while a pod uses it`,
          ];
    case 'devices':
      return part.requests.flatMap((request) => deviceAdvice(request, node)).slice(0, deviceAdviceTold);
    case 'scheduler': {
      const [near] = nearestNames(part.name, part.known, Math.ceil(part.name.length / 4));
      return [
        near === undefined
          ? say`name one of the schedulers that run: ${list(part.known)}`
          : say`set schedulerName: ${near}`,
      ];
    }
    case 'volume':
      return part.volume === '' ? [] : onLostNode(part, inventory);
    case 'node-name':
      return [say`take nodeName out, or name a node that is there`];
    case 'volume-limit':
      return [say`move pods with volumes of ${part.driver} to other nodes`];
    case 'port':
      return [say`use a Service, or one pod a node (DaemonSet)`];
    case 'other':
      return part.plugin === 'DynamicResources' ? deviceErrorAdvice(part.reasons.join()) : [];
    default:
      return [];
  }
}

/** An error that ends the attempt, whatever other nodes have. */
function deviceErrorAdvice(reason: string): readonly string[] {
  if (reason.includes('no such key: ')) {
    return [say`ask for the attribute with has(…), or with ?. and orValue(…): a device that lacks it ends the attempt`];
  }
  if (reason.includes('CEL ')) return [say`repair the selector: an error in it ends the attempt on every node`];
  if (reason.includes('currently being updated')) {
    return [say`let the driver publish all slices of the pool (resourceSliceCount), or ask for a number of devices`];
  }
  if (reason.includes('in the meantime')) {
    return [say`name each claim once in the pod: its containers can share it`];
  }
  return [];
}

const deviceAdviceTold = 3;

function deviceAdvice(request: RequestPart, node: string): readonly string[] {
  const { obstacles, instead, devices, className } = request;
  const of = (kind: RequestPart['obstacles'][number]['kind']): readonly string[] =>
    obstacles.flatMap((each) => (each.kind === kind ? each.texts : []));
  if (devices === 0 && obstacles.length === 0) {
    return [
      say`run the driver of class ${className} on a node that has the devices, so that it publishes a ResourceSlice`,
    ];
  }
  const { need, fit } = request;
  const isShort = obstacles.every(({ kind }) => kind === 'class');
  return [
    ...(isShort && fit > 0 && need > fit
      ? [say`ask for at most ${fit} in ${requestName(request)}, or add a node with ${count(need, 'such device')}`]
      : []),
    ...(instead.length === 0
      ? []
      : [say`use class ${list(instead)} in ${requestName(request)}: ${node} has enough of it`]),
    ...(of('taken').length === 0
      ? []
      : [say`end pods that use claim ${list(of('taken'))}: a claim without pods gives its devices back`]),
    ...(of('taint').length === 0 ? [] : [say`tolerate ${joined([...of('taint')], ', ')} in ${requestName(request)}`]),
    ...(of('selector').length === 0 || of('taken').length > 0
      ? []
      : [say`select in ${requestName(request)} what devices have, or add a node whose devices have it`]),
    ...(of('error').length === 0
      ? []
      : [say`repair the selectors of ${requestName(request)} or of class ${className}`]),
  ];
}

/** A resource that no node offers: a name that is nearly one that some do, or a device plugin that does not run. */
function offering(resource: string, inventory: Inventory): string {
  const offered = inventory.objects('Node').flatMap(({ status }) => Object.keys(status?.allocatable ?? {}));
  const [near] = nearestNames(resource, new Set(offered), 2);
  return near === undefined
    ? say`run the device plugin of ${resource} on a node that has the devices`
    : say`ask for ${near}, which nodes offer`;
}

/** What is kept on a node's own disk is where that node is, and nowhere else. */
function onLostNode(
  { claim, wanted }: CausePart & { readonly kind: 'volume' },
  inventory: Inventory,
): readonly string[] {
  const lost = wanted.flatMap((each) => /^kubernetes\.io\/hostname=(\S+)$/.exec(each)?.[1] ?? []);
  const isThere = (name: string): boolean =>
    inventory.objects('Node').some(({ metadata }) => labelValue(metadata?.labels, 'kubernetes.io/hostname') === name);
  return lost.length === 0 || lost.length < wanted.length || lost.some(isThere)
    ? []
    : [
        say`bring node ${list(lost)} back, which has the data of claim ${claim}; without it, delete the claim, and what makes the pod makes an empty one`,
      ];
}

function claimAdvice(
  { claim, problem, names }: CausePart & { readonly kind: 'claim' },
  inventory: Inventory,
): readonly string[] {
  const classes = inventory.objects('StorageClass').flatMap(({ metadata }) => metadata?.name ?? []);
  const [first] = classes;
  switch (problem) {
    case 'missing':
      return [say`create PersistentVolumeClaim ${claim}`];
    case 'no-class':
      return first === undefined
        ? [say`create a StorageClass, or a volume for claim ${claim}`]
        : [
            say`set storageClassName: ${first} in claim ${claim}, or mark it as the default: kubectl annotate storageclass ${first} ${defaultClass}=true`,
          ];
    case 'unknown-class': {
      const [near = first] = nearestNames(names[0] ?? '', classes, 4);
      return near === undefined
        ? [say`create StorageClass ${list(names)}`]
        : [say`set storageClassName: ${near} in claim ${claim}, or create StorageClass ${list(names)}`];
    }
    case 'unbound':
      return [say`see why claim ${claim} is not bound: kubectl describe pvc ${claim}`];
    case 'in-use':
      return [say`let the pod that uses it end first (strategy Recreate), or use ReadWriteMany`];
    case 'other':
      return [];
  }
}
