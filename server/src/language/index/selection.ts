import { getOrInsert, groupBy } from '../../util/maps.ts';
import { compareText } from '../../util/words.ts';
import { compileLabelSelector, type CompiledSelector, type Labels } from '../../kubernetes/labels.ts';
import type { LabelSelector, PodAffinityTerm } from '../../kubernetes/objects.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { derived } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';
import { isMadeByController } from './priority-ranking.ts';

const none: readonly Fact[] = [];

/** The workloads of one namespace. Its lists are never changed, so that what is worked out from one can be kept by it. */
class Residents {
  #workloads: readonly Fact[];
  /** Workloads whose pods have the same labels: a selector takes all of them or none. */
  readonly #alike = new Map<string, { readonly labels: Labels; facts: readonly Fact[] }>();
  /** `key=value`, and `key` alone → the keys of those in `#alike` whose pods have that label. */
  readonly #byLabel = new Map<string, Set<string>>();
  readonly #places: Map<Fact, number>;
  /** What selectors took, by their text. */
  readonly #selections = new Map<string, readonly Fact[]>();
  #kept = 0;

  constructor(workloads: readonly Fact[]) {
    this.#workloads = workloads;
    this.#places = new Map(workloads.map((fact, place) => [fact, place]));
    const lists = new Map<string, Fact[]>();
    for (const fact of workloads) {
      const labels = labelsOf(fact);
      const key = alikeKey(labels);
      let list = lists.get(key);
      if (list === undefined) {
        lists.set(key, (list = []));
        this.#alike.set(key, { labels, facts: list });
        for (const [name, value] of Object.entries(labels)) {
          for (const label of [name, `${name}=${value}`]) {
            const known = this.#byLabel.get(label);
            if (known === undefined) this.#byLabel.set(label, new Set([key]));
            else known.add(key);
          }
        }
      }
      list.push(fact);
    }
  }

  get workloads(): readonly Fact[] {
    return this.#workloads;
  }

  /** Takes a workload with the same labels in the place of another. */
  replace(before: Fact, after: Fact): void {
    const place = this.#places.get(before);
    const alike = this.#alike.get(alikeKey(labelsOf(before)));
    if (place === undefined || alike === undefined) return;
    this.#workloads = this.#workloads.with(place, after);
    alike.facts = alike.facts.with(alike.facts.indexOf(before), after);
    this.#places.delete(before);
    this.#places.set(after, place);
    this.#forget();
  }

