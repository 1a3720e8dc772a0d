/**
 * The nodes that a cluster would need for what is written, where nothing names one: a pool for each set of labels,
 * taints and devices that pods ask for. They show what manifests do to each other; whether a cluster has room they can
 * not say.
 */
import { append } from '../../util/append.ts';
import { greatest } from '../../util/extremes.ts';
import { computeClassKey } from '../../autoscaling/karpenter/labels.ts';
import { isKnownKind } from '../../kubernetes/decode/index.ts';
import { misspeltPool } from '../../kubernetes/misspelt-class.ts';
import { namespaceOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { applyLimitRanges } from '../../admission/request/limit-ranger.ts';
import { minReplicasOf } from '../../disruption/autoscaling.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import { compileRequiredNodeAffinity } from '../../kubernetes/node-selector.ts';
import type {
  Container,
  HorizontalPodAutoscaler,
  KubeObject,
  LimitRange,
  NodeSelectorTerm,
  PersistentVolume,
  Pod,
  PodAffinityTerm,
  PodSpec,
  RuntimeClass,
  Taint,
  Toleration,
} from '../../kubernetes/objects.ts';
import { podRequests, readResourceList } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf, replicasOf } from '../../kubernetes/pod-template.ts';
import { bareLabels } from '../../kubernetes/registered-node.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS, tolerates } from '../../kubernetes/taints.ts';
import { groupBy } from '../../util/maps.ts';

/** Amounts by resource: cores, bytes, or devices. */
type Sizes = ReadonlyMap<string, number>;

/** Nodes that are alike but for their zone. */
export interface AssumedPool {
  /** What tells it from other pools, in a word or two; empty for the nodes of pods that ask for nothing. */
  readonly title: string;
  readonly count: number;
  readonly amounts: Sizes;
  readonly labels: ReadonlyMap<string, string>;
  readonly taints: readonly Taint[];
  readonly zones: readonly string[];
  /** Keys of labels, besides those of zones, that its pods are spread over. */
  readonly domains: readonly string[];
  /** The name of its one node, where pods ask for it. */
  readonly name: string;
}

/** The size of the nodes, where somebody has said it. */
export interface WantedSize {
  readonly cpu?: number | undefined;
  readonly memory?: number | undefined;
  readonly pods: number;
}

const gibibyte = 1024 ** 3;

/** The smallest node: as clouds sell them, 4 Gi of memory for each core. */
const smallest = { cpu: 4, memory: 16 * gibibyte, 'ephemeral-storage': 100 * gibibyte } as const;

/** Nodes double until what is largest takes at most half of one, but not beyond what can be had. */
const largest = { cpu: 256, memory: 4096 * gibibyte, 'ephemeral-storage': 16_384 * gibibyte } as const;

type Sized = keyof typeof smallest;

/** How full the nodes are. */
const full = 0.8;

const fewestNodes = 3;
const zonesAtLeast = 3;

/** More zones than a region has are not assumed. */
const zonesAtMost = 6;

const mostNodes = 1000;

const zoneKeys = new Set(['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone']);
const regionKeys = new Set(['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']);
const hostKey = 'kubernetes.io/hostname';

/** What the pods of one workload ask of nodes. */
interface Need {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly spec: PodSpec;
  readonly replicas: number;
  /** While it is rolled out there may be one pod more. */
  readonly surge: number;
  readonly requests: Sizes;
  readonly wanted: Wanted;
}

interface Wanted {
  /** Those that not every node has. */
  readonly labels: ReadonlyMap<string, string>;
  readonly zone: string;
  readonly name: string;
}

/**
 * The pools for some objects.
 * @param others of another version of the same, that are to have the same nodes
 */
