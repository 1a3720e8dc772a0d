import { classChanged } from './class-changed.ts';
import { classValueOutOfRange } from './class-value-out-of-range.ts';
import { gateAdded } from './gate-added.ts';
import { gatedNodeAffinity } from './gated-node-affinity.ts';
import { gatedNodeSelector } from './gated-node-selector.ts';
import { immutablePodField } from './immutable-pod-field.ts';
import { invalidDisruptionBudget } from './invalid-disruption-budget.ts';
import { invalidNodeAffinity } from './invalid-node-affinity.ts';
import { invalidNodeSelector } from './invalid-node-selector.ts';
import { invalidPodAffinity } from './invalid-pod-affinity.ts';
import { invalidPod } from './invalid-pod.ts';
import { invalidPriorityClass } from './invalid-priority-class.ts';
import { invalidQuota } from './invalid-quota.ts';
import { invalidResources } from './invalid-resources.ts';
import { invalidSchedulingGates } from './invalid-scheduling-gates.ts';
import { invalidToleration } from './invalid-toleration.ts';
import { invalidTopologySpread } from './invalid-topology-spread.ts';
import { namespaceOnClusterObject } from './namespace-on-cluster-object.ts';
import { preemptionPolicyMismatch } from './preemption-policy-mismatch.ts';
import { priorityMismatch } from './priority-mismatch.ts';
import { reservedClassName } from './reserved-class-name.ts';
import type { Rule } from './rule.ts';
import { severalGlobalDefaults } from './several-global-defaults.ts';
import { unknownPriorityClass } from './unknown-priority-class.ts';
import { unknownSuppression } from './unknown-suppression.ts';
import { wrongType } from './wrong-type.ts';
import { yamlProblems } from './yaml-problems.ts';

/** Every rule, in the order in which the settings list them. */
export const rules: readonly Rule[] = [
  ...yamlProblems,
  wrongType,
  unknownPriorityClass,
  priorityMismatch,
  preemptionPolicyMismatch,
  reservedClassName,
  classValueOutOfRange,
  severalGlobalDefaults,
  invalidPriorityClass,
  classChanged,
  namespaceOnClusterObject,
  gateAdded,
  gatedNodeSelector,
  gatedNodeAffinity,
  immutablePodField,
  invalidSchedulingGates,
  invalidNodeSelector,
  invalidNodeAffinity,
  invalidPodAffinity,
  invalidTopologySpread,
  invalidToleration,
  invalidResources,
  invalidPod,
  invalidDisruptionBudget,
  invalidQuota,
  unknownSuppression(
    (code) => rulesByCode.has(code),
    () => [...rulesByCode.keys()],
  ),
];

export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]));
