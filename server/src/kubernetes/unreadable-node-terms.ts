import { formatPath, type Path } from './json.ts';
import { isLabelValue } from './label-syntax.ts';
import { compileNodeSelectorTerm } from './node-selector.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm } from './objects.ts';

/** A part of a node selector term that the scheduler cannot read. */
export interface UnreadablePart {
  /** Where it stands in the term. */
  readonly path: Path;
  /** The same as upstream prints it. */
  readonly field: string;
  readonly value?: string;
  readonly problem: string;
}

const notInteger = "for 'Gt', 'Lt' operators, the value must be an integer";

/** The text for a value of a wrong form. Source: apimachinery/pkg/util/validation/validation.go (IsValidLabelValue) */
const notLabelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/**
 * Why the scheduler cannot read a term, part by part; empty when it can. The API server lets some of them through:
 * values of Gt and Lt that are no integers, and in preferred terms values that no label can have.
 * Source: newNodeSelectorTerm in component-helpers/scheduling/corev1/nodeaffinity; labels.NewRequirement
 */
export function unreadableParts(term: NodeSelectorTerm): readonly UnreadablePart[] {
  if (compileNodeSelectorTerm(term).invalid === undefined) return [];
  return [
    ...(term.matchExpressions ?? []).flatMap((expression, index) =>
      unreadableValues(expression, ['matchExpressions', index]),
    ),
    ...(term.matchFields ?? []).flatMap((field, index) => partOf({ matchFields: [field] }, ['matchFields', index])),
  ];
}

function unreadableValues(expression: NodeSelectorRequirement, path: Path): readonly UnreadablePart[] {
  const { key, operator, values = [] } = expression;
  const parts: UnreadablePart[] = [];
  const isComparison = operator === 'Gt' || operator === 'Lt';
  const valuePath = (index: number): Path => [...path, 'values', index];
  if (isComparison && values.length === 1 && !isInteger(values[0]!)) {
    parts.push({ path: valuePath(0), field: formatPath(valuePath(0)), value: values[0]!, problem: notInteger });
  }
  for (const [index, value] of values.entries()) {
    if (isLabelValue(value)) continue;
    const field = `${formatPath(valuePath(index))}[${key}]`;
    parts.push({ path: valuePath(index), field, value, problem: notLabelValue });
  }
  return parts.length > 0 ? parts : partOf({ matchExpressions: [expression] }, path);
}

/** What else is wrong with a requirement, which the API server refuses too. */
function partOf(term: NodeSelectorTerm, path: Path): readonly UnreadablePart[] {
  const problem = compileNodeSelectorTerm(term).invalid;
  return problem === undefined ? [] : [{ path, field: formatPath(path), problem }];
}

/** Whether Go's `strconv.ParseInt(text, 10, 64)` reads it. */
function isInteger(text: string): boolean {
  return (
    /^[+-]?[0-9]+$/.test(text) && BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''))
  );
}
