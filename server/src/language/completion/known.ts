/** What the workspace and the snapshot have that values name: labels, taints, resources, namespaces. */
import { getOrInsert } from '../../util/maps.ts';
import { isList, isObject, valueAt } from '../../util/values.ts';
import type { Path } from '../../kubernetes/json.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import type { Kind } from '../index/kinds.ts';
import { LabelTally, Tally } from './tally.ts';

export interface KnownTaint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** What one fact adds to a collection of what facts have. */
interface Collection<Part> {
  read(fact: Fact): Part;
  add(part: Part, by: 1 | -1): void;
}

type Labels = readonly (readonly [key: string, value: string])[];

interface NodePart {
  readonly labels: Labels;
  readonly taints: readonly KnownTaint[];
  readonly resources: readonly string[];
}

class KnownNodes implements Collection<NodePart> {
  readonly labels = new LabelTally();
  readonly taints = new Tally<KnownTaint>();
  readonly resources = new Tally<string>();

  read({ manifest: { value } }: Fact): NodePart {
    const taints = valueAt(value, ['spec', 'taints']);
    const amounts = valueAt(value, ['status', 'allocatable']) ?? valueAt(value, ['status', 'capacity']);
    return {
      labels: labelsAt(value, ['metadata', 'labels']),
      taints: (isList(taints) ? taints : [])
        .map((taint) => ({ key: textAt(taint, 'key'), value: textAt(taint, 'value'), effect: textAt(taint, 'effect') }))
        .filter(({ key }) => key !== ''),
      resources: isObject(amounts) ? Object.keys(amounts) : [],
    };
  }

  add({ labels, taints, resources }: NodePart, by: 1 | -1): void {
    this.labels.add(labels, by);
    for (const taint of taints) {
      this.taints.add(JSON.stringify([taint.key, taint.value, taint.effect]), taint, by);
    }
    for (const name of resources) this.resources.add(name, name, by);
  }
}

class KnownNamespaces implements Collection<Labels> {
  readonly labels = new LabelTally();

  read({ name, manifest: { value } }: Fact): Labels {
    // The API server gives each this label. Source: pkg/apis/core/v1/defaults.go (SetDefaults_Namespace)
    const given = 'kubernetes.io/metadata.name';
    return [[given, name], ...labelsAt(value, ['metadata', 'labels']).filter(([key]) => key !== given)];
  }

  add(labels: Labels, by: 1 | -1): void {
    this.labels.add(labels, by);
  }
}

interface PodPart {
  readonly namespace: string;
  readonly labels: Labels;
}

/** Labels of pods and of those that are made, one vote for each workload. */
class KnownPods implements Collection<PodPart> {
  readonly all = new LabelTally();
  readonly namespaces = new Tally<string>();
  readonly #byNamespace = new Map<string, LabelTally>();

  read({ kind, namespace, manifest: { value } }: Fact): PodPart {
    return { namespace, labels: labelsAt(value, [...(podTemplatePath(kind) ?? []), 'metadata', 'labels']) };
  }

  add({ namespace, labels }: PodPart, by: 1 | -1): void {
    this.namespaces.add(namespace, namespace, by);
    this.all.add(labels, by);
    const own = getOrInsert(this.#byNamespace, namespace, () => new LabelTally());
    own.add(labels, by);
  }

  /** Those of one namespace; of all where it has none. */
  in(namespace: string): LabelTally {
    const own = this.#byNamespace.get(namespace);
    return own === undefined || own.isEmpty ? this.all : own;
  }
}

/** A collection of what all objects of some kinds have. An edit exchanges one object; the rest is not counted again. */
function collected<Part, Result extends Collection<Part>>(
  kinds: readonly Kind[],
  make: () => Result,
): (facts: FactsReader) => Result {
  return derived(
    kinds,
    (...lists) => {
      const result = make();
      for (const facts of lists) for (const fact of facts) result.add(result.read(fact), 1);
      return result;
    },
    (result, { before, after }) => {
      const [was, is] = [result.read(before), result.read(after)];
      // Most edits change nothing of this, and what is in order stays so.
      if (JSON.stringify(was) === JSON.stringify(is)) return true;
      result.add(was, -1);
      result.add(is, 1);
      return true;
    },
  );
}

export const knownNodes = collected(['Node'], () => new KnownNodes());
export const knownNamespaces = collected(['Namespace'], () => new KnownNamespaces());
export const knownPods = collected(workloadKinds, () => new KnownPods());

/** Keys and values of a map of texts; nothing of what is written otherwise. */
export function labelsAt(value: unknown, path: Path): Labels {
  const labels = valueAt(value, path);
  if (!isObject(labels)) return [];
  return Object.entries(labels).filter((label): label is [string, string] => typeof label[1] === 'string');
}

function textAt(value: unknown, field: string): string {
  const text = valueAt(value, [field]);
  return typeof text === 'string' ? text : '';
}
