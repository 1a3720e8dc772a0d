import { nameOf } from '../../../kubernetes/names.ts';
import { parseSelector } from '../../../kubernetes/selector-text.ts';
import { least } from '../../../util/extremes.ts';
import { nearLabel } from '../../../kubernetes/meant-label.ts';
import type { ReportedCluster } from '../reported-cluster.ts';
import { adviceFor, type Waiting } from './advice.ts';
import { labelsForPools, nearestPoolMessage, priorityAdvice } from './pool-advice.ts';

/** What to do about pods that are pending for one reason, beside operations that help or instead of them. */
export function pendingAdvice(cluster: ReportedCluster, pods: readonly number[]): readonly string[] {
  const { report } = cluster;
  const lowest = least(pods.map((pod) => report.pods[pod]?.priority ?? 0));
  const message = nearestPoolMessage(cluster, pods[0] ?? -1);
  return [...causeAdvice(cluster, pods[0] ?? -1), ...labelsForPools(message), ...priorityAdvice(lowest)];
}

function causeAdvice(cluster: ReportedCluster, pod: number): readonly string[] {
  const { report, inventory, grows } = cluster;
  const cause = report.causes[report.pending.find((each) => each.pod === pod)?.cause ?? -1];
  if (cause === undefined) return [];
  const workload = report.pods[pod]?.workload ?? -1;
  const { kind = '', namespace = '', name = '', replicas = 0 } = report.workloads[workload] ?? {};
  const spec = cluster.templateOf(report.workloads[workload])?.spec;
  return adviceFor(cause, {
    kind,
    namespace,
    workload: name,
    replicas,
    spec,
    suits: spec !== undefined && cluster.suits({ spec }),
    inventory,
    grows,
    nodeName: (index) => cluster.shortName(report.nodes[index]?.name ?? ''),
    isDrained: (index) => report.drains.some(({ node }) => node === index),
    poolNames: (kind) => cluster.objects.flatMap((each) => (each.kind === kind ? nameOf(each) : [])),
    mayTakeFrom: (claim) =>
      !report.pods.some(
        (each) =>
          (each.workload === workload || each.priority > (report.pods[pod]?.priority ?? 0)) &&
          claim.startsWith(`${each.namespace}/${each.name}-`),
      ),
    pendingOf: (selectors) => pendingOf(cluster, selectors, workload),
  });
}

/** Of the pods that are pending those that some selectors mean. */
function pendingOf(cluster: ReportedCluster, selectors: readonly string[], own: number): Waiting {
  const { pods, pending, causes, workloads } = cluster.report;
  const labelsOf = (workload: number) => cluster.templateOf(workloads[workload])?.metadata.labels;
  const isMeant = (workload: number, texts: readonly string[]): boolean => {
    const labels = labelsOf(workload);
    return texts.some((text) => labels !== undefined && parseSelector(text)?.matches(labels) === true);
  };
  const found = new Map<number, boolean>();
  for (const { pod, cause } of pending) {
    const workload = pods[pod]?.workload ?? -1;
    if (workload === own || !isMeant(workload, selectors)) continue;
    const asks = causes[cause ?? -1]?.parts ?? [];
    const isBack = asks.some((part) => part.kind === 'affinity' && isMeant(own, part.selectors));
    found.set(workload, (found.get(workload) ?? false) || isBack);
  }
  const names = [...found.keys()].map((workload) => workloads[workload]?.name ?? '');
  const labelled = workloads.flatMap(({ namespace }, workload) =>
    namespace === workloads[own]?.namespace ? [labelsOf(workload)] : [],
  );
  const near = selectors.flatMap((selector) => nearLabel(selector, labelled) ?? []);
  return { names, near, isCircle: [...found.values()].includes(true) };
}
