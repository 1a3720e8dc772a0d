import { validateWorkloadUpdate } from '../../admission/workloads/update.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Fact } from '../facts.ts';
import { certainWhenInCluster, comparedWith } from './support/compared-with.ts';
import { fieldErrorFinding } from './support/narrow.ts';
import { isWholeWorkload } from './support/whole-workload.ts';
import type { EarlierVersion, ObjectRule } from './rule.ts';

export const immutableWorkloadField: ObjectRule = {
  code: 'immutable-workload-field',
  title: 'A field of an existing workload changes that may not change',
  // With git it is only likely that the workload exists as it was committed; deleting and creating it again is legal.
  severity: 'warning',
  scope: 'object',
  *check({ fact, earlier }) {
    if (isWholeWorkload(fact) !== true || isMadeAnew(fact)) return;
    for (const version of earlier) {
      const errors = validateWorkloadUpdate(fact.object, version.object).filter((error) => isCertain(error, version));
      for (const error of errors) {
        yield certainWhenInCluster(version, comparedWith(version, fieldErrorFinding(fact, error)));
      }
      if (errors.length > 0) return;
    }
  },
};

/** Annotations by which tools delete an object and create it again. */
const hooks: readonly string[] = ['helm.sh/hook', 'argocd.argoproj.io/hook'];

function isMadeAnew({ object: { metadata } }: Fact): boolean {
  return hooks.some((hook) => metadata?.annotations?.[hook] !== undefined);
}

/** The template of a job in the cluster has labels and defaults that nobody wrote, and the job may be gone by now. */
function isCertain({ field }: FieldError, { source, object }: EarlierVersion): boolean {
  return source === 'git' || object.kind !== 'Job' || field !== 'spec.template';
}
