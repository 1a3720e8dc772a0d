import { validatePodUpdate } from '../../../admission/pods/update.ts';
import { defaultPod } from '../../../kubernetes/defaults/pod.ts';
import type { FieldError, FieldErrorCause } from '../../../kubernetes/field-error.ts';
import type { KubeObject, Pod } from '../../../kubernetes/objects.ts';
import type { Release } from '../../../kubernetes/release.ts';
import { getOrInsert } from '../../../util/maps.ts';
import { changes } from './compared-with.ts';
import type { Finding, ObjectSubject } from './rule.ts';

/** What may not change in a pod that exists, and the rule about it. */
const rulesByCause: Partial<Record<FieldErrorCause, string>> = {
  'gate-added': 'gate-added',
  'gated-node-selector': 'gated-node-selector',
  'gated-node-affinity': 'gated-node-affinity',
  immutable: 'immutable-pod-field',
};

/** What the API server says of the change of a Pod since an earlier version, as far as it belongs to one rule. */
export function podUpdateFindings(subject: ObjectSubject, rule: string): Iterable<Finding> {
  if (subject.fact.kind !== 'Pod') return [];
  return changes(subject, ({ object }, earlier) =>
    updateErrors(object as Pod, earlier.object as Pod, subject.release).filter(
      ({ cause }) => cause !== undefined && rulesByCause[cause] === rule,
    ),
  );
}

const known = new WeakMap<Release, WeakMap<KubeObject, WeakMap<KubeObject, readonly FieldError[]>>>();

function updateErrors(next: Pod, old: Pod, release: Release): readonly FieldError[] {
  const byNext = getOrInsert(known, release, () => new WeakMap());
  const byOld = getOrInsert(byNext, next, () => new WeakMap());
  return getOrInsert(byOld, old, () => validatePodUpdate(defaultPod(applied(next, old)), defaultPod(old), { release }));
}

/**
 * What the stored pod would become. A pod from the cluster carries what the API server, admission and controllers
 * wrote into it; applying a manifest leaves all that alone, so only what the manifest says can be a change.
 */
function applied(next: Pod, old: Pod): Pod {
  if (old.metadata?.uid === undefined || old.spec === undefined || next.spec === undefined) return next;
  const { schedulingGates, nodeSelector, affinity } = next.spec;
  return {
    ...old,
    spec: {
      ...old.spec,
      ...(schedulingGates === undefined ? {} : { schedulingGates }),
      ...(nodeSelector === undefined ? {} : { nodeSelector: { ...old.spec.nodeSelector, ...nodeSelector } }),
      ...(affinity === undefined ? {} : { affinity: { ...old.spec.affinity, ...affinity } }),
    },
  };
}
