import { isMeantInMillicores, namedAmount } from '../../util/amounts.ts';
import { addTo } from '../../util/maps.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { count, grouped, titleOf } from '../../util/words.ts';
import { addDefaultTolerations } from '../../kubernetes/defaults/index.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import { compileRequiredNodeAffinity, selectableNode } from '../../kubernetes/node-selector.ts';
import type {
  Deployment,
  HorizontalPodAutoscaler,
  LabelSelector,
  Node,
  Pod,
  PodSpec,
} from '../../kubernetes/objects.ts';
import { nameOf } from '../../kubernetes/names.ts';
import { podRequests, readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { replicasOf, workloadKinds } from '../../kubernetes/pod-template.ts';
import { quantityValue } from '../../kubernetes/quantity.ts';
import {
  firstUntolerated,
  NO_EXECUTE_EFFECTS,
  NO_SCHEDULE_EFFECTS,
  taintText,
  tolerates,
} from '../../kubernetes/taints.ts';
import { derived } from '../index/derived.ts';
import type { Fact } from '../index/fact.ts';
import { isDeviceResource } from '../index/known-devices.ts';
import { poolsFor } from '../index/pools.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { fixAt, renameKey } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import { mostByQuota } from './support/quotas.ts';
import { madePod } from './support/made-pods.ts';
import type { ObjectRule } from './support/rule.ts';

export const nodeNameDoesNotFit: ObjectRule = {
  code: 'node-name-does-not-fit',
  title: 'A pod names a node whose kubelet refuses it',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const { template } = fact;
    const name = template?.spec.nodeName ?? '';
    if (template === undefined || name === '' || isStoredPod(fact)) return;
    const node: Node | undefined = facts.ofKind('Node').find((each) => each.name === name)?.object;
    const spec = madePod(fact, facts)?.spec;
    if (node === undefined || spec === undefined) return;
    const why =
      refusalOf(spec, node) ||
      tooManyOn(node, spec, replicasOf(fact.object)) ||
      besideOthers(node, spec, fact, running(facts).get(name));
    if (why === '') return;
    const message = say`nodeName bypasses the scheduler, and the kubelet of ${name} refuses these pods: ${why}. Take nodeName out, and the scheduler picks a node that takes them.`;
    yield findingAt(fact, [...template.path, 'spec', 'nodeName'], message);
  },
};

/** Why the kubelet of an empty node refuses a pod; empty where it does not. Source: pkg/kubelet/lifecycle/predicate.go */
function refusalOf(spec: PodSpec, node: Node): string {
  const { allocatable } = node.status ?? {};
  if (allocatable !== undefined) {
    const has = readResourceList(allocatable);
    for (const [resource, { nanos }] of podRequests(spec)) {
      const offered = has.get(resource)?.nanos ?? 0n;
      if (nanos > offered) {
        return say`OutOf${resource}, it asks for ${amountText(resource, nanos)}, and the node has ${amountText(resource, offered)}`;
      }
    }
  }
  if (!compileRequiredNodeAffinity(spec).matches(selectableNode(node))) return say`it has not the labels they ask for`;
  const { tolerations } = addDefaultTolerations({ spec }).spec!;
  const taint = firstUntolerated(node.spec?.taints, tolerations, NO_EXECUTE_EFFECTS);
  return taint === undefined ? '' : say`they do not tolerate its taint ${taintText(taint)}`;
}

/** Why the kubelet refuses some of the replicas; empty where an empty node takes all. */
function tooManyOn({ status }: Node, spec: PodSpec, replicas: number): string {
  if (status?.allocatable === undefined) return '';
  const takes = podsOn(readResourceList(status.allocatable), podRequests(spec));
  return takes >= replicas ? '' : say`an empty one takes ${count(takes, 'pod')} of ${grouped(replicas)}`;
}

/** What the pods that run on each node ask for. */
const running = derived(['Pod'], (pods) => {
  const byNode = new Map<string, RunningPod[]>();
  for (const fact of pods) {
    const { spec, status } = fact.object as Pod;
    const name = spec?.nodeName ?? '';
    if (spec === undefined || name === '' || !isStoredPod(fact) || status?.phase !== 'Running') continue;
    addTo(byNode, name, { fact, requests: podRequests(spec) });
  }
  return byNode;
});

interface RunningPod {
  readonly fact: Fact;
  readonly requests: ResourceAmounts;
}

/** Why the kubelet refuses pods beside those of others that run there; empty where it takes them. */
function besideOthers({ status }: Node, spec: PodSpec, fact: Fact, there: readonly RunningPod[] = []): string {
  if (status?.allocatable === undefined) return '';
  const has = readResourceList(status.allocatable);
  const own = compileLabelSelector(ownSelector(fact));
  const others = there.filter(
    (other) => other.fact.namespace !== fact.namespace || !own.matches(other.fact.object.metadata?.labels),
  );
  for (const [resource, { nanos }] of podRequests(spec)) {
    const taken = others.reduce((sum, { requests }) => sum + (requests.get(resource)?.nanos ?? 0n), 0n);
    const free = (has.get(resource)?.nanos ?? 0n) - taken;
    if (nanos > 0n && nanos > free) {
      return say`OutOf${resource}, it asks for ${amountText(resource, nanos)}, and beside the pods that run there ${amountText(resource, free < 0n ? 0n : free)} is free`;
    }
  }
  return '';
}

