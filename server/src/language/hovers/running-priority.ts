import { addTo } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { Deployment } from '../../kubernetes/objects.ts';
import { derived } from '../index/derived.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { isStoredPod, podPriority } from '../index/priority-classes.ts';
import { podsSelectedIn } from '../index/selection.ts';
import { isRunning } from '../index/running-pods.ts';
import { code } from '../connection/markdown.ts';
import { factLinks } from './links.ts';

/** Running pods by the class that they were created with. */
const byClass = derived(['Pod'], (pods) => {
  const classes = new Map<string, Fact[]>();
  for (const pod of pods) {
    const { priorityClassName = '' } = pod.template?.spec ?? {};
    if (priorityClassName === '' || !isRunning(pod) || !isStoredPod(pod)) continue;
    addTo(classes, priorityClassName, pod);
  }
  return classes;
});

/** The running pods of a class that have another number than it gives now; empty where all have the same. */
export function runningOfClass(className: string, value: number, facts: Facts): string {
  const others = (byClass(facts).get(className) ?? []).filter(
    ({ template }) => (template?.spec.priority ?? value) !== value,
  );
  return others.length === 0
    ? ''
    : say`${count(others.length, 'running pod')} of this class ${others.length === 1 ? 'has' : 'have'} another number, which they keep: ${withNumbers(others, facts)}.`;
}

/** The running pods of a workload that have another number or class than its pods get now. */
export function runningOfWorkload(workload: Fact, priority: number, className: string, facts: Facts): string {
  if (workload.kind === 'Pod' || workload.kind === 'CronJob') return '';
  const { selector } = (workload.object as Deployment).spec ?? {};
  const compiled = compileLabelSelector(
    workload.kind === 'ReplicationController'
      ? { matchLabels: (selector as Record<string, string> | undefined) ?? {} }
      : selector,
  );
  if (compiled.isEmpty) return '';
  const others = podsSelectedIn(facts, workload.namespace, compiled).filter((pod) => {
    if (!isRunning(pod) || !isStoredPod(pod)) return false;
    const stored = podPriority(facts, pod);
    return stored?.admitted === true && (stored.priority !== priority || stored.className !== className);
  });
  return others.length === 0
    ? ''
    : say`${count(others.length, 'running pod')} of it ${others.length === 1 ? 'has' : 'have'} what was so when ${others.length === 1 ? 'it was' : 'they were'} created: ${withNumbers(others, facts)}.`;
}

function withNumbers(pods: readonly Fact[], facts: Facts): string {
  return factLinks(pods, facts, (pod) => {
    const stored = podPriority(facts, pod);
    if (stored?.admitted !== true) return '';
    return say` (${stored.priority}${stored.className === '' ? '' : say`, ${code(stored.className)}`})`;
  });
}
