import { dryRunSuffixes } from '../../disruption/drain-texts.ts';
import { aggregateErrors } from '../../kubernetes/aggregate-errors.ts';
import { clockText, grouped } from '../../util/words.ts';
import type { DrainedPodReport, DrainReport, DrainRequest } from '../../simulation/drains/drain-nodes.ts';

/** What kubectl prints for each node, and behind two blanks what the API server answers. */
export function drainTranscript(
  { events, nodes, pods: all }: DrainReport,
  { dryRun, disableEviction }: DrainRequest,
): readonly string[] {
  const suffix = dryRunSuffixes[dryRun];
  // With --disable-eviction only the dry run of the client prints the line.
  const evicts = !disableEviction || dryRun === 'client';
  const lines: string[] = [];
  for (const { kind, text } of events) if (kind === 'cordoned') lines.push(text);
  for (const { name, state, at, errors, pendingPods } of nodes) {
    const own = events.filter(({ node }) => node === name);
    for (const { kind, text } of own) if (kind === 'warned') lines.push(text);
    const tries = refusedTries(own);
    for (const pod of all.filter(({ node }) => node === name)) {
      // Who is deleted is asked no budget: what is printed is that it is gone.
      if (evicts) lines.push(`evicting pod ${pod.pod}${suffix}`, `  ${answerText(pod)}`);
      if (pod.retry !== null) lines.push(pod.retry);
      const refused = tries.get(pod.pod) ?? 0;
      if (refused > 1) lines.push(`  ${triesText(refused, pod.goneAt !== null, state === 'hangs')}`);
      // kubectl does not see the end of those that go after it has given up.
      if (pod.goneAt === null || dryRun !== 'none' || (state === 'unfinished' && pod.goneAt > (at ?? 0))) continue;
      lines.push(`pod/${pod.pod.slice(pod.pod.indexOf('/') + 1)} ${disableEviction ? 'deleted' : 'evicted'}`);
      if (!evicts) lines.push(`  gone after ${clockText(pod.goneAt)}`);
    }
    if (pendingPods.length > 0) {
      lines.push(`There are pending pods in node "${name}" when an error occurred: ${aggregateErrors(errors)}`);
      for (const pod of pendingPods) lines.push(`pod/${pod.slice(pod.indexOf('/') + 1)}`);
    }
    if (state === 'stopped' || state === 'unfinished') {
      lines.push(
        `error: unable to drain node "${name}" due to error: ${aggregateErrors(errors)}, continuing command...`,
      );
    }
    if (state === 'drained') lines.push(`node/${name} drained${suffix}`);
  }
  return [...lines, ...endOf(nodes)];
}

/** How often the eviction of each pod was refused. */
function refusedTries(events: DrainReport['events']): ReadonlyMap<string, number> {
  const tries = new Map<string, number>();
  for (const { kind, pod } of events) {
    if (kind === 'refused' && pod !== null) tries.set(pod, (tries.get(pod) ?? 0) + 1);
  }
  return tries;
}

/** kubectl prints what it tries each time, and the refusal. */
function triesText(refused: number, passes: boolean, hangs: boolean): string {
  if (passes) return `kubectl prints both ${grouped(refused)} times, then the first once more.`;
  return hangs ? 'kubectl prints both at each try, without end.' : `kubectl prints both ${grouped(refused)} times.`;
}

/** What kubectl prints last, when it comes to its end and some nodes are not drained. */
function endOf(nodes: DrainReport['nodes']): readonly string[] {
  const failed = nodes.filter(({ state }) => state === 'stopped' || state === 'unfinished');
  if (failed.length === 0 || nodes.some(({ state }) => state === 'hangs')) return [];
  const errors = failed.length === 1 ? failed[0]!.errors : failed.map((node) => aggregateErrors(node.errors));
  return [
    'There are pending nodes to be drained:',
    ...failed.map(({ name }) => ` ${name}`),
    ...(errors.length === 1 ? [`error: ${errors[0]!}`] : errors),
  ];
}

function answerText({ answer, races, goneAt }: DrainedPodReport): string {
  if (answer.allowed) {
    return `200${races ? ', if it wins its race' : ''}${goneAt === null ? '' : `, gone after ${clockText(goneAt)}`}`;
  }
  const reason = answer.reason === undefined ? '' : ` ${answer.reason}`;
  const later = goneAt === null ? '' : ` Later it goes, after ${clockText(goneAt)}.`;
  return `${answer.code}${reason}. ${answer.cause ?? answer.message}${later}`;
}
