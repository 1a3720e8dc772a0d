import { say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { isPoolKind } from '../../kubernetes/pool-kinds.ts';
import {
  autoModeDomain,
  autoModeLabels,
  awsDomain,
  stableKey,
  wellKnownLabels,
  wellKnownValues,
} from '../../autoscaling/karpenter/labels.ts';
import type { Kind } from '../index/kinds.ts';
import { poolTypes } from '../index/pool-types.ts';
import type { Asked, Choice } from './context.ts';
import { knownNodes } from './known.ts';
import { machineAnnotations, openshiftAnnotations } from './pool-types.ts';

/** What requirements of pools and overlays name. */
export function* requiredKeys({ object, context: { facts } }: Asked): Generator<Choice> {
  const group = valueAt(object.value, ['spec', 'template', 'spec', 'nodeClassRef', 'group']) ?? awsDomain;
  for (const label of wellKnownLabels) {
    if (group === awsDomain || !label.startsWith(`${awsDomain}/`)) yield { label, detail: say`well-known label` };
  }
  if (group === autoModeDomain) for (const label of autoModeLabels) yield { label, detail: say`well-known label` };
  for (const { thing } of knownNodes(facts).labels.keys()) yield { label: thing, detail: say`on nodes` };
}

export function* requiredValues({ object, path, uri, context: { facts } }: Asked): Generator<Choice> {
  const key = valueAt(object.value, [...path.slice(0, path.lastIndexOf('values')), 'key']);
  if (typeof key !== 'string') return;
  const name = valueAt(object.value, ['metadata', 'name']);
  const fact = facts.ofKind('NodePool').find((each) => each.uri === uri && each.name === name);
  const types = poolTypes();
  const found = fact === undefined ? undefined : types?.typesOfPool(fact, facts);
  const known = types === undefined || found === undefined ? [] : types.valuesOf(found, stableKey(key));
  const listed = new Set([...(wellKnownValues.get(stableKey(key)) ?? []), ...known]);
  for (const label of listed) yield { label, detail: say`of instance types` };
  for (const { thing } of knownNodes(facts).labels.values(key)) yield { label: thing, detail: say`on nodes` };
}

/** The types of EC2, where they are loaded. */
export function instanceTypes(): readonly Choice[] {
  return (poolTypes()?.typeNames() ?? []).map((label) => ({ label, detail: say`of instance types` }));
}

const nodeClasses: readonly (readonly [group: string, kind: Kind])[] = [
  ['karpenter.k8s.aws', 'EC2NodeClass'],
  ['karpenter.azure.com', 'AKSNodeClass'],
  ['eks.amazonaws.com', 'NodeClass'],
];

export function nodeClassParts({ path, context: { facts } }: Asked): readonly Choice[] {
  const field = path.at(-1);
  return nodeClasses.flatMap(([group, kind]): readonly Choice[] => {
    if (field === 'group') return [{ label: group, detail: kind }];
    if (field === 'kind') return [{ label: kind, detail: group }];
    return facts.ofKind(kind).map(({ name }) => ({ label: name, detail: kind }));
  });
}

/** Objects in the namespace of a buffer or an autoscaler of machines, of the kind that it names. */
export function ofNamespace(kind: Kind, { object, context: { facts } }: Asked): readonly Choice[] {
  return facts
    .ofKind(kind)
    .filter(({ name, namespace }) => name !== '' && namespace === object.namespace)
    .map(({ name }) => ({ label: name, detail: kind }));
}

/** Annotations that say what the machines of a node group are like. */
export function poolAnnotations({ object: { apiVersion, kind }, path }: Asked): readonly Choice[] {
  if (path.length !== 2 || !kind.startsWith('Machine') || !isPoolKind(apiVersion, kind)) return [];
  const isOpenShift = apiVersion.startsWith('machine.openshift.io/');
  const all = isOpenShift ? [...openshiftAnnotations, ...machineAnnotations.slice(2)] : machineAnnotations;
  return all.map((label) => ({ label, detail: say`read by Cluster Autoscaler` }));
}
