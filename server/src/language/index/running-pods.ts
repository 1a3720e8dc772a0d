import type { Pod } from '../../kubernetes/objects.ts';
import { addTo } from '../../util/maps.ts';
import { derived } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';

const none: readonly Fact[] = [];

/** Whether a pod takes room on a node: it has one, and has not ended. */
export function isRunning({ object, template }: Fact): boolean {
  const { phase } = (object as Pod).status ?? {};
  return (template?.spec.nodeName ?? '') !== '' && phase !== 'Succeeded' && phase !== 'Failed';
}

const byNode = derived(
  ['Pod'],
  (pods) => {
    const nodes = new Map<string, Fact[]>();
    for (const pod of pods) {
      if (!isRunning(pod)) continue;
      const name = pod.template!.spec.nodeName!;
      addTo(nodes, name, pod);
    }
    return nodes;
  },
  (nodes, { before, after }) => {
    const name = isRunning(before) ? before.template!.spec.nodeName! : '';
    if (name !== (isRunning(after) ? after.template!.spec.nodeName! : '')) return false;
    const pods = nodes.get(name);
    if (pods !== undefined) nodes.set(name, pods.with(pods.indexOf(before), after));
    return true;
  },
);

/** The pods that take room on a node. */
export function podsOn(facts: FactsReader, node: string): readonly Fact[] {
  return byNode(facts).get(node) ?? none;
}