  /** The workloads that a selector takes, in order. Selectors that take the same get the same list, where that is known. */
  select(selector: CompiledSelector): readonly Fact[] {
    if (selector.isNothing) return none;
    if (selector.isEmpty) return this.#workloads;
    const key = JSON.stringify(selector.requirements);
    let selected = this.#selections.get(key);
    if (selected === undefined) {
      selected = this.#taken(selector);
      const isOwn = selected !== this.#workloads && selected.length > 1;
      this.#kept += 1 + (isOwn ? selected.length : 0);
      if (this.#kept > keptSelections) this.#forget();
      this.#selections.set(key, selected);
    }
    return selected;
  }

  #taken(selector: CompiledSelector): readonly Fact[] {
    const excluded = this.#excluded(selector);
    if (excluded !== undefined) return this.#without(excluded);
    const keys = this.#candidates(selector);
    const taken = [...(keys ?? this.#alike.keys())]
      .map((key) => this.#alike.get(key)!)
      .filter(({ labels }) => selector.matches(labels));
    if (taken.length === this.#alike.size) return this.#workloads;
    if (taken.length <= 1) return taken[0]?.facts ?? none;
    return taken.flatMap(({ facts }) => facts).sort((a, b) => this.#places.get(a)! - this.#places.get(b)!);
  }

  /** The fewest that one requirement leaves; undefined where none leaves out any. */
  #candidates({ requirements }: CompiledSelector): ReadonlySet<string> | undefined {
    let fewest: ReadonlySet<string> | undefined;
    for (const { key, operator, values } of requirements) {
      const isOne = operator === 'In' && values.length === 1;
      if (!isOne && operator !== 'Exists' && operator !== 'In') continue;
      const left = this.#byLabel.get(isOne ? `${key}=${values[0]!}` : key) ?? new Set<string>();
      if (fewest === undefined || left.size < fewest.size) fewest = left;
    }
    return fewest;
  }

  /** What a selector leaves out that does nothing else; undefined for others. */
  #excluded({ requirements }: CompiledSelector): ReadonlySet<string> | undefined {
    const excluded = new Set<string>();
    for (const { key, operator, values } of requirements) {
      if (operator !== 'NotIn' && operator !== 'DoesNotExist') return undefined;
      const labels = operator === 'NotIn' ? values.map((value) => `${key}=${value}`) : [key];
      for (const label of labels) for (const each of this.#byLabel.get(label) ?? []) excluded.add(each);
    }
    return excluded;
  }

  #without(excluded: ReadonlySet<string>): readonly Fact[] {
    if (excluded.size === 0) return this.#workloads;
    const places = [...excluded].flatMap((key) => this.#alike.get(key)!.facts.map((fact) => this.#places.get(fact)!));
    if (places.length > cutAtOnce) {
      const out = new Set(places);
      return this.#workloads.filter((_, place) => !out.has(place));
    }
    // Copied as a whole and cut, as thousands of selectors may each leave out one of thousands.
    const rest = this.#workloads.slice();
    for (const place of places.sort((a, b) => b - a)) rest.splice(place, 1);
    return rest;
  }

  #forget(): void {
    this.#selections.clear();
    this.#kept = 0;
  }
}

/** With more to leave out, each is looked at. */
const cutAtOnce = 16;

/** Entries of lists that are kept for selectors of one namespace. */
const keptSelections = 1_000_000;

function alikeKey(labels: Labels): string {
  return JSON.stringify(labels);
}

const residents = derived(
  workloadKinds,
  (...lists) => residentsOf(lists.flat().filter(isResident)),
  (byNamespace, { before, after }) =>
    isResident(before) === isResident(after) && replaceResident(byNamespace, before, after),
);

/** Pods, also those that a controller made. */
const pods = derived(
  ['Pod'],
  (declared) => residentsOf(declared),
  (byNamespace, { before, after }) => replaceResident(byNamespace, before, after),
);

function residentsOf(facts: readonly Fact[]): Map<string, Residents> {
  const byNamespace = groupBy(facts, (fact) => fact.namespace);
  return new Map([...byNamespace].map(([namespace, workloads]) => [namespace, new Residents(workloads)]));
}

/** What a controller made belongs to that one, and is no workload here. */
function isResident(fact: Fact): boolean {
  return fact.template !== undefined && !isMadeByController(fact);
}

/** False where the labels are others, so that selectors may find one and not the other. */
function replaceResident(byNamespace: Map<string, Residents>, before: Fact, after: Fact): boolean {
  const isAlike = before.namespace === after.namespace && alikeKey(labelsOf(before)) === alikeKey(labelsOf(after));
  if (isAlike) byNamespace.get(before.namespace)?.replace(before, after);
  return isAlike;
}

export function workloadsIn(facts: FactsReader, namespace: string): readonly Fact[] {
  return residents(facts).get(namespace)?.workloads ?? none;
}

/** The declarations of each workload: a cluster has one of each name. What has no name yet is one each. */
export function byName(workloads: readonly Fact[]): ReadonlyMap<string | Fact, readonly [Fact, ...Fact[]]> {
  return groupBy(workloads, (fact) => (fact.name === '' ? fact : workloadKey(fact.kind, fact.namespace, fact.name)));
}

export function labelsOf(workload: Fact): Labels {
  return workload.template?.metadata.labels ?? {};
}

const compiled = new WeakMap<LabelSelector, CompiledSelector>();

export function compile(selector: LabelSelector | undefined): CompiledSelector {
  if (selector === undefined) return compileLabelSelector(undefined);
  return getOrInsert(compiled, selector, () => compileLabelSelector(selector));
}

export function selects(selector: LabelSelector | undefined, workload: Fact): boolean {
  return compile(selector).matches(labelsOf(workload));
}

/**
 * The workloads whose pods a selector finds in a namespace. As long as nothing changes, the same selector gets the same
 * list, by which more can be kept.
 */
export function selectedIn(
  facts: FactsReader,
  namespace: string,
  selector: LabelSelector | undefined,
): readonly Fact[] {
  return residents(facts).get(namespace)?.select(compile(selector)) ?? none;
}

/** The namespaces in which a selector finds workloads, or pods of none. */
export function namespacesSelecting(facts: FactsReader, selector: CompiledSelector): readonly string[] {
  const finding = [residents(facts), pods(facts)].flatMap((byNamespace) =>
    [...byNamespace].flatMap(([namespace, each]) => (each.select(selector).length > 0 ? [namespace] : [])),
  );
  return [...new Set(finding)].sort(compareText);
}

/** The pods that a selector finds in a namespace, those that controllers made among them. */
export function podsSelectedIn(facts: FactsReader, namespace: string, selector: CompiledSelector): readonly Fact[] {
  return pods(facts).get(namespace)?.select(selector) ?? none;
}

const namespaceLabels = derived(['Namespace', ...workloadKinds], (namespaces, ...workloads) => {
  const labels = new Map<string, Labels>();
  for (const { namespace } of workloads.flat()) labels.set(namespace, {});
  for (const { name, object } of namespaces) labels.set(name, object.metadata?.labels ?? {});
  // Source: SetDefaults_Namespace in pkg/apis/core/v1/defaults.go
  return new Map(
    [...labels].map(([name, written]): [string, Labels] => [name, { ...written, 'kubernetes.io/metadata.name': name }]),
  );
});

/** The namespaces that an affinity term is about. Source: newAffinityTerm in pkg/scheduler/framework/types.go */
export function namespacesOf(facts: FactsReader, term: PodAffinityTerm, ownNamespace: string): ReadonlySet<string> {
  const written = term.namespaces ?? [];
  const namespaces = new Set(written.length === 0 && term.namespaceSelector === undefined ? [ownNamespace] : written);
  if (term.namespaceSelector !== undefined) {
    const selector = compile(term.namespaceSelector);
    for (const [name, labels] of namespaceLabels(facts)) if (selector.matches(labels)) namespaces.add(name);
  }
  return namespaces;
}

/** The workloads whose pods an affinity term means. */
export function meantBy(facts: FactsReader, term: PodAffinityTerm, ownNamespace: string): readonly Fact[] {
  const lists = [...namespacesOf(facts, term, ownNamespace)]
    .map((namespace) => selectedIn(facts, namespace, term.labelSelector))
    .filter(({ length }) => length > 0);
  return lists.length <= 1 ? (lists[0] ?? none) : joined(lists);
}

/** Joined lists, by the lists: terms that mean the same get the same list. */
const joinedLists = new WeakMap<readonly Fact[], { readonly lists: readonly (readonly Fact[])[]; joined: Fact[] }>();

function joined(lists: readonly (readonly Fact[])[]): readonly Fact[] {
  const [first] = lists;
  const known = joinedLists.get(first!);
  if (known?.lists.length === lists.length && known.lists.every((list, index) => list === lists[index])) {
    return known.joined;
  }
  const all = lists.flat();
  joinedLists.set(first!, { lists, joined: all });
  return all;
}
