import { joined, say } from '../../kit/say.ts';
import { namedAmount } from '../../kit/amounts.ts';
import { list } from '../../kit/words.ts';
import { isOffered } from '../report/cause/shortages-of.ts';
import type { Cause, CausePart } from '../../contract/cause.ts';
import { nearestNames } from '../../kit/nearest-names.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import { areApart } from '../report/cause/find-causes.ts';
import type { Inventory } from '../scene/inventory.ts';
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
      if (!isOffered(part)) return [say`run the device plugin of ${part.resource} on a node that has the devices`];
      return !grows && part.need > part.capacity && part.resource !== 'cpu' && part.resource !== 'memory'
        ? [say`add a node that has ${namedAmount(part.resource, part.need)}`]
        : [];
    case 'claim':
      return claimAdvice(part, inventory);
    case 'scheduler': {
      const [near] = nearestNames(part.name, part.known, Math.ceil(part.name.length / 4));
      return [
        near === undefined
          ? say`name one of the schedulers that run: ${list(part.known)}`
          : say`set schedulerName: ${near}`,
      ];
    }
    case 'node-name':
      return [say`take nodeName out, or name a node that is there`];
    case 'volume-limit':
      return [say`move pods with volumes of ${part.driver} to other nodes`];
    case 'port':
      return [say`use a Service, or one pod a node (DaemonSet)`];
    default:
      return [];
  }
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
