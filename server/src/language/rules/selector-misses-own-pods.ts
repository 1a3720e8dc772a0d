import { own } from '../../util/own.ts';
import { joined, say } from '../../util/say.ts';
import { isList, valueAt } from '../../util/values.ts';
import { list } from '../../util/words.ts';
import type { Path } from '../../kubernetes/json.ts';
import { compileLabelSelector, type Labels } from '../../kubernetes/labels.ts';
import type { LabelSelector } from '../../kubernetes/objects.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { fixAt, replaceMap, setValue } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import { labelsOf, meantBy, namespacesSelecting, podsSelectedIn } from '../index/selection.ts';
import { termsOf } from './support/terms.ts';
import type { Finding, ObjectRule } from './support/rule.ts';

export const selectorMissesOwnPods: ObjectRule = {
  code: 'selector-misses-own-pods',
  title: 'A spread constraint does not count the pods it is written on, or an affinity term matches no pods at all',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.template === undefined) return;
    yield* inSpread(fact, fact.template);
    for (const kind of ['podAffinity', 'podAntiAffinity'] as const) yield* inAffinity(fact, kind, facts);
  },
  fix: fixAt((fact, path, { facts }) => {
    const elsewhere = path.includes('affinity')
      ? namespacesSelecting(facts, compileLabelSelector(valueAt(fact.manifest.value, path) as LabelSelector))
      : [];
    if (elsewhere.length > 0) {
      const title = say`Look for them in ${list(elsewhere)}`;
      return [{ title, edits: [setValue(fact, [...path.slice(0, -1), 'namespaces'], elsewhere)] }];
    }
    const labels = ownLabels(fact, path.slice(0, -1));
    if (labels === undefined) return [];
    const title = say`Select its own pods: ${joined(
      Object.entries(labels).map(([key, value]) => `${key}=${value}`),
      ', ',
    )}`;
    return [{ title, edits: replaceMap(fact, path, { matchLabels: labels }) }];
  }),
};

/**
 * Those by which a workload itself finds its pods, where it says so; else all that its pods have. A key of
 * `matchLabelKeys` may not be in the selector too.
 */
function ownLabels(fact: Fact, term: Path): Labels | undefined {
  const taken = ['matchLabelKeys', 'mismatchLabelKeys'].flatMap((field) => {
    const keys = valueAt(fact.manifest.value, [...term, field]);
    return isList(keys) ? keys : [];
  });
  const all = Object.fromEntries(Object.entries(labelsOf(fact)).filter(([key]) => !taken.includes(key)));
  const { selector } = (fact.object as { readonly spec?: { readonly selector?: LabelSelector } }).spec ?? {};
  const chosen = Object.entries(selector?.matchLabels ?? {}).filter(([key, value]) => own(all, key) === value);
  const labels = chosen.length > 0 ? Object.fromEntries(chosen) : all;
  return Object.keys(labels).length === 0 ? undefined : labels;
}

type Template = NonNullable<Fact['template']>;

function* inSpread(fact: Fact, { spec, path: toTemplate }: Template): Generator<Finding> {
  for (const [index, constraint] of (spec.topologySpreadConstraints ?? []).entries()) {
    const selector = compileLabelSelector(constraint.labelSelector);
    if (selector.invalid !== undefined || selector.matches(labelsOf(fact))) continue;
    const path = [...toTemplate, 'spec', 'topologySpreadConstraints', index, 'labelSelector'];
    const message = selector.isNothing
      ? say`Without a labelSelector this constraint counts no pods, and spreads nothing.`
      : say`This selector does not match the labels of its own pods: they are not counted, so they are not spread among themselves.`;
    yield findingAt(fact, path, message);
  }
}

/** Terms are mostly about other pods, so that own pods are only missed where nobody else is meant either. */
function* inAffinity(fact: Fact, kind: 'podAffinity' | 'podAntiAffinity', facts: FactsReader): Generator<Finding> {
  for (const { term, path, isRequired } of termsOf(fact, kind)) {
    const selector = compileLabelSelector(term.labelSelector);
    const isAboutOwnNamespace =
      term.namespaceSelector === undefined &&
      (term.namespaces === undefined || term.namespaces.length === 0 || term.namespaces.includes(fact.namespace));
    if (selector.invalid !== undefined || !isAboutOwnNamespace || selector.matches(labelsOf(fact))) continue;
    if (meantBy(facts, term, fact.namespace).length > 0 || podsSelectedIn(facts, fact.namespace, selector).length > 0) {
      continue;
    }
    const elsewhere = namespacesSelecting(facts, selector);
    const message =
      elsewhere.length === 0
        ? say`This selector matches neither the labels of its own pods nor those of any known workload: ${effectOf(kind, isRequired)}.`
        : say`This selector matches no pods of its own namespace, and those of namespace ${list(elsewhere)} only count where the term names it (namespaces, namespaceSelector): ${effectOf(kind, isRequired)}.`;
    yield findingAt(fact, [...path, 'labelSelector'], message, {
      // What is only preferred hurts nobody.,
      ...(isRequired ? {} : { severity: 'hint' }),
    });
  }
}

/** What comes of a term that matches nobody. */
function effectOf(kind: 'podAffinity' | 'podAntiAffinity', isRequired: boolean): string {
  if (kind === 'podAntiAffinity') return say`it keeps these pods away from nothing`;
  return isRequired ? say`no node can satisfy it, and the pods stay pending` : say`it draws them nowhere`;
}
