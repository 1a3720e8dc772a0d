import type { Report, ReportPod } from '../../contract/report.ts';
import { causeText } from '../../simulation/report/cause/cause-text.ts';

/** Pods that are told of in one answer. */
const mostPods = 20;

/**
 * The pods that a name stands for: `namespace/name` or `name` of a pod, or of the workload that makes it. Indexes of
 * the report.
 */
function podsNamed(report: Report, name: string): number[] {
  const matches = ({ namespace, name: own }: { readonly namespace: string; readonly name: string }) =>
    name === own || name === `${namespace}/${own}`;
  return report.pods.flatMap((pod, index) => {
    const workload = pod.workload === null ? undefined : report.workloads[pod.workload];
    return matches(pod) || (workload !== undefined && matches(workload)) ? [index] : [];
  });
}

/** Why a pod waits, what the scheduler says, and what would help. */
export function explainPending(report: Report, name: string): string {
  const names = { node: (index: number) => report.nodes[index]?.name ?? '', nodes: report.nodes.length };
  return aboutPods(report, name, (pod, index) => {
    const decision = report.decisions[pod.decision ?? -1];
    const lines = [`${pod.namespace}/${pod.name}: ${placeText(report, pod)}`];
    const cause = report.causes[report.pending.find((each) => each.pod === index)?.cause ?? -1];
    if (cause !== undefined && cause.parts.length > 0) lines.push(`  ${causeText(cause, names)}`);
    if (decision !== undefined && decision.message !== '') lines.push(`  ${decision.message}`);
    for (const help of decision?.wouldHelp ?? []) lines.push(`  would help: ${help}`);
    return lines;
  });
}

/** Who takes the place of a pod, or could. */
export function whoEvicts(report: Report, name: string): string {
  return aboutPods(report, name, (pod, index) => {
    const lines = [`${pod.namespace}/${pod.name} (${rankText(pod)}): ${placeText(report, pod)}`];
    const victim = report.victims.find((each) => each.pod === index);
    const preemptor = report.pods[victim?.preemptor ?? -1];
    if (preemptor !== undefined) {
      lines.push(`  evicted for ${preemptor.namespace}/${preemptor.name} (${rankText(preemptor)})`);
    }
    const threats = pod.threats.flatMap((workload) => report.workloads[workload] ?? []);
    for (const { kind, namespace, name: threat, priority } of threats.slice(0, mostPods)) {
      lines.push(`  could be evicted by ${kind} ${namespace}/${threat} (priority ${priority})`);
    }
    if (victim === undefined && threats.length === 0) lines.push('  no declared workload would evict it now');
    return lines;
  });
}

function aboutPods(report: Report, name: string, tell: (pod: ReportPod, index: number) => readonly string[]): string {
  const found = podsNamed(report, name);
  if (found.length === 0) return `There is no pod and no workload ${name}.`;
  const told = found.slice(0, mostPods).flatMap((index) => tell(report.pods[index]!, index));
  const more = found.length > mostPods ? [`${found.length - mostPods} more pods of that name are left out.`] : [];
  return [...told, ...more, '', report.answer.headline].join('\n');
}

function placeText(report: Report, { before, after }: ReportPod): string {
  const node = report.nodes[after.node ?? before.node ?? -1]?.name;
  return node === undefined ? after.state : `${after.state}, ${node}`;
}

function rankText({ className, priority }: ReportPod): string {
  return className === null ? `priority ${priority}` : `${className} ${priority}`;
}
