import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { objectRefusals, refusalFinding } from './support/object-refusals.ts';
import { refusalFixes } from './support/refusal-fixes.ts';
import type { ObjectRule } from './rule.ts';

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
      // A namespace where there is none is told of every object of the cluster.
      if (refusal.error.path.join('.') !== 'metadata.namespace') yield* refusalFinding(subject, refusal);
    }
  },
};
