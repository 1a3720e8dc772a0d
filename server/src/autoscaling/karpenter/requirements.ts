import type { NodeSelectorRequirement } from '../../kubernetes/objects.ts';
import type { Labels } from '../../kubernetes/labels.ts';
import { hostnameKey } from './labels.ts';
import type { RequirementWithMinValues } from './objects.ts';
import { Requirement } from './requirement.ts';

/** What is required of a node, by label. Source: sigs.k8s.io/karpenter pkg/scheduling/requirements.go at v1.13.0 */
export type Requirements = ReadonlyMap<string, Requirement>;

export const noRequirements: Requirements = new Map();
const noKeys: ReadonlySet<string> = new Set();

/** All of them together: those of one key are intersected. */
export function together(...lists: readonly Iterable<Requirement>[]): Requirements {
  const all = new Map<string, Requirement>();
  for (const list of lists) for (const requirement of list) addTo(all, requirement);
  return all;
}

export function addTo(all: Map<string, Requirement>, requirement: Requirement): void {
  const known = all.get(requirement.key);
  all.set(requirement.key, known === undefined ? requirement : requirement.intersection(known));
}

/** With further ones; the first is kept as it is. */
export function withMore(requirements: Requirements, more: Iterable<Requirement>): Requirements {
  const all = new Map(requirements);
  for (const requirement of more) addTo(all, requirement);
  return all;
}

export function labelRequirements(labels: Labels | undefined): readonly Requirement[] {
  return Object.entries(labels ?? {}).map(([key, value]) => Requirement.in(key, value));
}

export function selectorRequirements(
  expressions: readonly (NodeSelectorRequirement | RequirementWithMinValues)[] | undefined,
): readonly Requirement[] {
  return (expressions ?? []).map((expression) => Requirement.of(expression));
}

/** Why requirements cannot be met together. The text is only made when it is shown. */
export type Incompatible = () => string;

/**
 * Whether what is required can be met by a node that promises these: keys that it does not define are denied, but for
 * those that may be undefined. Upstream names one key in the order of a Go map, here the first in byte order.
 * Source: Requirements.Compatible
 */
export function incompatibility(
  promised: Requirements,
  required: Requirements,
  mayBeUndefined: ReadonlySet<string> = noKeys,
): Incompatible | undefined {
  let missing: string | undefined;
  for (const [key, { operator }] of required) {
    if (mayBeUndefined.has(key) || promised.has(key) || operator === 'NotIn' || operator === 'DoesNotExist') continue;
    if (missing === undefined || key < missing) missing = key;
  }
  if (missing === undefined) return disjointKeys(promised, required);
  const key = missing;
  return () => `label "${key}" does not have known values${labelHint(promised, key, mayBeUndefined)}`;
}

/** How many keys of what is required stand in the way. */
export function conflicts(promised: Requirements, required: Requirements, mayBeUndefined: ReadonlySet<string>): number {
  return [...required].filter(([key, requirement]) => {
    const own = promised.get(key);
    return own === undefined ? !mayBeUndefined.has(key) && !isExclusion(requirement) : !meet(own, requirement);
  }).length;
}

export function areCompatible(
  promised: Requirements,
  required: Requirements,
  mayBeUndefined?: ReadonlySet<string>,
): boolean {
  return incompatibility(promised, required, mayBeUndefined) === undefined;
}

/** Source: Requirements.Intersects */
export function disjointKeys(existing: Requirements, incoming: Requirements): Incompatible | undefined {
  const [smaller, larger] = existing.size > incoming.size ? [incoming, existing] : [existing, incoming];
  const disjoint: string[] = [];
  for (const key of smaller.keys()) {
    if (larger.has(key) && !meet(existing.get(key)!, incoming.get(key)!)) disjoint.push(key);
  }
  if (disjoint.length === 0) return undefined;
  return () =>
    disjoint
      .sort()
      .map((key) => `key ${key}, ${incoming.get(key)!.text} not in ${existing.get(key)!.text}`)
      .join('; ');
}

/** Whether both can hold. What is excluded on both sides is no contradiction, even where nothing is left. */
export function meet(existing: Requirement, incoming: Requirement): boolean {
  if (existing.intersects(incoming)) return true;
  return isExclusion(incoming) && isExclusion(existing);
}

function isExclusion({ operator }: Requirement): boolean {
  return operator === 'NotIn' || operator === 'DoesNotExist';
}

/** Source: labelHint; upstream takes any in the order of a Go map, here the one that is most alike. */
function labelHint(promised: Requirements, key: string, wellKnown: ReadonlySet<string>): string {
  const suffix = key.includes('/') ? key.slice(key.indexOf('/') + 1) : key;
  const resembles = (known: string): boolean => known.includes(key) || known.endsWith(suffix);
  const closest = (keys: Iterable<string>): string | undefined => {
    const like = [...keys].filter(resembles).sort();
    return like.find((known) => known.endsWith(`/${suffix}`)) ?? like[0];
  };
  const like = closest(wellKnown) ?? closest(promised.keys());
  return like === undefined ? '' : ` (typo of "${like}"?)`;
}

/** As upstream prints them; the host name, which is made up, is left out. Source: Requirements.String */
export function requirementsText(requirements: Requirements): string {
  return [...requirements.values()]
    .filter(({ key }) => key !== hostnameKey)
    .map(({ text }) => text)
    .sort()
    .join(', ');
}

export function hasMinValues(requirements: Requirements): boolean {
  for (const { minValues } of requirements.values()) if (minValues !== undefined) return true;
  return false;
}

/** Any value, where nothing is required. */
export function requirementOf(requirements: Requirements, key: string): Requirement {
  return requirements.get(key) ?? Requirement.exists(key);
}
