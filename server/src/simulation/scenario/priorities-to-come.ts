import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import type { Declared, PriorityClass } from '../../kubernetes/objects.ts';
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
  const values = new Map(classesIn(asked.snapshot).map(({ metadata, value }) => [metadata?.name ?? '', value]));
  const recreated = classesIn([...now.workspace, ...now.snapshot]).flatMap(({ metadata, value }) => {
    const was = values.get(metadata?.name ?? '');
    return was === undefined || was === value ? [] : [metadata?.name ?? ''];
  });
  const pods = simulated.running.filter(({ workload, priority }) => {
    const made = simulated.workloads[workload];
    if (made?.declared === undefined || made.kind === 'Pod') return false;
    const isLater = simulated.reportWorkloads[workload]!.priority !== priority;
    if (isLater) workloads.add(workload);
    return isLater;
  });
  if (pods.length === 0) return [];
  const named = count(pods.length, 'running pod');
  const owners = list(
    [...workloads].map((index) => simulated.workloads[index]!.name),
    3,
  );
  return [
    say`${named} of ${owners} ${pods.length === 1 ? 'has' : 'have'} another priority than ${pods.length === 1 ? 'it is' : 'they are'} made with from now on`,
    say`Each that is recreated, even from an unchanged template, has the new number, and may evict those that still have the old one: one restart can turn over its neighbours`,
    ...(recreated.length === 0
      ? []
      : [
          say`The API server refuses another value of a class: ${list([...new Set(recreated)], 3)} must be deleted and recreated`,
        ]),
  ];
}

function classesIn(declared: readonly Declared[]): readonly PriorityClass[] {
  return declared.flatMap(({ object }) => (object.kind === 'PriorityClass' ? [object as PriorityClass] : []));
}
