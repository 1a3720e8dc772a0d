import { compareQuantities } from '../../kubernetes/quantity.ts';
import { subtractQuantities, type Quantity } from '../../kubernetes/quantity.ts';
import type { ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { goSort } from '../../scheduler/index.ts';
import { noAmounts, none, requestsOf, subtract } from './amounts.ts';
import { type Bits, countBits, isEmpty, keepBits } from './bits.ts';
import { bySize, type Catalog, type InstanceType, largestCapacity } from './catalog.ts';
import type { KarpenterCluster } from './cluster.ts';
import { DaemonPods } from './daemon-pods.ts';
import { ExistingNode } from './existing-node.ts';
import { type Fault, fault } from './faults.ts';
import { filterTypes } from './filter-types.ts';
import { HostPortUsage } from './host-port-usage.ts';
import { labelsOfClass, nodePoolKey } from './labels.ts';
import { NewNodeClaim, type PodData, type Template } from './node-claim.ts';
import type { NodePool } from './objects.ts';
import { usesResourceClaims } from './pods.ts';
import { relax } from './relax.ts';
import { labelRequirements, type Requirements, selectorRequirements, together } from './requirements.ts';
import { Reservations } from './reservations.ts';
import type { StateNode } from './state-nodes.ts';
import { Topology } from './topology.ts';
import { attachedVolumes } from './volumes.ts';
import { podRequirementsOf, strictRequirements, type WorkingPod } from './working-pod.ts';

export interface SchedulerOptions {
  /** `--preference-policy=Ignore` */
  readonly ignoresPreferences: boolean;
  /** `--min-values-policy=BestEffort` */
  readonly relaxesMinValues: boolean;
  /** Whether a pod waits for a reservation rather than go elsewhere: when provisioning, not when consolidating. */
  readonly waitsForReservations: boolean;
}

/** What Karpenter says while it works. */
export interface Journal {
  readonly log: (text: string) => void;
  /** An event on a pool. */
  readonly event: (pool: NodePool, text: string) => void;
  /** What a pod gives up. */
  readonly relaxed: (pod: WorkingPod, reason: string) => void;
}

const nothing = (): void => undefined;
export const silent: Journal = { log: nothing, event: nothing, relaxed: nothing };

export interface SchedulerInput {
  readonly cluster: KarpenterCluster;
  /** In the order in which they are asked. */
  readonly nodePools: readonly NodePool[];
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly stateNodes: readonly StateNode[];
  readonly pods: readonly { readonly pod: WorkingPod; readonly volumes: readonly Requirements[] }[];
  readonly options: SchedulerOptions;
  readonly journal: Journal;
}

/** What a pool by itself says of a pod on a new node. */
export interface PoolOffer {
  readonly pool: string;
  /** Names of the types that fit, and of how many that the pool may choose from. */
  readonly types: readonly string[];
  readonly of: number;
  /** Why none does. */
  readonly fault?: string;
  /** What the pods of DaemonSets ask for on each of its nodes. */
  readonly daemons?: ResourceAmounts;
  /** Whether it may make a node all the same. */
  readonly isOpen?: boolean;
  /** How many things are in the way. */
  readonly refusals?: number;
  /** Where its limits are in the way: what is used of each. */
  readonly limits?: readonly LimitInUse[];
  /** Where nothing else is: the smallest type that fits without them. */
  readonly beyond?: InstanceType;
  /** Where one requirement of the pool is all that is in the way: its key, and the types that fit without it by size. */
  readonly narrow?: { readonly key: string; readonly types: readonly string[] };
}

export interface LimitInUse {
  readonly resource: string;
  readonly used: Quantity;
  readonly limit: Quantity;
}

export interface Solution {
  readonly claims: readonly NewNodeClaim[];
  readonly existing: readonly ExistingNode[];
  /** By key of the pod. */
  readonly faults: ReadonlyMap<string, Fault>;
}

/** Pools of which it is looked for what is in the way: no more are named together. */
const mostExplained = 3;

const noRequests = { pod: noAmounts, daemons: noAmounts, all: noAmounts };

const claimsText = 'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter';

/** One pass over all pods that need a place. Source: karpenter …/scheduling/scheduler.go at v1.13.0 */
export class Scheduler {
  readonly #input: SchedulerInput;
  readonly #topology: Topology;
  readonly #templates: readonly Template[];
  readonly #existing: readonly ExistingNode[];
  readonly #reservations: Reservations;
  readonly #remaining = new Map<string, ResourceAmounts>();
  readonly #volumes: ReadonlyMap<string, readonly Requirements[]>;
  readonly #data = new Map<string, PodData>();
  readonly #originals: WorkingPod[] = [];
  readonly #someTaintPrefers: boolean;
  /** Pools none of whose types meet what they themselves require. */
  readonly #without: PoolOffer[] = [];
  #claims: NewNodeClaim[] = [];
  #considered = 0;

  constructor(input: SchedulerInput) {
    const { cluster, nodePools, catalogs, stateNodes, pods, options } = input;
    this.#input = input;
    this.#volumes = new Map(pods.map(({ pod, volumes }) => [pod.key, volumes]));
    const { ignoresPreferences } = options;
    this.#topology = new Topology(
      { cluster, stateNodes, nodePools, catalogs, ignoresPreferences },
      pods.map(({ pod }) => pod),
      (pod) => this.#originals.push(pod),
    );
    this.#someTaintPrefers = nodePools.some(({ taints }) => taints.some(({ effect }) => effect === 'PreferNoSchedule'));
    const daemons = new DaemonPods(cluster);
    this.#templates = nodePools
      .flatMap((pool) => this.#templateOf(pool))
      .map((template) => ({ ...template, ...daemonsOn(template, daemons) }));
    this.#reservations = new Reservations(catalogs.values());
    for (const { name, limits } of nodePools) if (limits !== undefined) this.#remaining.set(name, limits);
    for (const { labels, capacity } of stateNodes) {
      const pool = labels[nodePoolKey] ?? '';
      const remaining = this.#remaining.get(pool);
      if (remaining !== undefined) this.#remaining.set(pool, subtract(remaining, capacity));
    }
    this.#existing = stateNodes
      .map((node) => {
        const onNode = daemons.onNode(node).map(({ pod }) => pod.spec);
        return new ExistingNode(node, this.#topology, requestsOf(onNode));
      })
      .sort(byReadinessAndName);
  }

  /** Each pod is relaxed all the way, and comes again in its first form as long as others make progress. */
  solve(): Solution {
    for (const pod of this.#originals) this.#data.set(pod.key, this.#dataOf(pod));
    const queue = [...this.#originals];
    goSort(queue, (a, b) => this.#comesBefore(a, b));
    const lastLengths = new Map<string, number>();
    const faults = new Map<string, Fault>();
    while (queue.length > 0 && lastLengths.get(queue[0]!.key) !== queue.length) {
      const pod = queue.shift()!;
      const problem = this.#trySchedule(pod);
      if (problem === undefined) {
        faults.delete(pod.key);
        continue;
      }
      faults.set(pod.key, problem);
      const updated = this.#topology.update(pod);
      this.#data.set(pod.key, this.#dataOf(updated));
      queue.push(updated);
      lastLengths.set(updated.key, queue.length);
    }
    for (const claim of this.#claims) claim.finish();
    return { claims: this.#claims, existing: this.#existing, faults };
  }

  /**
   * What each pool says of a pod alone, as things stand: in the pod's first form, and as long as none takes it without the
   * next thing that it can give up.
   */
  offersFor(pod: WorkingPod): readonly PoolOffer[] {
    let form = pod;
    for (;;) {
      const data = this.#dataOf(form);
      const offers = this.#templates.map((template) => this.#offerOf(template, form, data));
      const relaxed = offers.some(({ fault: problem }) => problem === undefined)
        ? undefined
        : relax(form, this.#someTaintPrefers);
      if (relaxed === undefined) {
        let left = mostExplained;
        const explained = offers.map((offer, at): PoolOffer => {
          if (offer.refusals !== 1 || offer.beyond !== undefined || left === 0) return offer;
          left -= 1;
          const narrow = this.#narrowRequirement(this.#templates[at]!, form, data);
          return narrow === undefined ? offer : { ...offer, narrow };
        });
        this.#topology.update(pod);
        return [...explained, ...this.#without];
      }
      form = this.#topology.update(relaxed.pod);
    }
  }

  #offerOf(template: Template, pod: WorkingPod, data: PodData): PoolOffer {
    const { pool, catalog } = template;
    const head = { pool: pool.name, of: countBits(template.types) };
    const context = { topology: this.#topology, reservations: this.#reservations, isStrict: false };
    const claimOf = (types: Bits): NewNodeClaim => new NewNodeClaim(template, 'new', types, context);
    const within = this.#typesWithinLimits(template);
    const addition = 'text' in within ? within : claimOf(within).canAdd(pod, data, false);
    if (!('text' in addition)) return { ...head, types: catalog.typesOf(addition.types).map(({ name }) => name) };
    const refused = { ...head, types: [], fault: addition.text(), daemons: template.overhead };
    const unlimited = claimOf(template.types);
    const beyond = within === template.types ? addition : unlimited.canAdd(pod, data, false);
    if (!('text' in beyond)) {
      const [smallest] = catalog.typesOf(beyond.types).toSorted(bySize);
      return { ...refused, refusals: 1, limits: this.#limitsInUse(pool), ...(smallest && { beyond: smallest }) };
    }
    const refusals = unlimited.refusals(pod, data);
    if ('text' in within) return { ...refused, refusals: refusals + 1, limits: this.#limitsInUse(pool) };
    return { ...refused, refusals };
  }

  #narrowRequirement(template: Template, pod: WorkingPod, data: PodData): PoolOffer['narrow'] {
    const { pool, catalog } = template;
    const context = { topology: this.#topology, reservations: this.#reservations, isStrict: false };
    for (const key of new Set(pool.requirements.map((each) => each.key))) {
      const requirements = templateRequirements({
        ...pool,
        requirements: pool.requirements.filter((each) => each.key !== key),
      });
      const wider = filterTypes(catalog, catalog.all, requirements, noRequests, this.#input.options.relaxesMinValues);
      if ('text' in wider) continue;
      const within = this.#typesWithinLimits({ ...template, types: wider.types });
      if ('text' in within) continue;
      const addition = new NewNodeClaim({ ...template, requirements }, 'new', within, context).canAdd(pod, data, false);
      if ('text' in addition) continue;
      const types = catalog.typesOf(addition.types).toSorted(bySize);
      return { key, types: types.map(({ name }) => name) };
    }
    return undefined;
  }

  #limitsInUse({ name, limits }: NodePool): readonly LimitInUse[] {
    const remaining = this.#remaining.get(name);
    return [...(limits ?? [])].map(([resource, limit]) => ({
      resource,
      limit,
      used: subtractQuantities(limit, remaining?.get(resource) ?? limit),
    }));
  }

  #templateOf(pool: NodePool): readonly Template[] {
    const catalog = this.#input.catalogs.get(pool.name);
    const requirements = templateRequirements(pool);
    if (catalog === undefined) return [];
    const { relaxesMinValues } = this.#input.options;
    const filtered = filterTypes(catalog, catalog.all, requirements, noRequests, relaxesMinValues);
    if (!('text' in filtered)) {
      return [
        { pool, requirements, catalog, types: filtered.types, overhead: noAmounts, hostPorts: new HostPortUsage() },
      ];
    }
    const { event, log } = this.#input.journal;
    const few = filtered.minValuesText;
    const because = few === undefined ? '' : ' due to minValues incompatibility';
    const text = `NodePool requirements filtered out all compatible available instance types${because}`;
    event(pool, text);
    this.#without.push({ pool: pool.name, types: [], of: 0, fault: text });
    const detail = few === undefined ? '' : ` minValuesIncompatibleErr=${few}`;
    log(`skipping, nodepool requirements filtered out all instance types NodePool=${pool.name}${detail}`);
    return [];
  }

  #trySchedule(original: WorkingPod): Fault | undefined {
    let pod = original;
    for (;;) {
      const problem = this.#add(pod);
      if (problem === undefined || problem.kind !== undefined) return problem;
      const relaxed = relax(pod, this.#someTaintPrefers);
      if (relaxed === undefined) return problem;
      this.#input.journal.relaxed(pod, relaxed.reason);
      pod = this.#topology.update(relaxed.pod);
      this.#data.set(pod.key, this.#dataOf(pod));
    }
  }

  /** Existing nodes first, then nodes of this pass, the emptiest first, then a new one. */
  #add(pod: WorkingPod): Fault | undefined {
    const data = this.#data.get(pod.key)!;
    if (data.usesResourceClaims) return fault(() => claimsText, 'claims');
    if (this.#addToExisting(pod, data)) return undefined;
    goSort(this.#claims, (a, b) => a.pods.length < b.pods.length);
    for (const claim of this.#claims) {
      const addition = claim.canAdd(pod, data, false);
      if ('text' in addition) continue;
      claim.add(pod, data, addition);
      return undefined;
    }
    if (this.#templates.length === 0) {
      return fault(() => 'nodepool requirements filtered out all available instance types');
    }
    return this.#addToNew(pod, data);
  }

  #addToExisting(pod: WorkingPod, data: PodData): boolean {
    const volumes = attachedVolumes(pod.pod, this.#input.cluster);
    if (volumes === undefined) return false;
    for (const node of this.#existing) {
      const requirements = node.canAdd(pod, data, volumes);
      if (requirements === undefined) continue;
      node.add(pod, data, requirements, volumes);
      return true;
    }
    return false;
  }

  #addToNew(pod: WorkingPod, data: PodData): Fault | undefined {
    const faults: Fault[] = [];
    const { relaxesMinValues, waitsForReservations } = this.#input.options;
    for (const template of this.#templates) {
      const types = this.#typesWithinLimits(template);
      if ('text' in types) {
        faults.push(types);
        continue;
      }
      this.#considered++;
      const hostname = `hostname-placeholder-${String(this.#considered).padStart(4, '0')}`;
      const context = { topology: this.#topology, reservations: this.#reservations, isStrict: waitsForReservations };
      const claim = new NewNodeClaim(template, hostname, types, context);
      const addition = claim.canAdd(pod, data, relaxesMinValues);
      if ('text' in addition) {
        faults.push(addition);
        // What waits for a reservation does not fall back to a pool of less weight.
        if (addition.kind === 'reserved') break;
        continue;
      }
      claim.isMinValuesRelaxed = [...claim.requirements].some(([key, { minValues }]) => {
        const now = addition.requirements.get(key)?.minValues;
        return minValues !== undefined && now !== undefined && now < minValues;
      });
      claim.add(pod, data, addition);
      this.#claims.push(claim);
      const { name } = template.pool;
      const remaining = this.#remaining.get(name);
      if (remaining !== undefined) this.#remaining.set(name, withoutLargest(remaining, claim));
      return undefined;
    }
    const isReserved = faults.some(({ kind }) => kind === 'reserved');
    return fault(() => faults.map(({ text }) => text()).join('; '), isReserved ? 'reserved' : undefined);
  }

  /** What a claim that is opened leaves of the limits changes them; until then they are the same for every pod. */
  readonly #within = new Map<Template, { readonly remaining: ResourceAmounts; readonly types: Bits | Fault }>();

  #typesWithinLimits(template: Template): Bits | Fault {
    const { pool, types, catalog } = template;
    const remaining = this.#remaining.get(pool.name);
    if (remaining === undefined) return types;
    const known = this.#within.get(template);
    if (known?.remaining === remaining) return known.types;
    const found = withinLimits(pool.name, types, catalog, remaining, this.#input.journal);
    this.#within.set(template, { remaining, types: found });
    return found;
  }

  #dataOf(pod: WorkingPod): PodData {
    const strict = strictRequirements(pod);
    const all = this.#input.options.ignoresPreferences ? strict : podRequirementsOf(pod);
    return {
      requests: requestsOf([pod.pod.spec]),
      requirements: all,
      strict,
      volumes: this.#volumes.get(pod.key) ?? [],
      usesResourceClaims: usesResourceClaims(pod.pod),
    };
  }

  /** Source: byCPUAndMemoryDescending in karpenter …/scheduling/queue.go */
  #comesBefore(a: WorkingPod, b: WorkingPod): boolean {
    const [ofA, ofB] = [this.#data.get(a.key)!.requests, this.#data.get(b.key)!.requests];
    for (const name of ['cpu', 'memory']) {
      const order = compareQuantities(ofA.get(name) ?? none, ofB.get(name) ?? none);
      if (order !== 0) return order > 0;
    }
    const [createdA, createdB] = [createdAt(a), createdAt(b)];
    return createdA === createdB ? a.uid < b.uid : createdA < createdB;
  }
}

/** A pod without a time counts as the oldest. */
function createdAt({ pod }: WorkingPod): number {
  return Date.parse(pod.metadata?.creationTimestamp ?? '') || -Infinity;
}

/** What every node of a pool is. */
export function templateRequirements(pool: NodePool): Requirements {
  return together(
    selectorRequirements(pool.requirements),
    labelRequirements({ ...pool.templateLabels, [nodePoolKey]: pool.name, ...labelsOfClass(pool.nodeClass) }),
  );
}

function daemonsOn({ pool, requirements }: Template, daemons: DaemonPods): Pick<Template, 'overhead' | 'hostPorts'> {
  const pods = daemons.onPool(pool, requirements);
  const hostPorts = new HostPortUsage();
  for (const { key, pod } of pods) hostPorts.add(key, pod);
  return { overhead: requestsOf(pods.map(({ pod }) => pod.spec)), hostPorts };
}

/** Source: addToNewNodeClaim, what it does about limits */
function withinLimits(
  pool: string,
  types: Bits,
  catalog: Catalog,
  remaining: ResourceAmounts,
  journal: Journal,
): Bits | Fault {
  if (remaining.get('nodes')?.nanos === 0n) {
    return fault(() => `node limits have been exhausted for nodepool (NodePool=${pool})`);
  }
  const within = types.slice();
  keepBits(within, catalog.within(remaining));
  if (isEmpty(within)) {
    return fault(() => `all available instance types exceed limits for nodepool (NodePool=${pool})`);
  }
  const [left, total] = [countBits(within), countBits(types)];
  if (left !== total) {
    const text = 'instance types were excluded because they would breach limits';
    journal.log(`${text} NodePool=${pool} excluded=${total - left} total=${total}`);
  }
  return within;
}

/** Source: subtractMax, pessimistic: the largest of what may be bought */
function withoutLargest(remaining: ResourceAmounts, { instanceTypes }: NewNodeClaim): ResourceAmounts {
  const largest = new Map<string, Quantity>(largestCapacity(instanceTypes));
  return new Map([...remaining].map(([name, amount]) => [name, subtractQuantities(amount, largest.get(name) ?? none)]));
}

function byReadinessAndName({ state: a }: ExistingNode, { state: b }: ExistingNode): number {
  if (a.isInitialized !== b.isInitialized) return a.isInitialized ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