export function assumedPools(
  objects: Iterable<KubeObject>,
  size: WantedSize,
  others: Iterable<KubeObject> = [],
): readonly AssumedPool[] {
  const { needs, daemons, volumes } = collect(objects);
  for (const [key, need] of collect(others).needs) {
    const known = needs.get(key);
    // What asked for other nodes ran on those.
    if (known !== undefined && draftKey(known) !== draftKey(need)) needs.set(`${key} before`, need);
    else if (known === undefined || known.replicas < need.replicas) needs.set(key, need);
  }
  const drafts = new Map<string, Draft>();
  for (const need of needs.values()) draftOf(drafts, need.wanted, need.requests).needs.push(need);
  for (const wanted of volumes) draftOf(drafts, wanted);
  if (drafts.size === 0) draftOf(drafts, bare);
  const byNamespace = groupBy(needs.values(), (need) => need.namespace);
  const pools = [...drafts.values()].map((draft) => poolOf(draft, size, daemons, byNamespace));
  return titled(withEnough(pools));
}

const bare: Wanted = { labels: new Map(), zone: '', name: '' };

interface Collected {
  readonly needs: Map<WorkloadKey, Need>;
  /** Pods of DaemonSets. */
  readonly daemons: readonly PodSpec[];
  /** What volumes ask of nodes. */
  readonly volumes: readonly Wanted[];
}

function collect(objects: Iterable<KubeObject>): Collected {
  const workloads: KubeObject[] = [];
  const ranges: LimitRange[] = [];
  const runtimes = new Map<string, RuntimeClass>();
  const least = new Map<WorkloadKey, number>();
  const volumes: Wanted[] = [];
  const computeClasses: string[] = [];
  for (const object of objects) {
    if (object.kind === 'ComputeClass') computeClasses.push(object.metadata?.name ?? '');
    // Of versions that are not served nothing is read.
    if (!isKnownKind(object.apiVersion ?? '', object.kind ?? '')) continue;
    switch (object.kind) {
      case 'LimitRange':
        ranges.push(object);
        break;
      case 'RuntimeClass':
        runtimes.set(object.metadata?.name ?? '', object as RuntimeClass);
        break;
      case 'HorizontalPodAutoscaler': {
        const autoscaler = object as HorizontalPodAutoscaler;
        // One of a version that is not served has none of the defaults.
        const { kind, name } = (autoscaler as Partial<HorizontalPodAutoscaler>).spec?.scaleTargetRef ?? {};
        if (kind === undefined || name === undefined) break;
        least.set(workloadKey(kind, namespaceOf(autoscaler), name), minReplicasOf(autoscaler));
        break;
      }
      case 'PersistentVolume': {
        const required = (object as PersistentVolume).spec?.nodeAffinity?.required;
        const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
        const wanted = required === undefined ? undefined : wantedOf({ containers: [], affinity } as PodSpec);
        if (wanted !== undefined) volumes.push(wanted);
        break;
      }
      default:
        workloads.push(object);
    }
  }
  const needs = new Map<WorkloadKey, Need>();
  const daemons: PodSpec[] = [];
  for (const workload of workloads) {
    const template = podTemplateOf(workload);
    if (template === undefined) continue;
    const namespace = namespaceOf(workload);
    const pod: Pod = { metadata: { namespace }, spec: template.spec };
    const { spec = template.spec } = applyLimitRanges(pod, ranges);
    const admitted = withRuntimeClass(spec, runtimes.get(spec.runtimeClassName ?? ''));
    if (workload.kind === 'DaemonSet') {
      daemons.push(admitted);
      continue;
    }
    const wanted = wantedOf(admitted);
    const { name = '', generateName = '' } = workload.metadata ?? {};
    const key = workloadKey(workload.kind ?? '', namespace, name === '' ? `${generateName}${needs.size}` : name);
    const written = replicasOf(workload);
    const replicas = written === 0 ? 0 : Math.max(written, least.get(key) ?? 0);
    // No node has what contradicts itself, or the name of what makes it misspelt.
    if (wanted === undefined || replicas === 0 || needs.has(key)) continue;
    if (misspeltPool(wanted.labels.get(computeClassKey) ?? '', computeClasses) !== undefined) continue;
    const { labels } = template.metadata;
    const surge = workload.kind === 'Deployment' ? 1 : 0;
    needs.set(key, { namespace, labels, spec: admitted, replicas, surge, requests: sizesOf(admitted), wanted });
  }
  return { needs, daemons, volumes };
}

