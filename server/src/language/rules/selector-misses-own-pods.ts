import { compileLabelSelector } from '../../kubernetes/labels.ts';
import { narrowRange } from './support/narrow.ts';
import { labelsOf } from './support/selection.ts';
import type { ObjectRule } from './rule.ts';

export const selectorMissesOwnPods: ObjectRule = {
  code: 'selector-misses-own-pods',
  title: 'A topology spread constraint does not count the pods it is written on',
  severity: 'information',
  scope: 'object',
  *check({ fact }) {
    const { template } = fact;
    if (template === undefined) return;
    for (const [index, constraint] of (template.spec.topologySpreadConstraints ?? []).entries()) {
      const selector = compileLabelSelector(constraint.labelSelector);
      if (selector.invalid !== undefined || selector.matches(labelsOf(fact))) continue;
      const path = [...template.path, 'spec', 'topologySpreadConstraints', index, 'labelSelector'];
      yield {
        range: narrowRange(fact, path),
        message: selector.isNothing
          ? 'Without a labelSelector this constraint counts no pods, and spreads nothing.'
          : 'This selector does not match the labels of its own pods: they are not counted, so they are not spread among themselves.',
        fact,
        path,
      };
    }
  },
};
