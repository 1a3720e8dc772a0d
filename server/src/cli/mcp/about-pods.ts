import type { Remedy } from '../../report-model/remedy.ts';
import type { Report, ReportPod } from '../../report-model/report.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { qualifiedName } from '../../util/words.ts';
import { causeText } from '../../simulation/causes/cause-text.ts';

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

/** What is told of pods: a text, and the same as data. */
export interface ToldOfPods {
  readonly text: string;
  readonly structured: { readonly pods: readonly object[]; readonly headline: string };
}

interface OfPod {
  readonly lines: readonly string[];
  readonly data: object;
}

/** What was run against what keeps a pod from running. */
function triedFor({ answer, remedies }: Report, pod: number): readonly Remedy[] {
  return (remedies ?? []).filter(({ group, line, whatIf }) => {
    const lines = answer.groups.find(({ kind }) => kind === group)?.lines ?? [];
    const own = line === null ? lines : lines.slice(line, line + 1);
    return whatIf.length > 0 && group !== 'evicted' && own.some(({ pods }) => pods.includes(pod));
  });
}

/** Why a pod waits, what the scheduler says, and what would help; without a name of each that waits. */
export function explainPending(report: Report, name: string): ToldOfPods {
  const names = { node: (index: number) => report.nodes[index]?.name ?? '', nodes: report.nodes.length };
  const held = report.pods.flatMap(({ after }, index) => (['gated', 'rejected'].includes(after.state) ? [index] : []));
  const found = name === '' ? [...report.pending.map(({ pod }) => pod), ...held] : podsNamed(report, name);
  if (name === '' && found.length === 0) return toldOf(report, [], ['No pod stays pending.']);
  return aboutPods(report, name, found, (pod, index) => {
    const { namespace, name: own, after } = pod;
    const decision = report.decisions[pod.decision ?? -1];
    const cause = report.causes[report.pending.find((each) => each.pod === index)?.cause ?? -1];
    const why = cause !== undefined && cause.parts.length > 0 ? causeText(cause, names) : '';
    const { message = '' } = decision ?? {};
    const tried = triedFor(report, index).map(({ whatIf, effect }) => ({ whatIf, effect }));
    return {
      lines: [
        `${namespace}/${own}: ${placeText(report, pod)}`,
        ...(why === '' ? [] : [`  ${why}`]),
        ...(message === '' ? [] : [`  ${message}`]),
        ...tried.map(({ whatIf, effect }) => `  whatIf: ${whatIf.join('; ')}: ${effect}`),
      ],
      data: { namespace, name: own, state: after.state, why, message, remedies: tried },
    };
  });
}

/** Who takes the place of a pod, or could. */
export function whoEvicts(report: Report, name: string): ToldOfPods {
  return aboutPods(report, name, podsNamed(report, name), (pod, index) => {
    const { namespace, name: own, after, className, priority } = pod;
    const lines = [`${namespace}/${own} (${rankText(pod)}): ${placeText(report, pod)}`];
    const victim = report.victims.find((each) => each.pod === index);
    const preemptor = report.pods[victim?.preemptor ?? -1];
    const evictor = preemptor === undefined ? null : `${preemptor.namespace}/${preemptor.name}`;
    if (preemptor !== undefined) lines.push(`  evicted for ${evictor} (${rankText(preemptor)})`);
    const threats = pod.threats.flatMap((workload) => report.workloads[workload] ?? []).slice(0, mostPods);
    for (const { kind, namespace: space, name: threat, priority: rank } of threats) {
      lines.push(`  could be evicted by ${kind} ${space}/${threat} (priority ${rank})`);
    }
    if (victim === undefined && threats.length === 0) lines.push('  no declared workload would evict it now');
    const mayEvict = threats.map(({ kind, namespace: space, name: threat }) => `${kind}/${space}/${threat}`);
    const state = after.state;
    return { lines, data: { namespace, name: own, state, className, priority, evictedFor: evictor, mayEvict } };
  });
}

function aboutPods(
  report: Report,
  name: string,
  found: readonly number[],
  notify: (pod: ReportPod, index: number) => OfPod,
): ToldOfPods {
  if (found.length === 0) {
    return toldOf(report, [], [`There is no pod and no workload ${name}${nearestTo(report, name)}.`]);
  }
  const answers = found.slice(0, mostPods).map((index) => notify(report.pods[index]!, index));
  const left = found.length - mostPods;
  const more = left <= 0 ? [] : [`${left} more pods${name === '' ? '' : ' of that name'} are left out.`];
  const lines = [...answers.flatMap((each) => each.lines), ...more, '', report.answer.headline];
  return toldOf(
    report,
    answers.map(({ data }) => data),
    lines,
  );
}

function nearestTo({ pods, workloads }: Report, name: string): string {
  const known = [...pods, ...workloads].map(qualifiedName);
  const [near] = nearestNames(name, new Set(known), 2);
  return near === undefined ? '' : `; the nearest is ${near}`;
}

function toldOf({ answer }: Report, pods: readonly object[], lines: readonly string[]): ToldOfPods {
  return { text: lines.join('\n'), structured: { pods, headline: answer.headline } };
}

function placeText(report: Report, { before, after }: ReportPod): string {
  const node = report.nodes[after.node ?? before.node ?? -1]?.name;
  return node === undefined ? after.state : `${after.state}, ${node}`;
}

function rankText({ className, priority }: ReportPod): string {
  return className === null ? `priority ${priority}` : `${className} ${priority}`;
}
