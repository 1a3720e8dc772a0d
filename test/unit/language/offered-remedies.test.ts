import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TextDocumentEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { stringify } from 'yaml';
import type { Figures } from '../../../server/src/report-model/remedy.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { Facts } from '../../../server/src/language/index/facts.ts';
import { whatIfEdit } from '../../../server/src/language/simulate/what-if-edit.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import {
  branchOf,
  figuresOf,
  findRemedies,
  simulate,
  type SimulationInput,
} from '../../../server/src/simulation/index.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { budget, node, podSpec, priorityClass, running, workload } from '../simulation/cluster-builder.ts';

const uri = 'file:///all.yaml';
const workspace = { kind: 'workspace' } as const;
const hostname = 'kubernetes.io/hostname';

/** What no remedy may do. */
const harmful =
  /tolerate \S+ (?:node-role\.kubernetes\.io|node\.kubernetes\.io|node\.cloudprovider|CriticalAddonsOnly|cloud\.google|kubernetes\.azure)|^label node|^remove|^delete|^drain|priority \S+ system-/;

const textOf = (objects: readonly JsonObject[]): string => objects.map((each) => stringify(each)).join('---\n');

function inputOf(text: string): SimulationInput {
  const { documents } = parseManifestFile(uri, text);
  const objects = documents.flatMap(({ document }) => document.objects.map(({ decoded }) => decoded.object));
  return { workspace: objects.map((object) => ({ object })), snapshot: [] };
}

function figuresAfter(input: SimulationInput): Figures {
  return figuresOf(runToEnd(simulate(input, workspace)).answer);
}

/** The file with what an operation says written into it; null where that is nothing to write. */
function edited(text: string, operation: string): string | null {
  const facts = new Facts();
  facts.setFile(uri, parseManifestFile(uri, text));
  const { edit } = whatIfEdit(operation, facts);
  if (edit === null) return null;
  const edits = edit.documentChanges.flatMap((change) => (change as TextDocumentEdit).edits);
  return TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 0, text), edits as never);
}

function madeUp(random: Random): readonly JsonObject[] {
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const often = (share: number): boolean => random() < share;
  const isDedicated = often(0.2);
  const isFull = often(0.4);
  const nodes = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => {
    const key = pick(
      'node-role.kubernetes.io/control-plane',
      'CriticalAddonsOnly',
      'dedicated',
      'kubernetes.azure.com/mode',
    );
    return node(`n${at}`, pick(1, 2, 4), {
      labels: { pool: pick('general', 'batch') },
      spec: {
        ...(isDedicated || often(0.25)
          ? { taints: [{ key: isDedicated ? 'dedicated' : key, effect: 'NoSchedule' }] }
          : {}),
        ...(often(0.15) ? { unschedulable: true } : {}),
      },
    });
  });
  const placed = nodes.flatMap((_, at) =>
    Array.from({ length: isFull ? 4 : Math.floor(random() * 3) }, (__, ordinal) =>
      running(`r${at}-${ordinal}`, pick('200m', '500m'), `n${at}`, pick(0, 10), {
        owner: `ReplicaSet/${pick('low', 'mid')}`,
        labels: { app: 'low' },
      }),
    ),
  );
  const web = podSpec(pick('300m', '900m', '3'), {
    ...pick<JsonObject>({}, {}, { nodeSelector: { pool: pick('general', 'gpu') } }, apartFrom('web')),
    ...pick<JsonObject>({}, { priorityClassName: 'high' }, { priorityClassName: 'patient' }),
  });
  return [
    ...(often(0.7) ? [priorityClass('high', 1000)] : []),
    priorityClass('patient', 500, { preemptionPolicy: 'Never' }),
    ...nodes,
    ...placed,
    ...(often(0.5)
      ? [budget('low', { app: 'low' }, pick<JsonObject>({ minAvailable: 1 }, { maxUnavailable: 0 }))]
      : []),
    ...(often(0.4) ? [quota(pick('1', '2'))] : []),
    workload(pick('Deployment', 'StatefulSet'), 'web', 1 + Math.floor(random() * 4), web),
    ...(often(0.3) ? [workload('DaemonSet', 'agent', 0, podSpec(pick('100m', '600m')))] : []),
  ];
}

function apartFrom(app: string): JsonObject {
  const term = { labelSelector: { matchLabels: { app } }, topologyKey: hostname };
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

function quota(cpu: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'cores', namespace: 'default' },
    spec: { hard: { 'requests.cpu': cpu } },
  };
}

describe('what is offered as a remedy', () => {
  it('[PLA-20] does what it says as operations and as edits of the file, and harms nobody', () => {
    const random = randomFrom(Number(process.env['PODIUM_SEED'] ?? 2034));
    const wanted = Number(process.env['PODIUM_REMEDIES'] ?? 100);
    const verbs = new Map<string, number>();
    const written = new Map<string, number>();
    let tried = 0;
    for (let seed = 0; tried < wanted; seed += 1) {
      const text = textOf(madeUp(random));
      const input = inputOf(text);
      const report = runToEnd(simulate(input, workspace));
      const before = figuresOf(report.answer);
      for (const { whatIf, figures, effect, group } of runToEnd(findRemedies(report, input, workspace))) {
        if (whatIf.length === 0 || figures === null) continue;
        tried += 1;
        const at = `cluster ${seed}: ${whatIf.join('; ')}: ${effect}`;
        // A StatefulSet replaces no pod that does not run: whoever deletes that harms nobody.
        const unplaced = report.pods.filter(({ after }) => after.state === 'pending');
        const isUnplaced = (each: string): boolean =>
          unplaced.some(({ namespace, name }) => each === `delete pod/${namespace}/${name}`);
        for (const each of whatIf) {
          if (!isUnplaced(each)) assert.doesNotMatch(each, harmful, at);
          const [verb = ''] = each.split(' ');
          verbs.set(verb, (verbs.get(verb) ?? 0) + 1);
        }
        const bad =
          group === 'pending' || group === 'refused' || group === 'evicted' || group === 'gated' ? group : 'blocked';
        // A place that others lose or do not get for it is one too, and said with who they are.
        const isPaid = effect.endsWith(')');
        // What makes no pods is no figure: it makes them then, and none of them stays pending.
        const begins = group === 'idle' && effect.startsWith('it runs');
        assert.ok(figures[bad] < before[bad] || figures.budgetsBroken < before.budgetsBroken || isPaid || begins, at);
        // Nodes are made by whoever runs the cluster, and are written nowhere.
        const edits = whatIf.filter((each) => !isUnplaced(each) && !each.startsWith('add '));
        const file = edits.reduce((made, each) => edited(made, each) ?? assert.fail(`${each} of ${at}`), text);
        for (const each of edits) written.set(each.split(' ')[0]!, (written.get(each.split(' ')[0]!) ?? 0) + 1);
        // What deletes a pod besides is run where the others run already, and nobody deploys it anew.
        if (whatIf.some(isUnplaced)) continue;
        assert.deepEqual(figuresAfter(branchOf(input, whatIf).at(-1)!.input), figures, at);
        if (edits.length === whatIf.length) assert.deepEqual(figuresAfter(inputOf(file)), figures, at);
      }
    }
    for (const verb of ['add', 'request', 'priority', 'uncordon', 'quota', 'class', 'tolerate']) {
      assert.ok(verbs.has(verb), `${verb} is never offered: ${[...verbs].join(' ')}`);
      assert.ok(verb === 'add' || written.has(verb), `${verb} is never written: ${[...written].join(' ')}`);
    }
  });
});
