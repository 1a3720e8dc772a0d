import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Asked, Choice } from './context.ts';
import { poolLabels } from '../index/pools.ts';
import { knownNamespaces, knownNodes, knownPods, labelsAt } from './known.ts';
import type { LabelTally } from './tally.ts';

/** Labels that a place is about, and who has them. */
export interface MeantLabels {
  readonly tally: LabelTally;
  /** `on 12 nodes`. */
  readonly where: (times: number) => string;
  /** What every object of the kind has, whether or not one is known: key → values. */
  readonly wellKnown: ReadonlyMap<string, readonly string[]>;
  /** The labels in which somebody types, which are counted as well: what only they have is no choice. */
  readonly own: ReadonlyMap<string, string>;
  /** What pools give the nodes that they make. */
  readonly ofPools?: readonly (readonly [key: string, value: string])[];
}

const nothing: ReadonlyMap<string, readonly string[]> = new Map();

/** Labels of nodes that the scheduler itself knows. Source: staging/src/k8s.io/api/core/v1/well_known_labels.go */
export const wellKnownTopologies = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
] as const;

const wellKnownOfNodes: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...wellKnownTopologies.map((key): [string, readonly string[]] => [key, []]),
  ['kubernetes.io/os', ['linux', 'windows']],
  ['kubernetes.io/arch', ['amd64', 'arm64']],
  ['node.kubernetes.io/instance-type', []],
]);

/** Fields with labels of nodes, besides expressions over fields of nodes. */
const ofNodes: ReadonlySet<string> = new Set([
  'PodSpec.nodeSelector',
  'Scheduling.nodeSelector',
  'NodeSelectorRequirement.key',
  'NodeSelectorRequirement.values',
  'TopologySelectorLabelRequirement.key',
  'TopologySelectorLabelRequirement.values',
]);

/** Maps of labels of pods. */
const ofPods: ReadonlySet<string> = new Set(['ServiceSpec.selector', 'ReplicationControllerSpec.selector']);

/** Selectors that select something else than pods. */
const selectors: Readonly<Record<string, 'nodes' | 'namespaces' | 'nothing'>> = {
  'PodAffinityTerm.namespaceSelector': 'namespaces',
  'CSIStorageCapacity.nodeTopology': 'nodes',
  'PersistentVolumeClaimSpec.selector': 'nothing',
};

const owners: Readonly<Record<string, 'pods' | 'nodes' | 'namespaces'>> = {
  'PodTemplateSpec.metadata': 'pods',
  'Pod.metadata': 'pods',
  'Node.metadata': 'nodes',
  'Namespace.metadata': 'namespaces',
};

/** Whose labels a place names; undefined where it names none. */
export function labelsMeant(asked: Asked): MeantLabels | undefined {
  const who = whoseLabels(asked);
  const own = ownLabels(asked);
  const { facts } = asked.context;
  switch (who) {
    case 'nodes':
      return {
        tally: knownNodes(facts).labels,
        where: (n) => say`on ${count(n, 'node')}`,
        wellKnown: wellKnownOfNodes,
        own,
        ofPools: poolLabels(facts),
      };
    case 'namespaces':
      return {
        tally: knownNamespaces(facts).labels,
        where: (n) => say`on ${count(n, 'namespace')}`,
        wellKnown: nothing,
        own,
      };
    case 'pods': {
      const pods = knownPods(facts);
      // Affinity may look into other namespaces.
      const isOfTerm = asked.place.fields.some((field) => field.startsWith('PodAffinityTerm.'));
      const tally = isOfTerm ? pods.all : pods.in(asked.object.namespace);
      return { tally, where: (n) => say`in ${count(n, 'workload')}`, wellKnown: nothing, own };
    }
    case 'nothing':
      return undefined;
  }
}

function whoseLabels({ place: { field, fields }, path }: Asked): 'nodes' | 'namespaces' | 'pods' | 'nothing' {
  if (ofNodes.has(field)) return path.includes('matchFields') ? 'nothing' : 'nodes';
  if (ofPods.has(field)) return 'pods';
  const named = fields.filter((each) => each !== '');
  if (field === 'ObjectMeta.labels') return own(owners, named.at(-2) ?? '') ?? 'nothing';
  const selector = named.findLast((each) => !each.startsWith('LabelSelector'));
  if (selector === undefined || !named.at(-1)!.startsWith('LabelSelector')) return 'nothing';
  return own(selectors, selector) ?? 'pods';
}

/** Labels that the place itself is in, of an object that has them. */
function ownLabels({ place: { field }, path, object }: Asked): ReadonlyMap<string, string> {
  const at = field === 'ObjectMeta.labels' ? path.lastIndexOf('labels') : -1;
  return new Map(at === -1 ? [] : labelsAt(object.value, path.slice(0, at + 1)));
}

export function* labelKeys({ tally, where, wellKnown, own, ofPools = [] }: MeantLabels): Generator<Choice> {
  for (const { thing, count: times } of tally.keys()) {
    if (times > 1 || !own.has(thing)) yield { label: thing, detail: where(times) };
  }
  for (const [label] of ofPools) yield { label, detail: say`on nodes of a pool` };
  for (const label of wellKnown.keys()) yield { label, detail: say`well-known label` };
}

export function* labelValues(
  { tally, where, wellKnown, own, ofPools = [] }: MeantLabels,
  key: string,
): Generator<Choice> {
  for (const { thing, count: times } of tally.values(key)) {
    if (times > 1 || own.get(key) !== thing) yield { label: thing, detail: where(times) };
  }
  for (const [of, label] of ofPools) if (of === key) yield { label, detail: say`on nodes of a pool` };
  for (const label of wellKnown.get(key) ?? []) yield { label, detail: say`well-known value` };
}
