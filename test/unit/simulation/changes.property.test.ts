import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import {
  ArrivalPreviews,
  branchOf,
  compareRuns,
  eventsOf,
  KnownPods,
  simulateEvents,
  type SimulationInput,
} from '../../../server/src/simulation/index.ts';
import { WorkspaceRuns } from '../../../server/src/simulation/preview/workspace-runs.ts';
import { applyOperation } from '../../../server/src/simulation/operations/apply-operation.ts';
import { parseOperation } from '../../../server/src/simulation/operations/parse-operation.ts';
import { settledCluster } from '../../../server/src/simulation/scenario/settled-cluster.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { input, node, podSpec, priorityClass, workload } from './cluster-builder.ts';

const workspace = { kind: 'workspace' } as const;
const kinds = ['Deployment', 'Deployment', 'StatefulSet', 'DaemonSet'] as const;

function below(random: Random, most: number): number {
  return Math.floor(random() * most);
}

const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'all', namespace: 'default' },
  spec: { hard: { pods: '20' } },
};

/** Nodes, and workloads of which not all may find a place; none has a priority yet. */
function cluster(random: Random): readonly JsonObject[] {
  const nodes = Array.from({ length: 1 + below(random, 3) }, (_, at) => node(`n${at}`, 4));
  const workloads = Array.from({ length: 1 + below(random, 3) }, (_, at) => {
    const kind = kinds[below(random, kinds.length)]!;
    return workload(kind, `w${at}`, 1 + below(random, 4), podSpec(`${250 * (1 + below(random, 6))}m`));
  });
  return [...nodes, quota, priorityClass('gold', 1000), ...workloads];
}

function operation(random: Random, objects: readonly JsonObject[]): string {
  const made = objects.filter(({ kind }) => kinds.some((each) => each === kind));
  const { kind, metadata } = made[below(random, made.length)] as { kind: string; metadata: { name: string } };
  const name = `${kind}/default/${metadata.name}`;
  const at = `node/${(objects[0]!['metadata'] as { name: string }).name}`;
  const all = [
    `cordon ${at}`,
    `taint ${at} spot=true:NoSchedule`,
    `label ${at} pool=a`,
    // Without any, nodes are assumed.
    ...(objects.filter(({ kind: each }) => each === 'Node').length > 1 ? [`remove ${at}`] : []),
    `delete ${name}`,
    `quota quota/default/all pods=${below(random, 12)}`,
    `request ${name} cpu=${250 * (1 + below(random, 12))}m`,
    `priority ${name} gold`,
    `tolerate ${name} spot`,
    ...(kind === 'DaemonSet' ? [] : [`scale ${name} ${below(random, 7)}`]),
  ];
  return all[below(random, all.length)]!;
}

/** What becomes of each pod, and what is said first and below. */
function saidOf({ pods, victims, events, answer }: WholeReport): unknown {
  return {
    pods: pods.map(({ name, after }) => `${name} ${after.state} ${after.node}`).sort(),
    victims: victims.length,
    headline: answer.headline.replace(/, compared with .*/, '.'),
    rolled: events.flatMap(({ text, told: lines }) => (text.startsWith('apply ') ? [text, ...lines] : [])),
  };
}

/** What a roll-out comes to, in a sentence or above its workload. */
function numbersIn(text = ''): readonly (string | undefined)[] {
  return [/stops at (\d+ of \d+)/, /in (\d+ steps?)/, /(\d+ pods?) then/].map((pattern) => pattern.exec(text)?.[1]);
}

describe('one meaning of a change', () => {
  it('[EVI-4] gives the same through all doors: a commit, a what-if, the page', () => {
    const random = randomFrom(Number(process.env['PODIUM_SEED'] ?? 33));
    const wanted = Number(process.env['PODIUM_CLUSTERS'] ?? 60);
    for (let at = 0; at < wanted; at += 1) {
      const from = input(cluster(random));
      const text = operation(
        random,
        from.workspace.map(({ object }) => object as unknown as JsonObject),
      );
      const parsed = parseOperation(text);
      assert.ok(!('problem' in parsed), text);
      const settled = runToEnd(settledCluster(from, 'git HEAD'));
      assert.ok(!settled.evicts);
      const edited: SimulationInput = { ...applyOperation(from, parsed).input, basis: undefined };
      const events = eventsOf(branchOf(from, [text]));
      const name = `cluster ${at}: ${text}`;
      if (branchOf(from, [text]).some(({ changes }) => !changes)) continue;

      const since = runToEnd(
        compareRuns({ input: from, events: [] }, { input: edited, events: [], prunes: true }, workspace, 'git HEAD'),
      );
      const whatIf = runToEnd(
        compareRuns({ input: from, events: [] }, { input: from, events }, workspace, 'the run without'),
      );
      assert.deepEqual(saidOf(whatIf), saidOf(since), name);
      const page = runToEnd(new WorkspaceRuns(from, new ArrivalPreviews(from)).report(workspace, [text]));
      assert.deepEqual(saidOf(page), saidOf(since), name);

      if ('target' in parsed && kinds.some((kind) => kind === parsed.target.kind) && parsed.verb !== 'delete') {
        const { kind: workloadKind, name: own } = parsed.target;
        const scenario = { kind: 'workload', workloadKind, namespace: 'default', name: own } as const;
        const was = from.workspace.find(({ object }) => object.kind === workloadKind && object.metadata?.name === own)!;
        const lens = runToEnd(new ArrivalPreviews(edited).rollOutSince(scenario, was.object, 'HEAD'));
        assert.deepEqual(
          numbersIn(lens?.text),
          numbersIn(since.answer.rollOuts?.[0]?.text),
          `${name}, above the workload`,
        );
        // With what is kept of the edit before.
        const known = new KnownPods();
        for (const each of [from, edited]) {
          const again = runToEnd(new ArrivalPreviews({ ...each, known }).rollOutSince(scenario, was.object, 'HEAD'));
          if (each === edited) assert.deepEqual(again, lens, `${name}, above the workload, after another edit`);
        }
      }

      // What a snapshot has is not removed because it is written no more.
      if (parsed.verb === 'delete' || parsed.verb === 'remove') continue;
      const { pods, rolled } = saidOf(since) as { pods: unknown; rolled: unknown };
      const snapshot = settled.before.snapshot.concat(
        settled.before.workspace.filter(({ object }) => object.kind === 'Node'),
      );
      for (const [beside, later] of [
        [{ workspace: edited.workspace, snapshot }, []],
        [{ workspace: from.workspace, snapshot }, events],
      ] as const) {
        const report = runToEnd(simulateEvents(beside, workspace, later));
        const { pods: there, rolled: so } = saidOf(report) as { pods: unknown; rolled: unknown };
        assert.deepEqual({ pods: there, rolled: so }, { pods, rolled }, `${name}, with a snapshot`);
      }
    }
  });
});
