import { farAntiAffinity } from '../../admission/pods/hard-anti-affinity.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { findingAt } from './support/narrow.ts';
import { refusalText } from './support/refused-pod.ts';
import type { ObjectRule } from './support/rule.ts';

export const antiAffinityReachesFar: ObjectRule = {
  code: 'anti-affinity-reaches-far',
  title: 'Required anti-affinity over more than one node, where the plugin LimitPodHardAntiAffinityTopology is on',
  severity: 'error',
  scope: 'object',
  *check({ fact, settings }) {
    const { template } = fact;
    const isOn = settings.admissionPlugins.includes('LimitPodHardAntiAffinityTopology');
    if (!isOn || template === undefined || isStoredPod(fact)) return;
    const far = farAntiAffinity(template.spec);
    if (far === undefined) return;
    yield findingAt(fact, [...template.path, 'spec', ...far.path], refusalText(fact, far.detail));
  },
};
