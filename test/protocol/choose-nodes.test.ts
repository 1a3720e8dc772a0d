import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { beforeEach, it } from 'mocha';
import type { ClusterStatus } from '../../server/src/protocol.ts';

type Places = ClusterStatus['nodePlaces'];

interface Memento {
  get(key: string, fallback: unknown): unknown;
  update(key: string, value: unknown): Promise<void>;
}

interface OnRequest {
  chooseNodes(places: Places, kept: Memento): Promise<void>;
}

interface Item {
  readonly label: string;
  readonly description: string;
}

const bundle = new URL('../../dist/client-on-request.cjs', import.meta.url);

const places: Places = [
  { folder: 'cluster', nodes: 2, globs: ['cluster/nodes.yaml'] },
  { folder: 'e2e', nodes: 1, globs: ['e2e/node.yaml'] },
];

describe('the question which Nodes are the cluster', () => {
  let questions: string[];
  let offered: string[];
  let excluded: unknown;
  let kept: Map<string, unknown>;
  let answer: string | undefined;
  let picked: readonly string[] | undefined;

  beforeEach(() => {
    questions = [];
    offered = [];
    excluded = ['examples/**'];
    kept = new Map();
    answer = 'Choose…';
    picked = ['cluster'];
  });

  const memento: Memento = {
    get: (key, fallback) => kept.get(key) ?? fallback,
    update: async (key, value) => {
      kept.set(key, value);
      return Promise.resolve();
    },
  };

  /** The bundle that is shipped, with an editor whose user answers as the test says. */
  const ask = async (of: Places): Promise<void> => {
    const vscode = {
      window: {
        showInformationMessage: async (message: string) => {
          questions.push(message);
          return Promise.resolve(answer);
        },
        showQuickPick: async (items: readonly Item[]) => {
          offered.push(...items.map(({ label, description }) => `${label}: ${description}`));
          return Promise.resolve(
            picked === undefined ? undefined : items.filter(({ label }) => picked!.includes(label)),
          );
        },
      },
      workspace: {
        getConfiguration: () => ({
          get: () => excluded,
          update: async (name: string, value: unknown, target: unknown) => {
            assert.deepEqual([name, target], ['exclude', 'workspace']);
            excluded = value;
            return Promise.resolve();
          },
        }),
      },
      ConfigurationTarget: { Workspace: 'workspace' },
      l10n: {
        t: (text: string, ...given: readonly unknown[]) =>
          text.replace(/\{(\d+)\}/g, (_all, index: string) => String(given[Number(index)])),
      },
    };
    const own = createRequire(import.meta.url) as (name: string) => unknown;
    const module = { exports: {} };
    const run = runInThisContext(`(function (require, module, exports) {${readFileSync(bundle, 'utf8')}\n})`) as (
      ...given: readonly unknown[]
    ) => void;
    run((name: string): unknown => (name === 'vscode' ? vscode : own(name)), module, module.exports);
    await (module.exports as OnRequest).chooseNodes(of, memento);
  };

  it('names the places and writes the files of the others into podium.exclude of the workspace', async () => {
    await ask(places);
    assert.match(questions.join(), /Nodes come from 2 places: cluster \(2 nodes\) and e2e \(1 node\)\./);
    assert.deepEqual(offered, ['cluster: 2 nodes', 'e2e: 1 node']);
    assert.deepEqual(excluded, ['examples/**', 'e2e/node.yaml']);
  });

  it('is asked once, and again when there is a further place', async () => {
    answer = undefined;
    await ask(places);
    await ask(places);
    assert.equal(questions.length, 1);
    await ask([...places, { folder: 'lab', nodes: 4, globs: ['lab/nodes.yaml'] }]);
    assert.equal(questions.length, 2);
    assert.deepEqual(excluded, ['examples/**']);
  });

  it('changes nothing where they are one cluster, or where the choice is left', async () => {
    answer = 'They Are One Cluster';
    await ask(places);
    kept.clear();
    answer = 'Choose…';
    picked = undefined;
    await ask(places);
    assert.deepEqual(excluded, ['examples/**']);
  });
});
