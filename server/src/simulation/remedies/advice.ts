import { own } from '../../util/own.ts';
import { joined, say } from '../../util/say.ts';
import { namedAmount } from '../../util/amounts.ts';
import { count, list } from '../../util/words.ts';
import { needOf, requestName, type RequestPart } from '../causes/device-text.ts';
import { isOffered } from '../causes/shortages-of.ts';
import type { Cause, CausePart } from '../../report-model/cause.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { classNamed, isHugePages } from '../causes/cause-text.ts';
import { isPinned } from '../causes/nearness.ts';
import { outOfService } from '../../kubernetes/taints.ts';
import { nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import { areApart } from '../causes/find-causes.ts';
import type { Inventory } from '../cluster/inventory.ts';
import { leastOfRequest } from '../operations/smaller-amount.ts';
import { endOfTaint, isBeingRemoved } from './end-of-taint.ts';
import { namedOrCreated } from './missing-claims.ts';
import { namesNodes } from './labels-for.ts';
import { nearLabel } from './near-label.ts';

const hostname = 'kubernetes.io/hostname';
const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/**
 * What to do about a cause that no operation removes, or none that is safe; empty where nothing is known.
 * @param grows whether nodes come of pools, and are not added by hand
 */
export function adviceFor(
  cause: Cause,
  inventory: Inventory,
  node: (index: number) => string,
  pendingOf: (selectors: readonly string[]) => Waiting,
  grows: boolean,
  own: Own,
): readonly string[] {
  const { parts, needs, resized } = cause;
  // Where room is lacking besides, pods that may be together have none.
  const isShort = parts.some((part) => part.kind === 'amount' && isOffered(part));
  const forParts = new Set(
    parts.flatMap((part) =>
      isShort && part.kind === 'anti-affinity' && own.kind !== 'DaemonSet'
        ? []
        : part.kind === 'spread' && !isClosedByTaint(cause)
          ? forSpread(part, say`set whenUnsatisfiable: ScheduleAnyway`)
          : adviceForPart(part, inventory, node(cause.node ?? -1), cause.nodes.map(node), pendingOf, grows, own),
    ),
  );
  return [
    ...forParts,
    ...forSmallNodes(cause, own.kind),
    ...forClosedForNow(cause, node),
    ...selectsElsewhere(cause),
    ...roomThere(cause, node, own),
    ...whereClassMakes(cause),
    ...(areVolumesApart(cause)
      ? [say`move one of the volumes to where the other is: restore a snapshot of it there`]
      : []),
    ...(needs.length === 0
      ? []
      : [say`give ${list(needs)} the same or a higher class, so that it is not what is evicted`]),
    ...(resized.length === 0
      ? []
      : [
          say`move pods away from ${node(cause.node ?? -1)}, so that its kubelet completes the resize, or take the resize back`,
        ]),
  ];
}

function isClosedByTaint({ parts, others }: Cause): boolean {
  return [parts, ...others.map((other) => other.parts)].some((each) =>
    each.some(({ kind }) => kind === 'taint' || kind === 'cordon'),
  );
}

function forSpread(part: CausePart & { readonly kind: 'spread' }, otherwise: string): readonly string[] {
  if (part.domain === '') return [say`spread over a label that nodes have, such as kubernetes.io/hostname`];
  return [part.minDomains > 0 ? say`lower minDomains to ${part.domains}` : otherwise];
}

/** Taints that are there while something is wrong with the node. */
export function forTaints(taints: readonly string[], nodes: readonly string[]): readonly string[] {
  return taints
    .filter((taint) => taintOwner(taint) === 'condition')
    .map((taint) =>
      // Nothing removes it but who has put it on, once the node is back.
      taint.startsWith(outOfService)
        ? say`once ${list(nodes, nodesNamed)} is back, remove the taint: kubectl taint nodes ${nodes[0]!} ${outOfService}-`
        : isBeingRemoved(taint)
          ? say`Cluster Autoscaler removes ${list(nodes, nodesNamed)} (${taint}): it takes no more pods`
          : say`find out why ${taint} is still on ${list(nodes, nodesNamed)}: ${endOfTaint(taint)}`,
    );
}

const nodesNamed = 3;

/** Nodes that would take the pod but for something that is wrong with them for a time. */
function forClosedForNow({ others }: Cause, node: (index: number) => string): readonly string[] {
  return others.flatMap(({ parts: [part, ...more], nodes }) =>
    part?.kind === 'taint' && more.length === 0 ? forTaints(part.taints, nodes.map(node)) : [],
  );
}

/** Where volumes or pods tie a pod to one node that has no room: nodes that are added have none of these. */
function roomThere(
  { parts, nodes, others }: Cause,
  node: (index: number) => string,
  { kind, spec }: Own,
): readonly string[] {
  const isShort = parts.length > 0 && parts.every((part) => part.kind === 'amount' && part.need <= part.capacity);
  const ties = others.flatMap((other) => other.parts.find(isTieToNode) ?? []);
  const [first] = ties;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isByName = kind !== 'DaemonSet' && (own(spec?.nodeSelector, hostname) !== undefined || namesNodes(required));
  const named = list(nodes.map(node), nodesNamed);
  if (isShort && isByName) {
    return [
      say`make room on ${named}, which it asks for by name: move or shrink pods that run there, or let it use other nodes`,
    ];
  }
  if (isByName && parts.some(({ kind: each }) => each === 'amount' || each === 'taint')) {
    return [say`let it use other nodes than ${named}, which it asks for by name`];
  }
  if (!isShort || nodes.length !== 1 || first === undefined || ties.length < others.length) return [];
  const on = node(nodes[0]!);
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

/** The pod that is pending. */
interface Own {
  readonly kind: string;
  readonly namespace: string;
  readonly workload: string;
  readonly spec: PodSpec | undefined;
  /** Whether some pool gives the labels that it selects. */
  readonly suits: boolean;
}

/** The pods of a DaemonSet have one node each, and none that is larger. */
function forSmallNodes({ parts }: Cause, kind: string): readonly string[] {
  return parts.flatMap((part) =>
    kind === 'DaemonSet' &&
    part.kind === 'amount' &&
    isOffered(part) &&
    // What is proposed instead is no less than that.
    (part.capacity < part.need * leastOfRequest || (parts.length > 1 && part.need > part.capacity))
      ? [say`ask for at most ${namedAmount(part.resource, part.capacity)}, or select nodes that are larger`]
      : [],
  );
}

/** A class that makes volumes only where no node is. */
function whereClassMakes({ parts, others }: Cause): readonly string[] {
  const isSelected = others.some((other) => other.parts.some(({ kind }) => kind === 'labels'));
  return parts.flatMap((part) =>
    part.kind === 'volume' && part.volume === '' && !isSelected
      ? [say`let the class of claim ${part.claim} make volumes where nodes are (allowedTopologies)`]
      : [],
  );
}

/** A volume that is elsewhere than where the pod selects to be. */
function selectsElsewhere({ parts, others }: Cause): readonly string[] {
  const volume = parts.find(({ kind }) => kind === 'volume');
  const isSelected = others.some((other) => other.parts.some((part) => part.kind === 'labels' && !isPinned(part)));
  if (volume?.kind !== 'volume' || !isSelected) return [];
  if (volume.volume === '') {
    return [
      say`let the pod select nodes with ${joined(volume.wanted, say` or `)}, or use a class for claim ${volume.claim} that makes volumes where the pod selects to be`,
    ];
  }
  return [
    say`let the pod select where volume ${volume.volume} is, or make claim ${volume.claim} anew of a class with volumeBindingMode: WaitForFirstConsumer, which makes volumes where pods are placed`,
  ];
}

/** Pods that a term of affinity asks for and that are pending themselves, and whether one of them asks for this one. */
export interface Waiting {
  readonly names: readonly string[];
  /** Labels that pods have and that may be meant by those that it asks for. */
  readonly near: readonly string[];
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
  alike: readonly string[],
  pendingOf: (selectors: readonly string[]) => Waiting,
  grows: boolean,
  { kind, namespace, workload, spec, suits }: Own,
): readonly string[] {
  switch (part.kind) {
    case 'taint':
      return forTaints(part.taints, alike);
    case 'labels': {
      const now = part.wanted.flatMap((wanted) => {
        const key = /^[^=\s]+/.exec(wanted)?.[0] ?? '';
        const current = currentLabel(key);
        return current === undefined ? [] : [say`select ${current}, as ${key} is called now`];
      });
      const nodeLabels = inventory.objects('Node').map(({ metadata }) => metadata?.labels);
      const near = part.wanted.flatMap((wanted) => nearLabel(wanted, nodeLabels) ?? []);
      if (near.length > 0) return [say`select ${joined(near, ', ')}, which nodes have`];
      const byRuntime = ofRuntimeClass(part.wanted, spec, inventory);
      if (byRuntime.length > 0) return byRuntime;
      if (now.length > 0) return now;
      if (suits) return [];
      return grows
        ? [say`select labels that nodes have, or let a pool give its nodes ${joined(part.wanted, ', ')}`]
        : [say`select labels that nodes have, or add a node that has them`];
    }
    case 'spread':
      return forSpread(
        part,
        say`set nodeTaintsPolicy: Honor, so that nodes that are closed to it are not counted, or whenUnsatisfiable: ScheduleAnyway`,
      );
    case 'anti-affinity':
      return part.theirs && !part.pods.every((key) => key.startsWith(`${namespace}/${workload}-`))
        ? [say`ask for it as preferred anti-affinity in ${list(part.pods)}, or let its selector there match fewer pods`]
        : [say`ask for it as preferred anti-affinity`];
    case 'affinity': {
      const { names, isCircle, near } = pendingOf(part.selectors);
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
      if (!isOffered(part)) return [offering(part.resource, inventory, grows)];
      if (part.resource === 'pods') {
        return [
          say`raise maxPods of the kubelet of ${node}, where its network has addresses for more (on EKS: prefix delegation)`,
        ];
      }
      return [
        ...unwritten(part.resource, namespace, spec, inventory),
        ...(!grows && part.need > part.capacity && part.resource !== 'cpu' && part.resource !== 'memory'
          ? [say`add a node that has ${namedAmount(part.resource, part.need)}`]
          : []),
      ];
    case 'claim':
      return claimAdvice(part, namespace, inventory);
    case 'volume-choice':
      return volumeAdvice(part, inventory);
    case 'device-claim':
      return [namedOrCreated(part.missing, part.name, part.known, namespace, inventory)];
    case 'devices-elsewhere':
      return part.wanted.length === 0
        ? [say`see why the driver does not get the devices of claim ${part.claim} ready`]
        : [
            say`let the pod use nodes with ${joined(part.wanted, say` or `)}, or give it a claim of its own: a claim keeps its devices while a pod uses it`,
          ];
    case 'devices':
      return [
        ...new Set([...togetherAdvice(part), ...part.requests.flatMap((request) => deviceAdvice(request, node))]),
      ].slice(0, deviceAdviceTold);
    case 'scheduler': {
      const [near] = nearestNames(part.name, part.known, Math.ceil(part.name.length / 4));
      return [
        near === undefined
          ? say`run scheduler ${part.name}, or name one that runs: ${list(part.known)}`
          : say`set schedulerName: ${near}`,
      ];
    }
    case 'volume':
      return part.volume === '' ? [] : onLostNode(part, inventory, grows);
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
        : [say`use another host port, or none: ${list(part.pods)} has ${list(part.ports)}`];
    case 'other':
      return part.plugin === 'DynamicResources' ? deviceErrorAdvice(part.reasons.join(), inventory) : [];
    default:
      return [];
  }
}

/** An error that ends the attempt, whatever other nodes have. */
function deviceErrorAdvice(reason: string, inventory: Inventory): readonly string[] {
  const [, key] = /no such key: ([^\s,;]+)/.exec(reason) ?? [];
  if (key !== undefined) {
    const meant = meantOfDevices(key, inventory);
    if (meant.length > 0) return [say`select by ${list(meant, othersTold)}, which devices have`];
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

/** What devices have by a name, or by the nearest one, of a domain that no selector names beside it. */
function meantOfDevices(key: string, inventory: Inventory): readonly string[] {
  const offered = inventory.objects('ResourceSlice').flatMap(({ spec }) =>
    (spec.devices ?? []).flatMap(({ attributes = {}, capacity = {} }) =>
      Object.entries({ attributes, capacity }).flatMap(([field, all]) =>
        Object.keys(all).map((name) => {
          const [domain, own] = name.includes('/') ? name.split('/', 2) : [spec.driver, name];
          return { name: own ?? '', domain: `["${domain ?? ''}"]`, field };
        }),
      ),
    ),
  );
  const names = new Set(offered.map(({ name }) => name));
  const [near] = names.has(key) ? [key] : nearestNames(key, names, 2);
  const selectors = ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate'] as const;
  const written = selectors.map((kind) => JSON.stringify(inventory.objects(kind).map(({ spec }) => spec))).join();
  const isMeant = ({ name, domain }: (typeof offered)[number]): boolean =>
    name === near && (near !== key || !written.replaceAll('\\', '').includes(domain));
  return [...new Set(offered.filter(isMeant).map(({ name, domain, field }) => `device.${field}${domain}.${name}`))];
}

const deviceAdviceTold = 3;

/** Where there are devices for each request, and not for all. */
function togetherAdvice({ requests, together, match }: CausePart & { readonly kind: 'devices' }): readonly string[] {
  if (match.length > 0) {
    return [say`add a node with devices that have the same ${list(match)}, or take the constraint out of the claim`];
  }
  return together === 0
    ? []
    : [
        say`claim at most ${together} of class ${requests[0]!.className} in a pod, or add a node with ${count(needOf(requests), 'such device')}`,
      ];
}

function deviceAdvice(request: RequestPart, node: string): readonly string[] {
  const { obstacles, instead, devices, className } = request;
  const of = (kind: RequestPart['obstacles'][number]['kind']): readonly string[] =>
    obstacles.flatMap((each) => (each.kind === kind ? each.texts : []));
  const named = (kind: RequestPart['obstacles'][number]['kind']): readonly string[] =>
    obstacles.flatMap((each) => (each.kind === kind ? each.names : []));
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
    ...(of('taint').length === 0
      ? []
      : [
          say`find out why its driver or a DeviceTaintRule has put ${joined([...of('taint')], ', ')} on ${list(named('taint'), othersTold)}; tolerate it in ${requestName(request)} only if such a device will do`,
        ]),
    ...(of('pool').length === 0
      ? []
      : [
          say`see to the driver of class ${className}: of pool ${list(named('pool'), othersTold)} no device is given until all of its slices are there and valid`,
        ]),
    ...(of('selector').length === 0 || of('taken').length > 0 || (need > 0 && fit >= need)
      ? []
      : [say`select in ${requestName(request)} what devices have, or add a node whose devices have it`]),
    ...(isShort && obstacles.length > 0 && fit === 0 && instead.length === 0
      ? [say`add a node with devices of class ${className}: no device on ${node} passes its selectors`]
      : []),
    ...(of('error').length === 0
      ? []
      : [say`repair the selectors of ${requestName(request)} or of class ${className}`]),
  ];
}

/** A resource that no node offers: a name that is nearly one that some do, or a device plugin that does not run. */
function offering(resource: string, inventory: Inventory, grows: boolean): string {
  const offered = inventory.objects('Node').flatMap(({ status }) => Object.keys(status?.allocatable ?? {}));
  if (isHugePages(resource)) {
    return say`set ${resource} aside on a node (vm.nr_hugepages, or the kernel's command line) and restart its kubelet`;
  }
  const className = classNamed(resource);
  if (className !== undefined) {
    return inventory.objects('DeviceClass').some(({ metadata }) => metadata?.name === className)
      ? say`claim devices of class ${className}: this Kubernetes gives none to extended resources`
      : namedOrCreated('DeviceClass', className, [], '', inventory);
  }
  const [near] = nearestNames(resource, new Set(offered), 2);
  const domain = `${resource.split('/', 1)[0]!}/`;
  const others = [...new Set(offered.filter((each) => resource.includes('/') && each.startsWith(domain)))];
  if (near === undefined && others.length > 0) {
    return say`ask for ${list(others, othersTold)}, which nodes offer instead`;
  }
  if (near !== undefined) return say`ask for ${near}, which nodes offer`;
  return grows
    ? say`let a pool make nodes that offer ${resource}, or run its device plugin on a node that has the devices`
    : say`run the device plugin of ${resource} on a node that has the devices`;
}

const othersTold = 3;

/** An amount that containers do not ask for themselves: it is that of their limit, or what a LimitRange gives. */
function unwritten(
  resource: string,
  namespace: string,
  spec: PodSpec | undefined,
  inventory: Inventory,
): readonly string[] {
  const silent = (spec?.containers ?? []).filter(({ resources }) => own(resources?.requests, resource) === undefined);
  const limited = silent.filter(({ resources }) => own(resources?.limits, resource) !== undefined);
  const isShared = resource === 'cpu' || resource === 'memory';
  return [
    ...(limited.length > 0 && isShared
      ? [
          say`write a request of ${resource} in container ${list(limited.map(({ name }) => name))}: without one it is the limit`,
        ]
      : []),
    ...(limited.length === silent.length ? [] : ofLimitRange(resource, namespace, inventory)),
  ];
}

function ofLimitRange(resource: string, namespace: string, inventory: Inventory): readonly string[] {
  return inventory.objects('LimitRange').flatMap((object) => {
    const [given] = (object.spec?.limits ?? []).flatMap((item) =>
      item.type === 'Container' ? (own(item.defaultRequest, resource) ?? own(item.default, resource) ?? []) : [],
    );
    return namespaceOf(object) === namespace && given !== undefined
      ? [
          say`write in each container how much ${resource} it needs: LimitRange ${nameOf(object)} gives ${given} to one that says nothing`,
        ]
      : [];
  });
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

/** Source: a class without a provisioner, as for local volumes: kubernetes.io/no-provisioner */
function volumeAdvice(
  { claim, className }: CausePart & { readonly kind: 'volume-choice' },
  inventory: Inventory,
): readonly string[] {
  const found = inventory.objects('StorageClass').find(({ metadata }) => metadata?.name === className);
  if (found?.provisioner !== 'kubernetes.io/no-provisioner') return [];
  const released = inventory
    .objects('PersistentVolume')
    .filter(({ spec, status }) => status?.phase === 'Released' && spec?.storageClassName === className)
    .map(({ metadata }) => metadata?.name ?? '');
  return [
    say`create a PersistentVolume of class ${className} for claim ${claim}: nothing makes one for a class without a provisioner`,
    ...(released.length === 0
      ? []
      : [
          say`or take spec.claimRef out of ${list(released, othersTold)}, whose claim is gone, where the data there may go`,
        ]),
  ];
}

/** What is kept on a node's own disk is where that node is, and nowhere else; other volumes are where a pool may be. */
function onLostNode(
  { claim, wanted, volume }: CausePart & { readonly kind: 'volume' },
  inventory: Inventory,
  grows: boolean,
): readonly string[] {
  const lost = wanted.flatMap((each) => /^kubernetes\.io\/hostname=(\S+)$/.exec(each)?.[1] ?? []);
  const isThere = (name: string): boolean =>
    inventory.objects('Node').some(({ metadata }) => labelValue(metadata?.labels, hostname) === name);
  if (lost.length === 0 && grows) return [poolFor(wanted, volume)];
  return lost.length === 0 || lost.length < wanted.length || lost.some(isThere)
    ? []
    : [
        say`bring node ${list(lost)} back, which has the data of claim ${claim}; without it, delete the claim, and what makes the pod makes an empty one`,
      ];
}

/** What to do where no pool makes nodes where a volume is. */
function poolFor(wanted: readonly string[], volume: string): string {
  return say`let a pool make nodes with ${joined(wanted, say` or `)}, where volume ${volume} is, or restore a snapshot of it where nodes are`;
}

function claimAdvice(
  { claim, problem, names }: CausePart & { readonly kind: 'claim' },
  namespace: string,
  inventory: Inventory,
): readonly string[] {
  const classes = inventory.objects('StorageClass').flatMap(({ metadata }) => metadata?.name ?? []);
  const [first] = classes;
  switch (problem) {
    case 'missing':
      if (names.length > 0) {
        return [say`raise quota ${list(names)}, or ask for less in claim ${claim}`];
      }
      return [
        namedOrCreated(
          'PersistentVolumeClaim',
          claim,
          inventory
            .objects('PersistentVolumeClaim')
            .filter((each) => namespaceOf(each) === namespace)
            .flatMap(({ metadata }) => metadata?.name ?? []),
          namespace,
          inventory,
        ),
      ];
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
    case 'unbound': {
      const see = `kubectl describe pvc ${claim} -n ${namespace}`;
      const own = inventory.objects('StorageClass').find(({ metadata }) => metadata?.name === names[0]);
      if (own === undefined || own.provisioner === 'kubernetes.io/no-provisioner') {
        return [say`create a PersistentVolume that suits claim ${claim} (class, size and access modes): ${see}`];
      }
      return [say`see why ${own.provisioner} makes no volume for claim ${claim}: ${see}`];
    }
    case 'in-use':
      return [say`let the pod that uses it end first (strategy Recreate), or use ReadWriteMany`];
    case 'other':
      return [];
  }
}
