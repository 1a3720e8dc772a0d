import type { Report } from '../../../../server/src/report-model/report.ts';

/** Which pods and nodes a filter leaves. */
export interface Filter {
  hasPod(pod: number): boolean;
  hasNode(node: number): boolean;
}

/**
 * Each word of `text` must occur in what is known of a pod (namespace, name, workload, class, priority, state, nodes)
 * or of a node (name, zone, taints). Case does not matter. Null for an empty filter.
 */
export function compileFilter(report: Report, text: string): Filter | null {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) {
    return null;
  }
  const pods = report.pods.map((_pod, index) => hasAll(podText(report, index), words));
  const nodes = report.nodes.map((node) => {
    return hasAll([node.name, node.zone, ...node.taints].join(' ').toLowerCase(), words);
  });
  return {
    hasPod: (pod) => pods[pod] ?? false,
    hasNode: (node) => nodes[node] ?? false,
  };
}

function podText(report: Report, index: number): string {
  const pod = report.pods[index];
  if (pod === undefined) {
    return '';
  }
  const workload = pod.workload === null ? undefined : report.workloads[pod.workload];
  return [
    `${pod.namespace}/${pod.name}`,
    workload === undefined ? '' : `${workload.kind} ${workload.name}`,
    pod.className ?? '',
    String(pod.priority),
    pod.before.state,
    pod.after.state,
    nodeName(report, pod.before.node),
    nodeName(report, pod.after.node),
    ...pod.budgets,
  ]
    .join(' ')
    .toLowerCase();
}

function nodeName(report: Report, node: number | null): string {
  return node === null ? '' : (report.nodes[node]?.name ?? '');
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
