/**
 * Where manifests name things: classes, namespaces, nodes and their labels and taints, claims, schedulers, labels and
 * ports of pods. Tables say at which paths; definition, references, highlights and renaming all read them.
 */
import type { Position } from 'vscode-languageserver';
import { getOrInsert } from '../../util/maps.ts';
import { sameItems } from '../../util/same-items.ts';
import { isList, isObject, valueAt } from '../../util/values.ts';
import { computeClassKey, nodePoolKey } from '../../autoscaling/karpenter/labels.ts';
import type { Path } from '../../kubernetes/json.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { documentAtLine, offsetInDocument } from '../../manifests/text-positions.ts';
import type { Fact, FactsReader } from './fact.ts';
import type { Facts } from './facts.ts';
import { type Kind, kinds } from './kinds.ts';
import { selectedBy, selectorsOf } from './selections.ts';

/** What a name may stand for: an object of a kind, or something that objects have. */
export type NamedKind =
  | Kind
  | 'label of nodes'
  | 'taint'
  | 'scheduler'
  | 'label of pods'
  | 'label value of pods'
  | 'port of pods'
  | 'claim of pods';

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
  /** Of the value of a label: the key of the label. */
  readonly label?: string;
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

const deviceRequests = ['exactly', 'firstAvailable.*'].map((each) => `devices.requests.*.${each}.deviceClassName`);

const containers = ['spec.containers.*', 'spec.initContainers.*'];

const rows: readonly Row[] = [
  { kind: 'PriorityClass', inPods: split('spec.priorityClassName') },
  { kind: 'Namespace', at: split('metadata.namespace') },
  { kind: 'Namespace', inPods: split(...affinities.map((term) => `${term}.namespaces.*`)) },
  { kind: 'Node', inPods: split('spec.nodeName') },
  { kind: 'scheduler', of: ['KubeSchedulerConfiguration'], at: split('profiles.*.schedulerName'), declares: true },
  { kind: 'scheduler', inPods: split('spec.schedulerName') },
  { kind: 'PersistentVolumeClaim', inPods: split('spec.volumes.*.persistentVolumeClaim.claimName') },
  { kind: 'ResourceClaim', inPods: split('spec.resourceClaims.*.resourceClaimName') },
  { kind: 'ResourceClaimTemplate', inPods: split('spec.resourceClaims.*.resourceClaimTemplateName') },
  { kind: 'claim of pods', inPods: split('spec.resourceClaims.*.name'), declares: true },
  { kind: 'claim of pods', inPods: split(...containers.map((list) => `${list}.resources.claims.*.name`)) },
  { kind: 'DeviceClass', of: ['ResourceClaim'], at: split(...deviceRequests.map((each) => `spec.${each}`)) },
  {
    kind: 'DeviceClass',
    of: ['ResourceClaimTemplate'],
    at: split(...deviceRequests.map((each) => `spec.spec.${each}`)),
  },
  { kind: 'Node', of: ['ResourceSlice'], at: split('spec.nodeName') },
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
  {
    kind: 'label of nodes',
    of: ['NodePool'],
    at: split('spec.template.metadata.labels.{}', 'spec.template.spec.requirements.*.key'),
    declares: true,
  },
  {
    kind: 'label of nodes',
    of: ['MachineDeployment', 'MachineSet', 'MachinePool'],
    at: split('spec.template.spec.metadata.labels.{}'),
    declares: true,
  },
  {
    kind: 'label of nodes',
    of: ['ClusterConfig'],
    at: split('managedNodeGroups.*.labels.{}', 'nodeGroups.*.labels.{}'),
    declares: true,
  },
  {
    kind: 'taint',
    of: ['NodePool', 'MachineDeployment', 'MachineSet', 'MachinePool'],
    at: split('spec.template.spec.taints.*.key', 'spec.template.spec.startupTaints.*.key'),
    declares: true,
  },
  {
    kind: 'taint',
    of: ['ClusterConfig'],
    at: split('managedNodeGroups.*.taints.*.key', 'nodeGroups.*.taints.*.key'),
    declares: true,
  },
  { kind: 'taint', inPods: split('spec.tolerations.*.key') },
  { kind: 'port of pods', inPods: split(...containers.map((list) => `${list}.ports.*.name`)), declares: true },
  {
    kind: 'port of pods',
    inPods: split(
      ...containers.flatMap((list) =>
        ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle.postStart', 'lifecycle.preStop'].flatMap(
          (caller) => [`${list}.${caller}.httpGet.port`, `${list}.${caller}.tcpSocket.port`],
        ),
      ),
    ),
  },
  { kind: 'port of pods', of: ['Service'], at: split('spec.ports.*.targetPort') },
  { kind: 'port of pods', of: ['NetworkPolicy'], at: split('spec.ingress.*.ports.*.port') },
];

