import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { podium } from './run-podium.ts';

interface Scaled {
  readonly running: readonly string[];
  readonly refused: number;
}

const amounts = { cpu: '32', memory: '64Gi', pods: '110' };

/** The pods of a workload that run when all is over. */
async function scaled(kind: string, replicas: number, ...events: readonly string[]): Promise<Scaled> {
  const { pods } = await simulated(kind, replicas, events);
  const names = (state: string): string[] => pods.flatMap(({ name, after }) => (after.state === state ? [name] : []));
  return { running: names('running').sort(), refused: names('rejected').length };
}

interface Report {
  readonly pods: readonly { readonly name: string; readonly after: { readonly state: string } }[];
  readonly comparison: { readonly sentence: readonly { readonly text: string }[] };
}

async function simulated(kind: string, replicas: number, events: readonly string[]): Promise<Report> {
  const labels = { app: 'web' };
  const objects = [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable: amounts } },
    {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: 'web' },
      spec: {
        replicas,
        ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } },
      },
    },
  ];
  const { stdout, stderr } = await podium(
    ['simulate', '-', '--format', 'json', ...events.flatMap((event) => ['--event', event])],
    { stdin: objects.map((each) => JSON.stringify(each)).join('\n---\n') },
  );
  assert.ok(stdout.startsWith('{'), stderr);
  return JSON.parse(stdout) as Report;
}

describe('a workload that is scaled while pods end', () => {
  const to = (kind: string, replicas: number, at: number): string => `scale ${kind}/default/web ${replicas} at ${at}s`;

  it('gets pods with names of their own, as a Deployment makes them', async () => {
    const { running, refused } = await scaled(
      'Deployment',
      3,
      to('deployment', 6, 1),
      to('deployment', 3, 2),
      to('deployment', 6, 3),
    );
    assert.deepEqual([running.length, refused], [6, 0]);
    assert.equal(new Set(running).size, 6);
  });

  it('gets those of a StatefulSet once the old ones are gone', async () => {
    const { running, refused } = await scaled('StatefulSet', 3, to('sts', 1, 1), to('sts', 3, 2));
    assert.deepEqual([running, refused], [['web-0', 'web-1', 'web-2'], 0]);
  });

  it('gets none that it no longer wants when the old ones are gone', async () => {
    const { running } = await scaled('StatefulSet', 3, to('sts', 1, 1), to('sts', 3, 2), to('sts', 2, 3));
    assert.deepEqual(running, ['web-0', 'web-1']);
  });

  it('gets more beside those that are evicted and come again', async () => {
    const grown = await scaled('StatefulSet', 2, 'drain node/n at 1s', 'uncordon node/n at 2s', to('sts', 3, 3));
    assert.deepEqual(grown.running, ['web-0', 'web-1', 'web-2']);
    const shrunk = await scaled('StatefulSet', 2, 'drain node/n at 1s', 'uncordon node/n at 2s', to('sts', 1, 3));
    assert.deepEqual(shrunk.running, ['web-0']);
  });
});

describe('a node that is drained twice', () => {
  it('is one node in the sentence of the comparison', async () => {
    const events = ['drain node/n at 1s', 'uncordon node/n at 60s', 'drain node/n at 2m'];
    const { comparison } = await simulated('Deployment', 1, events);
    assert.match(comparison.sentence.map(({ text }) => text).join(''), /^Draining n evicts/);
  });
});
