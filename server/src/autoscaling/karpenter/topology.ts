import { compileLabelSelector, labelValue } from '../../kubernetes/labels.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { LabelSelector, Node, Pod, PodAffinityTerm, Taint } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { Catalog } from './catalog.ts';
import type { KarpenterCluster } from './cluster.ts';
import { type Fault, fault } from './faults.ts';
import { hostnameKey } from './labels.ts';
import type { NodePool } from './objects.ts';
import { isScheduled, isTerminal, isTerminating } from './pods.ts';
import { Requirement } from './requirement.ts';
import { addTo, labelRequirements, type Requirements, selectorRequirements, together } from './requirements.ts';
import type { StateNode } from './state-nodes.ts';
import { everyNode, identityOfGroup, nodeFilterOf, TopologyGroup, type TopologyType } from './topology-group.ts';
import { untolerated, withLabelKeys, type WorkingPod, type WorkingSpread, workingPod } from './working-pod.ts';

interface TopologyInput {
  readonly cluster: KarpenterCluster;
  readonly stateNodes: readonly StateNode[];
  readonly nodePools: readonly NodePool[];
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly ignoresPreferences: boolean;
}

/** Domain → the taints of each pool that could have a node there; one empty list is enough. */
type DomainTaints = Map<string, (readonly Taint[])[]>;

/**
 * Spread and affinity: where pods are, and where the next may go.
 * Source: karpenter pkg/controllers/provisioning/scheduling/topology.go at v1.13.0
 */
export class Topology {
  readonly #input: TopologyInput;
  readonly #groups = new Map<string, TopologyGroup>();
  /** Anti-affinity works both ways: what the pods with such a term keep others from. */
  readonly #inverse = new Map<string, TopologyGroup>();
  readonly #universe = new Map<string, DomainTaints>();
  readonly #excluded: ReadonlySet<string>;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #registered: string[] = [];

  /** Gives the pods back as they are afterwards: label keys are merged into their selectors. */
  constructor(input: TopologyInput, pods: readonly WorkingPod[], updated: (pod: WorkingPod) => void) {
    this.#input = input;
    this.#excluded = new Set(pods.map(({ uid }) => uid));
    this.#nodes = new Map(input.cluster.nodes.map((node) => [nameOf(node), node]));
    for (const stateNode of input.stateNodes) this.#trackInverse(stateNode);
    for (const pod of pods) updated(this.update(pod));
  }