/** Source: plugin/pkg/admission/runtimeclass/admission.go */
function withRuntimeClass(spec: PodSpec, runtime: RuntimeClass | undefined): PodSpec {
  if (runtime === undefined) return spec;
  const { scheduling, overhead } = runtime;
  return {
    ...spec,
    nodeSelector: { ...spec.nodeSelector, ...scheduling?.nodeSelector },
    tolerations: [...(spec.tolerations ?? []), ...(scheduling?.tolerations ?? [])],
    ...(overhead?.podFixed === undefined ? {} : { overhead: overhead.podFixed }),
  };
}

/** What has only a limit asks for as much. Source: pkg/apis/core/v1/defaults.go (SetDefaults_Pod) */
function sizesOf(spec: PodSpec): Sizes {
  const asking = (containers: readonly Container[] = []): Container[] =>
    containers.map(({ resources = {}, ...container }) => {
      return { ...container, resources: { requests: { ...resources.limits, ...resources.requests } } };
    });
  const { containers, initContainers, ...rest } = spec;
  const pod = { ...rest, containers: asking(containers), initContainers: asking(initContainers) };
  return new Map([...podRequests(pod)].map(([name, { nanos }]) => [name, Number(nanos) / 1e9]));
}

function isSized(resource: string): resource is Sized {
  return Object.hasOwn(smallest, resource);
}

/** Resources that an ordinary node has not. */
function devicesOf(requests: Sizes): readonly string[] {
  return [...requests].flatMap(([name, amount]) => (amount > 0 && !isSized(name) ? [name] : [])).sort();
}

/** What a pod asks of the labels of its node: of alternatives the first that can be had. */
function wantedOf(spec: PodSpec): Wanted | undefined {
  const { nodeName = '' } = spec;
  if (nodeName !== '') return { labels: new Map(), zone: '', name: nodeName };
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined && spec.nodeSelector === undefined) return bare;
  const matcher = compileRequiredNodeAffinity(spec);
  for (const term of [{}, ...(terms ?? [])]) {
    const labels = new Map([...bareLabels, ...Object.entries(spec.nodeSelector ?? {})]);
    const named = { name: '' };
    addTerm(term, labels, named);
    const name = named.name === '' ? (labels.get(hostKey) ?? '') : named.name;
    if (name !== '' && !labels.has(hostKey)) labels.set(hostKey, name);
    // Whether there is a node of this kind: names are drawn later.
    if (!matcher.matches({ name: name === '' ? 'assumed' : name, labels: Object.fromEntries(labels) })) continue;
    let zone = '';
    for (const [key, value] of labels) {
      if (zoneKeys.has(key)) zone = value;
      if (zoneKeys.has(key) || key === hostKey || bareLabels.get(key) === value) labels.delete(key);
    }
    return { labels, zone, name };
  }
  return undefined;
}

/** Whether any ordinary node will do, as far as its labels and devices go. */
export function asksNothingOfNodes(spec: PodSpec): boolean {
  const wanted = wantedOf(spec);
  return wanted?.labels.size === 0 && wanted.zone === '' && wanted.name === '' && devicesOf(sizesOf(spec)).length === 0;
}

/** Labels that a term asks for, besides those that are there. */
function addTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  labels: Map<string, string>,
  named: { name: string },
): void {
  for (const { key, operator, values = [] } of matchExpressions) {
    const known = labels.get(key);
    switch (operator) {
      case 'In':
        if (known === undefined || !values.includes(known)) labels.set(key, values[0] ?? '');
        break;
      case 'Exists':
        if (known === undefined) labels.set(key, key.startsWith('node-role.kubernetes.io/') ? '' : 'true');
        break;
      case 'NotIn':
        if (key === 'kubernetes.io/arch' && known !== undefined && values.includes(known)) labels.set(key, 'arm64');
        break;
      case 'Gt':
      case 'Lt':
        if (known === undefined) labels.set(key, String(Number(values[0]) + (operator === 'Gt' ? 1 : -1)));
        break;
    }
  }
  for (const { key, operator, values = [] } of matchFields) {
    if (key === 'metadata.name' && operator === 'In') named.name = values[0] ?? '';
  }
}

/** A pool in the making. */
interface Draft {
  readonly labels: Map<string, string>;
  readonly devices: Set<string>;
  readonly zones: Set<string>;
  readonly name: string;
  readonly needs: Need[];
}

