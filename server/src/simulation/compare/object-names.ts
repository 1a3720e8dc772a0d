import type { ComparedReport, ReportWorkload } from '../../report-model/report.ts';

/** `Deployment/shop/cart`, `Node/a`: as causes, links and effects of a plan name objects. */
export function objectName({ kind, namespace, name }: Pick<ReportWorkload, 'kind' | 'namespace' | 'name'>): string {
  return `${kind}/${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** The workload of a pod; a pod without one is its own. */
export function workloadOf({ pods, workloads }: ComparedReport, index: number): string {
  const pod = pods[index]!;
  return objectName(workloads[pod.workload ?? -1] ?? { kind: 'Pod', ...pod });
}

/** Empty where there is none. */
export function nodeName({ nodes }: ComparedReport, node: number | null): string {
  return node === null ? '' : (nodes[node]?.name ?? '');
}
