import { isUnfinished } from '../../admission/format/written.ts';
import { judgePriorityClass } from '../../admission/priority/priority-class.ts';
import {
  defaultPreemptionPolicy,
  resolvePriority,
  storedPriority,
  systemPriorityClasses,
} from '../../admission/priority/priority.ts';
import type { PriorityResolution } from '../../admission/priority/priority.ts';
import { nearestDeclaration } from '../../kubernetes/nearest-declaration.ts';
import type { PodSpec, PriorityClass } from '../../kubernetes/objects.ts';
import { isStored } from '../../kubernetes/pod-template.ts';
import { addTo, getOrInsert } from '../../util/maps.ts';
import { derived } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';

/** A PriorityClass that counts: the built-in ones, and those that are declared. */
export interface ClassFact {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: 'PreemptLowerPriority' | 'Never';
  readonly globalDefault: boolean;
  readonly description: string;
  /** As the API server would store it. */
  readonly object: PriorityClass;
  /** Null for a built-in class that nobody declares. */
  readonly fact: Fact | null;
}

type Declarations = readonly [ClassFact, ...ClassFact[]];

export interface ClassLadder {
  /** One per name, highest value first, then by name. */
  readonly classes: readonly ClassFact[];
  /** All declarations of a name; a repository with several environments has more than one. */
  readonly byName: ReadonlyMap<string, Declarations>;
  /** Distinct values, highest first. */
  readonly rungs: readonly number[];
  /** Every declaration that is marked as the global default, lowest value first. */
  readonly defaults: readonly ClassFact[];
  /**
   * Whether every class of the cluster is known. The output of `kubectl get priorityclasses` always has the two system
   * classes, and hardly anything else does: where they are declared, so is the rest.
   */
  readonly complete: boolean;
  /** Declarations that the API server refuses, by name, where no other one counts: no pod can have such a class. */
  readonly refused: ReadonlyMap<string, Fact>;
}