/** A node that is asked for by its name is one, whatever else is asked of it. */
function draftKey({ wanted: { labels, name }, requests }: Pick<Need, 'wanted' | 'requests'>): string {
  return name === '' ? JSON.stringify([[...labels].sort(), devicesOf(requests)]) : name;
}

function draftOf(drafts: Map<string, Draft>, wanted: Wanted, requests: Sizes = new Map()): Draft {
  const { labels, zone, name } = wanted;
  const key = draftKey({ wanted, requests });
  let draft = drafts.get(key);
  if (draft === undefined) {
    drafts.set(key, (draft = { labels: new Map(), devices: new Set(), zones: new Set(), name, needs: [] }));
  }
  for (const device of devicesOf(requests)) draft.devices.add(device);
  for (const [label, value] of labels) draft.labels.set(label, value);
  if (zone !== '') draft.zones.add(zone);
  return draft;
}

function poolOf(
  { labels, devices, zones: named, name, needs }: Draft,
  wanted: WantedSize,
  daemons: readonly PodSpec[],
  byNamespace: ReadonlyMap<string, readonly Need[]>,
): AssumedPool {
  const isBare = labels.size === 0 && devices.size === 0 && name === '';
  const taints = isBare ? [] : taintsFor(needs);
  const node = { name: name || 'assumed', labels: Object.fromEntries([...bareLabels, ...labels]) };
  const onEach = daemons.filter(
    (spec) =>
      compileRequiredNodeAffinity(spec).matches(node) &&
      firstUntolerated(taints, spec.tolerations, NO_SCHEDULE_EFFECTS) === undefined,
  );
  const taken = new Map<string, number>();
  for (const spec of onEach) {
    for (const [resource, amount] of sizesOf(spec)) taken.set(resource, (taken.get(resource) ?? 0) + amount);
  }
  const zones = zonesOf(named, needs, byNamespace);
  const pods = needs.reduce((sum, { replicas }) => sum + replicas, 0);
  const totalOf = (resource: string): number =>
    needs.reduce((sum, { requests, replicas }) => sum + replicas * (requests.get(resource) ?? 0), 0);
  const mostOf = (resource: string): number =>
    needs.reduce((most, { requests }) => Math.max(most, requests.get(resource) ?? 0), 0);
  // What is largest takes at most half of a node; all of one that is asked for by name.
  const askedOf = (resource: string): number =>
    (name === '' ? 2 * mostOf(resource) : totalOf(resource) / full) + (taken.get(resource) ?? 0);
  const amounts = amountsOf(
    askedOf,
    wanted,
    new Map([...devices].map((device) => [device, name === '' ? mostOf(device) : totalOf(device)])),
  );
  const atLeast = [pods / (full * Math.max(1, wanted.pods - onEach.length))];
  for (const [resource, amount] of amounts) {
    const free = amount - (taken.get(resource) ?? 0);
    const [most, total] = [mostOf(resource), totalOf(resource)];
    // Wherever the others land, there is room for what is largest.
    if (isSized(resource)) atLeast.push(total / Math.max(most, free / 2, Math.min(full * free, free - most), 1e-9));
    else atLeast.push(total / (full * amount), devicesIn(needs, resource, amount));
  }
  for (const zone of named) {
    const own = needs.filter((each) => each.wanted.zone === zone).reduce((sum, { replicas }) => sum + replicas, 0);
    atLeast.push(Math.ceil((own / Math.max(1, pods)) * greatest(atLeast)) * zones.length);
  }
  append(
    atLeast,
    needs.map((need) => nodesFor(need, byNamespace)),
  );
  if (needs.some(({ spec }) => spreadKeys(spec).some((key) => zoneKeys.has(key)))) atLeast.push(zones.length);
  const count = name === '' ? Math.min(mostNodes, Math.max(1, Math.ceil(greatest(atLeast)))) : 1;
  const domains = needs.flatMap(({ spec }) => spreadKeys(spec)).filter((key) => isOwnKey(key) && !labels.has(key));
  return {
    title: '',
    count,
    amounts: new Map([...amounts, ['pods', wanted.pods]]),
    labels,
    taints,
    zones,
    domains: [...new Set(domains)],
    name,
  };
}

