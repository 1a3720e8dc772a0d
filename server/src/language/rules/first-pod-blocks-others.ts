import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { compileNodeSelector, selectableNode } from '../../kubernetes/node-selector.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, StatefulSet } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { poolsFor } from '../index/pools.ts';
import { exceedsEveryNode } from './node-capacity.ts';
import { noNodeMatches } from './no-node-matches.ts';
import { fixAt, replaceScalar, setValue } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule, ObjectSubject } from './support/rule.ts';

export const firstPodBlocksOthers: ObjectRule = {
  code: 'first-pod-blocks-others',
  title: 'A StatefulSet creates its pods one after the other, and no node takes the first',
  severity: 'information',
  scope: 'object',
  *check(subject) {
    const { fact, facts } = subject;
    if (fact.kind !== 'StatefulSet' || facts.ofKind('Node').length === 0) return;
    const { podManagementPolicy: policy, ordinals } = (fact.object as StatefulSet).spec ?? {};
    const others = replicasOf(fact.object) - 1;
    if ((policy ?? 'OrderedReady') !== 'OrderedReady' || others < 1) return;
    const first = `${fact.name}-${ordinals?.start ?? 0}`;
    const volume = unreachable(subject, first);
    if (volume === undefined && !findsNoNode(subject)) return;
    const why =
      volume === undefined
        ? say`No known node takes ${first}`
        : say`No known node reaches volume ${volume}, to which a claim of ${first} is bound`;
    const message = say`${why}, and with podManagementPolicy: OrderedReady the ${count(others, 'pod')} after it are created only once it is ready: never.`;
    const part = policy === undefined ? 'replicas' : 'podManagementPolicy';
    yield findingAt(fact, ['spec', part], message, { absence: { of: 'Node' } });
  },
  fix: fixAt((fact) => {
    const path = ['spec', 'podManagementPolicy'];
    const { podManagementPolicy: written } = (fact.object as StatefulSet).spec ?? {};
    const edit = written === undefined ? setValue(fact, path, 'Parallel') : replaceScalar(fact, path, 'Parallel');
    return [{ title: say`Set podManagementPolicy: Parallel`, edits: [edit] }];
  }),
};

function findsNoNode(subject: ObjectSubject): boolean {
  return [noNodeMatches, exceedsEveryNode].some((rule) => [...rule.check(subject)].length > 0);
}

/** The volume of a claim of the first pod, as it was bound before, that no known node reaches. */
function unreachable({ fact, facts }: ObjectSubject, pod: string): string | undefined {
  if (fact.template === undefined || poolsFor(fact.template.spec, facts).length > 0) return undefined;
  const templates = (fact.object as StatefulSet).spec?.volumeClaimTemplates ?? [];
  const names = new Set(templates.map(({ metadata }) => `${metadata?.name ?? ''}-${pod}`));
  const bound = facts
    .ofKind('PersistentVolumeClaim')
    .filter((claim) => claim.namespace === fact.namespace && names.has(claim.name))
    .map(({ object }) => (object as PersistentVolumeClaim).spec?.volumeName);
  const nodes = facts.ofKind('Node').map(({ object }): Node => object);
  return facts.ofKind('PersistentVolume').find(({ name, object }) => {
    const required = bound.includes(name) ? (object as PersistentVolume).spec?.nodeAffinity?.required : undefined;
    if (required === undefined) return false;
    const reach = compileNodeSelector(required);
    return nodes.every((node) => !reach.matches(selectableNode(node)));
  })?.name;
}
