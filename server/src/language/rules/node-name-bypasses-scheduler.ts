import { say } from '../../util/say.ts';
import type { StorageClass } from '../../kubernetes/objects.ts';
import { classOfClaim, withDefaultClass } from '../../kubernetes/storage-class-of.ts';
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
      const classes = facts.ofKind('StorageClass').map(({ object }) => object as StorageClass);
      const [stored] = withDefaultClass([claim.object], classes);
      if (stored === undefined || (stored.spec?.volumeName ?? '') !== '') continue;
      const className = classOfClaim(stored);
      const storageClass = classes.find(({ metadata }) => metadata?.name === className);
      if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') continue;
      const message = say`nodeName bypasses the scheduler, so that nothing picks a node for claim ${name}: its class ${className} waits for the first consumer to be scheduled, and the pod stays in ContainerCreating. Select the node by its label instead: nodeSelector: { kubernetes.io/hostname: ${template.spec.nodeName ?? ''} }.`;
      yield findingAt(fact, [...template.path, 'spec', 'nodeName'], message, {
        related: () => [{ fact: claim, message: say`PersistentVolumeClaim ${name}` }],
      });
    }
  },
};
