import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Asked, Choice } from './context.ts';
import { classResources } from './device-choices.ts';
import { knownNodes } from './known.ts';

/** What a pod may ask for besides what devices add. Source: pkg/apis/core/helper/helpers.go (standardContainerResources) */
const ofContainers = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Source: pkg/apis/core/helper/helpers.go (standardQuotaResources) and the quota of objects by count */
const ofQuotas = [
  ...['pods', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory', 'cpu', 'memory'],
  ...['requests.ephemeral-storage', 'limits.ephemeral-storage', 'ephemeral-storage'],
  ...['persistentvolumeclaims', 'requests.storage', 'services', 'services.loadbalancers', 'services.nodeports'],
  ...['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas'],
  ...['count/deployments.apps', 'count/statefulsets.apps', 'count/jobs.batch', 'count/cronjobs.batch'],
] as const;

/** Fields whose amounts are of volumes. */
const ofVolumes: ReadonlySet<string> = new Set(['VolumeResourceRequirements', 'PersistentVolumeSpec']);

/** Names of resources that may stand in a list of amounts. */
export function* resourceNames(asked: Asked): Generator<Choice> {
  const {
    place: { field },
    context: { facts },
  } = asked;
  const [struct = ''] = field.split('.');
  if (ofVolumes.has(struct)) {
    yield { label: 'storage', detail: 'resource' };
    return;
  }
  const isQuota = struct === 'ResourceQuotaSpec';
  for (const label of isQuota ? ofQuotas : ofContainers) yield { label, detail: 'resource' };
  if (struct === 'LimitRangeItem') yield { label: 'storage', detail: say`of claims` };
  if (!isQuota) yield* classResources(asked);
  for (const { thing, count: nodes } of knownNodes(facts).resources.list()) {
    // What nodes have and pods do not ask for by name.
    if (thing === 'pods' || thing.startsWith('attachable-volumes-')) continue;
    const label = isQuota && thing.includes('/') ? `requests.${thing}` : thing;
    if (!isQuota || thing.includes('/')) yield { label, detail: say`on ${count(nodes, 'node')}` };
  }
}