/** Source: SystemPriorityClasses in pkg/apis/scheduling/v1/helpers.go (the descriptions; admission has the values) */
const builtInDescriptions: ReadonlyMap<string, string> = new Map([
  ['system-node-critical', 'Used for system critical pods that must not be moved from their current node.'],
  [
    'system-cluster-critical',
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
]);

const builtIn: readonly ClassFact[] = [...systemPriorityClasses].map(([name, value]) => {
  const description = builtInDescriptions.get(name) ?? '';
  const object: PriorityClass = { metadata: { name }, value, description, preemptionPolicy: defaultPreemptionPolicy };
  return {
    name,
    value,
    preemptionPolicy: defaultPreemptionPolicy,
    globalDefault: false,
    description,
    object,
    fact: null,
  };
});

export const classLadder: (facts: FactsReader) => ClassLadder = derived(['PriorityClass'], (declared) =>
  build(declared),
);

function build(declared: readonly Fact[]): ClassLadder {
  const byName = new Map<string, [ClassFact, ...ClassFact[]]>();
  const refused = new Map<string, Fact>();
  for (const fact of declared) {
    if (fact.name === '') continue;
    const entry = classFactOf(fact);
    if (entry === null) {
      refused.set(fact.name, fact);
      continue;
    }
    addTo(byName, entry.name, entry);
  }
  const complete = builtIn.every((entry) => byName.has(entry.name));
  for (const entry of builtIn) {
    if (!byName.has(entry.name)) byName.set(entry.name, [entry]);
  }
  for (const name of byName.keys()) refused.delete(name);
  const all = [...byName.values()].flat();
  const classes = [...byName.values()].map((declarations) => declarations[0]).sort(fromHighest);
  const rungs = [...new Set(all.map((entry) => entry.value))].sort((a, b) => b - a);
  const defaults = all.filter((entry) => entry.globalDefault).sort((a, b) => fromHighest(b, a));
  return { classes, byName, rungs, defaults, complete, refused };
}

function fromHighest(a: ClassFact, b: ClassFact): number {
  return b.value - a.value || (a.name < b.name ? -1 : 1);
}

/** Whether the API server refuses a class, as far as it is finished. */
function isRefused({ object, problems, manifest, source }: Fact): boolean {
  if (source === 'snapshot' || object.metadata?.uid !== undefined) return false;
  if (problems.length > 0 || manifest.decoded.unknownFields.length > 0) return true;
  for (const errors of judgePriorityClass(object)) if (errors.some(({ value }) => !isUnfinished(value))) return true;
  return false;
}

const classFacts = new WeakMap<Fact, ClassFact | null>();

/** Null for one that the API server refuses. A fact keeps its identity as long as its text does not change. */
function classFactOf(fact: Fact): ClassFact | null {
  return getOrInsert(classFacts, fact, () => (isRefused(fact) ? null : readClass(fact)));
}

function readClass(fact: Fact): ClassFact {
  const object = fact.object as Partial<PriorityClass>;
  // Go's zero value stands for what is not written.
  const value = object.value ?? 0;
  return {
    name: fact.name,
    value,
    preemptionPolicy: object.preemptionPolicy === 'Never' ? 'Never' : defaultPreemptionPolicy,
    globalDefault: object.globalDefault === true,
    description: object.description ?? '',
    object: { ...object, value },
    fact,
  };
}

/** The declaration that counts for a file. */
export function classFor(ladder: ClassLadder, name: string, uri: string): ClassFact | undefined {
  const declarations = ladder.byName.get(name);
  if (declarations === undefined || declarations.length === 1) return declarations?.[0];
  return nearest(declarations, uri);
}

/** Every class as it counts for a file, highest first. */
export function classesFor(ladder: ClassLadder, uri: string): readonly ClassFact[] {
  if (!hasDuplicates(ladder)) return ladder.classes;
  return ladder.classes.map((entry) => nearest(ladder.byName.get(entry.name)!, uri)).sort(fromHighest);
}

function hasDuplicates(ladder: ClassLadder): boolean {
  for (const declarations of ladder.byName.values()) {
    if (declarations.length > 1) return true;
  }
  return false;
}

const nearestKnown = new WeakMap<Declarations, Map<string, ClassFact>>();

/** Which declaration counts for a file is looked for once. */
function nearest(declarations: Declarations, uri: string): ClassFact {
  const known = getOrInsert(nearestKnown, declarations, () => new Map());
  return getOrInsert(known, uri, () => nearestDeclaration(declarations, uri, ({ fact }) => fact?.uri));
}

/** The place of a value among the rungs, counted from the highest: 1 of 5. A value between rungs is none. */
export function rungOf(ladder: ClassLadder, value: number): { readonly rank: number; readonly of: number } | undefined {
  const index = ladder.rungs.indexOf(value);
  return index < 0 ? undefined : { rank: index + 1, of: ladder.rungs.length };
}

/** The priority that a pod in the cluster has: admission is behind it. */
export interface StoredPriority {
  readonly admitted: true;
  readonly source: 'stored';
  readonly priority: number;
  readonly className: string;
  readonly preemptionPolicy: string;
}

export type PodPriority = PriorityResolution | StoredPriority;

/** Whether an object is the record of a pod that exists, and not a manifest from which one would be created. */
export function isStoredPod(fact: Fact): boolean {
  return fact.kind === 'Pod' && (fact.source === 'snapshot' || isStored(fact.object));
}

/**
 * The priority of the pods of a workload: what admission makes of a manifest, or what a stored pod has, where nothing
 * said counts as 0. Undefined for objects that make no pods.
 */
export function podPriority(facts: FactsReader, workload: Fact): PodPriority | undefined {
  if (workload.template === undefined) return undefined;
  const ladder = classLadder(facts);
  const { spec } = workload.template;
  return isStoredPod(workload)
    ? storedPriorityOf(ladder, spec, workload.uri)
    : resolvePriority(spec, classesAskedFor(ladder, spec, workload.uri));
}

/** What admission wrote into the pod; what a class says, only of a pod that was written by hand and says no number. */
function storedPriorityOf(ladder: ClassLadder, spec: PodSpec, uri: string): StoredPriority {
  const resolved = storedPriority(spec, classesAskedFor(ladder, spec, uri));
  return {
    admitted: true,
    source: 'stored',
    priority: spec.priority ?? resolved?.priority ?? 0,
    className: spec.priorityClassName ?? '',
    preemptionPolicy: spec.preemptionPolicy ?? resolved?.preemptionPolicy ?? defaultPreemptionPolicy,
  };
}

/** Of the classes that count for a file the one that a pod names, or the one that is the default for pods without. */
function classesAskedFor(ladder: ClassLadder, { priorityClassName = '' }: PodSpec, uri: string): PriorityClass[] {
  const asked = priorityClassName === '' ? defaultFor(ladder, uri) : classFor(ladder, priorityClassName, uri);
  return asked === undefined ? [] : [asked.object];
}

const defaultsKnown = new WeakMap<ClassLadder, Map<string, ClassFact | null>>();

function defaultFor(ladder: ClassLadder, uri: string): ClassFact | undefined {
  const known = getOrInsert(defaultsKnown, ladder, () => new Map());
  const found = getOrInsert(
    known,
    uri,
    () => ladder.defaults.find((entry) => classFor(ladder, entry.name, uri) === entry) ?? null,
  );
  return found ?? undefined;
}
