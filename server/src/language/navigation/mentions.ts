/**
 * Where manifests name things: classes, namespaces, nodes and their labels and taints, claims, schedulers. One table
 * says at which paths; definition, references, highlights and renaming all read it.
 */
import type { Position } from 'vscode-languageserver';
import { isList, isObject, valueAt } from '../../kit/values.ts';
import type { Path } from '../../kubernetes/json.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { documentAtLine, offsetInDocument } from '../../manifests/text-positions.ts';
import type { Fact, FactsReader } from '../fact.ts';
import type { Facts } from '../facts.ts';
import { type Kind, kinds } from '../kinds.ts';

/** What a name may stand for: an object of a kind, or something that objects have. */
export type NamedKind = Kind | 'label of nodes' | 'taint' | 'scheduler';

/** A place in an object where something is named or declared. */
export interface Mention {
  readonly fact: Fact;
  readonly path: Path;
  /** Whether the name is the key at the path, or its value. */
  readonly part: 'key' | 'value';
  readonly kind: NamedKind;
  /** Of what is named; empty for what is in no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly declares: boolean;
}

/** A step of a pattern: a field, `*` for each item of a list, `{}` for each key of a map. */
type Pattern = readonly string[];

interface Row {
  readonly kind: NamedKind;
  /** From the top of the object. */
  readonly at?: readonly Pattern[];
  /** From the pod or pod template. */
  readonly inPods?: readonly Pattern[];
  /** The kinds of objects that `at` is about; all when left out. */
  readonly of?: readonly Kind[];
  readonly declares?: boolean;
}

const split = (...patterns: readonly string[]): readonly Pattern[] => patterns.map((pattern) => pattern.split('.'));

const affinities = ['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
  `spec.affinity.${affinity}.requiredDuringSchedulingIgnoredDuringExecution.*`,
  `spec.affinity.${affinity}.preferredDuringSchedulingIgnoredDuringExecution.*.podAffinityTerm`,
]);
const nodeTerms = [
  'requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.*',
  'preferredDuringSchedulingIgnoredDuringExecution.*.preference',
];

const rows: readonly Row[] = [
  { kind: 'PriorityClass', inPods: split('spec.priorityClassName') },
  { kind: 'Namespace', at: split('metadata.namespace') },
  { kind: 'Namespace', inPods: split(...affinities.map((term) => `${term}.namespaces.*`)) },
  { kind: 'Node', inPods: split('spec.nodeName') },
  { kind: 'scheduler', of: ['KubeSchedulerConfiguration'], at: split('profiles.*.schedulerName'), declares: true },
  { kind: 'scheduler', inPods: split('spec.schedulerName') },
  { kind: 'PersistentVolumeClaim', inPods: split('spec.volumes.*.persistentVolumeClaim.claimName') },
  { kind: 'PersistentVolume', of: ['PersistentVolumeClaim'], at: split('spec.volumeName') },
  { kind: 'StorageClass', of: ['PersistentVolumeClaim', 'PersistentVolume'], at: split('spec.storageClassName') },
  { kind: 'StorageClass', of: ['StatefulSet'], at: split('spec.volumeClaimTemplates.*.spec.storageClassName') },
  { kind: 'label of nodes', of: ['Node'], at: split('metadata.labels.{}'), declares: true },
  {
    kind: 'label of nodes',
    inPods: split(
      'spec.nodeSelector.{}',
      ...nodeTerms.map((term) => `spec.affinity.nodeAffinity.${term}.matchExpressions.*.key`),
      ...affinities.map((term) => `${term}.topologyKey`),
      'spec.topologySpreadConstraints.*.topologyKey',
    ),
  },
  {
    kind: 'label of nodes',
    of: ['PersistentVolume'],
    at: split('spec.nodeAffinity.required.nodeSelectorTerms.*.matchExpressions.*.key'),
  },
  { kind: 'taint', of: ['Node'], at: split('spec.taints.*.key'), declares: true },
  { kind: 'taint', inPods: split('spec.tolerations.*.key') },
];

const ownName: Path = ['metadata', 'name'];
const inNoNamespace: ReadonlySet<NamedKind> = new Set([
  'PriorityClass',
  'Namespace',
  'Node',
  'PersistentVolume',
  'StorageClass',
  'label of nodes',
  'taint',
  'scheduler',
]);

const known = new WeakMap<ManifestObject, readonly Omit<Mention, 'fact'>[]>();

/** Every place in an object that names something. */
function mentionsIn(fact: Fact): readonly Omit<Mention, 'fact'>[] {
  let found = known.get(fact.manifest);
  // Objects keep their identity as long as their text does not change.
  if (found === undefined) known.set(fact.manifest, (found = look(fact)));
  return found;
}