/** What the pods of a workload are told by; a pod that is written down has none yet. */
function ownSelector({ kind, object, template }: Fact): LabelSelector | undefined {
  if (kind === 'Pod') return undefined;
  const { selector } = (object as Deployment).spec ?? {};
  return selector?.matchLabels === undefined ? { matchLabels: template?.metadata.labels ?? {} } : selector;
}

function amountText(resource: string, nanos: bigint): string {
  // Cpu in thousandths, all else in units.
  return namedAmount(resource, Number(nanos / (resource === 'cpu' ? 1_000_000n : 1_000_000_000n)));
}

export const exceedsEveryNode: ObjectRule = {
  code: 'exceeds-every-node',
  title: 'Pods ask for more than any known node that they may use has',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts, release }) {
    const { template } = fact;
    // A DaemonSet is for each node by itself; what is bound is placed.
    if (template === undefined || fact.kind === 'DaemonSet' || (template.spec.nodeName ?? '') !== '') return;
    const nodes = offeringNodes(facts);
    if (nodes.length === 0 || isStoredPod(fact)) return;
    const spec = madePod(fact, facts)?.spec;
    if (spec === undefined) return;
    // Devices are in ResourceSlices, and simulations count them.
    const asked = [...podRequests(spec)].filter(
      ([resource, { nanos }]) => nanos > 0n && !isDeviceResource(resource, facts, release),
    );
    const isOpen = openTo(spec);
    const open: OfferingNode[] = [];
    // Most pods fit on the first node that they may use.
    for (const each of nodes) {
      if (!isOpen(each.node)) continue;
      const { offer } = each;
      if (offer === undefined || asked.every(([resource, { nanos }]) => offered(each, resource) >= nanos)) return;
      open.push(each);
    }
    if (open.length === 0 || poolsFor(spec, facts).length > 0) return;
    const most = (resource: string): bigint =>
      open.reduce((largest, each) => {
        const amount = offered(each, resource);
        return amount > largest ? amount : largest;
      }, 0n);
    const tooLarge = asked.find(([resource, { nanos }]) => nanos > most(resource));
    const at = [...template.path, 'spec', 'containers'];
    if (tooLarge === undefined) {
      const message = say`Of the ${count(open.length, 'known node')} that these pods may use none has all that they ask for together: they would stay pending.`;
      yield findingAt(fact, at, message, { absence: { of: 'Node' } });
      return;
    }
    const [resource, { nanos }] = tooLarge;
    const alone = (['containers', 'initContainers'] as const)
      .flatMap((list) =>
        (template.spec[list] ?? []).map(({ resources }, index) => ({
          resources,
          path: [...template.path, 'spec', list, index],
        })),
      )
      .find(
        ({ resources }) =>
          (readResourceList(resources?.requests ?? resources?.limits).get(resource)?.nanos ?? 0n) > most(resource),
      );
    const part = own(alone?.resources?.requests, resource) === undefined ? 'limits' : 'requests';
    const near = nearOffer(resource, nodes);
    const asks = amountText(resource, nanos);
    const closed = nodes.find((each) => !isOpen(each.node) && offered(each, resource) >= nanos);
    const [need, capacity] = [nanos, most(resource)].map((each) => Number(each / 1_000_000n));
    const has = say`the largest known node that they may use has ${amountText(resource, most(resource))}`;
    const message =
      closed !== undefined
        ? say`These pods ask for ${asks}. Node ${nameOf(closed.node)} has that, and a taint or its labels close it to them; ${has}: they would stay pending.`
        : isMeantInMillicores(resource, need!, capacity!)
          ? say`These pods ask for ${asks}, and ${has}; did you mean ${need! / 1000}m? They would stay pending.`
          : near === undefined
            ? say`These pods ask for ${asks}, and ${has}: they would stay pending.`
            : say`These pods ask for ${asks}, which no known node offers; did you mean ${near}? They would stay pending.`;
    yield findingAt(fact, alone === undefined ? at : [...alone.path, 'resources', part, resource], message, {
      absence: { of: 'Node' },
    });
  },
  fix: fixAt((fact, path, { facts }) => {
    const near = nearOffer(String(path.at(-1)), offeringNodes(facts));
    if (near === undefined) return [];
    const places = ['requests', 'limits'].map((part) => [...path.slice(0, -2), part, String(path.at(-1))]);
    const written = places.filter((place) => fact.manifest.locate(place, 'key') !== undefined);
    return [{ title: say`Change to ${near}`, preferred: true, edits: written.map((at) => renameKey(fact, at, near)) }];
  }),
};

