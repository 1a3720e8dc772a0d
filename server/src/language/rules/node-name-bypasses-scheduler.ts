import { say } from '../../util/say.ts';
import type { PersistentVolumeClaim, StorageClass } from '../../kubernetes/objects.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { ObjectRule } from './support/rule.ts';
import { findingAt } from './support/narrow.ts';

export const nodeNameBypassesScheduler: ObjectRule = {
  code: 'node-name-bypasses-scheduler',
  title: 'A pod with nodeName uses a claim that only the scheduler would bind',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const { template } = fact;
    if (template === undefined || isStoredPod(fact) || (template.spec.nodeName ?? '') === '') return;
    for (const { persistentVolumeClaim } of template.spec.volumes ?? []) {
      const name = persistentVolumeClaim?.claimName ?? '';
      const claim = facts
        .ofKind('PersistentVolumeClaim')
        .find((each) => each.name === name && each.namespace === fact.namespace);
      if (claim === undefined) continue;
      const { spec } = claim.object as PersistentVolumeClaim;
      if ((spec?.volumeName ?? '') !== '') continue;
      const className = spec?.storageClassName ?? '';
      const storageClass = facts.ofKind('StorageClass').find((each) => each.name === className);
      if (storageClass === undefined) continue;
      if ((storageClass.object as StorageClass).volumeBindingMode !== 'WaitForFirstConsumer') continue;
      const message = say`nodeName bypasses the scheduler, so that nothing picks a node for claim ${name}: its class ${className} waits for the first consumer to be scheduled, and the pod stays in ContainerCreating. Select the node by its label instead: nodeSelector: { kubernetes.io/hostname: ${template.spec.nodeName ?? ''} }.`;
      yield findingAt(fact, [...template.path, 'spec', 'nodeName'], message, {
        related: () => [{ fact: claim, message: say`PersistentVolumeClaim ${name}` }],
      });
    }
  },
};
