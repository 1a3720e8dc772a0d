import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { say } from '../../util/say.ts';
import { adminAccessLabel, refusedAdminAccess } from '../../kubernetes/admin-access.ts';
import type { Namespace, PersistentVolumeClaim, ResourceClaim } from '../../kubernetes/objects.ts';
import { derived } from '../index/derived.ts';
import type { Fact } from '../index/fact.ts';
import { objectRefusals, refusalFinding } from './support/object-refusals.ts';
import { refusalFixes } from './support/refusal-fixes.ts';
import { findingAt } from './support/narrow.ts';
import type { Finding, ObjectRule, ObjectSubject } from './support/rule.ts';

/** Kinds with rules of their own, a kind that is only read for what it selects, and files that the API server never sees. */
const toldElsewhere: ReadonlySet<string> = new Set([
  'PriorityClass',
  'KubeSchedulerConfiguration',
  'AdmissionConfiguration',
  'ResourceQuotaConfiguration',
  'CustomResourceDefinition',
  'PodDisruptionBudget',
  'ResourceQuota',
  'NetworkPolicy',
]);

export const invalidObject: ObjectRule = {
  code: 'invalid-object',
  title: 'An autoscaler, volume, claim, class, node or other object that the API server refuses',
  severity: 'error',
  scope: 'object',
  fix: refusalFixes,
  *check(subject) {
    const { fact, release } = subject;
    // What is read from a cluster was accepted once.
    if (isWorkloadKind(fact.kind) || toldElsewhere.has(fact.kind) || fact.object.metadata?.uid !== undefined) return;
    for (const refusal of objectRefusals(fact, release)) {
      const path = refusal.error.at.path.join('.');
      // A namespace where there is none is told of every object of the cluster.
      if (path === 'metadata.namespace') continue;
      for (const finding of refusalFinding(subject, refusal)) {
        yield path === 'spec.accessModes' && isResize(fact) ? resized(finding) : finding;
      }
    }
    if (fact.kind === 'ResourceClaim' || fact.kind === 'ResourceClaimTemplate') yield* adminAccess(subject);
  },
};

const namespaces = derived(['Namespace'], (all) => all.map(({ object }) => object as Namespace));

function* adminAccess({ fact, facts }: ObjectSubject): Iterable<Finding> {
  const path = refusedAdminAccess(fact.object as ResourceClaim, namespaces(facts));
  if (path === undefined) return;
  const message = say`The API server refuses adminAccess in namespace ${fact.namespace}, which is declared without the label ${adminAccessLabel}: "true"`;
  // Somebody may have labelled it in the cluster.
  yield findingAt(fact, path, message, { severity: 'warning' });
}

/** Whether a claim says nothing but how much it asks for, as one does that another has made and this makes larger. */
function isResize({ kind, object }: Fact): boolean {
  const { spec } = object as PersistentVolumeClaim;
  return kind === 'PersistentVolumeClaim' && Object.keys(spec ?? {}).join() === 'resources';
}

function resized(finding: Finding): Finding {
  const message = say`${finding.message}. A claim that exists already is only resized by this`;
  return { ...finding, message, severity: 'information' };
}
