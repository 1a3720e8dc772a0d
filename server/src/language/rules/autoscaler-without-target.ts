import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import type { HorizontalPodAutoscaler } from '../../kubernetes/objects.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { isScalable } from '../../simulation/operations/parse-operation.ts';
import type { ObjectRule } from './support/rule.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';

export const autoscalerWithoutTarget: ObjectRule = {
  code: 'autoscaler-without-target',
  title: 'A HorizontalPodAutoscaler names a workload that is not declared',
  // The workload may be declared in another repository.
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'HorizontalPodAutoscaler') return;
    const { scaleTargetRef: target } = (fact.object as Partial<HorizontalPodAutoscaler>).spec ?? {};
    const kind = workloadKinds.find((each) => each === target?.kind && each !== 'Job' && isScalable(each));
    const { name = '' } = target ?? {};
    if (kind === undefined || name === '' || isPlaceholder(name)) return;
    const here = facts.ofKind(kind).filter(({ namespace }) => namespace === fact.namespace);
    if (here.length === 0 || here.some((each) => each.name === name || each.isUnnamed)) return;
    const path = ['spec', 'scaleTargetRef', 'name'];
    const known = here.map((each) => each.name);
    const [near] = nearestNames(name, known, name.length < 5 ? 1 : 2);
    const message =
      near === undefined
        ? say`No ${kind} named "${name}" is declared in namespace "${fact.namespace}": without it this autoscaler scales nothing.`
        : say`No ${kind} named "${name}" is declared in namespace "${fact.namespace}"; did you mean ${near}? As it is written, this autoscaler scales nothing.`;
    yield findingAt(fact, path, message, {
      value: near ?? '',
      ...(near === undefined
        ? { absence: { of: 'Pod', namespace: fact.namespace } }
        : { severity: 'warning' as const }),
    });
  },
  fix: changeToMeant,
};
