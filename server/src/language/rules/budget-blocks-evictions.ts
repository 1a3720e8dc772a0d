import { say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { roundedText } from '../../disruption/budget-status.ts';
import type { Fact } from '../index/fact.ts';
import { budgetOutlook } from './support/budgets.ts';
import { fixAt, removeEntry, renameKey, replaceWord, setValue } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { FixEdit, ObjectRule } from './support/rule.ts';

export const budgetBlocksEvictions: ObjectRule = {
  code: 'budget-blocks-evictions',
  title: 'A PodDisruptionBudget never allows an eviction, so that nodes cannot be drained',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'PodDisruptionBudget') return;
    const outlook = budgetOutlook(fact, facts);
    if (outlook === undefined || outlook.allowed > 0) return;
    // Manifests do not say how many pods it has, and drains leave them.
    const isOfDaemons = outlook.unscaled?.kind === 'DaemonSet';
    if (outlook.pods === 0 && !isOfDaemons) return;
    const { spec } = fact.object as PodDisruptionBudget;
    const bound =
      spec?.maxUnavailable !== undefined
        ? 'maxUnavailable'
        : spec?.minAvailable !== undefined
          ? 'minAvailable'
          : undefined;
    const path = bound === undefined ? ['spec'] : ['spec', bound];
    const { unscaled, autoscaled, pods, desiredHealthy, selected } = outlook;
    // Of pods that nobody controls only a plain number can stay.
    const alone = desiredHealthy < pods ? selected.find(({ kind }) => kind === 'Pod') : undefined;
    const limits = autoscaled === undefined ? '' : say` while the autoscaler is at its minimum`;
    const message =
      bound === undefined
        ? say`Blocks every drain: with neither minAvailable nor maxUnavailable no pod may go, so each eviction is refused (429).`
        : alone !== undefined
          ? say`${bound} needs pods with a controller; ${titleOf(alone)} has none, so no eviction is allowed once it runs.`
          : unscaled !== undefined
            ? say`${bound === 'maxUnavailable' ? bound : say`A percentage`} needs pods whose number can be read; ${titleOf(unscaled)} has no scale, so no eviction is allowed.`
            : say`Blocks every drain: keeps ${desiredHealthy} of ${count(pods, 'pod')}${roundedText(spec, pods)}${limits}, so each eviction is refused (429).`;
    yield findingAt(fact, path, message, {
      ...(autoscaled === undefined && !isOfDaemons ? {} : { severity: 'information' as const }),
      related: () => selected,
    });
  },
  fix: fixAt((fact, _path, { facts }) => {
    const { spec, ...rest } = fact.object as PodDisruptionBudget;
    const { selector } = spec ?? {};
    const repaired: PodDisruptionBudget = {
      ...rest,
      spec: { ...(selector === undefined ? {} : { selector }), maxUnavailable: 1 },
    };
    // Of pods that the controller cannot count, this lets none go either.
    if ((budgetOutlook({ ...fact, object: repaired }, facts)?.allowed ?? 0) === 0) return [];
    return [{ title: say`Let one pod go at a time: maxUnavailable: 1`, preferred: true, edits: oneAtATime(fact) }];
  }),
};

/** Writes `maxUnavailable: 1` in place of the bound that is written; there may be one of the two. */
function oneAtATime(fact: Fact): readonly FixEdit[] {
  const { spec } = fact.object as PodDisruptionBudget;
  const min = ['spec', 'minAvailable'];
  const max = ['spec', 'maxUnavailable'];
  if (spec?.maxUnavailable !== undefined) {
    return [replaceWord(fact, max, '1'), ...(spec.minAvailable === undefined ? [] : [removeEntry(fact, min)])];
  }
  if (spec?.minAvailable !== undefined) return [renameKey(fact, min, 'maxUnavailable'), replaceWord(fact, min, '1')];
  return [setValue(fact, max, 1)];
}
