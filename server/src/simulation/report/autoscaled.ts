import { say } from '../../util/say.ts';
import { count, list, titleOf } from '../../util/words.ts';
import type { Assumption } from '../../report-model/report.ts';
import { keyOf, workloadKey } from '../../kubernetes/names.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { autoscalersByTarget, autoscalingsOf } from '../cluster/autoscaled-workloads.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';

/** More names than this are counted. */
const longest = 5;

/** How many pods are counted of workloads that a HorizontalPodAutoscaler scales, and autoscalers that scale nothing. */
export function autoscaled({ inventory, workloads }: SimulatedCluster): Assumption[] {
  if (inventory.ofKind('HorizontalPodAutoscaler').length === 0) return [];
  const byTarget = autoscalersByTarget(inventory);
  const assumptions: Assumption[] = [];
  const autoscalings = autoscalingsOf(inventory, workloads, []);
  const scaled = workloads.flatMap((workload) => {
    const autoscaling = autoscalings.get(workloadKey(workload.kind, workload.namespace, workload.name));
    return autoscaling === undefined ? [] : [{ ...autoscaling, workload }];
  });
  const own = scaled.filter(({ rivals }) => rivals.length === 0);
  if (own.length > 0) {
    const named = list(
      own.map(({ workload, min, max }) => say`${titleOf(workload)} at ${workload.replicas} (${min} to ${max})`),
      longest,
    );
    const amount = count(own.length, 'autoscaled workload');
    assumptions.push({
      mark: '?',
      text:
        inventory.autoscaled === 'minimum'
          ? say`${amount} at the minimum: ${named}`
          : inventory.autoscaled === 'maximum'
            ? say`${amount} at the maximum: ${named}`
            : inventory.autoscaled === 'present'
              ? say`${amount} at the present size, else the minimum: ${named}`
              : say`${amount} as written: ${named}`,
      detail: say`A HorizontalPodAutoscaler scales by usage, which is not simulated. With --autoscaled, or \`autoscaled\` in a scenario, the minimum, the maximum or the present size counts. At zero nothing is scaled.`,
    });
  }
  for (const { workload, autoscaler, rivals } of scaled.filter((each) => each.rivals.length > 0)) {
    assumptions.push({
      mark: '!',
      text: say`${titleOf(workload)} has several HorizontalPodAutoscalers: ${list([autoscaler, ...rivals], longest)}`,
      detail: say`None of them scales it by usage (AmbiguousSelector); each only brings it within its own bounds.`,
    });
  }
  const known = new Set(workloads.map(({ kind, namespace, name }) => workloadKey(kind, namespace, name)));
  const idle = [...byTarget].flatMap(([key, autoscalers]) => {
    const isHere = known.has(key) || !isWorkloadKind(autoscalers[0]!.spec.scaleTargetRef.kind);
    return isHere ? [] : autoscalers;
  });
  if (idle.length > 0) {
    const named = idle.map((each) => {
      const { kind, name } = each.spec.scaleTargetRef;
      return say`${keyOf(each)} (${kind} ${name})`;
    });
    assumptions.push({
      mark: '?',
      text: say`${count(idle.length, 'HorizontalPodAutoscaler')} of workloads that are not declared: ${list(named, longest)}`,
      detail: say`They scale nothing here. In the cluster they scale what has that name there.`,
    });
  }
  const counted = new Set([...byTarget.values()].flat());
  const refused = inventory.objects('HorizontalPodAutoscaler').filter((each) => !counted.has(each));
  if (refused.length > 0) {
    assumptions.push({
      mark: '?',
      text: say`${count(refused.length, 'HorizontalPodAutoscaler')} refused by the API server: ${list(refused.map(keyOf), longest)}`,
      detail: say`Unless the cluster has them already, they do not exist, and scale nothing.`,
    });
  }
  return assumptions;
}
