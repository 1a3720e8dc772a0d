import type { CompiledSelector, Labels } from '../../kubernetes/labels.ts';
import type { LabelSelector, Taint, Toleration, TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import { hostnameKey } from './labels.ts';
import { Requirement } from './requirement.ts';
import { areCompatible, labelRequirements, type Requirements, selectorRequirements, together } from './requirements.ts';
import { selectorOf, untolerated, type WorkingPod } from './working-pod.ts';

export type TopologyType = 'topology spread' | 'pod affinity' | 'pod anti-affinity';

/** Which nodes a spread constraint counts. Source: karpenter …/scheduling/topologynodefilter.go */
export interface NodeFilter {
  readonly alternatives: readonly Requirements[];
  readonly honorsTaints: boolean;
  readonly honorsAffinity: boolean;
  readonly tolerations: readonly Toleration[];
}

/** Affinity counts all nodes. */
export const everyNode: NodeFilter = { alternatives: [], honorsTaints: false, honorsAffinity: false, tolerations: [] };

export function nodeFilterOf(pod: WorkingPod, constraint: TopologySpreadConstraint): NodeFilter {
  const selector = labelRequirements(pod.pod.spec?.nodeSelector);
  const terms = pod.nodeTerms;
  return {
    alternatives:
      terms === undefined
        ? [together(selector)]
        : terms.map(({ matchExpressions }) => together(selector, selectorRequirements(matchExpressions))),
    honorsTaints: constraint.nodeTaintsPolicy === 'Honor',
    honorsAffinity: (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor',
    tolerations: pod.tolerations,
  };
}

function filterMatches(filter: NodeFilter, taints: readonly Taint[], requirements: Requirements): boolean {
  if (filter.honorsTaints && untolerated(taints, filter.tolerations).length > 0) return false;
  const { alternatives } = filter;
  if (!filter.honorsAffinity || alternatives.length === 0) return true;
  return alternatives.some((alternative) => areCompatible(requirements, alternative));
}

interface Shape {
  readonly type: TopologyType;
  readonly key: string;
  readonly namespaces: ReadonlySet<string>;
  readonly selector: LabelSelector | undefined;
  readonly maxSkew: number;
  readonly minDomains?: number | undefined;
  readonly filter: NodeFilter;
}

/**
 * How many pods of a selector are in each domain, for all pods with the same constraint.
 * Source: karpenter …/scheduling/topologygroup.go at v1.13.0
 */
export class TopologyGroup {
  readonly type: TopologyType;
  readonly key: string;
  readonly namespaces: ReadonlySet<string>;
  readonly selector: LabelSelector | undefined;
  readonly filter: NodeFilter;
  readonly owners = new Set<string>();
  readonly #compiled: CompiledSelector;
  readonly #maxSkew: number;
  readonly #minDomains: number | undefined;
  readonly #domains = new Map<string, number>();
  readonly #empty = new Set<string>();

  constructor(shape: Shape, domains: Iterable<string>) {
    this.type = shape.type;
    this.key = shape.key;
    this.namespaces = shape.namespaces;
    this.selector = shape.selector;
    this.filter = shape.filter;
    this.#compiled = selectorOf(shape.selector);
    this.#maxSkew = shape.maxSkew;
    this.#minDomains = shape.minDomains;
    this.register(...domains);
  }

  register(...domains: readonly string[]): void {
    for (const domain of domains) {
      if (this.#domains.has(domain)) continue;
      this.#domains.set(domain, 0);
      this.#empty.add(domain);
    }
  }

  record(...domains: Iterable<string>[]): void {
    for (const list of domains) {
      for (const domain of list) {
        this.#domains.set(domain, (this.#domains.get(domain) ?? 0) + 1);
        this.#empty.delete(domain);
      }
    }
  }

  selects({ namespace, labels }: { readonly namespace: string; readonly labels: Labels }): boolean {
    return this.namespaces.has(namespace) && this.#compiled.matches(labels);
  }

  countsNode(taints: readonly Taint[], requirements: Requirements): boolean {
    return filterMatches(this.filter, taints, requirements);
  }

  counts(pod: WorkingPod, taints: readonly Taint[], requirements: Requirements): boolean {
    return this.selects(pod) && this.countsNode(taints, requirements);
  }

  /** Domains the pod may go to; one of them for a spread. Where upstream takes any of several, the first by name. */
  domainsFor(pod: WorkingPod, podDomains: Requirement, nodeDomains: Requirement): Requirement {
    if (this.type === 'topology spread') return this.#spread(pod, podDomains, nodeDomains);
    return this.type === 'pod affinity'
      ? this.#affinity(pod, podDomains, nodeDomains)
      : this.#antiAffinity(podDomains, nodeDomains);
  }

  /** Upstream leaves the bracket open. Source: topologyError */
  problemText(podDomains: Requirement, nodeDomains: Requirement): string {
    const names = [...this.#domains.keys()].sort();
    const shown = names.slice(0, 25).map((name) => `${name}: ${this.#domains.get(name)}`);
    const more = names.length > 25 ? ` and ${names.length - 25} other(s)` : '';
    return (
      `unsatisfiable topology constraint for ${this.type}, key=${this.key} (counts = ${shown.join(', ')}${more}, ` +
      `podDomains = ${podDomains.text}, nodeDomains = ${nodeDomains.text}`
    );
  }

  #spread(pod: WorkingPod, podDomains: Requirement, nodeDomains: Requirement): Requirement {
    const self = this.selects(pod) ? 1 : 0;
    // A node that is not there yet is a domain of its own; since one more can always be made, the least is none.
    if (this.key === hostnameKey && nodeDomains.values.size === 1) {
      const name = [...nodeDomains.values][0]!;
      const fits = (this.#domains.get(name) ?? 0) + self <= this.#maxSkew;
      return fits ? Requirement.in(this.key, name) : Requirement.doesNotExist(this.key);
    }
    const least = this.#leastCount(podDomains);
    let best: { readonly domain: string; readonly count: number } | undefined;
    for (const domain of this.#candidates(nodeDomains)) {
      const count = this.#domains.get(domain)! + self;
      if (count - least <= this.#maxSkew && (best === undefined || count < best.count)) best = { domain, count };
    }
    return best === undefined ? Requirement.doesNotExist(this.key) : Requirement.in(this.key, best.domain);
  }

  #leastCount(podDomains: Requirement): number {
    if (this.key === hostnameKey) return 0;
    let [least, supported] = [Infinity, 0];
    for (const [domain, count] of this.#domains) {
      if (!podDomains.has(domain)) continue;
      supported++;
      least = Math.min(least, count);
    }
    return this.#minDomains !== undefined && supported < this.#minDomains ? 0 : least;
  }

  #affinity(pod: WorkingPod, podDomains: Requirement, nodeDomains: Requirement): Requirement {
    const mayStart = (): boolean =>
      this.selects(pod) && (this.#domains.size === this.#empty.size || !this.#hasPodIn(podDomains));
    if (this.key === hostnameKey && nodeDomains.values.size === 1) {
      const name = [...nodeDomains.values][0]!;
      const fits = podDomains.has(name) && ((this.#domains.get(name) ?? 0) > 0 || mayStart());
      return fits ? Requirement.in(this.key, name) : Requirement.doesNotExist(this.key);
    }
    const taken = this.#candidates(nodeDomains).filter(
      (domain) => podDomains.has(domain) && this.#domains.get(domain)! > 0,
    );
    if (taken.length > 0 || !mayStart()) return Requirement.in(this.key, ...taken);
    const known = [...this.#domains.keys()].sort();
    const shared = podDomains.intersection(nodeDomains);
    const starts = [known.find((domain) => shared.has(domain)), known.find((domain) => podDomains.has(domain))];
    return Requirement.in(this.key, ...starts.filter((domain) => domain !== undefined));
  }

  #hasPodIn(podDomains: Requirement): boolean {
    for (const [domain, count] of this.#domains) if (count > 0 && podDomains.has(domain)) return true;
    return false;
  }

  #antiAffinity(podDomains: Requirement, nodeDomains: Requirement): Requirement {
    if (this.key === hostnameKey && nodeDomains.values.size === 1) {
      const name = [...nodeDomains.values][0]!;
      const isFree = (this.#domains.get(name) ?? 0) === 0;
      return isFree ? Requirement.in(this.key, name) : Requirement.doesNotExist(this.key);
    }
    const free = [...this.#empty].filter((domain) => nodeDomains.has(domain) && podDomains.has(domain));
    return Requirement.in(this.key, ...free);
  }

  /** Domains that the node may be in, by name. */
  #candidates(nodeDomains: Requirement): readonly string[] {
    const listed = nodeDomains.operator === 'In' ? nodeDomains.values : this.#domains.keys();
    return [...listed].filter((domain) => this.#domains.has(domain) && nodeDomains.has(domain)).sort();
  }
}

/**
 * Constraints with the same identity are one group. Upstream hashes with a library that passes over private fields, so of
 * the node selectors only the keys tell groups apart; and lists are sets in which what stands twice goes away.
 * Source: TopologyGroup.Hash; github.com/mitchellh/hashstructure/v2
 */
export function identityOfGroup({ type, key, namespaces, selector, maxSkew, filter }: Shape): string {
  const requirements = filter.alternatives.map((alternative) =>
    JSON.stringify([...alternative.values()].map((each) => [each.key, each.minValues ?? null]).sort()),
  );
  const tolerations = filter.tolerations.map((each) =>
    JSON.stringify([
      each.key ?? '',
      each.operator ?? '',
      each.value ?? '',
      each.effect ?? '',
      each.tolerationSeconds ?? null,
    ]),
  );
  const expressions = (selector?.matchExpressions ?? []).map((each) =>
    JSON.stringify([each.key, each.operator, oddOnes(each.values ?? [])]),
  );
  return JSON.stringify([
    type,
    key,
    [...namespaces].sort(),
    maxSkew,
    [oddOnes(requirements), filter.honorsTaints, filter.honorsAffinity, oddOnes(tolerations)],
    selector === undefined ? null : Object.entries(selector.matchLabels ?? {}).sort(),
    [...new Set(expressions)].sort(),
  ]);
}

/** Items that stand there an odd number of times. */
function oddOnes(items: readonly string[]): readonly string[] {
  const odd = new Set<string>();
  for (const item of items) if (!odd.delete(item)) odd.add(item);
  return [...odd].sort();
}
