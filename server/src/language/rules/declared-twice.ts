import { say } from '../../util/say.ts';
import { qualifiedName, titleOf } from '../../util/words.ts';
import type { Fact } from '../index/fact.ts';
import type { ObjectRule } from './support/rule.ts';
import { findingAt } from './support/narrow.ts';

export const declaredTwice: ObjectRule = {
  code: 'declared-twice',
  title: 'An object is declared more than once, and only one of them can be applied',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.name === '' || fact.source !== 'workspace') return;
    const same = firsts(facts.ofKind(fact.kind)).get(fact);
    // What is made of one place by several sources is written once.
    if (same === undefined || isSamePlace(same, fact)) return;
    const message = say`${titleOf(fact)} is declared before, and a cluster has one of each name: whichever is applied last wins. Podium uses the first.`;
    yield findingAt(fact, ['metadata', 'name'], message, {
      related: () => [{ fact: same, message: say`${titleOf(same)} is declared here first` }],
    });
  },
};

/** Of each object that is no first of its name, in the order of the files, the first. */
const known = new WeakMap<readonly Fact[], ReadonlyMap<Fact, Fact>>();

function firsts(facts: readonly Fact[]): ReadonlyMap<Fact, Fact> {
  let found = known.get(facts);
  if (found === undefined) {
    const byKey = new Map<string, Fact>();
    const map = new Map<Fact, Fact>();
    for (const fact of facts) {
      if (fact.name === '' || fact.source !== 'workspace') continue;
      const key = keyOf(fact);
      const first = byKey.get(key);
      if (first === undefined) byKey.set(key, fact);
      else map.set(fact, first);
    }
    known.set(facts, (found = map));
  }
  return found;
}

const keys = new WeakMap<Fact, string>();

function keyOf(fact: Fact): string {
  let key = keys.get(fact);
  if (key === undefined) {
    const { apiVersion } = fact.manifest;
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    keys.set(fact, (key = JSON.stringify([group, qualifiedName(fact), ...clusterOf(fact)])));
  }
  return key;
}

/**
 * What is applied together for sure. Two files, and what two sources make, are mostly for two clusters, two ways of
 * installing the same, or samples. A chart and a kustomization may lie in one folder, and have its name.
 */
function clusterOf({ uri, manifest: { rendering } }: Fact): readonly unknown[] {
  return rendering === undefined ? [uri] : [rendering.source, rendering.hasOnlyOwnValues];
}

function isSamePlace(a: Fact, b: Fact): boolean {
  return a.uri === b.uri && a.index === b.index && a.manifest.path.join('/') === b.manifest.path.join('/');
}
