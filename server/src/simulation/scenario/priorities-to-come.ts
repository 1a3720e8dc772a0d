import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Declared, KubeObject } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';

/**
 * What a change of classes sets off later: a pod keeps its number until it is made anew, and then has that of its class,
 * or of the default class, as they are by then. Empty where classes are as they were.
 * Source: plugin/pkg/admission/priority/admission.go (only on create)
 *
 * @param asked what was there before operations
 */
export function prioritiesToCome(
  asked: SimulationInput,
  now: SimulationInput,
  simulated: SimulatedCluster,
): readonly string[] {
  if (asked.snapshot.length === 0) return [];
  const before = new Set(classesIn(asked.snapshot));
  const known = new Set([...before, ...classesIn(asked.workspace)]);
  const isNew = classesIn(now.workspace).some((object) => !before.has(object));
  const isOther = classesIn([...now.workspace, ...now.snapshot]).some((object) => !known.has(object));
  if (!isNew && !isOther) return [];
  const workloads = new Set<number>();
  const pods = simulated.running.filter(({ workload, priority }) => {
    const made = simulated.workloads[workload];
    if (made?.declared === undefined || made.kind === 'Pod') return false;
    const isLater = simulated.reportWorkloads[workload]!.priority !== priority;
    if (isLater) workloads.add(workload);
    return isLater;
  });
  if (pods.length === 0) return [];
  const named = count(pods.length, 'running pod');
  return [
    say`${named} of ${count(workloads.size, 'workload')} ${pods.length === 1 ? 'has' : 'have'} another priority than ${pods.length === 1 ? 'it is' : 'they are'} made with from now on`,
    say`Each that is made anew, also of a template that nobody changed, has the new number, and may evict those that still have the old one: one restart can turn over its neighbours`,
  ];
}

function classesIn(declared: readonly Declared[]): readonly KubeObject[] {
  return declared.flatMap(({ object }) => (object.kind === 'PriorityClass' ? [object] : []));
}
