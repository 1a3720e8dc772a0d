import { affinityToLowerPriority } from './affinity-to-lower-priority.ts';
import { antiAffinityExceedsDomains } from './anti-affinity-exceeds-domains.ts';
import { budgetBlocksEvictions } from './budget-blocks-evictions.ts';
import { budgetBrokenByPreemption } from './budget-broken-by-preemption.ts';
import { budgetOverlap } from './budget-overlap.ts';
import { budgetSelectsNothing } from './budget-selects-nothing.ts';
import { classChanged } from './class-changed.ts';
import { classValueOutOfRange } from './class-value-out-of-range.ts';
import { crossNodeAntiAffinity } from './cross-node-anti-affinity.ts';
import { daemonsetBelowWorkloads } from './daemonset-below-workloads.ts';
import { daemonsetsOfUnequalPriority } from './daemonsets-of-unequal-priority.ts';
import { forgeableIsolationLabel } from './forgeable-isolation-label.ts';
import { gateAdded } from './gate-added.ts';
import { gatedNodeAffinity } from './gated-node-affinity.ts';
import { gatedNodeSelector } from './gated-node-selector.ts';
import { immutablePodField } from './immutable-pod-field.ts';
import { immutableWorkloadField } from './immutable-workload-field.ts';
import { invalidDisruptionBudget } from './invalid-disruption-budget.ts';
import { invalidNodeAffinity } from './invalid-node-affinity.ts';
import { invalidNodeSelector } from './invalid-node-selector.ts';
import { invalidPodAffinity } from './invalid-pod-affinity.ts';
import { invalidPod } from './invalid-pod.ts';
import { invalidPriorityClass } from './invalid-priority-class.ts';
import { invalidQuota } from './invalid-quota.ts';
import { invalidResources } from './invalid-resources.ts';
import { invalidSchedulerConfiguration } from './invalid-scheduler-configuration.ts';
import { invalidSchedulingGates } from './invalid-scheduling-gates.ts';
import { invalidToleration } from './invalid-toleration.ts';
import { invalidTopologySpread } from './invalid-topology-spread.ts';
import { invalidWorkload } from './invalid-workload.ts';
import { namespaceOnClusterObject } from './namespace-on-cluster-object.ts';
import { noNodeMatches } from './no-node-matches.ts';
import { preemptionPolicyMismatch } from './preemption-policy-mismatch.ts';
import { priorityMismatch } from './priority-mismatch.ts';
import { quotaExceeded } from './quota-exceeded.ts';
import { quotaRefusesPods } from './quota-refuses-pods.ts';
import { reservedClassName } from './reserved-class-name.ts';
import type { Rule } from './rule.ts';
import { schedulerPluginNotModelled } from './scheduler-plugin-not-modelled.ts';
import { selectorMissesOwnPods } from './selector-misses-own-pods.ts';
import { severalGlobalDefaults } from './several-global-defaults.ts';
import { systemClassOutsideKubeSystem } from './system-class-outside-kube-system.ts';
import { unknownNode } from './unknown-node.ts';
import { unknownPriorityClass } from './unknown-priority-class.ts';
import { unknownSuppression } from './unknown-suppression.ts';
import { unreadableNodeAffinity } from './unreadable-node-affinity.ts';
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
  invalidWorkload,
  immutableWorkloadField,
  invalidDisruptionBudget,
  budgetSelectsNothing,
  budgetOverlap,
  budgetBlocksEvictions,
  budgetBrokenByPreemption,
  invalidQuota,
  quotaRefusesPods,
  quotaExceeded,
  systemClassOutsideKubeSystem,
  affinityToLowerPriority,
  crossNodeAntiAffinity,
  antiAffinityExceedsDomains,
  selectorMissesOwnPods,
  daemonsetBelowWorkloads,
  daemonsetsOfUnequalPriority,
  noNodeMatches,
  unreadableNodeAffinity,
  unknownNode,
  forgeableIsolationLabel,
  invalidSchedulerConfiguration,
  schedulerPluginNotModelled,
  unknownSuppression(
    (code) => rulesByCode.has(code),
    () => [...rulesByCode.keys()],
  ),
];

export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]));
