import { affinityCircle } from './affinity-circle.ts';
import { affinityToLowerPriority } from './affinity-to-lower-priority.ts';
import { antiAffinityExceedsDomains } from './anti-affinity-exceeds-domains.ts';
import { antiAffinityReachesFar } from './anti-affinity-reaches-far.ts';
import { autoscalerWithoutTarget } from './autoscaler-without-target.ts';
import { budgetBlocksEvictions } from './budget-blocks-evictions.ts';
import { budgetBrokenByPreemption } from './budget-broken-by-preemption.ts';
import { budgetOverlap } from './budget-overlap.ts';
import { budgetSelectsNothing } from './budget-selects-nothing.ts';
import { crossNodeAntiAffinity } from './cross-node-anti-affinity.ts';
import { declaredTwice } from './declared-twice.ts';
import { firstPodBlocksOthers } from './first-pod-blocks-others.ts';
import { forgeableIsolationLabel } from './forgeable-isolation-label.ts';
import { fractionalBytes } from './fractional-bytes.ts';
import { ignoredByScheduler } from './ignored-by-scheduler.ts';
import { invalidObject } from './invalid-object.ts';
import { invalidWorkload } from './invalid-workload.ts';
import { cronRunsPileUp, jobLostWhenEvicted } from './jobs.ts';
import { kindNotServed } from './kind-not-served.ts';
import { limitRangeRefusesPods } from './limit-range-refuses-pods.ts';
import { longGracePeriod } from './long-grace-period.ts';
import { missingTopologyKey, podAffinityInLargeCluster } from './missing-topology-key.ts';
import { namespaceOnClusterObject } from './namespace-on-cluster-object.ts';
import {
  autoscalerMaximumDoesNotFit,
  exceedsEveryNode,
  nodeNameDoesNotFit,
  toleratesCordonedNodes,
} from './node-capacity.ts';
import { invalidNodePool } from './invalid-node-pool.ts';
import { noNodeMatches } from './no-node-matches.ts';
import {
  poolLimitTooSmall,
  poolMakesNoNode,
  poolMinValuesUnmet,
  poolNeverConsolidated,
  poolTaintNotTolerated,
  poolUnknownLabel,
  poolWeightWithoutEffect,
} from './node-pools.ts';
import { nodeNameBypassesScheduler } from './node-name-bypasses-scheduler.ts';
import { daemonsetBelowWorkloads, daemonsetsOfUnequalPriority } from './daemonsets.ts';
import { invalidSchedulerConfiguration, schedulerPluginNotModelled } from './scheduler-configuration.ts';
import { quotaExceeded, quotaRefusesPods, systemClassOutsideKubeSystem } from './quotas.ts';
import { refusals } from './refusals.ts';
import { reservedClassName } from './reserved-class-name.ts';
import { rollOutExceedsQuota, rollOutFindsNoNode, rollOutWaitsForClaim, spreadCountsOldPods } from './roll-outs.ts';
import type { Rule } from './support/rule.ts';
import { selectorMissesOwnPods } from './selector-misses-own-pods.ts';
import { severalGlobalDefaults } from './several-global-defaults.ts';
import { unknownField } from './unknown-field.ts';
import { unknownNode } from './unknown-node.ts';
import { claimLosesPreemption } from './claim-loses-preemption.ts';
import { unknownRuntimeClass } from './unknown-runtime-class.ts';
import { unknownDeviceName } from './unknown-device-name.ts';
import { unknownStorageClass } from './unknown-storage-class.ts';
import { unknownScheduler } from './unknown-scheduler.ts';
import { unknownPriorityClass } from './unknown-priority-class.ts';
import { unknownSuppression } from './unknown-suppression.ts';
import { unusedSuppression } from './unused-suppression.ts';
import { unreadableNodeAffinity } from './unreadable-node-affinity.ts';
import { wrongType } from './wrong-type.ts';
import { yamlProblems } from './yaml-problems.ts';

/** Every rule, in the order in which the settings list them. */
export const rules: readonly Rule[] = [
  ...yamlProblems,
  wrongType,
  unknownField,
  kindNotServed,
  unknownPriorityClass,
  reservedClassName,
  severalGlobalDefaults,
  namespaceOnClusterObject,
  declaredTwice,
  ...refusals,
  invalidWorkload,
  invalidObject,
  budgetSelectsNothing,
  budgetOverlap,
  budgetBlocksEvictions,
  budgetBrokenByPreemption,
  quotaRefusesPods,
  quotaExceeded,
  limitRangeRefusesPods,
  systemClassOutsideKubeSystem,
  affinityCircle,
  affinityToLowerPriority,
  crossNodeAntiAffinity,
  antiAffinityExceedsDomains,
  antiAffinityReachesFar,
  missingTopologyKey,
  podAffinityInLargeCluster,
  selectorMissesOwnPods,
  daemonsetBelowWorkloads,
  daemonsetsOfUnequalPriority,
  longGracePeriod,
  noNodeMatches,
  unreadableNodeAffinity,
  unknownNode,
  unknownScheduler,
  unknownRuntimeClass,
  unknownDeviceName,
  unknownStorageClass,
  claimLosesPreemption,
  nodeNameBypassesScheduler,
  nodeNameDoesNotFit,
  toleratesCordonedNodes,
  exceedsEveryNode,
  autoscalerMaximumDoesNotFit,
  autoscalerWithoutTarget,
  invalidNodePool,
  poolUnknownLabel,
  poolMakesNoNode,
  poolLimitTooSmall,
  poolMinValuesUnmet,
  poolTaintNotTolerated,
  poolWeightWithoutEffect,
  poolNeverConsolidated,
  fractionalBytes,
  rollOutWaitsForClaim,
  rollOutExceedsQuota,
  rollOutFindsNoNode,
  firstPodBlocksOthers,
  spreadCountsOldPods,
  jobLostWhenEvicted,
  cronRunsPileUp,
  forgeableIsolationLabel,
  ignoredByScheduler,
  invalidSchedulerConfiguration,
  schedulerPluginNotModelled,
  unknownSuppression(
    (code) => rulesByCode.has(code),
    () => [...rulesByCode.keys()],
  ),
  unusedSuppression,
];

export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]));