/** References that say which kind they are to. */
const references: readonly {
  readonly of: Kind;
  readonly at: Path;
  readonly kinds: readonly Kind[];
  /** Where none is written. */
  readonly usual?: Kind;
}[] = [
  { of: 'CapacityBuffer', at: ['spec', 'scalableRef'], kinds: workloadKinds },
  { of: 'HorizontalPodAutoscaler', at: ['spec', 'scaleTargetRef'], kinds: workloadKinds },
  { of: 'ScaledObject', at: ['spec', 'scaleTargetRef'], kinds: workloadKinds, usual: 'Deployment' },
  { of: 'MachineAutoscaler', at: ['spec', 'scaleTargetRef'], kinds: ['MachineSet', 'MachineDeployment'] },
  {
    of: 'NodePool',
    at: ['spec', 'template', 'spec', 'nodeClassRef'],
    kinds: ['EC2NodeClass', 'AKSNodeClass', 'NodeClass'],
  },
];

/** Labels whose value is the name of what makes the node. */
const poolKeys: readonly (readonly [key: string, kind: Kind])[] = [
  [nodePoolKey, 'NodePool'],
  [computeClassKey, 'ComputeClass'],
];

/** Where labels of pods stand: those that pods have, maps that a pod must match, and label selectors. */
const labelRows: readonly (Pick<Row, 'at' | 'inPods' | 'of' | 'declares'> & { readonly isSelector: boolean })[] = [
  { inPods: split('metadata.labels'), isSelector: false, declares: true },
  { of: ['Service', 'ReplicationController'], at: split('spec.selector'), isSelector: false },
  {
    of: ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'PodDisruptionBudget'],
    at: split('spec.selector'),
    isSelector: true,
  },
  {
    of: ['NetworkPolicy'],
    at: split('spec.podSelector', 'spec.ingress.*.from.*.podSelector', 'spec.egress.*.to.*.podSelector'),
    isSelector: true,
  },
  {
    inPods: split(
      ...affinities.map((term) => `${term}.labelSelector`),
      'spec.topologySpreadConstraints.*.labelSelector',
    ),
    isSelector: true,
  },
];

/** What a selector in the same term or peer may say of namespaces: it is then about pods of others. */
const otherNamespaces = ['namespaces', 'namespaceSelector'];

const ownName: Path = ['metadata', 'name'];
const inNoNamespace: ReadonlySet<NamedKind> = new Set([
  'PriorityClass',
  'Namespace',
  'Node',
  'PersistentVolume',
  'StorageClass',
  'NodePool',
  'EC2NodeClass',
  'AKSNodeClass',
  'NodeClass',
  'ComputeClass',
  'DeviceClass',
  'label of nodes',
  'taint',
  'scheduler',
]);

const known = new WeakMap<ManifestObject, readonly Omit<Mention, 'fact'>[]>();

/** Every place in an object that names something. */
function mentionsIn(fact: Fact): readonly Omit<Mention, 'fact'>[] {
  // Objects keep their identity as long as their text does not change.
  return getOrInsert(known, fact.manifest, () => look(fact));
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
  for (const row of labelRows) {
    const patterns = row.of === undefined || row.of.includes(fact.kind) ? (row.at ?? []) : [];
    for (const pattern of patterns) {
      each(value, pattern, [], (path) => found.push(...labelsAt(fact, path, row)));
    }
    if (template === undefined) continue;
    for (const pattern of row.inPods ?? []) {
      each(valueAt(value, template), pattern, template, (path) => found.push(...labelsAt(fact, path, row)));
    }
  }
  if (template !== undefined) {
    for (const [key, kind] of poolKeys) {
      for (const path of poolsSelected(valueAt(value, template), key)) {
        add(kind, [...template, ...path], 'value', valueAt(value, [...template, ...path]), false);
      }
    }
  }
  for (const { of, at, kinds: named, usual } of references) {
    if (of !== fact.kind) continue;
    const written = valueAt(value, [...at, 'kind']) ?? usual;
    const kind = named.find((each) => each === written);
    if (kind !== undefined) add(kind, [...at, 'name'], 'value', valueAt(value, [...at, 'name']), false);
  }
  if (fact.kind === 'ResourceQuota') {
    for (const path of classesOfQuota(value)) add('PriorityClass', path, 'value', valueAt(value, path), false);
  }
  return found;
}

