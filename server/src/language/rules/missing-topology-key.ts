import { nodesFor, withSizeOf } from '../../simulation/cluster/assumed-nodes.ts';
import { isWithoutSize } from '../../kubernetes/registered-node.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { meantNodeLabel } from '../../kubernetes/meant-label.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { derived } from '../index/derived.ts';
import { isLabelOfPool } from '../index/pools.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

/** From how many nodes on affinity between pods is slow: "larger than several hundred nodes", the documentation says. */
const largeCluster = 500;

export const missingTopologyKey: ObjectRule = {
  code: 'missing-topology-key',
  title: 'Nodes lack the label that an affinity or spread constraint uses',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.template === undefined) return;
    const asked = [...topologyKeys(fact.template.spec)];
    if (asked.length === 0) return;
    const nodes = facts.ofKind('Node');
    for (const { key, path, effect } of nodes.length === 0 ? asked : []) {
      const near = meantNodeLabel(key);
      if (near === undefined) continue;
      const message = say`Kubernetes gives nodes no label ${key}: ${effect}. Did you mean "${near}"?`;
      yield findingAt(fact, [...fact.template.path, 'spec', ...path], message, { value: near });
    }
    for (const { key, path, effect, isPreferred } of nodes.length === 0 ? [] : asked) {
      const without = nodes.length - (labelled(facts).get(key) ?? 0);
      if (without === 0) continue;
      // The nodes that a pool makes have it.
      if (!labelled(facts).has(key) && isLabelOfPool(key, facts)) continue;
      const many = say`${without} of the ${count(nodes.length, 'known node')} ${without === 1 ? 'has' : 'have'} no label ${key}: ${effect}`;
      const near = labelled(facts).has(key)
        ? undefined
        : (nearestNames(key, labelled(facts).keys(), mostChanges)[0] ?? currentLabel(key));
      // A wish may be for what other clusters have.
      if (near === undefined && isPreferred === true) continue;
      const message = near === undefined ? say`${many}.` : say`${many}. Did you mean "${near}"?`;
      yield findingAt(
        fact,
        [...fact.template.path, 'spec', ...path],
        message,
        near === undefined ? {} : { value: near },
      );
    }
  },
  fix: changeToMeant,
};

/** Letters by which a key that no node has may differ from one that is meant. */
const mostChanges = 3;

export const podAffinityInLargeCluster: ObjectRule = {
  code: 'pod-affinity-in-large-cluster',
  title: 'Affinity between pods slows the scheduling in a cluster of many nodes',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    const { affinity } = fact.template?.spec ?? {};
    if (fact.template === undefined || (affinity?.podAffinity ?? affinity?.podAntiAffinity) === undefined) return;
    const nodes = facts.ofKind('Node').length;
    if (nodes < largeCluster) return;
    const part = affinity?.podAffinity === undefined ? 'podAntiAffinity' : 'podAffinity';
    const message = say`For each of these pods the scheduler compares pods on all of ${nodes} nodes. Topology spread constraints and node affinity ask less of it.`;
    yield findingAt(fact, [...fact.template.path, 'spec', 'affinity', part], message);
  },
};

interface Asked {
  readonly key: string;
  readonly path: Path;
  /** What becomes of nodes without the label. */
  readonly effect: string;
  readonly isPreferred?: boolean;
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function* topologyKeys({ affinity, topologySpreadConstraints }: PodSpec): Iterable<Asked> {
  for (const [index, { topologyKey: key }] of (affinity?.podAntiAffinity?.[required] ?? []).entries()) {
    const path = ['affinity', 'podAntiAffinity', required, index, 'topologyKey'];
    yield { key, path, effect: say`there these pods are kept apart from nothing` };
  }
  for (const [index, { topologyKey: key }] of (affinity?.podAffinity?.[required] ?? []).entries()) {
    const path = ['affinity', 'podAffinity', required, index, 'topologyKey'];
    yield { key, path, effect: say`these pods are never placed there` };
  }
  for (const part of ['podAffinity', 'podAntiAffinity'] as const) {
    for (const [index, { podAffinityTerm }] of (affinity?.[part]?.[preferred] ?? []).entries()) {
      const path = ['affinity', part, preferred, index, 'podAffinityTerm', 'topologyKey'];
      yield {
        key: podAffinityTerm.topologyKey,
        path,
        effect: say`there this term counts for nothing`,
        isPreferred: true,
      };
    }
  }
  for (const [index, { topologyKey: key, whenUnsatisfiable }] of (topologySpreadConstraints ?? []).entries()) {
    const effect =
      whenUnsatisfiable === 'DoNotSchedule'
        ? say`these pods are never placed there`
        : say`they come last for these pods`;
    yield { key, path: ['topologySpreadConstraints', index, 'topologyKey'], effect };
  }
}

/** How many nodes have each label. */
const labelled = derived(['Node'], (nodes) => {
  const counts = new Map<string, number>();
  for (const { object } of nodes) {
    const node = isWithoutSize(object) ? withSizeOf(object, nodesFor([], [])[0]!) : object;
    for (const key of Object.keys(node.metadata?.labels ?? {})) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
});
