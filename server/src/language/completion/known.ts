/** What the workspace and the snapshot have that values name: labels, taints, resources, namespaces. */
import { isList, isObject, valueAt } from '../../kit/values.ts';
import type { Path } from '../../kubernetes/json.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import { derived, type Replacement } from '../derived.ts';
import type { Fact } from '../facts.ts';
import { LabelTally, Tally } from './tally.ts';

export interface KnownTaint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

class KnownNodes {
  readonly labels = new LabelTally();
  readonly taints = new Tally<KnownTaint>();
  readonly resources = new Tally<string>();

  add({ manifest: { value } }: Fact, by: 1 | -1): void {
    this.labels.add(labelsAt(value, ['metadata', 'labels']), by);
    const taints = valueAt(value, ['spec', 'taints']);
    for (const taint of isList(taints) ? taints : []) {
      const [key, text, effect] = ['key', 'value', 'effect'].map((field) => textAt(taint, field)) as [
        string,
        string,
        string,
      ];
      if (key !== '') this.taints.add(JSON.stringify([key, text, effect]), { key, value: text, effect }, by);
    }
    const amounts = valueAt(value, ['status', 'allocatable']) ?? valueAt(value, ['status', 'capacity']);
    for (const name of isObject(amounts) ? Object.keys(amounts) : []) this.resources.add(name, name, by);
  }
}

class KnownNamespaces {
  readonly labels = new LabelTally();

  add({ name, manifest: { value } }: Fact, by: 1 | -1): void {
    // The API server gives each this label. Source: pkg/apis/core/v1/defaults.go (SetDefaults_Namespace)
    const given: [string, string] = ['kubernetes.io/metadata.name', name];
    this.labels.add([given, ...[...labelsAt(value, ['metadata', 'labels'])].filter(([key]) => key !== given[0])], by);
  }
}

/** Labels of pods and of those that are made, one vote for each workload. */
class KnownPods {
  readonly all = new LabelTally();
  readonly namespaces = new Tally<string>();
  readonly #byNamespace = new Map<string, LabelTally>();

  add({ kind, namespace, manifest: { value } }: Fact, by: 1 | -1): void {
    this.namespaces.add(namespace, namespace, by);
    const labels = [...labelsAt(value, [...(podTemplatePath(kind) ?? []), 'metadata', 'labels'])];
    this.all.add(labels, by);
    let own = this.#byNamespace.get(namespace);
    if (own === undefined) this.#byNamespace.set(namespace, (own = new LabelTally()));
    own.add(labels, by);
  }

  /** Those of one namespace; of all where it has none. */
  in(namespace: string): LabelTally {
    const own = this.#byNamespace.get(namespace);
    return own === undefined || own.isEmpty ? this.all : own;
  }
}

interface Collection {
  add(fact: Fact, by: 1 | -1): void;
}

/** A collection of all facts of some lists. */
function collected<Result extends Collection>(make: () => Result): (...lists: readonly (readonly Fact[])[]) => Result {
  return (...lists) => {
    const result = make();
    for (const facts of lists) for (const fact of facts) result.add(fact, 1);
    return result;
  };
}

/** An edit exchanges one fact for another: the rest is not counted again. */
function exchange(result: Collection, { before, after }: Replacement): boolean {
  result.add(before, -1);
  result.add(after, 1);
  return true;
}

export const knownNodes = derived(
  ['Node'],
  collected(() => new KnownNodes()),
  exchange,
);
export const knownNamespaces = derived(
  ['Namespace'],
  collected(() => new KnownNamespaces()),
  exchange,
);
export const knownPods = derived(
  workloadKinds,
  collected(() => new KnownPods()),
  exchange,
);

/** Keys and values of a map of texts; nothing of what is written otherwise. */
export function* labelsAt(value: unknown, path: Path): Generator<[string, string]> {
  const labels = valueAt(value, path);
  if (!isObject(labels)) return;
  for (const [key, text] of Object.entries(labels)) if (typeof text === 'string') yield [key, text];
}

function textAt(value: unknown, field: string): string {
  const text = valueAt(value, [field]);
  return typeof text === 'string' ? text : '';
}
