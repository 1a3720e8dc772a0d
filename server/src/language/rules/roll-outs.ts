import { say } from '../../kit/say.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { Deployment, PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { derived } from '../derived.ts';
import type { Fact } from '../fact.ts';
import { fixAt, replaceMap, setValue } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

export const rollOutWaitsForClaim: ObjectRule = {
  code: 'roll-out-waits-for-claim',
  title: 'A roll-out starts a new pod beside an old one that holds their claim',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const surge = surgeOf(fact);
    if (surge < 1 || fact.template === undefined) return;
    for (const [index, { persistentVolumeClaim }] of (fact.template.spec.volumes ?? []).entries()) {
      const claim = claimsByName(facts).get(`${fact.namespace}/${persistentVolumeClaim?.claimName ?? ''}`);
      if (claim === undefined) continue;
      const modes = (claim.object as PersistentVolumeClaim).spec?.accessModes ?? [];
      const isOfOnePod = modes.includes('ReadWriteOncePod');
      if (!isOfOnePod && (modes.length === 0 || modes.some((mode) => mode !== 'ReadWriteOnce'))) continue;
      const message = isOfOnePod
        ? say`A roll-out starts the new pod before the old one ends (maxSurge ${surge}), and claim ${claim.name} is ReadWriteOncePod: the new pod stays pending, and no roll-out ever ends. Set strategy: Recreate.`
        : say`A roll-out starts the new pod before the old one ends (maxSurge ${surge}), and claim ${claim.name} is ReadWriteOnce: on another node the new pod cannot attach the volume (Multi-Attach), and the roll-out hangs. Set strategy: Recreate.`;
      const path = [...fact.template.path, 'spec', 'volumes', index, 'persistentVolumeClaim', 'claimName'];
      yield findingAt(fact, path, message, {
        ...(isOfOnePod ? { severity: 'warning' as const } : {}),
        related: () => [claim],
      });
    }
  },
  fix: fixAt((fact) => {
    const { strategy } = (fact.object as Deployment).spec ?? {};
    const path = ['spec', 'strategy'];
    const written = { type: 'Recreate' };
    const edit = strategy === undefined ? setValue(fact, path, written) : replaceMap(fact, path, written);
    return [{ title: say`Set strategy: Recreate`, edits: [edit] }];
  }),
};

const claimsByName = derived(
  ['PersistentVolumeClaim'],
  (claims) => new Map(claims.map((claim) => [`${claim.namespace}/${claim.name}`, claim])),
);

export const spreadCountsOldPods: ObjectRule = {
  code: 'spread-counts-old-pods',
  title: 'A spread constraint counts the old pods of a roll-out, so that the new ones end up skewed',
  severity: 'hint',
  scope: 'object',
  *check({ fact }) {
    const { template } = fact;
    if (template === undefined || surgeOf(fact) < 1 || replicasOf(fact.object) < 2) return;
    for (const [index, constraint] of (template.spec.topologySpreadConstraints ?? []).entries()) {
      const { whenUnsatisfiable, matchLabelKeys = [], labelSelector } = constraint;
      if (whenUnsatisfiable === 'ScheduleAnyway' || matchLabelKeys.length > 0) continue;
      if (!compileLabelSelector(labelSelector).matches(template.metadata.labels)) continue;
      const path = [...template.path, 'spec', 'topologySpreadConstraints', index, 'labelSelector'];
      const message = say`During a roll-out this counts old pods too, and once they are gone the new ones may be unevenly spread. With matchLabelKeys: [pod-template-hash] each roll-out is spread by itself.`;
      yield findingAt(fact, path, message);
    }
  },
  fix: fixAt((fact, path) => [
    {
      title: say`Add matchLabelKeys: [pod-template-hash]`,
      preferred: true,
      edits: [setValue(fact, [...path.slice(0, -1), 'matchLabelKeys'], ['pod-template-hash'])],
    },
  ]),
};

/**
 * How many pods a Deployment may have beyond its replicas while it is rolled out.
 * Source: ResolveFenceposts in pkg/controller/deployment/util/deployment_util.go
 */
function surgeOf({ kind, object }: Fact): number {
  if (kind !== 'Deployment') return 0;
  const { strategy } = (object as Deployment).spec ?? {};
  const replicas = replicasOf(object);
  if (strategy?.type === 'Recreate' || replicas < 1) return 0;
  const { maxSurge = '25%' } = strategy?.rollingUpdate ?? {};
  if (typeof maxSurge === 'number') return maxSurge;
  const percent = Number(/^(\d+)%$/.exec(maxSurge)?.[1]);
  return Number.isNaN(percent) ? 0 : Math.ceil((percent * replicas) / 100);
}
