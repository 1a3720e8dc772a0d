import { namedAmount } from '../../util/amounts.ts';
import { addTo } from '../../util/maps.ts';
import { say, sayUnstopped } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { keyOfObject, workloadKey } from '../../kubernetes/names.ts';
import type { Declared, PodSpec } from '../../kubernetes/objects.ts';
import { podRequests } from '../../kubernetes/pod-resources.ts';
import { amountOf } from '../causes/where-from.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';

/** Kinds that the API server asks only when a pod is made. */
const asked: ReadonlySet<string> = new Set(['PriorityClass', 'LimitRange']);

/**
 * What changed or removed classes and LimitRanges set off later: pods that run stay, and each that is made anew is
 * refused, or asks for other amounts. Empty where they are as they were.
 *
 * @param before what was there
 * @param changed workloads, by `workloadKey`, whose new pods are told of elsewhere
 */
export function refusalsToCome(
  before: SimulationInput,
  now: SimulationInput,
  { workloads, factory }: SimulatedCluster,
  changed: ReadonlySet<string>,
): readonly string[] {
  if (before.snapshot.length === 0 || isSame(asksOf(before.snapshot), asksOf([...now.workspace, ...now.snapshot]))) {
    return [];
  }
  const owners = new Map<string, string[]>();
  const sizes = new Map<string, string[]>();
  for (const [workload, { kind, namespace, name, existing, blueprint, declared }] of workloads.entries()) {
    const [template] = blueprint;
    if (existing.length === 0 || template === undefined || kind === 'Pod') continue;
    if (changed.has(workloadKey(kind, namespace, name))) continue;
    const made = factory.create(template, { workload, origin: declared?.origin ?? null, shape: {} });
    const { refusal } = made;
    if (refusal === '') {
      const other = otherRequests(made.pod.spec, existing[0]!.object.spec);
      if (other !== '') addTo(sizes, other, name);
    }
    const why = / is (?:forbidden|invalid): (.*)/.exec(refusal)?.[1] ?? refusal;
    if (why === '') continue;
    addTo(owners, why, name);
  }
  return [
    ...[...owners].map(
      ([why, names]) =>
        say`each pod of ${list(names, 3)} that is recreated, as after a drain, is refused: ${sayUnstopped(why)}`,
    ),
    ...[...sizes].map(
      ([amounts, names]) => say`each pod of ${list(names, 3)} that is recreated, as after a drain, asks for ${amounts}`,
    ),
  ];
}

/** What a pod asks for that one which runs does not, or not as much of: a LimitRange gives it. */
function otherRequests(now: PodSpec | undefined, before: PodSpec | undefined): string {
  const had = podRequests(before ?? { containers: [] });
  return list(
    [...podRequests(now ?? { containers: [] })].flatMap(([resource, { nanos }]) =>
      nanos === (had.get(resource)?.nanos ?? 0n) ? [] : [namedAmount(resource, amountOf(resource, nanos))],
    ),
  );
}

function asksOf(declared: readonly Declared[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { object } of declared) {
    if (!asked.has(object.kind ?? '')) continue;
    const key = keyOfObject(object);
    if (!found.has(key)) found.set(key, JSON.stringify(object));
  }
  return found;
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, text]) => other.get(key) === text);
}