/** What nodes offer by nearly the same name as a resource that none of them does. */
function nearOffer(resource: string, nodes: readonly OfferingNode[]): string | undefined {
  const offers = new Set(nodes.flatMap(({ offer }) => [...(offer?.keys() ?? [])]));
  return offers.has(resource) ? undefined : nearestNames(resource, offers, 2)[0];
}

/** A node and what it offers; undefined where it does not say. */
interface OfferingNode {
  readonly node: Node;
  readonly offer: ResourceAmounts | undefined;
}

const offeringNodes = derived(['Node'], (nodes): readonly OfferingNode[] =>
  nodes.map(({ object }) => {
    const node: Node = object;
    const { allocatable } = node.status ?? {};
    return { node, offer: allocatable === undefined ? undefined : readResourceList(allocatable) };
  }),
);

function offered({ offer }: OfferingNode, resource: string): bigint {
  return offer?.get(resource)?.nanos ?? 0n;
}

/** What keeps a pod off a cordoned node. Source: pkg/scheduler/framework/plugins/nodeunschedulable */
const cordoned = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

export const toleratesCordonedNodes: ObjectRule = {
  code: 'tolerates-cordoned-nodes',
  title: 'Pods that tolerate cordoned nodes return to a drained node',
  severity: 'information',
  scope: 'object',
  *check({ fact }) {
    const { template, kind } = fact;
    // Pods of Jobs end by themselves.
    if (template === undefined || ['CronJob', 'DaemonSet', 'Job', 'Pod'].includes(kind)) return;
    const index = (template.spec.tolerations ?? []).findIndex((each) => tolerates(each, cordoned));
    if (index < 0) return;
    const message = say`These pods tolerate the taint of a cordoned node: what a drain evicts may be placed on the same node again, which then is not empty.`;
    yield findingAt(fact, [...template.path, 'spec', 'tolerations', index], message);
  },
};

export const autoscalerMaximumDoesNotFit: ObjectRule = {
  code: 'autoscaler-maximum-does-not-fit',
  title: 'Nodes or a ResourceQuota have no room for as many pods as an autoscaler may request',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts, release }) {
    if (fact.kind !== 'HorizontalPodAutoscaler') return;
    const { scaleTargetRef, maxReplicas } = written(fact.object as HorizontalPodAutoscaler);
    const nodes = offeringNodes(facts);
    const kind = workloadKinds.find((each) => each === scaleTargetRef?.kind);
    if (kind === undefined || maxReplicas === undefined) return;
    const target = facts
      .ofKind(kind)
      .find((each) => each.namespace === fact.namespace && each.name === scaleTargetRef?.name);
    const spec = target === undefined ? undefined : madePod(target, facts)?.spec;
    if (target === undefined || spec === undefined) return;
    const bound = mostByQuota(target, facts);
    if (bound !== undefined && bound.pods < maxReplicas) {
      const refused = say`${titleOf(target)} may get ${count(maxReplicas, 'pod')}, and ResourceQuota ${bound.quota} lets in ${grouped(bound.pods)} even when it counts nothing else (${bound.resource}).`;
      yield findingAt(fact, ['spec', 'maxReplicas'], refused, { related: () => [target] });
      return;
    }
    if (nodes.length === 0 || poolsFor(spec, facts).length > 0) return;
    const requests = new Map(
      [...podRequests(spec)].filter(([resource]) => !isDeviceResource(resource, facts, release)),
    );
    const isOpen = openTo(spec);
    let room = 0;
    for (const { node, offer } of nodes) {
      if (!isOpen(node)) continue;
      if (offer === undefined) return;
      room += podsOn(offer, requests);
      if (room >= maxReplicas) return;
    }
    const message = say`${titleOf(target)} may get ${count(maxReplicas, 'pod')}, and the known nodes that they may use take ${grouped(room)} even when nothing else runs there.`;
    yield findingAt(fact, ['spec', 'maxReplicas'], message, { related: () => [target] });
  },
};

/** Whether a pod may use a node, whatever is free there. */
function openTo(spec: PodSpec): (node: Node) => boolean {
  const required = compileRequiredNodeAffinity(spec);
  return (node) =>
    required.matches(selectableNode(node)) &&
    firstUntolerated(node.spec?.taints, spec.tolerations, NO_SCHEDULE_EFFECTS) === undefined;
}

/** What a half-written one may lack. */
function written({ spec }: HorizontalPodAutoscaler): Partial<HorizontalPodAutoscaler['spec']> {
  return spec;
}

/** How many pods an empty node takes. */
function podsOn(allocatable: ResourceAmounts, requests: ResourceAmounts): number {
  const pods = allocatable.get('pods');
  const most = [...requests]
    .filter(([, { nanos }]) => nanos > 0n)
    .map(([resource, { nanos }]) => (allocatable.get(resource)?.nanos ?? 0n) / nanos);
  const limits = [...most.map(Number), ...(pods === undefined ? [] : [Number(quantityValue(pods))])];
  return limits.length === 0 ? Infinity : Math.min(...limits);
}
