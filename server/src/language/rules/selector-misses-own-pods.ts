import type { Path } from '../../kubernetes/json.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { Affinity, PodAffinityTerm } from '../../kubernetes/objects.ts';
import type { Fact, FactsReader } from '../facts.ts';
import { narrowRange } from './support/narrow.ts';
import { labelsOf, meantBy } from './support/selection.ts';
import type { Finding, ObjectRule } from './rule.ts';

export const selectorMissesOwnPods: ObjectRule = {
  code: 'selector-misses-own-pods',
  title: 'A spread constraint does not count the pods it is written on, or an affinity term matches no pods at all',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.template === undefined) return;
    yield* inSpread(fact, fact.template);
    yield* inAffinity(fact, fact.template, facts);
  },
};

type Template = NonNullable<Fact['template']>;

function* inSpread(fact: Fact, { spec, path: toTemplate }: Template): Generator<Finding> {
  for (const [index, constraint] of (spec.topologySpreadConstraints ?? []).entries()) {
    const selector = compileLabelSelector(constraint.labelSelector);
    if (selector.invalid !== undefined || selector.matches(labelsOf(fact))) continue;
    const path = [...toTemplate, 'spec', 'topologySpreadConstraints', index, 'labelSelector'];
    yield {
      range: narrowRange(fact, path),
      message: selector.isNothing
        ? 'Without a labelSelector this constraint counts no pods, and spreads nothing.'
        : 'This selector does not match the labels of its own pods: they are not counted, so they are not spread among themselves.',
      fact,
      path,
    };
  }
}

/** Terms are mostly about other pods, so that own pods are only missed where nobody else is meant either. */
function* inAffinity(fact: Fact, { spec, path: toTemplate }: Template, facts: FactsReader): Generator<Finding> {
  for (const { term, path: toTerm, effect, isRequired } of termsOf(spec.affinity)) {
    const selector = compileLabelSelector(term.labelSelector);
    const isAboutOwnNamespace =
      term.namespaceSelector === undefined &&
      (term.namespaces === undefined || term.namespaces.length === 0 || term.namespaces.includes(fact.namespace));
    if (selector.invalid !== undefined || !isAboutOwnNamespace || selector.matches(labelsOf(fact))) continue;
    if (meantBy(facts, term, fact.namespace).length > 0 || matchesPod(facts, fact.namespace, selector.matches)) {
      continue;
    }
    const path = [...toTemplate, 'spec', 'affinity', ...toTerm, 'labelSelector'];
    yield {
      range: narrowRange(fact, path),
      message: `This selector matches neither the labels of its own pods nor those of any known workload: ${effect}.`,
      // What is only preferred hurts nobody.
      ...(isRequired ? {} : { severity: 'hint' }),
      fact,
      path,
    };
  }
}

/** Pods in the snapshot whose controller is not known count as well. */
function matchesPod(
  facts: FactsReader,
  namespace: string,
  matches: (labels: Readonly<Record<string, string>>) => boolean,
): boolean {
  return facts.ofKind('Pod').some((pod) => pod.namespace === namespace && matches(labelsOf(pod)));
}

interface PlacedTerm {
  readonly term: PodAffinityTerm;
  /** From `affinity`. */
  readonly path: Path;
  /** What comes of it when the term matches nobody. */
  readonly effect: string;
  readonly isRequired: boolean;
}

function termsOf(affinity: Affinity | undefined): PlacedTerm[] {
  const effects = {
    podAffinity: { required: 'no node can satisfy it, and the pods stay pending', preferred: 'it draws them nowhere' },
    podAntiAffinity: {
      required: 'it keeps these pods away from nothing',
      preferred: 'it keeps these pods away from nothing',
    },
  };
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => {
    const {
      requiredDuringSchedulingIgnoredDuringExecution: required = [],
      preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
    } = affinity?.[kind] ?? {};
    return [
      ...required.map((term, index) => ({
        term,
        path: [kind, 'requiredDuringSchedulingIgnoredDuringExecution', index],
        effect: effects[kind].required,
        isRequired: true,
      })),
      ...preferred.map(({ podAffinityTerm: term }, index) => ({
        term,
        path: [kind, 'preferredDuringSchedulingIgnoredDuringExecution', index, 'podAffinityTerm'],
        effect: effects[kind].preferred,
        isRequired: false,
      })),
    ];
  });
}
