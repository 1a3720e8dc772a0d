import type { Report } from '../../report-model/report.ts';
import { getOrInsert } from '../../util/maps.ts';

/** The pod's name, with its namespace in front when more than one occurs in the report. */
export function podName(report: Report, index: number): string {
  const pod = report.pods[index];
  if (pod === undefined) return '';
  return hasManyNamespaces(report) ? `${pod.namespace}/${pod.name}` : pod.name;
}

const manyNamespaces = new WeakMap<Report, boolean>();

function hasManyNamespaces(report: Report): boolean {
  return getOrInsert(manyNamespaces, report, () => new Set(report.pods.map((pod) => pod.namespace)).size > 1);
}

/** `batch-standard 1000`, `1000` for a pod without a class. */
export function rankOf(report: Report, index: number): string {
  const pod = report.pods[index];
  if (pod === undefined) return '';
  return pod.className === null ? `priority ${pod.priority}` : `${pod.className} ${pod.priority}`;
}