  /** The pod owns the groups of its present constraints, and no others. */
  update(pod: WorkingPod): WorkingPod {
    for (const group of this.#groups.values()) group.owners.delete(pod.uid);
    const { ignoresPreferences } = this.#input;
    if (pod.antiAffinity.length > 0 || (!ignoresPreferences && pod.preferredAntiAffinity.length > 0)) {
      this.#addInverse(pod, undefined);
    }
    const spreads: WorkingSpread[] = [];
    for (const spread of pod.spreads) {
      if (ignoresPreferences && spread.constraint.whenUnsatisfiable !== 'DoNotSchedule') {
        spreads.push(spread);
        continue;
      }
      const merged = withLabelKeys(spread, pod.labels);
      spreads.push(merged);
      const { topologyKey: key, maxSkew, minDomains } = merged.constraint;
      const namespaces = new Set([pod.namespace]);
      const filter = nodeFilterOf(pod, merged.constraint);
      const shape = {
        type: 'topology spread' as const,
        key,
        namespaces,
        selector: merged.selector,
        maxSkew,
        minDomains,
        filter,
      };
      this.#own(pod, shape);
    }
    const soft = <T>(terms: readonly { readonly term: T }[]): readonly T[] =>
      ignoresPreferences ? [] : terms.map(({ term }) => term);
    for (const term of [...pod.affinity, ...soft(pod.preferredAffinity)]) {
      this.#own(pod, this.#shapeOf(pod, term, 'pod affinity'));
    }
    for (const term of [...pod.antiAffinity, ...soft(pod.preferredAntiAffinity)]) {
      this.#own(pod, this.#shapeOf(pod, term, 'pod anti-affinity'));
    }
    return { ...pod, spreads };
  }

  /** What of the node's labels is left when the pod's constraints hold too. Source: AddRequirements */
  narrow(
    pod: WorkingPod,
    taints: readonly Taint[],
    podDomains: Requirements,
    node: Requirements,
  ): Requirements | Fault {
    const narrowed = new Map(node);
    for (const group of this.#matching(pod, taints, node)) {
      const ofPod = podDomains.get(group.key) ?? Requirement.exists(group.key);
      const ofNode = node.get(group.key) ?? Requirement.exists(group.key);
      const domains = group.domainsFor(pod, ofPod, ofNode);
      if (domains.values.size === 0) return fault(textNow(group, ofPod, ofNode));
      addTo(narrowed, domains);
    }
    return narrowed;
  }

  /** The pod goes to a node with these requirements. Source: Record */
  record(pod: WorkingPod, taints: readonly Taint[], requirements: Requirements): void {
    for (const group of this.#groups.values()) {
      if (!group.counts(pod, taints, requirements)) continue;
      const domains = requirements.get(group.key)?.values ?? [];
      // Anti-affinity blocks wherever the pod could come to be; the others count it once that is known.
      if (group.type === 'pod anti-affinity') group.record(domains);
      else if (requirements.get(group.key)?.only !== undefined) group.record([requirements.get(group.key)!.only!]);
    }
    for (const group of this.#inverse.values()) {
      if (group.owners.has(pod.uid)) group.record(requirements.get(group.key)?.values ?? []);
    }
  }

  registerHost(name: string): void {
    this.#registered.push(name);
    for (const group of [...this.#groups.values(), ...this.#inverse.values()]) {
      if (group.key === hostnameKey) group.register(name);
    }
  }

  #matching(pod: WorkingPod, taints: readonly Taint[], node: Requirements): readonly TopologyGroup[] {
    const owned = [...this.#groups.values()].filter(({ owners }) => owners.has(pod.uid));
    return [...owned, ...[...this.#inverse.values()].filter((group) => group.counts(pod, taints, node))];
  }

  #shapeOf(pod: WorkingPod, term: PodAffinityTerm, type: TopologyType): Parameters<typeof identityOfGroup>[0] {
    const namespaces = this.#namespacesOf(pod.namespace, term);
    return {
      type,
      key: term.topologyKey,
      namespaces,
      selector: term.labelSelector,
      maxSkew: 2 ** 31 - 1,
      filter: everyNode,
    };
  }

  #own(pod: WorkingPod, shape: Parameters<typeof identityOfGroup>[0]): void {
    const identity = identityOfGroup(shape);
    let group = this.#groups.get(identity);
    if (group === undefined) {
      group = new TopologyGroup(shape, this.#domainsOf(shape, pod));
      this.#count(group);
      this.#groups.set(identity, group);
    }
    group.owners.add(pod.uid);
  }

  /** Pods that are there, and nodes without any. Source: countDomains */
  #count(group: TopologyGroup): void {
    const { cluster, stateNodes } = this.#input;
    for (const { node, labels } of stateNodes) {
      if (node === undefined) continue;
      const own = together(labelRequirements(node.metadata?.labels));
      if (!group.countsNode(node.spec?.taints ?? [], own)) continue;
      const domain = labelValue(labels, group.key);
      if (domain !== undefined) group.register(domain);
    }
    const isSelected = listSelector(group.selector);
    for (const pod of cluster.pods) {
      if (!isScheduled(pod) || isTerminal(pod) || isTerminating(pod)) continue;
      const { uid, namespace, labels } = workingPod(pod);
      if (this.#excluded.has(uid) || !group.namespaces.has(namespace) || !isSelected(labels)) continue;
      const node = this.#nodes.get(pod.spec?.nodeName ?? '');
      if (node === undefined) continue;
      const domain =
        labelValue(node.metadata?.labels, group.key) ?? (group.key === hostnameKey ? nameOf(node) : undefined);
      if (domain === undefined) continue;
      if (group.countsNode(node.spec?.taints ?? [], together(labelRequirements(node.metadata?.labels)))) {
        group.record([domain]);
      }
    }
  }

  #trackInverse({ node, pods }: StateNode): void {
    if (node === undefined) return;
    for (const pod of pods) {
      const working = workingPod(pod);
      if (working.antiAffinity.length > 0 && !this.#excluded.has(working.uid)) this.#addInverse(working, node);
    }
  }

  #addInverse(pod: WorkingPod, node: Node | undefined): void {
    for (const term of pod.antiAffinity) {
      const shape = this.#shapeOf(pod, term, 'pod anti-affinity');
      const identity = identityOfGroup(shape);
      const group = getOrInsert(this.#inverse, identity, () => new TopologyGroup(shape, this.#domainsOf(shape, pod)));
      const domain = labelValue(node?.metadata?.labels, group.key);
      if (domain !== undefined) group.record([domain]);
      group.owners.add(pod.uid);
    }
  }

  #namespacesOf(own: string, { namespaces = [], namespaceSelector }: PodAffinityTerm): ReadonlySet<string> {
    if (namespaceSelector === undefined) return new Set(namespaces.length === 0 ? [own] : namespaces);
    const { matches } = compileLabelSelector(namespaceSelector);
    const selected = this.#input.cluster.namespaces.filter(({ metadata }) => matches(metadata?.labels));
    return new Set([...selected.map(nameOf), ...namespaces]);
  }

  /** Domains of a key that pools could have nodes in; for affinity, and where asked, only where the pod tolerates them. */
  #domainsOf({ key, type, filter }: Parameters<typeof identityOfGroup>[0], pod: WorkingPod): readonly string[] {
    const domains = this.#universeOf(key);
    // The zero value of upstream's policy is not `Ignore`.
    if (type === 'topology spread' && !filter.honorsTaints) return [...domains.keys()];
    return [...domains]
      .filter(([, lists]) => lists.some((taints) => untolerated(taints, pod.tolerations).length === 0))
      .map(([domain]) => domain);
  }

  /** Source: buildDomainGroups, for one key */
  #universeOf(key: string): DomainTaints {
    let domains = this.#universe.get(key);
    if (domains !== undefined) return domains;
    this.#universe.set(key, (domains = new Map()));
    for (const pool of this.#input.nodePools) {
      const catalog = this.#input.catalogs.get(pool.name);
      if (catalog === undefined) continue;
      const ofPool = together(selectorRequirements(pool.requirements), labelRequirements(pool.templateLabels)).get(key);
      const { groups, isAbsentSomewhere } = catalog.requirementsAt(key);
      const found = groups.map((ofType) => (ofPool === undefined ? ofType : ofType.intersection(ofPool)));
      if (ofPool !== undefined && (isAbsentSomewhere || ofPool.operator === 'In')) found.push(ofPool);
      for (const { values } of found) for (const value of values) addDomain(domains, value, pool.taints);
    }
    return domains;
  }
}

function textNow(group: TopologyGroup, ofPod: Requirement, ofNode: Requirement): () => string {
  // Counts go on changing, and the text has those of now.
  const text = group.problemText(ofPod, ofNode);
  return () => text;
}

function addDomain(domains: DomainTaints, domain: string, taints: readonly Taint[]): void {
  const known = domains.get(domain);
  if (known === undefined || taints.length === 0) domains.set(domain, [taints]);
  else if (known[0]!.length > 0) known.push(taints);
}

/** Without a selector everything is listed, though nothing is selected later. Source: TopologyListOptions */
function listSelector(
  selector: LabelSelector | undefined,
): (labels: Pod['metadata'] extends undefined ? never : Readonly<Record<string, string>>) => boolean {
  return selector === undefined ? () => true : compileLabelSelector(selector).matches;
}
