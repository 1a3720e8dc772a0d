import type { Taint } from '../../kubernetes/objects.ts';
import type { ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { merge } from './amounts.ts';
import { type Bits, isEmpty, keepBits } from './bits.ts';
import type { Catalog, InstanceType } from './catalog.ts';
import { type Fault, fault } from './faults.ts';
import type { HostPortUsage } from './host-port-usage.ts';
import { capacityTypeKey, hostnameKey, reservationIdKey, wellKnownLabels } from './labels.ts';
import { fewValues, filterTypes } from './filter-types.ts';
import type { NodePool } from './objects.ts';
import { Requirement } from './requirement.ts';
import {
  addTo,
  areCompatible,
  conflicts,
  incompatibility,
  type Requirements,
  requirementOf,
  withMore,
} from './requirements.ts';
import type { Reservations } from './reservations.ts';
import type { Topology } from './topology.ts';
import { untolerated, untoleratedText, type WorkingPod } from './working-pod.ts';

/** What a pool makes nodes by. Source: karpenter …/scheduling/nodeclaimtemplate.go */
export interface Template {
  readonly pool: NodePool;
  readonly requirements: Requirements;
  readonly catalog: Catalog;
  readonly types: Bits;
  /** What DaemonSets will request on each node. */
  readonly overhead: ResourceAmounts;
  readonly hostPorts: HostPortUsage;
}

/** What of a pod is worked out once for each of its forms. */
export interface PodData {
  readonly requests: ResourceAmounts;
  readonly requirements: Requirements;
  /** Without preferences. */
  readonly strict: Requirements;
  readonly volumes: readonly Requirements[];
  readonly usesResourceClaims: boolean;
}

export interface Addition {
  readonly requirements: Requirements;
  readonly types: Bits;
  readonly reserved: readonly ReservedOffering[];
}

export interface ReservedOffering {
  readonly id: string;
}

export interface ClaimContext {
  readonly topology: Topology;
  readonly reservations: Reservations;
  /** Whether a pod waits for a reservation rather than go elsewhere. */
  readonly isStrict: boolean;
}

/**
 * A node that will be asked for. Source: karpenter …/scheduling/nodeclaim.go at v1.13.0
 */
export class NewNodeClaim {
  readonly template: Template;
  readonly hostname: string;
  readonly pods: WorkingPod[] = [];
  isMinValuesRelaxed = false;
  requirements: Requirements;
  types: Bits;
  requests: ResourceAmounts;
  readonly #context: ClaimContext;
  readonly #hostPorts: HostPortUsage;
  #reserved: readonly ReservedOffering[] = [];

  constructor(template: Template, hostname: string, types: Bits, context: ClaimContext) {
    this.template = template;
    this.hostname = hostname;
    this.types = types;
    this.requests = template.overhead;
    this.requirements = withMore(template.requirements, [Requirement.in(hostnameKey, hostname)]);
    this.#context = context;
    this.#hostPorts = template.hostPorts.copy();
  }

  get #taints(): readonly Taint[] {
    return this.template.pool.taints;
  }

  /** What becomes of the claim with the pod on it, or why the pod cannot be. Source: CanAdd */
  canAdd(pod: WorkingPod, data: PodData, relaxesMinValues: boolean): Addition | Fault {
    const taints = untolerated(this.#taints, pod.tolerations);
    if (taints.length > 0) return fault(() => untoleratedText(taints));
    const conflict = this.#hostPorts.conflict(pod.key, pod.pod);
    if (conflict !== undefined) return fault(() => `checking host port usage, ${conflict}`);
    const problem = incompatibility(this.requirements, data.requirements, wellKnownLabels);
    if (problem !== undefined) return fault(() => `incompatible requirements, ${problem()}`);
    const base = withMore(this.requirements, data.requirements.values());
    let last: Fault | undefined;
    for (const volumes of data.volumes.length === 0 ? [undefined] : data.volumes) {
      const result = this.#withVolumes(pod, data, base, volumes, relaxesMinValues);
      if (!('text' in result)) return result;
      last = result;
    }
    return last!;
  }

  /** How many things keep a pod that cannot be added away: `canAdd` names the first kind of them. */
  refusals(pod: WorkingPod, data: PodData): number {
    const { catalog, overhead } = this.template;
    const fitting = catalog.fitting(merge(overhead, data.requests));
    keepBits(fitting, this.types);
    const count =
      untolerated(this.#taints, pod.tolerations).length +
      (this.#hostPorts.conflict(pod.key, pod.pod) === undefined ? 0 : 1) +
      conflicts(this.requirements, data.requirements, wellKnownLabels) +
      (isEmpty(fitting) ? 1 : 0);
    return Math.max(1, count);
  }

  add(pod: WorkingPod, data: PodData, { requirements, types, reserved }: Addition): void {
    const { topology, reservations } = this.#context;
    this.pods.push(pod);
    this.types = types;
    this.requests = merge(this.requests, data.requests);
    this.requirements = requirements;
    topology.registerHost(this.hostname);
    topology.record(pod, this.#taints, requirements);
    this.#hostPorts.add(pod.key, pod.pod);
    for (const { id } of reserved) reservations.reserve(this.hostname, id);
    for (const { id } of this.#reserved) {
      if (!reserved.some((each) => each.id === id)) reservations.release(this.hostname, id);
    }
    this.#reserved = reserved;
  }

  /** The made-up host name goes; what holds reservations is bought as such. Source: FinalizeScheduling */
  finish(): void {
    const requirements = new Map(this.requirements);
    requirements.delete(hostnameKey);
    if (this.#reserved.length > 0) {
      requirements.set(capacityTypeKey, Requirement.in(capacityTypeKey, 'reserved'));
      addTo(requirements, Requirement.in(reservationIdKey, ...this.#reserved.map(({ id }) => id)));
    }
    this.requirements = requirements;
  }

  get instanceTypes(): readonly InstanceType[] {
    return this.template.catalog.typesOf(this.types);
  }

  #withVolumes(
    pod: WorkingPod,
    data: PodData,
    base: Requirements,
    volumes: Requirements | undefined,
    relaxesMinValues: boolean,
  ): Addition | Fault {
    let requirements = base;
    if (volumes !== undefined) {
      const problem = incompatibility(base, volumes, wellKnownLabels);
      if (problem !== undefined) return fault(() => `incompatible volume requirements, ${problem()}`);
      requirements = withMore(base, volumes.values());
    }
    // Volumes narrow the node, not the domains that the pod is spread over.
    const narrowed = this.#context.topology.narrow(pod, this.#taints, data.strict, requirements);
    if (!(narrowed instanceof Map)) return narrowed as Fault;
    const problem = incompatibility(requirements, narrowed, wellKnownLabels);
    if (problem !== undefined) return fault(problem);
    requirements = withMore(requirements, narrowed.values());
    const { catalog, overhead } = this.template;
    const requests = { pod: data.requests, daemons: overhead, all: merge(this.requests, data.requests) };
    const filtered = filterTypes(catalog, this.types, requirements, requests, relaxesMinValues);
    if ('text' in filtered) return filtered;
    if (relaxesMinValues) requirements = fewValues(requirements, filtered.tooFew);
    const reserved = this.#offeringsToReserve(filtered.types, requirements);
    if ('text' in reserved) return reserved;
    return { requirements, types: filtered.types, reserved };
  }

  /** Source: offeringsToReserve */
  #offeringsToReserve(types: Bits, requirements: Requirements): readonly ReservedOffering[] | Fault {
    const { reservations, isStrict } = this.#context;
    if (reservations.isEmpty) return [];
    let isOffered = false;
    const reserved: ReservedOffering[] = [];
    for (const { offerings } of this.template.catalog.typesOf(types)) {
      for (const { reservation, isAvailable, requirements: offered } of offerings) {
        if (reservation === undefined || !isAvailable) continue;
        if (!areCompatible(requirements, offered, wellKnownLabels)) continue;
        isOffered = true;
        if (reservations.canReserve(this.hostname, reservation.id)) reserved.push({ id: reservation.id });
      }
    }
    if (isStrict && isOffered && reserved.length === 0) return fault(() => notReservedText, 'reserved');
    if (isStrict && this.#reserved.length > 0 && reserved.length === 0) {
      return fault(() => noLongerReservedText, 'reserved');
    }
    return reserved;
  }
}

const notReservedText =
  'one or more instance types with compatible reserved offerings are available, but could not be reserved';
const noLongerReservedText =
  'satisfying updated nodeclaim constraints would remove all compatible reserved offering options';

/** Capacity types in which what is left can be bought. Source: NodeClaimTemplate.ToNodeClaim */
export function capacityTypesOf(types: readonly InstanceType[], requirements: Requirements): readonly string[] {
  const bought = new Set<string>();
  for (const { offerings } of types) {
    for (const { capacityType, isAvailable, requirements: offered } of offerings) {
      if (isAvailable && !bought.has(capacityType) && areCompatible(requirements, offered, wellKnownLabels)) {
        bought.add(capacityType);
      }
    }
  }
  if (bought.size === 0) return [...requirementOf(requirements, capacityTypeKey).values].sort();
  const written = Requirement.in(capacityTypeKey, ...bought).intersection(requirementOf(requirements, capacityTypeKey));
  return [...written.values].sort();
}