function look(fact: Fact): readonly Omit<Mention, 'fact'>[] {
  const { value } = fact.manifest;
  const found: Omit<Mention, 'fact'>[] = [];
  const add = (kind: NamedKind, path: Path, part: 'key' | 'value', name: unknown, declares: boolean): void => {
    if (typeof name !== 'string' || name === '') return;
    const namespace = inNoNamespace.has(kind) ? '' : fact.namespace;
    found.push({ path, part, kind, namespace, name, declares });
  };
  add(fact.kind, ownName, 'value', fact.name, true);
  const template = podTemplatePath(fact.kind);
  for (const { kind, at = [], inPods = [], of, declares = false } of rows) {
    const patterns = of === undefined || of.includes(fact.kind) ? at : [];
    for (const pattern of patterns) {
      each(value, pattern, [], (path, part, name) => {
        add(kind, path, part, name, declares);
      });
    }
    if (template === undefined || inPods.length === 0) continue;
    const pod = valueAt(value, template);
    for (const pattern of inPods) {
      each(pod, pattern, template, (path, part, name) => {
        add(kind, path, part, name, declares);
      });
    }
  }
  if (fact.kind === 'ResourceQuota') {
    for (const path of classesOfQuota(value)) add('PriorityClass', path, 'value', valueAt(value, path), false);
  }
  if (fact.kind === 'HorizontalPodAutoscaler') {
    const scaled = valueAt(value, ['spec', 'scaleTargetRef', 'kind']);
    const kind = workloadKinds.find((candidate) => candidate === scaled);
    const path = ['spec', 'scaleTargetRef', 'name'];
    if (kind !== undefined) add(kind, path, 'value', valueAt(value, path), false);
  }
  return found;
}

/** Walks a pattern and calls with each place that it leads to. */
function each(
  value: unknown,
  pattern: Pattern,
  path: Path,
  found: (path: Path, part: 'key' | 'value', name: unknown) => void,
): void {
  const [step, ...rest] = pattern;
  if (step === undefined) {
    found(path, 'value', value);
  } else if (step === '*') {
    if (isList(value)) for (const [index, item] of value.entries()) each(item, rest, [...path, index], found);
  } else if (step === '{}') {
    if (isObject(value)) for (const key of Object.keys(value)) found([...path, key], 'key', key);
  } else if (isObject(value) && Object.hasOwn(value, step)) {
    each(value[step], rest, [...path, step], found);
  }
}

const quotaExpressions: Path = ['spec', 'scopeSelector', 'matchExpressions'];

function classesOfQuota(value: unknown): readonly Path[] {
  const expressions = valueAt(value, quotaExpressions);
  if (!isList(expressions)) return [];
  return expressions.flatMap((expression, index) => {
    const values = valueAt(expression, ['scopeName']) === 'PriorityClass' ? valueAt(expression, ['values']) : undefined;
    return isList(values) ? values.map((_value, item): Path => [...quotaExpressions, index, 'values', item]) : [];
  });
}

/** What is named: the same for all mentions of it. */
export type Named = Pick<Mention, 'kind' | 'namespace' | 'name'>;

/** Every mention of something, declarations first. */
export function mentionsOf({ kind, namespace, name }: Named, facts: FactsReader): readonly Mention[] {
  const found: Mention[] = [];
  for (const each of kinds) {
    for (const fact of facts.ofKind(each)) {
      for (const mention of mentionsIn(fact)) {
        if (mention.name !== name || mention.kind !== kind || mention.namespace !== namespace) continue;
        found.push({ fact, ...mention });
      }
    }
  }
  return [...found.filter(({ declares }) => declares), ...found.filter(({ declares }) => !declares)];
}

/** What the cursor is on. */
export interface Cursor {
  readonly fact: Fact;
  readonly path: Path;
  readonly on: 'key' | 'value';
}

export function cursorAt(file: ManifestFile, position: Position, facts: Facts): Cursor | undefined {
  const placed = documentAtLine(file.documents, position.line);
  const located = placed?.document.at(offsetInDocument(placed, position));
  if (placed === undefined || located === undefined || located === null) return undefined;
  const fact = facts.factOf(file.uri, placed.index, located.object);
  return fact === undefined ? undefined : { fact, path: located.path, on: located.on };
}

/** The mention under the cursor. */
export function mentionAt(file: ManifestFile, position: Position, facts: Facts): Mention | undefined {
  const cursor = cursorAt(file, position, facts);
  if (cursor === undefined) return undefined;
  const { fact, path, on } = cursor;
  const found = mentionsIn(fact).find((each) => each.part === on && samePath(each.path, path));
  return found === undefined ? undefined : { fact, ...found };
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}