function isOwnKey(key: string): boolean {
  return !zoneKeys.has(key) && !regionKeys.has(key) && key !== hostKey && !bareLabels.has(key);
}

/** Nodes for devices, which are not shared among nodes. */
function devicesIn(needs: readonly Need[], resource: string, amount: number): number {
  return needs.reduce((sum, { requests, replicas }) => {
    const one = requests.get(resource) ?? 0;
    return one === 0 ? sum : sum + replicas / Math.max(1, Math.floor(amount / one));
  }, 0);
}

/** The taints that all pods of a pool tolerate, and so are meant for. */
function taintsFor(needs: readonly Need[]): readonly Taint[] {
  const [first, ...others] = needs;
  const taints: Taint[] = [];
  for (const { key = '', value = '', effect = '' } of first?.spec.tolerations ?? []) {
    if (key === '' || key.startsWith('node.kubernetes.io/') || effect === 'PreferNoSchedule') continue;
    const taint = { key, ...(value === '' ? {} : { value }), effect: effect === '' ? 'NoSchedule' : effect };
    const isTolerated = others.every(({ spec }) =>
      (spec.tolerations ?? []).some((toleration: Toleration) => tolerates(toleration, taint)),
    );
    if (isTolerated && !taints.some((known) => known.key === key && known.effect === taint.effect)) taints.push(taint);
  }
  return taints;
}

/** The zones that pods name, else three, or more where pods have to be apart in more. */
function zonesOf(
  named: ReadonlySet<string>,
  needs: readonly Need[],
  byNamespace: ReadonlyMap<string, readonly Need[]>,
): readonly string[] {
  if (named.size > 0) return [...named].sort();
  const apart = needs.map((need) =>
    Math.max(
      ...[...zoneKeys].map((key) => podsApart(need, key, byNamespace)),
      ...spreadsOf(need.spec).map(({ topologyKey, minDomains = 0 }) => (zoneKeys.has(topologyKey) ? minDomains : 0)),
    ),
  );
  const zones = Math.min(zonesAtMost, Math.max(zonesAtLeast, greatest(apart)));
  return Array.from({ length: zones }, (_, index) => `zone-${lettersOf(index)}`);
}

/** a to z, then aa, ab, … */
export function lettersOf(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest === 0 ? '' : lettersOf(rest - 1)) + String.fromCharCode(97 + (index % 26));
}

function amountsOf(askedOf: (resource: string) => number, wanted: WantedSize, devices: Sizes): Sizes {
  /** How many times a node is doubled. */
  const doubled = (resource: Sized): number => {
    const asked = askedOf(resource);
    let amount: number = smallest[resource];
    let times = 0;
    for (; amount < asked && amount < largest[resource]; times += 1) amount *= 2;
    return times;
  };
  const times = Math.max(doubled('cpu'), doubled('memory'));
  const { cpu = Math.min(largest.cpu, smallest.cpu * 2 ** times) } = wanted;
  const { memory = Math.min(largest.memory, smallest.memory * 2 ** times) } = wanted;
  return new Map([
    ['cpu', cpu],
    ['memory', memory],
    ['ephemeral-storage', smallest['ephemeral-storage'] * 2 ** doubled('ephemeral-storage')],
    ...[...devices].map(([name, most]): [string, number] => [name, 2 ** Math.ceil(Math.log2(Math.max(1, most)))]),
  ]);
}

function spreadsOf({ topologySpreadConstraints = [] }: PodSpec) {
  return topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
}

