import { isLabelValue, isQualifiedName } from './label-syntax.ts';
import {
  isLabelOperator,
  labelValue,
  matchLabelsOnly,
  requirementMatches,
  requirementProblem,
  type LabelRequirement,
  type Labels,
} from './labels.ts';
import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from './objects.ts';

/** What of a node a selector can look at. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Labels | undefined;
}

/** A term, a node selector or a pod's whole requirement, made ready to match. */
export interface NodeMatcher {
  readonly matches: (node: SelectableNode) => boolean;
}

export interface CompiledNodeSelectorTerm extends NodeMatcher {
  /** Without expressions and fields; such a term matches nothing. */
  readonly isEmpty: boolean;
  /** Why upstream cannot read the term, if so; such a term matches nothing, the others still count. */
  readonly invalid?: string;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** The parts of a node that selectors look at. */
export function selectableNode(node: Node): SelectableNode {
  return { name: node.metadata?.name ?? '', labels: node.metadata?.labels };
}

/** Source: staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go newNodeSelectorTerm */
export function compileNodeSelectorTerm(term: NodeSelectorTerm): CompiledNodeSelectorTerm {
  const tests: ((node: SelectableNode) => boolean)[] = [];
  for (const expression of term.matchExpressions ?? []) {
    const test = compileExpression(expression);
    if (typeof test === 'string') return unreadableTerm(test);
    tests.push(({ labels }) => test(labels));
  }
  for (const field of term.matchFields ?? []) {
    const test = compileField(field);
    if (typeof test === 'string') return unreadableTerm(test);
    tests.push(test);
  }
  const isEmpty = tests.length === 0;
  return { isEmpty, matches: (node) => !isEmpty && tests.every((test) => test(node)) };
}

/** Terms are alternatives; without any the selector matches nothing. Source: NewLazyErrorNodeSelector, Match */
export function compileNodeSelector(selector: NodeSelector): NodeMatcher {
  const terms = selector.nodeSelectorTerms.map(compileNodeSelectorTerm);
  return { matches: (node) => terms.some((term) => term.matches(node)) };
}

/** A pod's `nodeSelector` and required node affinity together. Source: GetRequiredNodeAffinity */
export function compileRequiredNodeAffinity(spec: PodSpec | undefined): NodeMatcher {
  const set = spec?.nodeSelector;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const affinity = required === undefined ? undefined : compileNodeSelector(required);
  return {
    matches: (node) => matchLabelsOnly(set, node.labels) && (affinity === undefined || affinity.matches(node)),
  };
}

function unreadableTerm(problem: string): CompiledNodeSelectorTerm {
  return { isEmpty: false, invalid: problem, matches: () => false };
}

/** A test of a node's labels, or what upstream refuses. Source: nodeSelectorRequirementsAsSelector */
function compileExpression(expression: NodeSelectorRequirement): ((labels: Labels | undefined) => boolean) | string {
  const { key, operator, values = [] } = expression;
  if (isLabelOperator(operator)) {
    const requirement: LabelRequirement = { key, operator, values };
    return requirementProblem(requirement) ?? ((labels) => requirementMatches(requirement, labels));
  }
  if (operator !== 'Gt' && operator !== 'Lt') return `"${operator}" is not a valid node selector operator`;
  if (!isQualifiedName(key)) return `invalid label key "${key}"`;
  const [bound, ...more] = values;
  if (bound === undefined || more.length > 0) return "for 'Gt', 'Lt' operators, exactly one value is required";
  const limit = isLabelValue(bound) ? parseInt64(bound) : undefined;
  if (limit === undefined) return "for 'Gt', 'Lt' operators, the value must be an integer";
  return (labels) => {
    const value = parseInt64(labelValue(labels, key) ?? '');
    return value !== undefined && (operator === 'Gt' ? value > limit : value < limit);
  };
}

/** A test of a node's fields, or what upstream refuses. Source: nodeSelectorRequirementsAsFieldSelector */
function compileField({
  key,
  operator,
  values = [],
}: NodeSelectorRequirement): ((node: SelectableNode) => boolean) | string {
  if (operator !== 'In' && operator !== 'NotIn') return `"${operator}" is not a valid field selector operator`;
  const [expected, ...more] = values;
  if (expected === undefined || more.length > 0) return 'must have one element';
  return (node) => {
    // A node without a name has no fields, and then fields are not looked at.
    if (node.name === '') return true;
    const actual = key === 'metadata.name' ? node.name : '';
    return (actual === expected) === (operator === 'In');
  };
}

/** Go's `strconv.ParseInt(text, 10, 64)`; undefined where it fails. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value < MIN_INT64 || value > MAX_INT64 ? undefined : value;
}
