import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { stringify } from 'yaml';
import { judgeEviction } from '../../../server/src/cli/evict/judge-eviction.ts';
import { explainPending, whoEvicts } from '../../../server/src/cli/mcp/about-pods.ts';
import { rankNode } from '../../../server/src/cli/pressure/rank-node.ts';
import type { CausePart } from '../../../server/src/report-model/cause.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { qualifiedName } from '../../../server/src/util/words.ts';
import { nameOf, namespaceOf } from '../../../server/src/kubernetes/names.ts';
import { hover } from '../../../server/src/language/hovers/hover.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { parseSelector } from '../../../server/src/kubernetes/selector-text.ts';
import { loadDevices } from '../../../server/src/scheduler/index.ts';
import { ArrivalPreviews, simulate, type SimulationInput } from '../../../server/src/simulation/index.ts';
import { causeText } from '../../../server/src/simulation/causes/cause-text.ts';
import { overviewOf } from '../../../server/src/simulation/report/overview.ts';
import { drainNodes, type DrainRequest } from '../../../server/src/simulation/drains/drain-nodes.ts';
import { fit, NoReplicasError } from '../../../server/src/simulation/capacity/fit.ts';
import type { Node } from '../../../server/src/kubernetes/objects.ts';
import { parseOperation } from '../../../server/src/simulation/operations/parse-operation.ts';
import { unblockDrain } from '../../../server/src/simulation/remedies/unblocking/unblock-drain.ts';
import { whatWouldHelp } from '../../../server/src/simulation/remedies/what-would-help.ts';
import { settledPods } from '../../../server/src/simulation/capacity/settled-workspace.ts';
import { simulateEvents } from '../../../server/src/simulation/scenario/simulate-scenario.ts';
import { threatsTo } from '../../../server/src/simulation/scenario/threats-to-pod.ts';
import { buildCluster } from '../../../server/src/simulation/cluster/build-cluster.ts';
import { StandingCluster } from '../../../server/src/simulation/cluster/standing-cluster.ts';
import { TestWorkspace } from '../language/test-workspace.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { claim, deviceClass, gpu, request, slice, template, uses, usesTemplate } from './device-objects.ts';
import { budget, input, node, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

const workspace = { kind: 'workspace' } as const;

/** Asks every door about the same pods, and holds that they say the same. */
async function agree(from: SimulationInput, at: string): Promise<void> {
  const report = runToEnd(simulate(from, workspace));
  pendingIsCountedOnce(report, from, at);
  whoEvictsIsTheSame(report, from, at);
  taintsEvictTheSame(report, from, at);
  roomIsTheSame(report, from, at);
  evictionsAreAnsweredAlike(from, at);
  lensesTellOfTheirArrival(from, at);
  await editorSaysTheSame(report, from, at);
}

function pendingIsCountedOnce(report: WholeReport, from: SimulationInput, at: string): void {
  const { answer, pending, pods, workloads, causes, nodes } = report;
  const names = { node: (index: number) => nodes[index]?.name ?? '', nodes: nodes.length };
  const inLines = answer.groups.flatMap(({ kind, lines }) =>
    kind === 'pending' ? lines.flatMap((line) => line.pods) : [],
  );
  assert.deepEqual([...inLines].sort(), pending.map(({ pod }) => pod).sort(), at);
  assert.equal(answer.balance.pending + answer.balance.stillPending, pending.length, at);
  const overview = runToEnd(overviewOf(runToEnd(buildCluster(from))));
  const rows = overview.pending.rows.filter(({ state }) => state === 'pending');
  const counted = new Map<string, number>();
  for (const { pod } of pending) {
    const own = workloads[pods[pod]!.workload ?? -1]!;
    const key = `${own.kind} ${qualifiedName(own)}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const shown = rows.map((row) => [`${row.kind} ${qualifiedName(row)}`, row.pods]);
  assert.deepEqual(new Map(shown as [string, number][]), counted, at);
  for (const { pod, cause } of pending) {
    const known = causes[cause ?? -1];
    assert.ok(known !== undefined, at);
    const said = causeText(known, names);
    const text = explainPending(report, qualifiedName(pods[pod]!)).text;
    assert.ok(text.includes(said), `${at}: ${text}`);
    const own = workloads[pods[pod]!.workload ?? -1]!;
    const row = rows.find((each) => each.kind === own.kind && qualifiedName(each) === qualifiedName(own));
    // The pods of a DaemonSet wait for a node each, and the others of a workload for the same.
    if (own.kind !== 'DaemonSet' && counted.get(`${own.kind} ${qualifiedName(own)}`) === 1) {
      assert.equal(row?.reason, said, at);
    }
  }
}

function whoEvictsIsTheSame(report: WholeReport, from: SimulationInput, at: string): void {
  const { pods, victims, workloads } = report;
  for (const { pod, preemptor } of victims) {
    const name = qualifiedName(pods[pod]!);
    const by = workloads[pods[preemptor]!.workload ?? -1]!;
    const [first] = threatsTo(from, `Pod/${name}`);
    assert.equal(first?.workloads[0]?.name, by.name, `${at}: ${name}`);
    assert.ok(
      whoEvicts(report, name).text.includes(`evicted for ${qualifiedName(pods[preemptor]!)}`),
      `${at}: ${name}`,
    );
  }
}

function taintsEvictTheSame({ steps, pods, nodes }: WholeReport, from: SimulationInput, at: string): void {
  const left = steps.flatMap(({ kind, pod, node: place }) =>
    kind === 'deleted' ? [[qualifiedName(pods[pod]!), nodes[place ?? -1]!.name] as const] : [],
  );
  const standing = new StandingCluster(from, runToEnd(settledPods(from)));
  for (const [pod, place] of left) {
    const [first] = threatsTo(from, `Pod/${pod}`);
    assert.equal(first?.taintOf, place, `${at}: ${pod}`);
    const drained = runToEnd(drainNodes(from, (all) => all.filter((each) => nameOf(each) === place), drainOf()));
    assert.ok(!drained.pods.some((each) => each.pod === pod), `${at}: ${pod}`);
    assert.equal(drained.before.tainted, left.length, at);
    const leaving = standing.find(...(pod.split('/') as [string, string]));
    assert.equal(leaving?.leaves, place, `${at}: ${pod}`);
    assert.ok(judgeEviction(standing, leaving, now).answer.allowed, `${at}: ${pod}`);
    const ranked = rankNode(standing, place, new Map()).groups.flat();
    assert.ok(!ranked.some((each) => qualifiedName(each) === pod), `${at}: ${pod}`);
  }
}

function roomIsTheSame(report: WholeReport, from: SimulationInput, at: string): void {
  for (const [index, { kind, namespace, name }] of report.workloads.entries()) {
    const waits = report.pending.filter(({ pod }) => report.pods[pod]!.workload === index);
    try {
      const { free, waiting } = runToEnd(fit(from, `${kind}/${namespace}/${name}`));
      assert.equal(waiting, waits.length, `${at}: ${kind} ${name}`);
      const own = report.pods.find(({ workload: each }) => each === index);
      // A pod that waits for victims to go has a place.
      if (waits.length > 0 && own?.after.state !== 'nominated') assert.equal(free.count, 0, `${at}: ${kind} ${name}`);
    } catch (error) {
      if (!(error instanceof NoReplicasError)) throw error;
    }
  }
}

const now = Date.UTC(2026, 0, 1);

function drainOf(): DrainRequest {
  return {
    flags: { ignoreDaemonSets: true, deleteEmptyDirData: true, force: true, skipWaitForDeleteTimeout: 0 },
    disableEviction: false,
    timeoutSeconds: 0,
    dryRun: 'none',
    podSelector: parseSelector('')!,
    now,
  };
}

function evictionsAreAnsweredAlike(from: SimulationInput, at: string): void {
  const simulated = runToEnd(buildCluster(from));
  const settledCluster = new StandingCluster(from, runToEnd(settledPods(from)));
  const settled = simulated.arriving.flat().length === 0;
  for (const { name } of simulated.nodes) {
    const { pods } = runToEnd(drainNodes(from, (all) => all.filter((each) => nameOf(each) === name), drainOf()));
    for (const { pod, answer } of pods) {
      const [namespace = '', own = ''] = pod.split('/');
      const found = settledCluster.find(namespace, own);
      // What arrives may evict pods first, and budgets then have lost some.
      if (found === undefined || !settled) continue;
      const verdict = judgeEviction(settledCluster, found, now).answer;
      assert.equal(verdict.allowed ? 200 : verdict.code, answer.allowed ? 200 : answer.code, `${at}: ${pod}`);
    }
    const event = {
      operation: { verb: 'pressure', node: name, usage: [] } as const,
      at: 0,
      text: `pressure node/${name}`,
    };
    if (!settled) continue;
    const { pressures, pods: all } = runToEnd(simulateEvents(from, workspace, [event]));
    const evicted = pressures.flatMap((each) => each.evicted.map(({ pod }) => qualifiedName(all[pod]!)));
    const usage = new Map();
    const ranked = rankNode(settledCluster, name, usage)
      .groups.flat()
      .filter(({ critical }) => !critical);
    for (const each of evicted) {
      assert.ok(
        ranked.some((other) => qualifiedName(other) === each),
        `${at}: ${each}`,
      );
    }
  }
}

/** A lens is about one workload that comes last, as its command simulates it; the side bar about all that come. */
function lensesTellOfTheirArrival(from: SimulationInput, at: string): void {
  const previews = new ArrivalPreviews(from);
  for (const { object } of from.workspace) {
    const { kind: workloadKind = '' } = object;
    if (workloadKind !== 'Deployment' && workloadKind !== 'StatefulSet') continue;
    const named = { workloadKind, namespace: namespaceOf(object), name: nameOf(object), uri: '' };
    const scenario = { kind: 'workload', ...named } as const;
    const preview = runToEnd(previews.arrivalOf(scenario));
    const { answer, scenario: of, pods } = runToEnd(simulate(from, scenario));
    const own = of.kind === 'workload' ? pods.filter(({ workload: index }) => index === of.workload) : [];
    const waits = own.some(({ after }) => after.state === 'pending' || after.state === 'nominated');
    if (preview?.kind === 'rejected') {
      assert.ok(
        own.some(({ after }) => after.state === 'rejected'),
        at,
      );
    } else if (answer.balance.arriving > 0) {
      assert.equal(preview?.kind === 'pending', waits, `${at}: ${named.name}`);
    }
    if (preview?.kind === 'preempts') assert.ok(answer.balance.evicted > 0, at);
  }
}

/** What the problem list says is refused is not placed, and what it says stays pending does; hovers know the same nodes. */
async function editorSaysTheSame(report: WholeReport, { workspace: all }: SimulationInput, at: string): Promise<void> {
  const objects = all.map(({ object }) => object as unknown as JsonObject);
  // The sample is read from its own files.
  if (objects.length > 60) return;
  const path = 'all.yaml';
  const marked = objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n');
  const editor = await TestWorkspace.of({ [path]: marked });
  const codes = new Set(editor.diagnostics(path).map(({ code }) => code));
  const web = report.workloads.findIndex(({ name }) => name === 'web');
  const pods = report.pods.filter(({ workload: index }) => index === web);
  const inState = (...states: readonly string[]): number =>
    pods.filter(({ after }) => states.includes(after.state)).length;
  const refused = report.pods.filter(
    ({ decision }) => report.decisions[decision ?? -1]?.message.includes('exceeded quota') === true,
  ).length;
  assert.equal(codes.has('quota-exceeded'), refused > 0, `${at}: quota`);
  if (codes.has('quota-refuses-pods')) assert.equal(inState('running'), 0, at);
  if (codes.has('anti-affinity-exceeds-domains')) assert.ok(inState('pending', 'rejected') > 0, at);
  if (codes.has('no-node-matches')) assert.equal(inState('running'), 0, at);
  const cause = report.causes[report.pending.find(({ pod }) => report.pods[pod]?.workload === web)?.cause ?? -1];
  const offset = marked.indexOf('requests:', marked.indexOf('name: web'));
  if (cause === undefined || offset < 0) return;
  const before = marked.slice(0, offset).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)!.length + 1 };
  const said = hover(editor.file(path), position, editor.facts)?.contents.value ?? '';
  const isClosed = ({ kind }: CausePart): boolean => kind === 'taint' || kind === 'labels' || kind === 'cordon';
  const groups = [{ parts: cause.parts, nodes: cause.nodes }, ...cause.others];
  const closed = groups.reduce((sum, { parts, nodes }) => sum + (parts.some(isClosed) ? nodes.length : 0), 0);
  const none = said.includes('it may run on none of them');
  const reported = none ? report.nodes.length : Number(/it may not run on (\d+) other node/.exec(said)?.[1] ?? 0);
  assert.equal(reported, closed, `${at}: ${said}`);
}

const hostname = 'kubernetes.io/hostname';

function madeUp(random: Random): SimulationInput {
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const often = (share: number): boolean => random() < share;
  const nodes = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) =>
    node(`n${at}`, pick(1, 2, 4), {
      labels: { 'topology.kubernetes.io/zone': pick('a', 'b') },
      spec: often(0.2)
        ? {
            taints: [
              { key: pick('node-role.kubernetes.io/control-plane', 'x'), effect: pick('NoSchedule', 'NoExecute') },
            ],
          }
        : {},
    }),
  );
  const placed = nodes.flatMap((_, at) =>
    Array.from({ length: Math.floor(random() * 3) }, (__, ordinal) => {
      const app = pick('low', 'mid');
      return running(`${app}-${at}${ordinal}`, pick('200m', '500m'), `n${at}`, app === 'low' ? 0 : 10, {
        owner: `ReplicaSet/${app}`,
        labels: { app },
        spec: often(0.5)
          ? { tolerations: [{ key: 'x', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: pick(0, 60) }] }
          : {},
      });
    }),
  );
  const isQuiet = often(0.3);
  const selector = { labelSelector: { matchLabels: { app: 'web' } } };
  const apart = {
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...selector, topologyKey: hostname }] },
    },
  };
  const spread = {
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: hostname, whenUnsatisfiable: 'DoNotSchedule', ...selector }],
  };
  const web = podSpec(pick('200m', '900m', '3'), {
    ...pick<JsonObject>({}, apart, spread),
    ...(often(0.5) ? { priorityClassName: 'high' } : {}),
  });
  return input([
    priorityClass('high', 1000),
    ...nodes,
    ...placed,
    ...(often(0.6)
      ? [budget('low', { app: 'low' }, pick<JsonObject>({ minAvailable: 1 }, { maxUnavailable: 0 }))]
      : []),
    ...(isQuiet || often(0.7) ? [] : [quota(pick('1', '2'))]),
    ...(isQuiet ? [] : [workload('Deployment', 'web', 1 + Math.floor(random() * 4), web)]),
    ...(isQuiet || often(0.6) ? [] : [workload('DaemonSet', 'agent', 0, podSpec('300m'))]),
  ]);
}

function quota(cpu: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'cores', namespace: 'default' },
    spec: { hard: { 'requests.cpu': cpu } },
  };
}

describe('answers of all doors', () => {
  it('[PLA-20] agree about the pods of the sample', async () => {
    await agree(loadSample(), 'sample');
  });

  it('[#34] loosens no budget that lacks pods which an open node would take, whichever door is asked', () => {
    const labels = { app: 'kv' };
    const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
    const keptApart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    const from = input([
      node('n1', 4),
      node('n2', 4),
      node('n3', 4, { spec: { unschedulable: true } }),
      workload('StatefulSet', 'kv', 3, podSpec(1, keptApart)),
      ...['n1', 'n2'].map((name, at) =>
        running(`kv-${at}`, 1, name, 0, { labels, owner: 'StatefulSet/kv', spec: keptApart }),
      ),
      budget('kv', labels, { maxUnavailable: 1 }),
    ]);
    const operation = parseOperation('drain node/n1');
    assert.ok(!('problem' in operation));
    const events = [{ operation, text: 'drain node/n1', at: 0 }] as const;
    const report = runToEnd(simulateEvents(from, workspace, events));
    const [line] = report.answer.groups.find(({ kind }) => kind === 'blocked')?.lines ?? [];
    assert.match(
      line?.then ?? '',
      /Passes only once you make 1 more pod of the budget ready: default\/kv-2 is pending/,
    );
    const found = runToEnd(whatWouldHelp(report, from, workspace, events)).filter(({ group }) => group === 'blocked');
    const expected = [['uncordon node/n3'], ['add 1 node like n1']];
    assert.deepEqual(
      found.map(({ whatIf }) => whatIf),
      expected,
    );
    const request = drainOf();
    const choose = (nodes: readonly Node[]) => nodes.filter(({ metadata }) => metadata?.name === 'n1');
    const drained = runToEnd(drainNodes(from, choose, request));
    assert.deepEqual(
      runToEnd(unblockDrain(from, choose, request, drained)).found.map(({ whatIf }) => whatIf),
      expected,
    );
  });

  it('[#40] agree about pods that claim devices', async () => {
    await loadDevices();
    const two = [gpu('gpu-0', 'A100', '40Gi'), gpu('gpu-1', 'H100', '80Gi')];
    const there = [node('n1', 8), node('n2', 8), deviceClass('gpu'), slice('n1', two)];
    const serve = (replicas: number, ...requests: readonly JsonObject[]): readonly JsonObject[] => [
      template('t', requests),
      workload('Deployment', 'serve', replicas, podSpec(1, usesTemplate('t'))),
    ];
    const clusters: readonly (readonly JsonObject[])[] = [
      serve(4, request()),
      serve(2, request({ count: 2 })),
      serve(1, request({ deviceClassName: 'fpga' })),
      serve(2, request({}, "device.attributes['gpu.example.com'].model == 'H100'")),
      serve(1, request({}, "device.attributes['gpu.example.com'].nope == 'x'")),
      serve(1, request({ count: 2 }), { ...request(), name: 's' }),
      [workload('Deployment', 'serve', 2, podSpec(1, usesTemplate('nowhere')))],
      [claim('c', [request()]), workload('Deployment', 'serve', 3, podSpec(1, uses('c')))],
      [...serve(3, request()), workload('DaemonSet', 'logs', 1, podSpec(1))],
    ];
    for (const [at, objects] of clusters.entries()) await agree(input([...there, ...objects]), `devices ${at}`);
  });

  // Of public repositories, which are no part of the project.
  const folder = process.env['PODIUM_MANIFESTS'];
  if (folder !== undefined) {
    it('[PLA-20] agree about real manifests', async () => {
      const nodes = ['n1', 'n2', 'n3'].map((name) => node(name, 4, { memory: '16Gi' }));
      for (const file of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
        if (!file.endsWith('.yaml')) continue;
        const text = readFileSync(join(folder, file), 'utf8');
        const { documents } = parseManifestFile(`file:///${file}`, text);
        const objects = documents.flatMap(({ document }) =>
          document.objects.map(({ decoded }) => decoded.object as unknown as JsonObject),
        );
        await agree(input([...nodes, ...objects]), file);
      }
    });
  }

  it('[PLA-20] agree about made-up clusters', async () => {
    const random = randomFrom(Number(process.env['PODIUM_SEED'] ?? 34));
    const wanted = Number(process.env['PODIUM_CLUSTERS'] ?? 40);
    for (let at = 0; at < wanted; at += 1) await agree(madeUp(random), `cluster ${at}`);
  });
});
