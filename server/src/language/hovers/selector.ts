import { say } from '../../util/say.ts';
import type { LabelSelector } from '../../kubernetes/objects.ts';
import { compileLabelSelector, type Labels } from '../../kubernetes/labels.ts';
import { labelsOf } from '../index/selection.ts';
import { budgetHover } from './budget.ts';
import { type HoverPlace, paragraphs } from './place.ts';
import { selectionText } from './pod-selection.ts';

/** Kinds whose selector is a plain map of labels. */
const plainSelectors: ReadonlySet<string> = new Set(['Service', 'ReplicationController']);
const selecting: ReadonlySet<string> = new Set([
  ...plainSelectors,
  'PodDisruptionBudget',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
]);

interface Selecting {
  readonly spec?: { readonly selector?: LabelSelector | Labels };
}

/** The `spec.selector` of a service, a budget or a workload. */
export function selectorHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  const [spec, field, ...inside] = path;
  if (spec !== 'spec' || field !== 'selector' || !selecting.has(fact.kind)) return undefined;
  const isPlain = plainSelectors.has(fact.kind);
  const { selector: written } = (fact.object as Selecting).spec ?? {};
  const isNothing = isPlain && Object.keys(written ?? {}).length === 0;
  if (fact.kind === 'Service' && isNothing) return say`A service without a selector gets no endpoints by itself.`;
  const selector = isPlain && !isNothing ? { matchLabels: written as Labels } : (written as LabelSelector | undefined);
  const part = isPlain && inside.length > 0 ? ['matchLabels', ...inside] : inside;
  return paragraphs(
    selectionText(selector, [fact.namespace], place, part),
    fact.template !== undefined && selector !== undefined && !compileLabelSelector(selector).matches(labelsOf(fact))
      ? say`The labels of its template do not match it: the API server refuses the workload.`
      : '',
    fact.kind === 'PodDisruptionBudget' ? budgetHover(fact, facts) : '',
  );
}
