import { validateQuota } from '../../admission/quota/validation.ts';
import { validateDisruptionBudget } from '../../admission/workloads/disruption-budget.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Kind } from '../kinds.ts';
import { classFindings } from './support/class-findings.ts';
import { fieldErrorFinding } from './support/narrow.ts';
import { podFindings } from './support/pod-findings.ts';
import { podUpdateFindings } from './support/pod-update-findings.ts';
import type { Finding, ObjectRule, ObjectSubject, Severity } from './rule.ts';

type Findings = (subject: ObjectSubject, rule: string) => Iterable<Finding>;

/** The rules that only repeat what the API server says: which part of its answer each tells. */
export const refusals: readonly ObjectRule[] = [
  refusal('invalid-priority-class', 'Another field of a PriorityClass that the API server refuses', classFindings),
  refusal(
    'gated-node-affinity',
    'The required node affinity of a gated pod changes in another way than by added requirements',
    podUpdateFindings,
  ),
  // With git it is only likely that the pod exists as it was committed; deleting and creating it again is legal.
  refusal(
    'immutable-pod-field',
    'A field of an existing pod changes that may not change',
    podUpdateFindings,
    'warning',
  ),
  refusal('invalid-scheduling-gates', 'Scheduling gates that the API server refuses', podFindings),
  refusal('invalid-node-selector', 'A nodeSelector that the API server refuses', podFindings),
  refusal('invalid-node-affinity', 'Node affinity that the API server refuses', podFindings),
  refusal('invalid-pod-affinity', 'Pod affinity or anti-affinity that the API server refuses', podFindings),
  refusal('invalid-topology-spread', 'Topology spread constraints that the API server refuses', podFindings),
  refusal('invalid-toleration', 'A toleration that the API server refuses', podFindings),
  refusal('invalid-resources', 'Resources or overhead that the API server refuses', podFindings),
  refusal('invalid-pod', 'Another field of a pod that the API server refuses', podFindings),
  refusal(
    'invalid-disruption-budget',
    'A PodDisruptionBudget that the API server refuses',
    judgedBy('PodDisruptionBudget', validateDisruptionBudget),
  ),
  refusal('invalid-quota', 'A ResourceQuota that the API server refuses', judgedBy('ResourceQuota', validateQuota)),
];

function refusal(code: string, title: string, findings: Findings, severity: Severity = 'error'): ObjectRule {
  return { code, title, severity, scope: 'object', check: (subject) => findings(subject, code) };
}

/** All that is said of objects of a kind. */
function judgedBy(kind: Kind, validate: (object: ObjectSubject['fact']['object']) => readonly FieldError[]): Findings {
  return ({ fact }) => (fact.kind === kind ? validate(fact.object).map((error) => fieldErrorFinding(fact, error)) : []);
}
