import { namedAmount } from '../../util/amounts.ts';
import { joined, say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import { compileRequiredNodeAffinity } from '../../kubernetes/node-selector.ts';
import type { Container, Pod, PodSpec } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import {
  podRequests,
  readResourceList,
  type ResourceAmounts,
  setsPodLevelRequests,
} from '../../kubernetes/pod-resources.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { qosClass, type QosClass } from '../../kubernetes/qos-class.ts';
import { type Quantity, quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import type { KnownNode, NodeSize } from '../index/known-nodes.ts';
import { isDeviceResource } from '../index/known-devices.ts';
import { code } from '../connection/markdown.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { limitRangesFor, madePod } from '../rules/support/made-pods.ts';
import { factLinks, nodeLink, nodesText } from './links.ts';
import { poolsText } from './node-pool.ts';
import { type HoverPlace, nodesOf, paragraphs, points } from './place.ts';

/** What a pod asks of its node: on containers, their resources, those of the pod as a whole, and overhead. */
export function resourcesHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  const [list, index, field, part] = path;
  const isOfContainer = list === 'containers' || list === 'initContainers';
  if (isOfContainer && path.length > 1 && field !== 'resources') return undefined;
  if (part === 'claims' || (list === 'resources' && index === 'claims')) return undefined;
  const pod = madePod(fact, facts);
  if (pod?.spec === undefined) return undefined;
  const requests = podRequests(pod.spec, isStoredPod(fact) ? { status: pod.status } : {});
  const devices = [...requests.keys()].filter((name) => isDeviceResource(name, facts, place.release));
  const container = isOfContainer && typeof index === 'number' ? pod.spec[list]?.[index] : undefined;
  const written = isOfContainer && typeof index === 'number' ? fact.template?.spec[list]?.[index] : undefined;
  const qos = qosClass(pod.spec, place.release);
  return paragraphs(
    say`**${fact.kind === 'Pod' ? say`This pod requests` : say`Each pod requests`} ${amountsText(requests)}** · QoS class ${code(qos)}: ${qosText[qos]}`,
    container === undefined ? '' : containerText(container, written, place),
    points([...partsOf(pod, requests), ...togetherText(place, requests), ...devicesText(pod.spec, devices)]),
    sharesText(place, new Map([...requests].filter(([name]) => !devices.includes(name))), pod.spec),
  );
}

/** Sources: rankMemoryPressure in pkg/kubelet/eviction/helpers.go, GetContainerOOMScoreAdjust in pkg/kubelet/qos/policy.go */
const qosText: Readonly<Record<QosClass, string>> = {
  Guaranteed: say`its requests are its limits; it is ended last when its node runs short`,
  Burstable: say`it may use more than it requests, and goes early when its node runs short meanwhile`,
  BestEffort: say`it has nothing of its own, and goes first when its node runs short`,
};

/** `1.5 cpu, 2 Gi` or `nothing`. */
export function amountsText(amounts: ResourceAmounts): string {
  const nonZero = [...amounts].filter(([, { nanos }]) => nanos !== 0n);
  const shown = nonZero.slice(0, shownResources).map(([name, amount]) => safeAmount(name, amount));
  if (nonZero.length > shown.length) shown.push(say`${nonZero.length - shown.length} more`);
  return shown.length === 0 ? say`nothing` : joined(shown, ', ');
}

const shownResources = 6;

/** Names of resources are written by strangers. */
function safeAmount(resource: string, amount: Quantity): string {
  const plainName = /^[\w./-]{1,80}$/.test(resource);
  return plainName
    ? namedAmount(resource, unitsOf(resource, amount))
    : say`${grouped(unitsOf('', amount))} ${code(resource)}`;
}

/** In the unit that amounts are written in: millicores, bytes, pieces. */
function unitsOf(resource: string, amount: Quantity): number {
  return Number(resource === 'cpu' ? quantityMilliValue(amount) : quantityValue(amount));
}

function containerText(container: Container, written: Container | undefined, { fact, facts }: HoverPlace): string {
  const { requests, limits } = container.resources ?? {};
  const own = amountsText(readResourceList(requests));
  const bounds = readResourceList(limits);
  const limited = bounds.size === 0 ? say`; it has no limits` : say`, and may use ${amountsText(bounds)}`;
  const notes = [say`Of that, container ${code(container.name)} requests ${own}${limited}.`];
  const unasked = Object.keys(requests ?? {}).filter(
    (name) => !Object.hasOwn(written?.resources?.requests ?? {}, name),
  );
  const byLimit = unasked.filter((name) => Object.hasOwn(written?.resources?.limits ?? {}, name));
  const byRange = unasked.filter((name) => !byLimit.includes(name));
  if (byLimit.length > 0) notes.push(say`A request that is not written is the limit: ${namesText(byLimit)}.`);
  const ranges = limitRangesFor(fact, facts);
  if (byRange.length > 0 && ranges.length > 0) {
    notes.push(
      say`What is not written for ${namesText(byRange)} comes from the LimitRange ${factLinks(ranges, facts)}.`,
    );
  }
  return joined(notes, ' ');
}

function namesText(names: readonly string[]): string {
  return joined(names.slice(0, shownResources).map(code), ', ');
}

/** What counts besides the containers. */
function partsOf({ spec = { containers: [] } }: Pod, requests: ResourceAmounts): string[] {
  const notes: string[] = [];
  const containers = podRequests({ containers: spec.containers });
  const { initContainers = [] } = spec;
  if (setsPodLevelRequests(spec)) {
    notes.push(
      say`The pod as a whole says what it requests; of the same resources, what its containers say is not charged.`,
    );
  } else if (initContainers.length > 0) {
    const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
    if (sidecars.length > 0) {
      notes.push(say`Sidecars (${sidecars.length}) run as long as the containers, and count with them.`);
    }
    const running = podRequests({ containers: [...spec.containers, ...sidecars] });
    const whole = podRequests({ containers: spec.containers, initContainers });
    const raised = [...whole].filter(([name, { nanos }]) => nanos > (running.get(name)?.nanos ?? 0n));
    notes.push(
      raised.length === 0
        ? say`Init containers end before the containers start, and raise nothing: the larger need counts.`
        : say`Init containers need more than what runs later, so their need counts: ${amountsText(new Map(raised))}, where the containers request ${amountsText(only(containers, raised))}.`,
    );
  }
  const overhead = readResourceList(spec.overhead);
  if (overhead.size > 0) {
    notes.push(
      say`${amountsText(overhead)} of it is overhead of the RuntimeClass ${code(spec.runtimeClassName ?? '')}.`,
    );
  }
  if (requests.size === 0 && (spec.resourceClaims ?? []).length === 0) {
    notes.push(say`Without requests it fits every node that has a pod left, however full.`);
  }
  return notes;
}

/** Devices are in ResourceSlices, and no part of what nodes have to allocate. */
function devicesText({ resourceClaims = [] }: PodSpec, resources: readonly string[]): readonly string[] {
  const parts = [
    ...(resourceClaims.length === 0 ? [] : [say`${count(resourceClaims.length, 'claim')}`]),
    ...resources.map(code),
  ];
  return parts.length === 0
    ? []
    : [say`It needs devices besides, for ${joined(parts, ', ')}: what is said of nodes below leaves them out.`];
}

function only(amounts: ResourceAmounts, wanted: readonly (readonly [string, Quantity])[]): ResourceAmounts {
  return new Map([...amounts].filter(([name]) => wanted.some(([other]) => other === name)));
}

function togetherText({ fact }: HoverPlace, requests: ResourceAmounts): string[] {
  if (fact.kind === 'Pod' || fact.kind === 'DaemonSet' || requests.size === 0) return [];
  const replicas = BigInt(replicasOf(fact.object));
  if (replicas < 2n) return [];
  const all = new Map([...requests].map(([name, amount]) => [name, { ...amount, nanos: amount.nanos * replicas }]));
  return [say`Its ${count(Number(replicas), 'pod')} request ${amountsText(all)} together.`];
}

/** How many sizes of nodes are told. */
const shownSizes = 5;

/** What share of an empty node of each size a pod takes. */
function sharesText(place: HoverPlace, requests: ResourceAmounts, spec: PodSpec): string {
  const known = nodesOf(place);
  if (known.nodes.length === 0) return poolsText(place, requests);
  const required = compileRequiredNodeAffinity(spec);
  const isOpen = ({ node, selectable, taints }: KnownNode): boolean =>
    required.matches(selectable) &&
    (node.spec?.unschedulable !== true || place.fact.kind === 'DaemonSet') &&
    firstUntolerated(taints, spec.tolerations, NO_SCHEDULE_EFFECTS) === undefined;
  const open = known.sizes
    .map(({ allocatable, nodes }): NodeSize => ({ allocatable, nodes: nodes.filter(isOpen) }))
    .filter(({ nodes }) => nodes.length > 0);
  const lines = open.slice(0, shownSizes).map((size, index) => shareText(size, index === 0, requests, place));
  if (open.length > lines.length) lines.push(say`${count(open.length - lines.length, 'smaller size')} more`);
  const closed = known.nodes.length - open.reduce((sum, { nodes }) => sum + nodes.length, 0);
  if (closed > 0) {
    lines.push(
      open.length === 0
        ? say`it may run on none of them: their labels or taints keep it away`
        : say`it may not run on ${count(closed, 'other node')}: their labels or taints keep it away`,
    );
  }
  const assumed = known.areAssumed
    ? say`No Node is declared, so these are assumed:`
    : say`Of the ${nodesText(known)}, while they are empty:`;
  return `${assumed}\n\n${points(lines)}`;
}

function shareText(
  { allocatable, nodes }: NodeSize,
  isLargest: boolean,
  requests: ResourceAmounts,
  { facts }: HoverPlace,
): string {
  const others = nodes.length === 1 ? '' : say` and ${nodes.length - 1} alike`;
  const size = ['cpu', 'memory'].flatMap((name) => {
    const amount = allocatable.get(name);
    return amount === undefined ? [] : [safeAmount(name, amount)];
  });
  const head = say`${isLargest ? say`the largest: ` : ''}${nodeLink(nodes[0]!, facts)}${others}${size.length === 0 ? '' : say` (${joined(size, ', ')})`}`;
  const asked = [...requests].filter(([, { nanos }]) => nanos > 0n);
  const tooMuch = asked.find(([name, { nanos }]) => nanos > (allocatable.get(name)?.nanos ?? 0n));
  if (tooMuch !== undefined) {
    const [name, amount] = tooMuch;
    const offered = allocatable.get(name);
    return say`${head}: too small, ${safeAmount(name, amount)} of ${offered === undefined ? say`none` : safeAmount(name, offered)}`;
  }
  const shares = asked
    .slice(0, shownResources)
    .map(
      ([name, { nanos }]) =>
        say`${percent(nanos, allocatable.get(name)!.nanos)} of ${name === 'cpu' || name === 'memory' ? name : code(name)}`,
    );
  const pods = allocatable.get('pods');
  const most = [
    ...asked.map(([name, { nanos }]) => allocatable.get(name)!.nanos / nanos),
    ...(pods === undefined ? [] : [quantityValue(pods)]),
  ];
  const fits =
    most.length === 0
      ? ''
      : say`room for ${grouped(Number(most.reduce((least, each) => (each < least ? each : least))))}`;
  return say`${head}: ${joined(
    [...shares, fits].filter((text) => text !== ''),
    ', ',
  )}`;
}

function percent(part: bigint, whole: bigint): string {
  return say`${grouped(Number(((Number(part) / Number(whole)) * 100).toFixed(1)))} %`;
}
