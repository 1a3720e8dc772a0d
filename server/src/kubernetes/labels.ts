import { isLabelValue, isQualifiedName } from './label-syntax.ts';
import type { LabelSelector } from './objects.ts';

/** Labels as an object carries them. */
export type Labels = Readonly<Record<string, string>>;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** Empty for Exists and DoesNotExist. */
  readonly values: readonly string[];
}

/** A label selector made ready to match. Source: staging/src/k8s.io/apimachinery/pkg/labels/selector.go */
export interface CompiledSelector {
  /** All must hold; sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** Matches everything, because it requires nothing: `{}`. */
  readonly isEmpty: boolean;
  /** Matches nothing, because there is no selector or an invalid one. */
  readonly isNothing: boolean;
  /** Why upstream refuses to read the selector, if it does. */
  readonly invalid?: string;
  readonly matches: (labels: Labels | undefined) => boolean;
}

const nothing: CompiledSelector = { requirements: [], isEmpty: false, isNothing: true, matches: () => false };
const everything: CompiledSelector = { requirements: [], isEmpty: true, isNothing: false, matches: () => true };

/**
 * Reads a label selector: none matches nothing, `{}` matches everything, an invalid one matches nothing and says so.
 * Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector
 */
export function compileLabelSelector(selector: LabelSelector | null | undefined): CompiledSelector {
  if (selector === null || selector === undefined) return nothing;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    requirements.push({ key, operator: 'In', values: [value] });
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!isLabelOperator(operator)) return invalidSelector(`"${operator}" is not a valid label selector operator`);
    requirements.push({ key, operator, values });
  }
  return compileRequirements(requirements);
}

/** A selector of these requirements; without any it matches everything. */
export function compileRequirements(requirements: readonly LabelRequirement[]): CompiledSelector {
  if (requirements.length === 0) return everything;
  for (const requirement of requirements) {
    const problem = requirementProblem(requirement);
    if (problem !== undefined) return invalidSelector(problem);
  }
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    requirements: sorted,
    isEmpty: false,
    isNothing: false,
    matches: (labels) => sorted.every((requirement) => requirementMatches(requirement, labels)),
  };
}

/** Whether the labels carry every pair of the set; without a set they do. Source: labels.Set.AsSelector */
export function matchLabelsOnly(set: Labels | undefined, labels: Labels | undefined): boolean {
  for (const key in set) {
    if (Object.hasOwn(set, key) && labelValue(labels, key) !== set[key]) return false;
  }
  return true;
}

/** The value of a label, undefined if the object does not carry it. Safe for any key, `__proto__` included. */
export function labelValue(labels: Labels | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** Whether one requirement holds for these labels. */
export function requirementMatches({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  const value = labelValue(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

/** What upstream refuses about a requirement, undefined if nothing. Source: labels.NewRequirement */
export function requirementProblem({ key, operator, values }: LabelRequirement): string | undefined {
  if (!isQualifiedName(key)) return `invalid label key "${key}"`;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) return "for 'in', 'notin' operators, values set can't be empty";
  } else if (values.length > 0) {
    return 'values set must be empty for exists and does not exist';
  }
  const bad = values.find((value) => !isLabelValue(value));
  return bad === undefined ? undefined : `invalid label value "${bad}"`;
}

/** Tells the operators of label selectors from everything else. */
export function isLabelOperator(operator: string): operator is LabelRequirement['operator'] {
  return operator === 'In' || operator === 'NotIn' || operator === 'Exists' || operator === 'DoesNotExist';
}

function invalidSelector(problem: string): CompiledSelector {
  return { ...nothing, invalid: problem };
}
