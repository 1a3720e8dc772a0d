import { say } from '../../util/say.ts';
import { fieldErrorText } from '../../admission/format/field-errors.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import { isUnknownField } from '../../scheduler/configuration.ts';
import type { Fact } from '../index/fact.ts';
import type { Finding, ObjectRule } from './support/rule.ts';
import { findingAt, narrowRange } from './support/narrow.ts';
import { schedulerConfigurationOf } from './support/scheduler-configuration.ts';

export const invalidSchedulerConfiguration: ObjectRule = {
  code: 'invalid-scheduler-configuration',
  title: 'A KubeSchedulerConfiguration with which kube-scheduler does not start, or schedules nothing',
  severity: 'error',
  scope: 'object',
  *check({ fact, release }) {
    if (fact.kind !== 'KubeSchedulerConfiguration') return;
    const configuration = schedulerConfigurationOf(fact, release);
    if (configuration === undefined) {
      const path = ['apiVersion'];
      const version = JSON.stringify(fact.manifest.apiVersion);
      const message = say`kube-scheduler v${release.minor} cannot read it: no kind "${fact.kind}" is registered for version ${version}. Podium leaves it out, too.`;
      // It may be meant for a cluster that is older.
      yield findingAt(fact, path, message, { severity: 'warning' });
      return;
    }
    for (const problem of configuration.problems) yield findingOf(fact, problem);
  },
};

function findingOf(fact: Fact, problem: FieldError): Finding {
  const {
    at: { path },
    type,
    detail,
  } = problem;
  // Of a field that does not exist it is the name that is wrong, not the value.
  const range = isUnknownField(problem) ? fact.manifest.locateNearest(path, 'key') : narrowRange(fact, path);
  const message =
    type === 'FieldValueTypeInvalid' ? say`kube-scheduler cannot read it: ${detail}` : fieldErrorText(problem);
  return { range, message, fact, path };
}

export const schedulerPluginNotModelled: ObjectRule = {
  code: 'scheduler-plugin-not-modelled',
  title: 'A scheduler plugin or extender that Podium does not model',
  severity: 'information',
  scope: 'object',
  *check({ fact, release }) {
    for (const { name, path } of schedulerConfigurationOf(fact, release)?.notModelled ?? []) {
      const isExtender = path[0] === 'extenders';
      const why = isExtender
        ? say`Podium asks no extender`
        : say`kube-scheduler has no plugin ${JSON.stringify(name)} of its own, and Podium does not model it`;
      const message = say`${why}. Where it decides, pods may land on other nodes than Podium shows.`;
      yield findingAt(fact, path, message);
    }
  },
};
