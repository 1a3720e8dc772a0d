import type { ObjectRule } from './rule.ts';
import { findingAt } from './support/narrow.ts';
import { schedulerConfigurationOf } from './support/scheduler-configuration.ts';

export const schedulerPluginNotModelled: ObjectRule = {
  code: 'scheduler-plugin-not-modelled',
  title: 'A plugin or an extender of a scheduler of your own, which Podium does not model',
  severity: 'information',
  scope: 'object',
  *check({ fact, release }) {
    for (const { name, path } of schedulerConfigurationOf(fact, release)?.notModelled ?? []) {
      const isExtender = path[0] === 'extenders';
      const why = isExtender
        ? 'Podium asks no extender'
        : `kube-scheduler has no plugin ${JSON.stringify(name)} of its own, and Podium does not model it`;
      const message = `${why}. Where it has a say, pods may go elsewhere than Podium tells.`;
      yield findingAt(fact, path, message);
    }
  },
};
