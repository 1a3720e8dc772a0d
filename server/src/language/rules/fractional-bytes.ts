import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { PersistentVolumeClaim, ResourceRequirements } from '../../kubernetes/objects.ts';
import { isQuantityError, parseQuantity, quantityMilliValue } from '../../kubernetes/quantity.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { Fact } from '../index/fact.ts';
import type { ObjectRule } from './support/rule.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';

export const fractionalBytes: ObjectRule = {
  code: 'fractional-bytes',
  title: 'An amount of memory or storage is a fraction of a byte, as m means thousandths',
  severity: 'warning',
  scope: 'object',
  *check({ fact }) {
    for (const { path, amount } of amountsIn(fact)) {
      const quantity = parseQuantity(amount);
      if (isQuantityError(quantity) || quantityMilliValue(quantity) % 1000n === 0n) continue;
      const meant = String(amount).endsWith('m') ? `${String(amount).slice(0, -1)}Mi` : '';
      const message =
        meant === ''
          ? say`${String(amount)} is a fraction of a byte. The API server takes it, with a warning.`
          : say`${String(amount)} is a fraction of a byte, as m means thousandths; did you mean ${meant}? The API server takes it, with a warning.`;
      yield findingAt(fact, path, message, { value: meant });
    }
  },
  fix: changeToMeant,
};

interface Amount {
  readonly path: Path;
  readonly amount: string | number;
}

function* amountsIn(fact: Fact): Iterable<Amount> {
  const { template } = fact;
  if (fact.kind === 'PersistentVolumeClaim') {
    const { spec } = fact.object as PersistentVolumeClaim;
    yield* listed(spec?.resources, ['spec', 'resources'], ['storage']);
  }
  if (template === undefined || isStoredPod(fact)) return;
  const at = [...template.path, 'spec'];
  yield* listed(template.spec.resources, [...at, 'resources'], bytes);
  for (const field of ['initContainers', 'containers'] as const) {
    for (const [index, { resources }] of (template.spec[field] ?? []).entries()) {
      yield* listed(resources, [...at, field, index, 'resources'], bytes);
    }
  }
}

/** Source: pkg/api/pod/warnings.go (fractional byte value … is invalid, must be an integer) */
const bytes = ['memory', 'ephemeral-storage'];

function* listed(
  resources: Pick<ResourceRequirements, 'requests' | 'limits'> | undefined,
  at: Path,
  names: readonly string[],
): Iterable<Amount> {
  for (const list of ['requests', 'limits'] as const) {
    for (const name of names) {
      const amount = own(resources?.[list], name);
      if (amount !== undefined) yield { path: [...at, list, name], amount };
    }
  }
}
