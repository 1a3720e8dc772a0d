import type { LabelSelector, NodeSelectorRequirement, NodeSelectorTerm } from './objects.ts';

/** A requirement as kubectl writes it: `pool=gpu`, `zone in (a, b)`, `!spot`. */
export function requirementText({
  key,
  operator,
  values = [],
}: Pick<NodeSelectorRequirement, 'key' | 'operator' | 'values'>): string {
  const listed = `(${values.join(', ')})`;
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]!}` : `${key} in ${listed}`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]!}` : `${key} notin ${listed}`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return `${key} ${operator} ${values.join(', ')}`;
  }
}

export function nodeTermTexts({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): readonly string[] {
  return [...matchExpressions, ...matchFields].map(requirementText);
}

export function labelSelectorText(selector: LabelSelector | undefined): string {
  return [
    ...Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(selector?.matchExpressions ?? []).map(requirementText),
  ].join(',');
}