/** The keys and values of labels in a map, or in a label selector. */
function* labelsAt(
  { manifest: { value }, namespace }: Fact,
  path: Path,
  { isSelector, declares = false }: (typeof labelRows)[number],
): Generator<Omit<Mention, 'fact'>> {
  const beside = valueAt(value, path.slice(0, -1));
  if (isObject(beside) && otherNamespaces.some((key) => Object.hasOwn(beside, key))) return;
  const keyed = (at: Path, part: 'key' | 'value', name: string): Omit<Mention, 'fact'> => ({
    ...{ path: at, part, kind: 'label of pods', namespace, name, declares },
  });
  const valued = (at: Path, label: string, name: string): Omit<Mention, 'fact'> => ({
    ...{ path: at, part: 'value', kind: 'label value of pods', namespace, name, label, declares },
  });
  const mapPath = isSelector ? [...path, 'matchLabels'] : path;
  const labels = valueAt(value, mapPath);
  for (const [key, text] of isObject(labels) ? Object.entries(labels) : []) {
    yield keyed([...mapPath, key], 'key', key);
    if (typeof text === 'string' && text !== '') yield valued([...mapPath, key], key, text);
  }
  const expressionsPath = [...path, 'matchExpressions'];
  const expressions = isSelector ? valueAt(value, expressionsPath) : undefined;
  for (const [index, expression] of isList(expressions) ? expressions.entries() : []) {
    const key = valueAt(expression, ['key']);
    if (typeof key !== 'string') continue;
    yield keyed([...expressionsPath, index, 'key'], 'value', key);
    const values = valueAt(expression, ['values']);
    for (const [at, text] of isList(values) ? values.entries() : []) {
      if (typeof text === 'string') yield valued([...expressionsPath, index, 'values', at], key, text);
    }
  }
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

const required: Path = ['spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'];

/** Where a pod selects nodes by the name of what makes them. */
function* poolsSelected(pod: unknown, key: string): Generator<Path> {
  const selector: Path = ['spec', 'nodeSelector', key];
  if (valueAt(pod, selector) !== undefined) yield selector;
  const terms = valueAt(pod, [...required, 'nodeSelectorTerms']);
  for (const [term, written] of isList(terms) ? terms.entries() : []) {
    const matchExpressions = valueAt(written, ['matchExpressions']);
    for (const [index, expression] of isList(matchExpressions) ? matchExpressions.entries() : []) {
      const values = valueAt(expression, ['key']) === key ? valueAt(expression, ['values']) : undefined;
      const at: Path = [...required, 'nodeSelectorTerms', term, 'matchExpressions', index, 'values'];
      for (const place of isList(values) ? values.keys() : []) yield [...at, place];
    }
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

/** What is named: the same for all mentions of it. A port or claim of pods is known by an object that names it. */
export type Named = Pick<Mention, 'kind' | 'namespace' | 'name' | 'label'> & { readonly fact?: Fact };

/** Every mention of something, declarations first. */
export function mentionsOf(named: Named, facts: FactsReader): readonly Mention[] {
  const found: Mention[] = [];
  const { kind, fact: from } = named;
  for (const fact of from === undefined ? allOf(facts) : objectsWith(kind, from, named, facts)) {
    for (const mention of mentionsIn(fact)) if (isSameName(mention, named)) found.push({ fact, ...mention });
  }
  return [...found.filter(({ declares }) => declares), ...found.filter(({ declares }) => !declares)];
}

/** The objects in which a name means the same. */
function objectsWith(kind: NamedKind, from: Fact, named: Named, facts: FactsReader): Iterable<Fact> {
  if (kind === 'claim of pods') return [from];
  return kind === 'port of pods' ? connected(from, named, facts) : allOf(facts);
}

/** Mentions of the same name in the object of a mention, itself among them. */
export function mentionsInObject(named: Mention): readonly Mention[] {
  const { fact } = named;
  return mentionsIn(fact).flatMap((each) => (isSameName(each, named) ? [{ fact, ...each }] : []));
}

function isSameName(a: Named, b: Named): boolean {
  return a.name === b.name && a.kind === b.kind && a.namespace === b.namespace && a.label === b.label;
}

function* allOf(facts: FactsReader): Generator<Fact> {
  for (const kind of kinds) yield* facts.ofKind(kind);
}

/**
 * The objects in which the name of a port means the same: a workload, what selects its pods and names the port, what
 * else that selects, and so on. Ports of one name are many; most have nothing to do with each other.
 */
function connected(from: Fact, named: Named, facts: FactsReader): ReadonlySet<Fact> {
  const found = new Set([from]);
  // What is added meanwhile is visited, too.
  for (const fact of found) {
    const next = fact.template === undefined ? selectedBy(fact, facts) : selectorsOf(fact, facts);
    for (const each of next) if (mentionsIn(each).some((mention) => isSameName(mention, named))) found.add(each);
  }
  return found;
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
  const found = mentionsIn(fact).find((each) => each.part === on && sameItems(each.path, path));
  return found === undefined ? undefined : { fact, ...found };
}
