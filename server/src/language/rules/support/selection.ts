import { compileLabelSelector, type CompiledSelector, type Labels } from '../../../kubernetes/labels.ts';
import type { LabelSelector, PodAffinityTerm } from '../../../kubernetes/objects.ts';
import { workloadKinds } from '../../../kubernetes/pod-template.ts';
import { derived, replaceItem, type Replacement } from '../../derived.ts';
import type { Fact, FactsReader } from '../../facts.ts';
import { isMadeByController } from '../../standing.ts';

/** The workloads of one namespace. */
interface Residents {
  readonly workloads: Fact[];
  /** `key=value` → the workloads whose pods have that label. */
  readonly byLabel: Map<string, Fact[]>;
}

const residents = derived(workloadKinds, residentsOf, replaceResident);

function residentsOf(...lists: readonly (readonly Fact[])[]): Map<string, Residents> {
  const byNamespace = new Map<string, Residents>();
  for (const fact of lists.flat()) {
    if (!isResident(fact)) continue;
    let known = byNamespace.get(fact.namespace);
    if (known === undefined) {
      known = { workloads: [], byLabel: new Map() };
      byNamespace.set(fact.namespace, known);
    }
    known.workloads.push(fact);
    for (const [key, value] of Object.entries(labelsOf(fact))) {
      const label = `${key}=${value}`;
      const alike = known.byLabel.get(label);
      if (alike === undefined) known.byLabel.set(label, [fact]);
      else alike.push(fact);
    }
  }
  return byNamespace;
}

/** What a controller made belongs to that one, and is no workload here. */
function isResident(fact: Fact): boolean {
  return fact.template !== undefined && !isMadeByController(fact);
}

function replaceResident(byNamespace: Map<string, Residents>, { before, after }: Replacement): boolean {
  const labels = labelsOf(after);
  const known = byNamespace.get(before.namespace);
  const isAlike =
    before.namespace === after.namespace &&
    isResident(before) === isResident(after) &&
    JSON.stringify(labelsOf(before)) === JSON.stringify(labels);
  if (!isAlike) return false;
  if (known === undefined || !isResident(after)) return true;
  replaceItem(known.workloads, before, after);
  for (const [key, value] of Object.entries(labels)) {
    const alike = known.byLabel.get(`${key}=${value}`);
    if (alike !== undefined) replaceItem(alike, before, after);
  }
  return true;
}

const none: readonly Fact[] = [];

export function workloadsIn(facts: FactsReader, namespace: string): readonly Fact[] {
  return residents(facts).get(namespace)?.workloads ?? none;
}

export function labelsOf(workload: Fact): Labels {
  return workload.template?.metadata.labels ?? {};
}

const compiled = new WeakMap<LabelSelector, CompiledSelector>();

function compile(selector: LabelSelector | undefined): CompiledSelector {
  if (selector === undefined) return compileLabelSelector(undefined);
  let known = compiled.get(selector);
  if (known === undefined) {
    known = compileLabelSelector(selector);
    compiled.set(selector, known);
  }
  return known;
}

export function selects(selector: LabelSelector | undefined, workload: Fact): boolean {
  return compile(selector).matches(labelsOf(workload));
}

/** The workloads whose pods a selector finds in a namespace. */
export function selectedIn(
  facts: FactsReader,
  namespace: string,
  selector: LabelSelector | undefined,
): readonly Fact[] {
  const compiled = compile(selector);
  const there = residents(facts).get(namespace);
  if (compiled.isNothing || there === undefined) return none;
  // One label that must have one value leaves few candidates, in a namespace of any size.
  const narrow = compiled.requirements.find(({ operator, values }) => operator === 'In' && values.length === 1);
  const candidates =
    narrow === undefined ? there.workloads : (there.byLabel.get(`${narrow.key}=${narrow.values[0]!}`) ?? none);
  return candidates.filter((workload) => compiled.matches(labelsOf(workload)));
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

/** The workloads whose pods an affinity term means. Source: newAffinityTerm in pkg/scheduler/framework/types.go */
export function meantBy(facts: FactsReader, term: PodAffinityTerm, ownNamespace: string): readonly Fact[] {
  const written = term.namespaces ?? [];
  const namespaces = new Set(written.length === 0 && term.namespaceSelector === undefined ? [ownNamespace] : written);
  if (term.namespaceSelector !== undefined) {
    const selector = compile(term.namespaceSelector);
    for (const [name, labels] of namespaceLabels(facts)) if (selector.matches(labels)) namespaces.add(name);
  }
  return [...namespaces].flatMap((namespace) => selectedIn(facts, namespace, term.labelSelector));
}

/** `Deployment shop/web`. */
export function nameOf({ kind, namespace, name }: Fact): string {
  return `${kind} ${namespace}/${name}`;
}
