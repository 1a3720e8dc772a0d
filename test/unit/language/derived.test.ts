import assert from 'node:assert/strict';
import { derived, replaceItem } from '../../../server/src/language/index/derived.ts';
import type { Fact, FactsReader } from '../../../server/src/language/index/fact.ts';
import { rankedWorkloads } from '../../../server/src/language/index/priority-ranking.ts';
import { TestWorkspace } from './test-workspace.ts';

const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [] }\n`;

describe('what is derived from facts', () => {
  it('is that of the facts there are now, exchanged or moved', async () => {
    const workspace = await TestWorkspace.of({ 'pods.yaml': ['a', 'b', 'c', 'd'].map(pod).join('---\n') });
    const [a, b, c, d] = workspace.facts.ofKind('Pod') as [Fact, Fact, Fact, Fact];
    let built = 0;
    const all = derived(
      ['Pod'],
      (pods) => {
        built += 1;
        return [...pods];
      },
      (pods, { before, after }) => {
        replaceItem(pods, before, after);
        return true;
      },
    );
    const read = (facts: readonly Fact[]) => all({ owner: workspace, ofKind: () => facts } satisfies FactsReader);
    assert.deepEqual(read([a, b, c]), [a, b, c]);
    assert.deepEqual(read([a, d, c]), [a, d, c]);
    assert.equal(built, 1, 'an exchange is taken over');
    // One went, one came, and what is between them moved.
    assert.deepEqual(read([a, c, b]), [a, c, b]);
    assert.equal(built, 2);
  });

  it('is built once for each target, in whatever turns they are asked about', async () => {
    const workspaces = await Promise.all(['a', 'b'].map((name) => TestWorkspace.of({ 'pods.yaml': pod(name) })));
    let built = 0;
    const names = derived(['Pod'], (pods) => {
      built += 1;
      return pods.map(({ name }) => name);
    });
    for (const _turn of [1, 2, 3]) {
      assert.deepEqual(
        workspaces.map(({ facts }) => names(facts)),
        [['a'], ['b']],
      );
    }
    assert.equal(built, 2);
    // What is kept of the workloads of one target is no part of the ranking of another.
    assert.deepEqual(
      workspaces.map(({ facts }) => rankedWorkloads(facts).map(({ fact }) => fact.name)),
      [['a'], ['b']],
    );
  });
});