function termsOf(spec: PodSpec, of: 'podAffinity' | 'podAntiAffinity'): readonly PodAffinityTerm[] {
  return spec.affinity?.[of]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** The keys of the domains that a pod asks nodes to have. */
function spreadKeys(spec: PodSpec): readonly string[] {
  const terms = [...termsOf(spec, 'podAffinity'), ...termsOf(spec, 'podAntiAffinity')];
  return [...spreadsOf(spec), ...terms].map(({ topologyKey }) => topologyKey);
}

/** How many pods, of it and others, may not share a domain. */
function podsApart(need: Need, topologyKey: string, byNamespace: ReadonlyMap<string, readonly Need[]>): number {
  let apart = 0;
  for (const term of termsOf(need.spec, 'podAntiAffinity')) {
    if (term.topologyKey !== topologyKey || !compileLabelSelector(term.labelSelector).matches(need.labels)) continue;
    const { matches } = compileLabelSelector(term.labelSelector);
    const kept = (byNamespace.get(need.namespace) ?? []).filter(({ labels }) => matches(labels));
    apart = Math.max(
      apart,
      kept.reduce((sum, { replicas, surge }) => sum + replicas + surge, 0),
    );
  }
  return apart;
}

/** How many nodes a workload needs, however large they are: of pods that are kept apart, and those of a port. */
function nodesFor(need: Need, byNamespace: ReadonlyMap<string, readonly Need[]>): number {
  const containers = [...need.spec.containers, ...(need.spec.initContainers ?? [])];
  // On the network of its node a pod has all its ports there. Source: pkg/apis/core/v1/defaults.go (defaultHostNetworkPorts)
  const { hostNetwork = false } = need.spec;
  const hasPort = containers.some(({ ports }) => (ports ?? []).some(({ hostPort = 0 }) => hostNetwork || hostPort > 0));
  const domains = spreadsOf(need.spec).map(({ topologyKey, minDomains = 0 }) =>
    topologyKey === hostKey ? minDomains : 0,
  );
  return Math.max(hasPort ? need.replicas + need.surge : 0, podsApart(need, hostKey, byNamespace), ...domains);
}

/** At least three nodes in all. */
function withEnough(pools: readonly AssumedPool[]): readonly AssumedPool[] {
  const sorted = [...pools].sort((a, b) => b.count - a.count);
  const all = pools.reduce((sum, { count }) => sum + count, 0);
  const growing = sorted.find(({ name }) => name === '');
  if (all >= fewestNodes || growing === undefined) return sorted;
  return sorted.map((pool) => (pool === growing ? { ...pool, count: pool.count + fewestNodes - all } : pool));
}

/** What is known of a pool by the first label, or device, that others have not: those with fewest choose first. */
function titled(pools: readonly AssumedPool[]): readonly AssumedPool[] {
  const seen = new Set<string>();
  const titles = new Map<AssumedPool, string>();
  const words = new Map(pools.map((pool) => [pool, wordsOf(pool)]));
  for (const [pool, [word = '', ...more]] of [...words].sort(([, a], [, b]) => a.length - b.length)) {
    const title = seen.has(word) ? [word, ...more].join(' ') : word;
    seen.add(title);
    titles.set(pool, title);
  }
  return pools.map((pool) => ({ ...pool, title: titles.get(pool)! }));
}

function wordsOf({ name, labels, amounts }: AssumedPool): readonly string[] {
  const devices = [...amounts.keys()].filter((resource) => !isSized(resource) && resource !== 'pods');
  return [
    ...new Set([
      ...(name === '' ? [] : [name]),
      ...[...labels].map(([key, value]) => wordFor(key, value)),
      ...devices.map((resource) => resource.slice(resource.lastIndexOf('/') + 1)),
    ]),
  ];
}

/** `arm64` of an architecture, `disktype=ssd` of a label that says nothing without its key. */
function wordFor(key: string, value: string): string {
  const short = key.slice(key.lastIndexOf('/') + 1);
  if (key.startsWith('node-role.kubernetes.io/') || value === 'true' || value === '') return short;
  return key === 'kubernetes.io/arch' || key === 'kubernetes.io/os' ? value : `${short}=${value}`;
}

/** Nodes that a cluster with autoscalers starts with; these add what pods ask for. */
export function basePool(size: WantedSize): AssumedPool {
  return withEnough([
    poolOf({ labels: new Map(), devices: new Set(), zones: new Set(), name: '', needs: [] }, size, [], new Map()),
  ])[0]!;
}

/** An amount in the units of `Sizes`; undefined for what is no quantity. */
export function amountIn(resource: string, written: string | number | undefined): number | undefined {
  if (written === undefined) return undefined;
  const read = readResourceList({ [resource]: String(written) }).get(resource);
  return read === undefined ? undefined : Number(read.nanos) / 1e9;
}
